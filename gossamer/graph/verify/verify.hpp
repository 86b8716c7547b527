#pragma once
// Checks of answers by independent serial algorithms: `--verify` and the tests call them. They share no code
// with the kernels. In one process they use neither fibers nor messages, so they also run outside run(). With
// several processes, process 0 reads the rows of the others through a cache (remote_row_cache.hpp), and all
// processes check a search together.

#include <span>
#include <string>

#include "gossamer/base/check.hpp"
#include "gossamer/graph/algorithms/betweenness.hpp"
#include "gossamer/graph/algorithms/bfs.hpp"
#include "gossamer/graph/algorithms/biconnected.hpp"
#include "gossamer/graph/algorithms/closeness.hpp"
#include "gossamer/graph/algorithms/communities.hpp"
#include "gossamer/graph/algorithms/components.hpp"
#include "gossamer/graph/algorithms/condensation.hpp"
#include "gossamer/graph/algorithms/cores.hpp"
#include "gossamer/graph/algorithms/diameter.hpp"
#include "gossamer/graph/algorithms/eigenvector.hpp"
#include "gossamer/graph/algorithms/greedy.hpp"
#include "gossamer/graph/algorithms/hits.hpp"
#include "gossamer/graph/algorithms/johnson.hpp"
#include "gossamer/graph/algorithms/katz.hpp"
#include "gossamer/graph/algorithms/matching.hpp"
#include "gossamer/graph/algorithms/max_flow.hpp"
#include "gossamer/graph/algorithms/neighbourhood.hpp"
#include "gossamer/graph/algorithms/pagerank.hpp"
#include "gossamer/graph/algorithms/random_walks.hpp"
#include "gossamer/graph/algorithms/sampled_closeness.hpp"
#include "gossamer/graph/algorithms/similarity.hpp"
#include "gossamer/graph/algorithms/spanning_tree.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/algorithms/topological.hpp"
#include "gossamer/graph/algorithms/triangles.hpp"
#include "gossamer/graph/algorithms/truss.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Checks a search by Graph500's rules, and its levels by a serial search. The rules: the parents form a tree
/// from the source. Tree edges are edges of the graph and join neighbouring levels. No edge leaves the
/// reached set or skips a level. With several processes `parents` are those of a bfs, and only the rules are
/// checked: they determine the length of every path.
check verify_bfs(const graph_view& g, const bfs_result& result, std::span<const vertex_id> parents);

/// Checks ids, number, largest and sizes by serial union-find over all edges.
check verify_components(const graph_view& g, const components_result& result);

/// Checks strongly connected components as verify_components() does, by Kosaraju's two depth-first searches.
/// Serial; takes the memory of the graph once more, with several processes in process 0.
check verify_strong(const graph_view& g, const components_result& result);

/// Checks the arcs between components, their numbers and the order of components by a serial pass over all
/// rows. Does not check `component`.
check verify_condensation(const graph_view& g, std::span<const vertex_id> component,
                          const condensed_arcs& result);

/// Checks the paths from each of the sources as verify_sssp() does, and that there are no other rows. Does
/// not check a negative cycle.
check verify_johnson(const graph_view& g, std::span<const vertex_id> sources, const johnson_result& result);

/// Checks scores by serial pushed power iteration in double. Their L1 distance must be within the bound that
/// follows from the tolerance.
check verify_pagerank(const graph_view& g, const pagerank_options& options, const pagerank_result& result);

/// Checks scores, the last change and the convergence by as many steps of a serial power iteration.
check verify_eigenvector(const graph_view& g, const eigenvector_options& options,
                         const eigenvector_result& result);
/// Does the same for Katz centrality. Does not check scores that diverged.
check verify_katz(const graph_view& g, const katz_options& options, const katz_result& result);
/// Does the same for hubs and authorities.
check verify_hits(const graph_view& g, const hits_options& options, const hits_result& result);

/// Checks core numbers and their statistics by serial peeling with a queue.
check verify_cores(const graph_view& g, const cores_result& result);

/// Checks the number and sizes of communities, their modularity, and the guarantees of the method. Leiden:
/// they are connected. Leiden and Louvain: merging no two of them increases modularity. Labels: no
/// neighbouring label has more weight than a vertex's own. Serial, a pass over the arcs; takes about 64 bytes
/// of memory for each pair of communities with an arc between them.
check verify_communities(const graph_view& g, const community_options& options,
                         const communities_result& result);

/// Checks lengths and parents of shortest paths by sufficient rules: the length of each vertex is that of its
/// parent plus their edge, the parents lead to the source, and no edge shortens a path. Serial, two passes
/// over the edges.
check verify_sssp(const graph_view& g, const sssp_result& result, const path_lengths& lengths,
                  std::span<const vertex_id> parents);

