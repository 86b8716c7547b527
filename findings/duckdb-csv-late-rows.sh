#!/bin/sh
# DuckDB 2.0.1's read_csv() infers types and quotes from the first 20,480 lines, and reads later lines by them.
# Where these do not fit, it changes values without a word:
# - A number with a fraction in a column that was whole so far is rounded: 0.5 becomes 1, 0.4 becomes 0, 2.5 becomes 3.
#   Text in such a column is an error that names the line and the option sample_size; a fraction is none.
# - A quoted field, where no line had quotes so far, keeps its quotes: "b" is another name than b, and a quote
#   within it stays doubled. (With a comma within, the line is an error.)
# So the same row has another value at the end of a file than at the beginning. Weights of edges and names of
# vertices are such columns.
#
# Seen: 30,000 rows `a,1` and then `"b",0.5` and `"b ""c""",2.4`. The last two have weights 1 and 2 and names with quotes
# in DuckDB, 0.5 and 2.4 and names without in pandas 3.1.1, PyArrow 26.0.1, Gossamer, and Polars 2.1.0 with
# infer_schema_length=None (without it, an error). With the two rows first, or with sample_size=-1, DuckDB is
# right. Reported as duckdb/duckdb#25824 (numbers) and #21000 (quotes: the error). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pandas==3.1.1 polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1
cd "$folder"
env/bin/python -W ignore - <<'PYTHON' >seen
import duckdb
import pandas
import polars
import pyarrow.csv

special, plain = ['"b",0.5\n', '"b ""c""",2.4\n'], ["a,1\n"] * 30000
for name, rows in ("first", special + plain), ("last", plain + special):
    with open(f"{name}.csv", "w") as file:
        file.writelines(["name,weight\n", *rows])
readers = {
    "DuckDB": lambda file: duckdb.sql(f"select * from '{file}'").fetchall(),
    "DuckDB sample_size=-1": lambda file: duckdb.sql(f"select * from read_csv('{file}', sample_size=-1)").fetchall(),
    "pandas": lambda file: pandas.read_csv(file).values.tolist(),
    "PyArrow": lambda file: [tuple(row.values()) for row in pyarrow.csv.read_csv(file).to_pylist()],
    "Polars": lambda file: polars.read_csv(file, infer_schema_length=None).rows(),
}
for who, read in readers.items():
    first, last = read("first.csv")[:2], read("last.csv")[-2:]
    print(who, *(f"{name} {weight:g}" for name, weight in (*first, *last)), sep=" | ")
PYTHON
cat seen
cmp - seen <<'END' || { echo "duckdb-csv-late-rows: no longer as described"; exit 1; }
DuckDB | b 0.5 | b "c" 2.4 | "b" 1 | "b ""c""" 2
DuckDB sample_size=-1 | b 0.5 | b "c" 2.4 | b 0.5 | b "c" 2.4
pandas | b 0.5 | b "c" 2.4 | b 0.5 | b "c" 2.4
PyArrow | b 0.5 | b "c" 2.4 | b 0.5 | b "c" 2.4
Polars | b 0.5 | b "c" 2.4 | b 0.5 | b "c" 2.4
END
