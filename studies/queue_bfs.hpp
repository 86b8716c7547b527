#pragma once
// Breadth-first search whose frontier is one queue of the whole job (Holt et al., "Flat combining synchronized global data structures",
// PGAS 2013): what a level discovers goes into it, and every core is dealt a share. A study of that queue. graph::bfs has lists instead.

#include <memory>
#include <span>

#include "gossamer/combining/engine/combiner.hpp"
#include "gossamer/graph/algorithms/bfs.hpp"

namespace gossamer::studies {

/// How vertices go into the queue and out of it.
struct queue_bfs_options {
  /// Each vertex is a request of a fiber of its own; else each core puts in and takes out many by one request.
  bool singly = false;
  /// Such requests go to a queue as the paper has it without combining: its home core holds a lock over a round trip.
  bool locked = false;
  /// Where requests to the queue merge.
  combine combining = combining::by_default();
};

/// Holds the arrays of a search, so that trials reuse them. Lives inside run(); main fiber only.
class queue_bfs {
 public:
  /// Makes room for searches of g. Collective over all cores.
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