/// Checks that `cycle` is a negative cycle along arcs, and that the source, if there is one, reaches it.
/// Serial, a search.
check verify_negative_cycle(const graph_view& g, std::optional<vertex_id> source,
                            std::span<const vertex_id> cycle);

/// Checks the triangles of each vertex, and the values computed from them, by a serial count of each edge's
/// common neighbours. Takes time linear in the number of paths of two edges. With several processes the rows
/// are copied to process 0.
check verify_triangles(const graph_view& g, const triangles_result& result);

/// Checks scores by textbook serial Brandes over the same sources and scale. For weighted and edge scores
/// process 0 copies the graph.
check verify_betweenness(const graph_view& g, std::span<const vertex_id> sources,
                         const betweenness_options& options, const betweenness_result& result);
/// Does the same as verify_betweenness(), over the sources that sampled_betweenness() draws.
check verify_sampled_betweenness(const graph_view& g, std::uint64_t samples, std::uint64_t seed,
                                 const betweenness_options& options, const betweenness_result& result);

/// Checks the sums of distances of each source by a serial search from it: integers exactly, sums of reals to
/// 1e-9.
check verify_distances(const graph_view& g, const distance_options& options, const distances_result& result);
/// Does the same for closeness, harmonic centrality and the sums that both are computed from.
check verify_closeness(const graph_view& g, const closeness_options& options, const closeness_result& result);
/// Does the same from the sampled vertices, and checks that none was drawn twice, and the error bounds.
check verify_sampled_closeness(const graph_view& g, const closeness_sample_options& options,
                               const sampled_closeness_result& result);
/// Does the same for eccentricities and their statistics.
check verify_eccentricities(const graph_view& g, const distance_options& options,
                            const eccentricity_result& result);

/// Checks a diameter, its two end vertices, and the number of components, by a serial search from every
/// vertex: minutes on large graphs.
check verify_diameter(const graph_view& g, const diameter_result& result);

/// Checks that no two neighbours have the same colour, that each vertex has the smallest possible one, and
/// the statistics.
check verify_colouring(const graph_view& g, const colouring_options& options, const colouring_result& result);
/// Checks that no two members are neighbours, that each other vertex has an earlier member as a neighbour,
/// and their number.
check verify_independent_set(const graph_view& g, const independent_set_options& options,
                             const independent_set_result& result);
/// Checks that mates are joined by an edge and are each other's mates, that each other edge shares an end
/// with an earlier matched edge, and their number.
check verify_matching(const graph_view& g, const matching_options& options, const matching_result& result);
/// Checks a minimum spanning forest by the edges that Kruskal's algorithm takes in the same order. Process 0
/// takes 24 bytes of memory for each edge.
check verify_spanning_tree(const graph_view& g, const spanning_tree_result& result);
/// Checks blocks, their heads, bridges, and the statistics, by Hopcroft and Tarjan's depth-first search.
/// Serial; takes the memory of the graph once more, with several processes in process 0.
check verify_biconnected(const graph_view& g, const biconnected_result& result);
/// Checks truss numbers of edges and vertices, and the statistics, by a serial loop that removes one edge at
/// a time. Takes three times the memory of the graph, with several processes in process 0.
check verify_truss(const graph_view& g, const truss_result& result);
/// Checks the value of a flow by a serial run of Dinitz' algorithm. If capacities are integers, also checks
/// the sides by the vertices with a residual path to the sink. Process 0 takes 80 bytes of memory for each
/// arc.
check verify_max_flow(const graph_view& g, vertex_id source, vertex_id sink, const max_flow_options& options,
                      const max_flow_result& result);
/// Checks measures of pairs by a serial intersection of sets: to 1e-9. With several processes the rows of the
/// vertices are fetched one by one.
check verify_similarity(const graph_view& g, const std::vector<vertex_id>& pairs,
                        const similarity_result& result);
/// Checks that a vertex's ranking contains exactly the vertices that share a neighbour with it.
check verify_similar_vertices(const graph_view& g, vertex_id to, const std::vector<vertex_id>& found);
/// Checks the vertices near given ones, and their distances, by a serial search.
check verify_neighbourhood(const graph_view& g, const std::vector<vertex_id>& around, std::uint64_t hops,
                           const neighbourhood_result& result);
/// Checks the induced subgraph of some vertices, and its weights, by a pass over their rows.
check verify_subgraph(const graph_view& g, const std::vector<vertex_id>& members,
                      const induced_edges& result);
/// Checks where walks start, and each step by a repeated draw. A walk may end before its last step only at a
/// vertex without outgoing arcs.
check verify_random_walks(const graph_view& g, const random_walk_options& options,
                          const random_walks_result& result);
/// Checks levels by a serial run of Kahn's algorithm, the order by them, and each arc of the cycle.
check verify_topological(const graph_view& g, const topological_result& result);

}  // namespace gossamer::graph
