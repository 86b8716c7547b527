"""tools/build configures anew where the compiler, the MPIs, Python's environment or the folder of the sources are others than last time, and
only there. cmake and pkg-config are stand-ins here."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).parents[2]))

CMAKE = """#!/bin/sh
[ "$1" = --fresh ] || exit 0
echo configured >>log
echo >build/dev/build.ninja
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/dev/CMakeCache.txt
"""
PKG_CONFIG = """#!/bin/sh
grep "^$2 " packages | cut -d " " -f 2 | grep .
"""


class Build(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for folder in "tools", "bin":
            (self.root / folder).mkdir()
        shutil.copy(SOURCE / "tools/build", self.root / "tools")
        for name, text in ("cmake", CMAKE), ("pkg-config", PKG_CONFIG):
            (self.root / "bin" / name).write_text(text)
            (self.root / "bin" / name).chmod(0o755)
        self.packages("")

    def packages(self, lines):
        (self.root / "packages").write_text(lines)

    def build(self, compiler=None, root=None):
        """How often it configured."""
        root = root or self.root
        log = root / "log"
        log.write_text("")
        env = {k: v for k, v in os.environ.items() if k != "CXX"}
        env["PATH"] = f"{self.root}/bin:{env['PATH']}"
        if compiler:
            env["CXX"] = compiler
        done = subprocess.run([root / "tools/build", "dev"], env=env, cwd=root, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return log.read_text().count("configured")

    def test_the_same_again_is_not_configured(self):
        self.assertEqual([self.build(), self.build()], [1, 0])

    def test_another_compiler(self):
        self.assertEqual([self.build(), self.build("g++-13"), self.build("g++-13"), self.build()], [1, 1, 0, 1])

    def test_a_python_environment_that_comes(self):
        self.assertEqual(self.build(), 1)
        python = self.root / "build/python-env/bin/python"
        python.parent.mkdir(parents=True)
        python.write_text("")
        python.chmod(0o755)
        self.assertEqual([self.build(), self.build()], [1, 0])

    def test_an_mpi_that_comes_changes_and_goes(self):
        self.assertEqual(self.build(), 1)
        for packages in "mpich 4.0\n", "mpich 4.0\nompi-c 4.1\n", "mpich 4.2\nompi-c 4.1\n", "":
            self.packages(packages)
            self.assertEqual([self.build(), self.build()], [1, 0], packages)

    def test_a_copied_or_moved_checkout(self):
        self.assertEqual(self.build(), 1)
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        shutil.copytree(self.root, folder / "copy")
        self.assertEqual([self.build(root=folder / "copy"), self.build(root=folder / "copy"), self.build()], [1, 0, 0])
        (folder / "copy").rename(folder / "moved")
        self.assertEqual([self.build(root=folder / "moved"), self.build(root=folder / "moved")], [1, 0])

    def test_another_path_of_the_same_checkout(self):
        self.assertEqual(self.build(), 1)
        link = self.root.with_name(self.root.name + "-link")
        link.symlink_to(self.root)
        self.addCleanup(link.unlink)
        self.assertEqual([self.build(root=link), self.build()], [0, 0])


class Images(unittest.TestCase):
    def test_build_folders_are_left_out(self):
        for name in ".dockerignore", ".containerignore":
            self.assertIn("build", (SOURCE / name).read_text().splitlines(), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
