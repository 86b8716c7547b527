"""The functions, with the names, parameters and errors of NetworkX. G is a gossamer.Graph; its labels are the nodes.

Each has a row in gossamer_networkx/table.py, which says what is left to NetworkX.
"""

from __future__ import annotations

import functools
import inspect
import math
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from gossamer import _core, _life
from gossamer._graph import Graph
from gossamer.networkx_backend import cost
from gossamer.networkx_backend._questions import *  # those that are a column of an answer
from gossamer.networkx_backend.common import ask as _ask
from gossamer.networkx_backend.common import by_node as _by_node
from gossamer.networkx_backend.common import edge_count as _edge_count
from gossamer.networkx_backend.common import hashed_vertex as _hashed_vertex
from gossamer.networkx_backend.common import networkx_is as _networkx_is
from gossamer.networkx_backend.common import no_loops as _no_loops
from gossamer.networkx_backend.common import nodes as _nodes
from gossamer.networkx_backend.common import of_networkx as _of_networkx
from gossamer.networkx_backend.common import degrees as _degrees
from gossamer.networkx_backend.common import multigraph_of as _multigraph_of
from gossamer.networkx_backend.common import origin_of as _origin_of
from gossamer.networkx_backend.common import refuse_empty as _refuse_empty
from gossamer.networkx_backend.common import vertex as _vertex
from gossamer.networkx_backend.flows import *
from gossamer.networkx_backend.iterations import *
from gossamer.networkx_backend.measures import *
from gossamer.networkx_backend.paths import *
from gossamer.networkx_backend.similarity import *
from gossamer.networkx_backend.spanning import *

# Helpers.


def _levels(G: Graph, vertex: int) -> np.ndarray:
    """Return the distance of every vertex, -1 where there is no way."""
    return _ask(G, "bfs", source=vertex)[0][0]


def _farthest(levels: np.ndarray, cutoff: float | None) -> int:
    """Return the last level within a cutoff; as NetworkX searches, a fraction of a level is a level."""
    if cutoff is None or cutoff >= len(levels):
        return len(levels)
    return math.ceil(cutoff) if cutoff > 0 else 0


def _lengths(G: Graph, vertex: int, cutoff: float | None = None) -> dict[Any, int]:
    """Return the distances from a vertex by node, the nearest first."""
    levels = _levels(G, vertex)
    return _core.nearest_first(G._node_list(), levels, _farthest(levels, cutoff))


# Orders and choices.


def topological_generations(G):
    _no_loops(G, "topological_generations")
    (positions, levels), known = _ask(G, "topological")
    order = np.argsort(positions, kind="stable")[len(positions) - known["ordered"]:]  # those without a place have -1
    generations = np.split(order, np.flatnonzero(np.diff(levels[order])) + 1) if len(order) else []

    def each():
        for some in generations:
            yield _nodes(G, some)
        if not known["acyclic"]:
            raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")

    return each()


def topological_sort(G):
    return (node for some in topological_generations(G) for node in some)


def dag_longest_path_length(G, weight="weight", default_weight=1):
    _no_loops(G, "dag_longest_path_length")
    if weight is not None and G.weighted:
        raise NotImplementedError("dag_longest_path_length: edges have weights")
    known = _ask(G, "topological")[1]
    if not known["acyclic"]:
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    return max(known["levels"] - 1, 0)


def maximal_matching(G):
    mates = _ask(G, "matching")[0][0]
    first = np.flatnonzero(mates > np.arange(len(mates)))
    return set(zip(_nodes(G, first), _nodes(G, mates[first])))


# Communities.


def _leiden(G: Graph, weight: Any, resolution: float, seed: Any) -> list[set[Any]]:
    """Return communities of the largest modularity that was found."""
    _no_loops(G, "leiden_communities")
    if weight is not None and G.weighted and G._library.bad_length() is not None:  # refuses before a number is drawn
        raise NotImplementedError("leiden_communities: edges have negative weights")
    drawn = nx.utils.create_py_random_state(seed).randrange(2**63)
    asked = G
    if weight is None and G.weighted:
        offsets, targets = G._library.rows()
        asked = Graph(np.repeat(np.arange(len(G)), np.diff(offsets.view(np.int64))), targets.astype(np.int64), directed=False, vertices=len(G))
    (community,), _ = _ask(asked, "communities", method="leiden", resolution=resolution, seed=drawn)
    return _core.sets_of(G._node_list(), community)


