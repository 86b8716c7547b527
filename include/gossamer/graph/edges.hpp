#pragma once
// Edges on their way from a reader or generator to the builder: pairs of ids in large blocks, in no
// particular order (a graph is a set). Each core appends to blocks of its own, without locks.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/buffer.hpp"
#include "gossamer/graph/view.hpp"

namespace gossamer::graph {

template <class Id>
struct basic_edge {
  Id from, to;
  bool operator==(const basic_edge&) const = default;
};
using edge = basic_edge<vertex_id>;
using wide_edge = basic_edge<std::uint64_t>;  // ids as a file has them, before they are compacted

template <class Edge>
struct edge_block {
  buffer<Edge> memory;
  std::uint64_t size = 0;

  std::span<Edge> edges() const { return {memory.data(), size}; }
};

/// One core's blocks. room() then used(): the caller writes between, unchecked.
template <class Edge>
class edge_appender {
 public:
  /// `expected`: edges that this core will probably get; 0: no idea.
  void expect(std::uint64_t expected) { expected_ = expected; }

  /// Where the next `most` edges may be written.
  Edge* room(std::uint64_t most) {
    if (blocks_.empty() || blocks_.back().memory.size() - blocks_.back().size < most) {
      const std::uint64_t wanted = std::min(std::max(expected_, k_least), k_block);
      blocks_.push_back({buffer<Edge>(std::max(wanted, most)), 0});
    }
    return blocks_.back().memory.data() + blocks_.back().size;
  }
  void used(std::uint64_t count) {
    blocks_.back().size += count;
    GOSSAMER_ASSERT(blocks_.back().size <= blocks_.back().memory.size());
  }
  void append(Edge e) {
    *room(1) = e;
    used(1);
  }

  std::vector<edge_block<Edge>>& blocks() { return blocks_; }
  std::uint64_t count() const {
    std::uint64_t n = 0;
    for (const auto& b : blocks_) n += b.size;
    return n;
  }

 private:
  static constexpr std::uint64_t k_least = 512, k_block = std::uint64_t{1} << 20;

  std::vector<edge_block<Edge>> blocks_;
  std::uint64_t expected_ = k_block;
};

}  // namespace gossamer::graph
