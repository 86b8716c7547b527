"""Functions that NumPy computes of rows, degrees and distances: measures of structure and of cuts.

As in functions.py, G is a gossamer.Graph. What NetworkX words by the graph itself (its name in an error) is left to NetworkX.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.community.quality import NotAPartition

from gossamer import _core
from gossamer._graph import Graph
from gossamer.networkx_backend.common import arcs, by_node, counted_arcs, degrees, edge_count, no_loops, nodes, origin_of, refuse_empty, summed

__all__ = [
    "attracting_components", "average_degree_connectivity", "average_neighbor_degree", "barycenter", "boundary_expansion", "centroid", "conductance",
    "cut_size", "degree_assortativity_coefficient", "edge_expansion", "flow_hierarchy", "global_efficiency",
    "global_reaching_centrality", "has_eulerian_path", "is_arborescence", "is_bipartite", "is_branching", "is_directed_acyclic_graph", "is_dominating_set",
    "is_eulerian", "is_k_regular", "is_regular", "is_semieulerian", "mixing_expansion", "modularity",
    "node_boundary", "node_expansion",
    "normalized_cut_size", "number_attracting_components", "overall_reciprocity", "s_metric", "volume", "wiener_index"]

_CONNECTIVITY = "Connectivity is undefined for the null graph."


def _sums(values: np.ndarray, places: np.ndarray, n: int) -> np.ndarray:
    """Return the sum of the values at each place."""
    return np.bincount(places, values, n)


def _left_to_networkx(name: str, why: str) -> NotImplementedError:
    return NotImplementedError(f"{name}: {why}")


# Eulerian graphs, trees, regular graphs.


def is_eulerian(G):
    no_loops(G, "is_eulerian")
    refuse_empty(G, _CONNECTIVITY)
    if G.directed:
        return bool((degrees(G, "in_degree") == degrees(G, "out_degree")).all()) and G.strong().count == 1
    return bool((degrees(G) % 2 == 0).all()) and G.components().count == 1


def has_eulerian_path(G, source=None):
    if is_eulerian(G):
        return True
    if not G.directed:
        return int((degrees(G) % 2 == 1).sum()) == 2 and G.components().count == 1
    more = degrees(G, "out_degree") - degrees(G, "in_degree")
    if (abs(more) > 1).any():
        return False
    return int((more == -1).sum()) <= 1 and int((more == 1).sum()) <= 1 and G.components().count == 1


def is_semieulerian(G):
    return has_eulerian_path(G) and not is_eulerian(G)


def is_regular(G):
    no_loops(G, "is_regular")
    refuse_empty(G, "Graph has no nodes.")
    sides = (degrees(G, "in_degree"), degrees(G, "out_degree")) if G.directed else (degrees(G),)
    return all(bool((side == side[0]).all()) for side in sides)


def is_k_regular(G, k):
    no_loops(G, "is_k_regular")
    return bool((degrees(G) == k).all())


def is_arborescence(G):
    no_loops(G, "is_arborescence")
    refuse_empty(G, "G has no nodes.")
    return len(G) - 1 == edge_count(G) and G.components().count == 1 and int(G.in_degree().array.max()) <= 1


def is_branching(G):
    no_loops(G, "is_branching")
    refuse_empty(G, "G has no nodes.")
    return len(G) - G.components().count == edge_count(G) and int(G.in_degree().array.max()) <= 1


def is_bipartite(G):
    """Return whether each component has two copies in the graph of (node, side) pairs, whose edges change the side."""
    no_loops(G, "is_bipartite")
    n = len(G)
    sources, targets = arcs(G)
    sides = Graph(np.concatenate((sources, sources + n)), np.concatenate((targets + n, targets)), directed=False, vertices=2 * n)
    return sides.components().count == 2 * G.components().count


# Directed graphs.


def is_directed_acyclic_graph(G):
    no_loops(G, "is_directed_acyclic_graph")
    return G.directed and G.stats["self_loops"] == 0 and G.strong().count == len(G)


def _attracting(G: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Return the strong component of each vertex, and whether no edge leaves the component of that name."""
    component = G.strong().array.astype(np.int64)
    sources, targets = arcs(G)
    leaves = component[sources] != component[targets]
    stays = np.zeros(len(G), bool)
    stays[component] = True
    stays[component[sources[leaves]]] = False
    return component, stays


def attracting_components(G):
    component, stays = _attracting(G)
    names = np.unique(component)  # the order of sets_of()
    yield from (part for part, name in zip(_core.sets_of(G._node_list(), component), names.tolist()) if stays[name])


