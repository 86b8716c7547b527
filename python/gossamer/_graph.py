"""Graphs, and what is asked of them."""

from __future__ import annotations

import os
import time
import warnings
from numbers import Real
from typing import TYPE_CHECKING, Any

from gossamer import _arrow, _convert, _core, _life, _networkx
from gossamer._questions import Questions
from gossamer._files import as_parameters, check_readable, check_separator, check_writable, errors_name_parameters, name_for_library

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    import numpy as np
    import numpy.typing as npt
    import scipy.sparse
    from typing_extensions import Self

    from gossamer._result import Degrees, EdgeScores, Rows

_GENERATORS = ("kron:", "uniform:", "rmat:", "grid:", "road:", "ba:", "ws:", "sbm:")
_DUPLICATES = ("min", "max", "first", "last", "sum", "count")  # as the library numbers them
_OF_OPPOSITES = ("min", "max", "sum")


class Graph(Questions):
    """A graph whose vertices are numbered from 0 and may have labels. Immutable.

    Duplicate edges and self-loops are left out and counted in `stats`. Methods compute on all cores, with the GIL released; those that ask a
    question are of the class `Questions`.

    Parameters
    ----------
    src, dst : array_like of int
        The ends of every edge. NumPy arrays of 32 or 64 bits are read where they lie, also with strides; others are
        converted first.
    weights : array_like, optional
        One number per edge. Integers are kept with 32 bits where all fit, else as double; float32 stays. Of edges between the same
        vertices the least counts. `sssp`, `pagerank` and others use weights.
    directed : bool
        Whether edges lead from `src` to `dst` only.
    vertices : int, optional
        How many vertices there are. Default: one more than the largest id.
    compact : bool
        Number only the ids that occur, in ascending order, and keep the ids as labels.

    Raises
    ------
    ValueError
        For lengths that differ, negative ids, ids that are not below `vertices`, and weights that are infinite or not a number.
    TypeError
        For what is no array of integers.
    """

    _library: _core.Graph
    _nodes: _Nodes | None  # labels that are any Python objects, from NetworkX
    _undirected: dict[str | None, Graph]  # by the rule for opposite edges that was asked for
    _weight_name: Any = None  # what NetworkX calls the weights; None: nobody has named them

    def __init__(self, src: Any, dst: Any, weights: Any = None, *, directed: bool = True, vertices: int | None = None,
                 compact: bool = False) -> None:
        sources, targets = _ids(src, "src"), _ids(dst, "dst")
        if len(sources) != len(targets):
            raise ValueError(f"src and dst: expected as many sources as targets, found {len(sources)} and {len(targets)}")
        kept = None if weights is None else _convert.weights(weights, "weights")
        if kept is not None and kept.shape != (len(sources),):
            raise ValueError(f"weights: expected one per edge, {len(sources)}, found shape {kept.shape}")
        if vertices is not None and vertices < 0:
            raise ValueError(f"vertices: expected 0 or more, found {vertices}")
        _life.begin()
        self._set(_core.Graph.from_edges(sources, targets, directed, vertices, compact, kept))

    def _set(self, core: _core.Graph, nodes: _Nodes | None = None) -> None:
        self._library, self._nodes, self._undirected = core, nodes, {}

    @classmethod
    def _of(cls, core: _core.Graph, nodes: _Nodes | None = None) -> Graph:
        g = cls.__new__(cls)
        g._set(core, nodes)
        return g

    @classmethod
    def from_networkx(cls, G: nx.Graph, *, weight: Any = "weight") -> Graph:
        """Make a graph of a NetworkX graph; its nodes become the labels.

        Parameters
        ----------
        G : networkx.Graph or networkx.DiGraph
            Of a multigraph, parallel edges become one, of the least weight.
        weight : hashable, optional
            The edge attribute that becomes the weight; an edge without it weighs 1. Where no edge has it, the graph has no weights.
            None: attributes are left out. Where there are no weights, a warning names attributes of which
            the first edge has a number. Functions of NetworkX find the weights by this name.

        Raises
        ------
        TypeError
            For a weight that is no number.
        ValueError
            For an undirected view of a directed graph whose opposite edges have different weights.
        """
        nodes = list(G)
        sources, targets, weights = _networkx.weighted_edges(G, nodes, weight)
        if weights is None and weight is not None:
            weights = _networkx.ones(G, weight, len(sources))
        if weight is not None and weights is None and (others := _networkx.other_numbers(G, weight)):
            _warn_of_weights(f"the edge attribute {', '.join(others)}", 3)
        made = cls._of_edges(nodes, sources, targets, weights, G.is_directed())
        made._weight_name = weight
        return made

    @classmethod
    def _of_edges(cls, nodes: list[Any], sources: np.ndarray, targets: np.ndarray, weights: np.ndarray | None, directed: bool) -> Self:
        """Make a graph of labels that are any Python objects, and of edges between their places."""
        made = cls(sources, targets, weights, directed=directed, vertices=len(nodes))
        made._nodes = _Nodes(nodes)
        return made

    @classmethod
    def from_arrow(cls, table: Any, source: str, target: str, weight: str | None = None, *, directed: bool = True,
                   compact: bool = False) -> Graph:
        """Make a graph of two columns of a table: each row is an edge.

        Parameters
        ----------
        table : object with ``__arrow_c_stream__``
            Of pandas (from 2.2 on, with PyArrow), Polars, DuckDB, PyArrow. Its columns are read where they lie.
        source, target : str
            Columns of integers, which are vertices as those of `Graph`; or of texts, also of dictionaries (categories),
            which become the labels. Texts are numbered as they come, the source of a row first.
        weight : str, optional
            A column of numbers, kept as those of `Graph`; of reals, as float64.
        directed : bool
            Whether edges lead from `source` to `target` only.
        compact : bool
            Number only the integers that occur, in ascending order, and keep them as labels.

        Raises
        ------
        KeyError
            For a column that is not there; the nearest names are given.
        ValueError
            For a null, by column and row, and for ids that are negative.
        TypeError
            For what is no table, and for columns of other types.
        """
        columns = _arrow.read(table)
        ends = [_arrow.column(columns, name, which) for name, which in ((source, "source"), (target, "target"))]
        kinds = [columns.kind(end) for end in ends]
        for name, kind in zip((source, target), kinds):
            if kind not in ("integers", "texts"):
                raise TypeError(f"column {name}: expected integers or texts, found {kind}")
        if kinds[0] != kinds[1]:
            raise TypeError(f"columns {source} and {target}: expected two of integers or two of texts, found "
                            f"{kinds[0]} and {kinds[1]}")
        kept = None
        if weight is not None:
            place = _arrow.column(columns, weight, "weight")
            if columns.kind(place) not in ("integers", "reals"):
                raise TypeError(f"column {weight}: expected numbers, found {columns.kind(place)}")
            columns.refuse_nulls(place)
            kept = _convert.weights(columns.numbers(place), f"column {weight}")
        _life.begin()
        return cls._of(_core.Graph.from_arrow(columns, ends[0], ends[1], directed, compact, kept))

    @classmethod
    def from_scipy(cls, matrix: scipy.sparse.sparray | scipy.sparse.spmatrix, *, directed: bool = True) -> Graph:
        """Make a graph of a sparse matrix: each stored entry (i, j) is an edge from i to j, its value the weight.

        Where all values are 1, the graph has no weights. Entries that stand twice are added first, as SciPy does.

        Parameters
        ----------
        matrix : scipy.sparse matrix or array
            Square, in any format.
        directed : bool
            Whether entry (i, j) leads from i to j only.
        """
        any_format: Any = matrix  # the base classes of SciPy declare nothing of what each format has
        if not hasattr(any_format, "tocoo"):
            raise TypeError(f"matrix: expected a sparse matrix of SciPy, found {type(matrix).__name__}")
        rows, columns = any_format.shape
        if rows != columns:
            raise ValueError(f"matrix: expected as many rows as columns, found {rows} and {columns}")
        entries = any_format.tocoo(copy=True)
        entries.sum_duplicates()
        weights = entries.data if (entries.data != 1).any() else None
        return cls(entries.row, entries.col, weights, directed=directed, vertices=rows)

    # What NetworkX asks of a graph that it shall hand to the backend.

    __networkx_backend__ = "gossamer"

    def is_directed(self) -> bool:
        """Return whether edges lead one way only."""
        return self.directed

    def is_multigraph(self) -> bool:
        """Return False: parallel edges are one."""
        return False

    # What it is.

    def __len__(self) -> int:
        return self._library.vertices

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return self._library.edges

    @property
    def directed(self) -> bool:
        """Whether edges lead one way only."""
        return self._library.directed

    @property
    def weighted(self) -> bool:
        """Whether edges have weights; ``stats["weights"]`` says of which type."""
        return bool(self._library.origin["weights"] != "none")

    @property
    def stats(self) -> dict[str, Any]:
        """How the graph came to be: format, duplicates and self-loops left out, seconds, bytes of memory."""
        return {**self._library.origin, "memory_bytes": self._library.memory_bytes}

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"<gossamer.Graph: {len(self):,} vertices, {self.edges:,} edges, {kind}>"

    def _repr_html_(self) -> str:
        from gossamer._result import table

        rows = [("vertices", f"{len(self):,}"), ("edges", f"{self.edges:,}"), ("directed", self.directed),
                ("memory", f"{self._library.memory_bytes:,} bytes")]
        return table(("graph", ""), rows, str(self.stats["format"]))

    # Labels.

    def label(self, vertex: int) -> Any:
        """Return the label of a vertex, given by its number. Raises IndexError where there is none."""
        if not 0 <= vertex < len(self):
            raise IndexError(f"expected a vertex of the graph, which has {len(self)}, found {vertex}")
        return self._nodes.all[vertex] if self._nodes is not None else self._library.label(vertex)

    def labels(self) -> Any:
        """Return the labels of all vertices: a NumPy array of integers, or a list. Both are the caller's: the graph keeps its own."""
        return list(self._nodes.all) if self._nodes is not None else self._library.labels()

    def label_list(self) -> list[Any]:
        """Return the labels of all vertices as a list of Python objects, which is the caller's."""
        return list(self._node_list()) if self._nodes is not None else self._node_list()

    def _node_list(self) -> list[Any]:
        """Return the labels as `label_list`, for those that do not change the list: it may be the graph's own."""
        if self._nodes is not None:
            return self._nodes.all
        all_labels: Any = self._library.labels()
        return all_labels if isinstance(all_labels, list) else all_labels.tolist()

    def find(self, label: Any) -> int:
        """Return the number of the vertex with that label.

        Raises
        ------
        KeyError
            Where there is none; the nearest labels are named.
        """
        vertex = self._find(label)
        if vertex is None:
            raise KeyError(_missing(label, self._near(label)))
        return vertex

    def _find(self, label: Any) -> int | None:
        """Return the number of the vertex with that label, None where there is none: `find` without the search for near ones.

        The first look-up goes through all labels, which takes less time than a table of them; the next ones have the table.
        """
        if self._nodes is not None:
            return self._nodes.place(label)
        named = self._library.label_kind == "strings"
        if not isinstance(label, str):
            if named or isinstance(label, bool) or not hasattr(label, "__index__"):
                expected = "a str" if named else "an int"
                raise TypeError(f"expected {expected} for the label of a vertex, found {label!r}")
            label = label.__index__()
            if label < 0:
                return None
        elif not named:
            return None  # digits as text: not the integer that they write
        text = _label_bytes(str(label))
        return None if text is None else self._library.find(text)

    def _near(self, label: Any) -> list[str]:
        if self._nodes is None:
            text = _label_bytes(str(label))
            return [] if text is None else self._library.nearest(text, 3)
        import difflib

        if not isinstance(label, str) or len(self) > 100_000:
            return []
        return difflib.get_close_matches(label, [node for node in self._nodes.all if isinstance(node, str)], 3)

    # Other forms.

    def to_undirected(self, *, duplicates: str | None = None) -> Graph:
        """Return the graph with every edge read both ways. Built once, then kept.

        Parameters
        ----------
        duplicates : str, optional
            The weight of two opposite edges: "min", "max" or "sum" (a double) of theirs. Default: as `read` was told for edges between the same
            vertices, counts are added up; "min" after "first" and "last", as the order is not kept, and where nothing was told. Native files do
            not keep the rule.

        Raises
        ------
        ValueError
            For another rule, and for weights whose sum no double holds.
        """
        if duplicates not in (None, *_OF_OPPOSITES):
            raise ValueError(f"duplicates: expected one of {', '.join(_OF_OPPOSITES)}, found {duplicates!r}")
        if not self.directed:
            return self
        if duplicates not in self._undirected:
            rule = None if duplicates is None else _DUPLICATES.index(duplicates)
            self._undirected[duplicates] = self._form(self._library.undirected(rule))
        return self._undirected[duplicates]

    def reversed(self) -> Graph:
        """Return the graph with every edge turned round. Costs nothing: both share their memory."""
        return self._form(self._library.reversed())

    def _form(self, core: _core.Graph) -> Graph:
        """Return another form of the graph: its vertices have the same labels, its weights the same name."""
        made = Graph._of(core, self._nodes)
        made._weight_name = self._weight_name
        return made

    def k_truss(self, k: int) -> Graph:
        """Return the k-truss: the largest part of the graph in which every edge is in k - 2 triangles or more.

        It has the vertices that are left, in their order, with their labels as Python objects; edges keep their weights.

        Parameters
        ----------
        k : int
            Up to 2: all edges stay.

        Raises
        ------
        ValueError
            For a directed graph.
        """
        import numpy as np

        if self.directed:
            raise ValueError("k_truss: expected an undirected graph, found a directed one")
        if not isinstance(k, Real):
            raise TypeError(f"k: expected a number, found {k!r}")
        _life.begin()
        offsets, targets = self._library.rows()
        sources = np.repeat(np.arange(len(self)), np.diff(offsets.view(np.int64)))
        larger = np.flatnonzero(targets > sources)
        truss: np.ndarray[Any, Any] = np.asarray(self._library.edge_truss())
        kept = larger[truss >= k]
        ends, others = sources[kept], targets[kept].astype(np.int64)
        left = np.unique(np.concatenate((ends, others)))
        labels, weights = self._node_list(), self._library.weights()
        made = Graph._of_edges([labels[v] for v in left.tolist()], np.searchsorted(left, ends), np.searchsorted(left, others),
                               None if weights is None else np.asarray(weights)[kept], False)
        made._weight_name = self._weight_name
        return made

    def condensation(self) -> Graph:
        """Return the graph of the strongly connected components, which has no cycles.

        Each is a vertex, with the label of its smallest vertex. They come in topological order: every edge leads to a later vertex. An edge leads
        from one to another where edges of the graph do; its weight says how many.
        """
        import numpy as np

        order, ends, others, arcs = self._library.condensation()
        place = np.zeros(len(self), np.int64)
        place[order] = np.arange(len(order))
        labels = self._node_list()
        return Graph._of_edges([labels[v] for v in order.tolist()], place[ends], place[others], arcs, True)

    def edge_flows(self, source: Any, sink: Any, unit: bool = False) -> Rows:
        """Compute a largest flow from one vertex to another: what each edge carries. Weights are capacities.

        Parameters
        ----------
        source : label
            Where the flow begins.
        sink : label
            Where it ends.
        unit : bool
            Each edge has a capacity of 1, whatever its weight.

        Returns
        -------
        Rows
            Arrays by name: ``source``, ``target`` (numbers of vertices) and ``flow``, of the edges that carry something, in the way in which they do.
            ``stats["value"]`` is the value of the flow.

        Raises
        ------
        KeyError
            For a label that no vertex has; the nearest ones are named.
        ValueError
            For one vertex as both ends, a flow without bound, and a negative weight, by the edge.
        """
        from gossamer import _result
        from gossamer._asking import by_labels

        given = {"source": self.find(source), "sink": self.find(sink), "unit": bool(unit), "edges": True}
        _life.begin()
        try:
            columns, known, _ = self._library.ask("max-flow", given)
        except ValueError as wrong:
            raise by_labels(self, self, wrong, False) from None
        return _result.Rows(columns, self, {"call": _result.call("edge_flows", source=source, sink=sink, unit=unit), **known})

    def to_scipy(self, dtype: npt.DTypeLike | None = None) -> scipy.sparse.csr_array:
        """Return the adjacency matrix: weights, or ones where there are none. Needs SciPy. Copies the indices.

        Parameters
        ----------
        dtype : data type, optional
            Of the values, and so of what is computed from them: ``A @ A`` of ones counts paths, which int64 holds and int8 does not.
            Default: that of the weights, int64 for ones.
        """
        import numpy as np
        import scipy.sparse

        offsets, targets = self._library.rows()
        wide = np.int64 if len(self) > 2**31 - 1 or len(targets) > 2**31 - 1 else np.int32
        n = len(self)
        weights = self._library.weights()
        values = np.ones(len(targets), dtype or np.int64) if weights is None else np.array(weights, dtype)
        return scipy.sparse.csr_array((values, targets.astype(wide), offsets.astype(wide)), shape=(n, n))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the graph to a file: ``.gsg`` is the native format, ``.gz`` and ``.zst`` are compressed edge lists.

        ``.mtx`` (Matrix Market), ``.graph`` (METIS), ``.gr`` (DIMACS), ``.sg`` and ``.wsg`` (GAP) number the vertices and keep no labels.

        An edge list does not hold vertices without edges. Whether edges have a direction stands in its first line, a comment, which `read` obeys.

        Raises
        ------
        ValueError
            For labels that would not be read back: control characters in any form, empty names and the like in edge lists.
        TypeError
            For labels that came from NetworkX, and of graphs such as `k_truss` that were made from other graphs.
        OSError
            As `open` raises it.
        """
        if self._nodes is not None:
            raise TypeError("the labels are Python objects, which files do not have")
        check_writable(os.fsdecode(path))
        _life.begin()
        self._library.write(os.fsencode(path))

    # Degrees.

    def out_degree(self) -> Degrees:
        """Return the number of edges that leave each vertex (undirected: of its edges)."""
        return self._degrees("out_degree", False)

    def in_degree(self) -> Degrees:
        """Return the number of edges that enter each vertex (undirected: of its edges)."""
        return self._degrees("in_degree", True)

    def edge_betweenness(self, k: int | None = None, normalized: bool = True, weighted: bool = False, seed: int = 1) -> EdgeScores:
        """Compute betweenness centrality of edges: on how many shortest paths each lies.

        Parameters
        ----------
        k : int, optional
            Estimate from this many random sources among the vertices with outgoing edges, scaled to all. Default: exact, from every vertex.
        normalized : bool
            Scores as shares of all pairs of vertices, from 0 to 1.
        weighted : bool
            Take shortest paths by the weights of edges, which have to be above 0.
        seed : int
            Of the choice of sources.

        Returns
        -------
        EdgeScores
            ``sources``, ``targets`` and ``scores``, with ``top(k)`` and ``by_edge()``.

        Raises
        ------
        ValueError
            For k that is not 1 or more, and by weights for a weight that is not above 0, by the edge.
        """
        from gossamer import _result
        from gossamer._asking import by_labels

        sources = 0 if k is None else _convert.whole(k, "k", 1)
        seed = _convert.seed(seed)
        weighted, normalized = bool(weighted), bool(normalized)
        _life.begin()
        if weighted and self.weighted and self._library.bad_length(True) is not None:
            raise by_labels(self, self, ValueError("expected weights above 0"), False)
        start, end, scores, sources, seconds = self._library.edge_betweenness(sources, seed, weighted, normalized)
        call = _result.call("edge_betweenness", k=k, normalized=normalized, weighted=weighted, seed=seed)
        return _result.EdgeScores(self, start, end, scores, {"call": call, "sources": sources, "seconds": seconds})

    def degree(self) -> Degrees:
        """Return the number of edges of each vertex; directed: of both ways together, as NetworkX counts."""
        return self._degrees("degree", False, True) if self.directed else self._degrees("degree", False)

    def _degrees(self, name: str, *sides: bool) -> Degrees:
        """Return the numbers of edges that leave (False) and enter (True) each vertex, added up."""
        import numpy as np

        from gossamer import _result

        start = time.perf_counter()
        counts = np.zeros(len(self), np.int64)
        for incoming in sides if len(self) else ():
            offsets: np.ndarray[Any, Any] = np.asarray(self._library.offsets(incoming), np.int64)
            counts += offsets[1:] - offsets[:-1]
        stats = {"call": _result.call(name), "seconds": time.perf_counter() - start}
        return _result.result(_result.Degrees, counts, self, name, stats)

    def info(self) -> dict[str, Any]:
        """Return the distribution of degrees, and how many vertices have no edge.

        Returns
        -------
        dict
            ``out``, ``in``: min, max, mean, median, max_vertex (a label) and histogram ([0]: degree 0, [b]: degrees
            2**(b-1) to 2**b - 1); ``isolated``; ``vertices``, ``edges``, ``directed``.
        """
        _life.begin()
        found = self._library.degrees()
        if self._nodes is not None:
            for side in ("out", "in"):
                vertex = found[side]["max_vertex"]
                found[side]["max_vertex"] = None if vertex is None else self._nodes.all[vertex]
        return {"vertices": len(self), "edges": self.edges, "directed": self.directed, **found}


class _Nodes:
    """Labels that are any hashable Python objects, and their places. The list is never changed; graphs of the same vertices share it."""

    def __init__(self, nodes: list[Any]) -> None:
        self.all = nodes
        self._index: dict[Any, int] | None = None  # from the second look-up on
        self._searched = False

    def place(self, node: Any) -> int | None:
        """Return the place of a node, None where there is none."""
        if self._index is None:
            if not self._searched:
                self._searched = True
                place = _core.place_of(self.all, node)
                return None if place < 0 else place
            self._index = {node: i for i, node in enumerate(self.all)}
        return self._index.get(node)


def read(source: str | os.PathLike[str], *, directed: bool | None = None, labels: bool | None = None,
         header: bool | None = None, columns: Sequence[str | int] = (), separator: str | None = None,
         comments: bool = True, quotes: bool = True, null: Sequence[str] = (), vertices: str | os.PathLike[str] | None = None,
         weights: bool = True, duplicates: str = "min", seed: int = 1) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    source : path
        A text edge list of numbers or names, a table (CSV, TSV), JSON lines, Matrix Market, DIMACS, METIS, Pajek, GAP ``.sg`` or ``.wsg``, or native
        (``.gsg``); gzip, zstd, bzip2 and xz are seen through. Or a generated graph: ``kron:SCALE``, ``uniform:SCALE``, ``rmat:SCALE:EDGEFACTOR:A,B,C``,
        ``grid:ROWSxCOLUMNS``, ``road:N``, ``ba:N:M``, ``ws:N:K:P``, ``sbm:SIZE,SIZE:IN:BETWEEN``; ``@1..255`` behind it gives weights.
    directed : bool, optional
        Default: as the file says; text edge lists are directed where it does not.
    labels : bool, optional
        True: vertices are names even if all are integers. False: they are integers, "007" is 7, and a name is an error. Default:
        names where any vertex is no integer or begins with a zero.
    header : bool, optional
        Whether the first line names the columns. Default: as it looks.
    columns : sequence of str or int, optional
        Source, target and perhaps weight: names of the header, or numbers from 1.
    separator : str, optional
        One ASCII character between columns. Default: as the file looks.
    comments : bool
        Whether lines that begin with ``#``, ``%`` or ``//`` are comments: up to the first edge, among integers everywhere, among
        names where the marker stands alone.
    quotes : bool
        Whether a field that begins with a double quote ends with one. False: a quote is a character like others.
    null : sequence of str
        Texts for a missing vertex or weight, as "NA". Edges without a vertex are left out.
    vertices : path, optional
        A file of vertices, one a line. Those without edges are in the graph, too.
    weights : bool
        Whether weights are kept, where all edges have one. False: they are checked, and take no memory.
    duplicates : str
        The weight of edges between the same vertices: "min", "max", "first" or "last" of the file, "sum" (a double), or "count", which is how
        many there are, also where they have no weights.
    seed : int
        Of generated graphs.

    Returns
    -------
    Graph
        A warning names columns of numbers below a header that are not kept: one may hold weights by another name. No warning comes for columns that `columns` leaves out. Where the file may mean something else, a
        warning says what was taken, and which parameter says otherwise; `stats["notes"]` has these lines.

    Raises
    ------
    FileNotFoundError, PermissionError, IsADirectoryError
        As `open` raises them.
    ValueError
        For what is no graph: file, line, what was expected and what was found.
    """
    name = os.fspath(source)
    if isinstance(name, bytes):
        name = os.fsdecode(name)
    check_separator(separator)
    source_bytes = os.fsencode(name)
    if not name.startswith(_GENERATORS):
        check_readable(name)
        source_bytes = name_for_library(name)
    seed = _convert.seed(seed)
    if duplicates not in _DUPLICATES:
        raise ValueError(f"duplicates: expected one of {', '.join(_DUPLICATES)}, found {duplicates!r}")
    _life.begin()
    if isinstance(columns, (str, bytes)):
        raise TypeError(f"columns: expected a sequence of names or numbers, found {columns!r}")
    named = [os.fsencode(str(column)) for column in columns]
    if isinstance(null, str):
        raise TypeError(f"null: expected a sequence of texts, found {null!r}")
    nulls = [os.fsencode(text) for text in null]
    listed = b""
    if vertices is not None:
        list_name = os.fsdecode(os.fspath(vertices))
        check_readable(list_name)
        listed = name_for_library(list_name)
    with errors_name_parameters():
        made = Graph._of(_core.Graph.load(source_bytes, directed, labels, header, named, separator or "", comments, quotes, nulls, listed, seed,
                                            weights, _DUPLICATES.index(duplicates)))
    for note in made.stats["notes"]:
        warnings.warn(f"{name}: {as_parameters(note)}", UserWarning, stacklevel=2)
    if weights and not made.weighted and (left_out := made.stats["columns_left_out"]):
        _warn_of_weights(f"the column {left_out}", 3)
    return made


