// Merging of bundles of arcs.
#include "gossamer/graph/algorithms/internal/bundle_list.hpp"

#include <algorithm>

#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {
namespace {
std::pair<vertex_id, vertex_id> ends_of(const arc_bundle& b) { return {b.from, b.to}; }
}  // namespace

void bundle_list::merge() {
  std::ranges::sort(all_, {}, ends_of);
  std::size_t kept = 0;
  for (const arc_bundle& each : all_) {
    if (kept != 0 && ends_of(all_[kept - 1]) == ends_of(each))
      all_[kept - 1].arcs += each.arcs;
    else
      all_[kept++] = each;
  }
  all_.resize(kept);
}

/// Merges bundles, and enlarges the chunk if less than half of it is free then.
void bundle_list::make_room() {
  merge();
  if (most_ != 0 && all_.size() <= most_ / 2) return;
  const std::size_t larger = std::max(k_first_chunk, 2 * most_);
  if (most_ != 0) machine::require_memory(larger * sizeof(arc_bundle), "the condensation");
  all_.reserve(larger);
  most_ = larger;
}

}  // namespace gossamer::graph
