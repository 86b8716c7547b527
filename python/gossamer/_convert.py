"""What users give as numbers, as the library takes it: contiguous arrays of 64-bit elements, and these as words."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_TYPES = {"i": "int64", "u": "uint64", "f": "float64"}


def whole(value: Any, name: str, least: int = 0, most: int = 2**64 - 1) -> int:
    """Return a whole number. Raises TypeError for what is none, and ValueError beyond the bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, found {value!r}") from None
    if number < least:
        raise ValueError(f"{name}: expected {least} or more, found {number}")
    if number > most:
        raise ValueError(f"{name}: expected at most {most}, found {number}")
    return number


def seed(value: Any) -> int:
    """Return a seed of random choices, as `whole` does."""
    return whole(value, "seed")


def element_type(dtype: npt.DTypeLike, name: str, kinds: str = "iuf") -> np.dtype[Any]:
    """Return a type of elements. Raises TypeError unless it is an integer or float of 64 bits."""
    import numpy as np

    found = np.dtype(dtype)
    if found.kind not in kinds or found.itemsize != 8 or not found.isnative:
        raise TypeError(f"{name}: expected {', '.join(_TYPES[kind] for kind in kinds)}, found {found}")
    return found


def unmasked(values: Any, name: str) -> np.ndarray:
    """Return values as an array. Raises TypeError for masks: NumPy hands out what lies under them, also of the parts of a sequence."""
    import numpy as np

    masked = isinstance(values, np.ma.MaskedArray) or (
        isinstance(values, (list, tuple)) and any(isinstance(each, np.ma.MaskedArray) for each in values))
    if masked:
        raise TypeError(f"{name}: expected no mask, found {'a masked array' if hasattr(values, 'mask') else 'masked elements'}")
    return np.asarray(values)


def numbers(values: npt.ArrayLike, dtype: np.dtype[Any], name: str) -> np.ndarray:
    """Return numbers as a contiguous array of a type. Copies where they are of another one.

    Raises TypeError for what is no number, and for reals where integers are expected. Raises ValueError for integers that the type has not.
    """
    import numpy as np

    found = unmasked(values, name)
    if found.size == 0 and found.dtype == np.float64 and not isinstance(values, np.ndarray):
        found = found.astype(dtype)  # an empty list has no type of its own
    if found.dtype.kind not in ("iuf" if dtype.kind == "f" else "iu"):
        raise TypeError(f"{name}: expected {'numbers' if dtype.kind == 'f' else 'integers'}, found {found.dtype}")
    if found.size and (found.dtype.kind, dtype.kind) in (("u", "i"), ("i", "u")):
        outside = found.min() if dtype.kind == "u" else found.max()
        if not 0 <= outside <= np.iinfo(dtype).max:
            raise ValueError(f"{name}: expected integers of {dtype}, found {outside}")
    return np.require(found, dtype, ["C", "A"])


def weights(values: Any, name: str) -> np.ndarray:
    """Return weights of edges as the library takes them: integers of 32 bits where all are some, else float or double.

    Raises TypeError for what is no number, and ValueError for integers that neither has.
    """
    import numpy as np

    found = unmasked(values, name)
    if found.size == 0:
        return found.astype(np.int32)
    if found.dtype.kind not in "iufb":
        raise TypeError(f"{name}: expected numbers, found {found.dtype}")
    if found.dtype.kind == "f":
        wide = np.float32 if found.dtype.itemsize <= 4 else np.float64
        return np.require(found, wide, ["A"])
    for dtype in (np.int32, np.uint32):
        if np.iinfo(dtype).min <= found.min() and found.max() <= np.iinfo(dtype).max:
            return np.require(found, dtype, ["A"])
    beyond = np.abs(found.astype(object)).max()
    if beyond > 2**53:
        raise ValueError(f"{name}: expected integers that 32 bits or a double hold, found {beyond}")
    return found.astype(np.float64)


def column(values: npt.ArrayLike, dtype: np.dtype[Any], name: str) -> np.ndarray:
    """Return numbers as `numbers` does, of one dimension. Raises ValueError for more."""
    found = numbers(values, dtype, name)
    if found.ndim != 1:
        raise ValueError(f"{name}: expected one dimension, found {found.ndim}")
    return found


def beside(values: npt.ArrayLike, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    """Return one value for each of some places, as words. One value is repeated. Raises ValueError where lengths differ."""
    import numpy as np

    found = numbers(values, dtype, "values")
    if found.shape != shape:
        if found.ndim != 0:
            raise ValueError(f"values: expected the shape {shape}, found {found.shape}")
        found = np.full(shape, found)
    return words(found)


def words(values: np.ndarray) -> np.ndarray:
    """Return the bits of a contiguous array in place, of one dimension."""
    import numpy as np

    return values.reshape(-1).view(np.uint64)


def is_undecoded(value: Any) -> bool:
    """Return whether it is a text of bytes that are no UTF-8, which Python has as surrogates."""
    if not isinstance(value, str) or value.isascii():
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return True
    return False


def one_integer(value: Any) -> int | None:
    """Return an integer of any kind as Python's. Returns None for all else: bools, reals, and arrays, also of one integer."""
    if isinstance(value, bool) or not hasattr(type(value), "__index__") or getattr(value, "ndim", 0) != 0 or hasattr(value, "mask"):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array of one real
        return None
