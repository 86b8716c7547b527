"""What bad input gets: one line that names what was expected, exit code 2, nothing half-written."""
import gzip
import os
import pathlib
import subprocess
import sys

from program import DEBIAN, PROGRAM, ProgramTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from native_file import changed  # noqa: E402


class BadFiles(ProgramTest):
    def refused_file(self, contents, *expected, name="g.tsv", options=()):
        self.file(name, contents)
        message = self.refused("info", name, *options)
        self.assertIn(name, message)
        for part in expected:
            self.assertIn(part, message)
        return message

    def test_missing_file(self):
        self.assertIn("missing.tsv", self.refused("info", "missing.tsv"))

    def test_directory(self):
        (self.folder / "folder").mkdir()
        self.assertIn("folder", self.refused("info", "folder"))

    def test_unreadable_file(self):
        path = self.file("g.tsv", "1 2\n")
        path.chmod(0)
        if os.access(path, os.R_OK):
            self.skipTest("root reads everything")
        self.assertIn("g.tsv", self.refused("info", "g.tsv"))

    def test_empty_file(self):
        self.refused_file("")

    def test_binary_garbage(self):
        self.refused_file(bytes(range(256)) * 40)

    def test_zeros(self):
        self.refused_file(bytes(100_000))

    def test_truncated_gzip(self):
        self.refused_file(gzip.compress(b"1 2\n2 3\n" * 20_000)[:-200], name="g.tsv.gz")

    def test_gzip_with_a_wrong_checksum(self):
        data = bytearray(gzip.compress(b"1 2\n2 3\n" * 1000))
        data[-6] ^= 1
        self.refused_file(bytes(data), name="g.tsv.gz")

    def test_truncated_native_file(self):
        self.file("g.tsv", "".join(f"{i} {i + 1}\n" for i in range(5000)))
        self.text("convert", "g.tsv", "g.gsg")
        whole = (self.folder / "g.gsg").read_bytes()
        for size in (0, 7, 64, len(whole) // 2, len(whole) - 1):
            self.refused_file(whole[:size], name="cut.gsg")

    def test_native_file_with_a_wrong_checksum(self):
        self.file("g.tsv", "".join(f"{i} {i + 1}\n" for i in range(5000)))
        self.text("convert", "g.tsv", "g.gsg")
        whole = bytearray((self.folder / "g.gsg").read_bytes())
        whole[len(whole) * 2 // 3] ^= 0x10
        self.refused_file(bytes(whole), "checksum", name="changed.gsg")

    def test_native_file_of_wrong_rows_and_weights_with_right_checksums(self):
        self.file("g.tsv", "".join(f"{i} {i + 1} 0.5\n" for i in range(20000)))
        self.text("convert", "g.tsv", "u.gsg", "--undirected")
        self.text("convert", "g.tsv", "d.gsg", "--directed")
        undirected, directed = ((self.folder / name).read_bytes() for name in ("u.gsg", "d.gsg"))
        ids = "Q" if undirected[20] == 8 else "I"
        self.assertEqual(changed(undirected, 1, 20001, ids, 10000), undirected)
        disorder = "damaged: expected ascending rows without duplicates and self-loops"
        others = "damaged: expected each edge of an undirected graph in both rows, found others"
        for whole, section, place, form, values, expected in (
                (undirected, 1, 20001, ids, (10002, 10000), disorder),  # the neighbours of 10001
                (undirected, 1, 20001, ids, (10000, 10000), disorder),
                (undirected, 1, 20001, ids, (10000, 10001), disorder),
                (undirected, 1, 20001, ids, (10000, 10003), others),
                (undirected, 6, 20001, "d", (0.75,), others),
                (undirected, 6, 20001, "d", (float("nan"),), "damaged: expected finite weights"),
                (directed, 3, 10000, ids, (9999,), "damaged: expected the same arcs by source and by target, found others")):
            with self.subTest(expected=expected, values=values):
                bad = changed(whole, section, place, form, *values)
                self.refused_file(bad, expected, name="bad.gsg")
                self.assertIn("bad.gsg: " + expected, self.refused("run", "--np", 2, "matching", "bad.gsg", "--cores", 1, "--quiet"))

    def test_weights_of_parallel_edges_that_add_up_beyond_doubles(self):
        self.file("g.tsv", "a b 1e308\nb c 4\na b 1.7e308\n")
        expected = "g.tsv: parallel edges of a and b add up beyond doubles"
        for words in (["convert", "g.tsv", "out.gsg", "--duplicates", "sum"], ["convert", "g.tsv", "out.tsv", "--duplicates", "sum"],
                      ["max-flow", "g.tsv", "a", "b"], ["run", "--np", 2, "max-flow", "g.tsv", "a", "b", "--cores", 1, "--quiet"]):
            self.assertIn(expected, self.refused(*words))

    def test_line_with_one_token(self):
        self.refused_file("1 2\n3\n4 5\n", "g.tsv:2")

    def test_line_with_four_tokens(self):
        self.refused_file("# a comment\n1 2\n1 2 3 4\n", "g.tsv:3")

    def test_id_over_64_bits(self):
        self.refused_file("1 2\n1 18446744073709551616\n", "g.tsv:2", "18446744073709551616")

    def test_negative_id(self):
        self.refused_file("1 2\n3 -4\n", "g.tsv:2", "-4")

    def test_mixed_separators(self):
        self.refused_file("1,2\n1 2\n", "g.tsv:2")

    def test_bad_generators(self):
        for graph in ("kron:", "kron:x", "kron:-1", "kron:99", "uniform:4:x", "kron:4:4:4"):
            self.assertIn(graph, self.refused("info", graph))

    def test_carriage_returns_and_a_missing_final_newline_are_accepted(self):
        self.file("g.tsv", b"1 2\r\n2 3\r\n3 1")
        self.assertEqual(self.answer("info", "g.tsv")["edges"], 3)

    def test_file_names_that_would_break_a_line(self):
        self.refused("info", "no\nsuch\x1bfile")


class BadOptions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("g.tsv", "alpha beta\nbeta gamma\n")

    def test_cores(self):
        for cores in ("0", "4097", "-1", "x", ""):
            for words in ("info", "g.tsv"), ("bench", "yield"):
                self.assertIn(f'--cores: expected a whole number from 1 to 4096, found "{cores}"', self.refused(*words, "--cores", cores))

    def test_unknown_option_command_and_argument(self):
        self.assertIn("did you mean --stats", self.refused("info", "g.tsv", "--stat"))
        self.assertIn("did you mean info", self.refused("inof", "g.tsv"))
        self.refused("info", "g.tsv", "h.tsv")
        self.refused()
        self.refused("info")
        self.refused("--json", "info", "g.tsv")

    def test_missing_source_names_the_nearest(self):
        message = self.refused("bfs", "g.tsv", "--source", "alpa")
        self.assertIn('found "alpa"', message)
        self.assertIn("alpha", message)

    def test_missing_source_among_integers(self):
        self.file("i.tsv", "10 20\n20 40\n")
        self.assertIn("40", self.refused("bfs", "i.tsv", "--source", "41"))

    def test_missing_source_of_the_shipped_graph(self):
        self.assertIn("firefox-esr", self.refused("bfs", DEBIAN, "--source", "firefox-es", "--quiet"))

    def test_output_ending_is_checked_before_any_work(self):
        for name in ("a.txt", "a", "a.tsv.bz2", ".csv"):
            self.assertIn(".tsv, .csv, .json or .jsonl", self.refused("info", "missing-graph.tsv", "--output", name))

    def test_output_into_a_missing_folder(self):
        self.assertIn("nowhere", self.refused("info", "g.tsv", "--output", "nowhere/a.tsv"))

    def test_output_onto_a_folder(self):
        (self.folder / "a.tsv").mkdir()
        self.assertIn("a.tsv", self.refused("info", "g.tsv", "--output", "a.tsv"))

    def test_the_graph_itself_is_never_written_over(self):
        before = (self.folder / "g.tsv").read_bytes()
        (self.folder / "link.tsv").symlink_to("g.tsv")
        self.assertIn("another file", self.refused("info", "g.tsv", "--output", "./g.tsv"))
        self.assertIn("another file", self.refused("info", "g.tsv", "--output", "link.tsv"))
        self.assertIn("another file", self.refused("convert", "g.tsv", "g.tsv"))
        self.assertEqual((self.folder / "g.tsv").read_bytes(), before)

    def test_an_empty_name_of_a_file_or_folder_is_refused(self):
        tables = ["group", "g.tsv", "--by", "1"], ["wordcount", "g.tsv"], ["sort", "g.tsv", "-o", "sorted"]
        pagerank, tree = ["pagerank", "g.tsv"], ["uts-mem", "T1"]
        for option, *commands in (["-o", *tables, pagerank, ["report", "g.tsv"], ["papers"]], ["--resume", *tables[:2], pagerank, tree],
                                  ["--scratch", *tables], ["--scale", ["report", "g.tsv"]], ["--recorded", ["papers"]], ["--vertices", pagerank]):
            for command in commands:
                with self.subTest(command=command[0], option=option):
                    self.assertRegex(self.refused(*command, option, ""), ': expected a (folder|file|name).*, found ""')

    def test_a_failed_run_leaves_the_old_output_alone(self):
        self.file("a.tsv", "precious")
        self.file("bad.tsv", "1 2\n3\n")
        self.refused("info", "bad.tsv", "--output", "a.tsv")
        self.assertEqual((self.folder / "a.tsv").read_text(), "precious")

    def test_unknown_variables_and_junk_in_known_ones(self):
        commands = (["info", "g.tsv"], ["uts", "T1"], ["structures", "stack"], ["ping", "--cores", 2], ["doctor"],
                    ["bench", "yield"], ["network", "qdr"], ["simulate", "-n", 2, "uts", "T1"], ["scale", "-n", 1, "uts", "T1"],
                    ["run", "--np", 2, "uts", "T1"])
        for command in commands:
            for name, value, expected in (
                    ("GOSSAMER_CORE", "4", "did you mean GOSSAMER_CORES?"),
                    ("GOSSAMER_WEATHER", "fine", "docs/settings.md lists those"),
                    ("GOSSAMER_MEMORY_LIMIT", "junk", 'GOSSAMER_MEMORY_LIMIT: expected bytes (such as 64K or 1.5G), found "junk"'),
                    ("GOSSAMER_PEER_TIMEOUT_S", "-1", 'GOSSAMER_PEER_TIMEOUT_S: expected a number from 0 to 86400, found "-1"'),
                    ("GOSSAMER_BARRIER", "x", "GOSSAMER_BARRIER: expected one of automatic,")):
                with self.subTest(command=command, name=name):
                    self.assertIn(expected, self.refused(*command, env={name: value}))

    def test_quiet_is_short_everywhere(self):
        self.file("b.tsv", "1 2\n2 3\n")
        for command in (["info", "b.tsv"], ["components", "b.tsv"], ["uts", "T5", "--cores", 1], ["uts-mem", "T5"],
                        ["uts", "-t", 0, "-b", 10, "-q", 0.2, "-m", 4], ["gups", "--table", "64K"],
                        ["gather", "--table", "64K"], ["structures", "stack", "--fibers", 2, "--cores", 1],
                        ["convert", "b.tsv", "c.tsv"], ["doctor"], ["network", "qdr"], ["bench", "--list"]):
            with self.subTest(command=command):
                done = self.run_program(*command, "-q")
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertEqual(self.run_program(command[0], "-q", *command[1:]).returncode, 0)

    def test_json_after_an_error_is_nothing(self):
        self.refused("info", "missing.tsv", "--json")


class Limits(ProgramTest):
    def test_memory_is_predicted(self):
        message = self.refused("info", "kron:20", env={"GOSSAMER_MEMORY_LIMIT": "1M"})
        self.assertRegex(message, r"needs .* available")

    def test_memory_of_a_job_is_predicted(self):
        for limit, *words in ((1, "uts", "T1"), (1, "ping"), ("64M", "uts", "T1", "--cores", 4096),
                              ("200M", "uts", "T1", "--cores", 4096)):
            message = self.refused(*words, "--quiet", env={"GOSSAMER_MEMORY_LIMIT": str(limit)})
            self.assertRegex(message, r"a job of \d+ cores? needs \S+ MiB, \S+ ([KMG]i)?B available")

    def test_memory_of_structures_is_predicted(self):
        for words in (("stack", "--fibers", 100000), ("queue", "--bulk", "--payload", 1024, "--operations", 100000),
                      ("map", "--bulk", "--keys", 4000000), ("set", "--cells", 8000000)):
            message = self.refused("structures", *words, "--cores", 2, "--quiet", env={"GOSSAMER_MEMORY_LIMIT": "200M"})
            self.assertRegex(message, r"structures needs \S+ [MG]iB, \S+ MiB available")

    def test_memory_of_a_small_file_counts_too(self):
        self.file("graph.tsv", "".join(f"{v} {v * 7 % 500009}\n" for v in range(500000)))
        message = self.refused("info", "graph.tsv", "--cores", 2, "--quiet",
                               env={"GOSSAMER_MEMORY_LIMIT": "10M"})
        self.assertRegex(message, r"(graph.tsv|building the graph) needs \S+ [KMG]iB, \S+ [KMG]?i?B available")

    def test_memory_of_names_counts_too(self):
        self.file("names.tsv", "".join(f"the-name-of-vertex-{v} the-name-of-vertex-{v * 7 % 300000}-again\n"
                                       for v in range(300000)))
        message = self.refused("info", "names.tsv", "--cores", 2, "--quiet", env={"GOSSAMER_MEMORY_LIMIT": "50M"})
        self.assertRegex(message, r"(reading|sorting) names needs \S+ [KM]iB, \S+ ([KMG]i)?B available")
        self.file("ids.tsv", "".join(f"{v << 40} {v * 7 << 41}\n" for v in range(300000)))
        message = self.refused("info", "ids.tsv", "--cores", 2, "--quiet", env={"GOSSAMER_MEMORY_LIMIT": "16M"})
        self.assertRegex(message, r"numbering vertices needs \S+ [KM]iB, \S+ ([KMG]i)?B available")

    def test_memory_of_a_graph_beyond_any_computer_is_predicted(self):
        self.assertRegex(self.refused("info", "kron:31"), r"needs .* available|expected")

    def test_full_disk_on_standard_output(self):
        self.file("g.tsv", "1 2\n")
        for arguments in (["info", "g.tsv"], ["info", "g.tsv", "--json"], ["--help"], ["--version"], ["doctor"]):
            with open("/dev/full", "wb") as full:
                self.assertIn("No space left", self.refused(*arguments, stdout=full))

    def test_full_disk_while_writing_rows(self):
        self.file("g.tsv", "1 2\n")
        (self.folder / "full.tsv").symlink_to("/dev/full")
        self.assertIn("full.tsv", self.refused("info", "g.tsv", "--output", "full.tsv"))

    def test_closed_standard_output(self):
        self.file("g.tsv", "1 2\n")
        done = subprocess.run(["sh", "-c", f'exec "{PROGRAM}" info g.tsv >&-'], cwd=self.folder,
                              stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), r"\Aerror: [^\n]+\n\Z")

    def test_closed_pipe_ends_quietly(self):
        done = subprocess.run(["sh", "-c", f'"{PROGRAM}" doctor | true'], cwd=self.folder, stderr=subprocess.PIPE,
                              timeout=60)
        self.assertEqual(done.stderr, b"")


if __name__ == "__main__":
    main()
