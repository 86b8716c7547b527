#include "gossamer/graph/ingest/internal/with_weights.hpp"

#include <memory>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

template <class Weight, class Edge>
std::vector<buffer<Weight>> room_for(const std::vector<edge_block<Edge>>& blocks) {
  std::uint64_t edges = 0;
  for (const auto& b : blocks) edges += b.size;
  machine::require_piece(edges * sizeof(Weight), "weights of edges");
  std::vector<buffer<Weight>> room;
  for (const auto& b : blocks) room.emplace_back(b.size);
  return room;
}

template <class Weight>
any_batch filled(edge_batch<> edges, std::vector<placed_weights>& pieces) {
  const auto batch = std::make_unique<edge_batch<Weight>>(edge_batch<Weight>{std::move(edges), {}, {}});
  batch->weights = room_for<Weight>(batch->edges);
  batch->wide_weights = room_for<Weight>(batch->wide);
  local::forall_chunks(0, pieces.size(), 1, [to = batch.get(), from = pieces.data()](auto b, auto e) {
    for (; b < e; ++b) {
      placed_weights& p = from[b];
      if (p.weights.size() == 0) continue;
      const buffer<Weight>& block = (p.is_wide ? to->wide_weights : to->weights)[p.block];
      GOSSAMER_ASSERT(p.first + p.weights.size() <= block.size());
      p.weights.write(block.data() + p.first);
      p.weights = {};
    }
  });
  return std::move(*batch);
}

}  // namespace

any_batch with_weights(edge_batch<> edges, std::vector<placed_weights> pieces, weight_mode mode) {
  if (mode == weight_mode::none || pieces.empty()) return edges;
  bool has_reals = false, has_negative = false, has_large = false;
  for (const placed_weights& p : pieces) {
    has_reals = has_reals || (p.weights.is_real() && p.weights.size() != 0);
    has_negative = has_negative || p.weights.has_negative();
    has_large = has_large || p.weights.has_large();
  }
  if (has_reals || (has_negative && has_large))
    return mode == weight_mode::as_float ? filled<float>(std::move(edges), pieces)
                                         : filled<double>(std::move(edges), pieces);
  return has_large ? filled<std::uint32_t>(std::move(edges), pieces)
                   : filled<std::int32_t>(std::move(edges), pieces);
}

}  // namespace gossamer::graph
