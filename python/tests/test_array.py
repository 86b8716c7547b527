"""Global arrays against NumPy's. Seeds are in the tests' names."""

import numpy as np
import pytest

import gossamer as gs

TYPES = [np.int64, np.uint64, np.float64]
SIZES = [0, 1, 2, 1000, 100_003]


def drawn(dtype, n, seed):
    draw = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return draw.integers(-(2**40), 2**40, n) / 8.0  # sums are exact in any order
    return draw.integers(0, 2**64, n, np.uint64).astype(dtype)


def same(found, expected):
    assert isinstance(found, np.ndarray) and found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", TYPES)
def test_what_goes_in_comes_out(dtype, n):
    values = drawn(dtype, n, 1)
    a = gs.array(values)
    assert (a.size, len(a), a.shape, a.ndim, a.dtype, a.nbytes) == (n, n, (n,), 1, values.dtype, values.nbytes)
    same(a.numpy(), values)
    same(np.asarray(a), values)
    same(a[:], values)
    same(np.array(a), values)
    assert list(a)[:5] == values[:5].tolist()
    same(gs.zeros(n, dtype).numpy(), np.zeros(n, dtype))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("dtype", TYPES)
def test_slices_agree_with_numpy(dtype, seed):
    n = 5000
    draw = np.random.default_rng(seed)
    expected = drawn(dtype, n, seed)
    a = gs.array(expected)
    for start, stop in draw.integers(-n - 5, n + 5, (40, 2)).tolist():
        for step in (None, 1, -1, 3, -7, n):
            where = slice(start, stop, step)
            same(a[where], expected[where])
            a[where] = expected[where] = drawn(dtype, len(expected[where]), start % 1000)
            same(a[:], expected)
    a[::-2] = expected[::-2] = 3
    same(a[:], expected)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("n", [1, 1000, 100_003])
