"""How a call reaches the backend: whether it can, whether it should, and the conversion of graphs both ways.

NetworkX keeps a conversion with the graph (``G.__networkx_cache__``) until the graph changes. A view does not hear of changes: what is
kept of one is forgotten before each call.
"""

from __future__ import annotations

import functools
import inspect
import time
import weakref
from collections.abc import Callable
from typing import Any

import networkx as nx

from gossamer import _core, _networkx, _networkx_calls
from gossamer._graph import Graph
from gossamer.networkx_backend import cost, costs, functions
from gossamer.networkx_backend.common import ConvertedGraph, made_for_networkx, networkx_is
from gossamer_networkx.table import CONVERTED, DIFFERENCES, LINEAR, MULTIGRAPHS, SCALED, TABLE

ASKED_BY_NETWORKX = ("can_run", "should_run", "convert_from_nx", "convert_to_nx", "on_start_tests")


@functools.cache  # NetworkX asks for the function at each call
def function(name: str) -> Callable[..., Any]:
    """Return a function of the backend. One that reads weights leaves those to NetworkX that it has not, or that have other sums there."""
    answer = getattr(functions, name)
    if TABLE[name].weights == "none" and "weight" not in _signature(name).parameters:
        return answer
    adds_up = TABLE[name].weights == "used" and name not in SCALED

    @functools.wraps(answer)
    def checked(*args: Any, **kwargs: Any) -> Any:
        arguments = _signature(name).bind(*args, **kwargs).arguments
        _refuse_other_name(name, arguments)
        if adds_up:
            _refuse_other_sums(name, arguments)
        return answer(*args, **kwargs)

    return checked


def _refuse_other_name(name: str, arguments: dict[str, Any]) -> None:
    """Raise an error for an attribute that a graph of the package has not, for which NetworkX counts 1.

    Weights that nobody has named are `weight`, and what a function reads unless told otherwise: a flow takes them for capacities.
    """
    graph, asked = _graph_of(arguments), _attribute_of(name, arguments)
    if asked is None or isinstance(graph, ConvertedGraph) or not graph.weighted:
        return
    names = ("weight", _attribute_of(name, {})) if graph._weight_name is None else (graph._weight_name,)
    if asked not in names:
        kind = NotImplementedError if nx.config.fallback_to_nx else ValueError  # NetworkX drops the text of the first
        raise kind(f"{name}: expected {names[0]!r}, as the weights of the graph are called, found {asked!r}")


def _refuse_other_sums(name: str, arguments: dict[str, Any]) -> None:
    """Raise NotImplementedError for weights whose sums NetworkX computes with another type."""
    graph = _graph_of(arguments)
    if _weight_of(name, arguments) is None:
        return
    if getattr(graph, "long_integer", None) is not None:
        raise NotImplementedError(f"{name}: expected integers of 32 bits, found {graph.long_integer}")
    if getattr(graph, "narrow", False) and arguments.get("cutoff") is not None:
        raise NotImplementedError(f"{name}: a cutoff of lengths that NetworkX rounds to the width of the weights")


