#include "gossamer/graph/build/internal/rebuild.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/graph/ingest/internal/with_weights.hpp"
#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

// Returns the weights in another type, whose values can be those.
template <class To, class From>
buffer<std::byte> as_type(const From* from, std::uint64_t arcs) {
  buffer<std::byte> copy(arcs * sizeof(To));
  local::forall_chunks(0, arcs, 1 << 14, [from, to = copy.data()](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      const To weight = static_cast<To>(from[b]);
      std::memcpy(to + b * sizeof(To), &weight, sizeof(To));
    }
  });
  return copy;
}

// Adds the arcs of the rows of vertices `own`, all in this process, to edges and their weights.
void add_arcs(const graph_view& v, vertex_range own, std::vector<edge_block<edge>>& blocks,
              edge_weights& weights, duplicate_rule rule) {
  const std::uint64_t before = v.out.offsets[own.begin];
  const std::uint64_t arcs = v.out.offsets[own.end] - before;
  edge_block<edge> all{buffer<edge>(arcs), arcs};
  edge* const to = all.memory.data();
  local::forall_chunks(own.begin, own.end, 1 << 12, [v, to, before](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b)
      for (std::uint64_t i = v.out.offsets[b]; i < v.out.offsets[b + 1]; ++i)
        to[i - before] = {static_cast<vertex_id>(b), v.out.targets[i]};
  });
  blocks.push_back(std::move(all));
  if (v.weights == weight_type::none) return;
  weights.rule = rule;
  weights.type = combined_type(v.weights, rule);
  with_weight_type(v.weights, [&]<class From>(std::type_identity<From>) {
    with_weight_type(weights.type, [&]<class To>(std::type_identity<To>) {
      if constexpr (std::is_same_v<To, From> || std::is_same_v<To, double>)
        weights.blocks.push_back(as_type<To>(v.out.weights_as<From>() + before, arcs));
    });
  });
}

graph build_again(graph g, bool directed, duplicate_rule rule, const progress_hook& progress) {
  const graph_view v = g.view();
  labels names = g.names();
  graph_statistics statistics = g.statistics();
  if (v.process_bounds == nullptr) {
    build_input input;
    input.vertices = v.vertices;
    input.directed = directed;
    add_arcs(v, own_vertices(v), input.blocks, input.weights, rule);
    g = {};
    return build(std::move(input), std::move(names), std::move(statistics), progress);
  }
  scoped_per_process<process_rows> state;
  on_all_processes([v, rule, rows = state.handle()] {
    add_arcs(v, own_vertices(v), rows.here().blocks, rows.here().weights, rule);
  });
  g = {};
  return build_over_processes(state.handle(), v.vertices, directed, std::move(names), std::move(statistics),
                              progress);
}

}  // namespace

graph rebuild(graph g, bool directed, const progress_hook& progress, duplicate_rule rule) {
  const graph_view v = g.view();
  const weight_type type = combined_type(v.weights, rule);
  machine::require_memory(build_peak_bytes(v.arcs, v.vertices, directed, type) / processes(),
                          "rebuilding the graph");
  const std::uint64_t before = g.statistics().duplicates, loops_before = g.statistics().self_loops;
  const bool replicas = !v.directed;  // each edge is there twice, which makes no duplicates
  graph result = build_again(std::move(g), directed, rule, progress);
  if (replicas && !directed) {
    const std::uint64_t edges = result.view().edges();
    const std::uint64_t arcs = v.arcs - (result.statistics().self_loops - loops_before);
    result.statistics().duplicates = before + (arcs / 2 > edges ? arcs / 2 - edges : 0);
  }
  return result;
}

graph as_directed(graph g, bool directed, const progress_hook& progress, duplicate_rule rule) {
  graph_view v = g.view();
  if (v.directed == directed) return g;
  if (!directed) return rebuild(std::move(g), false, progress, rule);
  v.directed = true;
  g.set_view(v);
  return g;
}

}  // namespace gossamer::graph
