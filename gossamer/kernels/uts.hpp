#pragma once
// Unbalanced Tree Search: how many nodes, leaves and levels a tree has whose shape cannot be known
// before walking it (uts_tree.hpp). Every node's state is really computed, sixteen at a time. Each core goes
// depth first over nodes of its own; half of the oldest, whose subtrees are the largest, is offered as
// stealable tasks of up to thirty nodes each whenever nothing of the core's is left to steal.

#include <cstdint>
#include <functional>

#include "gossamer/kernels/uts_tree.hpp"

namespace gossamer::kernels {

struct uts_result {
  uts_size size;
  double seconds = 0;

  double mnodes_per_s() const { return seconds > 0 ? static_cast<double>(size.nodes) / seconds / 1e6 : 0; }
};

/// Told now and then, on core 0, about how many nodes have been visited. Must not suspend.
using uts_progress = std::function<void(std::uint64_t nodes)>;

/// Searches a tree. Called inside run(), by the main fiber; all cores work. `method`: how to hash, one of
/// sha1_methods() by number. Takes some 32 bytes of memory for each node that waits, a few hundred per level
/// of the tree.
uts_result search_tree(const uts_tree& tree, const uts_progress& progress = {}, std::uint32_t method = 0);

/// Does the same as search_tree() by the definition alone: one node after the other, portable SHA-1,
/// logarithms. Serial and an order of magnitude slower; needs no job.
uts_size search_tree_serially(const uts_tree& tree);

}  // namespace gossamer::kernels
