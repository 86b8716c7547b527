#!/bin/sh
# NetworKit 11.3's graphtools.toUndirected() returns a graph whose number of edges is wrong where the directed
# graph has arcs both ways between two vertices. It makes one edge of the two arcs, and then takes the pair off
# the number of edges at both of its ends. Nothing is said. checkConsistency() of the graph is False.
#
# All that asks for the number follows it: density() and modularity are wrong, totalEdgeWeight() without
# weights is the wrong number, and the METIS writer writes it into the header. An undirected graph that was
# stored as arcs both ways, as in many edge lists, has 0 edges.
#
# Seen: the arcs 0 -> 1, 1 -> 0 and 1 -> 2 are 2 edges, 0-1 and 1-2. numberOfEdges() is 1. A path of four
# vertices with arcs both ways has 3 edges; numberOfEdges() and density() are 0, the METIS header is `4 0 0`
# above 6 neighbours, and modularity is refused as "undefined for graphs without edges". NetworkX 3.6.1 and
# Gossamer's to_undirected() say 2 and 3. Count with len(list(graph.iterEdges())), or add these edges to a new
# graph. Source: the constructor of Graph that toUndirected() calls (include/networkit/graph: m -= edgeSurplus,
# once for each end). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkit==11.3 networkx==3.6.1
cd "$folder"
env/bin/python - <<'PYTHON' >seen 2>errors
import networkit as nk
import networkx as nx

nk.setLogLevel("FATAL")
for name, arcs in ("one pair", [(0, 1), (1, 0), (1, 2)]), ("path", [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)]):
    size = 1 + max(map(max, arcs))
    directed = nk.Graph(size, directed=True)
    for arc in arcs:
        directed.addEdge(*arc)
    graph = nk.graphtools.toUndirected(directed)
    print(name, sorted(graph.iterEdges()), graph.numberOfEdges(), nx.DiGraph(arcs).to_undirected().number_of_edges(),
          round(nk.graphtools.density(graph), 4), graph.totalEdgeWeight(), graph.checkConsistency())
nk.writeGraph(graph, "path.graph", nk.Format.METIS)
print("METIS", *open("path.graph").readline().split(), "|", sum(len(line.split()) for line in open("path.graph")) - 3)
halves = nk.structures.Partition(4)
halves.setUpperBound(2)
for vertex in range(4):
    halves.addToSubset(vertex // 2, vertex)
try:
    print("modularity", nk.community.Modularity().getQuality(halves, graph))
except ValueError:
    print("modularity refused")
PYTHON
cat seen
printf '%s\n' 'one pair [(0, 1), (1, 2)] 1 2 0.3333 1.0 False' 'path [(0, 1), (1, 2), (2, 3)] 0 3 0.0 0.0 False' \
  'METIS 4 0 0 | 6' 'modularity refused' | cmp - seen || { echo "networkit-to-undirected: no longer as described"; exit 1; }
