#include "gossamer/fiber/sync.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

/// One core, its fibers under the main fiber's completion.
template <class F>
void on_one_core(F f) {
  run(job_options{.cores = 1}, f);
}

TEST(Semaphore, AdmitsAsManyAsItHasUnits) {
  on_one_core([] {
    fiber::semaphore units(3);
    int inside = 0, most = 0;
    finish([&] {
      for (int i = 0; i < 20; ++i)
        spawn([&] {
          units.acquire();
          most = std::max(most, ++inside);
          for (int k = 0; k < 300; ++k) fiber::scheduler::current()->yield();
          --inside;
          units.release();
        });
    });
    EXPECT_EQ(most, 3);
    EXPECT_EQ(inside, 0);
  });
}

TEST(Mutex, ExcludesOthersAcrossASwitch) {
  on_one_core([] {
    fiber::mutex lock;
    int value = 0;
    finish([&] {
      for (int i = 0; i < 50; ++i)
        spawn([&] {
          const std::lock_guard hold(lock);
          const int before = value;
          fiber::scheduler::current()->yield();
          value = before + 1;
        });
    });
    EXPECT_EQ(value, 50);
    EXPECT_TRUE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock());
  });
}

TEST(ConditionVariable, WaitsUntilThePredicateHolds) {
  on_one_core([] {
    fiber::mutex lock;
    fiber::condition_variable changed;
    int turn = 0;
    std::string order;
    finish([&] {
      for (int i = 4; i >= 0; --i)
        spawn([&, i] {
          std::unique_lock hold(lock);
          changed.wait(hold, [&] { return turn == i; });
          order += static_cast<char>('0' + i);
          ++turn;
          changed.notify_all();
        });
    });
    EXPECT_EQ(order, "01234");
  });
}

TEST(FullEmpty, HandsEveryValueOverOnce) {
  on_one_core([] {
    fiber::full_empty<int> cell;
    int sum = 0;
    finish([&] {
      for (int i = 1; i <= 100; ++i) spawn([&, i] { cell.put(i); });
      for (int i = 1; i <= 100; ++i) spawn([&] { sum += cell.take(); });
    });
    EXPECT_EQ(sum, 5050);
    EXPECT_FALSE(cell.full());
  });
}

TEST(Event, LetsWaitersPassOnceSet) {
  on_one_core([] {
    fiber::event happened;
    int passed = 0;
    finish([&] {
      for (int i = 0; i < 5; ++i)
        spawn([&] {
          happened.wait();
          ++passed;
        });
      spawn([&] { happened.set(); });
    });
    happened.wait();
    EXPECT_EQ(passed, 5);
  });
}

TEST(Event, LetsThosePassThatWaitedBeforeItWasReset) {
  on_one_core([] {
    fiber::event happened;
    int waiting = 0, passed = 0;
    finish([&] {
      for (int i = 0; i < 5; ++i)
        spawn([&] {
          ++waiting;
          happened.wait();
          ++passed;
        });
      spawn([&] {
        while (waiting < 5) yield();
        happened.set();
        happened.reset();
      });
    });
    EXPECT_EQ(passed, 5);
    EXPECT_FALSE(happened.is_set());
  });
}

}  // namespace
}  // namespace gossamer
