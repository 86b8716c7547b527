"""Graphs of NetworkX read by the library against NetworkX's own edges, and answers back. Seeds are in the tests' names."""

import random

import networkx as nx
import numpy as np
import pytest

import gossamer as gs
from gossamer import _core, _networkx


class Named:
    """A node with a hash and an equality of its own: equal to others of the same name, all of one hash."""

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return 7

    def __eq__(self, other):
        return isinstance(other, Named) and self.name == other.name


def fresh_text(n):
    return "node " + str(n)  # another object each time


NODES = {
    "counting": lambda n: n,
    "integers": lambda n: n * 1_000_003 - 50_000_000,
    "wide integers": lambda n: (n - 20) * 2**40 if n % 2 else (n - 20) * 2**90,
    "texts": fresh_text,
    "floats equal to integers": lambda n: float(n) if n % 3 else n,
    "pairs": lambda n: (n, fresh_text(n)),
    "named": Named,
    "mixed": lambda n: [n, fresh_text(n), (n, n), float(n) + 0.5, Named(n), -n][n % 6],
}


def drawn_edges(seed, make, nodes=60, edges=240):
    draw = random.Random(seed)
    return [(make(draw.randrange(nodes)), make(draw.randrange(nodes))) for _ in range(edges)]


def pairs(sources, targets, directed):
    both = zip(sources.tolist(), targets.tolist())
    return sorted(both if directed else (tuple(sorted(pair)) for pair in both))


def expected(g):
    place = {node: i for i, node in enumerate(g)}
    found = ((place[u], place[v]) for u, v in g.edges())
    return sorted(found if g.is_directed() else (tuple(sorted(pair)) for pair in found))


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("kind", NODES)
@pytest.mark.parametrize("seed", [1, 2], ids=lambda seed: f"seed{seed}")
def test_edges_are_those_of_networkx(seed, kind, directed):
    g = (nx.DiGraph if directed else nx.Graph)(drawn_edges(seed, NODES[kind]))
    g.add_node("alone")
    sources, targets, unweighted = _networkx.edges(g, list(g))
    assert unweighted and pairs(sources, targets, directed) == expected(g)


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_views_and_multigraphs(directed):
    g = (nx.DiGraph if directed else nx.Graph)(drawn_edges(3, fresh_text))
    some = [node for i, node in enumerate(g) if i % 3]
    turned = nx.reverse_view(g) if directed else nx.freeze(g.copy())
    multi = (nx.MultiDiGraph if directed else nx.MultiGraph)(drawn_edges(4, NODES["pairs"]))
    for each in (g.subgraph(some), turned, multi, g.subgraph([]), nx.Graph()):
        sources, targets, _ = _networkx.edges(each, list(each))
        assert sorted(set(pairs(sources, targets, each.is_directed()))) == sorted(set(expected(each)))


def test_nodes_and_rows_in_another_order():
    g = nx.Graph(drawn_edges(5, fresh_text))
    nodes = list(reversed(list(g)))
    sources, targets, _ = _networkx.edges(g, nodes)
    there = sorted(tuple(sorted((nodes[u], nodes[v]))) for u, v in zip(sources.tolist(), targets.tolist()))
    assert there == sorted(tuple(sorted(pair)) for pair in g.edges())


@pytest.mark.parametrize("weight, default, one", [
    (None, 1, True), ({}, 1, True), ({"weight": 1}, 2, True), ({"weight": 1.0}, None, True), ({"weight": True}, 1, True),
    ({"weight": 2}, 1, False), ({"weight": 0.5}, 1, False), ({"other": 5}, 1, True), ({"other": 5}, 2, False), ({}, None, False),
    ({"weight": None}, 1, False), ({"weight": "1"}, 1, False)])
@pytest.mark.parametrize("view", [False, True], ids=["dict", "view"])
def test_weights_other_than_1(weight, default, one, view):
    g = nx.path_graph(30)
    if weight is not None:
        nx.set_edge_attributes(g, 1, "weight")
        g[28][29].clear()
        g[28][29].update(weight)
    each = g.subgraph(list(g)) if view else g
    found = _networkx.edges(each, list(each), None if weight is None else "weight", default)
    assert found[2] == one
    assert one == (weight is None or all(w == 1 for _, _, w in g.edges(data="weight", default=default)))


def test_neighbours_that_are_no_nodes():
    for stray in ("stray", 77, (1, 2)):
        g = nx.path_graph(3)
        g._adj[1][stray] = {}
        with pytest.raises(KeyError, match=str(stray).replace("(", ".").replace(")", ".")):
            gs.Graph.from_networkx(g)


