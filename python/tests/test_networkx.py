"""Every function of the backend against NetworkX's own answer."""

import gc
import inspect
import math
import random

import networkx as nx
import numpy as np
import pytest
from conftest import random_graph

import gossamer as gs
from gossamer.networkx_backend import backend, dispatch, functions, paths
from gossamer_networkx.table import MULTIGRAPHS, TABLE


def ends(g):
    nodes = list(g)
    return nodes[len(nodes) // 3], nodes[-min(5, len(nodes))]


def sets(found):
    return sorted(map(lambda s: sorted(map(str, s)), found))


def layers(found):
    return [sorted(map(str, layer)) for layer in found]


def plain(found):
    return found


# How each is called, and what of its answer is compared. Several calls of one function: several entries of its list.
def halves(g):
    nodes = list(g)
    return nodes[: len(nodes) // 2], nodes[len(nodes) // 2:]


def once(f, g):
    return f(g)


def listed(f, g):
    return list(f(g))


def acyclic(g):
    """Return the graph with each edge from the earlier node to the later one."""
    place = {node: i for i, node in enumerate(g)}
    all_forward = type(g)()
    all_forward.add_nodes_from(g)
    all_forward.add_edges_from(sorted(edge, key=place.get) for edge in g.edges if edge[0] != edge[1])
    return all_forward


def is_in_order(g, nodes):
    place = {node: i for i, node in enumerate(nodes)}
    return len(place) == len(g) and all(place[u] < place[v] for u, v in g.edges)


def similar(f, g):
    nodes = list(g)
    return {(u, v): p for u, v, p in f(g, [*zip(nodes, nodes[1:]), *zip(nodes, nodes[5:])])}


def names(found):
    return sorted(map(str, found))


def sets_of_sets(found):
    return sorted(map(sets, found))


def nodes_and_edges(found):
    made = found if isinstance(found, nx.Graph) else dispatch.convert_to_nx(found)
    return names(made), sets(made.edges)


def whole(found):
    """Return the nodes and edges of a graph in their order, with all attributes."""
    if not isinstance(found, nx.Graph):
        return found
    edges = found.edges(keys=True, data=True) if found.is_multigraph() else found.edges(data=True)
    return type(found), found.graph, list(found.nodes(data=True)), list(edges)


def weighted(g, by=lambda i: i * 7919 % 13, but=5):
    """Return a copy with a name, and weights of edges, except for some."""
    copy = g.copy()
    copy.graph["name"], copy.nodes[ends(g)[0]]["colour"] = "weighted", "red"
    for i, edge in enumerate(copy.edges):
        copy.edges[edge].update({"cost": i} if i % but == 0 else {"weight": by(i)})
    return copy


SPANNING_TREES = [
    (lambda f, g: f(weighted(g)), whole), (lambda f, g: f(weighted(g, lambda i: i % 3 - 1.5)), whole),
    (lambda f, g: f(weighted(g), weight="cost"), whole), (lambda f, g: f(weighted(g), weight=None), whole), (lambda f, g: f(type(g)()), whole)]
SPANNING_EDGES = [(lambda f, g, w=w: list(f(weighted(g), **w)), plain)
                  for w in ({}, {"data": False}, {"keys": False}, {"keys": False, "data": False}, {"weight": "cost", "ignore_nan": True})]
def path_length(g, path, weight="weight"):
    """Return the length of a path as it is summed from its first node, and its ends."""
    total = 0
    for u, v in zip(path, path[1:]):
        parallel = g[u][v].values() if g.is_multigraph() else [g[u][v]]
        total += min(edge.get(weight, 1) for edge in parallel) if weight else 1
    return path[0], path[-1], total


def path_lengths(g, paths, weight="weight"):
    return {node: path_length(g, path, weight) for node, path in paths.items()}


def pairs_of_lengths(g, found, weight="weight"):
    """Return the lengths of paths between all pairs, by their first nodes."""
    return {node: path_lengths(g, paths, weight) for node, paths in dict(found).items()}


def reached(g):
    """Return some nodes to which a path leads."""
    return sorted(nx.single_source_shortest_path_length.orig_func(g, ends(g)[0]), key=str)[:12]


def flow_of(g, found, ends):
    """Return the value of a flow, and whether it is one: within the capacities, and nothing gets lost."""
    value, flow = found
    net = dict.fromkeys(g, 0)
    for u in flow:
        for v, amount in flow[u].items():
            net[u] += amount
            net[v] -= amount
            assert 0 <= amount <= g[u][v]["capacity"]
    right = {u: value if u == ends[0] else -value if u == ends[1] else 0 for u in g}
    return value, sorted(map(str, flow)) == sorted(map(str, g)), all(set(flow[u]) == set(g[u]) for u in g), net == right


def condensed(found):
    """Return the edges by the members of their ends, and whether the numbers of members are those of their nodes."""
    if isinstance(found, tuple):
        return found
    members = {node: tuple(sorted(map(str, of))) for node, of in found.nodes(data="members")}
    are_numbered = all(node in found.nodes[number]["members"] for node, number in found.graph["mapping"].items())
    return list(members) == [*range(len(members))], sorted(members.values()), sorted((members[u], members[v]) for u, v in found.edges), are_numbered


def with_capacities(g, most):
    copy = g.copy()
    for i, edge in enumerate(copy.edges):
        copy.edges[edge]["capacity"] = 1 + i * 7919 % most
    return copy


FLOWS = [(lambda f, g: f(with_capacities(g, 13), *ends(g)), plain), (lambda f, g: f(with_capacities(g, 1), *ends(g)), plain),
         (lambda f, g: f(with_capacities(g, 5), ends(g)[0], ends(g)[0]), plain), (lambda f, g: f(with_capacities(g, 5), "absent", ends(g)[0]), plain)]
CASES = {
    "maximum_flow_value": FLOWS,
    "maximum_flow": [
        (lambda f, g: flow_of(with_capacities(g, 13), f(with_capacities(g, 13), *ends(g)), ends(g)), plain),
        (lambda f, g: flow_of(with_capacities(g, 1), f(with_capacities(g, 1), *ends(g)[::-1]), ends(g)[::-1]), plain),
        (lambda f, g: f(with_capacities(g, 3), ends(g)[0], ends(g)[0]), plain), (lambda f, g: f(with_capacities(g, 3), "absent", ends(g)[0]), plain)],
    "minimum_cut_value": FLOWS,
    "minimum_cut": FLOWS,
    "minimum_spanning_tree": SPANNING_TREES,
    "maximum_spanning_tree": SPANNING_TREES,
    "minimum_spanning_edges": SPANNING_EDGES,
    "maximum_spanning_edges": SPANNING_EDGES,
    "bridges": [(listed, sets), (lambda f, g: listed(f, tree_of(g)), sets), (lambda f, g: listed(f, type(g)()), sets)],
    "has_bridges": [(once, plain), (lambda f, g: f(tree_of(g)), plain), (lambda f, g: f(nx.complete_graph(7, type(g))), plain)],
    "articulation_points": [(listed, names), (lambda f, g: listed(f, tree_of(g)), names), (lambda f, g: listed(f, type(g)()), names)],
    "is_biconnected": [(once, plain), (lambda f, g: f(nx.complete_graph(7, type(g))), plain), (lambda f, g: f(largest(g)), plain),
                       (lambda f, g: f(nx.path_graph(2, type(g))), plain), (lambda f, g: f(nx.path_graph(1, type(g))), plain),
                       (lambda f, g: f(nx.disjoint_union(nx.cycle_graph(3, type(g)), nx.path_graph(1, type(g)))), plain)],
    "biconnected_components": [(listed, sets), (lambda f, g: listed(f, tree_of(g)), sets), (lambda f, g: listed(f, type(g)()), sets)],
    "biconnected_component_edges": [(listed, sets_of_sets), (lambda f, g: listed(f, tree_of(g)), sets_of_sets)],
    "k_truss": [(lambda f, g, k=k: f(g, k), nodes_and_edges) for k in (3, 0, 2, 2.5, 4, 99)],
    "mixing_expansion": [(lambda f, g: f(g, halves(g)[0]), plain)],
    "boundary_expansion": [(lambda f, g: f(g, halves(g)[0]), plain), (lambda f, g: f(g, []), plain)],
    "node_expansion": [(lambda f, g: f(g, list(g)[:9]), plain)],
    "node_boundary": [(lambda f, g: f(g, list(g)[:9]), plain), (lambda f, g: f(g, list(g)[:9], list(g)[5:30]), plain)],
    "is_dominating_set": [(lambda f, g: f(g, list(g)[:9]), plain), (lambda f, g: f(g, list(g)), plain)],
    "jaccard_coefficient": [(similar, plain), (lambda f, g: list(f(g, [("absent", 1)])), plain)],
    "adamic_adar_index": [(similar, plain)],
    "resource_allocation_index": [(similar, plain)],
    "preferential_attachment": [(similar, plain)],
    "eigenvector_centrality": [(lambda f, g: f(g, tol=1e-8), plain), (lambda f, g: f(g, max_iter=2), plain), (lambda f, g: f(type(g)()), plain)],
    "eigenvector_centrality_numpy": [(lambda f, g: f(largest(g)), plain)],
    "katz_centrality_numpy": [(lambda f, g: f(g, alpha=0.01), plain), (lambda f, g: f(g, alpha=0.02, beta=0.3, normalized=False), plain)],
    "hits": [(lambda f, g: list(f(largest(g))), plain), (lambda f, g: f(largest(g), tol=-1), plain)],
    "katz_centrality": [(lambda f, g: f(g, alpha=0.01), plain), (lambda f, g: f(g, alpha=0.01, beta=0.3, normalized=False), plain),
                        (lambda f, g: f(g, max_iter=1), plain), (lambda f, g: f(g, alpha=0.9, max_iter=50), plain)],
    "global_reaching_centrality": [(once, plain)],
    "global_efficiency": [(once, plain)],
    "wiener_index": [(once, plain), (lambda f, g: f(largest(g)), plain)],
    "centroid": [(lambda f, g: f(largest(g)), plain), (lambda f, g: type(answer(once, f, g)), plain)],
    "barycenter": [(lambda f, g: f(largest(g)), plain), (lambda f, g: type(answer(once, f, g)), plain)],
    "average_neighbor_degree": [(once, plain)],
    "average_degree_connectivity": [(once, plain)],
    "degree_assortativity_coefficient": [(once, plain)],
    "s_metric": [(once, plain)],
    "overall_reciprocity": [(once, plain)],
    "flow_hierarchy": [(once, plain)],
    "attracting_components": [(listed, sets)],
    "number_attracting_components": [(once, plain)],
    "is_directed_acyclic_graph": [(once, plain), (lambda f, g: f(tree_of(g)), plain)],
    "is_bipartite": [(once, plain), (lambda f, g: f(tree_of(g)), plain)],
    "is_eulerian": [(once, plain), (lambda f, g: f(nx.complete_graph(7, type(g))), plain)],
    "has_eulerian_path": [(once, plain), (lambda f, g: f(nx.path_graph(7, type(g))), plain)],
    "is_semieulerian": [(once, plain), (lambda f, g: f(nx.path_graph(7, type(g))), plain)],
    "is_regular": [(once, plain), (lambda f, g: f(nx.cycle_graph(7, type(g))), plain)],
    "is_k_regular": [(lambda f, g: f(g, 3), plain), (lambda f, g: f(nx.cycle_graph(7, type(g)), 2), plain)],
    "is_arborescence": [(once, plain), (lambda f, g: f(tree_of(g)), plain)],
    "is_branching": [(once, plain), (lambda f, g: f(tree_of(g)), plain)],
    "modularity": [(lambda f, g: f(g, halves(g)), plain), (lambda f, g: f(g, halves(g), weight=None, resolution=0.7), plain),
                   (lambda f, g: type(answer(lambda f, g: f(g, [list(g)[1:]]), f, g)), plain)],
    "cut_size": [(lambda f, g: f(g, halves(g)[0]), plain), (lambda f, g: f(g, list(g)[:9], list(g)[5:20]), plain)],
    "volume": [(lambda f, g: f(g, halves(g)[0]), plain)],
    "normalized_cut_size": [(lambda f, g: f(g, halves(g)[0]), plain)],
    "conductance": [(lambda f, g: f(g, halves(g)[0]), plain)],
    "edge_expansion": [(lambda f, g: f(g, halves(g)[0]), plain)],
    "pagerank": [(lambda f, g: f(g, tol=1e-9), plain), (lambda f, g: f(g, 0.5), plain), (lambda f, g: f(g, max_iter=2), plain),
                 (lambda f, g: f(g, personalization={list(g)[3]: 2, list(g)[7]: 1, "absent": 3}, tol=1e-9), plain),
                 (lambda f, g: f(g, dangling=dict.fromkeys(list(g)[2:9], 4), tol=1e-9), plain),
                 (lambda f, g: f(g, personalization={"absent": 1}), plain), (lambda f, g: f(g, personalization={}), plain)],
    "betweenness_centrality": [
        (lambda f, g: f(g), plain), (lambda f, g: f(g, normalized=False), plain), (lambda f, g: f(g, k=5, seed=3), plain),
        (lambda f, g: f(g, k=len(g), seed=3), plain), (lambda f, g: f(g, k=4, normalized=False, seed=9), plain)],
    "edge_betweenness_centrality": [(once, plain), (lambda f, g: f(g, normalized=False), plain), (lambda f, g: f(g, k=5, seed=3), plain)],
    "core_number": [(lambda f, g: f(g), plain)],
    "greedy_color": [(once, plain), (lambda f, g: list(f(g)), plain)],
    "topological_generations": [(listed, layers), (lambda f, g: listed(f, acyclic(g)), layers)],
    "topological_sort": [(lambda f, g: len(listed(f, g)), plain), (lambda f, g: is_in_order(acyclic(g), f(acyclic(g))), plain)],
    "dag_longest_path_length": [(once, plain), (lambda f, g: f(acyclic(g)), plain), (lambda f, g: f(type(g)()), plain)],
    "maximal_matching": [(lambda f, g: nx.is_maximal_matching.orig_func(g, f(g)), plain)],
    "triangles": [(lambda f, g: f(g), plain)],
    "clustering": [(lambda f, g: f(g), plain)],
    "average_clustering": [(lambda f, g: f(g), plain), (lambda f, g: f(g, count_zeros=False), plain)],
    "transitivity": [(lambda f, g: f(g), plain)],
    "connected_components": [(lambda f, g: list(f(g)), sets)],
    "number_connected_components": [(lambda f, g: f(g), plain)],
    "is_connected": [(lambda f, g: f(g), plain)],
    "node_connected_component": [(lambda f, g: f(g, ends(g)[0]), plain)],
    "weakly_connected_components": [(lambda f, g: list(f(g)), sets)],
    "number_weakly_connected_components": [(lambda f, g: f(g), plain)],
    "is_weakly_connected": [(lambda f, g: f(g), plain)],
    "strongly_connected_components": [(lambda f, g: list(f(g)), sets)],
    "condensation": [(once, condensed), (lambda f, g: f(type(g)()), condensed)],
    "number_strongly_connected_components": [(lambda f, g: f(g), plain)],
    "is_strongly_connected": [(lambda f, g: f(g), plain), (lambda f, g: f(largest(g)), plain)],
    "single_source_shortest_path_length": [
        (lambda f, g: f(g, ends(g)[0]), plain), (lambda f, g: f(g, ends(g)[0], cutoff=2), plain),
        (lambda f, g: f(g, ends(g)[0], cutoff=0), plain), (lambda f, g: f(g, "absent"), plain)],
    "single_source_dijkstra_path_length": [
        (lambda f, g: f(g, ends(g)[0]), plain), (lambda f, g: f(g, ends(g)[0], weight="cost"), plain), (lambda f, g: f(g, "absent"), plain)],
    "single_source_dijkstra_path": [
        (lambda f, g: path_lengths(g, f(g, ends(g)[0])), plain), (lambda f, g: path_lengths(g, f(g, ends(g)[0], cutoff=3)), plain),
        (lambda f, g: path_lengths(g, f(g, ends(g)[0], cutoff=-1)), plain), (lambda f, g: f(g, "absent"), plain)],
    "single_source_dijkstra": [
        (lambda f, g: f(g, ends(g)[0])[0], plain), (lambda f, g: path_lengths(g, f(g, ends(g)[0])[1]), plain),
        (lambda f, g: [f(g, ends(g)[0], node)[0] for node in reached(g)], plain), (lambda f, g: f(g, ends(g)[0], ends(g)[0]), plain),
        (lambda f, g: f(g, ends(g)[0], ends(g)[1], cutoff=0.01), plain), (lambda f, g: f(g, ends(g)[0], "absent"), plain),
        (lambda f, g: f(g, "absent", ends(g)[0]), plain)],
    "dijkstra_path": [
        (lambda f, g: [path_length(g, f(g, ends(g)[0], node)) for node in reached(g)], plain), (lambda f, g: f(g, ends(g)[0], "absent"), plain)],
    "dijkstra_path_length": [
        (lambda f, g: [f(g, ends(g)[0], node) for node in reached(g)], plain), (lambda f, g: f(g, ends(g)[0], ends(g)[0]), plain),
        (lambda f, g: f(g, ends(g)[0], "absent"), plain), (lambda f, g: f(g, "absent", "absent"), plain)],
    "all_pairs_dijkstra": [(lambda f, g: {node: (found[0], path_lengths(g, found[1])) for node, found in f(g, cutoff=4)}, plain)],
    "all_pairs_dijkstra_path": [(lambda f, g: pairs_of_lengths(g, f(g)), plain), (lambda f, g: pairs_of_lengths(g, f(g, weight=None), None), plain)],
    "all_pairs_dijkstra_path_length": [(lambda f, g: dict(f(g)), plain), (lambda f, g: dict(f(g, cutoff=2.5)), plain)],
    "all_pairs_bellman_ford_path": [
        (lambda f, g: pairs_of_lengths(g, f(g)), plain), (lambda f, g: pairs_of_lengths(g, f(g, weight=None), None), plain)],
    "all_pairs_bellman_ford_path_length": [(lambda f, g: dict(f(g)), plain), (lambda f, g: dict(f(type(g)())), plain)],
    "johnson": [(lambda f, g: pairs_of_lengths(g, f(g)), plain), (lambda f, g: f(type(g)()), plain)],
    "single_source_shortest_path": [
        (lambda f, g: path_lengths(g, f(g, ends(g)[0]), None), plain), (lambda f, g: path_lengths(g, f(g, ends(g)[0], cutoff=1.5), None), plain),
        (lambda f, g: path_lengths(g, f(g, ends(g)[0], cutoff=0), None), plain), (lambda f, g: f(g, "absent"), plain)],
    "single_target_shortest_path": [
        (lambda f, g: path_lengths(g, f(g, ends(g)[0]), None), plain), (lambda f, g: path_lengths(g, f(g, ends(g)[0], cutoff=2), None), plain),
        (lambda f, g: f(g, "absent"), plain)],
    "all_pairs_shortest_path": [
        (lambda f, g: pairs_of_lengths(g, f(g), None), plain), (lambda f, g: pairs_of_lengths(g, f(g, cutoff=2), None), plain)],
    "shortest_path": [
        *((lambda f, g, w=w, m=m: [path_length(g, f(g, ends(g)[0], node, w, m), w) for node in reached(g)], plain)
          for w in (None, "weight") for m in ("dijkstra", "bellman-ford")),
        *((lambda f, g, w=w, m=m: path_lengths(g, f(g, ends(g)[0], weight=w, method=m), w), plain)
          for w in (None, "weight") for m in ("dijkstra", "bellman-ford")),
        *((lambda f, g, w=w, m=m: pairs_of_lengths(g, f(g, weight=w, method=m), w), plain)
          for w in (None, "weight") for m in ("dijkstra", "bellman-ford")),
        (lambda f, g: path_lengths(g, f(g, target=ends(g)[0]), None), plain), (lambda f, g: f(g, ends(g)[0], ends(g)[0]), plain),
        (lambda f, g: f(g, ends(g)[0], "absent"), plain), (lambda f, g: f(g, "absent", ends(g)[0]), plain),
        (lambda f, g: f(g, ends(g)[0], "absent", "weight"), plain), (lambda f, g: f(g, method="none"), plain)],
    "single_source_bellman_ford_path_length": [
        (lambda f, g: f(g, ends(g)[0]), plain), (lambda f, g: f(g, ends(g)[0], weight=None), plain), (lambda f, g: f(g, "absent"), plain)],
    "single_source_bellman_ford_path": [
        (lambda f, g: path_lengths(g, f(g, ends(g)[0])), plain), (lambda f, g: path_lengths(g, f(g, ends(g)[0], weight=None), None), plain),
        (lambda f, g: f(g, "absent"), plain)],
    "single_source_bellman_ford": [
        (lambda f, g: f(g, ends(g)[0])[0], plain), (lambda f, g: path_lengths(g, f(g, ends(g)[0])[1]), plain),
        (lambda f, g: [f(g, ends(g)[0], node)[0] for node in reached(g)], plain), (lambda f, g: f(g, ends(g)[0], ends(g)[0]), plain),
        (lambda f, g: f(g, ends(g)[0], "absent"), plain), (lambda f, g: f(g, "absent"), plain), (lambda f, g: f(g, "absent", "absent"), plain)],
    "bellman_ford_path": [
        (lambda f, g: [path_length(g, f(g, ends(g)[0], node)) for node in reached(g)], plain), (lambda f, g: f(g, ends(g)[0], ends(g)[0]), plain),
        (lambda f, g: f(g, ends(g)[0], "absent"), plain), (lambda f, g: f(g, "absent", ends(g)[0]), plain)],
    "bellman_ford_path_length": [
        (lambda f, g: [f(g, ends(g)[0], node) for node in reached(g)], plain), (lambda f, g: f(g, ends(g)[0], ends(g)[0]), plain),
        (lambda f, g: f(g, ends(g)[0], "absent"), plain), (lambda f, g: f(g, "absent", "absent"), plain)],
    "negative_edge_cycle": [(once, plain), (lambda f, g: f(g, weight=None), plain)],
    "find_negative_cycle": [(lambda f, g: f(g, ends(g)[0]), plain), (lambda f, g: f(g, "absent"), plain)],
    "single_target_shortest_path_length": [
        (lambda f, g: f(g, ends(g)[0]), plain), (lambda f, g: f(g, ends(g)[0], cutoff=2), plain)],
    "all_pairs_shortest_path_length": [(lambda f, g: dict(f(g)), plain), (lambda f, g: dict(f(g, cutoff=1)), plain)],
    "shortest_path_length": [
        (lambda f, g: f(g, *ends(g)), plain), (lambda f, g: f(g, ends(g)[0]), plain),
        (lambda f, g: f(g, target=ends(g)[0]), plain), (lambda f, g: f(g, ends(g)[0], "absent"), plain),
        (lambda f, g: f(g, target="absent"), plain), (lambda f, g: f(g, "absent"), plain)],
    "has_path": [(lambda f, g: [f(g, ends(g)[0], node) for node in list(g)[:20]], plain)],
    "bfs_layers": [
        (lambda f, g: list(f(g, ends(g)[0])), layers), (lambda f, g: list(f(g, list(ends(g)))), layers),
        (lambda f, g: list(f(g, list(g)[::7])), layers), (lambda f, g: list(f(g, set(list(g)[:3]))), layers),
        (lambda f, g: list(f(g, [])), layers), (lambda f, g: list(f(g, ["absent"])), layers)],
    "descendants": [(lambda f, g: f(g, ends(g)[0]), plain), (lambda f, g: f(g, "absent"), plain)],
    "ancestors": [(lambda f, g: f(g, ends(g)[0]), plain)],
    "descendants_at_distance": [(lambda f, g: [f(g, ends(g)[0], d) for d in (0, 1, 2, 99)], plain)],
    "degree_centrality": [(lambda f, g: f(g), plain)],
    "in_degree_centrality": [(lambda f, g: f(g), plain)],
    "out_degree_centrality": [(lambda f, g: f(g), plain)],
    "closeness_centrality": [
        (lambda f, g: f(g), plain), (lambda f, g: f(g, u=ends(g)[0]), plain), (lambda f, g: f(g, wf_improved=False), plain)],
    "harmonic_centrality": [(lambda f, g: f(g), plain)],
    "average_shortest_path_length": [(lambda f, g: f(g), plain), (lambda f, g: f(largest(g)), plain)],
    "eccentricity": [
        (lambda f, g: f(g), plain), (lambda f, g: f(largest(g)), plain), (lambda f, g: f(largest(g), list(largest(g))[0]), plain),
        (lambda f, g: f(largest(g), list(largest(g))[:4]), plain), (lambda f, g: f(largest(g), 99), plain),
        (lambda f, g: f(largest(g), [99]), plain), (lambda f, g: f(largest(g), [[99]]), plain)],
    "diameter": [(lambda f, g: f(largest(g)), plain)],
    "radius": [(lambda f, g: f(largest(g)), plain)],
    "center": [(lambda f, g: f(largest(g)), plain), (lambda f, g: f(tree_of(g)), plain)],
    "periphery": [(lambda f, g: f(largest(g)), plain)],
    "is_tree": [(lambda f, g: f(g), plain), (lambda f, g: f(tree_of(g)), plain)],
    "is_forest": [(lambda f, g: f(g), plain), (lambda f, g: f(tree_of(g)), plain)],
    "isolates": [(lambda f, g: list(f(g)), plain)],
    "number_of_isolates": [(lambda f, g: f(g), plain)],
}


PATHS = {name for name in CASES if "dijkstra" in name or "bellman" in name or name in ("johnson", "shortest_path")}

# Scores are rounded to float on the way, where the tolerance is as coarse.
ROUNDING = {"pagerank": 1e-6, "hits": 1e-6, "eigenvector_centrality_numpy": 1e-7, "katz_centrality_numpy": 1e-8}


def largest(g):
    parts = nx.strongly_connected_components(g) if g.is_directed() else nx.connected_components(g)
    return g.subgraph(max(parts, key=lambda part: (len(part), str(part)))).copy()


def tree_of(g):
    node = next(node for node, degree in g.degree() if degree)
    return nx.bfs_tree(g, node) if g.is_directed() else nx.Graph(nx.bfs_tree(g, node))


def networkx_function(name):
    return getattr(nx, name, None) or getattr(nx.community, name)


def answer(call, f, g):
    """Return the answer, or the exception's type and text."""
    try:
        return call(f, g)
    except Exception as raised:
        return type(raised), str(raised)


def agrees(ours, theirs, rel_tol=1e-9):
    if isinstance(theirs, list) and theirs and isinstance(theirs[0], dict):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(agrees(a, b, rel_tol) for a, b in zip(ours, theirs))
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and ours.keys() == theirs.keys() and all(
            agrees(ours[k], v, rel_tol) for k, v in theirs.items())
    if float in (type(ours), type(theirs)):
        return math.isclose(ours, theirs, rel_tol=rel_tol, abs_tol=1e-12) or (math.isnan(ours) and math.isnan(theirs))
    return type(ours) is type(theirs) and ours == theirs


@pytest.mark.parametrize("seed", range(5))
def test_strong_components_come_sinks_first(seed):
    g = nx.gnm_random_graph(80, 100, seed=seed, directed=True)
    place = {node: i for i, part in enumerate(nx.strongly_connected_components(g, backend="gossamer")) for node in part}
    assert len(place) == 80 and all(place[u] >= place[v] for u, v in g.edges)
    assert nx.is_directed_acyclic_graph(nx.condensation(g, nx.strongly_connected_components(g, backend="gossamer")))


@pytest.mark.parametrize("cutoff", [-math.inf, -1, -0.5, 0, 0.5, 1, 1.5, 2, 99.5, math.inf, math.nan])
@pytest.mark.parametrize("name", ["single_source_shortest_path_length", "single_target_shortest_path_length", "all_pairs_shortest_path_length",
                                  "single_source_shortest_path", "single_target_shortest_path", "all_pairs_shortest_path",
                                  "single_source_dijkstra_path", "single_source_dijkstra_path_length", "all_pairs_dijkstra_path"])
def test_cutoffs_are_those_of_networkx(name, cutoff):
    g = nx.path_graph(5)
    arguments = (g,) if name.startswith("all") else (g, 1)
    ours, theirs = (dict(getattr(nx, name)(*arguments, cutoff=cutoff, backend=b)) for b in ("gossamer", "networkx"))
    assert ours == theirs


@pytest.mark.skipif(hasattr(nx, "centroid"), reason="from NetworkX 3.7 on, centroid is for any graph")
def test_a_centroid_of_what_is_no_tree_is_refused_as_by_networkx():
    with nx.config(backend_priority=["gossamer"]), pytest.raises(nx.NotATree):
        nx.tree.centroid(nx.cycle_graph(200))


def test_centers_of_trees_and_of_nothing():
    for seed in range(20):
        tree = nx.random_labeled_tree(1 + seed, seed=seed)
        assert nx.center(tree, backend="gossamer") == nx.center(tree, backend="networkx")
    for kind in (nx.Graph, nx.DiGraph):
        ours, theirs = (answer(lambda f, g: f(g), lambda g: nx.center(g, backend=b), kind()) for b in ("gossamer", "networkx"))
        assert ours == theirs


LEAVES_ERRORS = {"eigenvector_centrality", "eigenvector_centrality_numpy", "hits"}  # graphs for which they have no answer
OURS_ALONE = {"leiden_communities"}  # NetworkX leaves them to backends


def is_there(name):
    """Return whether the NetworkX that is here has the function: centroid came with 3.7."""
    return hasattr(nx, name) or hasattr(nx.community, name)


def test_every_function_of_the_table_is_compared():
    assert CASES.keys() | OURS_ALONE == TABLE.keys()
    assert not [name for name in TABLE if not is_there(name) and name != "centroid"]


@pytest.mark.parametrize("name", list(filter(is_there, CASES)))
def test_agrees_with_networkx(name, drawn):
    for call, compared in CASES[name]:
        ours = answer(call, lambda *a, **k: networkx_function(name)(*a, backend="gossamer", **k), drawn)
        theirs = answer(call, lambda *a, **k: networkx_function(name)(*a, backend="networkx", **k), drawn)
        if TABLE[name].directed not in (None, drawn.is_directed()):
            assert ours[0] in (NotImplementedError, nx.NetworkXNotImplemented)  # which NetworkX answers instead
            continue
        is_error = isinstance(theirs, tuple) and isinstance(theirs[0], type)
        if (is_error or drawn.is_multigraph()) and name in LEAVES_ERRORS and ours[0] is NotImplementedError:
            continue  # NetworkX answers instead, and raises its error or converges
        if not is_error:
            ours, theirs = compared(ours), compared(theirs)
        assert agrees(ours, theirs, ROUNDING.get(name, 1e-9)), (ours, theirs)


@pytest.mark.parametrize("kind", ["integers", "reals"])
@pytest.mark.parametrize("name", list(filter(is_there, sorted(PATHS))))
def test_paths_by_weights_agree_with_networkx(name, kind, drawn):
    for i, (u, v) in enumerate(drawn.edges):
        if i % 5:
            drawn[u][v]["weight"] = i * 7 % 10 if kind == "integers" else i * 7 % 10 / 4
    test_agrees_with_networkx(name, drawn)


@pytest.mark.parametrize("name", list(filter(is_there, sorted(MULTIGRAPHS))))
def test_multigraphs_agree_with_networkx(name, drawn):
    multi = (nx.MultiDiGraph if drawn.is_directed() else nx.MultiGraph)(drawn)
    for i, (u, v) in enumerate(drawn.edges):
        if name in PATHS:
            multi[u][v][0]["weight"] = 1 + i * 7 % 10
        if i % 2:
            multi.add_edge(*((u, v) if i % 4 == 1 or drawn.is_directed() else (v, u)), weight=1 + i * 3 % 10)
    assert len(multi.edges) > len(drawn.edges)
    if TABLE[name].directed not in (None, drawn.is_directed()):
        assert dispatch.can_run(name, (multi,), {}) is not True
        return
    test_agrees_with_networkx(name, multi)


LATER = {"closeness_centrality": ["sp"]}  # parameters that later versions of NetworkX have added: 3.7


@pytest.mark.parametrize("name", list(filter(is_there, TABLE)))
def test_has_the_parameters_of_networkx(name):
    ours, theirs = (inspect.signature(f) for f in (getattr(functions, name), networkx_function(name).orig_func))
    added = {parameter: ours.parameters[parameter] for parameter in LATER.get(name, ())}
    if not added.keys() & theirs.parameters.keys():  # a NetworkX of before
        ours = ours.replace(parameters=[p for p in ours.parameters.values() if p.name not in added])
    assert str(ours) == str(theirs)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in CASES if not TABLE[name].loops])
