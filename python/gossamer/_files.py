"""What the library says of files, in the words of Python: errors before it opens them, and parameters for options of the program."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Iterator

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


def check_writable(path: str) -> None:
    """Raise what `open` would raise for a file to write: a folder, or one in a folder that is not there."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not os.path.isdir(os.path.dirname(path) or os.curdir):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def check_separator(separator: str | None) -> None:
    """Raise ValueError for what separates no columns. None: as the file looks."""
    if separator is not None and (len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0'):
        raise ValueError(f"separator: expected one ASCII character that is no quote, line end or zero byte, found {separator!r}")


_FLAGS = {"directed": "directed=True", "undirected": "directed=False", "labels": "labels=True", "no-labels": "labels=False",
          "header": "header=True", "no-header": "header=False", "no-comments": "comments=False", "no-quotes": "quotes=False",
          "skip-bad": "skip_bad=True"}
_SEPARATORS = {"tab": r"\t", "space": " ", "comma": ",", "semicolon": ";", "bar": "|"}


def as_parameters(text: str) -> str:
    """Return a message of the library, which names options of the program, as one that names parameters."""
    text = re.sub(r"--columns (\w+),(\w+)", r"columns=[\1, \2]", text)
    text = re.sub(r"--null (\S+) (?=takes|leaves)", r'null=["\1"] ', text)
    text = re.sub(r"--separator (\S+) (?=has)", lambda found: f'separator="{_SEPARATORS.get(found[1], found[1])}" ', text)
    return re.sub(r"--([a-z][a-z-]*)", lambda found: _FLAGS.get(found[1], found[1]), text)


@contextlib.contextmanager
def errors_name_parameters() -> Iterator[None]:
    """Raise the library's errors in the words of Python."""
    try:
        yield
    except ValueError as problem:
        said = as_parameters(str(problem))
        if type(problem) is not ValueError or said == str(problem):
            raise
        raise ValueError(said) from None
