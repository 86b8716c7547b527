// Threads, futexes and clocks. No test waits for time to pass but those with a timeout of their own.
#include "gossamer/machine/thread.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <vector>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/futex.hpp"

namespace gossamer::machine {
namespace {

TEST(Thread, RunsItsBodyUnderItsName) {
  std::string name;
  thread worker("core-3 and much more", [&] {
    char buffer[32] = {};
    ::pthread_getname_np(::pthread_self(), buffer, sizeof buffer);
    name = buffer;
  });
  EXPECT_TRUE(worker.joinable());
  worker.join();
  EXPECT_FALSE(worker.joinable());
  EXPECT_EQ(name, "core-3 and much");
}

TEST(Thread, HasTheStackItWasGiven) {
  constexpr std::ptrdiff_t k_bytes = std::ptrdiff_t{32} << 20;
  stack_range stack;
  bool inside = false;
  thread(
      "stack",
      [&] {
        int local = 0;
        stack = thread_stack();
        inside = stack.contains(&local);
      },
      k_bytes)
      .join();
  EXPECT_TRUE(inside);
  // The C library may hand out a larger one that another thread has left, and keeps a page or two.
  EXPECT_GE(stack.high - stack.low, k_bytes - (std::ptrdiff_t{64} << 10));
}

TEST(Thread, KnowsTheMainStack) {
  int local = 0;
  EXPECT_TRUE(thread_stack().contains(&local));
  EXPECT_TRUE(is_on_main_stack(&local));
}

TEST(Thread, JoinsWhenDestroyedOrReplaced) {
  std::atomic<int> ended{0};
  {
    thread first("first", [&] { ++ended; });
    first = thread("second", [&] { ++ended; });
    EXPECT_GE(ended, 1);  // the first one has been joined
  }
  EXPECT_EQ(ended, 2);
}

TEST(Thread, HasAnIdOfItsOwn) {
  std::uint64_t other = 0;
  thread("id", [&] { other = thread_id(); }).join();
  EXPECT_NE(other, thread_id());
}

TEST(Thread, CountsItsProcessorTime) {
  const auto thread_start = thread_cpu_ns();
  const auto process_start = process_cpu_ns();
  while (thread_cpu_ns() == thread_start) cpu_relax();
  EXPECT_GT(thread_cpu_ns(), thread_start);
  while (process_cpu_ns() == process_start) cpu_relax();
  EXPECT_GT(process_cpu_ns(), process_start);
}

TEST(Futex, ReturnsAtOnceWhereTheWordDiffers) {
  std::atomic<std::uint32_t> word{1};
  futex_wait(word, 0);
  EXPECT_TRUE(futex_wait_for(word, 0, ~std::uint64_t{0} >> 1));
}

TEST(Futex, TimesOut) {
  std::atomic<std::uint32_t> word{0};
  const auto start = now_ns();
  while (futex_wait_for(word, 0, 2'000'000)) {  // it may return early for no reason
  }
  EXPECT_GE(now_ns() - start, 2'000'000U);
}

TEST(Futex, WakesASleeper) {
  std::atomic<std::uint32_t> word{0};
  thread sleeper("sleeper", [&] {
    while (word.load(std::memory_order_acquire) == 0) futex_wait(word, 0);  // pairs with the release below
  });
  word.store(1, std::memory_order_release);
  futex_wake_one(word);
}

TEST(Futex, WakesAllSleepers) {
  constexpr int k_sleepers = 5;
  std::atomic<std::uint32_t> word{0};
  std::atomic<int> awake{0};
  {
    std::vector<thread> sleepers;
    for (int i = 0; i < k_sleepers; ++i)
      sleepers.emplace_back("sleeper", [&] {
        while (word.load(std::memory_order_acquire) == 0)
          futex_wait(word, 0);  // pairs with the release below
        ++awake;
      });
    word.store(1, std::memory_order_release);
    futex_wake_all(word);
  }
  EXPECT_EQ(awake, k_sleepers);
}

// Two threads take turns on one word: a lost wake-up would hang here.
TEST(Futex, LosesNoWakeInPingPong) {
  constexpr std::uint32_t k_turns = 2000;
  std::atomic<std::uint32_t> word{0};
  const auto play = [&](std::uint32_t parity) {
    for (std::uint32_t turn = parity; turn < k_turns; turn += 2) {
      std::uint32_t seen = 0;
      while ((seen = word.load(std::memory_order_acquire)) != turn)
        futex_wait(word, seen);  // pairs with release
      word.store(turn + 1, std::memory_order_release);
      futex_wake_one(word);
    }
  };
  thread other("odd", [&] { play(1); });
  play(0);
  other.join();
  EXPECT_EQ(word, k_turns);
}

TEST(Clock, NeverRunsBackwards) {
  std::uint64_t ns = now_ns();
  std::uint64_t count = ticks();
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t later_ns = now_ns();
    ASSERT_GE(later_ns, ns);
    ns = later_ns;
  }
  EXPECT_GE(ticks(), count);
}

TEST(Clock, TicksAgreeWithNanoseconds) {
  const double rate = static_cast<double>(ticks_per_us());
  const auto start_ns = now_ns();
  const auto start = ticks();
  while (now_ns() - start_ns < 5'000'000) cpu_relax();
  const double us_by_ticks = static_cast<double>(ticks() - start) / rate;
  const double us_by_clock = static_cast<double>(now_ns() - start_ns) / 1000;
  EXPECT_NEAR(us_by_ticks / us_by_clock, 1.0, 0.2);
}

}  // namespace
}  // namespace gossamer::machine
