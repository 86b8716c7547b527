#pragma once
// Breadth-first search whose frontier is one queue of the whole job (Holt et al., "Flat combining
// synchronized global data structures", PGAS 2013): the vertices that a level discovers are enqueued, and
// every core dequeues a share. A study of that queue; graph::bfs has lists instead.

#include <memory>
#include <span>

#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/graph/algorithms/bfs.hpp"

namespace gossamer::studies {

/// How vertices are enqueued and dequeued.
struct queue_bfs_options {
  /// Each vertex is one request of its own fiber; else each core enqueues and dequeues many vertices by one
  /// request.
  bool singly = false;
  /// These requests go to the queue without combining of the paper: its home core holds a lock over a round
  /// trip.
  bool locked = false;
  /// Where requests to the queue merge.
  combine combining = combining::by_default();
};

/// Holds the arrays of a search, so that trials reuse them. Inside run(); by the main fiber.
class queue_bfs {
 public:
  /// Allocates the arrays for searches of g. Collective over all cores.
  explicit queue_bfs(const graph::graph_view& g, const queue_bfs_options& options = {});
  ~queue_bfs();
  queue_bfs(const queue_bfs&) = delete;
  queue_bfs& operator=(const queue_bfs&) = delete;

  /// Does the same as graph::bfs::run().
  graph::bfs_result run(graph::vertex_id source, const graph::progress_hook& progress = {});

  /// Returns the same as graph::bfs::parents().
  std::span<const graph::vertex_id> parents() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gossamer::studies
