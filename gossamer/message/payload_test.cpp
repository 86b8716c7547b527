#include "gossamer/message/payload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "support/sanitizers.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class Payload : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(Payload);

std::vector<std::byte> pattern(std::size_t n, std::uint64_t seed) {
  std::vector<std::byte> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<std::byte>(hash64(seed, i / 8) >> (i % 8 * 8));
  return all;
}

bool is_pattern(std::span<const std::byte> found, std::size_t n, std::uint64_t seed) {
  return std::ranges::equal(found, pattern(n, seed));
}

TEST_P(Payload, OfAnySizeArrivesWhole) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<int> right;
    const auto h = right.handle();
    const std::size_t half = message::endpoint::here().record_room() / 2;
    on_all_cores([h, half] {
      const core_id to = (here() + 1) % cores();
      for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, half - 40,
                                  half - 16, half, half + 1, std::size_t{8192}, std::size_t{1} << 20}) {
        const std::uint64_t seed = n + here();
        async_on(
            to,
            [h, n, seed](std::span<const std::byte> payload) {
              h.here() += is_pattern(payload, n, seed);
              EXPECT_EQ(reinterpret_cast<std::uintptr_t>(payload.data()) % 8, 0U);
            },
            pattern(n, seed));
      }
    });
    for (core_id c = 0; c < cores(); ++c) EXPECT_EQ(h.at(c), 10) << "core " << c;
  });
}

TEST_P(Payload, OfManySizesMixedWithOtherMessagesAllArriveOnce) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    run(job_options{.cores = GetParam(), .packet_bytes = 2048, .packets = 2}, [seed] {
      struct seen {
        std::uint64_t messages, bytes, wrong, plain;
      };
      scoped_per_core<seen> all;
      const auto h = all.handle();
      scoped_per_core<std::uint64_t> sent;
      const auto s = sent.handle();
      on_all_cores([h, s, seed] {
        xoshiro256 random(seed * 100 + here());
        for (int i = 0; i < 2000; ++i) {
          const core_id to = static_cast<core_id>(bounded(random, cores()));
          const std::size_t n = bounded(random, bounded(random, 20) == 0 ? 5000 : 200);
          s.here() += n;
          async_on(
              to,
              [h, i](std::span<const std::byte> payload) {
                ++h.here().messages;
                h.here().bytes += payload.size();
                h.here().wrong += !is_pattern(payload, payload.size(), static_cast<std::uint64_t>(i));
              },
              pattern(n, static_cast<std::uint64_t>(i)));
          if (i % 3 == 0) async_on(to, [h] { ++h.here().plain; });
        }
      });
      const auto total = all.fold(seen{}, [](seen a, const seen& b) {
        return seen{a.messages + b.messages, a.bytes + b.bytes, a.wrong + b.wrong, a.plain + b.plain};
      });
      EXPECT_EQ(total.messages, 2000U * cores());
      EXPECT_EQ(total.plain, 667U * cores());
      EXPECT_EQ(total.wrong, 0U);
      EXPECT_EQ(total.bytes, sent.fold(std::uint64_t{0}, std::plus<>{}));
    });
  }
}

