"""Answers: NumPy arrays with a value for each vertex, that know the vertices' labels."""

from __future__ import annotations

import html
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from gossamer._graph import Graph


class Result(np.ndarray):
    """A value for each vertex: a read-only NumPy array that knows labels.

    What is computed from it (slices, sums, sorted copies) is an array without labels, since values move.

    Attributes
    ----------
    stats : dict
        What was run (``call``), and what the algorithm says of it: seconds, iterations and the like.
    """

    stats: dict[str, Any]
    _graph: Graph | None
    _name: str

    def __array_finalize__(self, source: Any) -> None:
        self._graph = None
        self._name = "value"
        self.stats = {}

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar or array.ndim == 0 else array.view(np.ndarray)

    def _labelled(self) -> Graph:
        if self._graph is None:
            raise ValueError("this array was computed from a result: labels belong to the result itself")
        return self._graph

    @property
    def array(self) -> np.ndarray:
        """The values as a plain NumPy array, in place."""
        return self.view(np.ndarray)

    def by_label(self) -> Mapping[Any, Any]:
        """Return a view of the values by label, as a dict has them.

        Returns
        -------
        mapping
            Looks labels up in the graph when it is asked; copies nothing.

        Raises
        ------
        KeyError
            By the mapping, for a label that no vertex has; the nearest labels are named.
        """
        return ByLabel(self._labelled(), self.array)

    def top(self, k: int = 10) -> list[tuple[Any, Any]]:
        """Return the vertices with the largest values.

        Parameters
        ----------
        k : int
            How many at most.

        Returns
        -------
        list of (label, value)
            The largest first; equal values in the order of the vertices.
        """
        graph, values = self._labelled(), self.array
        return [(graph.label(v), values[v].item()) for v in largest(values, k)]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas data frame with the labels as its index. Needs pandas."""
        import pandas as pd

        return pd.DataFrame({self._name: self.array}, index=pd.Index(self._labelled().labels(), name="vertex", tupleize_cols=False))

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the values by rank, the largest first, both axes logarithmic. Needs matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw. Default: axes of a new figure. No window is shown.

        Returns
        -------
        matplotlib.axes.Axes
            Values that are not above 0 have no place on it; the label of the axis says how many there are.

        Raises
        ------
        ImportError
            Where matplotlib is not installed.
        """
        from gossamer import _plot

        self._labelled()
        return _plot.ranks(self.array, label=self._name, ax=ax)

    def __reduce__(self) -> Any:  # pickles as the plain array: a graph lives in this process
        return self.array.__reduce__()

    def _repr_html_(self) -> str:
        if self._graph is None:
            return f"<pre>{html.escape(repr(self.array))}</pre>"
        rows = self.top(10)
        return table(("vertex", self._name), rows, f"{len(rows)} of {len(self):,} vertices")


class Levels(Result):
    """The distance of each vertex from where a search began, in edges; -1 where there is no way.

    Attributes
    ----------
    parents : numpy.ndarray
        The vertex from which each was reached; the source is its own parent, and -1 means not reached.
    """

    parents: np.ndarray

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw how many vertices each level has, as bars. Needs matplotlib; parameters as those of `Result.plot`."""
        from gossamer import _plot

        self._labelled()
        return _plot.levels(self.stats["levels"], ax=ax)


class Distances(Result):
    """The length of the shortest path to each vertex; -1 (of integers) or infinity where there is no way.

    Attributes
    ----------
    parents : numpy.ndarray
        The vertex before each on its path; the source is its own parent, and -1 means not reached.
    """

    parents: np.ndarray

    def by_label(self) -> dict[Any, Any]:
        """Return a dict from labels to lengths, of the vertices that are reached."""
        labels = self._labelled()._node_list()
        return {label: length for label, length, here in zip(labels, self.tolist(), self.parents >= 0) if here}


class Rows(dict[str, np.ndarray]):
    """An answer whose rows are edges, pairs, walks or the like: arrays of one length, by the names of columns.

    Attributes
    ----------
    stats : dict
        What was run (``call``), and what the algorithm says of it.
    """

    def __init__(self, columns: Mapping[str, np.ndarray], graph: Graph, stats: dict[str, Any]) -> None:
        super().__init__(columns)
        for values in columns.values():
            values.flags.writeable = False
        self._graph, self.stats = graph, stats

    def labels(self, column: str) -> list[Any]:
        """Return the labels of a column of vertices.

        Parameters
        ----------
        column : str
            Its name.

        Returns
        -------
        list
            None where a row has no vertex.

        Raises
        ------
        KeyError
            For a name that no column has.
        """
        all_labels = self._graph._node_list()
        return [all_labels[v] if v >= 0 else None for v in self[column].tolist()]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas data frame of the columns; vertices stay numbers. Needs pandas."""
        import pandas as pd

        return pd.DataFrame(dict(self))


