// Hash tables, arrays of dense keys and lists, by both engines, on one process and on simulated clusters; keys out of range.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/map_reduce_cases.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class Containers : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(On, Containers, ::testing::Values(1U, 2U, 3U, 5U, 8U), test::topology_name);

TEST_P(Containers, AgreeWithTheSerialMapByEachEngine) {
  run(job_options{.cores = GetParam()}, [] { test::check_containers(test::any_map_seed()); });
}

TEST_P(Containers, DenseKeysMayBeFewerThanCores) {
  run(job_options{.cores = GetParam()}, [] {
    for (const engine by : test::k_engines)
      for (const std::uint64_t keys : {1, 2, 7, 100'000})
        test::check_dense_keys(20'000, keys, by, test::any_map_seed());
  });
}

class ContainersSimulated : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Clusters, ContainersSimulated,
                         ::testing::Values("processes=2 cores=2 seed=1",
                                           "processes=5 cores=1 network=qdr seed=2",
                                           "processes=3 cores=2 network=qdr faults=all seed=3"));

TEST_P(ContainersSimulated, AgreeWithTheSerialMapByEachEngine) {
  job_options o;
  o.simulate = simulation::options::parse(GetParam());
  run(o, [] { test::check_containers(test::any_map_seed()); });
}

/// Returns the error of a job over two cores whose one key is out of range.
std::string error_of(std::int64_t key, std::uint64_t keys, engine by) {
  std::string found = "none";
  run(job_options{.cores = 2}, [&] {
    try {
      (void)map_reduce<std::int64_t, std::uint64_t>(
          count_input(10'000), dense_keys{keys},
          [key](std::uint64_t i, auto& out) { out.emit(i == 7'777 ? key : 0, 1); }, std::plus<>{},
          {.progress = {}, .engine = by});
    } catch (const error& e) {
      found = e.what();
    }
  });
  return found;
}

TEST(DenseKeys, AKeyOutOfRangeIsAnError) {
  for (const engine by : test::k_engines)
    EXPECT_EQ(error_of(768, 768, by), "map_reduce: expected keys from 0 to 767 (dense_keys{768}), found 768");
  EXPECT_EQ(error_of(-3, 768, engine::hybrid),
            "map_reduce: expected keys from 0 to 767 (dense_keys{768}), found -3");
  EXPECT_EQ(error_of(5, 0, engine::hybrid), "map_reduce: expected no key (dense_keys{0}), found 0");
  EXPECT_EQ(error_of(767, 768, engine::hybrid), "none");
}

/// Ranges of ten keys, of which the last one ends at the last key. Keys whose sum is zero are present, too.
TEST_P(Containers, ARangeOfDenseKeysIsEmittedAsEachOfThem) {
  constexpr std::uint64_t k_keys = 1000, k_width = 10, k_ranges = 5000;
  run(job_options{.cores = GetParam()}, [] {
    for (const engine by : test::k_engines) {
      const auto found = map_reduce<std::uint32_t, std::int64_t>(
          count_input(k_ranges), dense_keys{k_keys},
          [](std::uint64_t i, auto& out) {
            std::array<std::int64_t, k_width> values;
            for (unsigned k = 0; k < k_width; ++k) values[k] = static_cast<std::int64_t>(k) - 5;
            out.emit_range(static_cast<std::uint32_t>(hash64(i) % (k_keys - k_width + 1)), values);
          },
          std::plus<>{}, {.progress = {}, .engine = by});
      std::vector<std::int64_t> expected(k_keys);
      for (std::uint64_t i = 0; i < k_ranges; ++i)
        for (unsigned k = 0; k < k_width; ++k)
          expected[hash64(i) % (k_keys - k_width + 1) + k] += static_cast<std::int64_t>(k) - 5;
      std::uint64_t wrong = 0;
      for (const auto& [key, value] : found.collect()) wrong += value != expected[key];
      EXPECT_EQ(found.size(), expected.size());
      EXPECT_EQ(wrong, 0U);
    }
  });
}

TEST(DenseKeys, ARangeBeyondTheLastKeyIsAnError) {
  run(job_options{.cores = 2}, [] {
    try {
      (void)map_reduce<std::uint32_t, std::uint64_t>(
          count_input(10), dense_keys{8},
          [](std::uint64_t, auto& out) { out.emit_range(6, std::array<std::uint64_t, 3>{1, 1, 1}); });
      FAIL() << "no error";
    } catch (const error& e) {
      EXPECT_STREQ(e.what(), "map_reduce: expected keys from 0 to 7 (dense_keys{8}), found 8");
    }
  });
}

/// A combiner whose neutral element is not zero.
TEST(DenseKeys, TheLeastOfNumbersAboveZero) {
  run(job_options{.cores = 3}, [] {
    const auto found = map_reduce<std::uint32_t, std::int64_t>(
        count_input(9000), dense_keys{20},
        [](std::uint64_t i, auto& out) {
          out.emit(static_cast<std::uint32_t>(i % 9), static_cast<std::int64_t>(100 + i));
        },
        [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
    EXPECT_EQ(found.size(), 9U);
    for (const auto& [key, value] : found.collect()) EXPECT_EQ(value, 100 + key);
  });
}

TEST(DenseKeys, MoreThanMemoryHoldsAreRefused) {
  const std::string found = error_of(0, std::uint64_t{1} << 60, engine::hybrid);
  EXPECT_NE(found.find("a dense array of 1152921504606846976 keys needs"), found.npos) << found;
}

TEST(GroupReduce, WhatTheReduceFunctionThrowsArrives) {
  run(job_options{.cores = 3}, [] {
    for (const engine by : test::k_engines)
      EXPECT_THROW((map_group_reduce<std::uint64_t, std::uint64_t>(
                       count_input(10'000), [](std::uint64_t i, auto& out) { out.emit(i % 100, i); },
                       [](std::uint64_t key, std::span<const std::uint64_t> values) {
                         if (key == 42) throw error("key 42");
                         return values.size();
                       },
                       {.progress = {}, .engine = by})),
                   error);
  });
}

/// Counts the numbers below `keys`, each `pairs / keys` times or once more, all of them once before any
/// repeats. If most keys are new, pairs go to buckets.
void expect_counts_of(std::uint64_t pairs, std::uint64_t keys) {
  map_reduce_statistics what;
  map_reduce_options o;
  o.statistics = &what;
  const auto counts = map_reduce<std::uint64_t, std::uint64_t>(
      count_input(pairs, 4096), [keys](std::uint64_t i, auto& out) { out.emit(i % keys, 1); }, std::plus<>{},
      o);
  EXPECT_EQ(counts.size(), keys);
  EXPECT_EQ(what.emitted, pairs);
  std::uint64_t next = 0, wrong = 0;
  counts.for_each_sorted(by_key{}, [&](std::uint64_t key, std::uint64_t n) {
    wrong += key != next || n != pairs / keys + (key < pairs % keys ? 1 : 0);
    ++next;
  });
  EXPECT_EQ(wrong, 0U);
  constexpr std::uint64_t k_slot_bytes = 24;  // no empty slots: half of the memory of containers
  EXPECT_LE(what.container_bytes, 3 * k_slot_bytes * pairs / 2) << cores() << " cores, " << keys << " keys";
}

TEST(Containers, TakeLittleMemoryWhereKeysAreNew) {
  for (const auto& [cores, pairs] : {std::pair(1U, 400'000U), std::pair(2U, 1'000'000U)})
    for (const std::uint64_t keys : {pairs, pairs / 2})  // new until the end, or not
      run({.cores = cores}, [&, pairs = pairs] { expect_counts_of(pairs, keys); });
}

TEST(Containers, BucketsOfSeveralProcessesAreJoined) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer) GTEST_SKIP() << "the sizes take too long";
  job_options o;
  o.simulate = simulation::options::parse("processes=2 cores=2");
  run(o, [] { expect_counts_of(2'000'000, 2'000'000); });
}

/// Long keys are stored outside of the buckets.
TEST(Containers, BucketsKeepLongKeys) {
  run({.cores = 2}, [] {
    constexpr std::uint64_t k_pairs = 600'000;
    const auto counts = map_reduce<std::string_view, std::uint64_t>(
        count_input(k_pairs, 4096),
        [](std::uint64_t i, auto& out) { out.emit(fmt::format("a key of a line and more {}", i), i); },
        std::plus<>{});
    std::uint64_t sum = 0, wrong = 0;
    counts.for_each_sorted(by_key{}, [&](std::string_view key, std::uint64_t value) {
      wrong += key != fmt::format("a key of a line and more {}", value);
      sum += value;
    });
    EXPECT_EQ(counts.size(), k_pairs);
    EXPECT_EQ(sum, k_pairs * (k_pairs - 1) / 2);
    EXPECT_EQ(wrong, 0U);
  });
}

}  // namespace
}  // namespace gossamer
