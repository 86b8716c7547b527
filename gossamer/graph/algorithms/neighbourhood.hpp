#pragma once
// The vertices near some others, and the edges among some vertices.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// What was found near vertices.
struct neighbourhood_result {
  std::vector<vertex_id> vertices;  ///< within so many hops, by distance, then by number
  std::vector<vertex_id> distances;  ///< theirs
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds the vertices within so many hops of one of `around`, along the arcs of a directed graph; those themselves have distance 0. Looks at the
/// rows of vertices that are nearer than `hops`. Collective over all cores; main fiber. Takes 4 bytes of memory for each vertex.
neighbourhood_result neighbourhood(const graph_view& g, const std::vector<vertex_id>& around,
                                   std::uint64_t hops, const progress_hook& progress = {});

/// Edges, and their weights where the graph has some.
struct induced_edges {
  std::vector<vertex_id> from;  ///< ascending
  std::vector<vertex_id> to;  ///< ascending for each; in an undirected graph the larger end
  std::vector<double> weights;  ///< exact for all types; empty: none
  std::uint64_t vertices = 0;  ///< among which they are
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds the edges both of whose ends are among some vertices, each edge of an undirected graph once. A vertex may be given twice. Collective
/// over all cores; main fiber. Takes a byte of memory for each vertex, and 16 in process 0 for each edge.
induced_edges subgraph(const graph_view& g, const std::vector<vertex_id>& members,
                       const progress_hook& progress = {});

}  // namespace gossamer::graph
