// Rows numbered by keys, and aggregates of each group, against a std::map.
#include "gossamer/tables/row_aggregates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

using integers = std::vector<std::int64_t>;
constexpr std::int64_t k_least = std::numeric_limits<std::int64_t>::min(),
                       k_most = std::numeric_limits<std::int64_t>::max();

row_numbers numbers_of(const integers& keys) { return number_rows(keys); }
row_numbers numbers_of(const std::vector<std::string>& keys) {
  return number_rows(keys.size(), [&](std::uint64_t first, std::span<std::string_view> to) {
    for (std::string_view& text : to) text = keys[first++];
  });
}

/// Compares each result of each group with those of a serial map.
template <class Key>
void check(const std::vector<Key>& keys, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 draw(seed);
  integers whole;
  std::vector<double> real;
  std::map<Key, std::vector<std::size_t>> expected;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    whole.push_back(static_cast<std::int64_t>(draw() % 2'000'000) - 1'000'000);
    real.push_back(
        std::ldexp(static_cast<double>(draw() % 1024), static_cast<int>(draw() % 20)));  // sums are exact
    expected[keys[i]].push_back(i);
  }
  const row_numbers rows = numbers_of(keys);
  ASSERT_EQ(rows.rows(), keys.size());
  ASSERT_EQ(rows.groups(), expected.size());
  const auto counts = count_rows(rows), least = least_of_rows(rows, whole),
             largest = largest_of_rows(rows, whole);
  const std::vector<wide_integer> sums = sum_rows(rows, whole);
  const auto real_sums = sum_rows(rows, real), real_least = least_of_rows(rows, real),
             real_largest = largest_of_rows(rows, real);
  std::size_t g = 0;
  for (const auto& [key, members] : expected) {
    ASSERT_EQ(keys[rows.row_of[g]], key);
    std::int64_t sum = 0, low = k_most, high = k_least;
    double real_sum = 0, real_low = real[members[0]], real_high = real_low;
    for (const std::size_t i : members) {
      ASSERT_EQ(rows.of_row[i], g);
      sum += whole[i];
      low = std::min(low, whole[i]);
      high = std::max(high, whole[i]);
      real_sum += real[i];
      real_low = std::min(real_low, real[i]);
      real_high = std::max(real_high, real[i]);
    }
    ASSERT_EQ(counts[g], static_cast<std::int64_t>(members.size()));
    ASSERT_TRUE(sums[g] == sum);
    ASSERT_EQ(std::tuple(least[g], largest[g]), std::tuple(low, high));
    ASSERT_EQ(std::tuple(real_sums[g], real_least[g], real_largest[g]),
              std::tuple(real_sum, real_low, real_high));
    ++g;
  }
}

class RowNumbers : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(On, RowNumbers, ::testing::Values(1U, 2U, 3U, 7U), test::topology_name);

