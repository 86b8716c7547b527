#include "gossamer/message/delegate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/message/internal/remote_failure.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class Delegate : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(Delegate);

TEST_P(Delegate, CallRunsThereAndBringsTheAnswerBack) {
  run(job_options{.cores = GetParam()}, [] {
    for (core_id c = 0; c < cores(); ++c) {
      EXPECT_EQ(call_on(c, [] { return here(); }), c);
      call_on(c, [] {});  // nothing to bring back
    }
    EXPECT_EQ(here(), 0U);
  });
}

TEST_P(Delegate, ExceptionsOfACallTravelBack) {
  run(job_options{.cores = GetParam()}, [] {
    const core_id last = cores() - 1;
    EXPECT_THROW(call_on(last, []() -> int { throw std::out_of_range("there"); }), std::out_of_range);
    EXPECT_EQ(call_on(last, [] { return 7; }), 7);  // and the core goes on
  });
}

TEST(FailureText, OfALongExceptionKeepsBothEnds) {
  const auto described = [](const std::string& what) {
    return std::string(message::describe(std::make_exception_ptr(error(what))).text);
  };
  EXPECT_EQ(described("short"), "short");
  const std::string text =
      described("data/" + std::string(4000, 'x') + ".csv:7: expected two ids, found \"a\"");
  EXPECT_EQ(text.size(), sizeof(message::failure_text::text) - 1);
  EXPECT_TRUE(text.starts_with("data/xxx")) << text;
  EXPECT_TRUE(text.ends_with("xxx.csv:7: expected two ids, found \"a\"")) << text;
}

std::atomic<std::uint64_t> of_functions{0};
void add_one() { of_functions += 1; }
void add_bytes(std::span<const std::byte> payload) { of_functions += payload.size(); }

TEST_P(Delegate, FunctionsAreShippedAsTheirAddresses) {
  of_functions = 0;
  run(job_options{.cores = GetParam()}, [] {
    const std::vector<std::byte> few(10), many(100'000);
    finish([&] {
      async_on(cores() - 1, add_one);
      async_on(cores() - 1, add_bytes, few);
      async_on(cores() - 1, add_bytes, many);
    });
  });
  EXPECT_EQ(of_functions, 100'011U);
}

TEST_P(Delegate, AsyncsOfManyTypesAllRunOnce) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<std::array<std::uint64_t, 3>> sums;
    const auto h = sums.handle();
    on_all_cores([h] {
      for (std::uint64_t i = 0; i < 5000; ++i) {
        const core_id to = static_cast<core_id>(hash64(i) % cores());
        switch (i % 3) {
          case 0:
            async_on(to, [h] { h.here()[0] += 1; });
            break;
          case 1:
            async_on(to, [h, i] { h.here()[1] += i; });
            break;
          default:
            async_on(to, [h, a = i, b = 2 * i, c = 3.0] { h.here()[2] += b - a + (c > 4); });
        }
      }
    });
    std::array<std::uint64_t, 3> total{};
    for (core_id c = 0; c < cores(); ++c)
      for (std::size_t k = 0; k < 3; ++k) total[k] += h.at(c)[k];
    std::array<std::uint64_t, 3> expected{};
    for (std::uint64_t i = 0; i < 5000; ++i) expected[i % 3] += i % 3 == 0 ? 1 : i;
    for (auto& e : expected) e *= cores();
    EXPECT_EQ(total, expected);
  });
}

TEST_P(Delegate, AnExceptionOfAnAsyncArrivesAtItsCompletionAndLosesNoOther) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<int> ran;
    const auto h = ran.handle();
    const core_id to = cores() - 1;
    EXPECT_THROW(finish([h, to] {
                   for (int i = 0; i < 100; ++i)
                     async_on(to, [h, i] {
                       if (i == 40) throw std::runtime_error("forty");
                       ++h.here();
                     });
                 }),
                 std::runtime_error);
    EXPECT_EQ(h.at(to), 99);
  });
}

// All cores call all cores, from many fibers, with few packets: replies must always find room.
TEST_P(Delegate, CallsInAllDirectionsDoNotDeadlockWithFewPackets) {
  run(job_options{.cores = GetParam(), .packet_bytes = 2048, .packets = 1}, [] {
    scoped_per_core<std::uint64_t> sums;
    const auto h = sums.handle();
    on_all_cores([h] {
      for (int fiber = 0; fiber < 200; ++fiber)
        spawn([h] {
          for (unsigned i = 0; i < 20; ++i) {
            const core_id to = (here() + i) % cores();
            struct wide {
              std::uint64_t words[60];
            };
            const auto answer = call_on(to, [i] { return wide{{i}}; });
            h.here() += answer.words[0];
          }
        });
    });
    EXPECT_EQ(sums.fold(std::uint64_t{0}, std::plus<>{}), std::uint64_t{200} * 190 * cores());
  });
}

