"""tools/check-format names what differs, and says what else is wrong."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))

if shutil.which("clang-format-19") is None:
    print("no clang-format-19", file=sys.stderr)
    sys.exit(77)


class CheckFormat(unittest.TestCase):
    def run_tool(self, *words):
        done = subprocess.run([SOURCE / "tools/check-format", *words], capture_output=True, text=True)
        return done.returncode, done.stderr

    def test_a_file_that_is_not_there(self):
        for words in ("nosuch.cpp",), ("--fix", "nosuch.cpp"):
            self.assertEqual(self.run_tool(*words), (2, "error: expected a source, found no file nosuch.cpp\n"))

    def test_a_line_that_differs(self):
        with tempfile.TemporaryDirectory(prefix="gossamer-format-") as folder:
            shutil.copy(SOURCE / ".clang-format", folder)
            path = pathlib.Path(folder) / "a.cpp"
            path.write_text("int a;\nint   b;\n")
            self.assertEqual(self.run_tool(path), (1, f"{path}:2: differs from .clang-format (make format mends it)\n"))
            self.assertEqual(self.run_tool("--fix", path), (0, ""))
            self.assertEqual(self.run_tool(path), (0, ""))
            (pathlib.Path(folder) / ".clang-format").write_text("no: style\n")
            code, told = self.run_tool(path)
            self.assertEqual(code, 1)
            self.assertIn(".clang-format", told)


if __name__ == "__main__":
    unittest.main(verbosity=2)
