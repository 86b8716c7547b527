"""Graphs, their answers and their refusals."""

import gzip
import pickle

import networkx as nx
import numpy as np
import pytest

import gossamer as gs


@pytest.fixture
def names(tmp_path):
    file = tmp_path / "names.tsv"
    file.write_text("apple\tbanana\nbanana\tcherry\ncherry\tapple\nfig\tdate\n")
    return gs.read(file)


def arcs(g):
    offsets, targets = g._library.rows()
    sources = np.repeat(np.arange(len(g)), np.diff(offsets.astype(np.int64)))
    return set(zip(sources.tolist(), targets.tolist()))


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64, np.int16, ">i8"])
@pytest.mark.parametrize("seed", range(3))
def test_arrays_of_every_integer(dtype, seed):
    random = np.random.default_rng(seed)
    src, dst = random.integers(0, 300, (2, 2000)).astype(dtype)
    expected = {(int(a), int(b)) for a, b in zip(src, dst) if a != b}
    g = gs.Graph(src, dst, vertices=300)
    assert arcs(g) == expected and len(g) == 300 and g.directed
    assert g.stats["self_loops"] == int((src == dst).sum())
    both = gs.Graph(src, dst, directed=False, vertices=300)
    assert arcs(both) == expected | {(b, a) for a, b in expected} and not both.directed


def test_strided_and_reversed_arrays_are_read_in_place():
    pairs = np.arange(20, dtype=np.int64).reshape(10, 2)
    expected = {(2 * i, 2 * i + 1) for i in range(10)}
    assert arcs(gs.Graph(pairs[:, 0], pairs[:, 1])) == expected
    assert arcs(gs.Graph(pairs[::-1, 0], pairs[::-1, 1])) == expected


def test_compact_ids_become_labels():
    g = gs.Graph(np.array([10**15, 7]), np.array([7, 2**64 - 1], np.uint64), compact=True)
    assert g.labels().tolist() == [7, 10**15, 2**64 - 1]
    assert g.bfs(10**15).by_label()[2**64 - 1] == 2


def test_no_edges_at_all():
    g = gs.Graph([], [])
    assert len(g) == 0 and len(g.components()) == 0 and g.components().count == 0
    assert len(gs.Graph([], [], vertices=4).pagerank()) == 4


def test_ids_of_foreign_order_and_place_keep_their_kind():
    ids = [7, 2**64 - 1]
    swapped = np.array(ids, ">u8")
    crooked = np.frombuffer(b"?" + np.array(ids, np.uint64).tobytes(), np.uint64, offset=1)
    assert not crooked.flags.aligned
    for column in (swapped, crooked):
        assert gs.Graph(column, column[::-1], compact=True).labels().tolist() == ids


@pytest.mark.parametrize("src, dst, more, raised, text", [
    ([1, 2], [3], {}, ValueError, "2 and 1"),
    ([1, -2], [3, 4], {}, ValueError, r"sources\[1\].*found -2"),
    ([0], [9], {"vertices": 9}, ValueError, "below 9"),
    ([0], [9], {"vertices": -1}, ValueError, "found -1"),
    ([0], [2**40], {}, ValueError, "compact"),
    ([0.5], [1], {}, TypeError, "float64"),
    (["a"], ["b"], {}, TypeError, "src: expected integers"),
    ([[0]], [[1]], {}, TypeError, "one dimension"),
    ([0], [1], {"weights": [1, 2]}, ValueError, "weights"),
    ([0], [1], {"weights": ["x"]}, TypeError, "weights"),
])
def test_refuses(src, dst, more, raised, text):
    with pytest.raises(raised, match=text):
        gs.Graph(src, dst, **more)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="absent"):
        gs.read(tmp_path / "absent.tsv")
    with pytest.raises(IsADirectoryError):
        gs.read(tmp_path)
    bad = tmp_path / "bad.tsv"
    bad.write_text("1 2\n3\n")
    with pytest.raises(ValueError, match=r"bad.tsv:2:"):
        gs.read(bad)
    with pytest.raises(ValueError, match="kron"):
        gs.read("kron:abc")


def test_generated_graphs_and_duplicates(tmp_path):
    grid = gs.read("grid:20x30@1..9")
    assert (len(grid), grid.weighted) == (600, True)
    assert sorted(grid._library.weights())[0] >= 1
    file = tmp_path / "d.txt"
    file.write_text("1 2 5\n2 1 9\n1 2 3\n")
    for rule, expected in (("min", 3), ("max", 5), ("first", 5), ("last", 3), ("sum", 8), ("count", 2)):
        assert sorted(gs.read(file, duplicates=rule)._library.weights())[0] == min(expected, {"count": 1}.get(rule, 9))
    with pytest.raises(ValueError, match="duplicates: expected one of min"):
        gs.read(file, duplicates="mean")
    grid.write(tmp_path / "g.mtx")
    again = gs.read(tmp_path / "g.mtx")
    assert (len(again), again.weighted, again.directed) == (600, True, False)


def test_labels(names):
    assert sorted(names.labels()) == ["apple", "banana", "cherry", "date", "fig"]
    assert names.label(names.find("fig")) == "fig"
    with pytest.raises(KeyError, match="banana"):
        names.find("bananna")
    with pytest.raises(TypeError, match="a str"):
        names.find(3)
    numbers = gs.Graph([0], [1])
    for absent in (-1, 2, "x"):
        with pytest.raises(KeyError, match="no vertex"):
            numbers.find(absent)
    with pytest.raises(TypeError, match="an int"):
        numbers.find(1.5)
    for g in (numbers, gs.Graph.from_networkx(nx.path_graph(2))):
        for absent in (-1, 2):
            with pytest.raises(IndexError, match="expected a vertex"):
                g.label(absent)


