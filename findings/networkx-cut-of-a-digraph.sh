#!/bin/sh
# NetworkX 3.6.1 documents the second set of cut_size() as optional: the complement of the first is taken where it is left out. Of an
# undirected graph it is; of a directed one the call raises TypeError, since the edges that enter the first set are asked for with None in
# the place of a set. With the complement given the call answers, and so do conductance(), normalized_cut_size() and edge_expansion(),
# which make the complement themselves.
#
# Seen: on the graph 0-1, 1-2 with {0} the cut is 1; on the arcs 0->1, 1->2 TypeError, and 1 with {1, 2} given. A backend that answers
# a directed cut without the second set answers what NetworkX refuses. Source: networkx/algorithms/cuts.py (cut_size),
# networkx/algorithms/boundary.py (edge_boundary). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1
"$folder/env/bin/python" -W ignore - <<'END' >"$folder/seen"
import networkx as nx

for kind in nx.Graph, nx.DiGraph:
    graph = kind([(0, 1), (1, 2)])
    for rest in (), ({1, 2},):
        try:
            print(kind.__name__, len(rest), nx.cut_size(graph, {0}, *rest))
        except Exception as raised:
            print(kind.__name__, len(rest), type(raised).__name__)
    print(kind.__name__, nx.conductance(graph, {0}) == nx.conductance(graph, {0}, {1, 2}))
END
cat "$folder/seen"
printf 'Graph 0 1\nGraph 1 1\nGraph True\nDiGraph 0 TypeError\nDiGraph 1 1\nDiGraph True\n' | cmp - "$folder/seen" ||
  { echo "networkx-cut-of-a-digraph: no longer as described"; exit 1; }
