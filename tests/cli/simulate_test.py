"""gossamer simulate: one run and many, by seed; traces; what fails, and how short; refusals."""
import json
import os
import re
import subprocess
import sys
import unittest

from program import CLEAN, PROGRAM, ProgramTest, main

if "thread" in os.environ.get("GOSSAMER_SANITIZE", ""):
    print("one thread has no races, and the sanitizer knows nothing of its stacks", file=sys.stderr)
    sys.exit(77)

LINE = re.compile(r"\Aprocesses=\d+[^\n]*: \d+\.\d{9} s of virtual time, \d+ steps, \d+ moves, digest [0-9a-f]{16}\n\Z")


class SimulateTest(ProgramTest):
    def simulated(self, *words, code=0, **more):
        done = self.run_program("simulate", *words, **more)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done.stdout.decode(), done.stderr.decode()

    def program(self, text):
        """A program for --: gets what to simulate in its environment."""
        path = self.file("program.sh", "#!/bin/sh\n" + text)
        path.chmod(0o755)
        return "./program.sh"


class OneRun(SimulateTest):
    def test_answers_as_a_real_one(self):
        real = self.answer("components", "kron:9")
        for processes, cores in (1, 1), (1, 4), (3, 2), (5, 1):
            out, errors = self.simulated("-n", processes, "--cores", cores, "--network", "qdr", "--",
                                         "components", "kron:9", "--json", "--verify")
            answer = json.loads(out)
            for key in ("vertices", "edges", "components", "largest", "verified"):
                self.assertEqual(answer[key], real.get(key, True), key)
            self.assertRegex(errors, LINE)

    def test_mapreduce_is_on_virtual_time(self):
        for processes, cores in (1, 4), (2, 2):
            cluster = "-n", processes, "--cores", cores, "--network", "qdr"
            out, again = (self.simulated("-q", *cluster, "--", "bench", "mapreduce", "--quick", "--json")[0] for _ in range(2))
            self.assertEqual(out, again)
            rows = [json.loads(line) for line in out.splitlines()]
            self.assertTrue(all(r["checked"] and r["unit"] == "ms" for r in rows))
            self.assertEqual({(r["curve"], r["x"]) for r in rows if r["curve"]},
                             {(f"{job}, {engine}", 4) for job in ("word count", "histogram", "linear regression", "matrix multiply")
                              for engine in ("hybrid", "messages")})

    def test_orders_are_on_virtual_time(self):
        for processes, cores in (1, 3), (2, 2):
            cluster = "-n", processes, "--cores", cores, "--network", "qdr"
            out, again = (self.simulated("-q", *cluster, "--", "bench", "ordering", "--quick", "--json")[0] for _ in range(2))
            self.assertEqual(out, again)
            rows = [json.loads(line) for line in out.splitlines()]
            self.assertEqual(len(rows), 5)
            self.assertTrue(all(r["checked"] and r["unit"] == "ms" and r["value"] > 0 for r in rows))

    def test_ping_is_on_virtual_time(self):
        out, _ = self.simulated("-q", "-n", 2, "--network", "qdr", "--", "ping", "--json")
        self.assertTrue(0.1 < json.loads(out)["seconds"] < 100, out)

    def test_pagerank_is_the_same_on_any_cluster(self):
        def answer(graph, *cluster):
            out, _ = self.simulated("-q", *cluster, "--", "pagerank", graph, "--json")
            return {key: json.loads(out)[key] for key in ("iterations", "change", "top")}
        self.file("names.tsv", "".join(f"v{i * i % 1999} v{i * 7 % 1009}\n" for i in range(20000)))
        for graph in "kron:11", "names.tsv":
            one = answer(graph, "-n", 1)
            for cluster in (("-n", 1, "--cores", 4, "--faults", "all", "--seed", 3), ("-n", 3, "--cores", 2)):
                self.assertEqual(answer(graph, *cluster), one)

    def test_is_the_same_again(self):
        runs = set()
        for _ in range(2):
            out, errors = self.simulated("-n", 3, "--cores", 2, "--network", "hdr", "--faults", "all", "--seed", 5,
                                         "--trace", "t.json", "--", "bfs", "kron:9", "--trials", "3", "--json", "--stats")
            runs.add((out, errors, (self.folder / "t.json").read_text()))
        self.assertEqual(len(runs), 1)

    def test_follows_the_seed(self):
        lines = {self.simulated("-n", 3, "--faults", "all", "--seed", seed, "--", "components", "kron:7")[1].split("digest ")[1]
                 for seed in (1, 2, 3)}
        self.assertEqual(len(lines), 3)
        usual = {self.simulated("-n", 3, "--seed", seed, "--", "components", "kron:7")[1].split("digest ")[1]
                 for seed in (1, 2, 3)}
        self.assertEqual(len(usual), 1)

    def test_takes_longer_on_a_slower_network(self):
        def seconds(network):
            return float(self.simulated("-n", 4, "--network", network, "--", "components", "kron:8")[1].split(": ")[1].split()[0])
        self.file("slow.net", "like = ethernet-25g\nlatency_ns = 1000000\n")
        hdr, ethernet, slow = (seconds(n) for n in ("hdr", "ethernet-25g", "slow.net"))
        self.assertLess(hdr, ethernet)
        self.assertLess(ethernet * 5, slow)

    def test_is_quiet_when_asked(self):
        self.assertEqual(self.simulated("-q", "-n", 2, "components", "kron:6", "--quiet")[1], "")

    def test_runs_any_program(self):
        out, _ = self.simulated("-n", 2, "--seed", 9, "--until", 3, "--", "sh", "-c", "echo $GOSSAMER_SIMULATE -- $1", "sh", "--")
        self.assertEqual(out, "processes=2 seed=9 until=3 report=- -- --\n")
        self.assertEqual(self.simulated("-q", self.program("echo $GOSSAMER_SIMULATE; exit 3"), code=3)[0], "processes=1\n")

    def test_draws_a_track_per_core(self):
        self.simulated("-n", 3, "--cores", 2, "--network", "qdr", "--trace", "t.json", "--", "components", "kron:8")
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        tracks = {(e["pid"], e["args"]["name"]) for e in events if e["name"] == "thread_name"}
        for process in range(3):
            self.assertIn((process, "network"), tracks)
            self.assertGreaterEqual(sum(p == process for p, _ in tracks), 3)
        self.assertTrue({"run", "idle", "send", "receive"} <= {e["name"] for e in events})
        starts = {e["id"]: e["ts"] for e in events if e["ph"] == "s"}
        ends = {e["id"]: e["ts"] for e in events if e["ph"] == "f"}
        self.assertEqual(starts.keys(), ends.keys())
        self.assertTrue(all(ends[i] >= starts[i] + 1.3 for i in starts))

    def test_prints_the_last_events(self):
        _, errors = self.simulated("-n", 2, "--trace", "-", "--", "components", "kron:6")
        self.assertRegex(errors, r"\Athe last 60 of \d+ events, times in us:\n( +\d+\.\d{3}  process \d (core|sends) [^\n]*\n){60}")

    @unittest.skipIf("address" in os.environ.get("GOSSAMER_SANITIZE", ""), "the sanitizer maps terabytes")
    def test_a_process_that_cannot_get_its_memory_ends_the_job(self):
        for processes, address_kib in (2, 3_000_000), (3, 3_000_000), (3, 4_000_000), (3, 5_000_000):
            done = subprocess.run(["sh", "-c", f'ulimit -v {address_kib} && exec "$@"', "sh", PROGRAM, "simulate", "-q",
                                   "-n", str(processes), "--cores", "1", "--", "uts", "-d", "2"],
                                  env=CLEAN, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, r"\Aerror: (process \d: )?cannot map [^\n]+: Cannot allocate memory[^\n]*\n\Z")

    def test_memory_of_a_large_cluster_is_predicted(self):
        message = self.refused("simulate", "-q", "-n", 1024, "--cores", 16, "--", "uts", "-d", 2,
                               env={"GOSSAMER_MEMORY_LIMIT": "1G"})
        self.assertRegex(message, r"1024 processes, 16 cores each, needs \d\.\d GiB, \S+ MiB available")

    def test_a_lost_process_ends_the_job(self):
        _, errors = self.simulated("-n", 3, "--network", "qdr", "--lose", "2@100us", "--", "bfs", "kron:10", "--trials", 50, code=2)
        self.assertRegex(errors, r"(?m)^error: .*process 2 was lost")
        for words in (), ("--cores", 2):  # the only one
            out, errors = self.simulated("-n", 1, *words, "--lose", "0@1us", "--", "uts", "T1", code=2)
            self.assertEqual(out, "")
            self.assertRegex(errors, r"(?m)^error: .*process 0 was lost")


