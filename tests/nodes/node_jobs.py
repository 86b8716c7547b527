"""What tests of the program's jobs on several nodes share: how one is started, its processes, and how it must end."""
import contextlib
import json
import os
import pathlib
import re
import signal
import time

from nodes_case import TOOL, left_by
from launch_case import PROGRAM, LaunchTest
from launching import again_and_again, children, rank_of, runs_a_job

NOISE = r"(?m)^\[n1:\d+\] plm:rsh: Warning: setpgid\(.*\n"  # of mpirun, where its agent is faster than it


class NodesTest(LaunchTest):
    def on_nodes(self, launcher, nodes, processes, *words, options=(), env=None, again=False):
        """Open MPI passes no variables on by itself. `again`: begins anew each time that it ends well."""
        env = {"GOSSAMER_CORES": "1", **(env or {})}
        passed = [word for name in env for word in ("-x", name)] if launcher.mpi == "openmpi" else []
        command = [launcher.program, *passed, "-n", str(processes), PROGRAM, *map(str, words)]
        return self.start([TOOL, str(nodes), *map(str, options), *(again_and_again(command) if again else command)], env)

    def in_shell(self, launcher, nodes, script, options=(), env=None):
        """A process on each node, by a script, which tells the nodes apart by `hostname`."""
        env = {"GOSSAMER_CORES": "1", **(env or {})}
        passed = [word for name in env for word in ("-x", name)] if launcher.mpi == "openmpi" else []
        return self.start([TOOL, str(nodes), *map(str, options), launcher.program, *passed, "-n", str(nodes), "/bin/sh", "-c", script], env)

    def answer_of(self, job):
        code, out, errors, _ = job.end(120)
        self.assertEqual((code, re.sub(NOISE, "", errors)), (0, ""))
        return json.loads(out)

    def alone(self, *words):
        return json.loads(self.run_program(*words, "--json", "--quiet").stdout)

    def same(self, job, alone, processes):
        code, out, errors, _ = job.end(120)
        self.assertEqual((code, re.sub(NOISE, "", errors)), (0, ""))
        answer = json.loads(out)
        self.assertEqual(answer["processes"], processes)
        for key, value in alone.items():
            if key not in ("processes", "cores", "seconds") and not isinstance(value, float):  # those are speeds
                self.assertEqual(answer[key], value, key)

    def processes_now(self, job):
        """The processes of the job, without launchers and watches."""
        found = []
        for pid, words in children(job.process.pid).items():
            try:
                if words[0] == PROGRAM.encode() and pathlib.Path(f"/proc/{pid}/comm").read_text() == "gossamer\n":
                    found.append(pid)
            except OSError:
                pass
        return found

    def processes_of(self, job, count):
        """The same, once so many are there."""
        while job.process.poll() is None:
            found = self.processes_now(job)
            if len(found) == count:
                return found
            time.sleep(0.002)
        return []

    def running(self, job, count):
        """The processes of the job, once all run it."""
        while True:
            processes = self.processes_of(job, count)
            if not processes:
                raise AssertionError(f"ended before all processes ran: {job.error_text()}")
            if all(map(runs_a_job, processes)):
                return processes
            time.sleep(0.002)

    def refused_on(self, job, pattern):
        """One line of the program, whatever MPI says beside it; exit code 2; nothing on standard output, and nothing left."""
        code, out, errors, _ = job.end()
        lines = re.findall(r"^error: .*$", errors, re.M)
        self.assertEqual((code, out, len(lines)), (2, "", 1), errors)
        self.assertRegex(lines[0], rf"\Aerror: {pattern}\Z")
        self.assertEqual(left_by(errors), [], errors)

    def kill_when(self, job, rank, happens):
        """Kills that process of a job that begins again and again, once happens() says so, and again where it had just ended."""
        killed = set()
        while job.process.poll() is None:
            victims = [p for p in self.processes_now(job) if p not in killed and rank_of(p) == rank] if happens() else []
            for victim in victims:
                killed.add(victim)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
            time.sleep(0.002)
        code, _, errors, _ = job.end()
        self.assertNotEqual(code, 0, errors)
        self.assertEqual(left_by(errors), [], errors)
