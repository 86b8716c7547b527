"""How jobs of several processes end, under both launchers: all processes agree on what failed, and one that has ended
is told of."""
import os
import pathlib
import re
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, Job, LAUNCHERS  # noqa: E402

PROGRAM = BUILD / "bin" / "ends_program"

if not LAUNCHERS or not PROGRAM.exists() or os.environ.get("GOSSAMER_SANITIZE"):
    print("no MPI, or no ends_program, or a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)


class Ends(unittest.TestCase):
    def each(self, mode, processes=3, words=()):
        """Exit code, standard output, and what each process said. `words` begin the command."""
        for launcher in LAUNCHERS:
            with self.subTest(mpi=launcher.mpi, mode=mode):
                job = Job(launcher.command(processes, *words, PROGRAM, mode))
                self.addCleanup(lambda job=job: job.process.poll() is not None or os.killpg(job.process.pid, signal.SIGKILL))
                code, out, errors, _ = job.end()
                said = {rank: re.findall(rf"^process {rank}: (.*)$", errors, re.M) for rank in range(processes)}
                yield code, out, said, errors

    def test_a_job_that_fails_fails_everywhere(self):
        for code, out, said, errors in self.each("fails"):
            self.assertEqual((code, out), (0, "a good job\n"), errors)
            self.assertEqual(said, {0: ["the first job fails"],
                                    1: ["the job failed in process 0: the first job fails"],
                                    2: ["the job failed in process 0: the first job fails"]})

    def test_all_may_exit_after_it(self):
        for code, out, said, errors in self.each("fails-and-exits"):
            self.assertEqual((code, out), (3, ""), errors)
            # The launcher may end the others when the first process has ended.
            lines = sum(said.values(), [])
            self.assertIn(len(lines), (1, 2, 3), errors)
            for line in lines:
                self.assertIn("the first job fails", line)

    def test_a_long_reason_keeps_both_ends(self):
        for code, out, said, errors in self.each("fails-at-length"):
            self.assertEqual((code, out), (0, ""), errors)
            for lines in said.values():
                self.assertEqual(len(lines), 1, errors)
                self.assertRegex(lines[0], r"^(the job failed in process 0: )?it fails: x+\.\.\.x+: the reason$")

    def test_why_processes_do_not_meet_is_said_each_time(self):
        for code, out, said, errors in self.each("differs", words=("/bin/sh", "-c", 'exec "$@" $$', "sh")):
            self.assertEqual((code, out), (0, ""), errors)
            for lines in said.values():
                self.assertEqual(len(lines), 2, errors)
                self.assertEqual(lines[0], lines[1])
                self.assertRegex(lines[0], "was started with other arguments than")

    def test_a_job_that_stalls_fails_everywhere(self):
        for code, out, said, errors in self.each("stalls"):
            self.assertEqual((code, out), (0, "a good job\n"), errors)
            for lines in said.values():
                self.assertEqual(len(lines), 1, errors)
                self.assertRegex(lines[0], "^the job has stalled: ")

    def test_a_process_that_has_ended_is_told_of(self):
        for code, out, said, errors in self.each("leaves"):
            self.assertEqual((code, out), (0, "a good job\n"), errors)
            for rank in (0, 2):
                self.assertEqual(said[rank], [f"process 1 has ended and does not run job number {n}: every process must "
                                              "run the same jobs" for n in (2, 3)])
            self.assertEqual(said[1], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
