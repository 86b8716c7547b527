"""Weights are not kept so far. Every way in says so once, by the name of the column, in the caller's line."""

import gzip
import warnings

import networkx as nx
import numpy as np
import pytest
from arrow_by_hand import Table

import gossamer as gs


def said(make):
    """Return what warnings say, each in this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make()
    assert all(w.category is UserWarning and w.filename == __file__ for w in caught)
    return [str(w.message).removeprefix("weights are not kept, no algorithm uses them so far: ") for w in caught]


FILES = {  # a text, and what is said of it
    "a b 2.5\nb c 1\n": ["the third column"],
    "a b\nb c\n": [],
    "src,dst,weight\n1,2,3\n": ["the column weight"],
    "src,dst,length\n1,2,3.5\n2,3,4\n": ["the column length"],
    "src\tdst\tlength\tname\tyear\n1\t2\t3.5\ta b\t1999\n": ["the column length, year"],
    "src,dst,name\n1,2,street\n": [],
    "length,src,dst\n3,1,2\n": ["the column length"],
    "src,dst,kind\n1,2,3\n2,3,north\n": [],
    ",source,target\n0,1,2\n1,2,3\n": [],  # the first one counts rows
    "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n": ["the third column"],
    "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n": [],
}


@pytest.mark.parametrize("text", FILES)
def test_files(tmp_path, text):
    path = tmp_path / "g.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert said(lambda: gs.read(path)) == FILES[text]


def test_files_whose_columns_are_chosen(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text("a,b,length,cost\n1,2,3,4\n")
    assert said(lambda: gs.read(path, columns=["a", "b"])) == []
    assert said(lambda: gs.read(path, columns=["a", "b", "cost"])) == ["the column cost"]
    native = tmp_path / "g.gsg"
    assert said(lambda: gs.read(path, columns=["a", "b", "cost"]).write(native)) == ["the column cost"]
    assert said(lambda: gs.read(native)) == []  # which holds none


def test_arrays_and_tables():
    assert said(lambda: gs.Graph([0], [1], [2.5])) == ["weights"]
    table = Table({"a": ("l", [0]), "b": ("l", [1]), "length": ("g", [2.5])})
    assert said(lambda: gs.Graph.from_arrow(table, "a", "b", "length")) == ["the column length"]
    assert said(lambda: gs.Graph.from_arrow(table, "a", "b")) == []


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_graphs_of_networkx(directed):
    g = nx.path_graph(1000, nx.DiGraph if directed else nx.Graph)
    assert said(lambda: gs.Graph.from_networkx(g)) == []
    nx.set_edge_attributes(g, 1, "weight")
    nx.set_edge_attributes(g, "street", "name")
    assert said(lambda: gs.Graph.from_networkx(g)) == []
    g[900][901]["weight"] = 2
    found = []
    assert said(lambda: found.append(gs.Graph.from_networkx(g))) == ["the edge attribute weight"]
    assert found[0].edges == 999  # all of them
    nx.set_edge_attributes(g, 3.5, "length")
    assert said(lambda: gs.Graph.from_networkx(g.subgraph(range(1000)))) == ["the edge attribute weight, length"]
    nx.set_edge_attributes(g, np.array([1, 2]), "weight")
    assert said(lambda: found.append(gs.Graph.from_networkx(g))) == ["the edge attribute weight, length"] and found[-1].edges == 999
    multi = nx.MultiGraph()
    multi.add_edge(0, 1, weight=np.float64(2))
    assert said(lambda: gs.Graph.from_networkx(multi)) == ["the edge attribute weight"]


def test_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    ones = gs.Graph([0, 1], [1, 2]).to_scipy()
    for matrix in (ones, ones.astype(bool), sparse.csr_array((3, 3))):
        assert said(lambda: gs.Graph.from_scipy(matrix)) == []
    assert said(lambda: gs.Graph.from_scipy(ones * 2)) == ["the values of the matrix"]
