"""Which calls of NetworkX the backend takes: stale conversions, questions about few nodes, processes without cores."""

import contextlib
import copy
import itertools
import math
import pickle

import networkx as nx
import numpy as np
import pytest
from conftest import random_graph
from test_life import run

import gossamer as gs
from gossamer.networkx_backend import backend, cost, functions
from gossamer_networkx.table import TABLE


def converted(g):
    """Return the graph, with a conversion."""
    nx.number_of_isolates(g, backend="gossamer")
    assert backend.should_run("number_of_isolates", (g,), {}) is True
    return g


# Conversions that NetworkX keeps.


def test_answers_where_the_cache_is_switched_off():
    g = nx.path_graph(10)
    g.__networkx_cache__ = None
    assert nx.is_connected(g, backend="gossamer") and len(nx.pagerank(g, backend="gossamer")) == 10
    with nx.config(backend_priority=["gossamer"]):
        assert nx.is_connected(g) and nx.number_of_isolates(g) == 0
    assert "small" in backend.should_run("connected_components", (g,), {})


def test_a_failed_conversion_is_none():
    g = nx.path_graph(60_000)
    nx.set_edge_attributes(g, "2", "weight")
    with nx.config(backend_priority=["gossamer"]):
        nx.pagerank(g, max_iter=1000)
    assert g.__networkx_cache__["backends"]["gossamer"]
    assert "small" in backend.should_run("degree_centrality", (g,), {})
    assert backend.should_run("number_connected_components", (g,), {}) is True  # for its size


@pytest.mark.parametrize("some", [np.array([0, 1]), {0, 1}, [0, 1], (0, 1), np.arange(0)], ids=repr)
def test_arrays_of_nodes_are_left_to_networkx(some):
    g = nx.gnm_random_graph(50, 200, seed=1)
    for name, parameter in (("clustering", "nodes"), ("triangles", "nodes"), ("average_clustering", "nodes"), ("average_neighbor_degree", "nodes"),
                            ("harmonic_centrality", "nbunch"), ("eccentricity", "v"), ("bfs_layers", "sources"), ("node_boundary", "nbunch1")):
        with nx.config(backend_priority=["gossamer"]):
            ours, theirs = (listed_or_error(f, g, {parameter: some}) for f in (getattr(nx, name), getattr(nx, name).orig_func))
        assert ours == theirs, name


def listed_or_error(f, g, words):
    try:
        found = f(g, **words)
        return found if isinstance(found, (int, float)) else list(found.items() if isinstance(found, dict) else found)
    except Exception as raised:
        return repr(raised)


def test_a_conversion_without_weights_is_none_for_a_question_of_weights():
    g = converted(nx.path_graph(10))
    assert "small" in backend.should_run("pagerank", (g,), {})
    assert backend.should_run("pagerank", (g,), {"weight": None}) is True
    nx.pagerank(g, backend="gossamer")
    assert backend.should_run("pagerank", (g,), {}) is True


VIEWS = {
    "subgraph": lambda g: g.subgraph(range(200)),
    "subgraph of a subgraph": lambda g: g.subgraph(range(300)).subgraph(range(200)),
    "filtered": lambda g: nx.subgraph_view(g, filter_node=lambda node: node < 200),
    "edges": lambda g: g.edge_subgraph([(n, n + 1) for n in range(0, 200, 2)]),
    "reversed": lambda g: g.reverse(copy=False) if g.is_directed() else nx.graphviews.generic_graph_view(g),
    "the other kind": lambda g: g.to_undirected(as_view=True) if g.is_directed() else g.to_directed(as_view=True),
    "copy": lambda g: g.copy(as_view=True),
}


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("kind", VIEWS)
def test_a_view_shows_todays_graph(kind, directed):
    g = nx.path_graph(200, nx.DiGraph if directed else nx.Graph)
    view = VIEWS[kind](g)
    name = "number_weakly_connected_components" if view.is_directed() else "number_connected_components"
    ask = getattr(nx, name)
    for ends in ((3, 4), (10, 11), (150, 151)):
        assert ask(view, backend="gossamer") == ask(view, backend="networkx")
        assert nx.pagerank(view, backend="gossamer") == pytest.approx(nx.pagerank(view, backend="networkx"), abs=1e-5)
        g.remove_edge(*ends)
        assert ask(view, backend="gossamer") == ask(view, backend="networkx")


