"""Nodes and processes lost at random moments of jobs on three nodes, under both MPIs: start, load, run, collectives, end. Each job
ends in time, with one line, and leaves nothing on nodes that can be reached.

GOSSAMER_TEST_NODES=all makes GOSSAMER_TEST_LOSSES of them (40), GOSSAMER_TEST_SEED says which; else there is one loss of each MPI
before the processes know each other. The distribution of times is printed."""
import collections
import os
import pathlib
import random
import re
import signal
import statistics
import sys
import time
import unittest

from nodes_case import TOOL, left_by  # first: it knows where there are nodes, and where the others lie
from launch_case import MPIS, PROGRAM, LaunchTest
from launching import BUILD, SEED, TOLD_BY_MPI, children, runs_a_job
from program import main

if not MPIS:
    print("no MPI", file=sys.stderr)
    sys.exit(77)
LOSSES = int(os.environ.get("GOSSAMER_TEST_LOSSES", 40)) if os.environ.get("GOSSAMER_TEST_NODES") == "all" else 0
TIMEOUT_S = 3  # of GOSSAMER_PEER_TIMEOUT_S
WITHIN_S = 60  # on a machine as busy as it may be; the time-out and 5 s on one that is not: what took longer is told
RANKS = {"openmpi": "OMPI_COMM_WORLD_RANK", "mpich": "PMI_RANK"}
END_IS_BOUNDED = [launcher for launcher in MPIS if launcher.mpi == "mpich"]  # Open MPI's end may take 10 s, and its launcher was not seen to hang
DAEMONS = ("orted", "hydra_pmi_proxy")
# What Open MPI's launcher says of a daemon that it has lost, and MPICH's of its own.
TOLD_BY_LAUNCHER = TOLD_BY_MPI + r"|lost communication with a remote daemon|unexpectedly|HYD_|ORTE|PMIX|UNREACHABLE|hydra_pmi_proxy"
LONG = ["bfs", "kron:14", "--trials", "100000"]
SHORT = [["components", "kron:14"], ["bfs", "kron:12", "--trials", "20"], ["pagerank", "kron:12"]]


def read(*parts):
    try:
        return pathlib.Path("/proc", *map(str, parts)).read_bytes().decode(errors="replace")
    except OSError:
        return ""


def node_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/ns/uts")
    except OSError:
        return None


class Loss:
    """What is lost, of which job, when."""

    def __init__(self, draw):
        self.what = draw.choice(("cut", "stop", "kill", "process", "daemon"))
        self.rank = draw.choice((1, 2)) if self.what != "process" else draw.choice((0, 1, 2))
        kind = draw.choice(("start", "run", "end"))
        self.words = draw.choice(SHORT) if kind == "end" else LONG
        begin, end = {"start": (0, 0.6), "run": (0.3, 3), "end": (0.2, 0.9)}[kind]
        self.moment = draw.uniform(begin, end)  # seconds after the first process is there

    def __str__(self):
        return f"{self.what} {self.rank} after {self.moment:.3f} s of {' '.join(self.words)}"


