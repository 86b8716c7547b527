"""Centralities by iteration, which the library's questions compute: PageRank, eigenvector and Katz centrality, HITS.

As in functions.py, G is a gossamer.Graph. What a question refuses is left to NetworkX, which says what it makes of it.
"""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from gossamer._graph import Graph
from gossamer.networkx_backend.common import ask, by_node, no_loops, refuse_empty, summed

__all__ = ["eigenvector_centrality", "eigenvector_centrality_numpy", "hits", "katz_centrality", "katz_centrality_numpy", "pagerank"]

_EXACT = 1e-14  # the change of a score at which an iteration is taken for exact
_MANY = 2_000  # iterations before it is taken for one that does not converge


class _Refused(NotImplementedError):
    """What a question of the library refuses."""


def _left(name: str, why: str) -> NotImplementedError:
    return NotImplementedError(f"{name}: {why}")


def _weighted(G: Graph, weight: Any, name: str) -> bool:
    """Return whether weights count. Leaves negative ones to NetworkX."""
    if weight is None or not G.weighted:
        return False
    if G._library.bad_length() is not None:
        raise _left(name, "edges have negative weights")
    return True


def _iterate(G: Graph, name: str, question: str, max_iter: int, tol: float, **parameters: Any) -> tuple[list[np.ndarray], bool]:
    """Return the columns of a question that iterates, and whether it converged to `tol` for each vertex."""
    if not max_iter >= 1 or not 0 < tol < math.inf:
        raise _left(name, "max_iter or tol beyond what the backend takes")
    try:
        columns, known = ask(G, question, tolerance=len(G) * tol, max_iterations=max_iter, **parameters)
    except ValueError as refused:
        raise _Refused(f"{name}: {refused}") from refused
    return columns, known["converged"]


def _by_vertex(G: Graph, values: Any, name: str) -> np.ndarray | None:
    """Return the values of a dict of nodes by vertex: 0 where it has none. Other nodes are passed over."""
    if values is None:
        return None
    every = np.zeros(len(G))
    try:
        for node, value in values.items():
            vertex = G._find(node)
            if vertex is not None:
                every[vertex] = value
    except (AttributeError, TypeError, ValueError):
        raise _left(name, "values that are no dict of nodes and numbers") from None
    return every


def pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1e-06, nstart=None, weight="weight", dangling=None):
    no_loops(G, "pagerank")
    G, weight = summed(G, weight)
    weighted = _weighted(G, weight, "pagerank")
    if len(G) == 0:
        return {}
    if not 0 <= alpha < 1:
        raise _left("pagerank", "alpha beyond what the backend takes")
    begin = _by_vertex(G, personalization, "pagerank")
    if begin is not None and begin.sum() == 0:
        raise ZeroDivisionError
    (scores,), converged = _iterate(G, "pagerank", "pagerank", max_iter, tol, damping=alpha, personalise=begin,
                                    dangling=_by_vertex(G, dangling, "pagerank"), unweighted=not weighted)
    if not converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return by_node(G, scores)


def eigenvector_centrality(G, max_iter=100, tol=1.0e-6, nstart=None, weight=None):
    no_loops(G, "eigenvector_centrality")
    refuse_empty(G, "cannot compute centrality for the null graph")
    (scores,), converged = _iterate(G, "eigenvector_centrality", "eigenvector", max_iter, tol,
                                    weighted=_weighted(G, weight, "eigenvector_centrality"))
    if not converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return by_node(G, scores)


def eigenvector_centrality_numpy(G, weight=None, max_iter=50, tol=0):
    no_loops(G, "eigenvector_centrality_numpy")
    if len(G) < 3 or (G.strong() if G.directed else G.components()).count > 1:
        raise _left("eigenvector_centrality_numpy", "the graph is not connected, or has less than three nodes")
    (scores,), converged = _iterate(G, "eigenvector_centrality_numpy", "eigenvector", _MANY, _EXACT,
                                    weighted=_weighted(G, weight, "eigenvector_centrality_numpy"))
    if not converged:
        raise _left("eigenvector_centrality_numpy", "the iteration does not converge")
    return by_node(G, scores)


def _number(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise _left(name, "alpha or beta that is no number, as beta by node") from None


def _katz(G: Graph, name: str, alpha: Any, beta: Any, normalized: bool, weight: Any, max_iter: int,
          tol: float) -> tuple[np.ndarray, bool]:
    """Return Katz centrality, and whether it converged."""
    (scores,), converged = _iterate(G, name, "katz", max_iter, tol, alpha=_number(alpha, name), beta=_number(beta, name),
                                    raw=not normalized, weighted=_weighted(G, weight, name))
    return scores, converged


def katz_centrality(G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None, normalized=True, weight=None):
    no_loops(G, "katz_centrality")
    if len(G) == 0:
        return {}
    if not _number(alpha, "katz_centrality") >= 0:
        raise _left("katz_centrality", "alpha is below 0")
    try:
        scores, converged = _katz(G, "katz_centrality", alpha, beta, normalized, weight, max_iter, tol)
    except _Refused as refused:
        if "grow without end" not in str(refused):
            raise  # scores that converge, but are too large here
        raise nx.PowerIterationFailedConvergence(max_iter) from None
    if not converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return by_node(G, scores)


def katz_centrality_numpy(G, alpha=0.1, beta=1.0, normalized=True, weight=None):
    no_loops(G, "katz_centrality_numpy")
    if len(G) == 0:
        return {}
    if not _number(beta, "katz_centrality_numpy") > 0:
        raise _left("katz_centrality_numpy", "beta is not above 0")
    scores, converged = _katz(G, "katz_centrality_numpy", alpha, beta, normalized, weight, _MANY, _EXACT)
    if not converged:
        raise _left("katz_centrality_numpy", "the iteration does not converge")
    return by_node(G, scores)


def hits(G, max_iter=100, tol=1.0e-8, nstart=None, normalized=True):
    no_loops(G, "hits")
    if len(G) == 0:
        return {}, {}
    if not 0 <= tol < float("inf"):
        raise _left("hits", "max_iter or tol beyond what the backend takes")
    G, _ = summed(G, "weight")
    if len(G) < 3 or G.edges == 0 or max_iter < 100:  # of another method: with fewer NetworkX says whether it converges
        raise _left("hits", "less than three nodes, no edges, or few iterations")
    (authorities, hubs), converged = _iterate(G, "hits", "hits", _MANY, _EXACT, unweighted=not _weighted(G, "weight", "hits"))
    if not converged:
        raise _left("hits", "the iteration converges slowly")
    return by_node(G, hubs), by_node(G, authorities)
