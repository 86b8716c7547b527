"""tools/wheel refuses interpreters that the package cannot serve before it compiles, and makes wheels for several of one build. Interpreters,
pip, auditwheel and the build are stand-ins here."""

import ast
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).parents[2]))

# Runs scripts, after a line that makes it another interpreter; has pip and auditwheel, which note how they were called.
INTERPRETER = """#!/bin/sh
echo "$(basename "$0") $*" >>"{root}/log"
case "$*" in
  *" wheel "*) mkdir -p build/wheels/unbundled; echo >"build/wheels/unbundled/gossamer-$(basename "$0")-linux_x86_64.whl" ;;
  *" repair "*) for whl in build/wheels/unbundled/*; do
      name=$(basename "$whl" -linux_x86_64.whl); head -c {bytes} /dev/zero >"build/wheels/$name-manylinux_2_34_x86_64.whl"; done ;;
  *) exec {python} -c 'import platform, runpy, sys, sysconfig; {lie}; runpy.run_path(sys.argv[1], run_name="__main__")' "$@" ;;
esac
"""
BUILD = """#!/bin/sh
echo "build $*" >>log
"""


class Wheel(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "tools").mkdir()
        (self.root / "log").write_text("")
        for name in "wheel", "python-supported":
            shutil.copy(SOURCE / "tools" / name, self.root / "tools")
        self.script("tools/build", BUILD)
        self.script("tools/bundled-licences", "#!/usr/bin/env python3\n")
        self.interpreter("build/python-env/bin/python")

    def script(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def interpreter(self, name, lie="pass", size=1000):
        return self.script(name, INTERPRETER.format(root=self.root, python=sys.executable, lie=lie, bytes=size))

    def wheel(self, *interpreters):
        return subprocess.run([self.root / "tools/wheel", *interpreters], cwd=self.root, capture_output=True, text=True)

    def log(self):
        return (self.root / "log").read_text().splitlines()

    def refused(self, why, *interpreters):
        done = self.wheel(*interpreters)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
        self.assertIn(why, done.stderr)
        self.assertFalse([line for line in self.log() if line.startswith("build") or "pip" in line], "nothing is compiled")

    def test_one_build_serves_all_interpreters(self):
        done = self.wheel(self.interpreter("python3.10"), self.interpreter("python3.12"))
        self.assertEqual(done.returncode, 0, done.stderr)
        log = self.log()
        self.assertEqual([line for line in log if line.startswith("build")], ["build portable gossamer gossamer_cli"])
        made = [line for line in log if " wheel " in line]
        self.assertEqual([line.split()[0] for line in made], ["python3.10", "python3.12"])
        for line in made:
            self.assertIn(f"GOSSAMER_BUILT={self.root.resolve()}/build/portable", line)
        self.assertIn("build/wheels/gossamer-python3.12-manylinux_2_34_x86_64.whl: 1 KB", done.stdout)

    def test_without_a_name_it_takes_the_environment(self):
        self.assertEqual(self.wheel().returncode, 0)
        self.assertEqual([line.split()[0] for line in self.log() if " wheel " in line], ["python"])

    def test_no_such_interpreter(self):
        self.refused("no interpreter python9.9", "python9.9")

    def test_a_python_without_a_gil(self):
        free = self.interpreter("python3.14t", "sysconfig.get_config_vars()['Py_GIL_DISABLED'] = 1".replace("'", '"'))
        self.refused("expected a Python with a GIL", self.interpreter("python3.12"), free)

    def test_an_old_python(self):
        self.refused("expected Python 3.10 or newer, found 3.9", self.interpreter(
            "python3.9", 'sys.version_info = (3, 9, 1); platform.python_version = lambda: "3.9.1"'))

    def test_a_python_of_version_2_can_read_the_refusal(self):
        tree = ast.parse((SOURCE / "tools/python-supported").read_text())
        newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Nonlocal, ast.Starred, ast.AsyncFunctionDef)
        self.assertEqual([], [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, newer)])
        self.assertEqual([], [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "print"])

    def test_another_python(self):
        self.refused("expected CPython, found PyPy", self.interpreter("pypy3", 'platform.python_implementation = lambda: "PyPy"'))

    def test_a_large_wheel_is_an_error(self):
        done = self.wheel(self.interpreter("build/python-env/bin/python", size=16_000_001))
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected at most 16 MB", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