def test_names_of_files_and_absent_labels_may_be_any_bytes(tmp_path):
    file = tmp_path / b"names\xe9.tsv".decode(errors="surrogateescape")
    file.write_text("café\tthé\nthé\tplain\n", encoding="utf-8")
    g = gs.read(file)
    assert [g.label(g.find(label)) for label in g.labels()] == g.labels() and len(g) == 3
    assert g.bfs("café").by_label()["plain"] == 2
    for absent in ("caf\ud800", b"caf\xe9".decode(errors="surrogateescape")):
        with pytest.raises(KeyError, match="no vertex"):
            g.find(absent)
    with pytest.raises(KeyError, match="nearest are.*café"):
        g.find("cafés")
    g.write(tmp_path / b"copy\xe9.gsg".decode(errors="surrogateescape"))
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".gsg", ".tsv"]
    file.write_bytes(b"1 2\n3\n")
    with pytest.raises(ValueError, match="names\ufffd.tsv:2:"):
        gs.read(file)


@pytest.mark.parametrize("separator", ["", ";;", "\u00a7"])
def test_separators_are_one_byte(names, separator, tmp_path):
    with pytest.raises(ValueError, match="one ASCII character"):
        gs.read(tmp_path / "names.tsv", separator=separator)


def test_levels(names):
    levels = names.bfs("apple")
    assert isinstance(levels, np.ndarray) and levels.dtype == np.int32
    view = levels.by_label()
    assert dict(view) == {"apple": 0, "banana": 1, "cherry": 2, "fig": -1, "date": -1}
    assert "fig" in view and "kiwi" not in view and 3 not in view and len(view) == 5
    assert dict(view.items()) == dict(view)
    with pytest.raises(KeyError, match="nearest"):
        view["applle"]
    assert names.bfs("cherry").parents[names.find("apple")] == names.find("cherry")
    assert names.bfs("date", undirected=True).by_label()["fig"] == 1 and names.directed
    assert levels.stats["reached"] == 3


def test_results_keep_labels_only_where_values_have_not_moved(names):
    scores = names.pagerank()
    assert abs(scores.sum() - 1) < 1e-9 and type(scores * 2) is np.ndarray
    assert scores.top(1)[0][0] in ("apple", "banana", "cherry") and scores.top(99) == scores.top(5) and scores.top(0) == []
    assert type(scores.array) is np.ndarray and np.shares_memory(scores.array, scores)
    with pytest.raises(ValueError, match="read-only"):
        scores[0] = 1
    for moved in (np.sort(scores), scores[::-1], scores.copy()):
        with pytest.raises(ValueError, match="labels"):
            moved.top(1)
    assert np.array_equal(pickle.loads(pickle.dumps(scores)), scores)


def test_equal_values_come_in_the_order_of_the_vertices():
    ring = gs.Graph([0, 1, 2, 3, 3], [1, 2, 3, 0, 4], vertices=6)
    assert ring.out_degree().top(3) == [(3, 2), (0, 1), (1, 1)]
    assert ring.out_degree().top(99)[-2:] == [(4, 0), (5, 0)]


def test_tables(names):
    pandas = pytest.importorskip("pandas")
    frame = names.pagerank().to_frame()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "vertex" and list(frame.columns) == ["score"]
    assert "<td>banana</td>" in names.pagerank()._repr_html_()
    assert "<td>5</td>" in names._repr_html_()


def test_html_is_escaped(tmp_path):
    file = tmp_path / "tags.tsv"
    file.write_text("<b>\tx\n")
    assert "<b>" not in gs.read(file).pagerank()._repr_html_()


def test_components(names):
    parts = names.components()
    assert parts.count == 2 and parts.top(1) == [(names.label(min(map(names.find, ("apple", "banana", "cherry")))), 3)]
    assert sorted(len(group) for group in parts.groups()) == [2, 3]


def test_strong_components(names):
    parts = names.strong()
    assert parts.count == 3 and parts.top(1) == [(names.label(min(map(names.find, ("apple", "banana", "cherry")))), 3)]
    assert sorted(len(group) for group in parts.groups()) == [1, 1, 3]
    assert gs.Graph([], []).strong().count == 0 and parts.stats["call"] == "strong()"


