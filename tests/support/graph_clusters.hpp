#pragma once
// Algorithms on graphs in simulated jobs of several processes: `class X : public test::on_clusters {}; GOSSAMER_ON_CLUSTERS(X);`.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/simulation/simulation_options.hpp"
#include "support/graph_cases.hpp"

namespace gossamer::test {

/// Tests of which each is run in several simulated jobs.
class on_clusters : public ::testing::TestWithParam<std::string> {
 protected:
  /// Returns the job of this test.
  static job_options simulated_job() {
    job_options o;
    o.simulate = simulation::options::parse(GetParam());
    return o;
  }
};

/// Builds a graph of edges without weights, over all processes of the job. Collective; main fiber.
inline graph::graph built(const edge_list& edges, graph::vertex_id vertices, bool directed) {
  std::vector<std::int64_t> from, to;
  for (const auto& e : edges) from.push_back(e.first), to.push_back(e.second);
  return graph::from_edges({from.data(), from.size()}, {to.data(), to.size()},
                           {.directed = directed, .vertices = vertices});
}

}  // namespace gossamer::test

/// Processes with one core and with several, on nodes of their own and of two, with every fault of the simulation.
#define GOSSAMER_ON_CLUSTERS(Suite)                                                               \
  INSTANTIATE_TEST_SUITE_P(Clusters, Suite,                                                       \
                           ::testing::Values("processes=2 cores=2", "processes=3 cores=1 seed=2", \
                                             "processes=4 cores=1 node=2 seed=3",                 \
                                             "processes=3 cores=2 network=qdr faults=all seed=4"))
