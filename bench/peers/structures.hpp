#pragma once
// Concurrent containers under the operations of `gossamer bench structures`: as many threads as there are
// cores there, each of which asks for one thing after the other and has its answer at once. Joined to our
// rows of combine::local. A Sequence has put(value) and take(value&), a Map insert(key, value), erase(key)
// and find(key, value&).

#include <memory>

#include "gossamer/base/random.hpp"
#include "peers/peer.hpp"

namespace gossamer::bench {

/// Calls f(random bits) on all threads and returns millions of calls a second.
template <class F>
double rate_of_threads(const settings& s, const structure_work& w, F f) {
  const unsigned threads = s.cores != 0 ? s.cores : 2;
  const std::uint64_t each = structure_operations(s, w, true) / threads;
  const double ns = wall_ns_of([&] {
    on_threads(threads, [&](unsigned t) {
      kernels::structure_draw draw(t);
      for (std::uint64_t k = 0; k < each; ++k) f(draw());
    });
  });
  return static_cast<double>(each * threads) * 1e3 / ns;
}

/// Measures each work of this structure with values of 8 bytes. once(work, right) returns the rate and says
/// whether all was right.
template <class F>
void run_works(std::string_view peer, structure kind, const settings& s, F once) {
  for (const structure_work& w : structure_works(s)) {
    if (w.kind != kind || w.payload != 8 || w.bulk) continue;
    std::atomic<bool> right = true;
    const samples rates = repeat(s, [&] { return once(w, right); });
    const std::string name = structure_case(w, k_combine_names[s.asked.where.value_or(2)]);
    print_peer(peer, checked(row_of("structures", name, "M/s", rates), right));
  }
}

template <class Sequence>
void run_sequence(std::string_view peer, structure kind, const settings& s) {
  run_works(peer, kind, s, [&](const structure_work& w, std::atomic<bool>& right) {
    const auto shared = std::make_unique<Sequence>();
    return rate_of_threads(s, w, [&, puts = w.puts](std::uint64_t draw) {
      std::uint64_t value = draw % 64;
      if (draw % 100 < puts)
        shared->put(value);
      else if (shared->take(value) && value >= 64)
        right = false;
    });
  });
}

template <class Map>
void run_map(std::string_view peer, structure kind, const settings& s) {
  run_works(peer, kind, s, [&](const structure_work& w, std::atomic<bool>& right) {
    const auto shared = std::make_unique<Map>(w.keys);
    return rate_of_threads(s, w, [&, w](std::uint64_t draw) {
      using operation = kernels::structure_request::operation;
      const kernels::structure_request q(draw, w.puts, w.erases, w.keys);
      if (q.what == operation::put)
        shared->insert(q.key, ~q.key);
      else if (q.what == operation::erase)
        shared->erase(q.key);
      else if (std::uint64_t value = 0; shared->find(q.key, value) && value != ~q.key)
        right = false;
    });
  });
}

}  // namespace gossamer::bench
