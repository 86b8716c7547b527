"""A program as people write it, for mypy: test_types.py checks it, and runs it."""

import numpy as np

import gossamer as gs


def main() -> None:
    g: gs.Graph = gs.Graph(np.array([0, 1, 2]), np.array([1, 2, 0]), directed=True)
    scores: np.ndarray = g.pagerank(alpha=0.9)
    best: list[tuple[object, object]] = list(g.pagerank().top(2))
    levels: np.ndarray = g.bfs(0).parents
    count: int = g.components().count
    ordered: np.ndarray = gs.sort(scores)
    again: np.ndarray = gs.sort([3, 1, 2], out=np.empty(3, int))
    spread: gs.Array = gs.array([1, 2, 3])
    some: np.ndarray = spread.take([0, -1])
    seen: gs.HashSet = gs.HashSet([5, 7])
    new: np.ndarray = seen.insert([7, 9])
    tally: gs.HashMap = gs.HashMap(dtype=float)
    tally.add([4, 4], 0.5)
    pairs: list[tuple[int, object]] = list(tally.top(1))
    nodes: int = gs.uts("T1").nodes
    print(some.tolist(), new.tolist(), len(seen), pairs, nodes)
    print(len(best), levels.tolist(), count, ordered.shape, again.tolist())


def tables(table: object) -> dict[str, np.ndarray]:
    grouped: gs.Grouped = gs.group(table, by=["a", "b"]).agg(total=("c", "sum"))
    rows: int = grouped.groups + gs.group(grouped, by="a").count().groups
    words: gs.WordCounts = gs.wordcount(["a.txt"], fold=True)
    return {name: grouped[name][:rows] for name in grouped} if words["x"] else {}


if __name__ == "__main__":
    main()
