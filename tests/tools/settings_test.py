"""Every GOSSAMER_ variable that anything reads is in the table of gossamer/base/settings.cpp, or it would be refused as
unknown; docs/settings.md describes what jobs read."""

import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).parents[2]))
TABLE = (SOURCE / "gossamer/base/settings.cpp").read_text()
NAME = r"GOSSAMER_[A-Z0-9_]+"
READS = (  # in C, C++ and Python: how the environment is read; in CMake: what tests are given
    rf'(?:getenv|text|number|real|bytes|flag|choice|read_setting|set_environment)\((?:[^;"]*, )?"({NAME})"',
    rf'environ(?:\.get|\.setdefault|\.pop)?[\[(]"({NAME})"',
    rf'\b[A-Za-z_]*environment\b[^)]*?({NAME})=',
    rf'ENVIRONMENT\s+"?({NAME})=',
    rf'(?:env|environment)={{"({NAME})"')
FOLDERS = ("bench", "cli", "cmake", "examples", "gossamer", "plugins", "tests", "tools")
MEANT = "gossamer/base/options_test.cpp", "tests/tools/settings_test.py", "tests/cli/bad_input_test.py"  # read what is not there


def registered(reader=None):
    names = re.findall(rf'^\s+(?:number|bytes|choice|text)\("({NAME})"(.*)\),$', TABLE, re.M)
    return {name for name, rest in names if reader is None or (re.search(r", (tool|test)$", rest) or [None, "job"])[1] == reader}


def read():
    """Where each variable is read."""
    places = {}
    for folder in FOLDERS:
        for file in sorted((SOURCE / folder).rglob("*")):
            name = str(file.relative_to(SOURCE))
            if not file.is_file() or name in MEANT or file.suffix in (".svg", ".png", ".jsonl", ".gz", ".zst", ".pyc"):
                continue
            text = file.read_text(errors="replace")
            for pattern in (*READS, rf"\$\{{?({NAME})") if folder == "tools" else READS:  # scripts of the shell
                for found in re.findall(pattern, text):
                    places.setdefault(found, set()).add(name)
    return places


class Settings(unittest.TestCase):
    def test_what_is_read_is_in_the_table(self):
        places = read()
        self.assertLessEqual({"GOSSAMER_CORES", "GOSSAMER_SEEDS", "GOSSAMER_PROGRAM", "GOSSAMER_TRANSPORT"}, set(places))
        unknown = {name: sorted(where) for name, where in places.items() if name not in registered()}
        self.assertEqual(unknown, {}, "add them to gossamer/base/settings.cpp")

    def test_what_is_in_the_table_is_read(self):
        meant = {"GOSSAMER_ROOT", "GOSSAMER_DIR", "GOSSAMER_HOME", "GOSSAMER_OPTIONS_TEST"}
        self.assertEqual(registered() - meant - set(read()), set())

    def test_the_document_describes_what_jobs_and_tools_read(self):
        described = set(re.findall(rf"`({NAME})`", (SOURCE / "docs/settings.md").read_text()))
        self.assertEqual(described, registered("job") | registered("tool"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
