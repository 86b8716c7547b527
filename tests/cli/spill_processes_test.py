"""wordcount, group and sort over several processes of either MPI, with less memory than they need: the same answers as with
enough, and nothing left in the folder of scratch files when a job ends, fails or is interrupted."""
import collections
import csv
import gzip
import json
import os
import pathlib
import random
import signal
import statistics
import sys
import unittest

from program import PROGRAM, ProgramTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import Job, LAUNCHERS, children  # noqa: E402

SEED = 20261126
BY_MPI = [] if os.environ.get("GOSSAMER_SANITIZE") else LAUNCHERS


@unittest.skipUnless(BY_MPI, "no MPI, or a sanitizer, which no MPI is made for")
class SpillOfProcesses(ProgramTest):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(SEED)
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()

    def start(self, launcher, command, *words, cores=1):
        return Job(launcher.command(2, PROGRAM, command, *words, "--cores", cores, "--scratch", "scratch", "--quiet"), folder=self.folder)

    def answer_of(self, launcher, command, *words, cores=1):
        code, out, errors, _ = self.start(launcher, command, *words, "--json", cores=cores).end(timeout=100)
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(list(self.scratch.iterdir()), [])
        return json.loads(out)

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return [tuple(row) for row in csv.reader(file, delimiter="\t")][1:]

    def test_word_counts(self):
        text = b"".join(b"w%d%s" % (self.draw.randrange(1 + self.draw.randrange(30000)), self.draw.choice([b" ", b"\n"]))
                        for _ in range(60000))
        self.file("a", text)
        self.file("b.gz", gzip.compress(text[:100000]))
        counts = collections.Counter(text.split()) + collections.Counter(text[:100000].split())
        ranking = [(w.decode(), str(n)) for w, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
        for launcher in BY_MPI:
            for cores in 1, 2:
                with self.subTest(mpi=launcher.mpi, cores=cores):
                    answer = self.answer_of(launcher, "wordcount", "a", "b.gz", "--memory", f"{300 * cores}K", "--stats", "-o", "out.tsv",
                                            cores=cores)
                    self.assertGreater(answer["spills"], 1)
                    self.assertEqual(self.rows("out.tsv"), ranking)

    def test_groups(self):
        sums, seen, sizes, last = collections.Counter(), collections.defaultdict(set), collections.defaultdict(list), {}
        lines = ["name,size,kind,text"]
        for _ in range(30000):
            name, size, kind = f"n{self.draw.randrange(9000)}", self.draw.randrange(1000), f"k{self.draw.randrange(20)}"
            text = f"{'t' * self.draw.randrange(20, 50)}{size}"
            sums[name] += size
            seen[name].add(kind)
            sizes[name].append(size)
            last[name] = max(last.get(name, ""), text)
            lines.append(f"{name},{size},{kind},{text}")
        self.file("t.csv", "\n".join(lines) + "\n")
        expected = [(name, str(sums[name]), last[name], f"{statistics.median(sizes[name]):g}", str(len(seen[name]))) for name in sorted(sums)]
        for launcher in BY_MPI:
            with self.subTest(mpi=launcher.mpi):
                answer = self.answer_of(launcher, "group", "t.csv", "--by", "name", "--sum", "size", "--max", "text",
                                        "--median", "size", "--distinct", "kind", "--memory", "1M", "--stats", "-o", "out.tsv")
                self.assertGreater(answer["spills"], 1)
                self.assertEqual(self.rows("out.tsv"), expected)

    def test_lines(self):
        parts = [[b"%d\t%d.%d" % (self.draw.randrange(300), i, k) for k in range(30000)] for i in range(3)]
        for name, part in zip("abc", parts):
            self.file(name, b"\n".join(part) + b"\n")
        self.file("b.gz", gzip.compress((self.folder / "b").read_bytes()))
        every = [line for part in parts for line in part]
        by_key = sorted(every, key=lambda line: int(line.split(b"\t")[0]))
        first = [line for k, line in enumerate(by_key) if k == 0 or line.split(b"\t")[0] != by_key[k - 1].split(b"\t")[0]]
        backwards = sorted(every, key=lambda line: -int(line.split(b"\t")[0]))
        key = ["--key", 1, "-n"]
        for launcher in BY_MPI:
            for options, expected in (([], sorted(every)), (key, by_key), ([*key, "-u"], first), ([*key, "-r"], backwards)):
                with self.subTest(mpi=launcher.mpi, options=options):
                    answer = self.answer_of(launcher, "sort", "a", "b.gz", "c", *options, "--memory", "1M", "-o", "out")
                    self.assertGreater(answer["runs"], 2)
                    self.assertEqual((answer["lines"], answer["written"]), (len(every), len(expected)))
                    self.assertTrue((self.folder / "out").read_bytes().splitlines() == expected, f"seed {SEED}")

    def test_a_job_that_fails_leaves_nothing(self):
        self.file("bad.csv", "key,n\n" + "".join(f"k{i},{i}\n" for i in range(40000)) + "k,none\n")
        for launcher in BY_MPI:
            for command, words in (("group", ["--by", "key", "--sum", "n"]),
                                   ("sort", ["--header", "--key", "n", "-n", "--separator", "comma"])):
                with self.subTest(mpi=launcher.mpi, command=command):
                    code, _, errors, _ = self.start(launcher, command, "bad.csv", *words, "--memory", "1M", "-o", "out.tsv").end()
                    self.assertNotEqual(code, 0)
                    self.assertIn("bad.csv:40002: expected a number", errors)
                    self.assertEqual(self.names(), ["bad.csv", "scratch"])
                    self.assertEqual(list(self.scratch.iterdir()), [])

    def test_a_job_that_is_interrupted_leaves_nothing(self):
        """By its own processes alone, and with the launcher. An MPI's may swallow what they say in either case."""
        self.file("text", b"".join(b"%d\n" % (i * 7919 % 600000) for i in range(600000)))
        for launcher in BY_MPI:
            for command, launcher_too in ("wordcount", True), ("sort", True), ("sort", False):
                with self.subTest(mpi=launcher.mpi, command=command, launcher_too=launcher_too):
                    job = self.start(launcher, command, *["text"] * 40, "--memory", "1M", "-o", "out.tsv")
                    while not in_use(self.scratch) and job.process.poll() is None:
                        pass
                    self.assertIsNone(job.process.poll(), "the job ended before it could be interrupted")
                    if launcher_too:
                        os.killpg(job.process.pid, signal.SIGINT)
                    else:
                        for pid, words in children(job.process.pid).items():
                            if words[0] == str(PROGRAM).encode() and words[1:2] != [b"run"]:
                                os.kill(pid, signal.SIGINT)
                    code, _, errors, _ = job.end()
                    if not (launcher_too and launcher.mpi == "mpich"):  # whose own code is then 0 at times, whatever the program's
                        self.assertNotEqual(code, 0, errors)
                    if not launcher_too and not launcher.is_mpi():
                        self.assertIn("gossamer: interrupted", errors)
                    self.assertEqual(self.names(), ["scratch", "text"])
                    self.assertEqual(list(self.scratch.iterdir()), [])


def in_use(folder):
    """Whether a process has written to a file in a folder, with or without a name."""
    for process in os.listdir("/proc"):
        if not process.isdigit():
            continue
        try:
            for number in os.listdir(f"/proc/{process}/fd"):
                path = f"/proc/{process}/fd/{number}"
                if os.readlink(path).startswith(str(folder)) and os.stat(path).st_size > 0:
                    return True
        except OSError:
            pass
    return False


if __name__ == "__main__":
    main()
