"""What tests of the program under both launchers share: how a job is started, and what its end must be."""
import os
import pathlib
import re
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import Job, LAUNCHERS, MPIS  # noqa: E402
from program import PROGRAM, ProgramTest  # noqa: E402

if not LAUNCHERS or os.environ.get("GOSSAMER_SANITIZE"):
    print("no launcher, or a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)


class LaunchTest(ProgramTest):
    def each(self, launchers=LAUNCHERS):
        for launcher in launchers:
            with self.subTest(mpi=launcher.mpi):
                yield launcher

    def start(self, command, env=None):
        job = Job(command, {"GOSSAMER_CORES": "1", **(env or {})}, self.folder)
        self.addCleanup(lambda: job.process.poll() is not None or os.killpg(job.process.pid, signal.SIGKILL))
        return job

    def launched(self, launcher, processes, *words, env=None, program=PROGRAM):
        return self.start(launcher.command(processes, program, *words), env)

    def well(self, job, timeout=120):
        code, out, errors, _ = job.end(timeout)
        self.assertEqual(code, 0, errors)
        return out

    def refused(self, job):
        """One line, however many processes; exit code 2; nothing on standard output."""
        code, out, errors, _ = job.end()
        lines = re.findall(r"^error: .*$", errors, re.M)
        self.assertEqual((code, out, len(lines)), (2, "", 1), errors)
        return lines[0]
