#pragma once
// Compares results of MapReduce jobs with std::map. Runs no job: each that a header runs is compiled in every file that
// includes it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "gossamer/mapreduce/map_reduce_options.hpp"

namespace gossamer::test {

inline constexpr engine k_engines[] = {engine::hybrid, engine::messages};

inline std::uint64_t any_map_seed() {
  std::random_device any;
  return std::uint64_t{any()} << 32 | any();
}

/// Compares a result with what std::map holds: all pairs in order, each once, and their number.
template <class Result, class Map>
void expect_result(const Result& found, const Map& expected) {
  EXPECT_EQ(found.size(), expected.size());
  const auto all = found.collect();
  EXPECT_TRUE(std::ranges::equal(all, expected, [](const auto& a, const auto& b) {
    return a.first == b.first && a.second == b.second;
  })) << "the pairs differ";
}

}  // namespace gossamer::test
