#!/usr/bin/python3
"""The tool's answers against NetworkX, on the graph in data/ and on a generated one.

Run by ctest, or: GOSSAMER_PROGRAM=build/release/bin/gossamer tests/agreement/networkx_test.py
Exact betweenness of 63,795 vertices would take NetworkX hours: it is compared on the packages
that a few programs need (directed and undirected) and on a Kronecker graph.
"""

import csv
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import networkx as nx
    import numpy  # noqa: F401  networkx.pagerank needs both
    import scipy  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("GOSSAMER_PROGRAM", str(ROOT / "build/release/bin/gossamer"))
DEBIAN = pathlib.Path(os.environ.get("GOSSAMER_DATA", str(ROOT / "data"))) / "debian-depends.tsv.gz"


def read_edges(path):
    opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)
    with opened as lines:
        return [tuple(line.split()[:2]) for line in lines if line.strip() and line[0] not in "#%"]


def without_loops(graph):
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


class Agreement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.debian = without_loops(nx.DiGraph(read_edges(DEBIAN)))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_tool(self, *arguments):
        """The JSON answer, and the rows of --output without their header, by vertex."""
        rows = os.path.join(self.folder.name, "rows.tsv")
        command = [PROGRAM, *map(str, arguments), "--json", "--quiet", "--output", rows]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{' '.join(command)}: {done.stderr}")
        with open(rows, newline="") as lines:
            table = [row for row in csv.reader(lines, delimiter="\t") if row and not row[0].startswith("#")]
        return json.loads(done.stdout), {row[0]: row[1:] for row in table[1:]}

    def write_edges(self, graph):
        path = os.path.join(self.folder.name, "edges.tsv")
        with open(path, "w") as lines:
            lines.writelines(f"{a}\t{b}\n" for a, b in graph.edges)
        return path

    def kronecker(self):
        path = os.path.join(self.folder.name, "kron.tsv")
        subprocess.run([PROGRAM, "convert", "kron:9", path, "--seed", "3", "--quiet"], check=True, capture_output=True)
        return path, nx.Graph(read_edges(path))

    def assert_scores(self, rows, expected, tolerance):
        self.assertEqual(set(rows), set(expected))
        for vertex, score in expected.items():
            self.assertAlmostEqual(float(rows[vertex][0]), score, delta=tolerance * (1 + abs(score)), msg=vertex)

    def test_size(self):
        answer, rows = self.run_tool("info", DEBIAN)
        self.assertEqual(answer["vertices"], self.debian.number_of_nodes())
        self.assertEqual(answer["edges"], self.debian.number_of_edges())
        self.assertEqual({v: int(row[0]) for v, row in rows.items()}, dict(self.debian.out_degree()))

    def test_components(self):
        answer, rows = self.run_tool("components", DEBIAN)
        expected = sorted(map(frozenset, nx.weakly_connected_components(self.debian)), key=len)
        found = {}
        for vertex, (component, *_) in rows.items():
            found.setdefault(component, set()).add(vertex)
        self.assertEqual(set(map(frozenset, found.values())), set(expected))
        self.assertEqual(answer["components"], len(expected))
        self.assertEqual(answer["largest"], len(expected[-1]))

    def test_bfs(self):
        for extra, graph in (([], self.debian), (["--undirected"], self.debian.to_undirected())):
            answer, rows = self.run_tool("bfs", DEBIAN, "--source", "firefox-esr", *extra)
            expected = nx.single_source_shortest_path_length(graph, "firefox-esr")
            levels = [0] * (max(expected.values()) + 1)
            for level in expected.values():
                levels[level] += 1
            self.assertEqual(answer["levels"], levels)
            self.assertEqual(answer["reached"], len(expected))
            found = {v: int(row[0]) for v, row in rows.items() if row[0].isdigit()}
            self.assertEqual(found, expected)

    def test_pagerank(self):
        for extra, graph in (([], self.debian), (["--undirected"], self.debian.to_undirected())):
            answer, rows = self.run_tool("pagerank", DEBIAN, "--tolerance", "1e-12", "--top", "10", *extra)
            # NetworkX stops at an L1 change of vertices * tol.
            expected = nx.pagerank(graph, tol=1e-12 / len(graph), max_iter=1000)
            self.assertLess(sum(abs(float(rows[v][0]) - x) for v, x in expected.items()), 1e-9)
            best = sorted(expected, key=expected.get, reverse=True)[:10]
            self.assertEqual([entry["vertex"] for entry in answer["top"]], best)

    def test_pagerank_default_tolerance(self):
        answer, rows = self.run_tool("pagerank", DEBIAN)
        expected = nx.pagerank(self.debian, tol=1e-12 / len(self.debian), max_iter=1000)
        # A change below 1e-6 leaves an error below 1e-6 * 0.85 / 0.15.
        self.assertLess(sum(abs(float(rows[v][0]) - x) for v, x in expected.items()), 6e-6)

    def test_betweenness_of_what_programs_need(self):
        needed = {"firefox-esr", "gimp", "texlive-base"}
        for package in list(needed):
            needed |= nx.descendants(self.debian, package)
        small = nx.DiGraph(self.debian.subgraph(needed))
        path = self.write_edges(small)
        _, rows = self.run_tool("betweenness", path, "--exact")
        self.assert_scores(rows, nx.betweenness_centrality(small, normalized=False), 1e-7)
        _, rows = self.run_tool("betweenness", path, "--exact", "--undirected")
        self.assert_scores(rows, nx.betweenness_centrality(small.to_undirected(), normalized=False), 1e-7)

    def test_normalised_betweenness(self):
        path, graph = self.kronecker()
        for spelt, extra, of in (("--normalised", ["--directed"], nx.DiGraph(read_edges(path))), ("--normalized", ["--undirected"], graph)):
            _, rows = self.run_tool("betweenness", path, "--exact", spelt, *extra)
            expected = nx.betweenness_centrality(of)
            self.assertGreater(max(expected.values()), 0.01)
            self.assert_scores(rows, expected, 1e-9)

    def test_kronecker(self):
        path, graph = self.kronecker()
        answer, _ = self.run_tool("components", path, "--undirected")
        self.assertEqual(answer["components"], nx.number_connected_components(graph))
        _, rows = self.run_tool("betweenness", path, "--undirected", "--exact")
        self.assert_scores(rows, nx.betweenness_centrality(graph, normalized=False), 1e-7)
        _, rows = self.run_tool("pagerank", path, "--undirected", "--tolerance", "1e-12")
        expected = nx.pagerank(graph, tol=1e-14, max_iter=1000)
        self.assertLess(sum(abs(float(rows[v][0]) - x) for v, x in expected.items()), 1e-9)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
