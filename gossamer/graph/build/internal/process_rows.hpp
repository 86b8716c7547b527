#pragma once
// Rows over several processes: edges, wherever they were read, travel to the processes that own their rows,
// which build them and place them in memory of symmetric addresses.
//   cut     all count the ends of their edges by buckets of vertices; the sums decide which process owns which vertices
//   deal    each process sends every edge to the owner of its row, sorted by buckets (deal_keys.hpp)
//   build   each process sorts the buckets it got, as a build in one process does (sorted_rows.hpp)
//   place   the rows are copied to where the view says that they are
// Phases are started by the main fiber, so that an error in any process arrives there and no process waits for
// the one that failed.

#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/graph/build/internal/sorted_rows.hpp"
#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"
#include "gossamer/memory/symmetric.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

/// One direction of the rows of one process: sorted, before they are placed.
struct built_rows {
  packed_rows rows;
  memory_chunk keys;  // which the rows lie in
};

/// What a process has on the way. blocks, weights and numbers are the caller's to fill.
struct process_rows {
  std::vector<edge_block<edge>> blocks;  // edges with ids of vertices; consumed
  edge_weights weights;  // of the blocks; of one type in all processes that have edges
  std::unique_ptr<id_bitmap> numbers;  // where there is one: of the vertices that the ids in blocks stand for
  std::vector<std::uint64_t> bounds;  // vertices by process
  std::uint64_t edges = 0;
  edge_input::loop_count loops;
  bool directed = false;
  std::unique_ptr<edge_input> input;  // the edges, while they are dealt
  task_table out_table, in_table;  // their keys by bucket of the first and of the second end
  built_rows out, in;
  struct facts {
    std::uint64_t edges = 0;
    edge_input::loop_count loops;
    std::uint64_t arcs = 0;
    bool in_is_out = false;
    weight_type weights = weight_type::none;
  };
  std::vector<facts> all;  // by process
};

/// Memory for rows at the same addresses in every process, the same memory for those of a node; by one fiber, main's.
class symmetric_rows {
 public:
  symmetric_rows() = default;
  symmetric_rows(std::uint64_t vertices, std::uint64_t arcs, weight_type weights,
                 const std::uint64_t* bounds);

  std::uint64_t* offsets() const { return reinterpret_cast<std::uint64_t*>(offsets_->data()); }
  vertex_id* targets() const { return reinterpret_cast<vertex_id*>(targets_->data()); }
  std::byte* weights() const { return weights_ ? weights_->data() : nullptr; }
  /// Takes the memory for `arcs` arcs from `before` on and the rows of vertices [first, last]. On the cores of the process that
  /// has them; suspends.
  static void take(const adjacency& where, weight_type weights, std::uint64_t first, std::uint64_t last,
                   std::uint64_t before, std::uint64_t arcs);
  rows view() const { return {adjacency{offsets(), targets(), weights()}, bounds_}; }
  void keep(std::vector<storage>& all) const {
    all.push_back(offsets_);
    all.push_back(targets_);
    if (weights_) all.push_back(weights_);
  }

 private:
  std::shared_ptr<memory::symmetric_region> offsets_, targets_, weights_;
  const std::uint64_t* bounds_ = nullptr;
};

/// The bounds of the vertices where every process can read them: `bounds` is taken from member of state.
struct symmetric_bounds {
  std::shared_ptr<memory::symmetric_region> memory;
  std::uint64_t* data() const { return reinterpret_cast<std::uint64_t*>(memory->data()); }
};
symmetric_bounds make_symmetric_bounds();

/// Returns the most bytes that a process has at once while a graph is built. An edge has two ends, and both
/// are dealt. In a directed graph they are dealt one after the other, while the rows of the first wait.
std::uint64_t shared_peak_bytes(std::uint64_t edges, std::uint64_t vertices,
                                weight_type weights = weight_type::none);

/// Returns processes() + 1 boundaries, multiples of `block` (but the last is `vertices`), of about equal
/// work. work[b] is that of block b of so many vertices.
std::vector<std::uint64_t> process_bounds_of(const std::vector<std::uint64_t>& work, std::uint64_t block,
                                             std::uint64_t vertices);

/// Builds the graph of all processes' edges. Called by the main fiber. `names` are for all vertices (in
/// process 0). Adds duplicates, self_loops and build_seconds to `statistics`.
graph build_over_processes(per_process<process_rows> state, std::uint64_t vertices, bool directed,
                           labels names, graph_statistics statistics, const progress_hook& progress);

}  // namespace gossamer::graph
