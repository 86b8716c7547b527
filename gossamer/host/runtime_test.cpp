#include "gossamer/host/runtime.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gossamer/combining/counter.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/fiber/sync.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class Runtime : public test::topology_test {
 protected:
  static job_options on_cores() { return {.cores = GetParam()}; }
};
GOSSAMER_ON_TOPOLOGIES(Runtime);

template <class F>
std::string refusal_of(F f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

/// Sums the indices below n on all cores.
std::uint64_t sum_below(std::uint64_t n) {
  const scoped_per_core<std::uint64_t> sums;
  forall(0, n, [sums = sums.handle()](std::uint64_t i) { sums.here() += i; });
  return sums.fold(std::uint64_t{0}, std::plus<>());
}

TEST_P(Runtime, AnswersCallsWithValuesAndExceptions) {
  runtime r(on_cores());
  EXPECT_EQ(r.cores(), GetParam());
  EXPECT_EQ(r.processes(), 1U);
  EXPECT_EQ(r.call([] { return here(); }), 0U);
  EXPECT_EQ(r.call([] { return sum_below(1000); }), 499'500U);
  EXPECT_THROW(r.call([] { throw std::out_of_range("in a call"); }), std::out_of_range);
  EXPECT_THROW(r.call([] {
    forall(0, 100, [](std::uint64_t i) { i == 70 ? throw std::domain_error("in a loop") : void(); });
  }),
               std::domain_error);
  EXPECT_EQ(r.call([] { return std::string("text of more than a few bytes, moved"); }).size(), 36U);
}

TEST_P(Runtime, WaitsForWhatACallHasSpawned) {
  runtime r(on_cores());
  int done = 0;
  r.call([&done] {
    for (int i = 0; i < 10; ++i)
      spawn([&done] {
        for (int k = 0; k < 20; ++k) fiber::scheduler::current()->yield();
        ++done;
      });
  });
  EXPECT_EQ(done, 10);
}

TEST_P(Runtime, RunsCallsOfManyThreadsOneByOne) {
  constexpr int k_threads = 6, k_calls = 200;
  runtime r(on_cores());
  const auto a = r.call([] { return make_array<std::uint64_t>(64); });
  std::uint64_t running = 0, together = 0, calls = 0;  // of core 0: no atomics
  std::atomic<std::uint64_t> right{0};
  {
    std::vector<std::thread> threads;
    for (int t = 0; t < k_threads; ++t)
      threads.emplace_back([&, t] {
        std::vector<future<std::uint64_t>> answers;
        for (int i = 0; i < k_calls; ++i)
          answers.push_back(r.submit([&, t, i]() -> std::uint64_t {
            together += ++running > 1;
            finish([&] { a.async(static_cast<std::uint64_t>(t), [](std::uint64_t& n) { ++n; }); });
            ++calls;
            --running;
            return static_cast<std::uint64_t>(t * k_calls + i);
          }));
        for (int i = 0; i < k_calls; ++i)
          right += answers[static_cast<std::size_t>(i)].get() == static_cast<std::uint64_t>(t * k_calls + i);
      });
    for (auto& t : threads) t.join();
  }
  EXPECT_EQ(right, k_threads * k_calls);
  EXPECT_EQ(calls, k_threads * k_calls);
  EXPECT_EQ(together, 0U);
  for (std::uint64_t t = 0; t < k_threads; ++t)
    EXPECT_EQ(r.call([a, t] { return a.read(t); }), static_cast<std::uint64_t>(k_calls));
  r.call([a] {
    array<std::uint64_t> ends = a;
    release(ends);
  });
}

TEST_P(Runtime, RunsTheCallsOfAThreadInOrderAndAllBeforeItsEnd) {
  std::vector<int> order;
  {
    runtime r(on_cores());
    for (int i = 0; i < 1000; ++i) (void)r.submit([&order, i] { order.push_back(i); });
  }
  ASSERT_EQ(order.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

// --- data between calls -------------------------------------------------------------------------

TEST_P(Runtime, KeepsGlobalDataBetweenCalls) {
  runtime r(on_cores());
  const auto words = r.keep([] { return scoped_hash_map<std::uint64_t, std::uint64_t>(); });
  const auto squares = r.keep([] { return scoped_array<std::uint64_t>(500); });
  r.call([&] { forall(squares->handle(), [](std::uint64_t i, std::uint64_t& cell) { cell = i * i; }); });
  const array<std::uint64_t> handle = squares->handle();  // a plain value of the host program
  EXPECT_EQ(r.call([handle] { return handle.read(22); }), 484U);
  for (std::uint64_t i = 0; i < 50; ++i) r.call([&, i] { words->insert(i, i + 1); });
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < 60; ++i) found += r.call([&, i] { return words->lookup(i).value_or(0); });
  EXPECT_EQ(found, 50U * 51 / 2);
}

/// Counts itself, and where it is made and destroyed. Cannot be moved.
struct counted {
  explicit counted(std::vector<int>& ended, int number) : ended_(ended), number_(number) {
    EXPECT_EQ(here(), 0U);
  }
  ~counted() {
    EXPECT_NE(fiber::scheduler::current(), nullptr);
    forall(0, 100, [](std::uint64_t) {});  // whatever a call may do
    ended_.push_back(number_);
  }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;

 private:
  std::vector<int>& ended_;
  int number_;
};

TEST_P(Runtime, DestroysWhatIsKeptOnACoreWhenItsHandleGoesAndTheRestAtTheEndNewestFirst) {
  std::vector<int> ended;
  kept<counted> outlives;
  {
    runtime r(on_cores());
    const auto make = [&](int n) { return r.keep([&ended, n] { return counted(ended, n); }); };
    outlives = make(1);
    auto second = make(2);
    const auto third = make(3);
    auto fourth = make(4);
    second.reset();
    EXPECT_FALSE(second);
    EXPECT_EQ(r.call([&] { return ended; }), std::vector<int>{2});
    r.call([gone = std::make_shared<kept<counted>>(std::move(fourth))] {});  // inside a call, or after it
    EXPECT_EQ(r.call([&] { return ended; }), (std::vector<int>{2, 4}));
    EXPECT_TRUE(third);
    outlives = make(5);
    EXPECT_TRUE(outlives);
    r.end();
    EXPECT_FALSE(third);
  }
  EXPECT_EQ(ended, (std::vector<int>{2, 4, 1, 5, 3}));
  EXPECT_FALSE(outlives);
  EXPECT_NE(refusal_of([&] { (void)*outlives; }).find("the value is gone"), std::string::npos);
}

TEST_P(Runtime, KeepsWhatACallMakesOfItself) {
  std::vector<int> ended;
  {
    runtime r(on_cores());
    auto first = r.call([&] { return r.keep([&ended] { return counted(ended, 1); }); });
    const auto second = r.call([&] {
      auto made = r.keep([&ended] { return counted(ended, 2); });
      EXPECT_TRUE(made);
      return made;
    });
    EXPECT_TRUE(first);
    EXPECT_THROW(r.call([&] { (void)r.keep([]() -> int { throw std::out_of_range("no value"); }); }),
                 std::out_of_range);
    first.reset();
    EXPECT_EQ(r.call([&] { return ended; }), std::vector<int>{1});
    EXPECT_TRUE(second);
  }
  EXPECT_EQ(ended, (std::vector<int>{1, 2}));
}

TEST_P(Runtime, KeepsNothingWhereItsMakingThrows) {
  runtime r(on_cores());
  EXPECT_THROW((void)r.keep([]() -> scoped_array<int> { throw std::out_of_range("no array"); }),
               std::out_of_range);
  EXPECT_EQ(r.call([] { return 5; }), 5);
}

void wait_for(const std::atomic<bool>& what) {
  while (!what) std::this_thread::yield();
}

TEST_P(Runtime, GivesUpWhatWasMadeByACallThatFailedLater) {
  std::vector<int> ended;
  runtime r(on_cores());
  const auto first = r.keep([&ended] { return counted(ended, 1); });
  for (int i = 2; i < 5; ++i) {
    EXPECT_THROW((void)r.keep([&ended, i] {
      spawn([] { throw std::out_of_range("of a task"); });
      return counted(ended, i);
    }),
                 std::out_of_range);
    const auto next = r.keep([&ended] { return counted(ended, 0); });
    EXPECT_EQ(r.call([&ended] { return ended; }).back(), i);
  }
  r.end();
  EXPECT_EQ(ended, (std::vector<int>{2, 0, 3, 0, 4, 0, 1}));
}

TEST_P(Runtime, HandlesMayGoWhileTheRuntimeEnds) {
  constexpr int k_values = 100;
  struct ends {
    std::atomic<bool> began{false}, go{false};
    std::atomic<int> destroyed{0};
  } seen;
  const auto counting = [&seen] { return std::shared_ptr<ends>(&seen, [](ends* e) { ++e->destroyed; }); };
  runtime r(on_cores());
  std::vector<kept<std::shared_ptr<ends>>> values;
  for (int i = 0; i < k_values; ++i) values.push_back(r.keep(counting));
  const auto newest = r.keep([&seen] {
    return std::shared_ptr<ends>(&seen, [](ends* e) {
      e->began = true;
      while (!e->go) fiber::scheduler::current()->yield();
    });
  });
  std::thread drops([&] {
    wait_for(seen.began);  // the runtime takes no calls any more
    values.clear();
    const std::vector<std::string> elsewhere(2 * k_values, std::string(150, 'x'));
    seen.go = true;
  });
  r.end();
  drops.join();
  EXPECT_EQ(seen.destroyed, k_values);
}

TEST_P(Runtime, EveryThreadThatEndsItReturnsAfterTheLastCall) {
  runtime r(on_cores());
  std::atomic<bool> go{false}, done{false};
  std::atomic<int> late{0};
  (void)r.submit([&] {
    while (!go) fiber::scheduler::current()->yield();
    done = true;
  });
  {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        r.end();
        late += done;
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    go = true;
    for (auto& t : threads) t.join();
  }
  EXPECT_EQ(late, 3);
}

TEST_P(Runtime, WaitsForAnyNumberOfMicroseconds) {
  runtime r(on_cores());
  std::atomic<bool> go{false};
  const auto open = r.submit([&go] {
    while (!go) fiber::scheduler::current()->yield();
  });
  EXPECT_FALSE(open.wait_for_us(0));
  EXPECT_FALSE(open.wait_for_us(100));
  std::thread later([&go] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    go = true;
  });
  EXPECT_TRUE(open.wait_for_us((std::uint64_t{1} << 61) / 125 + 1));  // in nanoseconds more than 2^64
  later.join();
}

TEST_P(Runtime, DestroysTheFunctionObjectBeforeTheAnswerIsThere) {
  runtime r(on_cores());
  for (int i = 0; i < 100; ++i) {
    auto captured = std::make_shared<int>(i);
    const std::weak_ptr<int> watch = captured;
    EXPECT_EQ(r.call([mine = std::move(captured)] { return *mine; }), i);
    EXPECT_TRUE(watch.expired());
  }
}

// --- refusals -----------------------------------------------------------------------------------

TEST(RuntimeRefusals, OneAtATimeAndNoJobBesideIt) {
  for (int i = 0; i < 5; ++i) {  // one may follow another
    runtime r({.cores = 2});
    EXPECT_EQ(refusal_of([] { runtime second({.cores = 1}); }),
              "runtime: this process has one already: end that first");
    EXPECT_NE(refusal_of([] { run(job_options{.cores = 1}, [] {}); }).find("this process has a runtime"),
              std::string::npos);
    EXPECT_EQ(r.call([] { return cores(); }), 2U);
  }
  run(job_options{.cores = 1}, [] {
    std::thread other([] {
      EXPECT_NE(
          refusal_of([] { runtime beside({.cores = 1}); }).find("another thread of this process runs a job"),
          std::string::npos);
    });
    other.join();
  });
  run(job_options{.cores = 1}, [] {});
}

// The function object of the call is destroyed after its job, on a thread that is no core.
TEST(RuntimeStalls, ACallThatOwnsAStructureEndsTheRuntimeOnly) {
  if (test::k_address_sanitizer)
    GTEST_SKIP() << "the fibers that wait for ever leak what they hold, as they must";
  runtime r({.cores = 2});
  auto counts = r.call([] { return std::make_unique<scoped_counter>(); });
  auto stalled = r.submit([counts = std::move(counts)] {
    counts->fetch_add(1);
    fiber::event().wait("what never comes");
  });
  EXPECT_THROW(stalled.get(), runtime_ended);
}

TEST(RuntimeRefusals, AJobInsideACallIsAnError) {
  runtime r({.cores = 2});
  EXPECT_EQ(refusal_of([&r] { r.call([] { run(job_options{.cores = 1}, [] {}); }); }),
            "run: called inside a job: call the function directly");
}

TEST(RuntimeRefusals, OptionsThatMakeNoSenseAreThoseOfTheConstructor) {
  EXPECT_NE(refusal_of([] { runtime r({.cores = 5000}); }).find("5000 cores"), std::string::npos);
  EXPECT_NE(refusal_of([] {
              job_options o;
              o.simulate = simulation::options::parse("processes=2");
              runtime r(o);
            }).find("simulated"),
            std::string::npos);
  runtime r({.cores = 1});
  EXPECT_EQ(r.call([] { return 1; }), 1);
}

TEST(RuntimeRefusals, NothingWaitsForACallInsideACall) {
  runtime r({.cores = 2});
  EXPECT_NE(refusal_of([&] { r.call([&] { r.call([] {}); }); }).find("call: inside a call"),
            std::string::npos);
  static runtime* const same = &r;  // no capture: bodies have none of the stack
  EXPECT_NE(refusal_of([&] {
              r.call([&] { on_core(1, [] { (void)same->keep([] { return 1; }); }); });
            }).find("only core 0"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { r.call([&] { r.submit([] {}).get(); }); }).find("waited for inside a call"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { r.call([&] { runtime second({.cores = 1}); }); }).find("has one already"),
            std::string::npos);
  future<int> later;
  r.call([&] {
    later = r.submit([] { return 7; });
    r.end();  // without effect here
  });
  EXPECT_EQ(later.get(), 7);
  EXPECT_NE(refusal_of([&] { later.get(); }).find("no call to wait for"), std::string::npos);
}

TEST(RuntimeRefusals, CallsAfterTheEnd) {
  runtime r({.cores = 2});
  r.end();
  r.end();
  EXPECT_EQ(refusal_of([&] { r.call([] {}); }), "the runtime has ended");
  EXPECT_FALSE(r.interrupt());
  runtime next({.cores = 2});
  EXPECT_EQ(next.call([] { return 3; }), 3);
  EXPECT_EQ(refusal_of([&] { r.call([] {}); }), "the runtime has ended");
}

TEST(RuntimeRefusals, MoreCallsThanThereIsRoomForWaitOrAreRefusedInAFiber) {
  constexpr int k_calls = 10'000;
  runtime r({.cores = 1});
  int done = 0;
  for (int i = 0; i < k_calls; ++i) (void)r.submit([&done] { ++done; });
  EXPECT_EQ(r.call([&done] { return done; }), k_calls);
  EXPECT_NE(refusal_of([&] {
              r.call([&] {
                for (int i = 0; i < k_calls; ++i) (void)r.submit([&done] { ++done; });
              });
            }).find("4096 calls wait already"),
            std::string::npos);
  EXPECT_EQ(r.call([&done] { return done; }), k_calls + 4096);
}

// --- stalls and interrupts ----------------------------------------------------------------------

TEST_P(Runtime, ACallThatStallsEndsWithTheReportAndTheRuntimeWithIt) {
  if (test::k_address_sanitizer)
    GTEST_SKIP() << "the fibers that wait for ever leak what they hold, as they must";
  runtime r(on_cores());
  const auto number = r.keep([] { return 17; });
  auto stalls = r.submit([] {
    fiber::event never;
    never.wait("a train that does not come");
  });
  auto after = r.submit([] { return 1; });
  const std::string report = refusal_of([&] { stalls.get(); });
  EXPECT_NE(report.find("the job has stalled"), std::string::npos) << report;
  EXPECT_NE(report.find("(main) waits for a train that does not come"), std::string::npos) << report;
  for (const std::string& refusal : {refusal_of([&] { after.get(); }), refusal_of([&] { r.call([] {}); })}) {
    EXPECT_NE(refusal.find("the runtime has ended, and its data is gone"), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("a train that does not come"), std::string::npos) << refusal;
  }
  EXPECT_FALSE(number);
  EXPECT_NE(number.failure().find("a train that does not come"), std::string::npos) << number.failure();
  r.end();
  runtime next(on_cores());
  EXPECT_EQ(next.call([] { return sum_below(100); }), 4950U);
  const auto another = next.keep([] { return 18; });
  EXPECT_EQ(another.failure(), "");
  next.end();
  EXPECT_FALSE(another);
  EXPECT_EQ(another.failure(), "");  // it was ended, nothing failed
}

// The value is destroyed when calls are refused already: another thread must not read the failure before it
// is written.
TEST_P(Runtime, AKeptValueThatStallsAtTheEndIsTheFailureOfTheOthers) {
  if (test::k_address_sanitizer)
    GTEST_SKIP() << "the fibers that wait for ever leak what they hold, as they must";
  struct waits_at_the_end {
    ~waits_at_the_end() {
      fiber::event never;
      never.wait("a boat that does not come");
    }
  };
  runtime r(on_cores());
  const auto number = r.keep([] { return 17; });
  const auto waits = r.keep([] { return waits_at_the_end(); });
  std::atomic<bool> over{false};
  std::string seen;
  std::thread reader([&] {
    while (seen.empty() && !over) seen = waits.failure();
  });
  r.end();
  over = true;
  reader.join();
  for (const std::string& failure : {waits.failure(), number.failure()})
    EXPECT_NE(failure.find("a boat that does not come"), std::string::npos) << failure;
  EXPECT_TRUE(seen.empty() || seen == waits.failure()) << seen;
}

/// Runs a loop over more indices than can ever finish, for interrupts.
void loop_for_ever(std::atomic<bool>& began) {
  local::forall_chunks(0, std::uint64_t{1} << 60, 64,
                       [at = &began](std::uint64_t, std::uint64_t) { *at = true; });
}

TEST_P(Runtime, InterruptsTheCallThatRunsAndKeepsTheData) {
  runtime r(on_cores());
  EXPECT_FALSE(r.interrupt());  // none runs
  const auto squares = r.keep([] { return scoped_array<std::uint64_t>(500); });
  r.call([&] { forall(squares->handle(), [](std::uint64_t i, std::uint64_t& cell) { cell = i * i; }); });
  for (int way = 0; way < 3; ++way) {
    std::atomic<bool> began{false};
    auto endless = r.submit([&began, way] {
      while (true) {
        began = true;
        if (way == 0) loop_for_ever(began);
        if (way == 1) forall(0, 1000, [](std::uint64_t) {});
        if (way == 2) check_interrupt();
      }
    });
    auto after = r.submit([&] { return squares->read(22); });
    wait_for(began);
    EXPECT_TRUE(r.interrupt());
    EXPECT_THROW(endless.get(), interrupted);
    EXPECT_EQ(after.get(), 484U);
  }
}

TEST_P(Runtime, CtrlCInterruptsTheRunningCallOnly) {
  ASSERT_EQ(::signal(SIGINT, SIG_DFL), SIG_DFL);
  {
    runtime r(on_cores());
    std::atomic<bool> began{false};
    auto endless = r.submit([&began] { loop_for_ever(began); });
    wait_for(began);
    ::raise(SIGINT);
    EXPECT_THROW(endless.get(), interrupted);
    EXPECT_EQ(r.call([] { return 4; }), 4);
  }
  struct sigaction now = {};
  ::sigaction(SIGINT, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

std::atomic<int> handled_by_host{0};

TEST(RuntimeInterrupts, AHandlerOfTheHostProgramStays) {
  handled_by_host = 0;
  ::signal(SIGINT, [](int) { ++handled_by_host; });
  {
    runtime r({.cores = 2});
    r.call([] { ::raise(SIGINT); });
    EXPECT_EQ(handled_by_host, 1);
  }
  ::raise(SIGINT);
  EXPECT_EQ(handled_by_host, 2);
  ::signal(SIGINT, SIG_DFL);
}

// --- processes ----------------------------------------------------------------------------------

/// Returns the exit code of a child that runs body(); -1 if a signal ended it.
template <class Body>
int child_of_fork(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(RuntimeFork, AChildIsToldThatItHasNoCores) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "it gives up where a process with threads forks and goes on";
  ::signal(SIGINT, SIG_DFL);
  auto r = std::make_unique<runtime>(job_options{.cores = 2});
  auto number = r->keep([] { return 17; });
  future<int> open;
  std::atomic<bool> go{false}, began{false};
  auto running = r->submit([&] {
    began = true;
    while (!go) fiber::scheduler::current()->yield();
    return 9;
  });
  wait_for(began);
  const int code = child_of_fork([&] {
    const auto refused = [](const std::string& what) {
      return what.find("was forked from process") != std::string::npos;
    };
    if (!refused(refusal_of([&] { r->call([] {}); }))) return 1;
    if (!refused(refusal_of([&] { running.get(); }))) return 2;
    if (!refused(refusal_of([] { runtime own({.cores = 1}); }))) return 3;
    if (!refused(refusal_of([] { run(job_options{.cores = 1}, [] {}); }))) return 4;
    if (r->interrupt()) return 5;
    number.reset();
    r.reset();
    return 0;
  });
  EXPECT_EQ(code, 0);
  const int interrupted_child = child_of_fork([] {
    ::raise(SIGINT);  // the running call is the parent's
    return 0;
  });
  EXPECT_EQ(interrupted_child, -1);
  go = true;
  EXPECT_EQ(running.get(), 9);
  EXPECT_EQ(*number, 17);
  EXPECT_EQ(r->call([] { return 3; }), 3);
}

TEST(RuntimeExit, EndsAtTheProgramsExitThoughItIsNeverDestroyed) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "death tests fork";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        auto* const r = new runtime({.cores = 2});
        (void)r->submit([] {
          forall(0, 1000, [](std::uint64_t) {});
          std::fputs("the last call\n", stderr);
        });
        std::exit(3);
      },
      ::testing::ExitedWithCode(3), "the last call");
}

TEST(RuntimeExit, MayBeCalledInsideACall) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "death tests fork";
  if (test::k_address_sanitizer) GTEST_SKIP() << "the call that exits leaks what it holds, as it must";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        runtime r({.cores = 2});
        r.call([] { std::exit(5); });
      },
      ::testing::ExitedWithCode(5), "");
}

