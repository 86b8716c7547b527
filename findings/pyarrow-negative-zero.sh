#!/bin/sh
# PyArrow 26.0.1 says that 0.0 and -0.0 are equal (pc.equal, filters, sorting), and makes different groups of them:
# group_by(), unique(), value_counts(), count_distinct() and dictionary_encode() have both, is_in() and
# index_in() do not find the one as the other, and a join finds no partner. They compare bits. So NaNs of different
# bits are different groups, too. -0.0 comes of rounding and of products: round(-0.4), 0 * -1.
#
# pandas 3.1.1, Polars 2.1.0 and DuckDB 2.0.1 have one group of both zeros and one of all NaNs, and join them. Gossamer
# does so, too.
#
# Seen: the keys 0.0, -0.0, two NaNs and 1 are 5 groups in PyArrow, 3 in the others. Joined with itself each of these
# five rows finds itself only, 5 rows in all; in the others the zeros find both zeros, the NaNs both NaNs: 9 rows.
# `keys + 0.0` makes 0.0 of -0.0 first. Takes Python 3.11 or newer, and PyPI.
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
import pyarrow
import pyarrow.compute as pc

other_nan = numpy.uint64(0xFFF8000000000001).view(numpy.float64)
keys = numpy.array([0.0, -0.0, numpy.nan, other_nan, 1.0])
arrow = pyarrow.table({"key": keys})
frame, polar = pandas.DataFrame({"key": keys}), polars.DataFrame({"key": keys})
zeros = arrow["key"][:2]
print("equal", pc.equal(zeros[0], zeros[1]).as_py(), "in", pc.is_in(zeros, pyarrow.array([0.0])).to_pylist())
answers = {
    "PyArrow": (arrow.group_by("key").aggregate([]).num_rows, pc.count_distinct(arrow["key"]).as_py(),
                arrow.join(arrow, "key", join_type="inner").num_rows),
    "pandas": (frame.groupby("key", dropna=False).ngroups, frame["key"].nunique(dropna=False), len(frame.merge(frame))),
    "Polars": (polar.group_by("key").len().height, polar["key"].n_unique(), polar.join(polar, on="key").height),
    "DuckDB": tuple(duckdb.sql(f"select count(*) from ({query})").fetchall()[0][0] for query in (
        "select key from arrow group by key", "select distinct key from arrow", "select * from arrow join arrow b using (key)")),
}
for who, (groups, different, joined) in answers.items():
    print(who, groups, different, joined)
PYTHON
cat "$folder/seen"
printf '%s\n' 'equal True in [True, False]' 'PyArrow 5 5 5' 'pandas 3 3 9' 'Polars 3 3 9' 'DuckDB 3 3 9' |
  cmp - "$folder/seen" || { echo "pyarrow-negative-zero: no longer as described"; exit 1; }
