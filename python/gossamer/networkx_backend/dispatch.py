"""How a call reaches the backend: whether it can, whether it should, and the conversion of graphs both ways.

NetworkX keeps a conversion with the graph (``G.__networkx_cache__``) until the graph changes.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import networkx as nx

from gossamer import _networkx
from gossamer._graph import Graph
from gossamer.networkx_backend import functions
from gossamer_networkx.table import CONVERTED, DIFFERENCES, MANY_SOURCES, TABLE

ASKED_BY_NETWORKX = ("can_run", "should_run", "convert_from_nx", "convert_to_nx", "on_start_tests")


class ConvertedGraph(Graph):
    """A graph of NetworkX in the library's form."""

    self_loops: int  # that the graph of NetworkX has and this one has not


@functools.cache
def _signature(name: str) -> inspect.Signature:
    return inspect.signature(getattr(functions, name))


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True, or why NetworkX has to answer."""
    row = TABLE.get(name)
    if row is None:
        return "not among the functions of the backend"
    try:
        bound = _signature(name).bind(*args, **kwargs)
    except TypeError as wrong:
        return str(wrong)
    for parameter, value in row.only.items():
        given = bound.arguments.get(parameter, value)
        if given is not value and given != value:
            return f"{parameter} is given"
    sources = bound.arguments.get("sources")
    if name == "bfs_layers" and isinstance(sources, (list, tuple, set, frozenset)) and len(sources) > MANY_SOURCES:
        return f"{len(sources)} sources are many"
    graph = bound.arguments["G"]
    if graph.is_multigraph():
        return "it is a multigraph"
    if row.directed is not None and graph.is_directed() != row.directed:
        return "the graph is directed" if graph.is_directed() else "the graph is undirected"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True, or why NetworkX is as fast: the graph is small, and its conversion would cost more."""
    graph = _signature(name).bind(*args, **kwargs).arguments["G"]
    if isinstance(graph, Graph) or getattr(graph, "__networkx_cache__", {}).get("backends", {}).get("gossamer"):
        return True
    enough = TABLE[name].from_size
    if enough == CONVERTED:
        return "the graph is too small to convert for this alone, whatever its size"
    size = _networkx.size(graph, int(enough))
    return True if size >= enough else f"the graph is too small to convert: {size} nodes and edges, below {enough}"


def convert_from_nx(graph: nx.Graph, *, edge_attrs: dict[str, Any] | None = None, name: str | None = None,
                    **_others: Any) -> Graph:
    """Convert a graph of NetworkX. Raises NotImplementedError where it has weights, which the library does not keep."""
    if isinstance(graph, Graph):
        return graph
    attributes = dict(edge_attrs or {})
    weight, default = attributes.popitem() if attributes else (None, 1)
    nodes = list(graph)
    sources, targets, unweighted = _networkx.edges(graph, nodes, weight, default)
    for other, value in attributes.items():  # no function of the table has two
        unweighted = unweighted and _networkx.edges(graph, nodes, other, value)[2]
    if not unweighted:
        raise NotImplementedError(f"{name}: edges have weights ({weight!r}), which are not kept")
    converted = ConvertedGraph._of_edges(nodes, sources, targets, graph.is_directed())
    converted.self_loops = converted.stats["self_loops"]
    return converted


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Convert a graph to one of NetworkX; other results are as NetworkX has them."""
    if not isinstance(result, Graph):
        return result
    if isinstance(result, ConvertedGraph) and result.self_loops:
        raise NotImplementedError(f"{name}: self-loops are not kept")
    import numpy as np

    graph = nx.DiGraph() if result.directed else nx.Graph()
    labels = result.label_list()
    graph.add_nodes_from(labels)
    offsets, targets = result._library.rows()
    if len(result):
        sources = np.repeat(np.arange(len(result)), np.diff(offsets.view(np.int64)))
        graph.add_edges_from((labels[u], labels[v]) for u, v in zip(sources.tolist(), targets.tolist()))
    return graph


def on_start_tests(items: list[Any]) -> None:
    """Mark those of NetworkX's tests that have another answer with the backend. One that agrees all the same fails: the list is wrong."""
    import pytest

    for item in items:
        for name, reason in DIFFERENCES.items():
            if item.nodeid.endswith(f"::{name}"):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
