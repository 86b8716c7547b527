"""sort on files as people have them: what other programs write, and what goes wrong with it. Oracles are Python's own."""
import csv
import gzip
import io
import os
import pathlib
import random
import struct
import subprocess
import sys
import unittest
from fractions import Fraction

from program import CLEAN, PROGRAM, QUOTED_FIELDS, ProgramTest, main, quoted_table

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import NODE  # noqa: E402

SEED = 20261128


class SortCases(ProgramTest):
    def sorted(self, *arguments, cores=2, **more):
        """What the program writes to a file, verified by itself."""
        answer = self.answer("sort", *arguments, "--cores", cores, "--verify", "-o", "out", **more)
        self.assertIs(answer["verified"], True)
        return (self.folder / "out").read_bytes()

    def test_numbers_that_begin_as_compressed_files_do(self):
        for kind, first in ("u32", 0x184d2a50), ("u64", 0x00088b1f), ("u32", 0xfd2fb528), ("u64", 0x3968_5a42):
            code = {"u32": "<3I", "u64": "<3Q"}[kind]
            self.file("in.bin", struct.pack(code, first, 4, 77))
            self.assertEqual(struct.unpack(code, self.sorted("in.bin", "--binary", kind)), (4, 77, first))
        self.file("in.bin.gz", gzip.compress(struct.pack("<2I", 9, 4)))
        self.assertEqual(struct.unpack("<2I", self.sorted("in.bin.gz", "--binary", "u32")), (4, 9))

    def test_standard_input_begins_where_it_is(self):
        self.file("in", "header\nb\na\n")
        with open(self.folder / "in", "rb", buffering=0) as file:
            file.seek(7)
            self.assertEqual(self.run_program("sort", "-", stdin=file).stdout, b"a\nb\n")

    def test_skipped_lines_are_told_of_where_no_json_does(self):
        self.file("in", "1\nx\n")
        done = self.run_program("sort", "in", "-n", "--skip-bad", "--quiet")
        self.assertEqual((done.returncode, done.stdout), (0, b"1\n"))
        self.assertIn(b"1 line was skipped", done.stderr)

    # Quotes -----------------------------------------------------------------------------------------------

    def test_a_quoted_field_is_a_field(self):
        self.file("sales.csv", b'country,amount\n"Korea, Republic of",7\nPeru,30\n"say ""5""",4\n')
        self.assertEqual(self.sorted("sales.csv", "--header", "--separator", ",", "--key", "amount", "-n"),
                         b'country,amount\n"say ""5""",4\n"Korea, Republic of",7\nPeru,30\n')
        self.file("names.csv", b'"Doe, Jane",10\n"Roe, A",5\nZoe,1\n')
        self.assertEqual(self.sorted("names.csv", "--separator", ",", "--key", 2), b'Zoe,1\n"Doe, Jane",10\n"Roe, A",5\n')

    def test_quotes_as_they_stand(self):
        self.file("disks.csv", b'5" disk,2\n3" disk,1\n')
        self.assertIn("disks.csv:1: expected quotes only around a whole field (doubled inside it), found one inside a field "
                      "(--no-quotes takes quotes as they stand)", self.refused("sort", "disks.csv", "--separator", ",", "--key", 2))
        self.assertEqual(self.sorted("disks.csv", "--separator", ",", "--key", 2, "-n", "--no-quotes"), b'3" disk,1\n5" disk,2\n')
        self.assertEqual(self.sorted("disks.csv", "--key", 2), b'3" disk,1\n5" disk,2\n')  # between blanks quotes are characters

    def test_rows_have_as_many_fields_as_the_header(self):
        self.file("long.csv", b"name,amount\nb,2\nKorea, Republic of,7\na,1\n")
        asked = ("sort", "long.csv", "--header", "--separator", ",", "--key", "amount")
        self.assertEqual(self.refused(*asked, "--quiet"), "error: long.csv:3: expected 2 fields, found 3\n")
        answer = self.answer(*asked, "--skip-bad", "-o", "out", "--verify")
        self.assertEqual((answer["skipped"], (self.folder / "out").read_bytes()), (1, b"name,amount\na,1\nb,2\n"))
        self.assertIn('header: no column "3"; columns: name, amount', self.refused(*asked[:-1], 3))

    def test_tables_of_quotes_in_any_number_of_chunks(self):
        draw = random.Random(SEED)
        for cores in (1, 2, 3):
            rows, text = quoted_table(draw, (*QUOTED_FIELDS, "\r\n"))
            self.file("in.csv", text)
            for memory in (), ("--memory", "1M"):
                self.sorted("in.csv", "--separator", ",", "--key", 2, "-n", *memory, cores=cores)
                with open(self.folder / "out", newline="") as found:
                    self.assertTrue(list(csv.reader(found)) == sorted(rows, key=lambda row: int(row[1])),
                                    f"seed {SEED}, {cores} cores, memory {memory}")

    # Numbers ----------------------------------------------------------------------------------------------

    def test_integers_of_any_length(self):
        self.file("in", b"123456789012345678901002\n123456789012345678901001\n123456789012345678901003\n")
        self.assertEqual(self.sorted("in", "-n"), b"123456789012345678901001\n123456789012345678901002\n123456789012345678901003\n")
        self.file("two", b"123456789012345678901002\n123456789012345678901001\n+123456789012345678901002.0\n")
        self.assertEqual(self.sorted("two", "-n", "-u"), b"123456789012345678901001\n123456789012345678901002\n")

    def test_numbers_are_compared_as_they_are_written(self):
        draw = random.Random(SEED)
        numbers = ["0", "-0", "0.0", "1e400", "-1e400", "1e-400", "-1e-400", "1e401", "0.1", "0.10000000000000000001", ".1", "1.", "1e0",
                   "9007199254740992", "9007199254740993", "9007199254740992.5", "9223372036854775807", "9223372036854775808",
                   "18446744073709551617", "-9223372036854775809", "inf", "-inf", "+5", " 7", "5e-324", "4e-324", "1e308", "2e308",
                   "0.30000000000000004", "0.3", "0.30000000000000005", "1e22", "10000000000000000000000", "10000000000000000000001"]
        for _ in range(6000):
            kind = draw.randrange(6)
            if kind == 0:
                numbers.append(str(draw.randrange(-99, 99)))
            elif kind == 1:
                numbers.append(str(2 ** 70 + draw.randrange(300)))
            elif kind == 2:
                numbers.append(f"{draw.choice(('', '-'))}0.1234567890123456{draw.randrange(100)}")
            elif kind == 3:
                numbers.append(f"{draw.randrange(100)}e{draw.randrange(-340, 340)}")
            elif kind == 4:
                numbers.append(str(2 ** 53 + draw.randrange(-9, 9)))
            else:
                numbers.append(f"{draw.randrange(30)}.{draw.randrange(100):02}" + "0" * draw.randrange(20))
        draw.shuffle(numbers)
        value = {text: Fraction(text) if "inf" not in text else float(text) for text in numbers}
        self.file("in", "".join(f"{n},{i}\n" for i, n in enumerate(numbers)))
        for options in (), ("-r",), ("-u",), ("-r", "-u"):
            expected = sorted(enumerate(numbers), key=lambda pair: value[pair[1]], reverse="-r" in options)
            if "-u" in options:
                expected = [pair for k, pair in enumerate(expected) if k == 0 or value[pair[1]] != value[expected[k - 1][1]]]
            elif "-r" in options:  # stable: equal ones in the order of the input
                expected = sorted(enumerate(numbers), key=lambda pair: -value[pair[1]])
            for cores in 1, 2, 3:
                with self.subTest(options=options, cores=cores, seed=SEED):
                    found = self.sorted("in", "--separator", ",", "--key", 1, "-n", *options, cores=cores)
                    expected_text = "".join(f"{n},{i}\n" for i, n in expected)
                    if "-u" in options:  # of equal ones the first of the input
                        first = {}
                        for i, n in enumerate(numbers):
                            first.setdefault(value[n], (i, n))
                        expected_text = "".join(f"{n},{i}\n" for i, n in (first[value[n]] for _, n in expected))
                    self.assertTrue(found.decode() == expected_text)
        lines = [f"{draw.choice(numbers)},{i}" for i in range(60000)]
        self.file("many", "".join(line + "\n" for line in lines))
        self.assertGreater(self.answer("sort", "many", "--separator", ",", "--key", 1, "-n", "--memory", "1M", "-o", "out", "--verify")["runs"], 1)
        self.assertTrue((self.folder / "out").read_text().splitlines() == sorted(lines, key=lambda line: value[line.split(",")[0]]))

    def test_nan_comes_last_in_both_directions(self):
        numbers = ["nan", "-inf", "1", "-1e400", "NaN", "-1e401", "inf", "-1.7976931348623157e308"]
        for copies in 1, 400:
            self.file("in", "".join(f"{n}\n" for n in numbers * copies))
            up = ["-inf", "-1e401", "-1e400", "-1.7976931348623157e308", "1", "inf"]
            for options, expected in ((), up), (("-r",), up[::-1]), (("-r", "--memory", "1M"), up[::-1]), (("-r", "-u"), up[::-1]):
                with self.subTest(options=options, copies=copies):
                    repeated = 1 if "-u" in options else copies
                    last = ["nan"] if "-u" in options else ["nan", "NaN"] * copies
                    self.assertEqual(self.sorted("in", "-n", *options).decode().split(), [n for n in expected for _ in range(repeated)] + last)

    def test_an_output_that_is_an_input_is_not_verified(self):
        self.file("a", "b\na\n")
        self.assertIn("sort: --verify reads the files again: give -o another file than a", self.refused("sort", "a", "-o", "a", "--verify"))
        self.assertEqual((self.folder / "a").read_text(), "b\na\n")
        self.run_program("sort", "a", "-o", "a")
        self.assertEqual((self.folder / "a").read_text(), "a\nb\n")

    def test_a_text_with_an_exponent_of_more_than_18_digits_is_no_number(self):
        large, small = "1e9223372036854775807", "1e-9223372036854775808"
        self.file("in", f"inf\n10{large}\n{small}\n0e1000000000000000000\n1e999999999999999999\n1e-999999999999999999\n.01{large}\n-0\n")
        self.assertIn(f'in:2: expected a number, found "10{large}"', self.refused("sort", "in", "-n", "-o", "out"))
        self.assertEqual(self.sorted("in", "-n", "--skip-bad").decode().split(), ["-0", "1e-999999999999999999", "1e999999999999999999", "inf"])

    def test_numbers_that_share_the_nearest_double(self):
        draw = random.Random(SEED)
        ends = ["", "0" * 18 + "1", "0" * 40 + "7", "1" + "0" * 30, "0" * 180 + "3", "0" * 180 + "4"]
        near = ["1" + "0" * 30 + draw.choice(("", ".")) + draw.choice(ends) for _ in range(60)] + ["1" + "0" * 30, "1e30", "10" + "0" * 29 + ".000"]
        near = [n for n in near if float(n) == 1e30]
        tiny = ["1e-400", "2e-400", "-1e-400", "-2e-400", "-1e-500", "0", "-0.0", "0." + "0" * 450 + "1", "1e-451", "-" + "0." + "0" * 399 + "1"]
        huge = ["1e400", "2e400", "10e399", "1e500", "inf", "1e400000000000000000"]
        for name, of in (("near", near), ("tiny", tiny), ("huge", huge), ("below", [f"-{n}" for n in near])):
            value = {text: Fraction(text) if "inf" not in text and "0000000000000" not in text.partition("e")[2] else float("inf") for text in of}
            value.update({"1e400000000000000000": Fraction(10) ** 600, "inf": Fraction(10) ** 700})
            lines = [f"{draw.choice(of)},{i}" for i in range(20000)]
            self.file("in", "".join(line + "\n" for line in lines))
            key = lambda line: value[line.split(",")[0]]  # noqa: E731
            for options in (), ("-r",), ("--memory", "1M"), ("-r", "--memory", "1M"):
                with self.subTest(of=name, options=options, seed=SEED):
                    found = self.sorted("in", "--separator", ",", "--key", 1, "-n", *options).decode().splitlines()
                    self.assertTrue(found == sorted(lines, key=lambda line: -key(line) if "-r" in options else key(line)))
            first = {}
            for line in lines:
                first.setdefault(key(line), line)
            self.assertEqual(self.sorted("in", "--separator", ",", "--key", 1, "-n", "-u").decode().splitlines(), [first[v] for v in sorted(first)])
        values = [str(2**80 + k) for k in range(3)]  # what ties are compared with does not count beside the memory
        lines = [draw.choice(values) for _ in range(1_500_000)]
        self.file("in", "".join(line + "\n" for line in lines))
        found, peak = self.in_runs("in", "--memory", "32M", "-n")
        self.assertTrue(found.decode().splitlines() == sorted(lines))
        if "GOSSAMER_SANITIZE" not in os.environ:
            self.assertLess(peak, 64 << 20)

    def test_nan_comes_last(self):
        self.file("in", b"2\nnan\n-1\nNaN\n10\n-nan\ninf\n")
        self.assertEqual(self.sorted("in", "-n"), b"-1\n2\n10\ninf\nnan\nNaN\n-nan\n")
        self.assertEqual(self.sorted("in", "-n", "-r"), b"inf\n10\n2\n-1\nnan\nNaN\n-nan\n")
        self.assertEqual(self.sorted("in", "-n", "-u"), b"-1\n2\n10\ninf\nnan\n")
        self.file("none", b"1\nNA\n")
        self.assertEqual(self.refused("sort", "none", "-n", "--quiet"),
                         'error: none:2: expected a number, found "NA" (--skip-bad leaves such lines out)\n')

    # Line ends, marks and headers -------------------------------------------------------------------------

    def test_carriage_returns_alone_are_no_line_ends(self):
        self.file("in", b"k\ra\ra\rb\r")
        self.file("in.gz", gzip.compress(b"k\ra\ra\rb\r"))
        for name in "in", "in.gz":
            for words in ("sort", name), ("sort", name, "--key", 1), ("wordcount", name, "--lines"), ("wordcount", name, "--field", 1), ("group", name, "--by", 1):
                self.assertEqual(self.refused(*words, "--quiet"), f"error: {name}: lines end with carriage returns alone, which are no line "
                                 "ends here: tr '\\r' '\\n' < FILE writes others\n")
        self.assertEqual(self.answer("wordcount", "in")["distinct"], 3)  # carriage returns are blanks between words
        self.file("mixed", b"b\rx\na\r\n")
        self.assertEqual(self.sorted("mixed"), b"a\r\nb\rx\n")
        self.file("one", b"a\r")
        self.assertEqual(self.sorted("one"), b"a\r\n")

    def test_a_byte_order_mark_is_passed_over(self):
        mark = b"\xef\xbb\xbf"
        self.file("in", mark + b"3\n1\n2\nx\n")
        self.file("in.gz", gzip.compress(mark + b"3\n1\n2\nx\n"))
        for name in "in", "in.gz":
            for memory in (), ("--memory", "1M"):
                self.assertEqual(self.sorted(name, name, *memory), b"1\n1\n2\n2\n3\n3\nx\nx\n")
                self.assertIn(f'{name}:4: expected a number, found "x"', self.refused("sort", name, "-n", *memory))
        self.file("table", mark + b"k,n\nb,2\na,1\n")
        self.assertEqual(self.sorted("table", "table", "--header", "--separator", ",", "--key", "k"), b"k,n\na,1\na,1\nb,2\nb,2\n")

    def test_a_header_of_another_separator(self):
        for name, character in ((",", ","), ("semicolon", ";"), ("bar", "|")):
            self.file("s.csv", f"name{character}amount\nb{character}2\n")
            self.assertIn(f'header: no column "amount" between blanks: --separator {name} has it',
                          self.refused("sort", "s.csv", "--header", "--key", "amount"))
        self.file("s.csv", "name,amount\nb,2\n")
        self.assertIn('s.csv: no column "amount" between blanks: --separator , has it', self.refused("wordcount", "s.csv", "--field", "amount"))
        for words in ("sort", "s.csv", "--key", 2), ("wordcount", "s.csv", "--field", 2):
            self.assertEqual(self.refused(*words, "--quiet"), "error: s.csv:1: expected at least 2 fields, found 1 between blanks (--separator ,?)\n")
        self.assertIn('header: no column "price"; columns: name,amount', self.refused("sort", "s.csv", "--header", "--key", "price"))

    # Outputs ----------------------------------------------------------------------------------------------

    def test_empty_results_are_whole_files(self):
        self.file("empty", b"")
        for words in ("sort", "empty"), ("sort", "empty", "--memory", "1M"), ("sort", "empty", "--binary", "i64"), ("wordcount", "empty"):
            for name in "out.jsonl.gz", "out.jsonl.zst":
                self.answer(*words, "-o", name)
                stored = (self.folder / name).read_bytes()
                self.assertEqual(stored[:2] if name.endswith("gz") else stored[:4], b"\x1f\x8b" if name.endswith("gz") else b"\x28\xb5\x2f\xfd")
                self.assertEqual(self.answer("wordcount", name)["words"], 0)
                if name.endswith("gz"):
                    self.assertEqual(gzip.decompress(stored), b"")

    # Memory -----------------------------------------------------------------------------------------------

    def in_runs(self, *arguments):
        """The output of a sort that stores runs, and the most memory that it took, in bytes."""
        # A process of its own measures: what this one has in memory counts as its children's, too.
        measure = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", measure, PROGRAM, "sort", *arguments, "--cores", "2", "-o", "out", "--quiet"],
                              cwd=self.folder, env=CLEAN, stdout=subprocess.PIPE, check=True)
        return (self.folder / "out").read_bytes(), int(done.stdout) << 10

    def test_keys_that_begin_alike_are_merged_within_the_memory(self):
        draw = random.Random(SEED)
        lines = [b"%s%07d,%d" % (b"s" * 250, draw.randrange(150000), i) for i in range(160000)]
        self.file("in", b"\n".join(lines) + b"\n")
        for options, key in (((), None), (("-r",), None), (("-k", "1", "--separator", ","), lambda line: line[:257]),
                             (("-k", "1", "--separator", ",", "-r"), lambda line: line[:257])):
            found, peak = self.in_runs("in", "--memory", "8M", *options)
            self.assertTrue(found.splitlines() == sorted(lines, key=key, reverse="-r" in options), f"seed {SEED}, {options}")
            if "GOSSAMER_SANITIZE" not in os.environ:
                self.assertLess(peak, 40 << 20, options)
        found, _ = self.in_runs("in", "--memory", "8M", "-k", "1", "--separator", ",", "-u")
        first = {}
        for line in lines:
            first.setdefault(line[:257], line)
        self.assertTrue(found.splitlines() == [first[key] for key in sorted(first)])
        self.file("numbers", b"".join(b"1%s%07d\n" % (b"0" * 250, draw.randrange(150000)) for _ in range(80000)))
        found, peak = self.in_runs("numbers", "--memory", "8M", "-n")
        self.assertTrue(found.split() == sorted((self.folder / "numbers").read_bytes().split()))
        if "GOSSAMER_SANITIZE" not in os.environ:
            self.assertLess(peak, 40 << 20)


