// Connected components; the first answer is checked.
#include "gossamer/graph/algorithms/components.hpp"

#include "support/kernel_bench.hpp"

int main(int argc, char** argv) {
  using namespace gossamer;
  return bench::run_gossamer(argc, argv, [](const graph::graph_view& g, unsigned repeats) {
    std::vector<double> times;
    for (unsigned r = 0; r < repeats; ++r) {
      const graph::components_result result = graph::connected_components(g);
      if (r == 0) bench::require(graph::verify_components(g, result));
      times.push_back(result.seconds * 1e3);
    }
    return bench::outcome{"components", "gossamer", "ms", std::move(times)};
  });
}
