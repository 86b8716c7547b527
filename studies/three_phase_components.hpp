#pragma once
// Connected components in three phases, ignoring directions (Berry, Hendrickson, Kahan, Konecny, IPDPS 2007).
// Concurrent searches from many vertices insert the pairs of labels that meet into a hash set of the whole
// job. A study of that set; graph::connected_components() is several times as fast.

#include <cstdint>

#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/graph/algorithms/components.hpp"

namespace gossamer::studies {

/// How the pairs of labels are stored and joined.
struct three_phase_options {
  /// Where requests to the set merge.
  combine combining = combining::by_default();
  /// Cores stage pairs, each once, and the set gets them when all searches have ended.
  bool staged = false;
  /// Process 0 alone joins up to so many pairs.
  std::uint64_t few_pairs = 1 << 18;
};

/// Finds the connected components. Returns the same as graph::connected_components(). Collective over all
/// cores; by the main fiber.
graph::components_result three_phase_components(const graph::graph_view& g,
                                                const graph::progress_hook& progress = {},
                                                const three_phase_options& options = {});

}  // namespace gossamer::studies