def test_leaves_self_loops_to_networkx(name, directed):
    if TABLE[name].directed not in (None, directed):
        return
    g = random_graph(3, directed, loops=True)
    if name == "core_number":  # NetworkX has no answer, either
        with nx.config(backend_priority=["gossamer"]), pytest.raises(nx.NetworkXNotImplemented):
            nx.core_number(g)
        return
    call, compared = CASES[name][0]
    with pytest.raises(NotImplementedError):
        list([call(lambda *a, **k: networkx_function(name)(*a, backend="gossamer", **k), g)])
    with nx.config(backend_priority=["gossamer"]):
        ours, theirs = (answer(lambda f, g: compared(call(f, g)), f, g) for f in (networkx_function(name), networkx_function(name).orig_func))
    assert agrees(ours, theirs, ROUNDING.get(name, 1e-9))


class Complement(nx.Graph):
    """A graph that has the edges which are not stored."""

    def __getitem__(self, node):
        return {other: {} for other in self._adj if other != node and other not in self._adj[node]}

    def neighbors(self, node):
        return iter(self[node])

    @property
    def adj(self):
        return {node: self[node] for node in self._adj}

    def adjacency(self):
        return iter(self.adj.items())

    def degree(self):
        return [(node, len(self[node])) for node in self._adj]