class Losses(LaunchTest):
    def start_job(self, launcher, words, options=()):
        env = {"GOSSAMER_CORES": "1", "GOSSAMER_PEER_TIMEOUT_S": str(TIMEOUT_S)}
        passed = [word for name in env for word in ("-x", name)] if launcher.mpi == "openmpi" else []
        return self.start([TOOL, "3", "--timeout", "100", *map(str, options), launcher.program, *passed, "-n", "3", PROGRAM, *words], env)

    def processes_of(self, job, launcher):
        """{rank: process} of the job, without launchers and watches."""
        found = {}
        for pid, words in children(job.process.pid).items():
            if words[0] != PROGRAM.encode() or read(pid, "comm") != "gossamer\n":
                continue
            rank = re.search(rf"(?:^|\0){RANKS[launcher.mpi]}=(\d+)\0", read(pid, "environ"))
            if rank:
                found[int(rank[1])] = pid
        return found

    def running(self, job, launcher):
        """The processes of the job that have not ended, whether or not their launcher knows."""
        return [pid for pid in self.processes_of(job, launcher).values() if read(pid, "stat").rpartition(")")[2].split()[:1] not in (["Z"], [])]

    def wait_for(self, job, find):
        while job.process.poll() is None:
            if found := find():
                return found
            time.sleep(0.002)
        return None

    def daemon_of(self, job, launcher, rank):
        """The launcher's process on the node of a rank, once that is there."""
        node = node_of(self.processes_of(job, launcher).get(rank))
        daemons = [pid for pid in children(job.process.pid) if read(pid, "comm").strip() in DAEMONS and read(pid, "stat").split()[2] != "Z"]
        return next((pid for pid in daemons if node is not None and node_of(pid) == node), None)

    def lose(self, launcher, loss):
        """Returns how many seconds after the loss the command had ended, its exit code and its errors."""
        now = self.folder / f"now-{launcher.mpi}"
        now.unlink(missing_ok=True)
        of_node = loss.what in ("cut", "stop", "kill")
        job = self.start_job(launcher, loss.words, (f"--{loss.what}", f"{loss.rank + 1}@{now}") if of_node else ())
        self.wait_for(job, lambda: self.processes_of(job, launcher))
        time.sleep(loss.moment)
        if of_node:
            now.touch()
        else:
            find = (lambda: self.processes_of(job, launcher).get(loss.rank)) if loss.what == "process" else (lambda: self.daemon_of(job, launcher, loss.rank))
            victim = self.wait_for(job, find)
            if victim:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        code, _, errors, seconds = job.end(WITHIN_S + 60)
        return seconds, code, errors

    def judge(self, loss, seconds, code, errors):
        self.assertLess(seconds, WITHIN_S, errors)
        self.assertNotIn("nodes: still running", errors)
        # The launcher's connection to a node that does not answer is the launcher's.
        self.assertEqual([line for line in left_by(errors) if "tools/nodes --agent" not in line], [], errors)
        lines = re.findall(r"^error: .*$", errors, re.M)
        if code == 0:
            self.assertEqual(lines, [], errors)  # it had come to its end
        elif loss.what in ("process", "daemon") and not lines:
            self.assertRegex(errors, TOLD_BY_LAUNCHER)
        else:
            self.assertEqual(len(lines), 1, errors)
            node = rf"process {loss.rank} \(pid \d+ on n{loss.rank + 1}\)"
            waits = rf"process \d \(pid \d+ on n\d\) has waited {TIMEOUT_S} s for the other processes of the job to start: 1 of 3 are on this node"
            self.assertRegex(lines[0], {
                "process": r"process \d \(pid \d+ on n\d\) was lost",
                "daemon": r"process \d \(pid \d+ on n\d\)|\(pid \d+ on n\d\), the parent of process \d, was lost",
            }.get(loss.what, rf"{node} has not answered for {TIMEOUT_S} s$|{waits}"))

    def with_a_held_daemon(self, launcher, words, options):
        """Starts a job, and stops the launcher of process 2 while the job runs. A longer one follows where the job was faster."""
        for trials in (100, 1000, 10_000):
            job = self.start_job(launcher, [*words, str(trials)], options)
            running = self.wait_for(job, lambda: {rank: pid for rank, pid in self.processes_of(job, launcher).items() if runs_a_job(pid)})
            daemon = self.daemon_of(job, launcher, 2) if running else None
            if daemon is not None:
                os.kill(daemon, signal.SIGSTOP)
                if all(map(runs_a_job, running.values())):
                    return job
                os.kill(daemon, signal.SIGCONT)
            job.end(WITHIN_S)
        raise AssertionError("jobs end before their launcher is stopped")

    @unittest.skipUnless(LOSSES, "GOSSAMER_TEST_NODES=all")
    def test_at_any_moment_end_the_job(self):
        print(f"seed {SEED}", file=sys.stderr)
        draw = random.Random(SEED)
        times, ended_before = collections.defaultdict(list), 0
        for number in range(LOSSES):
            loss, launcher = Loss(draw), MPIS[number % len(MPIS)]
            with self.subTest(seed=SEED, number=number, mpi=launcher.mpi, loss=str(loss)):
                seconds, code, errors = self.lose(launcher, loss)
                ended_before += code == 0
                if code != 0:
                    times[f"{launcher.mpi} {loss.what}"].append(seconds)
                said = (re.findall(r"^error: .*$", errors, re.M) or [""])[0]
                print(f"{number} {launcher.mpi} {loss}: code {code}, {seconds:.1f} s: {said}", file=sys.stderr, flush=True)
                self.judge(loss, seconds, code, errors)
        for name, all_of_it in sorted(times.items()):
            print(f"{name}: {len(all_of_it)} losses, {min(all_of_it):.1f} to {max(all_of_it):.1f} s, median {statistics.median(all_of_it):.1f}",
                  file=sys.stderr)
        late = sum(seconds > TIMEOUT_S + 5 for of_one in times.values() for seconds in of_one)
        print(f"{ended_before} jobs had ended before; {late} took more than the time-out and 5 s", file=sys.stderr)

    def test_before_the_processes_know_each_other_end_the_job(self):
        """A node is stopped as soon as its process is there, or cut off: MPI's start would wait for ever."""
        for launcher in self.each(MPIS):
            now = self.folder / f"now-{launcher.mpi}"
            job = self.start_job(launcher, LONG, ("--stop", f"3@{now}"))
            self.wait_for(job, lambda: self.processes_of(job, launcher))
            now.touch()
            code, _, errors, seconds = job.end()
            self.assertNotEqual(code, 0, errors)
            lines = re.findall(r"^error: .*$", errors, re.M)
            self.assertEqual(len(lines), 1, errors)
            self.assertRegex(lines[0], r"has waited 3 s for the other processes of the job to start: 1 of 3 are on this node, and not 1-2; GOSSAMER_PEER_TIMEOUT_S sets how long$|"
                                       r"process 2 \(pid \d+ on n3\) has not answered for 3 s$", errors)
            print(f"{launcher.mpi}: {lines[0]}; ended after {seconds:.1f} s", file=sys.stderr)

    def test_a_link_that_is_cut_while_the_launcher_there_has_not_told_of_the_end(self):
        """The processes have ended in order. The launcher on n3 is held, and the link is cut before it can say so."""
        for launcher in self.each(END_IS_BOUNDED):
            now = self.folder / f"now-{launcher.mpi}"
            job = self.with_a_held_daemon(launcher, ["bfs", "kron:10", "--trials"], ("--cut", f"3@{now}"))
            self.wait_for(job, lambda: not self.running(job, launcher))
            now.touch()
            code, _, errors, seconds = job.end(WITHIN_S)
            self.assertNotEqual(code, 0, errors)
            self.assertNotIn("nodes: still running", errors)
            self.assertEqual(re.findall(r"^error: .*$", errors, re.M)[1:], [], errors)
            self.assertRegex(errors, rf"(?m)^error: process 2 \(pid \d+ on n3\) has not answered for {TIMEOUT_S} s$")
            print(f"{launcher.mpi}: ended after {seconds:.1f} s", file=sys.stderr)

    def test_where_the_others_wait_for_the_end_of_its_jobs_end_the_job(self):
        """Processes 0 and 1 have come to their end; process 2 runs no job and MPI hears nothing of it, as while it writes its answer."""
        env = {"GOSSAMER_CORES": "1", "GOSSAMER_PEER_TIMEOUT_S": str(TIMEOUT_S)}
        for launcher in self.each(MPIS):
            now = self.folder / f"now-{launcher.mpi}"
            passed = [word for name in env for word in ("-x", name)] if launcher.mpi == "openmpi" else []
            job = self.start([TOOL, "3", "--timeout", "100", "--cut", f"3@{now}", launcher.program, *passed, "-n", "3",
                              str(BUILD / "bin" / "transport_program"), "stays", "2"], env)
            job.pids(3)
            time.sleep(3 * TIMEOUT_S)  # long enough for an alarm, were there one
            self.assertIsNone(job.process.poll(), job.error_text())
            now.touch()
            code, _, errors, seconds = job.end()
            self.assertNotEqual(code, 0, errors)
            self.assertEqual(len(re.findall(r"^error: ", errors, re.M)), 1, errors)
            self.assertRegex(errors, rf"(?m)^error: process 2 \(pid \d+ on n3\) has not answered for {TIMEOUT_S} s$")
            print(f"{launcher.mpi}: ended after {seconds:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
