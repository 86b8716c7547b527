#pragma once
// What uts and uts-mem have in common: a stack of nodes whose children are still to be made, and the step
// that makes sixteen of them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "gossamer/kernels/uts_tree.hpp"

namespace gossamer::kernels {

/// A node and the range of its children that nobody has made yet. Half a cache line.
struct uts_node {
  sha1_digest state;
  std::uint32_t depth;
  std::uint32_t next, end;
};
static_assert(sizeof(uts_node) == 32);

/// Of anything with `next` and `end`: the newest first for the owner, the oldest to give away.
template <class Node>
class node_stack {
 public:
  bool empty() const { return bottom_ == nodes_.size(); }
  std::size_t size() const { return nodes_.size() - bottom_; }
  Node& top() { return nodes_.back(); }
  void push(const Node& n) { nodes_.push_back(n); }
  void push(std::span<const Node> some) { nodes_.insert(nodes_.end(), some.begin(), some.end()); }
  void pop() {
    nodes_.pop_back();
    if (empty()) clear();
  }
  /// Half of the oldest into `to`, or half of the children of the only one; how many nodes that gives.
  std::size_t take_oldest(std::span<Node> to) {
    if (size() == 1) return split(top(), to[0]);
    const std::size_t n = std::min(to.size(), size() / 2);
    std::copy_n(nodes_.begin() + static_cast<std::ptrdiff_t>(bottom_), n, to.begin());
    bottom_ += n;
    if (bottom_ > nodes_.size() / 2) {
      nodes_.erase(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(bottom_));
      bottom_ = 0;
    }
    return n;
  }

 private:
  static std::size_t split(Node& mine, Node& theirs) {
    const auto half = (mine.end - mine.next) / 2;
    if (half == 0) return 0;
    theirs = mine;
    theirs.end = mine.next += half;
    theirs.next = theirs.end - half;
    return 1;
  }
  void clear() {
    nodes_.clear();
    bottom_ = 0;
  }

  std::vector<Node> nodes_;
  std::size_t bottom_ = 0;  // what lies below has been given away
};

/// Sixteen children of the newest nodes, hashed. Families: children of one parent, side by side.
struct uts_families {
  struct family {
    unsigned lane, count;
    std::uint32_t depth;  // of the children
  };
  sha1_batch batch;
  std::array<family, sha1_batch::k_lanes> of;
  unsigned families = 0, lanes = 0;

  void make(node_stack<uts_node>& from, const sha1_method& by) {
    for (families = lanes = 0; lanes < sha1_batch::k_lanes && !from.empty(); ++families) {
      uts_node& parent = from.top();
      const std::uint32_t n = std::min(sha1_batch::k_lanes - lanes, parent.end - parent.next);
      batch.fill(lanes, parent.state, parent.next);
      of[families] = {lanes, n, parent.depth + 1};
      lanes += n;
      parent.next += n;
      if (parent.next == parent.end) from.pop();
    }
    by.hash(batch, lanes);
  }
};

}  // namespace gossamer::kernels
