// The number of keys that a look-up compares: joining containers must not search in clusters of a table.
#include "gossamer/mapreduce/hash_container.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/base/random.hpp"

namespace gossamer::mapreduce {
namespace {

std::uint64_t compared = 0;

struct counted_key {
  std::uint64_t value;
  friend bool operator==(const counted_key& a, const counted_key& b) {
    return ++compared, a.value == b.value;
  }
};

using container = hash_container<counted_key, std::uint32_t, default_hash>;

void add(container& to, std::uint64_t value) {
  std::plus<> sum;
  const auto key = key_traits<counted_key>::store({value});
  to.add(key, to.hash_of(key), 1, sum);
}

TEST(HashContainer, ComparesFewKeysWhenContainersOfDifferentKeysAreJoined) {
  constexpr std::uint64_t k_seed = 3, k_keys = 100'000;  // of each: 0.76 of the slots
  xoshiro256 draw(k_seed);
  container a, b;
  for (std::uint64_t i = 0; i < k_keys; ++i) {
    add(a, draw());
    add(b, draw());
  }
  compared = 0;
  std::plus<> sum;
  b.for_each_slot_spread([&](const container::slot& s) { a.add(s.key, a.hash_of(s.key), s.value, sum); });
  EXPECT_EQ(a.size(), 2 * k_keys) << "seed " << k_seed;
  EXPECT_LT(compared,
            10 * k_keys);  // growing compares, too; in the order of slots it would be thousands for each key
}

TEST(HashContainer, GrowsOnlyForNewKeys) {
  static std::uint64_t hashed = 0;
  struct counted_hash {
    std::uint64_t operator()(std::uint64_t key) const { return ++hashed, hash64(key); }
  };
  std::plus<> sum;
  hash_container<std::uint64_t, std::uint32_t, counted_hash> a;
  for (std::uint64_t key = 0; key < 1000; ++key) {
    a.add({key, true}, hash64(key), 1, sum);
    hashed = 0;  // from here on only when it grows
    for (std::uint64_t old = 0; old <= key; ++old) a.add({old, true}, hash64(old), 1, sum);
    ASSERT_LE(hashed, key + 1) << key;  // once at most, for the next key
    hashed = 0;
    for (std::uint64_t old = 0; old <= key; ++old) a.add({old, true}, hash64(old), 1, sum);
    ASSERT_EQ(hashed, 0U) << key;
  }
}

TEST(HashContainer, KeepsSlotsSparseUpToABound) {
  constexpr std::size_t k_sparse_bytes = 16 << 10;
  constexpr std::uint64_t k_seed = 5;
  xoshiro256 draw(k_seed);
  container sparse(default_hash{}, k_sparse_bytes), dense;
  for (std::uint64_t n = 1; n <= 5000; ++n) {
    const std::uint64_t key = draw();
    add(sparse, key);
    add(dense, key);
    ASSERT_EQ(sparse.size(), n) << "seed " << k_seed;
    if (sparse.bytes() <= k_sparse_bytes)
      ASSERT_GE(sparse.bytes(), 8 * n * sizeof(container::slot));
    else
      ASSERT_LE(sparse.bytes(), std::max(2 * k_sparse_bytes, dense.bytes()));
  }
}

TEST(HashContainer, SpreadVisitsEachPairOnce) {
  for (const std::uint64_t keys : {0, 1, 40, 300, 5000}) {
    container a;
    for (std::uint64_t i = 0; i < keys; ++i) add(a, i);
    std::uint64_t visits = 0, sum = 0;
    a.for_each_slot_spread([&](const container::slot& s) { ++visits, sum += s.key.key.value; });
    EXPECT_EQ(visits, keys);
    EXPECT_EQ(sum, keys * (keys - (keys != 0)) / 2);
  }
}

}  // namespace
}  // namespace gossamer::mapreduce