def _leiden_by_modularity(G, weight="weight", resolution=1, max_level=None, seed=None):
    return _leiden(G, weight, resolution, seed)


def _leiden_by_metric(G, *, weight="weight", resolution=1.0, max_level=None, seed=None, metric="cpm", theta=0.01):
    return _leiden(G, weight, resolution, seed)  # the table takes no other metric than modularity


leiden_communities: Any = _leiden_by_metric if _networkx_is(3, 7) else _leiden_by_modularity


# Clusters.


def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    shares = _ask(G, "triangles")[0][1]
    if not count_zeros:
        shares = shares[shares > 0]
    return sum(shares.tolist()) / len(shares)


def transitivity(G):
    return _ask(G, "triangles")[1]["transitivity"] or 0  # an int where there is none, as NetworkX has it


def k_truss(G, k):
    _no_loops(G, "k_truss")
    truss = G.k_truss(k)
    origin = _origin_of(G)
    if origin is None:
        return truss
    labels, (offsets, targets) = truss._node_list(), truss._library.rows()
    ends = np.repeat(np.arange(len(truss)), np.diff(offsets.view(np.int64)))
    kept = {(labels[u], labels[v]) for u, v in zip(ends.tolist(), targets.tolist())}
    part = origin.copy()  # with all attributes, as NetworkX does
    part.remove_edges_from([edge for edge in origin.edges if edge not in kept])
    part.remove_nodes_from(set(origin).difference(labels))
    return part


# Centrality.


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    nodes = G._node_list()
    if k == len(nodes):  # draws nothing, as NetworkX
        k = None
    by_lengths = _by_lengths(G, weight)  # refuses before nodes are drawn: NetworkX draws the same ones then
    drawn, sums = _sums_from(G, k, seed, by_lengths)
    if not G.directed:
        sums = sums * 2  # NetworkX sums over ordered pairs, and halves when it scales
    return _rescale(_by_node(G, sums), len(nodes), normalized, G.directed, drawn)


def edge_betweenness_centrality(G, k=None, normalized=True, weight=None, seed=None):
    _no_loops(G, "edge_betweenness_centrality")
    if k is not None and "sampled_nodes" not in inspect.signature(_rescaling()).parameters:
        raise NotImplementedError("edge_betweenness_centrality: k before NetworkX 3.6")
    by_lengths, origin, whole = _by_lengths(G, weight), _multigraph_of(G), _origin_of(G)  # refuse before nodes are drawn
    drawn, (us, vs, sums) = _sums_from(G, k, seed, by_lengths, edges=True)
    if not G.directed:
        sums = sums * 2
    nodes = G._node_list()
    by_edge = dict.fromkeys(() if whole is None else whole.edges(), 0.0)  # in the order of NetworkX
    by_edge.update(((nodes[u], nodes[v]), score) for u, v, score in zip(us.tolist(), vs.tolist(), sums.tolist()))
    return _shared(origin, _rescale(by_edge, len(nodes), normalized, G.directed, drawn, endpoints=True), weight)


def _shared(origin: nx.Graph | None, by_edge: dict[Any, float], weight: Any) -> dict[Any, float]:
    """Return the scores by edge and key where there are parallel edges: the lightest ones share a score."""
    if origin is None:
        return by_edge
    shared = dict.fromkeys(origin.edges, 0.0)
    for (u, v), score in by_edge.items():
        weights = {key: 1 if weight is None else edge.get(weight, 1) for key, edge in origin[u][v].items()}
        lightest = [key for key, value in weights.items() if value == min(weights.values())]
        shared.update(dict.fromkeys(((u, v, key) for key in lightest), score / len(lightest)))
    return shared


def _sums_from(G: Graph, k: int | None, seed: Any, by_lengths: bool, edges: bool = False) -> tuple[list[Any] | None, Any]:
    """Return the nodes that NetworkX draws, or None for all, and the sums of betweenness from them. Leaves lengths that are rounded to NetworkX."""
    draw = nx.utils.create_py_random_state(seed)
    reset = _reset(draw) if k is not None and by_lengths else None
    drawn = None if k is None else draw.sample(G._node_list(), k)
    sources = list(range(len(G))) if drawn is None else [G.find(node) for node in drawn]
    try:
        return drawn, G._library.betweenness_from(sources, by_lengths, edges)
    except ValueError as refused:
        if reset is not None:
            reset()  # NetworkX draws the same nodes
        raise NotImplementedError(str(refused)) from refused