class ManyRuns(SimulateTest):
    def test_all_well(self):
        self.simulated("-q", "-n", 3, "--cores", 2, "--faults", "all", "--seeds", "1..20", "--", "sssp", "kron:6", "--trials", 2, "--verify")
        out, _ = self.simulated("-q", "-n", 3, "--cores", 2, "--seeds", "1..20", "--", "components", "kron:6", "--verify")
        self.assertEqual(out, "seeds 1..20: none failed\n")

    def test_all_faults_unless_told(self):
        program = self.program('case "$GOSSAMER_SIMULATE" in *faults=all*) exit 1;; esac\n')
        self.assertIn("fails without any choice", self.simulated("-q", "--seeds", "4..9", program, code=1)[0])
        self.assertIn("none failed", self.simulated("-q", "--seeds", "4..9", "--faults", "delay", program)[0])

    def test_the_first_that_fails_is_made_short(self):
        for enough in 1, 2, 1000, 1023, 1024, 1025:
            program = self.program(f"""
                until=999999999
                for word in $GOSSAMER_SIMULATE; do
                  case $word in seed=*) seed=${{word#*=}};; until=*) until=${{word#*=}};; esac
                done
                if [ "$seed" -ge 17 ] && [ "$until" -ge {enough} ]; then echo "error: seed $seed" >&2; exit 3; fi
                """)
            out, errors = self.simulated("-n", 4, "--network", "qdr", "--seeds", "10..99", "--", program, "two words", code=1)
            self.assertRegex(errors, r"(?m)^seed 17 failed: exit code 3")
            self.assertEqual(out, f"""seed 17: exit code 3
the first {enough:,} choices of the seed are enough
again: gossamer simulate --processes=4 --seed=17 --network=qdr --faults=all --until={enough} -- ./program.sh 'two words'

error: seed 17
""")

    def test_one_that_hangs_has_failed(self):
        out, _ = self.simulated("-q", "--seeds", "1..2", "--timeout", 1, "--", "sleep", "100", code=1)
        self.assertIn("seed 1: no end within 1 s", out)

    def test_what_is_printed_repeats_the_failure(self):
        words = ["-n", "3", "--network", "qdr", "--lose", "1@50us", "--seeds", "3..5", "--", "bfs", "kron:9", "--trials", "20"]
        out, _ = self.simulated("-q", *words, code=1)
        again = re.search(r"^again: gossamer (.*)$", out, re.M).group(1).split()
        done = self.run_program(*again)
        self.assertEqual(done.returncode, 2)
        self.assertIn("process 1 was lost", done.stderr.decode())


