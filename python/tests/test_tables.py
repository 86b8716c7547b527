"""Sets and maps against Python's and NumPy's. Seeds are in the tests' names."""

import collections
import doctest

import numpy as np
import pytest

import gossamer as gs
from gossamer import _array, _tables, _tree

EXTREMES = [np.iinfo(np.int64).min, -1, 0, 1, np.iinfo(np.int64).max]


def drawn(seed, n=40_000, spread=30_000):
    return np.concatenate([np.random.default_rng(seed).integers(-spread, spread, n), EXTREMES])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_set_agrees_with_pythons(seed):
    keys = drawn(seed)
    s, expected = gs.HashSet(), set()
    for part in np.array_split(keys, 7):
        new = s.insert(part)
        assert new.dtype == bool and new.shape == part.shape
        assert set(part[new].tolist()) == set(part.tolist()) - expected and new.sum() == len(set(part.tolist()) - expected)
        expected |= set(part.tolist())
        assert len(s) == len(expected)
    asked = drawn(seed + 10)
    np.testing.assert_array_equal(s.contains(asked), np.isin(asked, keys))
    np.testing.assert_array_equal(np.sort(s.keys()), np.array(sorted(expected)))
    gone = np.concatenate([asked[::3], asked[::3]])  # each twice
    erased = s.erase(gone)
    assert sorted(gone[erased].tolist()) == sorted(set(gone.tolist()) & expected)
    expected -= set(gone.tolist())
    assert set(s) == expected and len(s) == len(expected)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_a_map_agrees_with_pythons(dtype, seed):
    keys = np.unique(drawn(seed))
    np.random.default_rng(seed).shuffle(keys)
    values = (np.arange(len(keys)) / (4 if dtype == np.float64 else 1)).astype(dtype)
    m = gs.HashMap(keys, values)
    assert (m.dtype, len(m)) == (dtype, len(keys))
    expected = dict(zip(keys.tolist(), values.tolist()))
    m.update(keys[::5], -1)
    expected.update(dict.fromkeys(keys[::5].tolist(), -1))
    asked = drawn(seed + 10)
    found = m.get(asked, default=-7)
    assert found.dtype == dtype and found.tolist() == [expected.get(k, -7) for k in asked.tolist()]
    np.testing.assert_array_equal(m.contains(asked), [k in expected for k in asked.tolist()])
    all_keys, all_values = m.items()
    assert dict(zip(all_keys.tolist(), all_values.tolist())) == expected and len(all_keys) == len(expected)
    np.testing.assert_array_equal(m[all_keys], all_values)
    np.testing.assert_array_equal(m.keys(), all_keys)
    np.testing.assert_array_equal(m.values(), all_values)
    erased = m.erase(asked)
    assert set(asked[erased].tolist()) == set(asked.tolist()) & set(expected)
    assert set(m) == set(expected) - set(asked.tolist())


@pytest.mark.parametrize("seed", [1, 2])
def test_a_tally_agrees_with_pythons(seed):
    draw = np.random.default_rng(seed)
    keys = draw.zipf(1.3, 60_000) % 5000
    m = gs.HashMap()
    for part in np.array_split(keys, 3):
        m.add(part)
    expected = collections.Counter(keys.tolist())
    assert dict(zip(*(each.tolist() for each in m.items()))) == expected
    assert m.top(20) == sorted(expected.items(), key=lambda item: (-item[1], item[0]))[:20]
    amounts = draw.integers(-(2**40), 2**40, len(keys)) / 8.0  # sums are exact in any order
    sums = gs.HashMap(dtype=float)
    sums.add(keys, amounts)
    ids, place = np.unique(keys, return_inverse=True)
    np.testing.assert_array_equal(sums[ids], np.bincount(place, amounts))
    m.add(keys, -1)
    assert not m.values().any() and len(m) == len(expected)


