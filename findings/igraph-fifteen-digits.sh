#!/bin/sh
# python-igraph 1.0.0 writes numbers with 15 significant digits in all of its text formats: GraphML, GML, Pajek, NCOL,
# LGL, LEDA. A double needs 17 to be the same when read. So each weight that is not short comes back as another,
# without a word: sums, ties and orders of distances change. Whole numbers of 16 digits and more change, too,
# though doubles hold those up to 9007199254740992, and Python's integers, which igraph keeps as attributes, all. Vertices
# that are named by such integers (TupleList) get the same name, in GraphML and Pajek.
#
# Seen: weights 0.1 + 0.2 and 1/3 read back from each of five formats: both differ. NetworkX 3.6.1 reads back the
# same numbers from its own GraphML, GML and Pajek. Three vertices with ids of 16 digits, 1000000000000001 to 3, have one
# name after Pajek and GraphML, three in NetworkX's files and in Gossamer's. Write names as text, and weights as
# repr() text or by pickle. Reported for GML as igraph/python-igraph#562. Source: igraph's src/core/printing.c
# (igraph_real_fprintf_precise: DBL_DIG). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet igraph==1.0.0 networkx==3.6.1
cd "$folder"
env/bin/python -W ignore - <<'PYTHON' >seen
import igraph
import networkx as nx

weights = [0.1 + 0.2, 1 / 3]
graph = igraph.Graph(3, [(0, 1), (1, 2)])
graph.vs["name"], graph.es["weight"] = ["a", "b", "c"], weights
other = nx.Graph()
other.add_weighted_edges_from([("a", "b", weights[0]), ("b", "c", weights[1])])
for form in "graphml", "gml", "pajek", "ncol", "lgl":
    graph.write(form, form)
    read = [sum(now == before for before in weights) for now in igraph.Graph.Read(form, form).es["weight"]]
    if form in ("graphml", "gml", "pajek"):
        getattr(nx, f"write_{form}")(other, f"networkx.{form}")
        again = getattr(nx, f"read_{form}")(f"networkx.{form}").edges(data="weight")
        print(form, "igraph", sum(read), "networkx", sum(weight in weights for *_, weight in again), "of 2")
    else:
        print(form, "igraph", sum(read), "of 2")

first = 1000000000000001
named = igraph.Graph.TupleList([(first, first + 1), (first + 1, first + 2)])
other = nx.Graph([(first, first + 1), (first + 1, first + 2)])
print("names", len(set(named.vs["name"])))
for form in "graphml", "pajek":
    named.write(form, form)
    getattr(nx, f"write_{form}")(other, f"networkx.{form}")
    print(form, "igraph", len(set(igraph.Graph.Read(form, form).vs["name"])),
          "networkx", len(getattr(nx, f"read_{form}")(f"networkx.{form}")))
PYTHON
cat seen
cmp - seen <<'END' || { echo "igraph-fifteen-digits: no longer as described"; exit 1; }
graphml igraph 0 networkx 2 of 2
gml igraph 0 networkx 2 of 2
pajek igraph 0 networkx 2 of 2
ncol igraph 0 of 2
lgl igraph 0 of 2
names 3
graphml igraph 1 networkx 3
pajek igraph 1 networkx 3
END
