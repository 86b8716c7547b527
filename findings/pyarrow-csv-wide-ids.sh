#!/bin/sh
# PyArrow 26.0.1's read_csv() makes doubles of a column of integers when one of them is 2^63 or more,
# without a word: ids of 64 bits without a sign, such as hashes, are rounded to multiples of 2,048, and
# different vertices become one. pandas 3.1.1 does the same with engine="pyarrow". With its own engine it
# keeps them (uint64, or text beside a negative one), and so do Polars 2.1.0 and DuckDB 2.0.1 (128 bits).
# PyArrow gives each column of up to 2^63 - 1 whole, so a file turns with one id.
#
# Seen: a star of four vertices whose ids are 2^64 - 1 to 2^64 - 4: different sources and targets by each
# reader. Naming the type helps: ConvertOptions(column_types={"source": pyarrow.uint64(), ...}) has them
# all. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pandas==3.1.1 polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1
cat >"$folder/star.csv" <<'CSV'
source,target
18446744073709551615,18446744073709551614
18446744073709551615,18446744073709551613
18446744073709551615,18446744073709551612
CSV
"$folder/env/bin/python" -W ignore - "$folder/star.csv" <<'PYTHON' >"$folder/seen"
import sys

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.csv

file = sys.argv[1]
wide = pyarrow.csv.ConvertOptions(column_types={"source": pyarrow.uint64(), "target": pyarrow.uint64()})
tables = {
    "PyArrow": pyarrow.csv.read_csv(file).to_pydict(),
    "PyArrow uint64": pyarrow.csv.read_csv(file, convert_options=wide).to_pydict(),
    "pandas pyarrow": pandas.read_csv(file, engine="pyarrow").to_dict("list"),
    "pandas": pandas.read_csv(file).to_dict("list"),
    "Polars": polars.read_csv(file).to_dict(as_series=False),
    "DuckDB": duckdb.sql(f"select * from '{file}'").pl().to_dict(as_series=False),
}
for who, table in tables.items():
    vertices = {*table["source"], *table["target"]}
    print(f"{who}: {len(vertices)} vertices, the largest {int(max(vertices))}")
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "pyarrow-csv-wide-ids: no longer as described"; exit 1; }
PyArrow: 1 vertices, the largest 18446744073709551616
PyArrow uint64: 4 vertices, the largest 18446744073709551615
pandas pyarrow: 1 vertices, the largest 18446744073709551616
pandas: 4 vertices, the largest 18446744073709551615
Polars: 4 vertices, the largest 18446744073709551615
DuckDB: 4 vertices, the largest 18446744073709551615
END
