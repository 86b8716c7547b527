#pragma once
// Connected components in three phases, direction ignored: searches from many vertices at once note in a hash set of the whole job where
// they meet (Berry, Hendrickson, Kahan, Konecny, IPDPS 2007). A study of that set; graph::connected_components() is several times as fast.

#include <cstdint>

#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/graph/algorithms/components.hpp"

namespace gossamer::studies {

/// How the pairs of labels that have met are kept and joined.
struct three_phase_options {
  /// Where requests to the set merge.
  combine combining = combining::by_default();
  /// Cores put pairs aside, each once, and the set gets them when all searches have ended.
  bool staged = false;
  /// Up to so many pairs process 0 joins by itself.
  std::uint64_t few_pairs = 1 << 18;
};

/// Finds the connected components. Collective over all cores; main fiber. Returns the same as graph::connected_components().
graph::components_result three_phase_components(const graph::graph_view& g,
                                                const graph::progress_hook& progress = {},
                                                const three_phase_options& options = {});

}  // namespace gossamer::studies
