#!/bin/sh
# scikit-network 0.33.5's PageRank gives vertices without outgoing edges, isolated ones too, far too much.
# Its documentation has the equation x = a P x + (1 - a) y (get_pagerank), the scores divided by their sum.
# The default solver, "piteration", gives each sink 1 in place of 1 - a of its share y of the restarts, as if
# the walk restarted at sinks and not from them; so do "lanczos" and "bicgstab". The solvers "RH" and
# "diteration" of the same class are right. Nothing is said.
#
# An isolated vertex should have 1 - a, 0.15, of what a vertex of an undirected graph has on average; it has
# the same as all. Rankings of citations or of links, where many vertices are sinks, put these first.
#
# Seen: of two vertices with arcs to each other and an isolated one, exact rational arithmetic and NetworkX
# 3.6.1 give the last 0.0698, scikit-network 0.3333. Vertex 1 of 0 -> 1, 1 -> 0, 1 -> 2 is the best by the
# equation, 0.3936, and the sink 2 is scikit-network's, 0.5403 (0.6064 by "bicgstab") in
# place of 0.3032. Source:
# sknetwork/linalg/ppr_solver.py (RandomSurferOperator: b). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-network==0.33.5 networkx==3.6.1 scipy==1.17.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
from fractions import Fraction

import networkx
from scipy.sparse import csr_matrix
from sknetwork.ranking import PageRank


def exact(arcs, vertices):
    """Solve x = a P x + (1 - a) y by elimination, and divide by the sum."""
    a = Fraction(17, 20)
    degree = [sum(arc[0] == v for arc in arcs) for v in range(vertices)]
    rows = [[Fraction(i == j) - (a / degree[j] if (j, i) in arcs else 0) for j in range(vertices)]
            + [(1 - a) / vertices] for i in range(vertices)]
    for i in range(vertices):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(vertices):
            if j != i:
                rows[j] = [left - rows[j][i] * right for left, right in zip(rows[j], rows[i])]
    return [row[-1] / sum(each[-1] for each in rows) for row in rows]


graphs = {"isolated": [(0, 1), (1, 0)], "sink": [(0, 1), (1, 0), (1, 2)]}
for name, arcs in graphs.items():
    graph = networkx.DiGraph(arcs)
    graph.add_node(2)
    matrix = csr_matrix(networkx.to_numpy_array(graph, nodelist=range(3)))
    scores = {"exact": exact(arcs, 3)}
    ranks = networkx.pagerank(graph, tol=1e-12, max_iter=1000)
    scores["NetworkX"] = [ranks[v] for v in range(3)]
    for solver in "piteration", "lanczos", "bicgstab", "RH", "diteration":
        scores[solver] = PageRank(solver=solver, n_iter=300, tol=1e-9).fit_predict(matrix)
    for who, each in scores.items():
        print(name, who, *(f"{float(score):.4f}" for score in each))
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "scikit-network-pagerank-sinks: no longer as described"; exit 1; }
isolated exact 0.4651 0.4651 0.0698
isolated NetworkX 0.4651 0.4651 0.0698
isolated piteration 0.3333 0.3333 0.3333
isolated lanczos 0.3333 0.3333 0.3333
isolated bicgstab 0.3333 0.3333 0.3333
isolated RH 0.4651 0.4651 0.0698
isolated diteration 0.4651 0.4651 0.0698
sink exact 0.3032 0.3936 0.3032
sink NetworkX 0.3032 0.3936 0.3032
sink piteration 0.1965 0.2633 0.5403
sink lanczos 0.1965 0.2633 0.5403
sink bicgstab 0.1713 0.2224 0.6064
sink RH 0.3032 0.3936 0.3032
sink diteration 0.3032 0.3936 0.3032
END
