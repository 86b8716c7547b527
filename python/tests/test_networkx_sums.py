"""Sums of weights that rounding decides: what NetworkX computes with other types, or rounds in another order, NetworkX answers."""

import random

import networkx as nx
import numpy as np
import pytest
from test_networkx import agrees, answer

from gossamer.networkx_backend import backend, functions


def weighted(edges, kind=nx.DiGraph):
    g = kind()
    g.add_weighted_edges_from(edges)
    return g


def both(call, f, g):
    """Return the answers of the backend, or of NetworkX where the backend refuses, and of NetworkX alone."""
    def asked(*words, **named):
        try:
            return f(*words, **named, backend="gossamer")
        except NotImplementedError:
            return f.orig_func(*words, **named)

    return answer(call, asked, g.copy()), answer(call, f.orig_func, g.copy())


CYCLES = {  # whose sum is 0 but for rounding
    "a triangle": [(0, 1, .7), (1, 2, -.2), (2, 0, -.5)], "four": [(0, 1, -.7), (1, 2, -.4), (2, 3, .8), (3, 0, .3)],
    "four more": [(0, 1, .2), (1, 2, -.7), (2, 3, -.4), (3, 0, .9)], "a positive one": [(0, 1, -.3), (1, 2, .7), (2, 0, -.4)],
    "negative for NetworkX": [(0, 1, .7), (1, 2, -.9), (2, 3, -.1), (3, 0, .3)],
}
CALLS = {
    "single_source_bellman_ford_path_length": lambda f, g: f(g, 0), "single_source_bellman_ford": lambda f, g: f(g, 0),
    "single_source_bellman_ford_path": lambda f, g: f(g, 0), "bellman_ford_path": lambda f, g: f(g, 0, 2),
    "all_pairs_bellman_ford_path": lambda f, g: dict(f(g)), "all_pairs_bellman_ford_path_length": lambda f, g: dict(f(g)),
    "johnson": lambda f, g: f(g), "negative_edge_cycle": lambda f, g: f(g), "find_negative_cycle": lambda f, g: f(g, 0),
    "shortest_path": lambda f, g: f(g, None, 2, "weight", "bellman-ford"),
}


@pytest.mark.parametrize("cycle", CYCLES)
@pytest.mark.parametrize("name", CALLS)
def test_a_cycle_that_is_0_but_for_rounding_is_left_to_networkx(name, cycle):
    ours, theirs = both(CALLS[name], getattr(nx, name), weighted(CYCLES[cycle]))
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("edges, is_negative", [([(0, 1, .7), (1, 2, -.9), (2, 0, .1)], True), ([(0, 1, .7), (1, 2, -.3), (2, 0, .1)], False),
                                                ([(0, 1, .1), (1, 2, -.3), (3, 4, 0.0), (4, 3, 0.0)], False)])
def test_cycles_beyond_rounding_are_answered(edges, is_negative):
    g = weighted(edges)
    assert nx.negative_edge_cycle(g, backend="gossamer") == nx.negative_edge_cycle.orig_func(g.copy()) == is_negative
    call = CALLS["single_source_bellman_ford_path_length"]
    if not is_negative:
        assert call(lambda *words: nx.single_source_bellman_ford_path_length(*words, backend="gossamer"), g)
    ours, theirs = both(call, nx.single_source_bellman_ford_path_length, g)
    assert ours == theirs


@pytest.mark.parametrize("seed", range(1, 9))
def test_random_cycles_near_0_are_those_of_networkx(seed):
    draw = random.Random(seed)
    for _ in range(40):
        n = draw.randrange(3, 6)
        weights = [draw.randrange(-9, 10) for _ in range(n - 1)]
        edges = [(i, (i + 1) % n, weight / 10) for i, weight in enumerate([*weights, -sum(weights)])]
        for name, call in (("single_source_bellman_ford_path_length", lambda f, g: f(g, 0)), ("negative_edge_cycle", lambda f, g: f(g)),
                           ("johnson", lambda f, g: {node: set(paths) for node, paths in f(g).items()})):
            ours, theirs = both(call, getattr(nx, name), weighted(edges))
            assert ours == theirs, (name, edges)


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_reals_of_another_width_among_others_are_added_up_by_networkx(kind):
    g = weighted([("a", "b", kind(.1)), ("b", "d", .2), ("a", "c", .2), ("c", "d", kind(.1)), ("d", "e", 1.5)])
    for name in ("betweenness_centrality", "edge_betweenness_centrality"):
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(g, weight="weight", backend="gossamer")
        ours, theirs = both(lambda f, g: f(g, weight="weight"), getattr(nx, name), g)
        assert ours == theirs
    far = nx.single_source_dijkstra_path_length.orig_func(g, "a")["e"]
    for name in ("single_source_dijkstra_path_length", "single_source_dijkstra_path"):
        for cutoff in (float(far), np.nextafter(float(far), 0)):
            ours, theirs = both(lambda f, g, cutoff=cutoff: f(g, "a", cutoff=cutoff), getattr(nx, name), g)
            assert list(ours) == list(theirs), (name, cutoff)
    g["d"]["e"]["weight"] = -.1
    ours, theirs = both(lambda f, g: f(g, "a"), nx.single_source_bellman_ford_path_length, g)
    assert ours == theirs


