"""Measures questions about graphs beside other libraries: python measure_peers.py [--repeats N] [QUESTION...]

Prints a row per question and graph: our time, each peer's, and our time over that of the fastest peer beside what is asked for. The libraries
take turns; a time is the median of N rounds (3), and a call of more than 20 s is made once. Needs an idle machine. Peers are measured
where they are installed (PyPI: networkit, igraph, rustworkx, scipy), each with the threads that it chooses.

`converted` questions make the graph from NumPy arrays inside of the time. Where libraries answer with the same number, it is compared, and a
difference is printed.
"""

import argparse
import contextlib
import importlib
import math
import pathlib
import statistics
import time
from functools import cached_property

import numpy as np

import gossamer as gs


def module(name):
    with contextlib.suppress(ImportError):
        return importlib.import_module(name)
    return None


ig, nk, rx, sparse, csgraph = (module(name) for name in ("igraph", "networkit", "rustworkx", "scipy.sparse", "scipy.sparse.csgraph"))
HERE = {"gossamer": gs, "igraph": ig, "networkit": nk, "rustworkx": rx, "scipy": csgraph}


class Case:
    """Edges of a graph in arrays, and the graph in each library: `plain` and `weighted` ones are kept."""

    def __init__(self, src, dst, weights, vertices, directed=False):
        self.src, self.dst, self.weights, self.vertices, self.directed = src, dst, weights, vertices, directed
        self.source = int(np.bincount(src, minlength=vertices).argmax())
        self.some = np.random.default_rng(2).choice(vertices, min(100, vertices), replace=False).tolist()

    def gossamer(self, weighted=True):
        return gs.Graph(self.src, self.dst, self.weights if weighted else None, directed=self.directed, vertices=self.vertices)

    def igraph(self, weighted=True):
        graph = ig.Graph(self.vertices, np.column_stack((self.src, self.dst)), directed=self.directed)
        if weighted:
            graph.es["weight"] = self.weights
        return graph

    def networkit(self, weighted=True):
        pairs = self.src.astype(np.uint64), self.dst.astype(np.uint64)
        graph = nk.GraphFromCoo((self.weights.astype(float), pairs), n=self.vertices, weighted=weighted, directed=self.directed)
        graph.indexEdges()
        return graph

    def rustworkx(self, weighted=True):
        graph = (rx.PyDiGraph if self.directed else rx.PyGraph)()
        graph.add_nodes_from(range(self.vertices))
        weights = self.weights if weighted else np.ones(len(self.src))
        graph.add_edges_from(list(zip(self.src.tolist(), self.dst.tolist(), weights.tolist(), strict=True)))
        return graph

    def scipy(self, weighted=True):
        weights = self.weights.astype(np.int32) if weighted else np.ones(len(self.src), np.int32)
        one_way = sparse.coo_array((weights, (self.src, self.dst)), shape=(self.vertices, self.vertices)).tocsr()
        return one_way if self.directed else one_way.maximum(one_way.T).tocsr()

    @cached_property
    def plain(self):
        return Kept(self, False)

    @cached_property
    def weighted(self):
        return Kept(self, True)


class Kept:
    """The graphs of a case, each made at first use."""

    def __init__(self, case, weighted):
        self.case, self.with_weights = case, weighted

    def __getattr__(self, library):
        graph = getattr(self.case, library)(self.with_weights)
        setattr(self, library, graph)
        return graph


def generated(name, holes=0.0, directed=False):
    """Return what gossamer.read() generates, without a part of the edges; directed: each edge one way, by chance."""
    random = np.random.default_rng(1)
    entries = gs.read(name).to_scipy().tocoo()
    taken = entries.row < entries.col
    taken[taken] = random.random(taken.sum()) >= holes
    src, dst = entries.row[taken].astype(np.int64), entries.col[taken].astype(np.int64)
    weights = entries.data[taken].astype(np.int64) if "@" in name else random.integers(1, 256, len(src))
    turned = random.random(len(src)) < (0.5 if directed else 0)
    return Case(np.where(turned, dst, src), np.where(turned, src, dst), weights, entries.shape[0], directed)


def shipped():
    """Return the graph of data/, undirected."""
    graph = gs.read(str(pathlib.Path(__file__).parents[2] / "data" / "debian-depends.tsv.gz"), directed=False)
    entries = graph.to_scipy().tocoo()
    once = entries.row < entries.col
    return Case(entries.row[once].astype(np.int64), entries.col[once].astype(np.int64), np.ones(once.sum(), np.int64), len(graph))


GRAPHS = {
    "kron:18": lambda: generated("kron:18"),
    "kron:18, directed": lambda: generated("kron:18", directed=True),
    "grid": lambda: generated("grid:1000x1000"),
    "grid with holes": lambda: generated("grid:1000x1000", 0.25),
    "that grid, directed": lambda: generated("grid:1000x1000", 0.25, directed=True),
    "road:3000": lambda: generated("road:3000@1..1000"),
    "road:30000": lambda: generated("road:30000@1..1000"),
    "shipped": shipped,
}


