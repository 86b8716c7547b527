"""tools/bench-page: one page that needs nothing else, and figures that are well-formed, from made-up rows."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
PAGE = SOURCE / "tools/bench-page"

if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode != 0:
    print("no python3-matplotlib", file=sys.stderr)
    sys.exit(77)


def row(case, value, **more):
    return {"bench": "yield", "case": case, "value": value, "unit": "ns", "spread": [value, value], "budget": None,
            "peer": None, "peer_value": None, "checked": True, "library": "gossamer", "lines": None,
            "times_peer": None, "curve": None, "x": None, "peer_of": None, **more}


CURVE = {"curve": "yield against number of fibers"}
ROWS = [row("2 fibers", 4.0, budget=5, peer="Boost.Fiber", peer_value=30, x=2, **CURVE),
        row("1,000 fibers", 9.0, budget=5, x=1000, **CURVE), row("nothing <here>", None, spread=[None, None]),
        row("2 fibers [Boost.Fiber]", 30.0, library="Boost.Fiber", peer_of="2 fibers", x=2, **CURVE)]


class BenchPage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gossamer-page-")
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name)

    def run_page(self, *arguments):
        return subprocess.run([PAGE, "--results", self.results, *arguments], capture_output=True, text=True)

    def page(self, rows):
        (self.results / "micro.json").write_text(json.dumps(rows))
        done = self.run_page()
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.results / "index.html").read_text()

    def test_a_page_of_rows(self):
        text = self.page(ROWS)
        self.check_it_needs_nothing_else(text)
        self.check_budgets_and_names(text)

    def check_it_needs_nothing_else(self, text):
        self.assertEqual(re.findall(r'(?:src|href)="(?!#)[^"]*"|@import|<script', text), [])
        ids = re.findall(r'\bid="([^"]+)"', text)
        self.assertEqual(len(ids), len(set(ids)))

    def check_budgets_and_names(self, text):
        self.assertIn('<span class="within">0.80</span>', text)
        self.assertIn('<span class="over">1.80</span>', text)
        self.assertIn("nothing &lt;here&gt;", text)
        self.assertIn('<tr class="peer">', text)

    def test_without_rows_there_is_a_page_too(self):
        self.assertIn("<h2>Budgets</h2>", self.page([]))

    def test_jobs_and_what_is_asked_of_them(self):
        job = {"job": "uts T1L", "processes": 2, "cores": 1, "unit": "M nodes/s", "value": 45.0, "min": 44.0, "max": 46.0,
               "count": 3, "budget": 50, "less_is_better": False, "peer": "plain threads", "peer_value": 14.0}
        jobs = [job, {**job, "job": "components <x>", "unit": "times", "value": 3.0, "budget": 2, "less_is_better": True},
                {**job, "job": "free", "budget": None, "peer": None, "peer_value": None}]
        (self.results / "jobs.json").write_text(json.dumps(jobs))
        text = self.page([])
        self.assertIn('<span class="within">0.90</span>', text)
        self.assertIn('<span class="over">1.50</span>', text)
        self.assertIn("components &lt;x&gt;", text)
        self.assertIn("2 × 1", text)

    def test_figures_are_well_formed_and_the_same_each_time(self):
        (self.results / "micro.json").write_text(json.dumps(ROWS))
        folders = [self.results / "a", self.results / "b"]
        for folder in folders:
            self.assertEqual(self.run_page("--figures", folder).returncode, 0)
        names = sorted(p.name for p in folders[0].iterdir())
        self.assertIn("yield.svg", names)
        for paper in ("hash-table.svg", "packet-pool.svg", "scheduler.svg", "latency.svg"):
            self.assertIn(paper, names)
        for name in names:
            xml.etree.ElementTree.parse(folders[0] / name)
            self.assertEqual((folders[0] / name).read_bytes(), (folders[1] / name).read_bytes(), name)

    def test_figures_of_nothing_are_refused(self):
        done = self.run_page("--figures", self.results / "figures")
        self.assertEqual(done.returncode, 1)
        self.assertIn("micro.json: expected the rows of a run of `make bench`", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
