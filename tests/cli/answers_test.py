"""The commands, as a person or a script uses them: keys, labels, rows, help."""
import csv
import gzip
import json
import re

from program import DEBIAN, ProgramTest, main

SMALL = """# two parts, a duplicate and a self-loop
a b
b c
a b
c c
c a
c d
x y
"""


class Keys(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("g.tsv", SMALL)

    def test_every_answer_says_what_was_run(self):
        for arguments in (["info"], ["components"], ["bfs", "--source", "a"], ["sssp", "--source", "a"], ["pagerank"], ["betweenness", "--exact"], ["cores"]):
            answer = self.answer(*arguments, "g.tsv", "--cores", 2, "--seed", 7)
            self.assertEqual(answer["command"], arguments[0])
            self.assertEqual(answer["graph"], "g.tsv")
            self.assertEqual((answer["vertices"], answer["edges"]), (6, 5))
            self.assertEqual((answer["duplicates"], answer["self_loops"]), (1, 1))
            self.assertEqual(answer["directed"], True)
            self.assertEqual(answer["cores"], 2)
            self.assertEqual(answer["options"]["seed"], 7)
            self.assertRegex(answer["version"], r"^\d+\.\d+\.\d+")
            self.assertEqual(sorted(answer["seconds"]), ["build", "load", "run"])
            self.assertNotIn("verified", answer)
            self.assertNotIn("stats", answer)

    def test_undirected_counts_each_edge_once(self):
        self.file("both.tsv", "1 2\n2 1\n2 3\n")
        self.assertEqual(self.answer("info", "both.tsv")["edges"], 3)
        answer = self.answer("info", "both.tsv", "--undirected")
        self.assertEqual((answer["edges"], answer["duplicates"], answer["directed"]), (2, 1, False))

    def test_info(self):
        answer = self.answer("info", "g.tsv", "--top", 2)
        out = answer["degrees"]["out"]
        self.assertEqual((out["min"], out["max"], out["max_vertex"]), (0, 2, "c"))
        self.assertEqual(sum(bin["vertices"] for bin in out["histogram"]), 6)
        self.assertGreater(answer["memory"]["bytes_per_edge"], 0)
        self.assertEqual(answer["top"][0], {"vertex": "c", "score": 3})
        self.assertEqual(len(answer["top"]), 2)

    def test_weights_are_said_to_be_ignored(self):
        self.file("w.tsv", "1 2 0.5\n2 3 7\n")
        self.assertEqual(self.answer("info", "w.tsv")["weights_ignored"], 2)
        self.assertIn("weights ignored", self.text("info", "w.tsv"))

    def test_components(self):
        answer = self.answer("components", "g.tsv", "--verify")
        self.assertEqual((answer["components"], answer["largest"]), (2, 4))
        self.assertEqual(answer["sizes"], [{"size": 2, "components": 1}, {"size": 4, "components": 1}])
        self.assertIs(answer["verified"], True)

    def test_bfs(self):
        answer = self.answer("bfs", "g.tsv", "--source", "b", "--verify")
        self.assertEqual(answer["source"], "b")
        self.assertEqual((answer["levels"], answer["reached"]), ([1, 1, 2], 4))
        self.assertGreater(answer["mteps"], 0)
        self.assertIs(answer["verified"], True)

    def test_bfs_trials(self):
        answer = self.answer("bfs", "kron:8", "--trials", 5, "--verify")
        self.assertEqual(len(answer["trials"]), 5)
        self.assertEqual(len({t["source"] for t in answer["trials"]}), 5)
        two = self.text("bfs", "kron:8", "--trials", 2)
        least, median, most = map(float, re.search(r"least ([\d.]+), median ([\d.]+), most ([\d.]+)", two).groups())
        self.assertAlmostEqual(median, (least + most) / 2, delta=0.11)
        rates = [t["mteps"] for t in answer["trials"]]
        self.assertAlmostEqual(answer["mteps"], len(rates) / sum(1 / r for r in rates), places=6)
        self.assertIs(answer["verified"], True)

    def test_bfs_has_as_many_trials_as_asked_for_on_a_tiny_graph(self):
        self.assertEqual(len(self.answer("bfs", "g.tsv", "--trials", 9)["trials"]), 9)
        again = self.answer("bfs", "g.tsv", "--trials", 3, "--source", "x")
        self.assertEqual([t["source"] for t in again["trials"]], ["x"] * 3)

    def test_pagerank(self):
        answer = self.answer("pagerank", "g.tsv", "--top", 100, "--verify")
        self.assertEqual(len(answer["top"]), 6)
        scores = [row["score"] for row in answer["top"]]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertAlmostEqual(sum(scores), 1, places=6)
        self.assertIs(answer["converged"], True)
        self.assertIs(answer["verified"], True)
        stopped = self.answer("pagerank", "g.tsv", "--max-iterations", 2, "--top", 0)
        self.assertEqual((stopped["iterations"], stopped["converged"], stopped["top"]), (2, False, []))

    def test_pagerank_by_weights_and_preference(self):
        self.file("w.csv", "from,to,weight\na,b,5\na,c,1\nb,a,1\nc,a,1\n")
        def scores(*words):
            answer = self.answer("pagerank", "w.csv", "--tolerance", 1e-12, *words, "--top", 9, "--verify")
            self.assertIs(answer["verified"], True)
            return {row["vertex"]: round(row["score"], 4) for row in answer["top"]}
        self.assertEqual(scores(), {"a": 0.4865, "b": 0.3946, "c": 0.1189})
        self.assertEqual(scores("--unweighted"), {"a": 0.4865, "b": 0.2568, "c": 0.2568})
        self.file("path.tsv", "a b\nb c\n")
        self.file("mine.tsv", "# mine\na\t2\n")
        self.file("mine.csv", "vertex,weight\nb,0.5\nc,0\n")
        def of_path(*words):
            answer = self.answer("pagerank", "path.tsv", "--tolerance", 1e-12, *words, "--top", 9, "--verify")
            self.assertIs(answer["verified"], True)
            return {row["vertex"]: round(row["score"], 4) for row in answer["top"]}
        self.assertEqual(of_path(), {"a": 0.1844, "b": 0.3412, "c": 0.4744})
        self.assertEqual(of_path("--personalise", "mine.tsv"), {"a": 0.3887, "b": 0.3304, "c": 0.2809})
        self.assertEqual(of_path("--personalise", "mine.tsv", "--dangling", "mine.csv"), {"a": 0.15, "b": 0.4595, "c": 0.3905})
        self.assertEqual(self.answer("pagerank", "path.tsv", "--personalize", "mine.tsv")["options"]["personalise"], "mine.tsv")

    def test_preferences_that_are_refused(self):
        for text, said in (("a 1\nzz 2\n", r'p\.tsv:2: expected a vertex of g\.tsv, found "zz", the nearest are'),
                           ("a -1\n", r'p\.tsv:1: expected a weight of 0 or more, found "-1"'),
                           ("a 1\nb inf\n", r'p\.tsv:2: expected a weight of 0 or more, found "inf"'),
                           ("a 0\n", r"p\.tsv: expected a weight above 0, found none"),
                           ("a\n", r'p\.tsv:1: expected a vertex and its weight, found "a"'),
                           ("a 1\na 2\n", r'p\.tsv:2: expected each vertex once, found "a" again')):
            self.file("p.tsv", text)
            self.assertRegex(self.refused("pagerank", "g.tsv", "--personalise", "p.tsv"), said)
        self.assertIn("cannot read none.tsv", self.refused("pagerank", "g.tsv", "--personalise", "none.tsv"))
        self.file("bad.csv", "from,to,weight\na,b,5\nb,c,-1\n")
        for command in ("pagerank", "hits", "eigenvector --weighted", "katz --weighted"):
            self.assertIn("bad.csv: expected weights of 0 or more, found -1 from b to c", self.refused(*command.split(), "bad.csv"))
        self.assertTrue(self.answer("pagerank", "bad.csv", "--unweighted")["converged"])

    def test_eigenvector(self):
        answer = self.answer("eigenvector", "g.tsv", "--undirected", "--tolerance", 1e-10, "--top", 1, "--verify")
        self.assertEqual((answer["top"][0]["vertex"], answer["components"], answer["converged"], answer["verified"]), ("c", 2, True, True))
        self.assertAlmostEqual(answer["eigenvalue"], 2.170086, places=5)
        self.assertIn("g.tsv: not connected, 2 components: scores tend to 0 in all but those with the largest eigenvalue", answer["notes"])
        self.assertIn("g.tsv: scores without its 1 self-loop, which NetworkX keeps", answer["notes"])
        self.file("w.csv", "from,to,weight\na,b,1\nb,c,3\n")
        rows = self.answer("eigenvector", "w.csv", "--undirected", "--weighted", "--tolerance", 1e-12, "--verify")["top"]
        self.assertEqual([(r["vertex"], round(r["score"], 6)) for r in rows], [("b", 0.707107), ("c", 0.67082), ("a", 0.223607)])
        self.file("dag.tsv", "a b\nb c\n")
        self.assertIn("dag.tsv: expected a graph with a cycle, found none: the largest eigenvalue is 0", self.refused("eigenvector", "dag.tsv"))
        self.assertIn("each counts 1", self.run_program("eigenvector", "dag.tsv", "--undirected", "--weighted").stderr.decode())
        stopped = self.answer("eigenvector", "g.tsv", "--max-iterations", 2, "--top", 0)
        self.assertEqual((stopped["iterations"], stopped["converged"]), (2, False))

    def test_katz(self):
        self.file("dag.tsv", "a b\nb c\n")
        def scores(*words):
            return [round(r["score"], 4) for r in self.answer("katz", "dag.tsv", "--verify", *words)["top"]]
        self.assertEqual(scores(), [0.5983, 0.5929, 0.539])
        self.assertEqual(scores("--raw"), [1.11, 1.1, 1.0])
        self.assertEqual(scores("--raw", "--beta", 2, "--alpha", 0.5), [3.5, 3.0, 2.0])
        self.file("triangles.tsv", "0 1\n1 2\n2 0\n3 4\n4 5\n5 3\n")
        self.assertIn("triangles.tsv: alpha 0.6 is too large, scores grow without end: expected less than 0.5, 1 / the largest eigenvalue",
                      self.refused("katz", "triangles.tsv", "--undirected", "--alpha", 0.6))
        self.assertIn("--alpha: expected a number of 0 or more", self.refused("katz", "dag.tsv", "--alpha", -1))
        # Without a cycle every alpha has scores, but not all are doubles.
        self.file("long.tsv", "".join(f"{v} {v + 1}\n" for v in range(200)))
        self.assertEqual(self.answer("katz", "long.tsv", "--alpha", 2, "--raw")["top"][0], {"vertex": 200, "score": 2.0 ** 201 - 1})
        self.assertFalse(self.answer("katz", "long.tsv", "--alpha", 2, "--max-iterations", 50)["converged"])
        self.assertIn("long.tsv: alpha 10 is too large, scores exceed 1e150", self.refused("katz", "long.tsv", "--alpha", 10))

        # The scores of 30 cycles in a chain converge slowly, and so does the largest eigenvalue, 1.
        self.file("chain.tsv", "".join(f"{2 * c} {2 * c + 1}\n{2 * c + 1} {2 * c}\n{2 * c + 1} {2 * c + 2}\n" for c in range(30)))
        self.assertTrue(self.answer("katz", "chain.tsv", "--alpha", 0.95, "--max-iterations", 100000)["converged"])
        self.answer("katz", "chain.tsv", "--alpha", 0.95)
        small, *large = (self.answer("katz", "triangles.tsv", "--undirected", "--beta", beta, "--verify")["top"] for beta in (1, 1e200, 1e306, 1e307))
        for other in large:
            self.assertTrue(all(abs(a["score"] - b["score"]) < 1e-9 for a, b in zip(small, other)))
        # The largest eigenvalue of a grid converges slowly, from below. It is about 4.
        self.assertIn("alpha 0.3 is too large, scores grow without end: expected less than 0.25", self.refused("katz", "grid:20x20", "--alpha", 0.3, "--cores", 1, "-q"))
        # Scores may leave the doubles although they converge.
        self.file("wide.tsv", "1 2 1e200\n3 4 1\n4 3 1\n")
        self.assertIn("alpha 0.5 is too large, scores exceed 1e150", self.refused("katz", "wide.tsv", "--weighted", "--alpha", 0.5, "-q"))
        self.file("widest.tsv", "1 2 1.7e308\n2 1 1.7e308\n1 3 1.7e308\n3 1 1.7e308\n")
        self.assertIn("alpha 0.5 is too large, scores exceed 1e150", self.refused("katz", "widest.tsv", "--weighted", "--alpha", 0.5, "-q"))

    def test_weights_near_the_ends_of_doubles(self):
        def scores(command, weights, *options):
            self.file("w.csv", "from,to,weight\n" + "".join(f"{arc[0]},{arc[1]},{w}\n" for arc, w in zip(("ab", "bc", "ca", "ac", "ba"), weights)))
            answer = self.answer(command, "w.csv", "--verify", *options)
            return {r["vertex"]: round(r["score"], 9) for r in answer["top"]}
        even = (1, 2, 1, 1, 3)
        for scale in 1e160, 1e-200, 1e250, 5e304, 1e-306:
            for command in ("hits",) if scale < 1 else ("hits", "eigenvector"):  # of A + 1, where a small A is lost
                option = ["--weighted"] if command == "eigenvector" else []
                self.assertEqual(scores(command, [w * scale for w in even], *option), scores(command, [w * (1 if command == "hits" else 1e160) for w in even], *option), scale)
            self.assertEqual(scores("pagerank", [w * scale for w in even]), scores("pagerank", even), scale)
        for command in "hits", "eigenvector --weighted":
            self.assertIn("the weights are too large: a sum of them exceeds what a double holds",
                          self.refused(*command.split(), self.file("big.csv", "from,to,weight\na,b,1.7e308\nb,a,1.7e308\nc,b,1.7e308\nb,c,1.7e308\na,c,1.7e308\nc,a,1.7e308\n").name))
        for weight, total in ("1e308", "inf"), ("1e-310", "2e-310"):
            self.file("ends.csv", f"from,to,weight\na,b,{weight}\na,c,{weight}\nb,a,1\nc,a,1\n")
            self.assertIn(f'the weights of the arcs from vertex a sum to {total}: expected 0, or from', self.refused("pagerank", "ends.csv"))
        self.file("large.tsv", "a 1e308\nb 1e308\n")
        self.file("ring.tsv", "a b\nb c\nc a\n")
        self.assertEqual(len({r["score"] for r in self.answer("pagerank", "ring.tsv", "--verify")["top"]}), 1)
        self.assertAlmostEqual(sum(r["score"] for r in self.answer("pagerank", "ring.tsv", "--personalise", "large.tsv", "--verify")["top"]), 1)
        self.file("far.tsv", "a b 1\nc d 1e19\nd e 1e19\n")
        self.assertEqual(self.answer("communities", "far.tsv", "--undirected", "--method", "labels", "--verify")["communities"], 2)
        self.file("star.tsv", "".join(f"0 {v} 1e308\n" for v in range(1, 11)))
        self.text("random-walks", "star.tsv", "--by-weights", "--walks", 2000, "--steps", 1, "-q", "-o", "walks.tsv")
        ends = [line.split("\t")[1] for line in (self.folder / "walks.tsv").read_text().splitlines()[1:] if line.startswith("0\t")]
        self.assertEqual(len(ends), 2000)
        self.assertTrue(all(100 < ends.count(str(v)) < 300 for v in range(1, 11)), ends[:20])

    def test_more_paths_than_doubles_hold(self):
        self.file("diamonds.tsv", "".join(f"{3 * i} {3 * i + 1}\n{3 * i} {3 * i + 2}\n{3 * i + 1} {3 * i + 3}\n{3 * i + 2} {3 * i + 3}\n" for i in range(1100)))
        answer = self.answer("betweenness", "diamonds.tsv", "--samples", 5, "--verify")
        self.assertTrue(all(r["score"] > 0 for r in answer["top"]))
        self.file("more.tsv", "".join(f"{8 * i} {8 * i + m}\n{8 * i + m} {8 * i + 8}\n" for i in range(6000) for m in range(1, 8)))
        self.answer("betweenness", "more.tsv", "--samples", 1, "--verify")  # 7^6000 are beyond long double, too
        done = self.run_program("betweenness", "diamonds.tsv", "--exact", "--resume", "kept", "-q")
        self.assertEqual(done.stderr.decode(), "error: betweenness: a vertex has more than 2^900 shortest paths: work on such graphs is not kept\n")
        self.assertEqual(done.returncode, 2)

    def test_hits(self):
        self.file("w.csv", "from,to,weight\na,b,2\na,c,1\n")
        answer = self.answer("hits", "w.csv", "--verify", "--output", "hits.tsv")
        self.assertEqual([(r["vertex"], round(r["score"], 6)) for r in answer["top"]], [("b", 0.666667), ("c", 0.333333), ("a", 0)])
        self.assertEqual((self.folder / "hits.tsv").read_text().splitlines()[0:2], ["vertex\tauthority\thub", "a\t0\t1"])
        self.assertEqual([r["score"] for r in self.answer("hits", "w.csv", "--unweighted", "--verify")["top"]], [0.5, 0.5, 0])

    def test_cores(self):
        answer = self.answer("cores", "g.tsv", "--top", 3, "--verify")
        self.assertEqual((answer["degeneracy"], answer["innermost"], answer["distinct"]), (2, 3, 2))
        self.assertEqual(answer["top"], [{"vertex": v, "score": 2} for v in "abc"])

    def test_path(self):
        self.file("w.csv", "from,to,weight\na,b,3\na,c,10\nb,c,4\nc,d,1\nx,y,2\n")
        answer = self.answer("path", "w.csv", "a", "d", "--verify")
        self.assertEqual((answer["length"], answer["edges"], answer["path_edges"], answer["path"], answer["verified"]), (8, 5, 3, list("abcd"), True))
        self.assertEqual((answer["from"], answer["to"], answer["connected"]), ("a", "d", True))
        answer = self.answer("path", "w.csv", "d", "a")
        self.assertIs(answer["connected"], False)
        self.assertNotIn("path", answer)
        self.assertEqual(self.answer("path", "w.csv", "x", "x")["path"], ["x"])
        answer = self.answer("path", "g.tsv", "a", "d", "--verify")  # no weights: edges are counted
        self.assertEqual((answer["length"], len(answer["path"])), (3, 4))
        self.assertIn('from: expected a vertex of w.csv, found "nobody"', self.refused("path", "w.csv", "nobody", "a"))
        self.assertIn("expected another vertex: where the path ends", self.refused("path", "w.csv", "a"))

    def test_distances_of_all(self):
        answer = self.answer("closeness", "g.tsv", "--undirected", "--top", 1, "--verify")
        self.assertEqual((answer["sources"], answer["top"][0]["vertex"], answer["verified"]), (6, "c", True))
        self.assertAlmostEqual(answer["top"][0]["score"], 3 / 5)  # c reaches three of five others, each by one edge
        answer = self.answer("eccentricity", "g.tsv", "--undirected", "--verify")
        self.assertEqual((answer["largest"], answer["smallest"], answer["reaches_all"]), (2, 1, False))
        answer = self.answer("diameter", "g.tsv", "--undirected", "--verify")
        self.assertEqual((answer["diameter"], answer["components"], answer["connected"]), (2, 2, False))
        self.assertEqual({answer["from"], answer["to"]} & {"d"}, {"d"})
        self.assertIn("strongly connected", self.refused("diameter", "g.tsv"))
        self.assertIn("this one has none", self.refused("diameter", "g.tsv", "--output", "x.tsv"))

    def test_sssp(self):
        self.file("w.csv", "from,to,weight\na,b,3\na,c,10\nb,c,4\nc,d,1\nx,y,2\n")
        answer = self.answer("sssp", "w.csv", "--source", "a", "--top", 2, "--verify")
        self.assertEqual((answer["weights"], answer["weights_ignored"]), ("int32", 0))
        self.assertEqual((answer["source"], answer["reached"], answer["traversed"], answer["farthest"]), ("a", 4, 4, 8))
        self.assertEqual(answer["top"], [{"vertex": "d", "score": 8}, {"vertex": "c", "score": 7}])
        self.assertIs(answer["verified"], True)
        expected = {"a": ("0", ""), "b": ("3", "a"), "c": ("7", "b"), "d": ("8", "c"), "x": ("", ""), "y": ("", "")}
        for graph in ("w.csv", "w.gsg", "w.tsv", "w.tsv.gz"):
            if graph != "w.csv":
                self.answer("convert", "w.csv", graph, "--verify")
            for delta in ([], ["--delta", 1], ["--delta", 1e9]):
                self.text("sssp", graph, "--source", "a", *delta, "--output", "d.csv")
                rows = csv.DictReader((self.folder / "d.csv").read_text().splitlines())
                self.assertEqual({r["vertex"]: (r["distance"], r["parent"]) for r in rows}, expected, graph)
        reals = self.file("r.tsv", "a\tb\t0.5\nb\tc\t1e-3\n")
        self.assertEqual(self.answer("sssp", reals, "--source", "a", "--verify")["farthest"], 0.501)
        trials = self.answer("sssp", "w.csv", "--trials", 3, "--undirected", "--verify")
        self.assertEqual([t["reached"] for t in trials["trials"]], [4 if t["source"] in "abcd" else 2 for t in trials["trials"]])

    def test_sssp_without_weights_counts_edges(self):
        answer = self.answer("sssp", "g.tsv", "--source", "a", "--verify")
        self.assertEqual((answer["weights"], answer["farthest"]), ("none", 3))
        self.assertIn("edges have no weights: each has length 1", self.run_program("sssp", "g.tsv", "--source", "a").stderr.decode())

    def test_what_is_no_length_is_refused(self):
        self.file("n.tsv", "a\tb\t3\nb\tc\t-0.5\n")
        self.assertRegex(self.refused("sssp", "n.tsv", "--source", "a"),
                         r'n\.tsv:2: expected a weight of 0 or more, as weights are lengths or capacities here, found "-0\.5"')
        self.answer("convert", "n.tsv", "n.gsg", "--verify")
        self.assertRegex(self.refused("sssp", "n.gsg", "--source", "a"),
                         r"n\.gsg: expected weights of 0 or more, as they are lengths, found -0\.5 from b to c")
        self.file("l.csv", "from,to,length,year\n1,2,3,1999\n2,3,4,2000\n")
        self.assertRegex(self.refused("sssp", "l.csv", "--source", "1"),
                         r"l\.csv: expected a column of weights, found length, year: --columns SOURCE,TARGET,length takes one")
        self.assertEqual(self.answer("sssp", "l.csv", "--source", "1", "--columns", "from,to,length")["farthest"], 7)
        self.assertRegex(self.refused("sssp", "g.tsv"), r"expected --source V or --trials N")
        self.assertRegex(self.refused("sssp", "g.tsv", "--source", "a", "--delta", "0"), r"--delta: expected a width above 0")
        self.file("x.tsv", "a\tb\t1.5e308\nb\tc\t1.5e308\n")
        self.assertRegex(self.refused("sssp", "x.tsv", "--source", "a"), r"the length of a path exceeds what a double holds")

    def test_paths_by_negative_weights(self):
        self.file("n.csv", "from,to,weight\na,b,3\na,c,1\nb,c,-4\nc,d,1\nx,y,-2\n")
        for graph in ("n.csv", "n.gsg"):
            if graph == "n.gsg":
                self.answer("convert", "n.csv", graph)
            answer = self.answer("sssp", graph, "--source", "a", "--negative", "--top", 4, "--verify", "--output", "d.tsv")
            self.assertEqual((answer["reached"], answer["traversed"], answer["farthest"], answer["steps"], answer["verified"]), (4, 4, 3, 4, True))
            self.assertEqual((self.folder / "d.tsv").read_text(), "vertex\tdistance\tparent\na\t0\t\nb\t3\ta\nc\t-1\tb\nd\t0\tc\nx\t\t\ny\t\t\n")
        self.assertEqual([(row["vertex"], row["score"]) for row in answer["top"]], [("b", 3), ("a", 0), ("d", 0), ("c", -1)])
        path = self.answer("path", "n.csv", "a", "d", "--negative", "--verify")
        self.assertEqual((path["length"], path["path"], path["verified"]), (0, list("abcd"), True))
        self.assertIs(self.answer("path", "n.csv", "a", "y", "--negative")["connected"], False)
        self.assertRegex(self.refused("sssp", "n.csv", "--source", "a"), r"n\.csv:4: expected a weight of 0 or more")
        self.assertRegex(self.refused("sssp", "n.csv", "--source", "a", "--negative", "--delta", 3), r"sssp: expected a width of buckets")
        self.assertEqual(self.answer("sssp", "g.tsv", "--source", "a", "--negative", "--verify")["farthest"], 3)
        trials = self.answer("sssp", "n.csv", "--trials", 3, "--negative", "--verify")
        self.assertEqual(len(trials["trials"]), 3)

    def test_paths_between_all_pairs(self):
        self.file("n.csv", "from,to,gain\na,b,4\nb,c,-3\na,c,2\nc,d,1\n")
        answer = self.answer("johnson", "n.csv", "--columns", "from,to,gain", "--top", 3, "--verify", "--output", "pairs.tsv")
        self.assertEqual((answer["sources"], answer["pairs"], answer["verified"]), (4, 10, True))
        self.assertEqual(answer["rows"][2], {"source": "a", "target": "c", "distance": 1, "before": "b"})
        self.assertEqual((self.folder / "pairs.tsv").read_text().splitlines()[:5],
                         ["source\ttarget\tdistance\tbefore", "a\ta\t0\ta", "a\tb\t4\ta", "a\tc\t1\tb", "a\td\t2\tc"])
        self.file("some.txt", "c\nb\n")
        some = self.answer("johnson", "n.csv", "--columns", "from,to,gain", "--sources", "some.txt", "--top", 9, "--verify")
        self.assertEqual([(row["source"], row["target"], row["distance"]) for row in some["rows"]],
                         [("c", "c", 0), ("c", "d", 1), ("b", "b", 0), ("b", "c", -3), ("b", "d", -2)])
        self.file("none.txt", "z\n")
        self.assertRegex(self.refused("johnson", "n.csv", "--columns", "from,to,gain", "--sources", "none.txt"), r"none\.txt:1: .*z")
        self.file("c.tsv", "a b 1\nb c -3\nc a 1\n")
        self.assertRegex(self.refused("johnson", "c.tsv", "--verify"), r"c\.tsv: expected no negative cycle, found a -> b -> c -> a$")
        self.assertEqual(self.answer("johnson", "kron:6", "--verify")["sources"], 64)

    def test_cycles_of_negative_length_are_named(self):
        for command in (["sssp", "c.tsv", "--source", "a"], ["path", "c.tsv", "a", "d"]):
            self.file("c.tsv", "a b 1\nb c -3\nc a 1\nc d 1\n")
            for verify in ([], ["--verify"]):
                self.assertRegex(self.refused(*command, "--negative", *verify), r"c\.tsv: expected no negative cycle, found a -> b -> c -> a$")
            self.file("c.tsv", "a b 1\nb c -3\nc a 2\nc d 1\n")  # of length 0
            self.answer(*command, "--negative", "--verify")
            self.file("c.tsv", "a d 1\nx y -1\ny x -1\n")  # where no path leads
            self.answer(*command, "--negative", "--verify")
            self.file("c.tsv", "a d 1\nd d -1\nd d 2\n")
            self.assertRegex(self.refused(*command, "--negative"), r"c\.tsv: expected no negative cycle, found 1 self-loop with a negative weight")
            self.run_program("convert", "c.tsv", "c.gsg")
            self.assertRegex(self.refused(*(word.replace(".tsv", ".gsg") for word in command), "--negative"), r"c\.gsg: .*1 self-loop with a negative weight")
            self.file("c.tsv", "a d 1\nd d 2\n")
            self.answer(*command, "--negative", "--verify")
        self.file("u.tsv", "a b 1\nb c -1\n")
        self.assertRegex(self.refused("sssp", "u.tsv", "--source", "a", "--negative", "--undirected"), r"found b -> c -> b$")
        self.file("long.tsv", "".join(f"{i} {(i + 1) % 40} -1\n" for i in range(40)))
        self.assertRegex(self.refused("sssp", "long.tsv", "--source", 5, "--negative"), r"found 0 -> 1 -> .* -> 11 -> … \(40 vertices\) -> 0$")

    def test_strong(self):
        answer = self.answer("strong", "g.tsv", "--top", 1, "--verify")
        self.assertEqual((answer["components"], answer["largest"]), (4, 3))
        self.assertEqual(answer["sizes"], [{"size": 1, "components": 3}, {"size": 3, "components": 1}])
        self.assertEqual(answer["top"], [{"vertex": "a", "score": 3}])
        self.assertIn("4 strong components", self.text("strong", "g.tsv"))
        undirected = self.answer("strong", "g.tsv", "--undirected", "--verify")
        self.assertEqual((undirected["components"], undirected["sizes"]), (2, self.answer("components", "g.tsv")["sizes"]))

    def test_communities(self):
        for method in ("leiden", "louvain"):
            answer = self.answer("communities", "g.tsv", "--undirected", "--method", method, "--top", 1, "--verify")
            self.assertEqual((answer["communities"], answer["largest"], answer["verified"]), (2, 4, True))
            self.assertEqual(answer["sizes"], [{"size": 2, "communities": 1}, {"size": 4, "communities": 1}])
            self.assertAlmostEqual(answer["modularity"], 1 - (64 + 4) / 100)
            self.assertEqual(answer["top"], [{"vertex": "a", "score": 4}])
            self.assertEqual(answer["options"]["method"], method)
        self.assertIn("2 communities", self.text("communities", "g.tsv", "--undirected"))
        self.assertAlmostEqual(self.answer("communities", "g.tsv", "--verify")["modularity"], 1 - 17 / 25)
        self.assertEqual(self.answer("communities", "g.tsv", "--undirected", "--resolution", 50, "--verify")["communities"], 6)
        self.assertTrue(self.answer("communities", "g.tsv", "--method", "labels", "--verify")["verified"])
        self.file("w.csv", "from,to,weight\na,b,5\nb,c,1\nc,d,5\n")
        weighted = self.answer("communities", "w.csv", "--undirected", "--verify")
        self.assertEqual((weighted["communities"], weighted["weights"]), (2, "int32"))
        self.assertAlmostEqual(weighted["modularity"], 0.4091, places=4)

    def test_communities_of_what_they_are_not_for(self):
        self.assertIn("--method: expected leiden, louvain or labels, found \"walktrap\"", self.refused("communities", "g.tsv", "--method", "walktrap"))
        self.assertIn("--resolution: expected a number of 0 or more, found \"-1\"", self.refused("communities", "g.tsv", "--resolution", "-1"))
        self.file("bad.csv", "from,to,weight\na,b,5\nb,c,-1\n")
        self.assertIn("bad.csv: expected weights of 0 or more, found -1 from b to c", self.refused("communities", "bad.csv"))
        self.file("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n")
        answer = self.answer("communities", "none.mtx", "--verify")
        self.assertNotIn("modularity", answer)
        self.assertEqual(answer["communities"], 3)

    def test_communities_are_those_of_a_seed(self):
        def of(*words):
            return self.answer("communities", "kron:10:4", *words, "--top", 3)
        one = of("--seed", 3, "--cores", 1)
        for cores in (2, 5):
            many = of("--seed", 3, "--cores", cores)
            self.assertEqual([many[key] for key in ("modularity", "sizes", "top", "rounds")], [one[key] for key in ("modularity", "sizes", "top", "rounds")])

    def test_triangles(self):
        answer = self.answer("triangles", "g.tsv", "--undirected", "--top", 1, "--verify")
        self.assertEqual((answer["triangles"], answer["transitivity"]), (1, 3 / 5))
        self.assertAlmostEqual(answer["average_clustering"], (1 + 1 + 1 / 3) / 6)
        self.assertRegex(self.refused("triangles", "g.tsv"), r"g\.tsv: expected an undirected graph, found a directed one: --undirected")

    def test_biconnected(self):
        answer = self.answer("biconnected", "g.tsv", "--undirected", "--verify", "--top", 1, "--output", "b.tsv")
        self.assertEqual([answer[key] for key in ("blocks", "articulation_points", "bridges", "largest")], [3, 1, 2, 3])
        self.assertEqual(answer["top"], [{"vertex": "c", "score": 2}])
        rows = [line.split("\t") for line in (self.folder / "b.tsv").read_text().splitlines()]
        self.assertEqual(rows[0], ["vertex", "blocks", "articulation", "bridge", "block", "head"])
        self.assertEqual(sorted(rows[1:]), [["a", "1", "0", "", "", ""], ["b", "1", "0", "", "b", "a"], ["c", "2", "1", "", "b", "a"],
                                            ["d", "1", "0", "c", "d", "c"], ["x", "1", "0", "", "", ""], ["y", "1", "0", "x", "y", "x"]])
        self.assertRegex(self.refused("biconnected", "g.tsv"), r"g\.tsv: expected an undirected graph, found a directed one: --undirected")
        self.file("twice.tsv", "a\tb\nb\tc\nb\tc\n")  # an edge given twice is one edge
        answer = self.answer("biconnected", "twice.tsv", "--undirected", "--verify")
        self.assertEqual([answer[key] for key in ("blocks", "articulation_points", "bridges", "duplicates")], [2, 1, 2, 1])
        self.file("none.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 0\n")
        self.assertEqual(self.answer("biconnected", "none.mtx", "--undirected", "--verify")["blocks"], 0)

    def test_truss(self):
        answer = self.answer("truss", "g.tsv", "--undirected", "--verify", "--top", 4, "--output", "t.tsv")
        self.assertEqual([answer[key] for key in ("largest", "innermost", "distinct")], [3, 3, 2])
        self.assertEqual([row["score"] for row in answer["top"]], [3, 3, 3, 2])
        self.assertEqual(sorted((self.folder / "t.tsv").read_text().split()), sorted("vertex truss a 3 b 3 c 3 d 2 x 2 y 2".split()))
        self.assertRegex(self.refused("truss", "g.tsv"), r"g\.tsv: expected an undirected graph, found a directed one: --undirected")
        self.file("k4.tsv", "a\tb\na\tc\na\td\nb\tc\nb\td\nc\td\n")
        self.assertEqual(self.answer("truss", "k4.tsv", "--undirected", "--verify")["largest"], 4)

    def test_topological(self):
        answer = self.answer("topological", "g.tsv", "--verify")
        self.assertEqual((answer["acyclic"], answer["cycle"]), (False, ["a", "b", "c"]))
        self.assertRegex(self.text("topological", "g.tsv"), r"cyclic.*\n\na cycle of 3 vertices: a → b → c → a")
        self.file("dag.tsv", "a\tb\nb\tc\na\tc\nc\td\n")
        answer = self.answer("topological", "dag.tsv", "--verify", "--output", "order.tsv")
        self.assertEqual((answer["acyclic"], answer["levels"], answer["ordered"]), (True, 4, 4))
        self.assertRegex(self.text("topological", "dag.tsv", "--top", "2"), r"vertex +position\n +a +0\n +b +1\n")
        self.assertEqual((self.folder / "order.tsv").read_text(),
                         "vertex\tposition\tlevel\na\t0\t0\nb\t1\t1\nc\t2\t2\nd\t3\t3\n")
        self.file("loop.tsv", "a\ta\na\tb\n")
        answer = self.answer("topological", "loop.tsv")
        self.assertEqual((answer["acyclic"], answer["ordered"], answer["self_loops"]), (False, 2, 1))
        self.assertRegex(self.refused("topological", "g.tsv", "--undirected"), "g.tsv: expected a directed graph, found an undirected one: --directed")

    def test_condensation(self):
        self.file("two.tsv", "a b\nb a\nc d\nd c\na c\nb d\nd e\n")
        answer = self.answer("strong", "two.tsv", "--condensation", "--top", 1, "--verify", "--output", "parts.tsv")
        self.assertEqual((answer["components"], answer["component_edges"], answer["verified"]), (3, 2, True))
        self.assertEqual(answer["rows"], [{"source": "a", "target": "c", "weight": 2}])
        self.assertEqual((self.folder / "parts.tsv").read_text(), "source\ttarget\tweight\na\tc\t2\nc\te\t1\n")
        again = self.answer("topological", "parts.tsv")
        self.assertEqual((again["acyclic"], again["vertices"], again["weights_ignored"]), (True, 3, 2))
        undirected = self.answer("strong", "two.tsv", "--condensation", "--undirected", "--verify")
        self.assertEqual((undirected["components"], undirected["component_edges"]), (1, 0))

    def test_closeness_from_a_sample(self):
        exact = self.answer("closeness", "kron:8", "--top", 300)
        self.assertIs(exact["exact"], True)
        some = self.answer("closeness", "kron:8", "--samples", 40, "--seed", 2, "--verify", "--output", "some.tsv")
        self.assertEqual((some["sources"], some["exact"], some["verified"]), (40, False, True))
        self.assertLess(some["harmonic_error"], 255)
        self.assertNotIn("distance_error", some)  # not connected
        ring = self.file("ring.tsv", "".join(f"{i} {(i + 1) % 300}\n" for i in range(300)))
        some = self.answer("closeness", ring, "--undirected", "--error", 0.3, "--verify", "--top", 300)
        for row in some["top"]:
            self.assertLessEqual(abs(1 / row["score"] - 22500 / 299), some["distance_error"])
        self.assertIn("with a probability of 95 %", self.text("closeness", ring, "--undirected", "--error", 0.3))
        self.assertIn("as the graph is directed or not connected", self.text("closeness", ring, "--samples", 9))
        self.assertRegex(self.refused("closeness", ring, "--samples", 1), r"--samples: expected a whole number from 2, found \"1\"")
        self.assertRegex(self.refused("closeness", ring, "--error", 2), r"--error: expected a number above 0 and below 1")
        self.assertRegex(self.refused("closeness", ring, "--error", 0.5, "--samples", 3), r"expected a number of samples or an error, found both")
        self.assertIs(self.answer("closeness", ring, "--samples", 5000, "--verify")["exact"], True)

    def test_spanning_tree(self):
        self.file("w.csv", "from,to,length\na,b,3\nb,c,1\na,c,2.5\nd,e,-4\n")
        self.assertRegex(self.refused("spanning-tree", "w.csv", "--undirected"), r"w\.csv: .*length")
        answer = self.answer("spanning-tree", "w.csv", "--undirected", "--columns", "from,to,length", "--verify", "--output", "tree.tsv")
        self.assertEqual((answer["weight"], answer["edges_taken"], answer["trees"]), (-0.5, 3, 2))
        self.assertEqual((self.folder / "tree.tsv").read_text(), "vertex\tparent\na\t\nb\tc\nc\ta\nd\t\ne\td\n")
        self.assertEqual(self.answer("spanning-tree", "g.tsv", "--undirected", "--verify")["weight"], 4)
        self.assertRegex(self.refused("spanning-tree", "w.csv"), r"w\.csv: expected an undirected graph, found a directed one: --undirected")

    def test_the_first_vertices_by_their_partners(self):
        self.file("t.tsv", "ann\tbob\ncat\tdan\n")
        self.assertEqual(self.answer("matching", "t.tsv", "--undirected", "--top", 3)["top"],
                         [{"vertex": v, "mate": w} for v, w in (("ann", "bob"), ("bob", "ann"), ("cat", "dan"))])
        self.assertEqual(self.answer("spanning-tree", "t.tsv", "--undirected", "--top", 3)["top"],
                         [{"vertex": "bob", "parent": "ann"}, {"vertex": "dan", "parent": "cat"}])

    def test_max_flow_of_native_files_read_undirected(self):
        self.file("r.txt", "1 2 7\n2 1 3\n2 3 100\n")
        self.run_program("convert", "r.txt", "r.gsg")
        for name in "r.txt", "r.gsg":
            self.assertEqual(self.answer("max-flow", name, 1, 3, "--undirected", "--verify")["value"], 10)
        self.file("negative.txt", "1 2 -7\n2 3 1\n")
        self.assertEqual(self.answer("max-flow", "negative.txt", 1, 3, "--unit")["value"], 1)
        self.assertIn("lengths or capacities", self.refused("max-flow", "negative.txt", 1, 3))

    def test_weights_that_are_far_apart_are_told_of(self):
        self.file("l.tsv", "a b 1e-3\nb c 3e-3\nx y 1e16\nc d 1e-3\n")
        notes = self.answer("communities", "l.tsv", "--method", "labels", "--undirected")["notes"]
        self.assertTrue(any("weights are so far apart" in note for note in notes), notes)
        self.file("m.tsv", "a b 1e-3\nb c 3e-3\nc d 7\n")
        self.assertNotIn("notes", self.answer("communities", "m.tsv", "--method", "labels", "--undirected"))

    def test_a_graph_without_edges_is_read_back(self):
        self.file("three.graph", "3 0\n\n\n\n")
        self.assertTrue(self.answer("convert", "three.graph", "out.txt", "--verify")["verified"])

    def test_max_flow(self):
        self.file("w.csv", "from,to,litres\na,b,3\nb,c,1\na,c,2.5\nc,d,10\nx,y,1\n")
        self.assertRegex(self.refused("max-flow", "w.csv", "a", "d"), r"w\.csv: .*litres")
        columns = ("--columns", "from,to,litres")
        answer = self.answer("max-flow", "w.csv", "a", "d", *columns, "--verify", "--output", "sides.tsv")
        self.assertEqual((answer["value"], answer["cut_edges"], answer["source_side"], answer["sink_side"]), (3.5, 2, 4, 2))
        self.assertEqual((answer["source"], answer["sink"]), ("a", "d"))
        self.assertEqual((self.folder / "sides.tsv").read_text(), "vertex\tside\na\t0\nb\t0\nc\t1\nd\t1\nx\t0\ny\t0\n")
        self.assertEqual(self.answer("max-flow", "w.csv", "d", "a", *columns, "--verify")["value"], 0)
        self.assertEqual(self.answer("max-flow", "w.csv", "d", "a", *columns, "--undirected", "--verify")["value"], 3.5)
        self.assertEqual(self.answer("max-flow", "w.csv", "a", "d", *columns, "--unit", "--verify")["value"], 1)
        self.file("parallel.tsv", "a b 1\na b 2\nb c 9\n")
        self.assertEqual(self.answer("max-flow", "parallel.tsv", "a", "c", "--verify")["value"], 3)
        self.assertEqual(self.answer("max-flow", "parallel.tsv", "a", "c", "--duplicates", "min")["value"], 1)
        self.assertEqual(self.answer("max-flow", "parallel.tsv", "c", "a", "--undirected", "--verify")["value"], 3)
        self.assertRegex(self.refused("max-flow", "w.csv", "a", "a", *columns), r"w\.csv: expected two vertices, found one as source and sink")
        self.assertRegex(self.refused("max-flow", "g.tsv", "a", "d"), r"g\.tsv: the flow is unbounded, as edges have no weights: --unit")
        self.assertEqual(self.answer("max-flow", "g.tsv", "a", "x")["value"], 0)
        self.file("bad.tsv", "a b 1\nb c -1\n")
        self.assertRegex(self.refused("max-flow", "bad.tsv", "a", "c"), r"bad\.tsv:2: ")
        self.file("nan.tsv", "a b 1\nb c nan\n")
        self.assertRegex(self.refused("max-flow", "nan.tsv", "a", "c"), r"nan\.tsv:2: ")

    def test_flow_of_edges(self):
        self.file("w.csv", "from,to,litres\na,b,3\nb,c,1\na,c,2.5\nc,d,10\nb,e,1\n")
        words = ("w.csv", "a", "d", "--columns", "from,to,litres", "--edges", "--verify")
        answer = self.answer("max-flow", *words, "--top", 1, "--output", "flow.tsv")
        self.assertEqual((answer["value"], answer["verified"], answer["rows"]), (3.5, True, [{"source": "a", "target": "b", "flow": 1}]))
        self.assertEqual((self.folder / "flow.tsv").read_text(), "source\ttarget\tflow\na\tb\t1\na\tc\t2.5\nb\tc\t1\nc\td\t3.5\n")
        self.answer("max-flow", *words, "--undirected", "--output", "flow.tsv")
        self.assertIn("a\tc\t2.5\n", (self.folder / "flow.tsv").read_text())
        self.assertIs(self.answer("max-flow", "grid:30x40@1..9", 0, 1199, "--edges", "--verify", "--cores", 3)["verified"], True)

    def test_similarity(self):
        answer = self.answer("similarity", "g.tsv", "--undirected", "--of", "a", "--verify", "--output", "like.tsv")
        self.assertEqual([(row["other"], row["common_neighbours"]) for row in answer["rows"]], [("d", 1), ("b", 1), ("c", 1)])
        rows = (self.folder / "like.tsv").read_text().splitlines()
        self.assertEqual(rows[0].split("\t"), ["vertex", "other", "common_neighbours", "jaccard", "adamic_adar", "resource_allocation",
                                               "preferential_attachment"])
        self.assertEqual(rows[1].split("\t")[:4], ["a", "d", "1", "0.5"])
        for text in ("a\tb\n\nx\ty\n", "a,b\nx, y\n", "a b\nx  y\r\n"):
            self.file("pairs.txt", text)
            answer = self.answer("similarity", "g.tsv", "--undirected", "--pairs", "pairs.txt", "--verify")
            self.assertEqual([(row["vertex"], row["other"], row["jaccard"]) for row in answer["rows"]], [("a", "b", 1 / 3), ("x", "y", 0)])
        self.assertEqual(self.answer("similarity", "g.tsv", "--undirected", "--of", "a", "--to", "b")["pairs"], 1)
        self.assertEqual(len(self.answer("similarity", "g.tsv", "--undirected", "--of", "a", "--top", 1, "--by", "common-neighbours")["rows"]), 1)
        for text, said in (("a b\na\n", r'pairs\.txt:2: expected two vertices, found "a"'), ("a b c\n", r"pairs\.txt:1: expected two vertices"),
                           ("a q\n", r'pairs\.txt:1: expected a vertex of g\.tsv, found "q"')):
            self.file("pairs.txt", text)
            self.assertRegex(self.refused("similarity", "g.tsv", "--undirected", "--pairs", "pairs.txt"), said)
        self.assertRegex(self.refused("similarity", "g.tsv", "--undirected", "--pairs", "none.txt"), r"cannot read none\.txt: No such file or directory")
        self.assertRegex(self.refused("similarity", "g.tsv"), "similarity: expected pairs, or a vertex")
        self.assertRegex(self.refused("similarity", "g.tsv", "--of", "a"), "g.tsv: expected an undirected graph")

    def test_neighbours_and_subgraph(self):
        answer = self.answer("neighbours", "g.tsv", "a", "--hops", 2, "--verify", "--output", "near.tsv")
        self.assertEqual((answer["found"], answer["by_distance"]), (3, [1, 1, 1]))
        self.assertEqual((self.folder / "near.tsv").read_text(), "vertex\tdistance\na\t0\nb\t1\nc\t2\n")
        answer = self.answer("subgraph", "g.tsv", "--around", "a", "--hops", 1, "--undirected", "--verify", "--output", "part.tsv")
        self.assertEqual((answer["members"], answer["edges_among"]), (3, 3))
        self.assertEqual((self.folder / "part.tsv").read_text(), "source\ttarget\na\tb\na\tc\nb\tc\n")
        self.assertEqual(self.answer("info", "part.tsv", "--undirected")["edges"], 3)
        self.file("only.txt", "c\n\nd\nx\n")
        answer = self.answer("subgraph", "g.tsv", "--only", "only.txt", "--verify")
        self.assertEqual((answer["members"], answer["rows"]), (3, [{"source": "c", "target": "d"}]))
        self.assertEqual(self.answer("subgraph", "g.tsv", "--largest", "--verify")["members"], 4)
        self.file("w.tsv", "a b 3\nb c 0.5\nx y 1\n")
        self.text("subgraph", "w.tsv", "--largest", "--weights", "--output", "part.tsv")
        self.assertEqual((self.folder / "part.tsv").read_text(), "source\ttarget\tweight\na\tb\t3\nb\tc\t0.5\n")
        self.assertRegex(self.refused("subgraph", "g.tsv", "--largest", "--weights"), "g.tsv: expected weights, found none")
        self.assertRegex(self.refused("subgraph", "g.tsv"), "subgraph: expected one of: a list of vertices")
        self.assertRegex(self.refused("subgraph", "g.tsv", "--largest", "--hops", 2), "subgraph: expected a number of hops only beside a vertex")
        self.assertRegex(self.refused("subgraph", "g.tsv", "--largest", "--around", "a"), "subgraph: expected one of: a list of vertices")

    def test_random_walks(self):
        self.file("line.tsv", "0 1\n1 2\n")
        answer = self.answer("random-walks", "line.tsv", "--steps", 3, "--verify", "--output", "walks.tsv")
        self.assertEqual((answer["walks"], answer["steps"], answer["ended"]), (3, 3, 3))
        self.assertNotIn("rows", answer)
        self.assertEqual((self.folder / "walks.tsv").read_text(), "v0\tv1\tv2\tv3\n0\t1\t2\t\n1\t2\t\t\n2\t\t\t\n")
        self.file("starts.txt", "1\n")
        self.assertEqual(self.answer("random-walks", "line.tsv", "--starts", "starts.txt", "--steps", 1, "--top", 5)["rows"], [{"v0": 1, "v1": 2}])
        self.assertRegex(self.refused("random-walks", "line.tsv", "--steps", 10**18), "random-walks: expected 1048576 steps at most, found 1000000000000000000")
        for walks in (10**12, 2**62, 2**64 - 1):
            self.assertRegex(self.refused("random-walks", "line.tsv", "--walks", walks), "the table of random walks needs .*available")
        self.assertRegex(self.refused("random-walks", "line.tsv", "--by-weights"), "line.tsv: expected weights to draw by, found none")
        rows = []
        for cores in (1, 3):
            self.text("random-walks", "kron:9", "--seed", 3, "--walks", 2, "--cores", cores, "--output", "rows.tsv")
            rows.append((self.folder / "rows.tsv").read_text())
        self.assertEqual(*rows)

    def test_greedy_choices(self):
        for command, key, value in (("colouring", "colours", 3), ("independent-set", "members", None), ("matching", "matched", None)):
            answer = self.answer(command, "g.tsv", "--undirected", "--verify", "--seed", 3)
            if value is not None:
                self.assertEqual(answer[key], value)
            self.assertGreaterEqual(answer[key], 2)
            self.assertRegex(self.refused(command, "g.tsv"), r"g\.tsv: expected an undirected graph, found a directed one: --undirected")
            rows = []
            for cores in (1, 3):
                self.text(command, "kron:9", "--seed", 3, "--cores", cores, "--output", "rows.tsv")
                rows.append((self.folder / "rows.tsv").read_text())
            self.assertEqual(*rows)

    def test_betweenness(self):
        answer = self.answer("betweenness", "g.tsv", "--exact", "--verify", "--top", 1)
        self.assertEqual(answer["top"], [{"vertex": "c", "score": 3.0}])
        self.assertIs(answer["exact"], True)
        self.assertIs(answer["verified"], True)
        sampled = self.answer("betweenness", "kron:8", "--samples", 4, "--verify")
        self.assertEqual((sampled["sources"], sampled["exact"], sampled["verified"]), (4, False, True))

    def test_betweenness_by_weights(self):
        self.file("w.csv", "from,to,weight\na,b,10\nb,d,20\na,c,15\nc,d,15\n")
        answer = self.answer("betweenness", "w.csv", "--undirected", "--exact", "--weighted", "--verify")
        self.assertEqual([(r["vertex"], r["score"]) for r in answer["top"]], [("a", 1), ("b", 0.5), ("c", 0.5), ("d", 0)])
        self.assertEqual((answer["weights"], answer["verified"], answer["options"]["weighted"]), ("int32", True, True))
        self.file("zero.csv", "from,to,weight\na,b,10\nb,c,0\n")
        self.assertIn("zero.csv: expected weights above 0, found 0 from b to c", self.refused("betweenness", "zero.csv", "--exact", "--weighted"))
        self.assertRegex(self.refused("betweenness", self.file("n.tsv", "a b -1\n"), "--exact", "--weighted"), r"n\.tsv:1: expected a weight of 0 or more")

    def test_betweenness_of_edges(self):
        answer = self.answer("betweenness", "g.tsv", "--undirected", "--exact", "--edges", "--verify", "--top", 2, "--output", "edges.tsv")
        self.assertEqual(answer["rows"], [{"source": "c", "target": "d", "score": 3}, {"source": "a", "target": "c", "score": 2}])
        self.assertIs(answer["verified"], True)
        self.assertEqual((self.folder / "edges.tsv").read_text(),
                         "source\ttarget\tscore\na\tb\t1\na\tc\t2\nb\tc\t2\nc\td\t3\nx\ty\t1\n")
        self.assertRegex(self.text("betweenness", "g.tsv", "--exact", "--edges", "--top", 1), r"source +target +score\n +b +c +5\n")
        self.file("path.tsv", "1 2\n2 3\n")
        shares = self.answer("betweenness", "path.tsv", "--undirected", "--exact", "--edges", "--normalised")["rows"]
        self.assertEqual([round(r["score"], 4) for r in shares], [0.6667, 0.6667])
        sampled = self.answer("betweenness", "kron:8", "--samples", 4, "--edges", "--verify")
        self.assertEqual((sampled["sources"], sampled["verified"], len(sampled["rows"])), (4, True, 10))

    def test_statistics(self):
        stats = self.answer("bfs", "kron:10", "--source", "1", "--stats", "--cores", 3)["stats"]
        for key in ("fibers_created", "messages", "packets", "bytes", "flush_full", "steals"):
            self.assertEqual(sorted(stats[key]), ["maximum", "median", "minimum", "total"])
        self.assertGreater(stats["packets"]["total"], 0)
        self.assertGreater(stats["peak_memory_bytes"], 1 << 20)
        self.assertTrue(0 <= stats["fill_percent"] <= 100)
        self.assertIn("peak memory", self.text("bfs", "kron:10", "--source", "1", "--stats"))

    def test_the_same_seed_gives_the_same_answer(self):
        runs = [self.answer("betweenness", "kron:9:4", "--samples", 8, "--seed", 3, "--cores", c)["top"] for c in (1, 2, 5)]
        for top in runs[1:]:
            self.assertEqual([t["vertex"] for t in top], [t["vertex"] for t in runs[0]])
        self.assertNotEqual(self.answer("info", "kron:9", "--seed", 1)["edges"], self.answer("info", "kron:9", "--seed", 2)["edges"])


class Labels(ProgramTest):
    def test_integers_are_numbers(self):
        self.file("g.tsv", "10 20\n")
        self.assertEqual(self.answer("bfs", "g.tsv", "--source", "10")["source"], 10)

    def test_integers_beyond_exact_doubles_are_strings(self):
        big = str(2**53 + 1)
        self.file("g.tsv", f"{big} 20\n")
        self.assertEqual(self.answer("bfs", "g.tsv", "--source", big)["source"], big)

    def test_integers_read_as_names_are_strings(self):
        self.file("g.tsv", "007 20\n")
        self.assertEqual(self.answer("bfs", "g.tsv", "--source", "007", "--labels")["source"], "007")

    def test_names_in_csv_with_a_header(self):
        self.file("g.csv", "from,to\nann,bob\n")
        answer = self.answer("bfs", "g.csv", "--source", "ann", "--header")
        self.assertEqual((answer["vertices"], answer["reached"]), (2, 2))


    def test_a_header_is_recognised_and_said(self):
        self.file("g.csv", ",src,dst,weight\n0,ann,bob,1\n1,bob,eve,2\n")
        answer = self.answer("info", "g.csv")
        self.assertEqual((answer["edges"], answer["header"], answer["columns"]),
                         (2, ",src,dst,weight", "2 (src), 3 (dst), 4 (weight)"))
        said = self.text("info", "g.csv")
        self.assertIn("the first line is taken for a header: ,src,dst,weight\ncolumns read: 2 (src)", said)

    def test_columns_and_separator_are_chosen(self):
        self.file("g.txt", "mon|ann|x|bob\ntue|bob|y|eve\n")
        answer = self.answer("info", "g.txt", "--columns", "2,4", "--separator", "|")
        self.assertEqual((answer["edges"], answer["columns"], "header" in answer), (2, "2, 4", False))

    def test_lines_of_json(self):
        self.file("g.jsonl", '{"a": "ann", "b": "bob"}\n{"a": "bob", "b": "eve"}\n')
        self.assertEqual(self.answer("info", "g.jsonl", "--columns", "a,b")["edges"], 2)


class StandardInput(ProgramTest):
    def test_is_a_graph_too(self):
        path = self.file("g.tsv", SMALL)
        with open(path, "rb") as given:
            self.assertEqual(self.answer("info", "-", stdin=given)["edges"], 5)


class Rows(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("g.tsv", SMALL)

    def rows(self, name, *arguments):
        self.assertIn(f"wrote {name}", self.text(*arguments, "g.tsv", "--output", name))
        if name.endswith(".gz"):
            text, name = gzip.decompress((self.folder / name).read_bytes()).decode(), name[:-3]
        else:
            text = (self.folder / name).read_text()
        if name.endswith(".json"):
            return json.loads(text)
        if name.endswith(".jsonl"):
            return [json.loads(line) for line in text.splitlines()]
        return list(csv.DictReader(text.splitlines(), delimiter="\t" if name.endswith(".tsv") else ","))

    def test_are_the_same_in_every_form(self):
        expected = self.rows("out.json", "components")
        for name in "out.jsonl", "out.json.gz", "out.jsonl.gz":
            self.assertEqual(self.rows(name, "components"), expected, name)
        for name in "out.tsv.gz", "out.csv", "out.csv.gz":
            self.assertEqual(self.rows(name, "components"), self.rows("out.tsv", "components"), name)

    def test_on_standard_output_stand_alone(self):
        self.rows("out.tsv", "components")
        self.assertEqual(self.text("components", "g.tsv", "-o", "-"), (self.folder / "out.tsv").read_text())

    def test_in_csv_are_read_back(self):
        names = ["a,b", 'say "x"', "#c", "//d", " e ", "f g"]
        self.file("names.csv", "".join(f'"{n.replace(chr(34), 2 * chr(34))}","hub"\n' for n in names))
        self.text("components", "names.csv", "-o", "out.csv")
        back = self.answer("bfs", "out.csv", "--columns", "vertex,component", "--source", " e ")
        self.assertEqual(back["header"], "vertex,component")
        self.assertEqual(back["edges"] + back["self_loops"], len(names) + 1)

    def test_bfs_in_each_form(self):
        expected = {"a": ("0", ""), "b": ("1", "a"), "c": ("2", "b"), "d": ("3", "c"), "x": ("", ""), "y": ("", "")}
        for name in ("levels.tsv", "levels.csv"):
            rows = self.rows(name, "bfs", "--source", "a")
            self.assertEqual({r["vertex"]: (r["level"], r["parent"]) for r in rows}, expected)
        rows = self.rows("levels.json", "bfs", "--source", "a")
        self.assertIn({"vertex": "d", "level": 3, "parent": "c"}, rows)
        self.assertIn({"vertex": "x", "level": None, "parent": None}, rows)

    def test_one_row_per_vertex_for_each_command(self):
        for command in (["info"], ["components"], ["strong"], ["pagerank"], ["betweenness", "--exact"], ["cores"], ["triangles", "--undirected"]):
            rows = self.rows("rows.csv", *command)
            self.assertEqual({r["vertex"] for r in rows}, set("abcdxy"), command)

    def test_cores_and_triangles_of_each_vertex(self):
        rows = {r["vertex"]: int(r["core"]) for r in self.rows("cores.tsv", "cores")}
        self.assertEqual(rows, dict(zip("abcdxy", (2, 2, 2, 1, 1, 1))))
        rows = {r["vertex"]: (r["triangles"], float(r["clustering"])) for r in self.rows("t.csv", "triangles", "--undirected")}
        self.assertEqual(rows, {"a": ("1", 1), "b": ("1", 1), "c": ("1", 1 / 3), "d": ("0", 0), "x": ("0", 0), "y": ("0", 0)})

    def test_distances_of_each_vertex(self):
        rows = {r["vertex"]: (round(float(r["closeness"]), 3), float(r["harmonic"])) for r in self.rows("near.tsv", "closeness", "--undirected")}
        self.assertEqual(rows, {"a": (0.45, 2.5), "b": (0.45, 2.5), "c": (0.6, 3), "d": (0.36, 2), "x": (0.2, 1), "y": (0.2, 1)})
        rows = {r["vertex"]: int(r["eccentricity"]) for r in self.rows("far.tsv", "eccentricity", "--undirected")}
        self.assertEqual(rows, dict(zip("abcdxy", (2, 2, 1, 2, 1, 1))))

    def test_components_name_a_member(self):
        rows = {r["vertex"]: r["component"] for r in self.rows("parts.tsv", "components")}
        self.assertEqual(rows, {"a": "a", "b": "a", "c": "a", "d": "a", "x": "x", "y": "x"})
        rows = {r["vertex"]: r["component"] for r in self.rows("strong.tsv", "strong")}
        self.assertEqual(rows, {"a": "a", "b": "a", "c": "a", "d": "d", "x": "x", "y": "y"})
        rows = {r["vertex"]: r["community"] for r in self.rows("parts.tsv", "communities", "--undirected")}
        self.assertEqual(rows, {"a": "a", "b": "a", "c": "a", "d": "a", "x": "x", "y": "x"})

    def test_only_the_output_appears(self):
        self.rows("scores.tsv", "pagerank")
        self.assertEqual(self.names(), ["g.tsv", "scores.tsv"])


class People(ProgramTest):
    def test_numbers_have_thousands_separators_and_no_colours_in_a_pipe(self):
        text = self.text("info", DEBIAN)
        self.assertIn("63,795", text)
        self.assertIn("275,496", text)
        self.assertNotIn("\x1b", text)
        self.assertIn("bytes per edge", text)

    def test_the_shipped_graph(self):
        self.assertIn("firefox-esr", self.text("bfs", DEBIAN, "--source", "firefox-esr"))
        self.assertRegex(self.text("pagerank", DEBIAN, "--top", 3), r"libc6")
        self.assertIn("components", self.text("components", DEBIAN))

    def test_verified_in_words(self):
        self.file("g.tsv", SMALL)
        for arguments in (["components"], ["bfs", "--source", "a"], ["pagerank"], ["betweenness", "--exact"], ["info"], ["cores"]):
            self.assertIn("verified: yes (independent serial ", self.text(*arguments, "g.tsv", "--verify"))

    def test_nothing_but_the_answer_with_quiet(self):
        done = self.run_program("components", "kron:10", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_lines_stay_narrow(self):
        for arguments in (["info", DEBIAN], ["components", DEBIAN], ["bfs", DEBIAN, "--source", "firefox-esr"]):
            for line in self.text(*arguments).splitlines():
                self.assertLessEqual(len(line), 110, line)

    def test_doctor(self):
        facts = self.answer("doctor")
        for group in ("processors", "memory", "system", "libraries"):
            self.assertIn(group, facts)
        self.assertIn("gossamer", self.text("doctor"))

    def test_version(self):
        done = self.run_program("--version")
        self.assertTrue(re.fullmatch(r"gossamer \d+\.\d+\.\d+\n", done.stdout.decode()))


class Convert(ProgramTest):
    def test_there_and_back(self):
        self.file("g.tsv", SMALL)
        before = self.answer("pagerank", "g.tsv", "--top", 10)["top"]
        for name in ("g.gsg", "again.tsv", "small.tsv.gz", "small.tsv.zst"):
            answer = self.answer("convert", "g.tsv", name)
            self.assertEqual((answer["wrote"], answer["edges"]), (name, 5))
            after = self.answer("pagerank", name, "--top", 10)["top"]
            self.assertEqual([t["vertex"] for t in after], [t["vertex"] for t in before])
        self.assertEqual(len(self.names()), 5)

    def test_undirected_stays_undirected_in_the_native_form(self):
        self.text("convert", "kron:6", "k.gsg")
        self.assertEqual(self.answer("info", "k.gsg")["directed"], False)

    def test_a_damaged_file_is_refused_or_as_it_was(self):
        self.text("convert", "grid:6x6@1..1000", "whole.tsv")
        whole = (self.folder / "whole.tsv").read_text()
        for ending in "gz", "zst":
            self.text("convert", "whole.tsv", f"packed.tsv.{ending}")
            packed = (self.folder / f"packed.tsv.{ending}").read_bytes()
            for place in range(0, len(packed), 7):
                self.file(f"damaged.tsv.{ending}", packed[:place] + bytes([packed[place] ^ 1 << place % 8]) + packed[place + 1:])
                done = self.run_program("convert", f"damaged.tsv.{ending}", "-", "--quiet")
                with self.subTest(ending=ending, place=place):
                    if done.returncode == 0:
                        self.assertEqual(sorted(done.stdout.decode().splitlines()[1:]), sorted(whole.splitlines()[1:]))
                    else:
                        self.assertEqual(done.returncode, 2)

    def test_a_header_is_verified(self):
        self.file("v.csv", "1,2\n3,4\n")
        self.assertIs(self.answer("convert", "v.csv", "named.tsv", "--labels", "--verify")["verified"], True)
        self.file("w.csv", "007,1e5,2\n1e5,008,3\n")
        self.assertIs(self.answer("convert", "w.csv", "named.tsv", "--labels", "--verify")["verified"], True)

    def test_vertices_without_edges_are_not_in_a_list_of_edges(self):
        self.file("a.e", "1 2\n")
        self.file("a.v", "1\n2\n3\n")
        answer = self.answer("convert", "a.e", "list.tsv", "--vertices", "a.v")
        self.assertIn("list.tsv: 1 vertex without edges: an edge list does not hold it", answer["notes"])
        self.assertEqual(self.answer("convert", "a.e", "all.gsg", "--vertices", "a.v").get("notes", []), [])

    def test_a_range_of_weights_wider_than_the_doubles(self):
        self.text("convert", "grid:4x4@-1e308..1e308", "wide.tsv")
        weights = [float(line.split()[2]) for line in (self.folder / "wide.tsv").read_text().splitlines() if line[0].isdigit()]
        self.assertTrue(weights and all(-1e308 <= w <= 1e308 for w in weights) and min(weights) < 0 < max(weights), weights)

    def test_whole_lengths_are_shown_in_full(self):
        self.file("long.tsv", "1 2 1234567\n2 3 1\n")
        self.assertIn("1,234,568 from 1 to 3", self.text("path", "long.tsv", 1, 3))
        self.assertIn("the farthest at 1,234,568", self.text("sssp", "long.tsv", "--source", 1))

    def test_endings_that_promise_another_form_are_refused(self):
        self.file("g.tsv", SMALL)
        for name in ("g.csv", "g.json", "g.net", "g.max", "g.sg.gz"):
            self.assertIn(name, self.refused("convert", "g.tsv", name))


class CornerCases(ProgramTest):
    def every_command(self, contents, *options):
        self.file("g.tsv", contents)
        for command in (["info"], ["components"], ["strong"], ["bfs", "--trials", "2"], ["sssp", "--trials", "2"], ["pagerank"], ["betweenness", "--exact"], ["cores"]):
            for cores in (1, 3):
                answer = self.answer(*command, "g.tsv", "--cores", cores, "--verify", *options)
                self.assertIs(answer["verified"], True, command)

    def test_one_edge(self):
        self.every_command("1 2\n")

    def test_a_star(self):
        self.every_command("".join(f"0 {i}\n" for i in range(1, 300)))

    def test_a_path(self):
        self.every_command("".join(f"{i} {i + 1}\n" for i in range(300)))

    def test_undirected_and_disconnected(self):
        self.every_command("".join(f"{2 * i} {2 * i + 1}\n" for i in range(100)), "--undirected")

    def test_no_edges_at_all(self):
        for command in (["info"], ["components"], ["strong"], ["pagerank"], ["betweenness", "--exact"], ["bfs", "--source", "3"], ["sssp", "--source", "3"], ["cores"], ["triangles"]):
            answer = self.answer(*command, "kron:4:0", "--verify", "--stats")
            self.assertEqual((answer["vertices"], answer["edges"], answer["verified"]), (16, 0, True))

    def test_only_a_self_loop(self):
        self.file("g.tsv", "5 5\n")
        for command in (["info"], ["components"], ["strong"], ["pagerank"], ["betweenness", "--exact"], ["bfs", "--source", "5"], ["sssp", "--source", "5"], ["cores"]):
            self.assertEqual(self.answer(*command, "g.tsv", "--verify")["vertices"], 1)
        self.assertIn("edges", self.refused("bfs", "g.tsv", "--trials", "2"))


if __name__ == "__main__":
    main()
