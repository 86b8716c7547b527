#!/bin/sh
# Zero bytes behind the data of a .gz file, as block devices, tapes and some object stores leave them, are passed over by gzip, Python's
# gzip and pandas 3.1.1, and refused by Polars 2.1.0, DuckDB 2.0.1 and PyArrow 26.0.1. All six read two members one after the other.
#
# Seen: a table of 4 rows, compressed alone, with 512 zero bytes behind it, and with a second member of one row: `4 4 5` by the
# first three. Of the padded file Polars says "invalid gzip header", DuckDB "Input is not a GZIP stream", PyArrow "unknown compression
# method". RFC 1952 does not speak of padding; gzip(1) ignores trailing zeros and says so. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pandas==3.1.1 polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1
cd "$folder"
"$folder/env/bin/python" -W ignore - <<'END' >"$folder/seen"
import gzip
import subprocess

import duckdb
import pandas
import polars
import pyarrow.csv

table = b"k,v\n" + b"".join(b"a,%d\n" % i for i in range(4))
files = {"plain.csv.gz": b"", "padded.csv.gz": bytes(512), "two.csv.gz": gzip.compress(b"b,9\n")}
for name, behind in files.items():
    with open(name, "wb") as file:
        file.write(gzip.compress(table) + behind)


def by_gzip(name):
    return subprocess.run(["gzip", "-dc", name], check=True, capture_output=True).stdout.count(b"\n") - 1


def by_duckdb(name):
    return duckdb.connect().execute(f"select count(*) from read_csv('{name}')").fetchone()[0]


readers = {"gzip": by_gzip, "Python": lambda name: gzip.open(name).read().count(b"\n") - 1,
           "pandas": lambda name: len(pandas.read_csv(name)), "Polars": lambda name: polars.read_csv(name).height,
           "DuckDB": by_duckdb, "PyArrow": lambda name: pyarrow.csv.read_csv(name).num_rows}


def rows(read, name):
    try:
        return read(name)
    except Exception:
        return "refused"


for who, read in readers.items():
    print(who, *(rows(read, name) for name in files))
END
cat "$folder/seen"
printf '%s\n' 'gzip 4 4 5' 'Python 4 4 5' 'pandas 4 4 5' 'Polars 4 refused 5' 'DuckDB 4 refused 5' 'PyArrow 4 refused 5' |
  cmp - "$folder/seen" || { echo "gzip-zero-padding: no longer as described"; exit 1; }
