"""The program on several nodes under both MPIs: answers as in one process, processes that are killed, ends in order.

GOSSAMER_TEST_NODES=all adds what takes long (make test-nodes): slow and lossy links, processes that are killed at random moments;
GOSSAMER_TEST_KILLS says how many of each kind, GOSSAMER_TEST_SEED which, GOSSAMER_TEST_ENDS how many jobs have to end in order."""
import json
import os
import pathlib
import random
import re
import signal
import sys
import time
import unittest

from nodes_case import TOOL, left_by  # first: it knows where there are nodes, and where the others lie
from node_jobs import NOISE, NodesTest
from launch_case import MPIS, PROGRAM
from launching import KILLS, SEED, TOLD_BY_MPI, WITHIN_S, rank_of
from program import main

if not MPIS:
    print("no MPI", file=sys.stderr)
    sys.exit(77)
ALL = os.environ.get("GOSSAMER_TEST_NODES") == "all"
ENDS = int(os.environ.get("GOSSAMER_TEST_ENDS", 50))
TIMEOUT_S = 3  # of GOSSAMER_PEER_TIMEOUT_S, where a test waits for it
TEXT = "to be or not to be that is the question\n" * 500


class Answers(NodesTest):
    def test_are_those_of_one_process(self):
        (self.folder / "text").write_text(TEXT)
        for nodes, words in ((2, ["wordcount", "text"]), (3, ["bfs", "kron:10", "--source", "0", "--verify"])):
            alone = self.alone(*words)
            for launcher in self.each(MPIS):
                with self.subTest(nodes=nodes, words=words):
                    self.same(self.on_nodes(launcher, nodes, nodes, *words, "--json", "--quiet"), alone, nodes)

    def test_of_uneven_nodes(self):
        alone = self.alone("components", "kron:12")
        for launcher in self.each(MPIS if ALL else MPIS[-1:]):
            self.same(self.on_nodes(launcher, 2, 3, "components", "kron:12", "--json", "--quiet", options=("--slots", "2,1")), alone, 3)

    def test_by_gossamer_run(self):
        alone = self.alone("components", "kron:10")
        for launcher in self.each(MPIS):
            words = [TOOL, "2", PROGRAM, "run", "--np", "2", "--mpi", launcher.mpi, "components", "kron:10", "--json", "--quiet"]
            self.same(self.start(words), alone, 2)


class Losses(NodesTest):
    def lost(self, job, pattern):
        code, _, errors, _ = job.end()
        lines = re.findall(r"^error: .*$", errors, re.M)
        self.assertNotEqual(code, 0, errors)
        self.assertEqual(len(lines), 1, errors)
        self.assertRegex(lines[0], pattern)
        # The launcher's connection to a node that does not answer is the launcher's.
        self.assertEqual([line for line in left_by(errors) if "tools/nodes --agent" not in line], [], errors)

    def test_a_killed_process_ends_the_job_everywhere_and_is_named(self):
        """By its own node's name, also where nodes number their processes together."""
        for options in ((), ("--share-processes",)):
            for launcher in self.each(MPIS if ALL or not options else MPIS[:1]):
                with self.subTest(options=options):
                    job = self.on_nodes(launcher, 2, 2, "bfs", "kron:14", "--trials", "100000", options=options)
                    victim = next(process for process in self.running(job, 2) if rank_of(process) == 1)
                    os.kill(victim, signal.SIGKILL)
                    self.lost(job, r"process 1 \(pid \d+ on n2\) was lost \(killed by SIGKILL\)")

    def test_a_node_that_is_cut_off_ends_the_job_and_is_named(self):
        """The launcher ends, too: Open MPI's waits for the node, and the watch ends it."""
        for launcher in self.each(MPIS):
            job = self.lose(launcher, "--cut", "3")
            self.lost(job, rf"process 2 \(pid \d+ on n3\) has not answered for {TIMEOUT_S} s$")

    def test_a_firewall_between_two_nodes_ends_the_job_and_names_them(self):
        """One that drops, and one that refuses; of four nodes none of the two is after the other."""
        def between(last):
            return rf"process 1 \(pid \d+ on n2\) has not answered process {last - 1} \(pid \d+ on n{last}\) for {TIMEOUT_S} s, " \
                   rf"but answers process \d \(pid \d+ on n\d\): does a firewall stop packets between n2 and n{last}\?$"

        places = [("--drop", "2-4", 4), ("--drop", "2-3", 3), ("--refuse", "2-3", 3)]
        for how, where, nodes in places if ALL else places[:1]:
            for launcher in self.each(MPIS if ALL else MPIS[-1:]):
                with self.subTest(how=how, where=where):
                    self.lost(self.lose(launcher, how, where, nodes), between(nodes))

    def lose(self, launcher, how, where, nodes=3):
        """Starts a job of one process on each node, and loses what is said once all run."""
        now = self.folder / f"now-{launcher.mpi}"
        now.unlink(missing_ok=True)
        job = self.on_nodes(launcher, nodes, nodes, "bfs", "kron:14", "--trials", "100000", options=(how, f"{where}@{now}", "--timeout", 100),
                            env={"GOSSAMER_PEER_TIMEOUT_S": str(TIMEOUT_S)})
        self.running(job, nodes)
        now.touch()
        return job