@functools.cache
def _signature(name: str) -> inspect.Signature:
    return inspect.signature(getattr(functions, name))


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True, or why NetworkX has to answer."""
    return _noted(name, _can_run(name, args, kwargs))


def _graph_of(arguments: dict[str, Any]) -> Any:
    """Return the graph among the arguments of a call: flows have another name for it."""
    return arguments["flowG" if "flowG" in arguments else "G"]


def _weight_of(name: str, arguments: dict[str, Any]) -> Any:
    """Return the attribute of edges that a call reads of a conversion; None where it reads none."""
    return None if TABLE[name].weights == "none" else _attribute_of(name, arguments)


def _attribute_of(name: str, arguments: dict[str, Any]) -> Any:
    """Return the attribute of edges that a call of a function that reads weights is told; hits always reads the same one."""
    declared = _signature(name).parameters
    attribute = "capacity" if "capacity" in declared else "weight"
    return arguments.get(attribute, declared[attribute].default if attribute in declared else "weight")


def _noted(name: str, found: bool | str) -> bool | str:
    """Count a call that is left to NetworkX."""
    if isinstance(found, str):
        _networkx_calls.note_reason(name, found)
    return found


def _can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    row = TABLE.get(name)
    if row is None:
        return "not among the functions of the backend"
    if name == "centroid" and not networkx_is(3, 7):
        return "before NetworkX 3.7 another function, of trees alone"
    try:
        bound = _signature(name).bind(*args, **kwargs)
    except TypeError as wrong:
        return str(wrong)
    declared = _signature(name).parameters
    for parameter, value in row.only.items():
        if parameter not in declared:
            continue  # of a later NetworkX
        given = bound.arguments.get(parameter, declared[parameter].default)
        if not _is_value(given, value):
            return f"{parameter} is given" if parameter in bound.arguments else f"{parameter} is not {value!r}"
    graph = _graph_of(bound.arguments)
    if "flowG" in bound.arguments and _weight_of(name, bound.arguments) is None:
        return "capacity is None: no edge has a bound"
    if name == "shortest_path_length" and bound.arguments.get("source") is None and bound.arguments.get("target") is None:
        return "neither source nor target is given"
    if graph.is_multigraph() and name not in MULTIGRAPHS:
        return "it is a multigraph"
    kind: Any = type(graph)
    if _reads_edges_its_own_way(kind):
        return f"{kind.__name__} says what its edges are"
    if callable(_weight_of(name, bound.arguments)):
        return "weight is a function"
    if row.directed is not None and graph.is_directed() != row.directed:
        return "the graph is directed" if graph.is_directed() else "the graph is undirected"
    if _is_view(graph):
        _conversions(graph).clear()
    if _weight_of(name, bound.arguments) is not None:
        _forget_those_of_all_attributes(graph)
    if isinstance(graph, Graph) and not nx.config.fallback_to_nx:
        return True  # NetworkX cannot answer instead: the call says what is wrong
    return _core.refusal() or True


def _is_value(given: Any, value: Any) -> bool:
    """Return whether an argument is the value that a row of the table asks for. Compares numbers and texts only: arrays compare by element."""
    return given is value or (type(given) in (bool, int, float, str) and given == value)


# What a class of graphs that has other edges than those it stores, as complements do, says in its own way.
_OF_EDGES = frozenset(("adj", "adjacency", "degree", "edges", "has_edge", "neighbors", "nodes", "pred", "predecessors", "succ", "successors",
                       "__contains__", "__getitem__", "__iter__", "__len__"))


@functools.cache
def _reads_edges_its_own_way(kind: type) -> bool:
    """Return whether a class, or one of its bases that is not NetworkX's own, overrides what reads nodes and edges."""
    bases = kind.__mro__[:kind.__mro__.index(nx.Graph)] if issubclass(kind, nx.Graph) else ()
    return any(not _OF_EDGES.isdisjoint(vars(base)) for base in bases if not base.__module__.startswith("networkx.classes."))


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True, or why NetworkX is as fast: the graph is small, its conversion would cost more, or the question takes but a few nodes."""
    return _noted(name, _should_run(name, args, kwargs))


def _should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    asked = _signature(name).bind(*args, **kwargs).arguments
    graph = _graph_of(asked)
    if isinstance(graph, Graph):
        return True
    if not _is_converted(graph, _weight_of(name, asked)):
        takes = TABLE[name].takes
        if _is_view(graph) and takes in (CONVERTED, LINEAR):
            return "it is a view, whose conversion is not kept: too much for this alone"
        if takes == CONVERTED:
            return "the graph is too small to convert for this alone, whatever its size"
        if takes in costs.LIMITS and isinstance(small := _is_too_small(graph, takes), str):
            return small
    return "the question is small: NetworkX looks at few nodes for it" if cost.is_small(name, asked) else True


def _is_too_small(graph: nx.Graph, takes: str) -> bool | str:
    """Return why a graph is too small to convert, or False. Measures this machine where the least limit does not decide."""
    enough = costs.LIMITS[takes][0]
    size = _networkx.size(graph, enough)
    if size >= enough:
        enough = costs.from_size(takes, costs.measured())
        size = _networkx.size(graph, enough)
    return f"the graph is too small to convert: {size} nodes and edges, below {enough}" if size < enough else False


def _is_view(graph: nx.Graph) -> bool:
    """Return whether a graph reads another one, of whose changes it is not told: subgraphs, reverse(copy=False) and the like."""
    return hasattr(graph, "_graph")


def _conversions(graph: nx.Graph) -> dict[Any, Any]:
    """Return what NetworkX keeps of a graph's conversions, by the attributes that they have: a text for one that failed."""
    cache = getattr(graph, "__networkx_cache__", None)  # None: the user has switched it off
    return cache.get("backends", {}).get("gossamer", {}) if cache else {}


