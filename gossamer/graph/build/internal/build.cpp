#include "gossamer/graph/build/internal/build.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/build/internal/transpose_rows.hpp"
#include "gossamer/graph/ingest/internal/compacted_labels.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {
namespace {

// Returns whether two directions have the same rows.
bool same_rows(const finished_rows& a, const finished_rows& b) {
  return std::memcmp(a.offsets.data(), b.offsets.data(), a.offsets.size() * sizeof(std::uint64_t)) == 0 &&
         std::memcmp(a.targets.data(), b.targets.data(), a.targets.size() * sizeof(vertex_id)) == 0 &&
         (a.weights.size() == 0 || std::memcmp(a.weights.data(), b.weights.data(), a.weights.size()) == 0);
}

adjacency view_of(const finished_rows& r) { return {r.offsets.data(), r.targets.data(), r.weights.data()}; }

void keep_rows(finished_rows rows, std::vector<storage>& keep) {
  keep.push_back(std::move(rows.offsets).share());
  keep.push_back(std::move(rows.targets).share());
  if (rows.weights.size() != 0) keep.push_back(std::move(rows.weights).share());
}

struct both_directions {
  graph_view view;
  std::vector<storage> keep;
};

template <class Entry>
both_directions build_rows(edge_input* in, const progress_hook& progress) {
  const auto rows = std::make_unique<packed_rows>();
  const auto sorter = std::make_unique<row_sorter<Entry>>();
  sorter->in = in;
  sorter->rows = rows.get();
  sort_rows(sorter.get());
  report(progress, "building", 2, 3);

  both_directions result;
  graph_view& g = result.view;
  g.vertices = rows->vertices;
  g.directed = in->directed;
  g.weights = in->weights.type;
  if (!in->directed) {
    finished_rows all = transpose_any(rows.get(), true, in->pool);
    g.arcs = all.targets.size();
    g.out = g.in = view_of(all);
    keep_rows(std::move(all), result.keep);
    return result;
  }
  g.arcs = rows->arcs;
  finished_rows out = gather_rows(rows.get(), in->pool);
  in->pool.give(std::move(sorter->keys).release());
  finished_rows back = transpose_any(rows.get(), false, in->pool);
  out.offsets = std::move(rows->offsets);
  g.out = g.in = view_of(out);
  if (!same_rows(out, back)) {
    g.in = view_of(back);
    keep_rows(std::move(back), result.keep);
  }
  keep_rows(std::move(out), result.keep);
  return result;
}

}  // namespace

graph build(build_input input, labels names, graph_statistics statistics, const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  const auto state = std::make_unique<edge_input>();
  edge_input* const in = state.get();
  in->blocks = std::move(input.blocks);
  in->weights = std::move(input.weights);
  in->raw_vertices = input.vertices;
  in->directed = input.directed;
  cut_blocks(*in);
  std::uint64_t edges = 0;
  for (const auto& s : in->chunks) edges += s.size();
  const std::uint64_t needed = build_peak_bytes(edges, input.vertices, input.directed, in->weights.type);
  machine::require_chunk(needed - edges * (sizeof(edge) + weight_bytes(in->weights.type)),
                         "building the graph");

  report(progress, "building", 0, 3);
  in->shift = bucket_shift(edges, in->raw_vertices);
  in->buckets = bucket_count(in->raw_vertices, in->shift);
  count_edges(in, input.only_present);
  if (in->renumber) names = compacted_labels(in->present, in->vertices, names);
  report(progress, "building", 1, 3);

  both_directions rows =
      with_entry(narrow_keys(in->raw_vertices, in->shift), in->weights.type,
                 [&]<class Entry>(std::type_identity<Entry>) { return build_rows<Entry>(in, progress); });
  report(progress, "building", 3, 3);
  GOSSAMER_ASSERT(names.size() == rows.view.vertices);
  const edge_input::loop_count loops = all_loops(*in);
  statistics.rule = in->weights.rule;
  statistics.self_loops += loops.all;
  statistics.negative_loops += loops.negative;
  statistics.duplicates += edges - loops.all - rows.view.edges();
  statistics.build_seconds += machine::seconds_since(start);
  return {rows.view, std::move(names), std::move(statistics), std::move(rows.keep)};
}

std::uint64_t graph_bytes(std::uint64_t edges, std::uint64_t vertices, bool directed, weight_type weights) {
  return 2 * edges * (sizeof(vertex_id) + weight_bytes(weights)) +
         (directed ? 2 : 1) * (vertices + 1) * sizeof(std::uint64_t);
}

std::uint64_t build_peak_bytes(std::uint64_t edges, std::uint64_t vertices, bool directed,
                               weight_type weights) {
  const bool narrow = narrow_keys(vertices, bucket_shift(edges, vertices));
  const std::uint64_t entry = entry_bytes(narrow, weights), weight = weight_bytes(weights);
  const std::uint64_t arc = sizeof(vertex_id) + weight;
  const std::uint64_t offsets = (vertices + 1) * sizeof(std::uint64_t);
  const std::uint64_t scattering = edges * (sizeof(edge) + weight + entry) + offsets + vertices / 5;
  // directed: rows out, entries, rows in; undirected: packed rows, entries, both rows
  const std::uint64_t transposing =
      directed ? edges * (2 * arc + entry) + 2 * offsets : edges * (2 * entry + 2 * arc) + 2 * offsets;
  return std::max(scattering, transposing);
}

}  // namespace gossamer::graph
