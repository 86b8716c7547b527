"""Functions that the user has had compiled by `numba.cfunc`, as the library calls them; and MapReduce by such functions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Protocol

from gossamer import _convert, _core, _life
from gossamer._group import Grouped

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Compiled(Protocol):
    """What `numba.cfunc` returns, or anything with the address of a C function of numbers of 64 bits."""

    @property
    def address(self) -> int:
        """Where its code lies."""
        ...


def unary(f: Compiled, takes: np.dtype[Any], gives: np.dtype[Any], name: str) -> _core.Unary:
    """Return a function of one number. Raises TypeError where it is not compiled, or for other types."""
    return _core.Unary(_address(f, (takes,), gives, name), takes.kind == "f", gives.kind == "f")


def binary(f: Compiled, dtype: np.dtype[Any], name: str) -> _core.Binary:
    """Return a function of two numbers of one type, to a third. Raises TypeError as `unary`."""
    return _core.Binary(_address(f, (dtype, dtype), dtype, name), dtype.kind == "f")


def _address(f: Any, takes: tuple[np.dtype[Any], ...], gives: np.dtype[Any], name: str) -> int:
    expected = f"{gives}({', '.join(map(str, takes))})"
    address = getattr(f, "address", None)
    if not isinstance(address, int) or address == 0:
        raise TypeError(f'{name}: expected a function compiled by numba.cfunc("{expected}"), found {type(f).__name__}')
    signature = getattr(f, "_sig", None)  # Numba's; other objects vouch for themselves
    if signature is not None:
        found = f"{signature.return_type}({', '.join(map(str, signature.args))})"
        if found != expected:
            raise TypeError(f"{name}: expected a function compiled for {expected}, found one for {found}")
    return address


def gives_of(f: Any, default: np.dtype[Any], name: str) -> np.dtype[Any]:
    """Return the type of what a function returns, where it tells. Raises TypeError for one that is no number of 64 bits."""
    signature = getattr(f, "_sig", None)
    return default if signature is None else _convert.element_type(str(signature.return_type), name)


def _takes(f: Any, default: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of what a function of one number takes, where it tells."""
    import numpy as np

    signature = getattr(f, "_sig", None)
    return default if signature is None or len(signature.args) != 1 else np.dtype(str(signature.args[0]))


def map_reduce(values: npt.ArrayLike, key: Compiled, combine: Compiled, value: Compiled | None = None) -> Grouped:
    """Map each number to a key and a value, and combine the values of each key: MapReduce by compiled functions.

    >>> import numba
    >>> @numba.cfunc("int64(int64)")
    ... def last_digit(x): return x % 10
    >>> @numba.cfunc("int64(int64, int64)")
    ... def larger(a, b): return max(a, b)
    >>> found = gs.map_reduce(range(95), last_digit, larger)
    >>> found["value"].tolist()  # of the keys 0 to 9
    [90, 91, 92, 93, 94, 85, 86, 87, 88, 89]

    Parameters
    ----------
    values : array_like
        Numbers, of one dimension: int64, uint64 or float64. Arrays of NumPy of these types are not copied.
    key : function compiled by `numba.cfunc`
        From the type of the values to int64.
    combine : function compiled by `numba.cfunc`
        Of two values to a third, all of one type. It is associative and commutative: values come in any order, and digits of reals may differ.
    value : function compiled by `numba.cfunc`, optional
        From the type of `values` to what is combined. Default: the numbers themselves.

    Returns
    -------
    Grouped
        The columns ``key``, ascending, and ``value``.

    Raises
    ------
    TypeError
        For a function that is not compiled, or for other types.
    ValueError
        For more dimensions, and in a job of several processes: the functions are in process 0 only.

    Notes
    -----
    The functions run on all cores without the interpreter, on stacks of 64 KiB. What Numba's code raises is printed, and not seen here.
    """
    import numpy as np

    found = _convert.unmasked(values, "values")
    if found.size == 0 and not hasattr(values, "dtype"):  # an empty list has no type
        found = found.astype(_takes(key, found.dtype))
    if found.dtype.kind not in "iuf" or found.itemsize > 8:
        raise TypeError(f"values: expected numbers of up to 64 bits, found {found.dtype}")
    kind = np.dtype(f"{found.dtype.kind}8")
    numbers = _convert.column(found, kind, "values")
    of = kind if value is None else gives_of(value, kind, "value")
    functions = (unary(key, kind, np.dtype(np.int64), "key"), None if value is None else unary(value, kind, of, "value"),
                 binary(combine, of, "combine"))
    _life.begin()
    begin = time.perf_counter()
    keys, combined = _core.map_reduce(_convert.words(numbers), *functions)
    stats = {"call": "map_reduce", "numbers": len(numbers), "groups": len(keys), "seconds": time.perf_counter() - begin}
    return Grouped({"key": keys, "value": combined.view(of)}, stats=stats)
