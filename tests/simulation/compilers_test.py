"""The same simulated runs, compiled by the other compiler: output, counters, digest and trace to the byte.

Builds the parts of the library that compilers_program needs once more, in GOSSAMER_BUILD/other-compiler, by clang++
where this build is g++'s and the other way round (77 where there is none).
The folder stays: the next time only what has changed is compiled."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(os.environ["GOSSAMER_SOURCE"]), pathlib.Path(os.environ["GOSSAMER_BUILD"])
PROGRAM = BUILD / "bin" / "compilers_program"
FOLDER = BUILD / "other-compiler"
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("GOSSAMER_") and k not in ("CXX", "CXXFLAGS")}

RUNS = [
    ("uts", "processes=1 cores=4"), ("uts", "processes=4 cores=2 network=qdr"), ("uts", "processes=8 cores=1 faults=all seed=1"),
    ("bfs", "processes=1 cores=3 faults=all seed=2"), ("bfs", "processes=3 cores=2 network=hdr"), ("bfs", "processes=8 cores=1"),
    ("components", "processes=3 cores=2 faults=all seed=3"), ("components", "processes=4 cores=1 network=ethernet-25g"),
    ("gups", "processes=1 cores=2"), ("gups", "processes=3 cores=2 network=qdr faults=all seed=4"),
    ("gather", "processes=4 cores=2"), ("gather", "processes=8 cores=1 network=slingshot faults=all seed=5"),
]

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(other LANGUAGES CXX)
add_subdirectory({source} gossamer)
set(kernels {source}/gossamer/kernels)
add_executable(compilers_program {source}/tests/simulation/compilers_program.cpp
  ${{kernels}}/gups.cpp ${{kernels}}/uts.cpp ${{kernels}}/uts_tree.cpp ${{kernels}}/internal/sha1.cpp)
target_link_libraries(compilers_program PRIVATE gossamer_graph)
"""


def skip(why):
    print(why, file=sys.stderr)
    sys.exit(77)


def other_compiler():
    mine = subprocess.run([os.environ.get("CXX", "c++"), "--version"], capture_output=True, text=True).stdout
    if "clang" in mine:
        return shutil.which("g++")
    numbered = [name for folder in os.environ["PATH"].split(":") if os.path.isdir(folder)
                for name in os.listdir(folder) if re.fullmatch(r"clang\+\+-(1[6-9]|[2-9]\d)", name)]
    for name in sorted(numbered, reverse=True):
        return shutil.which(name)
    return shutil.which("clang++")


if os.environ.get("GOSSAMER_SANITIZE"):
    skip("sanitizers are for the other tests")
if not PROGRAM.exists():
    skip(f"{PROGRAM} is not built")
COMPILER = other_compiler()
if COMPILER is None:
    skip("there is no other compiler")


def checks():
    """Development builds preemption_point more: both builds are of one kind."""
    cache = (BUILD / "CMakeCache.txt").read_text()
    return re.search(r"^GOSSAMER_CHECKS:BOOL=(.*)$", cache, re.M)[1]


def build():
    (FOLDER / "source").mkdir(parents=True, exist_ok=True)
    project, text = FOLDER / "source" / "CMakeLists.txt", PROJECT.format(source=SOURCE)
    if not project.exists() or project.read_text() != text:
        project.write_text(text)
    commands = [["cmake", "-S", FOLDER / "source", "-B", FOLDER, f"-DCMAKE_CXX_COMPILER={COMPILER}",
                 f"-DGOSSAMER_CHECKS={checks()}", "-DCMAKE_BUILD_TYPE=Plain", "-DCMAKE_CXX_FLAGS=-O1",
                 "-DCMAKE_UNITY_BUILD=ON"],
                ["cmake", "--build", FOLDER, "--parallel", "2", "--target", "compilers_program"]]
    if shutil.which("ninja"):
        commands[0] += ["-G", "Ninja"]
    if shutil.which("ccache"):
        commands[0].append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    for command in commands:
        done = subprocess.run(list(map(str, command)), env=CLEAN, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return FOLDER / "compilers_program"


class Compilers(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.programs = PROGRAM, build()

    def run_one(self, program, command, cluster):
        with tempfile.TemporaryDirectory(prefix="gossamer-compilers-") as folder:
            done = subprocess.run([str(program), command], cwd=folder, capture_output=True, text=True, timeout=120,
                                  env={**CLEAN, "GOSSAMER_SIMULATE": f"{cluster} report=- trace=trace.json"})
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout, done.stderr, (pathlib.Path(folder) / "trace.json").read_text()

    def test_runs_are_the_same(self):
        for command, cluster in RUNS:
            with self.subTest(command=command, cluster=cluster):
                mine, others = (self.run_one(program, command, cluster) for program in self.programs)
                self.assertIn("digest", mine[1])
                for what, a, b in zip(("answer and counters", "line about the run", "trace"), mine, others):
                    if what == "trace":
                        self.assertTrue(a == b, "the traces differ")
                    else:
                        self.assertEqual(a, b, what)


if __name__ == "__main__":
    unittest.main(verbosity=2)
