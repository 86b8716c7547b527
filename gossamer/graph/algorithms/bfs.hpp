#pragma once
// Breadth-first search, direction-optimising (Beamer, Asanovic, Patterson, SC 2012). Small frontiers go
// top-down: each neighbour is shipped to its owner, which sets its parent unless it has one (path 1). Large
// frontiers go bottom-up: each owner searches the frozen frontier bitmap for a parent of its unvisited
// vertices (path 2). Where many levels are thin, cores process several levels between two barriers. Follows
// the direction of a directed graph.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gossamer/graph/engine/traversal_policy.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The result of a search.
struct bfs_result {
  /// The source.
  vertex_id source = 0;
  std::vector<std::uint64_t> levels;  // vertices per level; levels[0] == 1
  std::uint64_t reached = 0;  // sum of levels
  std::uint64_t edges = 0;  // what MTEPS counts: out-degrees of the reached; halved if undirected
  double seconds = 0;  // the search alone

  /// Returns millions of traversed edges a second, as Graph500 counts them.
  double mteps() const { return seconds > 0 ? static_cast<double>(edges) / seconds / 1e6 : 0; }
};

/// Options of searches.
struct bfs_options {
  /// When to pull, and when to process several levels at once.
  traversal_policy policy = {};
};

/// Holds the arrays of a search, so that trials reuse them. Lives inside run(); main fiber only.
/// Memory: 4 bytes and 4 bits per vertex, plus the frontier; 4 bytes more where levels are thin.
class bfs {
 public:
  /// Makes room for searches of g. Collective over all cores; main fiber.
  explicit bfs(const graph_view& g, const bfs_options& options = {});
  ~bfs();
  bfs(const bfs&) = delete;
  bfs& operator=(const bfs&) = delete;

  /// Runs one search from `source` < vertices (asserted). Collective over all cores.
  bfs_result run(vertex_id source, const progress_hook& progress = {});

  /// Returns the parent of each vertex in the last run. The source is its own parent; k_no_vertex means not
  /// reached. Valid in every process until the next run. Over processes, the first call after a run copies
  /// the parents to every process.
  std::span<const vertex_id> parents() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Returns the level of each vertex from a parent array that is a tree; k_no_vertex means not reached.
/// Serial, linear.
std::vector<vertex_id> levels_of(std::span<const vertex_id> parents, vertex_id source);

/// Returns count / sum(1 / x), which Graph500 reports over trials. Returns 0 when any value is 0 or there is
/// none.
double harmonic_mean(std::span<const double> values);

}  // namespace gossamer::graph
