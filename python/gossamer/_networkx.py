"""Edges of NetworkX graphs. NetworkX itself is not needed here."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from gossamer import _convert, _core

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np


def edges(G: nx.Graph, nodes: list[Any], weight: Any = None, default: Any = 1) -> tuple[np.ndarray, np.ndarray, bool]:
    """Read the edges of a graph, an undirected one once.

    Parameters
    ----------
    G : networkx.Graph
        Of a multigraph, parallel edges become one.
    nodes : list
        The nodes of `G`; edges are pairs of places in it.
    weight : hashable, optional
        The attribute that has to be 1 wherever an edge has it. Default: attributes are not looked at.
    default : object
        The weight of edges without that attribute.

    Returns
    -------
    sources, targets : numpy.ndarray
    unweighted : bool
        Whether all weights are 1. If not, edges may be missing.

    Raises
    ------
    KeyError
        For a neighbour that is no node.
    """
    rows = _rows(G)
    if isinstance(rows, dict):
        found = _core.adjacency_arrays(nodes, rows, G.is_directed(), weight, bool(default == 1))
        if found is not None:
            return found
    return _edges_of_view(G, nodes, weight, default)


def _rows(G: Any) -> Any:
    """Return the neighbours of each node, with the attributes of the edges: a dict of dicts, or a view. No public name has the dict."""
    return getattr(G, "_adj", None)


def _edges_of_view(G: nx.Graph, nodes: list[Any], weight: Any, default: Any) -> tuple[np.ndarray, np.ndarray, bool]:
    """Read the edges of what is no dict of dicts: of a view, say, which computes its rows."""
    import numpy as np

    if weight is not None and any(value != 1 for _, _, value in G.edges(data=weight, default=default)):
        return np.zeros(0, np.int64), np.zeros(0, np.int64), False
    index = {node: i for i, node in enumerate(nodes)}
    rows = _rows(G)
    pairs = [(i, index[w]) for i, node in enumerate(nodes) for w in rows[node]]
    sources, targets = np.array(pairs, np.int64).reshape(-1, 2).T
    if not G.is_directed():
        once = sources <= targets
        sources, targets = sources[once], targets[once]
    return sources, targets, True


def weighted_edges(G: nx.Graph, nodes: list[Any], weight: Any, default: Any = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return the edges as `edges` does, and their weights; None where all are 1. Of a multigraph, parallel edges stay.

    Parameters are those of `edges`.

    Raises
    ------
    TypeError
        For a weight that is no number.
    ValueError
        For integers that a double does not hold.
    """
    return edges_and_values(G, nodes, weight, default)[:3]


def edges_and_values(G: nx.Graph, nodes: list[Any], weight: Any,
                     default: Any = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, Sequence[Any]]:
    """Return what `weighted_edges` does, and the weights as NetworkX has them; none where all are 1."""
    import numpy as np

    if weight is None:
        return *edges(G, nodes)[:2], None, ()
    _refuse_unequal_edges(G, weight, default)
    if not G.is_multigraph():
        try:
            sources, targets, unweighted = edges(G, nodes, weight, default)
            if unweighted:
                return sources, targets, None, ()
        except (TypeError, ValueError):
            pass  # a weight that cannot be compared, as an array: it is named below
    index = {node: i for i, node in enumerate(nodes)}
    there = list(G.edges(data=weight, default=default))
    values: Any = [value for _, _, value in there]
    if not all(isinstance(value, Real) for value in values):
        wrong = next(value for value in values if not isinstance(value, Real))
        raise TypeError(f"the edge attribute {weight!r}: expected numbers, found {wrong!r}")
    if all(value == 1 for value in values):
        kept = None
    else:
        inexact = any(isinstance(value, float) for value in values) and any(
            not isinstance(value, (float, np.floating)) and abs(value) > 2**53 for value in values)
        if inexact:
            raise ValueError(f"the edge attribute {weight!r}: expected numbers that a double holds, found integers beyond")
        kept = _convert.weights(values, f"the edge attribute {weight!r}")
    ends = np.array([(index[u], index[v]) for u, v, _ in there], np.int64).reshape(-1, 2)
    return ends[:, 0], ends[:, 1], kept, values if kept is not None else ()


