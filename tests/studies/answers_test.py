"""gossamer-studies answers as gossamer does: on one process, over several, and simulated; what it refuses."""
import json
import os
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / folder) for folder in ("cli", "support")]
from launching import Job, LAUNCHERS, one_launcher_each  # noqa: E402
from program import ProgramTest, main  # noqa: E402

STUDIES = os.environ.get("GOSSAMER_STUDIES", "")
SANITIZE = os.environ.get("GOSSAMER_SANITIZE", "")
WHERE = "off", "home", "local", "both", "automatic"
TOPOLOGIES = ((1, 2), (2, 1), (2, 2), (4, 1), (3, 2))  # processes, cores of each

if not STUDIES or not os.access(STUDIES, os.X_OK):
    print("GOSSAMER_STUDIES names no program", file=sys.stderr)
    sys.exit(77)

SMALL = "a b\nb c\na b\nc c\nc a\nc d\nx y\n"


class StudiesTest(ProgramTest):
    def study(self, *words, **more):
        return self.answer(*words, program=STUDIES, **more)

    def same(self, study, tuned):
        self.assertIs(study["verified"], True)
        for key in "source", "levels", "reached", "traversed", "components", "largest", "sizes":
            self.assertEqual(study.get(key), tuned.get(key), key)


class OneProcess(StudiesTest):
    def test_bfs_with_a_shared_queue(self):
        lists = self.answer("bfs", "kron:9", "--source", 1)
        for where in WHERE:
            for cores, kind in (1, "queue"), (2, "queue"), (3, "queue"), (2, "queue-singly"), (2, "queue-locked"):
                queue = self.study("queue-bfs", "kron:9", "--source", 1, "--kind", kind, "--combining", where,
                                   "--cores", cores, "--verify", "--stats")
                self.same(queue, lists)
                self.assertEqual((queue["options"]["kind"], queue["options"]["combining"]), (kind, where))
                combined = queue["stats"]["combine_requests"]["total"]
                self.assertEqual(combined == 0, kind == "queue-locked", combined)  # whose requests go through a lock
        self.file("g.tsv", SMALL)
        self.assertEqual(self.study("queue-bfs", "g.tsv", "--source", "x")["levels"], [1, 1])

    def test_bfs_trials(self):
        answer = self.study("queue-bfs", "kron:8", "--trials", 5, "--verify")
        tuned = self.answer("bfs", "kron:8", "--trials", 5)
        self.same(answer, tuned)
        self.assertEqual([(t["source"], t["reached"], t["levels"]) for t in answer["trials"]],
                         [(t["source"], t["reached"], t["levels"]) for t in tuned["trials"]])
        self.assertGreater(answer["mteps"], 0)

    def test_components_in_three_phases(self):
        hooking = self.answer("components", "kron:9")
        for where in WHERE:
            for cores in 1, 2, 3:
                three = self.study("three-phase-components", "kron:9", "--combining", where, "--cores", cores, "--verify", "--stats")
                self.same(three, hooking)
                self.assertEqual(three["options"]["combining"], where)
                staged = self.study("three-phase-components", "kron:9", "--combining", where, "--kind", "set-staged", "--cores", cores, "--verify")
                self.same(staged, hooking)
                self.assertEqual(staged["options"]["kind"], "set-staged")
        self.file("g.tsv", SMALL)
        self.same(self.study("three-phase-components", "g.tsv", "--verify"), self.answer("components", "g.tsv"))

    def test_bfs_by_tasks_that_wait(self):
        tuned = self.answer("bfs", "kron:9", "--source", 1)
        for cores, kind, grain in (1, "stealable", 1), (2, "stealable", 32), (3, "private", 8), (3, "stealable", 2):
            found = self.study("task-bfs", "kron:9", "--source", 1, "--tasks", kind, "--grain", grain, "--cores", cores, "--verify")
            self.same(found, tuned)
            self.assertEqual((found["options"]["tasks"], found["options"]["grain"]), (kind, grain))
        trials = self.study("task-bfs", "kron:8", "--trials", 3, "--verify")
        self.same(trials, self.answer("bfs", "kron:8", "--trials", 3))

    def test_betweenness_by_tasks_that_wait(self):
        tuned = self.answer("betweenness", "kron:8", "--samples", 3, "--top", 1)
        for cores, kind in (1, "stealable"), (3, "stealable"), (2, "private"):
            found = self.study("task-betweenness", "kron:8", "--samples", 3, "--tasks", kind, "--cores", cores, "--verify")
            self.assertIs(found["verified"], True)
            self.assertEqual(found["sources"], 3)
            self.assertAlmostEqual(found["highest"], tuned["top"][0]["score"], delta=1e-6 * found["highest"])

    def test_a_tree_by_reads_that_wait(self):
        tree = self.answer("uts", "T3")
        for cores, cache in (1, 1), (2, 8), (3, 3):
            found = self.study("uts-reads", "T3", "--children-cache", cache, "--cores", cores, "--beside-walker")
            self.assertEqual([found[key] for key in ("nodes", "depth", "leaves")], [tree[key] for key in ("nodes", "depth", "leaves")])
            self.assertGreater(found["times_walker"], 0)
            self.assertAlmostEqual(found["times_walker"], found["seconds"] / found["walker_seconds"], delta=0.01 * found["times_walker"])

    def test_where_structures_combine_may_be_in_the_environment(self):
        for words in ["queue-bfs", "kron:7", "--source", 1], ["three-phase-components", "kron:7"]:
            self.assertIs(self.study(*words, "--verify", env={"GOSSAMER_COMBINING": "off"})["verified"], True)
            self.assertIn("GOSSAMER_COMBINING", self.refused(*words, program=STUDIES, env={"GOSSAMER_COMBINING": "nowhere"}))

    def test_people_are_told_the_same(self):
        told = self.text("queue-bfs", "kron:7", "--trials", 3, program=STUDIES)
        self.assertRegex(told, r"\nfrom \d+: \d+ of 128 vertices within \d levels?\n\n3 searches in .* MTEPS\n")
        self.assertRegex(self.text("three-phase-components", "kron:7", program=STUDIES), r"\n\d+ components?, the largest of \d+ vert")

    def test_its_commands_are_no_others(self):
        self.assertIn("unknown command pagerank", self.refused("pagerank", "kron:7", program=STUDIES))
        self.assertIn("unknown option --output", self.refused("queue-bfs", "kron:7", "--source", 1, "--output", "x", program=STUDIES))
        for command in "queue-bfs", "three-phase-components", "task-bfs", "task-betweenness", "uts-reads":
            self.assertIn("unknown command " + command, self.refused(command, "kron:7"))


