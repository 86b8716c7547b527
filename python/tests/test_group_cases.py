"""Tables in memory, as pandas, Polars and DuckDB give them: keys and values of all types, against loops of Python."""

import datetime
import fractions
import math
import os
import random

import numpy as np
import pytest

import gossamer as gs

from arrow_by_hand import Table

CUTS = pytest.mark.parametrize("cuts", [(), (5, 300)], ids=["one chunk", "chunks"])


def rows_by_key(keys, values):
    """Rows of each key in order, None last, then NaN before it; NaN is one key."""
    of = {}
    for key, value in zip(keys, values):
        of.setdefault("nan" if isinstance(key, float) and math.isnan(key) else key, []).append(value)
    order = sorted(of, key=lambda key: (key is None, key == "nan", 0 if key is None or key == "nan" else key))
    return order, [of[key] for key in order]


def listed(column):
    return ["nan" if isinstance(each, float) and math.isnan(each) else each for each in column.tolist()]


@CUTS
@pytest.mark.parametrize("kind, drawn", [
    ("g", [1.5, -0.0, 0.0, -2.5, math.inf, -math.inf, math.nan, 1e300, 5e-324]), ("f", [0.5, -1.0, math.nan]), ("g", [2.0, None, math.nan]),
    ("l", [3, None, -2**63, 2**63 - 1]), ("c", [-1, None, 7]), ("u", ["b", None, "", "a text of more than fifteen bytes"]), ("vu", ["b", None, ""]),
    ("dict:c:u", ["b", None, "a"]), ("b", [True, None, False]), ("l", [None])])
def test_keys_of_all_types(kind, drawn, cuts):
    draw = random.Random(4)
    keys = [draw.choice(drawn) for _ in range(600)]
    values = [draw.randrange(-99, 99) for _ in keys]
    order, rows = rows_by_key(keys, values)
    found = gs.group(Table({"k": (kind, keys), "v": ("l", values)}, cuts=cuts, offset=3), by="k").agg(n=("v", "count"), s=("v", "sum"))
    assert listed(found["k"]) == order
    assert found["n"].tolist() == list(map(len, rows)) and found["s"].tolist() == list(map(sum, rows))
    both = gs.group(Table({"a": ("l", [v % 2 for v in values]), "k": (kind, keys), "v": ("l", values)}, cuts=cuts), by=["k", "a"]).sum("v")
    pairs = {}
    for key, value in zip(keys, values):
        pair = ("nan" if isinstance(key, float) and math.isnan(key) else key, value % 2)
        pairs[pair] = pairs.get(pair, 0) + value
    assert dict(zip(zip(listed(both["k"]), both["a"].tolist()), both["sum_v"].tolist())) == pairs


def test_dates_that_are_null():
    found = gs.group(Table({"k": ("tsn:", [5, None, 5, None])}), by="k").count()
    assert found["count"].tolist() == [2, 2] and found["k"].astype(int)[0] == 5 and np.isnat(found["k"][1])


@CUTS
@pytest.mark.parametrize("kind, drawn", [
    ("L", [2**64 - 1, 2**63, 5, None]), ("L", [1, 2, 3]), ("l", [2**63 - 1, 2**62, -1]), ("b", [True, False, None]), ("d:38,0", [10**30, -5, None]),
    ("d:38,0,128", [7, 8]), ("d:10,2", [150, -275, None, 1])])
def test_values_of_all_types(kind, drawn, cuts):
    draw = random.Random(5)
    keys = [draw.randrange(6) for _ in range(600)] + [6]
    values = [draw.choice(drawn) for _ in range(600)] + [None if None in drawn else drawn[0]]
    scale = int(kind.split(",")[1]) if kind.startswith("d:") else 0
    found = gs.group(Table({"k": ("i", keys), "v": (kind, values)}, cuts=cuts, offset=3), by="k").agg(
        s=("v", "sum"), low=("v", "min"), high=("v", "max"), m=("v", "mean"), n=("v", "count"))
    _, rows = rows_by_key(keys, values)

    def number(value):
        return value if scale == 0 else float(fractions.Fraction(value, 10**scale))
    for g, row in enumerate(rows):
        row = [value for value in row if value is not None]
        assert found["n"][g] == len(row) and found["s"][g] == number(sum(row))
        if row:
            assert (found["low"][g], found["high"][g]) == (number(min(row)), number(max(row)))
            assert found["m"][g] == float(fractions.Fraction(sum(row), len(row) * 10**scale))
        else:
            assert all(math.isnan(found[name][g]) for name in ("low", "high", "m"))


