#!/bin/sh
# DuckDB 2.0.1 answers questions about a Parquet file of PyArrow 26.0.1 or Polars 2.1.0 wrongly where a column of
# doubles has NaN, without a word. Such a file has the smallest and largest number of each row group, NaN left out,
# as the format asks ("NaNs should not be written to min or max statistics fields", parquet.thrift, ColumnOrder).
# It asks of readers: "When looking for NaN values, min and max should be ignored." DuckDB takes them for the bounds of
# all values, NaN too, and answers from them. Files that DuckDB has written itself are answered as tables are.
#
# PyArrow's own filters do the same: read_table(filters=field != 1) passes over the NaN of a row group whose other
# values are 1, which the same filter on the table that was read keeps. So whether a NaN is found depends on
# its neighbours in the file.
#
# Seen: a column of 1, NaN and 1. "k = 1" counts 3 rows of the file and 2 of the table, "isnan(k)" 0 and 1, "k <> 1" 0
# and 1. max(k) of PyArrow's file is 1, of the table NaN (DuckDB's NaN is above all numbers). PyArrow's filter finds 0
# rows in the file and 1 in the table; Polars' finds 1 in each file. Files written with write_statistics=False are
# answered rightly, and so is DuckDB after `pragma disable_optimizer`. Reported as duckdb/duckdb#25521, for part of
# these questions. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1 numpy==2.4.6
cd "$folder"
env/bin/python -W ignore - <<'PYTHON' >seen
import duckdb
import polars
import pyarrow
import pyarrow.compute as pc
import pyarrow.parquet

table = pyarrow.table({"k": [1.0, float("nan"), 1.0]})
pyarrow.parquet.write_table(table, "pyarrow.parquet")
pyarrow.parquet.write_table(table, "plain.parquet", write_statistics=False)
polars.from_arrow(table).write_parquet("polars.parquet")
duckdb.sql("copy table to 'duckdb.parquet'".replace("table", '"table"'))
sources = '"table"', "'pyarrow.parquet'", "'polars.parquet'", "'duckdb.parquet'", "'plain.parquet'"


def ask(question, source):
    return duckdb.sql(question.format(source)).fetchall()[0][0]


for condition in "k = 1", "k <> 1", "k > 2", "isnan(k)":
    print(condition, *(ask(f"select count(*) from {{}} where {condition}", source) for source in sources))
print("max", *(ask("select max(k) from {}", source) for source in sources))
different = pc.field("k") != 1
print("PyArrow", table.filter(different).num_rows, *(
    pyarrow.parquet.read_table(source.strip("'"), filters=different).num_rows for source in sources[1:]))
print("Polars", *(polars.scan_parquet(source.strip("'")).filter(polars.col("k") != 1).collect().height for source in sources[1:]))
PYTHON
cat seen
cmp - seen <<'END' || { echo "parquet-nan-statistics: no longer as described"; exit 1; }
k = 1 2 3 3 2 2
k <> 1 1 0 0 1 1
k > 2 1 0 0 1 1
isnan(k) 1 0 0 1 1
max nan 1.0 nan nan nan
PyArrow 1 0 0 1 1
Polars 1 1 1 1
END
