"""Sizes of unbalanced trees: those that are published, and those of a definition in Python."""

import hashlib
import math

import pytest

import gossamer as gs


def counted(mean, limit, seed):
    """Return nodes, leaves and depth of a geometric tree whose mean falls linearly, by the definition alone."""
    waiting = [(hashlib.sha1(bytes(16) + seed.to_bytes(4, "big")).digest(), 0)]
    nodes = leaves = deepest = 0
    while waiting:
        state, depth = waiting.pop()
        nodes, deepest = nodes + 1, max(deepest, depth)
        p = 1 / (1 + mean * (1 - depth / limit))
        u = (int.from_bytes(state[16:], "big") & 0x7FFFFFFF) / 2**31
        children = 0 if p == 1 else min(100, math.floor(math.log(1 - u) / math.log(1 - p)))
        leaves += children == 0
        waiting += [(hashlib.sha1(state + i.to_bytes(4, "big")).digest(), depth + 1) for i in range(children)]
    return nodes, leaves, deepest


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_the_definition(seed):
    found = gs.uts(mean=4, limit=6, seed=seed)
    assert (found.nodes, found.leaves, found.depth) == counted(4, 6, seed)
    assert gs.uts(f"-d 6 -b 4 -r {seed}") == found


@pytest.mark.parametrize("name, size, parameters", [
    ("T1", (4_130_071, 3_305_118, 10), {"shape": "fixed", "limit": 10, "seed": 19}),
    ("T3", (4_112_897, 3_599_034, 1572), {"law": "binomial", "mean": 2000, "probability": 0.124875, "children": 8, "seed": 42}),
    ("T4", (4_132_453, 3_108_986, 134), {"law": "hybrid", "limit": 16, "mean": 6, "seed": 1}),
])
def test_has_the_published_size(name, size, parameters):
    found = gs.uts(name)
    assert (found.tree, found.nodes, found.leaves, found.depth) == (name, *size)
    assert gs.uts(**parameters) == found


def test_what_was_run_and_what_is_shown():
    found = gs.uts("t1")
    assert found.stats["call"] == "uts(tree='t1')" and found.seconds == found.stats["seconds"] > 0
    assert repr(found) == "TreeSize(tree='T1', nodes=4130071, leaves=3305118, depth=10)"
    assert "<caption>T1</caption>" in found._repr_html_() and "<td>4,130,071</td>" in found._repr_html_()


def test_a_tree_without_an_end_is_refused():
    for law in ("binomial", "hybrid"):
        with pytest.raises(ValueError, match=r"expected at most 1.01 children of a node on average .*, found 1\.2: the tree may have no end"):
            gs.uts(law=law, probability=.3, children=4)


def test_what_is_refused():
    for wrong, said in (("T9", 'found "T9"'), ("", "expected a tree"), ("-b x", '-b: expected a number from 0 to 2147483647, found "x"')):
        with pytest.raises(ValueError, match=said):
            gs.uts(wrong)
    for parameters, said in (({"law": "flat"}, "law: expected binomial, geometric, hybrid, found 'flat'"),
                             ({"shape": 3}, "shape: expected linear, exponential, cyclic, fixed, found 3"),
                             ({"probability": 1.5}, 'probability: expected a number from 0 to 1, found "1.5"'),
                             ({"limit": 0}, 'limit: expected a number from 1 to 2147483647, found "0"')):
        with pytest.raises(ValueError, match=said):
            gs.uts(**parameters)
