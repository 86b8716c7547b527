"""What is masked, null or shared is refused, left out or copied, never taken for what lies below it."""

import numpy as np
import pytest
from arrow_by_hand import Table

import gossamer as gs

MASKED = {
    "array": np.ma.array([0, 1, 2, 3], mask=[0, 0, 1, 0]),
    "array without a masked element": np.ma.array([0, 1, 2, 3]),
    "element of a list": [0, 1, np.ma.masked, 3],
}
PLAIN = np.arange(4)


class Compiled:
    address = 1  # nothing calls it


USES = {
    "Graph: src": lambda masked: gs.Graph(masked, PLAIN),
    "Graph: dst": lambda masked: gs.Graph(PLAIN, masked),
    "Graph: weights": lambda masked: gs.Graph(PLAIN, PLAIN, masked),
    "array": gs.array,
    "array with a type": lambda masked: gs.array(masked, float),
    "take": lambda masked: gs.zeros(4).take(masked),
    "put": lambda masked: gs.zeros(4).put(masked, 1),
    "put: values": lambda masked: gs.zeros(4).put(PLAIN, masked),
    "add_at": lambda masked: gs.zeros(4).add_at(masked, 1),
    "minimum_at: values": lambda masked: gs.zeros(4).minimum_at(PLAIN, masked),
    "index": lambda masked: gs.zeros(4)[masked],
    "assignment": lambda masked: gs.zeros(4).__setitem__(slice(None), masked),
    "sort": gs.sort,
    "map_reduce": lambda masked: gs.map_reduce(masked, Compiled(), Compiled()),
    "HashSet": gs.HashSet,
    "HashSet.contains": lambda masked: gs.HashSet().contains(masked),
    "HashMap: keys": lambda masked: gs.HashMap(masked, PLAIN),
    "HashMap: values": lambda masked: gs.HashMap(PLAIN, masked),
    "HashMap.add": lambda masked: gs.HashMap().add(PLAIN, masked),
    "HashMap.get": lambda masked: gs.HashMap().get(masked),
}


@pytest.mark.parametrize("masked", MASKED)
@pytest.mark.parametrize("use", USES)
def test_masks_are_refused(use, masked):
    with pytest.raises(TypeError, match="expected no mask, found"):
        USES[use](MASKED[masked])


def test_a_masked_choice_and_a_masked_result_are_refused():
    a = gs.zeros(4, int)
    with pytest.raises(TypeError, match="mask: expected no mask"):
        a[np.ma.array([True, True, False, False], mask=[0, 1, 0, 0])] = 5
    assert a[:].tolist() == [0, 0, 0, 0]
    with pytest.raises(TypeError, match="out: expected no mask"):
        gs.sort(np.array([3, 1]), out=np.ma.array([0, 0], mask=[0, 1]))


def test_missing_values_of_pandas_are_no_numbers():
    pd = pytest.importorskip("pandas")
    missing = pd.array([0, 1, None, 3], dtype="Int64")
    for use in ("Graph: src", "take", "HashSet", "HashMap: keys"):
        with pytest.raises(TypeError, match="expected integers|expected numbers"):
            USES[use](missing)
    with pytest.raises(TypeError):
        gs.zeros(4)[pd.array([True, None, False, True], dtype="boolean")]


def test_labels_are_the_callers_copies():
    nx = pytest.importorskip("networkx")
    g = gs.Graph.from_networkx(nx.path_graph(["b", "a", "c"]))
    for each in (g, g.reversed(), g.to_undirected()):
        for labels in (each.labels(), each.label_list()):
            labels.sort()
            assert each.labels() == ["b", "a", "c"] and each.label(0) == "b" and each.find("b") == 0
    numbered = gs.Graph([5, 9], [9, 7], compact=True)
    numbered.labels()[::-1].sort()
    assert numbered.labels().tolist() == [5, 7, 9] and numbered.find(5) == 0
    plain = gs.Graph([0, 1], [1, 2])
    plain.labels()[:] = 7
    assert plain.labels().tolist() == [0, 1, 2]


def test_groups_keep_their_values_together():
    found = gs.group(Table({"k": ("u", ["b", "a"]), "v": ("l", [1, 2])}), by="k").sum("v")
    for column in found.values():
        with pytest.raises(ValueError, match="read-only"):
            column.sort()


def test_adjacency_counts():
    pytest.importorskip("scipy")
    n = 300
    g = gs.Graph([0] * n + [1] * n, list(range(2, n + 2)) * 2, directed=False)
    matrix = g.to_scipy()
    assert matrix.dtype == np.int64 and (matrix @ matrix)[0, 1] == n
    assert g.to_scipy(bool).dtype == bool and g.to_scipy(dtype="float32").sum() == 4 * n


def test_one_masked_integer():
    masked = np.ma.array(3, mask=True)
    with pytest.raises(TypeError, match="mask"):
        gs.array([0, 1, 2, 3])[masked]
    assert masked not in gs.HashSet([3])
