"""A page about a graph, which needs no network: what `gossamer report` writes, for graphs of Python."""

from __future__ import annotations

import html
import json
import math
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any

from gossamer import _core
from gossamer._files import check_writable

if TYPE_CHECKING:
    import numpy as np

    from gossamer._graph import Graph

_PAGE = pathlib.Path(__file__).with_name("report_page.html")  # cli/output/report_page.html
_NEIGHBOURS = 40  # of the neighbourhood
_MOST_DRAWN = 1200  # vertices that a browser places in a second
_MOST_EDGES = 6000  # that are still told apart
_NAMED_COMMUNITIES = 5  # by their first vertex
_PLAIN_DEGREES = 64  # points of their own; larger degrees share points
_POINTS_OF_OCTAVE = 8


def report(graph: Graph, path: str | os.PathLike[str], *, title: str | None = None, top: int = 200,
           samples: int | None = None, scale: str | os.PathLike[str] | None = None) -> None:
    """Write a page about a graph: sizes, degrees, components, communities, cores, levels, ranks, a drawing.

    Computes PageRank, components, communities, core numbers and one search on all cores. Communities are by weights where the graph has some, and left out
    where one is negative. The file appears when it is whole.

    Parameters
    ----------
    graph : Graph
        What the page is about.
    path : path
        Where it goes, ending in ``.html``.
    title : str, optional
        The headline. Default: the graph's format.
    top : int
        How many vertices the table of ranks has.
    samples : int, optional
        Also estimate betweenness, from so many sources.
    scale : path, optional
        Also draw how a command scales: rows that ``gossamer scale --json`` has written.

    Raises
    ------
    ValueError
        Where `path` does not end in ``.html``, `top` is below 0, or a line of `scale` is no row of ``gossamer scale``.
    """
    file = pathlib.Path(path)
    if file.suffix not in (".html", ".htm"):
        raise ValueError(f"path: expected a file ending in .html, found {str(file)!r}")
    check_writable(str(file))
    if top < 0:
        raise ValueError(f"top: expected 0 or more, found {top}")
    rows = None if scale is None else _scale_rows(scale)
    answer = describe(graph, title or str(graph.stats["format"]), top, samples)
    if rows is not None:
        answer["scale"] = rows
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    before, _, rest = _PAGE.read_text(encoding="utf-8").partition("{{title}}")
    between, _, after = rest.partition("{{answer}}")
    whole = before + html.escape(answer["graph"], quote=False) + between + text + after
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", errors="replace", dir=file.parent, prefix=f".{file.name}-", delete=False) as made:
        try:
            made.write(whole)
            made.close()
            os.chmod(made.name, 0o666 & ~_umask())
            os.replace(made.name, file)
        except BaseException:
            os.unlink(made.name)
            raise


