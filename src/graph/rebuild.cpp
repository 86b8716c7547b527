#include "gossamer/graph/rebuild.hpp"

#include <algorithm>

#include "gossamer/graph/build.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

graph rebuild(graph g, bool directed, const progress_hook& progress) {
  const graph_view v = g.view();
  graph_statistics statistics = g.statistics();
  machine::require_memory(build_peak_bytes(v.arcs, v.vertices, directed), "rebuilding the graph");
  edge_block<edge> all{buffer<edge>(v.arcs), v.arcs};
  edge* const to = all.memory.data();
  local::forall_chunks(0, v.vertices, 1 << 12, [v, to](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b)
      for (std::uint64_t i = v.out.offsets[b]; i < v.out.offsets[b + 1]; ++i)
        to[i] = {static_cast<vertex_id>(b), v.out.targets[i]};
  });
  build_input input;
  input.vertices = v.vertices;
  input.directed = directed;
  input.blocks.push_back(std::move(all));
  labels names = g.names();
  const std::uint64_t before = statistics.duplicates;
  const bool mirrored = !v.directed;  // each edge is there twice, which makes no duplicates
  g = {};
  graph result = build(std::move(input), std::move(names), std::move(statistics), progress);
  if (mirrored && !directed) {
    const std::uint64_t edges = result.view().edges();
    result.statistics().duplicates = before + (v.arcs / 2 > edges ? v.arcs / 2 - edges : 0);
  }
  return result;
}

graph as_directed(graph g, bool directed, const progress_hook& progress) {
  graph_view v = g.view();
  if (v.directed == directed) return g;
  if (!directed) return rebuild(std::move(g), false, progress);
  v.directed = true;
  g.set_view(v);
  return g;
}

}  // namespace gossamer::graph