def _reset(draw: Any) -> Callable[[], None]:
    """Return a function that sets a generator of random numbers back to its present state. One of the system has none."""
    rng = getattr(draw, "_rng", None)  # NumPy's, which NetworkX gives the methods of Python's
    if rng is None:
        return (lambda: None) if isinstance(draw, random.SystemRandom) else functools.partial(draw.setstate, draw.getstate())
    bits = rng.bit_generator if isinstance(rng, np.random.Generator) else rng._bit_generator
    return functools.partial(setattr, bits, "state", bits.state)


def _by_lengths(G: Graph, weight: Any) -> bool:
    """Return whether weights are lengths of edges. Leaves those that are not above 0 to NetworkX, and loops, since one of length 0 counts there."""
    if weight is None or not G.weighted:
        return False
    if G._library.bad_length(True) is not None or getattr(G, "self_loops", False):
        raise NotImplementedError("edges have weights that are not above 0, or lead to where they begin")
    if getattr(G, "narrow", False):
        raise NotImplementedError("edges have weights whose sums NetworkX rounds to less than 64 bits")  # another path may be the shortest
    return True


def _rescaling() -> Any:
    from networkx.algorithms.centrality import betweenness

    return getattr(betweenness, "_rescale")  # declared nowhere


def _rescale(sums: dict[Any, float], n: int, normalized: bool, directed: bool, drawn: list[Any] | None,
             endpoints: bool = False) -> dict[Any, float]:
    """Scale as the NetworkX that is here does: versions differ where sources are drawn, and in what they ask for."""
    known = {"normalized": normalized, "directed": directed, "endpoints": endpoints, "k": None if drawn is None else len(drawn),
             "sampled_nodes": drawn}
    asked = inspect.signature(_rescaling()).parameters
    return _rescaling()(sums, n, **{name: value for name, value in known.items() if name in asked})


def _degree_centrality(G: Graph, degrees: np.ndarray, name: str) -> dict[Any, float]:
    _no_loops(G, name)
    n = len(G)
    if n <= 1:
        return dict.fromkeys(G._node_list(), 1)
    return _by_node(G, degrees * (1.0 / (n - 1)))


def degree_centrality(G):
    return _degree_centrality(G, _degrees(G), "degree_centrality")


def in_degree_centrality(G):
    return _degree_centrality(G, _degrees(G, "in_degree"), "in_degree_centrality")


def out_degree_centrality(G):
    return _degree_centrality(G, _degrees(G, "out_degree"), "out_degree_centrality")


def closeness_centrality(G, u=None, distance=None, wf_improved=True, *, sp=None):
    vertex = None if u is None else _vertex(G, u, nx.NodeNotFound, f"Source {u} is not in G")
    if vertex is not None:
        levels = _levels(G.reversed() if G.directed else G, vertex)
        reached, total = int((levels >= 0).sum()), int(levels[levels > 0].sum())
        return _closeness(reached, total, len(G), wf_improved)
    if wf_improved:
        return _by_node(G, _ask(G, "closeness")[0][0])
    reached, totals = G._library.distances(True)[:2]
    return {node: _closeness(int(r), int(total), len(G), False) for node, r, total in zip(G._node_list(), reached, totals)}


def _closeness(reached: int, total: int, n: int, improved: bool) -> float:
    if total == 0 or n <= 1:
        return 0.0
    near = (reached - 1.0) / total
    return near * ((reached - 1.0) / (n - 1)) if improved else near


def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    return _by_node(G, _ask(G, "closeness")[0][1])


# Components.


def _components(G: Graph) -> Iterator[set[Any]]:
    first = _small_component(G)  # callers may want no other
    if first is not None:
        yield first
    yield from _core.sets_of(G._node_list(), G.components().array)[0 if first is None else 1:]


def _small_component(G: Graph) -> set[Any] | None:
    """Return the component of the first vertex of an undirected graph. None: there is none, or to find it takes as much as to find all."""
    if len(G) == 0 or G.directed or _life.of_several():
        return None
    found: set[Any] = set()
    for layer in _near(G, np.zeros(1, np.int64), cost.of_one_search(len(G))):
        if layer is None:
            return None
        found.update(_nodes(G, layer))
    return found


def connected_components(G):
    yield from _components(G)


def weakly_connected_components(G):
    yield from _components(G)


def number_connected_components(G):
    return G.components().count


