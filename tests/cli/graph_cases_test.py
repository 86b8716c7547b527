"""Graphs from files as people have them: each file, how it is read, and the right edges or the line that refuses it."""

import csv
import gzip
import json
import lzma
import random
import struct

from program import ProgramTest, main

# name, text, options, directed, edges; all vertices where some have no edge; and a part of the note, if there is one
READ = [
    # Names of rows, as R's write.table() writes them.
    ("r.txt", '"from" "to"\n"1" 10 20\n"2" 20 30\n"3" 30 10\n', "", True, "10>20 20>30 30>10", "rows have one field more"),
    ("r.csv", "from,to\na,1,2\nb,2,3\n", "", True, "1>2 2>3", "rows have one field more"),
    ("r-weights.txt", "u v w\n1 5 6 .5\n2 6 7 .5\n", "", True, "5>6 6>7", "rows have one field more"),
    ("r-names.txt", '"from" "to"\n"7" "ann" "bob"\n"9" "bob" "cy"\n', "", True, "ann>bob bob>cy", "names of rows"),
    ("r-chosen.txt", '"from" "to"\n"1" 10 20\n"2" 20 30\n', "--columns to,from", True, "20>10 30>20", "rows have"),
    # Comments end where the edges begin.
    ("tags.tsv", "#cats\t#dogs\n#dogs\t#birds\nplants\t#cats\n#birds\tplants\n", "", True,
     "#cats>#dogs #dogs>#birds plants>#cats #birds>plants", None),
    ("tags.csv", "source,target\n#cats,#dogs\n#dogs,#birds\nplants,#cats\n#birds,plants\n", "", True,
     "#cats>#dogs #dogs>#birds plants>#cats #birds>plants", None),
    ("tags-below.csv", "source,target\n#cats,ann\nann,bob\n", "", True, "#cats>ann ann>bob", None),
    ("tags-first.tsv", "#cats\tann\nann\tbob\nbob\tcy\n", "", True, "ann>bob bob>cy", "--no-comments"),
    ("tags-asked.tsv", "#cats\tann\nann\tbob\nbob\tcy\n", "--no-comments", True, "#cats>ann ann>bob bob>cy", None),
    ("comments.tsv", "# top\nann\tbob\n# a line of text\n## more\nbob\tcy\n", "", True, "ann>bob bob>cy", "2 lines behind"),
    ("comments.txt", "# top\n1 2\n#middle\n2 3\n", "", True, "1>2 2>3", "1 line behind the first edge is a comment"),
    ("hash-column.tsv", "#src\tdst\n1\t2\n2\t3\n", "", True, "1>2 2>3", '"#src\\tdst" is taken for a comment'),
    # Numbers as R and pandas write them.
    ("large.txt", "99999 1e+05\n1e+05 100001\n100001 100000\n100000 99999\n", "", True,
     "99999>100000 100000>100001 100001>100000 100000>99999", "2 edges have ids such as 1e+05"),
    ("reals.csv", "a,b\n7.0,8.0\n8.0,1.25e2\n", "", True, "7>8 8>125", "--labels keeps them"),
    ("zero.csv", "0.0,1.0\n1.0,2.0\n", "", True, "0>1 1>2", "--labels keeps them"),
    ("whole.txt", "7.0 8.0\n1e+05 0\n", "--no-labels", True, "7>8 100000>0", "2 edges have ids such as 1e+05 or 7.0"),
    ("large-names.txt", "99999 1e+05\n1e+05 100000\n", "--labels", True, "99999>1e+05 1e+05>100000", None),
    ("hexadecimal.txt", "12e4 a3f2\na3f2 120000\n", "", True, "12e4>a3f2 a3f2>120000", None),
    # Zeros before digits are kept.
    ("codes.csv", "01001,01003\n01003,1001\n1001,01005\n", "", True, "01001>01003 01003>1001 1001>01005", "--no-labels"),
    ("codes-late.csv", "1,2\n2,3\n3,0\n0,03\n", "", True, "1>2 2>3 3>0 0>03", "ids that begin with a zero keep it"),
    ("codes-integers.csv", "01001,01003\n01003,1001\n", "--no-labels", True, "1001>1003 1003>1001", None),
    # Sources and targets that are different vertices.
    ("out.bip", "% bip unweighted\n% 4 3 3\n1 1\n1 2\n2 1\n3 3\n", "", False, "1-4 1-5 2-4 3-6", "target 1 is 4"),
    ("wide.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 5 4\n1 1\n1 4\n2 5\n3 2\n", "", True,
     "1>4 1>7 2>8 3>5", "column 1 is 4", "1 2 3 4 5 6 7 8"),
    ("tall.mtx", "%%MatrixMarket matrix coordinate integer general\n3 2 2\n3 1 7\n2 2 1\n", "", True, "3>4 2>5", "3 x 2",
     "1 2 3 4 5"),
    ("unsigned.mtx", "%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n1 2 4294967295\n", "", True, "1>2",
     None),
    # Edges without a direction.
    ("out.sym", "% sym unweighted\n% 4 5 5\n1 2\n2 3\n3 4\n5 1\n", "", False, "1-2 2-3 3-4 1-5", "--directed"),
    ("out.arcs", "% sym unweighted\n1 2\n2 3\n", "--directed", True, "1>2 2>3", None),
    ("snap.txt", "# Undirected graph: toy.txt\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n", "", False,
     "1-2 2-3", "(\"# Undirected graph: toy.txt\")"),
    ("snap-arcs.txt", "# Directed graph: toy.txt\n1\t2\n2\t3\n", "", True, "1>2 2>3", None),
    ("gephi.csv", "Source,Target,Type,Id,Label,Weight\nann,bob,Undirected,0,,1.0\nbob,cy,Undirected,1,,2.0\n", "", False,
     "ann-bob bob-cy", "Type: Undirected"),
    ("gephi-arcs.csv", "Source,Target,Type\nann,bob,Directed\nbob,cy,Directed\n", "", True, "ann>bob bob>cy", None),
    # Headers of free names, and more columns.
    ("people.csv", "Character A,Character B\nAria Stone,Ben Ward\nBen Ward,Cara Lind\n", "", True,
     "Character A>Character B|Aria Stone>Ben Ward|Ben Ward>Cara Lind", "--header takes it for one"),
    ("people-asked.csv", "Character A,Character B\nAria Stone,Ben Ward\nBen Ward,Cara Lind\n", "--header", True,
     "Aria Stone>Ben Ward|Ben Ward>Cara Lind", None),
    ("loans.csv", "lender,borrower,amount\nb1,b2,5.5\nb2,b3,7.0\n", "", True, "b1>b2 b2>b3", None),
    ("links.txt", "protein1 protein2 combined_score\n9606.A 9606.B 173\n9606.B 9606.C 590\n", "", True,
     "9606.A>9606.B 9606.B>9606.C", None),
    ("out.temporal", "% asym unweighted\n1 2 1 1082040961\n1 2 1 1082155839\n2 3 -1 1082439700\n", "", True, "1>2 2>3", None),
    ("ldbc.csv", "Person.id|Person.id|creationDate\n933|2199023256816|2010-04-25T20:38:05.512+0000\n"
     "933|8333|2010-02-20T18:31:15.192+0000\n", "", True, "933>2199023256816 933>8333", None),
    ("bars.txt", "a|b\nb|c\n", "", True, "a>b b>c", None),
    # Missing vertices.
    ("na.csv", "src,dst\n101,102\n103,NA\nNA,102\n102,103\n", "--null NA", True, "101>102 102>103", "2 edges without a vertex"),
    ("na-empty.csv", "src,dst,weight\n1,2,5\n,2,5\n2,3,NULL\n", "--null ,NULL", True, "1>2 2>3", "1 edge without a vertex"),
    ("na-names.csv", "src,dst\nNA,DE\nDE,US\n", "", True, "NA>DE DE>US", None),
    ("na-labels.csv", "1,2\n2,NA\n", "--labels", True, "1>2 2>NA", None),
    ("na-twice.csv", "src,dst\n101,102\n103,NA\n-,102\n102,103\n", "--null NA --null -", True, "101>102 102>103", "2 edges without a vertex"),
    ("minus.txt", "1 2\n2 -1\n2 3\n", "--null -1", True, "1>2 2>3", "1 edge without"),
    ("na-weight.txt", "1 2 NA\n2 3 4\n", "--null NA", True, "1>2 2>3", None),
    # All lines with as many fields as METIS or adjacency lists have.
    ("loop-first.txt", "3 3\n1 2\n2 3\n3 1\n", "", True, "1>2 2>3 3>1 3>3", None),
    ("dual.graph", "4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", "", False, "1-2 1-3 1-4 2-3 2-4 3-4", None),
    ("sparse.txt", "5 3\n2 4\n1 4\n\n1 2\n\n", "", False, "1-2 1-4 2-4", None, "1 2 3 4 5"),
    ("weights.txt", "% of a triangle\n3 3 1\n2 7 3 8\n1 7 3 9\n1 8 2 9\n", "", False, "1-2 1-3 2-3", None),
    ("vertex-weights.txt", "3 2 10 1\n4 2\n5 1 3\n6 2\n", "", False, "1-2 2-3", "weights of vertices are passed over"),
    ("toy.gr", "c 9th DIMACS toy\np sp 4 3\na 1 2 803\nc\na 2 1 803\na 3 1 5\n", "", True, "1>2 2>1 3>1", None, "1 2 3 4"),
    ("toy.max", "p max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 4\n", "", True, "1>2 2>3", "1 is the source and 3 the sink"),
    ("toy.net", "*Vertices 3\n1 \"ann\"\n2 \"bob\"\n3 \"cy\"\n*Edges\n1 2 5\n3 2\n", "", False, "ann-bob bob-cy", None),
    # Sizes of vertices, which NetworKit takes for neighbours (findings/networkit-metis-vertex-sizes.sh).
    ("sizes.graph", "4 3 100\n1 2\n1 1 3\n1 2 4\n1 3\n", "", False, "1-2 2-3 3-4", "sizes of vertices are passed over"),
    ("sizes-weights.graph", "4 3 111\n1 5 2 7\n1 5 1 7 3 5\n1 5 2 5 4 9\n1 5 3 9\n", "", False, "1-2 2-3 3-4",
     "weights of vertices are passed over"),
    # Sections that NetworkX and igraph read otherwise (findings/pajek-sections.sh).
    ("relations.net", "*Vertices 3\n1 \"ann\"\n2 \"bob\"\n3 \"cy\"\n*Arcs :1 \"likes\"\n1 2\n*Arcs :2 \"knows\"\n2 3\n", "", True,
     "ann>bob bob>cy", None),
    ("remarks.net", "*Vertices 3\n1 \"ann\"\n% x y\n2 \"bob\"\n3 \"cy\"\n*Edges\n1 2\n% 3 1\n3 2\n", "", False, "ann-bob bob-cy", None),
    ("lists.net", "*Vertices 3\n1 \"ann\"\n2 \"bob\"\n3 \"cy\"\n*Arcslist\n1 2 3\n", "", True, "ann>bob ann>cy", None),
    ("twins.net", "*Vertices 3\n1 \"ann\"\n2 \"ann\"\n3 \"cy\"\n*Edges\n1 2\n3 2\n", "", False, "1-2 2-3", "two have the label \"ann\""),
    ("mixed.net", "*Vertices 3\n1 \"ann\"\n2 \"bob\"\n3 \"cy\"\n*Arcs\n1 2\n*Edges\n2 3\n", "", True, "ann>bob bob>cy cy>bob", None),
    ("labels.net", "*Vertices 3\n*Arcs\n1 2 5 l \"inf\"\n2 3 c Red\n", "", True, "1>2 2>3", None),
    ("metis-asked.graph", "4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", "--columns 1,2", True, "4>6 2>3 1>3 1>2", None),
]

