// Stress cases: all fibers wait, all cores send at full rate, the pool is empty, many more cores than
// processors. Sizes shrink under the sanitizers; GOSSAMER_SOAK multiplies the long ones.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/memory.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

constexpr bool k_sanitized = test::k_thread_sanitizer || test::k_address_sanitizer;

std::uint64_t soak(std::uint64_t n) {
  const char* factor = std::getenv("GOSSAMER_SOAK");
  return (k_sanitized ? n / 8 : n) * (factor != nullptr ? std::strtoull(factor, nullptr, 10) : 1);
}

std::size_t many_fibers() {
  if (test::k_thread_sanitizer) return 1'000;  // its limit is 8,128 at once
  if (test::k_address_sanitizer) return 20'000;
  return machine::available_memory() > (std::uint64_t{8} << 30) ? 1'000'000 : 100'000;
}

TEST(HardCases, AMillionFibersWaitAndAreAllWokenFromAnotherCore) {
  const std::size_t n = many_fibers();
  run(job_options{.cores = 2, .small_stack_bytes = 4 << 10, .small_fibers = n}, [n] {
    std::vector<fiber::fiber*> waiting(n);
    std::vector<joinable<void>> all;
    all.reserve(n);
    std::size_t asleep = 0, woken = 0;
    for (std::size_t i = 0; i < n; ++i)
      all.push_back(start(
          [&, i] {
            auto& core = *fiber::scheduler::current();
            waiting[i] = core.running();
            ++asleep;
            core.suspend("to be woken from core 1");
            ++woken;
          },
          stack_class::small));
    while (asleep < n) yield();
    on_core(1, [who = waiting.data(), n] {
      for (std::size_t i = 0; i < n; ++i) who[i]->home->wake_from_anywhere(*who[i]);
    });
    for (auto& f : all) f.join();
    EXPECT_EQ(woken, n);
  });
}

TEST(HardCases, FibersAreDealtOutToAllCoresAndJoinedThere) {
  constexpr std::size_t k_each = test::k_thread_sanitizer ? 200 : 5'000;
  run(job_options{.cores = 4}, [] {
    scoped_per_core<std::size_t> sum;
    on_all_cores([sum = sum.handle()] {
      std::vector<joinable<std::size_t>> mine;
      for (std::size_t i = here(); i < k_each * cores(); i += cores())
        mine.push_back(
            start([i] { return call_on((here() + 1) % cores(), [i] { return i; }); }, stack_class::small));
      for (auto& f : mine) sum.here() += f.join();
    });
    const std::size_t n = k_each * cores();
    EXPECT_EQ(sum.fold(std::size_t{0}, [](std::size_t a, std::size_t b) { return a + b; }), n * (n - 1) / 2);
  });
}

TEST(HardCases, SmallFibersOfAllCoresSendAndReceive) {
  constexpr std::uint64_t k_fibers = test::k_thread_sanitizer ? 100 : 5'000;
  run(job_options{.cores = 3}, [] {
    on_all_cores([] {
      const core_id next = (here() + 1) % cores(), before = (here() + cores() - 1) % cores();
      std::vector<joinable<std::uint64_t>> all;
      for (std::uint64_t tag = 0; tag < k_fibers; ++tag)
        all.push_back(start(
            [=] {
              send_value(next, tag, tag + here());
              return receive_value<std::uint64_t>(before, tag);
            },
            stack_class::small));
      for (std::uint64_t tag = 0; tag < k_fibers; ++tag) EXPECT_EQ(all[tag].join(), tag + before);
    });
  });
}

TEST(HardCases, SmallFibersThrowAndCatch) {
  run(job_options{.cores = 1}, [] {
    for (int i = 0; i < 3; ++i) {
      auto f = start([i]() -> int { throw std::runtime_error(std::to_string(i)); }, stack_class::small);
      EXPECT_THROW(f.join(), std::runtime_error);
    }
  });
}

/// The smallest resources: two more request packets than cores, the smallest packets.
job_options scarce(unsigned cores) { return {.cores = cores, .packet_bytes = 2048, .packets = 1}; }

struct wide_answer {
  std::uint64_t words[60];
};

class HardCasesOn : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(HardCasesOn);

