"""Word counts against collections.Counter."""

import collections
import gzip
import random
import re

import pytest

import gossamer as gs


@pytest.fixture(params=range(3), ids=lambda seed: f"seed{seed}")
def texts(request, tmp_path):
    draw = random.Random(request.param)
    all_text = []
    for i in range(3):
        text = " ".join(draw.choice(["Ab", "ab", "été", "c-d", "x\n", "\ty"]) * draw.randint(1, 2) for _ in range(5000))
        all_text.append(text)
        with gzip.open(tmp_path / f"{i}.gz", "wt", encoding="utf-8") as file:
            file.write(text)
    return tmp_path, "\n".join(all_text)


def test_counts(texts):
    folder, text = texts
    counts = gs.wordcount(f"{folder}/*.gz")
    assert dict(counts) == collections.Counter(text.split())
    assert [n for _, n in counts.top(5)] == [n for _, n in collections.Counter(text.split()).most_common(5)]
    assert counts.stats["distinct"] == len(counts)
    assert dict(gs.wordcount(sorted(folder.iterdir()), fold=1)) == collections.Counter(text.replace("A", "a").split())
    assert dict(gs.wordcount(f"{folder}/*.gz", unit="letters")) == collections.Counter(re.findall(r"[^\W\d_]+", text))
    assert dict(gs.wordcount(f"{folder}/*.gz", unit="lines")) == collections.Counter(filter(None, text.split("\n")))


def test_bytes_that_are_no_text_survive(tmp_path):
    file = tmp_path / b"latin\xe9".decode(errors="surrogateescape")
    file.write_bytes(b"caf\xe9 caf\xe9")
    assert dict(gs.wordcount(file)) == {b"caf\xe9".decode(errors="surrogateescape"): 2}


def test_names_of_files_may_be_bytes(tmp_path):
    (tmp_path / "a.txt").write_text("a b a")
    name = bytes(tmp_path / "a.txt")
    for files in (name, [name], bytes(tmp_path / "*.txt")):
        assert dict(gs.wordcount(files)) == {"a": 2, "b": 1}
    with pytest.raises(FileNotFoundError, match="no file matches '.*none'"):
        gs.wordcount(bytes(tmp_path / "*.none"))


def test_refuses(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file matches"):
        gs.wordcount(f"{tmp_path}/*.txt")
    with pytest.raises(FileNotFoundError):
        gs.wordcount(tmp_path / "absent")
    with pytest.raises(ValueError, match="unit"):
        gs.wordcount(tmp_path, unit="bytes")
    with pytest.raises(ValueError, match="none"):
        gs.wordcount([])


def test_words_that_are_no_utf8_are_objects_in_a_frame(tmp_path):
    path = tmp_path / "log.txt"
    path.write_bytes(b"caf\xe9 x\n")
    frame = gs.wordcount(path).to_frame()
    assert frame.index.dtype == object and frame.loc["caf\udce9", "count"] == 1
    (tmp_path / "t.csv").write_bytes(b"k,v\ncaf\xe9,1\nx,2\n")
    grouped = gs.group(tmp_path / "t.csv", by="k").sum("v").to_frame()
    assert grouped.index.dtype == object and grouped["sum_v"].tolist() == [1, 2]


@pytest.mark.parametrize("cores, error, said", [(2.5, TypeError, "cores: expected a whole number, found 2.5"),
                                                (0, ValueError, "cores: expected 1 or more, found 0")])
def test_a_number_of_cores_that_is_none(cores, error, said):
    with pytest.raises(error, match=said):
        gs.set_cores(cores)
