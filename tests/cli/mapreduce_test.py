"""wordcount, as a person or a script uses it: answers beside Python's own, forms of files, what is refused."""
import bz2
import collections
import csv
import gzip
import json
import lzma
import random
import re
import subprocess

from program import ProgramTest, main

SEED = 20261124


def words(text, letters=False, fold=False):
    """The words of a text by Python's own rules; bytes."""
    found = re.findall(rb"[A-Za-z\x80-\xff]+" if letters else rb"[^ \t\n\v\f\r]+", text)
    return collections.Counter(w.lower() if fold else w for w in found)


def ranking(counts):
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


class WordCount(ProgramTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(SEED)
        vocabulary = ["".join(draw.choice("abcXYZ.,'\u00e9") for _ in range(draw.randrange(1, 40))).encode() for _ in range(800)]
        self.text_bytes = b"".join(vocabulary[int(800 ** draw.random()) - 1] + draw.choice([b" ", b"\n", b"\t", b"  ", b"\r\n"])
                                   for _ in range(40000))

    def top(self, answer, thing="word"):
        return [(one[thing], one["count"]) for one in answer["top"]]

    def test_counts_are_those_of_python(self):
        self.file("a.txt", self.text_bytes)
        for letters, fold, cores in ((False, False, 1), (False, True, 2), (True, False, 3), (True, True, 2)):
            options = ["--letters"] * letters + ["--fold"] * fold
            expected = ranking(words(self.text_bytes, letters, fold))
            with self.subTest(options=options):
                answer = self.answer("wordcount", "a.txt", "--cores", cores, "--top", 15, "--verify", *options)
                self.assertEqual((answer["words"], answer["distinct"]), (sum(n for _, n in expected), len(expected)))
                self.assertEqual(self.top(answer), [(w.decode(), n) for w, n in expected[:15]])
                self.assertIs(answer["verified"], True)

    def test_many_files_in_all_forms(self):
        parts = [self.text_bytes[i * len(self.text_bytes) // 6:(i + 1) * len(self.text_bytes) // 6] for i in range(6)]
        parts = [part.replace(b"\xc3", b"c").replace(b"\xa9", b"o") for part in parts]
        self.file("0.txt", parts[0])
        self.file("1.gz", gzip.compress(parts[1]))
        self.file("2.bz2", bz2.compress(parts[2]))
        self.file("3.xz", lzma.compress(parts[3]))
        self.file("4.zst", subprocess.run(["zstd", "-c"], input=parts[4], stdout=subprocess.PIPE, check=True).stdout
                  if self.has_zstd() else parts[4])
        self.file("5", parts[5])
        expected = sum((words(part) for part in parts), collections.Counter())
        answer = self.answer("wordcount", "0.txt", "1.gz", "2.bz2", "3.xz", "4.zst", "5", "--verify", "-o", "out.tsv")
        self.assertEqual((answer["words"], answer["distinct"]), (expected.total(), len(expected)))
        rows = [line.split("\t") for line in (self.folder / "out.tsv").read_text().splitlines()]
        self.assertEqual(rows[0], ["word", "count"])
        self.assertEqual([(w.encode(), int(n)) for w, n in rows[1:]], ranking(expected))

    @staticmethod
    def has_zstd():
        return subprocess.run(["sh", "-c", "command -v zstd"], capture_output=True).returncode == 0

    def test_standard_input_and_output(self):
        path = self.file("a.txt", "b a b\n")
        with open(path) as source:
            self.assertEqual(self.text("wordcount", "-", "-o", "-", stdin=source), "word\tcount\nb\t2\na\t1\n")
        self.assertIn('-: standard input can be read once only', self.refused("wordcount", "-", "-"))

    def test_lines(self):
        self.file("a.txt", "one two\none two\r\n\nthree\n\none")
        answer = self.answer("wordcount", "a.txt", "--lines", "--verify")
        self.assertEqual(self.top(answer, "line"), [("one two", 2), ("one", 1), ("three", 1)])

    def test_a_field(self):
        self.file("a.tsv", "1\tred one\n2\tblue\n\n3\tred one\n")
        for where in "a.tsv", "a.gz":
            self.file("a.gz", gzip.compress(b"1\tred one\n2\tblue\n\n3\tred one\n"))
            answer = self.answer("wordcount", where, "--field", 2, "--separator", "\\t", "--verify")
            self.assertEqual(self.top(answer, "field"), [("red one", 2), ("blue", 1)])
        self.assertEqual(self.top(self.answer("wordcount", "a.tsv", "--field", 2), "field"), [("red", 2), ("blue", 1)])
        lines = b"".join(b"%d,x\n" % i for i in range(50000)) + b"only one\n" + b"1,2\n" * 100
        self.file("b.csv", lines)
        self.file("b.csv.gz", gzip.compress(lines))
        for where in "b.csv", "b.csv.gz":
            self.assertEqual(self.refused("wordcount", where, "--field", 2, "--separator", ",", "--quiet"),
                             f"error: {where}:50001: expected at least 2 fields, found 1\n")
            for cores in 1, 3:
                answer = self.answer("wordcount", where, "--field", 2, "--separator", ",", "--skip-bad", "--verify", "--cores", cores)
                self.assertEqual((answer["skipped"], self.top(answer, "field")), (1, [("x", 50000), ("2", 100)]))
                done = self.run_program("wordcount", "a.tsv", where, "--field", 2, "--separator", ",", "--skip-bad", "--cores", cores)
                self.assertIn("warning: 4 lines were skipped; the first: a.tsv:1: expected at least 2 fields, found 1\n", done.stderr.decode())

    def test_forms_of_output(self):
        self.file("a.txt", 'say "hi", say \\t\n')
        self.answer("wordcount", "a.txt", "-o", "out.csv")
        with open(self.folder / "out.csv", newline="") as rows:
            self.assertEqual(list(csv.reader(rows)), [["word", "count"], ["say", "2"], ['"hi",', "1"], ["\\t", "1"]])
        self.answer("wordcount", "a.txt", "-o", "out.json")
        self.assertEqual(json.loads((self.folder / "out.json").read_text())[0], {"word": "say", "count": 2})

    def test_engines_agree(self):
        self.file("a.txt", self.text_bytes)
        expected = ranking(words(self.text_bytes))
        for engine, stages in (("hybrid", {"open", "map", "reduce", "exchange"}),
                               ("messages", {"open", "map", "combine", "partition", "group", "reduce", "sort"})):
            for cores in 1, 3:
                with self.subTest(engine=engine, cores=cores):
                    answer = self.answer("wordcount", "a.txt", "--engine", engine, "--cores", cores, "--stats",
                                         "--verify", "-o", "out.tsv")
                    self.assertEqual(answer["options"]["engine"], engine)
                    self.assertEqual(set(answer["stages"]), stages)
                    self.assertEqual(self.top(answer), [(w.decode(), n) for w, n in expected[:10]])
                    rows = [line.split(b"\t") for line in (self.folder / "out.tsv").read_bytes().splitlines()[1:]]
                    self.assertEqual([(w, int(n)) for w, n in rows], expected)

    def test_rows_are_in_the_order_of_words(self):
        self.file("a.txt", self.text_bytes)
        expected = sorted(words(self.text_bytes).items())
        for engine, stage in ("hybrid", "sort"), ("messages", "merge"):
            for cores in 1, 3:
                with self.subTest(engine=engine, cores=cores):
                    answer = self.answer("wordcount", "a.txt", "--by-word", "--engine", engine, "--cores", cores, "--stats",
                                         "--verify", "-o", "out.tsv")
                    self.assertIs(answer["options"]["by_word"], True)
                    self.assertIn(stage, answer["stages"])
                    self.assertEqual(self.top(answer), [(w.decode(), n) for w, n in ranking(words(self.text_bytes))[:10]])
                    rows = [line.split(b"\t") for line in (self.folder / "out.tsv").read_bytes().splitlines()[1:]]
                    self.assertEqual([(w, int(n)) for w, n in rows], expected)
        self.assertNotIn("sort", self.answer("wordcount", "a.txt", "--stats")["stages"])

    def test_nothing_to_count(self):
        self.file("empty", b"")
        self.file("blank", b" \n\t ")
        answer = self.answer("wordcount", "empty", "blank", "--verify")
        self.assertEqual((answer["words"], answer["distinct"], answer["top"]), (0, 0, []))

    def test_text(self):
        self.file("a.txt", "a b a")
        text = self.text("wordcount", "a.txt", "--cores", 2, "--stats")
        for part in ("3 words, 2 different", "rank", "on 2 cores", "reduce", "containers after the map stage: "):
            self.assertIn(part, text)

    def test_separators_are_spelt_alike(self):
        for name, character in (("tab", "\t"), ("\\t", "\t"), ("space", " "), ("comma", ","), ("semicolon", ";"), ("bar", "|"), ("~", "~"),
                                ("blanks", " \t  ")):
            self.file("t", f"b{character}2\na{character}1\nb{character}3\n")
            with self.subTest(separator=name):
                self.assertEqual(self.top(self.answer("wordcount", "t", "--field", 1, "--separator", name), "field"), [("b", 2), ("a", 1)])
                self.assertEqual(self.answer("group", "t", "--no-header", "--by", 1, "--sum", 2, "--separator", name)["top"],
                                 [{"column_1": "a", "sum_column_2": 1}, {"column_1": "b", "sum_column_2": 5}])
                self.assertEqual(self.text("sort", "t", "--key", 1, "--separator", name), f"a{character}1\nb{character}2\nb{character}3\n")
        for bad in '"', "", "tabs", "\n":
            for words in ("wordcount", "--field", 1), ("group", "--by", 1), ("sort", "--key", 1):
                self.assertIn("--separator: expected one character, or tab, ", self.refused(*words, "t", "--separator", bad))

    def test_what_is_refused(self):
        self.file("a.txt", "a b")
        self.assertIn("expected a file to read, or - for standard input", self.refused("wordcount"))
        self.assertIn("cannot read b.txt: No such file or directory", self.refused("wordcount", "a.txt", "b.txt", "-o", "out.tsv"))
        self.assertIn("cannot read", self.refused("wordcount", "."))
        self.assertIn("--lines, --letters and --field exclude each other", self.refused("wordcount", "a.txt", "--lines", "--letters"))
        self.assertIn("--separator needs --field", self.refused("wordcount", "a.txt", "--separator", ","))
        self.assertIn('expected one character, or tab, space, comma, semicolon, bar or blanks, found "ab"', self.refused("wordcount", "a.txt", "--field", 1, "--separator", "ab"))
        self.assertIn(".tsv, .csv", self.refused("wordcount", "a.txt", "-o", "out.xls"))
        self.assertIn('--engine: expected hybrid or messages, found "fast"', self.refused("wordcount", "a.txt", "--engine", "fast"))
        self.file("cut.gz", gzip.compress(self.text_bytes)[:-9])
        self.assertIn("cut.gz: ", self.refused("wordcount", "a.txt", "cut.gz", "-o", "out.tsv"))

    def test_memory_is_bounded(self):
        self.file("many.txt", b" ".join(b"%d" % (i * 7919) for i in range(3_000_000)))
        message = self.refused("wordcount", "many.txt", "--quiet", "--engine", "messages", env={"GOSSAMER_MEMORY_LIMIT": "100M"})
        self.assertRegex(message, r"needs .*GOSSAMER_MEMORY_LIMIT is 100M: raise it")


if __name__ == "__main__":
    main()
