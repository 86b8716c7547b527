"""What the library and NetworkX take on this machine, measured once, and from what size on a graph is converted for a question.

The measuring takes a fraction of a second. It is done when a decision needs it, and kept in the user's cache folder for later starts.
"""

from __future__ import annotations

import functools
import json
import math
import os
import pathlib
import platform
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import networkx as nx

from gossamer import _core, _life
from gossamer_networkx.table import EVERY_PAIR, LINEAR, REPEATED, SEARCHES


class Costs(NamedTuple):
    """Seconds."""

    first: float  # a question of the library about a tiny graph, while its cores sleep
    question: float  # the same, soon after another one
    vertex: float  # a vertex of a search of the library
    conversion: float  # a node or an edge that is converted
    neighbour: float  # a neighbour at which NetworkX looks


ASSUMED = Costs(first=2.2e-3, question=1e-4, vertex=6.25e-9, conversion=1.5e-7, neighbour=1e-7)  # until they are measured

# From how many nodes and edges on a graph is never too small, and below how many always, whatever was measured.
LIMITS = {LINEAR: (5_000, 1_000_000), REPEATED: (500, 100_000), SEARCHES: (2_000, 400_000), EVERY_PAIR: (100, 10_000)}
PASSES = 10  # of an answer that takes many
OUT_OF_TWICE = 2  # one pass may take twice what NetworkX takes with the conversion: the next ones have it
NODES = 4  # nodes and edges, together, are so many for each node


def from_size(kind: str, costs: Costs) -> int:
    """Return from how many nodes and edges on a conversion pays for a question of a kind that has limits."""
    least, most = LIMITS[kind]
    return min(max(math.ceil(_break_even(kind, costs)), least), most)


def _break_even(kind: str, costs: Costs) -> float:
    """Return the size at which the library with the conversion takes as long as NetworkX, at most the largest limit."""
    most = LIMITS[kind][1]
    if kind == EVERY_PAIR:  # NetworkX: size / NODES searches of `size` neighbours
        half = (costs.conversion + costs.vertex) * NODES / costs.neighbour / 2
        return half + math.sqrt(half * half + NODES * costs.first / costs.neighbour)
    if kind == SEARCHES:  # likewise; the library: as many questions, and between them time enough for cores to sleep
        return (NODES * costs.conversion + costs.first) / costs.neighbour
    passes = PASSES if kind == REPEATED else OUT_OF_TWICE
    gain = passes * costs.neighbour - costs.conversion - costs.vertex
    return min(costs.first / gain, most) if gain > 0 else most


_lock = threading.Lock()
_found: list[Costs] = []


def known() -> Costs:
    """Return what was measured, or what is assumed where that has not been done."""
    return _found[0] if _found else _kept() or ASSUMED


def measured() -> Costs:
    """Return what this machine takes. Measures it where no start has done so before."""
    with _lock:
        if not _found:
            _found.append(_kept() or _keep(measure()))
        return _found[0]


def measure() -> Costs:
    """Measure. The least time of some counts, as other programs only make them longer."""
    from gossamer.networkx_backend.dispatch import convert_from_nx

    _life.begin()
    nodes, reach = 2_000, 3
    plain = nx.Graph([(v, (v + step) % nodes) for v in range(nodes) for step in range(1, reach + 1)])
    tiny, large = convert_from_nx(nx.Graph([(0, 1)])), convert_from_nx(plain)

    def ask(graph: Any) -> Any:
        return graph._library.ask("components", {})

    def ask_sleeping() -> float:
        time.sleep(3e-3)
        return _least(lambda: ask(tiny), 1)

    search = nx.single_source_shortest_path_length.orig_func
    assert search is not None  # NetworkX's own
    question = _least(lambda: ask(tiny), 9)
    return Costs(first=sorted(ask_sleeping() for _ in range(5))[2], question=question,
                 vertex=max(_least(lambda: ask(large), 5) - question, 0) / nodes,
                 conversion=_least(lambda: convert_from_nx(plain), 3) / (nodes + reach * nodes),
                 neighbour=_least(lambda: search(plain, 0), 3) / (2 * reach * nodes))


def _least(call: Callable[[], Any], times: int) -> float:
    least = math.inf
    for _ in range(times):
        begin = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - begin)
    return least


# What is kept between two starts.


def _file() -> pathlib.Path:
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "gossamer" / "networkx-costs.json"


def _for_what() -> list[str]:
    """Return what the costs depend on: other ones are measured anew."""
    return [platform.node(), platform.python_version(), nx.__version__, _core.version, str(os.cpu_count()), str(_life.of_several())]


@functools.cache
def _kept() -> Costs | None:
    try:
        kept = json.loads(_file().read_text())
        costs = Costs(*map(float, kept["seconds"]))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):
        return None
    return costs if kept.get("for") == _for_what() and all(0 <= each < 1 for each in costs) and costs.neighbour > 0 else None


def _keep(costs: Costs) -> Costs:
    """Write the costs for later starts; a folder that cannot be written is none of the caller's business."""
    try:
        place = _file()
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=place.parent, delete=False) as file:
            json.dump({"for": _for_what(), "seconds": costs}, file)
        pathlib.Path(file.name).replace(place)
    except (OSError, RuntimeError):
        pass
    return costs
