#include "gossamer/graph/engine/bucket_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "gossamer/base/random.hpp"

namespace gossamer::graph {
namespace {

template <class Value>
using entries = std::multimap<std::uint64_t, std::pair<Value, vertex_id>>;

template <class Value>
class BucketQueue : public ::testing::Test {};
using values = ::testing::Types<std::uint32_t, std::uint64_t, double>;
TYPED_TEST_SUITE(BucketQueue, values);

// Random values that never exceed the open bucket by more than the span, against an ordered map.
TYPED_TEST(BucketQueue, GivesBucketsInOrder) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    xoshiro256 random(seed);
    const auto span = static_cast<TypeParam>(1 + bounded(random, 1000));
    const bucket_width<TypeParam> width(static_cast<double>(1 + bounded(random, 1500)), span);
    core_buckets<TypeParam> queue;
    queue.clear(width);
    entries<TypeParam> expected;
    vertex_id next = 0;
    const auto add = [&](TypeParam value, bool by_handler) {
      by_handler ? queue.deliver(value, next) : queue.put(value, next);
      expected.emplace(width.bucket(value), std::pair(value, next++));
    };
    add(TypeParam{0}, true);
    std::uint64_t before = 0;
    for (std::uint64_t b; (b = queue.settle()) != k_no_bucket; before = b) {
      ASSERT_EQ(b, expected.begin()->first) << seed;
      ASSERT_GE(b, before);
      const auto gone_on = [&](const auto& e) {
        const auto [first, last] = expected.equal_range(b);
        const auto found = std::find_if(
            first, last, [&](const auto& x) { return x.second == std::pair(e.value, e.vertex); });
        ASSERT_NE(found, last);
        expected.erase(found);
        for (std::uint64_t n = bounded(random, 3); n > 0 && next < 5000; --n)
          add(e.value + static_cast<TypeParam>(bounded(random, static_cast<std::uint64_t>(span) + 1)),
              bounded(random, 2) == 0);
      };
      queue.open(b);
      for (auto some = queue.claim(b); !some.empty(); some = queue.claim(b))
        for (const auto& e : some) gone_on(e);
      std::array<typename core_buckets<TypeParam>::entry, core_buckets<TypeParam>::k_most_entries> room;
      for (auto some = queue.take(room); !some.empty(); some = queue.take(room))
        for (const auto& e : some) gone_on(e);
    }
    EXPECT_TRUE(expected.empty());
  }
}

// A core that has opened the next bucket sends an entry to one that has not, and whose list of that bucket is
// being read.
TYPED_TEST(BucketQueue, TakesWhatComesBeforeItOpensTheNextBucket) {
  const bucket_width<TypeParam> width(16, TypeParam{10});
  core_buckets<TypeParam> queue;
  queue.clear(width);
  std::array<typename core_buckets<TypeParam>::entry, core_buckets<TypeParam>::k_most_entries> room;
  queue.deliver(TypeParam{5}, 1);
  ASSERT_EQ(queue.settle(), 0U);
  queue.open(0);
  ASSERT_EQ(queue.claim(0).size(), 1U);
  queue.put(TypeParam{17}, 2);
  ASSERT_EQ(queue.settle(), 1U);
  const auto read_by_others = queue.claim(1);
  queue.deliver(TypeParam{18}, 3);  // of bucket 1, which other cores read
  queue.deliver(TypeParam{40},
                4);  // of bucket 2: integers have two lists, and this goes to the list of bucket 0
  EXPECT_EQ(read_by_others.size(), 1U);
  EXPECT_EQ(read_by_others[0].vertex, 2U);
  EXPECT_TRUE(queue.claim(1).empty());
  queue.open(1);
  ASSERT_EQ(queue.take(room).size(), 1U);
  EXPECT_EQ(room[0].vertex, 3U);
  EXPECT_TRUE(queue.take(room).empty());
  ASSERT_EQ(queue.settle(), 2U);
  queue.open(2);
  EXPECT_EQ(queue.claim(2)[0].vertex, 4U);
  EXPECT_EQ(queue.settle(), k_no_bucket);
}

// Thousands of entries that a core adds to the open bucket are shared with all cores.
TYPED_TEST(BucketQueue, SharesManyLateEntries) {
  core_buckets<TypeParam> queue;
  queue.clear({16, TypeParam{10}});
  queue.open(0);
  std::array<typename core_buckets<TypeParam>::entry, core_buckets<TypeParam>::k_most_entries> room;
  for (vertex_id v = 0; v < 5000; ++v) queue.put(TypeParam{3}, v);
  EXPECT_TRUE(queue.take(room).empty());
  EXPECT_EQ(queue.settle(), 0U);
  std::size_t count = 0;
  for (auto some = queue.claim(0); !some.empty(); some = queue.claim(0)) count += some.size();
  EXPECT_EQ(count, 5000U);
}

TEST(BucketWidth, HasABoundedRing) {
  EXPECT_LE(bucket_width<std::uint32_t>(1, 4'000'000'000U).ring(),
            bucket_width<std::uint32_t>::k_most_buckets);
  EXPECT_LE(bucket_width<std::uint64_t>(1e-9, ~std::uint32_t{0}).ring(),
            bucket_width<std::uint64_t>::k_most_buckets);
  EXPECT_LE(bucket_width<double>(1e-300, 1e300).ring(), bucket_width<double>::k_most_buckets);
  EXPECT_LE(bucket_width<double>(1e-320, 1e-318).ring(), 4U);
  EXPECT_EQ(bucket_width<double>(1e-320, 1e-318).bucket(1e-310), 0U);
  EXPECT_EQ(bucket_width<std::uint32_t>(1e300, 7).ring(), 2U);
}

}  // namespace
}  // namespace gossamer::graph
