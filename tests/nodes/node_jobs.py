"""What tests of the program's jobs on several nodes share: how one is started, its processes, and how it must end."""
import json
import os
import pathlib
import re
import signal
import time

from nodes_case import TOOL, left_by
from launch_case import PROGRAM, LaunchTest
from launching import children

NOISE = r"(?m)^\[n1:\d+\] plm:rsh: Warning: setpgid\(.*\n"  # of mpirun, where its agent is faster than it


class NodesTest(LaunchTest):
    def on_nodes(self, launcher, nodes, processes, *words, options=(), env=None):
        """Open MPI passes no variables on by itself."""
        env = {"GOSSAMER_CORES": "1", **(env or {})}
        passed = [word for name in env for word in ("-x", name)] if launcher.mpi == "openmpi" else []
        return self.start([TOOL, str(nodes), *map(str, options), launcher.program, *passed, "-n", str(processes), PROGRAM, *map(str, words)], env)

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

    def processes_of(self, job, count):
        """The processes of the job, without launchers and watches, once so many are there."""
        while job.process.poll() is None:
            found = []
            for pid, words in children(job.process.pid).items():
                try:
                    if words[0] == PROGRAM.encode() and pathlib.Path(f"/proc/{pid}/comm").read_text() == "gossamer\n":
                        found.append(pid)
                except OSError:
                    pass
            if len(found) == count:
                return found
            time.sleep(0.002)
        return []

    def rank_of(self, process):
        words = pathlib.Path(f"/proc/{process}/environ").read_bytes().decode().split("\0")
        return next(int(word.partition("=")[2]) for word in words if word.startswith(("OMPI_COMM_WORLD_RANK=", "PMI_RANK=")))

    def refused_on(self, job, pattern):
        """One line of the program, whatever MPI says beside it; exit code 2; nothing on standard output, and nothing left."""
        code, out, errors, _ = job.end()
        lines = re.findall(r"^error: .*$", errors, re.M)
        self.assertEqual((code, out, len(lines)), (2, "", 1), errors)
        self.assertRegex(lines[0], rf"\Aerror: {pattern}\Z")
        self.assertEqual(left_by(errors), [], errors)

    def kill_when(self, job, count, rank, happens):
        """Kills that process once happens() says so. Returns whether the job was still under way."""
        processes = self.processes_of(job, count)
        victim = next((p for p in processes if self.rank_of(p) == rank), None)
        while job.process.poll() is None and not happens():
            time.sleep(0.001)
        try:
            os.kill(victim, signal.SIGKILL)
        except (ProcessLookupError, TypeError):
            return False
        code, _, errors, _ = job.end()
        self.assertEqual(left_by(errors), [], errors)
        return code != 0
