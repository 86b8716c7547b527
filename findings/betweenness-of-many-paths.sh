#!/bin/sh
# Betweenness by NetworkX 3.6.1, python-igraph 1.0.0 and rustworkx 0.18.1 is NaN for nearly all vertices of a small, plain graph, without a
# word, where two vertices have more than 2^1024 shortest paths between them: all three count the paths in doubles, which become infinite,
# and divide one infinity by another. A chain of 1,100 squares, corner to corner, is enough (3,301 vertices, 4,400 edges), and so are grids:
# a square grid has about 4^n shortest paths between corners that lie n rows and n columns apart, so more than that from about 520 on.
# The scores exist: only quotients of the numbers matter. NetworKit 11.3, which counts in numbers of any size, has them (it counts each
# pair twice), and so has Gossamer, which counts in doubles with an exponent of their own where needed.
#
# Seen: the corner in the middle of a chain of 600 squares has 810,001 in all four. Of 1,100 squares it has 2,722,501 in NetworKit, NaN in
# the others, of which each gives 3,299 vertices NaN: all but the two ends.
# Sources: networkx/algorithms/centrality/betweenness.py (sigma), igraph's src/centrality/betweenness.c (nrgeo), rustworkx-core's
# centrality.rs (sigma). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1 numpy==2.4.6 scipy==1.17.1 igraph==1.0.0 rustworkx==0.18.1 networkit==11.3
"$folder/env/bin/python" -W ignore - <<'END' >"$folder/seen"
import math

import igraph
import networkit
import networkx
import rustworkx


def by_networkit(vertices, edges):
    graph = networkit.Graph(vertices)
    for edge in edges:
        graph.addEdge(*edge)
    return [score / 2 for score in networkit.centrality.Betweenness(graph).run().scores()]


def by_rustworkx(vertices, edges):
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from_no_data(edges)
    scores = rustworkx.betweenness_centrality(graph, normalized=False)
    return [scores[v] for v in range(vertices)]


for squares in 600, 1100:
    vertices, edges = 3 * squares + 1, [e for a in range(0, 3 * squares, 3) for e in ((a, a + 1), (a, a + 2), (a + 1, a + 3), (a + 2, a + 3))]
    graph = networkx.Graph(edges)
    answers = {"networkx": [score for _, score in sorted(networkx.betweenness_centrality(graph, normalized=False).items())],
               "igraph": igraph.Graph(vertices, edges).betweenness(),
               "rustworkx": by_rustworkx(vertices, edges), "networkit": by_networkit(vertices, edges)}
    for name, scores in answers.items():
        print(squares, name, scores[3 * (squares // 2)], sum(map(math.isnan, scores)))
END
cat "$folder/seen"
{
  printf '600 %s 810001.0 0\n' networkx igraph rustworkx networkit
  printf '1100 %s nan 3299\n' networkx igraph rustworkx
  echo "1100 networkit 2722501.0 0"
} | cmp - "$folder/seen" || { echo "betweenness-of-many-paths: no longer as described"; exit 1; }
