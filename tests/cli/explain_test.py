"""--explain: where the time went, in text and JSON, of commands on this machine and on simulated clusters with a planted skew; settings
that a command ignores."""
import gzip
import json
import os
import re
import sys

from program import ProgramTest, main

PARTS = ("working", "no_processor", "for_the_busiest", "without_work")


class ExplainTest(ProgramTest):
    def explained(self, *words):
        return self.answer(*words, "--explain")["explain"]

    def check(self, explain):
        """What holds of every explanation, however long the run took."""
        self.assertGreater(explain["seconds"], 0)
        self.assertTrue(explain["phases"])
        for of in (explain, *explain["phases"]):
            self.assertEqual(set(of["core_time"]), set(PARTS))
            self.assertTrue(all(0 <= share <= 1 for share in of["core_time"].values()), of)
            self.assertAlmostEqual(sum(of["core_time"].values()), 1, places=6)
        self.assertAlmostEqual(sum(phase["seconds"] for phase in explain["phases"]), explain["seconds"], places=6)
        found = explain["findings"]
        self.assertEqual([f["core_time"] for f in found], sorted((f["core_time"] for f in found), reverse=True))
        for f in found:
            self.assertTrue(f["text"] and f["advice"] and 0 <= f["share"] <= 1, f)


class OnThisMachine(ExplainTest):
    def test_every_kind_of_command(self):
        self.file("words.txt", "a b a c\n" * 2000)
        self.file("t.csv", "k,v\n" + "".join(f"{i % 7},{i}\n" for i in range(2000)))
        commands = {"bfs": ("bfs", "kron:8", "--source", "1"), "components": ("components", "kron:8", "--verify"), "info": ("info", "kron:8"),
                    "uts": ("uts", "T5"), "uts-mem": ("uts-mem", "-t", "1", "-d", "4"), "gups": ("gups", "--table", "64K", "--updates", "5000"),
                    "gather": ("gather", "--table", "64K", "--reads", "5000"), "structures": ("structures", "queue", "--fibers", "8"),
                    "group": ("group", "t.csv", "--by", "k"), "sort": ("sort", "words.txt", "-o", "sorted.txt"),
                    "wordcount": ("wordcount", "words.txt"), "jacobi": ("jacobi", "34", "--iterations", "3")}
        for name, words in commands.items():
            with self.subTest(name):
                self.check(self.explained(*words, "--cores", 2))

    def test_phases_are_named(self):
        names = [p["name"] for p in self.explained("components", "kron:8", "--verify")["phases"]]
        self.assertEqual([n for n in names if n in ("making kron:8", "components", "verifying")],
                         ["making kron:8", "components", "verifying"])

    def test_text(self):
        text = self.text("components", "kron:8", "--cores", 2, "--explain")
        self.assertIn("where the core time went", text)
        self.assertRegex(text, r"making kron:8 +\d")
        self.assertRegex(text, r"phase +time +working +load imbalance +idle +descheduled\n")
        self.assertRegex(text, r"(?m)^  all +\d")

    def test_the_native_format_is_for_graphs_alone(self):
        """The advice of a run that reads a compressed file of lines most of the time."""
        with gzip.open(self.folder / "t.tsv.gz", "wt") as file:
            file.writelines(f"{i}\t{i * 7919 % 99991}\n" for i in range(200_000))
        findings = self.explained("sort", "t.tsv.gz", "-o", "sorted.tsv", "--cores", 2)["findings"]
        self.assertNotIn("native format", " ".join(f["advice"] for f in findings))

    def test_nothing_without_it(self):
        self.assertNotIn("explain", self.answer("components", "kron:8"))
        self.assertNotIn("core time", self.text("components", "kron:8"))

    def test_the_page_of_a_report(self):
        self.answer("report", "kron:8", "-o", "page.html", "--explain")
        page = (self.folder / "page.html").read_text()
        self.assertIn('"findings":', page)
        self.assertIn("Where the time went", page)


