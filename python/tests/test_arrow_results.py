"""Results as Arrow streams: read by hand, and by the packages that are here."""

import gc
import resource

import numpy as np
import pytest
from arrow_by_hand import Stream, Table, get_pointer, read

import gossamer as gs

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
    for wrong in (np.array([2**63], "uint64"), np.array([1j]), np.array([5], "timedelta64[s]"), np.array([5], "datetime64[ps]")):
        with pytest.raises(TypeError, match=f"column k: expected texts or numbers that fit int64, found {wrong.dtype}".replace("[", r"\[")):
            gs.Grouped({"k": wrong}).__arrow_c_stream__()