class Named(nx.Graph):
    """A graph with one more method, as many have."""

    def named(self):
        return "g"


def test_a_class_that_says_what_its_edges_are_is_left_to_networkx():
    stored = random_graph(3, False)
    complement, named = Complement(stored), Named(stored)
    assert dispatch.can_run("core_number", (complement,), {}) == "Complement says what its edges are"
    assert dispatch.can_run("core_number", (named,), {}) is True
    with nx.config(backend_priority=["gossamer"]):
        assert nx.core_number(complement) == nx.core_number.orig_func(nx.complement(stored))
        assert nx.core_number(named) == nx.core_number.orig_func(stored)


@pytest.mark.parametrize("capacity", [0, 0.25, 1, -1, None])
def test_flows_through_an_edge_of_any_capacity_are_those_of_networkx(capacity):
    g = with_capacities(random_graph(3, True), 13)
    u, v = next(iter(g.edges))
    if capacity is None:
        del g.edges[u, v]["capacity"]
    else:
        g.edges[u, v]["capacity"] = capacity
    with nx.config(backend_priority=["gossamer"], fallback_to_nx=True):
        ours, theirs = (answer(lambda f, g: f(g, u, v), f, g) for f in (nx.minimum_cut, nx.minimum_cut.orig_func))
    assert ours == theirs


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_flows_of_fractions_of_every_type_are_those_of_networkx(kind):
    g = nx.DiGraph([("s", "a", {"capacity": kind(0.75)}), ("a", "t", {"capacity": kind(2.5)})])
    for f in (nx.maximum_flow, nx.maximum_flow_value, nx.minimum_cut, nx.minimum_cut_value):
        assert f(g, "s", "t", backend="gossamer") == f(g, "s", "t"), f.__name__


