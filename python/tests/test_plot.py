"""Pictures of results: what the axes hold, against counts by Python and NetworkX."""

import collections
import sys

import networkx as nx
import numpy as np
import pytest
from arrow_by_hand import Table
from conftest import random_graph

import gossamer as gs

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
from matplotlib import pyplot as plt  # noqa: E402


@pytest.fixture(autouse=True)
def no_windows(monkeypatch):
    """Closes figures; fails a test in which something is shown."""
    monkeypatch.setattr(plt, "show", lambda *a, **k: pytest.fail("a window is shown"))
    yield
    plt.close("all")


def points(ax):
    (line,) = ax.lines
    return list(zip(line.get_xdata(), line.get_ydata()))


def heights(ax):
    return [bar.get_height() for bar in ax.patches]


def rows(ax):
    """Return the names and lengths of horizontal bars, as they stand from the top."""
    names = [label.get_text() for label in ax.get_yticklabels()]
    bars = sorted(ax.patches, key=lambda bar: bar.get_y() + bar.get_height() / 2, reverse=not ax.yaxis_inverted())
    return names, [bar.get_width() for bar in bars]


def counted(values):
    return sorted((value, n) for value, n in collections.Counter(values).items() if value > 0)


def test_components(drawn):
    ax = gs.Graph.from_networkx(drawn).components().plot()
    assert points(ax) == counted(map(len, nx.connected_components(drawn.to_undirected())))
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("size (vertices)", "components")
    found = gs.Graph.from_networkx(drawn).communities()
    ax = found.plot()
    assert points(ax) == counted(map(len, found.groups()))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("size (vertices)", "communities")


def test_levels(drawn):
    source = max(drawn, key=drawn.degree)
    ax = gs.Graph.from_networkx(drawn).bfs(source).plot()
    per_level = collections.Counter(nx.single_source_shortest_path_length(drawn, source).values())
    assert heights(ax) == [per_level[level] for level in range(max(per_level) + 1)]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("level (edges from the source)", "vertices")


@pytest.mark.parametrize("name, label", [("degree", "degree"), ("in_degree", "in-degree"), ("out_degree", "out-degree")])
def test_degrees(drawn, name, label):
    theirs = dict(getattr(drawn, name if drawn.is_directed() else "degree")())
    ax = getattr(gs.Graph.from_networkx(drawn), name)().plot()
    zeros = list(theirs.values()).count(0)
    assert zeros > 0 and points(ax) == counted(theirs.values())
    assert (ax.get_xlabel(), ax.get_ylabel()) == (f"{label} (edges) ({zeros} of 0 left out)", "vertices")


@pytest.mark.parametrize("scores", [lambda g: g.pagerank(), lambda g: g.betweenness()])
def test_scores_by_rank(drawn, scores):
    values = scores(gs.Graph.from_networkx(drawn))
    ax = values.plot()
    positive = sorted((v for v in values.tolist() if v > 0), reverse=True)
    assert points(ax) == list(enumerate(positive, 1))
    left_out = len(values) - len(positive)
    assert ax.get_xlabel() == "rank of the vertex" + (f" ({left_out} not above 0 left out)" if left_out else "")
    assert (ax.get_ylabel(), ax.get_xscale(), ax.get_yscale()) == ("score", "log", "log")


def test_many_ranks_are_thinned_and_stay_in_place():
    scores = gs.kron(13).pagerank()
    shown, ordered = points(scores.plot()), sorted(scores.tolist(), reverse=True)
    assert len(shown) < 2_001 < len(ordered) and shown[0][0] == 1 and shown[-1][0] == len(ordered)
    assert all(value == ordered[rank - 1] for rank, value in shown)


def test_words(tmp_path):
    text = r"one $\frac$ $\frac$ $\frac$ " "caf\N{LATIN SMALL LETTER E WITH ACUTE} one"
    (tmp_path / "a.txt").write_bytes(text.encode() + b" \xff\xff \xff\xff \xff\xff \xff\xff")
    ax = gs.wordcount(tmp_path / "a.txt").plot(3)
    assert rows(ax) == (["\\udcff\\udcff", r"$\frac$", "one"], [4, 3, 2])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("count (occurrences)", "word")
    ax.figure.canvas.draw()  # "$\frac$" is no formula, and fonts have every character


