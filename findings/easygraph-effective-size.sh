#!/bin/sh
# EasyGraph 1.6.3's effective_size() is 1 for a vertex whose neighbours have no edges among themselves,
# whatever their number. By Burt's measure, in Borgatti's form n - 2t/n that EasyGraph computes (n
# neighbours, t edges among them), such a vertex has n: nobody bridges more holes than the middle of a star.
# The case t = 0 has a line of its own, which says 1.0. efficiency(), which is the size by the number of
# neighbours, is wrong with it: it should be 1 there. EasyGraph is made for structural holes, so a ranking
# by it has its best brokers at the end, without a word.
#
# Seen: the middle of a star of six vertices has size 1.0 and efficiency 0.2 by EasyGraph, 5.0 by NetworkX
# 3.6.1. One edge between two of its neighbours raises EasyGraph's to 4.6, which is right.
# nx.effective_size() says 5 and 4.6. Source: easygraph/functions/structural_holes/evaluation.py
# (effective_size). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet Python-EasyGraph==1.6.3 networkx==3.6.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import easygraph
import networkx

star = [(0, v) for v in range(1, 6)]
for name, edges in ("star", star), ("star and an edge", [*star, (1, 2)]):
    graph = easygraph.Graph()
    graph.add_edges(edges)
    print(name, easygraph.effective_size(graph)[0], round(easygraph.efficiency(graph)[0], 4),
          networkx.effective_size(networkx.Graph(edges))[0])
PYTHON
cat "$folder/seen"
printf 'star 1.0 0.2 5.0\nstar and an edge 4.6 0.92 4.6\n' | cmp - "$folder/seen" ||
  { echo "easygraph-effective-size: no longer as described"; exit 1; }
