"""Global arrays, sets and maps beside NumPy, pandas and Python's own, on 10 M random numbers: python measure_arrays.py [COUNT]

Seconds of wall time, medians of 3. What a call changes is made anew before it, and that is not counted.
"""

import statistics
import sys
import time

import numpy as np
import pandas as pd

import gossamer as gs


def seconds(make, call):
    times = []
    for _ in range(4):
        given = make()
        begin = time.perf_counter()
        call(given)
        times.append(time.perf_counter() - begin)
    return statistics.median(times[1:])


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    cells = 1 << 24
    draw = np.random.default_rng(1)
    at, keys = draw.integers(0, cells, n), draw.integers(0, 2**40, n)
    hot = draw.zipf(1.2, n) % 1_000_000
    rows = [
        ("take", lambda: gs.zeros(cells), lambda a: a.take(at), lambda: np.zeros(cells), lambda a: a.take(at)),
        ("add_at", lambda: gs.zeros(cells), lambda a: a.add_at(at, 1.0), lambda: np.zeros(cells), lambda a: np.add.at(a, at, 1.0)),
        ("get a slice", lambda: gs.array(at), lambda a: a[:], lambda: at, lambda a: a[:].copy()),
        ("insert, set", gs.HashSet, lambda s: s.insert(keys), lambda: keys, pd.unique),
        ("contains, set", lambda: gs.HashSet(keys), lambda s: s.contains(at), lambda: keys, lambda k: pd.Series(at).isin(k)),
        ("tally of hot keys", gs.HashMap, lambda m: m.add(hot), lambda: pd.Series(hot), lambda s: s.value_counts(sort=False)),
    ]
    print(f"{n:,} numbers{'':12} gossamer    peer   ratio")
    for what, *calls in rows:
        ours, peer = seconds(*calls[:2]), seconds(*calls[2:])
        print(f"{what:24} {ours:9.3f} {peer:8.3f} {peer / ours:7.2f}")


if __name__ == "__main__":
    main()
