#!/bin/sh
# NetworKit 11.3's GraphML reader gives an edge weight 0 that has no weight of its own in a file where
# others have one: the <default> of the key, which GraphML has for that, is passed over, and so is the 1 of
# graphs without weights. The vertices at its ends become one for every shortest path. python-igraph 1.0.0
# and rustworkx 0.18.1 take the default; NetworkX 3.6.1 leaves the edge without, as it documents, and its
# algorithms then count 1. Of a file with two graphs NetworKit returns the last one; the others the first.
#
# Seen: a triangle with weights 2, 4 and the default of 7: the third edge has 0.0, and NetworKit's distance
# over it is 0 in place of 6. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkit==11.3 igraph==1.0.0 rustworkx==0.18.1 \
  networkx==3.6.1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
cat >triangle.graphml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="edge" attr.name="weight" attr.type="double"><default>7</default></key>
<graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"/>
<edge source="b" target="c"><data key="d0">2</data></edge>
<edge source="a" target="c"><data key="d0">4</data></edge>
</graph>
</graphml>
XML
cat >two.graphml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<graph id="one" edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph>
<graph id="two" edgedefault="undirected"><node id="c"/></graph>
</graphml>
XML
env/bin/python -W ignore - <<'PYTHON' | grep -v '^identified' >seen
import igraph
import networkit
import networkx
import rustworkx


def read(name):
    return networkit.readGraph(name, networkit.Format.GraphML)


graph = read("triangle.graphml")
print("NetworKit", *(graph.weight(u, v) for u, v in ((0, 1), (1, 2), (0, 2))), "distance",
      networkit.distance.Dijkstra(graph, 0).run().distance(1))
other = igraph.Graph.Read_GraphML("triangle.graphml")
print("igraph", *other.es["weight"], "distance", other.distances(0, 1, weights="weight")[0][0])
other = rustworkx.read_graphml("triangle.graphml")[0]
print("rustworkx", *(edge["weight"] for edge in other.edges()), "distance",
      rustworkx.dijkstra_shortest_path_lengths(other, 0, lambda edge: edge["weight"])[1])
other = networkx.read_graphml("triangle.graphml")
print("networkx", *(other[u][v].get("weight") for u, v in ("ab", "bc", "ac")), "distance",
      networkx.dijkstra_path_length(other, "a", "b"))
print("two", read("two.graphml").numberOfNodes(), igraph.Graph.Read_GraphML("two.graphml").vcount(),
      len(networkx.read_graphml("two.graphml")))
PYTHON
cat seen
cmp - seen <<'END' || { echo "networkit-graphml-weights: no longer as described"; exit 1; }
NetworKit 0.0 2.0 4.0 distance 0.0
igraph 7.0 2.0 4.0 distance 6.0
rustworkx 7.0 2.0 4.0 distance 6.0
networkx None 2.0 4.0 distance 1
two 1 2 2
END
