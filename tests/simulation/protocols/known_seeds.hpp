#pragma once
// Seeds that once failed, with what it was: run first, each time. A seed names the same schedule only while
// the code asks the same questions in the same order, so these fade; a mistake that is plain by itself gets a
// test of its own in the room where it was.

#include <cstdint>
#include <span>

#include "gossamer/simulation/choices.hpp"

namespace gossamer::test {

struct known_seed {
  const char* protocol;
  std::uint64_t seed, until;
  const char* what;
};

inline std::span<const known_seed> known_seeds() { return {}; }

}  // namespace gossamer::test
