// The scheduler without any messages: a core whose tasks are a plain list.

#include "gossamer/fiber/scheduler.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/fiber/sync.hpp"
#include "gossamer/fiber/turn_watch.hpp"
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
  int polls = 0, late_looks = 0;
  bool others_offer = false;  // other cores have tasks

  bool poll() override { return ++polls, false; }
  void while_busy(bool late) override { late_looks += late ? 1 : 0; }
  bool has_task() override { return !tasks.empty(); }
  bool run_task() override {
    if (tasks.empty()) return false;
    auto t = std::move(tasks.front());
    tasks.pop_front();
    t();
    return true;
  }
  bool before_idle(idling) override { return true; }
  bool has_news() const override { return others_offer && !tasks_wait(); }
  /// Wakes the fiber that waits for an arrival.
  bool take_arrivals() override {
    if (awaiting == nullptr) return false;
    wake(*std::exchange(awaiting, nullptr));
    return true;
  }

  fiber* awaiting = nullptr;
};

/// Runs `tasks` on one core until the last has finished.
void run_tasks(std::vector<std::function<void()>> tasks, const scheduler_options& options = {}) {
  sleep_group group(1);
  bare_core core(group, options);
  auto left = tasks.size();
  group.on_stall = [&](std::uint64_t) {
    if (core.allow_more_workers()) return;
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

/// A core whose fibers wait for what comes while it idles.
class idling_core : public bare_core {
 public:
  using bare_core::bare_core;
  fiber* waiting = nullptr;
  int arrivals = 0, polls_before = 0;

  bool take_arrivals() override {
    if (waiting == nullptr || ++looks_ % 3 != 0) return false;
    ++arrivals;
    polls_before = polls;
    wake(*std::exchange(waiting, nullptr));
    return true;
  }

 private:
  int looks_ = 0;
};

TEST(Scheduler, WhatArrivesWhileItIdlesRunsAtOnce) {
  scheduler_options o;
  o.spin_ns = std::uint64_t{10} * 1000 * 1000 * 1000;
  sleep_group group(1);
  idling_core core(group, o);
  core.tasks.push_back([&] {
    for (int i = 1; i <= 100; ++i) {
      core.waiting = core.running();
      core.suspend("what comes");
      EXPECT_EQ(core.arrivals, i);
      EXPECT_EQ(core.polls, core.polls_before) << "nothing else is looked at before";
    }
    core.request_stop();
  });
  core.run();
  EXPECT_EQ(core.arrivals, 100);
}

/// A core whose fibers wait for one arrival; counts those that have run when what is open leaves.
class crowded_core : public bare_core {
 public:
  using bare_core::bare_core;
  std::vector<fiber*> crowd;
  std::vector<int> ran_at_flush;
  int ran = 0;

  /// Fills the core with so many fibers, which one arrival wakes.
  void fill(int fibers) {
    for (int i = 0; i < fibers; ++i)
      tasks.push_back([this, fibers] {
        crowd.push_back(running());
        suspend("an arrival");
        if (++ran == fibers) request_stop();
      });
    go_ = fibers;
  }
  bool take_arrivals() override {
    if (crowd.size() < static_cast<std::size_t>(go_) || ran > 0) return false;
    for (fiber* const f : std::exchange(crowd, {})) wake(*f);
    return true;
  }
  void flush_to_idle() override { ran_at_flush.push_back(ran); }

 private:
  int go_ = 0;
};

TEST(Scheduler, ManyFibersThatAnArrivalWakesRunInHalves) {
  for (const auto& [fibers, flushes] : std::vector<std::pair<int, std::vector<int>>>{
           {40, {}},
           {100, {50}},
           {300, {128}}}) {  // the rest of 300 is not known to have been woken by an arrival
    scheduler_options o;
    o.spin_ns = std::uint64_t{10} * 1000 * 1000 * 1000;
    sleep_group group(1);
    crowded_core core(group, o);
    core.fill(fibers);
    core.run();
    EXPECT_EQ(core.ran, fibers);
    EXPECT_EQ(core.ran_at_flush, flushes) << fibers;
  }
}

TEST(Scheduler, YieldLetsEveryOtherReadyFiberRunFirst) {
  std::string trace;
  std::vector<std::function<void()>> tasks;
  for (char c : {'a', 'b', 'c'})
    tasks.push_back([&trace, c] {
      for (int i = 0; i < 400; ++i) {
        trace += c;
        scheduler::current()->yield();
      }
    });
  run_tasks(std::move(tasks));
  EXPECT_EQ(trace.size(), 1200U);
  // Once all have started, no fiber runs three times before each of the others ran: it is round robin but for
  // polling.
  const std::string tail = trace.substr(400, 150);
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
  std::uint32_t numbers = 0;
  stacks s(stack_class::regular, {8, 64 << 10}, numbers, {});
  fiber* a = s.take();
  fiber* b = s.take();
  s.give_back(*a);
  s.give_back(*b);
  EXPECT_EQ(s.take(), b);
  EXPECT_EQ(s.take(), a);
  EXPECT_EQ(s.touched(), 2U);
}

TEST(Scheduler, StacksGrowByAsManyAgainUpToTheMost) {
  std::uint32_t numbers = 10;
  stacks s(stack_class::regular, {.fibers = 20, .bytes = 16 << 10, .first = 3}, numbers, {});
  std::vector<std::size_t> reserved;
  std::vector<fiber*> all;
  while (fiber* f = s.take()) {
    all.push_back(f);
    if (reserved.empty() || reserved.back() != s.reserved()) reserved.push_back(s.reserved());
  }
  EXPECT_EQ(reserved, (std::vector<std::size_t>{3, 6, 12, 20}));
  EXPECT_FALSE(s.short_of_memory());
  ASSERT_EQ(all.size(), 20U);
  EXPECT_EQ(numbers, 30U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const fiber& f = *all[i];
    EXPECT_EQ(f.index, 10 + i);
    EXPECT_EQ(s.by_index(10 + i), &f);
    EXPECT_EQ(s.at(f.low), &f);
    EXPECT_EQ(s.at(&f), &f);
    EXPECT_TRUE(s.in_guard(f.low - 1));
    EXPECT_FALSE(s.in_guard(f.low));
    EXPECT_EQ(s.left(f, &f), static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&f) - f.low));
  }
  EXPECT_EQ(s.by_index(9), nullptr);
  EXPECT_EQ(s.by_index(30), nullptr);
  EXPECT_EQ(s.at(&s), nullptr);
  const std::size_t before = s.deepest_use();
  *all.back()->low = std::byte{1};
  EXPECT_GT(s.deepest_use(), std::max<std::size_t>(before, 12 << 10));
}

