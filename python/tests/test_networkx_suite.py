"""NetworkX's own tests, and the examples of its docstrings, with the backend on: a selection, or all of them with `--networkx-suite=all`.

NetworkX converts the graphs of each call and gives it to the backend, whatever their size; what the backend refuses, NetworkX answers.
"""

import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import networkx as nx
import pytest

import gossamer as gs
from gossamer_networkx.table import DIFFERENCES, TABLE

pytest.importorskip("scipy")
HERE = pathlib.Path(__file__).parent
SELECTION = [
    "link_analysis", "components", "traversal", "dag", "distance_measures", "isolate", "centrality.tests.test_betweenness_centrality",
    "centrality.tests.test_closeness_centrality", "centrality.tests.test_degree_centrality", "centrality.tests.test_harmonic_centrality",
    "shortest_paths.tests.test_generic", "shortest_paths.tests.test_unweighted", "tests.test_dag", "tests.test_distance_measures",
    "tests.test_isolate", "tree.tests.test_recognition", "cluster", "core", "tests.test_cluster", "tests.test_core",
    "flow.maxflow", "flow.tests.test_maxflow", "assortativity", "bipartite.tests.test_basic", "centrality.tests.test_eigenvector_centrality", "centrality.tests.test_katz_centrality",
    "centrality.tests.test_reaching", "community.tests.test_quality", "tests.test_boundary", "tests.test_cuts", "tests.test_dominating", "tests.test_efficiency", "tests.test_euler",
    "approximation.tests.test_kcomponents", "coloring", "community.quality", "community.tests.test_leiden", "shortest_paths.tests.test_weighted", "tests.test_matching",
    "bridges", "tests.test_bridges",
    "approximation.dominating_set", "matching", "non_randomness", "tests.test_cycles", "tree.mst", "tree.tests.test_distance_measures", "tree.tests.test_mst", "tests.test_hierarchy", "tests.test_link_prediction", "tests.test_reciprocity", "tests.test_regular", "tests.test_smetric", "tests.test_wiener"]
SLOW = "test_use_bounds_on_off_consistency"  # thousands of searches in small graphs
OTHER = "test_undirected_selfloops"  # from 3.7 on: compares communities that the backend found with some of NetworkX, each right by itself
LEFT_TO_EARLIER = {"single_target_shortest_path_length"}  # an iterator before NetworkX 3.5


def networkx_before_3_5():
    return tuple(map(int, nx.__version__.split(".")[:2])) < (3, 5)


def test_passes_with_the_backend(tmp_path, pytestconfig):
    whole = pytestconfig.getoption("--networkx-suite") == "all"
    what = ["networkx", "-k", f"not {OTHER}"] if whole else [*(f"networkx.algorithms.{name}" for name in SELECTION), "-k", f"not {SLOW} and not {OTHER}"]
    found = [os.fspath(HERE), os.fspath(pathlib.Path(gs.__path__[0]).resolve().parent), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "count_answers", "--answers", tmp_path / "answers",
         "--junitxml", tmp_path / "result.xml",
         "--doctest-modules", "--pyargs", *what],
        capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, found)),
             "NETWORKX_TEST_BACKEND": "gossamer", "NETWORKX_FALLBACK_TO_NX": "True"})
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    (suite,) = xml.etree.ElementTree.parse(tmp_path / "result.xml").iter("testsuite")
    assert int(suite.get("tests")) > (5000 if whole else 500)
    answers = json.loads((tmp_path / "answers").read_text())
    expected = TABLE.keys() - (LEFT_TO_EARLIER if networkx_before_3_5() else set())
    expected -= {"barycenter"} if hasattr(nx, "centroid") else {"centroid"}  # one function, by its name from 3.7 on
    assert answers.keys() == expected, "functions that no test of NetworkX has reached"
    reasons = {case.find("skipped").get("message") for case in suite.iter("testcase") if case.find("skipped") is not None}
    assert reasons.issuperset(DIFFERENCES.values()), "listed as different, and not run"


def test_the_guide_lists_what_differs():
    guide = (HERE.parents[1] / "docs" / "guide" / "python.md").read_text()
    table = guide.partition("| test of NetworkX | why |\n|---|---|\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| `{name}` | {reason} |" for name, reason in DIFFERENCES.items()]
