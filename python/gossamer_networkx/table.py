"""Which functions of NetworkX the backend answers, when, and from what size on. Imports next to nothing, so that NetworkX may read it."""

from __future__ import annotations

from typing import Any, NamedTuple

from gossamer_networkx._questions import ROWS

# What an answer takes, by which a size follows from which on a graph is handed over: its conversion must pay (networkx_backend/costs.py, by what
# was measured on the machine). NetworkX keeps the conversion, and graphs that have one are handed over for more, but for questions that take
# NetworkX a few nodes (networkx_backend/cost.py). python/tests/measure_networkx.py shows what pays on a machine.
CONVERTED = "less than a conversion"  # never for this alone: cheaper than the conversion at any size
LINEAR = "one pass"  # over the edges: about as long as the conversion, and the next calls have it
REPEATED = "many passes"
SEARCHES = "a search from every node"  # one call each
EVERY_PAIR = "all pairs"  # a search from every node, all in one call
ANY = "more than NetworkX has"  # handed over whatever the size


class Row(NamedTuple):
    """How a function is answered.

    takes: what an answer takes, one of those above.
    only: parameters that must have this value, else NetworkX answers.
    directed: True, False: only such graphs. None: both.
    loops: whether self-loops, which are not kept, change nothing.
    weights: whether edges may have some ("used"), have to weigh 1 ("ones"), or weights are not looked at ("none").
    note: what a user should know.
    """

    takes: str = LINEAR
    only: dict[str, Any] = {}
    directed: bool | None = None
    loops: bool = True
    weights: str = "none"
    note: str = ""


