"""A plugin for pytest that counts the calls which the backend answers, by function: into the file of `--answers`.

A call that the backend leaves to NetworkX by NotImplementedError is not counted.
"""

import collections
import functools
import json
import pathlib

answers = collections.Counter()


def counting(name, function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        answer = function(*args, **kwargs)
        answers[name] += 1
        return answer

    return call


def pytest_addoption(parser):
    parser.addoption("--answers", type=pathlib.Path, required=True)


def pytest_collection_finish(session):
    from gossamer.networkx_backend import functions
    from gossamer_networkx.table import TABLE

    for name in TABLE:
        setattr(functions, name, counting(name, getattr(functions, name)))


def pytest_sessionfinish(session):
    session.config.getoption("--answers").write_text(json.dumps(answers))
