#!/bin/sh
# scikit-network 0.33.5's get_core_decomposition() takes directed graphs without a word and gives them values
# that are cores by no definition: neither by outgoing, incoming nor all arcs. It starts with the numbers of
# outgoing arcs and, when it takes a vertex away, lowers those of the vertices that it points to, which lose
# an incoming arc. Undirected graphs, whose matrix is symmetric, are right.
#
# A vertex with core value 3 should lie in a group whose members have 3 arcs and more within it. A vertex
# with arcs to three others, and nothing else, gets 3. So the most active senders come out as the dense core
# of a network that has none.
#
# Seen: the star 0 -> 1, 2, 3 has 3 0 0 0 by scikit-network, with the arcs turned round 0 1 1 1. By the
# definition, tried on all sets of vertices, it has 0 by arcs that go out and by those that come in, and 1
# by both together, which NetworkX 3.6.1 gives, too. The undirected star has 1 everywhere, in scikit-network
# as well. Make the matrix symmetric first. Source: sknetwork/topology/core.pyx (compute_core). Takes
# Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-network==0.33.5 networkx==3.6.1 scipy==1.17.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
from itertools import combinations

import networkx
from scipy.sparse import csr_matrix
from sknetwork.topology import get_core_decomposition


def by_definition(graph, degree):
    """The largest k such that the vertex lies in a set whose members all have k arcs within it."""
    core = dict.fromkeys(graph, 0)
    for size in range(1, len(graph) + 1):
        for members in combinations(graph, size):
            within = graph.subgraph(members)
            least = min(count for _, count in getattr(within, degree)())
            for v in members:
                core[v] = max(core[v], least)
    return [core[v] for v in sorted(graph)]


star = networkx.DiGraph([(0, 1), (0, 2), (0, 3)])
for name, graph in ("out of 0", star), ("into 0", star.reverse()):
    for degree in "out_degree", "in_degree", "degree":
        print(name, degree, *by_definition(graph, degree))
    print(name, "networkx", *(networkx.core_number(graph)[v] for v in range(4)))
    matrix = csr_matrix(networkx.to_numpy_array(graph, nodelist=range(4)))
    print(name, "scikit-network", *get_core_decomposition(matrix), "symmetric", *get_core_decomposition(matrix + matrix.T))
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "scikit-network-directed-cores: no longer as described"; exit 1; }
out of 0 out_degree 0 0 0 0
out of 0 in_degree 0 0 0 0
out of 0 degree 1 1 1 1
out of 0 networkx 1 1 1 1
out of 0 scikit-network 3 0 0 0 symmetric 1 1 1 1
into 0 out_degree 0 0 0 0
into 0 in_degree 0 0 0 0
into 0 degree 1 1 1 1
into 0 networkx 1 1 1 1
into 0 scikit-network 0 1 1 1 symmetric 1 1 1 1
END
