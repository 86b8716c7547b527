#include "gossamer/graph/ingest/internal/with_weights.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

template <class Edge>
edge_weights room_for(const std::vector<edge_block<Edge>>& blocks, weight_type type) {
  std::uint64_t edges = 0;
  for (const auto& b : blocks) edges += b.size;
  machine::require_chunk(edges * weight_bytes(type), "weights of edges");
  edge_weights room{.type = type, .blocks = {}};
  for (const auto& b : blocks) room.blocks.emplace_back(b.size * weight_bytes(type));
  return room;
}

template <class Weight>
void place(const edge_batch& to, placed_weights& chunk) {
  if (chunk.weights.size() == 0) return;
  const auto& block = (chunk.is_wide ? to.wide_weights : to.weights).blocks[chunk.block];
  GOSSAMER_ASSERT((chunk.first + chunk.weights.size()) * sizeof(Weight) <= block.size());
  chunk.weights.write(reinterpret_cast<Weight*>(block.data()) + chunk.first);
  chunk.weights = {};
}

}  // namespace

weight_facts facts_of(const std::vector<placed_weights>& chunks) {
  weight_facts all;
  for (const placed_weights& p : chunks)
    all += {.has_any = p.weights.size() != 0,
            .has_reals = p.weights.is_real() && p.weights.size() != 0,
            .has_negative = p.weights.has_negative(),
            .has_large = p.weights.has_large()};
  return all;
}

void add_weights(edge_batch& edges, std::vector<placed_weights> chunks, weight_type type) {
  if (type == weight_type::none) return;
  edges.weights = room_for(edges.edges, type);
  edges.wide_weights = room_for(edges.wide, type);
  with_weight_type(type, [&]<class Weight>(std::type_identity<Weight>) {
    local::forall_chunks(0, chunks.size(), 1, [to = &edges, from = chunks.data()](auto b, auto e) {
      for (; b < e; ++b) place<Weight>(*to, from[b]);
    });
  });
}

namespace {

void add_ones(edge_weights& weights, std::uint64_t edges) {
  auto& bytes = weights.blocks.emplace_back(edges * sizeof(std::int32_t));
  local::forall_chunks(0, edges, 1 << 16,
                       [to = reinterpret_cast<std::int32_t*>(bytes.data())](
                           std::uint64_t b, std::uint64_t e) { std::fill(to + b, to + e, 1); });
}

template <class To, class From>
void copy_edges(const From* from, std::uint64_t count, To* to) {
  std::transform(from, from + count, to, [](const From& e) {
    return To{static_cast<decltype(To::from)>(e.from), static_cast<decltype(To::to)>(e.to)};
  });
}

// Copies the chunks of edges, in order, to separate blocks.
template <class To>
std::vector<edge_block<To>> ordered(const edge_batch& edges, const std::vector<placed_weights>& chunks) {
  std::uint64_t bytes = 0;
  for (const placed_weights& c : chunks) bytes += c.weights.size() * sizeof(To);
  machine::require_chunk(bytes, "edges in the order of the input");
  std::vector<edge_block<To>> blocks(chunks.size());
  local::forall_chunks(
      0, chunks.size(), 1,
      [to = blocks.data(), from = &edges, chunks = chunks.data()](std::uint64_t b, std::uint64_t e) {
        for (; b < e; ++b) {
          const placed_weights& c = chunks[b];
          to[b] = {buffer<To>(c.weights.size()), c.weights.size()};
          if (!c.is_wide)
            copy_edges(from->edges[c.block].memory.data() + c.first, to[b].size, to[b].memory.data());
          else if constexpr (sizeof(To) == sizeof(wide_edge))
            copy_edges(from->wide[c.block].memory.data() + c.first, to[b].size, to[b].memory.data());
        }
      });
  return blocks;
}

}  // namespace

void weigh_one(edge_batch& edges) {
  edges.weights = {.type = weight_type::int32, .blocks = {}};
  edges.wide_weights = {.type = weight_type::int32, .blocks = {}};
  for (const auto& block : edges.edges) add_ones(edges.weights, block.size);
  for (const auto& block : edges.wide) add_ones(edges.wide_weights, block.size);
}

void order_edges(edge_batch& edges, std::vector<placed_weights>& chunks) {
  if (chunks.empty()) return;
  std::ranges::sort(chunks, {}, &placed_weights::position);
  const bool is_wide = !edges.wide.empty();
  if (is_wide) {
    auto wide = ordered<wide_edge>(edges, chunks);
    edges.edges.clear();
    edges.wide = std::move(wide);
  } else {
    edges.edges = ordered<edge>(edges, chunks);
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].is_wide = is_wide;
    chunks[i].block = i;
    chunks[i].first = 0;
  }
}

}  // namespace gossamer::graph
