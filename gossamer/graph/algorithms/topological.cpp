// A topological order.
//
// Algorithm: a vertex waits for its in-neighbours; its level is one more than their largest level [A. B.
//   Kahn, "Topological Sorting of Large Networks", Communications of the ACM 1962]. Levels are propagated
//   along arcs without barriers (propagate.hpp), so a long path does not need many phases. Vertices that
//   still wait at the end are on a cycle, or reachable from one. From each of them a backward path stays
//   among them, and visits some vertex twice.
// Phases: only owners write the data of their vertices; values for other cores are shipped.
#include "gossamer/graph/algorithms/topological.hpp"

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/propagate.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

namespace {

struct waiting_vertex {
  vertex_id waits;  // arcs from vertices that have no level yet
  vertex_id level;  // lower bound
};

/// Sets the level of a vertex once all its in-neighbours have theirs.
struct propagate_levels {
  array<waiting_vertex> values;
  struct take_level {
    bool operator()(waiting_vertex& mine, vertex_id, vertex_id least) const {
      mine.level = std::max(mine.level, least);
      return --mine.waits == 0;
    }
  };
  [[no_unique_address]] take_level push = {};
  static constexpr bool k_depth_first = true;
  vertex_id offer(vertex_id, const waiting_vertex& mine) const { return mine.level + 1; }
};

/// Returns the levels of all vertices.
std::vector<vertex_id> levels_of(const graph_view& g) {
  const directed_adjacency out{g.out}, in{g.in};
  const traversal go(g);
  const scoped_array<waiting_vertex> values = go.values<waiting_vertex>();
  const propagation walk;
  go.vertex_map(k_pass, values.handle(), [in, senders = walk.senders()](vertex_id v, waiting_vertex& mine) {
    mine = {static_cast<vertex_id>(in.degree(v)), 0};
    if (mine.waits == 0) senders.here().found.push_back(v);
  });
  walk.run(out, propagate_levels{values.handle()});
  const scoped_array<vertex_id> levels = go.values<vertex_id>();
  on_all_cores([levels = levels.handle(), values = values.handle()] {
    scan_meter meter(k_pass);
    meter.rows = values.local().size();
    std::ranges::transform(values.local(), levels.local().begin(), [](const waiting_vertex& mine) {
      return mine.waits == 0 ? mine.level : k_no_vertex;
    });
  });
  return copy_of(levels.handle());
}

/// Computes the positions of the vertices that have a level, by a counting sort.
void find_positions(topological_result& r) {
  std::vector<std::uint64_t> begin;  // by level: its first position; before that, its size
  for (const vertex_id level : r.level) {
    if (level == k_no_vertex) continue;
    if (level >= begin.size()) begin.resize(std::size_t{level} + 1);
    ++begin[level];
  }
  r.levels = begin.size();
  for (std::uint64_t& n : begin) {
    const std::uint64_t size = n;
    n = r.ordered;
    r.ordered += size;
  }
  r.position.resize(r.level.size(), k_no_vertex);
  for (std::size_t v = 0; v < r.level.size(); ++v)
    if (r.level[v] != k_no_vertex) r.position[v] = static_cast<vertex_id>(begin[r.level[v]]++);
}

/// Follows arcs backward among the vertices without a level, until a vertex repeats. Returns the cycle.
std::vector<vertex_id> find_cycle(const graph_view& g, const std::vector<vertex_id>& level) {
  const auto open = std::ranges::find(level, k_no_vertex);
  if (open == level.end()) return {};
  std::vector<vertex_id> path;
  std::vector<bool> seen(level.size());
  auto v = static_cast<vertex_id>(open - level.begin());
  while (!seen[v]) {
    seen[v] = true;
    path.push_back(v);
    const row predecessors = g.in[v];
    v = *std::ranges::find_if(predecessors, [&](vertex_id u) { return level[u] == k_no_vertex; });
  }
  path.erase(path.begin(), std::ranges::find(path, v));
  std::ranges::reverse(path);
  std::ranges::rotate(path, std::ranges::min_element(path));
  return path;
}

}  // namespace

topological_result topological_order(const graph_view& g, const progress_hook& progress) {
  if (!g.directed) throw error("topological: expected a directed graph, found an undirected one");
  topological_result r;
  if (g.vertices == 0) return r;
  report(progress, "topological order", 0, 0);
  const std::uint64_t begin = machine::now_ns();
  r.level = levels_of(g);
  find_positions(r);
  r.cycle = find_cycle(g, r.level);
  r.seconds = machine::seconds_since(begin);
  return r;
}

}  // namespace gossamer::graph