def number_attracting_components(G):
    return int(_attracting(G)[1].sum())


def overall_reciprocity(G):
    no_loops(G, "overall_reciprocity")
    if G.edges == 0:
        raise nx.NetworkXError("Not defined for empty graphs")
    sources, targets = arcs(G)
    there, back = sources * len(G) + targets, targets * len(G) + sources
    return int(np.isin(there, back, assume_unique=True).sum()) / G.edges


def flow_hierarchy(G, weight=None):
    no_loops(G, "flow_hierarchy")
    if G.edges == 0:
        raise nx.NetworkXError("flow_hierarchy not applicable to empty graphs")
    component = G.strong().array
    sources, targets = arcs(G)
    return 1 - int((component[sources] == component[targets]).sum()) / G.edges


# Degrees of neighbours.


def average_neighbor_degree(G, source="out", target="out", nodes=None, weight=None):
    no_loops(G, "average_neighbor_degree")
    degrees = G.out_degree().array
    sources, targets = arcs(G)
    sums = _sums(degrees[targets].astype(float), sources, len(G))
    return by_node(G, np.divide(sums, degrees, out=np.zeros(len(G)), where=degrees > 0))


def average_degree_connectivity(G, source="in+out", target="in+out", nodes=None, weight=None):
    no_loops(G, "average_degree_connectivity")
    degrees = G.degree().array
    sources, targets = arcs(G)
    sums = _sums(degrees[targets].astype(float), sources, len(G))
    kinds, first, place = np.unique(degrees, return_index=True, return_inverse=True)
    total = _sums(sums, place, len(kinds)).tolist()
    norm = _sums(degrees.astype(float), place, len(kinds)).tolist()
    of = {i: total[i] / norm[i] if norm[i] else int(total[i]) for i in np.argsort(first).tolist()}  # in the order of the vertices
    return {int(kinds[i]): value for i, value in of.items()}


def degree_assortativity_coefficient(G, x="out", y="in", weight=None, nodes=None):
    no_loops(G, "degree_assortativity_coefficient")
    sources, targets = arcs(G)
    first, second = G.out_degree().array[sources], G.in_degree().array[targets]
    if len(first) == 0 or (first == first[0]).all() or (second == second[0]).all():
        raise _left_to_networkx("degree_assortativity_coefficient", "degrees do not vary")
    return float(np.corrcoef(first, second)[0, 1])


