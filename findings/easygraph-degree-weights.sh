#!/bin/sh
# EasyGraph 1.6.3's degree(), size() and density() of an undirected graph depend on which of them was asked
# first. Graph.degree(weight) keeps its answer and gives it again whatever weight the next call names, so
# degree(weight=None) returns sums of weights, or degree() plain degrees, without a word. size(), which is
# documented to give the number of edges, adds these up; so do density(), which is 1 for a complete graph by
# its documentation, and k_core() and degree_centrality(), "the fraction of nodes it is connected to", which
# ask for degree() alone and so weigh the edges in a graph that has weights.
#
# A script that prints the density gets another number when a line above it asks for something else.
# Directed graphs keep no answer.
#
# Seen: a triangle with one further edge, weights 3, 5, 1 and 4: 4 edges of 6, density 0.6667. After
# degree() it has size 13 and density 2.1667, and after size() weighted degrees of 2, 2, 3 and 1. Core
# values of a fresh graph are 4 7 7 4, and 2 2 2 1 after size(); NetworkX 3.6.1 has 4 edges and cores 2 2 2
# 1. Ask in fresh copies of the graph. Source: easygraph/classes/graph.py (degree: cache). Takes Python 3.11
# or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check Python-EasyGraph==1.6.3 networkx==3.6.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import easygraph
import networkx

edges = [(0, 1, 3), (1, 2, 5), (2, 0, 1), (2, 3, 4)]


def fresh():
    graph = easygraph.Graph()
    for u, v, weight in edges:
        graph.add_edge(u, v, weight=weight)
    return graph


def show(name, graph):
    degrees = graph.degree(weight="weight")
    print(name, "size", graph.size(), "density", round(easygraph.density(graph), 4),
          "weighted degrees", *(degrees[v] for v in range(4)), "cores", *easygraph.k_core(graph))


graph = fresh()
graph.degree()
show("after degree():", graph)
graph = fresh()
graph.size()
show("after size():", graph)
print("cores of a fresh graph", *easygraph.k_core(fresh()))
other = networkx.Graph()
other.add_weighted_edges_from(edges)
print("networkx: size", other.size(), "density", round(networkx.density(other), 4), "weighted degrees",
      *(other.degree(weight="weight")[v] for v in range(4)),
      "cores", *(networkx.core_number(other)[v] for v in range(4)))
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "easygraph-degree-weights: no longer as described"; exit 1; }
after degree(): size 13 density 2.1667 weighted degrees 4 8 10 4 cores 4 7 7 4
after size(): size 4 density 0.6667 weighted degrees 2 2 3 1 cores 2 2 2 1
cores of a fresh graph 4 7 7 4
networkx: size 4 density 0.6667 weighted degrees 4 8 10 4 cores 2 2 2 1
END
