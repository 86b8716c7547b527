"""Every function of the backend on small graphs of each kind: empty, one node, self-loops, isolated nodes, parallel edges, weights of any sign.

The calls and what is compared are those of test_networkx.py. What a function leaves to NetworkX, NetworkX answers.
"""

import random

import networkx as nx
import pytest
from test_networkx import CASES, ROUNDING, agrees, answer, is_there, networkx_function

from gossamer_networkx.table import MULTIGRAPHS, TABLE

SEEDS = range(1, 3)
KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
WEIGHTS = {"none": None, "integers": lambda r: r.randrange(9), "reals": lambda r: r.random() + 0.01, "negative": lambda r: r.randrange(-2, 9)}
NOT_UNIQUE = {"hits": "NetworkX's vectors of graphs that have several are others in each call",
              "find_negative_cycle": "another cycle, where there are several; test_negative_weights_agree_with_networkx looks at it"}
# NetworkX's own mistakes, and helpers of CASES that expect a graph to be left to NetworkX.
NOT_COMPARED = {("katz_centrality_numpy", "one node"), ("barycenter", "any"), ("centroid", "any")}


def drawn(kind, seed, weights, loops):
    """Return a graph of nine nodes with texts for names; the last one is isolated, and some edges have no weight."""
    r, g = random.Random(seed), kind()
    g.add_nodes_from(str(i * 7 % 9) for i in range(9))
    for _ in range(r.randrange(4, 22)):
        u, v = r.randrange(8), r.randrange(8)
        if u != v or loops:
            g.add_edge(str(u), str(v), **({"weight": weights(r)} if weights and r.random() < 0.8 else {}))
    return g


def shapes(kind):
    """Yield graphs with their names."""
    yield "empty", kind()
    yield "one node", nx.empty_graph(1, kind)
    yield "one loop", kind([("a", "a")])
    yield "two nodes", nx.empty_graph(2, kind)
    yield "one edge", nx.path_graph(2, kind)
    yield "path", nx.path_graph(["x", "y", "z"], kind)
    yield "path of parallel edges", kind([("x", "y"), ("x", "y"), ("y", "z")])
    yield "cycle", nx.cycle_graph(5, kind)
    yield "complete", nx.complete_graph(4, kind)
    yield "star", nx.relabel_nodes(nx.star_graph(5, kind), {0: ("c", 0)})
    for seed in SEEDS:
        for name, weights in WEIGHTS.items():
            yield f"{name}, seed {seed}", drawn(kind, seed, weights, seed % 2 == 0)


def is_compared(name, kind, shape):
    wanted = TABLE[name].directed in (None, kind().is_directed()) and (not kind().is_multigraph() or name in MULTIGRAPHS)
    return wanted and name not in NOT_UNIQUE and NOT_COMPARED.isdisjoint({(name, shape), (name, "any")})


@pytest.mark.parametrize("name", list(filter(is_there, CASES)))
def test_answers_for_every_shape_as_networkx_does(name):
    for kind in KINDS:
        for shape, g in shapes(kind):
            for place, (call, compared) in enumerate(CASES[name] if is_compared(name, kind, shape) else ()):
                ours, theirs = (answer(call, lambda *a, b=b, **k: networkx_function(name)(*a, backend=b, **k), g) for b in ("gossamer", "networkx"))
                if isinstance(ours, tuple) and ours and ours[0] is NotImplementedError:
                    continue  # left to NetworkX
                if not (isinstance(theirs, tuple) and theirs and isinstance(theirs[0], type)):
                    ours, theirs = compared(ours), compared(theirs)
                assert agrees(ours, theirs, ROUNDING.get(name, 1e-9)), (kind.__name__, shape, place, ours, theirs)
