#include "gossamer/parallel/loop_reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class LoopReduction : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(LoopReduction);

std::vector<distribution> all_kinds(std::uint64_t n) {
  std::vector<std::uint64_t> bounds(cores() + 1, n);
  bounds[0] = 0;
  for (core_id c = 1; c < cores(); ++c) bounds[c] = n * c / cores() * c / cores();
  return {block, block_cyclic(3), hashed(8), by_boundaries(bounds)};
}

TEST_P(LoopReduction, OfIndicesAddsUpEachOnce) {
  run(job_options{.cores = GetParam()}, [] {
    for (const std::uint64_t n : {0, 1, 2, 1000, 100'000})
      for (const std::uint64_t grain : {0, 1, 7}) {
        if (grain != 0 && n > 1000) continue;
        const auto sum =
            forall(5, 5 + n, [](std::uint64_t i) { return i - 5; }, std::uint64_t{3}, std::plus<>(), grain);
        static_assert(std::is_same_v<decltype(sum), const std::uint64_t>);
        EXPECT_EQ(sum, 3 + n * (n - (n > 0)) / 2) << n << " by " << grain;
      }
  });
}

TEST_P(LoopReduction, OfElementsAddsUpEachOnceInEveryDistribution) {
  run(job_options{.cores = GetParam()}, [] {
    for (const std::uint64_t n : {0, 1, 10, 5000})
      for (const distribution& d : all_kinds(n)) {
        const scoped_array<std::uint64_t> a(n, d);
        forall(a.handle(), [](std::uint64_t i, std::uint64_t& x) { x = hash64(i); });
        std::uint64_t sum = 0, mixed = 0, most = 0;
        for (std::uint64_t i = 0; i < n; ++i)
          sum += hash64(i), mixed += i * hash64(i), most = std::max(most, hash64(i));
        EXPECT_EQ(forall(
                      a.handle(), [](const std::uint64_t& x) { return x; }, std::uint64_t{0}, std::plus<>()),
                  sum);
        EXPECT_EQ(forall(
                      a.handle(), [](std::uint64_t i, std::uint64_t x) { return i * x; }, 0, std::plus<>()),
                  mixed);
        EXPECT_EQ(forall(
                      a.handle(), [](const auto& x) { return x; }, std::uint64_t{0},
                      [](std::uint64_t x, std::uint64_t y) { return std::max(x, y); }),
                  most);
      }
  });
}

TEST_P(LoopReduction, OfTwoArraysSeesElementsOfOneIndex) {
  run(job_options{.cores = GetParam()}, [] {
    constexpr std::uint64_t n = 3000;
    for (const distribution& d : all_kinds(n)) {
      const scoped_array<std::uint64_t> a(n, d);
      const scoped_array<std::uint32_t> b(n, d);
      forall(b.handle(),
             [](std::uint64_t i, std::uint32_t& x) { x = static_cast<std::uint32_t>(hash64(i)); });
      forall(a.handle(), b.handle(),
             [](std::uint64_t i, std::uint64_t& x, const std::uint32_t& y) { x = i + y; });
      forall(a.handle(), b.handle(), [](std::uint64_t& x, std::uint32_t y) { x += y; });
      std::uint64_t expected = 0;
      const auto view = a.freeze();
      for (std::uint64_t i = 0; i < n; ++i) {
        const auto y = static_cast<std::uint32_t>(hash64(i));
        EXPECT_EQ(view[i], i + 2 * std::uint64_t{y}) << i;
        expected += (i + 2 * std::uint64_t{y}) * y;
      }
      a.thaw();
      EXPECT_EQ(forall(
                    a.handle(), b.handle(), [](std::uint64_t x, std::uint32_t y) { return x * y; },
                    std::uint64_t{0}, std::plus<>()),
                expected);
    }
  });
}

TEST_P(LoopReduction, TakesTheTypeOfTheOperation) {
  run(job_options{.cores = GetParam()}, [] {
    const auto halves = forall(0, 1000, [](std::uint64_t) { return 0.5; }, 0, std::plus<>());
    static_assert(std::is_same_v<decltype(halves), const double>);
    EXPECT_EQ(halves, 500.0);
    struct range {
      std::uint64_t least, most;
    };
    const range r = forall(
        10, 2000, [](std::uint64_t i) { return range{i, i}; }, range{~std::uint64_t{0}, 0},
        [](const range& a, const range& b) {
          return range{std::min(a.least, b.least), std::max(a.most, b.most)};
        });
    EXPECT_EQ(r.least, 10U);
    EXPECT_EQ(r.most, 1999U);
  });
}

TEST_P(LoopReduction, BodiesMayWaitForAnswersAndIssueMore) {
  run(job_options{.cores = GetParam()}, [] {
    const scoped_array<std::uint64_t> squares(2000), visits(10);
    forall(squares.handle(), [](std::uint64_t i, std::uint64_t& e) { e = i * i; });
    const auto sum = forall(
        0, 2000,
        [all = squares.handle(), visits = visits.handle()](std::uint64_t i) {
          visits.async(i % 10, [](std::uint64_t& n) { ++n; });
          return all.read(1999 - i);
        },
        std::uint64_t{0}, std::plus<>());
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) expected += i * i;
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(
        forall(visits.handle(), [](std::uint64_t n) { return n; }, std::uint64_t{0}, std::plus<>()), 2000U);
  });
}

TEST_P(LoopReduction, WhatABodyThrowsArrives) {
  run(job_options{.cores = GetParam()}, [] {
    EXPECT_THROW((void)forall(
                     0, 10'000,
                     [](std::uint64_t i) {
                       if (i == 7777) throw std::runtime_error("seven");
                       return i;
                     },
                     std::uint64_t{0}, std::plus<>()),
                 std::runtime_error);
    EXPECT_EQ(forall(0, 10, [](std::uint64_t i) { return i; }, std::uint64_t{0}, std::plus<>()), 45U);
  });
}

TEST_P(LoopReduction, ArraysThatAreDividedDifferentlyAreRefused) {
  run(job_options{.cores = GetParam()}, [] {
    const scoped_array<int> a(100), shorter(99), cyclic(100, block_cyclic(3));
    const auto refusal = [&](const scoped_array<int>& b) -> std::string {
      try {
        forall(a.handle(), b.handle(), [](int&, int&) {});
      } catch (const error& e) {
        return e.what();
      }
      return "";
    };
    EXPECT_EQ(refusal(shorter), "forall: expected two arrays of one size, found 100 and 99 elements");
    EXPECT_EQ(refusal(a), "");
    if (cores() > 1) {
      EXPECT_EQ(refusal(cyclic),
                "forall: expected two arrays of one distribution, found two of 100 elements that are divided "
                "differently");
    }
  });
}

// The parameter type of a body is detected for lambdas, generic lambdas, functions and function objects.
template <class F>
constexpr bool copies_one(F) {
  return detail::takes_copies<F, double>();
}
template <class F>
constexpr bool copies_two(F) {
  return detail::takes_copies<F, double, int>();
}
struct several_forms {
  void operator()(double) const {}
  void operator()(std::uint64_t, double) const {}
};
static_assert(copies_one([](double) {}) && copies_one([](double) mutable {}) && copies_one([](auto) {}));
static_assert(copies_one([](std::uint64_t, double) noexcept {}) && copies_one([](auto, auto) {}));
static_assert(copies_one([](std::uint64_t, auto) {}) && copies_one([](auto...) {}) &&
              copies_one(+[](double) {}));
static_assert(copies_two([](double, int) {}) && copies_two([](auto, auto) {}));
static_assert(!copies_one([](double&) {}) && !copies_one([](const double&) {}) && !copies_one([](auto&) {}));
static_assert(!copies_one([](const auto&) {}) && !copies_one([](std::uint64_t, auto&) {}) &&
              !copies_one([](auto&&) {}));
static_assert(!copies_two([](double&, int) {}) && !copies_two([](std::uint64_t, const double&, int&) {}));
static_assert(!copies_one(several_forms()));

// Formats of print(): an argument without a field indicates a format of printf().
static_assert(detail::takes_arguments("{}\n", 1) && detail::takes_arguments("{} {:>5} {{}}", 2));
static_assert(detail::takes_arguments("{1} {0}", 2) && detail::takes_arguments("{name}", 3));
static_assert(detail::takes_arguments("100%\n", 0) && detail::takes_arguments("{:{}}", 2));
static_assert(!detail::takes_arguments("%f\n", 1) && !detail::takes_arguments("{} %d\n", 2));
static_assert(!detail::takes_arguments("{{}}\n", 1) && !detail::takes_arguments("", 1));

}  // namespace
}  // namespace gossamer
