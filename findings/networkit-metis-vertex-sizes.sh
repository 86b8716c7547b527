#!/bin/sh
# NetworKit 11.3's METISGraphReader takes the sizes of vertices for neighbours. METIS's format has up to three digits `fmt` in its first
# line: sizes of vertices, weights of vertices, weights of edges (manual of METIS 5, section on graph files). With the first digit set, a
# row begins with the size. The reader passes over weights of vertices, not over sizes: each size becomes an edge to the vertex of
# that number. It returns the graph, with a line on the error output that the number of edges is not the header's.
#
# Seen: a path of four vertices of size 1 (`4 3 100`) has 5 edges, a self-loop among them, in place of 3; with weights of vertices and edges
# (`4 3 111`) the weights of vertices are taken for weights of those edges. A size that is no vertex is refused. With `4 3 11`, without
# sizes, it has 3 edges. Gossamer reads 3 in each case. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkit==11.3
printf '4 3 100\n1 2\n1 1 3\n1 2 4\n1 3\n' >"$folder/sizes.graph"
printf '4 3 111\n1 5 2 7\n1 5 1 7 3 5\n1 5 2 5 4 9\n1 5 3 9\n' >"$folder/sizes-and-weights.graph"
printf '4 3 11\n5 2 7\n5 1 7 3 5\n5 2 5 4 9\n5 3 9\n' >"$folder/weights.graph"
for name in sizes sizes-and-weights weights; do
  "$folder/env/bin/python" - "$folder/$name.graph" <<'END' 2>>"$folder/errors"
import sys

import networkit as nk

nk.setLogLevel("FATAL")
graph = nk.graphio.METISGraphReader().read(sys.argv[1])
print(graph.numberOfEdges(), "edges,", graph.numberOfSelfLoops(), "self-loops,", graph.totalEdgeWeight(), "in all")
END
done >"$folder/seen"
cat "$folder/seen"
{
  echo "5 edges, 1 self-loops, 5.0 in all"
  echo "5 edges, 1 self-loops, 34.0 in all"
  echo "3 edges, 0 self-loops, 21.0 in all"
} | cmp - "$folder/seen" || { echo "networkit-metis-vertex-sizes: no longer as described"; exit 1; }
