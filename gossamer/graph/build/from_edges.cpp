#include "gossamer/graph/build/from_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/check_sums.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/graph/build/internal/rebuild.hpp"
#include "gossamer/graph/ingest/internal/column_edges.hpp"
#include "gossamer/graph/ingest/internal/compact.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

/// Returns the most bytes that process 0 has at once, in which all edges are.
std::uint64_t peak_bytes(std::uint64_t edges, std::uint64_t vertices, bool directed, weight_type weights) {
  if (processes() == 1) return build_peak_bytes(edges, vertices, directed, weights);
  return edges * (sizeof(edge) + 2 * sizeof(std::uint64_t)) + shared_peak_bytes(edges, vertices, weights);
}

/// Builds the rows of all processes from edges that are all in process 0.
graph build_everywhere(build_input input, labels names, graph_statistics statistics,
                       const progress_hook& progress) {
  scoped_per_process<process_rows> rows;
  rows.here().blocks = std::move(input.blocks);
  rows.here().weights = std::move(input.weights);
  return build_over_processes(rows.handle(), input.vertices, input.directed, std::move(names),
                              std::move(statistics), progress);
}

/// Throws where an id is no vertex, or the vertices cannot be numbered.
void check_largest_id(std::uint64_t highest, std::uint64_t edges, const from_edges_options& o) {
  if (o.vertices && edges > 0 && highest >= *o.vertices)
    throw error(fmt::format("expected ids below {}, the number of vertices, found {}", *o.vertices, highest));
  const std::uint64_t bound = o.vertices.value_or(highest);
  if (bound >= k_no_vertex)
    throw error(
        fmt::format("expected fewer than {} vertices, found id or number {}: ids that are no numbers from 0 "
                    "on can be compacted",
                    k_no_vertex, bound));
}

/// Returns the rule for opposite edges of a graph whose parallel edges were combined by `rule`.
duplicate_rule rule_of_opposites(duplicate_rule rule) {
  const bool is_of_order = rule == duplicate_rule::first || rule == duplicate_rule::last;
  return is_of_order ? duplicate_rule::min : rule;
}

}  // namespace

graph from_edges(const id_column& from, const id_column& to, const from_edges_options& o,
                 const progress_hook& progress) {
  if (from.size != to.size)
    throw error(fmt::format("expected as many sources as targets, found {} and {}", from.size, to.size));
  if (o.weights.kind != weight_type::none && o.weights.size != from.size)
    throw error(fmt::format("expected a weight for each edge, {}, found {}", from.size, o.weights.size));
  if (o.compact && o.vertices) throw error("expected a number of vertices, or compacted ids, found both");
  const std::uint64_t start = machine::now_ns();
  const std::uint64_t edges = from.size;
  report(progress, "reading", 0, edges);
  const std::uint64_t highest = std::max(highest_id(from, "sources"), highest_id(to, "targets"));

  build_input input;
  input.directed = o.directed;
  labels names;
  const bool several = processes() > 1;
  const bool tables =
      o.compact && (highest == ~std::uint64_t{0} || !is_dense(highest + 1, edges) || (several && edges != 0));
  if (tables) {
    machine::require_memory(edges * (sizeof(wide_edge) + sizeof(edge)),
                            fmt::format("a graph of {} edges", edges));
    compacted_edges compacted = compact_ids({}, edges_of_columns<wide_edge>(from, to));
    input.blocks = std::move(compacted.edges);
    names = std::move(compacted.names);
    input.vertices = names.size();
  } else {
    if (!o.compact) check_largest_id(highest, edges, o);
    input.vertices = o.vertices.value_or(edges == 0 ? 0 : highest + 1);
    input.only_present = o.compact;
    machine::require_memory(peak_bytes(edges, input.vertices, o.directed, o.weights.kind),
                            fmt::format("a graph of {} vertices and {} edges", input.vertices, edges));
    input.blocks = edges_of_columns<edge>(from, to);
    names = labels::range(input.vertices);
  }
  input.weights = weights_of_column(o.weights, "weights");
  graph_statistics statistics;
  statistics.format = "edges in memory";
  statistics.edges_read = edges;
  statistics.weights = o.weights.size;
  statistics.load_seconds = machine::seconds_since(start);
  return (several ? build_everywhere : build)(std::move(input), std::move(names), std::move(statistics),
                                              progress);
}

graph undirected_copy(const graph& g, std::optional<duplicate_rule> rule, const progress_hook& progress) {
  const duplicate_rule by = rule.value_or(rule_of_opposites(g.statistics().rule));
  // Keeps nothing: `g` lives until the rows have been read.
  graph shallow(g.view(), g.names(), g.statistics(), {});
  graph both = rebuild(std::move(shallow), false, progress, by);
  if (by == duplicate_rule::sum) check_sums(both, "edges read both ways");
  return both;
}

}  // namespace gossamer::graph
