#pragma once
// Unbalanced Tree Search: counts the nodes, leaves and levels of a tree whose shape is unknown until it is
// traversed (uts_tree.hpp). Computes every node's state, sixteen at a time. Each core works depth first on
// its own nodes. When it has no tasks left to steal, it offers half of its oldest nodes, whose subtrees are
// the largest, as stealable tasks of up to thirty nodes each.

#include <cstdint>
#include <functional>

#include "gossamer/kernels/uts_tree.hpp"

namespace gossamer::kernels {

struct uts_result {
  uts_size size;
  double seconds = 0;

  double mnodes_per_s() const { return seconds > 0 ? static_cast<double>(size.nodes) / seconds / 1e6 : 0; }
};

/// Called at intervals, on core 0, with about the number of visited nodes. Must not suspend.
using uts_progress = std::function<void(std::uint64_t nodes)>;

/// Searches a tree. Inside run(), by the main fiber; all cores work. `method`: the hash method, an index into
/// sha1_methods(). Takes some 32 bytes of memory for each waiting node, a few hundred per level of the tree.
uts_result search_tree(const uts_tree& tree, const uts_progress& progress = {}, std::uint32_t method = 0);

/// Does the same as search_tree() directly by the definition: one node after another, portable SHA-1,
/// logarithms. Serial and an order of magnitude slower; needs no job.
uts_size search_tree_serially(const uts_tree& tree);

}  // namespace gossamer::kernels
