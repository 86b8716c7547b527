"""The transport plugin under both launchers, without a runtime on top (transport_program.cpp)."""
import os
import re
import signal
import subprocess
import unittest

from transport_case import MPIS, PROGRAM, TransportTest  # first: it knows where launching lies
from launching import BUILD, Job


class Messages(TransportTest):
    def test_arrive_whole_and_in_order(self):
        for launcher in self.each():
            for processes in (2, 4):
                code, out, errors, _ = self.start(launcher, processes, "exchange").end()
                self.assertEqual(code, 0, errors)
                self.assertRegex(out, rf"^ok .* of {processes}\n$")

    def test_arrives_while_the_receiver_waits_in_a_barrier(self):
        for launcher in self.each():
            code, _, errors, _ = self.start(launcher, 2, "late").end()
            self.assertEqual(code, 0, errors)

    def test_bulk_moves(self):
        for launcher in self.each():
            code, out, errors, _ = self.start(launcher, 3, "bulk").end()
            self.assertEqual(code, 0, errors)
            self.assertIn("ok", out)

    def test_a_bulk_move_waits_for_no_other(self):
        for launcher in self.each():
            code, out, errors, _ = self.start(launcher, 2, "past").end()
            self.assertEqual(code, 0, errors)
            self.assertIn("ok", out)

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
            "quiet": r"process 0 \(pid \d+ on \S+\) has not answered for 20 s$",
        }.items():
            for launcher in self.each():
                with self.subTest(mode=mode):
                    self.lost(self.start(launcher, 3, mode, 1), pattern)


class ProgramsThatStartMpi(TransportTest):
    def each_mode(self, mode, processes=3):
        for launcher in MPIS:
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
        if len(MPIS) < 2:
            self.skipTest("one MPI only")
        for launcher, other in (MPIS, MPIS[::-1]):
            job = self.start(launcher, 2, "exchange", env={"GOSSAMER_TRANSPORT": other.mpi})
            self.refused(job, rf"started 2 processes, but .* \(plugin {other.mpi}\) is another MPI than the launcher's: "
                              rf"set GOSSAMER_TRANSPORT={launcher.mpi}")

    def test_is_said_though_process_0_comes_last(self):
        for launcher in self.each(MPIS):
            version = subprocess.run([launcher.program, "--version"], capture_output=True, text=True).stdout
            seconds = 1.3 if "Open MPI) 4" in version else 0.5  # that one ends the others a second after the first has failed
            late = f"/bin/sh -c 'sleep {seconds}; exec {PROGRAM} exchange'"
            self.refused(Job(launcher.with_another_first(2, late, f"{PROGRAM} exchange"), env={"GOSSAMER_TRANSPORT": "lam"}), 'found "lam"')

    def test_of_other_arguments(self):
        for launcher in self.each():
            self.refused(Job(launcher.with_another_first(3, f"{PROGRAM} exchange", f"{PROGRAM} stream")), r"process 1 .* was started with other arguments than process 0")

    def test_of_other_settings(self):
        for launcher in self.each():
            self.refused(Job(launcher.with_another_first(2, f"{PROGRAM}", f"env GOSSAMER_CORES=3 {PROGRAM}")), r"process 1 .* was started with other GOSSAMER_ settings than process 0")

    def test_of_a_plugin_that_is_none(self):
        for launcher in self.each(MPIS):
            for asked, why in {"lam": 'found "lam"', "/nowhere.so": "cannot load /nowhere.so",
                               "/proc/self/exe": "cannot load|expected a transport plugin"}.items():
                self.refused(self.start(launcher, 2, "exchange", env={"GOSSAMER_TRANSPORT": asked}), why)

    def test_none_is_many_jobs_of_one(self):
        for launcher in self.each(MPIS):
            job = self.start(launcher, 2, "exchange", env={"GOSSAMER_TRANSPORT": "none"})
            self.assertEqual(job.end()[1], "alone\nalone\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
