"""Jobs of many cores on few processors: 64 to 256 cores of a node, in 2 to 16 processes, with packets of every size, start, and each
core talks with each other one. Lanes between processes grow with the square of the cores: a job has them where they take little of the
memory, and the wire else (ADR 0046). Either way every message arrives."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, Job, NODE  # noqa: E402

PROGRAM = BUILD / "bin" / "many_cores_program"

if not NODE.here() or not PROGRAM.exists() or os.environ.get("GOSSAMER_SANITIZE"):
    print("no transport of a node, or no many_cores_program, or a sanitizer, under which they take minutes", file=sys.stderr)
    sys.exit(77)

WORDS = 150


class ManyCores(unittest.TestCase):
    def run_job(self, processes, cores, packet_bytes, **settings):
        environment = {"GOSSAMER_CORES": str(cores), "GOSSAMER_PACKET_BYTES": str(packet_bytes), **settings}
        code, out, errors, seconds = Job(NODE.command(processes, PROGRAM), environment).end(timeout=200)
        print(f"{processes} x {cores}, packets of {packet_bytes}: {out.strip()}, {seconds:.1f} s")
        return code, out, errors

    def check(self, processes, cores, packet_bytes, way, **settings):
        n = processes * cores
        code, out, errors = self.run_job(processes, cores, packet_bytes, **settings)
        total = n * (n - 1) * (WORDS * (WORDS - 1) // 2)
        self.assertEqual((code, errors), (0, ""), (processes, cores, packet_bytes))
        self.assertRegex(out, f"^{n * n} of {n * n} answers, {total} of {total}, by {way}\n$")

    def test_start_and_talk(self):
        """Lanes of 24 cores with packets of 64 KiB take more than 1 GiB of the file, those of 128 with packets of 2 KiB too."""
        for processes, cores, packet_bytes in ((2, 12, 64 << 10), (2, 32, 8 << 10), (16, 4, 2 << 10),
                                               (2, 64, 2 << 10), (16, 8, 8 << 10)):
            with self.subTest(processes=processes, cores=cores, packet_bytes=packet_bytes):
                self.check(processes, cores, packet_bytes, "(lanes|the wire)")

    def test_start_with_256_cores(self):
        for processes, cores, packet_bytes in ((2, 128, 2 << 10), (4, 64, 64 << 10), (16, 16, 8 << 10)):
            with self.subTest(processes=processes, cores=cores, packet_bytes=packet_bytes):
                self.check(processes, cores, packet_bytes, "(lanes|the wire)")

    def test_do_without_lanes_that_take_much_of_the_memory(self):
        self.check(2, 32, 64 << 10, "the wire", GOSSAMER_MEMORY_LIMIT="2G")

    def test_are_refused_in_a_line_where_memory_is_short(self):
        code, out, errors = self.run_job(2, 128, 8 << 10, GOSSAMER_MEMORY_LIMIT="20M")
        self.assertNotEqual(code, 0)
        self.assertEqual(out, "")
        self.assertRegex(errors, r"a process of 128 cores needs [\d.]+ MiB, .* available to process 0")


if __name__ == "__main__":
    unittest.main()
