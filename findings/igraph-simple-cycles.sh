#!/bin/sh
# python-igraph 1.0.0's simple_cycles(), which lists all cycles of a graph, leaves cycles of directed graphs
# out, without a word; which ones depends on how the vertices are numbered. Three arcs are enough. is_dag() of
# the same graph says that it has a cycle. Undirected graphs were right in all trials. Known upstream (igraph
# issue 2911, open) and still there.
#
# A check of dependencies, of deadlocks or of chemical or economic loops by an empty list of cycles passes
# graphs that have one.
#
# Seen: the arcs 0 -> 2, 1 -> 2, 2 -> 1 have one cycle; igraph finds none. Of the six ways to number these
# three vertices igraph finds the cycle in five. Of all 4,096 directed graphs of four vertices without
# self-loops 63 lack cycles, 38 of them all; NetworkX 3.6.1 has what a search through all orders of vertices
# has. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check igraph==1.0.0 networkx==3.6.1
"$folder/env/bin/python" - <<'PYTHON' >"$folder/seen"
from itertools import combinations, permutations

import igraph
import networkx


def by_search(arcs, vertices):
    """The number of cycles: orders of vertices that begin with the smallest and follow arcs round."""
    return sum(order[0] == min(order) and all(arc in arcs for arc in zip(order, order[1:] + order[:1]))
               for size in range(2, vertices + 1) for order in permutations(range(vertices), size))


def found(arcs, vertices):
    return len(igraph.Graph(n=vertices, edges=sorted(arcs), directed=True).simple_cycles())


arcs = {(0, 2), (1, 2), (2, 1)}
graph = igraph.Graph(n=3, edges=sorted(arcs), directed=True)
print("cycles", by_search(arcs, 3), "networkx", len(list(networkx.simple_cycles(networkx.DiGraph(sorted(arcs))))),
      "igraph", found(arcs, 3), "is_dag", graph.is_dag())
print("by numbering:", *(found({(p[u], p[v]) for u, v in arcs}, 3) for p in permutations(range(3))))
for vertices in 3, 4:
    pairs = list(permutations(range(vertices), 2))
    every = [set(chosen) for size in range(len(pairs) + 1) for chosen in combinations(pairs, size)]
    truth = [by_search(each, vertices) for each in every]
    igraphs = [found(each, vertices) for each in every]
    others = [len(list(networkx.simple_cycles(networkx.DiGraph(sorted(each))))) for each in every]
    print(vertices, "vertices:", len(every), "graphs, wrong by igraph", sum(a != b for a, b in zip(truth, igraphs)),
          "of these without any", sum(a > 0 and b == 0 for a, b in zip(truth, igraphs)),
          "by networkx", sum(a != b for a, b in zip(truth, others)))
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "igraph-simple-cycles: no longer as described"; exit 1; }
cycles 1 networkx 1 igraph 0 is_dag False
by numbering: 0 1 1 1 1 1
3 vertices: 64 graphs, wrong by igraph 1 of these without any 1 by networkx 0
4 vertices: 4096 graphs, wrong by igraph 63 of these without any 38 by networkx 0
END