@pytest.mark.parametrize("dtype", TYPES)
def test_indices_agree_with_numpy(dtype, n, seed):
    draw = np.random.default_rng(seed)
    expected = drawn(dtype, n, seed)
    a = gs.array(expected)
    at = draw.integers(-n, n, 40_000)
    same(a.take(at), expected.take(at))
    same(a[at.reshape(200, 200)], expected[at.reshape(200, 200)])
    same(a[np.abs(at).astype(np.uint32) % n], expected[np.abs(at) % n])
    values = drawn(dtype, len(at), seed + 10)
    a.add_at(at, values)
    with np.errstate(over="ignore"):
        np.add.at(expected, at, values)
    same(a[:], expected)
    a.minimum_at(at, values)
    np.minimum.at(expected, at, values)
    same(a[:], expected)
    a.maximum_at(at[::2], values[::2])
    np.maximum.at(expected, at[::2], values[::2])
    same(a[:], expected)
    some = draw.permutation(n)[: n // 2]
    a.put(some, values[: len(some)] if len(some) <= len(values) else 5)
    expected.put(some, values[: len(some)] if len(some) <= len(values) else 5)
    same(a[:], expected)
    mask = draw.integers(0, 2, n, dtype=np.int8).astype(bool)
    same(a[mask], expected[mask])
    a[mask] = expected[mask] = 1
    same(a[:], expected)


def test_one_of_the_values_of_an_index_stays():
    a = gs.zeros(3, int)
    at = np.arange(60_000) % 2
    a.put(at, np.arange(60_000) + 1)
    left, right, untouched = a[:].tolist()
    assert left % 2 == 1 and right % 2 == 0 and right > 0 and untouched == 0


def test_nan_as_numpy_has_it():
    at = [0, 1, 2, 3]
    for name in ("minimum", "maximum"):
        a, expected = gs.array([np.nan, 1.0, -np.inf, 2.0]), np.array([np.nan, 1.0, -np.inf, 2.0])
        getattr(a, f"{name}_at")(at, [1.0, np.nan, np.inf, -0.5])
        with np.errstate(invalid="ignore"):
            getattr(np, name).at(expected, at, [1.0, np.nan, np.inf, -0.5])
        same(a[:], expected)


def test_one_element():
    a = gs.array([1.5, 2.5])
    assert a[1] == 2.5 and a[-2] == 1.5 and a[np.int32(0)] == 1.5 and isinstance(a[0], np.float64)
    a[-1] = 7
    a[np.array(0)] = 3
    assert a[:].tolist() == [3.0, 7.0]
    assert gs.array([2**64 - 1])[0] == 2**64 - 1


def test_smaller_types_become_wide():
    for narrow, wide in ((np.int8, np.int64), (np.uint32, np.uint64), (np.float32, np.float64)):
        same(gs.array(np.array([1, 2], narrow)).numpy(), np.array([1, 2], wide))
    same(gs.array([1, 2], float).numpy(), np.array([1.0, 2.0]))
    same(gs.array(range(4)).numpy(), np.arange(4))
    same(gs.array(np.arange(20)[::-3]).numpy(), np.arange(20)[::-3])
    same(gs.array([], int).numpy(), np.array([], int))


def test_a_view_of_one_process():
    a = gs.array(np.arange(1000))
    view = a.numpy()
    view[5] = -1
    assert a[5] == -1
    a[6] = -2
    assert view[6] == -2 and np.shares_memory(np.asarray(a), view)
    assert not np.shares_memory(np.array(a), view) and not np.shares_memory(a[:], view)
    same(np.asarray(a, float), view.astype(float))
    same(a.__array__(copy=False), view)
    with pytest.raises(ValueError, match="copy=False"):
        a.__array__(np.dtype(float), copy=False)
    del a
    assert view[:7].tolist() == [0, 1, 2, 3, 4, -1, -2] and np.sum(view) == 999 * 500 - 14


def test_what_is_shown():
    assert repr(gs.array([3, 1, 2])) == "<gossamer.Array: 3 of int64, [3, 1, 2]>"
    assert repr(gs.zeros(1234)) == "<gossamer.Array: 1,234 of float64, [0.0, 0.0, 0.0, ..., 0.0, 0.0, 0.0]>"
    assert repr(gs.array([1, 2, 3, 4, 5])) == "<gossamer.Array: 5 of int64, [1, 2, 3, 4, 5]>"
    assert repr(gs.zeros(0)) == "<gossamer.Array: 0 of float64, []>"


@pytest.mark.parametrize("index", [10, -11, 2**62, -(2**62), 2**63, 2**64 - 1])
def test_indices_that_are_none(index):
    a = gs.array(np.arange(10))
    two = np.array([0, index], np.int64 if index < 2**63 else np.uint64)
    for use in (lambda: a[index], lambda: a.take(two), lambda: a.put(two, 5), lambda: a.add_at(two, 5)):
        with pytest.raises(IndexError, match=f"index {index} is out of bounds for axis 0 with size 10"):
            use()
    assert a[:].tolist() == list(range(10))  # nothing was written
    with pytest.raises(IndexError, match="index 0 is out of bounds for axis 0 with size 0"):
        gs.zeros(0).take([0])


def test_what_is_refused():
    a = gs.array(np.arange(10))
    for wrong in ([1.5], ["1"], None, [None], [[1], [2, 3]]):
        with pytest.raises((TypeError, ValueError)):
            a.take(wrong)
    with pytest.raises(TypeError, match="indices: expected integers, found bool"):
        a.take([True, False])
    for wrong in ((1, 2), None, Ellipsis, np.zeros(9, bool)):
        with pytest.raises(IndexError, match="expected"):
            a[wrong]
    with pytest.raises(TypeError, match="values: expected integers, found float64"):
        a[2] = 1.5
    with pytest.raises(ValueError, match=r"values: expected the shape \(2,\), found \(3,\)"):
        a.put([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match=r"values: expected the shape \(4,\), found \(3,\)"):
        a[:4] = [1, 2, 3]
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        a[::0]
    with pytest.raises(TypeError, match="values: expected no mask"):
        a[:3] = np.ma.array([1, 2, 3], mask=[0, 1, 0])
    with pytest.raises(ValueError, match="values: expected one dimension, found 2"):
        gs.array([[1]])
    with pytest.raises(TypeError, match="values: expected numbers of up to 64 bits, found <U1"):
        gs.array(["a"])
    with pytest.raises(TypeError, match="values: expected numbers of up to 64 bits, found bool"):
        gs.array([True])
    with pytest.raises(TypeError, match="dtype: expected int64, uint64, float64, found int32"):
        gs.zeros(3, np.int32)
    with pytest.raises(TypeError, match="values: expected integers, found float64"):
        gs.array([1.5], int)
    with pytest.raises(ValueError, match="values: expected integers of uint64, found -1"):
        gs.array([1, -1], np.uint64)
    with pytest.raises(ValueError, match="size: expected 0 or more, found -1"):
        gs.zeros(-1)
    with pytest.raises(TypeError):
        gs.zeros(2.5)
    assert a[:].tolist() == list(range(10))


@pytest.mark.parametrize("size", [10**13, 10**15, 2**61, 2**64])
def test_what_fits_no_memory_is_refused_before(size):
    with pytest.raises(MemoryError):
        gs.zeros(size)


def test_elements_may_be_given_to_the_array_itself():
    n = 100_000
    for where, which in ((slice(None), slice(None)), (slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None)), (slice(None, None, 2), slice(0, n // 2)),
                         (slice(None, None, -1), slice(None))):
        a, expected = gs.array(np.arange(n)), np.arange(n)
        a[where] = a.numpy()[which]
        expected[where] = expected[which].copy()
        np.testing.assert_array_equal(a[:], expected)
    backwards = np.arange(n)[::-1].copy()
    a = gs.array(np.arange(n))
    a[backwards] = a
    np.testing.assert_array_equal(a[:], backwards)
    b = gs.array(backwards)
    b.put(b, 7)
    assert (b[:] == 7).all()
    for method, expected in (("add_at", np.full(n, n - 1)), ("maximum_at", np.maximum(np.arange(n), backwards)), ("minimum_at", np.minimum(np.arange(n), backwards))):
        a = gs.array(np.arange(n))
        getattr(a, method)(backwards, a)
        np.testing.assert_array_equal(a[:], expected)


def test_indices_and_steps_of_any_size():
    a = gs.array([1, 2, 3])
    assert a[:: 10**30].tolist() == [1] and a[:: -(10**30)].tolist() == [3]
    with pytest.raises(IndexError):
        a[np.array([2**63], ">u8")]