// More records than all packets and lanes hold: senders have to wait, and do.
TEST_P(Delegate, SendersWaitWhereTheDestinationIsSlow) {
  run(job_options{.cores = GetParam(), .packet_bytes = 2048, .packets = 2}, [] {
    scoped_per_core<std::uint64_t> seen;
    const auto h = seen.handle();
    on_all_cores([h] {
      for (std::uint64_t i = 0; i < 50'000; ++i) async_on(0, [h] { ++h.here(); });
    });
    EXPECT_EQ(h.at(0), 50'000U * cores());
  });
}

TEST_P(Delegate, AHandlerMaySpawnTasksUnderTheSameCompletion) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<int> reached;
    const auto h = reached.handle();
    finish([h] {
      for (core_id c = 0; c < cores(); ++c)
        async_on(c, [h] {
          spawn([h] {  // a task may do what a handler may not: ship on, and wait
            const core_id next = (here() + 1) % cores();
            async_on(next, [h] { ++h.here(); });
            call_on(next, [h] { ++h.here(); });
          });
        });
    });
    EXPECT_EQ(reached.fold(0, std::plus<>{}), static_cast<int>(2 * cores()));
  });
}

TEST(Endpoint, CountsPacketsThatAreFull) {
  run(job_options{.cores = 2, .packet_bytes = 4096}, [] {
    finish([] {
      for (int i = 0; i < 10'000; ++i) async_on(1, [] {});
    });
    const auto stats = statistics();
    EXPECT_EQ(stats[0].messages >= 10'000, true);
    EXPECT_GE(stats[0].flush_full, 2U);
    EXPECT_GE(stats[0].flush_request + stats[0].flush_idle, 1U);
    EXPECT_GE(stats[0].packet_room, stats[0].bytes);
  });
}

// A run counts its records in 16 bits; the largest packet has room for more.
TEST(DelegateOfProcesses, AsManySmallRecordsAsALargePacketHoldsAllRun) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  job_options o;
  o.wire_packet_bytes = 1 << 20;
  o.simulate = simulation::options::parse("processes=2 cores=1");
  run(o, [] {
    constexpr std::uint64_t k_records = 200'000;
    scoped_per_core<std::uint64_t> count;
    const auto h = count.handle();
    finish([h] {
      for (std::uint64_t i = 0; i < k_records; ++i) async_on(1, [h] { ++h.here(); });
    });
    EXPECT_EQ(call_on(1, [h] { return h.here(); }), k_records);
  });
}

TEST(Registry, NumbersEveryHandlerAndDigestsThem) {
  message::freeze_registry();
  const auto digest = message::registry_digest();
  message::freeze_registry();
  EXPECT_EQ(message::registry_digest(), digest);
  auto f = [] {};
  using record = message::async_record<decltype(f)>;
  const std::uint16_t id = message::handler<record>::entry.id;
  EXPECT_NE(id, 0);
  EXPECT_EQ(message::handler_function(id), &message::run_records<record>);
}

#if defined(GOSSAMER_CHECKS) && GOSSAMER_CHECKS
TEST(CaptureDeathTest, AddressesOfFiberStacksAreNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(run(job_options{.cores = 1},
                   [] {
                     int local = 0;
                     finish([&local] { async_on(0, [p = &local] { ++*p; }); });
                   }),
               "captures the address of a variable on a fiber's stack");
}

TEST(Captures, WhatLooksLikeAnAddressOnAnotherStackIsTaken) {
  run(job_options{.cores = 1}, [] {
    std::uintptr_t elsewhere = 0;
    start([&elsewhere] {
      const int local = 0;
      elsewhere = reinterpret_cast<std::uintptr_t>(&local);
      EXPECT_NE(elsewhere, 0);
    }).join();
    EXPECT_EQ(call_on(0, [elsewhere] { return elsewhere; }), elsewhere);
  });
}
#endif

TEST(HandlerDeathTest, IssuingARequestFromAHandlerIsABugWithAName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(run(job_options{.cores = 1}, [] { finish([] { async_on(0, [] { async_on(0, [] {}); }); }); }),
               "spawn a task");
}

// Packets for the own core are run on the stack of the fiber that fills them.
TEST(HandlerDeathTest, SuspendingOrYieldingInAHandlerOnAFibersStackIsABugWithItsName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run_here = [](auto f) {
    run(job_options{.cores = 1}, [f] {
      finish([f] {
        async_on(0, f);
        message::endpoint::here().flush();
      });
    });
  };
  EXPECT_DEATH(run_here([] { fiber::scheduler::current()->suspend("nothing"); }),
               "a handler cannot.*\n.*core 0, handler .*async_record");
  EXPECT_DEATH(run_here([] { fiber::scheduler::current()->yield(); }), "only a fiber can yield");
  EXPECT_DEATH(run_here([] {
                 char byte;
                 (void)receive(0, 1, std::as_writable_bytes(std::span(&byte, 1)));
               }),
               "only a fiber can receive");
  EXPECT_DEATH(run(job_options{.cores = 1},
                   [] {
                     static char byte;
                     static request r;
                     ireceive(r, 0, 1, std::as_writable_bytes(std::span(&byte, 1)));
                     finish([] {
                       async_on(0, [] { r.wait(); });
                       message::endpoint::here().flush();
                     });
                   }),
               "only a fiber can suspend");
}

}  // namespace
}  // namespace gossamer
