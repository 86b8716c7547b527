"""Simulated code reaches no clock, thread, sleep or random number of the machine: a program runs where
whoever asks for one is killed. The same program without simulation must be."""

import os
import pathlib
import subprocess
import sys
import unittest

PROGRAM = pathlib.Path(os.environ["GOSSAMER_BUILD"]) / "bin" / "isolation_program"
if os.environ.get("GOSSAMER_SANITIZE") or not PROGRAM.exists():
    print("needs the program without sanitizers, which have threads and clocks of their own", file=sys.stderr)
    sys.exit(77)


def run(*arguments):
    return subprocess.run([str(PROGRAM), *arguments], capture_output=True, text=True, timeout=120)


class Isolation(unittest.TestCase):
    def test_a_simulated_job_asks_for_nothing(self):
        done = run()
        if done.returncode == 77:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("6000 updates", done.stdout)

    def test_a_real_one_is_killed(self):
        done = run("real")
        if done.returncode == 77:
            self.skipTest(done.stderr)
        self.assertLess(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
