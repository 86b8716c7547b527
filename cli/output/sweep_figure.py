"""Draws what `gossamer sweep` measured: python3 -c SCRIPT svg|png|pdf TITLE ROWS... >figure

ROWS is a JSON array of the rows that `gossamer sweep --json` prints. One setting is a curve with its spread; of two, the first with more
values is the axis and the other one has a curve each. Exit code 3: there is no matplotlib.
"""
import io
import json
import re
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
except ImportError:
    sys.exit(3)

kind, title, rows = sys.argv[1], sys.argv[2], json.loads("".join(sys.argv[3:]))
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": title, "font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
                     "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
if "text.parse_math" in plt.rcParams:  # from matplotlib 3.6; a name of a file may have a $
    plt.rcParams["text.parse_math"] = False
names = list(rows[0]["settings"])
values = {name: list(dict.fromkeys(row["settings"][name] for row in rows)) for name in names}
axis = max(names, key=lambda name: len(values[name]))
others = [name for name in names if name != axis]
by_rate = any(row.get("rate") is not None for row in rows)
measure = "rate" if by_rate else "seconds"


def is_number(text):
    return re.fullmatch(r"\d+", text) is not None


numeric = all(is_number(value) for value in values[axis])
places = {value: (max(int(value), 0.5) if numeric else place) for place, value in enumerate(values[axis])}
curves = {}
for row in rows:
    if row["failed"] is None:
        label = ", ".join(f"{name} {row['settings'][name]}" for name in others)
        curves.setdefault(label, []).append((places[row["settings"][axis]], row[measure], row[f"least_{measure}"], row[f"most_{measure}"]))

figure, axes = plt.subplots(figsize=(6.4, 4.2), constrained_layout=True)
for label, points in curves.items():
    points.sort()
    x, y = [p[0] for p in points], [p[1] for p in points]
    errors = [[p[1] - p[2] for p in points], [p[3] - p[1] for p in points]]
    axes.errorbar(x, y, yerr=errors, fmt="-o", markersize=4, linewidth=1.2, capsize=2, label=label or None)
failed = [places[row["settings"][axis]] for row in rows if row["failed"] is not None]
if failed:
    axes.plot(failed, [0] * len(failed), "x", color="#c0392b", label="failed")
if numeric and len(places) > 1:
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
ticks = list(places.values())
axes.xaxis.set_major_locator(FixedLocator(ticks if len(ticks) <= 12 else ticks[::2]))
text = {place: value for value, place in places.items()}
axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: text.get(min(text, key=lambda place: abs(place - x)), "")))
axes.set(xlabel=axis, ylabel=rows[0]["unit"] if by_rate else "seconds", title=title)
axes.set_ylim(bottom=0)
if failed or len(curves) > 1:
    axes.legend(fontsize=8)

if kind == "svg":
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    sys.stdout.buffer.write(re.sub(r"[ \t]+$", "", out.getvalue(), flags=re.M).encode())
else:
    figure.savefig(sys.stdout.buffer, format=kind, dpi=150)
