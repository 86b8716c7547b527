"""uts, uts-mem, gups, gather, jacobi and ping, as a person or a script uses them."""
from program import ProgramTest, main

SIZES = {"T1": (4130071, 10, 3305118), "T2": (4117769, 81, 2342762), "T3": (4112897, 1572, 3599034),
         "T4": (4132453, 134, 3108986), "T5": (4147582, 20, 2181318)}


class Trees(ProgramTest):
    def size(self, answer):
        return answer["nodes"], answer["depth"], answer["leaves"]

    def test_published_trees(self):
        for name, size in SIZES.items():
            answer = self.answer("uts", name, "--cores", 2)
            self.assertEqual(self.size(answer), size, name)
            self.assertEqual((answer["tree"], answer["processes"], answer["cores"]), (name, 1, 2))
            self.assertGreater(answer["mnodes_per_s"], 0)
            self.assertAlmostEqual(answer["mnodes_per_s"], answer["nodes"] / answer["seconds"] / 1e6, places=3)
            self.assertNotIn("graph", answer)

    def test_a_tree_by_its_arguments(self):
        words = ["-t", 1, "-a", 3, "-d", 10, "-b", 4, "-r", 19]
        for arguments in (words, [" ".join(map(str, words))], ["-t1", "-a3", "-d10", "-b4", "-r19"], ["t1"]):
            answer = self.answer("uts", *arguments)
            self.assertEqual((answer["tree"], self.size(answer)), ("T1", SIZES["T1"]), arguments)
        answer = self.answer("uts", "-t", 0, "-b", 100, "-q", 0.2, "-m", 4, "-r", 3, "--verify")
        self.assertEqual(answer["tree"], "-t 0 -b 100 -r 3 -q 0.2 -m 4")
        self.assertIs(answer["verified"], True)

    def test_a_tree_in_memory(self):
        answer = self.answer("uts-mem", "T3", "--cores", 3)
        self.assertEqual(self.size(answer), SIZES["T3"])
        self.assertGreaterEqual(answer["memory_bytes"], 16 * answer["nodes"])
        self.assertGreater(answer["build_seconds"], 0)
        answer = self.answer("uts-mem", "-t", 1, "-a", 2, "-d", 4, "-b", 4, "-r", 5, "--verify")
        self.assertIs(answer["verified"], True)

    def test_text(self):
        text = self.text("uts", "T3", "--cores", 2)
        for part in ("T3", "4,112,897", "1,572", "87.5 %", "M nodes/s", "on 2 cores"):
            self.assertIn(part, text)
        self.assertIn("built in", self.text("uts-mem", "T3"))

    def test_bad_trees(self):
        self.assertIn("T1 T2 T3 T4 T5 T1L T2L T3L T1XL", self.refused("uts"))
        self.assertIn('found "T9"', self.refused("uts", "T9"))
        self.assertIn("did you mean T1L?", self.refused("uts-mem", "T1LL"))
        self.assertIn('-t: expected a number from 0 to 2, found "x"', self.refused("uts", "-t", "x"))
        self.assertIn("-d: expected a value", self.refused("uts", "-d"))
        self.refused("uts", "T1", "T2")
        self.refused("uts", "T1", "-t", 1)
        self.refused("uts", "-t 1 -y 3")
        self.assertIn("the tree has no end", self.refused("uts", "-t", 0, "-b", 5, "-q", 1, "-m", 1))
        self.assertIn("--cores", self.refused("uts", "T1", "--core", 2))

    def test_memory_is_told_before_it_is_taken(self):
        message = self.refused("uts-mem", "T1L", "--quiet", env={"GOSSAMER_MEMORY_LIMIT": "512M"})
        self.assertRegex(message, r"uts-mem T1L needs 1\.\d GiB, \d+\.\d MiB available")

    def test_help_names_short_options(self):
        text = self.text("uts", "--help")
        self.assertIn("  -q X ", text)

    def test_usage_says_what_is_required(self):
        self.run_program("--write-manual", "share")
        for command, usage in {"uts": "[TREE] [options]", "info": "G [options]", "structures": "STRUCTURE [options]",
                               "bench": "[NAME...] [options]", "gups": "[options]", "convert": "G OUT [options]",
                               **dict.fromkeys(("group", "wordcount", "sort"), "FILE... [options]"),
                               **dict.fromkeys(("run", "simulate", "scale", "sweep"), "[options] [--] COMMAND...")}.items():
            self.assertIn(f"\nusage: gossamer {command} {usage}\n", self.run_program(command, "--help").stdout.decode())
            page = (self.folder / f"share/man/man1/gossamer-{command}.1").read_text().replace("\\-", "-")
            self.assertIn(f".SH SYNOPSIS\n.B gossamer {command}\n{usage}\n", page)