TEST_P(RowNumbers, OfIntegersAgreeWithAMap) {
  run(job_options{.cores = GetParam()}, [] {
    std::uint64_t seed = 1;
    for (const std::uint64_t rows : {0, 1, 1000, 40'000})
      for (const std::uint64_t groups : {1, 7, 20'000, 1'000'000})  // the last: nearly all keys differ
        for (const std::int64_t factor : {std::int64_t{1}, std::int64_t{-3}, k_most / 1'000'000}) {
          std::mt19937_64 draw(++seed);
          integers keys;
          while (keys.size() < rows) keys.push_back(static_cast<std::int64_t>(draw() % groups) * factor);
          check(keys, seed);
        }
  });
}

TEST_P(RowNumbers, OfTextsAgreeWithAMap) {
  run(job_options{.cores = GetParam()}, [] {
    std::uint64_t seed = 100;
    for (const std::uint64_t rows : {0, 1, 20'000})
      for (const std::uint64_t groups : {1, 9, 30'000})
        for (const char* const front : {"", "k", "a front of more than fifteen bytes "}) {
          std::mt19937_64 draw(++seed);
          std::vector<std::string> keys;
          while (keys.size() < rows) {
            const std::uint64_t key = draw() % groups;
            keys.push_back(key == 0 ? "" : key == 1 ? std::string("a\0b", 3) : front + std::to_string(key));
          }
          check(keys, seed);
        }
  });
}

TEST_P(RowNumbers, OfTheLeastAndTheLargestInteger) {
  run(job_options{.cores = GetParam()}, [] {
    check(integers{k_most, k_least, 0, -1, k_least, k_most}, 1);
    check(integers{k_least + 1, k_least, k_least}, 2);
    check(integers{k_most, k_most - 1}, 3);
  });
}

TEST(RowAggregates, SumsOfIntegersAreExact) {
  run(job_options{.cores = 2}, [] {
    using sums = std::vector<wide_integer>;
    const row_numbers rows = number_rows(integers(3, 0));
    EXPECT_TRUE(sum_rows(rows, integers{k_most, k_most, -k_most}) == sums{k_most});
    EXPECT_TRUE(sum_rows(rows, integers{k_most, 1, 0}) == sums{wide_integer{k_most} + 1});
    EXPECT_TRUE(sum_rows(rows, integers{k_least, -1, 0}) == sums{wide_integer{k_least} - 1});
    constexpr std::uint64_t k_all = ~std::uint64_t{0};
    EXPECT_TRUE(sum_rows(rows, std::vector<std::uint64_t>{k_all, k_all, 1}) ==
                sums{2 * wide_integer{k_all} + 1});
    EXPECT_EQ(largest_of_rows(rows, std::vector<std::uint64_t>{k_all, 5, 7}),
              std::vector<std::uint64_t>{k_all});
    constexpr wide_integer k_wide = static_cast<wide_integer>(~wide_unsigned{0} >> 1);
    EXPECT_TRUE(sum_rows(rows, sums{k_wide, k_wide, -k_wide}, "v") == sums{k_wide});
    EXPECT_TRUE(least_of_rows(rows, sums{k_wide, -k_wide, 0}) == sums{-k_wide});
    std::string found;
    try {
      (void)sum_rows(rows, sums{k_wide, 1, 0}, "v");
    } catch (const error& e) {
      found = e.what();
    }
    EXPECT_EQ(found, "column v: expected a sum of each group within 128 bits");
  });
}

TEST(RowAggregates, SumsOfRealsKeepWhatRoundingLoses) {
  run(job_options{.cores = 3}, [] {
    std::vector<double> values;
    for (int i = 0; i < 50'000; ++i) values.insert(values.end(), {1e16, 1, -1e16, 1});
    const row_numbers rows = number_rows(integers(values.size(), 5));
    EXPECT_EQ(sum_rows(rows, values), std::vector<double>{100'000});
  });
}

TEST(RowAggregates, NaNMakesExtremesNaNAndInfinityIsASum) {
  run(job_options{.cores = 2}, [] {
    constexpr double k_infinity = std::numeric_limits<double>::infinity(),
                     k_nan = std::numeric_limits<double>::quiet_NaN();
    const row_numbers rows = number_rows(integers{1, 1, 1, 2, 2, 3});
    const std::vector<double> values{k_nan, 2, 1, k_infinity, 1e308, k_nan};
    const auto sums = sum_rows(rows, values), least = least_of_rows(rows, values),
               largest = largest_of_rows(rows, values);
    EXPECT_TRUE(std::isnan(sums[0]) && sums[1] == k_infinity && std::isnan(sums[2]));
    EXPECT_TRUE(std::isnan(least[0]) && least[1] == 1e308 && std::isnan(least[2]));
    EXPECT_TRUE(std::isnan(largest[0]) && largest[1] == k_infinity && std::isnan(largest[2]));
  });
}

}  // namespace
}  // namespace gossamer
