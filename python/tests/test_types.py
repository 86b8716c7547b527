"""The types that the package declares, by mypy: in itself, for a program, and for mistakes."""

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
    assert done.stdout == "2 [0, 0, 1] 1 (3,) [1, 2, 3]\n", done.stderr


@pytest.mark.parametrize("line, error", [
    ('gs.kron(5).pagerank(alpha="much")', "arg-type"),
    ("gs.kron(5).pagerang()", "attr-defined"),
    ("gs.group(object(), by=3)", "arg-type"),
    ("x: str = gs.kron(5).components().count", "assignment"),
    ("gs.sort([1], [2])", "call-arg"),
    ("gs.sort(object(), out=5)", "arg-type"),
    ('gs.wordcount("a", fold=True).top("3")', "arg-type"),
    ("gs._core.sort(1, 2)", "arg-type"),
])
def test_mistakes_are_found(mypy, tmp_path, line, error):
    program = tmp_path / "mistake.py"
    program.write_text(f"import gossamer as gs\n\n{line}\n")
    code, text = mypy(program)
    assert code == 1 and "mistake.py:3: error:" in text and f"[{error}]" in text, text
