// Jobs on a simulated cluster.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {
namespace {

job_options on(unsigned processes, unsigned cores) {
  job_options o;
  o.cores = cores;
  o.simulate = simulation::options{};
  o.simulate->processes = processes;
  return o;
}

TEST(SimulatedJob, RunsMainOnCoreZeroOfAsManyAsAskedFor) {
  for (const unsigned n : {1U, 2U, 4U, 9U}) {
    unsigned seen = 0;
    run(on(1, n), [&] {
      EXPECT_EQ(here(), 0U);
      seen = cores();
    });
    EXPECT_EQ(seen, n);
  }
}

TEST(SimulatedJob, RethrowsWhatMainThrew) {
  EXPECT_THROW(run(on(1, 3), [] { throw std::out_of_range("main"); }), std::out_of_range);
  EXPECT_THROW(run(on(3, 2), [] { throw std::out_of_range("main"); }), std::out_of_range);
}

TEST(SimulatedJob, TimeIsVirtualAndGoesOn) {
  simulation::outcome end;
  job_options o = on(1, 4);
  o.simulated = &end;
  run(o, [] {
    const std::uint64_t before = machine::now_ns();
    on_all_cores([] {});
    EXPECT_GT(machine::now_ns(), before);
    EXPECT_LT(machine::now_ns(), 1'000'000U);
  });
  EXPECT_GT(end.virtual_ns, 0U);
  EXPECT_GT(end.steps, 0U);
  EXPECT_EQ(end.moves, 0U);
}

TEST(SimulatedJob, FewPacketsDoNotHideNonsense) {
  job_options o = on(2, 1);
  o.simulate->faults = "pools";
  o.packet_bytes = 1;
  EXPECT_THROW(run(o, [] {}), error);
  o.packet_bytes = 2048;
  run(o, [] {});
}

TEST(SimulatedJob, BodiesRunOnAllCoresOfAllProcesses) {
  for (const unsigned processes : {1U, 2U, 5U})
    run(on(processes, 3), [processes] {
      std::uint64_t sum = 0;
      for (core_id c = 0; c < cores(); ++c) sum += call_on(c, [] { return here() + 10 * process(); });
      const std::uint64_t n = 3 * processes;
      EXPECT_EQ(sum, n * (n - 1) / 2 + 3 * 10 * (processes * (processes - 1) / 2));
    });
}

}  // namespace
}  // namespace gossamer
