#pragma once
// How alike two vertices are by the neighbours that they have in common: measures that link prediction uses [D. Liben-Nowell, J. Kleinberg, "The
// Link-Prediction Problem for Social Networks", Journal of the American Society for Information Science and Technology 2007].

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The measures of a pair.
struct pair_similarity {
  std::uint64_t common = 0;  ///< neighbours of both
  double jaccard = 0;  ///< common ones among the neighbours of either; 0 where neither has any
  double adamic_adar = 0;  ///< the sum of 1 / ln(degree) over common neighbours of two edges or more
  double resource_allocation = 0;  ///< the sum of 1 / degree over common neighbours
  std::uint64_t preferential_attachment = 0;  ///< the product of the degrees
};

/// What was computed.
struct similarity_result {
  std::vector<pair_similarity> of;  ///< by pair
  double seconds = 0;  ///< of the algorithm alone
};

/// Measures pairs of vertices: pairs[2i] and pairs[2i + 1]. Sums go over common neighbours in ascending order. The cores of process 0 read the
/// rows, and fetch those of other processes. Main fiber; suspends. Throws gossamer::error for a directed graph. Takes as many steps for a
/// pair as its vertices have neighbours.
similarity_result similarity(const graph_view& g, const std::vector<vertex_id>& pairs,
                             const progress_hook& progress = {});

/// Returns the vertices that have a neighbour in common with v, ascending, v not among them. Main fiber; suspends. Throws as similarity().
std::vector<vertex_id> vertices_with_common_neighbours(const graph_view& g, vertex_id v);

}  // namespace gossamer::graph
