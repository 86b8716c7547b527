"""gossamer sweep: rows for every combination of settings, the best, files, figures; what fails, and refusals."""
import csv
import json
import os
import sys

from program import ProgramTest, main

if "thread" in os.environ.get("GOSSAMER_SANITIZE", ""):
    print("the simulation is not for the thread sanitizer", file=sys.stderr)
    sys.exit(77)

SIMULATED = ("-n", 2, "--cores", 2, "--network", "qdr")
SMALL = ("--", "gups", "--table", "64K", "--updates", "20000")


class SweepTest(ProgramTest):
    def swept(self, *words, code=0):
        done = self.run_program("sweep", "-q", "--json", "--no-figure", *words)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return [json.loads(line) for line in done.stdout.decode().splitlines()], done.stderr.decode()

    def settings(self, *words):
        rows, errors = self.swept("--repeats", 1, *words)
        self.assertEqual(errors, "")
        return [tuple(row["settings"].values()) for row in rows[:-1]]


class Rows(SweepTest):
    def test_every_combination_and_the_best(self):
        rows, errors = self.swept("--set", "aggregation=off,on", "--set", "packet_bytes=4096..16384", *SIMULATED, *SMALL)
        self.assertEqual(errors, "")
        *rows, best = rows
        self.assertEqual([tuple(row["settings"].values()) for row in rows],
                         [(a, str(b)) for a in ("off", "on") for b in (4096, 8192, 16384)])
        for row in rows:
            self.assertEqual((row["command"], row["of"], row["unit"], row["runs"], row["failed"]),
                             ("sweep", "gups --table 64K --updates 20000", "M/s", 3, None))
            self.assertEqual(row["place"], "2 processes of 2 cores, qdr, simulated")
            self.assertTrue(row["least_rate"] <= row["rate"] <= row["most_rate"])
            self.assertEqual(row["answer"]["updates"], 20000)
        self.assertEqual(best["command"], "sweep best")
        self.assertEqual(best["rate"], max(row["rate"] for row in rows))
        self.assertEqual(best["settings"]["aggregation"], "on")  # a packet for each message costs many times as much
        self.assertEqual(best["within_5_percent"]["aggregation"], ["on"])
        self.assertIn(best["settings"]["packet_bytes"], best["within_5_percent"]["packet_bytes"])

    def test_is_the_same_again(self):
        words = ("--set", "flush_delay_us=10,1000", *SIMULATED, "--seed", 5, *SMALL)
        without = [[{k: v for k, v in row.items() if k != "answer"} for row in self.swept(*words)[0]] for _ in range(2)]
        self.assertEqual(*without)

    def test_lists_of_values(self):
        def values(text):
            return [each for (each,) in self.settings("--set", f"flush_delay_us={text}", *SIMULATED, *SMALL)]
        self.assertEqual(values("7"), ["7"])
        self.assertEqual(values("3,1,2"), ["3", "1", "2"])
        self.assertEqual(values("10..70"), ["10", "20", "40", "70"])
        self.assertEqual(values("10..300:log"), ["10", "20", "50", "100", "200", "300"])
        self.assertEqual(values("1..1000:4"), ["1", "10", "100", "1000"])
        self.assertEqual(values("0..2,8"), ["0", "2", "8"])

    def test_a_place_of_the_words(self):
        rows, _ = self.swept("--set", "n=1000,2000", "--repeats", 1, "--", "gups", "--table", "64K", "--updates", "{n}", "--cores", 1)
        self.assertEqual([row["answer"]["updates"] for row in rows[:-1]], [1000, 2000])
        self.assertEqual(rows[0]["place"], "this machine")

    def test_one_that_fails_is_a_row(self):
        rows, errors = self.swept("--set", "memory_limit=1M,4G", "--repeats", 2, "--", "gups", "--table", "64K", "--updates", "1000",
                                  "--cores", 1)
        self.assertIn("warning: sweep: 1 of 2 settings failed", errors)
        bad, good, best = rows
        self.assertEqual((bad["runs"], bad["seconds"]), (0, None))
        self.assertRegex(bad["failed"], "needs|memory")
        self.assertEqual((good["runs"], good["failed"], best["settings"]), (2, None, {"memory_limit": "4G"}))

    def test_none_left_is_an_error(self):
        rows, errors = self.swept("--set", "memory_limit=1M", "--repeats", 1, *SMALL, code=2)
        self.assertEqual(len(rows), 1)
        self.assertIn("error: sweep: every run failed, the first: ", errors)