TEST_P(Payload, AnExceptionArrivesAtTheCompletionAndLosesNoOther) {
  for (const std::size_t n : {100, 50'000}) {
    run(job_options{.cores = GetParam(), .payload_bytes_in_flight = 200'000}, [n] {
      scoped_per_core<int> ran;
      const auto h = ran.handle();
      const core_id to = cores() - 1;
      EXPECT_THROW(finish([h, to, n] {
                     const std::vector<std::byte> bytes(n);
                     for (int i = 0; i < 40; ++i)
                       async_on(
                           to,
                           [h, i](std::span<const std::byte>) {
                             if (i % 5 == 4) throw std::runtime_error("every fifth");
                             ++h.here();
                           },
                           bytes);
                   }),
                   std::runtime_error);
      EXPECT_EQ(h.at(to), 32);
      EXPECT_EQ(message::endpoint::here().payloads().in_flight(), 0U);
    });
  }
}

TEST_P(Payload, HandedOverByAddressIsBounded) {
  constexpr std::size_t k_limit = 100'000;
  run(job_options{.cores = GetParam(), .payload_bytes_in_flight = k_limit}, [] {
    scoped_per_core<std::uint64_t> bytes;
    const auto h = bytes.handle();
    on_all_cores([h] {
      for (int fiber = 0; fiber < 4; ++fiber)
        spawn([h] {
          const std::vector<std::byte> some(30'000), more(3 * k_limit);  // one may be larger than the limit
          for (unsigned i = 0; i < 30; ++i) {
            const auto& payload = i == 20 ? more : some;
            async_on((here() + i) % cores(), [h](std::span<const std::byte> p) { h.here() += p.size(); },
                     payload);
            const std::size_t payload_bytes_in_flight = message::endpoint::here().payloads().in_flight();
            EXPECT_TRUE(payload_bytes_in_flight <= k_limit || payload_bytes_in_flight == more.size())
                << payload_bytes_in_flight;
          }
        });
    });
    EXPECT_EQ(bytes.fold(std::uint64_t{0}, std::plus<>{}), cores() * 4U * (29 * 30'000 + 3 * k_limit));
  });
}

/// Calls of every core to every core, with bytes of many sizes.
void call_with_bytes() {
  on_all_cores([] {
    const std::size_t room = message::endpoint::here().record_room();
    for (core_id to = 0; to < cores(); ++to) {
      for (const std::size_t n :
           {std::size_t{0}, std::size_t{1}, std::size_t{900}, room / 2, room, std::size_t{100'000}}) {
        const std::uint64_t seed = n * cores() + here();
        const std::size_t right = call_on(
            to,
            [n, seed, to](std::span<const std::byte> payload) {
              return is_pattern(payload, n, seed) && here() == to ? payload.size() : ~std::size_t{0};
            },
            pattern(n, seed));
        EXPECT_EQ(right, n);
      }
      try {
        (void)call_on(
            to,
            [](std::span<const std::byte> payload) -> std::size_t {
              throw std::runtime_error("with " + std::to_string(payload.size()) + " bytes");
            },
            pattern(5000, 1));
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::exception& e) {
        EXPECT_NE(std::string(e.what()).find("with 5000 bytes"), std::string::npos) << e.what();
      }
    }
  });
}

TEST_P(Payload, OfACallIsAnswered) { run(job_options{.cores = GetParam()}, &call_with_bytes); }

TEST(PayloadOfProcesses, OfACallIsAnswered) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  for (const char* where : {"processes=2 seed=1", "processes=3 seed=2 faults=all"}) {
    job_options o;
    o.cores = 2;
    o.simulate = simulation::options::parse(where);
    run(o, &call_with_bytes);
  }
}

// What has no memory when it begins is not put together of what came later.
TEST(Assembly, APayloadWithoutMemoryIsDropped) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer)
    GTEST_SKIP() << "the sanitizers end the program rather than say that there is no memory";
  message::assembly_table table;
  const std::vector<std::byte> chunk(64);
  constexpr std::uint64_t k_too_many = std::uint64_t{1} << 62;
  EXPECT_THROW((void)table.add(1, 0, k_too_many, 0, chunk.data(), 64), std::bad_alloc);
  EXPECT_EQ(table.add(1, 0, k_too_many, 64, chunk.data(), 64), nullptr);
  EXPECT_EQ(table.add(1, 0, k_too_many, k_too_many - 64, chunk.data(), 64), nullptr);  // the last one
  EXPECT_EQ(table.add(1, 1, 128, 0, chunk.data(), 64), nullptr);
  EXPECT_NE(table.add(1, 1, 128, 64, chunk.data(), 64), nullptr);
}

TEST_P(Payload, WithoutMemoryLeavesRoomForOthers) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer)
    GTEST_SKIP() << "the sanitizers end the program rather than say that there is no memory";
  run(job_options{.cores = GetParam()}, [] {
    const core_id to = cores() - 1;
    const std::vector<std::byte> some(100'000);
    const auto ship = [&some, to](std::size_t bytes) {  // those of the larger one are never looked at
      async_on(to, [](std::span<const std::byte>) {}, std::span(some.data(), bytes));
    };
    EXPECT_THROW(finish([&] { ship(std::size_t{1} << 62); }), std::bad_alloc);
    ASSERT_EQ(message::endpoint::here().payloads().in_flight(), 0U);
    finish([&] { ship(some.size()); });
    EXPECT_EQ(message::endpoint::here().payloads().in_flight(), 0U);
  });
}

TEST(PayloadRuns, SizesOfAboutTheSameFormOneRun) {
  run(job_options{.cores = 2}, [] {
    const auto before = message::endpoint::here().count();
    finish([] {
      for (std::size_t i = 0; i < 1000; ++i)
        async_on(1, [](std::span<const std::byte>) {}, pattern(57 + i % 8, i));
    });
    const auto after = message::endpoint::here().count();
    EXPECT_GE(after.messages - before.messages, 1000U);
    EXPECT_LE(after.runs - before.runs, 30U);  // one a packet
  });
}

}  // namespace
}  // namespace gossamer
