// Breadth-first search along the arcs, with its arrays kept between searches.
//
// Algorithm: level by level, each level in the direction that reads fewer arcs [S. Beamer, K. Asanovic, D.
//   Patterson, "Direction-Optimizing Breadth-First Search", SC 2012]: engine/edge_map.hpp.
// Encoding: internal/parent_search.hpp.
#include "gossamer/graph/algorithms/bfs.hpp"

#include <limits>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/algorithms/internal/parent_search.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

struct bfs::state {
  state(const graph_view& graph, const traversal_policy& policy)
      : g(graph), search(g, directed_adjacency{g.out}, directed_adjacency{g.in}, policy) {}

  /// Returns the sum of out-degrees of the reached vertices; in an undirected graph, the number of their
  /// edges.
  std::uint64_t reached_edges() const;

  std::span<const vertex_id> all_parents() {
    if (!frozen) everywhere = search.parents().freeze();
    frozen = true;
    return {everywhere.data(), static_cast<std::size_t>(g.vertices)};
  }
  void thaw() {
    if (std::exchange(frozen, false)) search.parents().thaw();
  }

  graph_view g;
  parent_search<directed_adjacency> search;
  gossamer::frozen<vertex_id> everywhere;  // the parents
  bool frozen = false;
  fiber::owning_job job;
};

std::uint64_t bfs::state::reached_edges() const {
  scoped_per_core<std::uint64_t> sums;
  on_all_cores([out = adjacency(g.out), parents = search.parents(), slots = sums.handle()] {
    std::uint64_t sum = 0;
    auto v = static_cast<vertex_id>(parents.local_begin());
    for (vertex_id parent : parents.local()) {
      if (parent != k_no_vertex) sum += out.degree(v);
      ++v;
    }
    slots.here() = sum;
  });
  const std::uint64_t arcs =
      sums.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  return g.directed ? arcs : arcs / 2;
}

bfs::bfs(const graph_view& g, const bfs_options& o) : state_(std::make_unique<state>(g, o.policy)) {}
bfs::~bfs() {
  if (state_->job.runs_here()) state_->thaw();
}

bfs_result bfs::run(vertex_id source, const progress_hook& progress) {
  GOSSAMER_ASSERT(source < state_->g.vertices);
  bfs_result r;
  r.source = source;
  state_->thaw();
  const std::uint64_t start = machine::now_ns();
  r.levels = state_->search.run(source, std::numeric_limits<std::uint64_t>::max(), progress);
  r.seconds = machine::seconds_since(start);
  for (std::uint64_t n : r.levels) r.reached += n;
  r.edges = state_->reached_edges();
  return r;
}

std::span<const vertex_id> bfs::parents() const { return state_->all_parents(); }

std::vector<vertex_id> levels_of(std::span<const vertex_id> parents, vertex_id source) {
  std::vector<vertex_id> level(parents.size(), k_no_vertex);
  if (source < parents.size()) level[source] = 0;
  std::vector<vertex_id> path;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    // Follows parents to the first vertex whose level is known, then numbers the path back down.
    auto at = static_cast<vertex_id>(v);
    while (parents[at] != k_no_vertex && level[at] == k_no_vertex) {
      path.push_back(at);
      at = parents[at];
    }
    for (; !path.empty(); path.pop_back()) {
      level[path.back()] = level[at] + 1;
      at = path.back();
    }
  }
  return level;
}

double harmonic_mean(std::span<const double> values) {
  double sum = 0;
  for (double x : values) {
    if (x <= 0) return 0;
    sum += 1 / x;
  }
  return values.empty() ? 0 : static_cast<double>(values.size()) / sum;
}

}  // namespace gossamer::graph