@pytest.mark.parametrize("density", [0, 0.5, 1, 1.5, 3, 10])
def test_strong_components_agree_with_scipy(density):
    sparse = pytest.importorskip("scipy.sparse")
    random = np.random.default_rng(int(density * 10))
    src, dst = random.integers(0, 2000, (2, int(2000 * density)))
    found = gs.Graph(src, dst, vertices=2000).strong()
    count, of = sparse.csgraph.connected_components(sparse.coo_matrix((np.ones(len(src)), (src, dst)), (2000, 2000)), connection="strong")
    assert found.count == count
    assert np.array_equal(found.array, np.unique(of, return_index=True)[1][of])  # the smallest vertex of each
    g = gs.Graph(src, dst, directed=False, vertices=2000)
    assert np.array_equal(g.strong().array, g.components().array)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_communities(directed, weighted):
    random = np.random.default_rng(5)
    src, dst = random.integers(0, 400, (2, 20000))
    near = (src % 5 == dst % 5) | (random.random(20000) < 0.02)
    src, dst = src[near], dst[near]
    weights = random.integers(1, 9, len(src)) / 2 if weighted else None
    g = gs.Graph(src, dst, weights, directed=directed, vertices=401)
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(401))
    offsets, targets = g._library.rows()
    sources = np.repeat(np.arange(401), np.diff(offsets.astype(np.int64)))
    values = g._library.weights() if weighted else np.ones(len(targets))
    graph.add_weighted_edges_from(zip(sources.tolist(), targets.tolist(), values.tolist()))
    for method in ("leiden", "louvain", "labels"):
        found = g.communities(method=method, resolution=1.1, seed=2)
        parts = [set(group.tolist()) for group in found.groups()]
        assert found.count == len(parts) == found.stats["communities"] and found[400] == 400
        assert found.modularity == pytest.approx(nx.community.modularity(graph, parts, resolution=1.1))
        assert np.array_equal(found.array, g.communities(method=method, resolution=1.1, seed=2).array)
    found = g.communities()
    assert found.count == 6 and found.top(1)[0][1] == 80
    assert all((found.array[:400] % 5 == np.arange(400) % 5))
    with pytest.raises(ValueError, match="method: expected leiden, louvain or labels, found 'walktrap'"):
        g.communities(method="walktrap")
    with pytest.raises(TypeError, match="method: expected a text, found 3"):
        g.communities(method=3)
    with pytest.raises(ValueError, match="resolution: expected a number of 0 or more"):
        g.communities(resolution=-1)
    with pytest.raises(ValueError, match="resume: expected a folder, found ''"):
        g.pagerank(resume="")
    assert gs.Graph([0], [1], vertices=3).communities(resolution=9).count == 3
    assert gs.Graph([], [], vertices=2).communities().modularity is None
    with pytest.raises(ValueError, match="expected weights of 0 or more, found -2 from 1 to 2"):
        gs.Graph([0, 1], [1, 2], [1, -2]).communities()


@pytest.mark.parametrize("seed", range(1, 6))
def test_algorithms_agree_with_networkx(seed):
    expected = nx.gnm_random_graph(60, 150, seed=seed, directed=seed % 2 == 1)
    g = gs.Graph.from_networkx(expected)
    assert g.pagerank(tol=1e-12).by_label() == pytest.approx(nx.pagerank.orig_func(expected, tol=1e-14))
    assert g.betweenness().by_label() == pytest.approx(nx.betweenness_centrality.orig_func(expected))
    assert dict(g.degree().by_label()) == dict(expected.degree())
    assert g.cores().by_label() == nx.core_number.orig_func(expected)
    if g.directed:
        for call in (g.triangles, g.clustering):
            with pytest.raises(ValueError, match="expected an undirected graph"):
                call()
    else:
        assert g.triangles().by_label() == nx.triangles.orig_func(expected)
        assert g.colouring().by_label() == nx.greedy_color.orig_func(expected)
        bridges = g.bridges()
        found = {frozenset((v, g.label(u))) for v, u in bridges.by_label().items() if u >= 0}
        assert found == {frozenset(edge) for edge in nx.bridges.orig_func(expected)}
        assert {v for v, is_one in g.articulation_points().by_label().items() if is_one} == set(nx.articulation_points.orig_func(expected))
        blocks = list(nx.biconnected_components.orig_func(expected))
        assert g.biconnected().by_label() == {v: sum(v in block for block in blocks) for v in expected}
        assert g.biconnected().stats["blocks"] == len(blocks) and g.biconnected().stats["largest"] == max(map(len, blocks))
        one_by_one = {}
        for v, (block, head) in enumerate(zip(g.biconnected().blocks, g.biconnected().heads)):
            if block >= 0:
                one_by_one.setdefault(block, {g.label(head)}).add(g.label(v))
        assert sorted(map(sorted, one_by_one.values())) == sorted(map(sorted, blocks))
        trusses = [nx.k_truss.orig_func(expected, k) for k in range(2, 9)]
        assert g.truss().by_label() == {v: max((k for k, truss in enumerate(trusses, 2) if v in truss), default=0) for v in expected}
        for k, truss in enumerate(trusses, 2):
            part = g.k_truss(k)
            assert set(part.label_list()) == set(truss) and part.edges == truss.number_of_edges()
        assert g.spanning_tree().stats["trees"] == nx.number_connected_components.orig_func(expected)
        members = {v for v, is_one in g.independent_set(seed=seed).by_label().items() if is_one}
        assert all(not members & set(expected[v]) if v in members else members & set(expected[v]) for v in expected)
        mates = {v: int(m) for v, m in g.matching(seed=seed).by_label().items() if m >= 0}
        assert nx.is_maximal_matching.orig_func(expected, set(mates.items()) - {(m, v) for v, m in mates.items() if v < m})
        assert g.clustering().by_label() == pytest.approx(nx.clustering.orig_func(expected))
        assert g.triangles().stats["transitivity"] == pytest.approx(nx.transitivity.orig_func(expected))
        assert g.triangles().stats["average_clustering"] == pytest.approx(nx.average_clustering.orig_func(expected))
    assert {k: v for k, v in g.bfs(0).by_label().items() if v >= 0} == dict(
        nx.single_source_shortest_path_length.orig_func(expected, 0))
    assert g.info()["edges"] == expected.number_of_edges()
    assert g.closeness().by_label() == pytest.approx(nx.closeness_centrality.orig_func(expected))
    assert g.harmonic().by_label() == pytest.approx(nx.harmonic_centrality.orig_func(expected))
    whole = expected.subgraph(max(nx.strongly_connected_components.orig_func(expected) if g.directed else
                                  nx.connected_components.orig_func(expected), key=len))
    part = gs.Graph.from_networkx(whole)
    assert part.eccentricity().by_label() == nx.eccentricity.orig_func(whole)
    assert part.diameter() == nx.diameter.orig_func(whole)
    assert part.eccentricity().stats["smallest"] == nx.radius.orig_func(whole)


