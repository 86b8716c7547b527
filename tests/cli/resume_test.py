"""Questions and kernels that go on from a checkpoint: the same answer to the last digit, wherever they were killed and on whatever
number of processes and cores they go on."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import again_and_again, generation_of  # noqa: E402
from program import CLEAN, PROGRAM, ProgramTest, main  # noqa: E402

PAGERANK = ["pagerank", "kron:11", "--tolerance", "1e-300", "--max-iterations", "900"]


class Resume(ProgramTest):
    def setUp(self):
        super().setUp()
        self.seed = int(os.environ.get("GOSSAMER_SEED", random.randrange(1 << 30)))
        self.draw = random.Random(self.seed)
        print("seed", self.seed)

    def words(self, command, cores, processes=1):
        launch = [PROGRAM, "run", "-n", str(processes)] if processes > 1 else []
        return [*launch, PROGRAM, *command, "--cores", str(cores), "--json", "-q"]

    def start(self, words):
        return subprocess.Popen(words, cwd=self.folder, env=CLEAN, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True)

    def finish(self, command, cores, processes=1):
        program = self.start(self.words(command, cores, processes))
        out, complaint = program.communicate(timeout=120)
        self.assertEqual((program.returncode, complaint), (0, b""))
        return json.loads(out)

    def generation(self):
        return generation_of(self.folder / "work")

    def kill_when(self, words, is_there):
        """Kills all processes of a start when something is there, and again where it was not any more: the job may have ended meanwhile."""
        while True:
            program = self.start(again_and_again(words))
            while not is_there() and program.poll() is None:
                time.sleep(0.001)
            os.killpg(program.pid, signal.SIGKILL)
            _, complaint = program.communicate(timeout=60)
            self.assertEqual(program.returncode, -signal.SIGKILL, complaint)
            if is_there():
                return

    def kill(self, command, cores, generation, processes=1):
        """Kills all processes of a start when it has written a generation."""
        words = self.words([*command, "--resume", "work", "--checkpoint-seconds", "0"], cores, processes)
        self.kill_when(words, lambda: self.generation() >= generation)

    def goes_on(self, command, keys, before, most, expected):
        """Kills the command three times, at generations up to `most`, on any number of cores, and then lets it finish."""
        at, there = 0, []
        for _ in range(3):
            at = self.draw.randrange(at + 1, at + 1 + most // 3)
            processes, cores = self.draw.choice([(1, 1), (1, 3), (1, 8), (2, 1), (3, 2)])
            there.append((at, processes, cores))
            with self.subTest(there=there):
                self.kill(command, cores, at, processes)
        processes, cores = self.draw.choice([(1, 1), (1, 2), (1, 8), (2, 2), (3, 1)])
        with self.subTest(there=there, then=(processes, cores)):
            answer = self.finish([*command, "--resume", "work"], cores, processes)
            self.assertGreater(answer[before], 0)
            for key in keys:
                self.assertEqual(answer[key], expected[key], key)
            self.assertEqual(os.listdir(self.folder / "work"), [])

    def test_pagerank_goes_on(self):
        expected = self.finish([*PAGERANK, "--top", "2000"], 2)
        for _ in range(3):
            self.goes_on([*PAGERANK, "--top", "2000"], ["top", "iterations", "change"], "iterations_before", 100, expected)

    def test_pagerank_in_float_and_by_weights_goes_on(self):
        command = ["pagerank", "kron:10@1..9", "--tolerance", "1e-5", "--top", "1000", "--max-iterations", "9"]
        for more in [], ["--unweighted"]:
            expected = self.finish([*command, *more], 1)
            self.kill([*command, *more], 2, 2)
            answer = self.finish([*command, *more, "--resume", "work"], 3)
            self.assertGreaterEqual(answer["iterations_before"], 1)
            for key in "top", "iterations", "change":
                self.assertEqual(answer[key], expected[key])

    def test_betweenness_goes_on(self):
        """By the cores, by all cores on one source (a graph that is not small), for edges and by weights. An answer that was kept is that
        of any other start that keeps it, to the last digit."""
        for graph, options, most, top in (("kron:9", ["--exact"], 30, "500"), ("kron:9@1..9", ["--exact", "--edges", "--weighted"], 30, "500"),
                                          ("kron:8", ["--samples", "60", "--normalised"], 10, "100"), ("kron:16", ["--samples", "9"], 5, "99")):
            with self.subTest(graph=graph, options=options):
                command = ["betweenness", graph, *options, "--top", top]
                (self.folder / "whole").mkdir(exist_ok=True)
                expected = self.finish([*command, "--resume", "whole"], 2)
                self.assertEqual(expected["sources_before"], 0)
                plain = self.finish(command, 2)
                of = "rows" if "--edges" in options else "top"
                for kept, other in zip(expected[of], plain[of]):
                    self.assertAlmostEqual(kept["score"] / max(1, other["score"]), other["score"] / max(1, other["score"]), delta=1e-12)
                self.goes_on(command, [of, "sources"], "sources_before", most, expected)

    def test_a_tree_is_not_built_again(self):
        expected = self.finish(["uts-mem", "T1"], 2)
        for processes, cores in (1, 3), (2, 1), (3, 2):
            words = self.words(["uts-mem", "T1", "--resume", "work", "--verify"], 2)
            self.kill_when(words, (self.folder / "work/manifest").exists)
            answer = self.finish(["uts-mem", "T1", "--resume", "work"], cores, processes)
            self.assertEqual(answer["nodes_before"], expected["nodes"])
            for key in "nodes", "depth", "leaves":
                self.assertEqual(answer[key], expected[key])
            self.assertEqual(os.listdir(self.folder / "work"), [])

    def test_a_start_has_the_folder_until_its_answer_is_written(self):
        """The first start has its answer, but nothing reads it yet."""
        for command in (["pagerank", "kron:13"], ["betweenness", "kron:13", "--samples", "9"]):
            command = [PROGRAM, *command, "--resume", "work", "--cores", "2", "-o"]
            first = self.start([*command, "-"])
            began = os.read(first.stdout.fileno(), 1)
            message = self.refused(*command[1:], "b.tsv")
            self.assertIn("another process uses it", message)
            out, complaint = first.communicate(timeout=120)
            self.assertEqual((first.returncode, os.listdir(self.folder / "work")), (0, []), complaint)
            self.run_program(*command[1:], "b.tsv")
            self.assertEqual((self.folder / "b.tsv").read_bytes(), began + out)
            (self.folder / "b.tsv").unlink()

    def test_without_its_job_the_work_is_that_of_no_other(self):
        expected = self.finish([*PAGERANK, "--top", "20"], 2)
        for is_empty in True, False:
            self.kill(PAGERANK, 2, 3)
            (self.folder / "work/job").unlink()
            if is_empty:
                self.file("work/job", "")
            done = self.run_program(*PAGERANK, "--damping", "0.5", "--resume", "work")
            self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"found that of another")), (2, b"", 1))
            answer = self.finish([*PAGERANK, "--top", "20", "--resume", "work"], 3)
            self.assertGreater(answer["iterations_before"], 0)
            self.assertEqual(answer["top"], expected["top"])

    def test_what_a_start_left_that_was_killed_at_once_is_removed(self):
        self.kill(PAGERANK, 2, 3)
        for name in "moment-0123456789abcdef", "moment-of-mine", "9-process-4.part":
            (self.folder / "work" / name).touch()
        self.finish([*PAGERANK, "--resume", "work"], 1)
        self.assertEqual(os.listdir(self.folder / "work"), ["moment-of-mine"])

    def test_what_is_there_is_said(self):
        self.kill(PAGERANK, 2, 5)
        said = self.run_program(*PAGERANK, "--resume", "work", "--cores", 1).stdout.decode()
        self.assertRegex(said, r"continued: [0-9]+ iterations had been done")
        answer = self.answer(*PAGERANK, "--resume", "work")
        self.assertEqual(answer["iterations_before"], 0)
        self.assertNotIn("iterations_before", self.answer(*PAGERANK))

    def test_work_of_another_job_is_refused(self):
        self.kill(PAGERANK, 2, 3)
        for other in (["pagerank", "kron:11", "--tolerance", "1e-300"], [*PAGERANK, "--damping", "0.5"], [*PAGERANK, "--seed", "2"],
                      ["wordcount", "work/job"]):
            self.assertEqual(self.refused(*other, "--resume", "work").count("found that of another"), 1)
        self.assertEqual(self.refused(*PAGERANK, "--resume", "/dev/null/x").count("\n"), 1)
        self.assertIn("a folder", self.refused(*PAGERANK, "--resume", ""))

    def test_damage_is_named(self):
        self.kill(PAGERANK, 2, 3)

        for part in (self.folder / "work").glob("*.part"):  # two, where the kill came between two generations
            content = bytearray(part.read_bytes())
            content[self.draw.randrange(len(content))] ^= 1
            part.write_bytes(content)
        command = [PROGRAM, *PAGERANK, "--resume", "work"]
        done = subprocess.run(command, cwd=self.folder, env=CLEAN, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertRegex(done.stderr.decode(), r"\Aerror: work/\d+-process-0.part: expected what was written of \"scores\" .*\n\Z")
        [part] = (self.folder / "work").glob("*.part")  # the start has removed the other
        part.write_bytes(part.read_bytes()[:100])
        self.assertRegex(self.refused(*PAGERANK, "--resume", "work"), f"error: work/{part.name}: expected .* found the end at 100\n")


if __name__ == "__main__":
    main()
