#!/bin/sh
# NetworkX 3.6.1's undirected view of a directed graph (to_undirected(as_view=True)) has two weights for an edge
# whose two arcs differ: the one from a to b where it is asked from a, the other where it is asked from b. So
# the distance of two nodes depends on which of them is the source, in a graph that says it is undirected, and
# an edge listed from one end has another weight than from the other. to_undirected() without a view keeps one.
#
# Seen: arcs 0 -> 1 of weight 1 and 1 -> 0 of weight 3. In the view the distance from 0 to 1 is 1 and from 1
# to 0 is 3, edges() lists weight 1, and the minimum spanning tree weighs 1. In the copy both distances are 3.
# Betweenness with weights of a circle of four, three edges of which have longer arcs back: 0.5, 1, 1, 0.5 in
# the view, and 1, 0, 0, 1 in the copy.
# Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import networkx as nx

arcs = nx.DiGraph()
arcs.add_edge(0, 1, weight=1)
arcs.add_edge(1, 0, weight=3)
for name, graph in ("view", arcs.to_undirected(as_view=True)), ("copy", arcs.to_undirected()):
    there, back = (nx.dijkstra_path_length(graph, u, v) for u, v in ((0, 1), (1, 0)))
    print(name, graph.is_directed(), there, back, list(graph.edges(data="weight")), nx.minimum_spanning_tree(graph).size("weight"))

arcs = nx.DiGraph()
nx.add_path(arcs, range(4), weight=1)
nx.add_path(arcs, range(3, -1, -1), weight=5)
arcs.add_edge(0, 3, weight=4)
for name, graph in ("view", arcs.to_undirected(as_view=True)), ("copy", arcs.to_undirected()):
    found = nx.betweenness_centrality(graph, weight="weight", normalized=False)
    print(name, *(f"{found[node]:g}" for node in sorted(found)))
PYTHON
cat "$folder/seen"
printf '%s\n' 'view False 1 3 [(0, 1, 1)] 1.0' 'copy False 3 3 [(0, 1, 3)] 3.0' 'view 0.5 1 1 0.5' 'copy 1 0 0 1' |
  cmp - "$folder/seen" || { echo "networkx-undirected-views: no longer as described"; exit 1; }
