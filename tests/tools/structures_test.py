"""tools/structures: points are kept, not run again, and drawn; what fails is left out. The program is a made-up one."""
import json
import os
import pathlib
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from tool_case import SOURCE, ToolTest  # noqa: E402
TOOL = SOURCE / "tools/structures"

if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode != 0:
    print("no python3-matplotlib", file=sys.stderr)
    sys.exit(77)

ANSWER = ('{"mops": 12.5, "operations": 1000, "requests": 1000, "commits": 10, "matched": 0, "combine_messages": 10, '
          '"combine_bytes": 100, "combine_wait_ns": 5}')
PROGRAM = f"""#!/bin/sh
echo "$*" >> calls
case "$*" in
  run*) echo "error: no MPI here" >&2; exit 2;;
  scale*) echo '{{"messages": 9, "host_seconds": 1, "answer": {ANSWER}}}';;
  *) echo '{ANSWER}';;
esac
"""


class Structures(ToolTest):
    def setUp(self):
        super().setUp()
        for name in "program", "studies":
            self.program(name, PROGRAM.replace("calls", "calls" if name == "program" else "calls-of-studies"))

    def run_tool(self, *words):
        return subprocess.run([TOOL, "--kept", "points.json", "--figures", ".", *words], cwd=self.folder, capture_output=True,
                              text=True, env={**os.environ, "GOSSAMER_PROGRAM": str(self.folder / "program"),
                                              "GOSSAMER_STUDIES": str(self.folder / "studies")})

    def test_points_are_kept_and_not_run_again(self):
        words = ("stack-100-local", "--simulated", "--real", "--processes", "1,2", "--seeds", "2", "--repeats", "3")
        done = self.run_tool(*words)
        self.assertEqual(done.returncode, 1, done.stderr)  # one point failed
        self.assertIn("left out: error: no MPI here", done.stdout)
        rows = json.loads((self.folder / "points.json").read_text())
        self.assertEqual([(r["kind"], r["processes"], r["cores"], len(r["rates"])) for r in rows],
                         [("real", 1, 1, 3), ("real", 1, 2, 3), ("simulated", 1, 16, 2), ("simulated", 2, 16, 2)])
        self.assertEqual({r["name"] for r in rows}, {"stack-100-local"})
        first = len(self.calls())
        self.run_tool(*words)
        self.assertEqual([c.split()[0] for c in self.calls()[first:]], ["run"])  # what is missing is tried again

    def test_points_of_another_command_are_run_again(self):
        words = ("stack-100-local", "--simulated", "--processes", "1,2", "--seeds", "1")
        self.assertEqual(self.run_tool(*words).returncode, 0)
        path = self.folder / "points.json"
        rows = json.loads(path.read_text())
        rows[1]["command"] += " --another-option"
        rows[1]["rates"] = [98765]
        path.write_text(json.dumps(rows))
        self.assertNotIn("98,765", self.run_tool().stdout)
        first = len(self.calls())
        self.assertEqual(self.run_tool(*words).returncode, 0)
        self.assertEqual([c.split()[5] for c in self.calls()[first:]], ["2"])
        self.assertNotIn("--another-option", path.read_text())

    def test_study_variants_are_run_by_their_own_program(self):
        done = self.run_tool("bfs-", "--simulated", "--processes", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([call.split(" -- ")[1] for call in self.calls()], ["bfs kron:18 --trials 4"])
        studies = (self.folder / "calls-of-studies").read_text().splitlines()
        self.assertEqual([call.split(" -- ")[1] for call in studies],
                         [f"queue-bfs kron:18 --trials 4 --combining {mode}" for mode in ("off", "local")])
        commands = {row["name"]: row["command"].split()[0] for row in json.loads((self.folder / "points.json").read_text())}
        self.assertEqual(commands, {"bfs-tuned": "gossamer", "bfs-off": "gossamer-studies", "bfs-local": "gossamer-studies"})

    def test_figures_and_tables(self):
        self.run_tool("set-1024", "--simulated", "--processes", "1", "--seeds", "1")
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| set, 50 % inserts, keys 0-1,023, `local` | 12.5 |", done.stdout)
        for name in ("stack-queue", "stack-statistics", "set-map", "graphs"):
            xml.etree.ElementTree.parse(self.folder / f"combining-{name}.svg")

    def test_nothing_recorded(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: expected recorded points", done.stderr)
        self.assertEqual(self.run_tool("heap").returncode, 1)


if __name__ == "__main__":
    unittest.main()
