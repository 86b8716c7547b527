// Simulated processes of a node: lanes between their cores, as in a real run. And fibers that compute.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer {
namespace {

job_options on(const char* what) {
  job_options o;
  o.packet_bytes = 2048;
  o.simulate = simulation::options::parse(what);
  return o;
}

TEST(SimulatedNode, IsAskedForByWords) {
  const char* const text = "processes=4 node=2 lane_packets=8";
  const auto asked = simulation::options::parse(text);
  EXPECT_EQ(asked.node, 2U);
  EXPECT_EQ(asked.lane_packets, 8U);
  EXPECT_EQ(asked.print(), text);
  for (const char* wrong : {"node=0", "lane_packets=7"})
    EXPECT_THROW(simulation::options::parse(wrong), error) << wrong;
}

TEST(SimulatedNode, HasLanesBetweenTheCoresOfItsProcesses) {
  for (const unsigned node : {1U, 2U, 3U, 5U, 9U}) {
    job_options o = on("processes=5 cores=2");
    o.simulate->node = node;
    run(o, [node] {
      const scoped_per_core<std::uint64_t> wrong;
      on_all_cores([node, wrong = wrong.handle()] {
        for (core_id c = 0; c < cores(); ++c) {
          const bool neighbours = process_of(c) != process() && process_of(c) / node == process() / node;
          wrong.here() += message::endpoint::here().process().has_node_lane(c) != neighbours;
          wrong.here() += call_on(c, [] { return here(); }) != c;
        }
      });
      EXPECT_EQ(wrong.fold(std::uint64_t{0}, std::plus<>{}), 0U) << node;
    });
  }
}

TEST(SimulatedNode, IsTheSameRunEachTime) {
  std::uint64_t digests[2] = {};
  for (std::uint64_t& digest : digests) {
    simulation::outcome end;
    job_options o = on("processes=3 cores=2 node=3 lane_packets=8 faults=all seed=5");
    o.simulated = &end;
    run(o, [] {
      on_all_cores([] {
        for (core_id c = 0; c < cores(); ++c)
          for (int i = 0; i < 200; ++i) async_on(c, [i] { EXPECT_LT(i, 200); });
      });
    });
    digest = end.digest;
  }
  EXPECT_EQ(digests[0], digests[1]);
}

/// Returns the virtual time that it takes to issue `n` lone records for a core of a neighbour that computes for 3 ms.
std::uint64_t time_to_issue(int n) {
  std::uint64_t taken = 0;
  job_options o = on("processes=2 node=2 lane_packets=8");
  o.aggregate = false;
  run(o, [&taken, n] {
    const scoped_per_core<int> come;
    finish([&] {
      spawn_on(1, [] {
        charge_work(3'000'000);
        yield();
      });
      message::endpoint::here().flush();
      for (int i = 0; i < 100; ++i) yield();
      const std::uint64_t before = machine::now_ns();
      for (int i = 0; i < n; ++i) async_on(1, [come = come.handle()] { ++come.here(); });
      taken = machine::now_ns() - before;
    });
    EXPECT_EQ(come.fold(0, std::plus<>{}), n);
  });
  return taken;
}

TEST(SimulatedNode, AFullLaneHoldsItsSenderUp) {
  EXPECT_LT(time_to_issue(50), 1'000'000U);
  EXPECT_GT(time_to_issue(1000), 1'000'000U) << "a ring of 16 KiB has 256 lines";
}

#if defined(GOSSAMER_CHECKS) && GOSSAMER_CHECKS
/// Returns the virtual time of a job whose cores call one another.
std::uint64_t time_of_calls(const char* faults) {
  simulation::outcome end;
  job_options o = on("processes=2 cores=2 seed=3");
  o.simulate->faults = faults;
  o.simulated = &end;
  run(o, [] {
    on_all_cores([] {
      for (core_id i = 0; i < 500; ++i) EXPECT_EQ(call_on(i % cores(), [] { return 7; }), 7);
    });
  });
  return end.virtual_ns;
}

TEST(SimulatedFibers, ComputeBetweenTheirCallsWhereAskedTo) {
  EXPECT_GT(time_of_calls("compute"), 2 * time_of_calls("none"));
}
#endif

}  // namespace
}  // namespace gossamer