class Degrees(Result):
    """The number of edges of each vertex."""

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw how many vertices have each degree, both axes logarithmic. Needs matplotlib; parameters as those of `Result.plot`."""
        from gossamer import _plot

        self._labelled()
        degrees, vertices = np.unique(self.array, return_counts=True)
        return _plot.counts(degrees.tolist(), vertices.tolist(), of_label=f"{self._name.replace('_', '-')} (edges)", label="vertices",
                            ax=ax)


class Components(Result):
    """The component of each vertex: the number of its smallest vertex."""

    _parts = "components"

    @property
    def count(self) -> int:
        """How many components there are."""
        return int(self.stats[self._parts])

    def top(self, k: int = 10) -> list[tuple[Any, int]]:
        """Return the largest components.

        Parameters
        ----------
        k : int
            How many at most.

        Returns
        -------
        list of (label, size)
            The label of the smallest vertex of each component, and how many vertices it has.
        """
        graph = self._labelled()
        ids, sizes = np.unique(self.array, return_counts=True)
        return [(graph.label(int(ids[i])), int(sizes[i])) for i in largest(sizes, k)]

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw how many components have each size, both axes logarithmic. Needs matplotlib; parameters as those of `Result.plot`."""
        from gossamer import _plot

        self._labelled()
        sizes = self.stats["sizes"]
        return _plot.counts(sizes.keys(), sizes.values(), of_label="size (vertices)", label=self._parts, ax=ax)

    def groups(self) -> list[np.ndarray]:
        """Return the vertices of each component, as arrays of numbers; the component of the smallest vertex first."""
        order = np.argsort(self.array, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.array[order])) + 1) if len(self) else []


class Communities(Components):
    """The community of each vertex: the number of its smallest vertex."""

    _parts = "communities"

    @property
    def modularity(self) -> float | None:
        """The modularity of the communities; None where edges have no weight."""
        return self.stats.get("modularity")


class ByLabel(Mapping):
    """A dict view of values by label."""

    def __init__(self, graph: Graph, values: np.ndarray) -> None:
        self._graph, self._values = graph, values

    def __getitem__(self, label: Any) -> Any:
        return self._values[self._graph.find(label)].item()

    def get(self, label: Any, default: Any = None) -> Any:
        """Return the value of a label, the default where no vertex has it."""
        try:
            vertex = self._graph._find(label)
        except TypeError:  # of another type than labels
            return default
        return default if vertex is None else self._values[vertex].item()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._graph._node_list())

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, label: Any) -> bool:
        try:
            return self._graph._find(label) is not None
        except TypeError:
            return False

    def items(self) -> Any:
        """Return pairs of label and value, in the order of the vertices."""
        return dict(zip(self._graph._node_list(), self._values.tolist())).items()

    def __repr__(self) -> str:
        some = ", ".join(f"{self._graph.label(v)!r}: {self._values[v].item()!r}" for v in range(min(3, len(self))))
        return f"{{{some}{', ...' if len(self) > 3 else ''}}}"


