"""Random graphs of a seed, which is part of each test's name."""

import gc
import os

os.environ.setdefault("GOSSAMER_CORES", "3")  # more than some machines have

import networkx as nx
import pytest

nx.config.warnings_to_ignore.add("cache")  # graphs here are changed by methods only

SEEDS = range(1, 4)


@pytest.fixture(autouse=True)
def assumed_costs(monkeypatch):
    """Decide by the costs that are assumed, not by those of the machine on which the tests run."""
    from gossamer.networkx_backend import costs

    monkeypatch.setattr(costs, "_found", [costs.ASSUMED])


def pytest_collection_finish(session):
    """Let tests that collect garbage look at what is made from here on, not at all modules and tests each time."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser):
    parser.addoption("--networkx-suite", choices=["some", "all"], default="some", help="how much of NetworkX's own tests")


def random_graph(seed, directed, loops=False):
    """Return a graph of some parts, isolated nodes and labels in no order."""
    n = 10 + 17 * seed
    g = nx.gnm_random_graph(n, int(n * (0.6 + 0.4 * seed)), seed=seed, directed=directed)
    g.add_nodes_from(range(n, n + 3))
    if loops:
        g.add_edge(0, 0)
    shuffled = [f"v{(node * 7919) % 10007}" if node % 3 else (node, "pair") for node in g]
    return nx.relabel_nodes(g, dict(zip(list(g), shuffled)))


@pytest.fixture(params=[(seed, directed) for seed in SEEDS for directed in (False, True)],
                ids=lambda p: f"seed{p[0]}-{'directed' if p[1] else 'undirected'}")
def drawn(request):
    return random_graph(*request.param)
