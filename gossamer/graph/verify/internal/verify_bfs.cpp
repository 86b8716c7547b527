// That the levels are right follows from the rules: a parent's level is one less and its edge is in the
// graph, so there is a path of that length; and no edge skips a level, so there is no shorter one.
#include "gossamer/graph/verify/internal/verify_bfs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

enum class rule : std::uint8_t { kept, no_vertex, no_tree, no_edge, left_out, skipped };

struct finding {
  rule broken = rule::kept;
  vertex_id from = 0, to = 0;
  std::uint64_t arcs = 0;  // of reached vertices
};

struct findings {
  std::vector<finding> all;                // by process
  std::vector<std::uint64_t> levels;       // vertices on each
};

finding broken_at(rule r, vertex_id from, vertex_id to) { return {r, from, to, 0}; }

// Levels by climbing to a vertex whose level is known; a climb longer than there are vertices is no tree.
finding climb(std::span<const vertex_id> parents, vertex_id source, std::vector<vertex_id>& level) {
  level.assign(parents.size(), k_no_vertex);
  level[source] = 0;
  std::vector<vertex_id> path;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    auto at = static_cast<vertex_id>(v);
    while (parents[at] != k_no_vertex && level[at] == k_no_vertex) {
      if (parents[at] >= parents.size()) return broken_at(rule::no_vertex, parents[at], at);
      if (path.size() > parents.size()) return broken_at(rule::no_tree, parents[at], at);
      path.push_back(at);
      at = parents[at];
    }
    if (!path.empty() && level[at] == k_no_vertex) return broken_at(rule::no_tree, at, path.back());
    for (; !path.empty(); path.pop_back()) {
      level[path.back()] = level[at] + 1;
      at = path.back();
    }
  }
  return {};
}

// Checks the rules for the rows that this process has.
finding check_own(const graph_view& g, std::span<const vertex_id> parents, vertex_id source,
                  const std::vector<vertex_id>& level) {
  finding f;
  const vertex_range own = own_vertices(g);
  const adjacency &out = g.out, &in = g.in;
  for (std::uint64_t i = own.begin; i < own.end; ++i) {
    const auto v = static_cast<vertex_id>(i);
    if (level[v] == k_no_vertex) continue;
    f.arcs += out.degree(v);
    if (v != source && !std::ranges::binary_search(in[v], parents[v]))
      return broken_at(rule::no_edge, parents[v], v);
    for (const vertex_id w : out[v]) {
      if (level[w] == k_no_vertex) return broken_at(rule::left_out, v, w);
      if (level[w] > level[v] + 1) return broken_at(rule::skipped, v, w);
    }
  }
  return f;
}

check told(const finding& f) {
  switch (f.broken) {
    case rule::no_vertex:
      return {false, fmt::format("the parent of {} is {}, which is no vertex", f.to, f.from)};
    case rule::no_tree:
      return {false, fmt::format("the parents of {} do not lead to the source", f.to)};
    case rule::no_edge:
      return {false, fmt::format("the tree has an edge {} -> {}, the graph has not", f.from, f.to)};
    case rule::left_out:
      return {false, fmt::format("{} was reached, its neighbour {} was not", f.from, f.to)};
    case rule::skipped:
      return {false, fmt::format("the edge {} -> {} skips a level", f.from, f.to)};
    case rule::kept:
      break;
  }
  return {};
}

}  // namespace

check verify_bfs_over_processes(const graph_view& g, const bfs_result& result,
                                std::span<const vertex_id> parents) {
  scoped_per_process<findings> state;
  on_all_processes([g, parents = parents.data(), source = result.source, state = state.handle()] {
    findings& mine = state.here();
    const std::span<const vertex_id> all(parents, g.vertices);
    std::vector<vertex_id> level;
    finding f = climb(all, source, level);
    if (f.broken == rule::kept) f = check_own(g, all, source, level);
    mine.all = all_gather_processes(f);
    for (const vertex_id l : level) {
      if (l == k_no_vertex) continue;
      if (l >= mine.levels.size()) mine.levels.resize(l + 1);
      ++mine.levels[l];
    }
  });
  const findings& here = state.here();
  std::uint64_t arcs = 0, reached = 0;
  for (const finding& f : here.all) {
    if (f.broken != rule::kept) return told(f);
    arcs += f.arcs;
  }
  if (here.levels != result.levels) return {false, "the vertices per level are not those of the tree"};
  for (const std::uint64_t n : here.levels) reached += n;
  if (reached != result.reached)
    return {false, fmt::format("{} vertices reached, the tree has {}", result.reached, reached)};
  const std::uint64_t edges = g.directed ? arcs : arcs / 2;
  if (edges != result.edges)
    return {false, fmt::format("{} edges traversed, a recount says {}", result.edges, edges)};
  return {};
}

}  // namespace gossamer::graph
