"""Grouped tables against a plain Python loop. Seeds are in the tests' names."""

import gzip
import math
import os
import random

import numpy as np
import pytest
from arrow_by_hand import Table, read

import gossamer as gs


def rows(seed, n, groups):
    draw = random.Random(seed)
    keys = [draw.randrange(-groups // 2, groups) for _ in range(n)]
    return keys, [draw.randrange(-10**6, 10**6) for _ in range(n)], [draw.uniform(-1, 1) * 10 ** draw.randrange(8) for _ in range(n)]


def sort_key(key):
    if isinstance(key, tuple):
        return tuple(map(sort_key, key))
    return key.encode() if isinstance(key, str) else key


def serial(keys, values):
    groups = {}
    for key, value in zip(keys, values):
        groups.setdefault(key, []).append(value)
    order = sorted(groups, key=sort_key)
    add = math.fsum if isinstance(values[0], float) else sum
    return order, [(len(groups[k]), add(groups[k]), min(groups[k]), max(groups[k])) for k in order]


@pytest.mark.parametrize("groups", [1, 9, 700])
@pytest.mark.parametrize("kind", ["l", "i", "s", "u", "vu", "dict:s:u"])
@pytest.mark.parametrize("seed, cuts", [(1, ()), (2, (7, 7, 900))], ids=["seed1-one chunk", "seed2-chunks"])
def test_agrees_with_a_loop(seed, kind, groups, cuts):
    keys, whole, real = rows(seed, 2000, groups)
    if kind not in "lis":
        keys = [f"key ä{k}" for k in keys]
    table = Table({"k": (kind, keys), "whole": ("l", whole), "small": ("i", whole), "real": ("g", real)}, cuts=cuts, offset=3)
    for name, values in (("whole", whole), ("small", whole), ("real", real)):
        order, expected = serial(keys, values)
        found = gs.group(table, by="k").agg(n=(name, "count"), s=(name, "sum"), low=(name, "min"), high=(name, "max"),
                                            mean=(name, "mean"))
        assert list(found) == ["k", "n", "s", "low", "high", "mean"] and list(found["k"]) == order
        assert [tuple(row) for row in zip(*(found[c].tolist() for c in ("n", "low", "high")))] == [
            (n, low, high) for n, _, low, high in expected]
        if name == "real":
            assert all(map(math.isclose, found["s"], [s for _, s, _, _ in expected]))
        else:
            assert found["s"].tolist() == [s for _, s, _, _ in expected]
        assert all(map(math.isclose, found["mean"], [s / n for n, s, _, _ in expected]))


FAR = 2**62
SEVERAL = {  # Arrow types of the columns of the key, and what is drawn for each
    "numbers of a small range": (("l", range(-3, 4)), ("C", range(200, 209)), ("s", (7,))),
    "numbers of a large range": (("i", range(-2**31, 2**31, 2**27)), ("l", range(0, 10**8, 10**7))),
    "numbers that just fit": (("l", (-2**30, 2**30 - 1, 5)), ("l", (0, 2**32 - 1, 77))),
    "numbers that just do not fit": (("l", (-2**30, 2**30 - 1, 5)), ("l", (0, 2**32, 77))),
    "numbers of 64 bits": (("l", (-2 * FAR, 2 * FAR - 1, 0, -1)), ("l", (-2 * FAR, -FAR, FAR))),
    "texts": (("u", ("a", "ab", "", "b", "a b")), ("vu", ("b", "", "bb", "a long text of two words", "a long text of two wordz"))),
    "texts with zeros": (("u", ("a", "a\0", "a\0\0", "\0", "", "a\1", "a\0\1", "a\0\xff")), ("U", ("", "\0", "\0\0", "\1", "b\0"))),
    "numbers, then texts": (("s", range(-300, 300, 100)), ("u", ("de", "fr", "d", ""))),
    "texts, then numbers": (("dict:s:u", ("de", "fr", "d", "ünï")), ("l", (-2 * FAR, 2 * FAR - 1, 255, 256, -1)), ("c", (0,))),
    "five columns": (("u", "ab"), ("l", (1, 2)), ("u", ("x" * 40, "x" * 41)), ("u", ("", "a")), ("i", (300, -300))),
}


@pytest.mark.parametrize("of", SEVERAL)
@pytest.mark.parametrize("seed, cuts", [(1, ()), (2, (7, 7, 2900))], ids=["seed1-one chunk", "seed2-chunks"])
def test_several_keys_agree_with_a_loop(seed, cuts, of):
    draw = random.Random(seed)
    n = 40_000 if of == "five columns" else 3000  # more than one chunk
    drawn = {f"k{i}": (kind, draw.choices(list(some), k=n)) for i, (kind, some) in enumerate(SEVERAL[of])}
    _, whole, real = rows(seed, n, 1)
    table = Table({**drawn, "whole": ("i", whole), "real": ("g", real)}, cuts=cuts, offset=3)
    keys = list(zip(*(values for _, values in drawn.values())))
    order, expected = serial(keys, whole)
    by = gs.group(table, by=list(drawn))
    found = by.agg(n=("whole", "count"), s=("whole", "sum"), low=("whole", "min"), r=("real", "sum"), high=("whole", "max"))
    assert list(found) == [*drawn, "n", "s", "low", "r", "high"]
    assert list(zip(*(found[c].tolist() for c in drawn))) == order
    assert list(zip(*(found[c].tolist() for c in ("n", "s", "low", "high")))) == expected
    assert all(map(math.isclose, found["r"], [s for _, s, _, _ in serial(keys, real)[1]]))
    assert by.count()["count"].tolist() == [count for count, _, _, _ in expected]


@pytest.mark.parametrize("seed", [1, 2])
def test_several_keys_agree_with_pandas(seed):
    pd = pytest.importorskip("pandas")
    draw = np.random.default_rng(seed)
    columns = {"country": draw.choice(["de", "fr", "at", "a country of a long name"], 5000).tolist(),
               "year": draw.integers(1990, 2020, 5000).tolist(), "month": draw.integers(1, 13, 5000).tolist(),
               "amount": draw.integers(-1000, 1000, 5000).tolist()}
    table = Table({name: ("u" if name == "country" else "i", values) for name, values in columns.items()})
    for by in (["country", "year"], ["year", "month"], ["month", "country", "year"], ["year"]):
        expected = pd.DataFrame(columns).groupby(by)["amount"].agg(["sum", "min", "count"])
        ours = gs.group(table, by=by).agg(sum=("amount", "sum"), min=("amount", "min"), count=("amount", "count"))
        assert ours.to_frame().index.tolist() == expected.index.tolist() and ours.to_frame().index.names == by
        assert (ours.to_frame().to_numpy() == expected.to_numpy()).all()


def test_several_keys_of_packages_agree_with_polars():
    pl = pytest.importorskip("polars")
    draw = np.random.default_rng(5)
    frame = pl.DataFrame({"country": draw.choice(["de", "fr", "a country of a long name"], 9000), "year": draw.integers(0, 99, 9000),
                          "amount": draw.integers(-99, 99, 9000)})
    by = ["country", "year"]
    expected = frame.group_by(by).agg(pl.col("amount").sum()).sort(by)
    found = gs.group(frame.with_columns(pl.col("country").cast(pl.Categorical)), by=by).sum("amount")
    assert list(zip(*(c.tolist() for c in found.values()))) == expected.rows()


def test_short_forms_and_frames():
    table = Table({"country": ("u", ["de", "fr", "de", "at"]), "amount": ("g", [1.5, 2, 3, 4]), "items": ("C", [1, 2, 250, 200])})
    by = gs.group(table, by="country")
    assert dict(zip(by.count()["country"], by.count()["count"])) == {"at": 1, "de": 2, "fr": 1}
    both = by.sum("amount", "items")
    assert both["sum_amount"].tolist() == [4, 4.5, 2] and both["sum_items"].tolist() == [200, 251, 2]
    assert by.min("amount")["min_amount"].tolist() == [4, 1.5, 2] and by.max("items")["max_items"].tolist() == [200, 250, 2]
    assert by.mean("items")["mean_items"].tolist() == [200, 125.5, 2]
    assert both.top(1) == [("de", 4.5, 251)] and both.top(2, by="sum_amount")[1] == ("at", 4.0, 200)
    assert both.to_frame().loc["de", "sum_items"] == 251 and both.groups == 3
    with pytest.raises(ValueError, match="count: the key has that name"):
        gs.group(Table({"count": ("l", [1])}), by="count").count()
    assert "3 groups" in repr(both) and "<th>sum_amount</th>" in both._repr_html_()


def test_sums_of_reals_keep_what_rounding_loses():
    values = [1e16, 1.0, -1e16, 1.0] * 500
    found = gs.group(Table({"k": ("l", [5] * 2000), "v": ("g", values)}), by="k").sum("v")
    assert found["sum_v"].tolist() == [1000.0]
    special = Table({"k": ("l", [1, 1, 2, 2, 3]), "v": ("g", [math.nan, 2, math.inf, 1, math.nan])})
    found = gs.group(special, by="k").agg(s=("v", "sum"), low=("v", "min"), high=("v", "max"))
    assert np.isnan(found["s"][[0, 2]]).all() and found["s"][1] == math.inf
    assert np.isnan(found["low"][[0, 2]]).all() and np.isnan(found["high"][0]) and found["high"][1] == math.inf


def test_sums_beyond_64_bits_are_integers_of_python():
    table = Table({"k": ("l", [1, 1, 2]), "v": ("l", [2**62, 2**62, -5])})
    assert gs.group(table, by="k").sum("v")["sum_v"].tolist() == [2**63, -5]
    assert gs.group(Table({"k": ("l", [1] * 3), "v": ("l", [2**62, 2**62, -2**62])}), by="k").sum("v")["sum_v"].tolist() == [2**62]


@pytest.mark.parametrize("keys", [[-2**63, 2**63 - 1, 0], [2**63 - 1, 2**63 - 2], [-2**63, -2**63 + 5], [0, 2**14 - 1], [0, 2**14],
                                  [-3, 2**14 - 4], [10**12, 10**12 + 7]])
def test_keys_near_and_far(keys):
    found = gs.group(Table({"k": ("l", keys * 50), "v": ("i", list(range(len(keys) * 50)))}), by="k").agg(n=("v", "count"), s=("v", "sum"))
    order, expected = serial(keys * 50, list(range(len(keys) * 50)))
    assert found["k"].tolist() == order and list(zip(found["n"], found["s"])) == [(n, s) for n, s, _, _ in expected]


NULLS = {"some": 0.3, "most": 0.95, "all": 1.0, "none": 0.0}


@pytest.mark.parametrize("cuts", [(), (7, 7, 900)], ids=["one chunk", "chunks"])
@pytest.mark.parametrize("kind", ["l", "i", "g", "f"])
@pytest.mark.parametrize("share", NULLS)
def test_nulls_among_values_are_passed_over_as_pandas_does(share, kind, cuts):
    pd = pytest.importorskip("pandas")
    draw = random.Random(3)
    keys = [draw.randrange(40) for _ in range(2000)]
    values = [None if draw.random() < NULLS[share] else draw.randrange(-1000, 1000) for _ in keys]
    found = gs.group(Table({"k": ("s", keys), "v": (kind, values), "w": ("l", keys)}, cuts=cuts, offset=3), by="k").agg(
        n=("v", "count"), s=("v", "sum"), low=("v", "min"), high=("v", "max"), mean=("v", "mean"), all=("w", "sum"), rows=("w", "count"))
    frame = pd.DataFrame({"k": keys, "v": pd.array(values, "Float64").to_numpy(float, na_value=math.nan), "w": keys})
    expected = frame.groupby("k").agg(n=("v", "count"), s=("v", "sum"), low=("v", "min"), high=("v", "max"), mean=("v", "mean"),
                                      all=("w", "sum"), rows=("w", "count"))
    for name in expected:
        assert np.allclose(found[name].astype(float), expected[name].to_numpy(float), equal_nan=True), name
    if kind in "li" and share in ("none", "some"):
        assert all(found[name].dtype == int for name in ("n", "s", "low", "high"))


@pytest.mark.parametrize("cuts", [(), (2, 5)], ids=["one chunk", "chunks"])
def test_keys_of_dates_and_booleans(cuts):
    days = [19_000, -1, 19_000, 0, -1, 19_000, 7]
    flags = [True, False, True, True, False, False, False]
    columns = {"v": ("l", list(range(7))), "flag": ("b", flags)}
    for kind, unit in (("tdD", "D"), ("tdm", "ms"), ("tss:", "s"), ("tsm:", "ms"), ("tsu:", "us"), ("tsn:Europe/Berlin", "ns")):
        found = gs.group(Table({**columns, "day": (kind, days)}, cuts=cuts, offset=3), by="day").sum("v")
        assert found["day"].dtype == np.dtype(f"M8[{unit}]") and found["day"].astype(int).tolist() == [-1, 0, 7, 19_000]
        assert found["sum_v"].tolist() == [5, 3, 6, 7]
        a_day = 86_400 if unit == "D" else 1
        assert read(found) == {"day": [day * a_day for day in (-1, 0, 7, 19_000)], "sum_v": [5, 3, 6, 7]}
        assert gs.group(found, by="day").count()["day"].tolist() == found["day"].astype("M8[s]" if unit == "D" else found["day"].dtype).tolist()
    found = gs.group(Table(columns, cuts=cuts, offset=3), by="flag").count()
    assert found["flag"].tolist() == [False, True] and found["flag"].dtype == bool and found["count"].tolist() == [4, 3]
    found = gs.group(Table({**columns, "day": ("tdD", days)}, cuts=cuts, offset=3), by=["flag", "day"]).sum("v")
    assert list(zip(found["flag"].tolist(), found["day"].astype(int).tolist(), found["sum_v"].tolist())) == [
        (False, -1, 5), (False, 7, 6), (False, 19_000, 5), (True, 0, 3), (True, 19_000, 2)]
    long_ago = np.datetime64("2020-01-02T03:04:05.000000006", "ns")
    nanoseconds = gs.group(Table({"d": ("tsn:", [int(long_ago.astype("i8")), None]), "v": ("l", [3, 1])}), by="d").sum("v")
    assert nanoseconds.top(1) == [(long_ago, 3)]
    assert "1970-01-01" in found._repr_html_() and found.top(1, by="sum_v")[0][2] == 6
    assert gs.group(Table({"flag": ("b", [True, None])}), by="flag").count()["flag"].tolist() == [True, None]
    with pytest.raises(TypeError, match="dates or Booleans, found 'time' of others"):
        gs.group(Table({"time": ("tts", [1])}), by="time")


@pytest.mark.parametrize("name, write", [("t.csv", lambda path, text: path.write_text(text)),
                                         ("t.tsv.gz", lambda path, text: path.write_bytes(gzip.compress(text.replace(",", "\t").encode())))])
def test_files_are_grouped_as_tables_are(tmp_path, name, write):
    countries, years, amounts = (["de", "fr", "de", "at", "fr", "de"], [2001, 2002, 2001, 2003, 2002, 2004], [1, 2, 3, -4, 2**40, 6])
    path = tmp_path / name
    write(path, "country,year,amount,rate\n" + "".join(f"{c},{y},{a},{a / 4}\n" for c, y, a in zip(countries, years, amounts)))
    table = Table({"country": ("u", countries), "year": ("l", years), "amount": ("l", amounts), "rate": ("g", [a / 4 for a in amounts])})
    for by in ("country", "year", ["country", "year"], ["year", "country"]):
        for source in (path, os.fspath(path)):
            of_file, of_table = gs.group(source, by), gs.group(table, by)
            for ask in (lambda g: g.count(), lambda g: g.sum("amount", "rate"), lambda g: g.mean("amount"), lambda g: g.min("rate"),
                        lambda g: g.agg(high=("amount", "max"), m=("rate", "mean"))):
                ours, expected = ask(of_file), ask(of_table)
                assert {name: c.tolist() for name, c in ours.items()} == {name: c.tolist() for name, c in expected.items()}
                assert ours.stats["rows"] == 6 and ours.stats["groups"] == expected.groups
    assert gs.group(path, "country").sum("amount")["sum_amount"].dtype == int


def test_empty_fields_of_files_are_passed_over(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("k,i,r\n1,,0.5\n1,3,\n2,,\n")
    table = Table({"k": ("l", [1, 1, 2]), "i": ("l", [None, 3, None]), "r": ("g", [0.5, None, None])})
    for ask in (lambda g: g.sum("i", "r"), lambda g: g.min("i", "r"), lambda g: g.mean("i", "r")):
        of_file, of_table = ask(gs.group(path, "k")), ask(gs.group(table, "k"))
        for name, column in of_table.items():
            assert np.array_equal(of_file[name], column, equal_nan=True) and of_file[name].dtype == column.dtype, name


def test_what_is_refused_of_files(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("zip,amount\n007,1\n8,\n8,x\n")
    with pytest.raises(FileNotFoundError):
        gs.group(tmp_path / "absent.csv", by="zip")
    with pytest.raises(IsADirectoryError):
        gs.group(tmp_path, by="zip")
    with pytest.raises(ValueError, match="amuont.*did you mean"):
        gs.group(path, by="zip").sum("amuont")
    with pytest.raises(ValueError, match=r"t.csv:4: .*found \"x\""):
        gs.group(path, by="zip").sum("amount")
    with pytest.raises(ValueError, match="count.. counts rows"):
        gs.group(path, by="zip").agg(n=("amount", "count"))
    for separator in ('"', "\n", "\r", "\0", "", ",,", "é"):
        for read in (gs.read, lambda path, separator: gs.group(path, by="zip", separator=separator)):
            with pytest.raises(ValueError, match="separator: expected one ASCII character"):
                read(path, separator=separator)
    assert gs.group(path, by="zip").count()["zip"].tolist() == ["007", "8"]


def test_nothing():
    table = Table({"k": ("u", []), "i": ("l", []), "j": ("l", []), "v": ("g", [])})
    for by in ("k", "i", ["i", "j"], ["k", "i"]):
        found = gs.group(table, by=by).sum("v")
        assert found.groups == 0 and found["sum_v"].dtype == float and len(found) == 2 + isinstance(by, list)
        assert gs.group(table, by=by).count()["count"].dtype == int


@pytest.mark.parametrize("kind", ["u", "U", "vu", "dict:s:u"])
def test_texts_that_are_all_empty(kind):
    table = Table({"k": (kind, [""] * 40), "v": ("l", list(range(40)))})
    found = gs.group(table, by="k").sum("v")
    assert list(found["k"]) == [""] and found["sum_v"].tolist() == [780]


def test_what_is_refused():
    table = Table({"country": ("u", ["a", "b"]), "amount": ("l", [1, None]), "rate": ("g", [1, 2])})
    with pytest.raises(KeyError, match="by: no column 'county', the nearest are country"):
        gs.group(table, by="county")
    with pytest.raises(TypeError, match="column country: expected numbers, found texts"):
        gs.group(table, by="amount").sum("country")
    by = gs.group(table, by="country")
    with pytest.raises(ValueError, match="found 'median'"):
        by.agg(x=("rate", "median"))
    with pytest.raises(ValueError, match="the key has that name"):
        by.agg(country=("rate", "sum"))
    with pytest.raises(KeyError, match="amount"):
        by.sum("amuont")
    for operation in (by.sum, by.min, by.max, by.mean):
        with pytest.raises(ValueError, match=f"{operation.__name__}: expected at least one column, found none"):
            operation()
    with pytest.raises(KeyError, match="by: no column 'amuont'"):
        gs.group(table, by=["country", "amuont"])
    with pytest.raises(ValueError, match="found 'country' twice"):
        gs.group(table, by=["country", "country"])
    with pytest.raises(ValueError, match="by: expected at least one column, found none"):
        gs.group(table, by=[])
    with pytest.raises(ValueError, match="country: the key has that name"):
        gs.group(table, by=["country", "amount"]).agg(country=("rate", "sum"))
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        gs.group({"a": [1]}, by="a")


def test_what_is_no_pair_of_column_and_operation(tmp_path):
    (tmp_path / "t.csv").write_text("k,v\na,1\n")
    with pytest.raises(TypeError, match=r"total: expected a column and an operation, as \('amount', 'sum'\), found 'sum'"):
        gs.group(tmp_path / "t.csv", by="k").agg(total="sum")
    with pytest.raises(TypeError, match="expected a column and an operation"):
        gs.group(tmp_path / "t.csv", by="k").sum(0)
    with pytest.raises(TypeError, match="by: expected the name of a column or several, found 0"):
        gs.group(tmp_path / "t.csv", by=0)