@pytest.mark.parametrize("seed", range(4))
def test_flows_agree_with_networkx(seed):
    expected = nx.gnm_random_graph(60, 200, seed=seed, directed=seed % 2 == 1)
    for i, edge in enumerate(expected.edges):
        expected.edges[edge].update(weight=(1 + i * 7919 % 13) / (1 if seed < 2 else 4), one=1)
    g = gs.Graph.from_networkx(expected)
    for sink in (1, 30, 59):
        value, (_, sinks) = nx.minimum_cut.orig_func(expected, 0, sink, capacity="weight")
        assert g.max_flow(0, sink) == value
        cut = g.min_cut(0, sink)
        assert cut.stats["value"] == value and set(np.flatnonzero(cut).tolist()) == sinks
        assert g.max_flow(0, sink, unit=True) == nx.maximum_flow_value.orig_func(expected, 0, sink, capacity="one")
    with pytest.raises(ValueError, match="expected two vertices"):
        g.max_flow(3, 3)
    with pytest.raises(KeyError, match="99"):
        g.max_flow(0, 99)


def test_flows_need_capacities():
    g = gs.Graph([0, 1], [1, 2], vertices=4)
    assert g.max_flow(0, 3) == 0 and g.max_flow(0, 2, unit=True) == 1
    with pytest.raises(ValueError, match="unbounded.*unit=True"):
        g.max_flow(0, 2)
    with pytest.raises(ValueError, match="expected weights of 0 or more"):
        gs.Graph([0, 1], [1, 2], [1, -2]).max_flow(0, 2)


@pytest.mark.parametrize("seed", range(3))
def test_pairs_agree_with_networkx(seed):
    expected = nx.gnm_random_graph(60, 200, seed=seed)
    g = gs.Graph.from_networkx(expected)
    pairs = [(u, v) for u in range(9) for v in range(20, 60)]
    found = g.similarity(pairs)
    assert found.labels("vertex") == [u for u, _ in pairs] and found.labels("other") == [v for _, v in pairs]
    for name, function in (("jaccard", nx.jaccard_coefficient), ("adamic_adar", nx.adamic_adar_index),
                           ("resource_allocation", nx.resource_allocation_index), ("preferential_attachment", nx.preferential_attachment)):
        assert found[name].tolist() == pytest.approx([p for _, _, p in function.orig_func(expected, pairs)])
    assert found["common_neighbours"].tolist() == [len(nx.common_neighbors(expected, u, v)) for u, v in pairs]
    like = g.similarity(of=3, by="adamic-adar")
    scores = {v: p for _, v, p in nx.adamic_adar_index.orig_func(expected, [(3, v) for v in expected if v != 3]) if p > 0}
    assert dict(zip(like.labels("other"), like["adamic_adar"].tolist())) == pytest.approx(scores)
    assert like["adamic_adar"].tolist() == sorted(like["adamic_adar"].tolist(), reverse=True)
    assert g.similarity(of=3, to=4)["jaccard"].tolist() == pytest.approx([p for _, _, p in nx.jaccard_coefficient.orig_func(expected, [(3, 4)])])


def test_pairs_that_are_none_are_refused():
    g = gs.Graph.from_networkx(nx.Graph([("a", "b"), ("b", "c")]))
    assert g.similarity([])["jaccard"].size == 0
    for wrong in ({}, {"pairs": [("a", "b")], "of": "a"}, {"to": "a"}):
        with pytest.raises(ValueError, match="expected pairs, or a vertex"):
            g.similarity(**wrong)
    for pair in ("ab", ("a", "b", "c")):
        with pytest.raises(ValueError, match="expected pairs of labels"):
            g.similarity([pair])
    with pytest.raises(KeyError):
        g.similarity([("a", "z")])


def test_neighbours_and_subgraphs_agree_with_networkx():
    for directed in (False, True):
        expected = nx.gnm_random_graph(60, 120, seed=2, directed=directed)
        for i, edge in enumerate(expected.edges):
            expected.edges[edge]["weight"] = i % 5 + 1
        g = gs.Graph.from_networkx(expected)
        for hops in (0, 1, 2, 9):
            found = g.neighbours(7, hops=hops)
            assert dict(zip(found.labels("vertex"), found["distance"].tolist())) == dict(
                nx.single_source_shortest_path_length.orig_func(expected, 7, cutoff=hops))
            near = nx.ego_graph.orig_func(expected, 7, hops)
            edges = g.subgraph(around=7, hops=hops, weights=True)
            assert edges.stats["members"] == len(near)
            got = {(u, v): w for u, v, w in zip(edges.labels("source"), edges.labels("target"), edges["weight"].tolist())}
            assert got == {(u, v) if directed else (min(u, v), max(u, v)): w for u, v, w in near.edges(data="weight")}
        part = g.subgraph(only=range(20))
        assert len(part["source"]) == expected.subgraph(range(20)).number_of_edges() and "weight" not in part
        largest = max(nx.weakly_connected_components.orig_func(expected) if directed else nx.connected_components.orig_func(expected), key=len)
        assert g.subgraph(largest=True).stats["members"] == len(largest)
        with pytest.raises(ValueError, match="expected one of"):
            g.subgraph()


