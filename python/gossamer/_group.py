"""Rows of a table grouped by columns."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gossamer import _arrow, _core, _life
from gossamer._convert import is_undecoded
from gossamer._files import as_parameters, check_readable, check_separator, errors_name_parameters, name_for_library

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from matplotlib.axes import Axes

_OPERATIONS = ("count", "sum", "min", "max", "mean")


def _scalar(value: Any) -> Any:
    """Return an element as Python's: dates that `datetime` does not hold, such as nanoseconds, as NumPy's."""
    found = value.item() if hasattr(value, "item") else value
    return value if getattr(getattr(value, "dtype", None), "kind", "") == "M" and isinstance(found, int) else found


def _has_texts(column: np.ndarray) -> bool:
    """Return whether a column has texts: Python's integers and nulls are in arrays of objects, too."""
    return column.dtype == object and any(isinstance(value, str) for value in column)


class Grouped(Mapping):
    """Results by group: a mapping from the names of columns to read-only NumPy arrays, all in the order of the keys.

    The columns of the key come first: integers, reals, dates (datetime64; of a time zone in UTC) or Booleans, ascending, or texts (arrays of
    Python's str), in the order of their bytes; NaN and null come last. Keys of a file that are all numbers are ordered as numbers, also where
    they are texts ("007", "9", "10"). Of several, the first one orders the groups, then the second. A null is NaT among dates, and None, in an
    array of objects, elsewhere.

    Attributes
    ----------
    stats : dict
        What was run (``call``), how many rows and groups there are, and how long it took.
    """

    stats: dict[str, Any]

    def __init__(self, columns: dict[str, np.ndarray], keys: int = 1, stats: dict[str, Any] | None = None,
                 kinds: dict[str, str] | None = None) -> None:
        self._columns, self._keys, self.stats = columns, list(columns)[:keys], dict(stats or {})
        self._kinds = kinds or {}  # of columns of the key, as Arrow calls them
        for each in columns.values():
            each.flags.writeable = False  # a group's values stand side by side

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(next(iter(self._columns.values())))

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._columns:
            raise KeyError(f"no column {name!r}, there are {', '.join(self._columns)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def top(self, k: int = 10, by: str | None = None) -> list[tuple[Any, ...]]:
        """Return the k groups with the largest values of a column, as rows. Default: of the last column.

        Equal values come in the order of the groups; NaN and null come last. Raises TypeError for a column of texts.
        """
        from gossamer._result import largest

        name = by if by is not None else list(self)[-1]
        if _has_texts(self[name]):
            raise TypeError(f"by: expected a column of numbers, found {name!r} of texts")
        order = largest(self[name], k)
        return [tuple(_scalar(column[i]) for column in self.values()) for i in order]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas data frame, the key as its index: of several columns a MultiIndex. Needs pandas."""
        import pandas as pd

        columns = {name: pd.Series(column, dtype=object) if column.dtype == object and any(map(is_undecoded, column)) else column
                   for name, column in self._columns.items()}  # pandas' own texts are UTF-8
        return pd.DataFrame(columns).set_index(self._keys if len(self._keys) > 1 else self._keys[0])

    def plot(self, k: int = 20, by: str | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the k groups with the largest values of a column as bars, the largest on top. Needs matplotlib.

        Parameters
        ----------
        k : int
            How many at most.
        by : str, optional
            The column of values. Default: the last one.
        ax : matplotlib.axes.Axes, optional
            Where to draw. Default: axes of a new figure. No window is shown.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            Where matplotlib is not installed.
        TypeError
            For a column of texts or dates.
        """
        from gossamer import _plot

        column = by if by is not None else list(self)[-1]
        if self[column].dtype.kind == "M":
            raise TypeError(f"by: expected a column of numbers, found {column!r} of dates")
        rows, place = self.top(k, column), list(self).index(column)
        names = [", ".join(str(each) for each in row[:len(self._keys)]) for row in rows]
        lengths = [float("nan") if row[place] is None else float(row[place]) for row in rows]
        return _plot.bars(names, lengths, name=", ".join(self._keys), label=column, ax=ax)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the columns as an Arrow stream: ``pyarrow.table(grouped)``, DuckDB. They are copied: days as seconds, Booleans as integers.

        Nulls stay nulls. Raises TypeError for integers that fit neither int64 nor uint64.
        """
        return _core.arrow_stream([_arrow.result_column(name, c, self._kinds.get(name, "")) for name, c in self.items()])

    def __repr__(self) -> str:
        return f"<gossamer.Grouped: {self.groups:,} groups, {', '.join(self)}>"

    def _repr_html_(self) -> str:
        from gossamer._result import table

        rows = [tuple(column[i] for column in self.values()) for i in range(min(10, self.groups))]
        return table(tuple(self), rows, f"{len(rows)} of {self.groups:,} groups")


class Grouping:
    """A table whose rows shall be grouped by columns: `group` makes it, and nothing is computed before a result is asked for."""

    def __init__(self, table: _core.ArrowTable, by: Sequence[str]) -> None:
        self._table, self._by = table, by
        self._keys = [_arrow.column(table, name, "by") for name in by]
        if not by:
            raise ValueError("by: expected at least one column, found none")
        for name, place in zip(by, self._keys):
            kind = table.kind(place)
            if kind not in ("integers", "reals", "texts", "dates", "Booleans"):
                raise TypeError(f"by: expected columns of integers, reals, texts, dates or Booleans, found {name!r} of {kind}")
            if by.count(name) > 1:
                raise ValueError(f"by: expected each column once, found {name!r} twice")

    def count(self) -> Grouped:
        """Count the rows of each group: the column ``count``."""
        return self.agg()

    def sum(self, *columns: str) -> Grouped:
        """Add the values of columns: ``sum_NAME``. Sums of integers are exact: Python's integers where one needs more than 64 bits."""
        return self._each("sum", columns)

    def min(self, *columns: str) -> Grouped:
        """Find the least values of columns: ``min_NAME``. NaN where one is."""
        return self._each("min", columns)

    def max(self, *columns: str) -> Grouped:
        """Find the largest values of columns: ``max_NAME``. NaN where one is."""
        return self._each("max", columns)

    def mean(self, *columns: str) -> Grouped:
        """Divide the sums of columns by the numbers of rows: ``mean_NAME``."""
        return self._each("mean", columns)

    def _each(self, operation: str, columns: tuple[str, ...]) -> Grouped:
        if not columns:
            raise ValueError(f"{operation}: expected at least one column, found none")
        return self.agg(**{f"{operation}_{name}": (name, operation) for name in columns})

    def agg(self, **results: tuple[str, str]) -> Grouped:
        """Compute several results, each under a name of its own; without any, count the rows.

        Parameters
        ----------
        **results : (column, operation)
            Operations are "count", "sum", "min", "max" and "mean". One pass over the rows for each of them.

        Returns
        -------
        Grouped
            The columns of the key, then the results in the order in which they were asked for.

        Raises
        ------
        KeyError
            For a column that is not there; the nearest names are given.
        TypeError
            For a column of values that are no numbers, Booleans or decimals.
        ValueError
            For another operation; for a name that a column of the key has.

        Notes
        -----
        Nulls in a column of values are passed over: a sum of nothing is 0, other results are NaN. pandas gives its NaN as nulls; a NaN of
        others makes the results of its group NaN. Results of decimals with digits behind the point are the nearest floats.
        """
        import numpy as np

        for name in results or ("count",):
            if name in self._by:
                raise ValueError(f"{name}: the key has that name")
        asked = [(name, *self._check(name, what)) for name, what in results.items()]
        wanted: dict[int, list[str]] = {}  # operations by column
        for _, place, operation in asked:
            wanted.setdefault(place, []).append(operation)
        with_counts = not asked or any(operation in ("count", "mean") for _, _, operation in asked)
        from gossamer._result import call

        _life.begin()
        start = time.perf_counter()
        keys, counts, arrays = self._table.group(self._keys, with_counts, list(wanted.items()))
        found = dict(zip(wanted, arrays))
        columns = {name: self._key(place, *key) for name, place, key in zip(self._by, self._keys, keys)}
        groups = len(keys[0][0])
        if not asked:
            columns["count"] = counts
        for name, place, operation in asked:
            of_column = found[place]
            has_nulls = len(of_column["counts"]) > 0
            n = of_column["counts"] if has_nulls else counts
            if operation == "count":
                columns[name] = n
            elif operation == "sum" or not has_nulls or n.all():
                columns[name] = self._result(place, operation, of_column, n)
            else:
                values = self._result(place, operation, of_column, n)
                if values.dtype.kind in "iu" and max(int(values.max()), -int(values.min())) > 2**53:
                    values = values.astype(object)  # no float holds them
                columns[name] = np.where(n == 0, np.nan, values)  # of nothing
        done = f"{call('group', by=list(self._by))}.{call('agg', **results)}"
        stats = {"call": done, "rows": self._table.rows, "groups": groups, "seconds": time.perf_counter() - start}
        return Grouped(columns, len(keys), stats, {name: self._table.kind(place) for name, place in zip(self._by, self._keys)})

    def _key(self, place: int, key: Any, nulls: np.ndarray) -> np.ndarray:
        """Return a column of the key as its table has it: dates by their unit, Booleans, nulls."""
        import numpy as np

        kind = self._table.kind(place)
        if kind == "dates":
            found = key.view(f"datetime64[{self._table.unit(place)}]")
            found[nulls] = "NaT"
            return found
        found = np.array(key, object) if kind == "texts" else key.astype(bool) if kind == "Booleans" else key
        if len(nulls):
            found = found.astype(object)
            found[nulls] = None
        return found

    def _result(self, place: int, operation: str, of_column: dict[str, Any], n: np.ndarray) -> np.ndarray:
        """Return a result of a column of values as an array: Booleans are 0 and 1 but for min and max, decimals come without their point."""
        import numpy as np

        values, kind = of_column[operation], self._table.kind(place)
        if kind == "Booleans" and operation in ("min", "max"):
            return values.astype(bool)
        scale = self._table.scale(place) if kind == "decimals" else 0
        if scale == 0:
            return np.array(values, object) if isinstance(values, list) else values
        up, down = 10**max(-scale, 0), 10**max(scale, 0)
        if operation != "mean":
            return np.array([int(each) * up / down for each in values], float)
        return np.array([int(each) * up / (int(count) * down) if count else np.nan for each, count in zip(of_column["sum"], n)], float)

    def _check(self, name: str, what: tuple[str, str]) -> tuple[int, str]:
        column, operation = _pair(name, what)
        place = _arrow.column(self._table, column, name)
        kind = self._table.kind(place)
        if kind not in ("integers", "reals", "Booleans", "decimals"):
            raise TypeError(f"column {column}: expected numbers, found {kind}")
        return place, operation


def _pair(name: str, what: Any) -> tuple[str, str]:
    """Return what is asked for under a name: a column, and an operation on its values."""
    if not isinstance(what, (tuple, list)) or len(what) != 2 or not isinstance(what[0], str):
        raise TypeError(f"{name}: expected a column and an operation, as ('amount', 'sum'), found {what!r}")
    if what[1] not in _OPERATIONS:
        raise ValueError(f"{name}: expected {', '.join(_OPERATIONS)}, found {what[1]!r}")
    return what[0], what[1]


class FileGrouping(Grouping):
    """Files whose rows shall be grouped by columns, as `Grouping`: each result that is asked for reads them."""

    def __init__(self, paths: Sequence[str], by: Sequence[str], form: tuple[bool | None, str, bool, list[bytes], bool]) -> None:
        if not by:
            raise ValueError("by: expected at least one column, found none")
        for name in by:
            if by.count(name) > 1:
                raise ValueError(f"by: expected each column once, found {name!r} twice")
        for path in paths:
            check_readable(path)
        self._paths, self._by, self._form = paths, by, form

    def agg(self, **results: tuple[str, str]) -> Grouped:
        """Compute several results in one pass over the files, as `Grouping.agg`. Operations are "sum", "min", "max" and "mean"; `count` counts rows."""
        import numpy as np

        from gossamer._result import call, level_of_caller

        for name, what in results.items():
            _, operation = _pair(name, what)
            if operation == "count":
                raise ValueError(f"{name}: expected sum, min, max or mean of a column of a file, found count: count() counts rows")
        for name in results or ("count",):
            if name in self._by:
                raise ValueError(f"{name}: the key has that name")
        _life.begin()
        start = time.perf_counter()
        asked = [(operation, os.fsencode(column)) for column, operation in results.values()] or [("count", b"")]
        with errors_name_parameters():
            columns, rows, skipped, first = _core.group_files([name_for_library(path) for path in self._paths],
                                                               [os.fsencode(name) for name in self._by], asked, *self._form)
        if skipped:
            warnings.warn(f"{skipped} rows left out; the first: {as_parameters(first)}", UserWarning, stacklevel=level_of_caller())
        arrays = [np.array(each, object) if isinstance(each, list) else each for each in columns]
        done = f"{call('group', by=list(self._by))}.{call('agg', **results)}"
        stats = {"call": done, "rows": rows, "groups": len(arrays[0]), "seconds": time.perf_counter() - start, "skipped": skipped}
        kinds = {name: "texts" for name, column in zip(self._by, columns) if isinstance(column, list)}
        return Grouped(dict(zip((*self._by, *(results or ("count",))), arrays)), len(self._by), stats, kinds)


def group(table: Any, by: str | Sequence[str], *, header: bool | None = None, separator: str | None = None, quotes: bool = True,
          null: Sequence[str] = (), skip_bad: bool = False) -> Grouping:
    """Group the rows of a table, or of a file, by one column or several.

    >>> gs.group(sales, by="country").sum("amount")["sum_amount"]
    array([...])
    >>> gs.group(sales, by=["country", "year"]).mean("amount")["year"]
    array([...])

    Parameters
    ----------
    table : object with ``__arrow_c_stream__``, or path
        Of pandas (from 2.2 on, with PyArrow), Polars, DuckDB, PyArrow. Its columns are read where they lie. Or a file of delimited text,
        plain or compressed, which `gossamer group` reads as well; keys that are all
        integers of int64, or of uint64, are integers, and others are texts.
    by : str or sequence of str
        Columns of integers, texts, dates or Booleans, also of dictionaries of texts (categories). Rows are of one group where all of them are equal.
    header : bool, optional
        Of a file, as all that follow: whether the first line names the columns. Default: as it looks.
    separator : str, optional
        One ASCII character between columns. Default: as the file looks.
    quotes : bool
        Whether double quotes enclose fields, as RFC 4180 says.
    null : sequence of str
        Texts that stand for a missing value, besides the empty one: ``["NA"]``. A key is what it is.
    skip_bad : bool
        Leave out rows with a problem, and warn of them once. Default: the first one raises ValueError.

    Returns
    -------
    Grouping
        Ask it for ``.sum(...)``, ``.count()``, ``.min(...)``, ``.max(...)``, ``.mean(...)`` or ``.agg(...)``.

    Raises
    ------
    TypeError
        For what is no table, for a name that is no text, and for a key of another type.
    KeyError
        For a column that is not there; the nearest names are given. Of a file that is a ValueError of the result.
    ValueError
        For no column, and for one that is given twice.
    FileNotFoundError, PermissionError, IsADirectoryError
        As `open` raises them.
    """
    if not isinstance(by, (str, Iterable)):
        raise TypeError(f"by: expected the name of a column or several, found {by!r}")
    columns = [by] if isinstance(by, str) else list(by)
    for name in columns:
        if not isinstance(name, str):
            raise TypeError(f"by: expected names of columns, found {name!r}")
    if isinstance(table, (str, bytes, os.PathLike)):
        check_separator(separator)
        if isinstance(null, str):
            raise TypeError(f"null: expected a sequence of texts, found {null!r}")
        if header is not None and not isinstance(header, bool):
            raise TypeError(f"header: expected True, False or None, found {header!r}")
        form = (header, separator or "", bool(quotes), [os.fsencode(text) for text in null], bool(skip_bad))
        return FileGrouping([os.fsdecode(table)], columns, form)
    if header is not None or separator is not None or not quotes or null or skip_bad:
        raise TypeError("header, separator, quotes, null and skip_bad are of files, found a table")
    return Grouping(_arrow.read(table), columns)
