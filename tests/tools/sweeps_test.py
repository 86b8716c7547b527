"""tools/sweeps: rows are kept, and run again where their command is another one today. The programs are made up."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from tool_case import SOURCE, ToolTest  # noqa: E402
STUDIES = """#!/bin/sh
echo "$*" >> calls
case "$1" in simulate) echo '{"seconds": 0.5}'; exit;; esac
for value in 1 2; do
  echo "{\\"settings\\": {\\"cache\\": \\"$value\\"}, \\"failed\\": null, \\"seconds\\": 1, \\"rate\\": 5, \\"unit\\": \\"M/s\\", \\"answer\\": {\\"stats\\": {}}}"
done
echo '{"command": "sweep"}'
"""
PROGRAM = """#!/bin/sh
echo "$*" >> calls
echo '{"seconds": 0.5}'
"""


class Sweeps(ToolTest):
    def setUp(self):
        super().setUp()
        self.kept = self.folder / "docs/performance/recorded"
        for path in self.folder / "tools", self.kept:
            path.mkdir(parents=True)
        for name in "sweeps", "recording.py":
            shutil.copy(SOURCE / "tools" / name, self.folder / "tools")
        for name, text in ("studies", STUDIES), ("program", PROGRAM):
            self.program(name, text)

    def run_tool(self, *words):
        """How often it ran a program."""
        environment = {**os.environ, "GOSSAMER_STUDIES": str(self.folder / "studies"), "GOSSAMER_PROGRAM": str(self.folder / "program")}
        (self.folder / "calls").write_text("")
        done = subprocess.run(["tools/sweeps", *words], cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return len((self.folder / "calls").read_text().splitlines())

    def test_a_sweep_of_another_command_is_run_again(self):
        self.assertEqual([self.run_tool("uts-cache-8"), self.run_tool("uts-cache-8"), self.run_tool("uts-cache-8", "--again")], [1, 0, 1])
        path = self.kept / "sweeps.json"
        path.write_text(path.read_text().replace("uts-reads", "uts-other"))
        self.assertEqual([self.run_tool("uts-cache-8"), self.run_tool("uts-cache-8")], [1, 0])
        self.assertEqual(["uts-other" in row["command"] for row in json.loads(path.read_text())], [False, False])

    def test_a_default_of_another_command_is_run_again(self):
        self.assertGreater(self.run_tool("defaults-16x8"), 100)
        path = self.kept / "defaults.json"
        rows = json.loads(path.read_text())
        rows[5]["command"] += " --another-option"
        path.write_text(json.dumps(rows))
        self.assertEqual([self.run_tool("defaults-16x8"), self.run_tool("defaults-16x8")], [1, 0])
        self.assertNotIn("--another-option", path.read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
