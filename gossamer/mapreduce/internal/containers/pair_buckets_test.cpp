// Buckets of pairs against a serial map: keys that never repeat, repeat evenly, or all fall into one bucket;
// memory use.
#include "gossamer/mapreduce/internal/containers/pair_buckets.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/mapreduce/internal/containers/partition_pairs.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::mapreduce {
namespace {

constexpr std::uint64_t k_seed = 11;
constexpr std::size_t k_partitions = 4;

using numbers = pair_buckets<std::uint64_t, std::uint64_t, default_hash>;
using counts = std::map<std::uint64_t, std::uint64_t>;

numbers some_buckets() { return {numbers::buckets_for(k_partitions), default_hash{}}; }

void add(numbers& to, std::uint64_t key, std::uint64_t value) {
  std::plus<> sum;
  to.add({key, true}, default_hash{}(key), value, sum);
}

/// Returns the contents of the buckets, after combining. Fails if a key is present twice.
counts content(numbers& of) {
  std::plus<> sum;
  of.combine_all(sum);
  counts found;
  of.for_each_slot([&](const numbers::slot& s) {
    EXPECT_TRUE(found.emplace(s.key.key, s.value).second) << s.key.key << " is there twice";
  });
  EXPECT_EQ(of.size(), found.size());
  return found;
}

/// The rule for drawing the keys of a case: number i of n.
struct key_rule {
  const char* name;
  std::uint64_t (*draw)(std::uint64_t i, std::uint64_t n, xoshiro256& random);
};
void PrintTo(const key_rule& rule, std::ostream* out) { *out << rule.name; }

class PairBuckets : public ::testing::TestWithParam<key_rule> {};
INSTANTIATE_TEST_SUITE_P(
    Keys, PairBuckets,
    ::testing::Values(
        key_rule{"different", [](std::uint64_t i, std::uint64_t, xoshiro256&) { return i; }},
        key_rule{"twice, far apart",
                 [](std::uint64_t i, std::uint64_t n, xoshiro256&) { return i % (n / 2); }},
        key_rule{"twice, side by side", [](std::uint64_t i, std::uint64_t, xoshiro256&) { return i / 2; }},
        key_rule{"new at first", [](std::uint64_t i, std::uint64_t n,
                                    xoshiro256& r) { return i < n / 4 ? i : r() % (n / 4); }},
        key_rule{"one of two hot",
                 [](std::uint64_t i, std::uint64_t, xoshiro256& r) { return r() % 2 == 0 ? i : 7; }},
        key_rule{"few", [](std::uint64_t, std::uint64_t, xoshiro256& r) { return r() % 100; }},
        key_rule{"one", [](std::uint64_t, std::uint64_t, xoshiro256&) -> std::uint64_t { return 3; }}));

TEST_P(PairBuckets, AgreeWithASerialMap) {
  for (const std::uint64_t n : {0, 1, 1000, test::k_address_sanitizer ? 60'000 : 300'000}) {
    xoshiro256 random(k_seed);
    numbers mine = some_buckets();
    counts expected;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t key = GetParam().draw(i, std::max<std::uint64_t>(n, 8), random);
      add(mine, key, i + 1);
      expected[key] += i + 1;
    }
    EXPECT_EQ(content(mine), expected) << n << " pairs, seed " << k_seed;
    EXPECT_EQ(content(mine), expected) << "combined again";
  }
}

TEST_P(PairBuckets, JoinThoseOfOtherCores) {
  constexpr std::uint64_t k_pairs = test::k_address_sanitizer ? 250'000 : 600'000;  // several blocks
  xoshiro256 random(k_seed);
  std::vector<numbers> cores;
  for (unsigned c = 0; c < 3; ++c) cores.push_back(some_buckets());
  counts expected;
  const auto add_some = [&](auto core_of) {
    for (std::uint64_t i = 0; i < k_pairs; ++i) {
      const std::uint64_t key = GetParam().draw(i, k_pairs, random);
      add(cores[core_of(i)], key, 1);
      ++expected[key];
    }
  };
  add_some([](std::uint64_t i) { return i % 3; });
  cores[0].take(std::move(cores[1]));
  add_some([](std::uint64_t i) { return i % 2 * 2; });  // continues in the middle
  cores[0].take(std::move(cores[2]));
  EXPECT_EQ(content(cores[0]), expected) << "seed " << k_seed;
  add_some([](std::uint64_t) { return 0; });
  EXPECT_EQ(content(cores[0]), expected) << "seed " << k_seed;
}

/// Lists of all pairs would grow with the pairs; combining repeatedly bounds them by the distinct keys.
TEST_P(PairBuckets, TakeMemoryForDifferentKeysOnly) {
  constexpr std::uint64_t k_pairs = test::k_address_sanitizer ? 400'000 : 2'000'000;
  xoshiro256 random(k_seed);
  numbers mine = some_buckets();
  std::vector<bool> seen(k_pairs);
  std::size_t different = 0;
  for (std::uint64_t i = 0; i < k_pairs; ++i) {
    const std::uint64_t key = GetParam().draw(i, k_pairs, random);
    add(mine, key, 1);
    different += !seen[key];
    seen[key] = true;
  }
  // Four times the keys, if the sample has just not shown that they repeat; one open chunk and pairs up to
  // the first limit in each bucket.
  constexpr std::size_t k_each = 1024 + 512;
  EXPECT_LE(mine.bytes(),
            (4 * different + k_each * numbers::buckets_for(k_partitions)) * sizeof(numbers::slot) +
                (std::size_t{4} << 20))
      << different << " different keys";
}