TEST(Scheduler, StackTopsHaveDifferentColours) {
  std::uint32_t numbers = 0;
  stacks s(stack_class::regular, {64, 64 << 10}, numbers, {});
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

TEST(Scheduler, FibersBeyondTheFirstReservedAreWokenFromAnotherThread) {
  constexpr std::size_t k_fibers = 1'000;  // more than have their wake bits in one line
  sleep_group group(2);  // the other thread never sleeps, so nothing stalls
  bare_core core(group, {.regular = {.fibers = 2 * k_fibers, .bytes = 16 << 10, .first = 8},
                         .small = {.fibers = 8, .bytes = 16 << 10},
                         .spin_ns = 0});
  EXPECT_FALSE(core.allow_more_workers());
  std::vector<fiber*> waiting;
  std::atomic<bool> all_wait{false};
  std::size_t woken = 0;
  for (std::size_t i = 0; i < k_fibers; ++i) {
    const auto body = [](void* argument) { (*static_cast<std::function<void()>*>(argument))(); };
    static std::function<void()> wait;
    wait = [&] {
      waiting.push_back(core.running());
      if (waiting.size() == k_fibers)
        all_wait.store(true, std::memory_order_release);  // pairs with the waker
      core.suspend("another thread");
      if (++woken == k_fibers) core.request_stop();
    };
    ASSERT_NE(core.start(body, &wait, "waits", stack_class::regular), nullptr);
  }
  machine::thread waker("waker", [&] {
    while (!all_wait.load(std::memory_order_acquire)) machine::yield_thread();
    for (fiber* f : waiting) core.wake_from_anywhere(*f);
  });
  core.run();
  EXPECT_EQ(woken, k_fibers);
  EXPECT_EQ(core.count().wakes_remote, k_fibers);
}

TEST(Scheduler, TasksThatAllWaitHaveMoreFibersOnceNothingElseGoesOn) {
  constexpr int k_tasks = 100;
  sleep_group group(1);
  bare_core core(group, {.regular = {.fibers = 128, .bytes = 16 << 10, .first = 4}, .spin_ns = 0});
  std::vector<std::uint64_t> fibers;
  group.on_stall = [&](std::uint64_t) {
    fibers.push_back(core.count().fibers_peak);
    if (!core.allow_more_workers()) core.request_stop();
  };
  event go;
  int started = 0, passed = 0;
  for (int i = 0; i < k_tasks; ++i)
    core.tasks.push_back([&] {
      if (++started == k_tasks) go.set();
      go.wait();
      if (++passed == k_tasks) core.request_stop();
    });
  core.run();
  EXPECT_EQ(passed, k_tasks);
  EXPECT_EQ(fibers, (std::vector<std::uint64_t>{4, 8, 16, 32, 64}));
}

TEST(Scheduler, WithoutAFiberForTasksOfOtherCoresItSleeps) {
  sleep_group group(1);
  bare_core core(group, {.regular = {.fibers = 4, .bytes = 16 << 10}, .spin_ns = 0});
  core.others_offer = true;
  bool stalled = false;
  group.on_stall = [&](std::uint64_t) {
    stalled = true;
    core.request_stop();
  };
  event never;
  for (int i = 0; i < 5; ++i) core.tasks.push_back([&] { never.wait("godot"); });
  core.run();
  EXPECT_TRUE(stalled);
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

void explain_faults() {
  machine::install_fault_handlers();
  machine::set_fault_explainer([](void* address, char* buffer, std::size_t size) {
    return scheduler::current() != nullptr && scheduler::current()->explain_fault(address, buffer, size);
  });
}

TEST(SchedulerDeathTest, StackOverflowIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        explain_faults();
        const machine::fault_stack stack;
        run_tasks({[] {
          scheduler::current()->name_task("glutton");
          eat_stack(10'000);
        }});
      },
      "stack overflow on core 0, fiber 2 \\(task glutton\\)");
}

// The frame begins far below the guard page, in another fiber's stack.
[[gnu::noinline]] int use_large_frame() {
  volatile char room[300'000];
  room[0] = 1;
  return room[0];
}

TEST(SchedulerDeathTest, AFrameLargerThanTheGuardPageIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        explain_faults();
        const machine::fault_stack stack;
        run_tasks({[] { scheduler::current()->yield(); }, [] { scheduler::current()->yield(); },
                   [] {
                     scheduler::current()->name_task("glutton");
                     use_large_frame();
                   }});
      },
      "stack overflow on core 0, fiber [0-9]+ \\(task glutton\\)");
}

