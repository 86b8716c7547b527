#pragma once
// Concurrent containers under the operations of `gossamer bench structures`: as many threads as there are
// cores there, each of which asks for one thing after the other and has its answer at once. Joined to our
// rows of combine::local. A Sequence has put(value) and take(value&), a Map insert(key, value) and find(key,
// value&).

#include <memory>

#include "gossamer/base/random.hpp"
#include "peers/peer.hpp"

namespace gossamer::bench {

/// f(random bits, thread) by all threads: millions a second.
template <class F>
double rate_of_threads(const settings& s, F f) {
  const unsigned threads = s.cores != 0 ? s.cores : 2;
  const std::uint64_t each = structure_operations(s) / 2;
  const double ns = wall_ns_of([&] {
    on_threads(threads, [&](unsigned t) {
      structure_draw draw(t);
      for (std::uint64_t k = 0; k < each; ++k) f(draw(), t);
    });
  });
  return static_cast<double>(each * threads) * 1e3 / ns;
}

template <class Sequence>
void run_sequence(std::string_view peer, std::string_view structure, const settings& s) {
  for (const unsigned puts : {100U, 50U}) {
    std::atomic<bool> right = true;
    const samples rates = repeat(s, [&] {
      const auto shared = std::make_unique<Sequence>();
      const double rate = rate_of_threads(s, [&, puts](std::uint64_t bits, unsigned t) {
        std::uint64_t value = t;
        if (bits % 100 < puts)
          shared->put(value);
        else if (shared->take(value) && value > 64)
          right = false;
      });
      return rate;
    });
    print_peer(
        peer,
        checked(row_of("structures", structure_case(structure, mix_of(puts), "local"), "M/s", rates), right));
  }
}

template <class Map>
void run_map(std::string_view peer, const settings& s) {
  std::atomic<bool> right = true;
  const samples rates = repeat(s, [&] {
    const auto shared = std::make_unique<Map>();
    return rate_of_threads(s, [&](std::uint64_t bits, unsigned) {
      const std::uint64_t key = bits / 128 % k_structure_keys;
      if (bits % 2 == 0)
        shared->insert(key, ~key);
      else if (std::uint64_t value = 0; shared->find(key, value) && value != ~key)
        right = false;
    });
  });
  print_peer(peer,
             checked(row_of("structures", structure_case("map", k_map_mix, "local"), "M/s", rates), right));
}

}  // namespace gossamer::bench
