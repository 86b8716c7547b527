#pragma once
// The step of uts and of building uts-mem: sixteen children of the newest nodes, hashed together.

#include <algorithm>
#include <array>
#include <cstdint>

#include "gossamer/kernels/internal/depth_first.hpp"
#include "gossamer/kernels/uts_tree.hpp"

namespace gossamer::kernels {

/// A batch of up to sixteen children. A family is adjacent children of one parent.
struct uts_families {
  struct family {
    unsigned lane, count;
    std::uint32_t depth;  // of the children
    std::uint32_t first;  // number of the first child
    std::uint64_t place;  // place of the children in memory (uts-mem)
  };
  sha1_batch batch;
  std::array<family, sha1_batch::k_lanes> of;
  unsigned families = 0, lanes = 0;

  /// Takes children of the newest nodes of `from`, up to a full batch, and hashes them.
  template <class Node>
  void make(node_stack<Node>& from, const sha1_method& by) {
    for (families = lanes = 0; lanes < sha1_batch::k_lanes && !from.empty(); ++families) {
      Node& parent = from.top();
      const std::uint32_t n = std::min(sha1_batch::k_lanes - lanes, parent.end - parent.next);
      batch.fill(lanes, parent.state, parent.next);
      of[families] = {lanes, n, parent.depth + 1, parent.next, 0};
      if constexpr (requires { parent.place; }) of[families].place = parent.place;
      lanes += n;
      parent.next += n;
      if (parent.next == parent.end) from.pop();
    }
    by.hash(batch, lanes);
  }
};

}  // namespace gossamer::kernels
