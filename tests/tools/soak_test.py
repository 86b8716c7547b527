"""tools/soak builds what it runs, and counts protocols. What it builds and runs is made up."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
PROTOCOLS = """#!/bin/sh
[ "$1" != matching ]
"""
BUILD = """#!/bin/sh
echo "$@" >>built
"""
KILLS = ("fabric", "processes", "cli")


class Soak(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "tools").mkdir()
        shutil.copy(SOURCE / "tools/soak", self.root / "tools")
        (self.root / "build/dev/bin").mkdir(parents=True)
        for name, text in ("tools/build", BUILD), ("build/dev/bin/protocols", PROTOCOLS), ("build/dev/bin/combining_tests", "#!/bin/sh\n"):
            (self.root / name).write_text(text)
            (self.root / name).chmod(0o755)
        self.kills(0, 0, 0)

    def kills(self, *codes):
        """What the three scripts end with."""
        for folder, code in zip(KILLS, codes):
            path = self.root / f"tests/{folder}/kills_test.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"import sys\nsys.exit({code})\n")

    def soak(self, *words):
        """The exit code, the lines from the counts on, and the targets that were built."""
        (self.root / "built").write_text("")
        done = subprocess.run(["tools/soak", *words], cwd=self.root, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, [line for line in done.stdout.splitlines() if "_test.py" not in line], set((self.root / "built").read_text().split()) - {"dev"}

    def test_builds_what_it_runs(self):
        always, of_kills = {"protocols", "combining_tests"}, {"gossamer_cli", "transport_program", "transfers_program"}
        self.assertEqual(self.soak("completion", "kills"), (0, ["2 passed, 0 failed"], always | of_kills))
        self.assertEqual(self.soak("completion"), (0, ["1 passed, 0 failed"], always))
        self.assertEqual(self.soak()[1:], (["12 passed, 1 failed"], always | of_kills))

    def test_a_failure_counts_once(self):
        self.kills(1, 0, 1)
        self.assertEqual(self.soak("kills", "matching", "completion")[:2], (1, ["1 passed, 2 failed"]))

    def test_what_has_nothing_to_run_is_skipped(self):
        self.kills(0, 77, 0)
        self.assertEqual(self.soak("kills")[:2], (0, ["1 passed, 0 failed"]))
        self.kills(1, 77, 77)
        self.assertEqual(self.soak("kills")[:2], (1, ["0 passed, 1 failed"]))
        self.kills(77, 77, 77)
        self.assertEqual(self.soak("completion", "kills")[:2], (0, ["1 skipped", "1 passed, 0 failed"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
