#pragma once
// Communities: vertices that have more weight among themselves than the masses of their arcs would give by chance. Louvain moves vertices to
// the community that gains the most modularity, then makes each community a vertex, again and again [V. D. Blondel, J.-L. Guillaume, R.
// Lambiotte, E. Lefebvre, "Fast unfolding of communities in large networks", J. Stat. Mech. 2008]. Leiden refines communities before that, so
// that each is connected [V. A. Traag, L. Waltman, N. J. van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific
// Reports 2019]. Labels take the label that most of the neighbours have [U. N. Raghavan, R. Albert, S. Kumara, "Near linear time algorithm to
// detect community structures in large-scale networks", Physical Review E 2007].

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// How communities are found.
enum class community_method : std::uint8_t { leiden, louvain, labels };

/// What communities are asked for.
struct community_options {
  /// How they are found.
  community_method method = community_method::leiden;
  /// Of modularity: more makes more and smaller communities.
  double resolution = 1;
  /// Of the order in which vertices move.
  std::uint64_t seed = 1;
  /// A graph of at most so many arcs, or what is left of a larger one, each process goes through by itself. None: as many as pay.
  std::optional<std::uint64_t> small_arcs = {};
};

/// What was found.
struct communities_result {
  components_result groups;  ///< by vertex: the smallest vertex of its community; how many, and their sizes
  /// By the resolution. Of a directed graph as E. A. Leicht and M. E. J. Newman define it, 2008. Nothing where the weights are 0 in sum.
  std::optional<double> modularity;
  std::uint64_t rounds = 0;  ///< passes over the vertices that might move
  std::uint64_t levels = 0;  ///< graphs that vertices were moved in
  bool converged = true;  ///< labels: whether no vertex would change its own
  double seconds = 0;  ///< the algorithm alone
};

/// Finds communities. The same for a seed on any number of cores and processes. Collective over all cores; main fiber. Weights are used where
/// the graph has them; throws gossamer::error where one is negative, infinite or not a number. They are rounded to multiples of 2^-60 of what all
/// arcs had if each had the largest; integers are kept where their sum fits. Directions: labels go both ways. Takes about 40 bytes of memory per
/// vertex in each process, 12 for each arc between the vertices of the second level, 8 for each arc with a weight.
communities_result find_communities(const graph_view& g, const community_options& options = {},
                                    const progress_hook& progress = {});

}  // namespace gossamer::graph