def _refuse_unequal_edges(G: Any, weight: Any, default: Any) -> None:
    """Raise ValueError for an undirected view of a directed graph, or a part of one, that has two weights for an edge."""
    while (inner := getattr(G, "_graph", None)) is not None:
        if inner.is_directed() and not G.is_directed() and _has_unequal_edges(inner, weight, default):
            raise ValueError("it is an undirected view of a directed graph, where opposite edges have different weights")
        G = inner


def _has_unequal_edges(G: Any, weight: Any, default: Any) -> bool:
    """Return whether opposite edges, of a multigraph those of one key, have different weights."""
    if not G.is_multigraph():
        return any(G.has_edge(v, u) and G[v][u].get(weight, default) != value for u, v, value in G.edges(data=weight, default=default))
    return any(G.has_edge(v, u, key) and G[v][u][key].get(weight, default) != value
               for u, v, key, value in G.edges(keys=True, data=weight, default=default))


def long_integer(values: Sequence[Any], kept: np.ndarray | None) -> int | None:
    """Return the largest integer where integers do not fit 32 bits: the sums of such weights NetworkX computes exactly, and doubles round them."""
    if kept is None or kept.dtype.kind != "f":
        return None
    whole = [int(value) for value in values if isinstance(value, Integral)]
    is_long = len(whole) == len(values) or any(not -(2**31) <= value < 2**32 for value in whole)
    return max(whole, key=abs) if is_long else None


def has_other_reals(values: Sequence[Any]) -> bool:
    """Return whether a weight is a real of NumPy of another width than 64 bits: NetworkX adds it up with that width."""
    import numpy as np

    return any(isinstance(value, np.floating) and not isinstance(value, float) for value in values)


def refuse_overflow(values: Sequence[Any], kept: np.ndarray | None, nodes: int) -> None:
    """Raise ValueError for reals whose sum along a path may exceed their type."""
    import numpy as np

    if kept is None or kept.dtype.kind != "f":
        return
    kinds: set[Any] = {np.dtype(float), *(value.dtype for value in values if isinstance(value, np.floating))}
    most = min(float(np.finfo(kind).max) for kind in kinds)
    if not nodes * float(np.abs(kept).max()) <= most:
        raise ValueError(f"expected weights whose sums stay below {most:.2g}, found {np.abs(kept).max():.2g}")


def _attributes_of_first_edge(G: nx.Graph) -> dict[Any, Any]:
    edges_there: Any = G.edges(data=True)
    return next((attributes for _, _, attributes in edges_there), {})


def ones(G: nx.Graph, weight: Any, count: int) -> np.ndarray | None:
    """Return as many weights of 1, of the type that an edge has; None where no edge has an attribute of that name."""
    import numpy as np

    rows = _rows(G)
    found = _core.first_attribute(rows, weight) if isinstance(rows, dict) and not G.is_multigraph() else None
    one = found[0] if found else next((value for _, _, value in G.edges(data=weight) if value is not None), None)
    return None if one is None else np.ones(count, np.float64 if isinstance(one, (float, np.floating)) else np.int32)


def other_numbers(G: nx.Graph, weight: Any) -> list[str]:
    """Return the names of attributes but `weight` of which the first edge has a number."""
    return [str(name) for name, value in _attributes_of_first_edge(G).items() if isinstance(value, Real) and not isinstance(value, bool) and name != weight]


def size(G: nx.Graph, enough: int) -> int:
    """Return the number of nodes and edges together, or some number from `enough` on: that takes a part of the time."""
    nodes = len(G)
    if nodes >= enough:
        return nodes
    rows = _rows(G)
    if isinstance(rows, dict) and not G.is_multigraph():
        times = 1 if G.is_directed() else 2  # that an edge stands in rows
        found = _core.adjacency_size(rows, nodes + times * (enough - nodes))
        if found >= 0:
            return nodes + -(-(found - nodes) // times)
    return nodes + G.number_of_edges()
