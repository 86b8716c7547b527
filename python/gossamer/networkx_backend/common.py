"""What functions of the backend have in common: vertices by node, values by node, and what is refused."""

from __future__ import annotations

import weakref
from typing import Any

import networkx as nx
import numpy as np

from gossamer import _core, _networkx
from gossamer._graph import Graph
from gossamer_networkx.table import TABLE

_NO_ATTRIBUTE = object()  # no edge has it, so each weighs 1
LARGEST_FIRST = frozenset(("greedy_color",))  # whose nodes NetworkX's answer has by degree: callers take classes of colours as they come


class ConvertedGraph(Graph):
    """A graph of NetworkX in the library's form."""

    self_loops: int  # that the graph of NetworkX has and this one has not
    of_multigraph: bool  # which may have parallel edges: here they are one
    bad_loops: bool  # whether one of them has a weight that is no length
    long_integer: int | None  # one of weights beyond 32 bits, whose sums NetworkX computes exactly
    narrow: bool  # whether a weight is a real of NumPy of another width than 64 bits
    origin: weakref.ref[nx.Graph]  # the graph of NetworkX, for functions that read its attributes or parallel edges

    def __reduce__(self) -> Any:
        """Return None for the copy: NetworkX copies and pickles its cache along with a graph, and a conversion lives in this process."""
        return type(None), ()


def networkx_is(*version: int) -> bool:
    """Return whether the NetworkX that is here is that version or a later one."""
    return tuple(map(int, nx.__version__.split(".")[:2])) >= version


def by_node(G: Graph, values: np.ndarray) -> dict[Any, Any]:
    """Return a dict of nodes and their values."""
    return _core.dict_of(G._node_list(), values)


def nodes(G: Graph, vertices: np.ndarray) -> list[Any]:
    """Return the nodes of vertices."""
    labels = G._node_list()
    return [labels[v] for v in vertices.tolist()]


def vertex(G: Graph, node: Any, error: type[Exception], text: str) -> int:
    """Return the number of a node. Raises the error that NetworkX raises where there is none."""
    try:
        found = G._find(node)
    except TypeError:
        found = None
    if found is None:
        raise error(text)
    return found


def hashed_vertex(G: Graph, node: Any, error: type[Exception], text: str) -> int:
    """Return what `vertex` does. Raises TypeError for an object that has no hash, as functions of NetworkX do that do not test `node in G`."""
    hash(node)
    return vertex(G, node, error, text)


def origin_of(G: Graph) -> nx.Graph | None:
    """Return the graph of NetworkX that a graph was converted from, if there is one."""
    return getattr(G, "origin", lambda: None)()


def _with_parallel_edges(G: Graph) -> nx.Graph | None:
    """Return what origin_of() does. Raises NotImplementedError for a multigraph that is gone: its parallel edges are not kept."""
    origin = origin_of(G)
    if origin is None and getattr(G, "of_multigraph", False):
        raise NotImplementedError("the multigraph that the graph was converted from is gone, and with it the parallel edges")
    return origin


def of_networkx(G: Graph) -> nx.Graph:
    """Return the graph of NetworkX that a graph was converted from, or a new one."""
    origin = _with_parallel_edges(G)
    return made_for_networkx(G) if origin is None else origin


def made_for_networkx(G: Graph) -> nx.Graph:
    """Return a new graph of NetworkX. Weights are an attribute of the name that they have, `weight` where they have none."""
    made = nx.DiGraph() if G.directed else nx.Graph()
    labels = G._node_list()
    made.add_nodes_from(labels)
    ends, targets = arcs(G)
    edges = ((labels[u], labels[v]) for u, v in zip(ends.tolist(), targets.tolist()))
    weights: Any = G._library.weights()
    if weights is None:
        made.add_edges_from(edges)
    else:
        name = "weight" if G._weight_name is None else G._weight_name
        made.add_weighted_edges_from(((u, v, value) for (u, v), value in zip(edges, weights.tolist())), weight=name)
    return made


