"""The transport plugin and the watch under both launchers, without a runtime on top (transport_program.cpp)."""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, Job, LAUNCHERS, TOLD_BY_MPI, WITHIN_S, children, leftovers  # noqa: E402

PROGRAM = BUILD / "bin" / "transport_program"
SEED = int(os.environ.get("GOSSAMER_TEST_SEED", random.randrange(1 << 30)))

if not LAUNCHERS or not PROGRAM.exists() or os.environ.get("GOSSAMER_SANITIZE"):
    print("no MPI, or no transport_program, or a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)


class TransportTest(unittest.TestCase):
    def start(self, launcher, processes, *words, env=None):
        job = Job(launcher.command(processes, PROGRAM, *words), env)
        self.addCleanup(lambda: job.process.poll() is not None or os.killpg(job.process.pid, signal.SIGKILL))
        return job

    def each(self):
        for launcher in LAUNCHERS:
            with self.subTest(mpi=launcher.mpi):
                yield launcher

    def lost(self, job, pattern, within=WITHIN_S):
        """The job ends in time, with an error, and one line that says why."""
        code, _, errors, seconds = job.end()
        self.assertNotEqual(code, 0, errors)
        self.assertLess(seconds, within, errors)
        lines = re.findall(r"^error: .*$", errors, re.M)
        self.assertEqual(len(lines), 1, errors)
        self.assertRegex(lines[0], pattern)


class Messages(TransportTest):
    def test_arrive_whole_and_in_order(self):
        for launcher in self.each():
            for processes in (2, 4):
                code, out, errors, _ = self.start(launcher, processes, "exchange").end()
                self.assertEqual(code, 0, errors)
                self.assertRegex(out, rf"^ok .* of {processes}\n$")

    def test_plain_stream(self):
        for launcher in self.each():
            code, _, errors, _ = self.start(launcher, 3, "stream").end()
            self.assertEqual(code, 0, errors)

    def test_two_jobs_at_once(self):
        for launcher in self.each():
            jobs = [self.start(launcher, 2, "exchange") for _ in range(2)]
            for job in jobs:
                self.assertEqual(job.end()[0], 0, job.error_text())

    def test_one_process_needs_no_transport(self):
        for launcher in self.each():
            self.assertEqual(self.start(launcher, 1, "exchange").end()[1], "alone\n")


class Ends(TransportTest):
    def test_a_process_that_ends_early_in_order_is_not_lost(self):
        for launcher in self.each():
            code, _, errors, _ = self.start(launcher, 3, "linger", 2).end()
            self.assertEqual(code, 0, errors)
            self.assertNotIn("lost", errors)

    def test_of_one_process_by_its_own_will(self):
        for mode, pattern in {
            "leave": r"process 1 \(pid \d+ on \S+\) was lost( \(it exited with code 5\))?$",
            "exit": r"process 1 \(pid \d+ on \S+\): exit\(\) was called inside a job$",
            "fail": r"process 1 \(pid \d+ on \S+\): nothing works$",
            "quiet": r"process 0 \(pid \d+ on \S+\) has not answered for 60 s$",
        }.items():
            for launcher in self.each():
                with self.subTest(mode=mode):
                    self.lost(self.start(launcher, 3, mode, 1), pattern, within=30)  # the start included

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
        for round_ in range(6):
            for launcher in self.each():
                mode, victim = draw.choice(["wait", "barrier"]), draw.randrange(3)
                with self.subTest(seed=SEED, round=round_, mode=mode, victim=victim):
                    job = self.start(launcher, 3, mode)
                    pid = job.pids(3)[victim]
                    time.sleep(draw.random() * 0.2)
                    os.kill(pid, signal.SIGKILL)
                    self.lost(job, rf"process {victim} \(pid {pid} on \S+\) was lost")
        self.nothing_left(before)

    def test_of_a_process_killed_at_the_start(self):
        """Before the processes know each other each has its own watch; the first to notice speaks. Under MPICH, which
        kills all within a millisecond, that may be another's."""
        draw = random.Random(SEED + 2)
        before = leftovers()
        for round_ in range(8):
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
        self.nothing_left(before)

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

    def nothing_left(self, before):
        """The watch tidies up within seconds of the end."""
        until = time.monotonic() + 10
        while leftovers() - before and time.monotonic() < until:
            time.sleep(0.1)
        self.assertEqual(leftovers() - before, set())

    def test_of_a_killed_process_while_the_others_finish(self):
        """It may have done all that mattered; but nothing hangs, and nobody else is named."""
        draw = random.Random(SEED + 1)
        for round_ in range(6):
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


class ProgramsThatStartMpi(TransportTest):
    def each_mode(self, mode, processes=3):
        for launcher in self.each():
            program = BUILD / "bin" / f"own_mpi_{launcher.mpi}"
            job = Job(launcher.command(processes, program, mode))
            self.addCleanup(lambda job=job: job.process.poll() is not None or os.killpg(job.process.pid, signal.SIGKILL))
            code, out, errors, _ = job.end()
            yield code, out, re.findall(r"^refused: (.*)$", errors, re.M), errors

    def test_use_it_before_between_and_after_jobs(self):
        for processes in (1, 3):
            for code, out, refused, errors in self.each_mode("runs", processes):
                self.assertEqual((code, out, refused), (0, "first\nsecond\n", []), errors)

    def test_run_no_job_after_its_end(self):
        for code, out, refused, errors in self.each_mode("runs-after"):
            self.assertEqual((code, out, len(refused)), (0, "first\nsecond\n", 3), errors)
            for line in refused:
                self.assertIn("the program has called MPI_Finalize()", line)
        for code, out, refused, errors in self.each_mode("finalises-first"):
            self.assertEqual((code, out, len(refused)), (0, "", 3), errors)
            for line in refused:
                self.assertIn("MPI has ended", line)

    def test_may_end_it_while_others_run_jobs(self):
        for code, out, refused, errors in self.each_mode("leaves"):
            self.assertEqual((code, out, len(refused)), (0, "first\n", 2), errors)
            for line in refused:
                self.assertIn("process 0 has ended and does not run job number 2", line)

    def test_must_start_it_with_threads(self):
        for code, out, refused, errors in self.each_mode("no-threads"):
            self.assertEqual((code, out, len(refused)), (0, "", 3), errors)
            for line in refused:
                self.assertIn("MPI_THREAD_SERIALIZED", line)


class Refusals(TransportTest):
    def refused(self, job, pattern):
        code, out, errors, _ = job.end()
        lines = re.findall(r"^error: .*$", errors, re.M)
        self.assertEqual((code, out, len(lines)), (2, "", 1), errors)
        self.assertRegex(lines[0], pattern)

    def test_of_the_wrong_mpi(self):
        if len(LAUNCHERS) < 2:
            self.skipTest("one MPI only")
        for launcher, other in (LAUNCHERS, LAUNCHERS[::-1]):
            job = self.start(launcher, 2, "exchange", env={"GOSSAMER_TRANSPORT": other.mpi})
            self.refused(job, rf"started 2 processes, but .* \(plugin {other.mpi}\) knows of 1: .*"
                              rf"set GOSSAMER_TRANSPORT={launcher.mpi}")

    def test_of_other_arguments(self):
        for launcher in self.each():
            self.refused(Job(launcher.with_another_first(3, f"{PROGRAM} exchange", f"{PROGRAM} stream")), r"process 1 .* was started with other arguments than process 0")

    def test_of_other_settings(self):
        for launcher in self.each():
            self.refused(Job(launcher.with_another_first(2, f"{PROGRAM}", f"env GOSSAMER_CORES=3 {PROGRAM}")), r"process 1 .* was started with other GOSSAMER_ settings than process 0")

    def test_of_a_plugin_that_is_none(self):
        for launcher in self.each():
            for asked, why in {"lam": 'found "lam"', "/nowhere.so": "cannot load /nowhere.so",
                               "/proc/self/exe": "cannot load|expected a transport plugin"}.items():
                self.refused(self.start(launcher, 2, "exchange", env={"GOSSAMER_TRANSPORT": asked}), why)

    def test_none_is_many_jobs_of_one(self):
        for launcher in self.each():
            job = self.start(launcher, 2, "exchange", env={"GOSSAMER_TRANSPORT": "none"})
            self.assertEqual(job.end()[1], "alone\nalone\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
