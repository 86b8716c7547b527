#include "gossamer/parallel/collective.hpp"

#include <gtest/gtest.h>

#include "gossamer/gossamer.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class Collective : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(Collective);

TEST_P(Collective, NobodyPassesABarrierBeforeAllHaveCome) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<std::atomic<int>> round;
    const auto h = round.handle();
    on_all_cores([h] {
      for (int i = 1; i <= 300; ++i) {
        h.here().store(i, std::memory_order_relaxed);
        barrier();
        for (core_id c = 0; c < cores(); ++c) ASSERT_GE(h.at(c).load(std::memory_order_relaxed), i);
        barrier();
      }
    });
  });
}

TEST_P(Collective, PlainDataIsVisibleAcrossABarrier) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<int> value;  // not atomic: the barrier orders it, and the thread sanitizer checks that
    const auto h = value.handle();
    on_all_cores([h] {
      for (int i = 0; i < 100; ++i) {
        h.here() = i;
        barrier();
        ASSERT_EQ(h.at((here() + 1) % cores()), i);
        barrier();
      }
    });
  });
}

TEST_P(Collective, ReduceScanAndBroadcastAgreeWithTheirSerialForms) {
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      const auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
      for (std::uint64_t i = 0; i < 50; ++i) {
        const std::uint64_t n = cores();
        ASSERT_EQ(all_reduce(std::uint64_t{here()} + i, plus), n * (n - 1) / 2 + i * n);
        ASSERT_EQ(exclusive_scan(std::uint64_t{here()}, std::uint64_t{100}, plus),
                  100 + here() * (here() - 1ULL) / 2);
        ASSERT_EQ(broadcast(here() * 10 + i, static_cast<core_id>(i % n)), i % n * 10 + i);
        // Not commutative: the order is that of the cores.
        ASSERT_EQ(all_reduce(std::uint64_t{here()}, [](std::uint64_t, std::uint64_t b) { return b; }), n - 1);
      }
    });
  });
}

}  // namespace
}  // namespace gossamer