def edge_count(G: Graph) -> int:
    """Return the number of edges of the graph of NetworkX, parallel ones included."""
    origin = _with_parallel_edges(G)
    return G.edges if origin is None else origin.number_of_edges()


def multigraph_of(G: Graph) -> nx.Graph | None:
    """Return the multigraph that a graph was converted from; None where it is none."""
    return _with_parallel_edges(G) if getattr(G, "of_multigraph", False) else None


def summed(G: Graph, weight: Any) -> tuple[Graph, Any]:
    """Return a graph whose edges weigh what the parallel edges of a multigraph weigh together, and their attribute. Others are as they are.

    The sums are kept with the conversion, which NetworkX drops when its graph changes.
    """
    origin = multigraph_of(G)
    if origin is None:
        return G, weight
    kept: dict[Any, Graph] = vars(G).setdefault("sums", {})
    if weight not in kept:
        kept[weight] = _sums_of(G, origin, weight)
    return kept[weight], "weight"


def _sums_of(G: Graph, origin: nx.Graph, weight: Any) -> Graph:
    labels = G._node_list()
    attribute = _NO_ATTRIBUTE if weight is None else weight
    sources, targets, weights = _networkx.weighted_edges(origin, labels, attribute)
    if not G.directed:
        sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
    pairs, place = np.unique(sources * len(labels) + targets, return_inverse=True)
    sums = np.bincount(place, weights, len(pairs))
    return Graph._of_edges(labels, *np.divmod(pairs, max(len(labels), 1)), sums, G.directed)


def arcs(G: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of all arcs; an undirected edge is two."""
    offsets, targets = G._library.rows()
    return np.repeat(np.arange(len(G)), np.diff(offsets.view(np.int64))), targets.astype(np.int64)


def counted_arcs(G: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the ends of all arcs, and how many parallel edges each stands for."""
    of_multigraph = multigraph_of(G) is not None
    counted = summed(G, None)[0] if of_multigraph else G
    sources, targets = arcs(counted)
    counts = counted._library.weights() if of_multigraph else None
    return sources, targets, np.ones(len(sources), np.int64) if counts is None else np.asarray(counts).astype(np.int64)


def degrees(G: Graph, side: str = "degree") -> np.ndarray:
    """Return degrees with parallel edges: `side` is degree, in_degree or out_degree."""
    if multigraph_of(G) is None:
        return getattr(G, side)().array
    sources, targets, counts = counted_arcs(G)
    ends = targets if side == "in_degree" else sources
    if side == "degree" and G.directed:
        ends, counts = np.concatenate((sources, targets)), np.concatenate((counts, counts))
    return np.bincount(ends, counts, len(G)).astype(np.int64)


def no_loops(G: Graph, name: str) -> None:
    """Leave a graph with self-loops, which are not kept, to NetworkX where they change the answer."""
    if not TABLE[name].loops and getattr(G, "self_loops", False):
        raise NotImplementedError(f"{name}: the graph has self-loops, which are not kept")


def refuse_empty(G: Graph, text: str) -> None:
    """Raise what NetworkX raises for a graph without nodes."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept(text)


def ask(G: Graph, question: str, **parameters: Any) -> tuple[list[np.ndarray], dict[str, Any]]:
    """Return the columns of a question's answer, and what is known of the whole graph."""
    columns, known, _ = G._library.ask(question, {name.replace("_", "-"): value for name, value in parameters.items()})
    return columns, known


def column(G: Graph, name: str, question: str, place: int) -> dict[Any, Any]:
    """Answer the function `name` by a column of a question, by node."""
    no_loops(G, name)
    values = ask(G, question)[0][place]
    if name not in LARGEST_FIRST:
        return by_node(G, values)
    order = np.argsort(-G.degree().array.astype(np.int64), kind="stable")
    return dict(zip(nodes(G, order), values[order].tolist()))