def test_one_key_and_any_shape():
    s = gs.HashSet([[1, 2], [3, 4]])
    assert s.contains([[1], [9]]).tolist() == [[True], [False]]
    assert s.insert(7) and not s.insert(7) and s.erase(7) and s.insert([]).shape == (0,)
    assert 3 in s and np.int8(3) in s and 5 not in s and 3.0 not in s and "3" not in s and 2**70 not in s and [3] not in s
    m = gs.HashMap([1, 2], [1.5, 2.5])
    m[3] = 4
    assert m[3] == 4.0 and m.get(9) == 0.0 and m.get(9, np.nan) != m.get(9, np.nan) and 3 in m and 4 not in m
    assert m[[[1], [3]]].tolist() == [[1.5], [4.0]]
    m[[1, 9]] = [7, 8]
    assert dict(m) == {1: 7.0, 2: 2.5, 3: 4.0, 9: 8.0}


def test_one_of_the_values_of_a_key_stays():
    m = gs.HashMap(np.arange(50_000) % 2, np.arange(50_000))
    assert len(m) == 2 and m[0] % 2 == 0 and m[1] % 2 == 1


def test_an_empty_one():
    for empty in (gs.HashSet(), gs.HashMap()):
        assert len(empty) == 0 and list(empty) == [] and empty.keys().dtype == np.int64 and not empty.contains([1, 2]).any()
    assert gs.HashMap(dtype=float).values().dtype == np.float64 and gs.HashMap([], []).top() == []


def test_what_is_shown():
    assert repr(gs.HashSet(range(1500))) == "<gossamer.HashSet: 1,500 keys>"
    m = gs.HashMap([5, 6], [1, 2])
    assert repr(m) == "<gossamer.HashMap: 2 keys to int64>"
    assert "<th>key</th><th>value</th></tr><tr><td>6</td><td>2</td>" in m._repr_html_() and "2 of 2 keys" in m._repr_html_()
    pd = pytest.importorskip("pandas")
    pd.testing.assert_frame_equal(m.to_frame().sort_index(), pd.DataFrame({"value": [1, 2]}, index=pd.Index([5, 6], name="key")))


def test_what_is_refused():
    s, m = gs.HashSet([1]), gs.HashMap([1], [1])
    for use in (s.insert, s.contains, s.erase, m.get, m.contains, m.erase, m.add, m.__getitem__, gs.HashSet):
        for wrong in ([1.5], ["1"], [None], [True]):
            with pytest.raises(TypeError, match="keys: expected integers, found"):
                use(wrong)
    for use in (lambda: m.update([1], [1.5]), lambda: m.add([1], [1.5]), lambda: m.get([1], 1.5), lambda: m.update([1], "x")):
        with pytest.raises(TypeError, match="(values|default): expected integers, found"):
            use()
    with pytest.raises(TypeError, match="dtype: expected int64, float64, found uint64"):
        gs.HashMap(dtype=np.uint64)
    for use in (lambda: m.update([1, 2], [1, 2, 3]), lambda: m.add([1, 2], [1]), lambda: gs.HashMap([1, 2, 3], [1, 2])):
        with pytest.raises(ValueError, match="values: expected the shape"):
            use()
    with pytest.raises(ValueError, match="expected keys and values, or neither"):
        gs.HashMap([1])
    with pytest.raises(KeyError, match="^7$"):
        m[[1, 7, 8]]
    with pytest.raises(ValueError, match="keys: expected integers of int64, found 9223372036854775808"):
        s.insert(np.array([5, 2**63], np.uint64))
    assert list(s) == [1] and dict(m) == {1: 1}


@pytest.mark.parametrize("module", [_array, _tables, _tree])
def test_examples_of_docstrings(module):
    failed, attempted = doctest.testmod(module, extraglobs={"gs": gs})
    assert failed == 0 < attempted


def test_a_default_is_one_number():
    m = gs.HashMap([1, 2], [9.5, 3])
    assert m.get([1, 7], default=5).tolist() == [9.5, 5]
    with pytest.raises(TypeError, match=r"default: expected a number, found an array of shape \(2,\)"):
        m.get([1, 7, 8], default=[5, 6])
