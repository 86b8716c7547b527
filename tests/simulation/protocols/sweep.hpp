#pragma once
// Seeds one after the other, in child processes: a seed may end in an assertion, a crash or an endless loop.
// A child runs many seeds, and says which one it is at.

#include <cstdint>
#include <optional>
#include <string>

#include "gossamer/simulation/choices.hpp"
#include "protocol.hpp"

namespace gossamer::test {

/// How to run a seed.
struct manner {
  std::uint64_t until = simulation::choices::k_always;
  std::string trace = {};  // as in simulation::options
  bool plain = false;  // no faults
};

struct seed_failure {
  std::uint64_t seed;
  std::string what;
  std::string errors;  // what was written to standard error
};

/// Returns the first of first..last that fails, and how.
std::optional<seed_failure> first_failure(const protocol& p, std::uint64_t first, std::uint64_t last,
                                          const manner& m);

/// Describes a seed that has failed, with the fewest choices that still do. Runs it some forty times.
/// `program` is what repeats it.
std::string report(const protocol& p, const seed_failure& f, const std::string& program);

}  // namespace gossamer::test
