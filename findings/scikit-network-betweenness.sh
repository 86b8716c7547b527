#!/bin/sh
# scikit-network 0.33.5 counts shortest paths in 32 bits for its Betweenness. Where two vertices have 2^31
# shortest paths and more, the count wraps round and the scores are other numbers, without a word. All scores are
# finite and of a likely size. A grid of 18 by 18 has corners with 2,333,606,220 paths between them, so road-like
# graphs of a few hundred vertices are enough.
#
# Besides, Betweenness(normalized=True) gives the scores of normalized=False: the parameter is kept and never read.
# Directed graphs, which it takes, have half of their scores, as if each pair were counted from both ends.
#
# Seen: the largest score of a grid of 17 by 17 is 3315.31, as in NetworkX 3.6.1; of 20 by 20 it is 8924.00, where
# NetworkX, python-igraph 1.0.0 and Gossamer have 5449.20. A path of four vertices has scores of 2 with and without
# normalization (2/3 by L. Freeman). A directed cycle of three has 0.5 at each vertex; NetworkX and igraph have 1,
# since each vertex lies on the only path between two others. Source: sknetwork/ranking/betweenness.pyx (fit;
# `vector[int] sigma`, `1 / 2 * self.scores_`). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet scikit-network==0.33.5 networkx==3.6.1 igraph==1.0.0 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import igraph
import networkx as nx
from scipy.sparse import csr_matrix
from sknetwork.ranking import Betweenness


def by_scikit_network(graph, **how):
    return Betweenness(**how).fit_predict(csr_matrix(nx.to_scipy_sparse_array(graph, dtype=float, format="csr")))


def by_igraph(graph):
    return igraph.Graph(len(graph), list(graph.edges), directed=graph.is_directed()).betweenness()


for side in 17, 20:
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side))
    print("grid", side, *(f"{max(scores):.2f}" for scores in (
        by_scikit_network(grid), nx.betweenness_centrality(grid, normalized=False).values(), by_igraph(grid))))
path = nx.path_graph(4)
print("path", *(f"{scores[1]:.4g}" for scores in (
    by_scikit_network(path), by_scikit_network(path, normalized=True), nx.betweenness_centrality(path))))
cycle = nx.cycle_graph(3, create_using=nx.DiGraph)
print("cycle", *(f"{scores[0]:.4g}" for scores in (
    by_scikit_network(cycle), nx.betweenness_centrality(cycle, normalized=False), by_igraph(cycle))))
PYTHON
cat "$folder/seen"
printf '%s\n' 'grid 17 3315.31 3315.31 3315.31' 'grid 20 8924.00 5449.20 5449.20' 'path 2 2 0.6667' 'cycle 0.5 1 1' |
  cmp - "$folder/seen" || { echo "scikit-network-betweenness: no longer as described"; exit 1; }
