"""Shortest paths: from one node, to one, between all pairs; by the number of edges or by weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from gossamer._graph import Graph
from gossamer.networkx_backend.common import arcs as _arcs
from gossamer.networkx_backend.common import ask as _ask
from gossamer.networkx_backend.common import hashed_vertex as _hashed_vertex
from gossamer.networkx_backend.common import networkx_is as _networkx_is
from gossamer.networkx_backend.common import nodes as _nodes
from gossamer.networkx_backend.common import vertex as _vertex

PAIRS_AT_ONCE = 1 << 22  # rows of an answer, of 32 bytes

__all__ = [
    "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length", "all_pairs_dijkstra", "all_pairs_dijkstra_path",
    "all_pairs_dijkstra_path_length", "all_pairs_shortest_path", "bellman_ford_path", "bellman_ford_path_length",
    "dijkstra_path", "dijkstra_path_length", "find_negative_cycle", "johnson",
    "negative_edge_cycle", "shortest_path", "single_source_bellman_ford", "single_source_bellman_ford_path",
    "single_source_bellman_ford_path_length", "single_source_dijkstra", "single_source_dijkstra_path", "single_source_dijkstra_path_length",
    "single_source_shortest_path", "single_target_shortest_path",
]


def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    return _nearest_first(G, *_dijkstra(G, source, cutoff, weight))


def single_source_dijkstra_path(G, source, cutoff=None, weight="weight"):
    return _paths(G, *_dijkstra(G, source, cutoff, weight))


def single_source_dijkstra(G, source, target=None, cutoff=None, weight="weight"):
    lengths, parents = _dijkstra(G, source, cutoff, weight)
    if target == source:
        return 0, [source]
    if target is None:
        return _nearest_first(G, lengths, parents), _paths(G, lengths, parents)
    return _length_and_path(G, lengths, parents, target, f"No path to {target}.")


def dijkstra_path(G, source, target, weight="weight"):
    return single_source_dijkstra(G, source, target, None, weight)[1]


def dijkstra_path_length(G, source, target, weight="weight"):
    _vertex(G, source, nx.NodeNotFound, f"Node {source} not found in graph")
    lengths, parents = _dijkstra(G, source, None, weight)
    return 0 if target == source else _length_and_path(G, lengths, parents, target, f"Node {target} not reachable from {source}")[0]


def all_pairs_dijkstra(G, cutoff=None, weight="weight"):
    _refuse_negative(G, weight)
    return ((node, (_nearest_first(G, lengths, parents), _paths(G, lengths, parents))) for node, lengths, parents in _all_pairs(G, weight, cutoff))


def all_pairs_dijkstra_path(G, cutoff=None, weight="weight"):
    _refuse_negative(G, weight)
    return ((node, _paths(G, lengths, parents)) for node, lengths, parents in _all_pairs(G, weight, cutoff))


def all_pairs_dijkstra_path_length(G, cutoff=None, weight="weight"):
    _refuse_negative(G, weight)
    return ((node, _nearest_first(G, lengths, parents)) for node, lengths, parents in _all_pairs(G, weight, cutoff))


def all_pairs_bellman_ford_path(G, weight="weight"):
    _refuse_cycles(G, weight)
    return ((node, _paths(G, None, parents)) for node, _, parents in _all_pairs(G, weight))


def all_pairs_bellman_ford_path_length(G, weight="weight"):
    _refuse_cycles(G, weight)
    return ((node, _nearest_first(G, lengths, parents)) for node, lengths, parents in _all_pairs(G, weight))


def johnson(G, weight="weight"):
    if _has_negative_cycle(G, weight):
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    try:
        return {node: _paths(G, None, parents) for node, _, parents in _all_pairs(G, weight)}
    except ValueError as refused:  # lengths that are rounded
        raise NotImplementedError(str(refused)) from refused


def single_source_shortest_path(G, source, cutoff=None):
    levels, parents = _any_weights(G, _vertex(G, source, nx.NodeNotFound, f"Source {source} not in G"), None)
    return _paths(G, levels, _within(levels, parents, _whole_levels(cutoff)))


def single_target_shortest_path(G, target, cutoff=None):
    vertex = _vertex(G, target, nx.NodeNotFound, f"Target {target} not in G")
    levels, parents = _any_weights(G.reversed(), vertex, None)
    return _turned_round(_paths(G, levels, _within(levels, parents, _whole_levels(cutoff))))


def all_pairs_shortest_path(G, cutoff=None):
    return ((node, _paths(G, levels, parents)) for node, levels, parents in _all_pairs(G, None, _whole_levels(cutoff)))


def shortest_path(G, source=None, target=None, weight=None, method="dijkstra"):
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    kind = "unweighted" if weight is None else method
    if source is None and target is None:
        if not _networkx_is(3, 5):
            raise NotImplementedError("shortest_path: a dict of all pairs before NetworkX 3.5")
        return _FROM_ALL[kind](G, weight)
    if source is None:
        if weight is not None and (getattr(G, "bad_loops", False) or getattr(G, "narrow", False)):  # which a graph turned round does not tell
            raise NotImplementedError("a self-loop has a negative weight, or weights have less than 64 bits")
        return _turned_round(_FROM_ONE[kind](G.reversed(), target, weight))
    if target is None:
        return _FROM_ONE[kind](G, source, weight)
    if kind == "bellman-ford" and weight is not None:
        return bellman_ford_path(G, source, target, weight)
    start = _vertex(G, source, nx.NodeNotFound, f"Source {source} is not in G")
    _vertex(G, target, nx.NodeNotFound, f"Target {target} is not in G")
    if kind == "dijkstra":
        _refuse_negative(G, weight)
    return _length_and_path(G, *_any_weights(G, start, weight), target, f"No path between {source} and {target}.")[1]


_FROM_ONE: dict[str, Callable[..., Any]] = {
    "unweighted": lambda G, node, weight: single_source_shortest_path(G, node),
    "dijkstra": lambda G, node, weight: single_source_dijkstra_path(G, node, weight=weight),
    "bellman-ford": lambda G, node, weight: single_source_bellman_ford_path(G, node, weight)}
_FROM_ALL: dict[str, Callable[..., Any]] = {
    "unweighted": lambda G, weight: all_pairs_shortest_path(G),
    "dijkstra": lambda G, weight: all_pairs_dijkstra_path(G, weight=weight),
    "bellman-ford": lambda G, weight: all_pairs_bellman_ford_path(G, weight)}


def single_source_bellman_ford_path_length(G, source, weight="weight"):
    return _nearest_first(G, *_any_weights(G, _source(G, source), weight))


def single_source_bellman_ford_path(G, source, weight="weight"):
    start = _source(G, source)
    return _paths(G, None, _any_weights(G, start, weight)[1])


def single_source_bellman_ford(G, source, target=None, weight="weight"):
    if source == target:
        _vertex(G, source, nx.NodeNotFound, f"Node {source} is not found in the graph")
        return 0, [source]
    lengths, parents = _any_weights(G, _source(G, source), weight)
    if target is None:
        return _nearest_first(G, lengths, parents), _paths(G, None, parents)
    end = _hashed_vertex(G, target, nx.NetworkXNoPath, f"Target {target} cannot be reached from given sources")
    if parents[end] < 0:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return lengths[end].item(), _nodes(G, np.array(_path(parents, end)))


def bellman_ford_path(G, source, target, weight="weight"):
    return single_source_bellman_ford(G, source, target, weight)[1]


def bellman_ford_path_length(G, source, target, weight="weight"):
    if source == target:
        _vertex(G, source, nx.NodeNotFound, f"Node {source} not found in graph")
        return 0
    lengths, parents = _any_weights(G, _source(G, source), weight)
    end = _hashed_vertex(G, target, nx.NetworkXNoPath, f"node {target} not reachable from {source}")
    if parents[end] < 0:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return lengths[end].item()


def negative_edge_cycle(G, weight="weight", heuristic=True):
    return _has_negative_cycle(G, weight)


def find_negative_cycle(G, source, weight="weight"):
    cycle = _negative_cycle(G, _source(G, source), weight)
    if not cycle and weight is not None and _negative_loops(G):
        raise ValueError("find_negative_cycle: expected no self-loop with a negative weight: the graph does not keep its node")
    if not cycle:
        raise nx.NetworkXError("No negative cycles detected.")
    return _nodes(G, np.array([*cycle, cycle[0]]))


def _source(G: Graph, source: Any) -> int:
    return _hashed_vertex(G, source, nx.NodeNotFound, f"Source {source} not in G")


def _dijkstra(G: Graph, source: Any, cutoff: float | None, weight: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return lengths and parents of shortest paths from a node, to those within the cutoff."""
    vertex = _hashed_vertex(G, source, nx.NodeNotFound, f"Node {source} not found in graph")
    _refuse_negative(G, weight)
    lengths, parents = _any_weights(G, vertex, weight)
    return lengths, _within(lengths, parents, cutoff)


