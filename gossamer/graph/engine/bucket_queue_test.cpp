#include "gossamer/graph/engine/bucket_queue.hpp"

#include <gtest/gtest.h>

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
    const TypeParam span = static_cast<TypeParam>(1 + bounded(random, 1000));
    const bucket_width<TypeParam> width(static_cast<double>(1 + bounded(random, 1500)), span);
    core_buckets<TypeParam> queue;
    queue.clear(width);
    entries<TypeParam> expected;
    vertex_id next = 0;
    const auto put = [&](TypeParam value) {
      queue.put(value, next);
      expected.emplace(width.bucket(value), std::pair(value, next++));
    };
    put(TypeParam{0});
    std::uint64_t before = 0;
    for (std::uint64_t b; next < 2000 && (b = queue.first()) != k_no_bucket; before = b) {
      ASSERT_EQ(b, expected.begin()->first) << seed;
      ASSERT_GE(b, before);
      queue.open(b);
      typename core_buckets<TypeParam>::entry e;
      while (queue.take(e)) {
        const auto [first, last] = expected.equal_range(b);
        const auto found = std::find_if(
            first, last, [&](const auto& x) { return x.second == std::pair(e.value, e.vertex); });
        ASSERT_NE(found, last);
        expected.erase(found);
        for (std::uint64_t n = bounded(random, 3); n > 0 && next < 2000; --n)
          put(e.value + static_cast<TypeParam>(bounded(random, static_cast<std::uint64_t>(span) + 1)));
      }
      ASSERT_EQ(expected.count(b), 0U);
    }
  }
}

// A core that has opened the next bucket puts something behind it into the buckets of one that has not.
TYPED_TEST(BucketQueue, TakesWhatComesBeforeItOpensTheNextBucket) {
  const bucket_width<TypeParam> width(16, TypeParam{10});
  core_buckets<TypeParam> queue;
  queue.clear(width);
  typename core_buckets<TypeParam>::entry e;
  queue.put(TypeParam{5}, 1);
  queue.open(0);
  EXPECT_TRUE(queue.take(e));
  EXPECT_FALSE(queue.take(e));
  const TypeParam far = 40;  // of bucket 2: of integers there are two lists, and this goes where bucket 0 lay
  queue.put(far, 2);
  queue.open(1);
  EXPECT_FALSE(queue.take(e));
  EXPECT_EQ(queue.first(), width.bucket(far));
  queue.open(width.bucket(far));
  ASSERT_TRUE(queue.take(e));
  EXPECT_EQ(e.vertex, 2U);
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
