// Barriers and collectives of a job of several processes: every process runs this program (under mpirun, with
// GOSSAMER_CORES), the tests' main fibers run in process 0. Where started alone it is a job of one process.

#include "gossamer/parallel/collective.hpp"

#include <gtest/gtest.h>

#include "gossamer/gossamer.hpp"
#include "support/collectives.hpp"

namespace gossamer {
namespace {

constexpr barrier_algorithm k_all_algorithms[] = {barrier_algorithm::centralised,
                                                  barrier_algorithm::tournament, barrier_algorithm::tree,
                                                  barrier_algorithm::dissemination, barrier_algorithm::rcce};
constexpr std::size_t k_algorithms_known = std::size(k_all_algorithms);

job_options with(barrier_algorithm how) {
  job_options o = job_options::from_environment();
  o.barrier = how;
  return o;
}

TEST(CollectiveOfProcesses, NobodyPassesABarrierBeforeAllHaveCome) {
  run(job_options::from_environment(), [] {
    scoped_per_core<std::uint64_t> counter;  // core 0's counts all arrivals
    on_all_cores([h = counter.handle()] {
      for (std::uint64_t i = 1; i <= 200; ++i) {
        test::dawdle(i);
        call_on(0, [h] { ++h.here(); });
        barrier(k_all_algorithms[(i <= 100 ? i / 20 : hash64(i)) % k_algorithms_known]);
        const std::uint64_t come = call_on(0, [h] { return h.here(); });
        GOSSAMER_ASSERT(come >= i * cores() && come <= (i + 1) * cores(), "somebody passed a barrier early");
      }
    });
    EXPECT_EQ(counter.here(), 200 * cores());
  });
}

TEST(CollectiveOfProcesses, ValuesAgreeWithTheirSerialForms) {
  for (const barrier_algorithm how : k_all_algorithms)
    run(with(how), [] { on_all_cores([] { test::check(test::values_agree(20)); }); });
}

TEST(CollectiveOfProcesses, EveryCoreGetsTheSameBits) {
  run(job_options::from_environment(), [] {
    for (const std::uint64_t seed : test::seeds(2))
      on_all_cores([seed] { test::check(test::bits_agree(seed, 20)); });
  });
}

TEST(CollectiveOfProcesses, SpansAgreeWithTheirSerialForms) {
  run(job_options::from_environment(), [] {
    for (const std::uint64_t seed : test::seeds(4))
      on_all_cores([seed] { test::check(test::spans_agree(seed)); });
  });
}

TEST(CollectiveOfProcesses, SpansOfDifferentLengthsAreRefusedOnEveryCore) {
  run(job_options::from_environment(), [] {
    if (cores() == 1) return;
    scoped_per_core<int> refused;
    on_all_cores([h = refused.handle()] {
      std::vector<int> data(here() == cores() - 1 ? 3 : 4);
      const std::vector<std::size_t> counts(cores(), here() == 1 ? 7 : 0);
      const auto is_refused = [h](auto f) {
        try {
          f();
        } catch (const error&) {
          ++h.here();
        }
      };
      is_refused([&] { broadcast(std::span(data), 0); });
      is_refused([&] { (void)all_to_all(std::span(data).first(0), counts); });
      GOSSAMER_ASSERT(broadcast(here() + 1, 0) == 1, "they still meet");
    });
    EXPECT_EQ(refused.fold(0, [](int a, int b) { return a + b; }), 2 * static_cast<int>(cores()));
  });
}

}  // namespace
}  // namespace gossamer
