"""gossamer scale: rows for each number of processes, files, figures, weak scaling; what fails, and refusals."""
import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

from program import CLEAN, PROGRAM, ProgramTest, main

if "thread" in os.environ.get("GOSSAMER_SANITIZE", ""):
    print("the simulation is not for the thread sanitizer", file=sys.stderr)
    sys.exit(77)

KEYS = ("command", "version", "of", "network", "compute", "seed", "weak", "processes", "cores", "seconds", "rate", "unit",
        "speed_up", "efficiency", "messages", "network_packets", "network_bytes", "fill_percent", "memory_per_core_bytes",
        "buffer_bytes", "host_seconds", "answer")
SMALL = ("--", "gups", "--table", "64K", "--updates", "20000")


def python_with_matplotlib():
    for python in ("python3", "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import matplotlib"], capture_output=True).returncode == 0:
            return True
    return False


class ScaleTest(ProgramTest):
    def scaled(self, *words, code=0, **more):
        done = self.run_program("scale", "-q", *words, **more)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done.stdout.decode(), done.stderr.decode()

    def rows(self, *words, **more):
        out, errors = self.scaled("--json", "--no-figure", *words, **more)
        return [json.loads(line) for line in out.splitlines()], errors


class Rows(ScaleTest):
    def test_json_has_all_of_it(self):
        rows, errors = self.rows("-n", "1..4", "--cores", 2, *SMALL)
        self.assertEqual(errors, "")
        self.assertEqual([r["processes"] for r in rows], [1, 2, 4])
        self.assertEqual([r["cores"] for r in rows], [2, 4, 8])
        for row in rows:
            self.assertEqual(tuple(row), KEYS)
            self.assertEqual((row["of"], row["network"], row["unit"], row["weak"]),
                             ("gups --table 64K --updates 20000", "qdr", "M/s", False))
            answer = row["answer"]
            self.assertEqual((answer["updates"], answer["mups"], answer["processes"]), (20000, row["rate"], row["processes"]))
            self.assertEqual(row["seconds"], answer["seconds"])
            self.assertEqual(row["messages"], answer["stats"]["messages"]["total"])
            self.assertGreaterEqual(row["messages"], 20000)
            self.assertGreater(row["memory_per_core_bytes"] * row["cores"], 1 << 20)
            self.assertAlmostEqual(row["speed_up"], row["rate"] / rows[0]["rate"])
            self.assertAlmostEqual(row["efficiency"], row["speed_up"] * 2 / row["cores"])
        one, two, four = rows
        self.assertEqual((one["network_packets"], one["network_bytes"], one["fill_percent"], one["buffer_bytes"]),
                         (0, 0, None, None))
        # Half of the updates are for the other process, then three of four; 16 bytes each and more.
        for row, share in (two, 1 / 2), (four, 3 / 4):
            self.assertGreater(row["network_bytes"], 20000 * 16 * share * 0.9)
            self.assertLess(row["network_bytes"], 20000 * 16 * share * 2)
            self.assertTrue(0 < row["fill_percent"] <= 100)
            self.assertGreater(row["buffer_bytes"], 0)

    def test_is_the_same_again(self):
        def fixed(rows):
            return [{k: v for k, v in r.items() if k not in ("memory_per_core_bytes", "host_seconds")} for r in rows]
        first, second = (fixed(self.rows("-n", "1,3", "--", "bfs", "kron:8", "--trials", 2)[0]) for _ in range(2))
        self.assertEqual(first, second)

    def test_faults_follow_the_seed(self):
        def seconds(*words):
            return {self.rows("-n", "2", "--seed", seed, *words, *SMALL)[0][0]["seconds"] for seed in (1, 2, 3)}
        self.assertEqual(len(seconds()), 1)
        self.assertEqual(len(seconds("--faults", "delay")), 3)

    def test_structures_have_a_rate(self):
        (one, two), _ = self.rows("-n", "1,2", "--cores", "2", "--", "structures", "stack", "--fibers", "50", "--operations",
                                  "{5000*processes}")
        self.assertEqual((one["unit"], one["answer"]["structure"]), ("M/s", "stack"))
        self.assertEqual([r["answer"]["operations"] for r in (one, two)], [5000, 10000])
        self.assertEqual(two["rate"], two["answer"]["mops"])

    def test_words_are_charged_by_both_engines(self):
        self.file("words.txt", "".join(f"{i * i % 9973} " for i in range(400_000)))
        for engine in "hybrid", "messages":
            rows, _ = self.rows("-n", "1,4", "--", "wordcount", "words.txt", "--engine", engine)
            self.assertEqual({(r["unit"], r["answer"]["words"]) for r in rows}, {("M words/s", 400_000)})
            self.assertTrue(all(r["rate"] == r["answer"]["mwords"] for r in rows))
            self.assertGreater(rows[0]["seconds"], 400_000 * 14e-9)
            self.assertGreater(rows[1]["speed_up"], 2, engine)

    def test_aggregation_may_be_off(self):
        on, _ = self.rows("-n", "2,3", *SMALL)
        off, _ = self.rows("-n", "2,3", *SMALL, env={"GOSSAMER_AGGREGATION": "off"})
        for a, b in zip(on, off):
            self.assertGreater(b["network_packets"], 20 * a["network_packets"])
            self.assertLess(b["rate"] * 5, a["rate"])

    def test_a_slower_network_is_slower(self):
        self.file("slow.net", "like = ethernet-25g\nlatency_ns = 1000000\n")
        fast, slow = (self.rows("-n", "4", "--network", net, *SMALL)[0][0]["seconds"] for net in ("hdr", "./slow.net"))
        self.assertLess(fast * 5, slow)

    def test_commands_without_a_rate(self):
        rows, _ = self.rows("-n", "1,2", "components", "kron:8")
        self.assertEqual([r["rate"] for r in rows], [None, None])
        self.assertEqual(rows[1]["seconds"], rows[1]["answer"]["seconds"]["run"])
        self.assertAlmostEqual(rows[1]["speed_up"], rows[0]["seconds"] / rows[1]["seconds"])

    def test_the_work_may_grow(self):
        rows, _ = self.rows("-n", "1,2,4", "--", "gups", "--table", "64K", "--updates", "{5000*processes}")
        self.assertEqual([r["answer"]["updates"] for r in rows], [5000, 10000, 20000])
        self.assertTrue(all(r["weak"] for r in rows))
        self.assertEqual(rows[1]["of"], "gups --table 64K --updates 10000")
        rows, _ = self.rows("-n", "1,2", "--", "components", "kron:{7+log2(processes)}")
        self.assertEqual([r["answer"]["vertices"] for r in rows], [128, 256])
        self.assertAlmostEqual(rows[1]["efficiency"], rows[0]["seconds"] / rows[1]["seconds"])

    def test_text(self):
        out, errors = self.scaled("-n", "1,2", "--no-figure", "--", "uts", "T5")
        self.assertEqual(errors, "")
        title, blank, heading, *rows = out.splitlines()
        self.assertEqual((title, blank), ("uts T5  qdr, 1 core in a process, simulated", ""))
        self.assertEqual(re.split(r"\s\s+", heading.strip()), ["processes", "cores", "time", "M nodes/s", "speed-up", "efficiency",
                                                               "messages", "network", "fill", "memory/core", "buffers"])
        self.assertEqual([len(re.split(r"\s\s+", r.strip())) for r in rows], [11, 11])
        self.assertEqual({len(line) for line in rows}, {len(heading)})
        self.assertEqual(re.split(r"\s\s+", rows[0].strip())[4:6], ["1", "100.0 %"])

    def test_files(self):
        for ending in "csv", "tsv", "json":
            self.scaled("-n", "1,2", "--no-figure", "-o", f"rows.{ending}", *SMALL)
        rows = json.loads((self.folder / "rows.json").read_text())
        for ending, delimiter in ("csv", ","), ("tsv", "\t"):
            table = list(csv.DictReader((self.folder / f"rows.{ending}").read_text().splitlines(), delimiter=delimiter))
            self.assertEqual([list(r) for r in table], [list(r) for r in rows])
            for a, b in zip(table, rows):
                for key in set(a) - {"memory_per_core_bytes", "host_seconds"}:
                    self.assertEqual(a[key], "" if b[key] is None else str(a[key]), key)
                    if b[key] is not None:
                        self.assertAlmostEqual(float(a[key]), b[key])
        self.assertEqual(self.names(), ["rows.csv", "rows.json", "rows.tsv"])


