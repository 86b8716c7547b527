"""Work that is continued (--resume) on several nodes under both MPIs: written by some processes, killed, continued by others on other
nodes; folders that only one node sees; parts that are damaged or missing.

GOSSAMER_TEST_NODES=all adds betweenness and trees, and GOSSAMER_TEST_KILLS kills of each at random moments; GOSSAMER_TEST_SEED says which."""
import os
import random
import sys
import time
import unittest

import nodes_case  # noqa: F401, first: it knows where there are nodes, and where the others lie
from node_jobs import NodesTest
from launch_case import MPIS, PROGRAM
from launching import KILLS, SEED, generation_of
from program import main

if not MPIS:
    print("no MPI", file=sys.stderr)
    sys.exit(77)
ALL = os.environ.get("GOSSAMER_TEST_NODES") == "all"
RANKS = ["pagerank", "kron:10", "--tolerance", "1e-300", "--max-iterations", "1000", "--top", "500"]
KEPT = ["--resume", "work", "--checkpoint-seconds", "0"]
PLACES = [(2, 2, "1,1"), (3, 3, "1,1,1"), (2, 3, "2,1")]  # nodes, processes, slots


class CheckpointJobs(NodesTest):
    def job_at(self, launcher, place, *words, again=False):
        nodes, processes, slots = place
        return self.on_nodes(launcher, nodes, processes, *words, "--json", "--quiet", options=("--slots", slots), again=again)

    def generation(self):
        return generation_of(self.folder / "work")

    def kill(self, launcher, place, command, rank, generation):
        """Kills that process once all have written a generation, and again where the job had ended just then."""
        while self.generation() < generation:
            self.kill_when(self.job_at(launcher, place, *command, *KEPT, again=True), rank, lambda: self.generation() >= generation)

    def same_as(self, answer, expected, keys):
        for key in keys:
            self.assertEqual(answer[key], expected[key], key)
        self.assertEqual(os.listdir(self.folder / "work"), [])


class Checkpoints(CheckpointJobs):
    def test_work_goes_on_on_other_nodes(self):
        """Killed on two nodes, then on three; it ends on two with uneven numbers of processes."""
        print(f"seed {SEED}", file=sys.stderr)
        draw = random.Random(SEED)
        expected = self.alone(*RANKS)
        for launcher in self.each(MPIS if ALL else MPIS[:1]):
            at = draw.randrange(2, 8)
            self.kill(launcher, PLACES[0], RANKS, draw.randrange(2), at)
            self.kill(launcher, PLACES[1], RANKS, draw.randrange(3), self.generation() + draw.randrange(2, 8))
            before = self.generation()
            job = self.job_at(launcher, PLACES[2], *RANKS, "--resume", "work")
            answer = self.answer_of(job)
            self.assertGreaterEqual(answer["iterations_before"], before - 1)
            self.assertGreater(answer["iterations_before"], 0)
            self.same_as(answer, expected, ("top", "iterations", "change"))

    def test_a_folder_that_a_node_does_not_see_is_refused_by_its_name(self):
        """Each node has a folder of that name, the second time with work of the same job in it."""
        folder = "/dev/shm/work"  # a node's own
        for launcher in self.each(MPIS):
            for before in (f"mkdir {folder}", f"GOSSAMER_TRANSPORT=none {PROGRAM} {' '.join(RANKS)} --resume {folder} --quiet >/dev/null; touch {folder}/job"):
                with self.subTest(before=before):
                    job = self.in_shell(launcher, 2, f"{before}; exec {PROGRAM} {' '.join(RANKS)} --resume {folder}")
                    self.refused_on(job, rf"{folder}: expected a folder that all processes see, process 1 \(pid \d+ on n2\) does not see that of process 0 \(pid \d+ on n1\)")

    def test_damaged_and_missing_parts_are_named(self):
        for launcher in self.each(MPIS):
            self.kill(launcher, PLACES[0], RANKS, 1, 3)
            parts = sorted((self.folder / "work").glob("*-process-1.part"))
            for part in parts:  # two, where the kill came between two generations
                content = bytearray(part.read_bytes())
                content[len(content) // 2] ^= 1
                part.write_bytes(content)
            named = r"work/\d+-process-1\.part"
            self.refused_on(self.job_at(launcher, PLACES[1], *RANKS, "--resume", "work"), rf"{named}: expected what was written of \"scores\" .*")
            for part in (self.folder / "work").glob("*-process-1.part"):
                part.unlink()
            self.refused_on(self.job_at(launcher, PLACES[0], *RANKS, "--resume", "work"), rf"cannot read {named}: No such file or directory")
            for file in (self.folder / "work").iterdir():
                file.unlink()


@unittest.skipUnless(ALL, "GOSSAMER_TEST_NODES=all")
class LongOnes(CheckpointJobs):
    def test_all_that_is_kept_goes_on_after_kills_at_any_moment(self):
        print(f"seed {SEED}", file=sys.stderr)
        draw = random.Random(SEED)
        for command, keys, before in ((RANKS, ("top", "iterations", "change"), "iterations_before"),
                                      (["betweenness", "kron:8", "--exact", "--top", "100"], ("top", "sources"), "sources_before"),
                                      (["uts-mem", "T1"], ("nodes", "depth", "leaves"), "nodes_before")):
            expected = self.answer_of(self.start([PROGRAM, *command, "--resume", "whole", "--json", "--quiet"]))
            for launcher in self.each(MPIS):
                for round_ in range(KILLS):
                    places = [draw.choice(PLACES) for _ in range(3)]
                    moments = [draw.uniform(0, 3) for _ in places[:2]]
                    with self.subTest(command=command[0], seed=SEED, round=round_, places=places, moments=moments):
                        for place, moment in zip(places, moments):
                            until = time.monotonic() + moment
                            kept = KEPT[:2 if command[0] == "uts-mem" else 4]
                            self.kill_when(self.job_at(launcher, place, *command, *kept, again=True), draw.randrange(place[1]),
                                           lambda: time.monotonic() > until)
                        answer = self.answer_of(self.job_at(launcher, places[2], *command, "--resume", "work"))
                        print(f"{launcher.mpi} {command[0]}: {before} {answer[before]}", file=sys.stderr)
                        self.same_as(answer, expected, keys)


if __name__ == "__main__":
    main()
