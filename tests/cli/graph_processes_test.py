"""Every command on a graph gives over several processes the answer that one process gives."""
import csv
import gzip
import json
import os
import pathlib
import struct
import sys
import unittest
import zlib

from program import DEBIAN, PROGRAM, ProgramTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import Job, LAUNCHERS, one_launcher_each  # noqa: E402

TOPOLOGIES = ((1, 2), (2, 1), (2, 2), (4, 1), (3, 2))  # processes, cores of each
ELSEWHERE = ("seconds", "seconds_each", "steps", "cores", "processes", "mteps", "trials", "memory", "options", "stats", "change", "top",
             "verified")

if not LAUNCHERS or os.environ.get("GOSSAMER_SANITIZE"):
    print("no launcher, or a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)

SMALL = {
    "loop.tsv": "7 7\n",
    "one_edge.tsv": "1 2\n",
    "gaps.tsv": "".join(f"{i * 977 % 30011}\t{i * i * 31 % 30011}\n" for i in range(4000)),
    "wide.tsv": "".join(f"{i * 9770000000007}\t{(i * i) % 500 * 9770000000007}\n" for i in range(2000)),
    "names.tsv": "".join(f"n{i * i % 1013}\tn{i % 700}\n" for i in range(5000)),
    "late_name.tsv": "".join(f"{i} {i * i % 999}\n" for i in range(3000)) + "last 5\n",
    "general.mtx": "%%MatrixMarket matrix coordinate real general\n6 4 3\n2 1 0.5\n6 4 1\n3 3 2\n",
    "symmetric.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n1500 1500 3\n2 1\n1500 1\n3 3\n",
    "zeros.csv": "".join(f"{i},{i * i % 999}\n" for i in range(1, 3000)) + "07,7\n",
    "comments.txt": "# Undirected graph\n" + "".join(f"{i} {i * i % 99}\n# {i}\n" for i in range(500)),
    "out.bip": "% bip unweighted\n% 400 200 300\n" + "".join(f"{i % 200 + 1} {i * i % 300 + 1}\n" for i in range(400)),
    "reals.csv": "a,b\n" + "".join(f"{i + 1}.0,{i * i % 99 + 1}.0\n" for i in range(500)),
    "empty.mtx": "%%MatrixMarket matrix coordinate pattern general\n5 5 0\n",
    "ring.graph": "3000 3000 1\n" + "".join(f"{v or 3000} 7 {(v + 1) % 3000 + 1} 7\n% {v}\n" for v in range(3000)),
    "lonely.metis": "6 1 11 2\n1 2 2 5\n3 4 1 5\n1 1\n1 1\n2 2\n0 0\n",
    "arcs.gr": "c x\np sp 3000 9000\n" + "".join(f"a {i % 3000 + 1} {i * i % 2999 + 1} {i}\n" for i in range(9000)),
    "flow.max": "p max 4 3\nn 1 s\nn 4 t\na 1 2 3\na 2 3 4\na 3 4 5\n",
    "names.net": "*Vertices 2000\n" + "".join(f'{v} "n {v * 7}"\n' for v in range(1, 2001)) + "*Arcs\n"
                 + "".join(f"{i % 2000 + 1} {i * i % 1999 + 1} {i}.5\n" for i in range(5000)) + "*Edges\n"
                 + "".join(f"{i % 1000 + 1} {i * i % 999 + 1}\n" for i in range(3000)),
}

WEIGHTED = {
    "integers.tsv": "".join(f"{i * 977 % 3001}\t{i * i * 31 % 3001}\t{i * 7919 % 255 + 1}\n" for i in range(20000)),
    "scattered.csv": "".join(f"{i * 977 % 997 * 9770000000007},{i * i % 499 * 9770000000007},{i % 3}\n" for i in range(8000)),
    "reals.tsv": "".join(f"n{i * i % 1013}\tn{i % 700}\t{i % 91}.{i * 31 % 1000:03}\n" for i in range(9000)),
    "symmetric.mtx": "%%MatrixMarket matrix coordinate integer symmetric\n900 900 2000\n"
                     + "".join(f"{i % 450 + 451} {i * i % 449 + 1} {i % 70}\n" for i in range(2000)),
}


def serialized(rows):
    """The form of the GAP benchmark suite, directed."""
    def half(lists):
        offsets, flat = [0], []
        for row in lists:
            flat += row
            offsets.append(len(flat))
        return struct.pack(f"<{len(offsets)}Q", *offsets) + struct.pack(f"<{len(flat)}I", *flat), len(flat)
    back = [[v for v in range(len(rows)) if w in rows[v]] for w in range(len(rows))]
    out, arcs = half(rows)
    return struct.pack("<?QQ", True, arcs, len(rows)) + out + half(back)[0]


def blocked(text):
    """gzip in members that tell their length (BGZF)."""
    members = []
    for at in range(0, len(text), 60000):
        part = text[at:at + 60000]
        packer = zlib.compressobj(1, zlib.DEFLATED, -15)
        packed = packer.compress(part) + packer.flush()
        head = b"\x1f\x8b\x08\x04" + bytes(6) + b"\x06\0BC\x02\0" + struct.pack("<H", len(packed) + 25)
        members.append(head + packed + struct.pack("<II", zlib.crc32(part), len(part)))
    return b"".join(members)


class Agreement(ProgramTest):
    environment = {}

    def job(self, launcher, processes, cores, *words):
        command = launcher.command(processes, PROGRAM, *words, "--cores", cores, "--json", "--quiet")
        code, out, errors, _ = Job(command, env=self.environment, folder=self.folder).end(timeout=100)
        return code, out, errors

    turn = 0

    def each(self):
        """Two of the topologies, the next ones each time: a start of several processes takes a second."""
        all_of_them = list(one_launcher_each(TOPOLOGIES))
        Agreement.turn += 1
        for at in (all_of_them[(Agreement.turn + more) % len(all_of_them)] for more in (0, 2)):
            with self.subTest(mpi=at[0].mpi, processes=at[1], cores=at[2]):
                yield lambda *words, at=at: self.over(at, *words)

    def over(self, at, *words):
        code, out, errors = self.job(*at, *words)
        self.assertEqual(code, 0, f"{words}: {errors}")
        answer = json.loads(out)
        self.assertEqual((answer["processes"], answer["cores"]), (at[1], at[1] * at[2]))
        return answer

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.reader(file, delimiter="\t"))

    def same(self, one, many):
        keep = lambda answer: {k: v for k, v in answer.items() if k not in ELSEWHERE}  # noqa: E731
        self.assertEqual(keep(one), keep(many))
        self.assertIn(many.get("verified", True), (True,))
        for key in ("change",):
            if key in one:
                self.assertAlmostEqual(one[key], many[key], places=9)

    def same_scores(self, one, many):
        self.assertEqual([r[0] for r in one], [r[0] for r in many])
        for (vertex, a), (_, b) in zip(one[1:], many[1:]):
            self.assertLessEqual(abs(float(a) - float(b)), 1e-7 * (1e-3 + abs(float(a))), vertex)

    def compare(self, graph, *commands):
        """`commands`: words, and the columns of the rows that must be the same (None: scores)."""
        for number, (words, columns) in enumerate(commands):
            self.one(graph, number, words, columns)

    def one(self, graph, number, words, columns):
        name = words[0]
        one = self.answer(name, graph, *words[1:], "--output", f"one{number}.tsv")
        expected = self.rows(f"one{number}.tsv")
        for run in self.each():
            many = run(name, graph, *words[1:], "--output", "many.tsv")
            self.same(one, many)
            found = self.rows("many.tsv")
            if columns is None:
                self.same_scores(expected, found)
            else:
                self.assertEqual([r[:columns] for r in expected], [r[:columns] for r in found])

    def test_random_graph(self):
        self.compare("kron:12", (["info", "--verify", "--top", 3], 3), (["components", "--verify"], 2),
                     (["bfs", "--source", 1, "--verify"], 2), (["sssp", "--source", 1, "--verify"], 3), (["pagerank", "--verify"], None),
                     (["betweenness", "--samples", 8, "--verify"], None), (["cores", "--verify"], 2), (["triangles", "--verify"], 3),
                     (["closeness", "--verify"], 3), (["eccentricity", "--verify"], 2), (["colouring", "--verify"], 2),
                     (["independent-set", "--verify"], 2), (["matching", "--verify"], 2),
                     (["biconnected", "--verify"], 6), (["truss", "--verify"], 2),
                     (["spanning-tree", "--verify"], 2), (["communities", "--verify", "--seed", 5], 2),
                     (["eigenvector", "--verify"], 2), (["katz", "--alpha", 0.001, "--verify"], 2), (["hits", "--verify"], 3),
                     (["similarity", "--of", 1, "--verify"], 7), (["subgraph", "--largest", "--verify"], 2),
                     (["random-walks", "--verify", "--seed", 5], 11))
        self.compare("kron:7", (["johnson", "--verify"], 4))

    def test_questions_about_two_vertices(self):
        for words in (["max-flow", "kron:10", 1, 5, "--unit"], ["max-flow", "kron:10", 1, 5, "--unit", "--edges"], ["neighbours", "kron:10", 1, "--hops", 2]):
            one = self.answer(*words, "--verify", "--output", "one.tsv")
            for run in self.each():
                of_cores = dict.fromkeys(("rounds", "pushes", "relabels"), 0)
                self.same({**one, **of_cores}, {**run(*words, "--verify", "--output", "many.tsv"), **of_cores})
                self.assertEqual(self.rows("one.tsv"), self.rows("many.tsv"))

    def test_random_graph_read_as_directed(self):
        self.compare("kron:10:4", (["info", "--directed", "--verify"], 3), (["pagerank", "--directed"], None), (["cores", "--directed", "--verify"], 2),
                     (["closeness", "--directed"], 3), (["closeness", "--samples", 70, "--directed", "--verify"], 3),
                     (["strong", "--directed", "--verify"], 2), (["strong", "--condensation", "--directed", "--verify"], 3),
                     (["topological", "--directed", "--verify"], 3), (["communities", "--directed", "--verify"], 2),
                     (["communities", "--method", "louvain", "--verify"], 2), (["communities", "--method", "labels", "--verify"], 2))

    def test_generated_graphs_are_the_same(self):
        for graph in ("kron:11@1..255", "rmat:10:8:0.45,0.2,0.2@0.5..2.0", "grid:100x120@1..9", "road:12000@1..1000", "ba:9000:3@1..5",
                      "ws:8000:6:0.2", "sbm:5x400,7:0.05:0.001@-3..3"):
            self.answer("convert", graph, "one.gsg", "--seed", 3)
            for run in self.each():
                run("convert", graph, "many.gsg", "--seed", 3)
                self.assertEqual((self.folder / "one.gsg").read_bytes(), (self.folder / "many.gsg").read_bytes(), graph)

    def test_scores_by_weights(self):
        for name in ("integers.tsv", "reals.tsv"):
            self.file(name, WEIGHTED[name])
            first = WEIGHTED[name].split("\t", 1)[0]
            self.file("mine.tsv", f"{first}\t2\n")
            self.compare(name, (["pagerank", "--personalise", "mine.tsv", "--verify"], 2), (["hits", "--verify"], 3),
                         (["eigenvector", "--undirected", "--weighted", "--verify"], 2),
                         (["katz", "--alpha", 1e-6, "--weighted", "--verify"], 2))
        self.file("lengths.tsv", "".join(f"{i * 977 % 301}\t{i * i * 31 % 301}\t{i % 9 + 1}\n" for i in range(2000)))
        self.compare("lengths.tsv", (["betweenness", "--samples", 7, "--weighted", "--verify"], None),
                     (["betweenness", "--samples", 7, "--weighted", "--undirected", "--edges", "--verify"], 2))

    def test_path(self):
        self.file("reals.tsv", WEIGHTED["reals.tsv"])
        one = self.answer("path", "reals.tsv", "n4", "n9", "--verify")
        for run in self.each():
            self.same(one, run("path", "reals.tsv", "n4", "n9", "--verify"))

    def test_diameter(self):
        one = self.answer("diameter", "kron:11", "--verify")
        for run in self.each():
            many = run("diameter", "kron:11", "--verify")
            self.assertEqual([one[key] for key in ("diameter", "components", "connected")],
                             [many[key] for key in ("diameter", "components", "connected")])

    def test_paths_by_weights(self):
        for name, text in WEIGHTED.items():
            self.file(name, text)
            source = {"reals.tsv": "n4", "symmetric.mtx": 455}.get(name, 0)
            self.compare(name, (["sssp", "--source", source, "--verify"], 3),
                         (["sssp", "--source", source, "--undirected", "--delta", 5, "--verify"], 3))
            if name in ("integers.tsv", "scattered.csv"):
                continue
            self.run_program("convert", name, "one.gsg")
            expected = self.answer("sssp", "one.gsg", "--source", source, "--output", "one.tsv")
            for run in self.each():
                run("convert", name, "many.gsg", "--verify")
                self.assertEqual((self.folder / "one.gsg").read_bytes(), (self.folder / "many.gsg").read_bytes())
                self.same(expected, run("sssp", "one.gsg", "--source", source, "--output", "many.tsv", "--verify"))
                self.assertEqual(self.rows("one.tsv"), self.rows("many.tsv"))

    def test_paths_by_negative_weights(self):
        heights = [i * 7919 % 97 for i in range(300)]
        arcs = [(i * 977 % 300, (i * i * 31 + 7) % 300, i % 9) for i in range(1500)]
        self.file("negative.tsv", "".join(f"{u}\t{v}\t{w + heights[v] - heights[u]}\n" for u, v, w in arcs if u != v))
        self.compare("negative.tsv", (["sssp", "--source", 7, "--negative", "--verify"], 3))
        one = self.answer("path", "negative.tsv", 7, 31, "--negative", "--verify")
        for run in self.each():
            self.same(one, run("path", "negative.tsv", 7, 31, "--negative", "--verify"))
        rows = (self.folder / "negative.tsv").read_text()
        self.same_error("cycle.tsv", rows + f"7\t{arcs[1][0]}\t0\n{arcs[1][1]}\t{arcs[1][0]}\t-200\n", "sssp", "cycle.tsv", "--source", 7, "--negative")
        self.same_error("loop.tsv", rows + "8\t8\t-1\n", "sssp", "loop.tsv", "--source", 7, "--negative")

    def test_paths_between_processes_without_memory_in_common(self):
        """What a core takes for its own would else be found in the memory of another process, and be right by luck."""
        self.environment = {"GOSSAMER_NODE_MEMORY": "off"}
        for graph, source in ("kron:11", 1), ("reals.tsv", "n4"):
            if graph in WEIGHTED:
                self.file(graph, WEIGHTED[graph])
            for command in (["sssp"], ["bfs"], ["components"], ["cores"]):
                where = ["--source", source] if command[0] in ("sssp", "bfs") else []
                one = self.answer(*command, graph, *where, "--output", "one.tsv")
                for processes, cores in ((2, 1), (3, 2)):
                    many = self.over((LAUNCHERS[-1], processes, cores), *command, graph, *where, "--verify", "--output", "many.tsv")
                    self.same(one, many)
                    self.assertEqual([r[:2] for r in self.rows("one.tsv")], [r[:2] for r in self.rows("many.tsv")], command)

    def test_packages(self):
        self.compare(DEBIAN.resolve(), (["info"], 3), (["components", "--verify"], 2),
                     (["bfs", "--source", "firefox-esr", "--verify"], 2), (["pagerank"], None),
                     (["betweenness", "--samples", 4], None), (["bfs", "--trials", 3, "--undirected", "--verify"], 2))

    def test_small_files(self):
        for name, text in SMALL.items():
            self.file(name, text)
        self.file("rows.sg", serialized([[1, 2], [2], [], [0, 1, 2]] + [[] for _ in range(1000)]))
        for name in [*SMALL, "rows.sg"]:
            answers = {c: self.answer("info", name, "--output", f"{c}.tsv", *(["--undirected"] if c else []))
                       for c in (0, 1)}
            for processes, cores in ((2, 1), (3, 2)):
                with self.subTest(graph=name, processes=processes):
                    for c, one in answers.items():
                        many = self.over((LAUNCHERS[c % len(LAUNCHERS)], processes, cores), "info", name, "--verify",
                                         "--output", "many.tsv", *(["--undirected"] if c else []))
                        self.same(one, many)
                        self.assertEqual(self.rows(f"{c}.tsv"), self.rows("many.tsv"))

    def test_duplicates_go_by_the_order_of_the_file(self):
        lines = [(i * 977 % 31, i * i % 29, i % 997) for i in range(40000)]
        self.file("ids.tsv", "".join(f"{u} {v} {w}.7\n" for u, v, w in lines))
        self.file("wide.tsv", "".join(f"{u if i < 30000 else u * 10**13} {v} {w}\n" for i, (u, v, w) in enumerate(lines)))
        self.file("names.tsv", "".join(f"n{u} n{v} {w}\n" for u, v, w in lines))
        self.file("arcs.gr", "p sp 31 40000\n" + "".join(f"a {u + 1} {v + 1} {w}\n" for u, v, w in lines))
        for name in ("ids.tsv", "wide.tsv", "names.tsv", "arcs.gr"):
            for rule in ("max", "first", "last", "sum", "count"):  # sums of fractions depend on the order, too
                for direction in ("--directed", "--undirected")[:1 if rule in ("max", "count") else 2]:
                    self.run_program("convert", name, "one.gsg", "--duplicates", rule, direction)
                    for run in self.each():
                        run("convert", name, "many.gsg", "--duplicates", rule, direction)
                        self.assertEqual((self.folder / "one.gsg").read_bytes(), (self.folder / "many.gsg").read_bytes(), (name, rule))

    def test_duplicates_of_a_text_that_is_one_stream_go_by_its_order(self):
        line = "".join(f"{i} {i % 977} 7\n" for i in range(1, 60000)).encode()
        text = line * 9 + b"1 2 100\n" + line * 5 + b"1 2 200\n" + line * 2
        self.assertGreater(len(text), 10 << 20)  # several rounds
        self.file("stream.tsv.gz", gzip.compress(text, 1))
        for rule in ("first", "last"):
            self.run_program("convert", "stream.tsv.gz", "one.gsg", "--duplicates", rule)
            for run in self.each():
                run("convert", "stream.tsv.gz", "many.gsg", "--duplicates", rule)
                self.assertEqual((self.folder / "one.gsg").read_bytes(), (self.folder / "many.gsg").read_bytes(), rule)

    def test_quotes_are_characters_where_an_option_says_so(self):
        self.file("quotes.tsv", '"a" b\n"c" d\n')
        self.run_program("convert", "quotes.tsv", "one.gsg", "--no-quotes")
        for run in self.each():
            run("convert", "quotes.tsv", "many.gsg", "--no-quotes")
            self.assertEqual((self.folder / "one.gsg").read_bytes(), (self.folder / "many.gsg").read_bytes())

    def test_forms_without_names_are_the_same_bytes(self):
        for graph, *endings in (("grid:70x90@1..99", "mtx", "graph", "gr", "wsg"), ("kron:10", "mtx", "graph", "gr", "sg")):
            for ending in endings:
                self.run_program("convert", graph, f"one.{ending}")
                for run in self.each():
                    run("convert", graph, f"many.{ending}", "--verify")
                    self.assertEqual((self.folder / f"one.{ending}").read_bytes(), (self.folder / f"many.{ending}").read_bytes())
                    self.same(self.answer("info", f"one.{ending}"), run("info", f"one.{ending}", "--verify"))

    def test_vertices_without_edges(self):
        for edges, vertices in (("gaps.tsv", "5\n40000\n40001\n"), ("names.tsv", "n1\nnew\n#new\n"), ("wide.tsv", "3\n"),
                                ("gaps.tsv", "name\nnone\n"), ("loop.tsv", "07\n7\n")):
            self.file(edges, SMALL[edges])
            self.file("listed.v", vertices)
            self.compare(edges, (["info", "--verify", "--vertices", "listed.v"], 3), (["components", "--vertices", "listed.v"], 2))

    def test_the_number_of_nodes_of_ogb(self):
        self.file("edge.csv", "".join(f"{i * 977 % 300},{i * i * 31 % 300}\n" for i in range(900)))
        self.file("num-node-list.csv", "500\n")
        one = self.answer("info", "edge.csv", "--vertices", "num-node-list.csv", "--output", "one.tsv")
        self.assertEqual(one["vertices"], 500)
        for run in self.each():
            self.same(one, run("info", "edge.csv", "--vertices", "num-node-list.csv", "--output", "many.tsv"))
            self.assertEqual(self.rows("one.tsv"), self.rows("many.tsv"))
        self.same_error("num-node-list.csv", "299\n", "info", "edge.csv", "--vertices", "num-node-list.csv")

    def test_converted_files_are_the_same_bytes(self):
        self.file("names.tsv", SMALL["names.tsv"])
        for graph in ("names.tsv", "kron:11"):
            for ending in ("gsg", "tsv"):
                self.run_program("convert", graph, f"one.{ending}")
                for run in self.each():
                    run("convert", graph, f"many.{ending}", "--verify")
                    self.assertEqual((self.folder / f"one.{ending}").read_bytes(),
                                     (self.folder / f"many.{ending}").read_bytes())
            one = self.answer("components", "one.gsg", "--verify")
            for run in self.each():
                self.same(one, run("components", "one.gsg", "--verify"))

    def test_compressed_texts_are_read_in_parts(self):
        self.run_program("convert", "kron:15", "text.tsv")
        text = (self.folder / "text.tsv").read_bytes()
        self.file("blocks.tsv.gz", blocked(text))
        self.run_program("convert", "kron:15", "frames.tsv.zst")
        message = self.refused("info", self.file("bad.tsv.gz", blocked(text + b"7 eight\n7\n")))
        for name in ("blocks.tsv.gz", "frames.tsv.zst"):
            one = self.answer("info", name, "--output", "one.tsv")
            for run in self.each():
                self.same(one, run("info", name, "--output", "many.tsv"))
                self.assertEqual(self.rows("one.tsv"), self.rows("many.tsv"))
        for launcher in LAUNCHERS:
            code, _, errors = self.job(launcher, 3, 1, "info", self.folder / "bad.tsv.gz")
            self.assertNotEqual(code, 0)
            self.assertIn(message.strip(), errors)

    def test_errors_are_the_same(self):
        good = "".join(f"{i} {i + 1}\n" for i in range(30000))
        for name, text in (("columns.tsv", good + "1 2\n3\n" + good + "4\n"), ("nothing.tsv", "# none\n"),
                           ("entries.mtx", "%%MatrixMarket matrix coordinate pattern general\n9 9 3\n1 1\n"),
                           ("late.gr", "p sp 9 30000\n" + "a 1 2 3\n" * 20000 + "a 1 10 3\n" + "a 1 2 3\n" * 9999 + "a 0 1 2\n"),
                           ("few.gr", "p sp 9 4\na 1 2 3\n"), ("one-way.metis", "3 2\n2\n1 3\n\n"),
                           ("late.net", "*Vertices 2\n*Edges\n" + "1 2\n" * 20000 + "1 3\n")):
            self.same_error(name, text, "info", name)
        self.same_error("weights.tsv", good.replace("\n", " 1\n") + "7 8 -1\n7 8 -2\n", "sssp", "weights.tsv", "--source", 0)
        self.file("kept.tsv", good.replace("\n", " 1.5\n") + "7 8 -1\n")
        self.run_program("convert", "kept.tsv", "kept.gsg")
        self.same_error("unused", "", "sssp", "kept.gsg", "--source", 0)

    def same_error(self, name, text, *words):
        self.file(name, text)
        message = self.refused(*words)
        Agreement.turn += 1
        in_turn = LAUNCHERS[Agreement.turn % len(LAUNCHERS)]  # that all processes end under each, other tests show
        for launcher, processes, cores in ((LAUNCHERS[-1], 3, 2), (in_turn, 2, 1)):
            code, out, errors = self.job(launcher, processes, cores, *words)
            self.assertEqual(out, "")
            self.assertNotEqual(code, 0)
            self.assertIn(message.strip(), errors)


if __name__ == "__main__":
    main()