def test_random_walks_follow_edges_and_the_seed():
    expected = nx.gnm_random_graph(50, 90, seed=4, directed=True)
    g = gs.Graph.from_networkx(expected)
    walks = g.random_walks(walks=2, steps=6, seed=3)
    assert list(walks) == [f"v{step}" for step in range(7)] and len(walks["v0"]) == 100
    for path in zip(*(walks.labels(name) for name in walks)):
        for u, v in zip(path, path[1:]):
            assert expected.has_edge(u, v) if v is not None else u is None or expected.out_degree(u) == 0
    again = g.random_walks(walks=2, steps=6, starts=[5, 1], seed=3)
    assert again["v6"].tolist() == [walks["v6"][i] for i in (10, 11, 2, 3)]
    assert len(g.random_walks(starts=[])["v0"]) == 0
    with pytest.raises(ValueError, match="expected weights to draw by"):
        g.random_walks(by_weights=True)
    heavy = gs.Graph([0, 0, 0], [1, 2, 3], [0, 0, 5]).random_walks(walks=50, steps=1, starts=[0], by_weights=True)
    assert set(heavy["v1"].tolist()) == {3}


@pytest.mark.parametrize("seed", range(4))
def test_a_shortest_path(seed):
    random = np.random.default_rng(seed)
    src, dst = random.integers(0, 40, (2, 90))
    weights = random.integers(1, 9, 90)
    g = gs.Graph(src, dst, weights, directed=seed % 2 == 1, vertices=40)
    expected = (nx.DiGraph if g.directed else nx.Graph)()
    expected.add_nodes_from(range(40))
    for u, v, w in zip(src.tolist(), dst.tolist(), weights.tolist()):
        if u != v:
            expected.add_edge(u, v, weight=min(w, expected.get_edge_data(u, v, {}).get("weight", w)))
    for target in range(40):
        found = g.path(0, target)
        if found is None:
            assert not nx.has_path.orig_func(expected, 0, target)
        else:
            assert (found[0], found[-1]) == (0, target)
            assert nx.path_weight(expected, found, "weight") == nx.dijkstra_path_length.orig_func(expected, 0, target)
    with pytest.raises(KeyError):
        g.path(0, 40)


@pytest.mark.parametrize("seed", range(4))
def test_the_condensation(seed):
    random = np.random.default_rng(seed)
    src, dst = random.integers(0, 60, (2, 90))
    plain = nx.DiGraph([(f"v{u}", f"v{v}") for u, v in zip(src, dst) if u != v])
    g = gs.Graph.from_networkx(plain)
    expected = nx.condensation.orig_func(plain)
    part = expected.graph["mapping"]
    made = g.condensation()
    name = {part[label]: label for label in reversed(g.label_list())}  # the smallest vertex of each
    arcs = {}
    for u, v in plain.edges:
        if part[u] != part[v]:
            arcs[name[part[u]], name[part[v]]] = arcs.get((name[part[u]], name[part[v]]), 0) + 1
    assert set(made.label_list()) == set(name.values()) and len(made) == len(expected)
    offsets, targets = made._library.rows()
    ends = np.repeat(np.arange(len(made)), np.diff(offsets.view(np.int64)))
    weights = np.asarray(made._library.weights()).tolist() if len(targets) else []
    assert {(made.label(u), made.label(int(v))): w for u, v, w in zip(ends.tolist(), targets, weights)} == arcs
    assert (ends < targets).all()  # in topological order
    assert made.topological().tolist() == [*range(len(made))]


def test_paths_between_all_pairs():
    g = gs.Graph([0, 1, 0, 2], [1, 2, 2, 3], [4, -3, 2, 1])
    rows = g.johnson(sources=[2, 0])
    assert rows["source"].tolist() == [2, 2, 0, 0, 0, 0] and rows["target"].tolist() == [2, 3, 0, 1, 2, 3]
    assert rows["distance"].tolist() == [0, 1, 0, 4, 1, 2] and rows["before"].tolist() == [2, 2, 0, 0, 1, 2]
    assert len(g.johnson()["source"]) == 10 and len(g.johnson(sources=[])["source"]) == 0
    with pytest.raises(KeyError):
        g.johnson(sources=[9])
    with pytest.raises(ValueError, match="expected no negative cycle, found 0 -> 1 -> 0"):
        gs.Graph([0, 1], [1, 0], [-2, 1]).johnson()


def test_edge_flows():
    made = nx.DiGraph()
    made.add_weighted_edges_from([("a", "b", 5.0), ("b", "c", 1.5), ("b", "d", 3), ("c", "e", 9)])
    g = gs.Graph.from_networkx(made)
    flows = g.edge_flows("a", "c")
    assert (flows.stats["value"], flows.labels("source"), flows.labels("target"), flows["flow"].tolist()) == (1.5, ["a", "b"], ["b", "c"], [1.5, 1.5])
    assert g.edge_flows("a", "d", unit=True)["flow"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="expected two vertices"):
        g.edge_flows("a", "a")
    with pytest.raises(KeyError):
        g.edge_flows("a", "z")


