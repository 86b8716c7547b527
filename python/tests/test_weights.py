"""Weights of edges: every way in keeps them, and says which numbers are not taken for them, in the caller's line."""

import collections
import gzip
import heapq
import random
import warnings

import networkx as nx
import numpy as np
import pytest
from arrow_by_hand import Table

import gossamer as gs


def said(make):
    """Return what warnings say, each in this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make()
    assert all(w.category is UserWarning and w.filename == __file__ for w in caught)
    return [str(w.message).removeprefix("not kept, as it is not taken for the weights: ") for w in caught]


def weights_of(g):
    """Return the weights by the labels of both ends."""
    matrix = g.to_scipy().tocoo()
    return {(g.label(u), g.label(v)): w for u, v, w in zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist())}


FILES = {  # a text, its type of weights, and what is said of it
    "a b 2.5\nb c 1\n": ("float64", []),
    "a b\nb c\n": ("none", []),
    "src,dst,weight\n1,2,3\n": ("int32", []),
    "src,dst,length\n1,2,3.5\n2,3,4\n": ("none", ["the column length"]),
    "src\tdst\tlength\tname\tyear\n1\t2\t3.5\ta b\t1999\n": ("none", ["the column length, year"]),
    "src,dst,name\n1,2,street\n": ("none", []),
    "length,src,dst\n3,1,2\n": ("none", ["the column length"]),
    "src,dst,kind\n1,2,3\n2,3,north\n": ("none", []),
    ",source,target\n0,1,2\n1,2,3\n": ("none", []),  # the first one counts rows
    "1 2 4294967295\n": ("uint32", []),
    "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n": ("float64", []),
    "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n": ("none", []),
}


@pytest.mark.parametrize("text", FILES)
def test_files(tmp_path, text):
    path = tmp_path / "g.gz"
    path.write_bytes(gzip.compress(text.encode()))
    found = []
    assert said(lambda: found.append(gs.read(path))) == FILES[text][1]
    assert (found[0].stats["weights"], found[0].weighted) == (FILES[text][0], FILES[text][0] != "none")
    assert said(lambda: found.append(gs.read(path, weights=False))) == [] and not found[1].weighted


def test_files_whose_columns_are_chosen(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text("a,b,length,cost\n1,2,3,4\n")
    assert said(lambda: gs.read(path, columns=["a", "b"])) == []
    g = gs.read(path, columns=["a", "b", "cost"])
    assert weights_of(g) == {(1, 2): 4}
    for name in ("g.gsg", "g.tsv.gz"):
        g.write(tmp_path / name)
        assert said(lambda name=name: gs.read(tmp_path / name)) == []
        assert weights_of(gs.read(tmp_path / name)) == {(1, 2): 4}
    path.write_text("a,b,cost\n1,2,3\n2,3,\n")
    with pytest.raises(ValueError, match=r"g\.csv:3: expected"):
        gs.read(path, columns=["a", "b", "cost"])
    assert gs.read(path, columns=["a", "b", "cost"], weights=False).edges == 2


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "float16", "float32", "float64", "bool"])
def test_arrays(dtype):
    kept = {"float16": "float32", "float32": "float32", "float64": "float64"}.get(dtype, "int32")
    values = np.array([3, 1, 2, 0], dtype)
    for weights in (values, np.repeat(values, 2)[::2], values[::-1][::-1]):
        g = gs.Graph([0, 0, 1, 1], [1, 1, 2, 1], weights)
        assert g.stats["weights"] == kept
        assert weights_of(g) == {(0, 1): 1, (1, 2): values[2]}  # the least of two edges; loops are left out
    compact = gs.Graph([10**12, 5], [7, 10**12], values[:2], compact=True)
    assert weights_of(compact) == {(10**12, 7): values[0], (5, 10**12): values[1]}


def test_integers_of_all_sizes():
    for values, kept in (([-5, 2**31 - 1], "int32"), ([0, 2**32 - 1], "uint32"), ([-1, 2**31], "float64"), ([2**53, 0], "float64")):
        g = gs.Graph([0, 1], [1, 2], values)
        assert g.stats["weights"] == kept
        assert weights_of(g) == {(0, 1): values[0], (1, 2): values[1]}
    with pytest.raises(ValueError, match="expected integers that 32 bits or a double hold, found 9007199254740993"):
        gs.Graph([0], [1], [-(2**53) - 1])


def test_wrong_weights_are_named():
    for weights, expected in (([1.5, np.nan], r"weights\[1\]: expected a finite number, found nan"),
                              ([np.inf, 1], r"weights\[0\]: expected a finite number, found inf"), ([1], "expected one per edge, 2, found shape"),
                              ([[1, 2]], "expected one per edge")):
        with pytest.raises(ValueError, match=expected):
            gs.Graph([0, 1], [1, 2], weights)
    for weights in (["a", "b"], [None, 1], [1j, 2]):
        with pytest.raises(TypeError, match="weights: expected numbers"):
            gs.Graph([0, 1], [1, 2], weights)
    with pytest.raises(TypeError, match="mask"):
        gs.Graph([0, 1], [1, 2], np.ma.array([1, 2], mask=[False, True]))


def test_tables():
    table = Table({"a": ("l", [0, 1]), "b": ("l", [1, 2]), "length": ("g", [2.5, -1]), "hops": ("i", [4, 5])})
    assert said(lambda: gs.Graph.from_arrow(table, "a", "b", "length")) == []
    assert weights_of(gs.Graph.from_arrow(table, "a", "b", "length")) == {(0, 1): 2.5, (1, 2): -1}
    assert weights_of(gs.Graph.from_arrow(table, "a", "b", "hops")) == {(0, 1): 4, (1, 2): 5}
    assert not gs.Graph.from_arrow(table, "a", "b").weighted
    texts = Table({"a": ("u", ["x", "y"]), "b": ("u", ["y", "z"]), "w": ("l", [3, 4])})
    assert weights_of(gs.Graph.from_arrow(texts, "a", "b", "w")) == {("x", "y"): 3, ("y", "z"): 4}


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_graphs_of_networkx(directed):
    g = nx.path_graph(1000, nx.DiGraph if directed else nx.Graph)
    assert not gs.Graph.from_networkx(g).weighted
    nx.set_edge_attributes(g, 1, "weight")
    nx.set_edge_attributes(g, "street", "name")
    assert said(lambda: gs.Graph.from_networkx(g)) == []
    g[900][901]["weight"] = 2
    del g[5][6]["weight"]
    found = gs.Graph.from_networkx(g)
    expected = dict.fromkeys(g.edges, 1) | {(900, 901): 2}
    assert weights_of(found) == expected | ({} if directed else {(v, u): w for (u, v), w in expected.items()})
    nx.set_edge_attributes(g, 3.5, "length")
    for view in (g, g.subgraph(range(1000))):
        assert said(lambda view=view: gs.Graph.from_networkx(view)) == []
        assert said(lambda view=view: gs.Graph.from_networkx(view, weight="cost")) == ["the edge attribute weight, length"]
        assert set(weights_of(gs.Graph.from_networkx(view, weight="length")).values()) == {3.5}
        assert not gs.Graph.from_networkx(view, weight=None).weighted
    for wrong in (None, "2", np.array([1, 2])):
        g[1][2]["weight"] = wrong
        with pytest.raises(TypeError, match="the edge attribute 'weight': expected numbers, found"):
            gs.Graph.from_networkx(g)
    multi = nx.MultiDiGraph() if directed else nx.MultiGraph()
    multi.add_edge(0, 1, weight=np.float64(5))
    multi.add_edge(0, 1, weight=2)
    assert weights_of(gs.Graph.from_networkx(multi))[0, 1] == 2


def test_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    ones = gs.Graph([0, 1], [1, 2]).to_scipy()
    for matrix in (ones, ones.astype(bool), sparse.csr_array((3, 3))):
        assert not gs.Graph.from_scipy(matrix).weighted
    twice = gs.Graph.from_scipy(ones * 2.5)
    assert (twice.to_scipy() != ones * 2.5).nnz == 0
    assert twice.to_scipy().dtype == np.float64 and twice.to_scipy("float32").dtype == np.float32
    entries = sparse.coo_array(([5, 2, 1], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert weights_of(gs.Graph.from_scipy(entries)) == {(0, 1): 7, (1, 0): 1}
    assert entries.nnz == 3  # as it was


def dijkstra(g, source):
    """Return lengths by label."""
    rows = {}
    for (u, v), w in weights_of(g).items():
        rows.setdefault(u, []).append((v, w))
    known, queue = {source: 0}, [(0, source)]
    while queue:
        at, u = heapq.heappop(queue)
        for v, w in rows.get(u, ()) if at == known[u] else ():
            if at + w < known.get(v, np.inf):
                known[v] = at + w
                heapq.heappush(queue, (at + w, v))
    return known


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_shortest_paths(dtype, directed):
    draw = random.Random(dtype)
    n, m = 300, 900
    src, dst = ([draw.randrange(n) for _ in range(m)] for _ in range(2))
    weights = np.array([draw.randrange(100) / (1 if dtype == "int64" else 8) for _ in range(m)], dtype)
    g = gs.Graph(src, dst, weights, directed=directed, vertices=n)
    for source in (src[0], dst[5]):
        expected = dijkstra(g, source)
        for delta in (None, 1, 1000):
            found = g.sssp(source, delta=delta)
            assert found.by_label() == expected
            assert found.dtype == (np.int64 if dtype == "int64" else np.float64)
            assert set(found.array[found.parents < 0].tolist()) <= {-1 if dtype == "int64" else np.inf}
            assert found.stats["reached"] == len(expected) and found.stats["farthest"] == max(expected.values())
        between = weights_of(g)
        for v in np.flatnonzero(found.parents >= 0).tolist():
            u = int(found.parents[v])
            assert v == u == source or found[u] + between[u, v] == found[v]
    assert gs.Graph(src, dst, vertices=n, directed=directed).sssp(src[0]).tolist() == \
        gs.Graph(src, dst, vertices=n, directed=directed).bfs(src[0]).tolist()


def test_what_is_no_length_is_refused():
    g = gs.Graph([0, 1], [1, 2], [1.5, -2])
    with pytest.raises(ValueError, match="expected weights of 0 or more, as they are lengths, found -2 from 1 to 2"):
        g.sssp(0)
    with pytest.raises(ValueError, match="the length of a path exceeds what a double holds"):
        gs.Graph([0, 1], [1, 2], [1.5e308, 1.5e308]).sssp(0)
    with pytest.raises(ValueError, match="delta: expected a width above 0, found 0"):
        g.sssp(0, delta=0)
    with pytest.raises(KeyError):
        g.sssp(9)


def test_paths_by_negative_weights():
    def labelled(*edges):
        made = nx.DiGraph()
        made.add_weighted_edges_from(edges)
        return gs.Graph.from_networkx(made)

    g = labelled(("a", "b", 3), ("b", "c", -2), ("a", "c", 2), ("d", "e", 1))
    found = g.sssp("a", negative=True)
    assert found.by_label() == {"a": 0, "b": 3, "c": 1} and found.dtype == np.float64
    assert found.stats["reached"] == 3 and found.stats["farthest"] == 3
    assert g.path("a", "c", negative=True) == ["a", "b", "c"]
    assert g.path("a", "e", negative=True) is None
    with pytest.raises(ValueError, match="of 0 or more, as they are lengths, found -2 from 'b' to 'c'"):
        g.sssp("a")
    around = labelled(("a", "b", 3), ("b", "c", -2), ("c", "b", 1))
    for ask in (lambda: around.sssp("a", negative=True), lambda: around.path("a", "c", negative=True)):
        with pytest.raises(ValueError, match="expected no negative cycle, found 'b' -> 'c' -> 'b'$"):
            ask()
    with pytest.raises(ValueError, match="expected no negative cycle, found 1 self-loop with a negative weight"):
        gs.Graph([0, 1], [1, 1], [3, -2]).sssp(0, negative=True)
    with pytest.raises(ValueError, match="delta"):
        g.sssp("a", delta=2, negative=True)
    assert gs.Graph([0, 1], [1, 2]).sssp(0, negative=True).tolist() == [0, 1, 2]


def test_undirected_and_reversed_graphs_keep_them():
    g = gs.Graph([0, 1, 2], [1, 0, 1], [5, 3, 4])
    assert weights_of(g.reversed()) == {(1, 0): 5, (0, 1): 3, (1, 2): 4}
    assert weights_of(g.to_undirected()) == {(0, 1): 3, (1, 0): 3, (1, 2): 4, (2, 1): 4}
    for rule, weight in (("min", 3), ("max", 5), ("sum", 8)):
        assert weights_of(g.to_undirected(duplicates=rule)) == {(0, 1): weight, (1, 0): weight, (1, 2): 4, (2, 1): 4}
    with pytest.raises(ValueError, match="duplicates: expected one of min, max, sum, found 'first'"):
        g.to_undirected(duplicates="first")
    with pytest.raises(ValueError, match="parallel edges of 0 and 1 add up beyond doubles"):
        gs.Graph([0, 1], [1, 0], [1.5e308, 1.5e308]).to_undirected(duplicates="sum")


@pytest.mark.parametrize("rule, weight, of_opposites", [("sum", 3, 7), ("max", 2, 4), ("count", 2, 3), ("min", 1, 1), ("first", 1, 1), ("last", 2, 2)])
def test_undirected_graphs_combine_weights_as_the_graph_was_read(tmp_path, rule, weight, of_opposites):
    (tmp_path / "d.tsv").write_text("0 1 1\n0 1 2\n1 2 3\n1 0 4\n")
    g = gs.read(tmp_path / "d.tsv", duplicates=rule)
    assert weights_of(g)[0, 1] == weight
    for form in (g.to_undirected(), g.reversed().to_undirected()):
        assert weights_of(form)[0, 1] == weights_of(form)[1, 0] == of_opposites
    assert g.to_undirected().stats["weights"] == g.stats["weights"]


@pytest.mark.parametrize("one, kind", [(1, "i"), (1.0, "f")])
def test_weights_that_were_asked_for_stay_where_all_are_1(one, kind):
    G = nx.DiGraph()
    G.add_edge("s", "a", capacity=one)
    G.add_edge("a", "t", capacity=one)
    g = gs.Graph.from_networkx(G, weight="capacity")
    assert g.weighted and g.max_flow("s", "t") == 1 and g.edge_flows("s", "t")["flow"].tolist() == [1, 1]
    assert g.subgraph(["s", "a"], weights=True)["weight"].tolist() == [1]
    lengths = g.sssp("s").tolist()
    assert lengths == [0, 1, 2] and isinstance(lengths[1], int if kind == "i" else float)
    some = nx.DiGraph([("s", "a")])  # the first edge has none
    some.add_edge("a", "t", capacity=one)
    other = type("Ordered", (nx.DiGraph,), {"edge_attr_dict_factory": collections.OrderedDict})(some)
    for graph in (some, nx.restricted_view(some, [], []), other):
        assert gs.Graph.from_networkx(graph, weight="capacity").max_flow("s", "t") == 1
    assert not gs.Graph.from_networkx(nx.path_graph(3)).weighted
    assert not gs.Graph.from_networkx(G, weight=None).weighted
