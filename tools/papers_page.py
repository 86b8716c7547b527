"""Pages of the papers' figures: each figure drawn from recorded rows beside the paper's numbers, as HTML that needs nothing else."""

import html
import io
import re

import papers_scenario as scenario

COLOURS = ["#c0392b", "#2c6fbb", "#2e8b57", "#8e5ea2", "#b8860b", "#17a2b8", "#4d4d4d", "#e67e22", "#7f8c8d", "#d35f9e"]
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1, h2, h3 { line-height: 1.2; } section { border-top: 1px solid #ddd; margin-top: 2rem; padding-top: .5rem; }
table { border-collapse: collapse; margin: .6rem 0; font-size: 13px; } th, td { padding: .2rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #e4e4e4; }
th { background: #f6f6f6; } td.text, th.text { text-align: left; white-space: normal; } svg { max-width: 100%; height: auto; }
small, .source { color: #666; } .quick { background: #fff3cd; padding: 0 .3rem; } .failed { color: #b71c1c; } .agrees { color: #1b5e20; font-weight: 600; }
.differs { color: #8a4b00; font-weight: 600; } details { margin: .5rem 0; } nav { columns: 2; } nav a { display: block; } code { font-size: 12px; }
"""


# --- what is drawn ------------------------------------------------------------------------------------


class Data:
    """The points of a figure. A series is drawn from full runs where there are any, else from earlier recordings, else from quick runs."""

    def __init__(self, rows, recorded):
        self.series, self.rows, self.quick = {}, [], set()
        usable = [row for row in rows if not row["failed"]]
        levels = ([r for r in usable if not r["quick"]], recorded, [r for r in usable if r["quick"]])
        for level in levels:
            fresh = {}
            for row in level:
                new = [p for p in row["values"] if p[0] not in self.series]
                if new:
                    self.rows.append(row)
                for name, x, y, low, high in new:
                    fresh.setdefault(name, {})[x] = (x, y, low, high)
            if level is levels[-1]:
                self.quick = set(fresh)
            for name, points in fresh.items():
                self.series[name] = sorted(points.values(), key=lambda p: p[0]) if all(
                    isinstance(x, (int, float)) for x in points) else list(points.values())
        self.failed = [row for row in rows if row["failed"]]

    def names(self):
        """What an expression of `ours` may call."""
        def at(name, x):
            return next(p[1] for p in self.series[name] if p[0] == x)

        def near(name, x):
            """At the largest x that is no larger."""
            return max((p for p in self.series[name] if p[0] <= x), key=lambda p: p[0])[1]

        def of_best(name, which):
            return max(self.series[name], key=lambda p: p[1])[which]

        return {"at": at, "near": near, "best_x": lambda name: of_best(name, 0), "most": lambda name: of_best(name, 1),
                "least": lambda name: min(p[1] for p in self.series[name]), "first": lambda name: self.series[name][0][1],
                "last": lambda name: self.series[name][-1][1]}

    def value(self, expression):
        try:
            return scenario.value_of(expression, self.names())
        except (scenario.Problem, StopIteration):
            return None

    def of_panel(self, panel):
        chosen = {name: points for name, points in self.series.items() if scenario.is_drawn(name, panel.get("draw", ["*"]))}
        if panel["y"].get("relative"):  # speed-up: the first point is taken to be as many times as fast as its x says
            chosen = {name: [(x, points[0][1] / y * points[0][0], points[0][1] / high * points[0][0], points[0][1] / low * points[0][0])
                             for x, y, low, high in points if min(y, low, high) > 0] for name, points in chosen.items()}
        mixed = not self.quick.issuperset(self.series)  # beside full sizes, small ones are named
        return {f"{name} (quick)" if mixed and name in self.quick else name: points for name, points in chosen.items()}

    def rows_of(self, figure):
        """The rows that have a point of what the figure draws."""
        return [row for row in self.rows if any(scenario.is_drawn(p[0], panel.get("draw", ["*"])) for p in row["values"] for panel in figure.panels)]


def number(x):
    if isinstance(x, str) or x is None:
        return "–" if x is None else x
    if isinstance(x, int) or float(x).is_integer():
        return f"{x:,.0f}"
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.3g}"


# --- figures ------------------------------------------------------------------------------------------


def ready_plot(salt):
    """matplotlib's plotting, or None where there is none."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        return None
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": salt, "font.size": 9, "axes.grid": True, "grid.alpha": 0.3,
                         "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
    return plt


def drawn_lines(axes, series, panel):
    numeric = all(isinstance(p[0], (int, float)) for points in series.values() for p in points)
    places = {x: i for i, x in enumerate(dict.fromkeys(p[0] for points in series.values() for p in points))}
    for colour, (name, points) in zip(COLOURS * 9, series.items()):
        x = [p[0] if numeric else places[p[0]] for p in points]
        errors = [[max(0, p[1] - p[2]) for p in points], [max(0, p[3] - p[1]) for p in points]]
        axes.errorbar(x, [p[1] for p in points], yerr=errors, fmt="-o", markersize=3.5, linewidth=1.2, capsize=2, color=colour, label=name)
    for axis, key in ((axes.xaxis, "x"), (axes.yaxis, "y")):
        if panel[key].get("scale") == "log":
            (axes.set_xscale if key == "x" else axes.set_yscale)("log")
    if not numeric:
        axes.set_xticks(list(places.values()), list(places))
    else:
        ticks = sorted({p[0] for points in series.values() for p in points})
        if panel["x"].get("scale") == "log" and 0 < len(ticks) <= 12 and min(ticks) > 0:
            axes.set_xticks(ticks, [number(t) for t in ticks], fontsize=7)
            axes.minorticks_off()
    if panel["y"].get("relative"):
        ends = sorted({p[0] for points in series.values() for p in points})
        axes.plot(ends, ends, ":", color="#999999", linewidth=1)


def drawn_bars(axes, series, stacked):
    labels = list(dict.fromkeys(str(p[0]) for points in series.values() for p in points))
    below, width = dict.fromkeys(labels, 0), 0.6 if stacked else 0.8 / max(1, len(series))
    for i, (colour, (name, points)) in enumerate(zip(COLOURS * 9, series.items())):
        for p in points:
            label = str(p[0])
            place = labels.index(label) + (0 if stacked else (i - (len(series) - 1) / 2) * width)
            axes.bar(place, p[1], width, bottom=below[label] if stacked else 0, color=colour, label=name if p is points[0] else None,
                     yerr=None if stacked else [[max(0, p[1] - p[2])], [max(0, p[3] - p[1])]])
            below[label] += p[1] if stacked else 0
    axes.set_xticks(range(len(labels)), labels, rotation=20 if max(map(len, labels), default=0) > 12 else 0, fontsize=7)


def drawn_boxes(axes, series):
    """Boxes side by side for each x. A series has the ends of the whiskers as its spread, and "NAME, quartiles" the ends of the box."""
    def quartiles_of(name):
        base = name.removesuffix(" (quick)")
        return series.get(f"{base}, quartiles{name[len(base):]}")

    boxes = {name: points for name, points in series.items() if ", quartiles" not in name and quartiles_of(name)}
    labels = list(dict.fromkeys(p[0] for points in boxes.values() for p in points))
    width = 0.8 / max(1, len(boxes))
    for i, (colour, (name, points)) in enumerate(zip(COLOURS * 9, boxes.items())):
        quartiles = {p[0]: p[2:] for p in quartiles_of(name)}
        whole = [p for p in points if p[0] in quartiles]
        drawn = axes.bxp([{"med": p[1], "whislo": p[2], "whishi": p[3], "q1": quartiles[p[0]][0], "q3": quartiles[p[0]][1]} for p in whole],
                         positions=[labels.index(p[0]) + (i - (len(boxes) - 1) / 2) * width for p in whole], widths=0.85 * width, showfliers=False,
                         patch_artist=True, boxprops={"facecolor": colour, "alpha": 0.5}, medianprops={"color": "black"}, manage_ticks=False)
        if drawn["boxes"]:
            drawn["boxes"][0].set_label(name)
    axes.set_xticks(range(len(labels)), [number(label) for label in labels], fontsize=7)


def picture(figure, data):
    """The drawing as SVG, or nothing where there is no data or no matplotlib."""
    panels = [(panel, data.of_panel(panel)) for panel in figure.panels]
    if figure.kind == "table" or not any(series for _, series in panels):
        return ""
    plt = ready_plot(figure.full_name)
    if plt is None:
        return ""
    drawing, all_axes = plt.subplots(1, len(panels), figsize=(6.4 if len(panels) == 1 else 4.9 * len(panels), 3.9), constrained_layout=True,
                                     squeeze=False)
    for axes, (panel, series) in zip(all_axes[0], panels):
        kind = panel.get("kind", figure.kind)
        if kind == "lines":
            drawn_lines(axes, series, panel)
        else:
            drawn_boxes(axes, series) if kind == "boxes" else drawn_bars(axes, series, kind == "stack")
            if panel["y"].get("scale") == "log":
                axes.set_yscale("log")
        axes.set(title=panel.get("title", ""), xlabel=panel["x"].get("label", ""), ylabel=panel["y"].get("label", ""))
        if panel is figure.panels[0] and kind == "lines":
            for x, y in (n["point"] for n in figure.numbers if "point" in n):
                axes.plot([x], [y], "x", color="black", markersize=7, markeredgewidth=2, label="the paper")
        if panel["y"].get("scale") != "log":
            axes.set_ylim(bottom=0)
        told = dict(zip(*reversed(axes.get_legend_handles_labels())))  # each label once
        if told:
            axes.legend(told.values(), told.keys(), fontsize=7)
    out = io.StringIO()
    drawing.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(drawing)
    text = out.getvalue()
    return text[text.index("<svg"):]


# --- tables -------------------------------------------------------------------------------------------


def table(head, rows, text_columns=(0,)):
    def cells(row, tag):
        return "".join(f'<{tag}{" class=text" if i in text_columns else ""}>{cell}</{tag}>' for i, cell in enumerate(row))
    return f"<table><tr>{cells(head, 'th')}</tr>\n" + "".join(f"<tr>{cells(row, 'td')}</tr>\n" for row in rows) + "</table>\n"


def papers_numbers(figure, data):
    rows = [[html.escape(n["what"]), f"{number(n['value'])} {n.get('unit', '')}".strip(),
             f"{number(data.value(n['ours']))} {n.get('unit', '')}".strip() if n.get("ours") and data.value(n["ours"]) is not None else "–",
             html.escape(n["place"])] for n in figure.numbers]
    return table(["", "paper", "ours", "where in the paper"], rows, (0, 3)) if rows else ""


def points_table(figure, data):
    text = ""
    for panel in figure.panels:
        series = data.of_panel(panel)
        places = list(dict.fromkeys(p[0] for points in series.values() for p in points))
        places = sorted(places) if all(isinstance(x, (int, float)) for x in places) else places

        def cell(points, x):
            found = next((p for p in points if p[0] == x), None)
            if found is None:
                return ""
            spread = "" if f"{found[2]:.3g}" == f"{found[3]:.3g}" else f" ({number(found[2])}–{number(found[3])})"
            return number(found[1]) + spread
        if series:
            head = [html.escape(panel["x"].get("label", "")), *map(html.escape, map(str, series))]
            unit = panel["y"].get("label", "")
            spread = "whiskers; quartiles" if panel.get("kind", figure.kind) == "boxes" else "least–most"
            text += f"<p><b>{html.escape(panel.get('title', ''))}</b> {html.escape(unit)}: median ({spread})</p>" + table(
                head, [[html.escape(number(x)), *(cell(points, x) for points in series.values())] for x in places])
    return text


def where(row):
    """The machine, and whether it did other things meanwhile."""
    load = row.get("load")
    busy = f", busy: {load:.1f} runnable on {row['processors']} processors" if load and load > row.get("processors", load) else ""
    return html.escape(f"{row.get('machine', 'simulated')}{busy}")


def runs_table(rows):
    lines, seen = [], set()
    for row in rows:
        key = (row["command"], row["commit"], bool(row["failed"]))
        if key in seen:
            continue
        seen.add(key)
        outcome = f'<span class="failed">failed: {html.escape(row["failed"])}</span>' if row["failed"] else \
            "quick" if row["quick"] else "full size"
        lines.append([f"<code>{html.escape(row['command'])}</code>", where(row), html.escape(f"{row['commit']}, {row['day']}"), outcome])
    return table(["command", "on", "commit", "size"], lines, (0, 1, 2, 3)) if lines else ""


def sources(rows):
    """One line: the machines and commits of what is drawn."""
    machines = list(dict.fromkeys(where(row) for row in rows))
    commits = list(dict.fromkeys((row["commit"], row["day"]) for row in rows))
    told = ", ".join(f"{commit} ({day})" for commit, day in commits[:4]) + (f" and {len(commits) - 4} more" if len(commits) > 4 else "")
    return f'<p class="source">{"; ".join(machines[:3])}. Commit {html.escape(told)}.</p>'


def section(figure, data):
    heading = f'<section id="{figure.name}" data-figure="{html.escape(figure.label)}"><h2>{html.escape(figure.label)}. {html.escape(figure.title)}</h2>\n'
    if figure.why_not:
        return f'{heading}<p class="without">Not drawn: {html.escape(figure.why_not)}</p></section>\n'
    parts = [heading]
    rows = data.rows_of(figure)
    if rows:
        if small := sum(row["quick"] for row in rows):
            parts.append(f'<p><span class="quick">quick sizes: {"all" if small == len(rows) else "part"} of what is drawn is small, '
                         "for its shape only</span></p>")
        parts += [picture(figure, data), sources(rows)]
    else:
        name = html.escape(figure.full_name)
        parts.append(f'<p class="missing">Nothing is recorded yet: <code>gossamer papers {name}</code> does it.</p>')
    parts.append(papers_numbers(figure, data))
    parts.append(f'<p><span class="agrees">Agrees:</span> {html.escape(figure.agrees)}</p>\n'
                 f'<p><span class="differs">Differs:</span> {html.escape(figure.differs)}</p>\n')
    open_now = " open" if figure.kind == "table" else ""
    parts.append(f"<details{open_now}><summary>Numbers</summary>{points_table(figure, data)}</details>\n")
    parts.append(f"<details><summary>Commands</summary>{runs_table([*rows, *data.failed])}</details></section>\n")
    return "".join(parts)


def document(title, body):
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>\n{body}</body></html>\n')


def page(paper, data_of):
    links = "".join(f'<a href="#{f.name}">{html.escape(f.label)}. {html.escape(f.title)}</a>' for f in paper.figures)
    body = (f"<h1>{html.escape(paper.title)}</h1><p>{html.escape(paper.authors)}</p><p>The paper measured on: {html.escape(paper.machine)}</p>"
            f"<nav>{links}</nav>\n" + "".join(section(f, data_of(f)) for f in paper.figures))
    return document(paper.title, re.sub(r"[ \t]+$", "", body, flags=re.M))


def state(figure, data):
    if figure.why_not:
        return "not drawn"
    rows = data.rows_of(figure)
    if not rows:
        return "nothing recorded"
    small = sum(row["quick"] for row in rows)
    return "drawn" if not small else "drawn, quick" if small == len(rows) else "drawn, part of it quick"


def index(papers, data_of):
    parts = ["<h1>The five papers beside Gossamer</h1>"]
    for paper in papers:
        rows = [[f'<a href="{paper.name}.html#{f.name}">{html.escape(f.label)}</a>', html.escape(f.title), state(f, data_of(f))] for f in paper.figures]
        parts.append(f'<h2><a href="{paper.name}.html">{html.escape(paper.title)}</a></h2>' + table(["", "", ""], rows, (0, 1, 2)))
    return document("The five papers beside Gossamer", "".join(parts))
