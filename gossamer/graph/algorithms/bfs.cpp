// Breadth-first search along the arcs, with its arrays kept between searches.
//
// Algorithm: level by level; each level in the direction that looks at fewer arcs
//   [S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing Breadth-First Search", SC 2012]: engine/edge_map.hpp.
// Encoding: internal/parent_search.hpp.
#include "gossamer/graph/algorithms/bfs.hpp"

#include <limits>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/algorithms/internal/direction_optimising.hpp"
#include "gossamer/graph/algorithms/internal/frontier_queue.hpp"
#include "gossamer/graph/algorithms/internal/parent_search.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

struct bfs::state {
  explicit state(const graph_view& graph) : g(graph) {}
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  virtual ~state() = default;

  virtual std::vector<std::uint64_t> search(vertex_id source, const progress_hook& progress) = 0;
  virtual array<vertex_id> parents() const = 0;

  /// Out-degrees of the reached vertices; undirected: their edges.
  std::uint64_t reached_edges() const;

  std::span<const vertex_id> all_parents() {
    if (!frozen) everywhere = parents().freeze();
    frozen = true;
    return {everywhere.data(), static_cast<std::size_t>(g.vertices)};
  }
  void thaw() {
    if (std::exchange(frozen, false)) parents().thaw();
  }

  graph_view g;
  gossamer::frozen<vertex_id> everywhere;  // the parents
  bool frozen = false;
};

namespace {

template <class Search>
struct state_with final : bfs::state {
  template <class... Arguments>
  explicit state_with(const graph_view& graph, const Arguments&... a)
      : state(graph), search_(g, directed_adjacency{g.out}, directed_adjacency{g.in}, a...) {}

  std::vector<std::uint64_t> search(vertex_id source, const progress_hook& progress) override {
    return search_.run(source, std::numeric_limits<std::uint64_t>::max(), progress);
  }
  array<vertex_id> parents() const override { return search_.parents(); }

 private:
  Search search_;
};

}  // namespace

std::uint64_t bfs::state::reached_edges() const {
  scoped_per_core<std::uint64_t> sums;
  on_all_cores([out = adjacency(g.out), parents = parents(), slots = sums.handle()] {
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

bfs::bfs(const graph_view& g, const bfs_options& o) {
  using queue = queue_frontier<directed_adjacency>;
  if (o.keeps == frontier::lists)
    state_ = std::make_unique<state_with<parent_search<directed_adjacency>>>(g, o.policy);
  else
    state_ = std::make_unique<state_with<direction_optimising<directed_adjacency, queue>>>(
        g, queue::arguments{.where = o.combining, .singly = o.keeps == frontier::queue_singly});
}
bfs::~bfs() { state_->thaw(); }

bfs_result bfs::run(vertex_id source, const progress_hook& progress) {
  GOSSAMER_ASSERT(source < state_->g.vertices);
  bfs_result r;
  r.source = source;
  state_->thaw();
  const std::uint64_t start = machine::now_ns();
  r.levels = state_->search(source, progress);
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
    // Climb to the first vertex whose level is known, then number the path back down.
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