TEST(PairBuckets, KeepLongKeys) {
  using texts = pair_buckets<std::string_view, std::uint64_t, default_hash>;
  std::plus<> sum;
  texts mine(16, {}), other(16, {});
  const auto fill = [&](texts& to, std::uint64_t begin) {
    for (std::uint64_t i = begin; i < begin + 5000; ++i) {
      const std::string key = fmt::format("a key longer than fifteen bytes {}", i);
      const text_key stored = text_key::of(key);
      to.add(stored, stored.hash(), i, sum);
    }
  };
  fill(mine, 0);
  fill(mine, 2000);
  fill(other, 4000);
  mine.take(std::move(other));
  mine.combine_all(sum);
  std::map<std::string, std::uint64_t> found;
  mine.for_each_slot([&](const texts::slot& s) { found.emplace(s.key.text(), s.value); });
  ASSERT_EQ(found.size(), 9000U);
  EXPECT_EQ(mine.size(), 9000U);
  for (const std::uint64_t i : {0, 1999, 2000, 4500, 8999}) {
    const std::uint64_t times = (i < 5000) + (i >= 2000 && i < 7000) + (i >= 4000);
    EXPECT_EQ(found.at(fmt::format("a key longer than fifteen bytes {}", i)), times * i);
  }
}

/// Repeated long keys are dropped with their text.
TEST(PairBuckets, TakeMemoryForDifferentLongKeysOnly) {
  using texts = pair_buckets<std::string_view, std::uint64_t, default_hash>;
  std::plus<> sum;
  texts mine(numbers::buckets_for(k_partitions), {});
  const auto add_key = [&](const std::string& key) {
    const text_key stored = text_key::of(key);
    mine.add(stored, stored.hash(), 1, sum);
  };
  for (int i = 0; i < 20'000; ++i) add_key(fmt::format("a key longer than fifteen bytes {}", i));
  const std::size_t before = mine.bytes();
  for (int hot = 0; hot < 4; ++hot) {  // not all of them are in the sample
    const std::string key(300, static_cast<char>('a' + hot));
    for (int i = 0; i < 100'000; ++i) add_key(key);
  }
  EXPECT_LT(mine.bytes(), 2 * before + (std::size_t{8} << 20));
  mine.combine_all(sum);
  EXPECT_EQ(mine.size(), 20'004U);
  std::uint64_t hot = 0;
  mine.for_each_slot([&](const texts::slot& s) { hot += s.value == 100'000 ? s.key.text().size() : 0; });
  EXPECT_EQ(hot, 4 * 300U);
}

/// Memory for keys that many cores have in common is freed once they are joined.
TEST(PairBuckets, GiveMemoryBackOnceJoined) {
  constexpr std::uint64_t k_keys = 100'000;
  std::plus<> sum;
  numbers mine = some_buckets();
  for (unsigned c = 0; c < 8; ++c) {
    numbers other = some_buckets();
    for (std::uint64_t key = 0; key < k_keys; ++key) add(other, key, c);
    mine.take(std::move(other));
  }
  mine.combine_all(sum);
  EXPECT_EQ(mine.size(), k_keys);
  EXPECT_LT(mine.bytes(), 4 * k_keys * sizeof(numbers::slot));
  std::uint64_t wrong = 0;
  mine.for_each_slot([&](const numbers::slot& s) { wrong += s.value != 28 ? 1 : 0; });
  EXPECT_EQ(wrong, 0U);
}

TEST(PartitionPairs, GoBackToAContainerWhereKeysRepeat) {
  std::plus<> sum;
  partition_pairs<std::uint64_t, std::uint64_t, default_hash> mine(default_hash{});
  const auto add_all = [&](std::uint64_t keys) {
    for (std::uint64_t i = 0; i < keys; ++i) mine.add({i, true}, default_hash{}(i), 1, sum);
  };
  add_all(1000);
  mine.divide(k_partitions, sum);
  EXPECT_TRUE(mine.is_divided());
  EXPECT_TRUE(mine.in_container().is_full());
  add_all(400'000);
  EXPECT_TRUE(mine.is_divided());
  for (int i = 0; i < 4; ++i) add_all(400'000);
  EXPECT_FALSE(mine.is_divided());
  mine.settle(sum);
  std::uint64_t wrong = 0;
  mine.for_each_slot([&](const auto& s) { wrong += s.value != (s.key.key < 1000 ? 6U : 5U); });
  EXPECT_EQ(mine.size(), 400'000U);
  EXPECT_EQ(wrong, 0U);
}

TEST(PartitionPairs, JoinInEitherForm) {
  std::plus<> sum;
  using partition = partition_pairs<std::uint64_t, std::uint64_t, default_hash>;
  for (const bool mine_divided : {false, true})
    for (const bool other_divided : {false, true}) {
      partition mine(default_hash{}), other(default_hash{});
      const auto fill = [&](partition& to, bool divided, std::uint64_t begin) {
        if (divided) to.divide(k_partitions, sum);
        for (std::uint64_t i = begin; i < begin + 20'000; ++i) to.add({i, true}, default_hash{}(i), i, sum);
      };
      fill(mine, mine_divided, 0);
      fill(other, other_divided, 10'000);
      mine.join(other, k_partitions, sum);
      mine.settle(sum);
      EXPECT_EQ(mine.is_divided(), mine_divided || other_divided);
      std::uint64_t wrong = 0;
      mine.for_each_slot([&](const auto& s) {
        const std::uint64_t key = s.key.key;
        wrong += s.value != (key >= 10'000 && key < 20'000 ? 2 * key : key);
      });
      EXPECT_EQ(mine.size(), 30'000U);
      EXPECT_EQ(wrong, 0U);
    }
}

}  // namespace
}  // namespace gossamer::mapreduce
