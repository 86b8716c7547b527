"""What the tests of tools share that run made-up programs: a folder of their own, the programs in it, and what these were called with."""
import os
import pathlib
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gossamer-tool-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def calls(self):
        """The lines that the programs have written to the file `calls`."""
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []
