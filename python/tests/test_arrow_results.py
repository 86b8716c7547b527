"""Results as Arrow streams: read by hand, and by the packages that are here."""

import gc
import resource

import numpy as np
import pytest
from arrow_by_hand import Stream, Table, get_pointer, read

import gossamer as gs
from gossamer import _arrow

TABLE = Table({"country": ("u", ["de", "fr", "de", "ünï a long name"]), "year": ("l", [3, 1, -2**63, 1]), "amount": ("g", [1.5, 2, 3, 4])})
GROUPED = {"country": ["de", "de", "fr", "ünï a long name"], "year": [-2**63, 3, 1, 1], "n": [1] * 4, "mean": [3, 1.5, 2, 4]}


def grouped():
    return gs.group(TABLE, by=["country", "year"]).agg(n=("amount", "count"), mean=("amount", "mean"))


@pytest.fixture
def words(tmp_path):
    (tmp_path / "text").write_text("b a été b a_long_word_of_many_letters b été")
    return gs.wordcount(tmp_path / "text")


WORDS = {"word": ["b", "été", "a", "a_long_word_of_many_letters"], "count": [3, 2, 1, 1]}


@pytest.mark.parametrize("late", [False, True], ids=["early", "after its owners"])
def test_read_by_hand(words, late):
    assert read(grouped(), late) == GROUPED
    assert read(words, late) == read(words.table(), late) == WORDS
    nothing = gs.group(Table({"k": ("u", []), "v": ("l", [])}), by=["k", "v"]).sum("v")
    assert read(nothing, late) == {"k": [], "v": [], "sum_v": []}


def test_a_stream_outlives_its_result_and_may_be_left(words):
    capsule = grouped().__arrow_c_stream__()
    gc.collect()

    class Later:
        def __arrow_c_stream__(self):
            return capsule

    assert read(Later()) == GROUPED
    del capsule
    left = words.__arrow_c_stream__()
    assert Stream.from_address(get_pointer(left, b"arrow_array_stream")).release
    del left  # releases the stream
    gc.collect()


NULLS = {  # the format of the key, its values, and the column that comes back
    "dates": ("tdD", [None, 0, 1], [0, 86400, None]), "many dates": ("tss:", [*range(20), None], [*range(20), None]),
    "texts": ("u", ["a", None, "", "b"], ["", "a", "b", None]), "integers": ("l", [-2**63, None, 5], [-2**63, 5, None]),
    "reals": ("g", [0.5, None, -1.0], [-1.0, 0.5, None]), "Booleans": ("b", [True, None, False], [0, 1, None]),
    "nothing but nulls": ("u", [None, None], [None]),
}


@pytest.mark.parametrize("late", [False, True], ids=["early", "after its owners"])
@pytest.mark.parametrize("kind", NULLS)
def test_keys_that_are_null_are_null_in_arrow(kind, late):
    form, keys, expected = NULLS[kind]
    found = read(gs.group(Table({"k": (form, keys)}), by="k").count(), late)
    assert found["k"] == expected and sum(found["count"]) == len(keys)


def test_results_of_nothing_are_null_in_arrow_and_long_sums_are_refused():
    table = Table({"k": ("u", ["a", "b", "b", "c"]), "n": ("l", [2**62, None, None, 3])})
    assert read(gs.group(table, by="k").max("n")) == {"k": ["a", "b", "c"], "max_n": [2**62, None, 3]}
    for last in (-1, 1):
        long = gs.group(Table({"k": ("u", ["a", "a", "b"]), "n": ("l", [2**62, 2**62, last])}), by="k").sum("n")
        if last == 1:
            assert read(long) == {"k": ["a", "b"], "sum_n": [2**63, 1]}
            continue
        with pytest.raises(TypeError, match=f"^column sum_n: expected integers that all fit int64, or uint64, found {2**63}$"):
            long.__arrow_c_stream__()


def test_unsigned_keys_may_be_null_in_arrow():
    ids = [2**64 - 1, None, 5, 2**63]
    found = read(gs.group(Table({"k": ("L", ids), "v": ("l", [1, 2, 3, 4])}), by="k").sum("v"))
    assert found == {"k": [5, 2**63, 2**64 - 1, None], "sum_v": [3, 4, 1, 2]}


@pytest.mark.parametrize("kind", NULLS)
def test_packages_read_nulls(kind):
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    form, keys, expected = NULLS[kind]
    grouped = gs.group(Table({"k": (form, keys)}), by="k").count()
    column = pyarrow.table(grouped)["k"]
    assert column.null_count == expected.count(None) and column.is_null().to_pylist() == [value is None for value in expected]
    assert polars.DataFrame(pyarrow.table(grouped))["k"].is_null().to_list() == column.is_null().to_pylist()


@pytest.mark.parametrize("form, keys, kind", [
    ("u", [], "texts"), ("u", [None, None], "texts"), ("g", [float("nan"), None], "reals"), ("g", [None], "reals"), ("g", [], "reals"),
    ("l", [None], "integers"), ("l", [], "integers"), ("tdD", [], "dates")])
def test_keys_keep_their_type_in_arrow(form, keys, kind):
    grouped = gs.group(Table({"k": (form, keys), "v": ("l", [1] * len(keys))}), by="k").sum("v")
    assert _arrow.read(grouped).kind(0) == kind
    assert sum(gs.group(grouped, by="k").sum("sum_v")["sum_sum_v"]) == len(keys)


def test_our_own_reader():
    again = gs.group(grouped(), by="country").sum("n")
    assert list(again["country"]) == ["de", "fr", "ünï a long name"] and again["sum_n"].tolist() == [2, 1, 1]


def test_texts_that_arrow_has_not(tmp_path):
    (tmp_path / "latin").write_bytes(b"a a a caf\xe9 caf\xe9 \xc3\xa9")
    counts = gs.wordcount(tmp_path / "latin")
    with pytest.raises(ValueError, match=r"column word, row 1: expected UTF-8, which Arrow's texts are, found 'caf\\udce9'"):
        counts.__arrow_c_stream__()
    assert list(counts.values()) == [3, 2, 1]
    texts = gs.Grouped({"k": np.array(["a", "caf\udce9"], object)})
    with pytest.raises(ValueError, match=r"column k, row 1: expected UTF-8, which Arrow's texts are, found 'caf\\udce9'"):
        texts.__arrow_c_stream__()


@pytest.mark.parametrize("package", ["pyarrow", "polars", "duckdb", "pandas"])
def test_packages_read_results(package, words):
    module = pytest.importorskip(package)
    if package == "duckdb" or package == "pandas":
        pytest.importorskip("pyarrow")

    def rows(result):
        if package == "pyarrow":
            return module.table(result).to_pylist()
        if package == "polars":
            return module.DataFrame(result if result is not words else words.table()).to_dicts()
        if package == "pandas":
            return module.DataFrame.from_arrow(result).to_dict("records")
        return module.sql("select * from result").arrow().read_all().to_pylist()

    for result, expected in ((grouped(), GROUPED), (words, WORDS)):
        assert rows(result) == [dict(zip(expected, row)) for row in zip(*expected.values())]


def test_no_stream_stays():
    def resident_mb():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize() >> 20

    rows = list(range(20_000))
    result = gs.group(Table({"k": ("l", rows), "v": ("l", rows)}), by="k").sum("v")
    for call in (lambda: read(result, late=True), result.__arrow_c_stream__):
        call()
        before = resident_mb()
        for _ in range(200):  # of 320 KB each
            call()
        assert resident_mb() < before + 30


def test_narrow_numbers_are_widened():
    made = gs.Grouped({"k": np.array([3, -1], "int16"), "n": np.array([1, 2], "uint32"), "x": np.array([0.5, 2], "float32")})
    assert read(made) == {"k": [3, -1], "n": [1, 2], "x": [0.5, 2]}
    assert read(gs.Grouped({"k": np.array(["1970-01-02"], "datetime64[h]"), "m": np.array([7], "datetime64[ms]")})) == {"k": [86_400], "m": [7]}
    assert read(gs.Grouped({"k": np.array([2**63, 5], "uint64")})) == {"k": [2**63, 5]}
    assert read(gs.Grouped({"k": np.array([2**63, 5], ">u8")})) == {"k": [2**63, 5]}
    for wrong in (np.array([1j]), np.array([5], "timedelta64[s]"), np.array([5], "datetime64[ps]")):
        with pytest.raises(TypeError, match=f"column k: expected texts or numbers that fit int64, found {wrong.dtype}".replace("[", r"\[")):
            gs.Grouped({"k": wrong}).__arrow_c_stream__()