def number_weakly_connected_components(G):
    return G.components().count


def is_connected(G):
    _refuse_empty(G, "Connectivity is undefined for the null graph.")
    return G.components().count == 1


def is_weakly_connected(G):
    _refuse_empty(G, "Connectivity is undefined for the null graph.")
    return G.components().count == 1


def strongly_connected_components(G):
    component, order = G._library.strong_in_order()
    parts = _core.sets_of(G._node_list(), component)
    yield from (parts[place] for place in np.searchsorted(np.sort(order), order).tolist())


def condensation(G, scc=None):
    component, order = G._library.strong_in_order()
    place = np.zeros(len(G), np.int64)  # of a component by its name
    place[order] = np.arange(len(order))
    members, labels = _core.sets_of(G._node_list(), component), G._node_list()
    made = nx.DiGraph(mapping=dict(zip(labels, place[component].tolist())))
    made.add_nodes_from((number, {"members": members[at]}) for number, at in enumerate(np.searchsorted(np.sort(order), order).tolist()))
    rows: Any = _ask(G, "strong", condensation=True)[0]
    made.add_edges_from(zip(place[rows["source"]].tolist(), place[rows["target"]].tolist()))
    return made


def number_strongly_connected_components(G):
    return G.strong().count


def is_strongly_connected(G):
    _refuse_empty(G, "Connectivity is undefined for the null graph.")
    return G.strong().count == 1


def node_connected_component(G, n):
    levels = _levels(G, _hashed_vertex(G, n, KeyError, n))
    return set(_nodes(G, np.flatnonzero(levels >= 0)))


def is_tree(G):
    _refuse_empty(G, "G has no nodes.")
    _no_loops(G, "is_tree")
    return len(G) - 1 == _edge_count(G) and G.components().count == 1


def is_forest(G):
    _refuse_empty(G, "G has no nodes.")
    _no_loops(G, "is_forest")
    return len(G) - G.components().count == _edge_count(G)


def isolates(G):
    _no_loops(G, "isolates")
    return iter(_nodes(G, np.flatnonzero(G.degree().array == 0)))


def number_of_isolates(G):
    _no_loops(G, "number_of_isolates")
    return int((G.degree().array == 0).sum())


# Biconnected components.


def _edges(G: Graph, ends: np.ndarray, others: np.ndarray) -> Iterator[tuple[Any, Any]]:
    """Return edges as NetworkX has them: the node that comes first in the graph first."""
    return zip(_nodes(G, np.minimum(ends, others)), _nodes(G, np.maximum(ends, others)))


def bridges(G, root=None):
    _no_loops(G, "bridges")
    upper = _ask(G, "biconnected")[0][2]
    lower = np.flatnonzero(upper >= 0)
    of = _of_networkx(G)
    return ((u, v) for u, v in _edges(G, lower, upper[lower]) if of.number_of_edges(u, v) == 1)


def has_bridges(G, root=None):
    _no_loops(G, "has_bridges")
    return any(True for _ in bridges(G))


def articulation_points(G):
    _no_loops(G, "articulation_points")
    return iter(_nodes(G, np.flatnonzero(_ask(G, "biconnected")[0][1])))


def is_biconnected(G):
    _no_loops(G, "is_biconnected")
    known = _ask(G, "biconnected")[1]
    return known["blocks"] == 1 and known["largest"] == len(G)


def _by_block(block: np.ndarray) -> list[np.ndarray]:
    """Return the places of each value from 0 on."""
    order = np.argsort(block, kind="stable")
    order = order[np.searchsorted(block[order], 0):]
    return np.split(order, np.flatnonzero(np.diff(block[order])) + 1) if len(order) else []


def biconnected_components(G):
    _no_loops(G, "biconnected_components")
    *_, block, head = _ask(G, "biconnected")[0]
    return ({*_nodes(G, some), *_nodes(G, head[some[:1]])} for some in _by_block(block))


def biconnected_component_edges(G):
    _no_loops(G, "biconnected_component_edges")
    *_, block, head = _ask(G, "biconnected")[0]
    offsets, targets = G._library.rows()
    ends = np.repeat(np.arange(len(G)), np.diff(offsets.view(np.int64)))
    ends, others = ends[ends < targets], targets[ends < targets].astype(np.int64)
    of_edge = np.where((block[ends] == block[others]) | (head[ends] == others), block[ends], block[others])
    return (list(_edges(G, ends[some], others[some])) for some in _by_block(of_edge))