def test_a_view_is_not_converted_for_one_pass():
    g = nx.empty_graph(60_000)
    assert backend.should_run("number_connected_components", (g,), {}) is True
    assert "view" in backend.should_run("number_connected_components", (g.subgraph(range(59_000)),), {})


@pytest.mark.parametrize("copied", [lambda g: pickle.loads(pickle.dumps(g)), copy.copy, copy.deepcopy], ids=["pickle", "copy", "deepcopy"])
def test_graphs_are_copied_with_their_conversions(copied):
    g = converted(nx.path_graph(10))
    other = copied(g)
    assert nx.number_connected_components(other, backend="gossamer") == 1
    other.remove_edge(4, 5)
    assert nx.number_connected_components(other, backend="gossamer") == nx.number_connected_components.orig_func(other) == 2


# What a question costs.


@pytest.mark.parametrize("most", [0, 10, 1000])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_look_is_bounded_and_counts_what_a_search_does(seed, most):
    g = random_graph(seed, directed=seed % 2 == 0)
    for node in list(g)[::5]:
        exact = sum(g.out_degree(n) if g.is_directed() else g.degree(n) for n in {node} | nx.descendants.orig_func(g, node))
        found = cost.of_search(cost.forwards(g), node, most)
        assert found == exact if exact <= most else found > most
        assert cost.of_search(cost.forwards(g), node, math.inf, levels=0) == 0
        assert cost.of_search(cost.forwards(g), node, math.inf, levels=1) == len(g[node])


class Counted:
    """A row that counts how often it is walked through."""

    walked = 0

    def __init__(self, row):
        self.row = row

    def __len__(self):
        return len(self.row)

    def __iter__(self):
        Counted.walked += len(self.row)
        return iter(self.row)


def test_a_look_does_not_walk_the_graph():
    g = nx.gnm_random_graph(5_000, 40_000, seed=1)
    most = cost.of_one_search(len(g))
    rows = ({node: Counted(row) for node, row in g._adj.items()},)
    assert cost.of_search(rows, 0, most) > most and 0 < Counted.walked <= most
    star = nx.star_graph(100_000)
    assert cost.of_search(cost.forwards(star), 0, 1000) == 100_000  # and not one set of them


def test_the_way_between_two_nodes_is_met():
    path = nx.path_graph(10_000)
    assert cost.of_way(path, 5, 5, 100) == 0 and cost.of_way(path, 5, 6, 100) <= 4 and cost.of_way(path, 0, 9_999, 100) > 100
    assert cost.of_way(nx.DiGraph([(0, 1), (2, 1)]), 0, 2, 100) <= 3
    assert cost.of_way(nx.empty_graph(5), 0, 4, 100) == 0


def islands():
    """Return 40,000 nodes in a path, and pairs: 100,000 nodes."""
    g = nx.path_graph(40_000)
    g.add_edges_from((n, n + 1) for n in range(40_000, 100_000, 2))
    return g


SMALL, LARGE = 40_000, 20_000  # a node of a pair, and one of the path
QUESTIONS = {  # of one small answer, and of a large one
    "has_path": [((SMALL, LARGE), {}), ((LARGE, 39_999), {})],
    "shortest_path_length": [((SMALL, SMALL + 1), {}), ((LARGE,), {})],
    "node_connected_component": [((SMALL,), {}), ((LARGE,), {})],
    "single_source_shortest_path_length": [((LARGE,), {"cutoff": 3}), ((LARGE,), {})],
    "descendants": [((SMALL,), {}), ((LARGE,), {})],
    "ancestors": [((SMALL,), {}), ((LARGE,), {})],
    "descendants_at_distance": [((LARGE, 2), {}), ((LARGE, 19_000), {})],
    "closeness_centrality": [((), {"u": SMALL}), ((), {"u": LARGE})],
    "eccentricity": [((), {"v": SMALL}), ((), {"v": LARGE})],
    "all_pairs_shortest_path_length": [((), {"cutoff": 1}), ((), {})],
}


