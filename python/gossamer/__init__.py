"""Graphs, word counts, tables, global arrays and other irregular work on all cores of this machine.

>>> import gossamer as gs
>>> g = gs.read("data/debian-depends.tsv.gz")
>>> g.pagerank().top(3)
[('libc6', 0.147...), ('libgcc-s1', 0.134...), ('gcc-12-base', 0.060...)]

Importing starts nothing: the cores are started by the first use, and sleep between two. NumPy is imported then, too.

Where a launcher has started several processes (``mpirun -n 64 python analyse.py``), they meet at this import. Process 0 goes on when all
have come, and the lines after the import run there only. The others work for it until it ends, and end with it. What stands before
the import runs in every process.
"""

from __future__ import annotations

from gossamer import _convert, _core, _life

_life.join()  # in processes of a job but process 0 nothing after this line runs

from gossamer._array import Array, array, zeros
from gossamer._compiled import map_reduce
from gossamer._explain import Explanation, explain
from gossamer._graph import Graph, kron, read, uniform
from gossamer._group import Grouped, Grouping, group
from gossamer._networkx_calls import NetworkXCalls, NetworkXReport, networkx_report
from gossamer._report import report
from gossamer._sort import sort
from gossamer._tables import HashMap, HashSet
from gossamer._tree import TreeSize, uts
from gossamer._words import WordCounts, wordcount

JobError = _core.JobError
JobError.__module__ = __name__
__version__: str = _core.version
__all__ = ["Array", "Explanation", "Graph", "Grouped", "Grouping", "HashMap", "HashSet", "JobError", "NetworkXCalls", "NetworkXReport", "TreeSize", "WordCounts", "array", "explain", "group", "kron",
           "map_reduce", "networkx_report", "read", "report", "set_cores", "sort", "uniform", "uts", "wordcount", "zeros"]


def set_cores(cores: int | None = None) -> None:
    """Choose how many cores compute, before the first use.

    Parameters
    ----------
    cores : int, optional
        Number of threads. Default: what ``GOSSAMER_CORES`` says, else one per processor that this process may use.

    Raises
    ------
    JobError
        Where the cores have been started already; so they have where there are several processes.
    """
    _core.set_cores(0 if cores is None else _convert.whole(cores, "cores", 1, 2**32 - 1))
