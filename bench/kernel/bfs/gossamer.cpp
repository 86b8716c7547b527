// Breadth-first search as Graph500 measures it: 64 random sources, harmonic mean of traversed edges per
// second. The answers of a few sources are checked.
#include "gossamer/graph/algorithms/bfs.hpp"

#include "gossamer/graph/algorithms/sources.hpp"
#include "support/kernel_bench.hpp"

int main(int argc, char** argv) {
  using namespace gossamer;
  return bench::run_gossamer(argc, argv, [](const graph::graph_view& g, unsigned repeats) {
    graph::bfs search(g);
    std::vector<double> rates;
    for (unsigned r = 0; r < repeats; ++r) {
      for (graph::vertex_id source : graph::random_sources(g, 64, 1)) {
        const graph::bfs_result result = search.run(source);
        if (rates.size() % 16 == 0 && r == 0) bench::require(graph::verify_bfs(g, result, search.parents()));
        rates.push_back(result.mteps());
      }
    }
    const double mean = graph::harmonic_mean(rates);
    return bench::outcome{"bfs", "gossamer", "MTEPS", std::move(rates), mean};
  });
}
