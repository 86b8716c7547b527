"""tools/curves: points are kept, and run again where their command is another one today. The program is a made-up one."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from tool_case import SOURCE, ToolTest  # noqa: E402

if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode != 0:
    print("no python3-matplotlib", file=sys.stderr)
    sys.exit(77)

# Of `gups --table {16*processes}MiB --updates {400000*processes}`. Fails while there is a file `broken`.
PROGRAM = """#!/bin/sh
echo "$*" >> calls
[ ! -e broken ] || { echo "error: no memory" >&2; exit 2; }
p=$(echo "$*" | sed 's/.*-n \\([0-9]*\\) .*/\\1/')
cat <<END
{"command": "scale", "of": "gups --table $((16 * p))MiB --updates $((400000 * p))", "network": "qdr", "processes": $p, "cores": $((16 * p)), "seconds": 1,
 "rate": $((100 * p)), "unit": "M/s", "messages": 1, "network_bytes": 1, "fill_percent": 50, "memory_per_core_bytes": 1048576, "host_seconds": 1, "answer": {}}
END
"""


class Curves(ToolTest):
    def setUp(self):
        super().setUp()
        self.kept = self.folder / "docs/performance/recorded/curves.json"
        for path in self.folder / "tools", self.kept.parent:
            path.mkdir(parents=True)
        for name in "curves", "recording.py":
            shutil.copy(SOURCE / "tools" / name, self.folder / "tools")
        self.program("program", PROGRAM)

    def run_tool(self, *words):
        return subprocess.run(["tools/curves", "gups", "--most", "2", *words], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "GOSSAMER_PROGRAM": str(self.folder / "program")})

    def calls(self):
        """The numbers of processes that were run since the last call."""
        path = self.folder / "calls"
        found = path.read_text().splitlines() if path.exists() else []
        path.write_text("")
        return [call.split()[5] for call in found]

    def test_points_are_kept_and_run_again_where_their_command_is_another(self):
        done = self.run_tool()
        self.assertEqual((done.returncode, done.stderr, self.calls()), (0, "", ["1", "2"]))
        self.assertEqual((self.run_tool().returncode, self.calls()), (0, []))
        for key, value in ("of", "gups --table 1MiB"), ("cores", 8), ("environment", {"GOSSAMER_AGGREGATION": "off"}):
            rows = json.loads(self.kept.read_text())
            rows["gups"]["2"].update({key: value, "rate": 98765})
            self.kept.write_text(json.dumps(rows))
            self.assertNotIn("98,765", self.run_tool("--kept").stdout)
            self.assertEqual((self.run_tool().returncode, self.calls()), (0, ["2"]), key)
        rows = json.loads(self.kept.read_text())
        del rows["gups"]["2"]["environment"]  # as older rows
        self.kept.write_text(json.dumps(rows))
        self.assertEqual((self.run_tool().returncode, self.calls()), (0, []))

    def test_the_exit_code_tells_of_failures(self):
        (self.folder / "broken").touch()
        done = self.run_tool()
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("failed: error: no memory", done.stdout)
        self.assertFalse(self.kept.exists())
        self.assertEqual(self.run_tool("--kept").returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
