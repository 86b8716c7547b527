"""Numbers in order, on all cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gossamer import _convert, _core, _life

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def sort(array: npt.ArrayLike, *, out: np.ndarray | None = None) -> np.ndarray:
    """Sort numbers, as `numpy.sort` does, on all cores.

    >>> gs.sort([3.0, float("nan"), 1.0])
    array([ 1.,  3., nan])

    Parameters
    ----------
    array : array_like
        One dimension, of integers, floats, Booleans, dates (datetime64) or durations (timedelta64), in this machine's byte order. It
        stays as it is, unless it is `out`. Integers of 8 and 16 bits and Booleans are sorted by NumPy, on one core: it counts them.
    out : numpy.ndarray, optional
        Where the sorted numbers go: a writeable, contiguous array of the same type and length, which may overlap `array`.
        ``gs.sort(a, out=a)`` sorts in place.

    Returns
    -------
    numpy.ndarray
        `out`, or else a new array. NaN and NaT come last, and -0.0 before 0.0.

    Raises
    ------
    TypeError
        For other types of elements, and where `out` is of another type.
    ValueError
        For more dimensions, and where `out` has another length, or cannot be written to in place.
    """
    import numpy as np

    values = _convert.unmasked(array, "array")
    if out is not None:
        _convert.unmasked(out, "out")
    if values.dtype.kind not in "biufmM" or values.itemsize > 8 or not values.dtype.isnative:
        found = values.dtype if values.dtype.isnative else values.dtype.str
        raise TypeError(f"array: expected integers or floats of at most 64 bits, Booleans or dates, found {found}")
    if values.ndim != 1:
        raise ValueError(f"array: expected one dimension, found {values.ndim}")
    if out is None:
        out = np.empty(len(values), values.dtype)
    elif not isinstance(out, np.ndarray) or out.dtype != values.dtype:
        other = out.dtype if isinstance(out, np.ndarray) else type(out).__name__
        raise TypeError(f"out: expected a NumPy array of {values.dtype}, found {other}")
    elif out.shape != values.shape:
        raise ValueError(f"out: expected the shape {values.shape}, found {out.shape}")
    elif not out.flags.c_contiguous or not out.flags.writeable or not out.flags.aligned:
        raise ValueError("out: expected a contiguous array that may be written to")
    _life.begin()
    values = np.require(values, requirements=["C", "A"])
    if values.dtype.kind in "mM":
        _sort_dates(values.view(np.int64), out.view(np.int64))
    elif values.itemsize >= 4:
        _core.sort(values, out)
    elif values.dtype.kind == "f":
        wide = values.astype(np.float32)
        _core.sort(wide, wide)
        out[...] = wide
    else:
        out[...] = np.sort(values, kind="stable")
    return out


def _sort_dates(ticks: np.ndarray, out: np.ndarray) -> None:
    """Sort 64-bit ticks, of which the least stands for no date and comes last."""
    import numpy as np

    _core.sort(ticks, out)
    no_date = np.iinfo(np.int64).min
    missing = int(np.searchsorted(out, no_date, side="right"))
    if missing:
        out[:-missing] = out[missing:]
        out[-missing:] = no_date