def test_closeness_from_a_sample():
    g = gs.kron(8)
    exact = [g.closeness(), g.harmonic()]
    assert "harmonic_error" not in exact[0].stats
    some = g.harmonic(samples=40, seed=3)
    assert (some.stats["sources"], some.stats["exact"]) == (40, False)
    assert np.abs(some.array - exact[1].array).max() <= some.stats["harmonic_error"] < len(g)
    assert (g.harmonic(samples=40, seed=3).array == some.array).all() and (g.harmonic(samples=40, seed=4).array != some.array).any()
    for method, right in zip((g.closeness, g.harmonic), exact):
        every = method(samples=len(g))
        assert np.allclose(every.array, right.array, rtol=1e-12) and every.stats["harmonic_error"] == 0
    ring = gs.Graph(np.arange(400), (np.arange(400) + 1) % 400, directed=False)
    close = ring.closeness(error=0.25)
    assert close.stats["sources"] < 100 and np.abs(1 / close.array - 1 / ring.closeness().array).max() <= close.stats["distance_error"] <= 100
    for wrong in ({"samples": 1}, {"error": 0}, {"error": 1}, {"samples": 5, "error": 0.5}):
        with pytest.raises(ValueError, match="samples|error"):
            g.closeness(**wrong)


def test_a_flag_that_is_neither_true_nor_false():
    with pytest.raises(ValueError, match="truth value"):
        gs.kron(4).betweenness(normalized=np.array([True, False]))


def test_the_diameter_of_what_is_not_connected():
    assert gs.Graph([0, 1, 3], [1, 2, 4], directed=False).diameter() == 2
    with pytest.raises(ValueError, match="strongly connected"):
        gs.Graph([0, 1], [1, 2]).diameter()


def test_betweenness_of_samples_is_the_same_for_a_seed():
    g = gs.kron(8)
    assert np.allclose(g.betweenness(k=7, seed=5), g.betweenness(k=7, seed=5), rtol=1e-12)
    assert g.betweenness(k=7).stats["sources"] == 7