class Tables(ProgramTest):
    def test_gups(self):
        answer = self.answer("gups", "--table", "1MiB", "--cores", 2, "--verify", "--seed", 9)
        self.assertEqual((answer["table_bytes"], answer["updates"], answer["options"]), (1 << 20, 1 << 17, {"seed": 9}))
        self.assertAlmostEqual(answer["mups"], answer["updates"] / answer["seconds"] / 1e6, places=3)
        self.assertIs(answer["verified"], True)
        self.assertEqual((answer["processes"], answer["cores"]), (1, 2))

    def test_gather(self):
        answer = self.answer("gather", "--table", "1MiB", "--reads", 300_000, "--cores", 2, "--verify")
        self.assertEqual(answer["reads"], 300_000)
        self.assertGreater(answer["mups"], 0)
        self.assertIs(answer["verified"], True)

    def test_text(self):
        self.assertIn("M updates/s", self.text("gups", "--table", "64K", "--updates", 1000))
        self.assertIn("M reads/s", self.text("gather", "--table", "64K", "--reads", 1000))

    def test_bad_tables(self):
        self.assertIn("--table: expected bytes", self.refused("gups", "--table", "much"))
        self.assertIn("--table: expected bytes", self.refused("gather", "--table", "12"))
        self.assertIn("--updates", self.refused("gups", "--updates", 0))
        self.assertRegex(self.refused("gups", "--table", "4096G", "--quiet"), r"needs .*, .* available")


class Structures(ProgramTest):
    def test_every_structure_and_mode(self):
        for structure in ("stack", "queue", "set", "map"):
            for where in ("off", "home", "local", "both", "automatic"):
                answer = self.answer("structures", structure, "--puts", 60, "--fibers", 30, "--operations", 6000,
                                     "--combining", where, "--cores", 2, "--verify")
                self.assertEqual((answer["structure"], answer["combining"], answer["puts"], answer["fibers"]),
                                 (structure, where, 60, 30))
                self.assertEqual((answer["operations"], answer["requests"], answer["verified"]), (6000, 6000, True))
                self.assertAlmostEqual(answer["mops"], answer["operations"] / answer["seconds"] / 1e6, places=3)
                self.assertEqual("keys" in answer, structure in ("set", "map"))

    def test_erasures_values_and_bulk(self):
        answer = self.answer("structures", "map", "--erases", 30, "--keys", 500, "--cells", 4000, "--payload", 1024,
                             "--fibers", 30, "--operations", 6000, "--verify")
        self.assertEqual((answer["puts"], answer["erases"], answer["keys"], answer["cells"], answer["payload"]),
                         (50, 30, 500, 4000, 1024))
        answer = self.answer("structures", "set", "--bulk", "--keys", 5000, "--verify")
        self.assertEqual((answer["operations"], answer["verified"]), (5000, True))

    def test_lookups_from_pending_insertions(self):
        options = ("structures", "set", "--keys", 10, "--cores", 2, "--fibers", 30, "--operations", 6000, "--verify")
        usual, pending = self.answer(*options), self.answer(*options, "--pending-lookups")
        self.assertEqual((usual["pending_lookups"], usual["matched"]), (False, 0))
        self.assertTrue(pending["pending_lookups"] and pending["verified"])
        self.assertGreater(pending["matched"], 0)
        self.assertIn("expected lookups from pending insertions of a set", self.refused("structures", "queue", "--pending-lookups"))

    def test_phases_of_writing_and_reading(self):
        for structure in ("set", "map"):
            answer = self.answer("structures", structure, "--phases", "--keys", 500, "--cores", 2, "--fibers", 30, "--operations", 6000,
                                 "--verify")
            self.assertEqual((answer["phases"], answer["operations"], answer["verified"]), (True, 6000, True))
            self.assertLess(answer["combine_messages"], 100)
        self.assertIn("expected phases of a set or map", self.refused("structures", "stack", "--phases"))
        self.assertIn("50 % of 1 operations of each fiber are no whole number",
                      self.refused("structures", "set", "--phases", "--cores", 1, "--fibers", 8, "--operations", 8))

    def test_the_environment_says_where(self):
        answer = self.answer("structures", "stack", "--fibers", 10, "--operations", 1000, env={"GOSSAMER_COMBINING": "off"})
        self.assertEqual((answer["combining"], answer["requests_per_commit"]), ("off", 1))

    def test_text(self):
        text = self.text("structures", "set", "--fibers", 10, "--operations", 1000, "--erases", 5)
        for part in ("50 % inserts, 5 % erases, keys 0 to 1,023", "10 fibers a core", "M operations/s", "requests a commit"):
            self.assertIn(part, text)

    def test_bad_work(self):
        self.assertIn("expected stack, queue, set or map", self.refused("structures"))
        self.assertIn('found "heap"', self.refused("structures", "heap"))
        self.assertIn("found a stack", self.refused("structures", "stack", "--puts", 50, "--erases", 10))
        self.assertIn("--payload: expected", self.refused("structures", "map", "--payload", 100))
        self.assertIn("--fibers: expected", self.refused("structures", "map", "--fibers", 0))
        self.assertIn("--fibers: expected", self.refused("structures", "map", "--fibers", 1 << 24))
        self.assertIn("--keys is of sets and maps, found a stack", self.refused("structures", "stack", "--keys", 5))
        self.assertIn("--payload is of values, and a set has none", self.refused("structures", "set", "--payload", 64))
        self.assertIn("--keys says how many", self.refused("structures", "map", "--bulk", "--operations", 100))
        self.assertNotIn("values of", self.text("structures", "set", "--fibers", 10, "--operations", 1000))


