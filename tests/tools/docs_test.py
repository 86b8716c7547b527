"""`make docs`: what is public is described, and links lead somewhere (skipped without Doxygen)."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).parents[2]))
if shutil.which("doxygen") is None:
    print("no doxygen", file=sys.stderr)
    sys.exit(77)


class Docs(unittest.TestCase):
    def run_doxygen(self, folder, more=""):
        text = (SOURCE / "docs/Doxyfile").read_text()
        config = pathlib.Path(folder) / "Doxyfile"
        config.write_text(f"{text}\nOUTPUT_DIRECTORY = {folder}\n{more}\n")
        return subprocess.run(["doxygen", config], cwd=SOURCE, capture_output=True, text=True)

    def test_the_site_is_whole(self):
        with tempfile.TemporaryDirectory(prefix="gossamer-docs-") as folder:
            done = self.run_doxygen(folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            pages = {page.name for page in (pathlib.Path(folder) / "html").glob("*.html")}
            self.assertIn("classgossamer_1_1array.html", pages)
            self.assertTrue(any("guide" in page for page in pages), sorted(pages)[:20])

    def test_what_is_not_described_is_refused(self):
        with tempfile.TemporaryDirectory(prefix="gossamer-docs-") as folder:
            header = pathlib.Path(folder) / "x.hpp"
            header.write_text("#pragma once\n// A header.\nnamespace gossamer {\nvoid nameless(int n);\n}\n")
            done = self.run_doxygen(folder, f"INPUT = {header}\nUSE_MDFILE_AS_MAINPAGE =")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("nameless", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
