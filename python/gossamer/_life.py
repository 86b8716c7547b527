"""The beginning and the end of the cores: nothing at import, an orderly end before the interpreter's own."""

from __future__ import annotations

import atexit
import os

from gossamer import _core

_watched = False


def begin() -> None:
    """Note that the cores will be needed: they end before the interpreter does, and a forked child is told that it has none."""
    global _watched
    if not _watched:
        _watched = True
        atexit.register(_core.stop)
        os.register_at_fork(after_in_child=_after_fork)


def _after_fork() -> None:
    if _core.started():
        _core.forked()
