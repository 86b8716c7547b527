"""Malformed and awkward files through every command that reads text: each answers, or says on one line what is wrong with which file.
What it says does not depend on the cores, on compression, or on whether the text comes by a pipe."""
import gzip
import json
import subprocess
import unittest

from program import CLEAN, PROGRAM, ProgramTest

LONG = b"x" * 70_000  # longer than a chunk
TEXTS = {
    "empty": b"",
    "mark": b"\xef\xbb\xbf",
    "mark and table": b"\xef\xbb\xbfa,b\n1,2\n1,3\n",
    "header alone": b"a,b\n",
    "line ends": b"\n\n\n",
    "carriage returns": b"1,2\r3,4\r",
    "both line ends": b"1,2\r\n3,4\n5,6\r\n",
    "no last line end": b"1,2\n3,4",
    "blanks": b" \n\t\n  ",
    "separators": b",,,\n,,,\n",
    "zero bytes": b"1,2\n3,\x004\n",
    "open quote": b'1,2\n"3,4\n5,6\n',
    "stray quote": b'1,2\n3"4,5\n6,7\n',
    "text behind a quote": b'1,2\n"3"4,5\n',
    "quotes alone": b'"""""\n""\n"',
    "field of many lines": b'1,2\n"' + b"line\n" * 9_000 + b'",4\n5,6\n',
    "one long line": LONG,
    "one long field": b"1,2\n" + LONG + b",4\n",
    "many columns": b",".join(b"%d" % i for i in range(3_000)) + b"\n",
    "uneven": b"1,2\n3\n4,5,6\n",
    "no UTF-8": b"caf\xe9,1\nth\xe9,2\n",
    "huge numbers": b"1,99999999999999999999999999999999999999999999\n2,1e999\n3,-0\n4,nan\n",
    "comments": b"# one\n% two\n// three\n",
    "numbers and names": b"1 2\n2 three\nNA 4\n",
}
COMMANDS = (
    ["info", "--json"],
    ["components", "-o", "-"],
    ["convert", "-"],
    ["group", "--by", "1", "-o", "-"],
    ["group", "--by", "1", "--sum", "2", "--skip-bad", "-o", "-"],
    ["group", "--by", "2", "--no-header", "--min", "1", "-o", "-"],
    ["sort"],
    ["sort", "--key", "2", "--numeric", "--separator", ",", "--skip-bad"],
    ["wordcount", "-o", "-"],
    ["wordcount", "--field", "1", "--separator", ",", "--skip-bad", "-o", "-"],
)
GRAPH = ("vertices", "edges", "directed", "duplicates", "self_loops", "weights_ignored", "header")  # of the answer of info


class AwkwardFiles(ProgramTest):
    def end_of(self, command, path, cores, stdin=b""):
        """Exit code, answer, and the error without the name of the file."""
        name, *options = command
        words = [name, path, *options, "--cores", str(cores), "--quiet"]
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, env=CLEAN, input=stdin, capture_output=True, timeout=60)
        errors = done.stderr.decode(errors="replace")
        self.assertIn(done.returncode, (0, 2), f"{words}: {errors}")
        if done.returncode == 2:
            self.assertRegex(errors, r"\Aerror: [^\n]+\n\Z", words)
            self.assertEqual(done.stdout, b"", words)
        answer = done.stdout
        if name == "info" and done.returncode == 0:
            answer = {key: value for key, value in json.loads(answer).items() if key in GRAPH}
        return done.returncode, answer, errors.replace("standard input", "FILE").replace(path, "FILE")

    def test_every_file_through_every_command(self):
        for name, text in TEXTS.items():
            self.file("t.txt", text)
            self.file("t.gz", gzip.compress(text))
            for command in COMMANDS:
                with self.subTest(file=name, command=command):
                    once = self.end_of(command, "t.txt", 1)
                    self.assertEqual(self.end_of(command, "t.txt", 3), once)
                    self.assertEqual(self.end_of(command, "t.gz", 2)[:2], once[:2])
                    self.assertEqual(self.end_of(command, "-", 2, text)[:2], once[:2])


if __name__ == "__main__":
    unittest.main()
