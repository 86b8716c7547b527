"""Measures `gossamer group` beside DuckDB and Polars: python measure_groups.py PROGRAM [ROWS] [GROUPS] [TIMES]

A CSV file of ROWS (10000000) rows whose keys are drawn from GROUPS (as many) in a random order, each key once where both are equal. All read the
same file in turn, in changing order, TIMES (6) times: count, sum and mean by key, with the answer written in the order of the keys and without. Medians, in
seconds of wall time and of processor time, each in a process of its own. What a process needs to start and to load is not counted for
the peers. On an idle machine: duckdb, polars and numpy come from PyPI.
"""

import itertools
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

CORES = len(os.sched_getaffinity(0))


def plant(path, rows, groups):
    import numpy as np

    draw = np.random.default_rng(1)
    keys = draw.permutation(groups)[:rows] if groups >= rows else draw.integers(0, groups, rows)
    with open(path, "w") as out:
        out.write("key,amount,price,city,stamp\n")
        for begin in range(0, rows, 1 << 16):
            n = min(rows - begin, 1 << 16)
            columns = (keys[begin:begin + n], draw.integers(-10**6, 10**6, n), draw.integers(0, 10**6, n), draw.integers(0, 5, n),
                       draw.integers(1_600_000_000, 1_700_000_000, n))
            out.writelines(f"{key},{amount},{price / 1000},city {city},{stamp}\n" for key, amount, price, city, stamp in zip(*map(list, columns)))


def run_peer(name, path, out):
    if name == "duckdb":
        import duckdb

        duckdb.sql(f"SET threads={CORES}")
        asked = f"SELECT key, count(*) c, sum(amount) s, avg(price) p FROM '{path}' GROUP BY key"
        command = f"COPY ({asked} ORDER BY key) TO '{out}' (HEADER)" if out else f"CREATE TABLE answer AS {asked}"
        return lambda: duckdb.sql(command)
    import polars as pl

    asked = pl.scan_csv(path).group_by("key").agg(pl.len(), pl.col("amount").sum(), pl.col("price").mean())
    return (lambda: asked.sort("key").collect().write_csv(out)) if out else asked.collect


def measured(call):
    begin = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_SELF)
    call()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return time.perf_counter() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, name, path, out):
    """Return the wall time and the processor time of a run, in a process of its own."""
    if name != "gossamer":
        words = [sys.executable, __file__, "--peer", name, path, out]
        return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    words = [program, "group", path, "--by", "key", "--count", "--sum", "amount", "--mean", "price", "--quiet", "--top", "1"]
    subprocess.run(words + (["-o", out] if out else []), check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    if sys.argv[1] == "--peer":
        print(json.dumps(measured(run_peer(*sys.argv[2:]))))
        return
    program = sys.argv[1]
    rows, groups, times = (int(w) for w in (sys.argv[2:] + [10_000_000, 0, 6][len(sys.argv) - 2:]))
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "rows.csv")
        plant(path, rows, groups or rows)
        print(f"{rows:,} rows, {groups or rows:,} groups, {os.path.getsize(path) / 1e6:,.0f} MB, {CORES} cores")
        for out in "", str(pathlib.Path(folder) / "out.csv"):
            taken = {name: [] for name in ("gossamer", "duckdb", "polars")}
            orders = itertools.cycle(itertools.permutations(taken))  # what ran before leaves the memory in its state
            for order in itertools.islice(orders, times):
                for name in order:
                    taken[name].append(measure(program, name, path, out))
            for name, seconds in taken.items():
                wall, processor = (statistics.median(column) for column in zip(*seconds))
                print(f"{'written ' if out else 'in memory'} {name:9} {wall:6.2f} s  {processor:6.2f} s of processors")


if __name__ == "__main__":
    main()