class Files(SweepTest):
    def test_rows_and_a_figure(self):
        done = self.run_program("sweep", "-q", "--set", "flush_delay_us=10..40", "--repeats", 1, *SIMULATED, "-o", "rows.csv", "--figure",
                                "drawn.svg", *SMALL)
        text = done.stdout.decode()
        self.assertIn("best: flush_delay_us", text)
        with open(self.folder / "rows.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["flush_delay_us"] for row in rows], ["10", "20", "40"])
        self.assertTrue(all(float(row["seconds"]) > 0 and row["failed"] == "" for row in rows))
        if (self.folder / "drawn.svg").exists():
            self.assertEqual(done.returncode, 0)
            self.assertIn("flush_delay_us", (self.folder / "drawn.svg").read_text())
        else:
            self.assertEqual(done.returncode, 2)
            self.assertIn("no figure drawn.svg: no python3 with matplotlib here", done.stderr.decode())


    def test_names_of_files_are_no_formulas(self):
        name = "n$^$.tsv"
        self.file(name, "1 2\n2 1\n")
        done = self.run_program("sweep", "-q", "--set", "t=1,2", "--set", f"file={name},./{name}", "--repeats", 1, "-n", 1, "--figure",
                                "drawn.svg", "--", "bfs", "{file}", "--source", "{t}")
        if "no python3 with matplotlib here" not in done.stderr.decode():
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn(f"file {name}", (self.folder / "drawn.svg").read_text())

    def test_a_figure_of_many_rows(self):
        done = self.run_program("sweep", "-q", "--set", "flush_delay_us=10..10000:60", "--repeats", 1, "-n", 1, "--figure", "drawn.svg", *SMALL)
        if done.returncode == 2:
            self.assertIn("no figure drawn.svg: no python3 with matplotlib here", done.stderr.decode())
        else:
            self.assertIn("flush_delay_us", (self.folder / "drawn.svg").read_text())

    def test_values_with_dots_that_are_no_range(self):
        self.file("a.tsv", "1 2\n")
        again = f"{self.folder}/../{self.folder.name}/a.tsv"
        self.assertEqual(self.settings("--set", f"file={again},a.tsv", *SIMULATED, "--", "bfs", "{file}", "--source", 1),
                         [(again,), ("a.tsv",)])


class Refused(SweepTest):
    def test_in_one_line(self):
        for words, message in (
                ((*SMALL,), "sweep: expected --set NAME=VALUES"),
                (("--set", "flush_dely_us=1", *SMALL), "--set: unknown setting flush_dely_us (did you mean flush_delay_us?), and no word has"),
                (("--set", "flush_delay_us=1,x", *SMALL), 'GOSSAMER_FLUSH_DELAY_US: expected a number from 0 to 1000000, found "x"'),
                (("--set", "flush_delay_us", *SMALL), "--set: expected NAME=VALUES"),
                (("--set", "fibers=9..2", *SMALL), "--set: expected a whole number from 9"),
                (("--set", "fibers=1,,2", *SMALL), "--set: expected NAME=VALUES"),
                (("--set", "fibers=2", "--set", "fibers=4", *SMALL), "--set: fibers is given twice"),
                (("--set", "spin_us=1..999:999", "--set", "flush_delay_us=1..999:999", *SMALL), "at most 10,000 combinations"),
                (("--set", "fibers=64", "--cores", 2, *SMALL), "sweep: --cores is for simulated clusters"),
                (("--set", "fibers=64", "--network", "hdr", *SMALL), "sweep: --network is for simulated clusters"),
                (("--set", "fibers=64", "--seed", 7, *SMALL), "sweep: --seed is for simulated clusters"),
                (("--set", "fibers=64", "-n", "1..2", *SMALL), '--processes: expected a number from 1 to 16384, found "1..2"'),
                (("--set", "fibers=64", *SIMULATED, "--", "bfs", "kron:5", "--source", 1, "--cores", 1), "sweep: --cores belongs before bfs"),
                (("--set", "fibers=64", "--", "bfs", "kron:5", "--source", 1, "-o", "x.tsv"), "sweep: --output of bfs would be written over"),
                (("--set", "fibers=64", "--", "wordcount", "-"), "sweep: wordcount reads standard input, and only one run could: give a file"),
                (("--set", "fibers=64", "--figure", "none/x.svg", *SMALL), "none/x.svg"),
                (("--set", "cores=1,2", *SIMULATED, *SMALL), "sweep: --set cores is for this machine"),
                (("--set", "fibers=64", "--np", 2, *SIMULATED, *SMALL), "sweep: --np and -n exclude each other"),
                *((("--set", "fibers=64", "--", *words), f'are not), found "{words[0]}"')
                  for words in (("convert", "x", "y"), ("report", "x", "-o", "x.html"), ("group", "x", "--by", "1"), ("sort", "x"), ("ping",))),
                (("--set", "seed=1,2", "--", "wordcount", "x"), "--set seed changes nothing for wordcount: it makes no random choices"),
                (("--set", "seed=1,2", "--", "uts", "T1"), "--set seed changes nothing for uts: it takes its seed from an option: -r {seed} makes that"),
                (("--set", "seed=1,2", "--", "bfs", "kron:4", "--source", "1"), "--set seed changes nothing for bfs: it takes its seed from an option: --seed {seed} makes that"),
                (("--set", "n=1,0", "--", "gups", "--table", "{n}K"), '--table: expected bytes, at least 4096'),
        ):
            with self.subTest(words=words):
                self.assertIn(message, self.refused("sweep", *words))


if __name__ == "__main__":
    main()
