#!/bin/sh
# Means, medians and quantiles of timestamps are other times than they should be in pandas 3.1.1 and Polars 2.1.0,
# without a word: both compute in doubles, which hold today's times in nanoseconds to 256 ns, and give the result
# the type of the column, so it looks exact. The median of a single time is another time. The mean of equal
# times is another time, too, and depends on their number. min() and max() are exact, so a median may lie below
# the minimum. Medians in microseconds are exact; a mean in microseconds is not always.
#
# Seen: the time 1700000000123456789 ns, 1, 3 and 1000 times: how far mean and median lie from it, in ns. pandas
# and Polars are 21 ns early for one time and three, pandas 491 and Polars 235 ns late in the mean of a thousand.
# A thousand times 1700000000123457 us have a mean 1 us early in pandas. DuckDB 2.0.1 is right everywhere, with whole
# numbers of 128 bits. Gossamer refuses means of timestamps. Part of it is pola-rs/polars#20811. Takes Python 3.11 or
# newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pandas==3.1.1 numpy==2.4.6 polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1
"$folder/env/bin/python" -W ignore - <<'PYTHON' >"$folder/seen"
import duckdb
import numpy
import pandas
import polars

TIME = 1700000000123456789


def far(time):
    return "over 200" if abs(time - TIME) > 200 else time - TIME


for number in 1, 3, 1000:
    times = pandas.Series(numpy.full(number, TIME).view("datetime64[ns]"))
    frame = pandas.DataFrame({"time": times})
    by_polars = polars.from_pandas(frame).select(
        mean=polars.col("time").mean(), median=polars.col("time").median()).cast(polars.Int64).row(0)
    by_duckdb = duckdb.sql("select epoch_ns(avg(time)), epoch_ns(median(time)) from frame").fetchall()[0]
    print(number, "pandas", far(times.mean().value), far(times.median().value), bool(times.median() < times.min()),
          "Polars", *map(far, by_polars), "DuckDB", *map(far, by_duckdb))
micro = pandas.DataFrame({"time": numpy.full(1000, TIME // 1000 + 1).view("datetime64[us]")})
print("us", micro["time"].mean() == micro["time"][0], polars.from_pandas(micro)["time"].mean() == micro["time"][0],
      duckdb.sql("select avg(time) = min(time) from micro").fetchall()[0][0])
PYTHON
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "nanosecond-means: no longer as described"; exit 1; }
1 pandas -21 -21 True Polars -21 -21 DuckDB 0 0
3 pandas -21 -21 True Polars -21 -21 DuckDB 0 0
1000 pandas over 200 -21 True Polars over 200 -21 DuckDB 0 0
us False True True
END