def _refuse_negative(G: Graph, weight: Any) -> None:
    """Leave negative weights to NetworkX, which says what it makes of them."""
    if weight is not None and G.weighted and (_has_negative_weights(G) or getattr(G, "bad_loops", False)):
        raise NotImplementedError("edges have negative weights")


def _refuse_cycles(G: Graph, weight: Any) -> None:
    """Leave negative cycles to NetworkX, which answers for nodes that do not lead to one."""
    if _has_negative_cycle(G, weight):
        raise NotImplementedError("there is a negative cycle")


def _within(lengths: np.ndarray, parents: np.ndarray, cutoff: float | None) -> np.ndarray:
    """Return the parents of the vertices that are near enough, -1 for the others. A path of length 0 is near enough in any case."""
    if cutoff is None:
        return parents
    return np.where((lengths > cutoff) & (parents != np.arange(len(parents))), -1, parents)


def _whole_levels(cutoff: float | None) -> float | None:
    """Return the last level within a cutoff; as NetworkX searches, a fraction of a level is a level."""
    if cutoff is None or cutoff == math.inf:
        return None
    return math.ceil(cutoff) if cutoff > 0 else 0


def _length_and_path(G: Graph, lengths: np.ndarray, parents: np.ndarray, target: Any, text: str) -> tuple[Any, list[Any]]:
    end = _hashed_vertex(G, target, nx.NetworkXNoPath, text)
    if parents[end] < 0:
        raise nx.NetworkXNoPath(text)
    return lengths[end].item(), _nodes(G, np.array(_path(parents, end)))


