#!/bin/sh
# NetworKit 11.3's clustering coefficients of a whole graph are not what their documentation says:
# - ClusteringCoefficient.sequentialAvgLocal() documents 1/n times the sum over all vertices, with n for all
#   vertices. It divides by the number of vertices of degree 2 and more. A graph with many leaves has a value
#   that is several times too large.
# - sequentialAvgLocal() and exactGlobal() take a self-loop for two neighbours and for triangles, without a
#   word, and exceed 1. The class LocalClusteringCoefficient refuses such graphs.
#
# Seen: a triangle with one further edge to a fourth vertex has coefficients 1, 1, 1/3 and 0, which
# LocalClusteringCoefficient and NetworkX 3.6.1 give, too. Their mean is 0.5833; sequentialAvgLocal() says 0.7778.
# A triangle with 100 leaves at one vertex: 0.0194 and 0.6667. A path of three vertices, the middle one with a
# self-loop, has no triangle, so 0 in NetworkX; they say 0.6667 and 0.8333. For one edge with a self-loop
# exactGlobal() says 1.5. Gossamer says 0.5833, 0.0194, 0 and 0 on average. Source:
# networkit/cpp/global/ClusteringCoefficient.cpp. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkit==11.3 networkx==3.6.1
"$folder/env/bin/python" - <<'PYTHON' >"$folder/seen"
import networkit as nk
import networkx as nx

nk.setLogLevel("FATAL")
triangle = [(0, 1), (1, 2), (2, 0)]
graphs = {"one leaf": [*triangle, (2, 3)], "100 leaves": [*triangle, *((2, v) for v in range(3, 103))],
          "path, loop": [(0, 1), (1, 1), (1, 2)], "edge, loop": [(0, 1), (1, 1)]}
for name, edges in graphs.items():
    graph = nk.Graph(1 + max(map(max, edges)))
    for edge in edges:
        graph.addEdge(*edge)
    other = nx.Graph(edges)
    try:
        scores = nk.centrality.LocalClusteringCoefficient(graph).run().scores()
        local = f"{sum(scores) / len(scores):.4f}"
    except RuntimeError:
        local = "refused"
    coefficient = nk.globals.ClusteringCoefficient
    print(f"{name}: average {coefficient.sequentialAvgLocal(graph):.4f} local {local} networkx {nx.average_clustering(other):.4f},",
          f"global {coefficient.exactGlobal(graph):.4f} networkx {nx.transitivity(other):.4f}")
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "networkit-clustering: no longer as described"; exit 1; }
one leaf: average 0.7778 local 0.5833 networkx 0.5833, global 0.6000 networkx 0.6000
100 leaves: average 0.6667 local 0.0194 networkx 0.0194, global 0.0006 networkx 0.0006
path, loop: average 0.6667 local refused networkx 0.0000, global 0.8333 networkx 0.0000
edge, loop: average 0.0000 local refused networkx 0.0000, global 1.5000 networkx 0.0000
END
