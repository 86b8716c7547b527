"""Questions about graphs: what follows from their descriptions is there."""

import os
import pathlib
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

    def test_a_manual_page_says_what_is_computed(self):
        with tempfile.TemporaryDirectory(prefix="gossamer-manual-") as folder:
            subprocess.run([PROGRAM, "--write-manual", folder], check=True)
            page = (pathlib.Path(folder) / "man/man1/gossamer-cores.1").read_text()
        self.assertIn(".SH DESCRIPTION\ncore(v) is the largest k", page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
