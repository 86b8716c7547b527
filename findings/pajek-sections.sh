#!/bin/sh
# Pajek's .net files have sections that NetworkX 3.6.1 and python-igraph 1.0.0 read otherwise than Pajek's authors describe them ("Pajek
# format" in V. Batagelj's wiki, pajek:faq:format; "Definition of Network" in A. Mrvar's DrawEPS pages), without a word:
# - NetworkX takes `*Arcslist` and `*Edgeslist`, whose rows are a vertex and all of its neighbours, for rows of two vertices and a weight.
# - NetworkX takes comments, lines that begin with %, among vertices and edges for vertices and edges.
# - NetworkX takes the heading of a second relation, `*Arcs :2`, for an arc from a vertex "*Arcs" to a vertex ":2".
# - NetworkX makes one vertex of vertices with the same label.
# - Of a file with `*Arcs` and then `*Edges`, NetworkX follows the edges one way, igraph the arcs both ways.
#
# Seen: the lines below. Gossamer reads rows of lists as neighbours, passes over comments, reads every relation, keeps vertices with the
# same label apart, and follows edges both ways where there are arcs, too. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1 igraph==1.0.0
"$folder/env/bin/python" - "$folder/a.net" <<'END' >"$folder/seen"
import sys

import igraph
import networkx as nx

VERTICES = '*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n'
FILES = {
    "list": VERTICES + "*Arcslist\n1 2 3\n",
    "comments": '*Vertices 3\n1 "a"\n% x\n2 "b"\n3 "c"\n*Edges\n1 2\n% y\n2 3\n',
    "relations": VERTICES + '*Arcs :1 "likes"\n1 2\n*Arcs :2 "knows"\n2 3\n',
    "labels": '*Vertices 3\n1 "a"\n2 "a"\n3 "c"\n*Edges\n1 2\n2 3\n',
    "mixed": VERTICES + "*Arcs\n1 2\n*Edges\n2 3\n",
}
for name, text in FILES.items():
    with open(sys.argv[1], "w") as file:
        file.write(text)
    read = nx.read_pajek(sys.argv[1])
    edges = sorted(f"{u}{'>' if read.is_directed() else '-'}{v}" for u, v in read.edges())
    print(name, "networkx", len(read), "vertices", *edges)
    if name == "mixed":
        print(name, "igraph", "directed" if igraph.Graph.Read_Pajek(sys.argv[1]).is_directed() else "undirected")
END
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "pajek-sections: no longer as described"; exit 1; }
list networkx 3 vertices a>b
comments networkx 5 vertices a-b b-3 x-y
relations networkx 5 vertices *Arcs>:2 a>b b>c
labels networkx 2 vertices a-a a-c
mixed networkx 3 vertices a>b b>c
mixed igraph undirected
END
