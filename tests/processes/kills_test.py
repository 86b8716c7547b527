"""Processes killed at random moments of one-sided transfers, under both launchers: the job ends in time, says in one line which
process was lost, and leaves nothing behind. GOSSAMER_TEST_SEED repeats a run, GOSSAMER_TEST_KILLS tells how often."""
import os
import pathlib
import random
import re
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, Job, KILLS, LAUNCHERS, SEED, WITHIN_S, left_since, leftovers  # noqa: E402

PROGRAM = BUILD / "bin" / "transfers_program"

if not LAUNCHERS or not PROGRAM.exists() or os.environ.get("GOSSAMER_SANITIZE"):
    print("no MPI, or no transfers_program, or a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)


class KilledTransfers(unittest.TestCase):
    def test_end_the_job_in_time_and_leave_nothing(self):
        print(f"seed {SEED}", file=sys.stderr)
        draw = random.Random(SEED)
        before, longest = leftovers(), 0.0
        for round_ in range(KILLS):
            for launcher in LAUNCHERS:
                processes, cores, memory = draw.choice((2, 3, 4)), draw.choice((1, 2)), draw.choice(("on", "on", "off"))
                bulk = draw.choice(("64KiB", "256"))  # without memory of the node the transport moves most blocks itself
                victim, delay, seed = draw.randrange(processes), draw.random() * 0.3, draw.randrange(1 << 30)
                with self.subTest(seed=SEED, round=round_, mpi=launcher.mpi, processes=processes, cores=cores, memory=memory,
                                  bulk=bulk, victim=victim):
                    longest = max(longest, self.kill(launcher, processes, victim, delay, seed,
                                                     {"GOSSAMER_CORES": str(cores), "GOSSAMER_NODE_MEMORY": memory,
                                                      "GOSSAMER_BULK_BYTES": bulk}))
        print(f"{KILLS * len(LAUNCHERS)} kills, ended after {longest:.2f} s at most", file=sys.stderr)
        self.assertEqual(left_since(before), set())

    def kill(self, launcher, processes, victim, delay, seed, settings):
        """Kills one process of a job. Returns how many seconds later the job had ended."""
        job = Job(launcher.command(processes, PROGRAM, seed), settings)
        self.addCleanup(lambda: job.process.poll() is not None or os.killpg(job.process.pid, signal.SIGKILL))
        pid = job.pids(processes)[victim]
        time.sleep(delay)
        os.kill(pid, signal.SIGKILL)
        code, _, errors, seconds = job.end()
        self.assertNotEqual(code, 0, errors)
        self.assertLess(seconds, WITHIN_S, errors)
        lines = re.findall(r"^error: .*$", errors, re.M)
        self.assertEqual(len(lines), 1, errors)
        if "libucs" in errors:  # UCX has aborted a process that was copying from the one that was killed
            self.assertRegex(lines[0], r"process \d \(pid \d+ on \S+\) was lost")
        else:
            self.assertRegex(lines[0], rf"process {victim} \(pid {pid} on \S+\) was lost")
        return seconds


if __name__ == "__main__":
    unittest.main(verbosity=2)