def kron(scale: int, edge_factor: int = 16, seed: int = 1, *, directed: bool | None = None) -> Graph:
    """Generate a Kronecker graph, as Graph500 does: 2**scale vertices, undirected unless asked otherwise.

    Parameters
    ----------
    scale : int
        Logarithm of the number of vertices.
    edge_factor : int
        Edges that are drawn per vertex; duplicates and self-loops are left out.
    seed : int
        The same graph for the same seed.
    """
    return read(f"kron:{int(scale)}:{int(edge_factor)}", seed=seed, directed=directed)


def uniform(scale: int, edge_factor: int = 16, seed: int = 1, *, directed: bool | None = None) -> Graph:
    """Generate a graph whose edges have random ends: 2**scale vertices. Parameters as those of `kron`."""
    return read(f"uniform:{int(scale)}:{int(edge_factor)}", seed=seed, directed=directed)


def _ids(values: Any, name: str) -> np.ndarray:
    """Return ids as an array that the library reads in place; converts only what is none of 32 or 64 bits."""
    import numpy as np

    array = _convert.unmasked(values, name)
    if array.size == 0 and array.ndim == 1 and array.dtype.kind == "f":
        array = array.astype(np.int64)  # what NumPy makes of an empty list
    if array.ndim != 1:
        raise TypeError(f"{name}: expected an array of one dimension, found {array.ndim}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected integers, found {array.dtype}")
    if array.itemsize < 4 or not array.dtype.isnative or not array.flags.aligned or array.strides[0] % array.itemsize:
        array = array.astype(np.int64 if array.dtype.kind == "i" else np.uint64)
    return array


def _warn_of_weights(what: str, stacklevel: int) -> None:
    """Say that something is not taken for weights, in the caller's line: `stacklevel` counts from here."""
    warnings.warn(f"not kept, as it is not taken for the weights: {what}", UserWarning, stacklevel=stacklevel)


def _label_bytes(label: str) -> bytes | None:
    """Return a label as the library has it: bytes that are no UTF-8 are surrogates in Python. None: no text of a file."""
    try:
        return label.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None


def _missing(label: Any, near: list[str]) -> str:
    return f"no vertex {label!r}" + (f", the nearest are {', '.join(near)}" if near else "")
