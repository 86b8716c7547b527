"""group, as a person with a table uses it: answers beside Python's csv and Fraction, forms of text, what is refused."""
import bz2
import collections
import csv
import fractions
import gzip
import io
import json
import os
import pathlib
import random
import sys

from program import PROGRAM, ProgramTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import Job, MPIS  # noqa: E402

SEED = 20261124
COUNTRIES = ["DE", "FR", "IT", "US, east", 'say "x"', "two\nlines", "\u00e9t\u00e9", "", "a longer name than fifteen bytes"]


def table(draw, rows, newlines=True):
    """Rows of country, year, amount (integers), price (decimals), note."""
    found = []
    for _ in range(rows):
        country = COUNTRIES[int(len(COUNTRIES) * draw.random() ** 2)]
        if not newlines:
            country = country.replace("\n", " ")
        found.append([country, str(draw.randrange(1990, 2026)), draw.choice(["", str(draw.randrange(-1000, 100000))]),
                      f"{draw.uniform(-5, 300):.2f}", f"n{draw.randrange(40)}"])
    return found


def as_csv(rows, header=("country", "year", "amount", "price", "note"), end="\r\n", separator=","):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=end, delimiter=separator)
    if header:
        writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()


class Expected:
    """Groups by a dictionary of Python; sums of doubles are fractions, so they are exact."""

    def __init__(self, rows, by):
        self.groups = collections.defaultdict(list)
        for row in rows:
            self.groups[tuple(row[c] for c in by)].append(row)

    def numbers(self, key, column):
        return [fractions.Fraction(float(row[column])) for row in self.groups[key] if row[column] != ""]  # of what a double holds

    def result(self, key, what, column=0):
        if what == "count":
            return len(self.groups[key])
        if what == "distinct":
            return len({row[column] for row in self.groups[key]} - {""})
        numbers = self.numbers(key, column)
        if not numbers:
            return None
        return {"sum": sum, "mean": lambda n: sum(n) / len(n), "min": min, "max": max}[what](numbers)


