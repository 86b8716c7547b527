#!/bin/sh
# NetworkX 3.6.1's simrank_similarity() weighs edges by their attribute "weight", without a word. Its documentation
# has the definition without weights (each pair of in-neighbours counts the same), names no weight, and the
# function has no parameter to leave it out. NetworkX's other functions that weigh have such a parameter. So a graph
# with weights for something else, lengths or counts, has other similarities than the same graph without. A weight of 0 into
# a vertex drops the in-neighbour; negative ones give numbers outside of 0 to 1.
#
# Seen: arcs 0 -> 1, 2 -> 1 and 2 -> 0. The in-neighbours of 0 and 1 are {2} and {0, 2}, so their similarity is
# 0.9 / 2 * (s(2, 0) + s(2, 2)) = 0.45, since nothing leads to 2. With weight 9 on 2 -> 1 and 1 elsewhere NetworkX says
# 0.81, and with weight -3 it says 1.35. Take the weights off a copy first. Source: networkx/algorithms/similarity.py
# (_simrank_similarity_numpy: to_numpy_array(G)). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1 numpy==2.4.6
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import inspect

import networkx as nx

for weight in None, 9, 0, -3:
    graph = nx.DiGraph([(0, 1), (2, 1), (2, 0)])
    if weight is not None:
        nx.set_edge_attributes(graph, 1, "weight")
        graph[2][1]["weight"] = weight
    print(weight, round(float(nx.simrank_similarity(graph, 0, 1)), 4))
print("weight" in inspect.getdoc(nx.simrank_similarity), "weight" in inspect.signature(nx.simrank_similarity).parameters)
PYTHON
cat "$folder/seen"
printf '%s\n' 'None 0.45' '9 0.81' '0 0.0' '-3 1.35' 'False False' | cmp - "$folder/seen" ||
  { echo "networkx-simrank-weights: no longer as described"; exit 1; }