@pytest.mark.parametrize("weight", [-1, float("nan")])
def test_a_self_loop_that_is_no_length_is_left_to_networkx(weight):
    g = nx.DiGraph([(0, 1, {"weight": 2}), (1, 1, {"weight": weight})])
    for name in ("single_source_dijkstra_path_length", "single_source_bellman_ford_path_length"):
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(g, 0, backend="gossamer")
        with nx.config(backend_priority=["gossamer"]):
            ours, theirs = (answer(lambda f, g: f(g, 0), f, g) for f in (getattr(nx, name), getattr(nx, name).orig_func))
        assert ours == theirs


def test_what_a_function_leaves_to_networkx():
    g = random_graph(3, True)
    tree = nx.path_graph(5)
    for name, graph, words in (("katz_centrality", g, {"alpha": 0.02, "beta": dict.fromkeys(g, 2.0)}),
                               ("barycenter", tree, {}),
                               ("katz_centrality", nx.path_graph(20, nx.DiGraph), {"alpha": 1e10}), ("volume", g, {"S": 3}),
                               ("degree_assortativity_coefficient", nx.cycle_graph(5), {})):
        with pytest.raises(NotImplementedError):
            networkx_function(name)(graph, **words, backend="gossamer")
        with nx.config(backend_priority=["gossamer"]):
            ours, theirs = (answer(lambda f, g: f(g, **words), f, graph) for f in (networkx_function(name), networkx_function(name).orig_func))
        assert agrees(ours, theirs), name


