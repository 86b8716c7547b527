#!/bin/sh
# An .xz file may hold several streams, with zero bytes between and behind them, a multiple of four (section
# 2.2, Stream Padding, of the .xz file format). xz reads all streams. Python's lzma, which documents that it
# reads several streams as one (seen with 3.11, 3.12 and 3.13), stops at the padding: what lies behind it is
# lost without a word, and a file that ends in padding is refused though nothing is missing. So do all that
# read by it: pandas 3.1.1, smart_open 9.0.2, fsspec 2026.9.0. xopen 2.1.0 calls xz and is right.
#
# Seen: two streams of 4 and 1 rows, joined plainly, with 4 zero bytes between them, and with 4 behind them:
# 5, 5 and 5 rows by xz, 5, 4 and refused by Python. Gossamer reads 5, 5 and 5. Takes xz, Python from 3.11
# on, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet pandas==3.1.1 smart_open==9.0.2 fsspec==2026.9.0 xopen==2.1.0
cd "$folder"
env/bin/python -W ignore - <<'PYTHON' >seen
import lzma
import subprocess

import fsspec
import pandas
import smart_open
import xopen

first, second, zeros = lzma.compress(b"k,v\na,0\na,1\na,2\na,3\n"), lzma.compress(b"b,9\n"), bytes(4)
files = {"plain.csv.xz": first + second, "between.csv.xz": first + zeros + second,
         "behind.csv.xz": first + second + zeros}
for name, data in files.items():
    with open(name, "wb") as file:
        file.write(data)


def lines(opened):
    with opened as file:
        return len(file.read().splitlines()) - 1


readers = {
    "xz": lambda name: subprocess.check_output(["xz", "-dc", name]).count(b"\n") - 1,
    "Python": lambda name: lines(lzma.open(name)),
    "pandas": lambda name: len(pandas.read_csv(name)),
    "smart_open": lambda name: lines(smart_open.open(name)),
    "fsspec": lambda name: lines(fsspec.open(name, compression="infer").open()),
    "xopen": lambda name: lines(xopen.xopen(name)),
}


def rows(read, name):
    try:
        return read(name)
    except Exception:
        return "refused"


for who, read in readers.items():
    print(who, *(rows(read, name) for name in files))
PYTHON
cat seen
printf '%s\n' 'xz 5 5 5' 'Python 5 4 refused' 'pandas 5 4 refused' 'smart_open 5 4 refused' \
  'fsspec 5 4 refused' 'xopen 5 5 5' | cmp - seen ||
  { echo "xz-stream-padding: no longer as described"; exit 1; }
