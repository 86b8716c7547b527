"""Spanning forests by the weights of edges: those that NetworkX finds by Kruskal's algorithm, edge by edge.

The library gets, as the weight of an edge, its place in NetworkX's order. So there is one lightest forest, whatever weights are equal, and of
parallel edges the first one counts. Other algorithms of NetworkX may find another forest of the same weight: they are left to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from gossamer._graph import Graph
from gossamer.networkx_backend.common import ask, of_networkx

__all__ = ["maximum_spanning_edges", "maximum_spanning_tree", "minimum_spanning_edges", "minimum_spanning_tree"]


def _order(weights: list[Any], lightest_first: bool) -> np.ndarray:
    """Return the places of weights in order; of equal ones, the earlier place first. Leaves what is no number to NetworkX."""
    try:
        values = np.array(weights) if weights else np.zeros(0)
    except ValueError:  # lists of several lengths
        values = np.array(None)
    is_exact = values.dtype.kind == "i" or (values.dtype.kind == "f" and (
        {float}.issuperset(map(type, weights)) or all(isinstance(value, float) or abs(value) <= 2**53 for value in weights)))
    if values.ndim != 1 or not is_exact or np.isnan(values).any():
        raise NotImplementedError("spanning trees: expected weights that are numbers of 64 bits")
    if lightest_first:
        return np.argsort(values, kind="stable")
    return len(values) - 1 - np.argsort(values[::-1], kind="stable")[::-1]


def _forest(graph: Any, weight: Any, lightest_first: bool) -> list[tuple[Any, ...]]:
    """Return the edges of a spanning forest in the order in which Kruskal's algorithm takes them, with keys and attributes."""
    edges = list(graph.edges(keys=True, data=True) if graph.is_multigraph() else graph.edges(data=True))
    order = _order([edge[-1].get(weight, 1) for edge in edges], lightest_first)
    n, index = len(graph), {node: i for i, node in enumerate(graph)}
    ends, others = (np.fromiter((index[edge[side]] for edge in edges), np.int64, len(edges))[order] for side in (0, 1))
    pairs, first = np.unique(np.minimum(ends, others) * n + np.maximum(ends, others), return_index=True)
    ordered = Graph(pairs // max(n, 1), pairs % max(n, 1), first, directed=False, vertices=n)
    parents = ask(ordered, "spanning-tree")[0][0]
    children = np.flatnonzero(parents != np.arange(n))
    above = parents[children]
    taken = first[np.searchsorted(pairs, np.minimum(children, above) * n + np.maximum(children, above))]
    return [edges[place] for place in order[np.sort(taken)].tolist()]


def _edges(G: Graph, weight: Any, lightest_first: bool, keys: bool, data: bool) -> Iterator[tuple[Any, ...]]:
    graph = of_networkx(G)
    forest = _forest(graph, weight, lightest_first)
    last = 3 if graph.is_multigraph() and keys else 2
    return (edge[:last] + edge[-1:] if data else edge[:last] for edge in forest)


def _tree(G: Graph, weight: Any, lightest_first: bool) -> nx.Graph:
    graph = of_networkx(G)
    tree = type(graph)()
    tree.graph.update(graph.graph)
    tree.add_nodes_from(graph.nodes.items())
    tree.add_edges_from(_forest(graph, weight, lightest_first))
    return tree


def minimum_spanning_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False):
    return _edges(G, weight, True, keys, data)


def maximum_spanning_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False):
    return _edges(G, weight, False, keys, data)


def minimum_spanning_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False):
    return _tree(G, weight, True)


def maximum_spanning_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False):
    return _tree(G, weight, False)