TABLE: dict[str, Row] = {
    **{name: Row(**row) for name, row in ROWS.items()},  # columns of answers, as the library describes them
    "pagerank": Row(REPEATED, {"nstart": None}, loops=False, weights="used", note="Negative weights and values stay with NetworkX."),
    "betweenness_centrality": Row(EVERY_PAIR, {"endpoints": False}, weights="used",
                                  note="With k the same nodes are drawn as by NetworkX. Weights that are not above 0, or reals of NumPy of less than 64 bits, stay with NetworkX."),
    "edge_betweenness_centrality": Row(EVERY_PAIR, loops=False, weights="used", note="The same."),
    "leiden_communities": Row(ANY, {"max_level": None, "metric": "modularity"}, directed=False, loops=False, weights="used",
                              note="NetworkX has its own from 3.7 on, by another metric unless modularity is asked for."),
    "average_clustering": Row(only={"nodes": None, "weight": None}, directed=False),
    "transitivity": Row(directed=False),
    "connected_components": Row(directed=False),
    "number_connected_components": Row(directed=False),
    "is_connected": Row(directed=False),
    "node_connected_component": Row(directed=False),
    "weakly_connected_components": Row(directed=True),
    "number_weakly_connected_components": Row(directed=True),
    "is_weakly_connected": Row(directed=True),
    "strongly_connected_components": Row(directed=True, note="No edge leads from one to a later one, as with NetworkX; within that the order may be another."),
    "condensation": Row(only={"scc": None}, directed=True, note="A graph of NetworkX; its nodes are numbered as those components come."),
    "number_strongly_connected_components": Row(directed=True),
    "is_strongly_connected": Row(directed=True),
    "single_source_shortest_path_length": Row(),
    "single_source_dijkstra_path_length": Row(weights="used", note="Weights that are no numbers, negative, infinite, or integers beyond 32 bits stay with NetworkX."),
    "single_source_dijkstra_path": Row(weights="used", note="The same. Another shortest path than NetworkX's, where there are several."),
    "single_source_dijkstra": Row(weights="used", note="The same."),
    "dijkstra_path": Row(weights="used", note="The same."),
    "dijkstra_path_length": Row(weights="used", note="The same, of lengths."),
    "all_pairs_dijkstra": Row(EVERY_PAIR, weights="used", note="The same."),
    "all_pairs_dijkstra_path": Row(EVERY_PAIR, weights="used", note="The same."),
    "all_pairs_dijkstra_path_length": Row(EVERY_PAIR, weights="used", note="The same, of lengths."),
    "all_pairs_bellman_ford_path": Row(EVERY_PAIR, weights="used", note="The same. Graphs with a negative cycle stay with NetworkX."),
    "all_pairs_bellman_ford_path_length": Row(EVERY_PAIR, weights="used", note="The same, of lengths."),
    "johnson": Row(EVERY_PAIR, weights="used", note="Another shortest path than NetworkX's, where there are several."),
    "single_source_shortest_path": Row(note="Another shortest path than NetworkX's, where there are several."),
    "single_target_shortest_path": Row(note="The same."),
    "all_pairs_shortest_path": Row(EVERY_PAIR, note="The same."),
    "shortest_path": Row(weights="used", note="The same. With weights as single_source_dijkstra_path."),
    "single_source_bellman_ford_path_length": Row(weights="used", note="Weights that are no numbers, infinite, or integers beyond 32 bits stay with NetworkX, and self-loops of negative weight; all of them where rounding decides whether a cycle is negative."),
    "single_source_bellman_ford_path": Row(weights="used", note="The same. Another shortest path than NetworkX's, where there are several."),
    "single_source_bellman_ford": Row(weights="used", note="The same."),
    "bellman_ford_path_length": Row(weights="used", note="The same, of lengths."),
    "bellman_ford_path": Row(weights="used", note="The same."),
    "negative_edge_cycle": Row(weights="used", note="Self-loops of negative weight stay with NetworkX."),
    "find_negative_cycle": Row(weights="used", note="The same. Another cycle than NetworkX's, where there are several."),
    "single_target_shortest_path_length": Row(),
    "all_pairs_shortest_path_length": Row(SEARCHES),
    "shortest_path_length": Row(only={"weight": None}, note="From a source or to a target."),
    "has_path": Row(),
    "bfs_layers": Row(CONVERTED, note="Nodes of a layer come in the order of the graph. Layers are searched for as they are asked for."),
    "descendants": Row(),
    "ancestors": Row(),
    "descendants_at_distance": Row(),
    "degree_centrality": Row(CONVERTED, loops=False),
    "in_degree_centrality": Row(CONVERTED, directed=True, loops=False),
    "out_degree_centrality": Row(CONVERTED, directed=True, loops=False),
    "closeness_centrality": Row(EVERY_PAIR, {"distance": None, "sp": None}),
    "harmonic_centrality": Row(EVERY_PAIR, {"nbunch": None, "distance": None, "sources": None}),
    "average_shortest_path_length": Row(EVERY_PAIR, {"weight": None, "method": None}),
    "eccentricity": Row(EVERY_PAIR, {"sp": None, "weight": None}),
    "diameter": Row(EVERY_PAIR, {"e": None, "usebounds": False, "weight": None}),
    "radius": Row(EVERY_PAIR, {"e": None, "usebounds": False, "weight": None}),
    "center": Row(EVERY_PAIR, {"e": None, "usebounds": False, "weight": None}),
    "periphery": Row(EVERY_PAIR, {"e": None, "usebounds": False, "weight": None}),
    "eigenvector_centrality": Row(REPEATED, {"nstart": None}, loops=False, weights="used", note="Directed graphs without a cycle stay with NetworkX."),
    "eigenvector_centrality_numpy": Row(REPEATED, {"max_iter": 50, "tol": 0}, loops=False, weights="used",
                                        note="Graphs that are not connected stay with NetworkX."),
    "katz_centrality": Row(REPEATED, {"nstart": None}, loops=False, weights="used",
                           note="With beta by node, or an alpha that is too large for doubles, NetworkX answers."),
    "katz_centrality_numpy": Row(REPEATED, loops=False, weights="used", note="The same."),
    "hits": Row(REPEATED, {"nstart": None, "normalized": True}, loops=False, weights="used",
                note="Where several vectors are right, as of two equal parts, NetworkX gives another one in each call."),
    "global_reaching_centrality": Row(EVERY_PAIR, {"weight": None}, directed=True, loops=False),
    "global_efficiency": Row(EVERY_PAIR, directed=False),
    "wiener_index": Row(EVERY_PAIR, {"weight": None}),
    "barycenter": Row(EVERY_PAIR, {"weight": None, "attr": None, "sp": None}, note="Trees stay with NetworkX."),
    "centroid": Row(EVERY_PAIR, {"weight": None, "attr": None, "sp": None}, note="What barycenter is called from NetworkX 3.7 on."),
    "average_neighbor_degree": Row(only={"source": "out", "target": "out", "nodes": None, "weight": None}, loops=False),
    "average_degree_connectivity": Row(only={"source": "in+out", "target": "in+out", "nodes": None, "weight": None}, loops=False),
    "degree_assortativity_coefficient": Row(only={"x": "out", "y": "in", "weight": None, "nodes": None}, loops=False),
    "s_metric": Row(loops=False),
    "overall_reciprocity": Row(directed=True, loops=False),
    "flow_hierarchy": Row(only={"weight": None}, directed=True, loops=False),
    "attracting_components": Row(directed=True),
    "number_attracting_components": Row(directed=True),
    "is_directed_acyclic_graph": Row(loops=False),
    "topological_generations": Row(directed=True, loops=False, note="Nodes of a generation come in the order of the graph."),
    "topological_sort": Row(directed=True, loops=False, note="The same."),
    "dag_longest_path_length": Row(only={"default_weight": 1}, directed=True, loops=False, weights="ones",
                                   note="Graphs with weights other than 1 stay with NetworkX."),
    "maximal_matching": Row(directed=False, note="Another maximal set of edges than NetworkX's."),
    "minimum_spanning_tree": Row(CONVERTED, {"algorithm": "kruskal"}, directed=False, note="A graph of NetworkX, with the attributes. Weights that are no numbers stay with NetworkX."),
    "maximum_spanning_tree": Row(CONVERTED, {"algorithm": "kruskal"}, directed=False, note="The same."),
    "minimum_spanning_edges": Row(CONVERTED, {"algorithm": "kruskal"}, directed=False, note="The same, of edges."),
    "maximum_spanning_edges": Row(CONVERTED, {"algorithm": "kruskal"}, directed=False, note="The same, of edges."),
    "bridges": Row(only={"root": None}, directed=False, loops=False, note="In another order than NetworkX's."),
    "has_bridges": Row(only={"root": None}, directed=False, loops=False),
    "articulation_points": Row(directed=False, loops=False, note="In the order of the graph."),
    "is_biconnected": Row(directed=False, loops=False),
    "biconnected_components": Row(directed=False, loops=False, note="In another order than NetworkX's."),
    "biconnected_component_edges": Row(directed=False, loops=False, note="The same, of edges, too."),
    "k_truss": Row(REPEATED, directed=False, loops=False, note="A graph of NetworkX, with the attributes."),
    "is_bipartite": Row(loops=False),
    "is_eulerian": Row(CONVERTED, loops=False),
    "has_eulerian_path": Row(CONVERTED, {"source": None}, loops=False),
    "is_semieulerian": Row(CONVERTED, loops=False),
    "is_regular": Row(CONVERTED, loops=False),
    "is_k_regular": Row(CONVERTED, directed=False, loops=False),
    "is_arborescence": Row(directed=True, loops=False),
    "is_branching": Row(directed=True, loops=False),
    "modularity": Row(loops=False, weights="used"),
    "cut_size": Row(CONVERTED, {"weight": None}, directed=False, loops=False),
    "volume": Row(CONVERTED, {"weight": None}, loops=False),
    "normalized_cut_size": Row(CONVERTED, {"weight": None}, directed=False, loops=False),
    "conductance": Row(CONVERTED, {"weight": None}, directed=False, loops=False),
    "edge_expansion": Row(CONVERTED, {"weight": None}, directed=False, loops=False),
    "mixing_expansion": Row(CONVERTED, {"weight": None}, directed=False, loops=False),
    "boundary_expansion": Row(CONVERTED, loops=False),
    "node_expansion": Row(CONVERTED, loops=False),
    "node_boundary": Row(CONVERTED, loops=False),
    "is_dominating_set": Row(CONVERTED),
    "maximum_flow_value": Row(LINEAR, {"flow_func": None}, weights="used",
                              note="Where an edge has no capacity, or capacity is None, NetworkX answers; the same for negative ones."),
    "maximum_flow": Row(LINEAR, {"flow_func": None}, loops=False, weights="used",
                        note="The same. Another flow of that value than NetworkX's, where there are several."),
    "minimum_cut_value": Row(LINEAR, {"flow_func": None}, weights="used", note="The same."),
    "minimum_cut": Row(LINEAR, {"flow_func": None}, weights="used", note="The same."),
    "jaccard_coefficient": Row(CONVERTED, directed=False, loops=False, note="Of given pairs."),
    "adamic_adar_index": Row(CONVERTED, directed=False, loops=False, note="The same."),
    "resource_allocation_index": Row(CONVERTED, directed=False, loops=False, note="The same."),
    "preferential_attachment": Row(CONVERTED, directed=False, loops=False, note="The same."),
    "is_tree": Row(loops=False),
    "is_forest": Row(loops=False),
    "isolates": Row(CONVERTED, loops=False),
    "number_of_isolates": Row(CONVERTED, loops=False),
}

