"""Which functions of NetworkX the backend answers, when, and from what size on. Imports nothing, so that NetworkX may read it."""

from __future__ import annotations

from typing import Any, NamedTuple

# From how many nodes and edges together a graph is handed over: its conversion must pay. Graphs that have been converted, and
# NetworkX keeps the conversion, are always handed over. Measured by python/tests/measure_networkx.py; docs/guide/python.md.
LINEAR = 20_000  # one pass over the edges: NetworkX takes about as long as the conversion
REPEATED = 2_000  # many passes
EVERY_PAIR = 500  # a search from every node


class Row(NamedTuple):
    """How a function is answered.

    from_size: nodes and edges together, from which on it pays.
    only: parameters that must have this value, else NetworkX answers.
    directed: True, False: only such graphs. None: both.
    loops: whether self-loops, which are not kept, change nothing.
    note: what a user should know.
    """

    from_size: int = LINEAR
    only: dict[str, Any] = {}
    directed: bool | None = None
    loops: bool = True
    note: str = ""


TABLE: dict[str, Row] = {
    "pagerank": Row(REPEATED, {"personalization": None, "nstart": None, "dangling": None}, loops=False,
                    note="Graphs with weights other than 1 stay with NetworkX."),
    "betweenness_centrality": Row(EVERY_PAIR, {"weight": None, "endpoints": False},
                                  note="With k the same nodes are drawn as by NetworkX."),
    "connected_components": Row(directed=False),
    "number_connected_components": Row(directed=False),
    "is_connected": Row(directed=False),
    "node_connected_component": Row(directed=False),
    "weakly_connected_components": Row(directed=True),
    "number_weakly_connected_components": Row(directed=True),
    "is_weakly_connected": Row(directed=True),
    "single_source_shortest_path_length": Row(),
    "single_target_shortest_path_length": Row(),
    "all_pairs_shortest_path_length": Row(EVERY_PAIR),
    "shortest_path_length": Row(only={"weight": None}, note="From a source or to a target."),
    "has_path": Row(),
    "bfs_layers": Row(note="From one source; nodes of a layer come in the order of the graph."),
    "descendants": Row(),
    "ancestors": Row(),
    "descendants_at_distance": Row(),
    "degree_centrality": Row(loops=False),
    "in_degree_centrality": Row(directed=True, loops=False),
    "out_degree_centrality": Row(directed=True, loops=False),
    "closeness_centrality": Row(EVERY_PAIR, {"distance": None}),
    "harmonic_centrality": Row(EVERY_PAIR, {"nbunch": None, "distance": None, "sources": None}),
    "average_shortest_path_length": Row(EVERY_PAIR, {"weight": None, "method": None}),
    "eccentricity": Row(EVERY_PAIR, {"sp": None, "weight": None}),
    "diameter": Row(EVERY_PAIR, {"e": None, "usebounds": False, "weight": None}),
    "radius": Row(EVERY_PAIR, {"e": None, "usebounds": False, "weight": None}),
    "center": Row(EVERY_PAIR, {"e": None, "usebounds": False, "weight": None}),
    "periphery": Row(EVERY_PAIR, {"e": None, "usebounds": False, "weight": None}),
    "is_tree": Row(loops=False),
    "is_forest": Row(loops=False),
    "isolates": Row(loops=False),
    "number_of_isolates": Row(loops=False),
}
