#!/bin/sh
# NetworkX 3.6.1's eigenvector_centrality() iterates by A + I whatever the weights are, so its answer depends on the unit that they are
# written in. The eigenvectors of A do not. With weights far below 1, I hides A: the iteration ends after a step, with equal scores and
# no warning. With weights far above 1, I is nothing beside A: on a bipartite graph the iteration swings for ever and is given up.
#
# Seen: a path of three nodes, both edges of one weight. The middle node scores 0.7071 and its ends 0.5, by eigenvector_centrality_numpy()
# in any unit. eigenvector_centrality() says so for 1, gives all three 0.5774 for 1e-8, and raises PowerIterationFailedConvergence for 1000.
# Scale weights to a mean of 1 first. Source: networkx/algorithms/centrality/eigenvector.py. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1 scipy==1.17.1 numpy==2.3.5

"$folder/env/bin/python" - <<'END' >"$folder/seen"
import networkx as nx


def rounded(scores):
    return " ".join(f"{abs(x):.4f}" for x in scores.values())


for weight in 1.0, 1e-8, 1000.0:
    path = nx.path_graph(3)
    nx.set_edge_attributes(path, weight, "weight")
    try:
        seen = rounded(nx.eigenvector_centrality(path, weight="weight"))
    except nx.PowerIterationFailedConvergence:
        seen = "not converged"
    print(weight, "|", seen, "|", rounded(nx.eigenvector_centrality_numpy(path, weight="weight")))
END
cat "$folder/seen"
printf '%s\n' "1.0 | 0.5000 0.7071 0.5000 | 0.5000 0.7071 0.5000" "1e-08 | 0.5774 0.5774 0.5774 | 0.5000 0.7071 0.5000" \
  "1000.0 | not converged | 0.5000 0.7071 0.5000" | cmp - "$folder/seen" || { echo "eigenvector-unit-of-weights: no longer as described"; exit 1; }
