#include "gossamer/graph/ingest/internal/with_weights.hpp"

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

}  // namespace gossamer::graph
