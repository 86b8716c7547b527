"""sort, as a person or a script uses it: answers beside GNU sort and Python's own, forms of files, what is refused."""
import array
import bz2
import csv
import gzip
import io
import json
import lzma
import os
import pathlib
import random
import subprocess
import sys
from decimal import Decimal

from program import CLEAN, PROGRAM, ProgramTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import Job, LAUNCHERS, one_launcher_each  # noqa: E402

SEED = 20261125
CORES = (1, 2, 3)
BY_MPI = [] if os.environ.get("GOSSAMER_SANITIZE") else LAUNCHERS


def gnu(*arguments, text, files=()):
    """What GNU sort makes of a text, or of files."""
    done = subprocess.run(["sort", *arguments, *map(str, files)], input=text, stdout=subprocess.PIPE, check=True,
                          env={**os.environ, "LC_ALL": "C"})
    return done.stdout


def texts(draw):
    """Texts with what a sort may trip over: {name: bytes}."""
    def any_bytes(n, letters):
        return bytes(draw.choice(letters) for _ in range(n))

    lines = [any_bytes(draw.randrange(0, 30), b"abAB01 .\t\r\xff\x80") for _ in range(30000)]
    prefixes = [b"http://www.example.org/" + any_bytes(draw.randrange(0, 12), b"ab/") for _ in range(30000)]
    deep = [b"x" * draw.choice((7, 8, 9, 100, 1000, 1001)) + any_bytes(draw.randrange(0, 3), b"ax\0") for _ in range(3000)]
    long = [any_bytes(40, b"ab") * draw.randrange(1, 5000) for _ in range(60)]
    return {
        "empty": b"",
        "one": b"a line\n",
        "one without end": b"a line",
        "only ends": b"\n" * 20000,
        "random": b"\n".join(lines) + b"\n",
        "without end": b"\n".join(lines[:999]) + b"\nlast",
        "zeros": b"\n".join(any_bytes(draw.randrange(0, 20), b"\0\0\0a") for _ in range(20000)) + b"\n",
        "prefixes": b"\n".join(prefixes) + b"\n",
        "deep": b"\n".join(deep),
        "all equal": b"the same line again\n" * 20000,
        "two values": b"".join(draw.choice((b"the same line again\n", b"the same line anew\n")) for _ in range(20000)),
        "sorted": b"\n".join(sorted(lines)) + b"\n",
        "reversed": b"\n".join(sorted(lines, reverse=True)) + b"\n",
        "long": b"\n".join(long) + b"\n" + b"z" * 200000 + b"\n",
        "huge": b"a" * (17 << 20) + b"b\n" + b"a" * (17 << 20) + b"\nshort\n" + b"a" * (17 << 20),
        "returns": b"\r\n".join(lines[:5000]) + b"\r\n",
    }


