#pragma once
// Shortest paths from one vertex: by weights, or by number of edges if the graph has no weights. Along the
// arcs of a directed graph.

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// An arc, and its weight.
struct weighted_arc {
  vertex_id from = k_no_vertex;  ///< where it leaves
  vertex_id to = k_no_vertex;  ///< where it enters
  double weight = 0;  ///< exact for all types
};

/// Returns the first arc whose weight is no valid length: negative, infinite or not a number; or 0, if
/// lengths must be positive. Collective over all cores; main fiber. Makes one pass over the weights.
std::optional<weighted_arc> find_bad_length(const graph_view& g, bool above_zero = false);
/// Returns the first arc whose weight is infinite or not a number. Otherwise as find_bad_length().
std::optional<weighted_arc> find_boundless_weight(const graph_view& g);

/// Options.
struct sssp_options {
  /// The width of a bucket (delta-stepping): all vertices nearer than its end are settled before farther
  /// ones. 0: chosen from weights and degrees. A larger width needs fewer steps, but relaxes more edges
  /// several times.
  double delta = 0;
};

/// The result of a search.
struct sssp_result {
  /// The source.
  vertex_id source = 0;
  std::uint64_t reached = 0;  ///< vertices, the source included
  std::uint64_t edges = 0;  ///< out-degrees of the reached; halved if undirected
  double farthest = 0;  ///< the largest distance; an integer beyond 2^53 is rounded
  std::uint64_t steps = 0;  ///< buckets, counted each time they are processed
  double seconds = 0;  ///< of the search alone

  /// Returns millions of traversed edges a second.
  double mteps() const { return seconds > 0 ? static_cast<double>(edges) / seconds / 1e6 : 0; }
};

/// The length of an unreached vertex if lengths are integers. If they are doubles, it is infinity.
inline constexpr std::uint64_t k_unreached = ~std::uint64_t{0};
/// By vertex: 64-bit integers if weights are integers or there are none, else doubles.
using path_lengths = std::variant<std::vector<std::uint64_t>, std::vector<double>>;

/// Holds the arrays of a search, so that trials reuse them. Lives inside run(); main fiber only. Memory: 4 or
/// 8 bytes per vertex, and 8 or 16 for each that waits in a bucket.
class shortest_paths {
 public:
  /// Allocates the arrays for searches of g. Collective over all cores. Throws gossamer::error if a weight is
  /// negative, infinite or not a number.
  explicit shortest_paths(const graph_view& g, const sssp_options& options = {});
  ~shortest_paths();
  shortest_paths(const shortest_paths&) = delete;
  shortest_paths& operator=(const shortest_paths&) = delete;

  /// Runs one search from `source` < vertices (asserted). Collective over all cores. Lengths do not depend on
  /// the number of cores. Throws gossamer::error if a length overflows a double.
  sssp_result run(vertex_id source, const progress_hook& progress = {});

  /// Returns the lengths that the last run found. Collective; O(vertices) bytes to process 0.
  path_lengths lengths() const;
  /// Returns the predecessor of each vertex on a shortest path of the last run. Of several it is the
  /// smallest, but one nearer to the source precedes one at the same distance (by an arc of length 0). The
  /// source is its own; k_no_vertex means not reached. The tree is the same on any number of cores.
  /// Collective; reads each arc, and copies the lengths to every process.
  std::vector<vertex_id> parents() const;

  struct state;  ///< templates over the types of weights and lengths

 private:
  std::unique_ptr<state> state_;
};

}  // namespace gossamer::graph