TEST(RuntimeExit, CtrlCWhileNoCallRunsEndsTheProgram) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "death tests fork";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::signal(SIGINT, SIG_DFL);
        runtime r({.cores = 2});
        r.call([] {});
        ::raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

// --- idle ---------------------------------------------------------------------------------------

/// Computes for a given processor time on the calling thread. Returns the processor time that the other
/// threads used meanwhile.
std::uint64_t used_by_others_while_computing(std::uint64_t ns) {
  const std::uint64_t all = machine::process_cpu_ns(), mine = machine::thread_cpu_ns();
  while (machine::thread_cpu_ns() - mine < ns) {}
  const std::uint64_t own = machine::thread_cpu_ns() - mine;
  return machine::process_cpu_ns() - all - std::min(own, machine::process_cpu_ns() - all);
}

TEST_P(Runtime, UsesNoProcessorTimeBetweenCalls) {
  constexpr std::uint64_t k_ms = 1'000'000, k_computed = 100 * k_ms;
  if (test::k_thread_sanitizer) GTEST_SKIP() << "its own thread uses time";
  job_options o = on_cores();
  o.spin_us = 50;
  runtime r(o);
  r.call([] { on_all_cores([] {}); });
  const std::uint64_t idle = used_by_others_while_computing(k_computed);
  EXPECT_LT(idle, k_computed /
                      10);  // falling asleep takes 8 rounds; cores that spin would have used as much and more
  EXPECT_EQ(r.call([] { return sum_below(100); }), 4950U);  // that all cores slept was no stall
}

TEST_P(Runtime, ACallThatNeedsOneCoreWakesOneCore) {
  constexpr int k_calls = 200;
  runtime r(on_cores());
  const auto sleeps = [&r] { return r.call([] { return statistics(); }); };
  (void)sleeps();
  const auto before = sleeps();
  for (int i = 0; i < k_calls; ++i) r.call([] {});
  const auto after = sleeps();
  for (std::size_t c = 1; c < after.size(); ++c)
    EXPECT_LE(after[c].sleeps - before[c].sleeps, 10U) << "core " << c;  // for the calls that ask
}

}  // namespace
}  // namespace gossamer
