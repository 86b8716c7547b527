"""What must end ends, whatever another core does: saturated, late, or computing. And a stall is reported. Real processes, by lanes, by
the wire and inside one; packets small and large."""
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, Job, NODE  # noqa: E402

PROGRAM = BUILD / "bin" / "progress_program"

if not NODE.here() or not PROGRAM.exists() or os.environ.get("GOSSAMER_SANITIZE"):
    print("no program gossamer, or no progress_program, or a sanitizer", file=sys.stderr)
    sys.exit(77)

LANES, WIRE = {}, {"GOSSAMER_NODE_MEMORY": "off"}
CHUNKS = {**WIRE, "GOSSAMER_BULK_BYTES": "0"}
FEW = {**CHUNKS, "GOSSAMER_WIRE_PACKETS": "4", "GOSSAMER_WIRE_PACKET_BYTES": "16384"}
SMALL, LARGE = {"GOSSAMER_PACKET_BYTES": "2048"}, {"GOSSAMER_PACKET_BYTES": "65536"}


class Progress(unittest.TestCase):
    def ended(self, mode, processes, cores, settings):
        with tempfile.TemporaryDirectory() as folder:
            words = (PROGRAM, mode, pathlib.Path(folder, "flags"))
            command = list(map(str, words)) if processes == 1 else NODE.command(processes, *words)
            code, out, errors, _ = Job(command, {"GOSSAMER_CORES": str(cores), **settings}).end(timeout=250)
        return code, out, errors

    def each(self, mode, cases):
        for processes, cores, settings in cases:
            with self.subTest(mode=mode, processes=processes, cores=cores, **settings):
                code, out, errors = self.ended(mode, processes, cores, settings)
                self.assertEqual((code, out), (0, f"{mode} of {processes * cores} cores: done\n"), errors)

    def test_what_is_ready_leaves_before_a_fiber_computes(self):
        self.each("answers", [(1, 2, {}), (1, 4, {}), (2, 1, LANES), (2, 1, WIRE), (2, 2, LANES), (3, 1, WIRE), (2, 1, SMALL)])

    def test_fibers_run_while_a_stream_comes(self):
        self.each("stream", [(1, 2, {}), (1, 3, SMALL), (2, 1, LANES), (2, 1, WIRE), (3, 1, LANES)])

    def test_a_granted_message_waits_for_nothing_that_is_sent_later(self):
        room = {"GOSSAMER_UNEXPECTED_BYTES": "1MiB"}
        self.each("order", [(1, 2, room), (2, 1, {**LANES, **room}), (2, 1, {**CHUNKS, **room}), (2, 1, {**FEW, **room}),
                            (2, 1, {**WIRE, **room}), (2, 1, {**LANES, **LARGE, **room})])

    def test_large_messages_arrive_beside_a_stream(self):
        self.each("large", [(1, 2, {}), (2, 1, LANES), (2, 1, WIRE), (2, 1, CHUNKS), (2, 1, LARGE)])
        self.each("large-yields", [(2, 1, LANES), (2, 1, CHUNKS), (2, 1, FEW)])

    def test_answers_and_large_messages_take_turns(self):
        self.each("answers-large", [(2, 1, LANES), (2, 1, CHUNKS), (2, 1, FEW), (2, 1, SMALL)])

    def test_a_stall_is_reported(self):
        room = {"GOSSAMER_UNEXPECTED_BYTES": "1MiB"}
        for mode in "stall", "stall-large":
            for processes, cores, settings in ((1, 2, room), (2, 1, {**LANES, **room}), (2, 1, {**WIRE, **room}), (2, 1, {**FEW, **room})):
                with self.subTest(mode=mode, processes=processes, **settings):
                    code, _, errors = self.ended(mode, processes, cores, settings)
                    self.assertEqual(code, 2, errors)
                    self.assertEqual(len(re.findall("the job has stalled", errors)), 1, errors)


if __name__ == "__main__":
    unittest.main(verbosity=2)
