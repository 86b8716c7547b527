"""What tools/test-results counts and tells."""

import pathlib
import subprocess
import tempfile
import unittest
from xml.sax.saxutils import escape

TOOL = pathlib.Path(__file__).parents[2] / "tools" / "test-results"


def case(name, output="", inside="", status="run"):
    return f'<testcase name="{name}" time="1.5" status="{status}">{inside}<system-out>{escape(output)}</system-out></testcase>'


FAILURE = '<failure message="Failed"></failure>'
SHARD = """[==========] 9 tests from 2 test suites ran. (3 ms total)
[  PASSED  ] 5 tests.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] A.B
[  FAILED  ] 3 tests, listed below:
[  FAILED  ] A.C
"""


class Results(unittest.TestCase):
    def lines(self, *cases, code=0):
        with tempfile.TemporaryDirectory() as folder:
            result, failures = pathlib.Path(folder, "result.xml"), pathlib.Path(folder, "failures.txt")
            result.write_text(f"<testsuite>{''.join(cases)}</testsuite>")
            done = subprocess.run([TOOL, result, failures, str(code)], capture_output=True, text=True, check=True)
            self.failures = failures.read_text() if failures.exists() else None
            return done.stdout.splitlines()

    def test_tests_are_counted(self):
        skipped = case("c", inside='<skipped message="none"/>', status="notrun")
        self.assertEqual(self.lines(case("a"), case("b"), skipped), ["1 skipped", "2 passed, 0 failed"])
        self.assertIsNone(self.failures)

    def test_cases_of_a_shard_are_counted(self):
        self.assertEqual(self.lines(case("graph/shard_0", "[  PASSED  ] 512 tests.\n"), case("a"))[-1], "513 passed, 0 failed")
        lines = self.lines(case("graph/shard_1", SHARD, FAILURE), case("a"), code=8)
        self.assertEqual(lines[-2:], ["1 skipped", "6 passed, 3 failed"])
        self.assertIn("[  FAILED  ] A.C", lines)
        self.assertEqual(self.lines(case("a", SHARD))[-1], "1 passed, 0 failed")  # another test's words are not counted

    def test_a_shard_that_crashed_is_one_failure(self):
        self.assertEqual(self.lines(case("graph/shard_0", "Segmentation fault", FAILURE), code=8)[-1], "0 passed, 1 failed")

    def test_what_failed_is_told_with_both_ends_of_its_output(self):
        output = "\n".join(f"line {i}" for i in range(80))
        lines = self.lines(case("a"), case("b", output, FAILURE), code=8)
        self.assertEqual(lines[0], "--- failed after 1.5 s: b")
        self.assertEqual(lines[25:28], ["line 24", "... 30 lines ...", "line 55"])
        self.assertEqual(lines[-1], "1 passed, 1 failed")
        self.assertEqual(self.failures.splitlines(), lines[:-1])

    def test_cases_that_passed_are_left_out_but_for_the_one_that_did_not_end(self):
        output = "[ RUN      ] A.B\n[       OK ] A.B (1 ms)\n[ RUN      ] A.C\nwrong\n[  FAILED  ] A.C (2 ms)\n[ RUN      ] A.D\n"
        lines = self.lines(case("graph/shard_0", output, FAILURE), code=8)
        self.assertEqual(lines[1:-1], ["[ RUN      ] A.C", "wrong", "[  FAILED  ] A.C (2 ms)", "[ RUN      ] A.D"])

    def test_a_failure_of_no_test_counts(self):
        self.assertEqual(self.lines(case("a"), code=1)[-1], "1 passed, 1 failed")


if __name__ == "__main__":
    unittest.main()
