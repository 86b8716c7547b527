"""From what size on the backend pays: python measure_networkx.py [FUNCTION... | FILE]

Times NetworkX's own answer and ours on random graphs of growing size, the conversion included, and prints ratios (medians of 5). The
limits of table.py are where most functions of a kind pass 1. With a file of a graph: the same for that graph, undirected.
"""

import os
import statistics
import sys
import time

import networkx as nx

CALLS = {
    "pagerank": lambda f, g: f(g),
    "connected_components": lambda f, g: list(f(g)),
    "single_source_shortest_path_length": lambda f, g: f(g, 0),
    "degree_centrality": lambda f, g: f(g),
    "closeness_centrality": lambda f, g: f(g),
    "betweenness_centrality": lambda f, g: f(g),
}
SLOW = ("closeness_centrality", "betweenness_centrality")


def seconds(call, name, backend, graph):
    graph.__networkx_cache__.clear()
    begin = time.perf_counter()
    call(lambda *a, **k: getattr(nx, name)(*a, backend=backend, **k), graph)
    return time.perf_counter() - begin


def of_file(path):
    import gossamer as gs
    from gossamer.networkx_backend.dispatch import convert_to_nx

    graph = nx.Graph(convert_to_nx(gs.read(path)))
    start = max(graph, key=graph.degree)
    calls = {
        "pagerank": CALLS["pagerank"],
        "connected_components": CALLS["connected_components"],
        "single_source_shortest_path_length": lambda f, g: f(g, start),
        "betweenness_centrality": lambda f, g: f(g, k=64, seed=1),
    }
    for name, call in calls.items():
        seconds(call, name, "gossamer", graph)  # starts the cores
        theirs, ours = (statistics.median(seconds(call, name, backend, graph) for _ in range(times))
                        for backend, times in (("networkx", 1 if name in SLOW else 9), ("gossamer", 9)))
        print(f"{name:36} {theirs * 1e3:9.2f} ms  {ours * 1e3:9.2f} ms  {theirs / ours:6.2f}", flush=True)


def main():
    if len(sys.argv) == 2 and os.path.exists(sys.argv[1]):
        return of_file(sys.argv[1])
    for name in sys.argv[1:] or CALLS:
        for nodes in (50, 100, 300, 1000, 3000, 10_000, 30_000):
            if name in SLOW and nodes > 1000:
                break
            graph = nx.gnm_random_graph(nodes, 4 * nodes, seed=nodes)
            seconds(CALLS[name], name, "gossamer", graph)  # starts the cores
            theirs, ours = (statistics.median(seconds(CALLS[name], name, backend, graph) for _ in range(5))
                            for backend in ("networkx", "gossamer"))
            print(f"{name:36} {graph.number_of_nodes() + graph.number_of_edges():8} nodes and edges  "
                  f"{theirs * 1e3:9.2f} ms  {ours * 1e3:9.2f} ms  {theirs / ours:6.2f}", flush=True)


if __name__ == "__main__":
    main()
