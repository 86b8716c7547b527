// PageRank to an L1 change of 1e-4; the first answer is checked.
#include "gossamer/graph/algorithms/pagerank.hpp"

#include "support/kernel_bench.hpp"

int main(int argc, char** argv) {
  using namespace gossamer;
  return bench::run_gossamer(argc, argv, [](const graph::graph_view& g, unsigned repeats) {
    const graph::pagerank_options options{.tolerance = 1e-4};
    std::vector<double> times;
    for (unsigned r = 0; r < repeats; ++r) {
      const graph::pagerank_result result = graph::pagerank(g, options);
      if (r == 0) bench::require(graph::verify_pagerank(g, options, result));
      times.push_back(result.seconds * 1e3);
    }
    return bench::outcome{"pagerank", "gossamer", "ms", std::move(times)};
  });
}