# Distances.


def single_source_shortest_path_length(G, source, cutoff=None):
    return _lengths(G, _vertex(G, source, nx.NodeNotFound, f"Source {source} is not in G"), cutoff)


def single_target_shortest_path_length(G, target, cutoff=None):
    if not _networkx_is(3, 5):
        raise NotImplementedError("single_target_shortest_path_length: an iterator before NetworkX 3.5")
    return _lengths(G.reversed(), _vertex(G, target, nx.NodeNotFound, f"Target {target} is not in G"), cutoff)


def all_pairs_shortest_path_length(G, cutoff=None):
    for v, node in enumerate(G._node_list()):
        yield node, _lengths(G, v, cutoff)


def shortest_path_length(G, source=None, target=None, weight=None, method="dijkstra"):
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if source is None:
        if target is None:
            raise NotImplementedError("shortest_path_length: between all pairs")
        return _lengths(G.reversed(), _vertex(G, target, nx.NodeNotFound, f"Source {target} is not in G"))  # NetworkX turns the graph round
    if target is None:
        return _lengths(G, _vertex(G, source, nx.NodeNotFound, f"Source {source} is not in G"))
    distance = _distance(G, source, target)
    if distance < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return distance


def _distance(G: Graph, source: Any, target: Any) -> int:
    start = _vertex(G, source, nx.NodeNotFound, f"Source {source} is not in G")
    end = _vertex(G, target, nx.NodeNotFound, f"Target {target} is not in G")
    return int(_levels(G, start)[end])


def has_path(G, source, target):
    return _distance(G, source, target) >= 0


def bfs_layers(G, sources):
    if _is_node(G, sources):
        starts = [G.find(sources)]
    else:
        starts = [_vertex(G, node, nx.NetworkXError, f"The node {node} is not in the graph.")
                  for node in sources]
    yield from _layers(G, np.unique(np.array(starts, np.int64)))


def _layers(G: Graph, starts: np.ndarray) -> Iterator[list[Any]]:
    """Search layer by layer, each when it is asked for: callers may want the first ones only. Of one start the rest is one search."""
    if _life.of_several():  # a search is less than a copy of all rows
        yield from _layers_beyond(G, _levels_from_any(G, starts), -1)
        return
    for depth, layer in enumerate(_near(G, starts, cost.of_one_search(len(G)) if len(starts) == 1 else math.inf)):
        if layer is None:
            yield from _layers_beyond(G, _levels(G, int(starts[0])), depth - 1)
            return
        yield _nodes(G, layer)


def _near(G: Graph, starts: np.ndarray, most: float) -> Iterator[np.ndarray | None]:
    """Search layer by layer without the cores, in the rows of this process. Ends with None where more than `most` neighbours are looked at."""
    offsets, targets = G._library.rows()
    offsets = offsets.view(np.int64)
    is_seen = np.zeros(len(G), bool)
    layer, looked = starts, 0
    while len(layer):
        is_seen[layer] = True
        yield layer
        first, lengths = offsets[layer], offsets[layer + 1] - offsets[layer]
        looked += int(lengths.sum())
        if looked > most:
            yield None
            return
        places = np.arange(lengths.sum()) + np.repeat(first - (np.cumsum(lengths) - lengths), lengths)
        layer = _once(targets[places], is_seen)


def _once(vertices: np.ndarray, is_seen: np.ndarray) -> np.ndarray:
    """Return those vertices that are not seen, each once, in order."""
    if len(vertices) * 8 < len(is_seen):
        return np.unique(vertices[~is_seen[vertices]]).astype(np.int64)
    is_found = np.zeros(len(is_seen), bool)
    is_found[vertices] = True
    return np.flatnonzero(is_found & ~is_seen)


def _levels_from_any(G: Graph, starts: np.ndarray) -> np.ndarray:
    """Return the distance of every vertex from the nearest start, -1 where there is no way: a search from each."""
    nearest = np.full(len(G), -1, np.int64)
    for start in starts.tolist():
        levels = _levels(G, start)
        nearest = np.where((nearest < 0) | ((levels >= 0) & (levels < nearest)), levels, nearest)
    return nearest


def _layers_beyond(G: Graph, levels: np.ndarray, depth: int) -> Iterator[list[Any]]:
    order = np.argsort(levels, kind="stable")
    order = order[np.searchsorted(levels[order], depth + 1):]
    if len(order):
        for layer in np.split(order, np.flatnonzero(np.diff(levels[order])) + 1):
            yield _nodes(G, layer)


