#!/bin/sh
# NetworKit 11.3's DegreeCentrality(normalized=True) divides by n, the number of vertices, where a graph has no
# self-loop, and by n - 1 where it has one and self-loops are left out, which is the default. So a vertex that is
# a neighbour of all others has less than 1, and the scores of all vertices change when a self-loop is added to
# one of them, though self-loops are left out of the degrees.
#
# Its documentation speaks of "normalization by maximum degree". The largest degree without self-loops is n - 1
# (L. Freeman, "Centrality in social networks: conceptual clarification"). The code clears the flag for leaving
# out self-loops when there are none, and then asks the flag for the divisor.
#
# Seen: the middle of a star of four vertices has 0.75, and 1 after a self-loop was added to one of the others,
# which are 0.25 first and 0.3333 then, that one, too. NetworkX 3.6.1 says 1 and 0.3333 for the star, with Gossamer
# as its backend, too. Source: networkit/cpp/centrality/DegreeCentrality.cpp (run, maximum). Takes Python 3.11 or
# newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkit==11.3 networkx==3.6.1
"$folder/env/bin/python" - <<'PYTHON' >"$folder/seen"
import networkit as nk
import networkx as nx


def tell(name, scores):
    print(name, *(f"{score:.4g}" for score in scores))


star = nk.Graph(4)
for leaf in 1, 2, 3:
    star.addEdge(0, leaf)
tell("networkx", nx.degree_centrality(nx.star_graph(3)).values())
tell("networkit", nk.centrality.DegreeCentrality(star, normalized=True).run().scores())
star.addEdge(1, 1)
tell("with a self-loop", nk.centrality.DegreeCentrality(star, normalized=True, ignoreSelfLoops=True).run().scores())
PYTHON
cat "$folder/seen"
printf '%s\n' 'networkx 1 0.3333 0.3333 0.3333' 'networkit 0.75 0.25 0.25 0.25' 'with a self-loop 1 0.3333 0.3333 0.3333' |
  cmp - "$folder/seen" || { echo "networkit-degree-centrality: no longer as described"; exit 1; }
