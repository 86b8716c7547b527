"""tools/performance-tables writes tables between markers from recordings, and the committed pages are up to date.
tools/bench --record makes recordings of results."""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
TOOL = SOURCE / "tools/performance-tables"
HEAD = {"commit": "abc1234", "day": "2026-01-02", "machine": "two processors"}


def micro(case, value, **more):
    return {"bench": "yield", "case": case, "value": value, "unit": "ns", "spread": [value, 2 * value], "budget": 5, "peer": None,
            "peer_value": None, "peer_of": None, **more}


def job(name, value, **more):
    return {"job": name, "processes": 2, "cores": 1, "unit": "M/s", "value": value, "min": None, "max": None, "budget": None,
            "less_is_better": False, "peer": None, "peer_value": None, **more}


class PerformanceTables(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gossamer-tables-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.recorded = self.root / "docs/performance/recorded"
        self.recorded.mkdir(parents=True)

    def record(self, name, rows, **head):
        (self.recorded / name).write_text(json.dumps({**HEAD, **head, "rows": rows}))

    def page(self, text):
        (self.root / "docs/performance/page.md").write_text(text)

    def run_tool(self, *words):
        return subprocess.run([sys.executable, TOOL, "--root", self.root, *words], capture_output=True, text=True)

    def table(self, words):
        """The page with this table alone, once it is written."""
        self.page(f"before\n\n<!-- table: {words} -->\n<!-- end -->\n\nafter\n")
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.root / "docs/performance/page.md").read_text()
        self.assertTrue(text.startswith("before\n\n<!-- table: ") and text.endswith("\n\n<!-- end -->\n\nafter\n"), text)
        return text

    def test_rows_with_a_budget_and_the_source(self):
        self.record("micro.json", [micro("2 fibers", 4.0, peer="Boost.Fiber", peer_value=30.12345), micro("no budget", 1, budget=None),
                                   micro("2 fibers [Boost.Fiber]", 30.1, peer_of="2 fibers"), micro("1,000 fibers", 12345.6)])
        text = self.table("micro yield")
        self.assertIn("| yield | 2 fibers | 4 ns | 4–8 | 5 | Boost.Fiber 30.1 |\n", text)
        self.assertIn("| yield | 1,000 fibers | 12,346 ns | 12,346–24,691 | 5 |  |\n", text)
        self.assertNotIn("[Boost.Fiber]", text)
        self.assertNotIn("no budget", text)
        self.assertIn("\n\n`docs/performance/recorded/micro.json`: commit abc1234, 2026-01-02; two processors.\n", text)

    def test_rows_that_were_measured_apart_tell_their_own_commit(self):
        self.record("jobs.json", [job("uts T1", 5), job("gups", 6, commit="def5678", day="2026-01-03")])
        self.assertIn(": commit abc1234, 2026-01-02; commit def5678, 2026-01-03; two processors.\n", self.table("jobs jobs.json"))
        self.record("jobs.json", [job("uts T1", n, commit=f"commit{n}", day=f"2026-01-0{n}") for n in range(1, 6)])
        self.assertIn(": 5 commits, 2026-01-01 to 2026-01-05, named in each row; two processors.\n", self.table("jobs jobs.json"))

    def test_columns_that_are_empty_are_left_out(self):
        self.record("jobs.json", [job("uts T1", 5)])
        self.assertIn("| job | processes x cores | unit | value |\n|---|---|---|---|\n| `uts T1` | 2 x 1 | M/s | 5 |\n", self.table("jobs jobs.json"))
        self.record("jobs.json", [job("uts T1", 5, budget=4, min=1, max=9)])
        self.assertIn("| `uts T1` | 2 x 1 | M/s | 4 | 5 (1–9) |\n", self.table("jobs jobs.json"))

    def test_ratios_to_a_peer(self):
        self.record("kernels.json", [{"kernel": "bfs", "implementation": "gossamer", "cores": 2, "unit": "MTEPS", "value": 2000},
                                     {"kernel": "pagerank", "implementation": "gossamer", "cores": 2, "unit": "ms", "value": 200}])
        peer = {"implementation": "GAP", "cores": 2, "unit": "ms", "min": 1, "max": 40}
        self.record("gap.json", [{**peer, "kernel": "bfs", "command": "bfs", "value": 20, "edges": 16_000_000},
                                 {**peer, "kernel": "pagerank", "command": "pr", "value": 100}])
        text = self.table("gap")
        self.assertIn("| `bfs` | 20 (1–40) | 8 | 2.5 |\n", text)
        self.assertIn("| `pr` | 100 (1–40) | 200 | 0.5 |\n", text)

    def tool(self, name):
        sys.path.insert(0, str(SOURCE / "tools"))
        loader = importlib.machinery.SourceFileLoader(name, str(SOURCE / "tools" / name))
        found = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
        loader.exec_module(found)
        return found

    def test_a_default_is_told_beside_the_best_value(self):
        sweeps = self.tool("sweeps")
        self.assertEqual(sweeps.of_the_best(2.0, {"1": 4.0, "8": 1.0}), "50%, 8")
        self.assertEqual(sweeps.of_the_best(2.0, {"1": 4.0, "8": 2.0}), "100%")

    def refused(self, words):
        self.page(f"<!-- table: {words} -->\n<!-- end -->\n")
        done = self.run_tool("--check")
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def test_rows_of_another_command_are_refused(self):
        """No numbers of an old command stand below a new one."""
        point = {"name": "uts-cache-8", "value": "1", "rate": 5, "unit": "M/s", "failed": None, "counters": {"messages": 1, "wire_bytes": 2, "switches": 3}}
        sweeps = self.tool("sweeps")
        of_sweep = next(each for each in sweeps.SWEEPS if each.name == "uts-cache-8")
        self.record("sweeps.json", [{**point, "command": sweeps.command_of(of_sweep)}])
        self.assertIn("gossamer-studies sweep", self.table("sweep uts-cache-8"))
        self.record("sweeps.json", [{**point, "command": "gossamer-studies sweep of old"}])
        self.assertIn("sweeps.json: expected a row of `gossamer-studies sweep --set cache=1..32", self.refused("sweep uts-cache-8"))

        committed = json.loads((SOURCE / "docs/performance/recorded/defaults.json").read_text())
        self.record("defaults.json", committed)
        self.table("defaults defaults-4x16")
        self.record("defaults.json", [{**committed[0], "command": "gossamer simulate of old"}, *committed[1:]])
        self.assertIn("found one of `gossamer simulate of old` (tools/sweeps defaults-4x16 runs it again)", self.refused("defaults defaults-4x16"))

        committed = json.loads((SOURCE / "docs/performance/recorded/curves.json").read_text())["gups"]["2"]
        for change in {}, {"of": "gups --table 1MiB"}, {"cores": 64}, {"environment": {"GOSSAMER_AGGREGATION": "off"}}:
            self.record("curves.json", [{"name": "gups", **committed, **change}])
            if change:
                self.assertIn("curves.json: expected a row of `gossamer scale --cores 16 -- gups", self.refused("curve gups"))
            else:
                self.assertIn("| 2 | 32 |", self.table("curve gups"))

        committed = json.loads((SOURCE / "docs/performance/recorded/structures.json").read_text())
        self.record("structures.json", committed)
        self.table("structures simulated 9")
        changed = [{**row, "command": "gossamer scale of old"} if row["name"] == "bfs-off" else row for row in committed]
        self.record("structures.json", changed)
        self.assertIn("found one of `gossamer scale of old` (tools/structures --simulated bfs-off runs it again)", self.refused("structures simulated 9"))

    def test_check_names_the_page_and_writes_nothing(self):
        self.record("instructions.json", [{"operation": "yield", "value": 40, "goal": 25}])
        self.table("instructions")
        self.assertEqual(self.run_tool("--check").returncode, 0)
        page = self.root / "docs/performance/page.md"
        wrong = page.read_text().replace("| 40 |", "| 39 |")
        page.write_text(wrong)
        done = self.run_tool("--check")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "docs/performance/page.md:3: table instructions differs from its recording\n")
        self.assertEqual(page.read_text(), wrong)
        self.assertEqual(self.run_tool().returncode, 0)
        self.assertEqual(self.run_tool("--check").returncode, 0)

    def test_mistakes_are_told_in_one_line(self):
        for text, expected in (("<!-- table: micro yield -->\n<!-- end -->\n", "micro.json: expected a recording, found no file"),
                               ("<!-- table: nothing -->\n<!-- end -->\n", "line 1: table nothing: expected one of machine, "),
                               ("\n<!-- table: micro yield -->\n", "line 2: expected <!-- end --> after the table micro yield"),
                               ("<!-- table: curve nothing -->\n<!-- end -->\n", "expected the name of a curve"),
                               ("<!-- table: sweep nothing -->\n<!-- end -->\n", "expected the name of a sweep"),
                               ("<!-- table: defaults nothing -->\n<!-- end -->\n", "expected the name of a cluster")):
            self.page(text)
            done = self.run_tool()
            self.assertEqual(done.returncode, 1, text)
            self.assertIn(expected, done.stderr)
            self.assertTrue(done.stderr.startswith("docs/performance/page.md: line "))
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_the_committed_pages_are_up_to_date(self):
        done = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_recording_names_commit_and_day(self):
        sys.path.insert(0, str(SOURCE / "tools"))
        import recording
        files = sorted((SOURCE / "docs/performance/recorded").glob("*.json"))
        self.assertGreater(len(files), 8)
        for file in files:
            for row in recording.load(file):
                self.assertTrue({"commit", "day"} <= row.keys(), f"{file.name}: {row}")


class Record(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gossamer-record-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def record(self, rows):
        (self.root / "micro.json").write_text(json.dumps(rows))
        return subprocess.run([sys.executable, SOURCE / "tools/bench", "--record", "--results", self.root, "--recorded",
                               self.root / "recorded"], capture_output=True, text=True)

    def test_results_are_copied_with_their_source(self):
        done = self.record([{**micro("a", 1), **HEAD}, {**micro("b", 2), **HEAD, "commit": "other"}])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("jobs.json: not in ", done.stderr)
        found = json.loads((self.root / "recorded/micro.json").read_text())
        self.assertEqual({key: found[key] for key in HEAD}, HEAD)
        self.assertEqual(found["rows"], [micro("a", 1), {**micro("b", 2), "commit": "other"}])

    def test_what_cannot_be_quoted_is_refused(self):
        for rows, expected in (([{**micro("a", 1), **HEAD, "quick": True}], "found one with --quick"), ([micro("a", 1)], "expected rows with commit")):
            done = self.record(rows)
            self.assertEqual(done.returncode, 1)
            self.assertIn(expected, done.stderr)
            self.assertFalse((self.root / "recorded").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
