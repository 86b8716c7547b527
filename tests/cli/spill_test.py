"""wordcount and group with less memory than their containers need: the same answers, and nothing left behind."""
import collections
import csv
import gzip
import json
import os
import random
import resource
import signal
import subprocess
import sys
import unittest

from program import CLEAN, PROGRAM, ProgramTest, main

SEED = 20261125


def long_text(draw, words):
    parts = []
    for _ in range(words):
        n = draw.randrange(1 + draw.randrange(60000))
        parts.append(b"w%d%s%s" % (n, b"x" * (n % 60 if n % 9 == 0 else 0), draw.choice([b" ", b"\n"])))
    return b"".join(parts)


class Spill(ProgramTest):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(SEED)
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.reader(file, delimiter="\t"))

    def nothing_left(self):
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_word_counts_are_those_with_enough_memory(self):
        text = long_text(self.draw, 60000)
        self.file("text", text)
        expected = collections.Counter(text.split())
        ranking = sorted(expected.items(), key=lambda pair: (-pair[1], pair[0]))
        for cores in (1, 3):
            answer = self.answer("wordcount", "text", "--cores", cores, "--memory", f"{256 * cores}K", "--scratch", "scratch",
                                 "--stats", "--verify", "--top", 50, "-o", "out.tsv")
            self.assertGreater(answer["spills"], 1)
            self.assertGreater(answer["spilled_bytes"], 0)
            self.assertLessEqual(answer["container_bytes"], 256 * 1024 * cores)
            self.assertIs(answer["verified"], True)
            self.assertEqual([(one["word"].encode(), one["count"]) for one in answer["top"]], ranking[:50])
            self.assertEqual([(w.encode(), int(n)) for w, n in self.rows("out.tsv")[1:]], ranking)
            self.nothing_left()

    def test_groups_are_those_with_enough_memory(self):
        lines = ["name,size,price"]
        for _ in range(30000):
            lines.append(f"n{self.draw.randrange(1 + self.draw.randrange(20000))},{self.draw.randrange(1000)},"
                         f"{self.draw.random():.6f}")
        self.file("t.csv", "\n".join(lines) + "\n")
        options = ["group", "t.csv", "--by", "name", "--count", "--sum", "size", "--mean", "price", "--max", "price"]
        self.answer(*options, "--cores", 2, "-o", "enough.tsv")
        answer = self.answer(*options, "--cores", 2, "--memory", "1M", "--scratch", "scratch", "--stats", "--verify", "-o", "little.tsv")
        self.assertGreater(answer["spills"], 1)
        self.assertIs(answer["verified"], True)
        self.assertEqual(self.rows("little.tsv"), self.rows("enough.tsv"))
        for sort in (["--sort", "count"], ["--sort", "sum_size", "--reverse"], ["--reverse"]):
            self.assertEqual(self.answer(*options, "--cores", 2, "--memory", "1M", "--scratch", "scratch", *sort, "--top", 9)["top"],
                             self.answer(*options, "--cores", 2, *sort, "--top", 9)["top"])
        self.nothing_left()

    def test_different_fields_are_those_with_enough_memory(self):
        rows = [(f"n{self.draw.randrange(6000)}", self.draw.choice(["", f"s{self.draw.randrange(40)}"]), f"{'long' * 5}{i % 7}") for i in range(40000)]
        self.file("t.csv", "name,size,kind\n" + "".join(",".join(row) + "\n" for row in rows))
        sizes, kinds = collections.defaultdict(set), collections.defaultdict(set)
        for name, size, kind in rows:
            sizes[name] |= {size} - {""}
            kinds[name].add(kind)
        expected = [[name, str(len(sizes[name])), str(len(kinds[name]))] for name in sorted(kinds)]
        for cores in (1, 3):
            answer = self.answer("group", "t.csv", "--by", "name", "--distinct", "size,kind", "--memory", f"{512 * cores}K", "--cores", cores,
                                 "--scratch", "scratch", "--stats", "--verify", "-o", "out.tsv")
            self.assertGreater(answer["spills"], 2)
            self.assertIs(answer["verified"], True)
            self.assertEqual(self.rows("out.tsv")[1:], expected)
            self.nothing_left()

    def test_the_limit_of_the_process_bounds_the_counts(self):
        """GOSSAMER_MEMORY_LIMIT without --memory: less memory than the containers take without it."""
        # Words that are all different: they want some 24 bytes each.
        self.file("text", b"\n".join(b"%014d" % i for i in range(2_000_000)))
        enough = self.answer("wordcount", "text", "--cores", 2, "--stats", "--top", 3)
        little = self.answer("wordcount", "text", "--cores", 2, "--stats", "--top", 3, "--scratch", "scratch",
                             env={"GOSSAMER_MEMORY_LIMIT": "80M"})
        self.assertGreater(enough["container_bytes"], 40 << 20)
        self.assertEqual(enough["spills"], 0)
        self.assertGreater(little["spills"], 1)
        self.assertEqual((little["distinct"], little["top"]), (enough["distinct"], enough["top"]))
        self.nothing_left()

    def peak(self, *command):
        """The most memory that a run was resident in, in bytes."""
        # From a small process: what is resident when a program is started counts as its own.
        script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", script, PROGRAM, *map(str, command), "-q"], cwd=self.folder, env=CLEAN,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return int(done.stdout) * 1024

    @unittest.skipIf(os.environ.get("GOSSAMER_SANITIZE"), "a sanitizer takes memory of its own")
    def test_no_more_memory_than_was_allowed(self):
        """Tables of 4 times the bound. What is resident on top of it: what a run over a few words takes, the mapped files, and 2 MiB
        for each core (buffers and the room of the compressor). Compressed files, since plain ones are resident as a whole."""
        bound, cores = 12 << 20, 2
        for name, first in (("a", "w"), ("t", "key,n\n")):
            self.file(f"few.{name}.gz", gzip.compress(first.encode() + b"0,0\n"))
            for k in range(4):
                rows = b"".join(b"%014d,1\n" % i for i in range(k * 350000, (k + 1) * 350000))
                if name == "a":
                    rows = rows.replace(b",", b" ")
                self.file(f"{k}.{name}.gz", gzip.compress(first.encode() + rows, 1))
        for name, command in (("a", ["wordcount"]), ("t", ["group", "--by", "key", "--sum", "n", "--header"])):
            files = [f"{k}.{name}.gz" for k in range(4)]
            size = sum((self.folder / file).stat().st_size for file in files)
            options = ["--cores", cores, "--memory", bound, "--scratch", "scratch"]
            with self.subTest(command=command[0]):
                enough = self.answer(*command, *files, "--cores", cores, "--stats")
                self.assertGreaterEqual(enough["container_bytes"], 4 * bound)
                base = self.peak(*command, f"few.{name}.gz", *options)
                peak = self.peak(*command, *files, *options, "-o", "out.tsv")
                print(f"{command[0]}: {peak >> 20} MiB; {base >> 20} MiB with few words, bound {bound >> 20}, files {size >> 20}")
                self.assertLessEqual(peak, base + bound + size + cores * (2 << 20))
                self.nothing_left()

    @unittest.skipIf(os.environ.get("GOSSAMER_SANITIZE"), "a sanitizer takes memory of its own")
    def test_many_cores_of_little_memory_keep_to_it(self):
        """Eight cores spill often, each to a block for each bucket of each partition: at most 32 MiB over the bound in all."""
        draw = random.Random(1)
        rows = "".join(f"k{draw.randrange(10**6)},t{draw.randrange(50)},{draw.randrange(10**6)},{draw.random():.6f}\n"
                       for _ in range(600_000))
        self.file("wide.csv.gz", gzip.compress(("key,kind,a,b\n" + rows).encode(), 1))
        peak = self.peak("group", "wide.csv.gz", "--by", "key", "--distinct", "kind", "--sum", "a,b", "--min", "a,b", "--max", "a,b",
                         "--memory", "12M", "--cores", 8, "--scratch", "scratch", "-o", "out.csv")
        print(f"{peak >> 20} MiB of 12 MiB")
        self.assertLessEqual(peak, (12 + 32) << 20)
        self.nothing_left()

    def test_bad_input_leaves_nothing(self):
        rows = "".join(f"k{i},{i}\n" for i in range(40000)) + "k,none\n"
        self.file("bad.csv", "key,n\n" + rows)
        said = self.refused("group", "bad.csv", "--by", "key", "--sum", "n", "--memory", "512K", "--cores", 2, "--scratch", "scratch",
                            "-o", "out.tsv")
        self.assertIn("bad.csv:40002: expected a number", said)
        self.nothing_left()

    def test_a_missing_folder_is_named(self):
        self.file("text", "a b c\n")
        self.assertEqual(self.refused("wordcount", "text", "--memory", "10M", "--scratch", "nowhere"),
                         "error: cannot make a scratch file in nowhere: No such file or directory\n")

    def test_a_full_disk_is_one_line(self):
        self.file("text", long_text(self.draw, 60000))
        done = subprocess.run([PROGRAM, "wordcount", "text", "--memory", "512K", "--cores", "2", "--scratch", "scratch", "-o", "out.tsv"],
                              cwd=self.folder, env=CLEAN, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertEqual(done.stderr, b"error: cannot write a scratch file in scratch: File too large\n")
        self.assertEqual(self.names(), ["scratch", "text"])
        self.nothing_left()

    def scratch_in_use(self, program):
        """Whether the program has written to a scratch file."""
        try:
            for number in os.listdir(f"/proc/{program.pid}/fd"):
                path = f"/proc/{program.pid}/fd/{number}"
                if os.readlink(path).startswith(str(self.scratch)) and os.stat(path).st_size > 0:
                    return True
        except OSError:
            pass
        return False

    def test_signals_leave_nothing(self):
        """Signals come while scratch files are in use: the same text is read many times."""
        self.file("text", long_text(self.draw, 60000))
        words = ["wordcount", *["text"] * 200]
        groups = ["group", *["text"] * 200, "--by", "1", "--separator", "bar", "--no-header", "--no-quotes"]
        lines = ["sort", *["text"] * 200, "-o", "out"]
        for command, number in ((words, signal.SIGINT), (words, signal.SIGTERM), (words, signal.SIGKILL), (groups, signal.SIGINT),
                                (lines, signal.SIGINT)):
            with self.subTest(command=command[0], number=number):
                program = subprocess.Popen([PROGRAM, *command, "--memory", "1M", "--cores", "2",
                                            "--scratch", "scratch", "-q"], cwd=self.folder, env=CLEAN,
                                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                while not self.scratch_in_use(program) and program.poll() is None:
                    pass
                program.send_signal(number)
                program.communicate(timeout=60)
                self.assertEqual(program.returncode, -number)
                self.assertEqual(self.names(), ["scratch", "text"])
                self.nothing_left()

    def start(self, *options):
        return subprocess.Popen([PROGRAM, "wordcount", *["text"] * 10, "--memory", "600K", "--cores", "2", "--top", "30", "--stats", "--json",
                                 "-q", *options], cwd=self.folder, env=CLEAN, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, *options):
        program = self.start(*options)
        out, complaint = program.communicate(timeout=60)
        self.assertEqual((program.returncode, complaint), (0, b""))
        return json.loads(out)

    def killed(self, log_bytes, command=(), part=""):
        """Kills a start when its logs hold so many bytes. Returns whether it was still running."""
        program = (subprocess.Popen([PROGRAM, *command, "--resume", "work", "--scratch", "scratch"], cwd=self.folder, env=CLEAN,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                   if command else self.start("--resume", "work", "--scratch", "scratch"))
        def logged():
            return sum(path.stat().st_size for path in (self.folder / "work").glob(f"{part}*.log"))
        while logged() < log_bytes and program.poll() is None:
            pass
        program.kill()
        program.communicate(timeout=60)
        return program.returncode == -signal.SIGKILL

    def test_a_killed_job_goes_on(self):
        self.file("text", long_text(self.draw, 60000))
        expected = self.finish()
        for round in range(4):
            (self.folder / "work").mkdir(exist_ok=True)
            bytes_then = self.draw.randrange(2000, 60000)
            with self.subTest(log_bytes=bytes_then):
                self.assertTrue(self.killed(bytes_then))
                damaged = False
                if round % 2:
                    # Of the core that has done most: one of a busy machine may have done nothing yet.
                    pairs = max((self.folder / "work").glob("core-*.pairs"), key=lambda file: file.stat().st_size)
                    content = bytearray(pairs.read_bytes())
                    at = self.draw.randrange(min(1000, len(content)))
                    content[at] ^= 1
                    pairs.write_bytes(content)
                    damaged = True
                answer = self.finish("--resume", "work", "--scratch", "scratch")
                self.assertGreater(answer["tasks_before"], 0 if not damaged else -1)
                for key in ("words", "distinct", "top"):
                    self.assertEqual(answer[key], expected[key])
                self.assertEqual(list((self.folder / "work").iterdir()), [])
                self.nothing_left()

    def test_work_of_another_job_is_refused(self):
        self.file("text", long_text(self.draw, 60000))
        (self.folder / "work").mkdir()
        self.assertTrue(self.killed(5000))
        other = ["wordcount", *["text"] * 10, "--memory", "600K", "--resume", "work"]
        for options in (["--cores", 2, "--letters"], ["--cores", 3]):
            self.assertIn("error: work: expected the work of this job, found that of another", self.refused(*other, *options))
        self.file("text", long_text(self.draw, 100))
        self.assertIn("found that of another", self.refused(*other, "--cores", 2))
        self.assertIn("cannot be continued", self.refused("wordcount", "-", "--resume", "elsewhere"))


    def test_rows_that_were_left_out_before_count(self):
        rows = [f"k{self.draw.randrange(9000)}\t{i}" if i % 50 != 49 else "alone" for i in range(30000)]
        self.file("t.tsv", "\n".join(rows) + "\n")
        (self.folder / "work").mkdir()
        counts = ["wordcount", *["t.tsv"] * 20, "--field", "2", "--separator", "tab"]
        groups = ["group", *["t.tsv"] * 20, "--no-header", "--by", "1", "--sum", "2"]
        for command in counts, groups:
            with self.subTest(command=command[0]):
                command = [*command, "--skip-bad", "--memory", "2M", "--cores", "2", "--stats", "--json", "-q", "--top", "20"]
                expected = self.result(command)
                self.assertEqual(expected["skipped"], 20 * 600)
                self.assertTrue(self.killed(5000, command))
                self.assertEqual(self.same(self.result([*command, "--resume", "work"])), self.same(expected))
                self.assertEqual(list((self.folder / "work").iterdir()), [])

    def result(self, command):
        done = self.run_program(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.said = done.stderr
        return json.loads(done.stdout)

    @staticmethod
    def same(answer):
        """What may not depend on where a job was interrupted."""
        return {key: answer[key] for key in ("top", "skipped", "words", "distinct", "rows", "groups") if key in answer}

    def test_killed_groups_go_on(self):
        """A number that is no integer makes a second pass; distinct, a median and long texts make a third to a fifth: each is interrupted."""
        rows = [f"k{self.draw.randrange(9000)},{i},c{self.draw.randrange(30)},{'long ' * 7}{i}" for i in range(30000)]
        self.file("t.csv", "key,n,kind,text\n" + "\n".join(rows) + "\n")
        self.file("last.csv", "key,n,kind,text\n" + "\n".join(rows[:9000]) + "\nk1,0.5,c1,short\n")
        command = ["group", *["t.csv"] * 12, "last.csv", "--by", "key", "--sum", "n", "--distinct", "kind", "--median", "n", "--max", "text",
                   "--memory", "4M", "--cores", "2", "--stats", "--json", "-q", "--top", "50"]
        expected = self.result(command)
        self.assertEqual(expected["passes"], 5)
        for part in "pass-1", "pass-records", "distinct-1", "quantile-2", "texts-1":
            with self.subTest(part=part):
                (self.folder / "work").mkdir(exist_ok=True)
                self.assertTrue(self.killed(1500, command, part))
                answer = self.result([*command, "--resume", "work", "--scratch", "scratch"])
                self.assertGreater(answer["tasks_before"], 0)
                self.assertEqual(self.same(answer), self.same(expected))
                self.assertEqual(list((self.folder / "work").iterdir()), [])
                self.nothing_left()
        self.assertTrue(self.killed(1500, command, "pass-records"))
        self.assertIn("found that of another", self.refused(*command, "--max", "n", "--resume", "work"))


if __name__ == "__main__":
    main()
