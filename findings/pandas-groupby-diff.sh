#!/bin/sh
# groupby().diff() of pandas 3.1.1 gives wrong differences of 64-bit integers beyond 2^53, without a word: it
# shifts the column, which makes doubles of it, and subtracts these from doubles of the column. Differences of
# nanoseconds since 1970 become multiples of 256. Series.diff() of the same numbers subtracts integers and is right,
# so the same rows have other differences in a group than alone. Both are documented as the difference to the
# previous row.
#
# Ids and times of logs, packets and trades in nanoseconds are such numbers. What follows from the differences
# goes wrong with them: waiting times per user, gaps per connection, sessions.
#
# Seen: six times, 7 ns apart, in turn of two groups: 14 ns within each group, by Series.diff() on each group,
# by Polars 2.1.0 (diff over) and DuckDB 2.0.1 (lag). groupby().diff() says 0. With the type Int64 of pandas it is
# right. Source: pandas/core/groupby/groupby.py (diff: obj - shifted). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pandas==3.1.1 polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import duckdb
import pandas
import polars

table = pandas.DataFrame({"user": [0, 1] * 3, "time": [1700000000123456789 + 7 * row for row in range(6)]})
alone = pandas.concat(rows.diff() for _, rows in table.groupby("user")["time"]).sort_index()
answers = {
    "groupby.diff": table.groupby("user")["time"].diff(),
    "Series.diff": alone,
    "groupby.diff Int64": table.astype({"time": "Int64"}).groupby("user")["time"].diff(),
    "Polars": polars.from_pandas(table).select(polars.col("time").diff().over("user"))["time"],
    "DuckDB": [row[0] for row in duckdb.sql(
        "select time - lag(time) over (partition by user order by time) from \"table\" order by time").fetchall()],
}
for who, differences in answers.items():
    print(who, *(int(difference) for difference in list(differences)[2:]))
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "pandas-groupby-diff: no longer as described"; exit 1; }
groupby.diff 0 0 0 0
Series.diff 14 14 14 14
groupby.diff Int64 14 14 14 14
Polars 14 14 14 14
DuckDB 14 14 14 14
END
