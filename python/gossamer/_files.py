"""Whether a file can be read, said as Python says it, before the library opens it."""

from __future__ import annotations

import errno
import os
import stat


def check_readable(path: str) -> None:
    """Raise what `open` would raise. Opens nothing: a pipe is read once only."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
