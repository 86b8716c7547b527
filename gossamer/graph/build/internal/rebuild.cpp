#include "gossamer/graph/build/internal/rebuild.hpp"

#include <algorithm>
#include <numeric>
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

// Returns whether a graph gives this arc to a build: an undirected one has each edge in both rows.
bool is_given(const graph_view& v, std::uint64_t row, vertex_id target) {
  return v.directed || target >= row;
}

// Returns the places of the arcs given by each of the rows of `own`, and their number.
buffer<std::uint64_t> places_of(const graph_view& v, vertex_range own) {
  buffer<std::uint64_t> places(own.size() + 1);
  std::uint64_t* const all = places.data();
  local::forall_chunks(own.begin, own.end, 1 << 12, [v, own, all](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      const auto given = [v, b](vertex_id target) { return is_given(v, b, target); };
      all[b - own.begin + 1] = static_cast<std::uint64_t>(
          std::ranges::count_if(v.out.adjacency::operator[](static_cast<vertex_id>(b)), given));
    }
  });
  all[0] = 0;
  std::partial_sum(all, all + own.size() + 1, all);
  return places;
}

// Calls set(place, row, arc) for the arcs given by the rows of `own`, on the cores of this process.
template <class Set>
void each_given(const graph_view& v, vertex_range own, const std::uint64_t* places, Set set) {
  local::forall_chunks(own.begin, own.end, 1 << 12, [=](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      std::uint64_t place = places[b - own.begin];
      for (std::uint64_t i = v.out.offsets[b]; i < v.out.offsets[b + 1]; ++i)
        if (is_given(v, b, v.out.targets[i])) set(place++, b, i);
    }
  });
}

// Adds the edges of the rows of vertices `own`, all in this process, and their weights.
void add_edges(const graph_view& v, vertex_range own, std::vector<edge_block<edge>>& blocks,
               edge_weights& weights, duplicate_rule rule) {
  const buffer<std::uint64_t> places = places_of(v, own);
  const std::uint64_t edges = places[own.size()];
  edge_block<edge> all{buffer<edge>(edges), edges};
  each_given(v, own, places.data(), [to = all.memory.data(), v](auto place, auto row, auto arc) {
    to[place] = {static_cast<vertex_id>(row), v.out.targets[arc]};
  });
  blocks.push_back(std::move(all));
  if (v.weights == weight_type::none) return;
  weights.rule = rule;
  weights.type = combined_type(v.weights, rule);
  buffer<std::byte> bytes(edges * weight_bytes(weights.type));
  with_weight_type(v.weights, [&]<class From>(std::type_identity<From>) {
    with_weight_type(weights.type, [&]<class To>(std::type_identity<To>) {
      if constexpr (std::is_same_v<To, From> || std::is_same_v<To, double>)
        each_given(v, own, places.data(),
                   [to = reinterpret_cast<To*>(bytes.data()), from = v.out.weights_as<From>()](
                       auto place, auto, auto arc) { to[place] = static_cast<To>(from[arc]); });
    });
  });
  weights.blocks.push_back(std::move(bytes));
}

graph build_again(graph g, bool directed, duplicate_rule rule, const progress_hook& progress) {
  const graph_view v = g.view();
  labels names = g.names();
  graph_statistics statistics = g.statistics();
  if (v.process_bounds == nullptr) {
    build_input input;
    input.vertices = v.vertices;
    input.directed = directed;
    add_edges(v, own_vertices(v), input.blocks, input.weights, rule);
    g = {};
    return build(std::move(input), std::move(names), std::move(statistics), progress);
  }
  scoped_per_process<process_rows> state;
  on_all_processes([v, rule, rows = state.handle()] {
    add_edges(v, own_vertices(v), rows.here().blocks, rows.here().weights, rule);
  });
  g = {};
  return build_over_processes(state.handle(), v.vertices, directed, std::move(names), std::move(statistics),
                              progress);
}

}  // namespace

graph rebuild(graph g, bool directed, const progress_hook& progress, duplicate_rule rule) {
  const graph_view v = g.view();
  const weight_type type = combined_type(v.weights, rule);
  machine::require_memory(build_peak_bytes(v.edges(), v.vertices, directed, type) / processes(),
                          "rebuilding the graph");
  return build_again(std::move(g), directed, rule, progress);
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