LONG = {
    "pagerank": lambda f, g: f(g), "hits": lambda f, g: f(g)[0], "eigenvector_centrality": lambda f, g: f(g, 1000, 1e-12, weight="weight"),
    "eigenvector_centrality_numpy": lambda f, g: f(g, weight="weight"), "katz_centrality": lambda f, g: f(g, 2**-40, weight="weight"),
    "katz_centrality_numpy": lambda f, g: f(g, 2**-40, weight="weight"),
}


@pytest.mark.parametrize("name", LONG)
def test_long_integers_are_rounded_where_they_are_scaled(name):
    g = nx.karate_club_graph()
    for i, (u, v) in enumerate(g.edges):
        g[u][v]["weight"] = 2**33 + i * 2**30
    f = getattr(nx, name)
    assert agrees(LONG[name](lambda *words, **named: f(*words, **named, backend="gossamer"), g), LONG[name](f.orig_func, g), 1e-6)
    with pytest.raises(NotImplementedError):  # of the same conversion
        nx.single_source_dijkstra_path_length(g, 0, backend="gossamer")
    assert nx.single_source_dijkstra_path_length(g, 0, weight=None, backend="gossamer") == nx.single_source_shortest_path_length.orig_func(g, 0)


def test_communities_by_long_integers():
    g = nx.karate_club_graph()
    nx.set_edge_attributes(g, 2**33, "weight")
    halves = [set(range(17)), set(range(17, 34))]
    ours, theirs = (nx.community.modularity(g, halves, backend=b) for b in ("gossamer", "networkx"))
    assert ours == pytest.approx(theirs, rel=1e-14)
    found = functions._leiden(backend.convert_from_nx(g, edge_attrs={"weight": 1}), "weight", 1, 3)
    assert sorted(node for part in found for node in part) == sorted(g)


@pytest.mark.parametrize("name", ["betweenness_centrality", "edge_betweenness_centrality"])
@pytest.mark.parametrize("make", [random.Random, np.random.RandomState, np.random.default_rng], ids=["Python", "RandomState", "Generator"])
def test_weights_that_are_lost_by_rounding_are_left_to_networkx(name, make):
    g = nx.path_graph(9)
    nx.set_edge_attributes(g, {(u, v): 1e20 if u % 3 == 1 else 1.0 for u, v in g.edges}, "weight")
    with pytest.raises(NotImplementedError):
        getattr(nx, name)(g, weight="weight", backend="gossamer")
    draw, own = make(5), make(5)
    with pytest.raises(NotImplementedError):
        getattr(nx, name)(g, k=4, weight="weight", seed=draw, backend="gossamer")
    assert draw.random() == own.random()


def test_a_negative_cycle_elsewhere_does_not_matter():
    g = weighted([(0, 1, .1), (1, 2, -.05), (3, 4, -1.3), (4, 3, .2)])
    for name in ("single_source_bellman_ford_path_length", "find_negative_cycle"):
        ours = answer(lambda f, g: f(g, 0, backend="gossamer"), getattr(nx, name), g)
        assert ours == answer(lambda f, g: f(g, 0), getattr(nx, name).orig_func, g), name
    with pytest.raises(nx.NetworkXUnbounded):
        nx.single_source_bellman_ford_path_length(g, 3, backend="gossamer")


@pytest.mark.parametrize("edges", [[(0, 1, 5), (0, 2, 1), (2, 3, 1)], [(0, 1, -1), (1, 2, 3), (0, 3, 2)]])
def test_paths_of_bellman_ford_begin_with_the_source(edges):
    g = weighted(edges)
    for name in ("single_source_bellman_ford_path", "johnson"):
        call = (lambda f, g, **k: f(g, **k)[0]) if name == "johnson" else (lambda f, g, **k: f(g, 0, **k))
        ours, theirs = call(getattr(nx, name), g, backend="gossamer"), call(getattr(nx, name).orig_func, g)
        assert ours == theirs and next(iter(ours)) == 0


def test_a_generator_of_the_system_has_no_state():
    g = nx.path_graph(4)
    weighted_path = weighted([(0, 1, 2), (1, 2, 3), (2, 3, 4)], nx.Graph)
    for k, weight, graph in ((None, None, g), (2, None, g), (2, "weight", weighted_path)):
        assert len(nx.betweenness_centrality(graph, k=k, weight=weight, seed=random.SystemRandom(), backend="gossamer")) == 4


def test_katz_scores_that_are_too_large_are_left_to_networkx():
    g = weighted([(1, 2, 1e200), (3, 4, 1), (4, 3, 1)])
    with pytest.raises(NotImplementedError) as left:
        nx.katz_centrality(g, alpha=.5, weight="weight", backend="gossamer")
    assert "scores exceed" in str(left.value.__cause__)
