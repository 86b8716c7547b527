"""How the methods of `Graph` that ask a question (_questions.py, made of the library's descriptions) get their answers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gossamer import _convert, _life

if TYPE_CHECKING:
    import numpy as np


class Method(NamedTuple):
    """A method and the question behind it.

    name: of the method.
    question: of the library.
    column, title, kind: which column of the answer is returned, what its values are, and the class of `_result`. Of a kind that is no such
        class, the fact of that title is returned.
    attributes: other columns by the names that the result has for them.
    names: the arguments by the names of the question's parameters.
    vertices: the arguments that are labels.
    values: the arguments that are a value for each vertex, or a dict of labels and values.
    lists: the arguments that are several labels, and whether they are pairs.
    undirected: whether directed graphs are refused.
    lengths: whether weights have to be 0 or more.
    """

    name: str
    question: str
    column: int
    title: str
    kind: str
    attributes: dict[str, int]
    names: dict[str, str]
    vertices: tuple[str, ...]
    values: tuple[str, ...]
    lists: dict[str, bool]
    undirected: bool
    lengths: bool


def by_vertex(graph: Any, values: Any, name: str) -> np.ndarray:
    """Return a value for each vertex: of a dict of labels and values, 0 for others; or of an array."""
    import numpy as np

    if not isinstance(values, Mapping):
        if hasattr(values, "index") and hasattr(values, "items") and _are_labels(graph, list(values.index)):
            return by_vertex(graph, dict(values.items()), name)  # a pandas Series of labels
        given = _convert.numbers(values, np.dtype(np.float64), name)
        if given.shape != (len(graph),):
            raise ValueError(f"{name}: expected a value for each of {len(graph)} vertices, found an array of shape {given.shape}")
        return given
    every = np.zeros(len(graph))
    for label, value in values.items():
        every[graph.find(label)] = value
    return every


def _are_labels(graph: Any, index: list[Any]) -> bool:
    """Return whether an index has labels: it does not count, or counts labels that are not in that order."""
    if index != list(range(len(index))):
        return True
    labels = graph.label_list()
    return index != labels and set(index) <= set(labels)


def by_labels(graph: Any, asked: Any, wrong: ValueError, lengths: bool, given: Mapping[str, Any] = {}) -> ValueError:
    """Return an error, about weights by the labels that the caller knows. `given`: what the library was asked with."""
    if str(wrong).startswith("expected no negative cycle") and " -> " in str(wrong):
        cycle = [graph.label(vertex) for vertex in asked._library.negative_cycle(given.get("source", given.get("from")))]
        named = [repr(label) for label in cycle[:12]] + ([f"... ({len(cycle)} vertices)"] if len(cycle) > 12 else []) + [repr(cycle[0])]
        return ValueError(f"expected no negative cycle, found {' -> '.join(named)}")
    above_zero = str(wrong).startswith("expected weights above 0")
    if not str(wrong).startswith("expected weights") or (bad := asked._library.bad_length(above_zero)) is None:
        return wrong
    kind = "capacities" if "capacities" in str(wrong) else "lengths"
    range_of_weights = "above 0" if above_zero else f"of 0 or more, as they are {kind}" if lengths else "of 0 or more"
    return ValueError(f"expected weights {range_of_weights}, found {bad[2]:g} from {graph.label(bad[0])!r} to {graph.label(bad[1])!r}")


def _as_vertices(graph: Any, method: Method, name: str, value: Any) -> Any:
    """Return an argument as the library takes it: numbers of vertices in place of labels."""
    if value is None or (name not in method.vertices and name not in method.lists):
        return value
    if name in method.vertices:
        return graph.find(value)
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: expected several labels, found {value!r}")
    if not method.lists[name]:
        return [graph.find(label) for label in value]
    found = []
    for pair in value:
        if isinstance(pair, str) or len(pair) != 2:
            raise ValueError(f"{method.name}: expected pairs of labels, found {pair!r}")
        found += [graph.find(label) for label in pair]
    return found


def ask(graph: Any, method: Method, arguments: dict[str, Any], undirected: bool | None = None) -> Any:
    """Answer by a question of the library.

    `graph`: a `Graph`. `undirected`: whether to follow edges both ways; None where a method does not ask for it.
    """
    from gossamer import _result

    if method.undirected and graph.directed:
        raise ValueError(f"{method.name}: expected an undirected graph, found a directed one")
    given = {method.names[name]: _as_vertices(graph, method, name, value) for name, value in arguments.items()}
    for name in method.values:
        if arguments[name] is not None:
            given[method.names[name]] = by_vertex(graph, arguments[name], name)
            arguments = {**arguments, name: type(arguments[name]).__name__}  # for stats: not all values
    _life.begin()
    asked = graph.to_undirected() if undirected else graph
    try:
        columns, known, shortfall = asked._library.ask(method.question, given)
    except ValueError as wrong:
        raise by_labels(graph, asked, wrong, method.lengths, given) from None
    if shortfall is not None:
        warnings.warn(f"{method.name} {shortfall}", RuntimeWarning, stacklevel=3)
    if isinstance(columns, dict):
        made = _result.call(method.name, **{name: "..." if name in method.lists and value is not None else value
                                            for name, value in arguments.items()})
        return _result.Rows(columns, graph, {"call": made, **known})
    if not hasattr(_result, method.kind):
        fact = known.get(method.title)
        return [graph.label(vertex) for vertex in fact] if isinstance(fact, list) else fact
    more = {name: columns[place] for name, place in method.attributes.items()}
    for values in more.values():
        values.flags.writeable = False
    if undirected is not None:
        arguments = {**arguments, "undirected": undirected}
    stats = {"call": _result.call(method.name, **arguments), **known}
    return _result.result(getattr(_result, method.kind), columns[method.column], graph, method.title, stats, **more)
