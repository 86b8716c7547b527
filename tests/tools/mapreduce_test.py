"""tools/mapreduce: rows of both engines are kept with their stages, and drawn. The program is a made-up one."""
import json
import os
import pathlib
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from tool_case import SOURCE, ToolTest  # noqa: E402
TOOL = SOURCE / "tools/mapreduce"

if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode != 0:
    print("no python3-matplotlib", file=sys.stderr)
    sys.exit(77)

PROGRAM = """#!/bin/sh
echo "$1 $*" >> calls
case "$*" in
  *messages*"--cores 2"*) [ -z "$CODE" ] || { echo "error: no messages today" >&2; exit $CODE; };;
esac
case "$2 $GOSSAMER_SIMULATE" in
  ordering*) echo '{"case": "60,000 words, 2 cores: merge by one core", "value": 7, "spread": 0.1}'; exit;;
  containers*) echo '{"case": "few words: chaining", "value": 9, "spread": 0.2}'; exit;;
  "mapreduce ") cat <<'END'
{"case": "STREAM triad, 1 core", "value": 20, "curve": null}
{"case": "linear regression of 400 MB, hybrid, 1 core", "value": 40, "curve": null}
{"case": "linear regression of 400 MB, hybrid, 1 core: map", "value": 39, "curve": null}
{"case": "linear regression of 400 MB, hybrid, 1 core: share of triad", "value": 50, "curve": null}
{"case": "linear regression of 400 MB, each term emitted, hybrid, 1 core", "value": 80, "curve": null}
{"case": "linear regression of 400 MB, each term emitted, hybrid, 1 core: share of triad", "value": 25, "curve": null}
END
  exit;;
  mapreduce*) echo '{"case": "histogram of a bitmap of 200 MB, messages, 4 cores", "value": 3, "curve": "histogram, messages"}'; exit;;
esac
echo '{"seconds": 0.5, "words": 100000, "distinct": 7, "stages": {"open": 0, "map": 0.375, "reduce": 0.125}}'
"""


class MapReduce(ToolTest):
    def setUp(self):
        super().setUp()
        self.program("program", PROGRAM)

    def run_tool(self, *words, **environment):
        return subprocess.run([TOOL, "--words", "1000", "--recorded", "rows.json", "--figures", ".", *words], cwd=self.folder,
                              capture_output=True, text=True,
                              env={**os.environ, "GOSSAMER_PROGRAM": str(self.folder / "program"), **environment})

    def test_rows_are_kept_and_drawn(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads((self.folder / "rows.json").read_text())["rows"]
        counts = [r for r in rows if r["kind"] in ("real", "simulated")]
        self.assertEqual({(r["kind"], r["engine"]) for r in counts}, {(k, e) for k in ("real", "simulated") for e in ("hybrid", "messages")})
        self.assertTrue(all(r["stages"]["map"] == 0.375 and r["stages"]["sort"] == 0 for r in counts))
        self.assertEqual([(r["job"], r["engine"], r["cores"], r["ms"], r["share"], r["triad"]) for r in rows if r["kind"] == "real_jobs"],
                         [("linear regression", "hybrid", 1, 40, 50, 20), ("linear regression, each term emitted", "hybrid", 1, 80, 25, 20)])
        self.assertEqual({(r["job"], r["engine"], r["cores"]) for r in rows if r["kind"] == "simulated_jobs"},
                         {("histogram", "messages", c) for c in (1, 2, 4, 8, 16, 32, 48)})
        self.assertEqual({(r["kind"], r["cores"], r["words"], r["way"], r["ms"]) for r in rows if r["kind"].endswith("ordering")},
                         {(kind, 2, 60000, "merge by one core", 7) for kind in ("ordering", "simulated_ordering")})
        self.assertEqual([(r["text"], r["container"], r["ms"]) for r in rows if r["kind"] == "map_containers"], [("few words", "chaining", 9)])
        for name in "stages", "speed-up", "bandwidth":
            root = xml.etree.ElementTree.parse(self.folder / f"mapreduce-{name}.svg").getroot()
            self.assertTrue(root.tag.endswith("svg"))
        (self.folder / "calls").unlink()
        self.assertEqual(self.run_tool("--real").returncode, 0)  # the simulated ones stay
        self.assertNotIn("simulate", (self.folder / "calls").read_text())
        self.assertEqual(len(json.loads((self.folder / "rows.json").read_text())["rows"]), len(rows))
        self.assertEqual(self.run_tool("--kept").returncode, 0)

    def test_the_folder_of_figures_is_made(self):
        self.assertEqual(self.run_tool("--containers", "--figures", "build/figures").returncode, 0)
        self.assertTrue((self.folder / "build/figures/mapreduce-stages.svg").exists())

    def test_a_failure_is_told_in_one_line(self):
        done = self.run_tool("--real", CODE="2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: no messages today", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
