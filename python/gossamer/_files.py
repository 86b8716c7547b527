"""Whether a file can be read, said as Python says it, before the library opens it."""

from __future__ import annotations

import errno
import os
import stat

from gossamer import _life


def name_for_library(path: str) -> bytes:
    """Return a name as the library has it. Of several processes each opens the file: a name that all understand, and no pipe."""
    if not _life.of_several():
        return os.fsencode(path)
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ValueError(f"{path}: expected a file that every process can read by itself, found a pipe or a device")
    return os.fsencode(os.path.abspath(path))  # this process may have changed its folder


def check_readable(path: str) -> None:
    """Raise what `open` would raise. Opens nothing: a pipe is read once only."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
