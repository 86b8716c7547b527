// The peer: pulled PageRank in plain OpenMP, single precision contributions as in gossamer's.
#include "gossamer/graph/algorithms/pagerank.hpp"

#include <cmath>

#include "gossamer/machine/clock.hpp"
#include "support/kernel_bench.hpp"

namespace {

using namespace gossamer;
using graph::vertex_id;

graph::pagerank_result omp_pagerank(const graph::graph_view& g, const graph::pagerank_options& options) {
  graph::pagerank_result r;
  const auto n = static_cast<std::int64_t>(g.vertices);
  r.scores.resize(g.vertices);
  std::vector<float> contribution(g.vertices);
#pragma omp parallel for
  for (std::int64_t v = 0; v < n; ++v) r.scores[v] = 1.0 / static_cast<double>(n);
  while (!r.converged && r.iterations < options.max_iterations) {
    double dangling = 0, change = 0;
#pragma omp parallel for reduction(+ : dangling)
    for (std::int64_t v = 0; v < n; ++v) {
      const auto degree = static_cast<double>(g.out.degree(static_cast<vertex_id>(v)));
      contribution[v] = degree > 0 ? static_cast<float>(r.scores[v] / degree) : 0.0F;
      if (degree == 0) dangling += r.scores[v];
    }
    const double base = (1 - options.damping + options.damping * dangling) / static_cast<double>(n);
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : change)
    for (std::int64_t v = 0; v < n; ++v) {
      double sum = 0;
      for (vertex_id u : g.in[static_cast<vertex_id>(v)]) sum += static_cast<double>(contribution[u]);
      const double updated = base + options.damping * sum;
      change += std::abs(updated - r.scores[v]);
      r.scores[v] = updated;
    }
    r.change = change;
    r.converged = change < options.tolerance;
    ++r.iterations;
  }
  return r;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_openmp(argc, argv, [](const graph::graph_view& g, unsigned repeats) {
    const graph::pagerank_options options{.tolerance = 1e-4};
    std::vector<double> times;
    for (unsigned r = 0; r < repeats; ++r) {
      const std::uint64_t start = machine::now_ns();
      const graph::pagerank_result result = omp_pagerank(g, options);
      times.push_back(static_cast<double>(machine::now_ns() - start) * 1e-6);
      if (r == 0) bench::require(graph::verify_pagerank(g, options, result));
    }
    return bench::outcome{"pagerank", "omp", "ms", std::move(times)};
  });
}
