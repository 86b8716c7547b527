"""The types that the package declares, by mypy and by pyright: in itself, for a program, and for mistakes."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

import gossamer as gs

pytest.importorskip("mypy")
HERE = pathlib.Path(__file__).parent
CONFIGURATION = HERE.parents[1] / "pyproject.toml"


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mypy")

    def run(*what):
        done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", CONFIGURATION, "--cache-dir", folder / "cache", *what],
                              capture_output=True, text=True, cwd=folder, timeout=250,
                              env={**os.environ, "MYPYPATH": str(pathlib.Path(gs.__path__[0]).parent)})
        return done.returncode, done.stdout + done.stderr

    return run


def test_the_package(mypy):
    code, text = mypy("-p", "gossamer")
    assert code == 0, text


def test_a_program(mypy):
    code, text = mypy(HERE / "typed_use.py")
    assert code == 0, text
    done = subprocess.run([sys.executable, HERE / "typed_use.py"], capture_output=True, text=True, timeout=100)
    assert done.stdout == "[1, 3] [False, True] 3 [(4, 1.0)] 4130071\n2 [0, 0, 1] 1 (3,) [1, 2, 3]\n", done.stderr


@pytest.mark.parametrize("line, error", [
    ('gs.kron(5).pagerank(alpha="much")', "arg-type"),
    ("gs.kron(5).pagerang()", "attr-defined"),
    ("gs.group(object(), by=3)", "arg-type"),
    ("x: str = gs.kron(5).components().count", "assignment"),
    ("gs.sort([1], [2])", "call-arg"),
    ("gs.sort(object(), out=5)", "arg-type"),
    ('gs.wordcount("a", fold=True).top("3")', "arg-type"),
    ("gs._core.sort(1, 2)", "arg-type"),
    ('gs.zeros("many")', "arg-type"),
    ("x: str = gs.uts(law=3)", "arg-type"),
    ("gs.HashMap([1], [2], float)", "call-arg"),
    ('gs.HashSet([1]).insert("a").tops()', "attr-defined"),
])
def test_mistakes_are_found(mypy, tmp_path, line, error):
    program = tmp_path / "mistake.py"
    program.write_text(f"import gossamer as gs\n\n{line}\n")
    code, text = mypy(program)
    assert code == 1 and "mistake.py:3: error:" in text and f"[{error}]" in text, text


@pytest.fixture
def pyright(tmp_path):
    pytest.importorskip("pyright")
    packages = pathlib.Path(gs.__path__[0]).parent
    for name in "gossamer", "gossamer_networkx":
        (tmp_path / name).symlink_to(packages / name, target_is_directory=True)

    def run(name):
        (tmp_path / "pyrightconfig.json").write_text(json.dumps({"include": [name]}))
        done = subprocess.run([sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", tmp_path],
                              capture_output=True, text=True, cwd=tmp_path, timeout=250,
                              env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"})
        assert done.stdout.startswith("{"), done.stdout + done.stderr
        found = json.loads(done.stdout)
        return found["summary"]["filesAnalyzed"], [(each.get("rule"), each["message"]) for each in found["generalDiagnostics"]]

    return run


def test_the_package_as_editors_see_it(pyright):
    files, complaints = pyright("gossamer")
    assert files >= 15 and complaints == []


def test_a_mistake_as_editors_see_it(pyright, tmp_path):
    (tmp_path / "mistake.py").write_text('import gossamer as gs\n\ngs.kron(5).pagerank(alpha="much")\n')
    files, ((rule, _),) = pyright("mistake.py")
    assert (files, rule) == (1, "reportArgumentType")
