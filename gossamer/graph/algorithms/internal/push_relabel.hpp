#pragma once
// Push-relabel on a residual network, by the cores of this process. The vertices and their rows are divided
// into blocks.
//
// Algorithm: push and relabel, first in, first out [A. V. Goldberg, R. E. Tarjan, "A New Approach to the
//   Maximum-Flow Problem", Journal of the ACM 1988], in rounds, with global relabelling by a search from the
//   sink [N. Baumstark, G. Blelloch, J. Shun, "Efficient Implementation of a Synchronous Parallel
//   Push-Relabel Algorithm", ESA 2015]. run() is the first phase: excess that cannot reach the sink stays at
//   its vertex. give_back() is the second phase: it returns that excess to the source, by the same rounds.
// Encoding: height[v] is at most the number of residual arcs on a path from v to the goal; the number of
//   vertices if there is no path. The goal is the sink, then the source.
// Gaps: if no vertex has a height, vertices above it cannot reach the goal, since heights drop by at most 1
//   along a residual arc [B. Cherkassky, A. Goldberg, "On Implementing the Push-Relabel Method for the
//   Maximum Flow Problem", Algorithmica 1997]. A block counts its vertices by height. Between rounds the
//   lowest empty height is found among those that blocks have emptied. It is valid in a block until the block
//   raises a vertex to it: within a round, a vertex is raised above that height only after a vertex of the
//   same block was raised to it.
// Blocks: a core has one or several. Pushes depend only on the blocks, so for a given number of blocks the
//   flow is the same on any number of cores.
// Phases: in a round each block first pushes from its own active vertices. Vertices whose neighbours are all
//   in the block are raised at once. The others, whose heights other blocks read, keep them meanwhile. Then
//   each block receives the flow that others have pushed to it, and raises its outer vertices that have
//   excess left. Other blocks read outer heights in a copy; there are two copies, for this round and the
//   next.

#include <cstdint>
#include <vector>

#include "gossamer/graph/algorithms/internal/flow_network.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

/// Counts of the operations so far.
struct push_counts {
  std::uint64_t rounds = 0;
  std::uint64_t searches = 0;  ///< for the distances to the goal
  std::uint64_t pushes = 0;
  std::uint64_t raises = 0;
};

class push_relabel {
 public:
  /// Cuts a network, which must outlive this object, into so many blocks. Suspends.
  push_relabel(flow_network& network, vertex_id source, vertex_id sink, unsigned blocks);

  /// Pushes until no remaining excess can reach the sink. By the fiber that made the object; suspends.
  void run(const progress_hook& progress);

  /// Pushes remaining excess back to the source, after run(). The network holds a flow then; reaches_sink()
  /// is no longer valid.
  void give_back(const progress_hook& progress);

  /// Returns whether a residual path leads from v to the sink.
  bool reaches_sink(vertex_id v) const { return state_[v].height < network_.vertices(); }
  push_counts counts() const;
  unsigned blocks() const { return static_cast<unsigned>(parts_.size()); }
  /// Calls f(block, first, end) for the vertices of each block: on the cores that own them, or on this one.
  /// Suspends.
  template <class F>
  void over_blocks(bool is_shared, F f) {
    each_block(!is_shared, [this, f](unsigned block) { f(block, bounds_[block], bounds_[block + 1]); });
  }

 private:
  struct vertex_state {
    std::int64_t excess;
    vertex_id height;
    vertex_id next;  // index of the arc to try next
    bool is_outer;  // a neighbour is in another block
    bool is_listed;  // as active, or as stuck
  };
  struct pushed {
    vertex_id to, arc;  // the arc of `to` back to its origin
    std::int64_t amount;
  };
  struct reached {
    vertex_id vertex, height;
  };
  struct block_part {
    std::uint64_t begin = 0, count = 0;  // its vertices
    std::vector<vertex_id> active;  // own vertices with an excess, from `first` on
    std::size_t first = 0;
    std::vector<vertex_id> stuck;  // own outer vertices that are to be raised
    std::vector<vertex_id> raised;  // own outer vertices whose height differs in the other copy
    std::vector<std::vector<pushed>> sent;  // by block
    std::vector<std::vector<reached>> found[2];  // by block; those of a step of the search, and of the next
    std::uint64_t work = 0;  // work of relabelling since the last search, in arcs
    std::vector<vertex_id> at_height;  // own vertices, by height below k_counted
    std::vector<vertex_id> emptied;  // heights that their last own vertex has left in this round
    vertex_id gap = k_no_vertex;  // a height that no vertex has; or k_no_vertex
    std::uint64_t pushes = 0, raises = 0;
  };
  static constexpr vertex_id k_counted = 1 << 16;

  static bool owns(const block_part& mine, vertex_id v) { return v - mine.begin < mine.count; }
  unsigned owner(vertex_id v) const;
  vertex_id height_of(const block_part& mine, vertex_id v) const {
    return owns(mine, v) ? state_[v].height : shown_[rounds_ % 2][v];
  }
  void list(block_part& mine, vertex_id v);
  void add_up(block_part& mine, vertex_id v, std::int64_t amount);

  void start(unsigned block);
  void leave_source();
  void push_all(const progress_hook& progress);
  template <class F>
  void each_block(bool is_little, F f);
  void push(unsigned block);
  void discharge(block_part& mine, scan_meter& meter, vertex_id v);
  bool raise(block_part& mine, scan_meter& meter, vertex_id v);
  void take(unsigned block);

  static void count_height(block_part& mine, vertex_id height);
  void leave_height(block_part& mine, vertex_id height) const;
  bool is_empty(vertex_id height) const;
  void find_gap();

  void search();
  void begin_search(unsigned block);
  void search_on(unsigned block, unsigned step);
  void end_search(unsigned block);

  std::uint64_t active() const;
  std::uint64_t work() const;

  flow_network& network_;
  vertex_id goal_, other_;  // sink and source, then the other way round
  vertex_id far_;  // a height from which the goal is not reachable
  std::vector<std::uint64_t> bounds_;
  buffer<vertex_state> state_;
  std::vector<vertex_id> shown_[2];  // heights of outer vertices; empty: one block
  std::vector<block_part> parts_;
  std::uint64_t most_work_ = 0;  // between two searches
  std::uint64_t rounds_ = 0, searches_ = 0;
};

/// Runs a phase of all blocks: on this core alone if there is little to do, because waiting for the others
/// would take longer.
template <class F>
void push_relabel::each_block(bool is_little, F f) {
  const auto each = [f, all = blocks()](unsigned first, unsigned step) {
    for (unsigned block = first; block < all; block += step) f(block);
  };
  if (is_little || blocks() == 1 || local::cores() == 1) return each(0, 1);
  local::on_all_cores([each] { each(local::here(), local::cores()); });
}

}  // namespace gossamer::graph
