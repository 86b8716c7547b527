"""How large unbalanced trees are (UTS)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gossamer import _core, _life

_LAWS = ("binomial", "geometric", "hybrid")
_LETTERS = {"law": "t", "shape": "a", "limit": "d", "mean": "b", "seed": "r", "probability": "q", "children": "m", "turn": "f"}
_SHAPES = ("linear", "exponential", "cyclic", "fixed")


@dataclass(frozen=True)
class TreeSize:
    """What was found by walking a tree: an answer of `uts`.

    Attributes
    ----------
    tree : str
        The tree's name, or its arguments where it has none.
    nodes, leaves, depth : int
        The number of nodes and of those without children, and the number of levels below the root.
    stats : dict
        What was run (``call``), how long it took (``seconds``), and millions of nodes a second (``mnodes_per_s``).
    """

    tree: str
    nodes: int
    leaves: int
    depth: int
    stats: dict[str, Any] = field(repr=False, compare=False)

    @property
    def seconds(self) -> float:
        """How long the walk took."""
        return self.stats["seconds"]

    def _repr_html_(self) -> str:
        from gossamer._result import table

        return table(("nodes", "leaves", "depth"), [(f"{self.nodes:,}", f"{self.leaves:,}", self.depth)], self.tree)


def uts(tree: str | None = None, *, law: str = "geometric", shape: str = "linear", limit: int = 6, mean: float = 4.0, seed: int = 0,
        probability: float = 15 / 64, children: int = 4, turn: float = 0.5) -> TreeSize:
    """Count the nodes of an unbalanced tree on all cores, by walking all of it (Unbalanced Tree Search).

    >>> gs.uts("T1")
    TreeSize(tree='T1', nodes=4130071, leaves=3305118, depth=10)
    >>> gs.uts(law="geometric", shape="fixed", limit=10, mean=4, seed=19).nodes
    4130071

    Parameters
    ----------
    tree : str, optional
        T1, T2, T3, T4, T5, T1L, T2L, T3L or T1XL; or the benchmark's arguments, such as "-t 1 -a 3 -d 10 -b 4 -r 19". Without it the tree
        is what the other parameters say, which are for that case alone.
    law : {"geometric", "binomial", "hybrid"}
        By which law a node has children.
    shape : {"linear", "exponential", "cyclic", "fixed"}
        How the mean of the geometric law changes with the depth.
    limit : int
        The depth that `shape` is about.
    mean : float
        The mean of the geometric law at the root. Of a binomial tree: the number of the root's children.
    seed : int
        Of the root.
    probability : float
        Of the binomial law: how probable it is that a node has children.
    children : int
        Of the binomial law: how many they are then.
    turn : float
        Of hybrid trees: the share of `limit` above which they are geometric.

    Returns
    -------
    TreeSize

    Raises
    ------
    ValueError
        For a name or an argument that is none, and a tree that has no end.
    """
    _life.begin()
    from gossamer._result import call

    if tree is not None:
        asked: dict[str, Any] = {"tree": tree}
        found = _core.count_tree(tree)
    else:
        asked = {"law": law, "shape": shape, "limit": limit, "mean": mean, "seed": seed, "probability": probability, "children": children,
                 "turn": turn}
        numbers = {**asked, "law": _place(law, _LAWS, "law"), "shape": _place(shape, _SHAPES, "shape")}
        try:
            found = _core.count_tree(" ".join(f"-{_LETTERS[name]} {value}" for name, value in numbers.items()))
        except ValueError as e:
            letter, _, rest = str(e).partition(":")
            name = next((name for name in _LETTERS if f"-{_LETTERS[name]}" == letter), letter)
            raise ValueError(f"{name}:{rest}") from None
    seconds: float = found["seconds"]
    stats = {"call": call("uts", **asked), "seconds": seconds, "mnodes_per_s": found["nodes"] / seconds / 1e6 if seconds > 0 else 0.0}
    return TreeSize(found["tree"], found["nodes"], found["leaves"], found["depth"], stats)


def _place(value: str, known: tuple[str, ...], name: str) -> int:
    if value not in known:
        raise ValueError(f"{name}: expected {', '.join(known)}, found {value!r}")
    return known.index(value)
