#include "gossamer/message/matching_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <thread>
#include <tuple>
#include <vector>

#include "gossamer/base/random.hpp"

namespace gossamer::message {
namespace {

using status = match_result::status;
constexpr match_kind k_both[] = {match_kind::send, match_kind::receive};

void* value_of(std::uintptr_t n) { return reinterpret_cast<void*>(n); }
std::uintptr_t number_of(const void* value) { return reinterpret_cast<std::uintptr_t>(value); }

match_kind opposite(match_kind k) { return k == match_kind::send ? match_kind::receive : match_kind::send; }

/// What the table should do, in the plainest way.
class oracle {
 public:
  match_result match(const match_key& key, match_kind kind, void* value) {
    auto& others = stored_[{key.tag, key.source, opposite(kind)}];
    if (others.empty()) {
      stored_[{key.tag, key.source, kind}].push_back(value);
      ++size_;
      return {status::stored, nullptr};
    }
    void* const first = others.front();
    others.pop_front();
    --size_;
    return {status::matched, first};
  }
  bool remove(const match_key& key, match_kind kind, void* value) {
    auto& mine = stored_[{key.tag, key.source, kind}];
    const auto at = std::ranges::find(mine, value);
    if (at == mine.end()) return false;
    mine.erase(at);
    --size_;
    return true;
  }
  std::size_t size() const { return size_; }

  using everything = std::map<std::tuple<std::uint64_t, std::uint32_t, match_kind>, std::deque<void*>>;
  everything stored() const {
    everything all = stored_;
    std::erase_if(all, [](const auto& e) { return e.second.empty(); });
    return all;
  }

 private:
  everything stored_;
  std::size_t size_ = 0;
};

template <class Table>
oracle::everything visited(Table& table) {
  oracle::everything all;
  table.visit([&](const match_key& key, match_kind kind, void* value) {
    all[{key.tag, key.source, kind}].push_back(value);
  });
  return all;
}

template <class Table>
class MatchingTable : public testing::Test {};
using tables = testing::Types<matching_table, local_matching_table>;
TYPED_TEST_SUITE(MatchingTable, tables);

TYPED_TEST(MatchingTable, WhoComesSecondTakesTheFirst) {
  TypeParam table(64);
  for (const match_kind first : k_both) {
    const match_key key{7, 3};
    EXPECT_EQ(table.match(key, first, value_of(1)), (match_result{status::stored, nullptr}));
    EXPECT_EQ(table.match(key, opposite(first), value_of(2)), (match_result{status::matched, value_of(1)}));
    EXPECT_EQ(table.match(key, opposite(first), value_of(3)), (match_result{status::stored, nullptr}));
    EXPECT_TRUE(table.remove(key, opposite(first), value_of(3)));
  }
}

TYPED_TEST(MatchingTable, KeysDifferInSourceAndInEveryBitOfTheTag) {
  TypeParam table(256);
  std::uintptr_t n = 0;
  std::vector<match_key> keys{{0, 0}};
  for (unsigned bit = 0; bit < 64; ++bit) keys.push_back({std::uint64_t{1} << bit, 0});
  for (unsigned bit = 0; bit < 32; ++bit) keys.push_back({0, std::uint32_t{1} << bit});
  for (const auto& key : keys)
    EXPECT_EQ(table.match(key, match_kind::send, value_of(++n)).what, status::stored);
  n = 0;
  for (const auto& key : keys)
    EXPECT_EQ(table.match(key, match_kind::receive, nullptr), (match_result{status::matched, value_of(++n)}));
}

TYPED_TEST(MatchingTable, EqualKeysAreServedInTheOrderTheyCame) {
  TypeParam table(2000);
  for (const match_kind kind : k_both) {
    for (std::uintptr_t n = 1; n <= 1000; ++n)
      EXPECT_EQ(table.match({5, 5}, kind, value_of(n)).what, status::stored);
    for (std::uintptr_t n = 1; n <= 500; ++n)
      EXPECT_EQ(table.match({5, 5}, opposite(kind), nullptr).value, value_of(n));
    for (std::uintptr_t n = 1001; n <= 1500; ++n) (void)table.match({5, 5}, kind, value_of(n));
    for (std::uintptr_t n = 501; n <= 1500; ++n)
      EXPECT_EQ(table.match({5, 5}, opposite(kind), nullptr).value, value_of(n));
  }
  EXPECT_TRUE(visited(table).empty());
}

TYPED_TEST(MatchingTable, BehavesAsTheOracleUnderRandomOperations) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    xoshiro256 random(seed);
    // Few buckets for many keys, or few keys: chains of lines, queues, and both at once.
    const std::size_t capacity = seed % 3 == 0 ? 4096 : 600;
    const std::uint64_t keys = seed % 2 == 0 ? 40 : 3000;
    TypeParam table(capacity);
    oracle expected;
    std::vector<std::tuple<match_key, match_kind, void*>> offered;
    for (std::uintptr_t n = 1; n <= 40'000; ++n) {
      const match_key key{bounded(random, keys), static_cast<std::uint32_t>(bounded(random, 3))};
      const match_kind kind = k_both[bounded(random, 2)];
      if (bounded(random, 8) == 0 && !offered.empty()) {
        const auto& [k, side, value] = offered[bounded(random, offered.size())];
        ASSERT_EQ(table.remove(k, side, value), expected.remove(k, side, value));
      } else if (expected.size() < capacity) {
        ASSERT_EQ(table.match(key, kind, value_of(n)), expected.match(key, kind, value_of(n)));
        offered.emplace_back(key, kind, value_of(n));
      }
      if (n % 10'000 == 0) {
        ASSERT_EQ(visited(table), expected.stored());
      }
    }
  }
}

