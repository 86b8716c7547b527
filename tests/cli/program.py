"""What the tests of the program share: running it, and judging how it ended."""
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("GOSSAMER_PROGRAM", "")
DATA = pathlib.Path(os.environ.get("GOSSAMER_DATA", "data"))
DEBIAN = DATA / "debian-depends.tsv.gz"
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("GOSSAMER_")}

if not PROGRAM or not os.access(PROGRAM, os.X_OK):
    print("GOSSAMER_PROGRAM names no program", file=sys.stderr)
    sys.exit(77)


QUOTED_FIELDS = ("", "a", "a,b", 'say "x"', "two\nlines", ",", '"', "plain words", "\n" * 30, '"",""\n')


def quoted_table(draw, fields=QUOTED_FIELDS):
    """Rows of three columns, the second a number, and their text as CSV. Some fields reach through chunks."""
    rows = [[draw.choice(fields), str(draw.randrange(50)), draw.choice(fields)] for _ in range(draw.choice((3, 300, 6000)))]
    for _ in range(3):
        rows.insert(draw.randrange(len(rows)), ["x\n" * draw.randrange(60000), "7", "longer than a chunk"])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return rows, text.getvalue()


class ProgramTest(unittest.TestCase):
    """Each test has a folder of its own, self.folder, in which the program runs."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gossamer-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_program(self, *arguments, env=None, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=120, program=PROGRAM):
        return subprocess.run([program, *map(str, arguments)], cwd=self.folder, env={**CLEAN, **(env or {})},
                              stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, timeout=timeout)

    def text(self, *arguments, **more):
        """Standard output of a run that went well and had nothing to complain of."""
        done = self.run_program(*arguments, "--quiet", **more)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(done.stderr, b"")
        return done.stdout.decode()

    def spares_what_it_reads(self, text, command, *options):
        """Checks that a command of tables refuses to write over a file of this text that it reads, whatever its name."""
        for name in "t.csv", "other.csv":
            self.file(name, text)
        (self.folder / "link.csv").symlink_to("t.csv")
        os.link(self.folder / "t.csv", self.folder / "hard.csv")
        for read in ["t.csv"], ["other.csv", "t.csv"]:
            for name in "t.csv", "./t.csv", "link.csv", "hard.csv":
                with self.subTest(read=read, name=name):
                    self.assertIn(f'expected another file to write than one that is read, found "{name}"',
                                  self.refused(command, *read, *options, "-o", name))
        self.assertEqual((self.folder / "t.csv").read_text(), text)

    def answer(self, *arguments, **more):
        """The one JSON object of a run that went well."""
        return json.loads(self.text(*arguments, "--json", **more))

    def refused(self, *arguments, **more):
        """The one line of a run that must fail: exit code 2, nothing on standard output, no file left."""
        before = set(self.folder.rglob("*"))
        done = self.run_program(*arguments, **more)
        message = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, 2, f"{arguments}: {message}")
        self.assertEqual(done.stdout or b"", b"")
        self.assertRegex(message, r"\Aerror: [^\n]+\n\Z")
        self.assertEqual(set(self.folder.rglob("*")), before, "left a file behind")
        return message

    def file(self, name, contents):
        path = self.folder / name
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return path

    def names(self):
        return sorted(p.name for p in self.folder.iterdir())


def main():
    unittest.main(verbosity=2)