def run(algorithm):
    algorithm.run()
    return algorithm


def of_nothing(answer):
    """Return an answer to whose call no number belongs that all libraries have."""
    return lambda c: (answer(c), None)[1]


def networkit_communities(c):
    graph = c.plain.networkit
    found = nk.community.detectCommunities(graph, nk.community.PLM(graph, True), inspect=False)
    return nk.community.Modularity().getQuality(found, graph)


STRONG = {
    "gossamer": lambda c: c.plain.gossamer.strong().stats["components"],
    "networkit": lambda c: run(nk.components.StronglyConnectedComponents(c.plain.networkit)).numberOfComponents(),
    "igraph": lambda c: len(c.plain.igraph.connected_components("strong")),
    "rustworkx": lambda c: len(rx.strongly_connected_components(c.plain.rustworkx)),
    "scipy": lambda c: csgraph.connected_components(c.plain.scipy, True, "strong")[0],
}
SSSP = {
    "gossamer": of_nothing(lambda c: c.weighted.gossamer.sssp(c.source)),
    "networkit": of_nothing(lambda c: run(nk.distance.Dijkstra(c.weighted.networkit, c.source, False)).getDistances(asarray=True)),
    "igraph": of_nothing(lambda c: c.weighted.igraph.distances(c.source, weights="weight")),
    "rustworkx": of_nothing(lambda c: rx.dijkstra_shortest_path_lengths(c.weighted.rustworkx, c.source, float)),
    "scipy": of_nothing(lambda c: csgraph.dijkstra(c.weighted.scipy, indices=c.source)),
}
SSSP_CONVERTED = {
    "gossamer": of_nothing(lambda c: c.gossamer().sssp(c.source)),
    "networkit": of_nothing(lambda c: run(nk.distance.Dijkstra(c.networkit(), c.source, False)).getDistances(asarray=True)),
    "igraph": of_nothing(lambda c: c.igraph().distances(c.source, weights="weight")),
    "rustworkx": of_nothing(lambda c: rx.dijkstra_shortest_path_lengths(c.rustworkx(), c.source, float)),
    "scipy": of_nothing(lambda c: csgraph.dijkstra(c.scipy(), indices=c.source)),
}
CORES = {
    "gossamer": lambda c: c.plain.gossamer.cores().max(),
    "networkit": lambda c: run(nk.centrality.CoreDecomposition(c.plain.networkit)).maxCoreNumber(),
    "igraph": lambda c: max(c.plain.igraph.coreness()),
    "rustworkx": lambda c: max(rx.core_number(c.plain.rustworkx).values()),
}
CLOSENESS_OF_SOME = {
    "gossamer": of_nothing(lambda c: c.plain.gossamer.closeness(samples=100)),
    "networkit": of_nothing(lambda c: run(nk.centrality.ApproxCloseness(c.plain.networkit, 100))),
    "igraph": of_nothing(lambda c: c.plain.igraph.closeness(c.some)),
    "scipy": of_nothing(lambda c: [csgraph.dijkstra(c.plain.scipy, unweighted=True, indices=v).sum() for v in c.some]),
}
CLOSENESS = {
    "gossamer": lambda c: c.plain.gossamer.closeness().max(),
    "networkit": lambda c: max(run(nk.centrality.Closeness(c.plain.networkit, True, False)).scores()),
    "igraph": lambda c: max(c.plain.igraph.closeness()),
    "rustworkx": lambda c: max(rx.closeness_centrality(c.plain.rustworkx).values()),
}
DIAMETER = {
    "gossamer": lambda c: c.plain.gossamer.diameter(),
    "networkit": lambda c: run(nk.distance.Diameter(c.plain.networkit, nk.distance.DiameterAlgo.EXACT)).getDiameter()[0],
    "igraph": lambda c: c.plain.igraph.diameter(),
}
COMMUNITIES = {
    "gossamer": lambda c: c.plain.gossamer.communities().modularity,
    "networkit": networkit_communities,
    "igraph": lambda c: c.plain.igraph.community_leiden("modularity", n_iterations=2).modularity,
}
TRIANGLES = {
    "gossamer": lambda c: c.plain.gossamer.triangles().stats["triangles"],
    "networkit": lambda c: sum(run(nk.sparsification.TriangleEdgeScore(c.plain.networkit)).scores()) // 3,
    "igraph": lambda c: sum(c.plain.igraph.count_adjacent_triangles()) // 3 if hasattr(ig.Graph, "count_adjacent_triangles")
    else len(c.plain.igraph.list_triangles()),
}
BETWEENNESS_CONVERTED = {
    "gossamer": lambda c: c.gossamer().betweenness(weighted=True, normalized=False).max(),
    "networkit": lambda c: max(run(nk.centrality.Betweenness(c.networkit())).scores()) / 2,
    "igraph": lambda c: max(c.igraph().betweenness(weights="weight")),
}
TREE_CONVERTED = {
    "gossamer": lambda c: c.gossamer().spanning_tree().stats["weight"],
    "igraph": lambda c: sum(c.igraph().spanning_tree("weight").es["weight"]),
    "rustworkx": lambda c: sum(w for _, _, w in rx.minimum_spanning_edges(c.rustworkx(), float)),
    "scipy": lambda c: csgraph.minimum_spanning_tree(c.scipy()).sum(),
}
LOUVAIN_CONVERTED = {
    "gossamer": lambda c: c.gossamer().communities("louvain").modularity,
    "igraph": lambda c: c.igraph().community_multilevel("weight").modularity,
    "networkit": of_nothing(lambda c: run(nk.community.PLM(c.networkit(), True))),
}