TEST_P(HardCasesOn, FloodsOfRequestsWhoseAnswersFloodBackEndInBoundedMemory) {
  run(scarce(GetParam()), [] {
    scoped_per_core<std::uint64_t> wrong;
    on_all_cores([wrong = wrong.handle()] {
      std::vector<joinable<void>> fibers;
      for (std::uint64_t f = 0; f < (test::k_thread_sanitizer ? 100 : 500); ++f)
        fibers.push_back(start([f, wrong] {
          for (std::uint64_t i = 0; i < 20; ++i) {
            const wide_answer a = call_on(static_cast<core_id>((f + i) % cores()), [f, i] {
              wide_answer w{};
              for (auto& word : w.words) word = f * 100 + i;
              return w;
            });
            for (std::uint64_t word : a.words)
              if (word != f * 100 + i) ++wrong.here();
          }
        }));
    });
    EXPECT_EQ(wrong.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; }), 0U);
  });
}

TEST_P(HardCasesOn, HandlersAnswerWhileAllRequestPacketsAreGone) {
  run(scarce(GetParam()), [] {
    scoped_array<std::uint64_t> cells(64 * cores());
    const array<std::uint64_t> all = cells.handle();
    finish([all] {
      on_all_cores([all] {
        for (int f = 0; f < 8; ++f)  // these exhaust the packets by endless requests
          spawn([all] {
            for (std::uint64_t i = 0; i < 5'000; ++i)
              all.async(i % all.size(), [](std::uint64_t& c) { ++c; });
          });
        for (int f = 0; f < 8; ++f)
          spawn([all] {
            for (std::uint64_t i = 0; i < 100; ++i) (void)all.read(i * 7 % all.size());
          });
      });
    });
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < all.size(); ++i) sum += all.read(i);
    EXPECT_EQ(sum, 8 * 5'000 * std::uint64_t{cores()});
  });
}

TEST(HardCases, AnExceptionComesBackThroughNestedVisitsOfThreeCores) {
  run(job_options{.cores = 3}, [] {
    EXPECT_EQ(on_core(1, [] { return on_core(2, [] { return on_core(0, [] { return here() + 7; }); }); }),
              7U);
    try {
      on_core(1, [] {
        on_core(2, [] {
          on_core(0, [] { throw std::runtime_error("thrown on core " + std::to_string(here())); });
        });
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "thrown on core 0");
    }
    EXPECT_THROW(on_core(1, [] { call_on(2, [] { throw std::logic_error("in a handler"); }); }),
                 std::logic_error);
  });
}

TEST(HardCases, WithoutAggregationEveryRecordHasItsPacketAndArrives) {
  run(job_options{.cores = 2, .aggregate = false}, [] {
    scoped_array<std::uint64_t> cells(2);
    const array<std::uint64_t> both = cells.handle();
    const std::uint64_t before = message::endpoint::here().count().packets;
    finish([both] {
      for (int i = 0; i < 1000; ++i) both.async(1, [](std::uint64_t& c) { ++c; });
    });
    EXPECT_EQ(both.read(1), 1000U);
    EXPECT_GE(message::endpoint::here().count().packets - before, 1000U);
  });
}

// Sixteen cores on any number of processors: updates, calls, messages, stolen tasks and barriers at once.
TEST(HardCases, SixteenCoresDoEverythingAtOnce) {
  const std::uint64_t rounds = soak(400);  // GOSSAMER_SOAK=260: a minute
  run(job_options{.cores = 16}, [rounds] {
    scoped_array<std::uint64_t> table(1 << 12);
    const array<std::uint64_t> cells = table.handle();
    scoped_per_core<std::uint64_t> stolen;
    for (std::uint64_t r = 0; r < rounds; ++r)
      on_all_cores([cells, r, stolen = stolen.handle()] {
        const core_id next = (here() + 1) % cores(), previous = (here() + cores() - 1) % cores();
        for (std::uint64_t i = 0; i < 2'000; ++i)
          cells.async((i * 31 + here()) % cells.size(), [](std::uint64_t& c) { ++c; });
        for (int t = 0; t < 20; ++t) spawn_stealable([stolen] { ++stolen.here(); });
        send_value(next, r, here());
        EXPECT_EQ(receive_value<core_id>(previous, r), previous);
        for (int i = 0; i < 20; ++i)
          EXPECT_EQ(call_on(static_cast<core_id>(i) % cores(), [] { return here(); }),
                    static_cast<core_id>(i) % cores());
        barrier();
      });
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < cells.size(); ++i) sum += cells.read(i);
    EXPECT_EQ(sum, rounds * 16 * 2'000);
    EXPECT_EQ(stolen.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; }),
              rounds * 16 * 20);
  });
}

// Worker fibers that have run tasks are idle: starting a fiber reuses them.
TEST(HardCases, ManyTasksAtOnceLeaveTheirFibersToOthers) {
  run(job_options{.cores = 1, .fibers = 16}, [] {
    for (int round = 0; round < 3; ++round) {
      std::uint64_t ended = 0;
      auto go = std::make_unique<fiber::event>();
      finish([&ended, e = go.get()] {
        for (int i = 0; i < 100; ++i)
          spawn([&ended, e] {
            e->wait();
            ++ended;
          });
        while (statistics()[0].fibers_peak < 16) yield();
        e->set();
      });
      EXPECT_EQ(ended, 100U);
      std::vector<joinable<int>> all;
      for (int i = 0; i < 14; ++i)
        all.push_back(start([i] {
          yield();
          return i;
        }));
      for (int i = 0; i < 14; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)].join(), i);
    }
  });
}