TYPED_TEST(MatchingTable, HoldsItsCapacityWhateverTheKeysThenSaysFullAndGoesOn) {
  for (const std::uint64_t keys : {1, 50, 1000, 1 << 20}) {
    constexpr std::size_t k_capacity = 1000;
    TypeParam table(k_capacity);
    xoshiro256 random(keys);
    std::vector<match_key> stored;
    while (true) {
      const match_key key{bounded(random, keys), 1};
      const auto result = table.match(key, match_kind::send, value_of(stored.size() + 1));
      if (result.what == status::full) break;
      ASSERT_EQ(result.what, status::stored);
      stored.push_back(key);
      ASSERT_LT(stored.size(), 32 * k_capacity);
    }
    EXPECT_GE(stored.size(), k_capacity);
    std::map<std::uint64_t, std::uintptr_t> latest;
    for (const auto& key : stored) {  // everything is still there, in order
      const auto result = table.match(key, match_kind::receive, nullptr);
      ASSERT_EQ(result.what, status::matched);
      ASSERT_GT(number_of(result.value), latest[key.tag]);
      latest[key.tag] = number_of(result.value);
    }
    EXPECT_TRUE(visited(table).empty());
    for (std::size_t i = 0; i < k_capacity; ++i)  // and all room is back
      ASSERT_EQ(table.match(stored[i], match_kind::receive, value_of(i)).what, status::stored);
  }
}

TYPED_TEST(MatchingTable, ABatchDoesWhatSingleOperationsDo) {
  TypeParam batched(4096), single(4096);
  xoshiro256 random(11);
  std::uintptr_t next = 1;
  for (std::size_t round = 0; round < 200; ++round) {
    const std::size_t n = bounded(random, 40);
    std::vector<match_key> keys(n);
    std::vector<void*> values(n);
    std::vector<match_result> results(n);
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = {bounded(random, 60), 0};
      values[i] = value_of(next++);
    }
    const match_kind kind = k_both[round % 2];
    batched.match(keys, kind, values, results);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(results[i], single.match(keys[i], kind, values[i]));
  }
  EXPECT_EQ(visited(batched), visited(single));
}

/// Returns the share of the keys of a full table that do not lie in the first line of their bucket.
double share_in_further_lines(std::uint32_t sources, std::uint64_t stride, std::uint64_t first) {
  constexpr std::uint64_t k_keys = 1 << 17;
  local_matching_table table(k_keys);
  std::vector<hashed_key> keys;
  for (std::uint32_t source = 0; source < sources; ++source)
    for (std::uint64_t i = 0; i < k_keys / sources; ++i)
      keys.push_back(hashed_key({first + i * stride, source}));
  for (const hashed_key& k : keys) (void)table.match(k, match_kind::receive, &table);
  const auto elsewhere = std::ranges::count_if(
      keys, [&](const hashed_key& k) { return table.peek(k, match_kind::receive) == nullptr; });
  return static_cast<double>(elsewhere) / k_keys;
}

