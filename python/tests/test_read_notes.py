"""What reading tells of a file that may mean something else."""
import warnings

import gossamer as gs
import pytest


def write(tmp_path, text):
    path = tmp_path / "g.csv"
    path.write_text(text)
    return path


def test_a_note_is_a_warning_that_names_the_parameter(tmp_path):
    path = write(tmp_path, "01001,01003\n01003,1001\n")
    with pytest.warns(UserWarning, match=r"begin with a zero keep it: .*; labels=False reads integers$") as told:
        g = gs.read(path)
    assert told[0].filename == __file__
    assert g.labels() == ["01001", "01003", "1001"]
    assert g.stats["notes"] == ["ids that begin with a zero keep it: vertices are names; --no-labels reads integers"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gs.read(path, labels=False).labels().tolist() == [1001, 1003]
        assert gs.read(write(tmp_path, "1,2\n2,3\n")).stats["notes"] == []


def test_the_file_says_that_it_is_undirected(tmp_path):
    path = write(tmp_path, "# Undirected graph\n1 2\n2 3\n")
    with pytest.warns(UserWarning, match="directed=True follows them one way"):
        assert not gs.read(path).directed
    assert gs.read(path, directed=True).directed


def test_missing_values(tmp_path):
    path = write(tmp_path, "a,b\n1,2\n2,NA\n,3\n")
    with pytest.raises(ValueError, match="g.csv:3: expected a vertex id, found \"NA\""):
        gs.read(path)
    with pytest.warns(UserWarning, match="2 edges without a vertex are left out, as null says"):
        assert gs.read(path, null=["NA", ""]).edges == 1
    with pytest.raises(TypeError, match="null: expected a sequence of texts"):
        gs.read(path, null="NA")


def test_vertices_without_edges(tmp_path):
    listed = tmp_path / "g.v"
    listed.write_text("1\n2\n9\n")
    g = gs.read(write(tmp_path, "1 2\n2 3\n"), vertices=listed)
    assert g.labels().tolist() == [1, 2, 3, 9]
    assert (g.edges, g.stats["self_loops"], g.stats["edges_read"]) == (2, 0, 2)
    with pytest.raises(FileNotFoundError):
        gs.read(tmp_path / "g.csv", vertices=tmp_path / "absent")


def test_comments(tmp_path):
    path = write(tmp_path, "#a,b\nb,c\nc,d\n")
    with pytest.warns(UserWarning, match="comments=False reads it"):
        g = gs.read(path)
    assert (g.edges, g.stats["comments"]) == (2, 1)
    assert gs.read(path, comments=False).edges == 3


def test_quotes(tmp_path):
    path = write(tmp_path, 'ann,the "rock"\nthe "rock",bob\n')
    with pytest.raises(ValueError, match="expected quotes only around a whole field"):
        gs.read(path)
    assert gs.read(path, quotes=False).labels() == ["ann", 'the "rock"', "bob"]
