"""A runtime over several processes, under every launcher that is here: process 0 submits calls, the others serve until it
ends."""
import os
import pathlib
import re
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, Job, LAUNCHERS, NODE  # noqa: E402

PROGRAM = BUILD / "bin" / "serves_program"
PROCESSES = 3
REFUSED = "submit: process {} serves the runtime of process 0: call serve() here, and submit() there"
HOST = ["serve: process 0 has the host program: it submits calls, the others serve", "at the last core",
        "3 processes, 6 cores, sum 21"]

if not LAUNCHERS or not PROGRAM.exists() or os.environ.get("GOSSAMER_SANITIZE"):
    print("no launcher, or no serves_program, or a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)


class Serves(unittest.TestCase):
    def each(self, mode):
        """What each process said."""
        for launcher in LAUNCHERS:
            with self.subTest(mpi=launcher.mpi, mode=mode):
                job = Job(launcher.command(PROCESSES, PROGRAM, mode))
                self.addCleanup(lambda job=job: job.process.poll() is not None or os.killpg(job.process.pid, signal.SIGKILL))
                code, _, errors, _ = job.end()
                self.assertEqual(code, 0, errors)
                yield {rank: re.findall(rf"^process {rank}: (.*)$", errors, re.M) for rank in range(PROCESSES)}

    def test_the_others_work_for_process_0_until_it_ends(self):
        for said in self.each("once"):
            self.assertEqual(said, {0: HOST, **{p: [REFUSED.format(p), "has served"] for p in (1, 2)}})

    def test_one_runtime_may_follow_another(self):
        for said in self.each("twice"):
            self.assertEqual(said, {0: 2 * HOST, **{p: 2 * [REFUSED.format(p), "has served"] for p in (1, 2)}})

    def test_it_ends_at_the_exit_of_process_0(self):
        for said in self.each("exits"):
            self.assertEqual(said, {0: [*HOST, "the last call"], **{p: [REFUSED.format(p), "has served"] for p in (1, 2)}})

    def test_an_interrupt_reaches_the_loops_of_all(self):
        for said in self.each("interrupts"):
            self.assertEqual(said[0], [HOST[0], *2 * ["the call was interrupted"], *HOST[1:]])

    def test_an_interrupt_waits_for_what_stands_between_collectives(self):
        for said in self.each("interrupts-collectives"):
            self.assertEqual(said[0], [HOST[0], "the call was interrupted", *HOST[1:]])

    def test_a_stall_ends_it_everywhere(self):
        for said in self.each("stalls"):
            self.assertEqual(said[0][:3], HOST)
            self.assertRegex(said[0][3], "^the job has stalled: ")
            self.assertRegex(said[0][4], "^the runtime has ended, and its data is gone: the job has stalled: ")
            for p in (1, 2):
                self.assertEqual(len(said[p]), 3, said)
                self.assertRegex(said[p][1], "the job has stalled: ")

    def test_the_host_outlives_a_lost_process(self):
        if NODE not in LAUNCHERS:
            self.skipTest("launchers of an MPI end all processes")
        job = Job(NODE.command(PROCESSES, PROGRAM, "loses"))
        self.addCleanup(lambda: job.process.poll() is not None or os.killpg(job.process.pid, signal.SIGKILL))
        code, _, errors, _ = job.end()
        self.assertEqual(code, 128 + signal.SIGKILL, errors)  # of the process that was lost
        said = re.findall(r"^process 0: (.*)$", errors, re.M)
        self.assertEqual(said[:3], HOST)
        # A process that the launcher has collected before the watch of process 0 opened its descriptor has no known end.
        self.assertRegex(said[3], r"^process 2 \(pid \d+ on .*\) was lost( \(killed by SIGKILL\))?$")
        self.assertEqual(said[4:], [f"the runtime has ended, and its data is gone: {said[3]}",
                                    f"run: the other processes have gone: {said[3]}"])
        self.assertNotIn("error: ", errors)


if __name__ == "__main__":
    unittest.main()
