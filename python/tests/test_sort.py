"""Sorted arrays against numpy.sort. Seeds are in the tests' names."""

import numpy as np
import pytest

import gossamer as gs

TYPES = [np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]
SIZES = [0, 1, 2, 1000, 8191, 8192, 100_003]  # few are sorted by one core


def drawn(dtype, n, seed):
    """Return numbers of all magnitudes, some of them several times, with the extremes of their type, infinities and NaN."""
    draw = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        values = draw.normal(size=n) * 10.0 ** draw.integers(-30, 30, n)
        special = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, np.finfo(dtype).max, np.finfo(dtype).tiny]
    else:
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        values = draw.integers(least, most, n, dtype, endpoint=True) // draw.choice(np.array([1, 1000, 10**8], dtype), n)
        special = [least, most, 0, 1]
    values = values.astype(dtype)
    places = draw.integers(0, max(1, n), n // 7)
    values[places] = draw.choice(np.array(special, dtype), len(places))
    return values


def same(found, expected):
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)  # NaN is equal to NaN


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", TYPES)
def test_agrees_with_numpy(dtype, n, seed):
    values = drawn(dtype, n, seed)
    kept, expected = values.copy(), np.sort(values)
    same(gs.sort(values), expected)
    same(values, kept)
    same(gs.sort(values[::-1]), expected)  # of any stride
    same(gs.sort(np.repeat(values, 2)[::2]), expected)
    out = np.empty_like(values)
    assert gs.sort(values, out=out) is out
    same(out, expected)
    values.flags.writeable = False
    same(gs.sort(values), expected)
    assert gs.sort(kept, out=kept) is kept
    same(kept, expected)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "f2", "M8[ns]", "M8[D]", "m8[s]"])
def test_types_that_are_narrow_or_dates(dtype, n):
    dtype = np.dtype(dtype)
    values = np.random.default_rng(6).integers(0, 256, n * dtype.itemsize, np.uint8).view(np.uint8 if dtype == bool else dtype)
    values = (values > 99) if dtype == bool else values.copy()
    if dtype.kind in "mM":
        values[::3] = np.array("NaT", dtype)
    kept, expected = values.copy(), np.sort(values)
    same(gs.sort(values), expected)
    same(values, kept)
    same(gs.sort(values[::-1]), expected)
    assert gs.sort(values, out=values) is values
    same(values, expected)


def test_dates_alone_and_no_dates_at_all():
    days = np.array(["2024-03-01", "NaT", "1969-12-31"], "M8[D]")
    assert [str(d) for d in gs.sort(days)] == ["1969-12-31", "2024-03-01", "NaT"]
    assert np.isnat(gs.sort(np.full(20_000, "NaT", "M8[s]"))).all()


@pytest.mark.parametrize("n", [50, 50_000])
def test_every_nan_keeps_its_bits(n):
    values = drawn(np.float64, n, 3)
    bits = np.sort(values.view(np.uint64))
    same(np.sort(gs.sort(values).view(np.uint64)), bits)


def test_orders_that_are_hard_to_cut():
    for values in (np.arange(50_000), np.arange(50_000)[::-1], np.zeros(50_000), np.arange(50_000) % 3, np.full(20_000, np.nan)):
        same(gs.sort(values), np.sort(values))


@pytest.mark.parametrize("n", [2000, 40_000])
@pytest.mark.parametrize("shift", [-700, -1, 1, 700])
def test_memory_that_overlaps(n, shift):
    both = drawn(np.int64, n + 1400, 4)
    values, out = both[700:-700], both[700 + shift:700 + shift + n]
    expected = np.sort(values)
    same(gs.sort(values, out=out), expected)
    backwards = drawn(np.int64, n, 5)
    expected = np.sort(backwards)
    same(gs.sort(backwards[::-1], out=backwards), expected)


def test_what_numpy_takes():
    assert gs.sort([3, 1, 2]).tolist() == [1, 2, 3]
    found = gs.sort((2.5, float("nan"), -1.0))
    assert found[:2].tolist() == [-1.0, 2.5] and np.isnan(found[2])
    scores = gs.kron(6, seed=1).pagerank()
    same(gs.sort(scores), np.sort(scores.array))
    unaligned = np.frombuffer(b"x" + np.arange(9000)[::-1].tobytes(), np.int64, offset=1)
    same(gs.sort(unaligned), np.arange(9000))


def test_what_is_refused():
    for values in (np.zeros(3, np.longdouble), np.array(["b", "a"]), np.zeros(3, complex), np.array([1, "x"], object),
                   np.zeros(3, np.dtype(np.int32).newbyteorder())):
        with pytest.raises(TypeError, match="array: expected integers or floats of at most 64 bits, Booleans or dates, found"):
            gs.sort(values)
    with pytest.raises(TypeError, match="found >i4|found <i4"):
        gs.sort(np.zeros(3, np.dtype(np.int32).newbyteorder()))
    with pytest.raises(TypeError, match="array: expected no mask"):
        gs.sort(np.ma.array([2, 1], mask=[0, 1]))
    with pytest.raises(ValueError, match="array: expected one dimension, found 2"):
        gs.sort(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="array: expected one dimension, found 0"):
        gs.sort(5)
    values = np.arange(4)
    with pytest.raises(TypeError, match="out: expected a NumPy array of int64, found float64"):
        gs.sort(values, out=np.empty(4))
    with pytest.raises(TypeError, match="out: expected a NumPy array of int64, found list"):
        gs.sort(values, out=[0] * 4)
    with pytest.raises(ValueError, match=r"out: expected the shape \(4,\), found \(5,\)"):
        gs.sort(values, out=np.empty(5, int))
    with pytest.raises(ValueError, match="contiguous array that may be written to"):
        gs.sort(values, out=np.empty(8, int)[::2])
    values.flags.writeable = False
    with pytest.raises(ValueError, match="contiguous array that may be written to"):
        gs.sort(values, out=values)
