"""tools/check-words finds pronouns for things, long sentences and comments of functions without a verb, and lets the rest be."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).parents[2]))
LONG = "a " * 16 + "b, " + "c " * 16


class Words(unittest.TestCase):
    def found(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.write_text(text)
            done = subprocess.run([sys.executable, SOURCE / "tools/check-words", file], capture_output=True, text=True)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            lines = [line.rsplit("/", 1)[1] for line in done.stdout.splitlines()[:-1]]
            self.assertEqual(done.returncode, 1 if lines else 0)
            return lines

    def test_pronouns_for_things(self):
        self.assertEqual(self.found("a.cpp", "int a;\n// Wakes whoever waits.\n"), ['a.cpp:2: "whoever" for a thing'])
        self.assertEqual(len(self.found("a.md", "The core who waits.\n\n- Nobody comes.\n")), 2)

    def test_long_sentences(self):
        self.assertEqual(len(self.found("a.hpp", f"/// {LONG}\n/// {LONG}.\n")), 1)
        self.assertEqual(len(self.found("a.md", f"{LONG}\n{LONG}. Short.\n")), 1)

    def test_comments_of_functions_begin_with_a_verb(self):
        self.assertEqual(self.found("a.hpp", "/// Number of cores.\nunsigned cores() const;\n"),
                         ['a.hpp:1: the comment of a function begins with no verb: "Number of cores...."'])
        self.assertEqual(self.found("a.hpp", "  /// Returns the number.\n  /// Slow.\n  template <class T>\n  unsigned cores(T t) const {\n"), [])
        self.assertEqual(self.found("a.hpp", "/// Number of cores.\nunsigned cores = count();\n/// The set.\nclass set {\n"), [])
        self.assertEqual(len(self.found("a.cpp", "// The rest.\nstd::vector<int> rest(std::span<const int> all) {\n  // The last.\n  f(all);\n")), 1)

    def test_conflicts_of_a_merge(self):
        sides = f"Right.\n{'<' * 7} HEAD\n- One.\n{'=' * 7}\n- Other.\n{'>' * 7} branch\n"
        self.assertEqual(self.found("a.md", sides), [f'a.md:2: a conflict of a merge: "{"<" * 7} HEAD"',
                                                     f'a.md:6: a conflict of a merge: "{">" * 7} branch"'])
        self.assertEqual(len(self.found("a.py", f"{'>' * 7} branch\n")), 1)
        self.assertEqual(self.found("a.md", f"Title\n{'=' * 7}\n\n    {'<' * 7} quoted\n"), [])

    def test_what_is_right(self):
        self.assertEqual(self.found("a.cpp", f'auto who = "nobody";  // two words\n// {LONG.replace(",", ".")}.\n'), [])
        self.assertEqual(self.found("a.md", f"For people who wait.\n\n| who | {LONG} {LONG} |\n\n```\nnobody {LONG} {LONG}\n```\n"), [])
        self.assertEqual(self.found("a.hpp", f"//   state   {LONG} {LONG}\n"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
