#!/bin/sh
# NetworkX 3.6.1 keeps what a backend has converted with the graph that was asked about. A mutating method such as add_edge() forgets
# what is kept with its own graph, and not what is kept with views of that graph. So a question about a view that a backend has answered
# is answered from the old edges after the graph below has changed, with a cache that the caller has not asked for.
#
# Seen: the view is asked before and after an edge is added to the graph below it. By NetworkX alone 1 and 0 nodes are isolated; by a
# backend that counts what it was given 1 and 1. The graph itself, asked the same way, gives 1 and 0. A backend has to forget a view's
# conversion by itself, or not convert views. Source: networkx/utils/backends.py (_get_from_cache, _set_to_cache), networkx/utils/misc.py
# (_clear_cache). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet networkx==3.6.1

# A backend that converts a graph to its adjacency, as sets.
site=$("$folder/env/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
mkdir -p "$site/counting-1.0.dist-info"
printf 'Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n' >"$site/counting-1.0.dist-info/METADATA"
printf '[networkx.backends]\ncounting = counting\n[networkx.backend_info]\ncounting = counting:info\n' \
  >"$site/counting-1.0.dist-info/entry_points.txt"
cat >"$site/counting.py" <<'END'
class Converted:
    __networkx_backend__ = "counting"

    def __init__(self, graph):
        self.neighbours = {v: set(graph[v]) for v in graph}

    def is_directed(self):
        return False

    def is_multigraph(self):
        return False


def info():
    return {"backend_name": "counting", "functions": {"number_of_isolates": {}}}


def convert_from_nx(graph, **_):
    return Converted(graph)


def convert_to_nx(result, **_):
    return result


def number_of_isolates(graph):
    return sum(not near for near in graph.neighbours.values())
END

"$folder/env/bin/python" -W ignore - <<'END' >"$folder/seen"
import networkx as nx


def asked_twice(view, **how):
    graph = nx.Graph([(0, 1)])
    graph.add_node(2)
    asked = graph.subgraph([0, 1, 2]) if view else graph
    before = nx.number_of_isolates(asked, **how)
    graph.add_edge(1, 2)
    return before, nx.number_of_isolates(asked, **how)


for view in False, True:
    print("view" if view else "graph", *asked_twice(view), *asked_twice(view, backend="counting"))
END
cat "$folder/seen"
printf 'graph 1 0 1 0\nview 1 0 1 1\n' | cmp - "$folder/seen" || { echo "networkx-cached-views: no longer as described"; exit 1; }
