#!/bin/sh
# python-igraph 1.0.0 reads the ids of edges in a GraphML file wrong, without a word: edge number i gets the
# id of vertex number i, and edges beyond the number of vertices get an empty one. A table of edges that is
# joined by them gets the rows of others. python-igraph 0.11.8 read them right, and so does rustworkx
# 0.18.1.
#
# Seen: a square a, b, c, d with a diagonal has edges e1 to e5 in 0.11.8 and rustworkx, and a, b, c, d and
# "" in 1.0.0. The ends of the edges are right. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/square.graphml" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="c"/><node id="d"/>
<edge id="e1" source="a" target="b"/>
<edge id="e2" source="b" target="c"/>
<edge id="e3" source="c" target="d"/>
<edge id="e4" source="d" target="a"/>
<edge id="e5" source="d" target="b"/>
</graph>
</graphml>
XML
for igraph in 0.11.8 1.0.0; do
  python3 -m venv "$folder/$igraph"
  "$folder/$igraph/bin/pip" install --quiet "igraph==$igraph" rustworkx==0.18.1
  "$folder/$igraph/bin/python" - "$folder/square.graphml" <<'PYTHON'
import sys

import igraph
import rustworkx

graph = igraph.Graph.Read_GraphML(sys.argv[1])
names = graph.vs["id"]
print("igraph", igraph.__version__,
      *(f"{edge['id']!r}:{names[edge.source]}{names[edge.target]}" for edge in graph.es))
graph = rustworkx.read_graphml(sys.argv[1])[0]
edges = graph.weighted_edge_list()
print("rustworkx", *(f"{edge['id']!r}:{graph[u]['id']}{graph[v]['id']}" for u, v, edge in edges))
PYTHON
done >"$folder/seen"
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "igraph-graphml-edge-ids: no longer as described"; exit 1; }
igraph 0.11.8 'e1':ab 'e2':bc 'e3':cd 'e4':ad 'e5':bd
rustworkx 'e1':ab 'e2':bc 'e3':cd 'e4':da 'e5':db
igraph 1.0.0 'a':ab 'b':bc 'c':cd 'd':ad '':bd
rustworkx 'e1':ab 'e2':bc 'e3':cd 'e4':da 'e5':db
END