class SeveralProcesses(StudiesTest):
    def each(self):
        if not LAUNCHERS or SANITIZE:
            self.skipTest("no launcher, or a sanitizer, which no MPI is made for")
        for launcher, processes, cores in one_launcher_each(TOPOLOGIES):
            with self.subTest(mpi=launcher.mpi, processes=processes, cores=cores):
                yield launcher, processes, cores

    def over(self, at, *words):
        launcher, processes, cores = at
        command = launcher.command(processes, STUDIES, *words, "--cores", cores, "--json", "--quiet")
        code, out, errors, _ = Job(command, folder=self.folder).end(timeout=100)
        self.assertEqual(code, 0, f"{words}: {errors}")
        answer = json.loads(out)
        self.assertEqual((answer["processes"], answer["cores"]), (processes, processes * cores))
        return answer

    def test_answer_as_one(self):
        self.file("names.tsv", "".join(f"n{i * i % 1013}\tn{i % 700}\n" for i in range(5000)))
        for graph in "kron:11", "names.tsv", "uniform:10:1":
            start = 1 if ":" in graph else "n1"
            bfs = self.answer("bfs", graph, "--source", start)
            parts = self.answer("components", graph)
            for number, at in enumerate(self.each()):
                where = ("automatic", "off", "both", "home", "local")[number % 5]
                self.same(self.over(at, "queue-bfs", graph, "--source", start, "--combining", where, "--verify"), bfs)
                self.same(self.over(at, "three-phase-components", graph, "--combining", where, "--verify"), parts)

    def test_tasks_that_wait_answer_as_one(self):
        self.file("names.tsv", "".join(f"n{i * i % 1013}\tn{i % 700}\n" for i in range(5000)))
        tree = self.answer("uts", "T3")
        for graph in "kron:10", "names.tsv":
            start = 1 if ":" in graph else "n1"
            bfs = self.answer("bfs", graph, "--source", start)
            highest = self.study("task-betweenness", graph, "--samples", 3)["highest"]
            for number, at in enumerate(self.each()):
                kind = ("stealable", "private")[number % 2]
                self.same(self.over(at, "task-bfs", graph, "--source", start, "--tasks", kind, "--grain", 1 + 7 * number, "--verify"), bfs)
                paths = self.over(at, "task-betweenness", graph, "--samples", 3, "--tasks", kind, "--verify")
                self.assertIs(paths["verified"], True)
                self.assertAlmostEqual(paths["highest"], highest, delta=1e-6 * highest)
                found = self.over(at, "uts-reads", "T3", "--children-cache", 1 + 2 * number % 8, "--tasks", kind)
                self.assertEqual([found[key] for key in ("nodes", "depth", "leaves")], [tree[key] for key in ("nodes", "depth", "leaves")])

    def test_are_started_by_run(self):
        if not LAUNCHERS or SANITIZE:
            self.skipTest("no launcher, or a sanitizer, which no MPI is made for")
        answer = self.study("run", "--np", 2, "--cores", 1, "three-phase-components", "kron:9", "--verify")
        self.assertEqual(answer["processes"], 2)
        self.same(answer, self.answer("components", "kron:9"))