def test_bridges_from_a_root_are_left_to_networkx():
    for name in ("bridges", "has_bridges"):
        assert dispatch.can_run(name, (nx.path_graph(3),), {"root": 1}) == "root is given"


def test_one_of_parallel_edges_is_no_bridge():
    doubled = nx.MultiGraph([(0, 1), (0, 1), (1, 2)])
    assert list(nx.bridges(doubled, backend="gossamer")) == [(1, 2)]
    assert not nx.has_bridges(nx.MultiGraph([(0, 1), (0, 1)]), backend="gossamer")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(1, 4))
def test_the_lightest_of_parallel_edges_share_their_betweenness(seed, directed):
    multi = (nx.MultiDiGraph if directed else nx.MultiGraph)(random_graph(seed, directed))
    for i, (u, v, key) in enumerate(list(multi.edges)):
        multi[u][v][key]["weight"] = 1 + i % 4
        if i % 2:
            multi.add_edge(u, v, f"second {i}", weight=1 + i % 3)
            multi.add_edge(v, u, i)
    for words in ({"weight": "weight"}, {"weight": None}, {"weight": "weight", "normalized": False, "k": 9, "seed": 2}):
        for f in (nx.edge_betweenness_centrality, nx.betweenness_centrality):
            ours, theirs = (f(multi, **words, backend=b) for b in ("gossamer", "networkx"))
            assert list(ours) == list(theirs) and agrees(ours, theirs), (f.__name__, words)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(1, 4))
def test_parallel_edges_add_up(seed, directed):
    multi = (nx.MultiDiGraph if directed else nx.MultiGraph)(random_graph(seed, directed))
    for i, (u, v, key) in enumerate(list(multi.edges)):
        if i % 5:
            multi[u][v][key]["weight"] = 1 + i % 4
        if i % 2:
            multi.add_edge(v, u, f"second {i}", weight=0.5 + i % 3, far=7)
    nodes = list(multi)
    for words in ({}, {"weight": None}, {"weight": "far", "personalization": {nodes[1]: 2, nodes[3]: 1}}, {"tol": 1e-10}):
        ours, theirs = (nx.pagerank(multi, **words, backend=b) for b in ("gossamer", "networkx"))
        assert list(ours) == list(theirs) and ours == pytest.approx(theirs, abs=1e-5), words
    before = nx.pagerank(multi, backend="gossamer")
    multi.add_edge(nodes[0], nodes[-1], weight=100)  # the sums go with the conversion
    after = nx.pagerank(multi, backend="gossamer")
    assert after != before and after == pytest.approx(nx.pagerank(multi, backend="networkx"), abs=1e-5)


def test_parallel_edges_add_up_in_hits():
    multi = nx.MultiDiGraph([(0, 1), (0, 1), (0, 2), (1, 2), (2, 3), (3, 0), (3, 0), (3, 0)])
    multi.add_edge(1, 3, weight=2.5)
    for ours, theirs in zip(*(nx.hits(multi, backend=b) for b in ("gossamer", "networkx"))):
        assert list(ours) == list(theirs) and ours == pytest.approx(theirs, abs=1e-6)
    assert nx.hits(multi, backend="gossamer")[0] != pytest.approx(nx.hits(nx.DiGraph(multi))[0], abs=1e-3)


def test_hits_of_bipartite_graphs_is_the_iteration_from_equal_scores():
    # The singular value comes twice. NetworkX's answer is another one in each call (findings/hits-differ-from-call-to-call.sh).
    for graph in (nx.star_graph(4), nx.path_graph(3), nx.grid_2d_graph(3, 4)):
        matrix = nx.to_numpy_array(graph)
        hubs = np.ones(len(graph))
        for _ in range(200):
            authorities = matrix @ (hubs / hubs.sum())
            hubs = matrix @ (authorities / authorities.sum())
        ours = nx.hits(graph, backend="gossamer")
        for found, expected in zip(ours, (hubs, authorities)):
            assert list(found.values()) == pytest.approx(expected / expected.sum(), abs=1e-9)
    assert list(nx.hits(nx.star_graph(4), backend="gossamer")[0].values()) == pytest.approx([0.2] * 5)


def test_parallel_edges_that_are_gone_are_said():
    converted = dispatch.convert_from_nx(nx.MultiGraph([(0, 1), (0, 1), (1, 2)]), edge_attrs={"weight": 1})
    gc.collect()  # graphs of NetworkX have references to themselves
    for name in ("pagerank", "hits", "edge_betweenness_centrality", "is_tree", "minimum_spanning_tree", "bridges"):
        with pytest.raises(NotImplementedError, match="multigraph.*gone"):
            getattr(functions, name)(converted)
    assert nx.is_connected(converted)  # for which parallel edges are one


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
@pytest.mark.parametrize("seed", range(1, 9))
def test_spanning_trees_are_those_of_networkx_edge_by_edge(seed, kind):
    drawn = random.Random(seed)
    g = kind()
    g.add_nodes_from(range(30))
    for _ in range(10 * seed):
        g.add_edge(drawn.randrange(30), drawn.randrange(30), weight=drawn.choice([drawn.randrange(-3, 4), drawn.random(), math.inf]))
    for f in (nx.minimum_spanning_tree, nx.maximum_spanning_tree):
        assert whole(f(g, backend="gossamer")) == whole(f(g, backend="networkx"))


@pytest.mark.parametrize("weight", [math.nan, None, "2", 2**70, [1, 2], 1j, True], ids=repr)
def test_spanning_trees_by_other_weights_are_left_to_networkx(weight):
    g = nx.Graph([(0, 1, {"weight": 0.5}), (1, 2, {"weight": weight}), (0, 2)])
    with pytest.raises(NotImplementedError):
        nx.minimum_spanning_tree(nx.Graph([(0, 1, {"weight": weight})]), backend="gossamer")
    for f in (nx.minimum_spanning_tree, nx.maximum_spanning_tree):
        for words in ({}, {"ignore_nan": True}, {"algorithm": "prim"}):
            with nx.config(backend_priority=["gossamer"]):
                ours = answer(lambda f, g, words=words: whole(f(g, **words)), f, g)
            assert repr(ours) == repr(answer(lambda f, g, words=words: whole(f(g, **words)), f.orig_func, g))


def test_a_conversion_without_weights_answers_no_question_about_them():
    g = nx.Graph([(0, 1, {"weight": 5}), (1, 2, {"weight": 5}), (0, 2, {"weight": 20})])
    for f in (lambda: nx.k_truss(g, 2, backend="gossamer"), lambda: nx.minimum_spanning_tree(g, backend="gossamer")):
        f()  # NetworkX keeps its conversion as one with all attributes
        assert dispatch._is_converted(g, None) and not dispatch._is_converted(g, "weight")
        assert nx.dijkstra_path_length(g, 0, 2, backend="gossamer") == 10
    assert nx.pagerank(g, backend="gossamer") == pytest.approx(nx.pagerank(g, backend="networkx"), abs=1e-6)


def test_networkx_has_the_weights_of_a_graph_of_the_package():
    g = gs.Graph([0, 1, 0], [1, 2, 2], [5, 5, 20], directed=False)
    with nx.config(fallback_to_nx=True):
        assert nx.astar_path_length(g, 0, 2) == 10  # no function of the backend
    assert sorted(nx.minimum_spanning_edges(g)) == [(0, 1, {"weight": 5}), (1, 2, {"weight": 5})]
    with pytest.raises(ValueError, match="expected 'weight', as the weights of the graph are called, found 'length'"):
        nx.dijkstra_path_length(g, 0, 2, weight="length")


