"""tools/bench, bench-jobs, bench-examples and validate-simulation: a name that nothing has is refused before anything is written, and what
fails has an exit code. The programs are made up."""
import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from tool_case import SOURCE, ToolTest  # noqa: E402
RESULTS = {"tools/bench": ("machine.json", "micro.json", "kernels.json"), "tools/bench-jobs": ("jobs.json",), "tools/bench-examples": ("examples.json",),
           "tools/validate-simulation": ("measured.net",)}
# All jobs answer; those with --np only where there is a file `mpi`.
PROGRAM = """#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> calls
case "$*" in
  doctor*) echo '{"system": {"compiler": "gcc"}}'; exit;;
  run*) [ -e mpi ] || { echo "error: no MPI here" >&2; exit 2; };;
esac
echo '{"mups": 5, "case": "tree, 2 cores", "value": 3, "spread": [2, 4]}'
"""


class Benches(ToolTest):
    def setUp(self):
        super().setUp()
        for name in "gossamer", "example_peers":
            self.program(name, PROGRAM)

    def run_tool(self, tool, *words):
        programs = ["--program", self.folder / "gossamer"] if tool == "tools/validate-simulation" else ["--bin", self.folder]
        return subprocess.run([sys.executable, SOURCE / tool, *programs, "--results", self.folder, *words], capture_output=True, text=True)

    def test_a_name_that_nothing_has_is_refused(self):
        for tool, names in RESULTS.items():
            for name in names:
                (self.folder / name).write_text("as it was")
            done = self.run_tool(tool, "--only", "nosuch")
            self.assertEqual(done.returncode, 1, tool)
            self.assertRegex(done.stderr, r"\Aerror: expected [^\n]*nosuch[^\n]*\n\Z", tool)
            self.assertEqual({(self.folder / name).read_text() for name in names}, {"as it was"}, tool)
        self.assertEqual(self.run_tool("tools/bench", "--only", "bfs", "mikro").returncode, 1)
        self.assertEqual(self.calls(), [])

    def test_jobs_that_fail_have_an_exit_code(self):
        path = self.folder / "jobs.json"
        done = self.run_tool("tools/bench-jobs", "--quick", "--only", "gather")
        self.assertEqual(done.returncode, 1)
        self.assertIn("gather, 2 x 1: left out: ", done.stderr)
        self.assertEqual([(row["job"], row["processes"]) for row in json.loads(path.read_text())], [("gather", 1)])
        (self.folder / "mpi").touch()
        done = self.run_tool("tools/bench-jobs", "--quick", "--only", "gather")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(row["job"], row["processes"]) for row in json.loads(path.read_text())], [("gather", 1), ("gather", 2)])
        self.assertEqual(self.run_tool("tools/bench-jobs", "--quick", "--only", "barrier").returncode, 0)
        self.assertEqual([(row["job"], row["processes"], row["cores"]) for row in json.loads(path.read_text())], [("barrier, tree", 2, 1), ("barrier, tree", 2, 2)])

    def test_results_stay_where_every_job_fails(self):
        (self.folder / "jobs.json").write_text("as it was")
        (self.folder / "gossamer").unlink()
        done = self.run_tool("tools/bench-jobs", "--quick", "--only", "gather")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[-1], "error: expected rows of at least one job, found none; earlier results are left as they are")
        self.assertEqual((self.folder / "jobs.json").read_text(), "as it was")


if __name__ == "__main__":
    unittest.main(verbosity=2)