class EdgeScores:
    """A score for each edge: ends by the numbers of their vertices, and values, in arrays of one length.

    Attributes
    ----------
    sources, targets : numpy.ndarray
        The ends of each edge; of an undirected one the smaller number first.
    scores : numpy.ndarray
        Its score.
    stats : dict
        What was run (``call``), and what the algorithm says of it.
    """

    def __init__(self, graph: Graph, sources: np.ndarray, targets: np.ndarray, scores: np.ndarray, stats: dict[str, Any]) -> None:
        self._graph = graph
        self.sources, self.targets, self.scores, self.stats = sources, targets, scores, stats
        for each in (sources, targets, scores):
            each.flags.writeable = False

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"<scores of {len(self):,} edges>"

    def top(self, k: int = 10) -> list[tuple[Any, Any, float]]:
        """Return the edges with the largest scores.

        Parameters
        ----------
        k : int
            How many at most.

        Returns
        -------
        list of (label, label, score)
            The largest first; equal scores in the order of the edges.
        """
        label = self._graph.label
        return [(label(int(self.sources[i])), label(int(self.targets[i])), float(self.scores[i])) for i in largest(self.scores, k)]

    def by_edge(self) -> dict[tuple[Any, Any], float]:
        """Return a dict of edges, as pairs of labels, and their scores."""
        labels = self._graph._node_list()
        return {(labels[u], labels[v]): score for u, v, score in zip(self.sources.tolist(), self.targets.tolist(), self.scores.tolist())}


def result(kind: type, values: np.ndarray, graph: Graph, name: str, stats: dict[str, Any], **more: Any) -> Any:
    """Return values as a result of that kind, read-only."""
    made: Any = values.view(kind)
    made.flags.writeable = False
    made._graph, made._name, made.stats = graph, name, stats
    for key, value in more.items():
        setattr(made, key, value)
    return made


def call(function: str, **parameters: Any) -> str:
    """Return a call as text, for `stats`."""
    return f"{function}({', '.join(f'{name}={value!r}' for name, value in parameters.items())})"


def level_of_caller() -> int:
    """Return the level of the nearest caller outside of this package, as warnings.warn() counts them from the function that asks."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "gossamer":
        frame, level = frame.f_back, level + 1
    return level


def largest(values: np.ndarray, k: int) -> list[int]:
    """Return the places of the k largest values, the largest first, equal ones in order. NaN, NaT and None come last.

    Raises TypeError for texts.
    """
    k = max(0, min(int(k), len(values)))
    missing = _missing(values)
    there = np.flatnonzero(~missing)
    places = there[_largest_keys(_keys(values[there]), min(k, len(there)))]
    return [*places.tolist(), *np.flatnonzero(missing)[: k - len(places)].tolist()]


def _missing(values: np.ndarray) -> np.ndarray:
    """Return which values are NaN, NaT or None."""
    if values.dtype.kind == "O":
        return np.array([value is None or value != value for value in values], bool)
    return np.isnan(values) if values.dtype.kind == "f" else np.isnat(values) if values.dtype.kind in "mM" else np.zeros(len(values), bool)


def _keys(values: np.ndarray) -> np.ndarray:
    """Return values as NumPy compares and negates them: Booleans and dates as integers. Raises TypeError for texts."""
    if values.dtype.kind in "US" or (values.dtype.kind == "O" and any(isinstance(value, (str, bytes)) for value in values)):
        raise TypeError("expected numbers, found texts")
    if values.dtype.kind == "O":
        return values
    return values.view(np.uint8) if values.dtype.kind == "b" else values.view(np.int64) if values.dtype.kind in "mM" else values


def _largest_keys(keys: np.ndarray, k: int) -> np.ndarray:
    """Return the places of the k largest keys, the largest first, equal ones in order."""
    if k == 0:
        return np.zeros(0, np.int64)
    if keys.dtype.kind == "O":
        return np.array(sorted(range(len(keys)), key=keys.__getitem__, reverse=True)[:k], np.int64)
    bound = np.partition(keys, len(keys) - k)[len(keys) - k]
    above = np.flatnonzero(keys > bound)
    equal = np.flatnonzero(keys == bound)[: k - len(above)]
    return np.concatenate((above[np.argsort(-keys[above], kind="stable")], equal))


def table(head: tuple[str, ...], rows: list[tuple[Any, ...]], caption: str) -> str:
    """Return rows as a table in HTML, for notebooks."""

    def cell(kind: str, value: Any) -> str:
        return f"<{kind}>{html.escape(f'{value:.6g}' if isinstance(value, float) else str(value))}</{kind}>"

    lines = ["<tr>" + "".join(cell("th", h) for h in head) + "</tr>"]
    lines += ["<tr>" + "".join(cell("td", value) for value in row) + "</tr>" for row in rows]
    return f"<table><caption>{html.escape(caption)}</caption>{''.join(lines)}</table>"
