"""Rows of a table grouped by a column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gossamer import _arrow, _core, _life

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_OPERATIONS = ("count", "sum", "min", "max", "mean")


class Grouped(Mapping):
    """Results by group: a mapping from the names of columns to NumPy arrays, all in the order of the keys.

    The first column is the key: integers, ascending, or texts (an array of Python's str), in the order of their bytes.
    """

    def __init__(self, columns: dict[str, np.ndarray]) -> None:
        self._columns = columns

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
        """Return the k groups with the largest values of a column, as rows. Default: of the last column."""
        from gossamer._result import largest

        order = largest(self[by if by is not None else list(self)[-1]], k)
        return [tuple(column[i] if column.dtype == object else column[i].item() for column in self.values()) for i in order]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas data frame, the key as its index. Needs pandas."""
        import pandas as pd

        return pd.DataFrame(self._columns).set_index(next(iter(self)))

    def __repr__(self) -> str:
        return f"<gossamer.Grouped: {self.groups:,} groups, {', '.join(self)}>"

    def _repr_html_(self) -> str:
        from gossamer._result import table

        rows = [tuple(column[i] for column in self.values()) for i in range(min(10, self.groups))]
        return table(tuple(self), rows, f"{len(rows)} of {self.groups:,} groups")


class Grouping:
    """A table whose rows shall be grouped by a column: `group` makes it, and nothing is computed before a result is asked for."""

    def __init__(self, table: _core.ArrowTable, by: str) -> None:
        self._table, self._by = table, by
        self._key = _arrow.column(table, by, "by")
        kind = table.kind(self._key)
        if kind not in ("integers", "texts"):
            raise TypeError(f"by: expected a column of integers or texts, found {by!r} of {kind}")

    def count(self) -> Grouped:
        """Count the rows of each group: the column ``count``."""
        return self.agg()

    def sum(self, *columns: str) -> Grouped:
        """Add the values of columns: ``sum_NAME``. Sums of integers are exact; ValueError where one needs more than 64 bits."""
        return self.agg(**{f"sum_{name}": (name, "sum") for name in columns})

    def min(self, *columns: str) -> Grouped:
        """Find the least values of columns: ``min_NAME``. NaN is passed over."""
        return self.agg(**{f"min_{name}": (name, "min") for name in columns})

    def max(self, *columns: str) -> Grouped:
        """Find the largest values of columns: ``max_NAME``. NaN is passed over."""
        return self.agg(**{f"max_{name}": (name, "max") for name in columns})

    def mean(self, *columns: str) -> Grouped:
        """Divide the sums of columns by the numbers of rows: ``mean_NAME``."""
        return self.agg(**{f"mean_{name}": (name, "mean") for name in columns})

    def agg(self, **results: tuple[str, str]) -> Grouped:
        """Compute several results, each under a name of its own; without any, count the rows.

        Parameters
        ----------
        **results : (column, operation)
            Operations are "count", "sum", "min", "max" and "mean". One pass over the rows for each column.

        Returns
        -------
        Grouped
            The key, then the results in the order in which they were asked for.

        Raises
        ------
        KeyError
            For a column that is not there; the nearest names are given.
        TypeError
            For a column of values that are no numbers.
        ValueError
            For a null, by column and row; for another operation; for a name that the key has.
        """
        import numpy as np

        passes: dict[int, Any] = {}
        asked: list[tuple[str, int | None, str]] = [(name, *self._check(name, *what)) for name, what in results.items()]
        asked = asked or [("count", None, "count")]
        _life.begin()
        for place in dict.fromkeys(place for _, place, _ in asked):
            passes[-1 if place is None else place] = self._table.group(self._key, place)
        keys = next(iter(passes.values()))[0]
        columns = {self._by: np.array(keys, object) if isinstance(keys, list) else keys}
        for name, place, operation in asked:
            _, counts, sums, least, largest = passes[-1 if place is None else place]
            counts = counts.view(np.int64)
            if operation == "mean":
                columns[name] = sums / counts
            else:
                columns[name] = {"count": counts, "sum": sums, "min": least, "max": largest}[operation]
        return Grouped(columns)

    def _check(self, name: str, column: str, operation: str) -> tuple[int, str]:
        if operation not in _OPERATIONS:
            raise ValueError(f"{name}: expected {', '.join(_OPERATIONS)}, found {operation!r}")
        if name == self._by:
            raise ValueError(f"{name}: the key has that name")
        place = _arrow.column(self._table, column, name)
        kind = self._table.kind(place)
        if kind not in ("integers", "reals"):
            raise TypeError(f"column {column}: expected numbers, found {kind}")
        return place, operation


def group(table: Any, by: str) -> Grouping:
    """Group the rows of a table by a column.

    >>> gs.group(sales, by="country").sum("amount")["sum_amount"]
    array([...])

    Parameters
    ----------
    table : object with ``__arrow_c_stream__``
        Of pandas (from 2.2 on, with PyArrow), Polars, DuckDB, PyArrow. Its columns are read where they lie.
    by : str
        A column of integers or texts, also of dictionaries (categories).

    Returns
    -------
    Grouping
        Ask it for ``.sum(...)``, ``.count()``, ``.min(...)``, ``.max(...)``, ``.mean(...)`` or ``.agg(...)``.

    Raises
    ------
    TypeError
        For what is no table, and for a key of another type.
    KeyError
        For a column that is not there; the nearest names are given.
    """
    return Grouping(_arrow.read(table), by)
