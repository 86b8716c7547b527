#include "gossamer/fiber/internal/wake_bits.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gossamer/machine/thread.hpp"

namespace gossamer::fiber {
namespace {

TEST(WakeBits, DrainsExactlyWhatWasSet) {
  constexpr std::size_t k_end = 300'000;
  wake_bits bits(k_end);
  EXPECT_FALSE(bits.any());
  for (std::size_t i : {0UL, 63UL, 64UL, 4095UL, 4096UL, 262'143UL, 262'144UL, 299'999UL}) bits.set(i);
  EXPECT_TRUE(bits.any());
  std::vector<std::size_t> found;
  EXPECT_TRUE(bits.drain(k_end, [&](std::size_t i) { found.push_back(i); }));
  EXPECT_EQ(found, (std::vector<std::size_t>{0, 63, 64, 4095, 4096, 262'143, 262'144, 299'999}));
  EXPECT_FALSE(bits.any());
  EXPECT_FALSE(bits.drain(k_end, [](std::size_t) {}));
}

TEST(WakeBits, NothingIsLostAgainstConcurrentSetters) {
  constexpr std::size_t k_bits = 5000;
  constexpr int k_rounds = 20;
  wake_bits bits(2 * k_bits);
  std::vector<int> seen(2 * k_bits);
  // A bit is set again only after it has been drained, as a fiber is woken only once per suspension.
  std::vector<std::atomic<int>> drained(2 * k_bits);
  const auto setter = [&](std::size_t first) {
    for (int round = 0; round < k_rounds; ++round)
      for (std::size_t i = first; i < first + k_bits; ++i) {
        while (drained[i].load(std::memory_order_acquire) != round) machine::yield_thread();
        bits.set(i);
      }
  };
  machine::thread one("one", [&] { setter(0); });
  machine::thread two("two", [&] { setter(k_bits); });
  for (std::size_t left = 2 * k_bits * k_rounds; left > 0;)
    if (!bits.drain(2 * k_bits, [&](std::size_t i) {
          ++seen[i];
          --left;
          drained[i].fetch_add(1, std::memory_order_release);
        }))
      machine::yield_thread();
  for (int n : seen) ASSERT_EQ(n, k_rounds);
}

}  // namespace
}  // namespace gossamer::fiber
