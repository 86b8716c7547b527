"""Measures the package beside other libraries, each where it is installed: python measure_peers.py [SCALE]

A Kronecker graph of 2**SCALE vertices (18), its pairs both ways in a random order. Medians of five calls in seconds of wall time; a
peer's slow calls are made once. On an idle machine: NetworKit, igraph and SciPy come from PyPI.
"""

import importlib.util
import statistics
import sys
import time

import numpy as np

import gossamer as gs


def seconds(call, times=5):
    """Return the median of a call's wall time."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


def here(module):
    return importlib.util.find_spec(module) is not None


def rows(src, dst, vertices):
    """Yield (library, what, seconds)."""
    gs.Graph(src[:9], dst[:9])  # starts the cores
    yield "gossamer", "build", seconds(lambda: gs.Graph(src, dst))
    g = gs.Graph(src, dst, directed=False, vertices=vertices)
    source = int(g.degree().array.argmax())
    yield "gossamer", "pagerank", seconds(g.pagerank)
    yield "gossamer", "bfs", seconds(lambda: g.bfs(source))
    yield "gossamer", "components", seconds(g.components)
    yield "gossamer", "betweenness, 4 sources", seconds(lambda: g.betweenness(k=4))
    once = src < dst
    a, b = src[once], dst[once]
    if here("networkit"):
        import networkit as nk

        ids = a.astype(np.uint64), b.astype(np.uint64)
        yield "networkit", "build", seconds(lambda: nk.GraphFromCoo(ids, n=vertices), 1)
        k = nk.GraphFromCoo(ids, n=vertices)
        yield "networkit", "pagerank", seconds(lambda: nk.centrality.PageRank(k, tol=1e-6 / vertices).run())
        yield "networkit", "bfs", seconds(lambda: nk.distance.BFS(k, source, storePaths=False).run())
        yield "networkit", "components", seconds(lambda: nk.components.ParallelConnectedComponents(k).run())
        yield "networkit", "betweenness, 4 sources", seconds(lambda: nk.centrality.EstimateBetweenness(k, 4).run())
    if here("igraph"):
        import igraph

        pairs = np.column_stack((a, b))
        yield "igraph", "build", seconds(lambda: igraph.Graph(vertices, pairs), 1)
        i = igraph.Graph(vertices, pairs)
        yield "igraph", "pagerank", seconds(i.pagerank, 1)
        yield "igraph", "bfs", seconds(lambda: i.distances(source), 1)
        yield "igraph", "components", seconds(i.connected_components, 1)
    if here("scipy"):
        import scipy.sparse
        from scipy.sparse import csgraph

        ones = np.ones(len(src), np.int8)
        yield "scipy", "build", seconds(lambda: scipy.sparse.coo_array((ones, (src, dst)), shape=(vertices, vertices)).tocsr())
        m = g.to_scipy()
        yield "scipy", "bfs", seconds(lambda: csgraph.breadth_first_order(m, source, False))
        yield "scipy", "components", seconds(lambda: csgraph.connected_components(m, False))


def main():
    scale = int(sys.argv[1]) if len(sys.argv) > 1 else 18
    g = gs.kron(scale)
    entries = g.to_scipy().tocoo()
    order = np.random.default_rng(1).permutation(entries.nnz)
    src, dst = entries.row[order].astype(np.int64), entries.col[order].astype(np.int64)
    print(f"{len(src):,} pairs of {len(g):,} vertices")
    for library, what, took in rows(src, dst, len(g)):
        print(f"{library:10} {what:24} {took:.4f} s", flush=True)


if __name__ == "__main__":
    main()
