"""`make docs`: what is public is described, and links lead somewhere (skipped without Doxygen)."""

import os
import pathlib
import re
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

    def test_a_figure_stands_where_it_is_drawn(self):
        text = "before\n<!-- figure a-b: what it shows -->\n<!-- figure none: never drawn -->\nbehind\n"
        with tempfile.TemporaryDirectory(prefix="gossamer-docs-") as folder:
            figures = pathlib.Path(folder) / "build/docs/figures"
            figures.mkdir(parents=True)
            (figures / "a-b.svg").write_text("<svg/>\n")
            done = subprocess.run([SOURCE / "tools/figure-filter"], input=text, cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.stdout, "before\n![what it shows](a-b.svg)\nbehind\n")

    def test_every_named_figure_is_drawn(self):
        tools = "".join((SOURCE / "tools" / name).read_text() for name in ("structures", "curves", "mapreduce"))
        named = [name for page in (SOURCE / "docs").rglob("*.md") for name in re.findall(r"^<!-- figure ([^:]*):", page.read_text(), re.M)]
        self.assertGreater(len(named), 5)
        for name in named:
            self.assertTrue(name in tools or name.split("-", 1)[1] in tools, f"no tool draws {name}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