def test_means_of_nanoseconds_and_files(tmp_path):
    values = [1_760_000_000_000_000_000 + i for i in range(6)]
    of_table = gs.group(Table({"k": ("l", [1] * 6), "v": ("l", values)}), by="k")
    path = tmp_path / "t.csv"
    path.write_text("k,v\n" + "".join(f"1,{v}\n" for v in values))
    for group in (of_table, gs.group(path, by="k"), gs.group(bytes(path), by="k")):
        assert group.mean("v")["mean_v"].tolist() == [float(fractions.Fraction(sum(values), 6))]
        assert group.sum("v")["sum_v"].tolist() == [sum(values)]


def test_integers_beyond_doubles_stay_beside_groups_without_a_value(tmp_path):
    path = tmp_path / "t.csv"
    for large in (2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**70):
        path.write_text(f"k,v\na,{large}\nb,\nc,3\n")
        for found in (gs.group(path, by="k").max("v")["max_v"], gs.group(path, by="k").min("v")["min_v"]):
            assert int(found[0]) == large and found[1] != found[1] and found[2] == 3
    path.write_text("k,v\na,5\nb,\n")
    assert gs.group(path, by="k").max("v")["max_v"].dtype == float


def test_the_latest_dates_and_long_integers_of_a_file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"k,d,n\n1,2024-03-01,{2**64}\n1,2023-12-31,1\n2,,nan\n")
    found = gs.group(path, by="k").agg(d=("d", "max"), low=("d", "min"))
    assert found["d"].tolist() == ["2024-03-01", None] and found["low"].tolist() == ["2023-12-31", None]
    long = "2024-03-01T12:00:00.000000000+01:00 or so"
    path.write_text(f"k,d,n\n1,2024-03-01,1\n1,{long},1\n2,,nan\n")
    found = gs.group(path, by="k").agg(d=("d", "max"), low=("d", "min"))
    assert found["d"].tolist() == [long, None] and found["low"].tolist() == ["2024-03-01", None]
    path.write_text(f"k,d,n\n1,2024-03-01,{2**64}\n1,2023-12-31,1\n2,,nan\n")
    found = gs.group(path, by="k").agg(s=("n", "sum"), low=("n", "min"))
    assert found["s"][0] == float(2**64 + 1) and math.isnan(found["s"][1]) and math.isnan(found["low"][1])
    path.write_text(f"k,n\n1,{2**64}\n1,1\n2,-3\n")
    assert gs.group(path, by="k").sum("n")["sum_n"].tolist() == [2**64 + 1, -3]


def test_rows_of_results_that_are_integers_of_python():
    found = gs.group(Table({"k": ("u", ["a", None, "a", "b"]), "v": ("l", [2**62, 1, 2**62, None])}), by="k").sum("v")
    assert found.top(2) == [("a", 2**63), (None, 1)] and "9223372036854775808" in found._repr_html_() and repr(found)
    assert found.to_frame() is not None


def test_the_largest_of_every_type_come_first_and_what_is_missing_last():
    table = Table({"k": ("u", list("abcdef")), "n": ("l", [2**60, None, 2**60 + 1, 3, None, 2**60 + 1]),
                   "f": ("g", [math.nan, -math.inf, 1.0, None, math.nan, 1.0]), "b": ("b", [True, False, None, True, False, True])})
    grouped = gs.group(table, by="k")
    assert [row[0] for row in grouped.max("n").top(9)] == list("cfadbe")
    assert [row[0] for row in grouped.max("n").top(5)] == list("cfadb")
    assert [row[0] for row in grouped.max("f").top(9)] == list("cfbade")
    assert [row[0] for row in grouped.max("f").top(3)] == list("cfb")
    assert [row[0] for row in grouped.max("b").top(9)] == list("adfbec")


def test_the_largest_keys_of_every_type():
    for kind, keys, expected in (("b", [True, False, True, None], [True, False, None]), ("tdD", [5, None, 7], [7, 5, None]),
                                 ("l", [3, None, 2**62], [2**62, 3, None]), ("g", [0.5, None, -1.0], [0.5, -1.0, None])):
        found = gs.group(Table({"k": (kind, keys)}), by="k").count()
        top = [row[0] for row in found.top(9, by="k")]
        assert top == ([datetime.date(1970, 1, 8), datetime.date(1970, 1, 6), None] if kind == "tdD" else expected)
        assert found.top(1, by="k")[0][0] == top[0]
    for names in (["a", None, "b"], ["a", "b"]):
        found = gs.group(Table({"k": ("u", names)}), by="k").count()
        with pytest.raises(TypeError, match="^by: expected a column of numbers, found 'k' of texts$"):
            found.top(2, by="k")


