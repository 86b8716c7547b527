"""What a question costs NetworkX, as far as a bounded look at the graph tells.

NetworkX answers a question about one node by a search that ends with the component, the cutoff, or the other node. That may be three nodes
of a million, where the library's search goes over arrays of all nodes. So the beginning of NetworkX's own search is made here, with sets.
Where that search is over within what the library's costs, NetworkX answers. Where it is not, the look has cost a part of that.

The unit is a neighbour looked at.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from gossamer.networkx_backend import costs

Rows = tuple[Mapping[Any, Collection[Any]], ...]  # neighbours by node: those of all of them. No public name of NetworkX has them

SAMPLES, DEEPER = 8, 16  # searches from every node: how many are begun, and how much further than one of the library


def of_one_search(nodes: int) -> int:
    """Return what a search of the library in a graph of so many nodes costs: how far a look may go."""
    known = costs.known()
    return int((known.question + nodes * known.vertex) / known.neighbour)


def forwards(graph: Any) -> Rows:
    """Return the rows by which a search follows edges."""
    return (graph._adj,)


def backwards(graph: Any) -> Rows:
    """Return the rows by which a search follows edges backwards."""
    return (graph._pred,) if graph.is_directed() else (graph._adj,)


def symmetric_adjacency(graph: Any) -> Rows:
    """Return the rows by which a search ignores direction."""
    return (graph._succ, graph._pred) if graph.is_directed() else (graph._adj,)


def _entries(rows: Rows, front: Iterable[Any]) -> int:
    return sum(len(row[node]) for node in front for row in rows)


def _next(rows: Rows, front: set[Any], seen: set[Any]) -> set[Any]:
    """Return the neighbours that are not seen, and add them to those that are."""
    found = set().union(*(row[node] for node in front for row in rows)) - seen
    seen |= found
    return found


def of_search(rows: Rows, start: Any, most: float, levels: float = math.inf, target: Any = None) -> int:
    """Return how many neighbours a search looks at within so many levels, or until it meets a node. Ends with the first number above `most`,
    before it looks."""
    seen, front = {start}, {start}
    looked, level = 0, 0
    while front and level < levels and target not in front:
        looked += _entries(rows, front)
        if looked > most:
            break
        front = _next(rows, front, seen)
        level += 1
    return looked


def of_way(graph: Any, source: Any, target: Any, most: float) -> int:
    """Return how many neighbours a search from both ends looks at until it meets. Ends as `of_search`."""
    rows = forwards(graph), backwards(graph)
    seen, front = [{source}, {target}], [{source}, {target}]
    looked = 0
    if source == target:
        return 0
    while front[0] and front[1]:
        side = 0 if len(front[0]) <= len(front[1]) else 1
        looked += _entries(rows[side], front[side])
        if looked > most:
            break
        front[side] = _next(rows[side], front[side], seen[side])
        if not front[side].isdisjoint(seen[1 - side]):
            break
    return looked


def of_every_search(graph: Any, rows: Rows, levels: float = math.inf) -> float:
    """Return how many neighbours a search looks at, on the average of some: each node's may be small, or that of most."""
    nodes = len(graph)
    if nodes == 0:
        return 0
    most = DEEPER * of_one_search(nodes)
    some = list(itertools.islice(graph, 0, None, -(-nodes // SAMPLES)))
    return sum(of_search(rows, node, most, levels) for node in some) / len(some)


# What NetworkX looks at for a function of the table, by its arguments. Numbers above `most` mean nothing else.

Arguments = Mapping[str, Any]
Cost = Callable[[Arguments, int], float]


def _levels(cutoff: float | None) -> float:
    return math.inf if cutoff is None or math.isnan(cutoff) else cutoff


def _from(node: str, rows: Callable[[Any], Rows] = forwards) -> Cost:
    return lambda asked, most: of_search(rows(asked["G"]), asked[node], most, _levels(asked.get("cutoff")))


def _until(asked: Arguments, most: int) -> float:
    """A search from the source until it meets the target, as Dijkstra's."""
    return of_search(forwards(asked["G"]), asked["source"], most, target=asked.get("target"))


def _between(asked: Arguments, most: int) -> float:
    return of_way(asked["G"], asked["source"], asked["target"], most)


def _shortest_path_length(asked: Arguments, most: int) -> float:
    source, target = asked.get("source"), asked.get("target")
    if source is None:
        return of_search(backwards(asked["G"]), target, most)
    return of_search(forwards(asked["G"]), source, most) if target is None else _between(asked, most)


def _shortest_path(asked: Arguments, most: int) -> float:
    if asked.get("source") is None and asked.get("target") is None:
        return _from_every(asked, most)
    return _shortest_path_length(asked, most)


def _at_distance(asked: Arguments, most: int) -> float:
    return of_search(forwards(asked["G"]), asked["source"], most, asked["distance"])


def _from_every(asked: Arguments, most: int) -> float:
    return of_every_search(asked["G"], forwards(asked["G"]), _levels(asked.get("cutoff")))


def _closeness(asked: Arguments, most: int) -> float:
    graph, node = asked["G"], asked.get("u")
    if graph.is_directed():
        return most + 1  # NetworkX turns a copy of the graph round
    return _from_every(asked, most) if node is None else of_search(forwards(graph), node, most)


def _eccentricity(asked: Arguments, most: int) -> float:
    graph, nodes = asked["G"], asked.get("v")
    if nodes is None:
        return _from_every(asked, most)
    return of_search(forwards(graph), nodes, most) if nodes in graph else most + 1


def _first_component(asked: Arguments, most: int) -> float:
    graph = asked["G"]
    return of_search(symmetric_adjacency(graph), next(iter(graph)), most) if len(graph) else 0


def _is_tree(asked: Arguments, most: int) -> float:
    graph = asked["G"]
    return most + 1 if len(graph) - 1 == graph.number_of_edges() else 0  # NetworkX counts first, too


SEARCHES: dict[str, Cost] = {
    "is_connected": _first_component,
    "is_weakly_connected": _first_component,
    "is_tree": _is_tree,
    "node_connected_component": _from("n"),
    "single_source_shortest_path_length": _from("source"),
    "single_source_dijkstra_path_length": _from("source"),
    "single_source_dijkstra_path": _from("source"),
    "single_source_dijkstra": _until,
    "dijkstra_path": _until,
    "dijkstra_path_length": _until,
    "all_pairs_dijkstra": _from_every,
    "all_pairs_dijkstra_path": _from_every,
    "all_pairs_dijkstra_path_length": _from_every,
    "all_pairs_bellman_ford_path": _from_every,
    "all_pairs_bellman_ford_path_length": _from_every,
    "single_source_shortest_path": _from("source"),
    "single_target_shortest_path": _from("target", backwards),
    "all_pairs_shortest_path": _from_every,
    "shortest_path": _shortest_path,
    "single_source_bellman_ford_path_length": _from("source"),
    "single_source_bellman_ford_path": _from("source"),
    "single_source_bellman_ford": _from("source"),
    "bellman_ford_path_length": _from("source"),
    "bellman_ford_path": _from("source"),
    "find_negative_cycle": _from("source"),
    "single_target_shortest_path_length": _from("target", backwards),
    "shortest_path_length": _shortest_path_length,
    "has_path": _between,
    "descendants": _from("source"),
    "ancestors": _from("source", backwards),
    "descendants_at_distance": _at_distance,
    "all_pairs_shortest_path_length": _from_every,
    "closeness_centrality": _closeness,
    "harmonic_centrality": _from_every,
    "eccentricity": _eccentricity,
}


def is_small(name: str, asked: Arguments) -> bool:
    """Return whether NetworkX looks at less for a question than a search of the library costs. Also for what is no node: NetworkX says so."""
    cost = SEARCHES.get(name)
    if cost is None or not hasattr(asked["G"], "_adj"):
        return False
    most = of_one_search(len(asked["G"]))
    try:
        return cost(asked, most) <= most
    except (KeyError, TypeError):
        return True
