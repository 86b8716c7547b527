#pragma once
// The request loops of the fibers of `gossamer structures`, for all structures.

#include <algorithm>
#include <array>
#include <vector>

#include "gossamer/kernels/structures.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::kernels {

/// Returns the bytes in which this core counts the keys of so many puts: a bit for each key, or a list of the puts.
inline std::uint64_t bytes_of_counting(const structure_work& w, std::uint64_t puts) {
  return std::min(w.keys / 8 + 1, puts * sizeof(std::uint64_t));
}

/// A value of so many bytes, all words equal. whole() compares the first and the last word.
template <std::size_t Bytes>
struct payload {
  std::array<std::uint64_t, Bytes / 8> words;

  static payload of(std::uint64_t x) {
    payload p;
    p.words.fill(x);
    return p;
  }
  std::uint64_t first() const { return words.front(); }
  bool whole() const { return words.front() == words.back(); }
};

/// The counts of the fibers of a core.
struct tally {
  std::uint64_t put = 0, taken = 0;  // values, or inserted and erased keys
  std::uint64_t put_sum = 0, taken_sum = 0;
  std::uint64_t wrong = 0;

  tally operator+(const tally& o) const {
    return {put + o.put, taken + o.taken, put_sum + o.put_sum, taken_sum + o.taken_sum, wrong + o.wrong};
  }
};

inline check nothing_lost(bool is_right) { return {is_right, "values or keys are lost, doubled or altered"}; }

inline tally sum_of(const scoped_per_core<tally>& all) {
  return all.fold(tally{}, [](const tally& a, const tally& b) { return a + b; });
}

inline constexpr std::uint64_t k_small_stacks_from = 10'000;  // fibers of a core: 12 KiB of addresses each

// The cost that a simulation charges for a request beyond the counted events, if it merges, and if it is sent
// alone to a stack or queue: fitted to the processor time of one core. Requests to sets and maps that are
// sent alone are charged like those that merge: fitted to two cores (docs/performance/structures.md).
inline constexpr std::uint64_t k_merged_ns = 12, k_alone_ns = 55;

/// Returns the counts so far over all cores.
structure_counts structure_counts_so_far();
structure_counts since(const structure_counts& before, const structure_counts& now);

/// Returns the draws of a fiber in a round.
inline structure_draw draws_of(std::uint64_t seed, std::uint64_t round, std::uint64_t fiber) {
  return structure_draw(hash64(seed) ^ hash64(~round) ^ fiber);
}

/// Calls f(draw, fiber) `each` times in every fiber of every core. `round` distinguishes the draws of
/// two rounds. Returns seconds.
template <class F>
double round_of_fibers(const structure_work& w, std::uint64_t round, std::uint64_t each, F f) {
  const std::uint64_t begin = machine::now_ns();
  on_all_cores([request_ns = merges_on_core(w.where) || w.keyed() ? k_merged_ns : k_alone_ns,
                fibers = w.fibers, seed = w.seed, round, each, f] {
    const stack_class kind = fibers >= k_small_stacks_from ? stack_class::small : stack_class::regular;
    std::vector<joinable<void>> all;
    all.reserve(fibers);
    for (std::uint64_t fiber = here() * fibers; fiber < (here() + 1) * fibers; ++fiber)
      all.push_back(start(
          [=] {
            structure_draw draw = draws_of(seed, round, fiber);
            for (std::uint64_t k = 0; k < each; ++k) {
              charge_work(request_ns);
              f(draw(), fiber);
            }
          },
          kind));
    for (auto& one : all) one.join();
  });
  return machine::seconds_since(begin);
}

/// Runs the work: a warm-up round, and the measured one.
template <class F>
structure_result ask_by_fibers(const structure_work& w, F f) {
  const std::uint64_t all = w.fibers * cores();
  const std::uint64_t each = w.operations == 0 ? 1024 : std::max<std::uint64_t>(1, w.operations / all);
  (void)round_of_fibers(w, 0, 1, f);
  const structure_counts before = structure_counts_so_far();
  structure_result r;
  r.operations = all * each;
  r.seconds = round_of_fibers(w, 1, each, f);
  r.counts = since(before, structure_counts_so_far());
  return r;
}

/// The range [begin, end) of this core among n operations.
struct requests_share {
  std::uint64_t begin, end;
  explicit requests_share(std::uint64_t n) : begin(n * here() / cores()), end(n * (here() + 1) / cores()) {}
};

/// Runs n operations. Every core fills its values by prepare(range, values), then calls put(values) once.
template <class Prepared, class Prepare, class Put>
structure_result put_in_bulk(std::uint64_t n, Prepare prepare, Put put) {
  const scoped_per_core<Prepared> prepared;
  on_all_cores([all = prepared.handle(), n, prepare] { prepare(requests_share(n), all.here()); });
  const structure_counts before = structure_counts_so_far();
  structure_result r;
  r.operations = n;
  const std::uint64_t begin = machine::now_ns();
  on_all_cores([all = prepared.handle(), put] { put(all.here()); });
  r.seconds = machine::seconds_since(begin);
  r.counts = since(before, structure_counts_so_far());
  return r;
}

structure_result ask_stack(const structure_work& w);
structure_result ask_queue(const structure_work& w);
structure_result ask_set(const structure_work& w);
structure_result ask_map(const structure_work& w);

/// Calls f.template operator()<Bytes>() for the requested payload.
template <std::size_t Index = 0, class F>
structure_result with_payload(const structure_work& w, F f) {
  if constexpr (Index + 1 < k_payloads.size()) {
    if (w.payload > k_payloads[Index]) return with_payload<Index + 1>(w, f);
  }
  return f.template operator()<k_payloads[Index]>();
}

}  // namespace gossamer::kernels
