// Fibers that are started and joined, of every stack class, by the thousands, and past their stacks.

#include "gossamer/fiber/joinable.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/fiber/sync.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/parallel/loop.hpp"
#include "support/sanitizers.hpp"
#include "support/throwing_move.hpp"

namespace gossamer {
namespace {

constexpr job_options k_one{.cores = 1};

TEST(Joinable, GivesItsResult) {
  run(k_one, [] {
    auto f = start([] { return std::string(100, 'x'); });
    EXPECT_FALSE(f.done());
    EXPECT_EQ(f.join(), std::string(100, 'x'));
    EXPECT_FALSE(f);
  });
}

TEST(Joinable, ThrowsWhatItsFiberThrew) {
  run(k_one, [] {
    auto f = start([]() -> int { throw std::runtime_error("in the fiber"); });
    EXPECT_THROW(f.join(), std::runtime_error);
  });
}

TEST(Joinable, AFiberThatCannotBeMadeIsNotWaitedForAndKeepsNoStack) {
  constexpr unsigned k_tries = 100;
  run(job_options{.cores = 1, .small_fibers = k_tries / 2}, [] {
    for (unsigned i = 0; i < k_tries; ++i) {
      const int refused = test::start_until_made([](test::throwing_move body) {
        finish([&] { start(std::move(body), stack_class::small).join(); });
      });
      EXPECT_GE(refused, 2);
    }
  });
}

TEST(Joinable, MayBeJoinedAfterItsEnd) {
  run(k_one, [] {
    int ran = 0;
    auto f = start([&] { ++ran; });
    while (!f.done()) yield();
    f.join();
    EXPECT_EQ(ran, 1);
  });
}

TEST(Joinable, DestructorJoins) {
  run(k_one, [] {
    int ran = 0;
    {
      auto f = start([&] { yield(), ++ran; });
    }
    EXPECT_EQ(ran, 1);
  });
}

TEST(Joinable, IsCountedByTheEnclosingCompletion) {
  run(k_one, [] {
    int ran = 0;
    joinable<void> kept;
    finish([&] {
      kept = start([&] {
        for (int i = 0; i < 10; ++i) yield();
        spawn([&] { ++ran; });
      });
    });
    EXPECT_EQ(ran, 1);
    EXPECT_TRUE(kept.done());
    kept.join();
  });
}

TEST(Joinable, AssignmentJoinsTheFiberOfTheHandle) {
  run(k_one, [] {
    int ran = 0;
    auto f = start([&] { return yield(), ++ran; });
    auto g = start([&] {
      for (int i = 0; i < 10; ++i) yield();
      return 10 + ++ran;
    });
    f = std::move(g);
    EXPECT_EQ(ran, 1);
    EXPECT_FALSE(g);
    auto& same = f;
    f = std::move(same);
    EXPECT_EQ(f.join(), 12);
  });
}

// What a fiber captures may suspend and spawn when it is destroyed. The completion waits for that.
TEST(Joinable, WhatItCapturedIsDestroyedBeforeItsCompletionEnds) {
  struct slow {
    int* ended;
    explicit slow(int* where) : ended(where) {}
    slow(slow&& other) noexcept : ended(std::exchange(other.ended, nullptr)) {}
    ~slow() {
      if (ended == nullptr) return;
      for (int i = 0; i < 10; ++i) yield();
      spawn([at = ended] { ++*at; });
    }
  };
  run(k_one, [] {
    int ended = 0;
    joinable<void> kept;
    finish([&] { kept = start([at = slow(&ended)] {}); });
    EXPECT_EQ(ended, 1);
    kept.join();
  });
}

// gcc 12 calls a lambda with a const capture not trivially copyable once an optional of it was made.
TEST(Joinable, TakesALambdaWithAConstCaptureThatOtherCallsTakeToo) {
  run({.cores = 2}, [] {
    const std::uint64_t mine = 7;
    const auto f = [mine] { return mine; };
    EXPECT_EQ(start(f).join(), 7u);
    EXPECT_EQ(on_core(1, f), 7u);
  });
}

TEST(Joinable, DestroysWhatItCapturedBeforeItsEnd) {
  run(k_one, [] {
    auto alive = std::make_shared<int>(1);
    auto f = start([alive] { return *alive; });
    EXPECT_EQ(f.join(), 1);
    EXPECT_EQ(alive.use_count(), 1);
  });
}

TEST(Joinable, ReusesStacksLastInFirstOut) {
  run(k_one, [] {
    const void* first = nullptr;
    for (int i = 0; i < 1000; ++i) {
      const void* where =
          start([] { return static_cast<const void*>(__builtin_frame_address(0)); }, stack_class::small)
              .join();
      if (first == nullptr) first = where;
      EXPECT_EQ(where, first);
    }
  });
}

TEST(Joinable, SmallFibersByTheThousandTakeTurns) {
  constexpr std::size_t k_fibers = test::k_thread_sanitizer ? 1'000 : 50'000;
  run(k_one, [] {
    std::vector<joinable<std::size_t>> all;
    fiber::barrier everybody(k_fibers + 1);
    for (std::size_t i = 0; i < k_fibers; ++i)
      all.push_back(start(
          [&everybody, i] {
            everybody.arrive_and_wait();
            yield();
            return i;
          },
          stack_class::small));
    everybody.arrive_and_wait();
    for (std::size_t i = 0; i < k_fibers; ++i) EXPECT_EQ(all[i].join(), i);
  });
}

TEST(Joinable, TooManyAreAnErrorThatSaysSo) {
  run(job_options{.cores = 1, .small_fibers = 3}, [] {
    std::vector<joinable<void>> all;
    const auto one = [] { yield(); };
    for (int i = 0; i < 3; ++i) all.push_back(start(one, stack_class::small));
    EXPECT_THROW((void)start(one, stack_class::small), error);
    all.clear();
    start(one, stack_class::small).join();
  });
}

TEST(Joinable, EveryCoreStartsItsOwn) {
  run(job_options{.cores = 4}, [] {
    on_all_cores([] {
      const core_id mine = here();
      std::vector<joinable<core_id>> all;
      for (int i = 0; i < 100; ++i)
        all.push_back(start([] {
          const core_id other = call_on((here() + 1) % cores(), [] { return here(); });
          return (other + cores() - 1) % cores();
        }));
      for (auto& f : all) EXPECT_EQ(f.join(), mine);
    });
  });
}

TEST(Joinable, WithoutItsJobHasNoResult) {
  std::vector<joinable<int>> all;
  run(k_one, [&all] {
    for (int i = 0; i < 4; ++i) all.push_back(start([] { return 42; }));
  });
  EXPECT_TRUE(all[0].done());
  EXPECT_THROW((void)all[0].join(), error);
  run(k_one, [&all] {
    EXPECT_THROW((void)all[1].join(), error);
    all[2] = start([] { return 43; });
    EXPECT_EQ(all[2].join(), 43);
    all.erase(all.begin());
  });
}

TEST(Barrier, LetsNobodyThroughBeforeAllHaveCome) {
  constexpr std::size_t k_fibers = 7;
  constexpr int k_rounds = 50;
  run(k_one, [] {
    fiber::barrier together(k_fibers);
    std::array<int, k_fibers> round{};
    std::vector<joinable<void>> all;
    for (std::size_t i = 0; i < k_fibers; ++i)
      all.push_back(start([&, i] {
        for (int r = 0; r < k_rounds; ++r) {
          round[i] = r;
          for (std::size_t k = 0; k < i; ++k) yield();
          together.arrive_and_wait();
          for (int other : round) EXPECT_GE(other, r);
          for (int other : round) EXPECT_LE(other, r + 1);
        }
      }));
  });
}

}  // namespace
}  // namespace gossamer
