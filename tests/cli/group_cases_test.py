"""group beside Python's fractions: one table of texts, commands and right answers; whatever the cores, the memory and the form of the answer."""
import csv
import fractions
import gzip
import io
import json
import math
import os
import pathlib
import random
import sys

from program import PROGRAM, ProgramTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import Job, MPIS  # noqa: E402

SEED = 20261128
LARGE = 2**53 + 1
SHAPES = [("--cores", cores) for cores in (1, 3)]

# Name, text of the table, options, rows of the answer as CSV.
NUMBERS = [
    ("integers beyond 64 bits are exact beside larger numbers", f"k,n\na,{2**64}\na,1\nb,{2**256 - 1}\n", "--by k --sum n --max n",
     f"a,{2**64 + 1},{2**64}\nb,1.157920892373162e+77,1.157920892373162e+77\n"),
    ("a larger integer leaves the digits of other groups alone", f"k,n\na,{LARGE}\nb,{2**70}\na,1\n", "--by k --sum n --min n",
     f"a,{LARGE + 1},1\nb,{2**70},{2**70}\n"),
    ("a fraction leaves them alone, too", f"k,n\na,{LARGE}\nb,0.5\n", "--by k --sum n --max n", f"a,{LARGE},{LARGE}\nb,0.5,0.5\n"),
    ("integers and one fraction are rounded once", f"k,n\na,{LARGE}\na,0.5\na,{LARGE}\n", "--by k --sum n", "a,1.8014398509481988e+16\n"),
    ("a sum leaves 64 bits and comes back", f"k,n\na,{2**63 - 1}\na,1\na,-2\n", "--by k --sum n", f"a,{2**63 - 2}\n"),
    ("a sum leaves 128 bits and comes back", f"k,n\na,{2**127 - 1}\na,{2**127 - 1}\na,{-2**127}\n", "--by k --sum n", f"a,{2**126 * 2 - 2}\n"),
    ("a sum beyond 128 bits is the nearest double", f"k,n\na,{2**127 - 1}\na,{2**127 - 1}\na,{-2**126}\n", "--by k --sum n --mean n",
     f"a,{float(2**128 - 2 - 2**126)!r},{float(fractions.Fraction(2**128 - 2 - 2**126, 3))!r}\n"),
    ("a sum below -2^127", f"k,n\na,{-2**127}\na,-1\n", "--by k --sum n", f"a,{float(-2**127 - 1)!r}\n"),
    ("means of nanoseconds", "k,n\n" + "".join(f"a,{1760000000000000000 + i}\n" for i in range(6)), "--by k --mean n --sum n",
     f"a,1.76e+18,{1760000000000000000 * 6 + 15}\n"),
    ("NaN makes results NaN, the first one", "k,n\na,nan\na,5\nb,1\n", "--by k --sum n --min n --max n --mean n", "a,nan,nan,nan,nan\nb,1,1,1,1\n"),
    ("NaN makes results NaN, the last one", "k,n\na,5\na,NaN\nb,1\n", "--by k --sum n --min n --max n --mean n", "a,nan,nan,nan,nan\nb,1,1,1,1\n"),
    ("NaN with a sign", "k,n\na,-nan\n", "--by k --sum n --min n", "a,nan,nan\n"),
    ("infinite results are there", "k,n\na,1e308\na,1e308\nb,-inf\nb,5\nc,inf\nc,-inf\n", "--by k --sum n --min n --max n",
     "a,inf,1e+308,1e+308\nb,-inf,-inf,5\nc,nan,-inf,inf\n"),
    ("no numbers are none", "k,n\na,\nb,2\n", "--by k --sum n --min n --mean n", "a,,,\nb,2,2,2\n"),
    ("the largest of both sides", f"k,n\na,{2**60}\na,{float(2**60) * 1.5:.1f}\nb,{2**60 + 1}\nb,{2**60}.0\n", "--by k --min n --max n",
     f"a,{2**60},{float(2**60) * 1.5!r}\nb,{float(2**60)!r},{2**60 + 1}\n"),
    ("keys of many digits are ordered by their values", f"k\n{10**23 + 3}\n{10**23 + 1}\n{10**23 + 2}\n99\n-1.5\n", "--by k --count",
     f"-1.5,1\n99,1\n{10**23 + 1},1\n{10**23 + 2},1\n{10**23 + 3},1\n"),
    ("results of many digits are ordered by their values", f"k,n\na,{2**70 + 1}\nb,{2**70 + 3}\nc,{2**70 + 2}\nd,7\n", "--by k --max n --sort max_n",
     f"b,{2**70 + 3}\nc,{2**70 + 2}\na,{2**70 + 1}\nd,7\n"),
    ("a small sum of large numbers", "k,n\na,1e20\na,1.5\na,-1e20\nb,0.75\nb,1e3\nb,-1e3\n", "--by k --sum n --mean n", "a,1.5,0.5\nb,0.75,0.25\n"),
    ("a small mean of large integers", f"k,n\na,{10**20}\na,6\na,{-10**20}\na,-3\n", "--by k --mean n", "a,0.75\n"),
    ("options that are given twice both count", "k,l,a,b\nx,1,1,2\nx,2,3,4\n", "--by k --by l --sum a --sum b --quantile 0.5:a --quantile 1:b",
     "x,1,1,2,1,2\nx,2,3,4,3,4\n"),
    ("missing values that are given twice", "k,n\na,NA\na,-\na,3\n", "--by k --sum n --null NA --null -", "a,3\n"),
    ("NaN and no number come last", "k,n\na,1\nb,nan\nc,\nd,inf\n", "--by k --sum n --sort sum_n", "d,inf\na,1\nb,nan\nc,\n"),
]


