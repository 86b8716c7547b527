"""tools/papers: commands are recorded once for a commit, failures with their reason, and pages hold every figure. The programs are made up."""
import html.parser
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
TOOL = SOURCE / "tools/papers"
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tools"))
import papers_page  # noqa: E402
import papers_scenario as scenario  # noqa: E402

if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib, tomllib"], capture_output=True).returncode != 0:
    print("no python3-matplotlib", file=sys.stderr)
    sys.exit(77)

# Tells what it was called with. A size of 3 fails until there is a file `mended`. The file `doctor` has what `doctor --json` prints.
PROGRAM = """#!/bin/sh
cd "$(dirname "$0")"
if [ "$1" = doctor ]; then cat doctor; exit; fi
echo "$*" >> calls
case "$*" in
  *"--size 3"*) [ -e mended ] || { echo "error: no memory for size 3" >&2; exit 2; };;
esac
size=$(echo "$*" | sed 's/.*--size \\([0-9]*\\).*/\\1/')
runs=$(grep -c . calls)
echo "{\\"rate\\": $((10 * size)), \\"runs\\": $runs, \\"rows\\": [{\\"bytes\\": 8, \\"gb\\": 0.5}, {\\"bytes\\": 64, \\"gb\\": 4}]}"
"""
PAPER = """
title = "A paper & more"
authors = "N. N."
machine = "a machine"
figures = ["drawing", "rate", "of-rate"]
[without.drawing]
figure = "Figure 1"
title = "A drawing"
why_not = "Nothing is measured."
"""
RATE = """
figure = "Figure 2"
title = "Rate"
agrees = "Both grow."
differs = "Ours is <faster>."
x = { label = "size", scale = "log" }
y = { label = "M/s" }
[[paper]]
what = "twice"
value = 2
unit = "times"
place = "page 1"
point = [4, 7]
ours = 'at("ours", 2) / at("ours", 1)'
[[run]]
name = "sizes"
on = "simulated, qdr"
command = "gossamer work --size <size>"
over = { size = [1, 2, 3, 4] }
[run.quick]
over = { size = [1, 2] }
[[run.series]]
name = "ours"
x = "size"
y = "rate"
[[run.series]]
name = "bandwidth"
each = "rows"
where = { bytes = "(?P<b>\\\\d+)" }
x = "b"
y = "gb"
"""
OF_RATE = """
figure = "Table 1"
title = "The same as a table"
kind = "table"
data = "one/rate"
agrees = "Yes."
differs = "No."
paper = []
x = { label = "size" }
y = { label = "times", relative = true }
[[panel]]
draw = ["ours"]
"""


class Reader(html.parser.HTMLParser):
    """Counts what is open: a page must close it."""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class PapersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gossamer-papers-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in ("paper", PAPER), ("rate", RATE), ("of-rate", OF_RATE):
            self.scenario(name, text)
        (self.folder / "tools").mkdir()  # outside of a repository: all rows are of one commit, "unknown", whatever changes in the sources meanwhile
        for name in "papers", "papers_page.py", "papers_scenario.py", "recording.py":
            shutil.copy(SOURCE / "tools" / name, self.folder / "tools")
        program = self.folder / "bin/gossamer"
        program.parent.mkdir()
        program.write_text(PROGRAM)
        program.chmod(0o755)

    def scenario(self, name, text):
        path = self.folder / f"scenarios/one/{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_tool(self, *words, **environment):
        return subprocess.run(["tools/papers", "--scenarios", "scenarios", "--programs", "bin", "--recorded", "recorded", "-o", "pages", *words],
                              cwd=self.folder, capture_output=True, text=True, env={**os.environ, **environment})

    def refused(self, *words):
        done = self.run_tool(*words)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"\Aerror: [^\n]+\n\Z")
        return done.stderr

    def rows(self):
        found = json.loads((self.folder / "recorded/one.rate.json").read_text())
        return [{**{k: found[k] for k in ("commit", "day", "machine")}, **row} for row in found["rows"]]

    def calls(self):
        path = self.folder / "bin/calls"
        return path.read_text().splitlines() if path.exists() else []

    def page(self):
        return (self.folder / "pages/one.html").read_text()

    def is_drawn(self):
        """Whether the page has rows of the figure one/rate."""
        self.assertEqual(self.run_tool("--kept").returncode, 0)
        return "Nothing is recorded yet: <code>gossamer papers one/rate<" not in self.page()


