"""The end of a job whose answer is complete, where MPI's own end hangs: a library that stands before MPI has an MPI_Finalize
that never returns."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from transport_case import MPIS, PROGRAM, TransportTest  # first: it knows where launching lies
from launching import Job, left_since, leftovers

HANGS = """
#include <unistd.h>
int MPI_Finalize(void) { for (;;) pause(); }
"""


class Closing(TransportTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gossamer-test-")
        self.addCleanup(folder.cleanup)
        source = pathlib.Path(folder.name, "hangs.c")
        source.write_text(HANGS)
        self.library = source.with_suffix(".so")
        subprocess.run([os.environ.get("CXX", "c++"), "-x", "c", "-shared", "-fPIC", "-o", self.library, source], check=True)

    def hanging(self, launcher, *words):
        job = Job(launcher.command(3, "/usr/bin/env", f"LD_PRELOAD={self.library}", PROGRAM, *words))
        self.addCleanup(lambda: job.process.poll() is not None or job.process.kill())
        return job.end()

    def test_is_bounded_and_keeps_the_exit_code(self):
        before = leftovers()
        for launcher in self.each(MPIS):
            for code in (0, 3):
                found, out, errors, _ = self.hanging(launcher, "code", code)
                self.assertEqual(out, "at the end\n" * 3, errors)  # what was printed before is not lost
                self.assertNotIn("was lost", errors)
                if launcher.mpi == "openmpi" and code == 0:
                    self.assertNotEqual(found, 0)  # whose launcher takes an end without MPI_Finalize for a failure
                else:
                    self.assertEqual(found, code, errors)
                if launcher.mpi == "mpich":
                    self.assertNotRegex(errors, "error|BAD TERMINATION")
        self.assertEqual(left_since(before), set())

    def test_is_not_cut_short_where_mpi_ends(self):
        for launcher in self.each():
            found, out, errors, _ = Job(launcher.command(3, PROGRAM, "code", 0)).end()
            self.assertEqual((found, out.count("at the end\n")), (0, 3), errors)


if __name__ == "__main__":
    unittest.main(verbosity=2)