def s_metric(G):
    no_loops(G, "s_metric")
    degrees = G.degree().array
    sources, targets = arcs(G)
    return float(int((degrees[sources] * degrees[targets]).sum()) // (1 if G.directed else 2))


# Distances between all pairs.


def global_efficiency(G):
    n = len(G)
    if n < 2:
        return 0
    return float(G.harmonic().array.sum()) / (n * (n - 1))


def wiener_index(G, weight=None):
    refuse_empty(G, _CONNECTIVITY)
    reached, totals, _ = G._library.distances(False)
    if (reached < len(G)).any():
        return float("inf")
    return int(totals.sum()) if G.directed else int(totals.sum()) / 2


def barycenter(G, weight=None, attr=None, sp=None):
    if not G.directed and len(G) and len(G) - 1 == G.edges and G.components().count == 1:
        raise _left_to_networkx("barycenter", "of a tree NetworkX finds it at once")
    reached, totals, _ = G._library.distances(False)
    if len(G) == 0 or (reached < len(G)).any():
        raise _left_to_networkx("barycenter", "the graph is not connected")
    labels = G._node_list()
    return [labels[v] for v in np.flatnonzero(totals == totals.min()).tolist()]


centroid = barycenter  # as NetworkX calls it from 3.7 on


def global_reaching_centrality(G, weight=None, normalized=True):
    no_loops(G, "global_reaching_centrality")
    if G.edges == 0:
        raise nx.NetworkXError("Size of G must be positive")
    share = (G._library.distances(False)[0] - 1) / (len(G) - 1)
    return float((share.max() - share).sum()) / (len(G) - 1)


# Cuts and communities.


def _members(G: Graph, nodes: Any, name: str) -> np.ndarray:
    """Return the vertices of nodes that are in the graph, as often as they are given."""
    try:
        found = [G._find(node) for node in nodes]
    except TypeError:
        raise _left_to_networkx(name, "nodes that are no collection, or of other kinds than the graph's") from None
    return np.array([vertex for vertex in found if vertex is not None], np.int64)


def _is_member(G: Graph, nodes: Any, name: str) -> np.ndarray:
    is_member = np.zeros(len(G), bool)
    is_member[_members(G, nodes, name)] = True
    return is_member


def cut_size(G, S, T=None, weight=None):
    no_loops(G, "cut_size")
    inside = _is_member(G, S, "cut_size")
    beyond = ~inside if T is None else _is_member(G, T, "cut_size")
    sources, targets, counts = counted_arcs(G)
    once = sources < targets
    u, v = sources[once], targets[once]
    return int(counts[once][(inside[u] & beyond[v]) | (inside[v] & beyond[u])].sum())


def volume(G, S, weight=None):
    no_loops(G, "volume")
    return int(degrees(G, "out_degree")[_members(G, S, "volume")].sum())


def _both_sides(G: Graph, S: Any, T: Any) -> tuple[Any, Any]:
    return S, set(G._node_list()) - set(S) if T is None else T


def normalized_cut_size(G, S, T=None, weight=None):
    S, T = _both_sides(G, S, T)
    return cut_size(G, S, T) * ((1 / volume(G, S)) + (1 / volume(G, T)))


def conductance(G, S, T=None, weight=None):
    S, T = _both_sides(G, S, T)
    return cut_size(G, S, T) / min(volume(G, S), volume(G, T))


def edge_expansion(G, S, T=None, weight=None):
    S, T = _both_sides(G, S, T)
    return cut_size(G, S, T) / min(len(S), len(T))


def mixing_expansion(G, S, T=None, weight=None):
    return cut_size(G, S, T) / (2 * edge_count(G))


def _neighbours(G: Graph, vertices: np.ndarray) -> np.ndarray:
    """Return the vertices to which arcs lead from some, each once, in order."""
    offsets, targets = G._library.rows()
    offsets = offsets.view(np.int64)
    rows = [targets[offsets[v]:offsets[v + 1]] for v in np.unique(vertices).tolist()]
    return np.unique(np.concatenate(rows)) if rows else np.zeros(0, np.int64)


def node_boundary(G, nbunch1, nbunch2=None):
    no_loops(G, "node_boundary")
    inside = _members(G, nbunch1, "node_boundary")
    beyond = set(nodes(G, np.setdiff1d(_neighbours(G, inside), inside)))
    return beyond if nbunch2 is None else beyond & set(nbunch2)


def boundary_expansion(G, S):
    return len(node_boundary(G, S)) / len(S)


def node_expansion(G, S):
    no_loops(G, "node_expansion")
    members = _members(G, S, "node_expansion")
    if len(members) != len(S):
        raise _left_to_networkx("node_expansion", "a node that is not in the graph")
    return len(_neighbours(G, members)) / len(S)


def is_dominating_set(G, nbunch):
    members = _members(G, nbunch, "is_dominating_set")
    return len(np.union1d(members, _neighbours(G, members))) == len(G)


def _no_partition(G: Graph, communities: list[Any]) -> Exception:
    """Return NetworkX's error for communities that are no partition: a generator of them is used up, so NetworkX cannot answer instead."""
    origin = origin_of(G)
    if origin is None:
        return _left_to_networkx("modularity", "no partition of the nodes")
    return NotAPartition(origin, communities)


def modularity(G, communities, weight="weight", resolution=1):
    no_loops(G, "modularity")
    if G.edges == 0:  # refuses before the communities are read: a generator gives them once
        raise _left_to_networkx("modularity", "the graph has no edges")
    communities = list(communities)
    community = np.full(len(G), -1, np.int64)
    counted = 0
    for number, part in enumerate(communities):
        members = _members(G, part, "modularity")
        community[members] = number
        counted += len(members)
    if counted != len(G) or (community < 0).any() or counted != sum(map(len, communities)):
        raise _no_partition(G, communities)
    G, weight = summed(G, weight)
    sources, targets = arcs(G)
    weights = None if weight is None or not G.weighted else np.asarray(G._library.weights(), float)
    each = np.ones(len(sources)) if weights is None else weights
    leaving, entering = _sums(each, sources, len(G)), _sums(each, targets, len(G))
    total = float(each.sum())
    inside = community[sources] == community[targets]
    within = _sums(each[inside], community[sources[inside]], len(communities))
    out, into = (_sums(side, community, len(communities)) for side in (leaving, entering))
    norm = 1 / total**2  # rounded, and added up, as NetworkX does
    return float(sum((within / total - resolution * out * into * norm).tolist()))
