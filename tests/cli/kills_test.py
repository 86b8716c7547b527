"""The program under both launchers, with processes killed or stopped at random moments. GOSSAMER_TEST_KILLS: how many
of each kind; GOSSAMER_TEST_SEED: which."""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

from launch_case import PROGRAM, LaunchTest
from launching import KILLS, SEED, TOLD_BY_MPI, WITHIN_S, children, left_since, leftovers, runs_a_job
from program import main


class Kills(LaunchTest):
    """At any moment: start, load, run, collective, finish."""

    def processes_of(self, job):
        """The processes of the job: the launcher `gossamer run` is the same program, and so are its children until each has
        become another."""
        while job.process.poll() is None:
            found = [pid for pid, words in children(job.process.pid).items()
                     if words[0] == PROGRAM.encode() and words[1] != b"run"]
            if len(found) >= 2:
                return found
            time.sleep(0.002)
        return []

    def running(self, job):
        """The same, once all have met the others and run a job."""
        while job.process.poll() is None:
            found = self.processes_of(job)
            if sum(map(runs_a_job, found)) == 2:
                return [pid for pid in found if runs_a_job(pid)]
            time.sleep(0.002)
        raise AssertionError(f"ended before all processes ran: {job.error_text()}")

    def parent_of(self, pid):
        try:
            return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return None

    def one(self, launcher, draw, words, longest):
        job = self.launched(launcher, 2, *words, "--output", "out.tsv")
        moment = draw.random() * longest
        victims = self.processes_of(job)
        time.sleep(moment)
        victims = [v for v in victims if v in children(job.process.pid)]
        ran = any(map(runs_a_job, victims))
        if victims:
            try:
                os.kill(draw.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                pass
        code, _, errors, seconds = job.end()
        self.assertLess(seconds, WITHIN_S if victims else 60, errors)
        lines = re.findall(r"^error: .*$", errors, re.M)
        if code == 0:  # it had finished before
            self.assertEqual(lines, [], errors)
            self.assertEqual(self.names(), ["out.tsv"])
            self.assertEqual(len((self.folder / "out.tsv").read_text().splitlines()), 1 + (1 << 14))
        elif victims and not lines:  # before main(): only the launcher can know
            self.assertRegex(errors, TOLD_BY_MPI)
            self.assertFalse(ran, errors)
        elif victims:
            self.assertEqual(len(lines), 1, errors)
            self.assertRegex(lines[0], r"process \d \(pid \d+ on \S+\) was lost")
        for name in self.names():
            self.assertEqual(name, "out.tsv")
            (self.folder / name).unlink()

    def test_end_the_job_everywhere_in_time_with_one_line(self):
        print(f"seed {SEED}", file=sys.stderr)
        draw = random.Random(SEED)
        before = leftovers()
        commands = [(["bfs", "kron:14", "--trials", "200"], 3.0), (["pagerank", "kron:14"], 1.5),
                    (["components", "kron:14"], 1.0)]
        for round_ in range(2 * KILLS):
            for launcher in self.each():
                words, longest = draw.choice(commands)
                with self.subTest(seed=SEED, round=round_, words=words):
                    self.one(launcher, draw, words, longest)
        self.assertEqual(left_since(before), set())

    def test_a_stopped_process_is_reported(self):
        for launcher in self.each():
            job = self.launched(launcher, 2, "bfs", "kron:14", "--trials", "100000", env={"GOSSAMER_PEER_TIMEOUT_S": "1"})
            os.kill(max(self.running(job)), signal.SIGSTOP)
            code, _, errors, seconds = job.end()
            self.assertNotEqual(code, 0)
            self.assertLess(seconds, WITHIN_S, errors)
            self.assertRegex(errors, r"(?m)^error: process \d \(pid \d+ on \S+\) has not answered for 1 s")

    def test_a_process_stopped_at_the_start_is_reported(self):
        """As soon as there is one, so before it knows the others, or has begun main() at all."""
        for launcher in self.each():
            for later in (0, 0.1):
                job = self.launched(launcher, 2, "bfs", "kron:14", "--trials", "100000", env={"GOSSAMER_PEER_TIMEOUT_S": "1"})
                started = self.processes_of(job)
                victim = max(pid for pid in started if self.parent_of(pid) not in started)  # not one that becomes a watch
                time.sleep(later)
                os.kill(victim, signal.SIGSTOP)
                code, _, errors, seconds = job.end()
                self.assertNotEqual(code, 0)
                self.assertLess(seconds, WITHIN_S, errors)
                self.assertEqual(len(re.findall("(?m)^error: ", errors)), 1, errors)
                self.assertRegex(errors, rf"(?m)^error: process \d \(pid {victim} on \S+\) has not answered for 1 s")

    def test_a_silent_process_of_another_node_is_reported(self):
        """Process numbers of their own are what a node is known by here; MPICH only: Open MPI's shared memory uses
        process numbers."""
        apart = ["unshare", "--pid", "--fork", "--mount-proc"]
        if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
            self.skipTest("may not give processes numbers of their own")
        for launcher in self.each():
            if launcher.mpi != "mpich":
                continue
            for silent in ("0", "1"):
                env = {"GOSSAMER_PEER_TIMEOUT_S": "1", "GOSSAMER_CORES": "1"}
                job = self.start(launcher.command(2, *apart, PROGRAM, "bfs", "kron:14", "--trials", "100000"), env)
                self.running(job)
                victim = {name.endswith(b"1"): pid for pid, name in self.ranks(job).items()}[silent == "1"]
                for pid in (self.parent_of(victim), victim):  # the parent would continue it
                    os.kill(pid, signal.SIGSTOP)
                code, _, errors, seconds = job.end()
                self.assertNotEqual(code, 0)
                self.assertLess(seconds, WITHIN_S, errors)
                self.assertRegex(errors, rf"(?m)^error: process {silent} \(pid \d+ on \S+\) has not answered for 1 s$")

    def ranks(self, job):
        """{pid: its PMI_RANK=... word}"""
        found = {}
        for pid in self.processes_of(job):
            words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            found[pid] = next(word for word in words if word.startswith(b"PMI_RANK="))
        return found

    def test_processes_end_with_their_launcher(self):
        for launcher in self.each():
            job = self.launched(launcher, 2, "bfs", "kron:14", "--trials", "100000")
            processes = self.running(job)
            os.kill(self.parent_of(processes[0]), signal.SIGKILL)
            code, _, errors, _ = job.end()
            self.assertNotEqual(code, 0)
            self.gone(processes, errors)

    def gone(self, processes, errors):
        """A launcher may end before the processes."""
        until = time.monotonic() + WITHIN_S
        while any(pathlib.Path(f"/proc/{pid}/exe").exists() for pid in processes):
            self.assertLess(time.monotonic(), until, errors)
            time.sleep(0.01)

    def test_interrupting_the_launcher_leaves_nothing(self):
        for launcher in self.each():
            job = self.launched(launcher, 2, "bfs", "kron:14", "--trials", "100000", "--output", "out.tsv")
            victims = self.running(job)
            job.process.send_signal(signal.SIGINT)
            code, out, errors, seconds = job.end()
            if launcher.mpi != "mpich":  # whose launcher now and then ends with 0 after Ctrl-C
                self.assertNotEqual(code, 0, errors)
            self.assertLess(seconds, WITHIN_S, errors)
            self.assertEqual(self.names(), [], errors)
            self.assertNotIn("reached", out)
            self.gone(victims, errors)


if __name__ == "__main__":
    main()
