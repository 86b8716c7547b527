"""What tests of the transport under both launchers share: how a job of transport_program is started, and what the loss
of a process must look like."""
import os
import pathlib
import re
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, Job, LAUNCHERS, MPIS, WITHIN_S  # noqa: E402

PROGRAM = BUILD / "bin" / "transport_program"

if not LAUNCHERS or not PROGRAM.exists() or os.environ.get("GOSSAMER_SANITIZE"):
    print("no launcher, or no transport_program, or a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)


class TransportTest(unittest.TestCase):
    def start(self, launcher, processes, *words, env=None):
        job = Job(launcher.command(processes, PROGRAM, *words), env)
        self.addCleanup(lambda: job.process.poll() is not None or os.killpg(job.process.pid, signal.SIGKILL))
        return job

    def each(self, launchers=LAUNCHERS):
        for launcher in launchers:
            with self.subTest(mpi=launcher.mpi):
                yield launcher

    def lost(self, job, pattern):
        """The job ends in time, with an error, and one line that says why."""
        code, _, errors, seconds = job.end()
        self.assertNotEqual(code, 0, errors)
        self.assertLess(seconds, WITHIN_S, errors)
        lines = re.findall(r"^error: .*$", errors, re.M)
        self.assertEqual(len(lines), 1, errors)
        self.assertRegex(lines[0], pattern)