@pytest.mark.parametrize("has_conversion", [False, True], ids=["new", "converted"])
def test_small_questions_about_large_graphs_stay_with_networkx(has_conversion):
    g = converted(islands()) if has_conversion else islands()
    for name, ((args, kwargs), (large_args, large_kwargs)) in QUESTIONS.items():
        assert "question is small" in str(backend.should_run(name, (g, *args), kwargs)), name
        assert backend.should_run(name, (g, *large_args), large_kwargs) is True, name
    for name in ("has_path", "descendants", "node_connected_component"):  # NetworkX says what is wrong with them
        rest = (LARGE,) if name == "has_path" else ()
        assert "question is small" in backend.should_run(name, (g, "absent", *rest), {})
        assert "question is small" in backend.should_run(name, (g, [], *rest), {})


def test_a_first_component_decides():
    first_is_small = nx.Graph([(0, 1)])
    nx.add_path(first_is_small, range(2, 80_000))
    assert "question is small" in backend.should_run("is_connected", (first_is_small,), {})
    assert backend.should_run("is_connected", (nx.path_graph(80_000),), {}) is True
    assert backend.should_run("is_weakly_connected", (nx.path_graph(80_000, nx.DiGraph),), {}) is True
    assert "question is small" in backend.should_run("is_tree", (nx.cycle_graph(80_000),), {})


def test_searches_from_every_node_are_sampled():
    pairs = nx.Graph((n, n + 1) for n in range(0, 60_000, 2))
    for name in ("closeness_centrality", "harmonic_centrality", "all_pairs_shortest_path_length"):
        assert "question is small" in backend.should_run(name, (pairs,), {})
        assert backend.should_run(name, (islands(),), {}) is True  # most pairs of nodes are in the path


def test_every_question_of_the_costs_is_a_function():
    assert cost.SEARCHES.keys() <= TABLE.keys()
    assert "neither" in backend.can_run("shortest_path_length", (nx.path_graph(3),), {})


SOURCES = {
    "keys": lambda some: dict.fromkeys(some).keys(), "dict": dict.fromkeys, "list": list, "tuple": tuple, "set": set, "iterator": iter,
    "twice": lambda some: [*some, *some], "generator": lambda some: (node for node in some), "values": lambda some: dict(enumerate(some)).values(),
}


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("kind", SOURCES)
def test_layers_from_many_sources(kind, directed):
    g = random_graph(3, directed)
    for step in (1, 2, 7, 25):
        ours, theirs = (list(nx.bfs_layers(g, SOURCES[kind](list(g)[::step]), backend=b)) for b in ("gossamer", "networkx"))
        if kind not in ("iterator", "generator") or theirs:  # of which NetworkX has used up the first copy
            assert [sorted(map(str, layer)) for layer in ours] == [sorted(map(str, layer)) for layer in theirs]


def test_layers_from_nodes_that_are_numbers():
    g = nx.gnm_random_graph(500, 900, seed=3)
    for sources in (range(300), np.arange(0, 500, 3), g.nodes, g.subgraph(range(20)).nodes, g.adj):
        ours, theirs = (list(map(sorted, nx.bfs_layers(g, sources, backend=b))) for b in ("gossamer", "networkx"))
        assert ours == theirs


