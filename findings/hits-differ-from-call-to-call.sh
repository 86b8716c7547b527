#!/bin/sh
# HITS by NetworkX 3.6.1 and by python-igraph 1.0.0 gives other values on every call, without a word, where the largest singular value of
# the adjacency matrix comes several times. Both take a singular vector that ARPACK finds from a random start: any mixture of several is
# one. That concerns common graphs, not only odd ones:
# - NetworkX, undirected: every bipartite graph (a star, a tree, a grid, a membership graph), whose singular values come in pairs. The
#   vector is divided by its sum, which may be nearly 0: hubs of nx.path_graph(3) were (0.51, -0.02, 0.51), (0.16, 0.67, 0.16) and
#   (26.0, -51.0, 26.0).
# - igraph, directed: trees, cycles and parts of the same shape; one vertex of a cycle may have 1 and the others 0. Undirected:
#   components of the same shape, of eigenvector_centrality(), too.
# Whoever checks an answer against either compares with a random number there.
#
# Seen: 40 calls, rounded to three digits, gave more than 30 answers of NetworkX for a star of five nodes, a grid of 3 x 3 and the Davis
# women's graph, some hubs negative, and one for a complete graph and Zachary's karate club; of igraph more than 20 for a binary tree and
# a cycle of five, and one for the karate club. The iteration from equal scores, as J. Kleinberg describes it, has one answer for each of them; Gossamer gives that.
# Sources: networkx/algorithms/link_analysis/hits_alg.py (hits), igraph's src/centrality/hub_authority.c. Takes Python 3.11 or newer,
# and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1 scipy==1.17.1 numpy==2.4.6 igraph==1.0.0
"$folder/env/bin/python" -W ignore - <<'END' >"$folder/seen"
import igraph
import networkx as nx


def tell(name, call):
    answers = {tuple(round(float(hub), 3) for hub in call()) for _ in range(40)}
    several = "over 10" if len(answers) > 10 else len(answers)
    print(name, several, "negative" if any(hub < -0.001 for hubs in answers for hub in hubs) else "positive")


graphs = {"star": nx.star_graph(4), "grid": nx.grid_2d_graph(3, 3), "women": nx.davis_southern_women_graph(),
          "complete": nx.complete_graph(4), "karate": nx.karate_club_graph()}
for name, graph in graphs.items():
    tell(f"networkx {name}", lambda: nx.hits(graph)[0].values())
tell("igraph tree", igraph.Graph.Tree(15, 2, mode="out").hub_score)
tell("igraph cycle", lambda: igraph.Graph.Ring(5, directed=True).hub_score())
tell("igraph karate", igraph.Graph.Famous("Zachary").hub_score)
END
cat "$folder/seen"
{
  printf 'networkx %s over 10 negative\n' star grid women
  printf 'networkx %s 1 positive\n' complete karate
  printf 'igraph %s over 10 positive\n' tree cycle
  echo "igraph karate 1 positive"
} | cmp - "$folder/seen" || { echo "hits-differ-from-call-to-call: no longer as described"; exit 1; }
