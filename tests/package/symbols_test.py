"""Packages and wheels that are made on Debian 12 run with the C and C++ libraries of systems two years older (ADR 0088): the program asks for
no symbol that came later. Elsewhere, and under sanitizers, which bring libraries of their own, there is nothing to compare."""

import os
import re
import subprocess
import unittest

PROGRAM = os.environ.get("GOSSAMER_PROGRAM")
OLDEST = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29)}  # those of manylinux_2_34


def asked():
    """(library, version, symbol) of each symbol that the program takes from elsewhere."""
    lines = subprocess.run(["objdump", "-T", PROGRAM], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"\*UND\*.*\((GLIBC|GLIBCXX)_([0-9.]+)\)\s+(\S+)", lines)
    return [(library, tuple(map(int, version.split("."))), symbol) for library, version, symbol in found]


class Symbols(unittest.TestCase):
    @unittest.skipUnless(PROGRAM, "no program was built")
    @unittest.skipIf(os.environ.get("GOSSAMER_SANITIZE"), "a build with sanitizers is no package")
    @unittest.skipUnless(os.confstr("CS_GNU_LIBC_VERSION") == "glibc 2.36", "packages are made on Debian 12")
    def test_none_is_newer_than_the_tag_of_wheels(self):
        symbols = asked()
        self.assertTrue(symbols)
        self.assertEqual([], [symbol for symbol in symbols if symbol[1] > OLDEST[symbol[0]]])


if __name__ == "__main__":
    unittest.main(verbosity=2)
