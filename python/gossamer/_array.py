"""Arrays that lie on the cores of all processes."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gossamer import _compiled, _convert, _core, _life

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Array:
    """A global array: numbers of one type, in blocks on the cores of all processes. Made by `zeros` and `array`.

    Indices and slices are those of a NumPy array of one dimension. They copy, out of the array or into it: there are no views but that
    of `numpy`. Whatever takes many indices at once is one call of the library; one element after the other is slow.

    >>> a = gs.zeros(1000, int)
    >>> a[10:20] = 5                     # a put
    >>> a[10:13]                         # a get
    array([5, 5, 5])
    >>> a.add_at([3, 3, 999], 1)
    >>> a[[3, -1, 10]]                   # a gather
    array([2, 1, 5])
    """

    def __init__(self, library: _core.Array, dtype: np.dtype[Any]) -> None:
        self._library, self._dtype = library, dtype

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements: int64, uint64 or float64."""
        return self._dtype

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._library.size

    @property
    def shape(self) -> tuple[int]:
        """The number of elements, as NumPy has it."""
        return (self.size,)

    @property
    def ndim(self) -> int:
        """The number of dimensions: 1."""
        return 1

    @property
    def nbytes(self) -> int:
        """The memory of the elements, in all processes together."""
        return 8 * self.size

    def __len__(self) -> int:
        return self.size

    def take(self, indices: npt.ArrayLike) -> np.ndarray:
        """Copy elements by index, as `numpy.take` does: a gather.

        Parameters
        ----------
        indices : array_like of int
            Of any shape. A negative index counts from the end.

        Returns
        -------
        numpy.ndarray
            In the shape of `indices`.

        Raises
        ------
        IndexError
            For an index that no element has.
        TypeError
            For indices that are no integers.

        Notes
        -----
        Elements of this process, and of its neighbours on the node, are read in place. Others travel in bulk: two small messages each.
        """
        at = self._indices(indices)
        found = self._new(at.shape)
        self._library.take_at(at.reshape(-1), _convert.words(found))
        return found

    def put(self, indices: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Assign elements by index, as `numpy.put` does.

        Parameters
        ----------
        indices : array_like of int
            Of any shape. Of an index that comes several times one of the values stays, any of them: NumPy says the last one.
        values : array_like
            As many, or one for all. Unlike in `numpy.put` they are not repeated otherwise.

        Raises
        ------
        IndexError
            For an index that no element has; then nothing is assigned.
        TypeError
            For indices that are no integers, and reals for an array of integers.
        ValueError
            Where there are not as many values as indices.
        """
        at = self._indices(indices)
        self._library.put_at(at.reshape(-1), self._beside(values, at.shape))

    def add_at(self, indices: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Add to elements by index, as ``numpy.add.at`` does: an index that comes several times counts as often.

        Integers wrap round, as NumPy's do. Reals are added in any order: the last digits of a sum may differ from call to call.
        Parameters and errors are those of `put`. Each addition is a small message to the core that owns the element.
        """
        at = self._indices(indices)
        self._library.add_at(at.reshape(-1), self._beside(values, at.shape), self._dtype.kind)

    def minimum_at(self, indices: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Replace elements by the smaller of them and the values, as ``numpy.minimum.at`` does. Otherwise as `add_at`."""
        at = self._indices(indices)
        self._library.minimum_at(at.reshape(-1), self._beside(values, at.shape), self._dtype.kind)

    def maximum_at(self, indices: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Replace elements by the larger of them and the values, as ``numpy.maximum.at`` does. Otherwise as `add_at`."""
        at = self._indices(indices)
        self._library.maximum_at(at.reshape(-1), self._beside(values, at.shape), self._dtype.kind)

    def update_at(self, indices: npt.ArrayLike, values: npt.ArrayLike, f: _compiled.Compiled) -> None:
        """Replace elements by f(element, value): `add_at` by a function of your own, compiled by `numba.cfunc`.

        >>> import numba
        >>> @numba.cfunc("int64(int64, int64)")
        ... def merge(a, b): return a | b
        >>> a = gs.zeros(5, int)
        >>> a.update_at([3, 3, 4], [1, 2, 4], merge)
        >>> a[:]
        array([0, 0, 0, 3, 4])

        An index that comes several times is updated as often, in any order. One update of an element runs at a time.

        Parameters
        ----------
        indices, values : array_like
            As of `put`.
        f : function compiled by `numba.cfunc`
            Of two numbers of the array's type to a third. It runs without the interpreter, on a stack of 64 KiB.

        Raises
        ------
        TypeError
            As `put`; also for a function that is not compiled, or for other types.
        ValueError
            As `put`; also in a job of several processes: the function is in process 0 only.
        """
        compiled = _compiled.binary(f, self._dtype, "f")
        at = self._indices(indices)
        self._library.update_at(at.reshape(-1), self._beside(values, at.shape), compiled)

    def apply(self, f: _compiled.Compiled) -> None:
        """Replace each element by f(element), on all cores. Errors are those of `update_at`.

        Parameters
        ----------
        f : function compiled by `numba.cfunc`
            From the array's type to itself.
        """
        self._library.apply(_compiled.unary(f, self._dtype, self._dtype, "f"))

    def reduce(self, f: _compiled.Compiled, initial: float) -> Any:
        """Combine all elements by f, as `functools.reduce` does, on all cores. Errors are those of `update_at`.

        Parameters
        ----------
        f : function compiled by `numba.cfunc`
            Of two numbers of the array's type to a third. It is associative: chunks are combined first, then their results, in order.
        initial : number
            What comes before the first element.

        Returns
        -------
        number
            The same each time, also of reals.
        """
        import numpy as np

        compiled = _compiled.binary(f, self._dtype, "f")
        first = _convert.beside(initial, (1,), self._dtype)
        return np.array([self._library.reduce(compiled, int(first[0]))], np.uint64).view(self._dtype)[0]

    def numpy(self) -> np.ndarray:
        """Return the elements as a NumPy array: in one process where they lie, over several a copy.

        Returns
        -------
        numpy.ndarray
            Of one process, what is written to it is written to this array, as long as no call is under way. It keeps the memory.
        """
        in_place: Any = self._library.view()
        return self._get(slice(None)) if in_place is None else in_place.view(self._dtype)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        """Return what `numpy` does, for ``numpy.asarray(a)`` and all that takes arrays."""
        import numpy as np

        of_one = self._library.view() is not None
        kind = self._dtype if dtype is None else np.dtype(dtype)
        if copy is False and (not of_one or kind != self._dtype):
            raise ValueError("copy=False: the elements are of another type, or in several processes: there is no view of them")
        return self.numpy().astype(kind, copy=bool(copy) and of_one)

    def __getitem__(self, where: Any) -> Any:
        if isinstance(where, slice):
            return self._get(where)
        index = _convert.one_integer(where)
        if index is not None:
            return self.take(index)[()]
        return self.take(self._chosen(where))

    def __setitem__(self, where: Any, values: npt.ArrayLike) -> None:
        if not isinstance(where, slice):
            self.put(self._chosen(where), values)
            return
        first, step, count, is_backwards = _forwards(where, self.size)
        given = self._beside(values, (count,))
        self._library.put(first, step, given[::-1].copy() if is_backwards else given)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.numpy())

    def _get(self, where: slice) -> np.ndarray:
        first, step, count, is_backwards = _forwards(where, self.size)
        found = self._new((count,))
        self._library.get(first, step, _convert.words(found))
        return found[::-1] if is_backwards else found

    def _new(self, shape: tuple[int, ...]) -> np.ndarray:
        import numpy as np

        return np.empty(shape, self._dtype)

    def _indices(self, indices: npt.ArrayLike) -> np.ndarray:
        import numpy as np

        found = _convert.unmasked(indices, "indices")
        if found.dtype.kind == "u" and found.size and found.max() > np.iinfo(np.int64).max:
            raise IndexError(f"index {found.max()} is out of bounds for axis 0 with size {self.size}")
        return self._apart(_convert.numbers(indices, np.dtype(np.int64), "indices"))

    def _beside(self, values: npt.ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
        return self._apart(_convert.beside(values, shape, self._dtype))

    def _apart(self, given: np.ndarray) -> np.ndarray:
        """Return an argument, or a copy where it shares memory with the elements: other cores write them while it is read."""
        import numpy as np

        in_place: Any = self._library.view()
        return given.copy() if in_place is not None and np.may_share_memory(given, in_place) else given

    def _chosen(self, where: Any) -> Any:
        """Return indices for what stands in brackets. A mask chooses where it is true."""
        import numpy as np

        if isinstance(where, tuple) or where is None or where is Ellipsis:
            raise IndexError("expected an index, a slice, or an array of indices: the array has one dimension")
        chosen = _convert.unmasked(where, "mask")
        if chosen.dtype != bool:
            return where
        if chosen.shape != self.shape:
            raise IndexError(f"mask: expected the shape {self.shape}, found {chosen.shape}")
        return np.flatnonzero(chosen)

    def __repr__(self) -> str:
        import numpy as np

        some = self._get(slice(0, 3)), self._get(slice(max(3, self.size - 3), None))
        shown = [", ".join(map(str, part.tolist())) for part in some if len(part)]
        return f"<gossamer.Array: {self.size:,} of {self._dtype}, [{(', ' if self.size <= 6 else ', ..., ').join(shown)}]>"


def zeros(size: int, dtype: npt.DTypeLike = float) -> Array:
    """Make a global array of zeros, as `numpy.zeros` does.

    Parameters
    ----------
    size : int
        The number of elements.
    dtype : data type
        int64 (``int``), uint64 or float64 (``float``).

    Returns
    -------
    Array
        In equal blocks on the cores of all processes. Each process needs the memory of its blocks.

    Raises
    ------
    MemoryError
        Where the elements do not fit the memory; nothing is taken then.
    TypeError
        For another type of elements.
    ValueError
        For a negative size.
    """
    n = operator.index(size)
    kind = _convert.element_type(dtype, "dtype")
    if n < 0:
        raise ValueError(f"size: expected 0 or more, found {n}")
    if n >= 1 << 61:
        raise MemoryError(f"an array of {n:,} elements fits no memory")
    _life.begin()
    return Array(_core.Array.zeros(n), kind)


def array(values: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Array:
    """Make a global array of numbers, as `numpy.array` does: a copy.

    >>> gs.array([3, 1, 2])
    <gossamer.Array: 3 of int64, [3, 1, 2]>

    Parameters
    ----------
    values : array_like
        Numbers, of one dimension.
    dtype : data type, optional
        int64, uint64 or float64. Default: the one of them that is of the values' kind; smaller types become 64 bits wide.

    Returns
    -------
    Array

    Raises
    ------
    MemoryError, TypeError
        As `zeros`; TypeError also for what is no number.
    ValueError
        For more dimensions.
    """
    import numpy as np

    if dtype is None:
        found = _convert.unmasked(values, "values").dtype
        if found.kind not in "iuf" or found.itemsize > 8:
            raise TypeError(f"values: expected numbers of up to 64 bits, found {found}")
        dtype = np.dtype(f"{found.kind}8")
    kind = _convert.element_type(dtype, "dtype")
    numbers = _convert.column(values, kind, "values")
    made = zeros(len(numbers), kind)
    made._library.put(0, 1, _convert.words(numbers))
    return made


def _forwards(where: slice, size: int) -> tuple[int, int, int, bool]:
    """Return the first element of a slice, the distance between two, their number, and whether the slice has them backwards."""
    chosen = range(size)[where]
    is_backwards = chosen.step < 0
    upwards = chosen[::-1] if is_backwards else chosen
    return (upwards.start if len(upwards) else 0), min(upwards.step, max(size, 1)), len(upwards), is_backwards