class Figures(ScaleTest):
    def hide_matplotlib(self):
        self.file("matplotlib.py", "raise ImportError('not here')\n")
        return {"PYTHONPATH": str(self.folder)}

    def test_drawn_beside_the_rows(self):
        if not python_with_matplotlib():
            self.skipTest("no python3 with matplotlib")
        out, errors = self.scaled("-n", "1,2,4", *SMALL)
        self.assertEqual(errors, "")
        self.assertTrue(out.endswith("\nwrote scale-gups.svg\n"))
        svg = (self.folder / "scale-gups.svg").read_text()
        for text in "efficiency, %", "messages", "bytes over the network", "fill of packets", "memory per core simulated", "gups --table 64K":
            self.assertIn(text, svg)
        self.scaled("-n", "1,2", "--figure", "a.png", *SMALL)
        self.assertEqual((self.folder / "a.png").read_bytes()[:4], b"\x89PNG")
        self.scaled("-n", "1", "--json", "--figure", "one.pdf", *SMALL)
        self.assertEqual((self.folder / "one.pdf").read_bytes()[:4], b"%PDF")

    def test_names_of_files_are_no_formulas(self):
        if not python_with_matplotlib():
            self.skipTest("no python3 with matplotlib")
        self.file("n$^$.tsv", "1 2\n2 1\n")
        self.scaled("-n", "1", "--figure", "f.svg", "--", "bfs", "n$^$.tsv", "--source", "1")
        self.assertIn("bfs n$^$.tsv", (self.folder / "f.svg").read_text())

    def test_without_matplotlib_the_rows_are_there(self):
        hidden = self.hide_matplotlib()
        out, errors = self.scaled("-n", "1,2", "-o", "rows.csv", *SMALL, env=hidden)
        self.assertEqual(len(out.splitlines()), 5)
        self.assertRegex(errors, r"\Awarning: scale: no figure scale-gups.svg: no python3 with matplotlib here "
                                 r"\(Debian: python3-matplotlib\); the rows are complete\n\Z")
        self.assertEqual(len((self.folder / "rows.csv").read_text().splitlines()), 3)
        self.assertFalse((self.folder / "scale-gups.svg").exists())
        out, errors = self.scaled("-n", "1,2", "--figure", "f.svg", *SMALL, env=hidden, code=2)
        self.assertEqual(len(out.splitlines()), 5)
        self.assertRegex(errors, r"\Aerror: scale: no figure f.svg: [^\n]*\n\Z")