class Sort(ProgramTest):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(SEED)

    def sorted(self, *arguments, cores=2, **more):
        """What the program writes to a file, verified by itself."""
        answer = self.answer("sort", *arguments, "--cores", cores, "--verify", "-o", "out", **more)
        self.assertIs(answer["verified"], True)
        written = (self.folder / "out").read_bytes()
        self.assertEqual(answer["written"], written.count(b"\n") - ("--header" in arguments))
        return written

    def test_whole_lines(self):
        for name, text in texts(self.draw).items():
            self.file("in", text)
            for cores in CORES:
                for options in ((), ("-r",), ("-u",), ("-r", "-u")):
                    if name == "huge" and (cores != 2 or options == ("-r", "-u")):
                        continue
                    with self.subTest(text=name, cores=cores, options=options, seed=SEED):
                        self.assertTrue(self.sorted("in", *options, cores=cores) == gnu(*options, text=text))

    def records(self, n):
        names = [b"", b"a", b"ab", b"a b", b"prefix/in/common", b"prefix/in/common/more", b"\xc3\xa9", b"8", b"-"]
        return [b"\t".join((b"%d" % i, self.draw.choice(names), b"%d" % self.draw.randrange(-50, 50), b"end"))
                for i in range(n)]

    def test_fields_as_gnu_sort_has_them(self):
        text = b"\n".join(self.records(20000)) + b"\n"
        self.file("in", text)
        for cores in CORES:
            for options in ((), ("-r",), ("-u",)):
                with self.subTest(cores=cores, options=options):
                    self.assertTrue(self.sorted("in", "--key", 2, "--separator", "\\t", *options, cores=cores)
                                    == gnu("-s", "-t\t", "-k2,2", *options, text=text))
                    self.assertTrue(self.sorted("in", "--key", 3, "-n", "--separator", "\\t", *options, cores=cores)
                                    == gnu("-s", "-t\t", "-n", "-k3,3", *options, text=text))
        blanks = b"".join(b" " * self.draw.randrange(3) + b"%s  \t%d\n" % (self.draw.choice((b"a", b"prefix-prefix-b", b"prefix-prefix-a")), i % 7)
                          for i in range(9000))
        self.file("blanks", blanks)
        self.assertTrue(self.sorted("blanks", "--key", 1) == gnu("-s", "-b", "-k1,1", text=blanks))
        self.assertTrue(self.sorted("blanks", "--key", 2, "-n") == gnu("-s", "-n", "-k2,2", text=blanks))

    def test_numbers_by_value(self):
        near = 2 ** 53
        numbers = [near + i for i in range(-4, 9)] + [2 ** 63 - 1, 2 ** 63 - 2, -2 ** 63, 1 - 2 ** 63, 0, 7, -7]
        written = [str(self.draw.choice(numbers)) for _ in range(6000)]
        written += ["%.3f" % self.draw.uniform(-9, 9) for _ in range(3000)]
        written += ["-0", "0.0", "+3", "1e3", "1E-3", ".5", "-.5", "007", " 12", "1e300", "9223372036854775808"] * 20
        self.draw.shuffle(written)

        def value(text):  # integers of 64 bits exactly, others as the nearest double
            try:
                whole = int(text)
                if -2 ** 63 <= whole < 2 ** 63:
                    return Decimal(whole)
            except ValueError:
                pass
            return Decimal(float(text))

        self.file("in", "\n".join(written) + "\n")
        for cores in CORES:
            for reverse in False, True:
                expected = sorted(written, key=value, reverse=reverse)  # stable, also in reverse
                found = self.sorted("in", "-n", *["-r"] * reverse, cores=cores).decode().splitlines()
                self.assertTrue(found == expected, f"seed {SEED}, {cores} cores")
        seen, first = set(), []
        for text in sorted(written, key=value):
            if value(text) not in seen:
                seen.add(value(text))
                first.append(text)
        self.assertEqual(self.sorted("in", "-n", "-u").decode().splitlines(), first)

    def test_many_files_in_all_forms(self):
        parts = [b"\n".join(self.records(3000)) + (b"\n" if i % 2 else b"") for i in range(6)]
        frames = b"".join(subprocess.run(["zstd", "-c"], input=part, stdout=subprocess.PIPE, check=True).stdout
                          for part in (parts[4][:40000], parts[4][40000:]))
        for name, contents in (("0", parts[0]), ("1.gz", gzip.compress(parts[1])), ("2.bz2", bz2.compress(parts[2])),
                               ("3.xz", lzma.compress(parts[3])), ("4.zst", frames), ("5", parts[5]), ("6", b"")):
            self.file(name, contents)
        whole = b"".join(part if part.endswith(b"\n") else part + b"\n" for part in parts)
        names = ("0", "6", "1.gz", "2.bz2", "3.xz", "4.zst", "5")
        for cores in CORES:
            self.assertTrue(self.sorted(*names, "--key", 2, "--separator", "\\t", cores=cores)
                            == gnu("-s", "-t\t", "-k2,2", text=whole))
        for ending, unpack in ((".gz", gzip.decompress), (".zst", None)):
            answer = self.answer("sort", *names, "-o", "out" + ending, "--verify", "--cores", 2)
            self.assertIs(answer["verified"], True)
            packed = (self.folder / ("out" + ending)).read_bytes()
            if unpack is None:
                text = subprocess.run(["zstd", "-dc"], input=packed, stdout=subprocess.PIPE, check=True).stdout
            else:
                text = unpack(packed)
            self.assertTrue(text == gnu(text=whole))

    def test_frames_are_cut_where_quotes_allow_it(self):
        def frames(*parts):
            return b"".join(subprocess.run(["zstd", "-c"], input=part, stdout=subprocess.PIPE, check=True).stdout for part in parts)
        plain = b"".join(b"%d,%d\n" % (self.draw.randrange(10 ** 6), i) for i in range(20000))
        parts = [plain[at:at + 50000] for at in range(0, len(plain), 50000)]
        quoted = b'1,"a\n' + b"0,x\n" * 30000 + b'"\n'
        self.file("plain.zst", frames(*parts))
        self.file("quoted.zst", frames(quoted[:50000], quoted[50000:]))
        for cores in CORES:
            found = self.sorted("plain.zst", "--key", 1, "-n", "--separator", ",", cores=cores)
            self.assertTrue(found == gnu("-s", "-t,", "-k1,1", "-n", text=plain))
            found = self.text("sort", "quoted.zst", "plain.zst", "--key", 1, "-n", "--separator", ",", "-o", "-", "--cores", cores).encode()
            self.assertTrue(quoted in found and found.replace(quoted, b"") == gnu("-s", "-t,", "-k1,1", "-n", text=plain))

    def test_large_compressed_files(self):
        lines = b"".join(b"%d %d\n" % (self.draw.randrange(10 ** 9), i) for i in range(700000))
        self.file("in.gz", gzip.compress(lines, 1))
        self.assertTrue(self.sorted("in.gz", "--key", 1, "-n") == gnu("-s", "-n", "-k1,1", text=lines))
        message = self.refused("sort", "in.gz", "--key", 3, "-o", "no", "--quiet")
        self.assertEqual(message, "error: in.gz:1: expected at least 3 fields, found 2\n")

    def test_standard_input_and_output(self):
        path = self.file("in", b"b\na\nc")
        with open(path) as source:
            self.assertEqual(self.text("sort", "-", stdin=source), "a\nb\nc\n")
        self.assertEqual(self.text("sort", "in", "in", "--unique", "--reverse"), "c\nb\na\n")
        many = b"".join(b"%d\n" % self.draw.randrange(10 ** 12) for _ in range(400000))
        done = subprocess.run([PROGRAM, "sort", "-", "--quiet", "--cores", "2"], input=many, stdout=subprocess.PIPE,
                              env=CLEAN, check=True)
        self.assertTrue(done.stdout == gnu(text=many))
        self.assertIn("-: standard input can be read once only", self.refused("sort", "-", "-"))

    def test_the_output_may_be_the_input(self):
        self.file("in", b"b\na\n")
        self.text("sort", "in", "-o", "in")
        self.assertEqual((self.folder / "in").read_bytes(), b"a\nb\n")

    def test_headers(self):
        self.file("a.csv", b"id,name,age\n1,bo,7\n2,al,70\n")
        self.file("b.csv", b"id,name,age\n3,cy,8\n")
        self.file("none.csv", b"")
        expected = b"id,name,age\n2,al,70\n1,bo,7\n3,cy,8\n"
        for key in "name", "2":
            self.assertEqual(self.sorted("none.csv", "a.csv", "b.csv", "--header", "--key", key, "--separator", ","), expected)
        self.file("b.csv.gz", gzip.compress(b"id,name,age\r\n3,cy,8\n"))
        self.assertEqual(self.sorted("a.csv", "b.csv.gz", "--header", "--key", "age", "-n", "--separator", ","),
                         b"id,name,age\n1,bo,7\n3,cy,8\n2,al,70\n")
        self.assertEqual(self.sorted("a.csv", "--header"), b"id,name,age\n1,bo,7\n2,al,70\n")
        self.assertIn('no column "nam": did you mean "name"?',
                      self.refused("sort", "a.csv", "--header", "--key", "nam", "--separator", ","))
        self.file("c.csv", b"id,title\n3,cy\n")
        self.assertIn("c.csv: expected the columns of the first file's header (id, name, age), found others (id, title)",
                      self.refused("sort", "a.csv", "c.csv", "--header", "--separator", ",", "--key", "name"))

    def test_quotes(self):
        rows = [[str(i), self.draw.choice(("plain", "comma, inside", 'a "quoted" word', "two\nlines", "", "two\nlines and more of it")),
                 str(self.draw.randrange(100))] for i in range(20000)]
        for i in range(4):  # longer than the chunks that a core reads
            rows.insert(self.draw.randrange(len(rows)), [str(i), 'more "lines"\n' * 9000, "5"])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        self.file("in.csv", text.getvalue())
        self.file("in.csv.gz", gzip.compress(text.getvalue().encode()))
        options = ("--separator", ",")
        for source in "in.csv", "in.csv.gz":
            for cores in CORES:
                for key, numeric in ((2, ()), (3, ("-n",))):
                    expected = sorted(rows, key=lambda row: row[1] if key == 2 else int(row[2]))
                    self.answer("sort", source, "--key", key, *numeric, *options, "--cores", cores, "-o", "out.csv", "--verify")
                    with open(self.folder / "out.csv", newline="") as found:
                        self.assertTrue(list(csv.reader(found)) == expected, f"seed {SEED}, {source}, {cores} cores, key {key}")
        self.file("open.csv", b'a,b\n"c,d\n')
        self.assertIn("open.csv:2: expected a quote that ends the field",
                      self.refused("sort", "open.csv", "--key", 1, *options))

    def test_binary_numbers(self):
        codes = {"u32": "I", "i32": "i", "u64": "Q", "i64": "q", "f32": "f", "f64": "d"}
        for name, code in codes.items():
            size = array.array(code).itemsize
            raw = self.draw.randbytes(30000 * size)
            numbers = array.array(code, raw)
            if name[0] == "f":  # infinities stay
                numbers = array.array(code, [x for x in numbers if x == x] + [float("inf"), 0.0, 1.0])
            self.file("a", numbers[:9999].tobytes())
            self.file("b.gz", gzip.compress(numbers[9999:].tobytes()))
            for reverse in False, True:
                for cores in CORES:
                    answer = self.answer("sort", "a", "b.gz", "--binary", name, *["-r"] * reverse, "--cores", cores,
                                         "-o", "out", "--verify")
                    self.assertEqual((answer["numbers"], answer["verified"]), (len(numbers), True))
                    found = array.array(code, (self.folder / "out").read_bytes())
                    self.assertTrue(list(found) == sorted(numbers, reverse=reverse), f"seed {SEED}, {name}, {cores} cores")
        self.file("some", array.array("d", [1.0, float("nan"), -1.0, 0.0, -0.0]).tobytes())
        self.answer("sort", "some", "--binary", "f64", "-o", "out", "--verify")
        self.assertEqual(str(array.array("d", (self.folder / "out").read_bytes()).tolist()), "[-1.0, -0.0, 0.0, 1.0, nan]")
        self.file("odd", b"12345")
        self.assertIn("odd: expected numbers of 4 bytes each, found 1 bytes more at the end",
                      self.refused("sort", "odd", "--binary", "u32", "-o", "no"))
        self.assertIn("--binary goes with --reverse only", self.refused("sort", "odd", "--binary", "u32", "-u"))

    def test_one_core_chooses_the_pivots(self):
        numbers = array.array("i", self.draw.randbytes(4 * 40000))
        self.file("in", numbers.tobytes())
        for cores in CORES:
            self.answer("sort", "in", "--binary", "i32", "--pivots", "one-core", "--cores", cores, "-o", "out", "--verify")
            found = array.array("i", (self.folder / "out").read_bytes())
            self.assertTrue(list(found) == sorted(numbers), f"seed {SEED}, {cores} cores")
        seconds = {}
        for pivots in "all-cores", "one-core":
            out = self.run_program("simulate", "-q", "--processes", 1, "--cores", 8, "--", "sort", "in", "--binary", "i32", "--pivots", pivots,
                                   "-o", "out", "--json", "--stats").stdout
            answer = json.loads(out)
            self.assertEqual(answer["options"]["pivots"], pivots)
            self.assertTrue(list(array.array("i", (self.folder / "out").read_bytes())) == sorted(numbers), f"seed {SEED}, {pivots}")
            seconds[pivots] = answer["stages"]["sort"]
        self.assertGreater(seconds["one-core"], seconds["all-cores"], "virtual time: a barrier and a broadcast more")
        self.assertIn("--pivots needs --binary", self.refused("sort", "in", "--pivots", "one-core"))
        self.assertIn("one-core", self.refused("sort", "in", "--binary", "i32", "--pivots", "some"))

    def test_text(self):
        self.file("in", b"b\na\nb\n")
        text = self.text("sort", "in", "-o", "out", "--cores", 2, "--stats", "--verify", "-u")
        for part in ("3 lines, 2 written to out", "on 2 cores", "deal", "verified: yes"):
            self.assertIn(part, text)

    def test_what_is_refused(self):
        self.file("in", b"a 1\nb x\n")
        self.assertIn("expected a file to read, or - for standard input", self.refused("sort"))
        self.assertIn("cannot read no: No such file or directory", self.refused("sort", "in", "no", "-o", "out"))
        self.assertIn("cannot write no/out", self.refused("sort", "in", "-o", "no/out"))
        self.assertEqual('error: in:2: expected a number in field 2, found "x" (--skip-bad leaves such lines out)\n',
                         self.refused("sort", "in", "--key", 2, "-n", "-o", "out", "--quiet"))
        self.assertEqual('error: in:1: expected at least 3 fields, found 2\n',
                         self.refused("sort", "in", "--key", 3, "-o", "out", "--quiet"))
        self.assertEqual('error: in:1: expected a number, found "a 1" (--skip-bad leaves such lines out)\n', self.refused("sort", "in", "-n", "--quiet"))
        self.assertIn("expected a whole number from 1", self.refused("sort", "in", "--key", 0))
        self.assertIn('the name of a column needs --header, found "x"', self.refused("sort", "in", "--key", "x"))
        self.assertIn("--separator needs --key", self.refused("sort", "in", "--separator", ","))
        self.assertIn('expected one character, or tab, space, comma, semicolon, bar or blanks, found "ab"', self.refused("sort", "in", "--key", 1, "--separator", "ab"))
        self.assertIn("need -o FILE", self.refused("sort", "in", "--json"))
        lines = b"".join(b"%d\n" % i for i in range(200000)) + b"1x\n" + b"7\n" * 1000
        self.file("numbers", lines)
        for name in "numbers", "numbers.gz":
            self.file("numbers.gz", gzip.compress(lines))
            self.assertEqual(f'error: {name}:200001: expected a number, found "1x" (--skip-bad leaves such lines out)\n',
                             self.refused("sort", name, "-n", "-o", "out", "--quiet", "--cores", 3))
        self.file("cut.gz", gzip.compress(lines)[:-9])
        self.assertIn("cut.gz: ", self.refused("sort", "in", "cut.gz", "-o", "out"))

    def test_bad_lines_are_left_out(self):
        lines, good, first = [], [], None
        for i in range(30000):
            kind = self.draw.randrange(50)
            line = {0: b"", 1: b"few", 2: b"a,x%d" % i, 3: b"a,", 4: b"b,na", 5: b"b,1e", 6: b"b,0x1f"}.get(kind)
            if line is None:
                line = b"%d,%d" % (i, self.draw.randrange(900))
                good.append(line)
            elif first is None:
                first = i
            lines.append(line)
        text, left = b"\n".join(lines) + b"\n", b"\n".join(good) + b"\n"
        self.file("in", text)
        self.file("in.gz", gzip.compress(text))
        self.file("after", b"\n".join(lines[first + 1:]) + b"\n")
        asked = ("--key", 2, "--separator", ",", "-n")
        for name in "in", "in.gz":
            for cores in CORES:
                for options in ((), ("-r",), ("-u",)):
                    with self.subTest(name=name, cores=cores, options=options, seed=SEED):
                        self.assertTrue(self.sorted(name, *asked, *options, "--skip-bad", cores=cores)
                                        == gnu("-s", "-t,", "-n", "-k2,2", *options, text=left))
                answer = self.answer("sort", name, *asked, "--skip-bad", "--cores", cores, "-o", "out")
                self.assertEqual((answer["lines"], answer["skipped"]), (len(good), len(lines) - len(good)))
                done = self.run_program("sort", name, "after", *asked, "--skip-bad", "--cores", cores, "-o", "out")
                self.assertRegex(done.stderr.decode(), rf"warning: [0-9,]+ lines were skipped; the first: {name}:{first + 1}: expected ")
        self.file("open.csv", b'a,1\nb,"2\nc,3\nd,4\n')  # the quote is closed nowhere: one record to the end
        self.assertEqual(self.sorted("open.csv", "--key", 2, "--separator", ",", "--skip-bad"), b"a,1\n")
        self.file("all", b"x\ny\n")
        answer = self.answer("sort", "all", "-n", "--skip-bad", "-o", "out", "--verify")
        self.assertEqual((answer["lines"], answer["skipped"], (self.folder / "out").read_bytes()), (0, 2, b""))

    def in_runs(self, *arguments, cores=2, memory="1M", **more):
        """What the program writes when lines go to scratch files, none of which is left."""
        (self.folder / "scratch").mkdir(exist_ok=True)
        memory = ["--memory", memory] if memory else []
        answer = self.answer("sort", *arguments, *memory, "--scratch", "scratch", "--cores", cores, "-o", "out", **more)
        self.assertGreater(answer["runs"], 1)
        self.assertEqual(os.listdir(self.folder / "scratch"), [])
        return (self.folder / "out").read_bytes()

    def test_lines_that_do_not_fit_the_memory(self):
        text = b"\n".join(self.records(90000)) + b"\n"
        self.file("in", text)
        self.file("in.gz", gzip.compress(text, 1))
        tabs = ("--separator", "\\t")
        for name, cores in (("in", 1), ("in.gz", 3)):
            for options in ((), ("-r",), ("-u",), ("-r", "-u")):
                with self.subTest(name=name, cores=cores, options=options, seed=SEED):
                    self.assertTrue(self.in_runs(name, *options, cores=cores) == gnu(*options, text=text))
                    self.assertTrue(self.in_runs(name, "-k", 2, *tabs, *options, cores=cores)
                                    == gnu("-s", "-t\t", "-k2,2", *options, text=text))
        self.assertTrue(self.in_runs("in", "-k", 3, "-n", *tabs, "--verify") == gnu("-s", "-t\t", "-n", "-k3,3", text=text))
        self.assertTrue(self.in_runs("in", "-k", 3, "-n", "-u", "-r", *tabs) == gnu("-s", "-t\t", "-n", "-r", "-u", "-k3,3", text=text))
        bad = b"\n".join(line + b"x" * (i % 999 == 700) for i, line in enumerate(text.splitlines())) + b"\n"
        self.file("bad.gz", gzip.compress(b"a\tb\tc\td\n" + bad.replace(b"end\n", b"7\n").replace(b"endx\n", b"x\n"), 1))
        expected = gnu("-s", "-t\t", "-n", "-k4,4", text=b"".join(line + b"\n" for line in bad.replace(b"end\n", b"7\n").splitlines()
                                                               if not line.endswith(b"x")))
        answer = self.answer("sort", "bad.gz", "--header", "-k", "d", "-n", *tabs, "--skip-bad", "--memory", "1M", "-o", "out")
        self.assertTrue((self.folder / "out").read_bytes() == b"a\tb\tc\td\n" + expected)
        self.assertEqual((answer["skipped"], answer["lines"]), (90, 89910))
        self.assertEqual("error: bad.gz:702: expected a number in field 4, found \"x\" (--skip-bad leaves such lines out)\n",
                         self.refused("sort", "bad.gz", "--header", "-k", "d", "-n", *tabs, "--memory", "1M", "-o", "no", "--quiet"))

    def test_more_runs_than_are_merged_at_once(self):
        numbers = [self.draw.randrange(40000) for _ in range(1000000)]
        text = b"".join(b"%d\n" % n for n in numbers)
        self.file("in", text)
        answer = self.answer("sort", "in", "--memory", "1M", "-o", "out", "--cores", 2, "--stats")
        self.assertGreater(answer["passes"], 0)
        self.assertTrue((self.folder / "out").read_bytes() == gnu(text=text))
        self.answer("sort", "in", "-n", "-u", "-r", "--memory", "1M", "-o", "out", "--cores", 2)
        self.assertEqual([int(n) for n in (self.folder / "out").read_bytes().split()], sorted(set(numbers), reverse=True))

    def test_records_that_do_not_fit_the_memory(self):
        rows = [[str(i), self.draw.choice(("plain", "comma, inside", 'a "quoted" word', "two\nlines", "")), str(self.draw.randrange(100))]
                for i in range(60000)]
        for i in range(4):
            rows.insert(self.draw.randrange(len(rows)), [str(i), 'more "lines"\n' * 9000, "5"])  # more than a block
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        self.file("in.csv", text.getvalue())
        self.file("in.csv.gz", gzip.compress(text.getvalue().encode(), 1))
        for source in "in.csv", "in.csv.gz":
            for key, numeric in ((2, ()), (3, ("-n",))):
                self.in_runs(source, "--key", key, *numeric, "--separator", ",")
                with open(self.folder / "out", newline="") as found:
                    self.assertTrue(list(csv.reader(found)) == sorted(rows, key=lambda row: row[1] if key == 2 else int(row[2])),
                                    f"seed {SEED}, {source}, key {key}")

    def test_numbers_that_do_not_fit_the_memory(self):
        for name, code, some in (("i64", "q", 1), ("u32", "I", 7)):
            numbers = array.array(code, self.draw.randbytes(array.array(code).itemsize * 100000))
            numbers.extend([some] * 100000)  # equal ones of many runs
            self.file("a", numbers[:150000].tobytes())
            self.file("b.gz", gzip.compress(numbers[150000:].tobytes()))
            for options in ((), ("-r",)):
                found = array.array(code, self.in_runs("a", "b.gz", "--binary", name, *options))
                self.assertTrue(list(found) == sorted(numbers, reverse="-r" in options), f"seed {SEED}, {name}")

    def test_memory_is_bounded(self):
        text = b"".join(b"%d\n" % (i * 7919 % 10 ** 7) for i in range(3_000_000))
        self.file("many", text)
        self.assertTrue(self.in_runs("many", memory=None, env={"GOSSAMER_MEMORY_LIMIT": "50M"}) == gnu(text=text))
        self.assertEqual(self.answer("sort", "many", "-o", "out")["runs"], 0)

    def test_failures_of_scratch_files(self):
        self.file("in", b"".join(b"%d\n" % self.draw.randrange(10 ** 9) for _ in range(200000)))
        self.assertIn("cannot make a scratch file in no: No such file or directory",
                      self.refused("sort", "in", "--memory", "1M", "--scratch", "no", "-o", "out"))
        self.assertIn("at least 1048576", self.refused("sort", "in", "--memory", "1K"))
        # Files have at most 64 KiB, as if the disk were full.
        (self.folder / "scratch").mkdir()
        done = subprocess.run(["sh", "-c", 'trap "" XFSZ; ulimit -f 128; exec "$@"', "sh", PROGRAM, "sort", "in", "--memory", "1M",
                               "--scratch", "scratch", "-o", "out", "--quiet"], cwd=self.folder, env=CLEAN, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (2, b"error: cannot write a scratch file in scratch: File too large\n"))
        self.assertEqual((self.names(), os.listdir(self.folder / "scratch")), (["in", "scratch"], []))

    def test_an_interrupt_leaves_no_scratch_file(self):
        self.file("in", b"".join(b"%d\n" % self.draw.randrange(10 ** 9) for _ in range(400000)))
        (self.folder / "scratch").mkdir()
        for signal in ("INT", "KILL"):
            job = subprocess.Popen([PROGRAM, "sort", "in", "--memory", "1M", "--scratch", "scratch", "--quiet"], cwd=self.folder,
                                   env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            job.stdout.read(1)  # it merges, and waits for its reader
            opened = [os.readlink(f"/proc/{job.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{job.pid}/fd")]
            self.assertTrue(any(str(self.folder / "scratch") in path for path in opened), opened)
            job.send_signal(getattr(__import__("signal"), "SIG" + signal))
            job.communicate()
            self.assertNotEqual(job.returncode, 0)
            self.assertEqual(os.listdir(self.folder / "scratch"), [])


@__import__("unittest").skipUnless(BY_MPI, "no launcher, or a sanitizer, which no MPI is made for")
class SortOfProcesses(ProgramTest):
    def run_in(self, launcher, processes, cores, *words, env=None):
        command = launcher.command(processes, PROGRAM, "sort", *words, "--cores", cores, "--quiet")
        return Job(command, folder=self.folder, env=env).end(timeout=100)

    def test_answers(self):
        draw = random.Random(SEED)
        cases = {name: text for name, text in texts(draw).items() if name not in ("huge", "long")}
        for launcher, processes, cores in one_launcher_each(((2, 1), (2, 2), (3, 1))):
            for name, text in cases.items():
                self.file("in", text)
                options = draw.choice(((), ("-r",), ("-u",)))
                with self.subTest(mpi=launcher.mpi, processes=processes, cores=cores, text=name, options=options):
                    code, out, errors, _ = self.run_in(launcher, processes, cores, "in", *options, "-o", "out", "--verify")
                    self.assertEqual(code, 0, errors)
                    self.assertTrue((self.folder / "out").read_bytes() == gnu(*options, text=text))

    def test_several_files_and_equal_keys(self):
        draw = random.Random(SEED)
        parts = [b"".join(b"%d\t%d.%d\n" % (draw.randrange(5), i, k) for k in range(4000)) for i in range(3)]
        self.file("a", parts[0])
        self.file("b.gz", gzip.compress(parts[1]))
        self.file("c", parts[2])
        for launcher in BY_MPI:
            code, out, errors, _ = self.run_in(launcher, 2, 2, "a", "b.gz", "c", "--key", 1, "-n", "-o", "out.gz")
            self.assertEqual(code, 0, errors)
            self.assertTrue(gzip.decompress((self.folder / "out.gz").read_bytes())
                            == gnu("-s", "-n", "-k1,1", text=b"".join(parts)))
            code, out, errors, _ = self.run_in(launcher, 2, 1, "a", "c", "--key", 2)
            self.assertEqual(code, 0, errors)
            self.assertTrue(out.encode() == gnu("-s", "-b", "-k2,2", text=parts[0] + parts[2]))

    def test_binary_numbers(self):
        draw = random.Random(SEED)
        numbers = array.array("q", draw.randbytes(8 * 50000))
        self.file("a", numbers[:12345].tobytes())
        self.file("b.gz", gzip.compress(numbers[12345:].tobytes()))
        for launcher, processes, cores in one_launcher_each(((2, 1), (3, 2))):
            code, out, errors, _ = self.run_in(launcher, processes, cores, "a", "b.gz", "--binary", "i64", "-o", "out", "--verify")
            self.assertEqual(code, 0, errors)
            self.assertTrue(list(array.array("q", (self.folder / "out").read_bytes())) == sorted(numbers), f"seed {SEED}")

    def test_a_full_disk_ends_the_job(self):
        self.file("in", b"some line\n" * 400000)
        for launcher in BY_MPI:
            code, out, errors, _ = self.run_in(launcher, 2, 1, "in", "-o", "/dev/full")
            self.assertNotEqual(code, 0)
            self.assertIn("cannot write /dev/full: No space left on device", errors)

    def test_numbers_that_do_not_fit_the_memory(self):
        draw = random.Random(SEED)
        for name, code, some in (("i64", "q", 1), ("u32", "I", 7)):
            numbers = array.array(code, draw.randbytes(array.array(code).itemsize * 150000))
            numbers.extend([some] * 100000)  # equal ones of many runs, in one process's share
            numbers.extend(range(100000))  # in order: they travel to one process
            self.file("a", numbers[:250000].tobytes())
            self.file("b.gz", gzip.compress(numbers[250000:].tobytes(), 1))
            for launcher, processes, cores in one_launcher_each(((2, 1), (3, 2))):
                for options in ((), ("-r",)):
                    with self.subTest(mpi=launcher.mpi, processes=processes, cores=cores, type=name, options=options, seed=SEED):
                        code_of, out, errors, _ = self.run_in(launcher, processes, cores, "a", "b.gz", "--binary", name, *options,
                                                              "--memory", "1M", "-o", "out", "--verify", "--json")
                        self.assertEqual(code_of, 0, errors)
                        self.assertGreater(json.loads(out)["runs"], 1)
                        self.assertTrue(list(array.array(code, (self.folder / "out").read_bytes()))
                                        == sorted(numbers, reverse="-r" in options))

    def test_the_limit_of_a_process_bounds_what_it_sorts(self):
        text = b"".join(b"%d\n" % (i * 7919 % 10 ** 7) for i in range(1_500_000))
        self.file("lines", text)
        numbers = array.array("q", random.Random(SEED).randbytes(8 * 1_500_000))
        self.file("numbers", numbers.tobytes())
        (self.folder / "scratch").mkdir()
        for launcher, processes, cores in one_launcher_each(((2, 1),)):
            for words, expected in ((("lines",), gnu(text=text)),
                                    (("numbers", "--binary", "i64"), array.array("q", sorted(numbers)).tobytes())):
                with self.subTest(mpi=launcher.mpi, words=words, seed=SEED):
                    code, out, errors, _ = self.run_in(launcher, processes, cores, *words, "--scratch", "scratch", "-o", "out", "--json",
                                                       env={"GOSSAMER_MEMORY_LIMIT": "25M"})
                    self.assertEqual(code, 0, errors)
                    self.assertGreater(json.loads(out)["runs"], 1)
                    self.assertTrue((self.folder / "out").read_bytes() == expected)
                    self.assertEqual(os.listdir(self.folder / "scratch"), [])

    def test_what_is_refused_is_said_once(self):
        self.file("in", b"1\n" * 100000 + b"x\n" + b"2\n" * 1000)
        for launcher in BY_MPI:
            code, out, errors, _ = self.run_in(launcher, 2, 1, "in", "-n", "-o", "out")
            self.assertNotEqual(code, 0)
            self.assertEqual(errors.count("error: "), 1, errors)
            self.assertIn('in:100001: expected a number, found "x"', errors)
            self.assertEqual(self.names(), ["in"])


if __name__ == "__main__":
    main()