class Simulated(StudiesTest):
    def setUp(self):
        super().setUp()
        if "thread" in SANITIZE:
            self.skipTest("one thread has no races, and the sanitizer knows nothing of its stacks")

    def test_answer_as_a_real_run(self):
        bfs = self.answer("bfs", "kron:9", "--source", 1)
        parts = self.answer("components", "kron:9")
        for number, (processes, cores) in enumerate(((1, 2), (2, 1), (3, 2), (8, 4))):
            for where in WHERE:
                cluster = "-n", processes, "--cores", cores, "--network", "qdr", "--faults", "all", "--seed", number
                for real, *words in ((bfs, "queue-bfs", "kron:9", "--source", 1),
                                     (bfs, "queue-bfs", "kron:9", "--source", 1, "--kind", "queue-singly"),
                                     (parts, "three-phase-components", "kron:9")):
                    done = self.run_program("simulate", "-q", *cluster, "--", *words, "--combining", where, "--json", "--verify",
                                            program=STUDIES)
                    self.assertEqual(done.returncode, 0, done.stderr.decode())
                    self.same(json.loads(done.stdout), real)

    def test_tasks_that_wait_answer_as_a_real_run(self):
        bfs = self.answer("bfs", "kron:9", "--source", 1)
        tree = self.answer("uts", "-t 1 -a 3 -d 6 -b 4 -r 19")
        for number, (processes, cores) in enumerate(((1, 2), (2, 1), (3, 2), (8, 4))):
            cluster = "-n", processes, "--cores", cores, "--network", "qdr", "--faults", "all", "--seed", number
            for kind in "stealable", "private":
                for words in (("task-bfs", "kron:9", "--source", 1, "--grain", 4), ("task-betweenness", "kron:8", "--samples", 2),
                              ("uts-reads", "-t", 1, "-a", 3, "-d", 6, "-b", 4, "-r", 19, "--children-cache", 3)):
                    done = self.run_program("simulate", "-q", *cluster, "--", *words, "--tasks", kind, "--json", "--verify", program=STUDIES)
                    self.assertEqual(done.returncode, 0, done.stderr.decode())
                    found = json.loads(done.stdout)
                    self.assertIs(found["verified"], True)
                    if words[0] == "task-bfs":
                        self.same(found, bfs)
                    elif words[0] == "uts-reads":
                        self.assertEqual(found["nodes"], tree["nodes"])

    def rates(self, cores, setting, *words):
        """By the values of a setting, in their order, on eight simulated processes."""
        done = self.run_program("sweep", "-q", "--json", "--no-figure", "--repeats", 1, "--set", setting, "-n", 8, "--cores", cores, "--", *words,
                                program=STUDIES)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        *rows, _ = (json.loads(line) for line in done.stdout.splitlines())
        return [row["rate"] for row in rows], [row["answer"]["stats"] for row in rows]

    # Virtual time is the same in every run.
    def test_they_respond_to_the_parameters_of_the_paper(self):
        bfs = "task-bfs", "kron:11", "--source", 1
        (few, many), stats = self.rates(2, "fibers=4,512", *bfs, "--grain", 2)
        self.assertGreater(many, 2 * few)
        self.assertGreater(stats[1]["fibers_peak"]["maximum"], stats[0]["fibers_peak"]["maximum"])
        (hasty, patient), stats = self.rates(2, "flush_delay_us=0,100", *bfs, "--grain", 2)
        self.assertGreater(patient, 1.2 * hasty)
        self.assertGreater(stats[0]["flush_age"]["total"], stats[1]["flush_age"]["total"])
        (fine, best, coarse), stats = self.rates(2, "loop_grain=1,4,4096", *bfs)
        self.assertGreater(best, fine)
        self.assertGreater(best, 10 * coarse)
        self.assertGreater(stats[0]["tasks"]["total"], 2 * stats[1]["tasks"]["total"])
        (single, several), stats = self.rates(1, "steal_tasks=1,32", "uts-reads", "-t", 1, "-a", 3, "-d", 7, "-b", 4, "-r", 19)
        self.assertGreater(several, 1.5 * single)
        self.assertGreater(stats[1]["steals_of_4"]["total"], 0)
        self.assertEqual(sum(stats[0][f"steals_of_{n}"]["total"] for n in (4, 8, 16, 32, 64, 128)), 0)

    def test_active_fibers_are_told_where_a_setting_asks(self):
        words = "simulate", "-q", "-n", 4, "--network", "qdr", "--", "task-bfs", "kron:11", "--source", 1, "--grain", 2, "--json", "--stats"
        told = []
        for env in {}, {"GOSSAMER_ACTIVITY_US": "10"}:
            done = self.run_program(*words, program=STUDIES, env=env)
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            told.append(json.loads(done.stdout)["stats"].get("activity"))
        self.assertIsNone(told[0])
        active, waiting = told[1]["active"], told[1]["waiting"]
        self.assertTrue(12 <= len(active) == len(waiting) <= 24, active)
        self.assertTrue(all(0 <= w <= a <= told[1]["most_active"] for a, w in zip(active, waiting)), told[1])
        self.assertGreater(max(waiting), 50)  # most tasks wait
        self.assertGreater(told[1]["waiting_ns"], 0)
        self.assertIn("fibers have waited", self.text(*[w for w in words if w != "--json"], program=STUDIES,
                                                      env={"GOSSAMER_ACTIVITY_US": "10"}))

    def test_scale_times_them(self):
        for words in ("queue-bfs", "kron:9", "--trials", 2), ("three-phase-components", "kron:9"):
            done = self.run_program("scale", "--json", "--no-figure", "-q", "-n", "1,2", "--", *words, program=STUDIES)
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            rows = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([row["processes"] for row in rows], [1, 2])
            self.assertTrue(all(row["seconds"] > 0 for row in rows))


if __name__ == "__main__":
    main()