def test_weights_of_a_graph_of_the_package_keep_their_name():
    G = nx.Graph()
    G.add_weighted_edges_from([("a", "b", 9), ("b", "c", 1), ("a", "c", 1)], weight="length")
    whole = gs.Graph.from_networkx(G, weight="length")
    for g in (whole, whole.k_truss(3), whole.reversed(), gs.Graph.from_networkx(G.to_directed(), weight="length").to_undirected()):
        for name in ("length", "other"):
            with nx.config(fallback_to_nx=True):
                for ask in (nx.minimum_spanning_tree, nx.maximum_spanning_tree):
                    assert dict(ask(g, weight=name).edges) == dict(ask(G, weight=name).edges)
                assert {frozenset(edge) for edge in nx.minimum_spanning_edges(g, weight=name, data=False)} == {
                    frozenset(edge) for edge in nx.minimum_spanning_edges(G, weight=name, data=False)}
                for length in (nx.dijkstra_path_length, nx.shortest_path_length):  # one of the backend, one of NetworkX
                    assert length(g, "a", "b", weight=name) == length(G, "a", "b", weight=name)
                assert nx.pagerank(g, weight=name) == pytest.approx(nx.pagerank(G, weight=name), abs=1e-6)
                assert nx.pagerank(g) == pytest.approx(nx.pagerank(G), abs=1e-6)
        assert nx.dijkstra_path_length(g, "a", "b", weight="length") == 2 and nx.minimum_spanning_tree(g, weight="length").size("length") == 2
        for ask in (nx.pagerank, nx.hits, nx.minimum_spanning_tree):
            with pytest.raises(ValueError, match=f"{ask.__name__}: expected 'length', as the weights of the graph are called, found 'weight'"):
                ask(g)
    assert nx.dijkstra_path_length(gs.Graph.from_networkx(nx.path_graph(3), weight=None), 0, 2, weight="length") == 2


def test_blocks_of_a_larger_graph():
    g = nx.disjoint_union(nx.random_labeled_tree(300, seed=1), nx.gnm_random_graph(400, 480, seed=2))
    for name in ("bridges", "articulation_points", "biconnected_components", "biconnected_component_edges"):
        call, compared = CASES[name][0]
        ours, theirs = (compared(call(lambda g: networkx_function(name)(g, backend=b), g)) for b in ("gossamer", "networkx"))
        assert ours == theirs and len(ours) > 100


def test_a_truss_has_the_attributes_of_the_graph():
    g = nx.compose(nx.complete_graph(5), nx.path_graph(range(4, 9)))
    g.graph["of"] = "five"
    nx.set_node_attributes(g, {node: node ** 2 for node in g}, "square")
    nx.set_edge_attributes(g, {(u, v): u + v for u, v in g.edges}, "sum")
    for k in (2, 3, 5, 6):
        ours, theirs = (nx.k_truss(g, k, backend=b) for b in ("gossamer", "networkx"))
        assert type(ours) is nx.Graph and nx.utils.graphs_equal(ours, theirs) and ours.graph == theirs.graph
    part = nx.k_truss(gs.Graph.from_networkx(g, weight=None), 3)  # a graph of this package stays one
    assert isinstance(part, gs.Graph) and part.label_list() == [0, 1, 2, 3, 4]


def test_leiden_communities():
    g = random_graph(7, False)
    for i, (u, v) in enumerate(g.edges):
        g[u][v]["weight"] = i % 9 + 0.5
    by_modularity = {"metric": "modularity"} if "metric" in inspect.signature(nx.community.leiden_communities.orig_func).parameters else {}
    for words in ({}, {"weight": None}, {"resolution": 1.3}):
        parts = nx.community.leiden_communities(g, **words, **by_modularity, seed=3, backend="gossamer")
        assert nx.community.is_partition(g, parts)
        for part in parts:
            assert nx.is_connected(g.subgraph(part))
        found, louvain = (nx.community.modularity(g, p, **words) for p in (parts, nx.community.louvain_communities(g, **words, seed=3)))
        assert found > louvain - 0.01
        assert nx.community.leiden_communities(g, **words, **by_modularity, seed=3, backend="gossamer") == parts
    with nx.config(backend_priority=["gossamer"]):
        assert sets(nx.community.leiden_communities(nx.barbell_graph(5, 0), **by_modularity)) == [list("01234"), list("56789")]
    assert nx.community.leiden_communities(nx.Graph(), **by_modularity, backend="gossamer") == []
    assert nx.community.leiden_communities(nx.empty_graph(2), **by_modularity, backend="gossamer") == [{0}, {1}]
    g.add_edge(ends(g)[0], ends(g)[0])
    with pytest.raises(NotImplementedError):
        nx.community.leiden_communities(g, **by_modularity, backend="gossamer")
    if by_modularity:  # another metric is NetworkX's
        assert dispatch.can_run("leiden_communities", (nx.path_graph(3),), {}) == "metric is not 'modularity'"


@pytest.mark.parametrize("directed", [False, True])
def test_modularity_by_weights(directed):
    g = random_graph(7, directed)
    for i, (u, v) in enumerate(g.edges):
        g[u][v]["weight"] = i % 9 + 0.5
    for words in ({}, {"resolution": 1.3}, {"weight": None}):
        ours, theirs = (nx.community.modularity(g, halves(g), **words, backend=b) for b in ("gossamer", "networkx"))
        assert ours == pytest.approx(theirs, rel=1e-14)


def test_modularity_is_rounded_as_by_networkx():
    assert nx.community.modularity(nx.barbell_graph(3, 0), [{0, 1, 2}, {3, 4, 5}], backend="gossamer") == 0.35714285714285715


def test_modularity_without_edges_reads_no_generator():
    g, communities = nx.empty_graph(3), iter([{0, 1}, {2}])
    with pytest.raises(NotImplementedError, match="no edges"):
        functions.modularity(backend.convert_from_nx(g), communities)
    assert list(communities) == [{0, 1}, {2}]
    with nx.config(backend_priority=["gossamer"]):
        ours, theirs = (answer(lambda f, g: f(g, iter([{0, 1}, {2}])), f, g) for f in (nx.community.modularity, nx.community.modularity.orig_func))
    assert ours == theirs


def test_no_partition_is_said_of_a_generator_too():
    g = nx.path_graph(4)
    for communities in ([{0, 1}, {2}], [{0, 1}, {1, 2, 3}], [{0, 1, 2, 3, 4}]):
        for given in (list, iter):
            ours, theirs = (answer(lambda f, g: f(g, given(communities)), f, g)
                            for f in (lambda *words: nx.community.modularity(*words, backend="gossamer"), nx.community.modularity.orig_func))
            assert ours == theirs and ours[0] is nx.community.quality.NotAPartition


@pytest.mark.parametrize("directed", [False, True])
def test_edge_betweenness_comes_in_the_order_of_edges(directed):
    g = nx.empty_graph(6, nx.DiGraph if directed else nx.Graph)
    g.add_edges_from([(0, 5), (0, 3), (3, 1), (5, 1), (1, 4), (1, 2), (4, 2)])
    ours, theirs = (nx.edge_betweenness_centrality(g, backend=b) for b in ("gossamer", "networkx"))
    assert list(ours) == list(theirs) and agrees(ours, theirs)


@pytest.mark.parametrize("k", [4, 4.0])
def test_betweenness_from_all_nodes_draws_none(k):
    draw = random.Random(5)
    ours, theirs = (nx.betweenness_centrality(nx.star_graph(3), k=k, seed=draw, backend=b) for b in ("gossamer", "networkx"))
    assert agrees(ours, theirs) and draw.getstate() == random.Random(5).getstate()


@pytest.mark.parametrize("directed", [False, True])
def test_paths_come_nearest_first(directed):
    assert list(nx.single_source_shortest_path(nx.path_graph(4), 2, backend="gossamer")) == [2, 1, 3, 0]
    g = random_graph(3, directed)
    for f, words in ((nx.single_source_shortest_path, (ends(g)[0],)), (nx.single_target_shortest_path, (ends(g)[1],)),
                     (nx.shortest_path, (ends(g)[0],)), (nx.shortest_path, (None, ends(g)[1])), (nx.single_source_dijkstra_path, (ends(g)[0],))):
        ours, theirs = (f(g, *words, backend=b) for b in ("gossamer", "networkx"))
        assert ours.keys() == theirs.keys() and list(map(len, ours.values())) == list(map(len, theirs.values())), f.__name__
    ours, theirs = ([list(map(len, found.values())) for _, found in nx.all_pairs_shortest_path(g, backend=b)] for b in ("gossamer", "networkx"))
    assert ours == theirs


UNHASHABLE = {
    "descendants": ([0],), "ancestors": ([0],), "node_connected_component": ([0],), "single_source_dijkstra_path_length": ([0],),
    "single_source_dijkstra_path": ([0],), "single_source_dijkstra": ([0],), "dijkstra_path": (0, [3]), "dijkstra_path_length": ([0], 3),
    "single_source_bellman_ford_path_length": ([0],), "single_source_bellman_ford": (0, [3]), "bellman_ford_path": ([0], 3),
    "bellman_ford_path_length": (0, [3]), "find_negative_cycle": ([0],), "single_source_shortest_path": ([0],), "single_target_shortest_path": ([0],),
    "shortest_path": ([0],), "shortest_path_length": (0, [3]), "single_source_shortest_path_length": ([0],), "has_path": ([0], 3),
}


@pytest.mark.parametrize("name", UNHASHABLE)
def test_nodes_without_a_hash_are_refused_as_by_networkx(name):
    f = getattr(nx, name)
    ours, theirs = (answer(lambda f, g: f(g, *UNHASHABLE[name]), each, nx.path_graph(4))
                    for each in (lambda *words: f(*words, backend="gossamer"), f.orig_func))
    assert ours[0] is theirs[0]