@pytest.mark.parametrize("sources", [7, 5.5, None, [0, 7], "x", (1, 2)], ids=repr)
def test_layers_from_what_is_no_node_are_as_by_networkx(sources):
    ours, theirs = (listed_or_error(lambda g, b=b: nx.bfs_layers(g, sources, backend=b), nx.path_graph(3), {}) for b in ("gossamer", "networkx"))
    assert ours == theirs


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_layers_go_on_as_one_search(seed, directed, monkeypatch):
    g = random_graph(seed, directed)
    monkeypatch.setattr(cost, "of_one_search", lambda nodes: 0)  # at the first layer with neighbours
    for node in list(g)[::4]:
        ours, theirs = (list(nx.bfs_layers(g, node, backend=b)) for b in ("gossamer", "networkx"))
        assert [sorted(map(str, layer)) for layer in ours] == [sorted(map(str, layer)) for layer in theirs]


def test_layers_are_searched_for_as_they_are_asked_for(monkeypatch):
    g = nx.path_graph(2_000)
    monkeypatch.setattr(functions, "_levels", lambda *_: pytest.fail("a whole search"))
    for sources in (1_000, [1_000, 5], g.nodes):
        assert sum(map(len, itertools.islice(nx.bfs_layers(g, sources, backend="gossamer"), 3))) <= 2_000
    assert "small" in backend.should_run("bfs_layers", (nx.path_graph(60_000), 0), {})


def test_the_first_component_is_searched_for_alone(monkeypatch):
    g = islands()
    small_first = nx.Graph()
    small_first.add_nodes_from([SMALL, SMALL + 1])
    small_first.add_edges_from(g.edges)
    expected = sorted(map(len, nx.connected_components.orig_func(g)))
    for each in (g, small_first, nx.Graph(), nx.path_graph(3)):
        ours, theirs = (sorted(map(sorted, nx.connected_components(each, backend=b))) for b in ("gossamer", "networkx"))
        assert ours == theirs
    assert expected == sorted(map(len, nx.connected_components(small_first, backend="gossamer")))
    monkeypatch.setattr(gs.Graph, "components", lambda _: pytest.fail("a search for all"))
    assert next(nx.connected_components(small_first, backend="gossamer")) == {SMALL, SMALL + 1}


# Where there are no cores.


def test_networkx_answers_in_a_fork():
    assert run("""
import os, warnings
import networkx as nx, gossamer as gs
warnings.simplefilter("ignore")
nx.config.backend_priority = ["gossamer"]
g = nx.path_graph(60_000)
g.remove_edge(7, 8)
h = gs.Graph.from_networkx(g)
ask = (nx.number_connected_components, nx.is_connected, lambda g: len(nx.pagerank(g, max_iter=2000)), lambda g: len(list(nx.connected_components(g))),
       lambda g: list(map(sorted, nx.bfs_layers(g, 4))))
expected = [f(g) for f in ask]
child = os.fork()
if child == 0:
    assert [f(g) for f in ask] == expected and nx.is_connected(nx.path_graph(60_000))
    try:
        nx.is_connected(h)  # no graph of NetworkX: it has no answer
    except gs.JobError as why:
        assert "spawn" in str(why)
        nx.config.fallback_to_nx = True
        os._exit(0 if nx.is_connected(h) is False else 5)
    os._exit(4)
print(os.waitpid(child, 0)[1], expected[:4], nx.number_connected_components(g))
""") == (0, "0 [2, False, 60000, 2] 2\n", "")


def test_networkx_answers_in_a_simulation():
    assert run("""
import networkx as nx
nx.config.backend_priority = ["gossamer"]
print(nx.number_connected_components(nx.path_graph(60_000)))
""", GOSSAMER_SIMULATE="processes=2") == (0, "1\n", "")


def test_says_why_there_are_no_cores():
    assert gs._core.refusal() == ""
    code, out, _ = run("""
import os, gossamer as gs
gs.kron(4)
child = os.fork()
if child == 0:
    from gossamer.networkx_backend import backend
    import networkx as nx
    os._exit(0 if "spawn" in backend.can_run("is_connected", (nx.path_graph(3),), {}) else 4)
print(os.waitpid(child, 0)[1])
""")
    assert (code, out) == (0, "0\n")