def describe(graph: Graph, title: str, top: int, samples: int | None) -> dict[str, Any]:
    """Return the object that the page draws."""
    import numpy as np

    info = graph.info()
    out, ranks, parts = graph.out_degree().array, graph.pagerank(unweighted=True), graph.components()
    _, sizes = np.unique(parts.array, return_counts=True)
    of_size, how_many = np.unique(sizes, return_counts=True)
    answer: dict[str, Any] = {
        "command": "report", "version": _core.version, "graph": title, "vertices": len(graph), "edges": graph.edges,
        "directed": graph.directed, "isolated": info["isolated"], "degrees": {}, "memory": {"bytes": graph.stats["memory_bytes"]},
        "components": parts.count, "largest": int(sizes.max(initial=0)),
        "sizes": [{"size": int(s), "components": int(n)} for s, n in zip(of_size, how_many)],
        "ranks": [], "levels": [], "seconds": {"components": parts.stats["seconds"], "pagerank": ranks.stats["seconds"]},
    }
    incoming = graph.in_degree().array if graph.directed else out
    for side, degrees in (("out", out), ("in", incoming)) if graph.directed else (("out", out),):
        summary = {**info[side], "max_vertex": _name(info[side]["max_vertex"])}
        answer["degrees"][side] = {**summary, "points": _points(degrees)}
    community = _communities(graph, ranks.array, answer)
    core = _cores(graph, answer)
    if len(graph) == 0:
        return answer
    source = info["out"]["max_vertex"]
    levels = graph.bfs(source)
    answer["source"] = _name(source)
    answer["levels"] = np.bincount(levels.array[levels.array >= 0]).tolist()
    answer["reached"] = int((levels.array >= 0).sum())
    answer["seconds"]["bfs"] = levels.stats["seconds"]
    between = None if samples is None else graph.betweenness(k=samples, normalized=False)
    from gossamer._result import largest

    for v in largest(ranks.array, top):
        row = {"vertex": _name(graph.label(v)), "pagerank": float(ranks.array[v]), "out": int(out[v])}
        if graph.directed:
            row["in"] = int(incoming[v])
        row["core"] = int(core[v])
        if between is not None:
            row["betweenness"] = float(between.array[v])
        row["level"] = int(levels.array[v]) if levels.array[v] >= 0 else None
        answer["ranks"].append(row)
    drawing = _Drawing(graph, ranks.array, np.zeros(len(graph), np.int64) if community is None else community, core)
    answer["neighbourhood"] = drawing.neighbourhood(largest(ranks.array, 1)[0])
    if graph.edges > 0:
        answer["drawing"] = drawing.whole()
    return answer


def _cores(graph: Graph, answer: dict[str, Any]) -> np.ndarray:
    """Say how many vertices have each core number. Return that of each vertex."""
    import numpy as np

    found = graph.cores()
    numbers, vertices = np.unique(found.array, return_counts=True)
    answer["core_numbers"] = {"degeneracy": int(numbers.max(initial=0)), "innermost": int(vertices[-1]) if len(vertices) else 0,
                       "sizes": [{"core": int(c), "vertices": int(n)} for c, n in zip(numbers, vertices)]}
    answer["seconds"]["cores"] = found.stats["seconds"]
    return found.array


def _communities(graph: Graph, scores: np.ndarray, answer: dict[str, Any]) -> np.ndarray | None:
    """Say what communities there are, the largest by their vertices with the best scores. Return the community of each vertex."""
    import numpy as np

    from gossamer._result import largest

    try:
        found = graph.communities()
    except ValueError:  # a negative weight
        return None
    names, place, sizes = np.unique(found.array, return_inverse=True, return_counts=True)
    of_size, how_many = np.unique(sizes, return_counts=True)
    best = np.lexsort((np.arange(len(graph)), -scores, place))  # of each community its best vertex comes first
    first = best[np.unique(place[best], return_index=True)[1]]
    answer["communities"] = {
        "count": len(names), "modularity": found.modularity,
        "sizes": [{"size": int(s), "communities": int(n)} for s, n in zip(of_size, how_many)],
        "largest": [{"vertex": _name(graph.label(int(first[i]))), "vertices": int(sizes[i])} for i in largest(sizes, _NAMED_COMMUNITIES)]}
    answer["seconds"]["communities"] = found.stats["seconds"]
    return found.array


