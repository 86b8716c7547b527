#pragma once
// Pushes a flow through a residual network, by the cores of this process. Each owns a block of the vertices, and of the arcs in their rows.
//
// Algorithm: push and relabel, first in, first out [A. V. Goldberg, R. E. Tarjan, "A New Approach to the Maximum-Flow Problem", Journal of the
//   ACM 1988], in rounds, with distances found anew by a search from the sink [N. Baumstark, G. Blelloch, J. Shun, "Efficient Implementation
//   of a Synchronous Parallel Push-Relabel Algorithm", ESA 2015]. run() is the first phase: what cannot reach the sink stays where it is.
//   give_back() is the second one: it goes back to the source, by one core.
// Encoding: height[v] is at most the arcs from v to the sink along arcs with room; the number of vertices where none leads there.
// Phases: in a round each core first pushes from its own active vertices. Vertices with all neighbours in the block are raised at once. The
//   others, which other cores look at, keep their heights meanwhile. Then each core takes what others have pushed to it, and raises those of its
//   outer vertices that could not push all. Outer heights are read in a copy by other cores; there are two copies, for this round and the next.

#include <cstdint>
#include <vector>

#include "gossamer/graph/algorithms/internal/flow_network.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

class push_relabel {
 public:
  /// Takes a network, which must outlive it. `alone`: this core pushes by itself, so the flow does not depend on the number of cores. Suspends.
  push_relabel(flow_network& network, vertex_id source, vertex_id sink, bool alone);

  /// Pushes until nothing that is left can reach the sink. By the fiber that made it; suspends.
  void run(const progress_hook& progress);

  /// Pushes what could not reach the sink back to the source, after run(): the network holds a flow then, by which reaches_sink() says nothing.
  /// By one core.
  void give_back();

  /// Returns whether more could reach the sink from v.
  bool reaches_sink(vertex_id v) const { return state_[v].height < network_.vertices(); }
  std::uint64_t rounds() const { return rounds_; }
  std::uint64_t searches() const { return searches_; }
  /// Returns the boundaries of the cores' blocks.
  const std::vector<std::uint64_t>& bounds() const { return bounds_; }

 private:
  struct vertex_state {
    std::int64_t excess;
    vertex_id height;
    vertex_id next;  // the place of the arc to try next
    bool is_outer;  // a neighbour is in another block
    bool is_listed;  // as active, or as stuck
  };
  struct pushed {
    vertex_id to, arc;  // the arc of `to` back to where it came from
    std::int64_t amount;
  };
  struct reached {
    vertex_id vertex, height;
  };
  struct core_part {
    std::uint64_t begin = 0, count = 0;  // its block
    std::vector<vertex_id> active;  // own vertices with an excess, from `first` on
    std::size_t first = 0;
    std::vector<vertex_id> stuck;  // own outer vertices that are to be raised
    std::vector<vertex_id> raised;  // own outer vertices whose height the other copy has not
    std::vector<std::vector<pushed>> sent;  // by core
    std::vector<std::vector<reached>> found[2];  // by core; those of a step of the search, and of the next
    std::uint64_t work = 0;  // arcs looked at to raise vertices since the last search
  };

  static bool owns(const core_part& mine, vertex_id v) { return v - mine.begin < mine.count; }
  unsigned owner(vertex_id v) const;
  vertex_id height_of(const core_part& mine, vertex_id v) const {
    return owns(mine, v) ? state_[v].height : shown_[rounds_ % 2][v];
  }
  void list(core_part& mine, vertex_id v);
  void add_up(core_part& mine, vertex_id v, std::int64_t amount);

  void start(unsigned core);
  void leave_source();
  template <class F>
  void each_core(bool is_little, F f);
  void push(unsigned core);
  void discharge(core_part& mine, scan_meter& meter, vertex_id v);
  bool raise(core_part& mine, scan_meter& meter, vertex_id v);
  void take(unsigned core);

  void search();
  void begin_search(unsigned core);
  void search_on(unsigned core, unsigned step);
  void end_search(unsigned core);

  void find_ways_back();

  std::uint64_t active() const;
  std::uint64_t work() const;

  flow_network& network_;
  unsigned team_;  // cores that push
  vertex_id source_, sink_;
  vertex_id far_;  // a height from which the sink is not reached
  std::vector<std::uint64_t> bounds_;
  buffer<vertex_state> state_;
  std::vector<vertex_id> shown_[2];  // heights of outer vertices; empty: one core
  local::scoped_per_core<core_part> parts_;
  std::uint64_t most_work_ = 0;  // between two searches
  std::uint64_t rounds_ = 0, searches_ = 0;
};

}  // namespace gossamer::graph
