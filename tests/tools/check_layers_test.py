"""tools/check-layers must catch what it is there for: each case plants one file in a small tree."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).parents[2]))


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copy(SOURCE / "layers.toml", self.root)

    def plant(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def check(self):
        return subprocess.run([str(SOURCE / "tools/check-layers"), "--root", str(self.root)],
                              capture_output=True, text=True)

    def assert_caught(self, place, *words):
        result = self.check()
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        line = next((line for line in result.stdout.splitlines() if line.startswith(place)), None)
        self.assertIsNotNone(line, f"no line for {place} in: {result.stdout}")
        for word in words:
            self.assertIn(word, line)

    def test_a_layer_may_include_what_is_below_it_at_any_depth(self):
        self.plant("gossamer/message/outbox.hpp",
                   '#include "gossamer/fabric/packet.hpp"\n#include "gossamer/base/error.hpp"\n#include <vector>\n')
        self.plant("gossamer/machine/memory.cpp", "#include <sys/mman.h>\n")
        self.plant("tests/base/x_test.cpp", '#include "gossamer/parallel/job.hpp"\n')
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("2 files, 0 includes", result.stdout)

    def test_a_layer_above_is_caught_with_file_and_line(self):
        self.plant("gossamer/base/units.hpp", '#pragma once\n\n#include "gossamer/graph/graph.hpp"\n')
        self.assert_caught("gossamer/base/units.hpp:3:", "gossamer/graph/graph.hpp")

    def test_a_layer_beside_is_caught(self):
        self.plant("gossamer/fabric/lane.cpp", '#include "gossamer/fiber/fiber.hpp"\n')
        self.assert_caught("gossamer/fabric/lane.cpp:1:", "base, machine")

    def test_a_later_folder_of_the_same_layer_is_caught(self):
        self.plant("gossamer/graph/build/rows.hpp", '#include "gossamer/graph/ingest/edge_batch.hpp"\n')
        self.plant("gossamer/graph/ingest/edge_batch.hpp", '\n#include "gossamer/graph/build/rows.hpp"\n')
        self.assert_caught("gossamer/graph/ingest/edge_batch.hpp:2:", "ingest comes before build")
        self.assertNotIn("rows.hpp:1:", self.check().stdout)

    def test_the_public_face_is_not_for_the_library(self):
        self.plant("gossamer/graph/algorithms/bfs.cpp", '#include "gossamer/gossamer.hpp"\n')
        self.assert_caught("gossamer/graph/algorithms/bfs.cpp:1:", "gossamer/gossamer.hpp")

    def test_the_operating_system_is_for_machine(self):
        self.plant("gossamer/graph/file.cpp", "#include <cstdio>\n  #  include <sys/mman.h>\n")
        self.assert_caught("gossamer/graph/file.cpp:2:", "only machine asks the operating system")

    def test_an_exception_holds_for_its_file_only(self):
        self.plant("gossamer/base/assert.cpp", "#include <unistd.h>\n")
        self.plant("gossamer/base/internal/log.cpp", "#include <unistd.h>\n")
        self.assert_caught("gossamer/base/internal/log.cpp:1:", "unistd.h")
        self.assertNotIn("assert.cpp", self.check().stdout)

    def test_an_unknown_layer_is_caught(self):
        self.plant("gossamer/attic/old.cpp", "\n")
        self.assert_caught("gossamer/attic/old.cpp:1:", "attic is no layer")

    def test_a_cycle_in_the_table_is_refused(self):
        (self.root / "layers.toml").write_text('[layers]\nbase = ["machine"]\nmachine = ["base"]\n')
        result = self.check()
        self.assertEqual(result.returncode, 2)
        self.assertIn("cycle", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