TEST(HardCases, AnIdleJobUsesNoProcessor) {
  const auto processor_seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  run(job_options{.cores = 8}, [&] {
    on_all_cores([] {});
    const double before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::seconds(1));  // core 0 is blocked; the others are idle
    EXPECT_LT(processor_seconds() - before, 0.01);
  });
}

[[gnu::noinline]] int dig(int depth) {
  volatile char room[256];
  for (auto& byte : room) byte = static_cast<char>(depth);
  return depth == 0 ? room[0] : dig(depth - 1) + room[0];
}

TEST(HardCasesDeathTest, AFiberThatOverflowsASmallStackIsNamed) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizers report the overflow in their own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(run(job_options{.cores = 1, .small_stack_bytes = 4 << 10},
                   [] {
                     auto neighbour = start([] { yield(); }, stack_class::small);
                     start([] { return dig(100); }, stack_class::small).join();
                   }),
               "stack overflow on core 0, fiber [0-9]+ \\(task .*its stack has 8 KiB");
}

TEST(HardCases, TheDeepestUseOfAStackIsReported) {
  if (k_sanitized) GTEST_SKIP() << "frames are larger under the sanitizers";
  run(job_options{.cores = 1}, [] {
    const auto deepest = [] { return statistics()[0].stack_deepest; };
    finish([] { spawn([] {}); });
    const std::uint64_t shallow = deepest();
    on_core(0, [] {  // on a separate fiber: main's large stack could run what finish() spawns
      volatile char room[20'000];
      for (auto& byte : room) byte = 1;
    });
    EXPECT_LT(shallow, 10'000U);
    EXPECT_GT(deepest(), 20'000U);
    EXPECT_LT(deepest(), 40'000U);
  });
}

// One packet has a message, whose fiber then computes for long, and a call. The call is answered first.
TEST(HardCases, AnAnswerLeavesBeforeAFiberThatIsWokenComputes) {
  static std::atomic<unsigned> answered;
  constexpr unsigned k_rounds = 50;
  static constexpr std::uint64_t k_patience = std::uint64_t{1} << 30;
  answered = 0;
  run(job_options{.cores = 2, .spin_us = 1'000'000}, [] {
    on_all_cores([] {
      for (unsigned round = 1; round <= k_rounds; ++round) {
        barrier();
        if (here() == 1) {
          (void)receive_value<unsigned>(0, 5);
          std::uint64_t turns = 0;
          while (answered.load(std::memory_order_acquire) < round && ++turns < k_patience)
            machine::cpu_relax();
          ASSERT_LT(turns, k_patience) << "round " << round;
        } else {
          send_value(1, 5, round);
          (void)call_on(1, [] { return message::endpoint::here().request_flush(), true; });
          answered.store(round, std::memory_order_release);
        }
      }
    });
  });
}

}  // namespace
}  // namespace gossamer
