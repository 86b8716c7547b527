"""Which calls of NetworkX the backend answered, and why NetworkX answered the others: `gossamer.networkx_report()`.

Imports nothing of NetworkX. The backend (networkx_backend) notes each call here.
"""

from __future__ import annotations

import functools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

_MOST_REASONS = 8  # kept for a function; the others are counted together
_OTHER = "other reasons"


class NetworkXCalls(NamedTuple):
    """The calls of one function.

    Attributes
    ----------
    function : str
        Name of the function of NetworkX.
    answered_by : str
        "gossamer" or "networkx".
    calls : int
        How many there were.
    seconds : float or None
        Of all of them together, in the backend; of a generator, until it was returned. None where NetworkX answered, or raised.
    conversions : int
        How many graphs were converted for them.
    conversion_seconds : float
        Of those conversions together; none of `seconds`.
    reason : str
        Why NetworkX answered.
    """

    function: str
    answered_by: str
    calls: int
    seconds: float | None
    conversions: int
    conversion_seconds: float
    reason: str


class NetworkXReport(tuple[NetworkXCalls, ...]):
    """The calls of all functions, by name; those that the backend answered first. A tuple of `NetworkXCalls` that prints as a table."""

    _TITLES = ("function", "answered by", "calls", "seconds", "conversions", "their seconds", "why not by gossamer")

    def _cells(self) -> Iterator[tuple[str, ...]]:
        for row in self:
            converted = row.conversions > 0
            yield (row.function, row.answered_by, f"{row.calls:,}", "" if row.seconds is None else f"{row.seconds:.3g}",
                   f"{row.conversions:,}" if converted else "", f"{row.conversion_seconds:.3g}" if converted else "", row.reason)

    def __repr__(self) -> str:
        rows = [self._TITLES, *self._cells()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self._TITLES))]
        right = (False, False, True, True, True, True, False)
        lines = ("  ".join(cell.rjust(width) if is_right else cell.ljust(width)
                           for cell, width, is_right in zip(row, widths, right)).rstrip() for row in rows)
        return "\n".join(lines) if len(rows) > 1 else "no call of NetworkX has asked the backend"

    def _repr_html_(self) -> str:
        from gossamer._result import table

        return table(self._TITLES, list(self._cells()), "Calls of NetworkX") if self else f"<p>{self!r}</p>"


class _Function:
    """What is noted of a function."""

    def __init__(self) -> None:
        self.calls = self.conversions = 0
        self.seconds = self.conversion_seconds = 0.0
        self.reasons: Counter[str] = Counter()


_guard = threading.Lock()  # of _functions and of what it holds
_functions: dict[str, _Function] = {}


def note_reason(name: str, reason: str) -> None:
    """Count a call that NetworkX answers."""
    with _guard:
        reasons = _functions.setdefault(name, _Function()).reasons
        reasons[reason if reason in reasons or len(reasons) < _MOST_REASONS else _OTHER] += 1


def note_conversion(name: str, seconds: float) -> None:
    """Count a conversion that a call has made."""
    with _guard:
        one = _functions.setdefault(name, _Function())
        one.conversions += 1
        one.conversion_seconds += seconds


@functools.cache  # NetworkX asks for the function at each call
def noted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, which counts its calls from now on."""

    @functools.wraps(function)
    def count_call(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        try:
            answer = function(*args, **kwargs)
        except NotImplementedError as why:
            note_reason(name, str(why) or "left to NetworkX")
            raise
        took = time.perf_counter() - start
        with _guard:
            one = _functions.setdefault(name, _Function())
            one.calls += 1
            one.seconds += took
        return answer

    return count_call


def networkx_report(*, clear: bool = False) -> NetworkXReport:
    """Tell which calls of NetworkX the backend answered, how often, in what time, and why NetworkX answered the others.

    Counts the calls of this process that NetworkX offered to the backend, since the start or since it was cleared. A call that raised an
    error of its own is in no row.

    Parameters
    ----------
    clear : bool, optional
        Whether to forget them afterwards.

    Returns
    -------
    NetworkXReport
        A row for each function and each reason; prints as a table, and as one of HTML in a notebook.

    Examples
    --------
    >>> nx.config.backend_priority = ["gossamer"]                                    # doctest: +SKIP
    >>> nx.pagerank(g); gs.networkx_report()                                         # doctest: +SKIP
    function  answered by  calls  seconds  conversions  their seconds  why not by gossamer
    pagerank  gossamer         1    0.012            1          0.094
    """
    with _guard:
        rows = [NetworkXCalls(name, "gossamer", one.calls, one.seconds, one.conversions, one.conversion_seconds, "")
                for name, one in sorted(_functions.items()) if one.calls or one.conversions]
        rows += [NetworkXCalls(name, "networkx", calls, None, 0, 0.0, reason)
                 for name, one in sorted(_functions.items()) for reason, calls in sorted(one.reasons.items())]
        if clear:
            _functions.clear()
    return NetworkXReport(rows)
