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
    "prefix_sums": (["100000"], None),
    "sample_sort": (["50000"], None),
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


def life(side, steps):
    """How many cells live."""
    def around(x, y):
        return [((x + a) % side, (y + b) % side) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    places = list(itertools.product(range(side), repeat=2))
    now = {(x, y) for x, y in places if (x * x + 3 * y + x * y) % 7 < 3}
    for _ in range(steps):
        counts = {place: sum(near in now for near in around(*place)) for place in places}
        now = {place for place, n in counts.items() if n == 3 or (n == 4 and place in now)}
    return len(now)


def joined(orders):
    customers = orders // 10 + 1
    regions, unknown = [0] * 4, 0
    for i in range(orders):
        customer = 7 * i % customers
        if customer % 5 == 0:
            unknown += i % 100
        else:
            regions[customer % 4] += i % 100
    return "".join(f"region {r}: {sold}\n" for r, sold in enumerate(regions)) + f"customers that are not known: {unknown}\n"


def centres(points, rounds):
    """Quotients are rounded towards zero, as in C++."""
    def mean(total, n):
        return abs(total) // n * (1 if total >= 0 else -1)
    places = [(i % 3 * 20000 + i * 31 % 10000 - 5000, i * 17 % 10000 - 5000) for i in range(points)]
    now = [(-5000, 0), (0, 1000), (5000, 0)]
    for _ in range(rounds):
        near = [[] for _ in now]
        for x, y in places:
            near[min(range(3), key=lambda c: (x - now[c][0]) ** 2 + (y - now[c][1]) ** 2)].append((x, y))
        now = [(mean(sum(x for x, _ in of), len(of)), mean(sum(y for _, y in of), len(of))) if of else old
               for of, old in zip(near, now)]
    return "".join(f"centre {x} {y}\n" for x, y in now)


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
        sums = list(itertools.accumulate(i % 1000 * (i % 1000) % 10 for i in range(100000)))
        self.assertEqual(alone("prefix_sums", ["100000"], 2).stdout, f"{sums[50000]} up to the middle, {sums[-1]} up to the end\n")
        median = sorted(i * 0x9e3779b97f4a7c15 % 2**64 for i in range(50000))[25000]
        self.assertEqual(alone("sample_sort", ["50000"], 2).stdout, f"the median of 50000 keys is {median}\n")
        self.assertEqual(alone("hash_join", ["20000"], 2).stdout, joined(20000))
        self.assertEqual(alone("k_means", ["3000", "20"], 2).stdout, centres(3000, 20))
        self.assertEqual(alone("game_of_life", ["40", "15"], 2).stdout, f"{life(40, 15)} of 1600 cells live after 15 steps\n")
        levels = alone("breadth_first", ["kron:10"], 2).stdout
        found = sum(int(n) for n in re.findall(r"^level \d+: (\d+) vertices$", levels, re.M))
        self.assertIn(f"\n{found} of 1024 vertices reached\n", levels)


if __name__ == "__main__":
    unittest.main(verbosity=2)
