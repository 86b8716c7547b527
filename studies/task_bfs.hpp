#pragma once
// Breadth-first search by tasks that wait, as in the figures of the Grappa paper: for each neighbour a task
// sends a compare-and-exchange to the owner of the neighbour, and waits for the answer. Its time shows the
// effects of aggregation, many fibers, stealing and coarse loops. A study; graph::bfs never waits.

#include <cstdint>
#include <memory>
#include <span>

#include "gossamer/graph/algorithms/bfs.hpp"

namespace gossamer::studies {

struct task_bfs_options {
  /// Idle cores may take tasks; else a task stays on the owner of its vertices.
  bool stealable = true;
  /// Most iterations of a loop that one task runs, over vertices of a level or neighbours of a vertex. 0:
  /// that of the job (job_options::loop_grain), or if that is 0, too, 1 to 32 by the number of arcs per core.
  std::uint64_t grain = 0;
};

/// Holds the arrays of a search, so that trials reuse them. Inside run(); by the main fiber.
class task_bfs {
 public:
  /// Allocates the arrays for searches of g. Collective over all cores.
  explicit task_bfs(const graph::graph_view& g, const task_bfs_options& options = {});
  ~task_bfs();
  task_bfs(const task_bfs&) = delete;
  task_bfs& operator=(const task_bfs&) = delete;

  /// Does the same as graph::bfs::run().
  graph::bfs_result run(graph::vertex_id source, const graph::progress_hook& progress = {});

  /// Returns the same as graph::bfs::parents().
  std::span<const graph::vertex_id> parents() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gossamer::studies
