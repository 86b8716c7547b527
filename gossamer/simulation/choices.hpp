#pragma once
// What the seed decides: one numbered stream of choices. The i-th answer depends on seed and i alone, so a
// run that asks the same questions gets the same answers. A run whose choices from number k on are all 0
// (`until`) is the same run up to there: the shortest k that still fails is found by halving.

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

  /// Returns a number below n, n > 0. `what` is a literal that names a kind of faults.hpp. Where the kind is
  /// off, or n is 1, it is 0 and no number is used up. Costs a few ns.
  unsigned choose(unsigned n, const char* what);

  bool on(fault kind) const { return on_.has(kind); }

  /// Choices made so far: what `until` counts.
  std::uint64_t made() const { return made_; }
  std::uint64_t seed() const { return seed_; }

 private:
  bool is_on(const char* what);

  std::uint64_t seed_, until_, made_ = 0;
  fault_set on_;
  std::vector<std::pair<const char*, bool>> known_;  // literals met, each a few times in the program
};

/// Returns the least `until` with which a run still fails, as far as halving tells; nothing where it does not
/// fail again. Runs it by fails(until), some forty times.
std::optional<std::uint64_t> fewest_choices(function_ref<bool(std::uint64_t until)> fails);

}  // namespace gossamer::simulation