@pytest.mark.parametrize("f", [nx.maximum_flow, nx.maximum_flow_value, nx.minimum_cut, nx.minimum_cut_value])
def test_capacities_without_a_name_are_left_to_networkx(f):
    g = nx.DiGraph([("s", "a", {"capacity": 3}), ("a", "t", {"capacity": 2})])
    assert "no edge has a bound" in dispatch.can_run(f.__name__, (g, "s", "t"), {"capacity": None})
    assert dispatch.can_run(f.__name__, (g, "s", "t"), {}) is True


@pytest.mark.parametrize("f", [nx.maximum_flow, nx.maximum_flow_value, nx.minimum_cut, nx.minimum_cut_value])
def test_capacities_of_a_graph_of_the_package(f):
    def value(*args, **kwargs):
        found = f(*args, **kwargs)
        return found[0] if isinstance(found, tuple) else found

    for directed in (True, False):
        plain = gs.Graph([0, 1, 3], [1, 2, 4], directed=directed)
        with pytest.raises(nx.NetworkXUnbounded, match="Infinite capacity path, flow unbounded above."):
            f(plain, 0, 2)
        assert value(plain, 0, 4) == 0
    weighted = gs.Graph([0, 1], [1, 2], [3, 2])
    assert value(weighted, 0, 2) == value(weighted, 0, 2, capacity="weight") == 2
    named = gs.Graph.from_networkx(nx.DiGraph([("s", "a", {"bytes": 3}), ("a", "t", {"bytes": 2})]), weight="bytes")
    assert value(named, "s", "t", capacity="bytes") == 2
    with pytest.raises(ValueError, match="expected 'bytes', as the weights of the graph are called, found 'capacity'"):
        f(named, "s", "t")
    ones = nx.DiGraph([("s", "t", {"capacity": 1})])
    assert value(ones, "s", "t", backend="gossamer") == 1


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("loop", [-1, -0.5, 1])
def test_self_loops_of_a_graph_of_the_package_are_cycles(loop, directed):
    g, acyclic = gs.Graph([0, 0, 1], [0, 1, 2], [loop, 1, 1], directed=directed), gs.Graph([0, 1], [1, 2])
    assert nx.is_directed_acyclic_graph(acyclic) and not nx.is_directed_acyclic_graph(g)
    assert nx.negative_edge_cycle(g) == (loop < 0) and not nx.negative_edge_cycle(g, weight=None) and not nx.negative_edge_cycle(acyclic)
    if loop > 0:
        assert nx.johnson(g)[0] == {0: [0], 1: [0, 1], 2: [0, 1, 2]} and nx.dijkstra_path_length(g, 0, 2) == 2
        return
    with pytest.raises(nx.NetworkXUnbounded, match="Negative cycle detected."):
        nx.johnson(g)
    with pytest.raises(ValueError, match="expected no self-loop with a negative weight"):
        nx.find_negative_cycle(g, 0)
    with pytest.raises(ValueError, match="expected no negative cycle, found 1 self-loop with a negative weight"):
        nx.single_source_bellman_ford_path_length(g, 0)
    with pytest.raises(NotImplementedError):
        nx.dijkstra_path_length(g, 0, 2)


WEIGHTS = {
    "integers": lambda i: i * 7 % 10 + 1, "zeros": lambda i: i % 3, "reals": lambda i: i * 7 % 10 + 0.1, "mixed": lambda i: i * 7 % 10 + (i % 2) / 4,
    "large": lambda i: 2**31 + i, "bools": lambda i: i % 2 == 0, "float32": lambda i: np.float32(i * 7 % 10 + 0.1),
}


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("kind", WEIGHTS)
def test_paths_by_weights_agree_with_networkx(kind, directed):
    g = random_graph(7, directed)
    for i, (u, v) in enumerate(g.edges):
        if i % 5:
            g[u][v]["weight"] = WEIGHTS[kind](i)
    for name in ("single_source_dijkstra_path_length", "single_source_bellman_ford_path_length"):
        ours, theirs = (getattr(nx, name)(g, ends(g)[0], backend=b) for b in ("gossamer", "networkx"))
        assert ours == pytest.approx(theirs, rel=1e-6 if kind == "float32" else 0, abs=0) and ours.keys() == theirs.keys()
        assert list(ours.values()) == sorted(ours.values())