def rows_of(text):
    return [[number(field) for field in row] for row in csv.reader(io.StringIO(text))]


def number(field):
    """Texts of numbers that mean the same are the same."""
    try:
        return int(field)
    except ValueError:
        pass
    try:
        return "nan" if math.isnan(float(field)) else float(field)
    except ValueError:
        return field


class Cases(ProgramTest):
    def table(self, cases):
        for name, text, options, right in cases:
            self.file("t.csv", text)
            for shape in SHAPES:
                with self.subTest(name, shape=shape):
                    command = ("group", "t.csv", *options.split(), *shape)
                    answer = self.answer(*command, "-o", "out.csv", "--verify")
                    self.assertTrue(answer["verified"])
                    with open(self.folder / "out.csv", newline="") as out:
                        names, *rows = csv.reader(out)
                    right_rows = rows_of(right)
                    self.assertEqual([[number(f) for f in row] for row in rows], right_rows)
                    if shape != SHAPES[0]:
                        continue
                    # The same on the screen and in JSON, where null is no number, and inf, nan and more than 64 bits are texts.
                    self.assertEqual([[number("" if row[n] is None else str(row[n])) for n in names] for row in answer["top"]], right_rows)
                    self.answer(*command, "-o", "out.json")
                    self.assertEqual([list(row.values()) for row in json.loads((self.folder / "out.json").read_text())],
                                     [list(row.values()) for row in answer["top"]])
                    shown = self.run_program(*command).stdout.decode()
                    for row in rows:
                        for field in row:
                            self.assertTrue(field in shown or "e+" in field or f"{number(field):,}" in shown, (field, shown))

    def test_numbers(self):
        self.table(NUMBERS)

    def test_sums_of_any_integers_are_exact(self):
        draw = random.Random(SEED)
        for round_ in range(12):
            bits = draw.choice([20, 60, 63, 64, 80, 126])
            pairs = [(f"k{draw.randrange(5)}", draw.randrange(-2**bits, 2**bits)) for _ in range(3000)]
            self.file("t.csv", "k,n\n" + "".join(f"{k},{n}\n" for k, n in pairs))
            of = {k: [n for key, n in pairs if key == k] for k in {k for k, _ in pairs}}
            for shape in SHAPES:
                with self.subTest(seed=SEED, round=round_, bits=bits, shape=shape):
                    answer = self.answer("group", "t.csv", *"--by k --sum n --mean n --min n --max n".split(), *shape)
                    for row in answer["top"]:
                        n = of[row["k"]]
                        right = sum(n) if -2**127 <= sum(n) < 2**127 else float(sum(n))
                        self.assertEqual([number(str(row[c])) for c in ("sum_n", "min_n", "max_n", "mean_n")],
                                         [right, min(n), max(n), float(fractions.Fraction(sum(n), len(n)))])

    def test_integers_and_fractions_are_rounded_once(self):
        draw = random.Random(SEED + 1)
        for round_ in range(8):
            fields = [str(draw.randrange(-2**62, 2**62)) if draw.random() < 0.5 else f"{draw.uniform(-1e6, 1e6):.3f}" for _ in range(2000)]
            self.file("t.csv", "k,n\n" + "".join(f"a,{f}\n" for f in fields))
            exact = [fractions.Fraction(int(f)) if "." not in f else fractions.Fraction(float(f)) for f in fields]
            for shape in SHAPES:
                with self.subTest(seed=SEED + 1, round=round_, shape=shape):
                    row, = self.answer("group", "t.csv", *"--by k --sum n --min n --max n".split(), *shape)["top"]
                    self.assertEqual([row["sum_n"], row["min_n"], row["max_n"]], [float(sum(exact)), min(exact), max(exact)])

    def test_means_are_rounded_once_beside_fractions_of_other_groups(self):
        draw = random.Random(SEED + 8)
        of = {f"g{i}": [draw.randrange(2**draw.choice((40, 62)), 2**63) for _ in range(draw.randrange(1, 8))] for i in range(300)}
        of["g"] = [9178021181797611249, 9211498065946433291, 244114753710910467]  # between two doubles, nearly
        self.file("t.csv", "k,v\nz,0.5\n" + "".join(f"{k},{v}\n" for k, values in of.items() for v in values))
        for shape in SHAPES:
            answer = self.answer("group", "t.csv", *"--by k --mean v --top 999".split(), *shape)
            found = {row["k"]: row["mean_v"] for row in answer["top"]}
            self.assertEqual(found, {"z": 0.5} | {k: float(fractions.Fraction(sum(values), len(values))) for k, values in of.items()}, f"seed {SEED + 8}")

    def test_numbers_of_groups_in_scratch_files(self):
        draw = random.Random(SEED + 2)
        rows = [(f"a group with a long name {draw.randrange(9000)}", draw.choice(["nan", "7", "", str(2**62), str(-2**90), "0.5", "inf"])) for _ in range(30000)]
        of = {}
        for k, n in rows:
            of.setdefault(k, []).append(number(n))
        self.file("t.csv", "k,n\n" + "".join(f"{k},{n}\n" for k, n in rows))
        command = ("group", "t.csv", *"--by k --sum n --min n --max n --top 10000".split())
        answer = self.answer(*command, "--cores", 2, "--memory", "512K", "--stats", "--verify")
        self.assertGreater(answer["spills"], 0)
        self.assertEqual(answer["top"], self.answer(*command, "--cores", 1)["top"])
        for row in answer["top"]:
            n = [each for each in of[row["k"]] if each != ""]
            if not n:
                right = ["None"] * 3
            elif "nan" in n:
                right = ["nan"] * 3
            else:
                right = [sum(map(float, n)) if math.inf in n else sum(map(fractions.Fraction, n)), min(n), max(n)]
            found = [number(str(row[c])) for c in ("sum_n", "min_n", "max_n")]
            if isinstance(right[0], fractions.Fraction):
                right[0] = int(right[0]) if all(isinstance(each, int) for each in n) else float(right[0])
            self.assertEqual(found, right, n)

    def test_reversed_keys_are_in_the_opposite_order(self):
        self.file("t.csv", "a,b\n1,x\n1,y\n2,x\n2,y\n10,x\n")
        for cores in (1, 2):
            rows = [(row["a"], row["b"]) for row in self.answer("group", "t.csv", "--by", "a,b", "--cores", cores)["top"]]
            self.assertEqual(rows, [("1", "x"), ("1", "y"), ("2", "x"), ("2", "y"), ("10", "x")])
            for order in ((), ("--sort", "a")):
                turned = [(row["a"], row["b"]) for row in self.answer("group", "t.csv", "--by", "a,b", "--reverse", *order, "--cores", cores)["top"]]
                self.assertEqual(turned, rows[::-1])

    def test_columns_of_the_answer_have_different_names(self):
        self.file("t.csv", "count,n\n7,1\n7,2\n")
        answer = self.answer("group", "t.csv", "--by", "count", "--count", "--sum", "n,n", "-o", "out.json")
        self.assertEqual(answer["top"], [{"count": "7", "count_2": 2, "sum_n": 3, "sum_n_2": 3}])
        self.assertEqual(json.loads((self.folder / "out.json").read_text()), answer["top"])

    def test_results_stand_in_the_order_of_the_options(self):
        self.file("t.csv", "k,v,w\na,1,2\n")
        for options in ("--quantile 0.5:v --median w --sum v --count --distinct w", "--count --max w,v --mean v --min w --max k --by w",
                        "--sum w --count --sum v"):
            found = list(self.answer("group", "t.csv", "--by", "k", *options.split())["top"][0])
            words = options.replace(" --by w", "").replace("--quantile 0.5:", "--median ").replace("--", " --").split()
            of, right = "", ["k", "w"] if "--by w" in options else ["k"]
            for word in words:
                of = word[2:] if word.startswith("--") else of
                right += ["count"] if word == "--count" else [] if word.startswith("--") else [f"{of}_{c}" for c in word.split(",")]
            self.assertEqual(found, right)
        self.assertEqual(list(self.answer("group", "t.csv", *"--by k --count --sum v --count".split())["top"][0]), ["k", "count", "sum_v"])

    def test_the_least_of_zeros_has_a_sign(self):
        zeros = ["0.0"] * 70000 + ["-0.0"] * 70000
        for values in zeros, zeros[::-1]:
            self.file("zeros.csv", "k,v\n" + "".join(f"a,{v}\n" for v in values))
            for cores in 1, 2, 3:
                with self.subTest(first=values[0], cores=cores):
                    self.assertEqual(self.text("group", "zeros.csv", *"--by k --min v --max v --quiet -o - --cores".split(), cores),
                                     "k\tmin_v\tmax_v\na\t-0\t0\n")

    def test_lines_and_files_without_records(self):
        self.file("lead.csv", "\n\r\na;b\n1;2\n1;3\n")
        self.assertEqual(self.answer("group", "lead.csv", "--by", "a", "--sum", "b", "--verify")["top"], [{"a": "1", "sum_b": 5}])
        for name, text in ("empty", ""), ("mark", b"\xef\xbb\xbf"), ("lines", "\n\n"), ("t", "a,b\n1,2\n"):
            self.file(f"{name}.csv", text)
        files = ("mark.csv", "empty.csv", "lines.csv", "t.csv", "lines.csv", "mark.csv", "empty.csv")
        self.assertEqual(self.answer("group", *files, "--by", "a", "--verify")["top"], [{"a": "1", "count": 1}])
        self.assertEqual(self.text("sort", *files, "--header"), "a,b\n1,2\n")
        self.assertEqual(self.answer("wordcount", *files, "--field", "b", "--separator", ",")["words"], 1)
        for table, options, right in (("k,name\na,Bob\na,Al\n", "--by k --max name", [{"k": "a", "max_name": "Bob"}]),
                                      ("k,v\na,1\na,10\n", "--by 1 --max 2 --count", [{"k": "a", "max_v": 10, "count": 2}]),
                                      ('"k\nx",v\n\na,1\n', "--by 1 --max 2", [{"k\nx": "a", "max_v": 1}])):
            self.file("rows.csv", table)
            self.file("header.csv", table[:table.index("\na,")] + "\n")
            for files in ("header.csv", "rows.csv"), ("rows.csv", "header.csv"), ("header.csv", "header.csv", "rows.csv", "empty.csv"):
                self.assertEqual(self.answer("group", *files, *options.split(), "--verify")["top"], right, files)
        self.file("missing.csv", "k,name\nb,\n")
        self.file("names.csv", "k,name\na,Bob\n")
        for files in ("missing.csv", "names.csv"), ("names.csv", "missing.csv"):
            self.assertEqual(self.answer("group", *files, *"--by k --max name --verify".split())["top"],
                             [{"k": "a", "max_name": "Bob"}, {"k": "b", "max_name": None}])
        for name in "empty", "mark", "lines":
            self.assertIn(f"error: {name}.csv: expected records, found an empty file\n", self.refused("group", f"{name}.csv", "--by", 1))

    def test_dates_without_a_header(self):
        self.file("dates.csv", "a,2020-01-05\na,2020-01-02\nb,2020-02-01\n")
        answer = self.answer("group", "dates.csv", "--by", 1, "--min", 2, "--count", "--verify")
        self.assertEqual([list(row.values()) for row in answer["top"]], [["a", "2020-01-02", 2], ["b", "2020-02-01", 1]])

    def test_a_bad_first_row_is_skipped(self):
        self.file("t.csv", 'a"b"c,1\na,2\nb,3\n')
        answer = self.answer("group", "t.csv", "--no-header", "--by", 1, "--sum", 2, "--skip-bad", "--verify")
        self.assertEqual((answer["rows"], answer["skipped"]), (2, 1))

    def test_as_many_results_as_there_may_be(self):
        wide, columns = 2**70, [f"c{i}" for i in range(16)]
        self.file("t.csv", "k," + ",".join(columns) + "\n" + "".join(f"a,{','.join(str(v + i) for i in range(16))}\n" for v in (wide, 3)) +
                  "a," + ",".join(["1.5"] * 16) + "\n")
        answer = self.answer("group", "t.csv", "--by", "k", "--sum", ",".join(columns), "--min", ",".join(columns[:8]), "--verify")
        self.assertEqual(list(answer["top"][0].values())[1:], [float(wide + 4.5 + 2 * i) for i in range(16)] + [1.5] * 8)
        answer = self.answer("group", "t.csv", "--by", "k", *(f"--{what}={','.join(columns[:8])}" for what in ("sum", "min", "max")), "--verify")
        self.assertEqual(answer["verified"], True)

    def test_sums_beyond_128_bits_are_rounded_once(self):
        draw = random.Random(SEED)
        for table in range(40):
            values = [(draw.getrandbits(127) | 1 << 126) * draw.choice((1, -1) if table % 4 == 0 else (1,) if table % 2 else (-1,))
                      for _ in range(draw.randrange(3, 40))] + [draw.getrandbits(draw.randrange(1, 120))]
            self.file("t.csv", "k,v\n" + "".join(f"a,{v}\n" for v in values))
            with self.subTest(seed=SEED, table=table):
                top = self.answer("group", "t.csv", *"--by k --sum v --mean v --verify".split())["top"][0]
                if abs(sum(values)) >= 1 << 127:
                    self.assertEqual(top["sum_v"], float(sum(values)))
                self.assertEqual(top["mean_v"], float(fractions.Fraction(sum(values), len(values))))

    def test_equal_numbers_of_two_kinds(self):
        self.file("t.csv", "k,v\na,3.0\na,3\nb,9007199254740993\nb,1.5\nc,-0.0\nc,0\nd,1180591620717411303424.0\nd,1180591620717411303425\n")
        self.assertEqual(self.text("group", "t.csv", *"--by k --min v --max v --verify -o -".split()),
                         "k\tmin_v\tmax_v\na\t3\t3\nb\t1.5\t9007199254740993\nc\t-0\t0\nd\t1.1805916207174113e+21\t1180591620717411303425\n")

    def test_quantiles_between_places(self):
        for rows in 19, 20, 22:
            self.file("q.csv", "k,v\n" + "a,0\n" * (rows - 2) + "a,1\n" * 2)
            self.assertTrue(self.answer("group", "q.csv", "--by", "k", "--quantile", "0.9:v", "--verify")["verified"])

    def test_long_texts_order_results(self):
        texts = {f"k{i:03}": f"aaaaaaaa{i * 7 % 50:02}" + "z" * 30 for i in range(50)}
        self.file("long.csv", "k,t\n" + "".join(f"{k},{t}\n" for k, t in texts.items()))
        for option, order in (("min", True), ("max", True)):
            for cores in 1, 3:
                with self.subTest(option=option, cores=cores):
                    rows = self.text("group", "long.csv", "--by", "k", f"--{option}", "t", "--sort", f"{option}_t", "-q", "-o", "-",
                                     "--cores", cores).splitlines()[1:]
                    self.assertEqual([row.split("\t")[0] for row in rows], sorted(texts, key=texts.get, reverse=order))

    def test_a_return_inside_a_line_is_no_blank(self):
        self.file("cr.txt", b"k v\na\rb 1\na 2\r\n")
        answer = self.answer("group", "cr.txt", *"--separator blanks --header --by k --sum v --verify".split())
        self.assertEqual((answer["groups"], answer["verified"]), (2, True))

    def test_numbers_beyond_doubles_are_bad(self):
        self.file("t.csv", "k,n\na,1e400\na,2\na,1e-400\n")
        self.assertIn('t.csv:2: expected a number in column n, found "1e400", which is beyond the range of doubles',
                      self.refused("group", "t.csv", "--by", "k", "--sum", "n"))
        answer = self.answer("group", "t.csv", "--by", "k", "--sum", "n", "--skip-bad", "--verify")
        self.assertEqual((answer["top"], answer["skipped"], answer["verified"]), ([{"k": "a", "sum_n": 2.0}], 1, True))

    def test_missing_values_of_one_column(self):
        self.file("t.csv", "site,temp,rain\na,NA,5\na,10,1\nb,12,2\nb,NULL,NA\n")
        self.assertIn('t.csv:2: expected a number in column temp, found "NA": --null NA takes it for a missing value',
                      self.refused("group", "t.csv", "--by", "site", "--sum", "temp"))
        for cores in (1, 2):
            answer = self.answer("group", "t.csv", *"--by site --sum temp,rain --distinct temp --null NA,NULL --verify --cores".split(), cores)
            self.assertEqual(answer["top"], [{"site": "a", "sum_temp": 10, "sum_rain": 6, "distinct_temp": 1},
                                             {"site": "b", "sum_temp": 12, "sum_rain": 2, "distinct_temp": 1}])
        for rows in 3, 14000:  # more than are read first
            text = "k,temp\n" + "a,NA\n" * rows + "a,9.5\na,10.5\nb,7\n"
            self.file("t.csv", text)
            self.file("t.csv.gz", gzip.compress(text.encode()))
            for name in "t.csv", "t.csv.gz":
                asked = ("group", name, *"--by k --min temp --max temp".split())
                self.assertIn(f'{name}:2: expected a number in column temp, found "NA": --null NA takes it for a missing value', self.refused(*asked))
                for cores in (1, 2):
                    self.assertEqual(self.answer(*asked, "--null", "NA", "--cores", cores, "--verify")["top"],
                                     [{"k": "a", "min_temp": 9.5, "max_temp": 10.5}, {"k": "b", "min_temp": 7, "max_temp": 7}])
        self.file("t.csv", "k,name,day\n" + "a,NA,\n" * 14000 + 'a,"Bob\n",\na,Al,\n' + "a,,\n" * 300000 + "a,,2020-01-02\n")
        for cores in (1, 2):
            answer = self.answer("group", "t.csv", *"--by k --min name,day --null NA --verify --cores".split(), cores)
            self.assertEqual(answer["top"], [{"k": "a", "min_name": "Al", "min_day": "2020-01-02"}])
        self.file("t.csv", "k,n\na,-999\na,nan\na,5\nnan,1\n")
        answer = self.answer("group", "t.csv", *"--by k --min n --null -999,nan --verify".split())
        self.assertEqual(answer["top"], [{"k": "a", "min_n": 5}, {"k": "nan", "min_n": 1}])

    def test_names_of_columns(self):
        self.file("years.csv", "2019,2020\n1,10\n2,20\n1,30\n")
        self.assertEqual(self.answer("group", "years.csv", "--by", "2019", "--sum", "2020")["top"],
                         [{"2019": "1", "sum_2020": 40}, {"2019": "2", "sum_2020": 20}])
        self.file("few.csv", "1,10\n2,20\n")
        self.assertIn("expected at least 3 columns, found 2; the first line, cut at ',', is \"1\", \"10\" (--separator",
                      self.refused("group", "few.csv", "--by", "3"))
        self.file("sales.csv", "country,amount\nDE,5\n")
        self.assertIn('sales.csv: no column "contry": did you mean "country"?; the first line, cut at \',\', is "country", "amount"',
                      self.refused("group", "sales.csv", "--by", "contry"))
        for name, text, column, cut in (("excel.csv", "sep=;\nland;wert\nDE;1\n", "land", "cut at ';', is \"sep=\", \"\""),
                                        ("comment.csv", "# exported by tool\n# v2\nk,v\n", "k", 'is "# exported by tool"'),
                                        ("blanks.txt", "k v\na 1\n", "k", "cut at ',', is \"k v\"")):
            self.file(name, text)
            said = self.refused("group", name, "--by", column)
            self.assertIn(f'{name}: no column "{column}": ', said)
            self.assertIn(cut, said)
            self.assertIn("--header", said)
        self.file("named.csv", "name , value\nx , 1\n")
        self.assertIn('no column "name": did you mean "name "?', self.refused("group", "named.csv", "--by", "name"))
        self.assertIn("--no-header says that there is none", self.refused("group", "sales.csv", "--by", "country", "--no-header"))
        self.file("access.log", '127.0.0.1 - - [27/Nov/2026:10:00:00 +0000] "GET /a b HTTP/1.1" 200 12\n')
        self.assertIn("access.log: first line: expected quotes only around a whole field (doubled inside it), found one inside a field "
                      "(--no-quotes takes quotes as they stand); fields are cut at ',': --separator cuts them elsewhere", self.refused("group", "access.log", "--by", 9, "--no-header"))

    def test_quantiles_are_those_of_sorted_numbers(self):
        draw = random.Random(SEED + 3)

        def right(numbers, share):
            numbers = sorted(map(fractions.Fraction, numbers))
            place = fractions.Fraction(share) * (len(numbers) - 1)
            below = int(place)
            return numbers[below] + (numbers[min(below + 1, len(numbers) - 1)] - numbers[below]) * (place - below)

        for kind in ("integers", "reals", "large"):
            of = {}
            rows = []
            for _ in range(3000):
                k = f"a key of more than fifteen bytes {draw.randrange(40)}" if draw.random() < 0.5 else str(draw.randrange(40))
                n = {"integers": draw.randrange(-99, 100), "reals": round(draw.uniform(-9, 9), 3), "large": draw.randrange(2**62, 2**63)}[kind]
                rows.append(f"{k},{n}\n")
                of.setdefault(k, []).append(n)
            self.file("t.csv", "k,n\n" + "".join(rows) + "none,\n")
            for shape in (("--cores", 1), ("--cores", 3), ("--cores", 2, "--memory", "512K"), ("--cores", 2, "--memory", "64M"),
                          ("--cores", 2, "--resume", "work")):
                answer = self.answer("group", "t.csv", "--by", "k", "--median", "n", "--quantile", "0.25:n,1:n", "--max", "n", "--count",
                                     "--top", 99, "--verify", *shape)
                self.assertEqual(len(answer["top"]), len(of) + 1)
                for row in answer["top"]:
                    found = [row[name] for name in ("median_n", "quantile_0.25_n", "quantile_1_n", "max_n", "count")]
                    if row["k"] == "none":
                        self.assertEqual(found, [None] * 4 + [1])
                        continue
                    numbers = of[row["k"]]
                    for value, share in zip(found, (0.5, 0.25, 1)):
                        exact = right(numbers, share)
                        self.assertAlmostEqual(value, float(exact), delta=abs(float(exact)) * 1e-15, msg=(SEED, kind, share))
                    self.assertEqual(found[0], float(right(numbers, 0.5)))
                    self.assertEqual(found[3:], [max(numbers), len(numbers)])
        self.file("t.csv", "k,n\na,-nan\na,1\na,2\nb,inf\nb,1\nb,2\n")
        for shape in ((), ("--memory", "1M")):
            self.assertEqual([row["median_n"] for row in self.answer("group", "t.csv", "--by", "k", "--median", "n", *shape)["top"]], ["nan", 2])
        # The middle of an infinite number and a finite one is infinite.
        self.file("t.csv", "k,n\na,-inf\na,-inf\na,0.5\nb,-inf\nb,3\nc,3\nc,inf\nd,-inf\nd,inf\n")
        for shape in ((), ("--memory", "1M")):
            answer = self.answer("group", "t.csv", "--by", "k", "--median", "n", "--sort", "k", "--verify", *shape)
            self.assertEqual([row["median_n"] for row in answer["top"]], ["-inf", "-inf", "inf", "nan"])
        self.file("t.csv", f"k,n\na,{-2**63}\na,{2**63 - 1}\nb,{10**37}\n")
        self.answer("group", "t.csv", "--by", "k", "--median", "n", "--verify")
        # A stray quote joins lines up to the next one.
        for row, more in (('5" disk,2\n6" disk,3\n', "2 lines"), ('"x"y,3\n', None), ('5" disk,2\n"x""y",3\n6",4\n', "3 lines")):
            self.file("t.csv", "k,n\na,1\n" + row + '"b",4\n')
            done = self.run_program("group", "t.csv", "--by", "k", "--skip-bad", "--verify", "--json")
            self.assertEqual(sorted(group["k"] for group in json.loads(done.stdout)["top"]), ["a", "b"])
            self.assertIn("1 row was skipped", done.stderr.decode())
            self.assertEqual(f"by its quotes the row has {more}" in done.stderr.decode(), more is not None)
        for rows, more in (('5" disk,2\n', None), ('5" disk,2\nb,3\n', "2 lines"), ('"open,2\nb,3', "2 lines")):
            self.file("t.csv", "k,n\na,1\n" + rows)
            said = self.refused("group", "t.csv", "--by", "k")
            self.assertEqual(f"; by its quotes the row has {more}" in said if more else "; by its quotes" not in said, True, said)
        for wrong in ("n", "2:n", "x:n", "0.5:", "nan:n"):
            self.assertIn("--quantile: expected", self.refused("group", "t.csv", "--by", "k", "--quantile", wrong))

    def test_several_processes(self):
        draw = random.Random(SEED + 4)
        fields = ["nan", "7", "", str(2**62), str(-2**90), "0.5", "inf", str(2**63 - 1)]
        rows = "".join(f"k{draw.randrange(600)},{draw.choice(fields[: 4 if draw.random() < 0.99 else 8])},{'t' * draw.randrange(30, 36)}{n % 97}\n"
                       for n in range(20000))
        self.file("t.csv", "k,n,d\n" + rows + '"many\nlines",1,\n' + rows)
        asked = "group t.csv --by k --sum n --min n,d --max n,d --mean n --median n --top 1000 --json --quiet".split()
        expected = self.answer(*asked, "--cores", 1)
        for launcher in [] if os.environ.get("GOSSAMER_SANITIZE") else MPIS:
            for processes, cores in ((2, 1), (3, 2)):
                with self.subTest(mpi=launcher.mpi, processes=processes, cores=cores):
                    command = launcher.command(processes, PROGRAM, *asked, "--cores", cores)
                    code, out, errors, _ = Job(command, folder=self.folder).end(timeout=100)
                    self.assertEqual(code, 0, errors)
                    self.assertEqual(json.loads(out)["top"], expected["top"])

    def test_the_least_and_the_largest_text(self):
        draw = random.Random(SEED + 5)
        texts = ["", "2024-03-01", "2023-12-31", "2024-03-01T12:00:00.000+01:00", "é", "zz", "z", "7th", "x" * 31]
        rows = [(f"k{draw.randrange(300)}", draw.choice(texts)) for _ in range(6000)]
        of = {}
        for k, text in rows:
            of.setdefault(k, []).append(text)
        self.file("t.csv", "k,d\na,2024-03-01\na,2023-12-31\nnone,\n" + "".join(f"{k},{d}\n" for k, d in rows))
        for shape in (("--cores", 1), ("--cores", 3), ("--cores", 2, "--memory", "512K")):
            with self.subTest(seed=SEED + 5, shape=shape):
                answer = self.answer("group", "t.csv", *"--by k --min d --max d --count --top 999 -o out.csv --verify".split(), *shape)
                found = {row["k"]: (row["min_d"], row["max_d"]) for row in answer["top"]}
                self.assertEqual((found.pop("a"), found.pop("none")), (("2023-12-31", "2024-03-01"), (None, None)))
                right = {k: [text for text in d if text] for k, d in of.items()}
                self.assertEqual(found, {k: (min(d, key=str.encode), max(d, key=str.encode)) for k, d in right.items()})
        order = [row["max_d"] for row in self.answer("group", "t.csv", *"--by k --max d --sort max_d --top 999".split())["top"]]
        self.assertEqual(order[-1], None)
        self.assertEqual(order[:-1], sorted(order[:-1], key=str.encode, reverse=True))
        self.file("t.csv", "k,d\n" + "a,x\n" * 20000 + "a,7\n")  # after 64 KiB a number is a text like others
        self.assertEqual(self.answer("group", "t.csv", *"--by k --min d --verify --cores 2".split())["top"], [{"k": "a", "min_d": "7"}])
        self.file("t.csv", "k,d\na,1\na,x\n")  # one text among numbers is none of them
        self.assertIn('t.csv:3: expected a number in column d, found "x"', self.refused("group", "t.csv", "--by", "k", "--max", "d"))

    def test_texts_of_any_length(self):
        draw = random.Random(SEED + 6)

        def text():
            return "".join(draw.choice("ab") for _ in range(draw.choice((0, 1, 7, 31, 32, 33, 60, 300)))) + draw.choice(("", "é", '""'))

        rows = [(f"a key of some length {draw.randrange(200)}" if draw.random() < 0.3 else f"k{draw.randrange(300)}", text(), text(), draw.randrange(99))
                for _ in range(6000)]
        first = [("k1", "short", "s", 1)] * 6000  # beyond the first 64 KiB: long texts are found out by a pass in vain
        for name, table in (("head", rows), ("later", first + rows)):
            self.file("t.csv", "k,d,e,n\n" + "".join(f'{k},"{d}","{e}",{n}\n' for k, d, e, n in table))
            of = {}
            for k, d, e, n in table:
                of.setdefault(k, []).append((d.replace('""', '"').encode(), e.replace('""', '"').encode(), n))
            right = {}
            for k, all_of in of.items():
                d, e, n = ([x for x in column if x != b""] for column in zip(*all_of))
                right[k] = [f(column).decode() if column else None for column, f in ((d, min), (d, max), (e, max))] + [sum(n), len(all_of), len(set(e))]
            results = "--by k --min d --max d,e --sum n --count --distinct e".split()
            for shape in (("--cores", 1), ("--cores", 3), ("--cores", 2, "--memory", "1M"), ("--cores", 2, "--resume", "work")):
                with self.subTest(seed=SEED + 6, table=name, shape=shape):
                    answer = self.answer("group", "t.csv", *results, "--top", 9999, "-o", "out.csv", "--verify", *shape)
                    found = {row["k"]: [row[c] for c in ("min_d", "max_d", "max_e", "sum_n", "count", "distinct_e")] for row in answer["top"]}
                    self.assertEqual(found, right)
                    self.assertEqual([row["k"] for row in answer["top"]], sorted(right, key=str.encode))
                    with open(self.folder / "out.csv", newline="") as out:
                        written = [tuple(row[c] for c in ("k", "min_d", "max_d", "max_e")) for row in csv.DictReader(out)]
                    self.assertEqual(written, [(k, *(v or "" for v in right[k][:3])) for k in sorted(right, key=str.encode)])
                    least = self.answer("group", "t.csv", *results, "--sort", "max_d", "--top", 7, *shape)["top"]
                    self.assertEqual([row["max_d"] for row in least], sorted((v[1] for v in right.values() if v[1]), key=str.encode, reverse=True)[:7])
        self.file("t.csv", "k,j,d\n2,1," + "x" * 40 + "\n10,1,y\n10,02,z\n")  # numeric keys keep their order
        self.assertEqual([(row["k"], row["j"], row["max_d"]) for row in self.answer("group", "t.csv", *"--by k,j --max d".split())["top"]],
                         [("2", "1", "x" * 40), ("10", "1", "y"), ("10", "02", "z")])
        big = "x" * 3_000_000
        self.file("t.csv", f"k,d\na,{big}b\na,{big}a\nb,y\n")
        for shape in ((), ("--memory", "1M")):
            self.assertEqual([row["min_d"] for row in self.answer("group", "t.csv", *"--by k --min d".split(), *shape)["top"]], [big + "a", "y"])

    def test_cents_are_shown(self):
        self.file("t.csv", "k,n\na,6602082677.35\nb,1234567890123.45\nc,0.1\nd,0.333333333333\n")
        shown = self.run_program("group", "t.csv", "--by", "k", "--sum", "n").stdout.decode()
        for text in ("6602082677.35", "1234567890123.45", "  0.1", "0.3333333333"):
            self.assertIn(text, shown)

    def test_what_is_read_is_never_written_over(self):
        self.spares_what_it_reads("k,n\na,1\n", "group", "--by", "k")


if __name__ == "__main__":
    main()
