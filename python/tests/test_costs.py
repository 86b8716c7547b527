"""What decides whether a graph is converted: costs of this machine, measured once. Here they are given."""

import json
import math

import networkx as nx
import pytest

from gossamer.networkx_backend import backend, costs
from gossamer_networkx.table import EVERY_PAIR, LINEAR, REPEATED, SEARCHES, TABLE

QUICK = costs.Costs(first=1e-5, question=1e-6, vertex=1e-9, conversion=1e-8, neighbour=1e-7)  # a library beside which NetworkX is slow
SLOW = costs.Costs(first=0.5, question=0.5, vertex=1e-6, conversion=1e-5, neighbour=1e-8)
NAMES = {LINEAR: "number_connected_components", REPEATED: "pagerank", SEARCHES: "all_pairs_shortest_path_length", EVERY_PAIR: "closeness_centrality"}


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Forget what was measured, and keep costs in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(costs, "_found", [])
    costs._kept.cache_clear()
    yield tmp_path
    costs._kept.cache_clear()


def graph_of(size):
    """Return a cycle of so many nodes and edges together."""
    return nx.cycle_graph(size // 2)


@pytest.mark.parametrize("kind", NAMES)
def test_a_small_graph_is_left_to_networkx_and_a_large_one_is_not(kind, monkeypatch):
    least = costs.LIMITS[kind][0]
    most = 10 * least
    monkeypatch.setitem(costs.LIMITS, kind, (least, most))
    between = graph_of(2 * least)
    monkeypatch.setattr(costs, "_found", [QUICK])
    assert TABLE[NAMES[kind]].takes == kind
    assert backend.should_run(NAMES[kind], (between,), {}) is True
    monkeypatch.setattr(costs, "_found", [SLOW])
    assert f"{2 * least} nodes and edges, below {most}" in backend.should_run(NAMES[kind], (between,), {})
    monkeypatch.setattr(costs, "known", lambda: QUICK)  # a look at the question gives up at once
    assert backend.should_run(NAMES[kind], (graph_of(most),), {}) is True
    monkeypatch.setattr(costs, "measured", lambda: pytest.fail("measured"))  # for a graph that is small on any machine
    assert f"below {least}" in backend.should_run(NAMES[kind], (graph_of(least - 2),), {})


@pytest.mark.parametrize("kind", NAMES)
def test_sizes_follow_from_costs(kind):
    least, most = costs.LIMITS[kind]
    assert costs.from_size(kind, QUICK) == least and costs.from_size(kind, SLOW) == most
    sizes = [costs.from_size(kind, costs.ASSUMED._replace(neighbour=seconds)) for seconds in (1e-9, 5e-8, 1e-7, 2e-7, 1e-6)]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[2] > sizes[-1]
    assert least <= costs.from_size(kind, costs.ASSUMED) <= most


def test_costs_are_measured_once_and_kept(folder, monkeypatch):
    measured = []
    monkeypatch.setattr(costs, "measure", lambda: measured.append(1) or QUICK)
    assert costs.known() == costs.ASSUMED and not measured
    for _ in range(2):
        assert backend.should_run("pagerank", (graph_of(1_000),), {}) is True
    assert costs.measured() == costs.known() == QUICK and len(measured) == 1

    def start_again():
        monkeypatch.setattr(costs, "_found", [])
        costs._kept.cache_clear()

    start_again()
    assert costs.known() == costs.measured() == QUICK and len(measured) == 1
    file = folder / "gossamer" / "networkx-costs.json"
    kept = json.loads(file.read_text())
    for wrong in ({**kept, "for": ["another"]}, {**kept, "seconds": [1]}, {**kept, "seconds": [math.nan] * 5}, [], None):
        file.write_text("{" if wrong is None else json.dumps(wrong))
        start_again()
        assert costs.known() == costs.ASSUMED
        assert costs.measured() == QUICK
        start_again()
        assert costs.known() == QUICK  # written anew
    assert len(measured) == 6


def test_a_folder_that_cannot_be_written_is_no_error(folder, monkeypatch):
    (folder / "gossamer").write_text("a file")
    monkeypatch.setattr(costs, "measure", lambda: QUICK)
    assert costs.measured() == QUICK and (folder / "gossamer").read_text() == "a file"


def test_this_machine_is_measured(folder):
    found = costs.measured()
    assert all(0 <= each < 1 for each in found) and min(found.first, found.question, found.conversion, found.neighbour) > 0
    assert costs._kept.cache_clear() is None and costs._kept() == found