def test_a_sum_of_decimals_beyond_128_bits_is_refused():
    table = Table({"k": ("l", [1] * 3), "v": ("d:38,0", [10**38 - 1] * 3)})
    with pytest.raises(ValueError, match="column v: expected a sum of each group within 128 bits"):
        gs.group(table, by="k").sum("v")


def test_what_a_file_means_is_said_by_parameters(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("k|v\na|1\na|NA\nb|oops\nb|2\n")
    with pytest.raises(ValueError, match=r't.csv:3: expected a number in column v, found "NA": null=\["NA"\] takes it for a missing value$'):
        gs.group(path, by="k").sum("v")
    with pytest.warns(UserWarning, match=r'^1 rows left out; the first: .*t.csv:4: expected a number in column v, found "oops"$') as told:
        found = gs.group(path, by="k", null=["NA"], skip_bad=True).agg(s=("v", "sum"))
        gs.group(path, by="k", null=["NA"], skip_bad=True).sum("v")
    assert [each.filename for each in told] == [__file__] * 2
    assert dict(zip(found["k"], found["s"])) == {"a": 1, "b": 2} and found.stats["skipped"] == 1
    path.write_text('"x,3\ny",4\n"x,5\n')
    assert gs.group(path, by="1", header=False, quotes=False, separator=",").count()["1"].tolist() == ['"x', 'y"']
    with pytest.raises(ValueError, match=r"quotes=False takes quotes as they stand"):
        gs.group(path, by="1", header=False).count()
    for parameter in ({"null": "NA"}, {"separator": "ab"}):
        with pytest.raises((TypeError, ValueError), match=next(iter(parameter))):
            gs.group(path, by="k", **parameter)
    with pytest.raises(TypeError, match="are of files, found a table"):
        gs.group(Table({"k": ("l", [1])}), by="k", null=["NA"])


def test_keys_beyond_64_bits_with_a_sign():
    ids = [2**64 - 1, 5, 2**63, 2**64 - 1, None]
    found = gs.group(Table({"k": ("L", ids), "v": ("l", [1, 2, 3, 4, 5])}), by="k").sum("v")
    assert dict(zip(found["k"].tolist(), found["sum_v"].tolist())) == {None: 5, 5: 2, 2**63: 3, 2**64 - 1: 5}
    found = gs.group(Table({"k": ("L", ids[:4]), "w": ("u", list("abcd"))}), by=["k", "w"]).count()
    assert found["k"].tolist() == [5, 2**63, 2**64 - 1, 2**64 - 1] and found["k"].dtype == "uint64" and found["w"].tolist() == list("bcad")
    assert gs.group(Table({"k": ("L", [3, 4])}), by="k").count()["k"].dtype == "int64"


@pytest.mark.parametrize("keys, kind", [([5, 2**63, 2**64 - 1], "uint64"), ([-5, 2**63 - 1], "int64"), ([-5, 2**63], object), ([5, 2**64], object)])
def test_keys_of_files_beyond_64_bits_with_a_sign(tmp_path, keys, kind):
    (tmp_path / "t.csv").write_text("k,v\n" + "".join(f"{key},1\n" for key in keys))
    found = gs.group(tmp_path / "t.csv", by="k").sum("v")["k"]
    assert found.dtype == kind and found.tolist() == (list(map(str, keys)) if kind is object else keys)


def test_columns_whose_names_are_no_utf8(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"gr\xf6\xdfe,w\xe4rme\na,1\na,2\nb,3\n")
    by, of = os.fsdecode(b"gr\xf6\xdfe"), os.fsdecode(b"w\xe4rme")
    found = gs.group(tmp_path / "t.csv", by=by).sum(of)
    assert {name: column.tolist() for name, column in found.items()} == {by: ["a", "b"], f"sum_{of}": [3, 3]}
    with pytest.raises(ValueError, match="no column"):
        gs.group(tmp_path / "t.csv", by=of + "n").count()


def test_names_of_columns_are_texts(tmp_path):
    (tmp_path / "t.csv").write_text("k,v\na,1\n")
    for table in (tmp_path / "t.csv", Table({"k": ("l", [1])})):
        for by in ([1], [b"k"], b"k", [None]):
            with pytest.raises(TypeError, match="^by: expected names of columns, found"):
                gs.group(table, by=by)
    with pytest.raises(TypeError, match="^header: expected True, False or None, found 'yes'$"):
        gs.group(tmp_path / "t.csv", by="k", header="yes")