def _is_node(G: Graph, node: Any) -> bool:
    try:
        return G._find(node) is not None
    except TypeError:
        return False


def descendants(G, source):
    vertex = _hashed_vertex(G, source, nx.NetworkXError, f"The node {source} is not in the {'digraph' if G.directed else 'graph'}.")
    levels = _levels(G, vertex)
    return set(_nodes(G, np.flatnonzero(levels > 0)))


def ancestors(G, source):
    return descendants(G.reversed(), source)


def descendants_at_distance(G, source, distance):
    vertex = _vertex(G, source, nx.NetworkXError, f"The node {source} is not in the graph.")
    levels = _levels(G, vertex)
    return set(_nodes(G, np.flatnonzero(levels == distance))) if distance >= 0 else set()


def average_shortest_path_length(G, weight=None, method=None):
    n = len(G)
    _refuse_empty(G, "the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    reached, totals, _ = G._library.distances(False)
    if (reached < n).any():
        raise nx.NetworkXError("Graph is not strongly connected." if G.directed else "Graph is not connected.")
    return int(totals.sum()) / (n * (n - 1))


def eccentricity(G, v=None, sp=None, weight=None):
    if v is None:
        return _eccentricities(G)
    _refuse_null(G)
    if _is_node(G, v):
        return _eccentricity(G, G.find(v))
    return {node: _eccentricity(G, G.find(node)) for node in _bunch(G, v)}


def _eccentricities(G: Graph) -> dict[Any, int]:
    _refuse_null(G)
    (far,), known = _ask(G, "eccentricity")
    if not known["reaches_all"]:
        raise _not_connected(G)
    return _by_node(G, far)


def _eccentricity(G: Graph, vertex: int) -> int:
    levels = _levels(G, vertex)
    if (levels < 0).any():
        raise _not_connected(G)
    return int(levels.max())


def _not_connected(G: Graph) -> nx.NetworkXError:
    return nx.NetworkXError("Found infinite path length because the digraph is not strongly connected" if G.directed
                            else "Found infinite path length because the graph is not connected")


def _refuse_null(G: Graph) -> None:
    if _networkx_is(3, 7):
        _refuse_empty(G, "Cannot compute eccentricity of a null graph.")


def _bunch(G: Graph, nodes: Any) -> Iterator[Any]:
    """Return those of some nodes that are in the graph. Refuses what cannot be nodes as NetworkX does."""
    if not isinstance(nodes, Iterable):
        raise nx.NetworkXError(f"Node {nodes} is not in the graph.")
    for node in nodes:
        try:
            hash(node)
        except TypeError:
            raise nx.NetworkXError(f"Node {node} in sequence nbunch is not a valid node.") from None
        if _is_node(G, node):
            yield node


def diameter(G, e=None, usebounds=False, weight=None):
    if G.directed:  # a search from one vertex says less than all of them
        return max(_eccentricities(G).values())
    _refuse_null(G)
    known = _ask(G, "diameter")[1]
    if len(G) and not known["connected"]:
        raise _not_connected(G)
    return max(_eccentricities(G).values()) if len(G) == 0 else known["diameter"]


def radius(G, e=None, usebounds=False, weight=None):
    return min(_eccentricities(G).values())


def center(G, e=None, usebounds=False, weight=None):
    if not G.directed and _networkx_is(3, 5):
        _refuse_empty(G, "G has no nodes.")
    if not G.directed and len(G) and len(G) - 1 == G.edges and G.components().count == 1:
        return _tree_center(G)
    by_node = _eccentricities(G)
    least = min(by_node.values())
    return [node for node, far in by_node.items() if far == least]


def _tree_center(G: Graph) -> list[Any]:
    """Return the middle of a longest path: two searches instead of one from every node."""
    levels, parents = _ask(G, "bfs", source=int(np.argmax(_levels(G, 0))))[0]
    middle = int(np.argmax(levels))
    length = int(levels[middle])
    for _ in range(length // 2):
        middle = int(parents[middle])
    return _nodes(G, np.array([middle] if length % 2 == 0 else sorted((middle, int(parents[middle])))))


def periphery(G, e=None, usebounds=False, weight=None):
    by_node = _eccentricities(G)
    most = max(by_node.values())
    return [node for node, far in by_node.items() if far == most]