UNWRITTEN = {"large-names.txt", "na-labels.csv"}  # as edge lists they would be read back as others

TWO_THREE = "lines of two and of three are no edges with weights; --columns 1,2 takes the first two"

# name, text, and what the line says
REFUSED = [
    ("r.txt", "source target\n5 7 9\n8 3 4\n", ":2: expected 2 fields, as the header has, found \"5 7 9\": --columns"),
    ("digraph.adjlist", "# a digraph\n0 1 2\n1 2\n2 0 1\n", ":3: expected two vertex ids and perhaps a weight, found \"1 2\": "
     + TWO_THREE),
    ("networkx.adjlist", "#write.py\n# GMT Sat Nov 28 05:40:00 2026\n#\n0 1 2\n1 2\n", "an adjacency list of NetworkX is not read"),
    ("na.csv", "src,dst\n101,102\n103,NA\n104,NA\nNA,102\n", ":3: expected a vertex id, found \"NA\": --null NA leaves out"),
    ("na-first.csv", "NA,102\n103,104\n", ":1: expected a vertex id, found \"NA\": --null NA"),
    ("none.txt", "1 2\n2 None\n", "--null None"),
    ("out.bip", "% bip unweighted\n1 1\n", "the number of sources of a bipartite graph"),
    ("out.bip-names", "% bip unweighted\n% 1 1 1\nann bob\n", "expected integers in a bipartite graph"),
    ("out.bip-beyond", "% bip unweighted\n% 3 2 5\n1 1\n3 2\n2 5\n", ": expected sources from 1 to 2, as the file counts them, found 3"),
    ("nan-first.txt", "1 2 nan\n2 3 4\n1 3 9\n", ":1: expected a number as weight, found \"nan\""),
    ("inf-first.txt", "1 2 inf\n2 3 4\n1 3 9\n", ":1: expected a number as weight, found \"inf\""),
    ("misspelt-first.txt", "1 2 1O\n2 3 4\n", ":1: expected a number as weight, found \"1O\""),
    ("nan.net", "*Vertices 3\n*Arcs\n1 2 nan\n2 3 5\n", ":3: expected a number as weight, found \"nan\""),
    ("minus-first.txt", "-1 x\nx y\n", "found \"-1\": --labels reads names"),
    ("four.txt", "1 2 1 1082040961\n1 2 1 1082155839\n", ": --columns 1,2 takes the first two"),
    ("genes.sif", "geneA\tpp\tgeneB\ngeneB\tpd\tgeneC\n", "found \"geneB\": --columns S,T chooses columns, --header"),
    ("any.metis", "9 9\n1 2\n", ":2: expected another neighbour than vertex 1 itself"),
    ("toy.gr", "c 9th DIMACS toy\np sp 4 5\na 1 2 803\na 2 1 803\n", "expected 5 arcs, as its line \"p sp 4 5\" says, found 2"),
    ("toy.col", "c coloring\np edge 4 4\ne 1 2\ne 2 3\n", "DIMACS of this kind is not read"),
    ("toy.wsg", "\0\0\0", "expected a serialized graph of the GAP benchmark suite, found other bytes"),
    ("toy.net", "*Vertices 2\n*Matrix\n0 1\n1 0\n", ":2: expected *Arcs, *Edges, *Arcslist or *Edgeslist, found \"*Matrix\""),
    ("toy.lgl", "# ann\nbob 1.5\ncy\n# bob\ncy\n", "LGL is not read"),
    ("toy.dl", "DL n=3 format=edgelist1\ndata:\n1 2\n2 3\n", "UCINET (DL) is not read"),
    ("cafe.tsv", "ann\tcaf\udce9\n", "iconv -f WINDOWS-1252 -t UTF-8"),
    ("fraction.txt", "1 2\n2 1.5\n", "expected a vertex id from"),
]


