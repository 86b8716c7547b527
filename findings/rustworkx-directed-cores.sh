#!/bin/sh
# rustworkx 0.18.1's core_number() of a directed graph counts two vertices with arcs both ways between them
# once. It documents: "For directed graphs, the degree is calculated as in_degree + out_degree", which counts
# both arcs, as its own in_degree() and out_degree() do; its note about parallel edges is not met, since arcs
# of opposite directions are none. It collects neighbours in sets, so that a vertex that is both predecessor
# and successor is one.
#
# The core values of directed graphs with mutual arcs, friendships and links, are up to half of what NetworkX
# has and of what a threshold k was chosen for; the groups themselves differ where only some arcs are mutual.
#
# Seen: a triangle with arcs both ways: in and out degrees add up to 4 everywhere, so by the definition,
# tried on all sets of vertices, and by NetworkX 3.6.1 all have core 4; rustworkx says 2. Two vertices with
# arcs both ways, one of them with an arc to each of a ring 2 -> 3 -> 4 -> 2: NetworkX has 0 in core 2
# and the others in core 3, rustworkx 0 in core 1. Source: rustworkx-core/src/connectivity/core_number.rs (core_number). Takes
# Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check rustworkx==0.18.1 networkx==3.6.1
"$folder/env/bin/python" - <<'PYTHON' >"$folder/seen"
from itertools import combinations

import networkx
import rustworkx


def by_definition(graph):
    """The largest k such that the vertex lies in a set whose members all have k arcs within it."""
    core = dict.fromkeys(graph, 0)
    for size in range(1, len(graph) + 1):
        for members in combinations(graph, size):
            least = min(count for _, count in graph.subgraph(members).degree())
            for v in members:
                core[v] = max(core[v], least)
    return core


graphs = {"triangle": [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)],
          "pair and ring": [(0, 1), (1, 0), (1, 2), (1, 3), (1, 4), (2, 3), (3, 4), (4, 2)],
          "ring": [(0, 1), (1, 2), (2, 0)]}
for name, arcs in graphs.items():
    graph = networkx.DiGraph(arcs)
    other = rustworkx.PyDiGraph()
    other.add_nodes_from(range(len(graph)))
    other.add_edges_from_no_data(arcs)
    for who, core in {"degrees": {v: other.in_degree(v) + other.out_degree(v) for v in graph},
                      "definition": by_definition(graph), "networkx": networkx.core_number(graph),
                      "rustworkx": rustworkx.core_number(other)}.items():
        print(name, who, *(core[v] for v in sorted(graph)))
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "rustworkx-directed-cores: no longer as described"; exit 1; }
triangle degrees 4 4 4
triangle definition 4 4 4
triangle networkx 4 4 4
triangle rustworkx 2 2 2
pair and ring degrees 2 5 3 3 3
pair and ring definition 2 3 3 3 3
pair and ring networkx 2 3 3 3 3
pair and ring rustworkx 1 3 3 3 3
ring degrees 2 2 2
ring definition 2 2 2
ring networkx 2 2 2
ring rustworkx 2 2 2
END
