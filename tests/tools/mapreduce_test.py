"""tools/mapreduce: rows of both engines are kept with their stages, and drawn. The program is a made-up one."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
TOOL = SOURCE / "tools/mapreduce"

if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode != 0:
    print("no python3-matplotlib", file=sys.stderr)
    sys.exit(77)

PROGRAM = """#!/bin/sh
echo "$1 $*" >> calls
case "$*" in
  *messages*"--cores 2"*) [ -z "$CODE" ] || { echo "error: no messages today" >&2; exit $CODE; };;
esac
echo '{"seconds": 0.5, "words": 100000, "distinct": 7, "stages": {"open": 0, "map": 0.375, "reduce": 0.125}}'
"""


class MapReduce(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gossamer-mapreduce-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "program"
        program.write_text(PROGRAM)
        program.chmod(0o755)

    def run_tool(self, *words, **environment):
        return subprocess.run([TOOL, "--words", "1000", "--recorded", "rows.json", "--figures", ".", *words], cwd=self.folder,
                              capture_output=True, text=True,
                              env={**os.environ, "GOSSAMER_PROGRAM": str(self.folder / "program"), **environment})

    def test_rows_are_kept_and_drawn(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads((self.folder / "rows.json").read_text())["rows"]
        self.assertEqual({(r["kind"], r["engine"]) for r in rows}, {(k, e) for k in ("real", "simulated") for e in ("hybrid", "messages")})
        self.assertTrue(all(r["stages"]["map"] == 0.375 and r["stages"]["sort"] == 0 for r in rows))
        for name in "stages", "speed-up":
            root = xml.etree.ElementTree.parse(self.folder / f"mapreduce-{name}.svg").getroot()
            self.assertTrue(root.tag.endswith("svg"))
        (self.folder / "calls").unlink()
        self.assertEqual(self.run_tool("--real").returncode, 0)  # the simulated ones stay
        self.assertNotIn("simulate", (self.folder / "calls").read_text())
        self.assertEqual(len(json.loads((self.folder / "rows.json").read_text())["rows"]), len(rows))
        self.assertEqual(self.run_tool("--kept").returncode, 0)

    def test_a_failure_is_told_in_one_line(self):
        done = self.run_tool("--real", CODE="2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: no messages today", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
