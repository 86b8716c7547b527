"""How often each word of files occurs."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gossamer import _arrow, _core, _life
from gossamer._convert import is_undecoded
from gossamer._files import check_readable, name_for_library

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


class WordCounts(Mapping):
    """Words and how often each occurs, the most frequent first: a mapping, as `collections.Counter` is."""

    def __init__(self, counts: _core.WordCounts, call: str, files: int) -> None:
        self._counts, self._call, self._files = counts, call, files
        self._all: dict[str, int] | None = None

    def _dict(self) -> dict[str, int]:
        if self._all is None:
            self._all = dict(self._counts.items(0, len(self._counts)))
        return self._all

    @property
    def stats(self) -> dict[str, Any]:
        """What was run (``call``), on how many files, how many distinct words there are, and how long counting took."""
        return {"call": self._call, "files": self._files, "distinct": len(self), "seconds": self._counts.seconds}

    def top(self, k: int = 10) -> list[tuple[str, int]]:
        """Return the k most frequent words with their counts; equally frequent ones in the order of their bytes."""
        return self._counts.items(0, max(0, k))

    def __getitem__(self, word: str) -> int:
        return self._dict()[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._dict())

    def __len__(self) -> int:
        return len(self._counts)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas data frame, the words as its index. Needs pandas."""
        import pandas as pd

        words = list(self._dict())
        kind = object if any(map(is_undecoded, words)) else None  # pandas' own texts are UTF-8
        return pd.DataFrame({"count": list(self._dict().values())}, index=pd.Index(words, name="word", dtype=kind))

    def plot(self, k: int = 20, *, ax: Axes | None = None) -> Axes:
        """Draw the k most frequent words as bars, the first on top. Needs matplotlib.

        Parameters
        ----------
        k : int
            How many at most.
        ax : matplotlib.axes.Axes, optional
            Where to draw. Default: axes of a new figure. No window is shown.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            Where matplotlib is not installed.
        """
        from gossamer import _plot

        rows = self.top(k)
        return _plot.bars([word for word, _ in rows], [n for _, n in rows], name="word", label="count (occurrences)", ax=ax)

    def table(self) -> _arrow.Stream:
        """Return the words and counts as a table: ``polars.DataFrame(counts.table())``. Polars takes a mapping for columns by name."""
        return _arrow.Stream(self._counts.arrow_stream)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the columns ``word`` and ``count`` as an Arrow stream, copied: ``pyarrow.table(counts)``, DuckDB.

        Raises
        ------
        ValueError
            For a word that is no UTF-8: Arrow has no such texts.
        """
        return self._counts.arrow_stream()

    def __repr__(self) -> str:
        some = ", ".join(f"{word!r}: {count}" for word, count in self.top(3))
        return f"<gossamer.WordCounts: {len(self):,} words, {{{some}{', ...' if len(self) > 3 else ''}}}>"

    def _repr_html_(self) -> str:
        from gossamer._result import table

        return table(("word", "count"), self.top(10), f"{min(10, len(self))} of {len(self):,} words")


def wordcount(files: str | bytes | os.PathLike[str] | Iterable[str | bytes | os.PathLike[str]], *, unit: str = "words",
              fold: bool = False) -> WordCounts:
    """Count the words of files.

    Parameters
    ----------
    files : path, or several
        Text, plain or compressed (gzip, zstd, bzip2, xz). A name may have the wildcards of `glob`.
    unit : {"words", "letters", "lines"}
        Runs of anything but blanks, runs of letters, or whole lines.
    fold : bool
        Take A to Z for a to z.

    Returns
    -------
    WordCounts
        Bytes that are no UTF-8 are kept as Python's ``surrogateescape`` does.

    Raises
    ------
    FileNotFoundError
        For a file that is not there, and wildcards that match none.
    """
    if unit not in ("words", "letters", "lines"):
        raise ValueError(f"unit: expected words, letters or lines, found {unit!r}")
    names = [files] if isinstance(files, (str, bytes, os.PathLike)) else list(files)
    paths: list[str] = []
    for each in names:
        name = os.fsdecode(each)
        found = sorted(glob.glob(name)) if glob.has_magic(name) and not os.path.exists(name) else [name]
        if not found:
            raise FileNotFoundError(f"no file matches {name!r}")
        paths += found
    for path in paths:
        check_readable(path)
    if not paths:
        raise ValueError("files: expected at least one, found none")
    _life.begin()
    from gossamer._result import call

    counted = _core.count_words([name_for_library(path) for path in paths], unit, bool(fold))
    return WordCounts(counted, call("wordcount", unit=unit, fold=fold), len(paths))
