#pragma once
// What the seed decides: one numbered stream of choices. The i-th answer depends only on seed and i, so a run
// that makes the same choices gets the same answers. If all choices from number k on are 0 (`until`), the run
// is the same up to k. The smallest k that still fails is found by bisection.

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/simulation/faults.hpp"

namespace gossamer::simulation {

class choices {
 public:
  static constexpr std::uint64_t k_always = std::numeric_limits<std::uint64_t>::max();

  choices(std::uint64_t seed, fault_set on, std::uint64_t until = k_always)
      : seed_(seed), until_(until), on_(on) {}

  /// Returns a number below n, n > 0. `what` is a literal that names a kind of faults.hpp. If the kind is
  /// off, or n is 1, returns 0 without using a number. Costs a few ns.
  unsigned choose(unsigned n, const char* what);

  bool on(fault kind) const { return on_.has(kind); }

  /// Returns the number of choices so far: the unit of `until`.
  std::uint64_t made() const { return made_; }
  std::uint64_t seed() const { return seed_; }

 private:
  bool is_on(const char* what);

  std::uint64_t seed_, until_, made_ = 0;
  fault_set on_;
  std::vector<std::pair<const char*, bool>> known_;  // literals seen so far; few in the program
};

/// Returns the smallest `until` with which a run still fails, by bisection; nothing if it does not fail
/// again. Calls fails(until) about forty times.
std::optional<std::uint64_t> fewest_choices(function_ref<bool(std::uint64_t until)> fails);

}  // namespace gossamer::simulation