class Group(ProgramTest):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(SEED)

    def check(self, answer, expected, keys, results):
        """Holds the answer's rows against those expected: (name in the answer, what, column)."""
        self.assertEqual(answer["groups"], len(expected.groups))
        found = {tuple(row[k] for k in keys): row for row in answer["top"]}
        self.assertEqual(set(found), set(expected.groups))
        for key, row in found.items():
            for name, what, column in results:
                wanted = expected.result(key, what, column)
                if wanted is None or isinstance(row[name], int):
                    self.assertEqual(row[name], wanted, (key, name))
                else:
                    self.assertEqual(row[name], float(wanted), (key, name))  # to the last digit

    def test_results_are_those_of_python(self):
        rows = table(self.draw, 30000)
        expected = Expected(rows, (0, 1))
        results = [("count", "count", 0), ("sum_amount", "sum", 2), ("max_amount", "max", 2), ("mean_price", "mean", 3),
                   ("sum_price", "sum", 3), ("min_price", "min", 3), ("distinct_note", "distinct", 4)]
        asked = ["--by", "country,year", "--count", "--sum", "amount,price", "--max", "amount", "--mean", "price", "--min", "price",
                 "--distinct", "note", "--top", 10000, "--verify"]
        text = as_csv(rows)
        for name, contents in (("a.csv", text), ("a.gz", gzip.compress(text)), ("a.bz2", bz2.compress(text)),
                               ("b.tsv", as_csv(rows, separator="\t", end="\n"))):
            self.file(name, contents)
            for cores in (1, 2, 3):
                with self.subTest(name=name, cores=cores):
                    answer = self.answer("group", name, "--cores", cores, *asked)
                    self.assertEqual((answer["rows"], answer["header"], answer["verified"]), (len(rows), True, True))
                    self.check(answer, expected, ("country", "year"), results)

    def test_sums_do_not_depend_on_cores(self):
        rows = [[str(self.draw.randrange(3)), f"{self.draw.uniform(-1e9, 1e9) * 10.0 ** self.draw.randrange(-12, 12):.17g}"]
                for _ in range(20000)]
        self.file("a.csv", as_csv(rows, header=("k", "x"), end="\n"))
        answers = [self.answer("group", "a.csv", "--by", "k", "--sum", "x", "--cores", cores)["top"] for cores in (1, 2, 3, 4)]
        for one in answers:
            self.assertEqual(one, answers[0])
        self.check(self.answer("group", "a.csv", "--by", "k", "--sum", "x"), Expected(rows, (0,)), ("k",), [("sum_x", "sum", 1)])

    def test_large_integers_are_exact(self):
        self.file("a.csv", "k,n\na,9007199254740993\na,9000000000000000001\nb,-9223372036854775808\n")
        answer = self.answer("group", "a.csv", "--by", "k", "--sum", "n", "--min", "n")
        self.assertEqual([(r["k"], r["sum_n"], r["min_n"]) for r in answer["top"]],
                         [("a", 9009007199254740994 - 0, 9007199254740993), ("b", -2**63, -2**63)])
        self.file("b.csv", "k,n\na,9223372036854775807\nb,1\na,1\n")
        answer = self.answer("group", "b.csv", "--by", "1", "--sum", "n", "--mean", "n", "--stats")
        self.assertEqual(answer["top"], [{"k": "a", "sum_n": str(2**63), "mean_n": 2.0**62}, {"k": "b", "sum_n": 1, "mean_n": 1.0}])

    def test_a_column_turns_out_to_hold_decimals(self):
        rows = [["k", str(i)] for i in range(40000)] + [["k", "0.5"], ["j", "7"]]
        self.file("a.csv", as_csv(rows, header=("k", "x")))
        answer = self.answer("group", "a.csv", "--by", "k", "--sum", "x", "--max", "x", "--stats", "--verify")
        self.assertEqual(answer["top"], [{"k": "j", "sum_x": 7.0, "max_x": 7.0}, {"k": "k", "sum_x": 40000 * 39999 / 2 + 0.5, "max_x": 39999.0}])
        self.assertEqual(answer["passes"], 2)

    def test_quotes_that_enclose_line_ends_far_into_a_file(self):
        rows = [[f"k{i % 7}", "x" * 50] for i in range(30000)]
        rows[20000][1] = "one\n\"two\"\n" * 3000
        rows[20001][0] = "a\nb"
        text = as_csv(rows, header=("k", "note"))
        for name, contents in (("a.csv", text), ("a.gz", gzip.compress(text))):
            self.file(name, contents)
            answer = self.answer("group", name, "--by", "k", "--count", "--cores", 3, "--stats")
            self.check(answer, Expected(rows, (0,)), ("k",), [("count", "count", 0)])
            self.assertEqual(answer["passes"], 2 if name == "a.csv" else answer["passes"])

    def test_no_header_and_other_forms(self):
        self.file("a.txt", "  x  1 \n y\t2\nx 3\n")
        answer = self.answer("group", "a.txt", "--by", 1, "--sum", 2, "--separator", "blanks", "--verify")
        self.assertEqual((answer["header"], answer["top"]), (False, [{"column_1": "x", "sum_column_2": 4}, {"column_1": "y", "sum_column_2": 2}]))
        self.file("b.csv", "\ufeffname;n\nx;1\ny;2\n")
        answer = self.answer("group", "b.csv", "--by", "1", "--sum", "2")  # "n" is no number: a header
        self.assertEqual((answer["header"], answer["top"][0]), (True, {"name": "x", "sum_n": 1}))
        self.assertEqual(self.answer("group", "b.csv", "--by", "1", "--no-header")["rows"], 3)
        self.file("c.csv", 'a,"b"\na,"b"\n')
        self.assertEqual(self.answer("group", "c.csv", "--by", 2, "--no-quotes")["top"], [{"column_2": '"b"', "count": 2}])

    def test_order(self):
        self.file("a.csv", "k,n\n10,5\n9,1\n100,7\n10,5\n")
        keys = lambda *more: [row["k"] for row in self.answer("group", "a.csv", "--by", "k", "--sum", "n", *more)["top"]]
        self.assertEqual(keys(), ["9", "10", "100"])  # numbers by value
        self.assertEqual(keys("--reverse"), ["100", "10", "9"])
        self.assertEqual(keys("--sort", "sum_n"), ["10", "100", "9"])
        self.assertEqual(keys("--sort", "sum_n", "--reverse", "--top", 2), ["9", "100"])
        self.assertEqual(keys("--sort", "2", "--top", 1), ["10"])
        self.file("b.csv", "k,n\n10,\nx,1\n9,nan\n")
        self.assertEqual([row["k"] for row in self.answer("group", "b.csv", "--by", "k", "--sum", "n")["top"]], ["10", "9", "x"])
        self.assertEqual([row["sum_n"] for row in self.answer("group", "b.csv", "--by", "k", "--sum", "n", "--sort", "sum_n")["top"]], [1.0, None, "nan"])

    def test_files_of_output_can_be_read_back(self):
        rows = table(self.draw, 3000)
        self.file("a.csv", as_csv(rows))
        expected = Expected(rows, (0,))
        for name in ("out.csv", "out.tsv.gz", "out.jsonl", "out.json"):
            self.answer("group", "a.csv", "--by", "country", "--sum", "amount", "--top", 1, "-o", name)
        with open(self.folder / "out.csv", newline="") as out:
            found = list(csv.reader(out))
        self.assertEqual(found[0], ["country", "sum_amount"])
        self.assertEqual({(k,): int(v) for k, v in found[1:]}, {k: expected.result(k, "sum", 2) for k in expected.groups})
        self.assertEqual([k for k, _ in found[1:]], sorted((k for k, in expected.groups), key=str.encode))
        with gzip.open(self.folder / "out.tsv.gz", "rt", newline="") as out:
            self.assertEqual(list(csv.reader(out, delimiter="\t")), found)
        self.assertEqual(json.loads((self.folder / "out.json").read_text()),
                         [json.loads(line) for line in (self.folder / "out.jsonl").read_text().splitlines()])
        again = self.answer("group", "out.csv", "--by", "country", "--sum", "sum_amount", "--top", 100)
        self.assertEqual({(r["country"],): r["sum_sum_amount"] for r in again["top"]}, {k: expected.result(k, "sum", 2) for k in expected.groups})

    def test_standard_input_and_many_files(self):
        path = self.file("a.csv", "k,n\nx,1\ny,2\n")
        self.file("b.csv", "k,n\nx,10\n")
        with open(path) as source:
            self.assertEqual(self.text("group", "-", "b.csv", "--by", "k", "--sum", "n", "-o", "-", stdin=source), "k\tsum_n\nx\t11\ny\t2\n")
        self.file("c.csv", "n,k\n1,x\n")
        self.assertIn('c.csv: expected the columns of the first file\'s header (k, n), found others (n, k)', self.refused("group", "a.csv", "c.csv", "--by", "k"))

    def test_what_is_refused(self):
        good = "".join(f"k{i % 5},{i}\n" for i in range(30000))
        self.file("few.csv", "k,n\n" + good + "k1\n" + good)
        self.file("text.csv", "k,n\n" + good + "k1,seven\n" + good)
        self.file("quote.csv", "k,n\n" + good + 'k1,"7\n' + good)
        self.file("many.csv", "k,n\n" + good + "k1,7,8\n")
        asked = ("--by", "k", "--sum", "n", "--quiet")
        self.assertEqual(self.refused("group", "few.csv", *asked), "error: few.csv:30002: expected 2 fields, found 1\n")
        self.assertEqual(self.refused("group", "text.csv", *asked), 'error: text.csv:30002: expected a number in column n, found "seven"\n')
        self.assertIn("quote.csv:30002: ", self.refused("group", "quote.csv", *asked))
        self.assertEqual(self.refused("group", "many.csv", *asked), "error: many.csv:30002: expected 2 fields, found 3\n")
        for name in ("few.csv", "text.csv", "many.csv"):
            answer = self.answer("group", name, *asked, "--skip-bad", "--verify")
            self.assertEqual((answer["skipped"], answer["rows"]), (1, 60000 if name != "many.csv" else 30000))
        self.file("worse.csv", "k,n\n" + good + "k1,seven\n" + good + "k1\n" + good + "k1,8,9\n")
        for cores in (1, 2, 3):  # the first one is that of the files, whichever core has met it
            done = self.run_program("group", "few.csv", "worse.csv", "text.csv", "--by", "k", "--sum", "n", "--skip-bad", "--cores", cores)
            self.assertIn("warning: 5 rows were skipped; the first: few.csv:30002: expected 2 fields, found 1\n", done.stderr.decode())
            done = self.run_program("group", "worse.csv", "few.csv", "--by", "k", "--sum", "n", "--skip-bad", "--cores", cores)
            self.assertIn('4 rows were skipped; the first: worse.csv:30002: expected a number in column n, found "seven"', done.stderr.decode())
        self.assertIn('no column "m": did you mean "k"?; columns: k, n', self.refused("group", "few.csv", "--by", "k", "--sum", "m", "--header"))
        self.assertIn("missing --by", self.refused("group", "few.csv"))
        self.assertIn("expected a file to read", self.refused("group", "--by", "k"))
        self.assertIn('no column "sum_m": did you mean "sum_n"?', self.refused("group", "many.csv", *asked, "--skip-bad", "--sort", "sum_m"))
        self.assertIn("cannot read no.csv: No such file", self.refused("group", "few.csv", "no.csv", "--by", "k", "-o", "out.csv"))
        self.assertIn("--separator: expected one character", self.refused("group", "few.csv", "--by", "k", "--separator", "ab"))
        self.assertIn("expected columns with commas", self.refused("group", "few.csv", "--by", "k,,n"))
        self.assertIn("empty file", self.refused("group", self.file("empty.csv", "").name, "--by", "k"))
        self.file("cut.gz", gzip.compress(("k,n\n" + good).encode())[:-9])
        self.assertIn("cut.gz: ", self.refused("group", "cut.gz", *asked, "-o", "out.csv"))
        self.assertNotIn("out.csv", self.names())

    @staticmethod
    def launchers():
        return [] if os.environ.get("GOSSAMER_SANITIZE") else MPIS  # no MPI is made for a sanitizer

    def test_several_processes(self):
        rows = table(self.draw, 20000)
        self.file("a.csv", as_csv(rows))
        self.file("b.csv.gz", gzip.compress(as_csv(rows)))
        expected = Expected(rows + rows, (0, 1))
        for launcher in self.launchers():
            for processes, cores in ((2, 1), (3, 2)):
                with self.subTest(mpi=launcher.mpi, processes=processes, cores=cores):
                    command = launcher.command(processes, PROGRAM, "group", "a.csv", "b.csv.gz", "--by", "country,year", "--sum", "amount", "--mean",
                                               "price", "--distinct", "note", "--top", 10000, "--cores", cores, "--json", "--quiet")
                    code, out, errors, _ = Job(command, folder=self.folder).end(timeout=100)
                    self.assertEqual(code, 0, errors)
                    self.check(json.loads(out), expected, ("country", "year"),
                               [("sum_amount", "sum", 2), ("mean_price", "mean", 3), ("distinct_note", "distinct", 4)])


if __name__ == "__main__":
    main()
