// Loops with a reduction and over two arrays, over whatever processes a launcher started: expectations are in process 0.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "gossamer/base/random.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

TEST(ProcessLoops, AddUpWhatAllProcessesRun) {
  run(job_options::from_environment(), [] {
    constexpr std::uint64_t n = 10'000;
    EXPECT_EQ(forall(
                  0, n, [](std::uint64_t i) { return i; }, std::uint64_t{7}, std::plus<>()),
              7 + n * (n - 1) / 2);
    EXPECT_EQ(forall(0, 0, [](std::uint64_t i) { return i; }, std::uint64_t{7}, std::plus<>()), 7U);
    // Where nearly all cores have nothing.
    EXPECT_EQ(forall(3, 4, [](std::uint64_t i) { return i; }, std::uint64_t{0}, std::plus<>()), 3U);
  });
}

TEST(ProcessLoops, AddUpElementsOfOneAndTwoArrays) {
  run(job_options::from_environment(), [] {
    constexpr std::uint64_t n = 5000;
    for (const distribution& d : {block, block_cyclic(7), hashed()}) {
      const scoped_array<std::uint64_t> a(n, d), b(n, d);
      forall(a.handle(), b.handle(),
             [](std::uint64_t i, std::uint64_t& x, std::uint64_t& y) { x = i, y = hash64(i); });
      std::uint64_t product = 0, least = ~std::uint64_t{0};
      for (std::uint64_t i = 0; i < n; ++i) product += i * hash64(i), least = std::min(least, hash64(i));
      EXPECT_EQ(forall(
                    a.handle(), b.handle(), [](std::uint64_t x, std::uint64_t y) { return x * y; },
                    std::uint64_t{0}, std::plus<>()),
                product);
      EXPECT_EQ(forall(
                    b.handle(), [](std::uint64_t y) { return y; }, ~std::uint64_t{0},
                    [](std::uint64_t x, std::uint64_t y) { return std::min(x, y); }),
                least);
    }
  });
}

TEST(ProcessLoops, WhatABodyOfAReductionThrowsArrives) {
  run(job_options::from_environment(), [] {
    EXPECT_THROW((void)forall(
                     0, 1000,
                     [](std::uint64_t i) {
                       if (i == 999) throw error("the last");
                       return i;
                     },
                     std::uint64_t{0}, std::plus<>()),
                 error);
    EXPECT_EQ(forall(0, 10, [](std::uint64_t i) { return i; }, std::uint64_t{0}, std::plus<>()), 45U);
  });
}

}  // namespace
}  // namespace gossamer