class Jacobi(ProgramTest):
    def test_every_method_is_the_serial_solver(self):
        differences = {}
        for method, depth in (("puts", 1), ("messages", 1), ("blocked", 5)):
            answer = self.answer("jacobi", 60, "--iterations", 100, "--method", method, "--depth", 5, "--cores", 2, "--verify")
            self.assertEqual((answer["points"], answer["method"], answer["iterations"], answer["verified"]), (60, method, 100, True))
            self.assertEqual(answer["depth"], depth)
            self.assertAlmostEqual(answer["mpoints"] / (60 * 60 * 100 / answer["seconds"] / 1e6), 1, places=3)
            differences[answer["difference"]] = method
        self.assertEqual(len(differences), 1, differences)

    def test_stops_at_the_difference(self):
        answer = self.answer("jacobi", 30, "--difference", 0.02, "--cores", 3)
        self.assertLessEqual(answer["difference"], 0.02)
        before = self.answer("jacobi", 30, "--difference", 0, "--iterations", answer["iterations"] - 1, "--cores", 3)
        self.assertGreater(before["difference"], 0.02)

    def test_text(self):
        self.assertIn("M points/s", self.text("jacobi", 20, "--iterations", 7))

    def test_bad_plates(self):
        self.assertIn("points of a side", self.refused("jacobi"))
        self.assertIn('jacobi: expected a whole number from 1 to 1048576, found "x"', self.refused("jacobi", "x"))
        self.assertIn("--method: expected puts, messages or blocked", self.refused("jacobi", 8, "--method", "magic"))
        self.assertIn("--difference: expected", self.refused("jacobi", 8, "--difference", -1))
        self.assertIn("2 rows for 3 cores", self.refused("jacobi", 2, "--cores", 3, "--quiet"))


class Ping(ProgramTest):
    def test_every_size_both_ways(self):
        answer = self.answer("ping", "--cores", 2)
        sizes = [row["bytes"] for row in answer["sizes"]]
        self.assertEqual((sizes[0], sizes[-1]), (8, 1 << 20))
        self.assertIn(32, sizes)
        for row in answer["sizes"]:
            self.assertGreater(row["aggregated_mb_per_s"], 0)
            self.assertGreater(row["bypassed_mb_per_s"], 0)
        self.assertGreater(answer["latency_us"], 0)
        self.assertNotIn("verified", answer)
        self.assertEqual(answer["pairs"], 1)

    def test_all_cores_at_once(self):
        for cores, pairs in (2, 1), (5, 2):
            answer = self.answer("ping", "--cores", cores, "--all-cores")
            self.assertEqual((answer["pairs"], len(answer["sizes"])), (pairs, 17))
            self.assertTrue(all(row["aggregated_mb_per_s"] > 0 and row["bypassed_mb_per_s"] > 0 for row in answer["sizes"]))
        self.assertIn("2 cores to as many others, all at once", self.text("ping", "--cores", 4, "--all-cores"))
        self.assertIn("expected two cores", self.refused("ping", "--cores", 1, "--all-cores", "--quiet"))

    def test_what_arrives_is_checked(self):
        self.assertIs(self.answer("ping", "--cores", 2, "--verify")["verified"], True)

    def test_one_core_is_too_few(self):
        self.assertIn("expected two cores or two processes", self.refused("ping", "--cores", 1, "--quiet"))


if __name__ == "__main__":
    main()
