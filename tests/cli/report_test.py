"""gossamer report: the page holds the answers that the commands of its parts give, and a browser draws it."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from program import DEBIAN, ProgramTest, main

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def carried(page):
    """The answer that a page draws."""
    return json.loads(re.search(r'<script type="application/json" id="answer">(.*?)</script>', page, re.S)[1])


def drawn(path):
    """(the document after its scripts have run, what they complained of); nothing without a browser."""
    with tempfile.TemporaryDirectory(prefix="gossamer-browser-") as home:
        done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}", "--enable-logging=stderr",
                               "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=110,
                              env={**os.environ, "HOME": home})
    return done.stdout, re.findall(r"^.*CONSOLE.*$", done.stderr, re.M)


class Report(ProgramTest):
    def page(self, *words, **more):
        self.text("report", *words, "-o", "page.html", **more)
        return (self.folder / "page.html").read_text()

    def ends(self, part):
        """The edges of what is drawn, by the names of their ends."""
        names = [v["vertex"] for v in part["vertices"]]
        return {(names[i], names[k]) for i, k in zip(part["edges"][::2], part["edges"][1::2])}

    def draw(self, circles):
        if BROWSER is None:
            return
        document, complaints = drawn(self.folder / "page.html")
        self.assertEqual(complaints, [])
        self.assertIn('data-drawn="yes"', document)
        self.assertGreaterEqual(document.count("<circle"), circles)

    def test_what_the_commands_answer(self):
        answer = carried(self.page(DEBIAN.resolve(), "--verify", "--stats", "--samples", 4, "--top", 5))
        self.assertIs(answer["verified"], True)
        info = self.answer("info", DEBIAN.resolve())
        for key in ("vertices", "edges", "directed", "isolated"):
            self.assertEqual(answer[key], info[key])
        for side in ("out", "in"):
            points = answer["degrees"][side].pop("points")
            self.assertEqual(answer["degrees"][side], info["degrees"][side])
            self.assertGreater(len(points), 20)
        parts = self.answer("components", DEBIAN.resolve())
        for key in ("components", "largest", "sizes"):
            self.assertEqual(answer[key], parts[key])
        found, told = answer["communities"], self.answer("communities", DEBIAN.resolve(), "--top", 1)
        self.assertEqual((found["count"], found["modularity"], found["sizes"]), tuple(told[key] for key in ("communities", "modularity", "sizes")))
        self.assertEqual(found["largest"][0]["vertices"], told["largest"])
        search = self.answer("bfs", DEBIAN.resolve(), "--source", answer["source"])
        self.assertEqual(answer["source"], info["degrees"]["out"]["max_vertex"])
        self.assertEqual((answer["levels"], answer["reached"]), (search["levels"], search["reached"]))
        ranks = self.answer("pagerank", DEBIAN.resolve(), "--top", 5)["top"]
        self.assertEqual([(r["vertex"], r["pagerank"]) for r in answer["ranks"]], [(r["vertex"], r["score"]) for r in ranks])
        between = {row["vertex"]: row["score"] for row in self.answer("betweenness", DEBIAN.resolve(), "--samples", 4, "--top", 70000)["top"]}
        self.assertEqual([r["betweenness"] for r in answer["ranks"]], [between.get(r["vertex"], 0) for r in ranks])
        near = answer["neighbourhood"]
        self.assertEqual(near["centre"], ranks[0]["vertex"])
        self.assertEqual(len(near["vertices"]), 41)
        self.assertEqual([v["vertex"] for v in near["vertices"] if v["centre"]], [near["centre"]])
        self.assertEqual({v["community"] for v in near["vertices"]}, set(range(1 + max(v["community"] for v in near["vertices"]))))
        self.assertEqual([v["community"] for v in near["vertices"] if v["centre"]], [0])
        self.assertIn("tasks", answer["stats"])
        self.draw(100)

    def test_statistics_that_are_no_counters_are_passed_over(self):
        answer = carried(self.page("kron:8", "--stats", env={"GOSSAMER_ACTIVITY_US": "1000"}))
        self.assertNotIn("total", answer["stats"]["activity"])
        self.draw(100)

    def test_the_neighbourhood_is_that_of_the_file(self):
        edges = {("hub", "a"), ("b", "hub"), ("a", "b"), ("c", "a"), ("c", "hub"), ("far", "c")}
        graph = self.file("small.tsv", "".join(f"{a}\t{b}\n" for a, b in sorted(edges)))
        answer = carried(self.page(graph))
        names = [v["vertex"] for v in answer["neighbourhood"]["vertices"]]
        self.assertEqual(self.ends(answer["neighbourhood"]), {e for e in edges if set(e) <= set(names)})
        self.assertEqual(self.ends(answer["drawing"]), edges)
        self.assertEqual(answer["core_numbers"]["degeneracy"], 2)
        self.assertEqual(sum(row["vertices"] for row in answer["core_numbers"]["sizes"]), 5)
        self.assertEqual(sum(p["vertices"] for p in answer["degrees"]["out"]["points"]), 5)

    def test_vertices_are_sorted_where_names_and_numbers_are_mixed(self):
        for names in (["10", "abc", "9", "zeta", "7", "b", "100", "a", "8", "c", "x", "12"],
                      ["10", "9", "9007199254740993", "9007199254740992", "100"]):
            self.file("mixed.tsv", "".join(f"{a} {b}\n" for a, b in zip(names, names[1:])))
            self.page("mixed.tsv", "--top", len(names))
            if BROWSER is None:
                return
            page = self.folder / "page.html"
            page.write_text(page.read_text().replace("</html>", """<script>
              [...document.querySelectorAll("#ranks th button")].find(b => b.textContent === "vertex").click();
              document.title = [...document.querySelectorAll("#ranks tbody tr")].map(r => r.cells[1].textContent).join(" ");
            </script></html>"""))
            document, complaints = drawn(page)
            self.assertEqual(complaints, [])
            self.assertEqual(re.search("<title>(.*?)</title>", document)[1].split(), sorted(names, key=int) if names[1] == "9" else sorted(names))

    def test_weights_of_a_native_file_are_not_counted(self):
        self.file("w.tsv", "a b 9\nb c 1\nc a 1\nc d 9\nd e 1\ne c 1\n")
        self.text("convert", "w.tsv", "w.gsg")
        text, native = (json.loads(self.text("report", name, "--undirected", "--json")) for name in ("w.tsv", "w.gsg"))
        for part in "communities", "ranks", "modularity":
            self.assertEqual(text.get(part), native.get(part), part)

    def test_a_large_graph_is_drawn_in_part(self):
        answer = self.answer("report", "kron:13", "--verify")
        drawn = answer["drawing"]
        self.assertIs(answer["verified"], True)
        self.assertLessEqual(len(drawn["edges"]), 2 * 6000)
        self.assertGreater(len(drawn["edges"]), 0)
        top = [r["vertex"] for r in self.answer("pagerank", "kron:13", "--top", len(drawn["vertices"]))["top"]]
        self.assertEqual(sorted(top), [v["vertex"] for v in drawn["vertices"]])
        cores = {r["vertex"]: r["score"] for r in self.answer("cores", "kron:13", "--top", 8192)["top"]}
        self.assertEqual({v["vertex"]: v["core"] for v in drawn["vertices"]}, {v: cores[v] for v in top})
        self.assertEqual(answer["core_numbers"]["degeneracy"], max(cores.values()))

    def test_labels_do_not_overlap(self):
        if BROWSER is None:
            return
        self.page(DEBIAN.resolve())
        document, complaints = drawn(self.folder / "page.html")
        self.assertEqual(complaints, [])
        for part in ("neighbourhood", "drawing"):
            labels = re.findall(r'<text [^>]*data-box="([^"]*)"', document[document.index(f'id="{part}"'):].split("</section>")[0])
            boxes = [tuple(map(float, box.split())) for box in labels]
            self.assertGreater(len(boxes), 10, part)
            for i, a in enumerate(boxes):
                for b in boxes[:i]:
                    apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
                    self.assertTrue(apart, (part, a, b))

    def test_names_are_text(self):
        bad = '</script><img src=x onerror="document.body.remove()">'
        graph = self.file("<b>&amp;.tsv", f"{bad}\tx\n{bad}\ty\n<!--\t{bad}\n")
        page = self.page(graph, "--separator", "tab", "--no-quotes")
        self.assertEqual(page.count("</script>"), 2)
        self.assertIn("<title>" + str(graph).replace("&", "&amp;").replace("<", "&lt;") + "</title>", page)
        self.assertIn(bad, [r["vertex"] for r in carried(page)["ranks"]])
        if BROWSER is not None:
            self.assertNotIn("<img", drawn(self.folder / "page.html")[0])
        self.draw(4)

    def test_many_levels_share_bars(self):
        graph = self.file("chain.tsv", "".join(f"{i}\t{i + 1}\n" for i in range(1000)))
        answer = carried(self.page(graph))
        self.assertEqual(len(answer["levels"]), 1001)
        if BROWSER is not None:
            self.assertLessEqual(drawn(self.folder / "page.html")[0].count("<rect"), 300)

    def test_graphs_without_edges(self):
        for vertices in (0, 1, 5):
            graph = self.file("none.mtx", f"%%MatrixMarket matrix coordinate pattern general\n{vertices} {vertices} 0\n")
            answer = carried(self.page(graph, "--verify"))
            self.assertEqual((answer["components"], len(answer["ranks"])), (vertices, vertices))
            self.draw(0)

    def test_the_object_alone(self):
        answer = self.answer("report", "kron:8")
        self.assertEqual(self.names(), [])
        self.assertEqual(len(answer["ranks"]), 200)

    def test_how_a_command_scales(self):
        rows = self.text("scale", "-n", "1,2,4", "--no-figure", "--json", "--", "bfs", "kron:8", "--source", "1")
        self.file("rows.jsonl", rows)
        answer = carried(self.page("kron:6", "--scale", "rows.jsonl"))
        self.assertEqual([r["processes"] for r in answer["scale"]], [1, 2, 4])
        self.assertEqual(answer["scale"], [json.loads(line) for line in rows.splitlines()])
        self.draw(6)
        if BROWSER is not None:
            document, _ = drawn(self.folder / "page.html")
            self.assertRegex(document, r"bfs kron:8 --source 1( --quiet)?, simulated on qdr")
            self.assertIn("<h2>Efficiency</h2>", document)

    def test_rows_that_are_none(self):
        for text, why in {'{"processes": 1}\n': r'rows.jsonl:1: expected a row of gossamer scale',
                          '{"processes": 1, "cores": 1, "seconds": 1.0, "speed_up": 1.0}\n': "rows.jsonl:1: expected a row of gossamer scale",
                          "": "rows.jsonl: expected rows of gossamer scale, found none",
                          '\n{"processes": 1, "cores": 1, "seconds": "1", "speed_up": 1}': "rows.jsonl:2: expected a row"}.items():
            self.file("rows.jsonl", text)
            self.assertIn(why, self.refused("report", "kron:4", "-o", "page.html", "--scale", "rows.jsonl"))
        self.assertIn("No such file", self.refused("report", "kron:4", "-o", "page.html", "--scale", "none.jsonl"))
        self.assertNotIn("page.html", self.names())

    def test_what_is_refused(self):
        self.assertIn("expected -o FILE.html", self.refused("report", "kron:4"))
        self.assertIn("ending in .html", self.refused("report", "kron:4", "-o", "page.txt"))
        self.assertIn("No such file or directory", self.refused("report", "kron:4", "-o", "none/page.html"))
        self.assertIn("another file", self.refused("report", self.file("g.html", "1 2\n"), "-o", "g.html"))


if __name__ == "__main__":
    main()
