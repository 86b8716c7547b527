"""The programs of examples/: in one process with one core and with several, and in several processes of both MPIs."""
import itertools
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, CLEAN, Job, MPIS  # noqa: E402

# Arguments, and what is printed.
EXPECTED = {
    "histogram": (["100000"], r"100000 values in 1000 bins, \d+ to \d+ in each\n"),
    "word_count": ([str(pathlib.Path(__file__))], None),
    "breadth_first": (["kron:10"], None),
    "label_propagation": (["kron:10", "5"], r"\d+ communities after \d rounds\n"),
    "producer_consumer": (["2000"], "2000 pairs of fibers exchanged 8000 values\n"),
    "branch_and_bound": (["30"], None),
    "stencil": (["100"], "after 100 steps 1000.000 of 1000 units of heat are there\n"),
    "heat": (["12", "41"], r"2-D: 0\.\d{9} in the middle after 41 steps\n3-D: 0\.\d{9} in the middle after 41 steps\n"),
    "ticket_counter": (["20000"], "20000 of 20000 tickets were drawn exactly once\n"),
    "embed": (["3"], "150000 visits by 3 threads\n"),
    "embedding": (["20000"], "1229 primes below 10000\n2262 primes below 20000\n"),
}
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"

if os.environ.get("GOSSAMER_SANITIZE"):
    print("built without a sanitizer only", file=sys.stderr)
    sys.exit(77)


def program(name):
    return BUILD / "bin" / f"example_{name}"


def alone(name, arguments, cores):
    return subprocess.run([program(name), *arguments], env={**CLEAN, "GOSSAMER_CORES": str(cores)}, capture_output=True,
                          text=True, timeout=120)


def heat(points, dimensions, steps):
    """The middle of a plate or block whose side before the first layer is at 1, by dictionaries of points."""
    inside = list(itertools.product(range(1, points + 1), repeat=dimensions))
    now = dict.fromkeys(inside, 0.0)

    def at(place):
        return now.get(place, 1.0 if place[0] == 0 else 0.0)
    for _ in range(steps):
        now = {p: sum(at(p[:k] + (p[k] + s,) + p[k + 1:]) for k in range(dimensions) for s in (-1, 1)) / (2 * dimensions)
               for p in inside}
    return now[(points // 2 + 1,) + (points // 2 + 1,) * (dimensions - 1)]


class Examples(unittest.TestCase):
    def test_all_are_here_and_short(self):
        self.assertEqual({path.stem for path in EXAMPLES.glob("*.cpp")}, set(EXPECTED))
        for path in EXAMPLES.glob("*.cpp"):
            self.assertLess(len(path.read_text().splitlines()), 60, path)

    def test_say_the_same_everywhere(self):
        for name, (arguments, expected) in EXPECTED.items():
            first = None
            with self.subTest(name):
                for cores in 1, 3:
                    done = alone(name, arguments, cores)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    first = first or done.stdout
                    self.assertEqual(done.stdout, first, cores)
                if expected is not None:
                    self.assertTrue(re.fullmatch(expected, first), first)
                for launcher in MPIS:
                    code, out, errors, _ = Job(launcher.command(3, program(name), *arguments), {"GOSSAMER_CORES": "1"}).end()
                    self.assertEqual((code, out), (0, first), (launcher.mpi, errors))

    def test_answers_are_right(self):
        words = pathlib.Path(__file__).read_text().split()
        ranked = sorted({(-words.count(word), word) for word in words})[:10]
        self.assertEqual(alone("word_count", [str(pathlib.Path(__file__))], 2).stdout, "".join(f"{-count} {word}\n" for count, word in ranked))
        self.assertEqual(alone("heat", ["6", "9"], 2).stdout,
                         "".join(f"{d}-D: {heat(6, d, 9):.9f} in the middle after 9 steps\n" for d in (2, 3)))
        levels = alone("breadth_first", ["kron:10"], 2).stdout
        found = sum(int(n) for n in re.findall(r"^level \d+: (\d+) vertices$", levels, re.M))
        self.assertIn(f"\n{found} of 1024 vertices reached\n", levels)


if __name__ == "__main__":
    unittest.main(verbosity=2)
