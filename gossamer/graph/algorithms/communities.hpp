#pragma once
// Communities: sets of vertices with more weight among themselves than a random graph of the same degrees
// would have. Louvain moves vertices to the community that increases modularity most, then makes each
// community a vertex, and repeats [V. D. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre, "Fast unfolding
// of communities in large networks", J. Stat. Mech. 2008]. Leiden refines communities in between, so that
// each is connected [V. A. Traag, L. Waltman, N. J. van Eck, "From Louvain to Leiden: guaranteeing
// well-connected communities", Scientific Reports 2019]. Label propagation gives a vertex the most frequent
// label of its neighbours [U. N. Raghavan, R. Albert, S. Kumara, "Near linear time algorithm to detect
// community structures in large-scale networks", Physical Review E 2007].

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The algorithms.
enum class community_method : std::uint8_t { leiden, louvain, labels };

/// Options.
struct community_options {
  /// The algorithm.
  community_method method = community_method::leiden;
  /// Resolution of modularity: a larger one gives more and smaller communities.
  double resolution = 1;
  /// Seed of the order in which vertices move.
  std::uint64_t seed = 1;
  /// Each process computes a level of at most so many arcs alone. None: the library chooses.
  std::optional<std::uint64_t> small_arcs = {};
};

/// The result.
struct communities_result {
  components_result
      groups;  ///< by vertex: the smallest vertex of its community; number of communities, and their sizes
  /// Modularity at the given resolution. For directed graphs as E. A. Leicht and M. E. J. Newman define it,
  /// 2008. Empty if the weights sum to 0.
  std::optional<double> modularity;
  std::uint64_t rounds = 0;  ///< passes over the vertices that may move
  std::uint64_t levels = 0;  ///< graphs in which vertices were moved
  bool converged = true;  ///< labels: no vertex would change its label
  bool raised_weights = false;  ///< some are so much smaller than others that they count as more
  double seconds = 0;  ///< of the algorithm alone
};

/// Finds communities. The same for a seed on any number of cores and processes. Collective over all cores;
/// main fiber. Uses weights if the graph has them; throws gossamer::error if one is negative, infinite or not
/// a number. Weights are rounded to multiples of 2^-60 of (number of arcs times largest weight); integers are
/// exact if their sum fits. Label propagation ignores direction. Takes about 40 bytes of memory per vertex in
/// each process, 12 for each arc of the second level, 8 for each arc with a weight.
communities_result find_communities(const graph_view& g, const community_options& options = {},
                                    const progress_hook& progress = {});

}  // namespace gossamer::graph
