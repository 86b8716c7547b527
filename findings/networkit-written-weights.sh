#!/bin/sh
# NetworKit 11.3 changes or drops weights of edges when it writes a graph, without a word:
# - EdgeListWriter, which all EdgeList formats use, writes six significant digits, as C++ streams do by default.
#   So weights of a million and more are rounded, integers, too, and read back as others.
# - The writers of GML, graph-tool's binary format and DOT write no weights. The graph that is read back has none,
#   so its shortest paths count edges. All three formats can hold weights, as attributes.
# METIS, GraphML and NetworKit's own binary format keep them.
#
# Seen: a triangle with weights 1234567, 16777217 and 1/3, written and read: 1234570, 16777200 and 0.333333 by the
# edge list, 1, 1 and 1 by GML and by graph-tool's format, the same numbers by METIS and the binary format. The
# total weight of the edge list differs by 14 from that of the graph. Gossamer's `convert` writes edge lists and
# Matrix Market whose weights are the same when read. Source: networkit/cpp/io/EdgeListWriter.cpp and
# GMLGraphWriter.cpp. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkit==11.3
cd "$folder"
env/bin/python - <<'PYTHON' >seen 2>errors
import networkit as nk

nk.setLogLevel("FATAL")
graph = nk.Graph(3, weighted=True)
for edge in (0, 1, 1234567), (1, 2, 16777217), (0, 2, 1 / 3):
    graph.addEdge(*edge)
for form in "EdgeListSpaceZero", "EdgeListTabOne", "GML", "GraphToolBinary", "METIS", "NetworkitBinary":
    nk.writeGraph(graph, form, nk.Format[form])
    read = nk.readGraph(form, nk.Format[form])
    print(form, "weighted" if read.isWeighted() else "unweighted",
          *(f"{weight:.12g}" for _, _, weight in sorted(read.iterEdgesWeights())))
nk.writeGraph(graph, "DOT", nk.Format.DOT)
print("DOT", sum("weight" in line for line in open("DOT")), "of", sum("--" in line for line in open("DOT")))
PYTHON
cat seen
cmp - seen <<'END' || { echo "networkit-written-weights: no longer as described"; exit 1; }
EdgeListSpaceZero weighted 1234570 0.333333 16777200
EdgeListTabOne weighted 1234570 0.333333 16777200
GML unweighted 1 1 1
GraphToolBinary unweighted 1 1 1
METIS weighted 1234567 0.333333333333 16777217
NetworkitBinary weighted 1234567 0.333333333333 16777217
DOT 0 of 3
END