@unittest.skipUnless(ALL, "GOSSAMER_TEST_NODES=all")
class LongOnes(Losses):
    def test_answers_over_slow_and_lossy_links(self):
        (self.folder / "text").write_text(TEXT)
        for options in (("--loss", 1), ("--delay", 10), ("--rate", 100), ("--loss", 1, "--delay", 5, "--rate", 50)):
            for words in (["components", "kron:12"], ["bfs", "kron:12", "--source", "0", "--verify"], ["wordcount", "text"]):
                alone = self.alone(*words)
                for launcher in self.each(MPIS):
                    with self.subTest(options=options, words=words):
                        self.same(self.on_nodes(launcher, 3, 3, *words, "--json", "--quiet", options=options), alone, 3)

    def test_answers_on_four_nodes_of_two_processes(self):
        for words in (["components", "kron:12"], ["bfs", "kron:12", "--source", "0", "--verify"], ["pagerank", "kron:10"]):
            alone = self.alone(*words)
            for launcher in self.each(MPIS):
                self.same(self.on_nodes(launcher, 4, 8, *words, "--json", "--quiet", options=("--slots", "2,2,2,2")), alone, 8)

    def test_jobs_end_in_order(self):
        for launcher in self.each(MPIS):
            for run in range(ENDS):
                with self.subTest(run=run):
                    code, out, errors, _ = self.on_nodes(launcher, 3, 3, "components", "kron:12", "--json", "--quiet").end()
                    self.assertEqual((code, re.sub(NOISE, "", errors)), (0, ""))
                    self.assertEqual(json.loads(out)["largest"], 3339)

    def test_a_process_killed_at_any_moment(self):
        print(f"seed {SEED}", file=sys.stderr)
        draw = random.Random(SEED)
        for round_ in range(2 * KILLS):
            for launcher in self.each(MPIS):
                with self.subTest(round=round_):
                    job = self.on_nodes(launcher, 3, 3, "bfs", "kron:12", "--trials", "300")
                    moment = draw.random() * 3
                    victims = self.processes_of(job, 3)
                    time.sleep(moment)
                    victims = [v for v in victims if pathlib.Path(f"/proc/{v}/exe").exists()]
                    if len(victims) == 3:
                        os.kill(draw.choice(victims), signal.SIGKILL)
                    code, _, errors, seconds = job.end()
                    self.assertLess(seconds, WITHIN_S, errors)
                    self.assertEqual(left_by(errors), [], errors)
                    lines = re.findall(r"^error: .*$", errors, re.M)
                    if code != 0 and not lines:
                        self.assertRegex(errors, TOLD_BY_MPI)
                    elif code != 0:
                        self.assertEqual(len(lines), 1, errors)
                        self.assertRegex(lines[0], r"process \d \(pid \d+ on n\d\) was lost")


if __name__ == "__main__":
    main()