def _turned_round(paths: dict[Any, list[Any]]) -> dict[Any, list[Any]]:
    return {node: path[::-1] for node, path in paths.items()}


def _all_pairs(G: Graph, weight: Any, cutoff: float | None = None) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
    """Yield each node with lengths and parents of the shortest paths from it, to those within the cutoff. Searches from many nodes at once."""
    n, labels = len(G), G._node_list()
    if weight is None and G.weighted:
        for v in range(n):
            levels, parents = _any_weights(G, v, None)
            yield labels[v], levels, _within(levels, parents, cutoff)
        return
    is_whole = not G.weighted or _is_whole(G)
    at_once = max(1, PAIRS_AT_ONCE // max(n, 1))
    for first in range(0, n, at_once):
        some = [*range(first, min(first + at_once, n))]
        rows: Any = _ask(G, "johnson", sources=some)[0]
        places = np.searchsorted(rows["source"], [*some, some[-1] + 1])
        for v, begin, end in zip(some, places, places[1:]):
            lengths, parents = np.zeros(n, np.int64 if is_whole else np.float64), np.full(n, -1, np.int64)
            lengths[rows["target"][begin:end]] = rows["distance"][begin:end]
            parents[rows["target"][begin:end]] = rows["before"][begin:end]
            yield labels[v], lengths, _within(lengths, parents, cutoff)


def _any_weights(G: Graph, vertex: int, weight: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return lengths and parents of shortest paths by weights of any sign; parents are -1 where there is no path."""
    if weight is None or not G.weighted:
        levels, parents = _ask(G, "bfs", source=vertex)[0][:2]
        return levels, parents
    if getattr(G, "bad_loops", False):
        raise NotImplementedError("a self-loop has a negative weight")
    if not _has_negative_weights(G):
        lengths, parents = _ask(G, "sssp", source=vertex)[0]
        return lengths, parents
    if _cycle(G, vertex):
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    lengths, parents = _ask(G, "sssp", source=vertex, negative=True)[0]
    if _is_whole(G):
        lengths = np.where(parents >= 0, lengths, 0).astype(np.int64)
    return lengths, parents


def _negative_loops(G: Graph) -> int:
    """Return how many self-loops had a negative weight: the graph does not keep them."""
    return G.stats["negative_loops"]


def _has_negative_weights(G: Graph) -> bool:
    """Return whether an edge has a negative weight, or had one and was a self-loop."""
    return G._library.bad_length() is not None or _negative_loops(G) > 0


def _has_negative_cycle(G: Graph, weight: Any) -> bool:
    """Return whether there is a negative cycle. A self-loop of negative weight is one."""
    return len(_negative_cycle(G, None, weight)) > 0 or (weight is not None and _negative_loops(G) > 0)


def _negative_cycle(G: Graph, vertex: int | None, weight: Any) -> list[int]:
    """Return the vertices of a negative cycle, that a vertex leads to if one is given."""
    if weight is None or not G.weighted:
        return []
    if getattr(G, "bad_loops", False):
        raise NotImplementedError("a self-loop has a negative weight")
    return [] if G._library.bad_length() is None else _cycle(G, vertex)


def _cycle(G: Graph, vertex: int | None) -> list[int]:
    """Return the vertices of a negative cycle, that a vertex leads to if one is given. Leaves it to NetworkX where rounding decides the sign."""
    if getattr(G, "narrow", False):
        raise NotImplementedError("edges have negative weights of less than 64 bits, whose sums NetworkX rounds to as many")
    cycle = G._library.negative_cycle(vertex)
    unit = 0.0 if _is_whole(G) else _rounding(G)
    is_decided = unit == 0 or (_sum_along(G, cycle) < -unit * len(cycle) if cycle else not _has_cycle_near_zero(G, vertex, unit))
    if not is_decided:
        raise NotImplementedError("the sum of the weights of a cycle is 0 but for rounding")
    return cycle


def _is_whole(G: Graph) -> bool:
    """Return whether all weights are integers."""
    return G._library.origin["weights"] in ("int32", "uint32")


def _real_weights(G: Graph) -> np.ndarray:
    weights: Any = G._library.weights()
    return weights.astype(float)


def _rounding(G: Graph) -> float:
    """Return a bound of the rounding of one addition to the length of a path; 0 where all such sums are exact."""
    weights = np.abs(_real_weights(G))
    unit = np.spacing(min(len(G) * float(weights.max()), np.finfo(float).max))
    return float(unit) if np.fmod(weights, unit).any() else 0.0


def _sum_along(G: Graph, cycle: list[int]) -> float:
    """Return the sum of the weights of a cycle's edges, rounded once."""
    offsets, targets = G._library.rows()
    weights = _real_weights(G)
    rows = ((slice(*offsets[u:u + 2].tolist()), v) for u, v in zip(cycle, [*cycle[1:], cycle[0]]))
    return math.fsum(weights[row][targets[row] == v].min() for row, v in rows)


def _has_cycle_near_zero(G: Graph, vertex: int | None, unit: float) -> bool:
    """Return whether rounding may make a cycle negative, where none is that a vertex leads to, or none at all without a vertex.

    Keeps the lowered graph with G, and that it has no such cycle anywhere: then no vertex leads to one.
    """
    if not G.directed:
        return False
    kept = vars(G)
    lowered = kept["lowered"] if "lowered" in kept else kept.setdefault("lowered", _lowered(G, 2 * unit))
    if lowered is not None and not lowered._library.negative_cycle(None):
        lowered = kept["lowered"] = None
    return lowered is not None and (vertex is None or len(lowered._library.negative_cycle(vertex)) > 0)


def _lowered(G: Graph, by: float) -> Graph:
    """Return a directed graph with lower weights; those that are 0 stay, since adding them does not round."""
    sources, targets = _arcs(G)
    weights = _real_weights(G)
    return Graph(sources, targets, np.where(weights == 0, 0, weights - by), vertices=len(G))


def _nearest(lengths: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """Return the vertices that are reached, the nearest first; of equal lengths, in the order of the graph."""
    reached = np.flatnonzero(parents >= 0)
    return reached[np.argsort(lengths[reached], kind="stable")]


def _nearest_first(G: Graph, lengths: np.ndarray, parents: np.ndarray) -> dict[Any, Any]:
    nearest = _nearest(lengths, parents)
    return dict(zip(_nodes(G, nearest), lengths[nearest].tolist()))


def _path(parents: np.ndarray, end: int) -> list[int]:
    """Return the vertices of the path to one that is reached."""
    path = [end]
    while parents[path[-1]] != path[-1]:
        path.append(int(parents[path[-1]]))
    return path[::-1]


def _paths(G: Graph, lengths: np.ndarray | None, parents: np.ndarray) -> dict[Any, list[Any]]:
    """Return the paths to all nodes that are reached: the nearest first, or without lengths each after those on its path."""
    labels, before = G._node_list(), parents.tolist()
    nearest = (np.flatnonzero(parents >= 0) if lengths is None else _nearest(lengths, parents)).tolist()
    found: dict[int, list[Any]] = {}
    for vertex in nearest:
        behind = []
        while vertex not in found and before[vertex] != vertex:
            behind.append(vertex)
            vertex = before[vertex]
        path = found.setdefault(vertex, [labels[vertex]])
        for each in reversed(behind):
            path = found[each] = [*path, labels[each]]
    return {labels[vertex]: found[vertex] for vertex in (found if lengths is None else nearest)}
