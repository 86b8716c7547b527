// The peer: Brandes' algorithm in plain OpenMP, level by level. Path counts are pushed with atomic additions,
// dependencies pulled along edges to the next level (Madduri et al., IPDPS 2009).
#include "gossamer/graph/algorithms/betweenness.hpp"

#include <atomic>

#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/machine/clock.hpp"
#include "support/kernel_bench.hpp"

namespace {

using namespace gossamer;
using graph::k_no_vertex;
using graph::vertex_id;

class omp_brandes {
 public:
  explicit omp_brandes(const graph::graph_view& g)
      : g_(g), depth_(g.vertices), paths_(g.vertices), dependency_(g.vertices), scores_(g.vertices, 0) {}

  void add(vertex_id source) {
    const auto n = static_cast<std::int64_t>(g_.vertices);
#pragma omp parallel for
    for (std::int64_t v = 0; v < n; ++v) {
      depth_[v] = k_no_vertex;
      paths_[v] = 0;
    }
    depth_[source] = 0;
    paths_[source] = 1;
    std::vector<std::vector<vertex_id>> levels{{source}};
    while (!levels.back().empty())
      levels.push_back(next_level(levels.back(), static_cast<vertex_id>(levels.size())));
    for (std::size_t l = levels.size(); l-- > 0;) accumulate(levels[l], source);
  }
  const std::vector<double>& scores() const { return scores_; }

 private:
  std::vector<vertex_id> next_level(const std::vector<vertex_id>& level, vertex_id depth) {
    std::vector<vertex_id> found;
#pragma omp parallel
    {
      std::vector<vertex_id> mine;
#pragma omp for schedule(dynamic, 64) nowait
      for (std::size_t i = 0; i < level.size(); ++i) {
        const vertex_id v = level[i];
        for (vertex_id w : g_.out[v]) {
          std::atomic_ref<vertex_id> at(depth_[w]);
          vertex_id seen = at.load(std::memory_order_relaxed);  // the region's end orders the level
          if (seen == k_no_vertex && at.compare_exchange_strong(seen, depth, std::memory_order_relaxed)) {
            mine.push_back(w);
            seen = depth;
          }
          if (seen == depth)
            std::atomic_ref<double>(paths_[w]).fetch_add(paths_[v], std::memory_order_relaxed);
        }
      }
#pragma omp critical
      found.insert(found.end(), mine.begin(), mine.end());
    }
    return found;
  }

  void accumulate(const std::vector<vertex_id>& level, vertex_id source) {
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t i = 0; i < level.size(); ++i) {
      const vertex_id v = level[i];
      double sum = 0;
      for (vertex_id w : g_.out[v]) {
        if (depth_[w] == depth_[v] + 1) sum += paths_[v] / paths_[w] * (1 + dependency_[w]);
      }
      dependency_[v] = sum;
      if (v != source) scores_[v] += sum;
    }
  }

  graph::graph_view g_;
  std::vector<vertex_id> depth_;
  std::vector<double> paths_, dependency_, scores_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_openmp(argc, argv, [](const graph::graph_view& g, unsigned repeats) {
    const std::vector<vertex_id> sources = graph::random_sources(g, 4, 1);
    std::vector<double> times;
    for (unsigned r = 0; r < repeats; ++r) {
      const std::uint64_t start = machine::now_ns();
      omp_brandes all(g);
      for (vertex_id s : sources) all.add(s);
      times.push_back(static_cast<double>(machine::now_ns() - start) * 1e-6);
      if (r > 0) continue;
      graph::betweenness_result result{.scores = all.scores(), .sources = sources.size()};
      if (!g.directed) {
        for (double& x : result.scores) x /= 2;
      }
      bench::require(graph::verify_betweenness(g, sources, {}, result));
    }
    return bench::outcome{"betweenness", "omp", "ms", std::move(times)};
  });
}
