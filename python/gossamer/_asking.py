"""How the methods of `Graph` that ask a question (_questions.py, made of the library's descriptions) get their answers."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

from gossamer import _life


class Method(NamedTuple):
    """A method and the question behind it.

    name: of the method.
    question: of the library.
    column, title, kind: which column of the answer is returned, what its values are, and the class of `_result`. Of a kind that is no such
        class, the fact of that title is returned.
    attributes: other columns by the names that the result has for them.
    names: the arguments by the names of the question's parameters.
    vertices: the arguments that are labels.
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
    lists: dict[str, bool]
    undirected: bool
    lengths: bool


def _as_vertices(graph: Any, method: Method, name: str, value: Any) -> Any:
    """Return an argument as the library takes it: numbers of vertices in place of labels."""
    if value is None or (name not in method.vertices and name not in method.lists):
        return value
    if name in method.vertices:
        return graph.find(value)
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
    _life.begin()
    asked = graph.to_undirected() if undirected else graph
    try:
        columns, known, shortfall = asked._library.ask(method.question, given)
    except ValueError as wrong:
        if str(wrong).startswith("expected weights") and (bad := asked._library.bad_length()) is not None:  # by the labels that the caller knows
            meaning = ", as they are lengths" if method.lengths else ""
            raise ValueError(f"expected weights of 0 or more{meaning}, found {bad[2]:g} from {graph.label(bad[0])!r} to "
                             f"{graph.label(bad[1])!r}") from None
        raise
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
