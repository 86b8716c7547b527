#include "gossamer/graph/ingest/internal/number_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/ingest/internal/compact.hpp"
#include "gossamer/graph/ingest/internal/compacted_labels.hpp"
#include "gossamer/graph/ingest/internal/merge_names.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/parallel/interrupt.hpp"

namespace gossamer::graph {
namespace {

// Numbers the vertices among the names of the edges. New names follow, in order of appearance.
void join_names(read_edges& edges, read_edges& vertices) {
  constexpr std::uint64_t k_behind_all = std::uint64_t{1} << 63;  // position after any in a text
  const bool has_positions = !edges.positions.empty() || edges.names.size() == 0;
  name_dictionary all;
  for (std::uint64_t v = 0; v < edges.names.size(); ++v)
    (void)all.number(edges.names.text(static_cast<vertex_id>(v)), v);
  std::vector<vertex_id> number;
  for (std::uint64_t v = 0; v < vertices.names.size(); ++v) {
    const std::uint64_t before = all.size();
    number.push_back(all.number(vertices.names.text(static_cast<vertex_id>(v)), k_behind_all + v));
    if (has_positions && all.size() != before) edges.positions.push_back(k_behind_all + v);
  }
  if (all.size() != edges.names.size()) edges.names = merge_names({&all}, false).names;
  for (const auto& block : vertices.edges)
    for (edge& e : block.edges()) e = {number[e.from], number[e.to]};
}

}  // namespace

void add_vertices(read_edges& edges, read_edges vertices) {
  if (edges.named && vertices.count != 0) join_names(edges, vertices);
  for (auto& block : vertices.edges) edges.edges.push_back(std::move(block));
  for (auto& block : vertices.wide) edges.wide.push_back(std::move(block));
  edges.weights.fill_up(edges.edges.size());
  edges.wide_weights.fill_up(edges.wide.size());
  edges.count += vertices.count;
  edges.highest = std::max(edges.highest, vertices.highest);
}

void move_targets(read_edges& edges, std::uint64_t by, const std::string& path) {
  const auto check_sources = [&](const auto& blocks) {
    for (const auto& block : blocks)
      for (const auto& e : block.edges())
        if (e.from > by)
          throw error(fmt::format("{}: expected sources from 1 to {}, as the file counts them, found {}",
                                  path, by, e.from));
  };
  check_sources(edges.edges);
  check_sources(edges.wide);
  if (constexpr std::uint64_t k_most = ~std::uint64_t{0}; edges.highest > k_most - by)
    throw error(fmt::format("{}: expected targets up to {}, as they are numbered behind {} sources, found {}",
                            path, k_most - by, by, edges.highest));
  // Narrow ids may become wide.
  if (edges.highest + by >= k_no_vertex) {
    for (const auto& block : edges.edges) {
      edge_block<wide_edge> wide{buffer<wide_edge>(block.size), block.size};
      std::ranges::transform(block.edges(), wide.edges().begin(),
                             [](edge e) { return wide_edge{e.from, e.to}; });
      edges.wide.push_back(std::move(wide));
    }
    edges.edges.clear();
    edges.wide_weights.append(std::exchange(edges.weights, {.type = edges.weights.type, .blocks = {}}));
  }
  for (const auto& block : edges.edges)
    for (edge& e : block.edges()) e.to += static_cast<vertex_id>(by);
  for (const auto& block : edges.wide)
    for (wide_edge& e : block.edges()) e.to += by;
}

numbered_edges number_edges(read_edges all) {
  if (all.named) return {std::move(all.edges), std::move(all.weights), std::move(all.names)};
  const std::uint64_t bound = all.highest + 1;
  if (all.wide.empty() && is_dense(bound, all.count))
    return {std::move(all.edges), std::move(all.weights), labels::range(bound), true};
  compacted_edges compacted = compact_ids(std::move(all.edges), std::move(all.wide));
  all.weights.append(std::move(all.wide_weights));  // in the order of compact_ids()
  return {std::move(compacted.edges), std::move(all.weights), std::move(compacted.names)};
}

// Several processes ------------------------------------------------------------------------------------

namespace {

template <class F>
void renumber(std::vector<edge_block<edge>>& blocks, F number) {
  for (const auto& block : blocks) {
    edge* const edges = block.memory.data();
    local::forall_chunks(0, block.size, 1 << 14, [edges, number](std::uint64_t b, std::uint64_t e) {
      for (; b < e; ++b) edges[b] = {number(edges[b].from), number(edges[b].to)};
    });
  }
}

// Numbers ids by a bitmap in every process, merged. The edges are renumbered when they are divided.
labels number_dense(per_process<process_edges> state, std::uint64_t bound) {
  on_all_processes([state, bound] {
    const uninterrupted collective;
    process_edges& mine = state.here();
    mine.present = std::make_unique<id_bitmap>(bound);
    id_bitmap* const all = mine.present.get();
    for (const auto& block : mine.read.edges) {
      const edge* const edges = block.memory.data();
      local::forall_chunks(0, block.size, 1 << 14, [edges, all](std::uint64_t b, std::uint64_t e) {
        for (; b < e; ++b) {
          all->mark(edges[b].from);
          all->mark(edges[b].to);
        }
      });
    }
    std::vector<std::uint64_t> bits;
    bits.reserve(all->words());
    for (std::uint64_t w = 0; w < all->words(); ++w) bits.push_back(all->bits(w));
    all->set_bits(all_reduce_elements(bits, [](auto a, auto b) { return a | b; }));
    if (all->number() == bound) mine.present.reset();
  });
  const auto& present = state.here().present;
  const labels range = labels::range(bound);
  return present ? compacted_labels(*present, present->rank(bound), range) : range;
}

// Renumbers the edges of each process by the numbers of all processes. Returns the names.
labels take_numbers(per_process<process_edges> state) {
  on_all_processes([state] {
    process_edges& mine = state.here();
    renumber(mine.read.edges, [vertex = mine.numbered.numbers.data()](vertex_id n) { return vertex[n]; });
    mine.numbered.numbers = {};
  });
  return std::move(state.here().numbered.names);
}

// Compacts the ids of each process, and then those of all processes.
labels number_scattered(per_process<process_edges> state) {
  on_all_processes([state] {
    process_edges& mine = state.here();
    compacted_edges c = compact_ids(std::move(mine.read.edges), std::move(mine.read.wide));
    mine.read.edges = std::move(c.edges);
    mine.read.wide.clear();
    mine.read.weights.append(std::exchange(mine.read.wide_weights, {}));
    mine.ids = std::move(c.names);
  });
  on_all_processes([state] {
    const uninterrupted collective;
    process_edges& mine = state.here();
    mine.numbered = number_ids(mine.ids.values());
    mine.ids = {};
  });
  check_count(state.here().numbered.vertices, "vertices");
  return take_numbers(state);
}

labels number_named(per_process<process_edges> state) {
  on_all_processes([state] {
    const uninterrupted collective;
    process_edges& mine = state.here();
    mine.numbered = number_names(mine.read.names, mine.read.positions);
    mine.read.names = {};
    mine.read.positions = {};
  });
  check_count(state.here().numbered.vertices, "names");
  return take_numbers(state);
}

}  // namespace

labels number_process_edges(per_process<process_edges> state, std::uint64_t count, std::uint64_t highest,
                            bool has_wide) {
  if (state.here().read.named) return number_named(state);
  if (!has_wide && is_dense(highest + 1, count)) return number_dense(state, highest + 1);
  return number_scattered(state);
}

}  // namespace gossamer::graph
