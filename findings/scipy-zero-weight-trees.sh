#!/bin/sh
# The trees of scipy.sparse.csgraph (SciPy 1.17.1) lose edges of weight 0, or make them infinite, without a word.
# The documentation of csgraph says that a sparse array holds edges of weight zero as stored zeros, and
# connected_components() and the shortest paths take them so.
# - minimum_spanning_tree() leaves them out: its answer does not connect what it should. Copies of a point at
#   distance 0 and merged stations are such edges.
# - breadth_first_tree(), depth_first_tree() and reconstruct_path() with directed=False give them the weight inf,
#   so a distance along the tree is inf. With directed=True it is 0.
#
# Seen: an undirected graph with edges 0-1, 1-2 and 2-3 of weights 0, 1 and 0, and 0-2 of weight 2. It has one component,
# and vertex 3 is at distance 1 from 0. The spanning tree has one edge in place of three, and three components.
# NetworkX 3.6.1 and Gossamer have three edges of weight 1 together. The breadth-first tree from 0 has weights inf, 2
# and inf, the tree of shortest paths, which lead to distance 1, inf, 1 and inf. Adding 1 to all stored weights gives
# the edges of the right spanning tree. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet scipy==1.17.1 numpy==2.4.6 networkx==3.6.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import networkx as nx
from scipy.sparse import csgraph, csr_array

rows, columns, weights = [0, 0, 1, 2], [1, 2, 2, 3], [0.0, 2.0, 1.0, 0.0]
graph = csr_array((weights, (rows, columns)), shape=(4, 4))


def components(tree):
    return csgraph.connected_components(tree, directed=False)[0]


tree = csgraph.minimum_spanning_tree(graph)
print("graph", graph.nnz, "edges", components(graph), "component, distances", *csgraph.dijkstra(graph, directed=False)[0])
print("spanning tree", tree.nnz, "edges", components(tree), "components")
edges = nx.Graph()
edges.add_weighted_edges_from(zip(rows, columns, weights))
print("networkx", nx.minimum_spanning_tree(edges).number_of_edges(), "edges of weight", nx.minimum_spanning_tree(edges).size("weight"))
for name in "breadth_first_tree", "depth_first_tree":
    print(name, *getattr(csgraph, name)(graph, 0, directed=False).data)
_, before = csgraph.dijkstra(graph, directed=False, indices=0, return_predecessors=True)
print("reconstruct_path", *csgraph.reconstruct_path(graph, before, directed=False).data)
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "scipy-zero-weight-trees: no longer as described"; exit 1; }
graph 4 edges 1 component, distances 0.0 0.0 1.0 1.0
spanning tree 1 edges 3 components
networkx 3 edges of weight 1.0
breadth_first_tree inf 2.0 inf
depth_first_tree inf 1.0 inf
reconstruct_path inf 1.0 inf
END
