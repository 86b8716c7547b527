"""uts, uts-mem, gups, gather, jacobi and ping over several processes."""
import json
import os
import pathlib
import sys

from program import PROGRAM, ProgramTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import Job, LAUNCHERS, one_launcher_each  # noqa: E402

TOPOLOGIES = ((1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (3, 2))  # processes, cores of each
SIZES = {"T1": (4130071, 10, 3305118), "T2": (4117769, 81, 2342762), "T3": (4112897, 1572, 3599034),
         "T4": (4132453, 134, 3108986), "T5": (4147582, 20, 2181318)}

if not LAUNCHERS or os.environ.get("GOSSAMER_SANITIZE"):
    print("no launcher, or a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)


class Kernels(ProgramTest):
    def each(self, *words, topologies=TOPOLOGIES):
        """The answer on every topology."""
        for launcher, processes, cores in one_launcher_each(topologies):
            with self.subTest(mpi=launcher.mpi, processes=processes, cores=cores, command=words):
                command = launcher.command(processes, PROGRAM, *words, "--cores", cores, "--json", "--quiet")
                code, out, errors, _ = Job(command, folder=self.folder).end(timeout=100)
                self.assertEqual(code, 0, errors)
                self.assertEqual(len(out.splitlines()), 1, "one process answers")
                answer = json.loads(out)
                self.assertEqual((answer["processes"], answer["cores"]), (processes, processes * cores))
                yield answer

    def test_trees(self):
        for name, size in SIZES.items():
            for answer in self.each("uts", name):
                self.assertEqual((answer["nodes"], answer["depth"], answer["leaves"]), size)

    def test_every_core_gets_its_part_of_a_tree(self):
        for answer in self.each("uts", "T5", "--stats", topologies=((2, 1), (3, 2), (4, 1))):
            self.assertEqual(answer["nodes"], SIZES["T5"][0])
            self.assertGreater(answer["stats"]["tasks"]["minimum"], 1)
            self.assertGreater(answer["stats"]["steals"]["total"], answer["processes"] - 2)

    def test_trees_in_memory(self):
        for answer in self.each("uts-mem", "T3"):
            self.assertEqual((answer["nodes"], answer["depth"], answer["leaves"]), SIZES["T3"])

    def test_tables(self):
        for command in ("gups", "gather"):
            for answer in self.each(command, "--table", "1MiB", "--verify"):
                self.assertIs(answer["verified"], True)

    def test_plates(self):
        for method in ("puts", "messages", "blocked"):
            for answer in self.each("jacobi", 40, "--iterations", 50, "--method", method, "--verify", topologies=((2, 1), (3, 2))):
                self.assertIs(answer["verified"], True)

    def test_messages(self):
        for answer in self.each("ping", topologies=((2, 1), (3, 2))):
            for row in answer["sizes"]:
                for key in ("aggregated_mb_per_s", "bypassed_mb_per_s", "mpi_mb_per_s"):
                    self.assertGreater(row[key], 0, row)
        for answer in self.each("ping", "--all-cores", topologies=((2, 2),)):
            self.assertEqual(answer["pairs"], 2)
            self.assertFalse([row for row in answer["sizes"] if "mpi_mb_per_s" in row or row["aggregated_mb_per_s"] <= 0])

    def test_what_is_refused_is_said_once(self):
        for launcher in LAUNCHERS:
            for words in (("uts", "T9"), ("uts-mem", "-t", "9"), ("gups", "--table", "100000G")):
                command = launcher.command(2, PROGRAM, *words, "--cores", 1, "--quiet")
                code, out, errors, _ = Job(command, folder=self.folder).end(timeout=100)
                self.assertNotEqual(code, 0)
                said = [line for line in out.splitlines() if line and not line.startswith("=")]  # without the launcher's frame
                self.assertEqual(said, [])
                self.assertEqual(errors.count("error: "), 1, errors)


if __name__ == "__main__":
    main()