// Of keys at random 0.11 lie elsewhere, of pairs of neighbours at random 0.23. Where multiples of two numbers meet, it may be
// more: but never most of them.
TEST(LocalMatchingTable, AFullOneHasMostKeysInTheFirstLine) {
  constexpr double k_most = 0.15, k_most_of_several = 0.4;
  constexpr std::uint64_t k_high = std::uint64_t{7} << 48, k_wide = std::uint64_t{1} << 32;
  for (const std::uint32_t sources : {1U, 2U, 16U, 256U, 4096U})
    for (const std::uint64_t stride : {1, 2, 3, 8, 64, 128, 1000, 4096, 1 << 16})
      for (const std::uint64_t first : {std::uint64_t{0}, k_high})
        EXPECT_LT(share_in_further_lines(sources, stride, first), sources == 1 ? k_most : k_most_of_several)
            << sources << " sources, every " << stride << "th tag from " << first;
  for (const std::uint32_t sources : {1U, 16U})
    EXPECT_LT(share_in_further_lines(sources, k_wide, 0), k_most)
        << sources << " sources, numbers in the upper half";
}

// Every send meets exactly one receive of its key, whichever of the two is stored.
TEST(SharedMatchingTable, ThreadsMeetExactlyOnce) {
  constexpr unsigned k_threads = 4;
  constexpr std::uint64_t k_each = 20'000;
  for (const std::uint64_t keys : {3, 200, 100'000}) {
    SCOPED_TRACE(testing::Message() << keys << " keys");
    matching_table table(k_threads * k_each);
    std::vector<std::atomic<std::uint32_t>> met(k_threads * k_each + 1);
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < k_threads; ++t)
      threads.emplace_back([&, t] {
        xoshiro256 random(t / 2);  // the threads of a pair draw the same keys, one sends, one receives
        const match_kind kind = k_both[t % 2];
        for (std::uint64_t i = 0; i < k_each; ++i) {
          const std::uintptr_t mine = t * k_each + i + 1;
          const auto r = table.match({bounded(random, keys), t / 2}, kind, value_of(mine));
          ASSERT_NE(r.what, status::full);
          if (r.what != status::matched) continue;
          ASSERT_EQ((number_of(r.value) - 1) / k_each, t ^ 1);
          met[mine].fetch_add(1, std::memory_order_relaxed);
          met[number_of(r.value)].fetch_add(1, std::memory_order_relaxed);
        }
      });
    threads.clear();
    for (std::size_t n = 1; n < met.size(); ++n) ASSERT_EQ(met[n].load(std::memory_order_relaxed), 1U) << n;
    EXPECT_TRUE(visited(table).empty());
  }
}

// One thread sends under few keys, one receives: what comes out of a key is in order.
TEST(SharedMatchingTable, KeepsTheOrderOfEqualKeysBetweenTwoThreads) {
  constexpr std::uint64_t k_messages = 30'000, k_keys = 5;
  matching_table table(2 * k_messages);
  const std::jthread sender([&] {
    for (std::uint64_t i = 0; i < k_messages; ++i)
      (void)table.match({i % k_keys, 0}, match_kind::send, value_of(i + 1));
  });
  // Receives only what is there: its own receives never wait in the table.
  std::vector<std::uintptr_t> last(k_keys, 0);
  for (std::uint64_t got = 0, i = 0; got < k_messages; ++i) {
    const match_key key{i % k_keys, 0};
    int mine = 0;
    const auto r = table.match(key, match_kind::receive, &mine);
    if (r.what == status::stored) {
      if (!table.remove(key, match_kind::receive, &mine)) {  // met in between: counts as the next of its key
        last[key.tag] = last[key.tag] == 0 ? key.tag + 1 : last[key.tag] + k_keys;
        ++got;
      }
      continue;
    }
    const std::uintptr_t n = number_of(r.value);
    ASSERT_EQ(n, last[key.tag] == 0 ? key.tag + 1 : last[key.tag] + k_keys);
    last[key.tag] = n;
    ++got;
  }
}

}  // namespace
}  // namespace gossamer::message