@unittest.skipUnless(NODE.here(), "no processes of a node")
class SortCasesOfProcesses(ProgramTest):
    def run_in(self, processes, *words, text=b""):
        """The output of a job of several processes, which reads `text` as standard input."""
        command = NODE.command(processes, PROGRAM, "sort", *words, "--cores", 1, "-o", "out", "--quiet")
        done = subprocess.run(command, cwd=self.folder, env=CLEAN, input=text, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              timeout=100)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return (self.folder / "out").read_bytes()

    def test_standard_input_between_files_keeps_its_place(self):
        before, text, after = (b"".join(b"k %c%d\n" % (name, i) for i in range(n)) for name, n in ((97, 120000), (98, 10), (99, 300)))
        self.file("a", before)
        self.file("c", after)
        for processes in 2, 3:
            for memory in (), ("--memory", "1M"):
                self.assertTrue(self.run_in(processes, "a", "-", "c", "--key", 1, *memory, text=text) == before + text + after)

    def test_quoted_line_ends_at_the_borders_of_processes(self):
        rows = [[str(i), "x\n" * (i % 7) + ',"', str(i * 7919 % 1000)] for i in range(9000)]
        rows.insert(4000, ["0", 'y"\n' * 30000, "5"])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        self.file("in.csv", text.getvalue())
        for processes in 2, 3:
            for memory in (), ("--memory", "1M"):
                self.run_in(processes, "in.csv", "--separator", ",", "--key", 3, "-n", *memory)
                with open(self.folder / "out", newline="") as found:
                    self.assertTrue(list(csv.reader(found)) == sorted(rows, key=lambda row: int(row[2])))


if __name__ == "__main__":
    main()
