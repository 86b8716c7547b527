#!/bin/sh
# NetworKit 11.3's Modularity takes directed graphs without a word and gives them a value that is no modularity.
# It divides the squared weight of each community by four times the squared total weight, as for an undirected
# graph, whose edges count at both ends. Of a directed graph each arc counts once, so a quarter of what chance
# gives is subtracted.
#
# All vertices in one community have modularity 0 by each definition: by the formula in its documentation, by
# M. Newman's for undirected graphs, and by E. Leicht and M. Newman's for directed ones ("Community structure
# in directed networks"). NetworKit says 0.75 for each directed graph without self-loops, which good partitions
# may not reach.
#
# Seen: two cycles of three vertices with one arc from the one to the other. One community: 0.75 in NetworKit, 0
# in NetworkX 3.6.1 and python-igraph 1.0.0. The two cycles: 0.7296 in NetworKit, 0.3673 in the others. So
# NetworKit ranks one community above the two. Undirected, it says 0 and 0.3571, as the others do. Gossamer
# has directed modularity, as NetworkX. Source: networkit/cpp/community/Modularity.cpp (getQuality). Takes
# Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkit==11.3 networkx==3.6.1 igraph==1.0.0
"$folder/env/bin/python" - <<'PYTHON' >"$folder/seen"
import igraph
import networkit as nk
import networkx as nx

nk.setLogLevel("FATAL")
edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)]


def by_networkit(membership, directed):
    graph = nk.Graph(6, directed=directed)
    for edge in edges:
        graph.addEdge(*edge)
    partition = nk.structures.Partition(6)
    partition.setUpperBound(2)
    for vertex, community in enumerate(membership):
        partition.addToSubset(community, vertex)
    return nk.community.Modularity().getQuality(partition, graph)


for name, membership in ("one", [0] * 6), ("two", [0, 0, 0, 1, 1, 1]):
    communities = [{v for v in range(6) if membership[v] == c} for c in sorted(set(membership))]
    for directed in True, False:
        graph = (nx.DiGraph if directed else nx.Graph)(edges)
        found = (by_networkit(membership, directed), nx.community.modularity(graph, communities),
                 igraph.Graph(6, edges, directed=directed).modularity(membership))
        print(name, "directed" if directed else "undirected", *(f"{abs(value):.4f}" for value in found))
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "networkit-directed-modularity: no longer as described"; exit 1; }
one directed 0.7500 0.0000 0.0000
one undirected 0.0000 0.0000 0.0000
two directed 0.7296 0.3673 0.3673
two undirected 0.3571 0.3571 0.3571
END
