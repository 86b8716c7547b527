#include "gossamer/machine/thread_cpu_time.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <thread>

namespace gossamer::machine {
namespace {

TEST(OwnTicks, CountsComputingAndNoSleep) {
  thread_cpu_time clock;
  const std::uint64_t rate = ticks_per_us(), start = clock.read();
  const std::uint64_t begin = processor_ticks();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::uint64_t slept = clock.read();
  EXPECT_LT(slept - start, 10'000 * rate);
  EXPECT_GE(processor_ticks() - begin, 45'000 * rate);
  std::uint64_t last = slept;
  const auto used = [] { return std::clock(); };
  const auto before = used();
  while (used() - before < CLOCKS_PER_SEC / 50) {  // 20 ms of computing, however long they take
    const std::uint64_t now = clock.read();
    ASSERT_GE(now, last);
    last = now;
  }
  EXPECT_GT(last - slept, 15'000 * rate);
}

}  // namespace
}  // namespace gossamer::machine
