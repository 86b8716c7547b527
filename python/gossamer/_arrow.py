"""Tables of pandas, Polars, DuckDB, PyArrow: all that has ``__arrow_c_stream__`` (the Arrow PyCapsule interface)."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from gossamer import _core

if TYPE_CHECKING:
    import numpy as np


def read(table: Any) -> _core.ArrowTable:
    """Return the columns of a table, where they lie. Raises TypeError for what gives no Arrow stream."""
    stream = getattr(table, "__arrow_c_stream__", None)
    if stream is None:
        raise TypeError("table: expected one with __arrow_c_stream__ (pandas from 2.2 on, Polars, DuckDB, PyArrow), "
                        f"found {type(table).__name__}")
    return _core.ArrowTable.read(stream())


class Stream:
    """A table that is nothing but ``__arrow_c_stream__``."""

    def __init__(self, capsule: Callable[[], object]) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the columns as an Arrow stream in a capsule."""
        return self._capsule()


def column(table: _core.ArrowTable, name: str, parameter: str) -> int:
    """Return the number of a column. Raises KeyError where there is none, ValueError where there are several."""
    names = table.names
    found = [i for i, each in enumerate(names) if each == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{parameter}: expected one column {name!r}, found {len(found)}")
    near = difflib.get_close_matches(str(name), names, 3)
    known = f"the nearest are {', '.join(near)}" if near else f"there are {', '.join(names[:10]) or 'none'}"
    raise KeyError(f"{parameter}: no column {name!r}, {known}")


def result_column(name: str, values: np.ndarray, kind: str = "") -> tuple[str, list[str] | np.ndarray, str, np.ndarray]:
    """Return a column of a result as Arrow gets it: texts as a list, numbers with 64 bits (also unsigned), dates as counts with their type; rows of nulls.

    The kind, "texts" or "reals", is that of an array of objects whose values do not tell, such as nulls. Raises TypeError where numbers do not fit those.
    """
    import numpy as np

    if values.dtype == object:
        return name, *_column_of_objects(name, values, kind)
    for unit in ("s", "ms", "us", "ns"):  # the coarsest that holds them
        if values.dtype.kind == "M" and np.can_cast(values.dtype, f"M8[{unit}]"):
            return name, values.astype(f"M8[{unit}]").view(np.int64), f"ts{unit[0]}:", np.flatnonzero(np.isnat(values))
    if values.dtype.kind == "u" and values.dtype.itemsize == 8:
        return name, values.astype("uint64", copy=False).view(np.int64), "L", np.zeros(0, np.int64)
    wide = "float64" if values.dtype.kind == "f" else "int64"
    if not np.can_cast(values.dtype, wide):
        raise TypeError(f"column {name}: expected texts or numbers that fit {wide}, found {values.dtype}")
    return name, values.astype(wide, copy=False), "", np.zeros(0, np.int64)


def _column_of_objects(name: str, values: np.ndarray, kind: str) -> tuple[list[str] | np.ndarray, str, np.ndarray]:
    """Return texts, Booleans or numbers among which are nulls: None, and NaN beside integers. Raises TypeError for integers that fit neither int64 nor uint64."""
    import numpy as np

    if kind == "texts" or any(isinstance(value, str) for value in values):
        return ["" if value is None else value for value in values], "", _rows_where(value is None for value in values)
    if kind == "reals" or any(isinstance(value, (float, np.floating)) and value == value for value in values):
        missing = _rows_where(value is None for value in values)
        return np.array([0.0 if value is None else value for value in values], np.float64), "", missing
    missing = _rows_where(value is None or value != value for value in values)
    whole = [0 if value is None or value != value else int(value) for value in values]
    beyond = next((value for value in whole if not -(2**63) <= value < 2**63), None)
    if beyond is None:
        return np.array(whole, np.int64), "", missing
    if not all(0 <= value < 2**64 for value in whole):
        raise TypeError(f"column {name}: expected integers that all fit int64, or uint64, found {beyond}")
    return np.array(whole, np.uint64).view(np.int64), "L", missing


def _rows_where(holds: Iterable[bool]) -> np.ndarray:
    """Return the rows where a condition holds."""
    import numpy as np

    return np.flatnonzero(np.fromiter(holds, bool))