class Simulated(ExplainTest):
    def setUp(self):
        super().setUp()
        if "thread" in os.environ.get("GOSSAMER_SANITIZE", ""):
            self.skipTest("the simulation is not for the thread sanitizer")

    def simulated(self, processes, *words):
        done = self.run_program("simulate", "-q", "-n", processes, "--network", "qdr", "--", *words, "--json", "--explain", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        explain = json.loads(done.stdout)["explain"]
        self.check(explain)
        return explain

    def test_the_owner_of_a_hub_is_named(self):
        """All edges from one vertex, whose name is in the last block: its process does the work of the traversal."""
        leaves = 40_000
        self.file("hub.tsv", "".join(f"{leaves}\t{i}\n" for i in range(leaves)))
        explain = self.simulated(4, "bfs", "hub.tsv", "--source", str(leaves), "--trials", 20)
        self.assertEqual([p["name"] for p in explain["phases"]][0], "reading hub.tsv")
        mine = [f for f in explain["findings"] if f["key"] == "for_the_busiest" and f["phase"] == "bfs"]
        self.assertEqual(len(mine), 1, explain)
        self.assertRegex(mine[0]["text"], rf"waits for process 3[^:]*, which owns the vertex of largest degree \({leaves}, 40,000 edges")
        self.assertEqual(mine[0]["numbers"]["process"], 3)
        self.assertIn("fewer processes", mine[0]["advice"])

    def test_is_the_same_again(self):
        self.assertEqual(*(self.simulated(2, "components", "kron:8") for _ in range(2)))

    def test_a_simulation_has_no_processor_time(self):
        self.assertEqual(self.simulated(2, "uts", "T5")["core_time"]["no_processor"], 0)

    def test_changes_nothing_without_it(self):
        """Idle time is counted in every run, and takes no virtual time."""
        def line(*words):
            done = self.run_program("simulate", "-n", 2, "--network", "qdr", "--", "components", "kron:8", "--quiet", *words)
            return re.search(r"digest ([0-9a-f]{16})", done.stderr.decode())[1]
        self.assertEqual(line(), line())


SMALL = {"bfs": ("bfs", "kron:7", "--source", "1"), "components": ("components", "kron:7"), "pagerank": ("pagerank", "kron:7"),
         "betweenness": ("betweenness", "kron:7", "--samples", "4"), "sssp": ("sssp", "kron:7@1..9", "--source", "1"),
         "info": ("info", "kron:7"), "gups": ("gups", "--table", "64K", "--updates", "5000"),
         "gather": ("gather", "--table", "64K", "--reads", "5000"), "jacobi": ("jacobi", "34", "--iterations", "2"),
         "uts": ("uts", "-t", "1", "-a", "3", "-d", "6", "-b", "4", "-r", "19"),
         "uts-mem": ("uts-mem", "-t", "1", "-a", "3", "-d", "6", "-b", "4", "-r", "19"),
         "structures": ("structures", "queue", "--fibers", "8"),
         "structures --combining": ("structures", "queue", "--fibers", "8", "--combining", "both")}
VALUES = {"seed": ("1", "2"), "steal_tasks": ("1", "64"), "steal_chunk": ("1", "64"), "loop_grain": ("1", "4096"), "combining": ("off", "both")}
TREES = {"uts", "uts-mem"}


def is_ignored(name, setting):
    """What has to be refused, said again."""
    if setting in ("seed", "loop_grain"):
        return True
    if setting == "combining":
        return name != "structures"
    return name not in TREES


class IgnoredSettings(ExplainTest):
    def setUp(self):
        super().setUp()
        if "thread" in os.environ.get("GOSSAMER_SANITIZE", ""):
            self.skipTest("the simulation is not for the thread sanitizer")

    def digest(self, setting, value, words):
        done = self.run_program("simulate", "-n", 2, "--cores", 2, "--network", "qdr", "--", *words, "--quiet",
                                env={f"GOSSAMER_{setting.upper()}": value})
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return re.search(r"digest ([0-9a-f]{16})", done.stderr.decode())[1]

    def test_table(self):
        """A setting is refused where, and only where, no simulated run responds to it."""
        heeded = set()
        for name, words in SMALL.items():
            for setting, (one, other) in VALUES.items():
                with self.subTest(command=name, setting=setting):
                    run = ("sweep", "-q", "--no-figure", "--set", f"{setting}={one}", "--repeats", 1, "-n", 2, "--cores", 2, "--", *words)
                    if is_ignored(name, setting):
                        message = self.refused(*run)
                        self.assertRegex(message, rf"sweep: --set {setting} changes nothing for {words[0]}: ")
                        self.assertEqual(self.digest(setting, one, words), self.digest(setting, other, words))
                    else:
                        self.assertEqual(self.run_program(*run).returncode, 0)
                        if self.digest(setting, one, words) != self.digest(setting, other, words):
                            heeded.add((words[0], setting))
        self.assertLessEqual({("structures", "combining"), ("uts", "steal_tasks"), ("uts-mem", "steal_tasks")}, heeded)

    def test_places_of_the_runs(self):
        words = ("--", "uts", "T5")
        for setting in ("wire_packets=4,8", "routes=direct,grid", "bulk_bytes=0,64K", "steal_tasks=1,2"):
            name = setting.partition("=")[0]
            self.assertIn(f"sweep: --set {name} changes nothing for uts: it is for jobs of several processes",
                          self.refused("sweep", "--no-figure", "--set", setting, *words))
        for setting in ("pin=on,off", "node_memory=on,off", "transport=none"):
            self.assertIn("a simulated cluster has none of it",
                          self.refused("sweep", "--no-figure", "--set", setting, "-n", 2, *words))
        self.assertIn("give --cores N", self.refused("sweep", "--no-figure", "--set", "steal_chunk=1,2", "-n", 2, *words))
        self.assertIn("--cores is given: --cores {cores} makes that a place",
                      self.refused("sweep", "--no-figure", "--set", "cores=1,2", *words, "--cores", 2))

    def test_a_place_is_no_setting(self):
        done = self.run_program("sweep", "-q", "--no-figure", "--set", "seed=1,2", "--repeats", 1, "--", "components", "kron:7", "--seed", "{seed}")
        self.assertEqual(done.returncode, 0, done.stderr.decode())

    def test_generated_graphs_are_no_texts(self):
        for options in (("--labels",), ("--header",), ("--no-header",), ("--columns", "1,2"), ("--separator", "tab"), ("--null", "NA"),
                        ("--no-comments",), ("--no-quotes",), ("--packed-edges",), ("--duplicates", "sum")):
            with self.subTest(options):
                self.assertRegex(self.refused("info", "kron:4", *options), r"kron:4: .* is generated")

    def test_what_goes_nowhere(self):
        for option in ("--stats", "--explain"):
            self.assertIn("give a file", self.refused("components", "kron:4", "--output", "-", option))
            self.file("a.txt", "b\na\n")
            self.assertIn("need -o FILE", self.refused("sort", "a.txt", option))

    def test_ranges_and_names(self):
        for setting, parts in {"flush_delay_us=2000000": ("from 0 to 1000000", "2000000"), "packet_bytes=1K": ("2.0 KiB to 64.0 KiB",),
                               "combining=some": ("off, home, local, both",), "flush_delay=1": ("did you mean flush_delay_us?",),
                               "wire_packets=3": ("from 4 to 64",)}.items():
            message = self.refused("sweep", "--no-figure", "--set", setting, "-n", 2, "--", "structures", "queue")
            for part in parts:
                self.assertIn(part, message)


if __name__ == "__main__":
    main()
