"""Sets and maps of numbers that lie on the cores of all processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from gossamer import _convert, _core, _life

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

_Library = TypeVar("_Library", _core.HashSet, _core.HashMap)


class _Table(Generic[_Library]):
    """What sets and maps have in common: keys, each at the core that its hash says."""

    def __init__(self, library: _Library) -> None:
        self._library: _Library = library

    def contains(self, keys: npt.ArrayLike) -> np.ndarray:
        """Look many keys up at once.

        Parameters
        ----------
        keys : array_like of int
            Of any shape.

        Returns
        -------
        numpy.ndarray of bool
            Whether each is there, in the shape of `keys`.

        Raises
        ------
        TypeError
            For keys that are no integers.
        """
        raise NotImplementedError

    def erase(self, keys: npt.ArrayLike) -> np.ndarray:
        """Erase many keys at once.

        Parameters
        ----------
        keys : array_like of int
            Of any shape. Those that are not there are passed over.

        Returns
        -------
        numpy.ndarray of bool
            Whether each was there. Of a key that comes several times one place is told so, any of them.

        Raises
        ------
        TypeError
            For keys that are no integers.
        """
        return self._which(self._library.erase, keys)

    def keys(self) -> np.ndarray:
        """Return all keys, in no order: copied to process 0, which needs twice their memory for a while."""
        raise NotImplementedError

    def __contains__(self, key: object) -> bool:
        n = _convert.one_integer(key)
        return n is not None and -(1 << 63) <= n < 1 << 63 and bool(self.contains(n))

    def __len__(self) -> int:
        return self._library.size()

    def __iter__(self) -> Iterator[int]:
        return iter(self.keys().tolist())

    @staticmethod
    def _keys(keys: npt.ArrayLike) -> np.ndarray:
        import numpy as np

        return _convert.numbers(keys, np.dtype(np.int64), "keys")

    def _which(self, operation: Callable[[np.ndarray, np.ndarray], None], keys: npt.ArrayLike) -> np.ndarray:
        """Call an operation of the library for keys. Return its answer for each, in the shape of `keys`."""
        import numpy as np

        asked = self._keys(keys)
        flags = np.empty(asked.shape, bool)
        operation(asked.reshape(-1), flags.reshape(-1))
        return flags


class HashSet(_Table[_core.HashSet]):
    """A set of integers of 64 bits, for whole arrays of them at once.

    >>> s = gs.HashSet([3, 5])
    >>> s.insert([5, 7])
    array([False,  True])
    >>> s.contains([3, 4]), 7 in s, len(s)
    (array([ True, False]), True, 3)

    Parameters
    ----------
    keys : array_like of int, optional
        The first ones.

    Raises
    ------
    MemoryError
        By what inserts, where there is no memory; some of the keys are there then.
    TypeError
        For keys that are no integers.
    """

    def __init__(self, keys: npt.ArrayLike | None = None) -> None:
        first = None if keys is None else self._keys(keys)
        _life.begin()
        super().__init__(_core.HashSet.make())
        if first is not None:
            self.insert(first)

    def insert(self, keys: npt.ArrayLike) -> np.ndarray:
        """Insert many keys at once.

        Parameters
        ----------
        keys : array_like of int
            Of any shape.

        Returns
        -------
        numpy.ndarray of bool
            Whether each was new. Of a key that comes several times one place is told so, any of them.

        Raises
        ------
        MemoryError, TypeError
            As the class says.
        """
        return self._which(self._library.insert, keys)

    def contains(self, keys: npt.ArrayLike) -> np.ndarray:
        return self._which(self._library.contains, keys)

    def keys(self) -> np.ndarray:
        found: Any = self._library.keys()
        return found

    def __repr__(self) -> str:
        return f"<gossamer.HashSet: {len(self):,} keys>"


class HashMap(_Table[_core.HashMap]):
    """A map from integers of 64 bits to numbers, for whole arrays of them at once.

    >>> counts = gs.HashMap()
    >>> counts.add([7, 3, 7])           # a tally
    >>> counts.get([3, 4, 7])
    array([1, 0, 2])
    >>> prices = gs.HashMap([1, 2], [9.5, 3.25])
    >>> prices[2] = 4.0
    >>> prices[[1, 2]]
    array([9.5, 4. ])

    Parameters
    ----------
    keys, values : array_like, optional
        The first ones: as many values as keys, or one for all.
    dtype : data type, optional
        Of the values: int64 or float64. Default: that of the values' kind; int64 without values.

    Raises
    ------
    MemoryError
        By what inserts, where there is no memory; some of the keys are there then.
    TypeError
        For keys that are no integers, reals for a map of integers, and another type of values.
    ValueError
        Where there are not as many values as keys.
    """

    def __init__(self, keys: npt.ArrayLike | None = None, values: npt.ArrayLike | None = None, *,
                 dtype: npt.DTypeLike | None = None) -> None:
        import numpy as np

        if (keys is None) != (values is None):
            raise ValueError("expected keys and values, or neither")
        if dtype is None:
            dtype = np.int64 if values is None or _convert.unmasked(values, "values").dtype.kind != "f" else np.float64
        self._dtype = _convert.element_type(dtype, "dtype", "if")
        _life.begin()
        super().__init__(_core.HashMap.make())
        if keys is not None and values is not None:
            self.update(keys, values)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values: int64 or float64."""
        return self._dtype

    def update(self, keys: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Assign values to keys, as `dict.update` does; ``m[keys] = values`` does the same.

        Parameters
        ----------
        keys : array_like of int
            Of any shape. Of a key that comes several times one of the values stays, any of them.
        values : array_like
            As many, or one for all.

        Raises
        ------
        MemoryError, TypeError, ValueError
            As the class says.
        """
        asked = self._keys(keys)
        self._library.assign(asked.reshape(-1), _convert.beside(values, asked.shape, self._dtype))

    def add(self, keys: npt.ArrayLike, values: npt.ArrayLike = 1) -> None:
        """Add to the values of keys: a tally without `values`. A key that is not there begins with 0.

        A key that comes several times counts as often. Integers wrap round. Reals are added in any order: the last digits of a sum may
        differ from call to call. Equal keys among neighbours in `keys` are added up before they travel.

        Parameters
        ----------
        keys : array_like of int
            Of any shape.
        values : array_like
            As many, or one for all.

        Raises
        ------
        MemoryError, TypeError, ValueError
            As the class says.
        """
        asked = self._keys(keys)
        self._library.add(asked.reshape(-1), _convert.beside(values, asked.shape, self._dtype), self._dtype.kind == "f")

    def get(self, keys: npt.ArrayLike, default: float = 0) -> np.ndarray:
        """Return the values of keys, as `dict.get` does.

        Parameters
        ----------
        keys : array_like of int
            Of any shape.
        default : number
            For keys that are not there.

        Returns
        -------
        numpy.ndarray
            In the shape of `keys`.

        Raises
        ------
        TypeError
            For keys that are no integers, and a default that is no value.
        """
        otherwise = _convert.numbers(default, self._dtype, "default")
        if otherwise.ndim != 0:
            raise TypeError(f"default: expected a number, found an array of shape {otherwise.shape}")
        values, there = self._lookup(self._keys(keys))
        values[~there] = otherwise
        return values[()]

    def contains(self, keys: npt.ArrayLike) -> np.ndarray:
        return self._lookup(self._keys(keys))[1]

    def keys(self) -> np.ndarray:
        return self.items()[0]

    def values(self) -> np.ndarray:
        """Return all values, in the order of `keys` as long as nothing is inserted or erased."""
        return self.items()[1]

    def items(self) -> tuple[np.ndarray, np.ndarray]:
        """Return all keys and their values as two arrays, in no order: copied to process 0, which needs twice their memory for a while."""
        keys, values = self._library.items()
        return keys, values.view(self._dtype)

    def top(self, k: int = 10) -> list[tuple[int, Any]]:
        """Return the k largest values with their keys, the largest first; equal ones in the order of the keys."""
        import numpy as np

        from gossamer._result import largest

        keys, values = self.items()
        order = np.argsort(keys)
        return [(keys[order[i]].item(), values[order[i]].item()) for i in largest(values[order], k)]

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas data frame of the values, with the keys as its index, in no order. Needs pandas."""
        import pandas as pd

        keys, values = self.items()
        return pd.DataFrame({"value": values}, index=pd.Index(keys, name="key", tupleize_cols=False))

    def __getitem__(self, keys: npt.ArrayLike) -> Any:
        asked = self._keys(keys)
        values, there = self._lookup(asked)
        if not there.all():
            raise KeyError(asked[~there].reshape(-1)[0].item())
        return values[()]

    def __setitem__(self, keys: npt.ArrayLike, values: npt.ArrayLike) -> None:
        self.update(keys, values)

    def _lookup(self, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return values and which of them are there; the others are anything."""
        import numpy as np

        values, there = np.empty(asked.shape, self._dtype), np.empty(asked.shape, bool)
        self._library.lookup(asked.reshape(-1), _convert.words(values), there.reshape(-1))
        return values, there

    def __repr__(self) -> str:
        return f"<gossamer.HashMap: {len(self):,} keys to {self._dtype}>"

    def _repr_html_(self) -> str:
        from gossamer._result import table

        rows = self.top(10)
        return table(("key", "value"), rows, f"{len(rows)} of {len(self):,} keys")
