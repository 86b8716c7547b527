#pragma once
// The vertices within some hops of given ones, and the induced subgraph of given vertices.

#include <cstdint>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The result of a search for nearby vertices.
struct neighbourhood_result {
  std::vector<vertex_id> vertices;  ///< within the given number of hops, by distance, then by number
  std::vector<vertex_id> distances;  ///< of these vertices
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds the vertices within so many hops of one of `around`, along the arcs of a directed graph; those of
/// `around` have distance 0. Reads the rows of vertices nearer than `hops`. Collective over all cores; main
/// fiber. Takes 4 bytes of memory per vertex.
neighbourhood_result neighbourhood(const graph_view& g, const std::vector<vertex_id>& around,
                                   std::uint64_t hops, const progress_hook& progress = {});

/// Edges, and their weights if the graph has some.
struct induced_edges {
  std::vector<vertex_id> from;  ///< ascending
  std::vector<vertex_id> to;  ///< ascending for each; in an undirected graph the larger end
  std::vector<double> weights;  ///< exact for all types; empty: none
  std::uint64_t vertices = 0;  ///< number of given vertices
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds the edges of the subgraph induced by some vertices; each edge of an undirected graph once. A vertex
/// may be given twice. Collective over all cores; main fiber. Takes a byte of memory per vertex, and 16 in
/// process 0 for each edge.
induced_edges subgraph(const graph_view& g, const std::vector<vertex_id>& members,
                       const progress_hook& progress = {});

}  // namespace gossamer::graph