class Failures(ScaleTest):
    def test_a_run_that_fails_is_named_and_what_was_before_stays(self):
        for processes in 1, 2:
            self.file(f"{processes}.tsv", "1 2\n")
        out, errors = self.scaled("-n", "1,2,4", "--no-figure", "-o", "rows.csv", "--", "bfs", "{processes}.tsv", "--source", "1",
                                  code=2)
        self.assertEqual(len(out.splitlines()), 5)
        self.assertRegex(errors, r"\Aerror: scale: 4 processes: [^\n]*4\.tsv[^\n]*\n\Z")
        self.assertEqual(len((self.folder / "rows.csv").read_text().splitlines()), 3)

    def test_the_first_run_fails(self):
        out, errors = self.scaled("-n", "2,4", "--", "bfs", "nothing.tsv", "--source", "1", code=2)
        self.assertEqual(out, "")
        self.assertRegex(errors, r"\Aerror: scale: 2 processes: [^\n]*nothing\.tsv[^\n]*\n\Z")
        self.assertEqual(self.names(), [])

    def test_one_without_an_end(self):
        out, errors = self.scaled("-n", "1", "--timeout", 1, "--", "uts", "T1XL", code=2)
        self.assertEqual((out, errors), ("", "error: scale: 1 process: no end within 1 s\n"))

    def test_interrupt_ends_the_run_inside(self):
        def children(parent):
            done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True)
            return [int(pid) for pid in done.stdout.split()]
        for number in signal.SIGINT, signal.SIGTERM:
            running = subprocess.Popen([PROGRAM, "scale", "-n", "1,2", "-o", "rows.csv", "--", "uts", "T1XL"], cwd=self.folder,
                                       env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            until = time.monotonic() + 30
            while not (inside := children(running.pid)) and time.monotonic() < until:
                time.sleep(0.01)
            self.assertEqual(len(inside), 1)
            running.send_signal(number)
            running.communicate(timeout=30)
            self.assertEqual(running.returncode, -number)
            while os.path.exists(f"/proc/{inside[0]}") and time.monotonic() < until:
                time.sleep(0.01)
            self.assertFalse(os.path.exists(f"/proc/{inside[0]}"))
        self.assertEqual(self.names(), [])


class Refusals(ScaleTest):
    def test_one_line_each(self):
        self.file("bad.net", "like = qdr\ngap = 3\n")
        for words, expected in (
                (["--"], "scale: expected a command after the options"),
                (["-n", "2,1", "uts", "T1"], "--processes: expected numbers of processes that rise, from 1 to 16384, such as "
                                             "1,2,4,8 or 1..128, found \"2,1\""),
                (["--cores", "x", "uts", "T1"], "cores: expected a number"),
                (["--network", "token-ring", "uts", "T1"], "network: expected one of qdr, hdr"),
                (["--network", "bad.net", "uts", "T1"], "bad.net:2: expected like or one of latency_ns,"),
                (["--compute", "guessed", "uts", "T1"], "compute: expected one of fixed, measured"),
                (["-o", "rows.txt", "uts", "T1"], "--output: expected a file ending in .tsv, .csv, .json or .jsonl"),
                (["-o", "none/rows.csv", "uts", "T1"], "none/rows.csv"),
                (["--figure", "f.jpg", "uts", "T1"], "--figure: expected a file ending in .svg, .png or .pdf, found \"f.jpg\""),
                (["--figure", "f.svg", "--no-figure", "uts", "T1"], "--figure and --no-figure exclude each other"),
                (["uts", "T77"], "uts: "),
                (["uts"], "uts: expected a tree"),
                (["bfs", "kron:5"], "bfs: expected --source V or --trials N"),
                (["--", "bfs", "kron:5", "--trials", "1", "--cores", "2"], "scale: --cores belongs before bfs"),
                (["--", "bfs", "kron:5", "--trials", "1", "-o", "a.tsv"], "scale: --output of bfs would be written over"),
                (["--", "components", "-"], "scale: components reads standard input, and only one run could: give a file"),
                (["--", "gups", "--updates", "{1000*nodes}"], "scale: expected {processes}, {cores} or a sum or product of such, as "
                                                              "in {20+log2(processes)}, found \"{1000*nodes}\""),
                (["doctor"], "scale: expected a command that is timed, such as bfs or uts (convert, report, group, sort and ping are not), found \"doctor\""),
                (["ping"], "expected a command that is timed"),
                (["simulate", "uts", "T1"], "expected a command that is timed"),
                (["scale", "uts", "T1"], "expected a command that is timed"),
                (["ls"], "scale: expected a command that is timed, such as bfs or uts (convert, report, group, sort and ping are not), found \"ls\""),
                (["--bogus", "uts", "T1"], "unknown option --bogus")):
            with self.subTest(words=words):
                self.assertIn(expected, self.refused("scale", *words))

    def test_help_of_the_command_inside(self):
        self.assertTrue(self.scaled("--", "bfs", "--help")[0].startswith("gossamer bfs: "))


if __name__ == "__main__":
    main()
