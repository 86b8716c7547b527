#pragma once
// Similarity of two vertices by their common neighbours: measures for link prediction [D. Liben-Nowell, J.
// Kleinberg, "The Link-Prediction Problem for Social Networks", Journal of the American Society for
// Information Science and Technology 2007].

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The measures of a pair.
struct pair_similarity {
  std::uint64_t common = 0;  ///< neighbours of both
  double jaccard = 0;  ///< common neighbours by neighbours of either; 0 if neither has any
  double adamic_adar = 0;  ///< sum of 1 / ln(degree) over common neighbours of degree 2 or more
  double resource_allocation = 0;  ///< sum of 1 / degree over common neighbours
  std::uint64_t preferential_attachment = 0;  ///< product of the degrees
};

/// The result.
struct similarity_result {
  std::vector<pair_similarity> of;  ///< by pair
  double seconds = 0;  ///< of the algorithm alone
};

/// Computes the measures of the pairs (pairs[2i], pairs[2i + 1]). Sums are over common neighbours in
/// ascending order. The cores of process 0 read the rows, and fetch those of other processes. Main fiber;
/// suspends. Throws gossamer::error for a directed graph. Takes time linear in the degrees of a pair.
similarity_result similarity(const graph_view& g, const std::vector<vertex_id>& pairs,
                             const progress_hook& progress = {});

/// Returns the vertices that have a common neighbour with v, ascending, without v. Main fiber; suspends.
/// Throws as similarity().
std::vector<vertex_id> vertices_with_common_neighbours(const graph_view& g, vertex_id v);

}  // namespace gossamer::graph