class Recording(PapersTest):
    def test_a_failure_is_recorded_and_the_rest_goes_on(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed: error: no memory for size 3", done.stderr)
        rows = {row["point"]["size"]: row for row in self.rows()}
        self.assertEqual(set(rows), {1, 2, 3, 4})
        self.assertEqual(rows[3]["failed"], "error: no memory for size 3")
        self.assertEqual(rows[4]["values"], [["ours", 4, 40, 40, 40], ["bandwidth", 8, 0.5, 0.5, 0.5], ["bandwidth", 64, 4, 4, 4]])
        self.assertEqual({row["machine"] for row in rows.values()}, {"simulated, qdr"})
        self.assertIn("no memory for size 3", self.page())

    def test_what_is_recorded_for_this_commit_is_not_run_again(self):
        self.run_tool()
        self.assertEqual(len(self.calls()), 4)
        self.assertEqual(self.run_tool().returncode, 1)  # a failure stays one
        self.assertEqual(len(self.calls()), 4)
        path = self.folder / "recorded/one.rate.json"
        found = json.loads(path.read_text())
        found["rows"][1]["commit"] = "another"
        path.write_text(json.dumps(found))
        self.assertEqual(self.run_tool("--missing").returncode, 1)
        self.assertEqual(len(self.calls()), 4)
        self.run_tool()
        self.assertEqual(len(self.calls()), 5)
        (self.folder / "bin/mended").touch()
        self.assertEqual(self.run_tool("--again").returncode, 0)
        self.assertEqual(len(self.calls()), 9)
        self.assertEqual([row["failed"] for row in self.rows()], [None] * 4)

    def test_a_failure_does_not_take_the_place_of_what_went_well(self):
        (self.folder / "bin/mended").touch()
        self.assertEqual(self.run_tool().returncode, 0)
        (self.folder / "bin/mended").unlink()
        self.run_tool("--again")
        self.assertEqual(sorted((row["point"]["size"], bool(row["failed"])) for row in self.rows()),
                         [(1, False), (2, False), (3, False), (3, True), (4, False)])

    def test_quick_runs_are_small_and_give_way_to_full_ones(self):
        self.assertEqual(self.run_tool("--quick").returncode, 0)
        self.assertEqual([call.split()[-1] for call in self.calls()], ["1", "2"])
        self.assertIn("quick sizes", self.page())
        self.run_tool()
        self.assertEqual(len(self.calls()), 6)
        self.assertNotIn("quick sizes", self.page())

    def test_a_run_without_small_sizes_is_the_same_with_quick(self):
        self.scenario("rate", RATE.replace("[run.quick]\nover = { size = [1, 2] }", "").replace("[1, 2, 3, 4]", "[1, 2]"))
        self.run_tool("--quick")
        self.run_tool()
        self.assertEqual(len(self.calls()), 2)
        self.assertEqual([row["quick"] for row in self.rows()], [False, False])
        self.assertNotIn("quick sizes", self.page())

    def test_rows_of_a_command_that_the_scenario_no_longer_has_do_not_count(self):
        self.run_tool("--quick")
        self.scenario("rate", RATE.replace("gossamer work", "gossamer other-work"))
        self.run_tool("--kept")
        self.assertIn("Nothing is recorded yet", self.page())
        self.run_tool("--quick")
        self.assertEqual([call.split()[0] for call in self.calls()], ["work", "work", "other-work", "other-work"])
        self.assertEqual({row["command"].split()[1] for row in self.rows()}, {"other-work"})

    def test_rows_of_another_scenario_are_run_again(self):
        rate = RATE.replace("--size <size>", "--size <size> <scratch>/numbers").replace("[run.quick]", "files = { numbers = 100 }\n[run.quick]")
        for old, new in (('y = "rate"', 'y = "rate * 1000"'), ('name = "ours"', 'name = "mine"'), ("numbers = 100", "numbers = 200"),
                         ('name = "sizes"', 'name = "sizes"\nrepeats = 2'), ('on = "simulated, qdr"', 'on = "simulated, fdr"')):
            with self.subTest(new):
                self.scenario("rate", rate)
                self.run_tool("--quick", "--again")
                before = self.calls()
                self.run_tool("--quick")
                self.assertEqual(self.calls(), before)
                self.assertIn(old, rate)
                self.scenario("rate", rate.replace(old, new))
                self.assertFalse(self.is_drawn())
                self.run_tool("--quick")
                self.assertEqual(len(self.calls()) - len(before), 4 if "repeats" in new else 2)
                self.assertTrue(self.is_drawn())
        self.assertEqual(len(self.rows()), 2)  # what is new took the place of what was there

    def test_other_words_of_a_scenario_leave_its_rows(self):
        self.run_tool("--quick")
        self.scenario("rate", RATE.replace("Both grow.", "Both fall.").replace("[run.quick]", "timeout = 9\n[run.quick]"))
        self.run_tool("--quick")
        self.assertEqual(len(self.calls()), 2)

    def test_rows_of_a_run_that_has_another_name_do_not_count(self):
        self.scenario("rate", RATE.replace('name = "sizes"', 'name = "old name"'))
        self.run_tool("--quick")
        path = self.folder / "recorded/one.rate.json"
        path.write_text(path.read_text().replace('["ours", 1, 10.0', '["ours", 1, 987654.0'))
        self.assertTrue(self.is_drawn() and "987,654" in self.page())
        self.scenario("rate", RATE)
        self.run_tool("--quick")
        self.assertEqual(len(self.calls()), 4)
        self.assertFalse("987,654" in self.page())

    def test_rows_without_a_digest_do_not_count(self):
        self.run_tool("--quick")
        path = self.folder / "recorded/one.rate.json"
        found = json.loads(path.read_text())
        for row in found["rows"]:
            row.pop("scenario")
        found["rows"][0]["run"] = "one that the scenario does not have"
        path.write_text(json.dumps(found))
        self.assertFalse(self.is_drawn())

    def test_rows_of_a_build_that_is_no_release_stay_apart(self):
        def build(text):
            (self.folder / "bin/doctor").write_text(json.dumps({"system": {"build": text}}))
            self.run_tool("--quick")
            return [(row.get("build"), row["machine"], row["point"]["size"]) for row in self.rows()]

        checked = "optimised, with checks, AVX2"
        others = [(checked, f"simulated, qdr, {checked}", size) for size in (1, 2)]
        self.assertEqual(build(checked), others)
        self.assertTrue(checked in self.page())
        released = build("optimised, AVX2")
        self.assertCountEqual(released, [*others, (None, "simulated, qdr", 1), (None, "simulated, qdr", 2)])
        self.assertEqual(len(self.calls()), 4)
        self.assertFalse(checked in self.page())
        self.assertEqual(build(checked), released)  # neither is run again
        self.assertEqual(build("optimised"), released)
        self.assertEqual(len(self.calls()), 4)
        for text in "not optimised", "optimised, AddressSanitizer":
            self.assertIn((text, f"simulated, qdr, {text}", 1), build(text))

    def test_works_without_git(self):
        self.run_tool("--quick")
        (self.folder / "python3").symlink_to("/usr/bin/python3")
        done = self.run_tool("--kept", PATH=str(self.folder))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        (self.folder / "recorded/one.rate.json").unlink()
        (self.folder / "dirname").symlink_to(shutil.which("dirname"))
        for name in "sed", "grep", "cat":
            (self.folder / name).symlink_to(shutil.which(name))
        done = self.run_tool("--quick", PATH=str(self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({row["commit"] for row in self.rows()}, {"unknown"})

    def test_repeats_have_a_spread(self):
        self.scenario("rate", RATE.replace('name = "sizes"', 'name = "sizes"\nrepeats = 3').replace('y = "rate"', 'y = "runs"'))
        self.run_tool("--quick", "rate")
        self.assertEqual(self.rows()[0]["values"][0], ["ours", 1, 2, 1, 3])

    def test_what_gives_no_rows_is_a_failure(self):
        self.scenario("rate", RATE.replace("(?P<b>", "(?P<b>no"))
        self.assertEqual(self.run_tool("--quick").returncode, 1)
        self.assertIn("expected rows for the series bandwidth", self.rows()[0]["failed"])

    def test_a_figure_whose_data_are_those_of_another_records_that_one(self):
        self.assertEqual(self.run_tool("--quick", "of-rate").returncode, 0)
        self.assertEqual(len(self.calls()), 2)

    def test_kept_runs_nothing(self):
        self.assertEqual(self.run_tool("--kept").returncode, 0)
        self.assertEqual(self.calls(), [])
        self.assertIn("Nothing is recorded yet", self.page())


class Refusals(PapersTest):
    def test_an_unknown_figure_names_the_nearest(self):
        self.assertIn('found "rat", did you mean rate?', self.refused("rat"))
        self.assertIn('found "one/rates", did you mean one/rate?', self.refused("one/rates"))
        self.assertIn("--list shows them", self.refused("zebra"))
        self.assertEqual(self.calls(), [])

    def test_scenarios_are_checked(self):
        for change, told in (("titel = 1\n" + RATE, 'unknown key "titel", did you mean title?'),
                             (RATE.replace("over = { size = [1, 2, 3, 4] }", ""), "expected values of <size> in over"),
                             (RATE.replace('agrees = "Both grow."', ""), "expected the key agrees"),
                             (RATE.replace('differs', 'kind = "pie"\ndiffers'), "expected kind lines, bars, stack, boxes, table, found pie"),
                             (RATE + '[[panel]]\ndraw = ["*"]\nkind = "pie"\n', "found pie")):
            self.scenario("rate", change)
            message = self.refused("--list")
            self.assertIn(told, message)
            self.assertIn("rate.toml", message)
        (self.folder / "scenarios/one/rate.toml").unlink()
        self.assertIn("expected rate.toml for the figure rate", self.refused("--list"))
        self.scenario("rate", RATE)
        self.scenario("more", RATE)
        self.assertIn("expected more among the figures", self.refused("--list"))

    def test_expressions_are_no_programs(self):
        for text in "__import__('os')", "(lambda: 1)()", "[x for x in y]", "open", "a.__class__":
            with self.assertRaises(scenario.Problem):
                scenario.value_of(text, {"a": {"b": 1}})
        self.assertEqual(scenario.value_of("2 * a.b + max(c[0], c[1])", {"a": {"b": 3}, "c": [4, 5]}), 11)

    def test_no_program(self):
        (self.folder / "bin/gossamer").unlink()
        self.assertIn("expected the program gossamer in", self.refused("rate"))


class Pages(PapersTest):
    def test_a_page_holds_every_figure(self):
        (self.folder / "bin/mended").touch()
        self.run_tool()
        page = self.page()
        self.assertEqual(re.findall(r'data-figure="([^"]*)"', page), ["Figure 1", "Figure 2", "Table 1"])
        self.assertIn("Not drawn: Nothing is measured.", page)
        self.assertIn("A paper &amp; more", page)
        self.assertIn("Ours is &lt;faster&gt;.", page)
        self.assertIn("<td class=text>twice</td><td>2 times</td><td>2 times</td><td class=text>page 1</td>", page)
        self.assertIn("<td class=text>4</td><td>0.25</td>", page)  # relative to the first
        self.assertEqual(page.count("<svg"), 1)
        self.assertIn(">the paper</text>", page)
        self.assertIn("simulated, qdr", page)
        for name in "one", "index":
            reader = Reader((self.folder / f"pages/{name}.html").read_text())
            self.assertEqual((reader.open, reader.wrong), ([], []))

    def test_boxes_are_drawn_of_whiskers_and_quartiles(self):
        figure = scenario.Figure("one", "boxes", None, {
            "figure": "Figure 3", "title": "Boxes", "kind": "boxes", "agrees": "", "differs": "", "x": {"label": "threads"}, "y": {"label": "ns"}})
        row = {"failed": None, "quick": False, "values": [[name, x, 10 * x, *ends] for x in (1, 2) for name, ends in (
            ("a", (4 * x, 20 * x)), ("a, quartiles", (8 * x, 12 * x)), ("without a box", (0, 1)))]}
        data = papers_page.Data([row], [])
        boxes = []
        plt = papers_page.ready_plot("test")
        axes = plt.subplots()[1]
        axes.bxp, drawn = lambda stats, **more: boxes.append((stats, more)) or drawn(stats, **more), axes.bxp
        papers_page.drawn_boxes(axes, data.of_panel(figure.panels[0]))
        self.assertEqual([stats for stats, _ in boxes], [[
            {"med": 10, "whislo": 4, "whishi": 20, "q1": 8, "q3": 12}, {"med": 20, "whislo": 8, "whishi": 40, "q1": 16, "q3": 24}]])
        self.assertEqual([text.get_text() for text in axes.get_xticklabels()], ["1", "2"])
        self.assertEqual(axes.get_legend_handles_labels()[1], ["a"])
        plt.close("all")
        small = papers_page.Data([row, {**row, "quick": True, "values": [[f"b{name[1:]}", *rest] for name, *rest in row["values"] if name[0] == "a"]}], [])
        names = small.of_panel(figure.panels[0])
        self.assertIn("b (quick)", names)
        papers_page.drawn_boxes(axes, names)
        self.assertEqual(len(boxes), 3)
        self.assertIn("whiskers; quartiles", papers_page.points_table(figure, data))
        self.assertIn("<svg", papers_page.picture(figure, data))

    def test_small_sizes_beside_full_ones_are_named(self):
        row = {"values": [["a", 1, 2, 2, 2]], "quick": False, "failed": None, "command": "x", "commit": "abc", "day": "", "machine": "m"}
        quick = {**row, "quick": True, "values": [["a", 1, 3, 3, 3], ["b", 1, 4, 4, 4]]}
        panel = {"x": {}, "y": {}}
        self.assertEqual(papers_page.Data([row, quick], []).of_panel(panel), {"a": [(1, 2, 2, 2)], "b (quick)": [(1, 4, 4, 4)]})
        self.assertEqual(set(papers_page.Data([quick], []).of_panel(panel)), {"a", "b"})

    def test_sources_are_named(self):
        rows = [{"values": [["a", 1, 2, 2, 2]], "quick": False, "failed": None, "command": "gossamer x", "commit": "abc", "day": "2026-01-01",
                 "machine": "a machine", "load": 9.0, "processors": 2}]
        data = papers_page.Data(rows, [{**rows[0], "values": [["a", 1, 5, 5, 5], ["b", 1, 7, 7, 7]], "commit": "old"}])
        self.assertEqual(data.series, {"a": [(1, 2, 2, 2)], "b": [(1, 7, 7, 7)]})  # what is earlier gives way
        self.assertIn("a machine, busy: 9.0 runnable on 2 processors", papers_page.sources(data.rows))
        self.assertIn("abc (2026-01-01), old (2026-01-01)", papers_page.sources(data.rows))


class Ours(unittest.TestCase):
    """The scenario files and recordings of this tree."""

    def test_every_figure_and_table_of_the_papers_has_its_place(self):
        labels = {paper.name: {f.label.split(",")[0] for f in paper.figures} for paper in scenario.read_papers(SOURCE / "docs/performance/papers")}
        numbered = {"hybrid-address-spaces": [*(f"Figure {n}" for n in range(1, 17)), "Table 1", "Table 2", "Table A.3"],
                    "flat-combining": [*(f"Figure {n}" for n in range(1, 9)), "Figure 9a", "Figure 9b"],
                    "flat-combining-draft": ["Figure 1a", "Figure 1b", "Figure 2", "Figure 3"],
                    "grappa": [f"Figure {n}" for n in range(1, 10)],
                    "communicating-threads": ["Figure 1", "Table 1", "Figure 2", "Figure 3a", "Figure 3b", "Table 2", "Figure 4"]}
        self.assertEqual(set(labels), set(numbered))
        for paper, expected in numbered.items():
            self.assertEqual(set(expected) - labels[paper], set(), paper)

    def test_earlier_recordings_are_read_with_their_sources(self):
        loader = importlib.machinery.SourceFileLoader("papers", str(TOOL))
        tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("papers", loader))
        loader.exec_module(tool)
        figures = [f for paper in scenario.read_papers(SOURCE / "docs/performance/papers") for f in paper.figures]
        self.assertGreater(sum(len(f.recorded) for f in figures), 10)
        for figure in figures:
            for series in figure.recorded:
                rows = tool.earlier(scenario.Figure("one", "of", figure.file, {"figure": "", "title": "", "recorded": [series]}))
                self.assertGreater(len(rows), 0, f"{figure.full_name}: {series['name']}")
                for row in rows:
                    self.assertRegex(row["command"], "^gossamer", figure.full_name)
                    self.assertNotIn("unknown", (row["machine"], row["commit"]), figure.full_name)

    def test_pages_open_in_a_browser(self):
        with tempfile.TemporaryDirectory(prefix="gossamer-papers-") as folder:
            pages = pathlib.Path(folder) / "pages"
            done = subprocess.run([TOOL, "--kept", "-o", pages], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            names = sorted(page.stem for page in pages.glob("*.html"))
            self.assertEqual(len(names), 6)
            for name in names:
                page = pages / f"{name}.html"
                text = page.read_text()
                self.assertNotRegex(re.sub(r'xmlns(:\w+)?="[^"]*"', "", text), r"(src|href)=\"https?:")  # it needs no network
                reader = Reader(text)
                self.assertEqual((reader.open, reader.wrong), ([], []), name)
                if BROWSER is None or name == "index":
                    continue
                home = pathlib.Path(folder) / "home"
                shown = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}", "--enable-logging=stderr",
                                        "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=110, env={**os.environ, "HOME": folder})
                self.assertEqual(re.findall(r"^.*CONSOLE.*$", shown.stderr, re.M), [])
                self.assertEqual(shown.stdout.count("<section"), text.count("<section"), name)
                self.assertEqual(shown.stdout.count("<svg"), text.count("<svg"), name)
                self.assertGreater(text.count("<svg"), 0, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
