"""Mistakes that the compiler refuses, in the words that the library has for them: one compilation of all of them."""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).parents[2]))
COMPILER = os.environ.get("CXX", "c++")
BEGIN = "#include <gossamer/gossamer.hpp>\n#include <string>\nnamespace gs = gossamer;\n"
HANDLE = "static assertion failed.*capture handle"
BY_VALUE = "static assertion failed.*takes elements by value.*take T& to change"
BY_VALUE_SHIPPED = "static assertion failed.*takes the element by value.*take T& to change"
FIELDS = "print_expects_a_replacement_field_for_each_argument"
# What is wrong, and what the compiler says at the line or in its notes.
WRONG = {
    "(gs::scoped_hash_map<int, int>& m) { gs::forall(0, 9, [m](auto) {}); }": HANDLE,
    "(gs::scoped_hash_set<int>& m) { gs::on_all_cores([m] {}); }": HANDLE,
    "(gs::scoped_array<int>& a) { gs::forall(0, 9, [a](auto) {}); }": HANDLE,
    "(gs::scoped_per_core<int>& a) { gs::forall(0, 9, [=](auto) { ++a.here(); }); }": HANDLE,
    "(gs::scoped_counter& n) { gs::forall(0, 9, [n](auto) { n.fetch_add(1); }); }": r"capture numbers and handles by value \(handle\(\) of what is scoped_",  # no template
    "(gs::scoped_stack<int>& s) { gs::forall(0, 9, [s](auto) { s.push(1); }); }": HANDLE,
    "(gs::scoped_queue<int>& s) { gs::forall(0, 9, [s](auto) { s.enqueue(1); }); }": HANDLE,
    "(gs::scoped_priority_queue<int>& s) { gs::forall(0, 9, [s](auto) {}); }": HANDLE,
    "(gs::array<double> a) { gs::forall(a, [](double x) { x = 1; }); }": BY_VALUE,
    "(gs::array<double> a) { gs::forall(a, [](auto i, auto x) { x = i; }); }": BY_VALUE,
    "(gs::array<double> a) { gs::forall(a, a, [](double x, double y) { x = y; }); }": BY_VALUE,
    "(gs::array<double> a) { a.async(1, [](double x) { x = 1; }); }": BY_VALUE_SHIPPED,
    "(gs::array<double> a) { a.call(1, [](auto x) { x = 1; }); }": BY_VALUE_SHIPPED,
    '(double x) { gs::print("%f\\n", x); }': FIELDS,
    '(double x) { gs::print("{} %d\\n", x, 1); }': FIELDS,
    "(std::string s) { gs::forall(0, 9, [s](auto) {}); }": "static assertion failed.*copied as bytes to other cores",
}
RIGHT = """
void right(gs::array<double> a, const gs::scoped_hash_map<int, int>& m, double x) {
  gs::forall(a, [](double& x) { x = 1; });
  gs::forall(a, [](const double&) {});
  a.async(1, [](double& x) { x = 1; });
  a.async(1, [](auto& x, std::uint64_t i) { x = i; });
  (void)a.call(1, [](double x) { return x; });
  gs::forall(a, a, [](double& x, double y) { x = y; });
  gs::forall(0, 9, [m = m.handle()](auto) { m.insert(1, 2); });
  gs::print("{} {:.2f} 100%\\n", x, x);
  gs::print("{1} {0}\\n", x, 2);
  (void)gs::forall(a, [](double x) { return x; }, 0, std::plus<>());
}
"""


CLANG = "clang" in subprocess.run([*shlex.split(COMPILER), "--version"], capture_output=True, text=True).stdout


def said(code):
    """The words of the compiler, and whether it took the code."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "code.cpp")
        file.write_text(BEGIN + code)
        done = subprocess.run([*shlex.split(COMPILER), "-std=c++20", "-fsyntax-only", "-ferror-limit=0" if CLANG else "-fmax-errors=0",
                               f"-I{SOURCE}", str(file)], capture_output=True, text=True)
        return done.stderr, done.returncode == 0


def errors_at(text, line):
    """The errors that a line of the code leads to. GCC says before an error what requires it, clang afterwards."""
    lines = text.splitlines()
    at = [k for k, one in enumerate(lines) if ": error: " in one]
    pieces = zip(at, [*at[1:], len(lines)]) if CLANG else zip([0, *(k + 1 for k in at)], (k + 1 for k in at))
    texts = ["\n".join(lines[begin:end]) for begin, end in pieces]
    return [one for one in texts if f"code.cpp:{line}:" in one]


class RefusedCode(unittest.TestCase):
    def test_what_is_right_is_taken(self):
        text, taken = said(RIGHT)
        self.assertTrue(taken, text)

    def test_mistakes_are_told_in_words(self):
        text, taken = said("".join(f"void wrong_{k}{code}\n" for k, code in enumerate(WRONG)))
        self.assertFalse(taken)
        for k, (code, words) in enumerate(WRONG.items()):
            with self.subTest(code=code):
                told = errors_at(text, BEGIN.count("\n") + 1 + k)
                self.assertTrue(any(re.search(words, one, re.S) for one in told), "\n".join(told) or text[:3000])


if __name__ == "__main__":
    unittest.main(verbosity=2)