# Functions whose results are the same but for the last digits if all weights are rounded: they may have integers beyond 32 bits.
SCALED = frozenset((
    "pagerank", "hits", "eigenvector_centrality", "eigenvector_centrality_numpy", "katz_centrality", "katz_centrality_numpy", "modularity",
    "leiden_communities"))

# Functions for which parallel edges are one: the lightest, where weights count. They are answered for multigraphs, too.
MULTIGRAPHS = frozenset((
    "connected_components", "number_connected_components", "is_connected", "node_connected_component", "weakly_connected_components",
    "number_weakly_connected_components", "is_weakly_connected", "strongly_connected_components", "number_strongly_connected_components",
    "is_strongly_connected", "condensation", "single_source_shortest_path_length", "single_source_dijkstra_path_length",
    "single_source_dijkstra_path", "single_source_dijkstra", "dijkstra_path", "dijkstra_path_length", "all_pairs_dijkstra",
    "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length", "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length", "johnson",
    "single_source_shortest_path", "single_target_shortest_path", "all_pairs_shortest_path", "shortest_path",
    "single_source_bellman_ford_path_length", "single_source_bellman_ford_path", "single_source_bellman_ford", "bellman_ford_path_length",
    "bellman_ford_path", "single_target_shortest_path_length", "all_pairs_shortest_path_length", "shortest_path_length", "has_path", "bfs_layers",
    "descendants", "ancestors", "descendants_at_distance", "closeness_centrality", "harmonic_centrality", "average_shortest_path_length",
    "eccentricity", "diameter", "radius", "center", "periphery", "barycenter", "centroid", "is_directed_acyclic_graph", "topological_generations",
    "topological_sort", "negative_edge_cycle", "find_negative_cycle", "attracting_components", "number_attracting_components", "is_bipartite",
    "articulation_points", "is_biconnected", "biconnected_components", "biconnected_component_edges", "triangles", "betweenness_centrality",
    "global_efficiency", "global_reaching_centrality", "wiener_index", "boundary_expansion", "node_expansion", "node_boundary",
    "is_dominating_set", "isolates", "number_of_isolates",
    # those that read them of the graph of NetworkX
    "minimum_spanning_tree", "maximum_spanning_tree", "minimum_spanning_edges", "maximum_spanning_edges", "bridges", "has_bridges",
    "edge_betweenness_centrality", "is_tree", "is_forest", "is_arborescence", "is_branching",
    # those that add up their weights, or their number
    "pagerank", "hits", "modularity", "degree_centrality", "in_degree_centrality", "out_degree_centrality", "is_eulerian",
    "has_eulerian_path", "is_semieulerian", "is_regular", "is_k_regular", "cut_size", "volume", "normalized_cut_size", "conductance",
    "edge_expansion", "mixing_expansion"))

