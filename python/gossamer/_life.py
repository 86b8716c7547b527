"""The beginning and the end of the cores: nothing at import in one process, an orderly end before the interpreter's own.

Where a launcher has started several processes, the import is where they meet: process 0 goes on when all have come, the others
work for it, and their interpreters end when its job has ended.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import pathlib
import signal
import sys
import threading

from gossamer import _core

_watched = False
_several = False


def join() -> None:
    """Join the other processes of the job, where there are any. Returns in one process, and in process 0 of several."""
    global _several
    if not _core.of_several() or _becomes_program():
        return
    workers = sys.modules.get("multiprocessing")
    if workers is not None and workers.parent_process() is not None:  # a worker that inherits the variables of a process of the job, which it is not
        os.environ["GOSSAMER_TRANSPORT"] = "none"
        return
    begin()
    if threading.current_thread() is not threading.main_thread():
        raise _core.JobError("the processes of a job meet where gossamer is imported first: import it in the main thread")
    is_pythons = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_pythons:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's handler would run after the import
    try:
        if not _core.join():
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # process 0 decides; the launcher, where that does not answer
            _core.serve()
    finally:
        if is_pythons:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    _several = True
    os.environ["GOSSAMER_TRANSPORT"] = "none"  # programs that this one starts are no processes of the job


def _becomes_program() -> bool:
    """Return whether this interpreter only starts the program: by `python -m gossamer`, or by the command that pip installs."""
    if sys.argv[:1] == ["-m"]:  # while the package of a module is imported
        return ("-m", "gossamer") in itertools.pairwise(sys.orig_argv)
    if not sys.argv or pathlib.Path(sys.argv[0]).name != "gossamer":
        return False
    try:
        return b"gossamer.__main__" in pathlib.Path(sys.argv[0]).read_bytes()
    except OSError:
        return False


def of_several() -> bool:
    """Return whether other processes work for this one."""
    return _several


def begin() -> None:
    """Note that the cores will be needed: they end before the interpreter does, and a forked child is told that it has none."""
    global _watched
    if not _watched:
        _watched = True
        atexit.register(_end)
        os.register_at_fork(after_in_child=_after_fork)


def _end() -> None:
    """End the cores, and block the calls of daemon threads. What was printed leaves first: a launcher may end this process when another one has ended."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # Python itself tells of it later; the cores end in any case
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
    interrupted = issubclass(getattr(sys, "last_type", None) or object, KeyboardInterrupt)  # the interpreter dies of it, without exit()
    _core.leave(threading.active_count() > 1, 128 + signal.SIGINT if interrupted else None)


def _after_fork() -> None:
    _core.forked()