def test_groups():
    rng = np.random.default_rng(5)
    countries, years, amounts = (rng.choice(of, 90).tolist() for of in (["at", "de", "fr"], [2001, 2002, 2003], range(1, 99)))
    table = Table({"country": ("u", countries), "year": ("l", years), "amount": ("l", amounts)})
    grouped = gs.group(table, by=["country", "year"]).agg(n=("amount", "count"), total=("amount", "sum"))
    theirs = {"n": collections.Counter(), "total": collections.Counter()}
    for country, year, amount in zip(countries, years, amounts):
        theirs["n"][f"{country}, {year}"] += 1
        theirs["total"][f"{country}, {year}"] += amount
    for column, values in theirs.items():
        names, widths = rows(grouped.plot(5, by=column))
        assert widths == sorted(values.values(), reverse=True)[:5] and [values[name] for name in names] == widths
    ax = grouped.plot()
    assert (ax.get_xlabel(), ax.get_ylabel(), len(ax.patches)) == ("total", "country, year", grouped.groups)
    with pytest.raises(TypeError, match="expected a column of numbers, found 'country' of texts"):
        grouped.plot(by="country")
    with pytest.raises(KeyError, match="no column 'amont'"):
        grouped.plot(by="amont")


def test_groups_of_booleans_long_integers_and_nothing():
    table = Table({"k": ("u", ["a", "b", "b", None]), "b": ("b", [False, True, True, None]), "n": ("l", [None, 2**62, 2**62, 1])})
    grouped = gs.group(table, by="k").agg(b=("b", "max"), s=("n", "sum"), high=("n", "max"))
    assert rows(grouped.plot(2, by="b")) == (["b", "a"], [1, 0])
    assert rows(grouped.plot(by="s")) == (["b", "None", "a"], [2**63, 1, 0])
    names, lengths = rows(grouped.plot(by="high"))
    assert names == ["b", "None", "a"] and lengths[:2] == [2**62, 1] and np.isnan(lengths[2])
    with pytest.raises(TypeError, match="expected a column of numbers, found 'd' of dates"):
        gs.group(Table({"d": ("tdD", [1, 2])}), by="d").count().plot(by="d")


def test_axes_that_are_given_are_drawn_into():
    g = gs.kron(6)
    figure, axes = plt.subplots(2, 2)
    results = (g.pagerank(), g.degree(), g.components(), g.bfs(g.info()["out"]["max_vertex"]))
    assert [result.plot(ax=ax) is ax for result, ax in zip(results, axes.flat)] == [True] * 4
    assert plt.get_fignums() == [figure.number]
    figure.canvas.draw()


@pytest.mark.filterwarnings("error")
def test_an_empty_graph():
    g = gs.Graph([], [])
    for result in (g.pagerank(), g.degree(), g.components()):
        assert points(result.plot()) == []
        plt.gcf().canvas.draw()


def test_what_was_computed_from_a_result_is_not_drawn():
    g = gs.kron(6)
    for result in (g.pagerank(), g.degree(), g.components(), g.bfs(g.info()["out"]["max_vertex"])):
        with pytest.raises(ValueError, match="computed from a result"):
            result[:5].plot()


@pytest.mark.parametrize("result", [lambda g: g.pagerank(), lambda g: g.degree(), lambda g: g.components(), lambda g: g.bfs(0)])
def test_without_matplotlib_one_line_says_what_to_install(monkeypatch, result):
    drawn = result(gs.Graph([0, 1], [1, 2]))
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="^plots need matplotlib: pip install matplotlib$"):
        drawn.plot()


def test_stats_say_what_was_run(tmp_path):
    g = gs.Graph([0, 1, 2, 2], [1, 2, 0, 3])
    calls = {"pagerank(alpha=0.5, tol=1e-06, max_iter=1000, personalization=None, dangling=None, unweighted=False, resume=None, checkpoint_seconds=60)": g.pagerank(0.5), "bfs(source=2, undirected=False)": g.bfs(2),
             "components()": g.components(), "betweenness(k=None, normalized=True, seed=1, weighted=False, resume=None, checkpoint_seconds=60)": g.betweenness(), "degree()": g.degree()}
    (tmp_path / "a.txt").write_text("a b a c")
    words = gs.wordcount(tmp_path / "a.txt")
    calls["wordcount(unit='words', fold=False)"] = words
    calls["group(by=['count']).agg(n=('count', 'sum'))"] = gs.group(words, by="count").agg(n=("count", "sum"))
    for text, result in calls.items():
        assert result.stats["call"] == text and result.stats["seconds"] >= 0
    grouped = gs.group(words, by="count").agg(n=("count", "sum"))
    assert (words.stats["files"], grouped.stats["rows"], grouped.stats["groups"]) == (1, 3, 2)
