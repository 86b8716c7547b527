"""wordcount on files as people have them. Oracles are Python's own."""
import collections
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import unittest

from program import CLEAN, PROGRAM, ProgramTest, main, quoted_table

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import NODE  # noqa: E402

SEED = 20261128


class WordcountCases(ProgramTest):
    def counts(self, *arguments, cores=2, **more):
        """All fields or words and how often each occurs, verified by the program itself."""
        answer = self.answer("wordcount", *arguments, "--cores", cores, "--verify", "--top", 1000000, **more)
        self.assertIs(answer["verified"], True)
        name = next((n for n in ("field", "line") if answer["top"] and n in answer["top"][0]), "word")
        return {row[name]: row["count"] for row in answer["top"]}

    def test_a_quoted_field_is_a_field(self):
        self.file("a.csv", b'country,amount\n"Korea, Republic of",7\nPeru,30\n"Korea, Republic of",4\n"say ""5""",4\n')
        comma = ("--separator", ",")
        expected = {"Korea, Republic of": 2, "Peru": 1, 'say "5"': 1}
        self.assertEqual(self.counts("a.csv", "--field", "country", *comma), expected)
        self.assertEqual(self.counts("a.csv", "--field", 1, "--header", *comma), expected)
        self.assertEqual(self.counts("a.csv", "--field", 1, *comma), expected | {"country": 1})
        self.assertEqual(self.counts("a.csv", "a.csv", "--field", "amount", *comma), {"7": 2, "30": 2, "4": 4})
        self.assertIn('a.csv: no column "contry": did you mean "country"?', self.refused("wordcount", "a.csv", "--field", "contry", *comma))
        self.file("b.csv", b"nation,amount\nPeru,1\n")
        self.assertIn("b.csv: expected the columns of the first file's header (country, amount), found others (nation, amount)",
                      self.refused("wordcount", "a.csv", "b.csv", "--field", "country", *comma))
        self.assertIn("--header needs --field", self.refused("wordcount", "a.csv", "--header"))

    def test_names_in_brackets_are_names(self):
        self.file("[w]", "right right\n")
        self.file("w", "wrong\n")
        self.file("[a,b]", "k,v\nx,1\n")
        self.assertEqual(self.answer("wordcount", "[w]")["words"], 2)
        self.assertEqual(self.answer("group", "[a,b]", "--by", "k", "--count")["rows"], 1)
        self.file("t.csv", "[k],v\nx,1\n")
        self.assertEqual(self.answer("group", "t.csv", "--by", "[k]", "--count")["rows"], 1)
        self.assertIn("cannot read [none]", self.refused("wordcount", "[none]"))

    def test_quotes_as_they_stand(self):
        self.file("disks.csv", b'5" disk,2\n')
        self.assertIn("disks.csv:1: expected quotes only around a whole field (doubled inside it), found one inside a field "
                      "(--no-quotes takes quotes as they stand)", self.refused("wordcount", "disks.csv", "--separator", ",", "--field", 2))
        self.assertEqual(self.counts("disks.csv", "--separator", ",", "--field", 1, "--no-quotes"), {'5" disk': 1})

    def test_rows_have_as_many_fields_as_the_header(self):
        self.file("long.csv", b"name,amount\nb,2\nKorea, Republic of,7\na,1\n")
        asked = ("--field", "amount", "--separator", ",")
        self.assertEqual(self.refused("wordcount", "long.csv", *asked, "--quiet"), "error: long.csv:3: expected 2 fields, found 3\n")
        self.assertEqual(self.counts("long.csv", *asked, "--skip-bad"), {"2": 1, "1": 1})

    def test_quoted_line_ends_in_any_number_of_chunks(self):
        draw = random.Random(SEED)
        for cores in (1, 2, 3):
            rows, text = quoted_table(draw)
            self.file("in.csv", text)
            self.file("in.csv.gz", gzip.compress(text.encode(), 1))
            for engine in "hybrid", "messages":
                for source in "in.csv", "in.csv.gz":
                    found = self.counts(source, "--separator", ",", "--field", 3, "--engine", engine, cores=cores)
                    self.assertEqual(found, collections.Counter(row[2] for row in rows), f"seed {SEED}, {source}, {cores} cores")
            self.assertEqual(self.counts("in.csv", "--separator", ",", "--field", 3, "--resume", "kept", cores=cores),
                             collections.Counter(row[2] for row in rows), f"seed {SEED}, {cores} cores")
            with open(self.folder / "in.csv") as source_file:
                answer = self.answer("wordcount", "-", "--separator", ",", "--field", 2, "--cores", cores, stdin=source_file)
            self.assertEqual(answer["words"], len(rows))

    def test_a_header_of_several_lines(self):
        for lines in 2, 20000:
            header = 'k,"' + "a long name\n" * lines + '"\n'
            self.file("head.csv", header + "x,1\ny,2\nx,3\n")
            for cores in 1, 3:
                with self.subTest(lines=lines, cores=cores):
                    self.assertEqual(self.counts("head.csv", "--field", "k", "--separator", ",", cores=cores), {"x": 2, "y": 1})
            done = self.run_program("run", "--np", 2, "--", "wordcount", "head.csv", "--field", "k", "--separator", ",", "--json")
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            self.assertEqual(json.loads(done.stdout)["distinct"], 2)

    def test_words_and_records_longer_than_many_chunks(self):
        long = "x" * 3000000
        self.file("long", f"a {long} b\n{long}\na 1\n")
        for cores in 1, 3:
            self.assertEqual(self.counts("long", cores=cores), {"a": 2, "b": 1, "1": 1, long: 2})
            self.assertEqual(sum(self.counts("long", "--lines", cores=cores).values()), 3)
            self.assertEqual({len(w): n for w, n in self.counts("long", "--field", 1, cores=cores).items()}, {1: 2, len(long): 1})

    # Pipes ------------------------------------------------------------------------------------------------

    def pipe(self, name, contents):
        """A pipe by name, whose writer ends with the test."""
        os.mkfifo(self.folder / name)
        threading.Thread(target=lambda: (self.folder / name).write_bytes(contents), daemon=True).start()
        return name

    def test_a_pipe_is_read_once(self):
        rows = b"".join(b"%d,x\n" % i for i in range(40000))
        for i, (pack, place) in enumerate(((bytes, "40001"), (gzip.compress, "40001"))):
            bad = pack(rows + b"only one\n" + rows)
            self.assertEqual(self.refused("wordcount", self.pipe(f"a{i}", bad), "--field", 2, "--separator", ",", "--quiet", timeout=30),
                             f"error: a{i}:{place}: expected at least 2 fields, found 1\n")
            done = self.run_program("wordcount", self.pipe(f"b{i}", bad), "--field", 2, "--separator", ",", "--skip-bad", timeout=30)
            self.assertIn(f"the first: b{i}:{place}: expected at least 2 fields, found 1", done.stderr.decode())
            self.assertEqual(self.refused("group", self.pipe(f"c{i}", bad), "--by", 2, "--quiet", timeout=30),
                             f"error: c{i}:{place}: expected 2 fields, found 1\n")
            self.assertEqual(self.refused("sort", self.pipe(f"d{i}", bad), "--key", 2, "--separator", ",", "--quiet", timeout=30),
                             f"error: d{i}:{place}: expected at least 2 fields, found 1\n")
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as cat:
            threading.Thread(target=lambda: (cat.stdin.write(bad), cat.stdin.close()), daemon=True).start()
            self.assertEqual(self.refused("wordcount", "-", "--field", 2, "--separator", ",", "--quiet", stdin=cat.stdout),
                             "error: standard input:40001: expected at least 2 fields, found 1\n")

    def test_a_pipe_is_not_verified(self):
        os.mkfifo(self.folder / "p")
        for words in ("wordcount", "p"), ("sort", "p", "-o", "out"), ("group", "p", "--by", 1):
            self.assertIn(f"{words[0]}: --verify reads the files again: give a file instead of p",
                          self.refused(*words, "--verify", timeout=30))
        with open(self.file("w", "a b a\n")) as words:  # this one can be read again
            self.text("wordcount", "/dev/stdin", "--verify", stdin=words)
        self.assertIn("work on q cannot be continued: give a file",
                      self.refused("wordcount", self.pipe("q", b"a\n"), "--resume", "kept", timeout=30))

    @unittest.skipUnless(NODE.here(), "no processes of a node")
    def test_a_pipe_is_not_read_by_several_processes(self):
        os.mkfifo(self.folder / "p")
        for words in ("wordcount", "p"), ("sort", "p"), ("group", "p", "--by", 1):
            done = subprocess.run(NODE.command(2, PROGRAM, *words, "--quiet"), cwd=self.folder, env=CLEAN, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=30)
            self.assertIn(b"error: p: a pipe cannot be read by several processes: give a file, or - for standard input\n", done.stderr)

    # Kept work --------------------------------------------------------------------------------------------

    def test_kept_work_stays_until_the_output_has_its_name(self):
        for words in ("wordcount",), ("group", "--by", 1, "--no-header"):
            for size in range(6):  # more work until the folder is taken away while it is done
                self.file("in", b"".join(b"%d word\n" % i for i in range(100000 << size)))
                (self.folder / "gone").mkdir()
                job = subprocess.Popen([PROGRAM, words[0], "in", *map(str, words[1:]), "--resume", "kept", "-o", "gone/out.tsv", "--quiet"],
                                       cwd=self.folder, env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                while job.poll() is None and not (self.folder / "kept").exists():
                    pass
                shutil.rmtree(self.folder / "gone")
                errors = job.communicate(timeout=100)[1].decode()
                if job.returncode != 0:
                    break
                shutil.rmtree(self.folder / "kept", ignore_errors=True)
            self.assertIn("cannot write gone/out.tsv", errors)
            self.assertNotEqual(os.listdir(self.folder / "kept"), [])
            (self.folder / "gone").mkdir()
            self.answer(words[0], "in", *words[1:], "--resume", "kept", "-o", "gone/out.tsv")
            self.assertEqual(os.listdir(self.folder / "kept"), [])
            shutil.rmtree(self.folder / "gone")
            shutil.rmtree(self.folder / "kept")

    def test_kept_work_that_skipped_lines_is_of_another_job(self):
        self.file("in", "a b\nc\nd e\n")
        with open("/dev/full", "wb") as full:
            self.run_program("wordcount", "in", "--field", 2, "--skip-bad", "--resume", "kept", "--cores", 1, "-o", "-", stdout=full)
        self.assertNotEqual(os.listdir(self.folder / "kept"), [])
        self.refused("wordcount", "in", "--field", 2, "--resume", "kept", "--cores", 1)

    # Byte-order marks and line ends -----------------------------------------------------------------------

    def test_a_byte_order_mark_is_no_word(self):
        self.file("mark.txt", b"\xef\xbb\xbfalpha beta\nalpha\n")
        self.assertEqual(self.counts("mark.txt"), {"alpha": 2, "beta": 1})
        self.assertEqual(self.counts("mark.txt", "--letters"), {"alpha": 2, "beta": 1})
        self.assertEqual(self.counts("mark.txt", "mark.txt", "--lines"), {"alpha beta": 2, "alpha": 2})
        self.assertEqual(self.counts("mark.txt", "--field", 1), {"alpha": 2})

    def test_what_is_read_is_never_written_over(self):
        self.spares_what_it_reads("a b a\n", "wordcount")


if __name__ == "__main__":
    main()
