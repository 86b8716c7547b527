"""explain(): where the time of a block of calls went."""

import time

import numpy as np
import pytest

import gossamer as gs


def test_shares_are_the_whole() -> None:
    g = gs.kron(10)
    with gs.explain() as why:
        g.pagerank()
        g.bfs(g.label(0))
    assert why.seconds > 0 and why.cores >= 1
    for of in (why.core_time, *(phase["core_time"] for phase in why.phases)):
        assert sum(of.values()) == pytest.approx(1)
    assert {phase["name"] for phase in why.phases} == {"calls", "between calls"}
    assert sum(phase["seconds"] for phase in why.phases) == pytest.approx(why.seconds)
    times = [each["core_time"] for each in why.findings]
    assert times == sorted(times, reverse=True)
    assert all(each["text"] and each["advice"] for each in why.findings)


def test_time_between_calls_is_python() -> None:
    g = gs.kron(6)
    g.pagerank()
    with gs.explain() as why:
        g.pagerank()
        begin, longest = time.perf_counter(), 0.0
        while longest < 0.2:  # as long as the shortest thing that can be said of it, and nothing is timed against it
            longest = time.perf_counter() - begin
    first = next(each for each in why.findings if each["key"] == "between_calls")
    assert first["phase"] == "between calls" and "Python" in first["advice"]
    assert not any(each["key"] == "without_work" and each["phase"] == "between calls" for each in why.findings)
    assert first["text"] in str(why) and first["advice"] in str(why)


def test_an_exception_leaves_nothing_behind() -> None:
    a = gs.array(np.arange(10))
    with pytest.raises(ZeroDivisionError), gs.explain() as why:
        a.sum() if hasattr(a, "sum") else len(a)
        raise ZeroDivisionError
    assert why.seconds > 0
    with gs.explain():
        pass


def test_one_at_a_time() -> None:
    with gs.explain(), pytest.raises(RuntimeError, match="another one is not over"), gs.explain():
        pass
