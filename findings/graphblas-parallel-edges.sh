#!/bin/sh
# graphblas-algorithms 2023.10.0 as a backend of NetworkX 3.6.1 adds up the weights of parallel edges before
# it looks for shortest paths: the distance over two edges of 5 and 2 is 7, where NetworkX takes the shorter
# and says 2. Without weights two edges count 2, so a vertex that is met twice is farther away than one met
# once. Nothing is said, and the answer of `backend="graphblas"` is meant to be NetworkX's. Bellman and
# Ford's and Floyd and Warshall's functions are concerned; breadth-first ones are right.
#
# Besides, a directed graph with a self-loop has clustering coefficients above 1, up to inf. A path that is
# not there is an empty list, in place of NetworkXNoPath.
#
# Seen: the lines below, NetworkX's answer first. Takes Python 3.11, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1 graphblas-algorithms==2023.10.0 \
  python-graphblas==2025.2.0 suitesparse-graphblas==9.4.5.0 numpy==1.26.4 scipy==1.17.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import networkx as nx

lengths, hops = nx.single_source_bellman_ford_path_length, nx.single_source_shortest_path_length
weighted = nx.MultiGraph()
weighted.add_edge(0, 1, weight=5)
weighted.add_edge(0, 1, weight=2)
plain = nx.MultiGraph([(0, 1), (0, 1), (0, 2)])
apart = nx.Graph([(0, 1)])
apart.add_node(2)
loop = nx.DiGraph([(0, 0), (0, 1), (1, 0)])
questions = {
    "bellman-ford 5 2": lambda **how: dict(lengths(weighted, 0, **how))[1],
    "floyd-warshall 5 2": lambda **how: nx.floyd_warshall(weighted, **how)[0][1],
    "bellman-ford doubled": lambda **how: sorted(lengths(plain, 0, **how).items()),
    "breadth-first doubled": lambda **how: sorted(hops(plain, 0, **how).items()),
    "clustering loop": lambda **how: nx.clustering(loop, **how)[0],
    "average clustering loop": lambda **how: nx.average_clustering(loop, **how),
    "no path": lambda **how: nx.bellman_ford_path(apart, 0, 2, **how),
}


def asked(ask, **how):
    try:
        return ask(**how)
    except nx.NetworkXException as raised:
        return type(raised).__name__


for name, ask in questions.items():
    print(name, asked(ask), asked(ask, backend="graphblas"), sep=" | ")
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "graphblas-parallel-edges: no longer as described"; exit 1; }
bellman-ford 5 2 | 2 | 7
floyd-warshall 5 2 | 2 | 7
bellman-ford doubled | [(0, 0), (1, 1), (2, 1)] | [(0, 0), (1, 2), (2, 1)]
breadth-first doubled | [(0, 0), (1, 1), (2, 1)] | [(0, 0), (1, 1), (2, 1)]
clustering loop | 0 | inf
average clustering loop | 0.0 | inf
no path | NetworkXNoPath | []
END