def test_matrices():
    scipy = pytest.importorskip("scipy.sparse")
    dense = np.array([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    for form in (scipy.csr_array, scipy.csc_matrix, scipy.coo_array):
        g = gs.Graph.from_scipy(form(dense))
        assert arcs(g) == {(0, 1), (1, 2)} and len(g) == 3
    assert np.array_equal(g.to_scipy().toarray(), dense)
    with pytest.raises(ValueError, match="2 and 3"):
        gs.Graph.from_scipy(scipy.csr_array((2, 3)))
    with pytest.raises(TypeError, match="ndarray"):
        gs.Graph.from_scipy(dense)


def test_networkx_views_and_multigraphs():
    big = nx.MultiDiGraph([(0, 1), (0, 1), (1, 2), (2, 3)])
    assert arcs(gs.Graph.from_networkx(big)) == {(0, 1), (1, 2), (2, 3)}
    assert gs.Graph.from_networkx(nx.path_graph(5).subgraph([1, 2, 4])).edges == 1


def test_files_come_back(tmp_path, names):
    for ending in ("tsv.gz", "gsg"):
        names.write(tmp_path / f"copy.{ending}")
        again = gs.read(tmp_path / f"copy.{ending}")
        assert sorted(again.labels()) == sorted(names.labels()) and again.edges == names.edges
    with gzip.open(tmp_path / "copy.tsv.gz", "rt") as text:
        assert "apple\tbanana" in text.read()


@pytest.mark.parametrize("arguments", [{"alpha": 1.0}, {"tol": 0}, {"tol": float("nan")}, {"max_iter": 0}])
def test_pagerank_refuses(arguments):
    with pytest.raises(ValueError, match="expected"):
        gs.Graph([0], [1]).pagerank(**arguments)


def test_pagerank_says_that_it_has_not_converged():
    with pytest.warns(RuntimeWarning, match="2 iterations"):
        assert not gs.kron(6).pagerank(max_iter=2).stats["converged"]


def test_answers_outlive_their_graph():
    scores, offsets = gs.kron(8).pagerank(), gs.kron(8)._library.rows()[0]
    assert abs(scores.sum() - 1) < 1e-6 and offsets[-1] > 0 and len(scores.top(3)) == 3


@pytest.mark.parametrize("seed", range(1, 4))
def test_centralities_by_iteration_agree_with_networkx(seed):
    expected = nx.gnm_random_graph(60, 250, seed=seed, directed=seed % 2 == 1)
    for i, (u, v) in enumerate(expected.edges):
        expected[u][v]["weight"] = i % 9 + 0.5
    g = gs.Graph.from_networkx(expected)
    assert g.weighted
    exact = {"tol": 1e-13, "max_iter": 5000}
    close = lambda found, theirs: found.by_label() == pytest.approx(theirs, abs=1e-9)  # noqa: E731
    assert close(g.eigenvector(**exact), nx.eigenvector_centrality.orig_func(expected, tol=1e-14, max_iter=5000))
    by_weights = g.eigenvector(weighted=True, **exact)
    assert close(by_weights, nx.eigenvector_centrality.orig_func(expected, tol=1e-14, max_iter=5000, weight="weight"))
    assert by_weights.stats["components"] == 1 and by_weights.stats["eigenvalue"] > 9
    assert close(g.katz(alpha=0.01, **exact), nx.katz_centrality.orig_func(expected, alpha=0.01, tol=1e-14))
    assert close(g.katz(alpha=0.001, beta=3, raw=True, weighted=True, **exact),
                 nx.katz_centrality.orig_func(expected, alpha=0.001, beta=3, normalized=False, weight="weight", tol=1e-14))
    hubs, authorities = nx.hits.orig_func(expected)
    found = g.hits(**exact)
    assert close(found, authorities) and dict(zip(g.labels(), found.hubs)) == pytest.approx(hubs, abs=1e-9)
    assert not found.hubs.flags.writeable and not close(g.hits(unweighted=True, **exact), authorities)
    some = {5: 2.0, 11: 1.0}
    theirs = nx.pagerank.orig_func(expected, personalization=some, dangling={3: 1}, tol=1e-14)
    assert close(g.pagerank(tol=1e-13, personalization=some, dangling={3: 1}), theirs)
    as_array = np.zeros(60, np.float32)
    as_array[[5, 11]] = 2, 1
    assert close(g.pagerank(tol=1e-13, personalization=as_array, dangling={3: 1}), theirs)
    assert close(g.pagerank(tol=1e-13, unweighted=True), nx.pagerank.orig_func(expected, tol=1e-14, weight=None))


def test_a_series_of_labels_is_taken_by_its_labels():
    pandas = pytest.importorskip("pandas")
    expected = nx.path_graph([2, 0, 1])
    g = gs.Graph.from_networkx(expected)
    scores = {0: 1.0, 1: 0.0, 2: 0.0}
    by_label = g.pagerank(personalization=scores).array.tolist()
    for index in ([0, 1, 2], [1, 0, 2], [2, 0, 1]):
        assert g.pagerank(personalization=pandas.Series({k: scores[k] for k in index})).array.tolist() == by_label
    assert g.pagerank(personalization=np.array([0.0, 1.0, 0.0])).array.tolist() == by_label


def test_labels_of_other_types_are_no_vertices():
    integers, names = gs.Graph([0, 1], [1, 2]), gs.Graph.from_networkx(nx.Graph([("a", "b")]))
    scores = integers.pagerank().by_label()
    assert "1" not in scores and scores.get("1", 7) == 7 and scores.get((1, 2), 7) == 7 and 1 in scores
    with pytest.raises(KeyError):
        scores["1"]
    with pytest.raises(KeyError):
        integers.pagerank(personalization={"1": 1.0})
    assert names.pagerank().by_label().get(5, 0.0) == 0.0


def test_tuples_are_labels_of_a_frame():
    pandas = pytest.importorskip("pandas")
    frame = gs.Graph.from_networkx(nx.grid_2d_graph(2, 2)).pagerank().to_frame()
    assert frame.index.tolist() == [(0, 0), (0, 1), (1, 0), (1, 1)] and not isinstance(frame.index, pandas.MultiIndex)


@pytest.mark.parametrize("seed", range(1, 4))
def test_betweenness_of_edges_and_by_weights_agrees_with_networkx(seed):
    expected = nx.gnm_random_graph(60, 200, seed=seed, directed=seed % 2 == 1)
    for i, (u, v) in enumerate(expected.edges):
        expected[u][v]["weight"] = i % 4 + 1
    g = gs.Graph.from_networkx(expected)
    assert g.betweenness(weighted=True).by_label() == pytest.approx(nx.betweenness_centrality.orig_func(expected, weight="weight"))
    for weight in (None, "weight"):
        for normalized in (True, False):
            found = g.edge_betweenness(weighted=weight is not None, normalized=normalized)
            theirs = nx.edge_betweenness_centrality.orig_func(expected, weight=weight, normalized=normalized)
            assert found.by_edge() == pytest.approx(theirs) and len(found) == g.edges and found.stats["sources"] <= 60
            (u, v, score), *_ = found.top(3)
            assert score == pytest.approx(max(theirs.values())) and theirs[u, v] == pytest.approx(score)
    assert g.edge_betweenness(k=7, seed=3).stats["sources"] == 7
    assert not found.scores.flags.writeable and "edges" in repr(found)


def test_betweenness_refuses_lengths_of_zero():
    g = gs.Graph.from_networkx(nx.Graph([("a", "b", {"weight": 2}), ("b", "c", {"weight": 0})]))
    for call in (g.betweenness, g.edge_betweenness):
        with pytest.raises(ValueError, match="expected weights above 0, found 0 from 'b' to 'c'"):
            call(weighted=True)
    with pytest.raises(ValueError, match="k: expected 1 or more, found 0"):
        g.edge_betweenness(k=0)
    with pytest.raises(ValueError, match=f"k: expected at most {2**64 - 1}, found {2**64}"):
        g.edge_betweenness(k=2**64)
    for call in (g.betweenness, g.edge_betweenness):
        with pytest.raises(TypeError, match="k: expected a whole number, found 1.5"):
            call(k=1.5)
        with pytest.raises(ValueError, match="seed: expected 0 or more, found -1"):
            call(seed=-1)
        with pytest.raises(ValueError, match="seed: expected at most 18446744073709551615, found 18446744073709551616"):
            call(seed=2**64)
    with pytest.raises(TypeError, match="seed: expected a whole number, found 1.5"):
        gs.uniform(2, seed=1.5)
    with pytest.raises(TypeError, match="k: expected a number, found 'x'"):
        g.k_truss("x")
    assert gs.Graph([0], [1]).edge_betweenness().top() == [(0, 1, 0.5)]


def test_centralities_refuse():
    g = gs.Graph([0, 1], [1, 2], [1, -2])
    for call in (g.pagerank, g.hits, lambda: g.katz(weighted=True), lambda: g.eigenvector(weighted=True)):
        with pytest.raises(ValueError, match="expected weights of 0 or more, found -2 from 1 to 2"):
            call()
    with pytest.raises(ValueError, match="expected a graph with a cycle"):
        g.eigenvector()
    with pytest.raises(ValueError, match="alpha 0.7 is too large, scores grow without end: expected less than 0.5"):
        gs.Graph([0, 1, 2], [1, 2, 0], directed=False).katz(alpha=0.7)
    for values, said in (({0: -1}, "finite values of 0 or more"), ({0: 0}, "of which one is more"), ([1, 2], "a value for each of 3 vertices"),
                         ([1, np.nan, 1], "finite values")):
        with pytest.raises(ValueError, match=said):
            g.pagerank(personalization=values, unweighted=True)
    with pytest.raises(KeyError, match="9"):
        g.pagerank(dangling={9: 1}, unweighted=True)
    with pytest.warns(RuntimeWarning, match="2 iterations"):
        assert not gs.kron(6).eigenvector(max_iter=2).stats["converged"]


@pytest.mark.parametrize("seed", range(1, 6))
def test_topological_order_agrees_with_networkx(seed):
    random = nx.gnp_random_graph(80, 0.05, seed=seed, directed=True)
    for expected in (nx.DiGraph([(min(e), max(e)) for e in random.edges]), random):
        g = gs.Graph.from_networkx(expected)
        order = g.topological()
        assert order.stats["acyclic"] is nx.is_directed_acyclic_graph.orig_func(expected)
        if order.stats["acyclic"]:
            assert g.find_cycle() == []
            levels = dict(zip(order.by_label(), order.levels.tolist()))
            assert all(levels[v] == level for level, some in enumerate(nx.topological_generations.orig_func(expected)) for v in some)
            assert all(order.by_label()[u] < order.by_label()[v] for u, v in expected.edges)
        else:
            cycle = g.find_cycle()
            assert len(set(cycle)) == len(cycle) >= 2 and all(expected.has_edge(u, v) for u, v in zip(cycle, cycle[1:] + cycle[:1]))
            assert (order < 0).any()
    with pytest.raises(ValueError, match="expected a directed graph, found an undirected one"):
        gs.Graph([0], [1], directed=False).topological()


@pytest.mark.parametrize("seed", range(1, 4))
def test_spanning_trees_by_weights_agree_with_networkx(seed):
    expected = nx.gnm_random_graph(70, 300, seed=seed)
    for i, edge in enumerate(expected.edges):
        expected.edges[edge]["weight"] = i * 7919 % 101 - 20
    tree = gs.Graph.from_networkx(expected).spanning_tree()
    found = {frozenset(edge) for edge in zip(tree.by_label(), tree.tolist()) if edge[0] != edge[1]}
    lightest = nx.minimum_spanning_tree.orig_func(expected)
    assert tree.stats["weight"] == sum(weight for _, _, weight in lightest.edges(data="weight"))
    assert len(found) == lightest.number_of_edges() and all(expected.has_edge(*edge) for edge in found)


def test_values_of_vertices_are_numbers_in_order_or_by_label():
    g = gs.Graph([0, 1], [1, 2])
    for wrong in (np.ma.array([1, 2, 3], mask=[0, 0, 1]), ["1", "2", "3"], np.array([1, 2, 3j])):
        with pytest.raises(TypeError, match="personalization: expected"):
            g.pagerank(personalization=wrong)
    pd = pytest.importorskip("pandas")
    by_label = g.pagerank(personalization={2: 1.0, 1: 0.0, 0: 0.0}).tolist()
    assert g.pagerank(personalization=pd.Series({2: 1.0, 1: 0.0, 0: 0.0})).tolist() == by_label
    assert g.pagerank(personalization=pd.Series([0.0, 0.0, 1.0])).tolist() == by_label


def test_a_text_is_not_several_labels(tmp_path):
    (tmp_path / "g.csv").write_text("src,dst\n1,2\n")
    g = gs.Graph([0, 1], [1, 2])
    for call in (lambda: g.subgraph(only="01"), lambda: g.random_walks(starts="01"), lambda: g.johnson(sources="01")):
        with pytest.raises(TypeError, match="expected several labels, found '01'"):
            call()
    with pytest.raises(TypeError, match="columns: expected a sequence of names or numbers, found 'src'"):
        gs.read(tmp_path / "g.csv", columns="src")


def test_labels_belong_to_the_caller():
    for g in (gs.Graph([10**12, 5], [5, 7], compact=True), gs.Graph([0, 1], [1, 2])):
        first = g.labels()[0]
        g.labels()[0] = 9
        assert g.labels()[0] == first


def test_write_raises_what_open_raises(tmp_path):
    g = gs.Graph([0, 1, 2], [1, 2, 0], directed=False)
    with pytest.raises(FileNotFoundError):
        g.write(tmp_path / "none" / "x.tsv")
    with pytest.raises(IsADirectoryError):
        g.write(tmp_path)


def test_copies_of_distances_have_no_labels():
    d = gs.Graph([0, 1], [1, 2]).bfs(0)
    assert d.by_label() == {0: 0, 1: 1, 2: 2}
    with pytest.raises(ValueError, match="labels"):
        d.copy().by_label()
