"""Where the time of calls went, in words and numbers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from gossamer import _core, _life


class Explanation:
    """Where the time went. Printed, it is a line for each finding and one for what to do about it.

    Attributes
    ----------
    seconds : float
        From the beginning to the end.
    cores : int
        Cores of the job.
    core_time : dict
        Shares of the time on all cores: ``working``, ``for_the_busiest`` (idle while the busiest core worked longer), ``without_work`` (idle
        for longer than that) and ``no_processor`` (with something to do, and not running). Together 1.
    phases : list of dict
        ``name``, ``seconds`` and ``core_time`` of ``calls`` and of the time ``between calls``, in which Python computes.
    findings : list of dict
        ``text``, ``advice``, ``key``, ``phase``, ``share``, ``share_of``, ``core_time`` and ``numbers``, the most core time first.
    """

    seconds: float
    cores: int
    core_time: dict[str, float]
    phases: list[dict[str, Any]]
    findings: list[dict[str, Any]]

    def __init__(self) -> None:
        self._set({"seconds": 0.0, "cores": 0, "core_time": {}, "phases": [], "findings": []})

    def _set(self, found: dict[str, Any]) -> None:
        vars(self).update(found)

    def __str__(self) -> str:
        return "\n".join(f"{each['text']}\n  {each['advice']}" for each in self.findings)

    def __repr__(self) -> str:
        return f"<Explanation of {self.seconds:.3g} s on {self.cores} cores: {len(self.findings)} findings>"


@contextlib.contextmanager
def explain() -> Iterator[Explanation]:
    """Say where the time goes in a block of calls: which core the others wait for, what Python takes between calls, and what to do.

    Returns
    -------
    Explanation
        Filled in where the block ends.

    Raises
    ------
    RuntimeError
        Inside the block of another one.

    Examples
    --------
    >>> import gossamer as gs
    >>> g = gs.kron(10)
    >>> with gs.explain() as why:
    ...     ranks = g.pagerank()
    >>> [phase["name"] for phase in why.phases]
    ['between calls', 'calls']
    """
    found = Explanation()
    _life.begin()
    recording = _core.Recording()
    try:
        yield found
    finally:
        found._set(recording.end())