def edges_of(text):
    return sorted(tuple(part.replace("-", ">").split(">")) if ">" not in part else tuple(part.split(">"))
                  for part in text.split("|" if "|" in text else " "))


class Cases(ProgramTest):
    def arcs(self, name, *options):
        """The edges, by way of the written edge list, and the notes."""
        done = self.run_program("convert", name, "-", *options)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        lines = [line for line in done.stdout.decode().split("\n") if line and not line.startswith("# ")]
        rows = [tuple(field.strip('"') for field in line.split("\t" if "\t" in line else " ")) for line in lines]
        return [row[:2] for row in rows if row[:2] != ("source", "target")], done.stderr.decode()  # without weights

    def test_files_are_read_as_they_are_meant(self):
        for name, text, options, directed, edges, note, *vertices in READ:
            with self.subTest(file=name):
                self.file(name, text)
                options = options.split()
                answer = self.answer("info", name, *options)
                wanted = edges_of(edges)
                loops = sum(edge[0] == edge[1] for edge in wanted)
                wanted = [edge for edge in wanted if edge[0] != edge[1]]
                if name in UNWRITTEN:
                    notes = self.run_program("info", name, *options).stderr.decode()
                else:
                    arcs, notes = self.arcs(name, *options)
                    self.assertEqual(sorted(arcs if directed else (tuple(sorted(a)) for a in arcs)), wanted)
                self.assertEqual(answer["directed"], directed)
                self.assertEqual(answer["edges"], len(wanted))
                self.assertEqual(answer["self_loops"], loops)
                everything = vertices[0].split() if vertices else {end for edge in wanted for end in edge}
                self.assertEqual(answer["vertices"], len(everything))
                if note is None:
                    self.assertEqual(notes, "")
                    self.assertNotIn("notes", answer)
                else:
                    self.assertRegex(notes, r"\A(note: [^\n]+\n)+\Z")
                    self.assertIn(note, notes)
                    self.assertEqual(answer["notes"], [line.removeprefix("note: ") for line in notes.splitlines()])

    def test_files_that_are_none_are_refused_in_one_line(self):
        for name, text, said in REFUSED:
            with self.subTest(file=name):
                self.file(name, text.encode(errors="surrogateescape"))
                self.assertIn(f"{name}", message := self.refused("info", name))
                self.assertIn(said, message)

    def test_metis_is_known_from_edge_lists_of_the_same_numbers(self):
        for seed in range(12):
            draw = random.Random(seed)
            n = draw.randrange(3, 40)
            edges = {tuple(sorted(draw.sample(range(1, n + 1), 2))) for _ in range(draw.randrange(1, 3 * n))}
            weighted, valued = draw.random() < 0.3, draw.random() < 0.3
            rows = [[str(draw.randrange(9))] if valued else [] for _ in range(n)]
            for u, v in sorted(edges):
                weight = [str(draw.randrange(1, 9))] if weighted else []
                rows[u - 1] += [str(v), *weight]
                rows[v - 1] += [str(u), *weight]
            head = f"{n} {len(edges)}" + (f" {valued:d}{weighted:d}" if weighted or valued else "")
            metis = "\n".join([head, *map(" ".join, rows)]) + "\n"
            listed = f"{n} {min(edges)[0]}\n" + "".join(f"{u} {v}\n{v} {u}\n" for u, v in sorted(edges))
            with self.subTest(seed=seed):
                self.file("m.txt", metis)
                answer = self.answer("info", "m.txt")
                self.assertEqual((answer["format"], answer["vertices"], answer["edges"]), ("METIS", n, len(edges)))
                self.file("e.txt", listed)
                arcs = {(n, min(edges)[0]), *edges, *((v, u) for u, v in edges)}
                self.assertEqual(self.answer("info", "e.txt")["edges"], len({a for a in arcs if a[0] != a[1]}))

    def test_a_null_in_the_first_row_does_not_hide_the_weights(self):
        for header in ("u,v,cost", "from,to,cost"):
            for rows in ("1,2,NA\n2,3,4\n", "2,3,4\n1,2,NA\n"):
                self.file("null.csv", f"{header}\n{rows}")
                options = ("null.csv", "--null", "NA", "--source", "1", *(("--columns", "from,to,cost") if header[0] == "f" else ()))
                with self.subTest(header=header, rows=rows):
                    self.assertEqual(self.answer("sssp", *options, "-o", "d.tsv")["reached"], 3)
                    distances = dict(line.split()[:2] for line in (self.folder / "d.tsv").read_text().splitlines())
                    self.assertEqual(distances, {"vertex": "distance", "1": "0", "2": "1", "3": "5"})
        self.file("null.csv", "from,to,cost\n1,2,NA\n2,3,4\n")
        self.assertIn("expected a column of weights, found cost", self.refused("sssp", "null.csv", "--null", "NA", "--source", "1"))

    def test_a_metis_file_of_no_vertices_is_read_back(self):
        self.file("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n")
        self.answer("convert", "none.mtx", "none.graph", "--undirected", "--verify")
        self.assertEqual(self.answer("info", "none.graph")["vertices"], 0)

    def test_an_entry_on_the_diagonal_is_one_self_loop(self):
        self.file("d.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n2 1\n")
        for direction in ("--directed", "--undirected"):
            self.assertEqual(self.answer("info", "d.mtx", direction)["self_loops"], 1, direction)

    def test_vertices_of_pairs_are_divided_by_a_tab_then_a_comma_then_blanks(self):
        for name, edges, pairs in (("tab", "Smith, A, Jr\tBob\nBob\tEve\n", "Smith, A, Jr\tBob\n"),
                                   ("comment", "1 2\n2 3\n", "# pairs, of friends\n1 2\n"),
                                   ("bar", "a|b d|e\nd|e c\n", "a|b d|e\n")):
            with self.subTest(name=name):
                self.file("e.tsv", edges)
                self.file("pairs.txt", pairs)
                self.assertEqual(self.answer("similarity", "e.tsv", "--undirected", "--pairs", "pairs.txt")["pairs"], 1)

    def test_duplicates_by_each_rule(self):
        self.file("d.txt", "1 2 5\n2 1 9\n1 2 3\n1 2 4\n2 3 1\n")
        for rule, directed, undirected in (("min", 3, 3), ("max", 5, 9), ("first", 5, 5), ("last", 4, 4), ("sum", 12, 21), ("count", 3, 4)):
            for option, expected in (("--directed", directed), ("--undirected", undirected)):
                done = self.run_program("convert", "d.txt", "-", "--duplicates", rule, option)
                self.assertIn(f"1\t2\t{expected}\n", done.stdout.decode(), (rule, option))
        self.assertIn('expected min, max, first, last, sum or count, found "most"', self.refused("info", "d.txt", "--duplicates", "most"))
        self.assertEqual(self.answer("info", "d.txt", "--duplicates", "sum")["options"]["duplicates"], "sum")
        self.text("convert", "d.txt", "d.gsg")
        self.assertIn("weights of duplicates are combined in texts, this is the native form",
                      self.refused("info", "d.gsg", "--duplicates", "sum"))

    def test_forms_without_names_are_written_and_verified(self):
        self.file("n.txt", "ann bob 3\nbob cy 4\n")
        note = "vertices are numbered from {} in the order of the graph, as this form has no names"
        for name, first, *options in (("n.mtx", 1), ("n.graph", 1, "--undirected"), ("n.gr", 1), ("n.wsg", 0), ("n.mtx.gz", 1)):
            done = self.run_program("convert", "n.txt", name, "--verify", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(note.format(first), done.stderr.decode())
            done = self.run_program("convert", "grid:9x9@1..5", name, "--verify")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(note.format(1) in done.stderr.decode(), first == 1)
        self.assertEqual(self.text("convert", "n.txt", "-", "--undirected").count("\n"), 4)
        self.text("convert", "n.txt", "n.graph", "--undirected")
        self.assertEqual((self.folder / "n.graph").read_text(), "3 2 001\n2 3\n1 3 3 4\n2 4\n")
        self.text("convert", "n.txt", "n.gr")
        self.assertEqual((self.folder / "n.gr").read_text(), "c directed graph: 3 vertices, 2 edges\np sp 3 2\na 1 2 3\na 2 3 4\n")
        self.text("convert", "n.txt", "n.mtx", "--undirected")
        self.assertEqual((self.folder / "n.mtx").read_text(), "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 3\n3 2 4\n")
        self.file("arcs.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
        self.assertIn("expected an undirected graph, as METIS has no others", self.refused("convert", "arcs.mtx", "n.graph"))

    def test_lines_passed_over_as_comments_are_counted(self):
        self.file("g.txt", "# one\n% two\n// three\n\n1 2\n2 3\n")
        self.assertIn("comments: 3 lines passed over", self.text("info", "g.txt"))
        self.assertEqual(self.answer("info", "g.txt")["comments"], 3)
        self.file("h.txt", "1 2\n2 3\n")
        self.assertNotIn("comments", self.text("info", "h.txt"))

    def test_the_number_of_nodes_of_ogb(self):
        (self.folder / "raw").mkdir()
        edges, number = self.folder / "raw" / "edge.csv.gz", self.folder / "raw" / "num-node-list.csv.gz"
        edges.write_bytes(gzip.compress(b"0,3\n3,1\n1,1\n"))
        number.write_bytes(gzip.compress(b"6\n"))
        answer = self.answer("info", edges, "--vertices", number, "-o", "rows.tsv")
        self.assertEqual((answer["vertices"], answer["edges"], answer["isolated"], answer["self_loops"]), (6, 2, 3, 1))
        self.assertEqual([line.split("\t")[0] for line in (self.folder / "rows.tsv").read_text().splitlines()[1:]], list("012345"))
        plain = self.folder / "num-node-list.csv"
        for text, found in (("6\n7\n", '"6"'), ("none\n", '"none"'), ("0\n", '"0"'), ("-3", '"-3"')):
            plain.write_text(text)
            self.assertRegex(self.refused("info", edges, "--vertices", plain), rf"num-node-list\.csv:1: expected the number of vertices of one graph, found {found}")
        plain.write_text("6\n")
        self.file("names.csv", "ann,bob\n")
        self.assertRegex(self.refused("info", "names.csv", "--vertices", plain), r"num-node-list\.csv: expected vertices that are integers from 0 on")
        for count, highest in ((3, 3), (1, 5_000_000_000)):
            plain.write_text(f"{count}\n")
            self.file("ids.csv", f"0,{highest}\n{highest},1\n")
            self.assertRegex(self.refused("info", "ids.csv", "--vertices", plain), rf"ids\.csv: expected ids below {count}, the number of vertices of .*num-node-list\.csv, found {highest}$")
        plain.write_text("7\r\n")
        self.assertEqual(self.answer("info", edges, "--vertices", plain)["vertices"], 7)

    def test_weights_and_times_of_konect(self):
        def distances(name, text, *words):
            self.file(name, text)
            self.text("sssp", name, "--source", 1, *words, "--output", "d.tsv")
            rows = [line.split("\t") for line in (self.folder / "d.tsv").read_text().splitlines()[1:]]
            return {row[0]: row[1] for row in rows}

        times = "1 2 5 1082040961\n1 2 3 1082155839\n2 3 4 1082439700\n1 3 9 1082439800\n"
        self.assertEqual(distances("out.asym", "% asym posweighted\n" + times), {"1": "0", "2": "3", "3": "7"})
        self.assertEqual(distances("out.summed", "% asym multiposweighted\n% 4 3 3\n" + times, "--duplicates", "sum"), {"1": "0", "2": "8", "3": "9"})
        self.assertEqual(distances("out.last", "% asym dynamic\n" + times, "--duplicates", "first"), {"1": "0", "2": "5", "3": "9"})
        self.assertEqual(distances("out.sym", "% sym posweighted\n% 2 3 3\n2 1 2.5 7\n3 2 0.5 8\n"), {"1": "0", "2": "2.5", "3": "3"})
        self.assertEqual(distances("out.three", "% asym posweighted\n1 2 5\n2 3 4\n"), {"1": "0", "2": "5", "3": "9"})
        self.assertEqual(distances("out.two", "% asym unweighted\n1 2\n2 3\n"), {"1": "0", "2": "1", "3": "2"})
        self.assertEqual(distances("out.bip", "% bip posweighted\n% 3 2 2\n1 1 2 7\n1 2 3 7\n2 2 1 8\n"), {"1": "0", "2": "4", "3": "2", "4": "3"})
        signed = "% asym signed\n1 2 5 1082040961\n2 3 -1 1082439700\n"
        self.assertEqual(distances("out.signed", signed, "--negative"), {"1": "0", "2": "5", "3": "4"})
        self.assertRegex(self.refused("sssp", "out.signed", "--source", 1), r"out\.signed:3: expected a weight of 0 or more")

    def test_vertices_without_edges(self):
        cases = [  # edges, vertices, all of them, their degrees
            ("1 2 0.5\n3 2 0.25\n", "1\n2\n3\n4\n", "1 2 3 4", "0 0 1 1"),
            ("1 2\n", "id\n9\n7\n9\n", "1 2 7 9", "0 0 0 1"),
            ("1 2\n2 2\n", "99999999999999999\n", "1 2 99999999999999999", "0 0 1"),
            ("ann bob\n", "cy\nbob\n#dee\n\n# a comment\nEve van Ek\n", "#dee|Eve van Ek|ann|bob|cy", "0 0 0 0 1"),
            ("1 2\n", "x\n", "1 2 x", "0 0 1"),
            ("ann 2\n", "1\n2\n", "1 2 ann", "0 0 1"),
            ("1 2\n", "01\n1\n", "01 1 2", "0 0 1"),
        ]
        for edges, vertices, all_vertices, degrees in cases:
            with self.subTest(edges=edges, vertices=vertices):
                self.file("g.e", edges)
                self.file("g.v", vertices)
                answer = self.answer("info", "g.e", "--vertices", "g.v", "-o", "rows.tsv")
                rows = list(csv.reader((self.folder / "rows.tsv").read_text().splitlines(), delimiter="\t"))[1:]
                self.assertEqual(sorted(row[0] for row in rows), all_vertices.split("|" if "|" in all_vertices else " "))
                self.assertEqual(sorted(row[1] for row in rows), degrees.split())
                self.assertEqual(answer["self_loops"], edges.count("2 2"))
                self.assertEqual(answer["edges"], 1 if "3" not in edges else 2)
        self.file("g.e", "1 2\n")
        self.file("g.v", "1\n2 3\n")
        self.assertIn('g.v:2: expected columns separated by line ends only, found "2 3"', self.refused("info", "g.e", "--vertices", "g.v"))
        self.assertIn("vertices are of text edge lists", self.refused("info", "kron:4", "--vertices", "g.v"))
        self.assertIn("absent", self.refused("info", "g.e", "--vertices", "absent"))
        self.file("empty.v", "")
        self.assertIn("empty.v is empty: expected a vertex a line", self.refused("info", "g.e", "--vertices", "empty.v"))

    def test_output_spares_every_file_that_is_read(self):
        self.file("g.tsv", "1\t2\n2\t3\n")
        self.file("names.tsv", "1\n2\n")
        for question, *option in [
            ("info", "--vertices"), ("pagerank", "--personalise"), ("subgraph", "--only"), ("random-walks", "--starts"),
        ]:  # fmt: skip
            with self.subTest(question=question):
                said = self.refused(question, "g.tsv", *option, "names.tsv", "-o", "./names.tsv")
                self.assertIn(f'expected another file to write than the file of {option[0]}, found "./names.tsv"', said)
                self.assertEqual((self.folder / "names.tsv").read_text(), "1\n2\n")
        said = self.refused("similarity", "g.tsv", "--pairs", "names.tsv", "-o", "names.tsv")
        self.assertIn("than the file of --pairs", said)
        said = self.refused("info", "g.tsv", "-o", "./g.tsv")
        self.assertIn("than the graph itself", said)

    def test_convert_refuses_what_it_would_write_in_another_form(self):
        self.file("g.tsv", "1\t2\n2\t3\n")
        for name in ("o.gsg.gz", "o.gsg.zst"):
            said = f'the native form is not written compressed, found "{name}": give o.gsg'
            self.assertIn(said, self.refused("convert", "g.tsv", name))
        for option in ("--json", "--stats", "--explain"):
            self.assertIn("write to standard output", self.refused("convert", "g.tsv", "-", option))

    def test_errors_name_vertices_by_their_labels(self):
        self.file("one-way.tsv", "ann\tbob\nbob\tcy\n")
        said = self.refused("diameter", "one-way.tsv", "--directed")
        self.assertIn('found no path to vertex ann from bob', said)
        self.file("signed.tsv", "ann\tbob\t2\nbob\tcy\t-1\n")
        self.answer("convert", "signed.tsv", "signed.gsg")
        self.assertIn('found -1 from bob to cy', self.refused("max-flow", "signed.gsg", "ann", "cy"))
        self.file("numbers.tsv", "1000\t7\n")
        self.assertIn("found no path from vertex 7 to 1000", self.refused("diameter", "numbers.tsv", "--directed"))

    def test_capacities_of_a_native_file_may_be_those_of_the_lightest_edges(self):
        self.file("g.tsv", "s\tt\t3\ns\tt\t4\n")
        self.assertEqual(self.answer("max-flow", "g.tsv", "s", "t")["value"], 7)
        self.answer("convert", "g.tsv", "least.gsg")
        self.answer("convert", "g.tsv", "sum.gsg", "--duplicates", "sum")
        for name, flow in (("least.gsg", 3), ("sum.gsg", 7)):
            done = self.run_program("max-flow", name, "s", "t", "--json")
            self.assertEqual(json.loads(done.stdout)["value"], flow)
            self.assertIn("their capacities add up only if it was with --duplicates sum", done.stderr.decode())

    def test_capacities_of_parallel_arcs_in_rows_add_up(self):
        rows = struct.pack("<4Q", 0, 2, 3, 3) + struct.pack("<6i", 1, 3, 1, 4, 2, 9)
        back = struct.pack("<4Q", 0, 0, 2, 3) + struct.pack("<6i", 0, 3, 0, 4, 1, 9)
        self.file("par.wsg", struct.pack("<?QQ", True, 3, 3) + rows + back)
        self.file("par.tsv", "0 1 3\n0 1 4\n1 2 9\n")
        for name in ("par.wsg", "par.tsv"):
            for before in ([], ["run", "--np", 2]):
                self.assertEqual(self.answer(*before, "max-flow", name, 0, 2, "--directed", "--cores", 1)["value"], 7)
            self.assertEqual(self.answer("sssp", name, "--source", 0, "--directed")["farthest"], 12)

    def test_rows_of_awkward_names_are_read_back(self):
        names = ["a\\b", 'say "x"', '"whole"', " blank", "blank ", "#mark", "//x", "a,b", "\\t", "%"]
        self.file("g.jsonl", "".join(json.dumps({"source": name, "target": "hub"}) + "\n" for name in names))
        self.file("tab.jsonl", '{"source": "a\\tb", "target": "c"}\n')
        said = self.refused("components", "tab.jsonl", "--columns", "source,target")
        self.assertIn("tab.jsonl:1: expected text, found a tab, line end or other control character in", said)
        for ending, separator in ((".tsv", "\t"), (".csv", ",")):
            self.answer("components", "g.jsonl", "--columns", "source,target", "-o", "rows" + ending)
            with open(self.folder / ("rows" + ending), newline="", encoding="utf-8") as file:
                read = [row[0] for row in csv.reader(file, delimiter=separator)][1:]
            self.assertEqual(sorted(read), sorted([*names, "hub"]))
            self.answer("components", "rows" + ending, "--columns", "vertex,component", "--labels", "-o", "again.jsonl")
            again = [json.loads(line)["vertex"] for line in (self.folder / "again.jsonl").read_text().splitlines()]
            self.assertLessEqual(set(names), set(again))

    def test_options_of_texts_are_refused_for_other_formats(self):
        self.file("g.tsv", "1\t2\n2\t3\n")
        self.answer("convert", "g.tsv", "g.gsg")
        self.answer("convert", "g.tsv", "g.mtx")
        for option in (["--labels"], ["--no-header"], ["--null", "NA"], ["--no-comments"], ["--no-quotes"]):
            for name, form in (("g.gsg", "the native form"), ("g.mtx", "a Matrix Market file")):
                with self.subTest(option=option, name=name):
                    self.assertIn(f"are of text edge lists, this is {form}", self.refused("info", name, *option))

    def test_zero_bytes_behind_gzip_are_passed_over(self):
        text, more = gzip.compress(b"1,2\n2,3\n"), gzip.compress(b"3,4\n")
        self.file("end.gz", text + bytes(512))
        self.file("between.gz", text + bytes(3) + more + bytes(1))
        self.assertEqual(self.answer("info", "end.gz")["edges"], 2)
        self.assertEqual(self.answer("info", "between.gz")["edges"], 3)
        self.assertEqual(self.text("group", "end.gz", "--no-header", "--by", "1", "--sum", "2", "-o", "-").split()[-4:], ["1", "2", "2", "3"])
        self.file("more.gz", text + bytes(3) + b"x")
        self.assertIn(f"byte {len(text) + 3}, found 1 more bytes", self.refused("info", "more.gz"))

    def test_padding_between_streams_of_xz_is_passed_over(self):  # Python's lzma stops there (findings/xz-stream-padding.sh)
        text, more = lzma.compress(b"1,2\n2,3\n"), lzma.compress(b"3,4\n")
        for name, padded in (("plain", text + more), ("between", text + bytes(4) + more), ("behind", text + more + bytes(8))):
            self.file("padded.csv.xz", padded)
            with self.subTest(name=name):
                self.assertEqual(self.answer("info", "padded.csv.xz")["edges"], 3)
                self.assertEqual(self.answer("group", "padded.csv.xz", "--no-header", "--by", "1", "--count")["rows"], 3)

    def test_pagerank_says_that_it_leaves_out_self_loops(self):
        self.file("g.txt", "1 2\n2 3\n3 1\n2 2\n")
        done = self.run_program("pagerank", "g.txt")
        self.assertEqual(done.stderr.decode(), "note: g.txt: scores without its 1 self-loop, which NetworkX and igraph keep\n")
        self.assertEqual(self.run_program("components", "g.txt").stderr, b"")
        self.assertEqual(self.run_program("pagerank", "kron:6").stderr, b"")


class LevelsOfALongSearch(ProgramTest):
    def rows(self, vertices):
        self.file("path.txt", "".join(f"{v} {v + 1}\n" for v in range(vertices - 1)))
        lines = self.text("bfs", "path.txt", "--source", "0").split("\n")
        at = next(i for i, line in enumerate(lines) if line.split()[:1] in (["level"], ["levels"]))
        return [line.split()[:2] for line in lines[at:lines.index("", at)]]

    def test_up_to_twenty_have_a_row_each(self):
        self.assertEqual(self.rows(20), [["level", "vertices"], *([str(v), "1"] for v in range(20))])

    def test_more_are_shown_in_ranges(self):
        rows = self.rows(287)
        self.assertEqual(rows[:3], [["levels", "vertices"], ["0–14", "15"], ["15–29", "15"]])
        self.assertEqual(rows[-1], ["285–286", "2"])
        self.assertEqual(sum(int(row[1]) for row in rows[1:]), 287)
        self.assertEqual(len(self.answer("bfs", "path.txt", "--source", "0")["levels"]), 287)

    def test_a_small_rate_has_digits(self):
        self.file("g.txt", "1 2\n")
        self.assertRegex(self.text("bfs", "g.txt", "--source", "1"), r"1 edge in [^:]+: (?!0\.0 )[0-9.e-]*[1-9][0-9.e-]* MTEPS")


if __name__ == "__main__":
    main()
