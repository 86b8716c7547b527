#pragma once
// Edges on the way from a reader or generator to the builder: pairs of ids in large blocks, in arbitrary
// order (a graph is a set), with their weights. Each core appends to its own blocks, without locks.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// An edge between two ids.
template <class Id>
struct basic_edge {
  Id from;  // source
  Id to;  // target
  /// Compares both ends.
  bool operator==(const basic_edge&) const = default;
};
/// An edge between vertices.
using edge = basic_edge<vertex_id>;
using wide_edge = basic_edge<std::uint64_t>;  // ids of a file, before compaction

/// A block of edges.
template <class Edge>
struct edge_block {
  /// The memory that the block owns.
  buffer<Edge> memory;
  /// The number of edges.
  std::uint64_t size = 0;

  /// Returns the edges.
  std::span<Edge> edges() const { return {memory.data(), size}; }
};

/// The weights of blocks of edges: equally many blocks, in the same order. They are bytes, because their type
/// is known only after all of them have been read.
struct edge_weights {
  /// The type of all weights.
  weight_type type = weight_type::none;
  /// The bytes of each block. An empty block belongs to self-loops, which have no weight.
  std::vector<buffer<std::byte>> blocks;
  /// The rule for parallel edges. If it depends on their order, edges are in the order of the input.
  duplicate_rule rule = duplicate_rule::min;

  /// Adds blocks without weights, up to `count` blocks.
  void fill_up(std::size_t count) {
    while (type != weight_type::none && blocks.size() < count) blocks.emplace_back();
  }
  /// Appends the blocks of other weights of the same type.
  void append(edge_weights more) {
    for (auto& block : more.blocks) blocks.push_back(std::move(block));
  }
};

/// Blocks of edges, with narrow ids if these fit, and their weights if there are any.
struct edge_batch {
  /// Edges whose ids fit a vertex_id.
  std::vector<edge_block<edge>> edges;
  /// Edges of input chunks that have larger ids.
  std::vector<edge_block<wide_edge>> wide;
  /// The weights of `edges`.
  edge_weights weights = {};
  /// The weights of `wide`, of the same type.
  edge_weights wide_weights = {};
};

/// A memory region for the blocks of all cores. Afterwards it can serve as one chunk.
class edge_arena {
 public:
  edge_arena() = default;
  /// Allocates memory for `bytes` bytes of edges.
  explicit edge_arena(std::uint64_t bytes) : all_(new_chunk(bytes)) {}

  /// Takes memory from the arena. By any core. Returns nothing if the arena is exhausted.
  memory_chunk take(std::uint64_t bytes) {
    bytes = (bytes + k_unit - 1) / k_unit * k_unit;
    const std::uint64_t at =
        used_.fetch_add(bytes, std::memory_order_relaxed);  // relaxed: assigns bytes only
    if (at + bytes > all_.bytes) return {};
    return {all_.region, all_.data + at, bytes};
  }

 private:
  static constexpr std::uint64_t k_unit = 4096;
  memory_chunk all_;
  std::atomic<std::uint64_t> used_{0};
};

/// The blocks of one core. The caller calls room(), writes edges there unchecked, and calls used().
template <class Edge>
class edge_appender {
 public:
  /// Sets the expected number of edges of this core. Takes blocks from `arena` until it is exhausted.
  void expect(std::uint64_t expected, edge_arena* arena = nullptr) {
    expected_ = expected;
    arena_ = arena;
  }

  /// Returns the address for the next edges, `most` at most.
  Edge* room(std::uint64_t most) {
    if (blocks_.empty() || blocks_.back().memory.size() - blocks_.back().size < most) {
      const std::uint64_t wanted = std::min(std::max(expected_, k_least), k_block);
      blocks_.push_back({new_block(std::max(wanted, most)), 0});
    }
    return blocks_.back().memory.data() + blocks_.back().size;
  }
  /// Counts edges that were written to room().
  void used(std::uint64_t count) {
    blocks_.back().size += count;
    GOSSAMER_ASSERT(blocks_.back().size <= blocks_.back().memory.size());
  }
  /// Adds an edge.
  void append(Edge e) {
    *room(1) = e;
    used(1);
  }

  /// Returns all blocks.
  std::vector<edge_block<Edge>>& blocks() { return blocks_; }
  /// Returns the number of edges.
  std::uint64_t count() const {
    std::uint64_t n = 0;
    for (const auto& b : blocks_) n += b.size;
    return n;
  }

 private:
  static constexpr std::uint64_t k_least = 512, k_block = std::uint64_t{1} << 20;

  buffer<Edge> new_block(std::uint64_t edges) {
    memory_chunk chunk;
    if (arena_) chunk = arena_->take(edges * sizeof(Edge));
    return chunk.region ? buffer<Edge>(std::move(chunk), edges) : buffer<Edge>(edges);
  }

  std::vector<edge_block<Edge>> blocks_;
  std::uint64_t expected_ = k_block;
  edge_arena* arena_ = nullptr;
};

}  // namespace gossamer::graph