_ROTATED = "A cycle is named from its first node in the order of the graph on, not from where NetworkX's search has met it."
_MATCHED = "Another maximal matching: NetworkX goes through the edges in the order of its dicts, which is not kept."
_OTHER_PATH = "NetworkX builds the cycles of shortest paths. Where another path is as short, a cycle begins elsewhere, or is another one as short."

# Tests and examples of NetworkX, by the end of their names, whose answer is another one with the backend, and why. NetworkX runs its tests
# with a backend where NETWORKX_TEST_BACKEND names it; python/tests/test_networkx_suite.py does. docs/guide/python.md has the same list.
DIFFERENCES: dict[str, str] = {
    "networkx.algorithms.traversal.breadth_first_search.bfs_layers":
        "The nodes of a layer come in the order of the graph, not in that in which a search finds them: the order of neighbours is not kept.",
    "TestDAG::test_topological_sort6":
        "The order is computed when it is asked for, so a graph that changes while a caller goes through it is not noticed.",
    "networkx.algorithms.matching.maximal_matching": _MATCHED,
    "networkx.algorithms.approximation.dominating_set.min_edge_dominating_set": _MATCHED,
    "TestMinimumCycleBasis::test_unweighted_diamond": _OTHER_PATH,
    "TestMinimumCycleBasis::test_weighted_diamond": _OTHER_PATH,
    "TestMinimumCycleBasis::test_petersen_graph": _OTHER_PATH,
    "TestMinimumCycleBasis::test_gh6787_and_edge_attribute_names": _OTHER_PATH,
    "networkx.algorithms.shortest_paths.weighted.find_negative_cycle": _ROTATED,
    "TestBellmanFordAndGoldbergRadzik::test_find_negative_cycle_longer_cycle": _ROTATED,
    "TestBellmanFordAndGoldbergRadzik::test_find_negative_cycle_single_edge": _ROTATED,
}
