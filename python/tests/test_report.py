"""The page about a graph: the program's object of the same graph, with any labels."""

import json
import math
import os
import re
import subprocess

import networkx as nx
import numpy as np
import pytest

import gossamer as gs

DATA = os.path.join(os.environ.get("GOSSAMER_DATA", "data"), "debian-depends.tsv.gz")
PROGRAM = os.environ.get("GOSSAMER_PROGRAM", "")


def carried(path):
    page = path.read_text()
    assert page.count("</script>") == 2
    return json.loads(re.search(r'id="answer">(.*?)</script>', page, re.S)[1])


@pytest.mark.skipif(not PROGRAM, reason="no program")
@pytest.mark.parametrize("graph, how", [(DATA, {}), ("kron:9", {}), ("uniform:8:2", {"samples": 4})])
def test_the_answer_of_the_program(graph, how, tmp_path):
    options = ["--samples", "4"] if how else []
    program = json.loads(subprocess.run([PROGRAM, "report", graph, "--json", "--quiet", "--top", "50", *options],
                                        capture_output=True, check=True).stdout)
    gs.report(gs.read(graph), tmp_path / "page.html", title=graph, top=50, **how)
    mine = carried(tmp_path / "page.html")
    for key in ("graph", "vertices", "edges", "directed", "isolated", "components", "largest", "sizes", "levels", "reached", "source"):
        assert mine[key] == program[key], key
    assert [r["vertex"] for r in mine["ranks"]] == [r["vertex"] for r in program["ranks"]]
    for a, b in zip(mine["ranks"], program["ranks"]):
        assert a == pytest.approx(b)
    assert mine["communities"] == program["communities"]
    assert mine["core_numbers"] == program["core_numbers"]
    for part in ("neighbourhood", "drawing"):
        assert [(v["vertex"], v["community"], v["core"]) for v in mine[part]["vertices"]] == \
            [(v["vertex"], v["community"], v["core"]) for v in program[part]["vertices"]], part
        ends = [list(zip(answer[part]["edges"][::2], answer[part]["edges"][1::2])) for answer in (mine, program)]
        assert sorted(ends[0]) == sorted(ends[1]), part
    for side, degrees in program["degrees"].items():
        points = degrees.pop("points")
        assert [p["degree"] for p in mine["degrees"][side]["points"]] == pytest.approx([p["degree"] for p in points])
        assert [p["vertices"] for p in mine["degrees"][side]["points"]] == pytest.approx([p["vertices"] for p in points])
        assert mine["degrees"][side]["max_vertex"] == degrees["max_vertex"]


def test_labels_of_any_kind(tmp_path):
    g = nx.Graph([(("a", 1), "</script><b>"), ("</script><b>", None.__class__), (3, 2.5), (3, "\udc80")])
    gs.report(gs.Graph.from_networkx(g), tmp_path / "page.html", title="<x>")
    assert "</script><b>" in [r["vertex"] for r in carried(tmp_path / "page.html")["ranks"]]


def test_negative_weights_have_no_communities(tmp_path):
    gs.report(gs.Graph([0, 1], [1, 2], [1, -2]), tmp_path / "page.html")
    answer = carried(tmp_path / "page.html")
    assert "communities" not in answer and answer["neighbourhood"]["vertices"][0]["community"] == 0


def test_no_vertices_and_no_edges(tmp_path):
    for vertices in (0, 3):
        gs.report(gs.Graph(np.zeros(0, np.int64), np.zeros(0, np.int64), vertices=vertices), tmp_path / "page.html")
        assert len(carried(tmp_path / "page.html")["ranks"]) == vertices


def test_how_a_command_scales(tmp_path):
    row = {"of": "bfs", "network": "qdr", "processes": 2, "cores": 4, "seconds": 1.5, "speed_up": 3.1, "efficiency": 0.775, "messages": 10}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n\n")
    gs.report(gs.kron(4), tmp_path / "page.html", scale=tmp_path / "rows.jsonl")
    assert carried(tmp_path / "page.html")["scale"] == [row]
    for text, why in {'{"processes": 1}': "rows.jsonl:1", "": "found none", "[]": "rows.jsonl:1", "x": "rows.jsonl:1"}.items():
        (tmp_path / "rows.jsonl").write_text(text)
        with pytest.raises(ValueError, match=why):
            gs.report(gs.kron(4), tmp_path / "page.html", scale=tmp_path / "rows.jsonl")
    with pytest.raises(FileNotFoundError):
        gs.report(gs.kron(4), tmp_path / "page.html", scale=tmp_path / "none")


@pytest.mark.parametrize("change", [
    {"efficiency": None}, {"efficiency": "0.7"}, {"efficiency": True}, {"efficiency": math.nan}, {"messages": None}, {"messages": math.inf},
    {"cores": "4"}, {"cores": True}, {"seconds": 0}, {"processes": -1}, {"speed_up": math.inf}])
def test_rows_of_scale_that_no_page_draws_are_refused(tmp_path, change):
    row = {"processes": 2, "cores": 4, "seconds": 1.5, "speed_up": 3.1, "efficiency": 0.775, "messages": 0, **change}
    rows = [row, {key: value for key, value in row.items() if key not in change}]
    for each in rows:
        (tmp_path / "rows.jsonl").write_text(json.dumps(each))
        with pytest.raises(ValueError, match="rows.jsonl:1: expected a row of gossamer scale"):
            gs.report(gs.kron(4), tmp_path / "page.html", scale=tmp_path / "rows.jsonl")


def test_what_is_refused(tmp_path):
    g = gs.kron(4)
    with pytest.raises(ValueError, match=r"ending in \.html"):
        gs.report(g, tmp_path / "page.txt")
    with pytest.raises(FileNotFoundError):
        gs.report(g, tmp_path / "none" / "page.html")
    with pytest.raises(ValueError, match="top"):
        gs.report(g, tmp_path / "page.html", top=-1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name, kind", [("none/x.html", FileNotFoundError), ("folder.html", IsADirectoryError)])
def test_where_it_cannot_be_written(tmp_path, name, kind):
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(kind, match=name):
        gs.report(gs.kron(4), tmp_path / name)
