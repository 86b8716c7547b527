"""A sum by key of 10 M rows in memory beside pandas and Polars, where they are: python measure_group.py [ROWS]

Seconds of wall time, medians of 5. The tables are made before; ours is read through __arrow_c_stream__ each time.
"""

import statistics
import sys
import time

import numpy as np
import pandas as pd
import pyarrow as pa

import gossamer as gs

try:
    import polars as pl
except ImportError:
    pl = None


def seconds(call):
    times = []
    for _ in range(6):
        begin = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times[1:]), answer


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    draw = np.random.default_rng(1)
    for groups in (100, 1_000_000):
        keys, values = draw.integers(0, groups, rows), draw.random(rows)
        table = pa.table({"k": keys, "v": values})
        frame = pd.DataFrame({"k": keys, "v": values})
        ours, found = seconds(lambda: gs.group(table, by="k").sum("v"))
        theirs, expected = seconds(lambda: frame.groupby("k")["v"].sum())
        assert np.allclose(found["sum_v"], expected.to_numpy())
        line = f"{rows:,} rows, {groups:9,} keys  gossamer {ours:.3f}  pandas {theirs:.3f}"
        if pl:
            polars = pl.from_arrow(table)
            line += f"  Polars {seconds(lambda: polars.group_by('k').agg(pl.col('v').sum()))[0]:.3f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