def _scale_rows(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Return the rows of ``gossamer scale`` that a file has, one on a line."""
    rows = []
    for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        row = _row(line)
        if row is None:
            raise ValueError(f"{os.fspath(path)}:{number}: expected a row of gossamer scale, found {line[:60]!r}")
        rows.append(row)
    if not rows:
        raise ValueError(f"{os.fspath(path)}: expected rows of gossamer scale, found none")
    return rows


def _row(line: str) -> dict[str, Any] | None:
    """Return the row of ``gossamer scale`` that a line has; None where it has none."""
    try:
        row = json.loads(line)
        positive = [row[key] for key in ("processes", "cores", "seconds", "speed_up")]
        is_drawn = min(positive) > 0 and all(_is_number(value) for value in [*positive, row["efficiency"], row["messages"]])
        return row if is_drawn else None
    except (ValueError, TypeError, KeyError):
        return None


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _points(degrees: np.ndarray) -> list[dict[str, float]]:
    """Count the vertices of each degree, many degrees in one point where they are large."""
    import numpy as np

    values, counts = np.unique(degrees[degrees > 0], return_counts=True)
    keys = np.where(values <= _PLAIN_DEGREES, values,
                    _PLAIN_DEGREES + (_POINTS_OF_OCTAVE * np.log2(np.maximum(values, 1))).astype(np.int64))
    points = []
    for key in np.unique(keys):
        here = keys == key
        least, most = int(values[here].min()), int(values[here].max())
        points.append({"degree": (least * most) ** 0.5, "vertices": float(counts[here].sum()) / (most - least + 1)})
    return points


class _Drawing:
    """What a report draws of a graph: some vertices, and the edges between them."""

    def __init__(self, graph: Graph, scores: np.ndarray, community: np.ndarray, core: np.ndarray) -> None:
        self.graph, self.scores, self.community, self.core = graph, scores, community, core
        self.offsets, self.targets = graph._library.rows()
        self.back, self.sources = graph._library.rows(True) if graph.directed else (self.offsets, self.targets)

    def neighbourhood(self, centre: int) -> dict[str, Any]:
        """Return a vertex, those of its neighbours with the best scores, and the edges between them."""
        import numpy as np

        row = [self.targets[int(self.offsets[centre]):int(self.offsets[centre + 1])]]
        if self.graph.directed:
            row.append(self.sources[int(self.back[centre]):int(self.back[centre + 1])])
        around = np.unique(np.concatenate(row).astype(np.int64))
        drawn = np.unique(np.append(self.best(around, _NEIGHBOURS), centre))
        vertices = self.vertices(drawn, centre)
        for v, drawn_vertex in zip(drawn, vertices):
            drawn_vertex["centre"] = bool(v == centre)
        return {"centre": _name(self.graph.label(centre)), "neighbours": len(around), "edges": self.edges(drawn).tolist(), "vertices": vertices}

    def whole(self) -> dict[str, Any]:
        """Return the vertices that have edges, or those with the best scores, as many as a page can show, and the edges between them."""
        import numpy as np

        drawn = np.nonzero(np.diff(self.offsets.astype(np.int64)) + np.diff(self.back.astype(np.int64)))[0]
        most = _MOST_DRAWN
        while True:
            drawn = self.best(drawn, most)
            edges = self.edges(drawn)
            if len(edges) <= 2 * _MOST_EDGES:
                break
            most = most * 3 // 4
        return {"vertices": self.vertices(drawn, int(drawn[np.argmax(self.scores[drawn])])), "edges": edges.tolist()}

    def best(self, vertices: np.ndarray, most: int) -> np.ndarray:
        """Return so many of some vertices, those with the best scores, ascending."""
        import numpy as np

        return np.sort(vertices[np.lexsort((vertices, -self.scores[vertices]))][:most])

    def edges(self, drawn: np.ndarray) -> np.ndarray:
        """Return the edges between some vertices, two places among them for each; an undirected one once."""
        import numpy as np

        found = []
        for i, v in enumerate(drawn.tolist()):
            row = self.targets[int(self.offsets[v]):int(self.offsets[v + 1])].astype(np.int64)
            place = np.searchsorted(drawn, row)
            place = place[(place < len(drawn)) & (drawn[np.minimum(place, len(drawn) - 1)] == row)]
            if not self.graph.directed:
                place = place[place >= i]
            found.append(np.stack([np.full(len(place), i), place], axis=1).ravel())
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def vertices(self, drawn: np.ndarray, first: int) -> list[dict[str, Any]]:
        """Return what is known of some vertices. Communities get numbers from 0, in order, after that of the first."""
        numbers = {int(self.community[first]): 0}
        for v in drawn:
            numbers.setdefault(int(self.community[v]), len(numbers))
        return [{"vertex": _name(self.graph.label(int(v))), "pagerank": float(self.scores[v]), "community": numbers[int(self.community[v])],
                 "core": int(self.core[v])} for v in drawn]


def _name(label: Any) -> Any:
    """Return a label as JSON has it: a text or an integer."""
    return label if label is None or isinstance(label, (str, int)) and not isinstance(label, bool) else str(label)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
