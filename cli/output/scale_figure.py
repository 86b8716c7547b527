"""Draws what `gossamer scale` measured: python3 -c SCRIPT svg|png|pdf TITLE ROWS... >figure

ROWS is a JSON array of the rows that `gossamer scale --json` prints. Exit code 3: there is no matplotlib.
"""
import json
import re
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator
except ImportError:
    sys.exit(3)

kind, title, rows = sys.argv[1], sys.argv[2], json.loads("".join(sys.argv[3:]))
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": title, "font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
                     "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
if "text.parse_math" in plt.rcParams:  # from matplotlib 3.6; a name of a file may have a $
    plt.rcParams["text.parse_math"] = False
COLOUR, GREY = "#c0392b", "#888888"
MIB = 1 << 20


def short(x, _=None):
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(x) >= size:
            return f"{x / size:g} {unit}"
    return f"{x:g}"


def seconds(x, _=None):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if x >= size:
            return f"{x / size:g} {unit}"
    return f"{x * 1e9:g} ns"


def panel(axes, name, value, scale="log", form=short, ideal=None):
    points = [(r["processes"], value(r)) for r in rows]
    points = [(x, y) for x, y in points if y is not None and (y > 0 or scale == "linear")]
    scale = scale if points else "linear"
    if ideal is not None and points:
        axes.plot([x for x, _ in points], [ideal(points[0], x) for x, _ in points], "--", color=GREY, linewidth=1,
                  label="ideal")
    axes.plot([x for x, _ in points], [y for _, y in points], "-o", color=COLOUR, markersize=4)
    axes.set(title=name, xscale="log", yscale=scale)
    ticks = [r["processes"] for r in rows]
    axes.xaxis.set_major_locator(FixedLocator(ticks if len(ticks) <= 10 else ticks[::2]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.yaxis.set_major_formatter(FuncFormatter(form))
    if scale == "linear":
        axes.set_ylim(0, 1.08 * max([y for _, y in points], default=1))
    else:
        narrow = max(y for _, y in points) < 30 * min(y for _, y in points)
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if narrow else (1,), numticks=20))
        axes.yaxis.set_minor_formatter(NullFormatter())
    if ideal is not None:
        axes.legend(fontsize=8)


def get(name, factor=1):
    return lambda r: None if r[name] is None else r[name] * factor


figure, all_axes = plt.subplots(2, 3, figsize=(10, 5.6), constrained_layout=True)
a = all_axes.flat
weak = rows[0]["weak"]
panel(a[0], "time", get("seconds"), form=seconds, ideal=lambda p, x: p[1] if weak else p[1] * p[0] / x)
panel(a[1], "efficiency, %", get("efficiency", 100), "linear")
panel(a[2], "messages", get("messages"))
panel(a[3], "bytes over the network", get("network_bytes"))
panel(a[4], "fill of packets between processes, %", get("fill_percent"), "linear")
panel(a[5], "memory per core simulated, MiB", get("memory_per_core_bytes", 1 / MIB), "linear")
for axes in all_axes[1]:
    axes.set_xlabel("processes")
figure.suptitle(title, fontsize=10)

if kind == "svg":
    import io
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    sys.stdout.buffer.write(re.sub(r"[ \t]+$", "", out.getvalue(), flags=re.M).encode())
else:
    figure.savefig(sys.stdout.buffer, format=kind, dpi=150)