# Who answered what.


def test_the_report_tells_who_answered_and_why():
    gs.networkx_report(clear=True)
    assert repr(gs.networkx_report()) == "no call of NetworkX has asked the backend"
    g = nx.gnm_random_graph(40, 90, seed=1)
    with nx.config(backend_priority=["gossamer"]):
        nx.core_number(g)  # too small
        nx.pagerank(g, nstart={0: 1})
    nx.core_number(g, backend="gossamer")
    nx.core_number(g, backend="gossamer")
    with pytest.raises(nx.NetworkXNotImplemented):
        nx.core_number(nx.Graph([(1, 1)]), backend="networkx")  # not offered to the backend
    report = gs.networkx_report()
    ours, *left = report
    assert ours[:3] == ("core_number", "gossamer", 2) and ours.seconds > 0
    assert ours.conversions == 1 and ours.conversion_seconds > 0  # NetworkX keeps it
    assert [(row.function, row.answered_by, row.calls) for row in left] == [("core_number", "networkx", 1), ("pagerank", "networkx", 1)]
    assert left[0].reason.startswith("the graph is too small to convert") and left[1].reason == "nstart is given"
    lines = repr(report).splitlines()
    assert lines[0].split() == "function answered by calls seconds conversions their seconds why not by gossamer".split() and len(lines) == 4
    assert "<td>nstart is given</td>" in report._repr_html_()
    assert len(gs.networkx_report(clear=True)) == 3 and not gs.networkx_report()


def test_the_report_keeps_few_reasons():
    gs.networkx_report(clear=True)
    with nx.config(backend_priority=["gossamer"]):
        for n in range(10, 30):
            nx.core_number(nx.path_graph(n))
    rows = gs.networkx_report(clear=True)
    assert sum(row.calls for row in rows) == 20 and len(rows) <= 9 and any(row.reason == "other reasons" for row in rows)


def test_the_report_counts_what_a_function_leaves():
    gs.networkx_report(clear=True)
    with nx.config(backend_priority=["gossamer"]):
        assert nx.transitivity(nx.complete_graph(5)) == 1
    loops = nx.Graph([(1, 1), (1, 2)])
    with pytest.raises(NotImplementedError):
        nx.is_tree(loops, backend="gossamer")
    rows = [row for row in gs.networkx_report(clear=True) if row.function == "is_tree"]
    assert ("networkx", 1) in [row[1:3] for row in rows] and any("self-loops" in row.reason for row in rows)


def test_undirected_views_of_directed_graphs_have_two_weights_an_edge():
    D = nx.DiGraph()
    D.add_edge(0, 1, weight=1)
    D.add_edge(1, 0, weight=3)
    view = D.to_undirected(as_view=True)
    for graph in (view, nx.subgraph(view, [0, 1])):
        with pytest.raises(NotImplementedError, match="view of a directed graph"):
            backend.convert_from_nx(graph, edge_attrs={"weight": 1}, name="single_source_dijkstra_path_length")
        with pytest.raises(ValueError, match="view of a directed graph"):
            gs.Graph.from_networkx(graph)
        with nx.config(backend_priority=["gossamer"]):
            assert nx.single_source_dijkstra_path_length(graph, 1) == {1: 0, 0: 3}
    assert backend.can_run("number_connected_components", (view,), {}) is True
    for edges, refused in (([(0, 1, 2)], False), ([(0, 1, 2), (1, 0, 2)], False), ([(0, 1, 2), (1, 0, 3)], True)):
        multi = nx.MultiDiGraph()
        multi.add_weighted_edges_from(edges)
        with pytest.raises(ValueError, match="view of a directed") if refused else contextlib.nullcontext():
            assert gs.Graph.from_networkx(multi.to_undirected(as_view=True)).sssp(0).tolist() == [0, 2]
    D[1][0]["weight"] = 1
    assert nx.single_source_dijkstra_path_length(view, 1, backend="gossamer") == {1: 0, 0: 1}