def with_heights(directed, seed, reals, cycle):
    """Return a graph with negative weights. Without `cycle` no cycle has a negative length."""
    g, draw = random_graph(seed, directed), np.random.default_rng(seed)
    g.remove_edges_from(list(nx.selfloop_edges(g)))
    height = {node: int(draw.integers(0, 30)) for node in g}
    for u, v in g.edges:
        g[u][v]["weight"] = (int(draw.integers(0, 9)) + (height[v] - height[u] if directed else 0)) * (0.25 if reals else 1)
    if cycle:
        u, v = list(g.edges)[len(g.edges) // 2]
        g.add_edge(v, u, weight=-g[u][v]["weight"] - 1)
    return g


@pytest.mark.parametrize("cycle", [False, True])
@pytest.mark.parametrize("reals", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_paths_by_negative_weights_agree_with_networkx(directed, reals, cycle):
    if not directed and not cycle:
        pytest.skip("an undirected edge of negative weight is a cycle")
    unbounded = 0
    for seed in range(1, 9):
        g = with_heights(directed, seed, reals, cycle)
        for source in (ends(g)[0], next(iter(g))):
            calls = [(nx.single_source_bellman_ford_path_length, lambda f, g: f(g, source)),
                     (nx.single_source_bellman_ford, lambda f, g: f(g, source)[0]),
                     (nx.single_source_bellman_ford_path, lambda f, g: path_lengths(g, f(g, source))),
                     (nx.bellman_ford_path, lambda f, g: path_length(g, f(g, source, ends(g)[1]))),
                     (nx.bellman_ford_path_length, lambda f, g: f(g, source, ends(g)[1])),
                     (nx.negative_edge_cycle, lambda f, g: f(g.copy())),
                     (nx.find_negative_cycle, lambda f, g: is_negative_cycle(g, f(g, source)))]
            for f, call in calls:
                theirs = answer(call, f.orig_func, g)
                with nx.config(backend_priority=["gossamer"], fallback_to_nx=False):
                    ours = answer(call, lambda *words, **named: f(*words, **named, backend="gossamer"), g)
                assert repr(ours) == repr(theirs) if not isinstance(theirs, dict) else ours == theirs, (f.__name__, seed)
                unbounded += "Unbounded" in repr(theirs)
            if reals is False and not cycle:
                assert all(isinstance(length, int) for length in nx.single_source_bellman_ford_path_length(g, source, backend="gossamer").values())
    assert (unbounded > 0) == cycle


@pytest.mark.parametrize("reals", [False, True])
def test_all_pairs_by_negative_weights_agree_with_networkx(reals):
    for seed in range(1, 9):
        g = with_heights(True, seed, reals, False)
        for f, call in ((nx.johnson, lambda f, g: pairs_of_lengths(g, f(g))), (nx.all_pairs_bellman_ford_path, lambda f, g: pairs_of_lengths(g, f(g))),
                        (nx.all_pairs_bellman_ford_path_length, lambda f, g: dict(f(g)))):
            assert call(lambda g, f=f: f(g, backend="gossamer"), g) == call(f.orig_func, g), (f.__name__, seed)
        g = with_heights(True, seed, reals, True)
        with pytest.raises(nx.NetworkXUnbounded, match="Negative cycle detected."):
            nx.johnson(g, backend="gossamer")
        with pytest.raises(NotImplementedError):  # a negative cycle: NetworkX answers instead
            nx.all_pairs_bellman_ford_path(g, backend="gossamer")


def test_many_pairs_are_searched_in_batches(monkeypatch):
    g = nx.gnm_random_graph(60, 150, seed=4)
    monkeypatch.setattr(paths, "PAIRS_AT_ONCE", 7 * 60 + 3)
    assert dict(nx.all_pairs_shortest_path_length(g)) == {
        node: {other: len(path) - 1 for other, path in found.items()} for node, found in nx.all_pairs_shortest_path(g, backend="gossamer")}


def is_negative_cycle(g, cycle):
    return cycle[0] == cycle[-1] and len(set(cycle)) == len(cycle) - 1 and path_length(g, cycle)[2] < 0


@pytest.mark.parametrize("weight", [-1, math.inf, math.nan, None, "2", 2**60, [1, 2]], ids=repr)
def test_other_weights_are_left_to_networkx(weight):
    g = nx.Graph([(0, 1), (1, 2)])
    g[1][2]["weight"] = weight
    for name in ("single_source_dijkstra_path_length", "single_source_bellman_ford_path_length"):
        if "dijkstra" in name or weight != -1:
            with pytest.raises(NotImplementedError):
                getattr(nx, name)(g, 0, backend="gossamer")
        theirs = answer(lambda f, g: f(g, 0), getattr(nx, name).orig_func, g)
        with nx.config(backend_priority=["gossamer"]):
            assert repr(answer(lambda f, g: f(g, 0), getattr(nx, name), g)) == repr(theirs)
    assert "function" in dispatch.can_run("single_source_dijkstra_path_length", (g, 0), {"weight": lambda u, v, d: 1})


LONG = 2**53 - 1
LEFT = {  # weights from s over x and y to t, and over p and q
    "integers beyond 32 bits": ([LONG] * 3, [LONG, LONG, LONG - 1]), "no type of 32 bits": ([-1] * 3, [2**32 - 1] * 3),
    "long integers and a real": ([LONG] * 3, [LONG, LONG - 1, 0.5]), "sums beyond a double": ([1e308] * 3, [1.5e308] * 3),
    "sums beyond a float": ([np.float32(3e38)] * 3, [np.float32(1), np.float32(3e38), np.float32(3e38)]),
    "sums beyond 16 bits": ([np.float16(6e4)] * 3, [1, 2, 3]),
}


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("kind", LEFT)
def test_weights_whose_sums_differ_are_left_to_networkx(kind):
    g = nx.DiGraph()
    for nodes, weights in zip(("sxyt", "spqt"), LEFT[kind]):
        g.add_weighted_edges_from((*ends, weight) for ends, weight in zip(zip(nodes, nodes[1:]), weights))
    nx.set_edge_attributes(g, nx.get_edge_attributes(g, "weight"), "capacity")
    for f, words in ((nx.single_source_dijkstra, ("s",)), (nx.single_source_bellman_ford_path_length, ("s",)), (nx.all_pairs_dijkstra_path, ()),
                     (nx.maximum_flow_value, ("s", "t")), (nx.betweenness_centrality, (None, True, "weight"))):
        with pytest.raises(NotImplementedError):
            f(g, *words, backend="gossamer")
        with nx.config(backend_priority=["gossamer"]):
            ours, theirs = (answer(lambda f, g: f(g, *words), each, g) for each in (f, f.orig_func))
            assert repr(ours) == repr(theirs) or list(ours) == list(theirs)


@pytest.mark.parametrize("directed", [False, True])
def test_centralities_by_weights_agree_with_networkx(directed):
    g = largest(random_graph(7, directed))
    for i, (u, v) in enumerate(g.edges):
        if i % 6:
            g[u][v]["weight"] = i * 7 % 10 + 0.5
            g[u][v]["cost"] = i % 3
    for name, words in (("pagerank", {"tol": 1e-9}), ("pagerank", {"tol": 1e-9, "weight": "cost"}), ("pagerank", {"tol": 1e-9, "weight": None}),
                        ("eigenvector_centrality", {"weight": "weight", "tol": 1e-13, "max_iter": 1000}), ("eigenvector_centrality", {"weight": None}),
                        ("eigenvector_centrality_numpy", {"weight": "weight"}), ("katz_centrality", {"weight": "cost", "alpha": 0.01}),
                        ("katz_centrality_numpy", {"weight": "weight", "alpha": 0.001}), ("hits", {})):
        ours, theirs = (getattr(nx, name)(g, **words, backend=b) for b in ("gossamer", "networkx"))
        assert agrees(*(list(each) if isinstance(each, tuple) else each for each in (ours, theirs)), ROUNDING.get(name, 1e-9)), (name, words)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("kind", ["integers", "reals", "large"])
def test_betweenness_by_weights_agrees_with_networkx(kind, directed):
    g = random_graph(7, directed)
    for i, (u, v) in enumerate(g.edges):
        if i % 5:
            g[u][v]["weight"] = WEIGHTS[kind](i)
    for name in ("betweenness_centrality", "edge_betweenness_centrality"):
        for words in ({"weight": "weight"}, {"weight": "weight", "normalized": False, "k": 9, "seed": 2}):
            ours, theirs = (getattr(nx, name)(g, **words, backend=b) for b in ("gossamer", "networkx"))
            assert agrees(ours, theirs), (name, words)
    u, v = next(iter(g.edges))
    for weight in (0, -1, np.float32(0.1)):
        if isinstance(weight, np.float32):
            nx.set_edge_attributes(g, weight, "weight")
        g[u][v]["weight"] = weight
        g.__networkx_cache__.clear()
        for name in ("betweenness_centrality", "edge_betweenness_centrality"):
            with pytest.raises(NotImplementedError):
                getattr(nx, name)(g, weight="weight", backend="gossamer")


@pytest.mark.parametrize("name", ["betweenness_centrality", "edge_betweenness_centrality"])
@pytest.mark.parametrize("weight", [0.0, np.float32(0.1)], ids=["zero", "float32"])
def test_what_is_left_to_networkx_draws_no_nodes(name, weight):
    g = nx.gnm_random_graph(120, 300, seed=1)
    nx.set_edge_attributes(g, weight, "weight")
    draw = random.Random(5)
    with pytest.raises(NotImplementedError):
        getattr(functions, name)(backend.convert_from_nx(g, edge_attrs={"weight": 1}), 5, weight="weight", seed=draw)
    assert draw.getstate() == random.Random(5).getstate()
    with nx.config(backend_priority=["gossamer"]):
        ours = getattr(nx, name)(g, k=5, seed=1, weight="weight")
    assert ours == getattr(nx, name)(g, k=5, seed=1, weight="weight", backend="networkx")


def test_leiden_of_negative_weights_draws_no_number():
    g = backend.convert_from_nx(nx.path_graph(4), edge_attrs={"weight": 1})
    assert functions._leiden(g, "weight", 1, 3) is not None
    h = nx.path_graph(4)
    h[1][2]["weight"] = -1
    draw = random.Random(5)
    with pytest.raises(NotImplementedError, match="negative weights"):
        functions._leiden(backend.convert_from_nx(h, edge_attrs={"weight": 1}), "weight", 1, draw)
    assert draw.getstate() == random.Random(5).getstate()


def test_negative_weights_and_values_are_left_to_networkx():
    g = nx.DiGraph([(0, 1, {"weight": -1}), (0, 2, {"weight": 3}), (1, 0), (2, 0), (2, 3)])
    for name, words in (("pagerank", {}), ("hits", {}), ("katz_centrality", {"weight": "weight", "alpha": 0.1}),
                        ("pagerank", {"weight": None, "personalization": {0: 1, 1: -0.5}}), ("pagerank", {"weight": None, "alpha": 1.0, "max_iter": 2})):
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(g, **words, backend="gossamer")
        with nx.config(backend_priority=["gossamer"]):
            ours, theirs = (answer(lambda f, g: f(g, **words), f, g) for f in (getattr(nx, name), getattr(nx, name).orig_func))
        assert ours == theirs if isinstance(theirs[0] if isinstance(theirs, tuple) else 0, type) else True


def test_what_does_not_converge_is_as_by_networkx():
    dag, triangles = nx.DiGraph([(0, 1), (1, 2)]), nx.disjoint_union(nx.complete_graph(3), nx.complete_graph(3))
    with pytest.raises(nx.PowerIterationFailedConvergence):
        nx.katz_centrality(triangles, alpha=0.6, backend="gossamer")
    assert nx.eigenvector_centrality(triangles, backend="gossamer") == pytest.approx(dict.fromkeys(range(6), 6**-0.5))
    assert nx.hits(nx.DiGraph(), backend="gossamer") == ({}, {})
    for name, g, words in (("eigenvector_centrality", dag, {}), ("eigenvector_centrality_numpy", triangles, {}),
                           ("katz_centrality_numpy", triangles, {"alpha": 0.6}), ("hits", nx.empty_graph(5), {})):
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(g, **words, backend="gossamer")


def test_small_graphs_stay_with_networkx_and_conversions_are_kept():
    g = nx.path_graph(20)
    assert "small" in backend.should_run("connected_components", (g,), {})
    assert backend.should_run("connected_components", (nx.path_graph(60_000),), {}) is True
    assert list(nx.connected_components(g, backend="gossamer")) == [set(range(20))]
    kept = g.__networkx_cache__["backends"]["gossamer"]
    assert len(kept) == 1 and backend.should_run("number_connected_components", (g,), {}) is True
    assert nx.is_connected(g, backend="gossamer")
    assert g.__networkx_cache__["backends"]["gossamer"] == kept
    g.add_edge(19, 20)
    assert nx.number_connected_components(g, backend="gossamer") == 1
    assert nx.shortest_path_length(g, 0, 20, backend="gossamer") == 20
    assert "small" in backend.should_run("degree_centrality", (nx.path_graph(60_000),), {})


def test_says_why_it_cannot():
    assert "nstart" in backend.can_run("pagerank", (nx.path_graph(3),), {"nstart": {0: 1}})
    assert "multigraph" in backend.can_run("clustering", (nx.MultiGraph(),), {})


def test_graphs_of_the_package_are_graphs_of_the_backend():
    g = gs.Graph([0, 1, 2, 2], [1, 2, 0, 3])
    assert nx.single_source_shortest_path_length(g, 0) == {0: 0, 1: 1, 2: 2, 3: 3}
    assert agrees(nx.pagerank(g), nx.pagerank(nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3)])), 1e-6)


def test_results_of_networkx_agree_through_the_priority():
    g = random_graph(6, False)
    with nx.config(backend_priority=["gossamer"]):
        assert sets(nx.connected_components(g)) == sets(nx.connected_components.orig_func(g))
        assert nx.clustering(g) == nx.clustering.orig_func(g)  # not among the functions
