"""The same simulated runs, compiled by two compilers: output, counters, digest and trace to the byte.

Runs in the build of the sanitizers, which is clang's, beside the program of build/dev, which is gcc's and is brought up to
date first (77 where it was never built, or where both are of one compiler)."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(os.environ["GOSSAMER_SOURCE"]), pathlib.Path(os.environ["GOSSAMER_BUILD"])
OTHER = SOURCE / "build" / "dev"
PROGRAMS = [build / "bin" / "compilers_program" for build in (BUILD, OTHER)]
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("GOSSAMER_") and k not in ("CXX", "CXXFLAGS")}

RUNS = [
    ("uts", "processes=1 cores=4"), ("uts", "processes=4 cores=2 network=qdr"), ("uts", "processes=8 cores=1 faults=all seed=1"),
    ("bfs", "processes=1 cores=3 faults=all seed=2"), ("bfs", "processes=3 cores=2 network=hdr"), ("bfs", "processes=8 cores=1"),
    ("components", "processes=3 cores=2 faults=all seed=3"), ("components", "processes=4 cores=1 network=ethernet-25g"),
    ("gups", "processes=1 cores=2"), ("gups", "processes=3 cores=2 network=qdr faults=all seed=4"),
    ("gather", "processes=4 cores=2"), ("gather", "processes=8 cores=1 network=slingshot faults=all seed=5"),
]


def skip(why):
    print(why, file=sys.stderr)
    sys.exit(77)


def setting(build, name):
    return re.search(rf"^{name}:[A-Z]+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]


def compiler(build):
    words = subprocess.run([setting(build, "CMAKE_CXX_COMPILER"), "--version"], capture_output=True, text=True).stdout
    return "clang" if "clang" in words else "gcc"


if not os.environ.get("GOSSAMER_SANITIZE"):
    skip("runs in the build of the sanitizers, which another compiler makes")
if not (OTHER / "build.ninja").exists():
    skip(f"{OTHER} was never built: make test")
if compiler(BUILD) == compiler(OTHER):
    skip("both builds are of the same compiler")


class Compilers(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        done = subprocess.run(["cmake", "--build", OTHER, "--target", "compilers_program"], env=CLEAN, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert setting(BUILD, "GOSSAMER_CHECKS") == setting(OTHER, "GOSSAMER_CHECKS"), "one build has more preemption points"

    def run_one(self, program, command, cluster):
        with tempfile.TemporaryDirectory(prefix="gossamer-compilers-") as folder:
            done = subprocess.run([str(program), command], cwd=folder, capture_output=True, text=True, timeout=120,
                                  env={**CLEAN, "GOSSAMER_SIMULATE": f"{cluster} report=- trace=trace.json"})
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout, done.stderr, (pathlib.Path(folder) / "trace.json").read_text()

    def test_runs_are_the_same(self):
        for command, cluster in RUNS:
            with self.subTest(command=command, cluster=cluster):
                mine, others = (self.run_one(program, command, cluster) for program in PROGRAMS)
                self.assertIn("digest", mine[1])
                for what, a, b in zip(("answer and counters", "line about the run", "trace"), mine, others):
                    if what == "trace":
                        self.assertTrue(a == b, "the traces differ")
                    else:
                        self.assertEqual(a, b, what)


if __name__ == "__main__":
    unittest.main(verbosity=2)
