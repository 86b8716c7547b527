"""gossamer papers and gossamer-studies papers: a figure from its command to its page; without the studies, one line says where they are."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / "cli")]
from program import PROGRAM, ProgramTest, main  # noqa: E402

STUDIES = os.environ.get("GOSSAMER_STUDIES", "")
FIGURE = "communicating-threads/hash-table"

if not STUDIES or not os.access(STUDIES, os.X_OK):
    print("GOSSAMER_STUDIES names no program", file=sys.stderr)
    sys.exit(77)
if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib, tomllib"], capture_output=True).returncode != 0:
    print("no python3-matplotlib", file=sys.stderr)
    sys.exit(77)


class Papers(ProgramTest):
    def test_a_figure_from_its_command_to_its_page(self):
        words = ["papers", FIGURE, "--quick", "--recorded", self.folder / "recorded", "-o", self.folder / "pages"]
        done = self.run_program(*words, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        rows = json.loads((self.folder / f"recorded/{FIGURE.replace('/', '.')}.json").read_text())
        self.assertEqual([(row["run"], row["quick"], row["failed"]) for row in rows["rows"]],
                         [("matching", True, None), ("matching, caches emptied", True, None)])
        for row, kinds in zip(rows["rows"], (("{}, gossamer",), ("cold {}, gossamer", "cold {}, gossamer, quartiles"))):
            points = {(name, x) for name, x, *_ in row["values"] if ", gossamer" in name}
            self.assertEqual(points, {(kind.format(what), n) for kind in kinds for what in ("insert", "failed insert + erase") for n in (1, 2, 4)})
        page = (self.folder / "pages/communicating-threads.html").read_text()
        figure = page[page.index('id="hash-table"'):page.index('id="scheduler"')]
        self.assertIn("<svg", figure)
        self.assertIn("quick sizes", figure)
        self.assertIn("gossamer bench matching --json --quiet --quick", figure)
        again = self.run_program(*words, timeout=300)
        self.assertEqual((again.returncode, again.stderr), (0, b""))  # nothing was run

    def test_both_programs_have_it(self):
        lists = [self.text("papers", "--list", program=program, timeout=300) for program in (PROGRAM, STUDIES)]
        self.assertEqual(lists[0], lists[1])
        self.assertIn(f"  {FIGURE} ", lists[0])

    def test_an_unknown_figure_names_the_nearest(self):
        self.assertIn('found "hash-tabel", did you mean hash-table?', self.refused("papers", "hash-tabel"))
        self.assertIn("unknown option --quik", self.refused("papers", "--quik"))

    def test_without_the_studies_one_line_says_where_they_are(self):
        alone = pathlib.Path(shutil.copy(PROGRAM, self.folder / "gossamer"))
        self.assertIn("`make papers` in Gossamer's sources", self.refused("papers", program=alone))


if __name__ == "__main__":
    main()
