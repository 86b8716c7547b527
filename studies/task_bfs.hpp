#pragma once
// Breadth-first search as a program of tasks that wait, the form of the Grappa paper's figures: for each neighbour a task ships a compare-and-
// exchange to the neighbour's owner, and waits for the answer. What aggregation, many fibers, stealing and coarse loops do shows in its time.
// A study: graph::bfs waits for nothing.

#include <cstdint>
#include <memory>
#include <span>

#include "gossamer/graph/algorithms/bfs.hpp"

namespace gossamer::studies {

struct task_bfs_options {
  /// Idle cores may take tasks; else they stay on the owner of the vertices that they go over.
  bool stealable = true;
  /// Most iterations of a loop, over vertices of a level or neighbours of a vertex, that a task goes through by itself. 0: the job's
  /// (job_options::loop_grain), else by the arcs of a core: 1 to 32.
  std::uint64_t grain = 0;
};

/// Holds the arrays of a search, so that trials reuse them. Lives inside run(); main fiber only.
class task_bfs {
 public:
  /// Makes room for searches of g. Collective over all cores.
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
