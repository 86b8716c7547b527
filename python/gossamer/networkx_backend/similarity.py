"""Measures of pairs of nodes by their common neighbours, for pairs that are given. Where they are not, NetworkX goes through all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from gossamer._graph import Graph
from gossamer.networkx_backend.common import no_loops, vertex

__all__ = ["adamic_adar_index", "jaccard_coefficient", "preferential_attachment", "resource_allocation_index"]


class _Rows:
    """The neighbours of vertices, in order."""

    def __init__(self, G: Graph) -> None:
        offsets, self._targets = G._library.rows()
        self._offsets = offsets.view(np.int64)

    def __getitem__(self, v: int) -> np.ndarray:
        return self._targets[self._offsets[v]:self._offsets[v + 1]]

    def degree(self, v: int) -> int:
        return int(self._offsets[v + 1] - self._offsets[v])

    def common(self, u: int, v: int) -> list[int]:
        return np.intersect1d(self[u], self[v], assume_unique=True).tolist()


def _predictions(G: Graph, ebunch: Any, name: str, measure: Callable[[_Rows, int, int], Any]) -> Iterator[tuple[Any, Any, Any]]:
    no_loops(G, name)
    if ebunch is None:
        raise NotImplementedError(f"{name}: of all pairs")
    pairs = list(ebunch)
    ends = [tuple(vertex(G, node, nx.NodeNotFound, f"Node {node} not in G.") for node in pair) for pair in pairs]
    rows = _Rows(G)
    return ((*pair, measure(rows, *of)) for pair, of in zip(pairs, ends))


def _jaccard(rows: _Rows, u: int, v: int) -> float:
    common = len(rows.common(u, v))
    union = rows.degree(u) + rows.degree(v) - common
    return common / union if union else 0


def jaccard_coefficient(G, ebunch=None):
    return _predictions(G, ebunch, "jaccard_coefficient", _jaccard)


def adamic_adar_index(G, ebunch=None):
    return _predictions(G, ebunch, "adamic_adar_index",
                        lambda rows, u, v: sum(1 / math.log(rows.degree(w)) for w in rows.common(u, v)))


def resource_allocation_index(G, ebunch=None):
    return _predictions(G, ebunch, "resource_allocation_index", lambda rows, u, v: sum(1 / rows.degree(w) for w in rows.common(u, v)))


def preferential_attachment(G, ebunch=None):
    return _predictions(G, ebunch, "preferential_attachment", lambda rows, u, v: rows.degree(u) * rows.degree(v))
