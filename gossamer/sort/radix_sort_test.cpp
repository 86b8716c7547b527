#include "gossamer/sort/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "gossamer/base/random.hpp"

namespace gossamer::sorting {
namespace {

/// Sorts n pairs with the hashes at(i). Each hash must become one run, of the pairs that it had.
template <class At>
void check(std::uint64_t n, At at) {
  std::vector<char> places(n);
  std::vector<hashed_pair> pairs;
  std::map<std::uint64_t, std::vector<const void*>> expected, found;
  for (std::uint64_t i = 0; i < n; ++i) {
    pairs.push_back({at(i), &places[i]});
    expected[at(i)].push_back(&places[i]);
  }
  sort_by_hash(pairs);
  std::size_t runs = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    runs += i == 0 || pairs[i].hash != pairs[i - 1].hash ? 1 : 0;
    found[pairs[i].hash].push_back(pairs[i].pair);
  }
  for (auto& [hash, those] : found) std::ranges::sort(those);
  EXPECT_EQ(runs, expected.size());
  EXPECT_TRUE(found == expected);
}

TEST(RadixSort, BringsEqualHashesTogether) {
  for (const std::uint64_t n : {0, 1, 2, 32, 33, 1000, 50'000})
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      SCOPED_TRACE(testing::Message() << n << " pairs, seed " << seed);
      check(n, [&](std::uint64_t i) { return hash64(i + seed); });
      check(n, [&](std::uint64_t i) { return hash64(hash64(i + seed) % 100); });
      check(n, [&](std::uint64_t) { return seed; });
      check(n, [&](std::uint64_t i) { return (i + seed) % 3 << 62; });  // differ only in the last byte
      check(n, [&](std::uint64_t i) { return hash64(i) << 56 | seed; });
      check(n, [&](std::uint64_t i) { return i * 0x0101010101010101U; });
    }
}

TEST(RadixSort, SortsKeysAsStdSortDoes) {
  for (const std::uint64_t n : {0, 1, 2, 24, 25, 257, 5000, 65'536, 65'537, 300'000})
    for (std::uint64_t seed = 1; seed < 3; ++seed) {
      SCOPED_TRACE(testing::Message() << n << " keys, seed " << seed);
      const auto check_keys = [n](auto at) {
        std::vector<std::uint32_t> keys;
        for (std::uint64_t i = 0; i < n; ++i) keys.push_back(static_cast<std::uint32_t>(at(i)));
        std::vector<std::uint32_t> expected = keys;
        std::ranges::sort(expected);
        radix_sort(keys);
        EXPECT_TRUE(keys == expected);
      };
      check_keys([&](std::uint64_t i) { return hash64(i + seed); });
      check_keys([&](std::uint64_t i) { return hash64(i + seed) & 0xff; });
      check_keys([&](std::uint64_t i) { return hash64(i + seed) << 24; });
      check_keys([&](std::uint64_t i) { return (hash64(i + seed) & 0xff00ff) | 0xa5000000; });
      check_keys([&](std::uint64_t i) { return hash64(hash64(i + seed) % 100); });
      check_keys([&](std::uint64_t i) { return i % 1000 == 7 ? hash64(i) : seed; });
      check_keys([](std::uint64_t i) { return ~i; });
    }
}

}  // namespace
}  // namespace gossamer::sorting
