"""The watch of a job under both launchers, with processes killed or stopped at random moments. GOSSAMER_TEST_KILLS: how
many of each kind; GOSSAMER_TEST_SEED: which."""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from transport_case import PROGRAM, TransportTest  # first: it knows where launching lies
from launching import KILLS, SEED, TOLD_BY_MPI, WITHIN_S, children, left_since, leftovers


class Ends(TransportTest):
    def test_of_a_stopped_process(self):
        for launcher in self.each():
            job = self.start(launcher, 3, "wait", env={"GOSSAMER_PEER_TIMEOUT_S": "1"})
            pid = job.pids(3)[2]
            os.kill(pid, signal.SIGSTOP)
            self.lost(job, rf"process 2 \(pid {pid} on \S+\) has not answered for 1 s: it is stopped$")

    def test_of_a_killed_process_in_a_loop_or_a_collective(self):
        print(f"seed {SEED}", file=sys.stderr)
        draw = random.Random(SEED)
        before = leftovers()
        for round_ in range(KILLS):
            for launcher in self.each():
                mode, victim = draw.choice(["wait", "barrier"]), draw.randrange(3)
                with self.subTest(seed=SEED, round=round_, mode=mode, victim=victim):
                    job = self.start(launcher, 3, mode)
                    pid = job.pids(3)[victim]
                    time.sleep(draw.random() * 0.2)
                    os.kill(pid, signal.SIGKILL)
                    self.lost(job, rf"process {victim} \(pid {pid} on \S+\) was lost")
        self.assertEqual(left_since(before), set())

    def test_of_a_process_killed_at_the_start(self):
        """Before the processes know each other each has its own watch; the first to notice speaks. Under MPICH, which
        kills all within a millisecond, that may be another's."""
        draw = random.Random(SEED + 2)
        before = leftovers()
        for round_ in range(KILLS):
            for launcher in self.each():
                with self.subTest(seed=SEED, round=round_):
                    job = self.start(launcher, 3, "wait")
                    victims = {}
                    while not victims and job.process.poll() is None:
                        victims = [pid for pid, words in children(job.process.pid).items()
                                   if words[0] == str(PROGRAM).encode()]
                    time.sleep(draw.random() * 0.3)
                    try:
                        os.kill(draw.choice(victims), signal.SIGKILL)
                    except ProcessLookupError:  # a process on its way to become the watch
                        job.process.terminate()
                        job.end()
                        continue
                    if self.launcher_hangs_alone(job):
                        before |= leftovers()
                        continue
                    self.lost_or_named_by_launcher(job)
        self.assertEqual(left_since(before), set())

    def launcher_hangs_alone(self, job):
        """Open MPI's launcher sometimes waits for itself when a process ends during its start: every process of the
        job has gone, which is all that they can do about it."""
        try:
            job.process.wait(timeout=20)
            return False
        except subprocess.TimeoutExpired:
            self.assertEqual(children(job.process.pid), {}, job.error_text())
            print(f"the launcher hangs, alone: {job.error_text()}", file=sys.stderr)
            os.killpg(job.process.pid, signal.SIGKILL)
            job.end()
            return True

    def lost_or_named_by_launcher(self, job):
        """Before main() only the launcher can know, or the MPI of another process, which then fails to start."""
        code, _, errors, seconds = job.end()
        self.assertNotEqual(code, 0, errors)
        self.assertLess(seconds, WITHIN_S, errors)
        lines = re.findall(r"^error: .*$", errors, re.M)
        if not lines:
            self.assertRegex(errors, TOLD_BY_MPI)
            return
        self.assertEqual(len(lines), 1, errors)
        self.assertRegex(lines[0], r"process \d \(pid \d+ on \S+\) was lost")

    def test_of_a_killed_process_while_the_others_finish(self):
        """It may have done all that mattered; but nothing hangs, and nobody else is named."""
        draw = random.Random(SEED + 1)
        for round_ in range(KILLS):
            for launcher in self.each():
                with self.subTest(seed=SEED, round=round_):
                    job = self.start(launcher, 3, "linger", 1)
                    pid = job.pids(3)[1]
                    time.sleep(draw.random())
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        continue
                    _, _, errors, seconds = job.end()
                    self.assertLess(seconds, WITHIN_S, errors)
                    for line in re.findall(r"^error: .*$", errors, re.M):
                        self.assertIn(f"process 1 (pid {pid} ", line)

    def test_of_all_by_the_launcher_leave_no_process(self):
        for launcher in self.each():
            for number in (signal.SIGTERM, signal.SIGINT):
                with self.subTest(signal=number):
                    job = self.start(launcher, 3, "wait")
                    pids = job.pids(3)
                    job.process.send_signal(number)
                    code, _, errors, seconds = job.end()
                    self.assertNotEqual(code, 0)
                    self.assertLess(seconds, WITHIN_S, errors)
                    self.assertLessEqual(len(re.findall(r"^error: |gossamer: interrupted", errors, re.M)), 2, errors)
                    for pid in pids.values():
                        self.assertFalse(alive(pid), errors)


def alive(pid):
    try:
        return "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main(verbosity=2)
