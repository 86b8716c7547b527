"""The program that comes with the package."""

import json
import subprocess
import sys

import pytest

import gossamer as gs


def start(*words):
    return subprocess.run([sys.executable, "-m", "gossamer", *words], capture_output=True, text=True, check=False)


def test_it_is_the_program():
    done = start("info", "kron:8", "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["vertices"] == len(gs.kron(8))


def test_it_ends_as_the_program_does():
    done = start("bfs", "kron:8", "--source", "none")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")


def test_it_starts_jobs_of_several_processes():
    done = start("run", "--np", "2", "components", "kron:8", "--json", "--quiet")
    if "transport plugin" in done.stderr:
        pytest.skip("no plugin is beside the package")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["processes"] == 2
