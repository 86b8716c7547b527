"""The programs of examples/ print the same in one process with one core and with several, and in several processes of both MPIs:
what the same computation in plain C++ with OpenMP prints (bench/examples)."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, CLEAN, Job, MPIS  # noqa: E402

GRAPH = pathlib.Path(tempfile.mkdtemp()) / "graph.txt"
# Arguments, and a pattern of what is printed where the answer is known or there is no peer.
EXPECTED = {
    "histogram": (["100000"], r"100000 values in 1000 bins, \d+ to \d+ in each\n"),
    "word_count": ([str(pathlib.Path(__file__))], None),
    "breadth_first": ([str(GRAPH)], None),
    "label_propagation": ([str(GRAPH), "5"], r"\d+ communities after \d rounds\n"),
    "producer_consumer": (["2000"], "2000 pairs of fibers exchanged 8000 values\n"),
    "branch_and_bound": (["30"], None),
    "stencil": (["100"], "after 100 steps 1000.000 of 1000 units of heat are there\n"),
    "heat": (["12", "41"], None),
    "ticket_counter": (["20000"], "20000 of 20000 tickets were drawn exactly once\n"),
    "prefix_sums": (["100000"], None),
    "sample_sort": (["100000"], None),
    "hash_join": (["20000"], None),
    "k_means": (["30000", "20"], None),
    "sparse_matrix_vector": (["2000"], r"\d+ steps; no element is off by more than 1e-7\n"),
    "monte_carlo": (["100000"], r"pi is about 3\.1[34]\d{4}\n"),
    "n_queens": (["9"], "352 ways to place 9 queens\n"),
    "key_value_store": (["300", "20"], "12000 bookings, 0 in all, 0 not seen\n"),
    "game_of_life": (["40", "15"], None),
    "embed": (["3"], "150000 visits by 3 threads\n"),
    "embedding": (["20000"], "1229 primes below 10000\n2262 primes below 20000\n"),
}
NO_PEER = {"producer_consumer"}  # fibers that talk
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"

if os.environ.get("GOSSAMER_SANITIZE"):
    print("built without a sanitizer only", file=sys.stderr)
    sys.exit(77)


def program(name):
    return BUILD / "bin" / f"example_{name}"


def alone(name, arguments, cores):
    return subprocess.run([program(name), *arguments], env={**CLEAN, "GOSSAMER_CORES": str(cores)}, capture_output=True,
                          text=True, timeout=120)


def peer(name, *arguments):
    return subprocess.run([program("peers"), name, *arguments], env={**CLEAN, "OMP_NUM_THREADS": "3"}, capture_output=True, text=True,
                          timeout=120, check=True).stdout


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(shutil.rmtree, GRAPH.parent)
        peer("write_graph", "1000", str(GRAPH))

    def test_all_are_here_and_short(self):
        self.assertEqual({path.stem for path in EXAMPLES.glob("*.cpp")}, set(EXPECTED))
        for path in EXAMPLES.glob("*.cpp"):
            self.assertLess(len(path.read_text().splitlines()), 60, path)

    def test_print_what_plain_programs_print(self):
        for name, (arguments, expected) in EXPECTED.items():
            with self.subTest(name):
                right = expected if name in NO_PEER else peer(name, *arguments)
                if expected is not None:
                    self.assertTrue(re.fullmatch(expected, right), right)
                for cores in 1, 3:
                    done = alone(name, arguments, cores)
                    self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", right), cores)
                for launcher in MPIS:
                    code, out, errors, _ = Job(launcher.command(3, program(name), *arguments), {"GOSSAMER_CORES": "1"}).end()
                    self.assertEqual((code, out), (0, right), (launcher.mpi, errors))

    def test_heat_refuses_fewer_points_than_cores(self):
        done = alone("heat", ["4", "20"], 8)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (2, "error: there are fewer points than cores\n", ""))

    def test_output_that_is_lost_is_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([program("prefix_sums"), "1000"], env={**CLEAN, "GOSSAMER_CORES": "1"}, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "error: cannot write to standard output: No space left on device\n"))

    def test_sample_sort_of_no_keys(self):
        for keys in "0", "many":  # a word counts as 0
            done = alone("sample_sort", [keys], 3)
            self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", ""), keys)
        self.assertEqual(alone("sample_sort", ["1"], 3).stdout, "the median of 1 keys is 0\n")

    def test_are_timed_beside_plain_programs(self):
        tool = EXAMPLES.parent / "tools/bench-examples"
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([tool, "--quick", "--only", "a", "--bin", BUILD / "bin", "--results", folder], env=CLEAN, check=True,
                           capture_output=True, timeout=300)
            rows = json.loads((pathlib.Path(folder) / "examples.json").read_text())
        self.assertIn("hash_join", [row["example"] for row in rows])
        self.assertLessEqual({row["example"] for row in rows}, set(EXPECTED) - NO_PEER)


if __name__ == "__main__":
    unittest.main(verbosity=2)
