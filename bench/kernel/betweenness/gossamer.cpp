// Betweenness from four random sources; the first answer is checked.
#include "gossamer/graph/algorithms/betweenness.hpp"

#include "gossamer/graph/algorithms/sources.hpp"
#include "support/kernel_bench.hpp"

int main(int argc, char** argv) {
  using namespace gossamer;
  return bench::run_gossamer(argc, argv, [](const graph::graph_view& g, unsigned repeats) {
    const std::vector<graph::vertex_id> sources = graph::random_sources(g, 4, 1);
    std::vector<double> times;
    for (unsigned r = 0; r < repeats; ++r) {
      const graph::betweenness_result result = graph::betweenness(g, sources);
      if (r == 0) bench::require(graph::verify_betweenness(g, sources, {}, result));
      times.push_back(result.seconds * 1e3);
    }
    return bench::outcome{"betweenness", "gossamer", "ms", std::move(times)};
  });
}
