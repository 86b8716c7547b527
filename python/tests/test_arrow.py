"""Graphs of Arrow tables: made by hand, and of the packages that are here."""

import gc

import numpy as np
import pytest
from arrow_by_hand import Table

import gossamer as gs

ROWS = [(3, 5), (5, 9), (3, 9), (9, 3), (0, 5), (7, 7), (2, 0)]


def edges(g):
    offsets, targets = g._library.rows()
    sources = np.repeat(np.arange(len(g)), np.diff(offsets.view(np.int64)))
    labels = g.label_list()
    return sorted((labels[u], labels[v]) for u, v in zip(sources.tolist(), targets.tolist()))


def table(text_of, kinds, **how):
    return Table({"from": (kinds[0], [text_of(u) for u, _ in ROWS]), "to": (kinds[1], [text_of(v) for _, v in ROWS])}, **how)


def expected(text_of=int):
    return sorted((text_of(u), text_of(v)) for u, v in ROWS if u != v)


def long_text(n):
    return f"the vertex number {n}" if n % 2 else f"ä{n}"


WAYS = {"one chunk": {}, "chunks": {"cuts": (2, 2, 5)}, "offset": {"offset": 3}, "table's offset": {"rows_before": 2},
        "all": {"cuts": (1, 6), "offset": 9, "rows_before": 1}}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kinds", ["ii", "II", "ll", "LL", "cc", "CC", "ss", "SS", "iL", "Cl"])
def test_columns_of_integers(kinds, way):
    made = table(int, kinds, **WAYS[way])
    g = gs.Graph.from_arrow(made, "from", "to")
    assert edges(g) == expected() and len(g) == 10 and g.stats["self_loops"] == 1
    gc.collect()
    assert made.released == made.made > 0
    assert edges(gs.Graph.from_arrow(table(int, kinds), "from", "to", compact=True)) == expected()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kinds", [("u", "u"), ("U", "u"), ("vu", "vu"), ("dict:i:u", "dict:c:u"), ("dict:L:vu", "U"),
                                   ("dict:s:U", "dict:C:U")])
def test_columns_of_texts(kinds, way):
    made = table(long_text, kinds, **WAYS[way])
    g = gs.Graph.from_arrow(made, "from", "to")
    assert edges(g) == expected(long_text)
    assert g.label_list() == list(dict.fromkeys(long_text(n) for row in ROWS for n in row))
    assert g.find(long_text(9)) == g.label_list().index(long_text(9))
    assert g.bfs(long_text(2)).by_label()[long_text(9)] == 3
    gc.collect()
    assert made.released == made.made


def test_undirected_and_weights():
    made = Table({"a": ("i", [0, 1]), "b": ("i", [1, 2]), "w": ("g", [0.5, 2.0]), "t": ("u", ["x", "y"])})
    g = gs.Graph.from_arrow(made, "a", "b", "w", directed=False)
    assert not g.directed and g.edges == 2 and g.stats["weights"] == "float64"
    with pytest.raises(TypeError, match="column t: expected numbers, found texts"):
        gs.Graph.from_arrow(made, "a", "b", "t")


def test_nothing():
    for kinds in ("ll", "uu"):
        assert len(gs.Graph.from_arrow(Table({"a": (kinds[0], []), "b": (kinds[1], [])}), "a", "b")) == 0


@pytest.mark.parametrize("kind, values", [("i", [1, 2, None, 3]), ("u", ["a", "b", None, "c"]), ("dict:i:u", ["a", "b", None, "c"])])
@pytest.mark.parametrize("cuts", [(), (1,), (2,), (3,)])
def test_nulls_are_refused_by_column_and_row(kind, values, cuts):
    full = [v if v is not None else values[0] for v in values]
    made = Table({"from": (kind, full), "to": (kind, values)}, cuts=cuts, offset=5)
    with pytest.raises(ValueError, match="column to, row 2: expected a value, found null"):
        gs.Graph.from_arrow(made, "from", "to")
    gc.collect()
    assert made.released == made.made


def test_what_is_no_table_and_what_is_no_column():
    made = Table({"source": ("i", [0]), "target": ("i", [1]), "name": ("u", ["x"]), "real": ("f", [0.5])})
    with pytest.raises(KeyError, match="source: no column 'sorce', the nearest are source"):
        gs.Graph.from_arrow(made, "sorce", "target")
    with pytest.raises(TypeError, match="column real: expected integers or texts, found reals"):
        gs.Graph.from_arrow(made, "source", "real")
    with pytest.raises(TypeError, match="source and name: expected two of integers or two of texts"):
        gs.Graph.from_arrow(made, "source", "name")
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        gs.Graph.from_arrow([1, 2], "a", "b")
    with pytest.raises(ValueError, match="negative|0 or larger"):
        gs.Graph.from_arrow(Table({"a": ("i", [0, -4]), "b": ("i", [1, 1])}), "a", "b")
    with pytest.raises(ValueError, match="found id or number 9223372036854775808"):
        gs.Graph.from_arrow(Table({"a": ("L", [0, 2**63]), "b": ("i", [1, 1])}, cuts=(1,)), "a", "b")
    failing = Table({"a": ("i", [0])}, fail="the disk is gone")
    with pytest.raises(ValueError, match="the disk is gone"):
        gs.Graph.from_arrow(failing, "a", "a")
    assert failing.released == failing.made


def test_a_stream_is_read_once():
    made = table(int, "ii")
    capsule = made.__arrow_c_stream__()

    class Once:
        def __arrow_c_stream__(self, requested_schema=None):
            return capsule

    gs.Graph.from_arrow(Once(), "from", "to")
    with pytest.raises(ValueError, match="read already"):
        gs.Graph.from_arrow(Once(), "from", "to")


@pytest.mark.parametrize("package", ["pyarrow", "polars", "pandas"])
def test_tables_of_packages(package):
    if package == "pandas":
        pytest.importorskip("pyarrow")  # which pandas needs for it
    module = pytest.importorskip(package)
    make = module.table if package == "pyarrow" else module.DataFrame
    for text_of in (int, long_text):
        made = make({"from": [text_of(u) for u, _ in ROWS], "to": [text_of(v) for _, v in ROWS]})
        assert edges(gs.Graph.from_arrow(made, "from", "to")) == expected(text_of)
        half = gs.Graph.from_arrow(made[3:], "from", "to")
        assert edges(half) == sorted((text_of(u), text_of(v)) for u, v in ROWS[3:] if u != v)


@pytest.mark.parametrize("way", WAYS)
def test_rows_that_are_null(way):
    made = table(int, "ii", **{**WAYS[way], "cuts": ()}, null_row=4)
    with pytest.raises(ValueError, match="row 4 of a chunk: expected values, found null"):
        gs.Graph.from_arrow(made, "from", "to")
    gc.collect()
    assert made.released == made.made


@pytest.mark.parametrize("cuts", [(), (1,)])
def test_ids_beyond_2_to_63_in_any_chunks(cuts):
    made = Table({"from": ("L", [1, 2**64 - 1]), "to": ("L", [2**63, 3])}, cuts=cuts)
    g = gs.Graph.from_arrow(made, "from", "to", compact=True)
    assert sorted(g.label_list()) == [1, 3, 2**63, 2**64 - 1]
