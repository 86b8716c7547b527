#!/bin/sh
# NetworKit 11.3's KONECTGraphReader reads a bipartite network (first line `% bip ...`) as if both columns numbered the same vertices. In
# KONECT's files of bipartite networks the ids of either side begin at 1 (KONECT handbook, section on the file format; the second line
# has the sizes of both sides). So vertex 1 of the left and vertex 1 of the right become one vertex, an edge between them a self-loop, and
# nothing is said.
#
# Seen: three edges between 3 left and 2 right vertices are 3 vertices with a self-loop on two of them, in place of 5 vertices and 3 edges
# without a self-loop. Gossamer reads 5 vertices. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkit==11.3
cat >"$folder/out.small" <<'END'
% bip unweighted
% 3 3 2
1 1
2 2
3 2
END
"$folder/env/bin/python" - "$folder/out.small" <<'END' >"$folder/seen"
import sys

import networkit as nk

graph = nk.graphio.KONECTGraphReader().read(sys.argv[1])
print(graph.numberOfNodes(), "vertices,", graph.numberOfEdges(), "edges,", graph.numberOfSelfLoops(), "self-loops")
END
cat "$folder/seen"
echo "3 vertices, 3 edges, 2 self-loops" | cmp - "$folder/seen" || { echo "networkit-bipartite-konect: no longer as described"; exit 1; }
