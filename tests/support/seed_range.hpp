#pragma once
// Which seeds a test of random cases takes.

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gossamer/base/error.hpp"

namespace gossamer::test {

/// The seeds of a test: those of GOSSAMER_SEEDS (FIRST..LAST), else 1 to `count`.
struct seed_range {
  explicit seed_range(std::uint64_t count) : last(count) {
    const char* const given = std::getenv("GOSSAMER_SEEDS");
    if (given == nullptr) return;
    char after = 0;
    if (std::sscanf(given, "%" SCNu64 "..%" SCNu64 "%c", &first, &last, &after) != 2 || first > last)
      throw error(std::string("GOSSAMER_SEEDS is ") + given + ", expected FIRST..LAST");
  }
  std::uint64_t first = 1, last;
};

}  // namespace gossamer::test
