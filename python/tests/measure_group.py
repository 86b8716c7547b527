"""A sum by one key and by two, of 10 M rows in memory beside pandas and Polars, where they are: python measure_group.py [ROWS]

Seconds of wall time, medians of 5. The tables are made before; ours is read through __arrow_c_stream__ each time.
"""

import statistics
import sys
import time

import numpy as np
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


def tables(rows):
    """Return (what, columns of the key, their names) of each measurement."""
    draw = np.random.default_rng(1)
    for groups in (100, 1_000_000):
        yield f"{groups:9,} keys", {"k": draw.integers(0, groups, rows)}
    country, year = np.array([f"country {i}" for i in range(200)]), draw.integers(1990, 2020, rows)
    yield "200 texts x 30 years", {"country": country[draw.integers(0, 200, rows)], "year": year}
    yield "10,000 x 100 numbers", {"i": draw.integers(0, 10_000, rows), "j": draw.integers(0, 100, rows)}


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    values = np.random.default_rng(2).random(rows)
    for what, keys in tables(rows):
        table, by = pa.table({**keys, "v": values}), list(keys)
        frame = table.to_pandas()
        ours, found = seconds(lambda: gs.group(table, by=by).sum("v"))
        theirs, expected = seconds(lambda: frame.groupby(by)["v"].sum())
        assert np.allclose(found["sum_v"], expected.to_numpy())
        line = f"{rows:,} rows, {what:20}  gossamer {ours:.3f}  pandas {theirs:.3f}"
        if pl:
            polars = pl.from_arrow(table)
            line += f"  Polars {seconds(lambda: polars.group_by(by).agg(pl.col('v').sum()))[0]:.3f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
