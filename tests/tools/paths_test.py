"""Every path of a file that a document or a comment names is there."""

import os
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).parents[2]))
DOCUMENTS = ("*.md", "docs/*.md", "docs/performance/*.md")
PATH = r"(?<![\w./-])((?:[\w-]+/)+[\w-]+(?:\.[a-z]+)+)"
PLACEHOLDER = r"/(x|x_\w+|NNNN-title)\.\w+$"
ENDINGS = (".hpp", ".cpp", ".h", ".py", ".sh", ".cmake", ".toml", ".md", ".json")
FOLDERS = ("gossamer", "cli", "tests", "bench", "cmake", "docs", "examples", "plugins", "tools")
ROOTS = ("", "gossamer/", "cli/", "tests/")


def tracked():
    done = subprocess.run(["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True)
    if done.returncode == 0:
        return set(done.stdout.split())
    return {str(file.relative_to(SOURCE)) for file in SOURCE.rglob("*") if file.is_file()}


class Paths(unittest.TestCase):
    maxDiff = None

    def check(self, files, inside):
        known = tracked()
        layers = {path.split("/")[1] for path in known if path.startswith("gossamer/") and path.count("/") > 1}
        wrong = []
        for file in files:
            for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
                for text in inside(line):
                    for path in re.findall(PATH, text):
                        if not path.endswith(ENDINGS) or path.split("/")[0] not in {*FOLDERS, *layers}:
                            continue
                        if re.search(PLACEHOLDER, path):
                            continue
                        if not any(root + path in known for root in ROOTS):
                            wrong.append(f"{file.relative_to(SOURCE)}:{number}: {path}")
        self.assertEqual(wrong, [], "\n".join(wrong))

    def test_documents(self):
        files = [file for pattern in DOCUMENTS for file in sorted(SOURCE.glob(pattern))]
        self.assertGreater(len(files), 6)
        self.check(files, lambda line: re.findall(r"`([^`]+)`", line))

    def test_comments(self):
        files = [SOURCE / name for name in sorted(tracked()) if name.endswith((".hpp", ".cpp"))]
        self.assertGreater(len(files), 300)
        self.check(files, lambda line: re.findall(r"//(.*)", line))


if __name__ == "__main__":
    unittest.main(verbosity=2)
