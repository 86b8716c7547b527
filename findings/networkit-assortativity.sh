#!/bin/sh
# NetworKit 11.3's Assortativity of a numeric attribute depends on how the vertices of an undirected graph
# are numbered: it takes each edge once, from the larger number to the smaller, where the coefficient takes
# it both ways (M. Newman, "Mixing patterns in networks", equation 21, and its own documentation for
# partitions). Renumbered, the same graph changes its sign. Degrees of a star give NaN.
#
# Seen: degrees of a tree of five vertices (0-1, 0-2, 0-3, 3-4) have 1/3, and -7/11 with vertices 0 and 1
# exchanged. NetworkX 3.6.1 and python-igraph 1.0.0 say -2/3 for both. A star of four has NaN in NetworKit,
# and -1 in the others. Directed graphs are right: with both arcs for each edge NetworKit has -2/3, too, so
# that is the way round it. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkit==11.3 networkx==3.6.1 igraph==1.0.0 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import igraph
import networkit
import networkx


def by_networkit(edges, directed):
    graph = networkit.Graph(1 + max(map(max, edges)), directed=directed)
    for u, v in edges:
        graph.addEdge(u, v)
        if directed:
            graph.addEdge(v, u)
    degrees = [float(graph.degree(v)) for v in range(graph.numberOfNodes())]
    return networkit.correlation.Assortativity(graph, degrees).run().getCoefficient()


graphs = {"tree": [(0, 1), (0, 2), (0, 3), (3, 4)], "renumbered": [(1, 0), (1, 2), (1, 3), (3, 4)],
          "star": [(0, 1), (0, 2), (0, 3)]}
for name, edges in graphs.items():
    answers = (by_networkit(edges, False), by_networkit(edges, True),
               networkx.degree_assortativity_coefficient(networkx.Graph(edges)),
               igraph.Graph(edges).assortativity_degree(directed=False))
    print(name, *(f"{answer:.4f}" for answer in answers))
PYTHON
cat "$folder/seen"
printf '%s\n' 'tree 0.3333 -0.6667 -0.6667 -0.6667' 'renumbered -0.6364 -0.6667 -0.6667 -0.6667' \
  'star nan -1.0000 -1.0000 -1.0000' | cmp - "$folder/seen" ||
  { echo "networkit-assortativity: no longer as described"; exit 1; }