class Refusals(SimulateTest):
    def test_one_line_each(self):
        self.file("bad.net", "like = qdr\ngap = 3\n")
        for words, expected in (
                (["--"], "simulate: expected a command after the options"),
                (["-n", "0", "uts", "T1"], "processes: expected a number from 1 to 16384, found \"0\""),
                (["--network", "token-ring", "uts", "T1"], "network: expected one of qdr, hdr"),
                (["--network", "./none.net", "uts", "T1"], "./none.net"),
                (["--network", "bad.net", "uts", "T1"], "bad.net:2: expected like or one of latency_ns,"),
                (["--faults", "rain", "uts", "T1"], "faults: expected none, all or some of order,"),
                (["--lose", "3", "uts", "T1"], "lose: expected a process and a time"),
                (["--lose", "3@1s", "uts", "T1"], "--lose: process 3 is to be lost, of 1"),
                (["--seeds", "9..1", "uts", "T1"], "--seeds: expected a whole number"),
                (["--seeds", "1..2", "--trace", "t", "uts", "T1"], "--trace is for one seed"),
                (["--seeds", "1..2", "--until", "3", "uts", "T1"], "--until is for one seed"),
                (["--seeds", "1..2", "--seed", "3", "uts", "T1"], "--seed and --seeds exclude each other"),
                (["--timeout", "3", "uts", "T1"], "--timeout is for the runs of --seeds"),
                (["--cores", "0", "uts", "T1"], "--cores: expected a number"),
                (["--cores", "2", "uts", "T1", "--cores", "3"], "simulate: --cores belongs before uts"),
                (["--most", "us", "uts", "T1"], "most: expected a time, as in 2ms, found \"us\""),
                (["--lose", "0@s", "--most", "5ms", "uts", "T1"], "lose: expected a time, as in 2ms, found \"s\""),
                (["--seeds", "1..2", "components", "-"], "simulate: components reads standard input, and only one run could: give a file"),
                (["--seeds", "1..2", "bfs", "kron:5", "--source", "1", "-o", "x.tsv"],
                 "simulate: --output of bfs would be written over by every run"),
                (["--seeds", "1..2", "sort", "-"], "simulate: sort reads standard input"),
                (["--compute", "guessed", "uts", "T1"], "compute: expected one of fixed, measured"),
                (["--trace", "none/t.json", "uts", "T5"], "none/t.json"),
                (["nothing-of-the-kind"], "simulate: expected a command of gossamer or a program"),
                (["./nothing.sh"], "simulate: expected a command of gossamer or a program"),
                (["bfs", "kron:5"], "bfs: expected --source V or --trials N"),
                (["simulate", "uts", "T1"], "simulate: expected another command than simulate: it starts other commands itself"),
                (["bench", "yield"], "expected another command than bench: only barrier, mapreduce, ordering can be simulated"),
                (["bench", "pingpong"], "expected another command than bench: only barrier, mapreduce, ordering can be simulated"),
                (["papers"], "expected another command than papers: it starts the runs of its figures itself"),
                (["--bogus", "uts", "T1"], "unknown option --bogus")):
            with self.subTest(words=words):
                self.assertIn(expected, self.refused("simulate", *words))

    def test_names_of_files_may_have_blanks(self):
        self.file("my 20%20 net.net", "like = qdr\n")
        own, preset = (self.simulated("-n", 2, "--network", network, "--trace", f"{network} trace.json", "--", "uts", "T5")[1]
                       for network in ("my 20%20 net.net", "qdr"))
        self.assertEqual(own.split("digest")[1], preset.split("digest")[1])
        self.assertIn("my 20%20 net.net trace.json", self.names())
        out, _ = self.simulated("--seeds", "3", "--network", "my 20%20 net.net", "--", self.program("exit 1\n"), code=1)
        self.assertIn("'--network=my 20%20 net.net'", out)

    def test_one_run_writes_its_rows(self):
        self.text("simulate", "-q", "-n", 2, "--cores", 2, "--", "bfs", "kron:6", "--source", 1, "-o", "x.tsv")
        self.assertEqual((self.folder / "x.tsv").read_text().split("\n")[0], "vertex\tlevel\tparent")

    def test_bench_by_the_variable(self):
        self.assertIn("bench: expected this machine's time, found GOSSAMER_SIMULATE: only barrier, mapreduce, ordering can be simulated",
                      self.refused("bench", "yield", env={"GOSSAMER_SIMULATE": "processes=2"}))

    def test_the_limit_of_virtual_time_is_named(self):
        done = self.run_program("simulate", "-q", "-n", 2, "--most", "1ns", "--", "uts", "T5")
        self.assertIn("the limit of virtual time (most=) is reached: ", done.stderr.decode())

    def test_help_of_the_command_inside(self):
        self.assertTrue(self.simulated("-n", 2, "--", "bfs", "--help")[0].startswith("gossamer bfs: "))


if __name__ == "__main__":
    main()
