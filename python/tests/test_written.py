"""What is written is read back as it was, or is refused when it is written."""

import random

import pytest
from arrow_by_hand import Table

import gossamer as gs

EDGES = {  # ends of edges, and in which forms they are kept
    "plain": (["x", "y"], ["y", "z"], {"gsg", "gz", "zst", "txt"}),
    "empty": (["x", "y"], ["y", ""], {"gsg"}),
    "blanks": (["a b", "c"], ["c", "d e"], {"gsg", "gz", "zst", "txt"}),
    "tabs": (["a\tb", "c"], ["c", "d"], set()),
    "line ends": (["a\nb", "c"], ["c", "d"], set()),
    "quotes": (['q"q', "c"], ["c", '"'], {"gsg", "gz", "zst", "txt"}),
    "comments": (["#x", "%x"], ["c", "//y"], {"gsg", "gz", "zst", "txt"}),
    "numbers and a name": (["1", "2"], ["2", "x"], {"gsg", "gz", "zst", "txt"}),
    "leading zeros": (["1", "02"], ["02", "3"], {"gsg", "gz", "zst", "txt"}),
    "exponents": (["1", "1e5"], ["1e5", "3"], {"gsg"}),
    "leading zeros and a name": (["x", "02"], ["02", "2"], {"gsg", "gz", "zst", "txt"}),
    "a header": (["src", "c"], ["dst", "d"], {"gsg", "gz", "zst", "txt"}),
    "a header of numbers": (["a", "1"], ["b", "2"], {"gsg", "gz", "zst", "txt"}),
    "separators": (["x,y", ",x", "x;"], ["d,", "d,e", "d e,"], {"gsg", "gz", "zst", "txt"}),
    "below 0": (["-3", "x"], ["x", "y"], {"gsg"}),
    "braces": (["{x", "["], ["[", "y"], {"gsg", "gz", "zst", "txt"}),
}


def ends(g):
    offsets, targets = g._library.rows()
    labels = [str(label) for label in g.label_list()]
    return {(labels[u], labels[v]) for u in range(len(g)) for v in targets[int(offsets[u]):int(offsets[u + 1])].tolist()}


@pytest.mark.parametrize("form", ["gsg", "gz", "zst", "txt"])
@pytest.mark.parametrize("kind", EDGES)
def test_names_come_back_or_are_refused(tmp_path, kind, form):
    sources, targets, kept = EDGES[kind]
    g = gs.Graph.from_arrow(Table({"a": ("u", sources), "b": ("u", targets)}), "a", "b")
    path = tmp_path / f"g.{form}"
    if form in kept:
        g.write(path)
        assert ends(gs.read(path)) == set(zip(sources, targets))
        return
    with pytest.raises(ValueError, match="would not be read back|expected names in UTF-8 without|would be read as numbers"):
        g.write(path)
    assert not path.exists()


@pytest.mark.parametrize("form", ["gz", "zst", "txt"])
@pytest.mark.parametrize("directed", [True, False])
def test_edge_lists_say_whether_edges_have_a_direction(tmp_path, form, directed):
    g = gs.Graph([0, 1, 3], [1, 2, 0], directed=directed)
    g.write(tmp_path / f"g.{form}")
    found = gs.read(tmp_path / f"g.{form}")
    assert found.directed == directed and ends(found) == ends(g)
    if form == "txt":
        comments = [line for line in (tmp_path / "g.txt").read_text().splitlines() if line.startswith("#")]
        assert comments[1:] == ([] if directed else ["# each edge is written once"])


def test_look_ups_of_many_names():
    draw = random.Random(5)
    names = [f"n{draw.randrange(10**9)}" for _ in range(3000)] + ["", "é", "n"]
    g = gs.Graph.from_arrow(Table({"a": ("u", names), "b": ("u", names[1:] + names[:1])}), "a", "b")
    for each in (g, g.reversed(), g.to_undirected()):
        for vertex, name in enumerate(each.label_list()):
            assert each.find(name) == vertex and each.out_degree().by_label()[name] == each.out_degree()[vertex]
        for absent in ("n0", "e", "nn", "\udcff"):
            with pytest.raises(KeyError):
                each.find(absent)
            assert absent not in each.out_degree().by_label() and each.out_degree().by_label().get(absent, -1) == -1


def test_an_absent_name_is_looked_up_without_the_nearest_ones(monkeypatch):
    g = gs.Graph.from_arrow(Table({"a": ("u", ["x"]), "b": ("u", ["y"])}), "a", "b")
    by_label = g.out_degree().by_label()
    monkeypatch.setattr(gs.Graph, "_near", lambda *_: pytest.fail("a search for near names"))
    assert "z" not in by_label and by_label.get("z") is None
    assert by_label.get("x") == 1 and by_label.get("y", 5) == 0
