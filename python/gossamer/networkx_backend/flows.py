"""Flows and cuts between two nodes, by the capacities of edges. Networks with edges of no bound are left to NetworkX: the library keeps
finite numbers."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from gossamer._graph import Graph
from gossamer.networkx_backend.common import ConvertedGraph, ask, no_loops, nodes, vertex

__all__ = ["maximum_flow", "maximum_flow_value", "minimum_cut", "minimum_cut_value"]

_INTEGERS = ("none", "int32", "uint32")  # kinds of weights whose flows are integers


def _answer(G: Graph, source: Any, sink: Any, others: dict[str, Any], edges: bool = False) -> tuple[Any, float]:
    """Return the columns of the answer, or its rows, and the value of the largest flow."""
    if others:
        raise nx.NetworkXError("You have to explicitly set a flow_func if you need to pass parameters via kwargs.")
    ends = [vertex(G, node, nx.NetworkXError, f"node {node} not in graph") for node in (source, sink)]
    if ends[0] == ends[1]:
        raise nx.NetworkXError("source and sink are the same node")
    if G.weighted and G._library.bad_length() is not None:
        raise NotImplementedError("edges have negative capacities")  # NetworkX passes them over
    is_one = not G.weighted and isinstance(G, ConvertedGraph)  # the capacity of each edge
    try:
        found, known = ask(G, "max-flow", source=ends[0], sink=ends[1], unit=is_one, edges=edges)
    except ValueError as wrong:
        if G.weighted or is_one:
            raise
        raise nx.NetworkXUnbounded("Infinite capacity path, flow unbounded above.") from wrong
    value = known["value"]
    return found, int(value) if G.stats["weights"] in _INTEGERS else value


def _cut(G: Graph, source: Any, sink: Any, others: dict[str, Any]) -> tuple[float, np.ndarray]:
    """Return the value of the largest flow, and the side of each vertex."""
    (sides,), value = _answer(G, source, sink, others)
    return value, sides


def maximum_flow(flowG, _s, _t, capacity="capacity", flow_func=None, **kwargs):
    no_loops(flowG, "maximum_flow")
    rows, value = _answer(flowG, _s, _t, kwargs, True)
    labels, (offsets, targets) = flowG._node_list(), flowG._library.rows()
    ends = np.repeat(np.arange(len(flowG)), np.diff(offsets.view(np.int64)))
    flow: dict[Any, dict[Any, Any]] = {node: {} for node in labels}
    for u, v in zip(ends.tolist(), targets.tolist()):
        flow[labels[u]][labels[v]] = 0
    amounts = rows["flow"] if isinstance(value, float) else rows["flow"].astype(np.int64)
    for u, v, amount in zip(rows["source"].tolist(), rows["target"].tolist(), amounts.tolist()):
        flow[labels[u]][labels[v]] = amount
    return value, flow


def maximum_flow_value(flowG, _s, _t, capacity="capacity", flow_func=None, **kwargs):
    return _cut(flowG, _s, _t, kwargs)[0]


def minimum_cut_value(flowG, _s, _t, capacity="capacity", flow_func=None, **kwargs):
    return _cut(flowG, _s, _t, kwargs)[0]


def minimum_cut(flowG, _s, _t, capacity="capacity", flow_func=None, **kwargs):
    value, sides = _cut(flowG, _s, _t, kwargs)
    return value, tuple(set(nodes(flowG, np.flatnonzero(sides == side))) for side in (0, 1))