def max_flow(ends):
    """Return libraries for the flow between two vertices, which ends(case) gives."""
    return {
        "gossamer": lambda c: c.weighted.gossamer.max_flow(*ends(c)),
        "igraph": lambda c: c.weighted.igraph.maxflow_value(*ends(c), c.weights.tolist()),  # it takes NumPy's integers for 1
        "scipy": lambda c: csgraph.maximum_flow(c.weighted.scipy, *ends(c)).flow_value,
    }


# Question: (what each library does, the graphs, our time over the fastest peer's at most).
QUESTIONS = {
    "strong": (STRONG, ("kron:18, directed", "that grid, directed"), 0.5),
    "sssp": (SSSP, ("kron:18", "grid with holes"), 0.5),
    "cores": (CORES, ("kron:18", "grid with holes"), 0.5),
    "closeness-of-100": (CLOSENESS_OF_SOME, ("kron:18", "grid with holes"), 0.5),
    "closeness": (CLOSENESS, ("road:3000", "road:30000"), 0.5),
    "diameter": (DIAMETER, ("road:30000", "grid with holes"), 0.3),
    "communities": (COMMUNITIES, ("kron:18", "shipped"), 0.7),
    "triangles": (TRIANGLES, ("kron:18",), 0.5),
    "sssp-converted": (SSSP_CONVERTED, ("road:30000",), 1.0),
    "betweenness-converted": (BETWEENNESS_CONVERTED, ("road:3000",), 0.5),
    "tree-converted": (TREE_CONVERTED, ("road:30000",), 1.0),
    "louvain-converted": (LOUVAIN_CONVERTED, ("road:30000",), 0.7),
    "max-flow-of-corners": (max_flow(lambda c: (0, c.vertices - 1)), ("grid",), 0.5),
    "max-flow-inside": (max_flow(lambda c: (c.vertices // 2, c.vertices // 2 + 999)), ("grid",), 0.5),
}


TOO_LONG = {("diameter", "grid with holes", "igraph")}  # a search from every vertex


def timed(answer, case):
    """Return (seconds, what it returned)."""
    begin = time.perf_counter()
    value = answer(case)
    return time.perf_counter() - begin, value


def in_turn(libraries, case, repeats):
    """Return {library: (median seconds, value)}. The first round, which makes the graphs, counts only for calls that are not made again."""
    taken, values = {}, {}
    for turn in range(repeats + 1):
        for name, answer in libraries.items():
            if min(taken.get(name, [0])) <= 20:
                seconds, values[name] = timed(answer, case)
                taken[name] = [seconds] if turn <= 1 else [*taken[name], seconds]
    return {name: (statistics.median(times), values[name]) for name, times in taken.items()}


def row(question, graph, found, at_most):
    """Return a line: our time, the peers', our time over the fastest peer's, and numbers where they differ."""
    times = {library: seconds for library, (seconds, _) in found.items()}
    ours = times.pop("gossamer")
    words = [f"{question:22}", f"{graph:20}", f"gossamer {ours * 1e3:.1f} ms", *(f"{name} {s * 1e3:.1f}" for name, s in times.items())]
    if times:
        words.append(f"{ours / min(times.values()):.2f} of the fastest ({at_most})")
    values = {library: value for library, (_, value) in found.items() if value is not None}
    if any(not math.isclose(value, values["gossamer"], rel_tol=1e-9) for value in values.values()):
        words.append(f"answers {', '.join(f'{library} {value:.6g}' for library, value in values.items())}")
    return "  ".join(words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("question", nargs="*", help=", ".join(QUESTIONS))
    arguments = parser.parse_args()
    cases = {}
    for question in arguments.question or QUESTIONS:
        libraries, graphs, at_most = QUESTIONS[question]
        libraries = {name: answer for name, answer in libraries.items() if HERE[name]}
        for graph in graphs:
            cases[graph] = cases.get(graph) or GRAPHS[graph]()
            taking_part = {name: answer for name, answer in libraries.items() if (question, graph, name) not in TOO_LONG}
            print(row(question, graph, in_turn(taking_part, cases[graph], arguments.repeats), at_most), flush=True)


if __name__ == "__main__":
    main()
