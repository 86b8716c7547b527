#include "gossamer/host/runtime.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

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
  EXPECT_THROW(r.call([] { forall(0, 100, [](std::uint64_t i) { i == 70 ? throw std::domain_error("in a loop") : void(); }); }),
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

}  // namespace
}  // namespace gossamer
