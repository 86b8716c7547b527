#!/bin/sh
# NetworkX 3.6.1 gives hits() of a bipartite graph (a star, a tree, a grid, a membership graph) other values on every call, some of them
# negative or far above 1, without a word: nx.hits(nx.path_graph(3)) gave hubs of (0.51, -0.02, 0.51), of (0.16, 0.67, 0.16), and of
# (26.0, -51.0, 26.0). Scores are the first singular vector of the adjacency matrix, by SciPy's svds() from a random start. Each
# singular value of a bipartite graph comes twice, so any mixture of two vectors is one, and dividing it by its sum may divide by nearly
# nothing. Whoever checks an answer against NetworkX's compares with a random number there.
#
# Seen: of 40 calls on a star of five nodes, a grid of 3 x 3 and the Davis women's graph no two agree to 6 digits, and some hubs are
# negative; on a complete graph and on Zachary's karate club all agree. The iteration from equal scores, as J. Kleinberg describes it, has
# one answer for all of them; Gossamer gives that. Source: networkx/algorithms/link_analysis/hits_alg.py (hits). Takes Python
# 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1 scipy==1.17.1 numpy==2.4.6
"$folder/env/bin/python" - <<'END' >"$folder/seen"
import networkx as nx

graphs = {"star": nx.star_graph(4), "grid": nx.grid_2d_graph(3, 3), "women": nx.davis_southern_women_graph(),
          "complete": nx.complete_graph(4), "karate": nx.karate_club_graph()}
for name, graph in graphs.items():
    calls = [nx.hits(graph)[0] for _ in range(40)]
    answers = {tuple(round(float(hub), 6) for hub in hubs.values()) for hubs in calls}
    print(name, "bipartite" if nx.is_bipartite(graph) else "not bipartite", len(answers), "answers",
          "negative" if any(hub < -1e-6 for hubs in answers for hub in hubs) else "positive")
END
cat "$folder/seen"
{
  printf '%s bipartite 40 answers negative\n' star grid women
  printf '%s not bipartite 1 answers positive\n' complete karate
} | cmp - "$folder/seen" || { echo "networkx-hits-of-bipartite: no longer as described"; exit 1; }
