"""gossamer bench: names, keys, checked results, and how peers' programs are joined. Sizes are --quick; no figure is
judged here but by its form."""
import json
import os
import pathlib
import sys
import unittest

from program import PROGRAM, ProgramTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import Job, NODE  # noqa: E402

NAMES = ["yield", "create", "wake", "barrier", "pool", "pool-cold", "matching", "matching-cold", "exchange", "exchange-processes", "pingpong", "stream", "gups", "gather", "transfers", "call",
         "structures", "bandwidth", "delimited", "sort", "mapreduce", "ordering", "containers", "runtime"]
KEYS = {"bench", "case", "value", "unit", "spread", "budget", "peer", "peer_value", "checked"}
SHORT = ("--quick", "--repeats", "1", "--json")


class Bench(ProgramTest):
    def rows(self, *arguments, **more):
        lines = self.text("bench", *SHORT, *arguments, **more).splitlines()
        return [json.loads(line) for line in lines]

    def check(self, row):
        self.assertLessEqual(KEYS, set(row), row)
        self.assertIs(row["checked"], True, row)
        if row["case"] == "line transfer, one way" and len(os.sched_getaffinity(0)) < 2:
            return self.assertIsNone(row["value"])
        self.assertGreater(row["value"], 0, row)
        low, high = row["spread"]
        self.assertLessEqual(low, row["value"], row)
        self.assertLessEqual(row["value"], high, row)
        if row["bench"].endswith("-cold"):
            self.assertEqual(sorted([low, row["value"], high, *row["quartiles"]]),
                             [low, row["quartiles"][0], row["value"], row["quartiles"][1], high], row)
        else:
            self.assertIsNone(row["quartiles"], row)
        self.assertIn(row["unit"], {"ns", "ms", "KB", "M/s", "GB/s", "%"}, row)

    def peer(self, name, script):
        path = self.file(f"gossamer-peer-{name}", "#!/bin/sh\n" + script)
        path.chmod(0o755)
        return {"GOSSAMER_PEERS": str(self.folder)}

    @unittest.skipUnless(NODE.here(), "no launcher")
    def test_over_two_processes_one_of_them_answers(self):
        for name, least in (("pingpong", 8), ("stream", 3), ("transfers", 12), ("bandwidth", 8), ("barrier", 2)):
            code, out, errors, _ = Job(NODE.command(2, PROGRAM, "bench", *SHORT, "--quiet", name)).end(timeout=100)
            self.assertEqual(code, 0, errors)
            rows = [json.loads(line) for line in out.splitlines()]
            self.assertGreaterEqual(len(rows), least)
            for row in rows:
                self.check(row)
                self.assertEqual(row["bench"], name)
        code, out, errors, _ = Job(NODE.command(3, PROGRAM, "bench", *SHORT, "--quiet", "pingpong")).end(timeout=100)
        self.assertNotEqual(code, 0)
        self.assertIn("bench pingpong: expected two processes, found 3", errors)

    @unittest.skipUnless(NODE.here(), "no launcher")
    def test_over_two_processes_the_first_runs_the_peers(self):
        case = "8-byte messages, one core to one, aggregated"
        row = {"bench": "stream", "case": case, "peer": "Open MPI", "value": 7, "unit": "M/s", "spread": [6, 8], "curve": "", "x": None,
               "checked": True}
        peers = self.peer("openmpi", f"echo x >> {self.folder}/started\necho '{json.dumps(row)}'\n")
        launcher = self.file("mpirun.openmpi", '#!/bin/sh\nwhile [ "$1" != -n ]; do shift; done\nshift 2\nexec "$@"\n')
        launcher.chmod(0o755)
        job = Job(NODE.command(2, PROGRAM, "bench", "--quick", "--repeats", "1", "--json", "--quiet", "stream"),
                  env={**peers, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        code, out, errors, _ = job.end(timeout=100)
        self.assertEqual(code, 0, errors)
        found = {r["case"]: r for r in map(json.loads, out.splitlines())}[case + ", 2 processes"]
        self.assertEqual((found["peer"], found["peer_value"]), ("Open MPI", 7))
        self.assertEqual((self.folder / "started").read_text(), "x\n")  # once

    def test_list_tells_every_name_once(self):
        lines = self.text("bench", "--list").splitlines()
        self.assertEqual([line.split()[0] for line in lines], NAMES)

    def test_list_as_json(self):
        objects = [json.loads(line) for line in self.text("bench", "--list", "--json").splitlines()]
        self.assertEqual([o["bench"] for o in objects], NAMES)

    def test_a_table_for_people(self):
        text = self.text("bench", "create", "--quick", "--repeats", "1", "--no-peers")
        self.assertIn("create + run + join, reused stack", text)
        self.assertIn("budget", text)

    def test_unknown_name(self):
        self.assertEqual(self.refused("bench", "yeild"),
                         f"error: bench: expected one of {', '.join(NAMES)}, found \"yeild\"\n")
        self.refused("bench", "yield", "kron:10")

    def test_options_that_make_no_sense(self):
        for option, value in (("--cores", "0"), ("--table", "much"), ("--table", "0"), ("--repeats", "0")):
            self.assertIn(f"{option}: expected", self.refused("bench", option, value))

    def test_cores_and_table_are_obeyed(self):
        cases = [r["case"] for r in self.rows("gups", "gather", "--no-peers", "--cores", "3", "--table", "64KiB")]
        self.assertEqual(cases.count("64 KiB table, 3 cores"), 2)

    def test_structures_take_their_workload(self):
        rows = self.rows("structures", "--no-peers", "--structure", "map", "--puts", "30", "--erases", "20", "--keys", "500",
                         "--cells", "2000", "--fibers", "10", "--payload", "256", "--operations", "5000", "--combining", "local")
        self.assertEqual([r["case"] for r in rows], ["map, 30 % puts, 20 % erases, keys 0-499, room for 2,000, 10 fibers, "
                                                     "256 B, 5,000 operations, local"])
        cases = [r["case"] for r in self.rows("structures", "--no-peers", "--structure", "stack", "--fibers", "8")]
        self.assertEqual(cases, [f"stack, {puts} % puts, 8 fibers, 8 B, {where}" for puts in (100, 50)
                                 for where in ("off", "home", "local", "both")])
        cases = [r["case"] for r in self.rows("structures", "--no-peers", "--erases", "10", "--combining", "off")]
        self.assertEqual([c.split(",")[0] for c in cases], ["set", "map"])
        cases = [r["case"] for r in self.rows("structures", "--no-peers", "--structure", "map", "--bulk", "--keys", "3000")]
        self.assertEqual(cases, ["map, bulk, keys 0-2,999, 8 B, local"])

    def test_structures_that_make_no_sense(self):
        for words, found in ((("--structure", "heap"), 'found "heap"'), (("--payload", "24"), 'found "24"'),
                             (("--combining", "here"), 'found "here"'), (("--puts", "101"), 'found "101"'),
                             (("--puts", "60", "--erases", "50"), "found 60 and 50"),
                             (("--structure", "queue", "--cells", "9"), "found a queue")):
            self.assertIn(found, self.refused("bench", "structures", *words))

    def test_too_little_memory_is_told(self):
        done = self.run_program("bench", "gups", *SHORT, "--no-peers", "--table", "1GiB",
                                env={"GOSSAMER_MEMORY_LIMIT": "256M"})
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(), r"gups: 1 GiB table, 2 cores: left out: needs 1\.0 GiB, .* available")

    def test_the_best_peer_is_joined_and_all_are_rows(self):
        line = ('{{"bench": "pool", "case": "get + return, 1 thread", "peer": "{}", "value": {}, "unit": "ns", '
                '"spread": [1, 999], "curve": null, "x": null, "checked": true}}')
        env = self.peer("lockfree", f"echo '{line.format('slow', 900)}'\necho '{line.format('fast', 2)}'\n")
        rows = self.rows("pool", env=env)
        ours = next(r for r in rows if r["case"] == "get + return, 1 thread")
        self.assertEqual((ours["peer"], ours["peer_value"], ours["library"]), ("fast", 2, "gossamer"))
        peers = [r for r in rows if r["peer_of"]]
        self.assertEqual([(r["case"], r["library"], r["peer_of"], r["value"]) for r in peers],
                         [("get + return, 1 thread [slow]", "slow", ours["case"], 900),
                          ("get + return, 1 thread [fast]", "fast", ours["case"], 2)])
        self.assertEqual(len({(r["bench"], r["case"]) for r in rows}), len(rows), "a case is there twice")

    def test_a_budget_that_follows_from_the_peer(self):
        env = self.peer("atomics", 'echo \'{"bench": "gups", "case": "1 MiB table, 2 cores", "peer": "p", "value": 10, '
                        '"unit": "M/s", "spread": [9, 11], "curve": null, "x": null, "checked": true}\'\n')
        ours = next(r for r in self.rows("gups", env=env) if r["case"] == "1 MiB table, 2 cores")
        self.assertIn(ours["times_peer"], (0.9, 1.2))
        self.assertAlmostEqual(ours["budget"], 10 * ours["times_peer"])

    def test_a_peer_that_fails_is_a_warning(self):
        for script, complaint in (("echo 'no luck' >&2; exit 3\n", 'exit code 3: "no luck"'),
                                  ("kill -SEGV $$\n", "signal 11"), ("echo garbage\n", "expected a row of pool")):
            env = self.peer("lockfree", script)
            done = self.run_program("bench", "pool", *SHORT, env=env)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(complaint, done.stderr.decode())
            self.assertIn("warning: gossamer-peer-lockfree", done.stderr.decode())


def of_each(name):
    def test(self):
        rows = self.rows(name, "--no-peers")
        self.assertTrue(rows)
        for row in rows:
            self.check(row)
            self.assertEqual(row["bench"], name)
            self.assertIsNone(row["peer"])

    return test


for each in NAMES:
    setattr(Bench, f"test_{each}", of_each(each))

if __name__ == "__main__":
    main()