TEST(SchedulerDeathTest, StackOverflowBeyondTheFirstReservedIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  event never;
  std::vector<std::function<void()>> tasks(9, [&] { never.wait(); });
  tasks.emplace_back([] {
    scheduler::current()->name_task("glutton");
    eat_stack(10'000);
  });
  EXPECT_DEATH(
      {
        explain_faults();
        const machine::fault_stack stack;
        sleep_group group(1);
        bare_core core(group, {.regular = {.fibers = 16, .bytes = 64 << 10, .first = 3}, .spin_ns = 0});
        group.on_stall = [&](std::uint64_t) {
          if (!core.allow_more_workers()) core.request_stop();
        };
        for (auto& t : tasks) core.tasks.push_back(t);
        core.run();
      },
      "stack overflow on core 0, fiber [0-9]+ \\(task glutton\\)");
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

/// Runs `tasks` on a core of its own, with a watch whose ticks the tasks make. Returns the looks at late turns.
template <class... Tasks>
int run_watched(Tasks... tasks) {
  sleep_group group(1);
  bare_core core(group);
  turn_watch watch({&core});
  group.on_stall = [&](std::uint64_t) { core.request_stop(); };
  (core.tasks.push_back([&core, &watch, tasks] { tasks(core, watch); }), ...);
  core.tasks.push_back([&core] { core.request_stop(); });
  core.run();
  return core.late_looks;
}

void compute_for_long(turn_watch& watch) {
  watch.tick();  // sees this turn
  watch.tick();  // and sees it again
}

TEST(TurnWatch, ATurnThatLastsEndsAtTheNextSwitch) {
  run_watched([](bare_core& core, turn_watch& watch) {
    core.yield();
    core.yield();
    const int before = core.polls;
    core.yield();
    EXPECT_EQ(core.polls, before) << "turns have many switches";
    compute_for_long(watch);
    EXPECT_TRUE(core.late());
    core.yield();
    EXPECT_GT(core.polls, before) << "the root context was visited";
    EXPECT_FALSE(core.late());
  });
}

TEST(TurnWatch, AWorkerPollsAfterATaskThatLasts) {
  int before = 0;
  const int late = run_watched(
      [&](bare_core& core, turn_watch& watch) {
        before = core.polls;
        compute_for_long(watch);
      },
      [&](bare_core& core, turn_watch&) {
        EXPECT_GT(core.polls, before);
        before = core.polls;
      },
      [&](bare_core& core, turn_watch&) { EXPECT_EQ(core.polls, before) << "short tasks share a look"; });
  EXPECT_EQ(late, 1);
}

TEST(TurnWatch, TurnsThatEndInTimeAreLeftAlone) {
  const int late = run_watched([](bare_core& core, turn_watch& watch) {
    for (int i = 0; i < 10; ++i) {
      watch.tick();
      const int before = core.polls;
      while (core.polls == before) core.yield();
    }
    EXPECT_FALSE(core.late());
  });
  EXPECT_EQ(late, 0);
}

TEST(TurnWatch, ACutDoesNotOutliveATurnThatEndsBeforeTheCoreIdles) {
  sleep_group group(1);
  bare_core core(group);
  turn_watch watch({&core});
  group.on_stall = [&](std::uint64_t) {
    ADD_FAILURE() << "nothing has arrived";
    core.request_stop();
  };
  core.tasks.push_back([&] {  // the only one: nothing else is looked for
    compute_for_long(watch);
    EXPECT_TRUE(core.late());
    core.awaiting = core.running();
    core.suspend("an arrival");  // the root context finds it while it looks again and again
    EXPECT_FALSE(core.late()) << "this turn is a new one, and would not be cut";
    compute_for_long(watch);
    EXPECT_TRUE(core.late());
    const int before = core.polls;
    core.yield();
    EXPECT_GT(core.polls, before);
    core.request_stop();
  });
  core.run();
}

TEST(TurnWatch, LooksSeldomWhileItCutsNothingAndOftenAgainAfterACut) {
  run_watched([](bare_core& core, turn_watch& watch) {
    const auto short_turn = [&] {
      const int before = core.polls;
      while (core.polls == before) core.yield();
    };
    EXPECT_EQ(watch.interval_ns(), turn_watch::k_most_interval_ns);
    compute_for_long(watch);
    EXPECT_EQ(watch.interval_ns(), turn_watch::k_interval_ns);
    for (int i = 0; i < 20; ++i) short_turn(), watch.tick();
    EXPECT_GT(watch.interval_ns(), turn_watch::k_interval_ns);
    for (int i = 0; i < 200; ++i) short_turn(), watch.tick();
    EXPECT_EQ(watch.interval_ns(), turn_watch::k_most_interval_ns);
  });
}

TEST(TurnWatch, PausesWhileNothingRuns) {
  sleep_group group(1);
  bare_core core(group);
  turn_watch watch({&core});
  for (int i = 0; i < 1000 && !watch.pauses(); ++i) watch.tick();
  EXPECT_TRUE(watch.pauses());
  EXPECT_FALSE(core.late()) << "an idle core has no turn";
}

TEST(TurnWatch, PausesWhileATurnThatItHasCutLasts) {
  run_watched([](bare_core& core, turn_watch& watch) {
    for (int i = 0; i < 1000 && !watch.pauses(); ++i) watch.tick();
    EXPECT_TRUE(watch.pauses());
    EXPECT_TRUE(core.late());
    core.yield();
    watch.tick();
    EXPECT_FALSE(watch.pauses()) << "there is a new turn";
  });
}

TEST(TurnWatch, GoesOnWhenACoreHasSlept) {
  sleep_group group(1);
  bare_core core(group);
  turn_watch watch({&core});
  group.watch = &watch;
  watch.start();
  bool watched = false;
  event wakes;
  group.on_stall = [&](std::uint64_t) {
    while (!watch.pauses()) machine::yield_thread();
    wakes.set();
    core.notify();
  };
  core.tasks.push_back([&] {
    wakes.wait();
    while (!core.late()) machine::yield_thread();  // for ever where the watch does not go on
    watched = true;
    core.request_stop();
  });
  core.run();
  EXPECT_TRUE(watched);
}

}  // namespace
}  // namespace gossamer::fiber
