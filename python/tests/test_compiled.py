"""Functions of the user, compiled by Numba: on global arrays, and in MapReduce. Against NumPy, and Python's own loops."""

import ctypes
import doctest
import functools

import numpy as np
import pytest

import gossamer as gs
from gossamer import _compiled

numba = pytest.importorskip("numba")


@numba.cfunc("int64(int64, int64)")
def bits(a, b):
    return a | b


@numba.cfunc("uint64(uint64, uint64)")
def unsigned_larger(a, b):
    return a if a > b else b


@numba.cfunc("float64(float64, float64)")
def product(a, b):
    return a * b


@numba.cfunc("float64(float64)")
def half(x):
    return x / 2


@numba.cfunc("int64(int64)")
def collatz(x):
    steps = 0
    while x > 1:
        x = 3 * x + 1 if x % 2 else x // 2
        steps += 1
    return steps


@numba.cfunc("int64(float64)")
def floor(x):
    return int(np.floor(x))


@numba.cfunc("float64(int64)")
def root(x):
    return np.sqrt(x)


@numba.cfunc("float64(float64, float64)")
def smaller(a, b):
    return a if a < b else b


@pytest.mark.parametrize("n", [0, 1, 1000, 100_003])
def test_updates_are_those_of_a_loop(n):
    draw = np.random.default_rng(n)
    expected = draw.integers(0, 2**40, n + 1)
    a = gs.array(expected)
    at, values = draw.integers(0, n + 1, 3 * n), draw.integers(0, 2**40, 3 * n)
    for i, value in zip(at.tolist(), values.tolist()):
        expected[i] |= value
    a.update_at(at, values, bits)
    np.testing.assert_array_equal(a.numpy(), expected)


def test_updates_of_other_types():
    a = gs.zeros(10, np.uint64)
    a.update_at([3, 3, -1], np.array([2**63 + 5, 7, 9], np.uint64), unsigned_larger)
    assert a[:].tolist() == [0, 0, 0, 2**63 + 5, 0, 0, 0, 0, 0, 9]
    b = gs.array(np.ones(4))
    b.update_at([1, 1, 2], [0.5, 4, 3], product)
    assert b[:].tolist() == [1, 2, 3, 1]


@pytest.mark.parametrize("n", [0, 1, 5000, 100_003])
def test_all_elements(n):
    a = gs.array(np.arange(n, dtype=float))
    a.apply(half)
    np.testing.assert_array_equal(a.numpy(), np.arange(n) / 2)
    b = gs.array(np.arange(1, n + 1))
    b.apply(collatz)
    steps = [0, 0, 1, 7, 2, 5, 8]
    assert b[:6].tolist() == steps[1:7][:n]


def test_reduce_keeps_the_order():
    first, second = (numba.cfunc("uint64(uint64, uint64)")(f) for f in (lambda a, b: a, lambda a, b: b))
    a = gs.array(np.arange(1, 100_004, dtype=np.uint64))
    assert (a.reduce(first, 9), a.reduce(second, 9)) == (9, 100_003)  # associative, not commutative
    assert gs.zeros(0, int).reduce(bits, 5) == 5
    found = gs.array(np.full(50, 2.0)).reduce(product, 3)
    assert found == 3 * 2.0**50 and isinstance(found, np.float64)


def test_reduce_of_reals_is_the_same_each_time():
    values = np.random.default_rng(5).random(100_003)
    total = numba.cfunc("float64(float64, float64)")(lambda a, b: a + b)
    a = gs.array(values)
    assert len({a.reduce(total, 0) for _ in range(10)}) == 1
    assert a.reduce(total, 0) == pytest.approx(values.sum())


@pytest.mark.parametrize("n", [0, 1, 1000, 200_001])
def test_map_reduce_is_that_of_a_loop(n):
    values = np.random.default_rng(n).normal(0, 50, n)
    found = gs.map_reduce(values, floor, smaller)
    expected = {}
    for x in values.tolist():
        k = int(np.floor(x))
        expected[k] = min(expected.get(k, x), x)
    assert dict(zip(found["key"].tolist(), found["value"].tolist())) == expected
    assert found["key"].tolist() == sorted(expected)
    assert (found.stats["numbers"], found.groups) == (n, len(expected))


def test_map_reduce_with_values_of_another_type():
    values = np.arange(1, 10_001, dtype=np.int32)
    found = gs.map_reduce(values, collatz, smaller, root)
    expected = {}
    for x in values.tolist():
        steps = collatz.ctypes(x)
        expected[steps] = min(expected.get(steps, np.inf), np.sqrt(x))
    assert found["value"].dtype == np.float64
    assert dict(zip(found["key"].tolist(), found["value"].tolist())) == expected


def test_map_reduce_of_an_empty_list_has_the_type_of_its_functions():
    key = numba.cfunc("int64(int64)")(lambda x: x % 10)
    found = gs.map_reduce([], key, bits)
    assert found["key"].tolist() == found["value"].tolist() == [] and found["value"].dtype == np.int64
    assert gs.map_reduce([7, 17], key, bits)["value"].tolist() == [7 | 17]


def test_wrong_functions_are_named():
    a = gs.zeros(3, int)
    with pytest.raises(TypeError, match=r'f: expected a function compiled by numba.cfunc\("int64\(int64, int64\)"\), found function'):
        a.update_at([0], [1], lambda x, y: x)
    with pytest.raises(TypeError, match=r"f: expected a function compiled for int64\(int64, int64\), found one for float64\(float64, float64\)"):
        a.update_at([0], [1], product)
    with pytest.raises(TypeError, match=r"f: expected a function compiled for int64\(int64\), found one for float64\(int64\)"):
        a.apply(root)
    with pytest.raises(TypeError, match=r"key: .* int64\(int64\), found one for int64\(float64\)"):
        gs.map_reduce([1, 2], floor, bits)
    with pytest.raises(TypeError, match="combine"):
        gs.map_reduce([1, 2], collatz, smaller)
    with pytest.raises(TypeError, match="values"):
        gs.map_reduce(["a"], collatz, bits)
    with pytest.raises(IndexError):
        a.update_at([3], [1], bits)
    with pytest.raises(ValueError, match="one dimension"):
        gs.map_reduce([[1, 2]], collatz, bits)
    assert a[:].tolist() == [0, 0, 0]


def test_any_object_with_an_address_will_do():
    class Pointer:
        def __init__(self, function):
            self.address = ctypes.cast(function, ctypes.c_void_p).value

    labs = Pointer(ctypes.CDLL(None).labs)  # of the C library: int64(int64)
    a = gs.array([-3, 4, -5])
    a.apply(labs)
    assert a[:].tolist() == [3, 4, 5]
    assert functools.reduce(lambda x, y: x | y, [3, 4, 5]) == a.reduce(bits, 0)


def test_examples_of_docstrings():
    failed, attempted = doctest.testmod(_compiled, extraglobs={"gs": gs})
    assert failed == 0 < attempted
