"""Pictures of results, by matplotlib, where it is installed. Each function draws into axes and returns them; none shows a window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes

_POINTS = 2_000  # of a curve; more ranks than that are drawn at even distances of the logarithm


def _axes(ax: Axes | None) -> Axes:
    """Return the axes to draw into: those given, else new ones."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plots need matplotlib: pip install matplotlib") from None
    return plt.subplots()[1] if ax is None else ax


def counts(of: Iterable[int], how_many: Iterable[int], *, of_label: str, label: str, ax: Axes | None) -> Axes:
    """Draw how often each value occurs, both axes logarithmic. The label of the axis counts what is 0 and has no place there."""
    ax = _axes(ax)
    pairs = sorted(zip(of, how_many))
    zeros = sum(n for value, n in pairs if value <= 0)
    shown = [(value, n) for value, n in pairs if value > 0]
    ax.plot([value for value, _ in shown], [n for _, n in shown], ".")
    return _named(ax, of_label + (f" ({zeros:,} of 0 left out)" if zeros else ""), label, logarithmic=bool(len(shown)))


def ranks(values: np.ndarray, *, label: str, ax: Axes | None) -> Axes:
    """Draw values by rank, the largest first, both axes logarithmic. The label of the axis counts what is not above 0."""
    import numpy as np

    ax = _axes(ax)
    shown = -np.sort(-values[values > 0])
    left_out = len(values) - len(shown)
    rank = np.arange(1, len(shown) + 1)
    if len(rank) > _POINTS:
        rank = np.unique(np.geomspace(1, len(shown), _POINTS).round().astype(np.int64))
    ax.plot(rank, shown[rank - 1], ".-")
    return _named(ax, "rank of the vertex" + (f" ({left_out:,} not above 0 left out)" if left_out else ""), label, logarithmic=bool(len(shown)))


def levels(vertices: Sequence[int], *, ax: Axes | None) -> Axes:
    """Draw the number of vertices of each level as bars."""
    ax = _axes(ax)
    from matplotlib.ticker import MaxNLocator

    ax.bar(range(len(vertices)), vertices)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return _named(ax, "level (edges from the source)", "vertices")


def bars(names: Sequence[Any], values: Sequence[Any], *, name: str, label: str, ax: Axes | None) -> Axes:
    """Draw values as bars, the first on top. Names are texts as they are: a dollar begins no formula."""
    ax = _axes(ax)
    ax.barh(range(len(names)), values)
    ax.set_yticks(range(len(names)), [_text(each) for each in names], parse_math=False)
    ax.invert_yaxis()
    return _named(ax, label, name)


def _text(name: Any) -> str:
    """Return a name as fonts have it: bytes that are no UTF-8, and controls, as escapes."""
    text = str(name).encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _named(ax: Axes, x: str, y: str, logarithmic: bool = False) -> Axes:
    ax.set_xlabel(x, parse_math=False)
    ax.set_ylabel(y, parse_math=False)
    if logarithmic:  # with nothing drawn such axes would warn
        ax.set_xscale("log")
        ax.set_yscale("log")
    return ax