def _forget_those_of_all_attributes(graph: nx.Graph) -> None:
    """Forget conversions that NetworkX takes for ones with every attribute, where a call reads weights: they have none."""
    kept = _conversions(graph)
    for key in list(kept):
        if key[0] is True:
            kept.pop(key, None)


def _is_converted(graph: nx.Graph, weight: Any) -> bool:
    """Return whether a conversion is kept that serves: one that has failed is kept, too, as a text."""
    def serves(edge_attributes: Any) -> bool:
        return weight is None or (isinstance(edge_attributes, frozenset) and weight in dict(edge_attributes))

    return any(isinstance(kept, Graph) and serves(key[0]) for key, kept in list(_conversions(graph).items()))


def convert_from_nx(graph: nx.Graph, *, edge_attrs: dict[str, Any] | None = None, name: str | None = None, **_others: Any) -> Graph:
    """Convert a graph of NetworkX. Raises NotImplementedError for weights that the library does not keep."""
    if isinstance(graph, Graph):
        return graph
    attributes = dict(edge_attrs or {})
    if len(attributes) > 1:
        raise NotImplementedError(f"{name}: more than one attribute of edges")  # no function of the table has two
    weight, default = attributes.popitem() if attributes else (None, 1)
    begin = time.perf_counter()
    nodes = list(graph)
    try:
        sources, targets, weights, values = _networkx.edges_and_values(graph, nodes, weight, default)
        _networkx.refuse_overflow(values, weights, len(nodes))
        converted = ConvertedGraph._of_edges(nodes, sources, targets, weights, graph.is_directed())
    except (TypeError, ValueError) as wrong:  # no numbers, or numbers that a double does not hold
        raise NotImplementedError(f"{name}: {wrong}") from wrong
    converted.self_loops = converted.stats["self_loops"]
    converted.of_multigraph = graph.is_multigraph()
    converted.origin = weakref.ref(graph)
    converted._weight_name = weight
    converted.long_integer = _networkx.long_integer(values, weights)
    converted.narrow = _networkx.has_other_reals(values)
    if name is not None:
        _networkx_calls.note_conversion(name, time.perf_counter() - begin)
    converted.bad_loops = weights is not None and bool((~(weights[sources == targets] >= 0)).any())
    return converted


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Convert a graph to one of NetworkX; other results are as NetworkX has them."""
    if not isinstance(result, Graph):
        return result
    if isinstance(result, ConvertedGraph) and result.self_loops:
        raise NotImplementedError(f"{name}: self-loops are not kept")
    return made_for_networkx(result)


def on_start_tests(items: list[Any]) -> None:
    """Mark those of NetworkX's tests that have another answer with the backend. One that agrees all the same fails: the list is wrong."""
    import pytest

    for item in items:
        for name, reason in DIFFERENCES.items():
            if item.nodeid.endswith(f"::{name}"):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
