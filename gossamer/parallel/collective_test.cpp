#include "gossamer/parallel/collective.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "gossamer/gossamer.hpp"
#include "support/collectives.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class Collective : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(Collective);

constexpr barrier_algorithm k_all_algorithms[] = {barrier_algorithm::centralised,
                                                  barrier_algorithm::tournament, barrier_algorithm::tree,
                                                  barrier_algorithm::dissemination, barrier_algorithm::rcce};

void expect_all_arrived(per_core<std::atomic<int>> round, barrier_algorithm how, int i) {
  test::dawdle(i);
  round.here().store(i, std::memory_order_relaxed);
  barrier(how);
  for (core_id c = 0; c < cores(); ++c) ASSERT_GE(round.at(c).load(std::memory_order_relaxed), i);
  for (core_id c = 0; c < cores(); ++c) ASSERT_LE(round.at(c).load(std::memory_order_relaxed), i + 1);
}

TEST_P(Collective, NobodyPassesABarrierBeforeAllHaveCome) {
  for (const barrier_algorithm how : k_all_algorithms) {
    run(job_options{.cores = GetParam()}, [how] {
      scoped_per_core<std::atomic<int>> round;
      on_all_cores([h = round.handle(), how] {
        for (int i = 1; i <= 300; ++i) expect_all_arrived(h, how, i);
      });
    });
  }
}

TEST_P(Collective, BarriersOfSeveralAlgorithmsFollowOneAnother) {
  run(job_options{.cores = GetParam()}, [] {
    scoped_per_core<std::atomic<int>> round;
    on_all_cores([h = round.handle()] {
      for (int i = 1; i <= 500; ++i)
        expect_all_arrived(h, k_all_algorithms[hash64(i) % std::size(k_all_algorithms)], i);
    });
  });
}

TEST_P(Collective, PlainDataIsVisibleAcrossABarrier) {
  for (const barrier_algorithm how : k_all_algorithms) {
    run(job_options{.cores = GetParam(), .barrier = how}, [] {
      scoped_per_core<int> value;  // not atomic: the barrier orders it, and the thread sanitizer checks that
      const auto h = value.handle();
      on_all_cores([h] {
        for (int i = 0; i < 100; ++i) {
          test::dawdle(i);
          h.here() = i;
          barrier();
          for (core_id c = 0; c < cores(); ++c) ASSERT_EQ(h.at(c), i);
          barrier();
        }
      });
    });
  }
}

TEST_P(Collective, TheCoreWorksOnWhileAFiberWaitsAtABarrier) {
  for (const barrier_algorithm how : k_all_algorithms) {
    run(job_options{.cores = GetParam(), .barrier = how}, [] {
      on_all_cores([] {
        if (here() != 0) return barrier();
        for (core_id c = 1; c < cores(); ++c)
          for (int i = 0; i < 20; ++i) ASSERT_EQ(call_on(c, [] { return here(); }), c);
        barrier();
      });
    });
  }
}

TEST_P(Collective, TruthValuesAreCollected) {
  run(job_options{.cores = GetParam()}, [] {
    const scoped_per_core<bool> odd;
    on_all_cores([odd = odd.handle()] { odd.here() = here() % 2 != 0; });
    const std::vector<bool> all = collect(odd.handle(), [](bool& mine) { return mine; });
    ASSERT_EQ(all.size(), cores());
    for (core_id c = 0; c < cores(); ++c) EXPECT_EQ(all[c], c % 2 != 0);
    EXPECT_EQ(odd.fold(0U, [](unsigned n, bool mine) { return n + mine; }), cores() / 2);
  });
}

TEST_P(Collective, ValuesAgreeWithTheirSerialForms) {
  for (const barrier_algorithm how : k_all_algorithms)
    run(job_options{.cores = GetParam(), .barrier = how},
        [] { on_all_cores([] { test::check(test::values_agree(40)); }); });
}

TEST_P(Collective, EveryCoreGetsTheSameBits) {
  for (const std::uint64_t seed : test::seeds(4))
    run(job_options{.cores = GetParam()},
        [seed] { on_all_cores([seed] { test::check(test::bits_agree(seed, 50)); }); });
}

TEST_P(Collective, SpansAgreeWithTheirSerialForms) {
  for (const std::uint64_t seed : test::seeds(8))
    run(job_options{.cores = GetParam()},
        [seed] { on_all_cores([seed] { test::check(test::spans_agree(seed)); }); });
}

TEST_P(Collective, SpansOfDifferentLengthsAreRefusedOnEveryCore) {
  if (GetParam() == 1) return;
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      std::vector<int> data(here() == 1 ? 3 : 4), whole(6);
      const std::vector<std::size_t> counts(cores(), here() == 1 ? 7 : 0);
      EXPECT_THROW(broadcast(std::span(data), 0), error);
      EXPECT_THROW((void)all_to_all(std::span(whole).first(0), counts), error);
      ASSERT_EQ(broadcast(here() + 1, 0), 1U);  // the barrier still works
    });
  });
}

TEST_P(Collective, CountsWhoseSumWrapsAreRefused) {
  if (GetParam() == 1) return;
  run(job_options{.cores = GetParam()}, [] {
    on_all_cores([] {
      std::vector<int> data(4);
      std::vector<std::size_t> counts(cores(), 0);
      counts[0] = ~std::size_t{0};
      counts[1] = 5;
      EXPECT_THROW((void)all_to_all(std::span(data), counts), error);
      ASSERT_EQ(broadcast(here() + 1, 0), 1U);
    });
  });
}

TEST(BarrierOptions, AnAlgorithmThatIsNoneIsRefused) {
  ::setenv("GOSSAMER_BARRIER", "tree", 1);
  EXPECT_EQ(job_options::from_environment().barrier, barrier_algorithm::tree);
  ::setenv("GOSSAMER_BARRIER", "hedge", 1);
  EXPECT_THROW((void)job_options::from_environment(), error);
  ::unsetenv("GOSSAMER_BARRIER");
}

}  // namespace
}  // namespace gossamer
