#!/bin/sh
# scikit-network 0.33.5's get_cycles(), "all possible cycles of a graph", leaves cycles of undirected graphs
# out, without a word: of all cycles through the same vertices it keeps one. It takes two cycles for the same
# if their sorted vertices are. Of directed graphs, where it compares them in their order, it has all.
#
# Four vertices joined by all six edges have four triangles and three squares; two of the squares are
# missing. Counts of rings, of loops in a network of pipes or wires, or a choice of the best one among the
# cycles are wrong where there are chords.
#
# Seen: complete graphs of 4, 5 and 6 vertices have 7, 37 and 197 cycles, by the formula (the sum over k of
# (n choose k) (k - 1)! / 2) and by NetworkX 3.6.1; scikit-network has 5, 16 and 42, the number of sets of
# three vertices and more. The same graphs as directed ones have 20, 84 and 409, which both give. Source:
# sknetwork/topology/cycles.py (get_cycles, "remove duplicates"). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-network==0.33.5 networkx==3.6.1 scipy==1.17.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
from math import comb, factorial

import networkx
from scipy.sparse import csr_matrix
from sknetwork.topology import get_cycles

for vertices in 4, 5, 6:
    graph = networkx.complete_graph(vertices)
    matrix = csr_matrix(networkx.to_numpy_array(graph))
    formula = sum(comb(vertices, k) * factorial(k - 1) // 2 for k in range(3, vertices + 1))
    print(vertices, "undirected: formula", formula, "networkx", len(list(networkx.simple_cycles(graph))),
          "scikit-network", len(get_cycles(matrix, directed=False)))
    formula = sum(comb(vertices, k) * factorial(k - 1) for k in range(2, vertices + 1))
    print(vertices, "directed: formula", formula, "networkx", len(list(networkx.simple_cycles(graph.to_directed()))),
          "scikit-network", len(get_cycles(matrix, directed=True)))
matrix = csr_matrix(networkx.to_numpy_array(networkx.complete_graph(4)))
print("squares:", *([int(v) for v in cycle] for cycle in get_cycles(matrix) if len(cycle) == 4))
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "scikit-network-cycles: no longer as described"; exit 1; }
4 undirected: formula 7 networkx 7 scikit-network 5
4 directed: formula 20 networkx 20 scikit-network 20
5 undirected: formula 37 networkx 37 scikit-network 16
5 directed: formula 84 networkx 84 scikit-network 84
6 undirected: formula 197 networkx 197 scikit-network 42
6 directed: formula 409 networkx 409 scikit-network 409
squares: [0, 3, 2, 1]
END
