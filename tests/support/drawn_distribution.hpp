#pragma once
// Draws how an array is distributed, for tests that take what a seed gives.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gossamer/memory/distribution.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::test {

/// Draws a distribution of n elements. By a fiber; `d.below(m)` gives a number below m.
template <class Draws>
distribution drawn_distribution(Draws& d, std::uint64_t n) {
  switch (d.below(4)) {
    case 0:
      return block_cyclic(1 + d.below(20));
    case 1:
      return hashed(1 + d.below(20));
    case 2: {
      std::vector<std::uint64_t> bounds{0};
      for (core_id c = 1; c < cores(); ++c) bounds.push_back(d.below(n + 1));
      bounds.push_back(n);
      std::sort(bounds.begin(), bounds.end());
      return by_boundaries(bounds);
    }
    default:
      return block;
  }
}

}  // namespace gossamer::test
