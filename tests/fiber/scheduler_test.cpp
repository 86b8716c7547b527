// The scheduler without any messages: a core whose tasks are a plain list.

#include "gossamer/fiber/scheduler.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/fiber/sync.hpp"
#include "gossamer/machine/fault.hpp"
#include "gossamer/machine/thread.hpp"
#include "support/sanitizers.hpp"

namespace gossamer::fiber {
namespace {

class bare_core : public scheduler {
 public:
  bare_core(sleep_group& group, const scheduler_options& options = {}, unsigned id = 0)
      : scheduler(id, options, group) {}

  std::deque<std::function<void()>> tasks;
  int polls = 0;

  bool poll() override { return ++polls, false; }
  bool has_task() override { return !tasks.empty(); }
  bool run_task() override {
    if (tasks.empty()) return false;
    auto t = std::move(tasks.front());
    tasks.pop_front();
    t();
    return true;
  }
  bool before_idle() override { return true; }
  bool has_news() const override { return false; }
};

/// Runs `tasks` on one core until the last has finished.
void run_tasks(std::vector<std::function<void()>> tasks, const scheduler_options& options = {}) {
  sleep_group group(1);
  bare_core core(group, options);
  auto left = tasks.size();
  group.on_stall = [&](std::uint64_t) {
    ADD_FAILURE() << "the tasks wait for ever";
    left = 0;
    core.request_stop();
  };
  for (auto& t : tasks)
    core.tasks.push_back([&core, &left, t] {
      t();
      if (--left == 0) core.request_stop();
    });
  core.run();
  EXPECT_EQ(left, 0U);
}

TEST(Scheduler, RunsTasksInOrderOnOneFiberWhileNoneSuspends) {
  sleep_group group(1);
  bare_core core(group);
  std::vector<int> order;
  for (int i = 0; i < 100; ++i)
    core.tasks.push_back([&, i] {
      order.push_back(i);
      if (i == 99) core.request_stop();
    });
  core.run();
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(core.count().fibers_created, 1U);
}

TEST(Scheduler, TakesAnotherFiberOnlyWhenOneSuspends) {
  sleep_group group(1);
  bare_core core(group);
  event go;
  int passed = 0;
  for (int i = 0; i < 10; ++i)
    core.tasks.push_back([&] {
      go.wait();
      if (++passed == 10) core.request_stop();
    });
  core.tasks.push_back([&] { go.set(); });
  core.run();
  EXPECT_EQ(passed, 10);
  EXPECT_EQ(core.count().fibers_created, 11U);
}

TEST(Scheduler, YieldLetsEveryOtherReadyFiberRunFirst) {
  std::string trace;
  std::vector<std::function<void()>> tasks;
  for (char c : {'a', 'b', 'c'})
    tasks.push_back([&trace, c] {
      for (int i = 0; i < 200; ++i) {
        trace += c;
        scheduler::current()->yield();
      }
    });
  run_tasks(std::move(tasks));
  EXPECT_EQ(trace.size(), 600U);
  // Once all have started, no fiber runs three times before each of the others ran: it is round robin but for
  // polling.
  const std::string tail = trace.substr(300, 150);
  for (char c : {'a', 'b', 'c'}) EXPECT_GE(std::count(tail.begin(), tail.end(), c), 45) << trace;
}

TEST(Scheduler, PollsThoughFibersNeverStopYielding) {
  sleep_group group(1);
  bare_core core(group);
  core.tasks.push_back([&] {
    while (core.polls < 20) core.yield();
    core.request_stop();
  });
  core.tasks.push_back([&] {
    while (core.polls < 20) core.yield();
  });
  core.run();
  EXPECT_GE(core.polls, 20);
}

TEST(Scheduler, ThousandsOfFibersSuspendAndGoOn) {
  constexpr int k_fibers = test::k_thread_sanitizer ? 1'000 : 10'000;  // it follows at most 8,128 at once
  event go;
  int started = 0, passed = 0;
  std::vector<std::function<void()>> tasks(k_fibers, [&] {
    if (++started == k_fibers)
      go.set();
    else
      go.wait();
    ++passed;
  });
  run_tasks(std::move(tasks), {.regular = {k_fibers, 16 << 10}});
  EXPECT_EQ(passed, k_fibers);
}

TEST(Scheduler, TasksWaitWhenAllFibersAreInUse) {
  event go;
  int started = 0;
  sleep_group group(1);
  bare_core core(group, {.regular = {4, 64 << 10}});
  int left = 8;
  for (int i = 0; i < 8; ++i)
    core.tasks.push_back([&] {
      if (++started == 4) {
        EXPECT_EQ(core.tasks.size(), 4U);
        go.set();
      }
      go.wait();
      if (--left == 0) core.request_stop();
    });
  core.run();
  EXPECT_EQ(started, 8);
  EXPECT_LE(core.count().fibers_peak, 4U);
}

TEST(Scheduler, StacksAreReusedLastInFirstOut) {
  stacks s(stack_class::regular, 8, 64 << 10, 0, {});
  fiber* a = s.take();
  fiber* b = s.take();
  s.give_back(*a);
  s.give_back(*b);
  EXPECT_EQ(s.take(), b);
  EXPECT_EQ(s.take(), a);
  EXPECT_EQ(s.touched(), 2U);
}

TEST(Scheduler, StackTopsHaveDifferentColours) {
  stacks s(stack_class::regular, 64, 64 << 10, 0, {});
  std::vector<std::uintptr_t> sets;
  for (int i = 0; i < 64; ++i) sets.push_back(reinterpret_cast<std::uintptr_t>(s.take()) % 4096);
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  EXPECT_GT(sets.size(), 30U);  // of 64 possible lines within a page
}

TEST(Scheduler, LocalPointerFollowsItsFiber) {
  int a = 0, b = 0;
  event go;
  run_tasks({[&] {
               scheduler::current()->set_local(&a);
               go.wait();
               EXPECT_EQ(scheduler::current()->local(), &a);
             },
             [&] {
               scheduler::current()->set_local(&b);
               go.set();
               scheduler::current()->yield();
               EXPECT_EQ(scheduler::current()->local(), &b);
             }});
}

TEST(Scheduler, ExceptionsInFlightBelongToTheirFiber) {
  event go;
  int caught = 0;
  run_tasks({[&] {
               try {
                 throw 1;
               } catch (int one) {
                 go.wait();  // the other fiber throws and catches meanwhile
                 EXPECT_EQ(one, 1);
                 try {
                   throw;
                 } catch (int again) {
                   EXPECT_EQ(again, 1);
                   ++caught;
                 }
               }
             },
             [&] {
               try {
                 throw 2;
               } catch (int two) {
                 go.set();
                 scheduler::current()->yield();
                 EXPECT_EQ(two, 2);
                 ++caught;
               }
             }});
  EXPECT_EQ(caught, 2);
}

TEST(Scheduler, WakesFromAnotherThreadArrive) {
  constexpr int k_rounds = 2000;
  sleep_group group(2);  // the other thread never sleeps, so nothing stalls
  bare_core core(group, {.spin_ns = 0});
  std::atomic<fiber*> waiting{nullptr};
  int woken = 0;
  core.tasks.push_back([&] {
    for (int i = 0; i < k_rounds; ++i) {
      waiting.store(core.running(), std::memory_order_release);  // pairs with the waker's exchange
      core.suspend("another thread");
      ++woken;
    }
    core.request_stop();
  });
  machine::thread waker("waker", [&] {
    for (int i = 0; i < k_rounds; ++i) {
      fiber* f = nullptr;
      while ((f = waiting.exchange(nullptr, std::memory_order_acquire)) == nullptr) machine::yield_thread();
      core.wake_from_anywhere(*f);
    }
  });
  core.run();
  EXPECT_EQ(woken, k_rounds);
  EXPECT_EQ(core.count().wakes_remote, static_cast<std::uint64_t>(k_rounds));
}

TEST(Scheduler, LastSleeperReportsAStall) {
  sleep_group group(1);
  bare_core core(group, {.spin_ns = 0});
  std::string report;
  group.on_stall = [&](std::uint64_t) {
    core.each_suspended([&](const fiber& f) { report = f.waits_for; });
    core.request_stop();
  };
  event never;
  core.tasks.push_back([&] { never.wait("godot"); });
  core.run();
  EXPECT_EQ(report, "godot");
}

#if !defined(GOSSAMER_ASAN) && !defined(GOSSAMER_TSAN)  // they report the overflow themselves, differently
[[gnu::noinline]] int eat_stack(int depth) {
  volatile char room[512];
  for (auto& byte : room) byte = static_cast<char>(depth);
  return depth == 0 ? room[0] : eat_stack(depth - 1) + room[0];
}

TEST(SchedulerDeathTest, StackOverflowIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        machine::install_fault_handlers();
        machine::set_fault_explainer([](void* address, char* buffer, std::size_t size) {
          return scheduler::current() != nullptr &&
                 scheduler::current()->explain_fault(address, buffer, size);
        });
        const machine::fault_stack stack;
        run_tasks({[] {
          scheduler::current()->name_task("glutton");
          eat_stack(10'000);
        }});
      },
      "stack overflow on core 0, fiber 2 \\(task glutton\\)");
}

TEST(SchedulerDeathTest, OverflowWithoutGuardPageIsSeenAtTheNextSwitch) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  event never;
  const auto wait = [&] { never.wait(); };
  const auto overflow = [&] {  // on the second stack: what it runs into is the first
    eat_stack(195);  // ~104 KiB of 96, a half more than is asked for
    never.wait();
  };
  EXPECT_DEATH(
      run_tasks({wait, overflow}, {.regular = {4, 64 << 10}, .guards = {.regions = false, .mappings = 0}}),
      "ran over its stack");
}
#endif

}  // namespace
}  // namespace gossamer::fiber
