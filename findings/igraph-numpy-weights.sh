#!/bin/sh
# python-igraph 1.0.0 takes each weight of 1 in some functions, without a word, where an edge attribute holds NumPy numbers that are no
# float64: maximum flows, minimum cuts, the Gomory-Hu tree, PageRank and constraint. Others take the weights: distances, strength,
# betweenness, closeness, spanning trees, communities. `graph.es["weight"] = array` keeps NumPy's scalars, so an array of integers (or
# of float32) as it comes from a file gives wrong flows; float64 is a subclass of Python's float and right everywhere.
# `array.tolist()` helps.
#
# Seen: a triangle with capacities 7, 7 and 5 has a flow of 12 between two vertices: 12 from Python's int and float and from float64,
# 2 from int64, int32, uint8 and float32. With strength() the same attributes sum to 12. Gossamer reads NumPy's integers as they are.
# Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet igraph==1.0.0 numpy==2.4.6
"$folder/env/bin/python" - <<'END' >"$folder/seen"
import igraph
import numpy as np

capacities = [7, 7, 5]
for name, kept in (("int", capacities), ("float", [float(c) for c in capacities]),
                   *((kind.__name__, np.array(capacities, kind)) for kind in (np.float64, np.float32, np.int64, np.int32, np.uint8))):
    graph = igraph.Graph([(0, 1), (1, 2), (0, 2)])
    graph.es["weight"] = kept
    ranks = graph.pagerank(weights="weight")
    print(name, graph.maxflow_value(0, 2, "weight"), graph.mincut(0, 2, "weight").value,
          "equal ranks" if max(ranks) - min(ranks) < 1e-9 else "ranks by weight", graph.strength(0, weights="weight"),
          graph.distances(0, 2, weights="weight")[0][0])
END
cat "$folder/seen"
{
  printf '%s 12.0 12.0 ranks by weight 12.0 5.0\n' int float float64
  printf '%s 2.0 2.0 equal ranks 12.0 5.0\n' float32 int64 int32 uint8
} >"$folder/expected"
cmp "$folder/expected" "$folder/seen" || { echo "igraph-numpy-weights: no longer as described"; exit 1; }
