"""Questions about graphs: what follows from their descriptions is there."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["GOSSAMER_PROGRAM"]
SOURCE = pathlib.Path(os.environ["GOSSAMER_SOURCE"])


class Descriptions(unittest.TestCase):
    def test_the_tables_of_the_documents_are_these(self):
        done = subprocess.run([sys.executable, SOURCE / "tools/question-tables", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_help_has_the_name_of_the_documents(self):
        for command, name in ("pagerank", "--personalise"), ("betweenness", "--normalised"):
            self.assertIn(f"  {name}", subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True).stdout)

    def test_the_document_lists_the_options_of_answers(self):
        """Its row is what graph commands declare of their own, and what the command line adds to every graph."""
        def help_of(*words):
            return subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True).stdout
        declared = set()
        for command in re.findall(r"^  ([a-z-]+)  ", help_of().split("commands:")[1].split("examples:")[0], re.M):
            text = help_of(command)
            usage = re.search(r"^usage: gossamer \S+ G (.*)\[options\]$", text, re.M)
            if usage and command != "convert":
                own = re.search(r"^Options:\n(?:  .*\n)*", text, re.M)
                declared |= set(usage[1].split()) | set(re.findall(r"^  (?:-\w, )?--([a-z-]+)", own[0] if own else "", re.M))
        written = re.findall(r'"options/([a-z_]+)"', (SOURCE / "cli/commands/graph_command.cpp").read_text())
        row = re.search(r"^\| `options` \| all \| (.*) \|$", (SOURCE / "docs/cli.md").read_text(), re.M)[1]
        self.assertEqual(set(re.findall(r"`([a-z_]+)`", row)), {name.replace("-", "_") for name in declared} | set(written))

    def test_a_manual_page_says_what_is_computed(self):
        with tempfile.TemporaryDirectory(prefix="gossamer-manual-") as folder:
            subprocess.run([PROGRAM, "--write-manual", folder], check=True)
            page = (pathlib.Path(folder) / "man/man1/gossamer-cores.1").read_text()
        self.assertIn(".SH DESCRIPTION\ncore(v) is the largest k", page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