def test_errors_of_nodes_come_through():
    class Odd:
        def __hash__(self):
            return 3

        def __eq__(self, other):
            raise ZeroDivisionError("odd")

    g = nx.Graph()
    g._adj[Odd()] = {}
    g._adj[None] = {Odd(): {}}
    with pytest.raises(ZeroDivisionError):
        _networkx.edges(g, list(g._adj))


@pytest.mark.parametrize("how", ["row", "nodes"])
def test_graphs_that_change_meanwhile(how):
    class Busy(Named):
        __hash__ = Named.__hash__
        armed = False

        def __eq__(self, other):
            if Busy.armed:
                Busy.armed = False
                if how == "row":
                    g._adj[nodes[0]].clear()
                else:
                    g._adj.update({n: {} for n in range(40)})
            return super().__eq__(other)

    g = nx.Graph([(Busy(0), Busy(n)) for n in range(400)] + [(Busy(1), Busy(n)) for n in range(400)])
    nodes = list(g)
    Busy.armed = True
    with pytest.raises(RuntimeError, match="changed"):
        _core.adjacency_arrays(nodes, g._adj, True)


@pytest.mark.parametrize("make", [nx.Graph, nx.DiGraph])
def test_size_counts_up_to_what_is_enough(make):
    g = make(drawn_edges(6, NODES["counting"]))
    exact = len(g) + g.number_of_edges()
    loops = nx.number_of_selfloops(g)
    assert _networkx.size(g, 10**9) in range(exact - loops, exact + 1)
    assert _networkx.size(g.subgraph(list(g)), 10**9) == exact
    assert _networkx.size(g, 5) >= 5
    assert _networkx.size(g, exact - loops) >= exact - loops


@pytest.mark.parametrize("kind", ["f8", "f4", "i4", "u4", "i8", "u8"])
def test_values_by_node(kind):
    values = np.array([3, 0, 2**31 - 1, 7, 1], kind)
    nodes = ["c", 4, None, (1, 2), 2.5]
    for each in (values, values[::-1], values[:0]):
        found = _core.dict_of(nodes[: len(each)], each)
        assert found == dict(zip(nodes, each.tolist())) and list(found) == nodes[: len(each)]
        assert [type(v) for v in found.values()] == [type(v) for v in each.tolist()]
    with pytest.raises(ValueError, match="5 and 4"):
        _core.dict_of(nodes[:4], values)
    with pytest.raises(TypeError):
        _core.dict_of(nodes, np.zeros(5, "i2"))


def test_levels_and_components_by_node():
    nodes = list("abcdef")
    levels = np.array([2, 0, -1, 1, 2, 1], np.int32)
    assert list(_core.nearest_first(nodes, levels, 9).items()) == [("b", 0), ("d", 1), ("f", 1), ("a", 2), ("e", 2)]
    assert list(_core.nearest_first(nodes, levels, 0)) == ["b"]
    assert _core.sets_of(nodes, np.array([0, 1, 0, 3, 1, 1], np.int32)) == [{"a", "c"}, {"b", "e", "f"}, {"d"}]
    with pytest.raises(ValueError):
        _core.sets_of(nodes, np.array([0, 1, 5, 3, 1, 1], np.int32))


def test_labels_are_found_as_a_dict_finds_them():
    nodes = ["a", 1, (2, "x"), 3.0, Named("n")]
    g = nx.Graph()
    g.add_nodes_from(nodes)
    for label, place in (("".join(["a"]), 0), (True, 1), (1.0, 1), ((2, "x"), 2), (3, 3), (Named("n"), 4)):
        made = gs.Graph.from_networkx(g)
        assert made.find(label) == place and made.find(label) == place  # scanned, then from a dict
    made = gs.Graph.from_networkx(g)
    for _ in range(2):
        with pytest.raises(KeyError):
            made.find("b")
        with pytest.raises(TypeError):
            made.find([])


@pytest.mark.parametrize("kind", NODES)
def test_conversion_keeps_no_references(kind):
    import sys

    g = nx.Graph(drawn_edges(7, NODES[kind]))
    nodes = list(g)
    row = g._adj[nodes[0]]
    attributes = next(iter(row.values()))

    def counts():
        return [sys.getrefcount(x) for x in (nodes[7], nodes[0], row, attributes, nodes)]

    _core.adjacency_arrays(nodes, g._adj, False, "weight", True)
    before = counts()
    for _ in range(5):
        _core.adjacency_arrays(nodes, g._adj, False, "weight", True)
        _core.sets_of(nodes, np.zeros(len(nodes), np.int32))
        _core.dict_of(nodes, np.ones(len(nodes)))
        _core.nearest_first(nodes, np.zeros(len(nodes), np.int32), 5)
        _core.place_of(nodes, "absent")
    assert counts() == before
