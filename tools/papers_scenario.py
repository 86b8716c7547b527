"""Scenario files of the papers' figures: docs/performance/papers/PAPER/NAME.toml, read and checked.

paper.toml of a folder says title, authors and machine of the paper, and the order of its figures; those that are not drawn are in it, each with
a sentence why. A scenario says what the paper's numbers are and where they stand, which commands measure ours, how a number is taken from
their JSON, and what agrees and differs. docs/performance/papers.md tells the keys.
"""

import ast
import difflib
import fnmatch
import itertools
import math
import operator
import pathlib
import re
import statistics
import tomllib

KINDS = ("lines", "bars", "stack", "boxes", "table")
PAPER_KEYS = {"title", "authors", "machine", "figures", "without"}
FIGURE_KEYS = {"figure", "title", "kind", "agrees", "differs", "x", "y", "panel", "paper", "run", "recorded", "data"}
AXIS_KEYS = {"label", "scale", "relative"}
PANEL_KEYS = {"title", "draw", "x", "y", "kind"}
NUMBER_KEYS = {"what", "value", "place", "ours", "unit", "point"}
SERIES_KEYS = {"name", "each", "where", "x", "y", "low", "high", "optional"}
RECORDED_KEYS = SERIES_KEYS | {"file", "command"}
RUN_KEYS = {"name", "command", "on", "over", "files", "environment", "repeats", "timeout", "quick", "series"}
SIZES = {"command", "over", "files", "repeats"}
QUICK_KEYS = SIZES | {"timeout", "skip"}
SCRATCH = "scratch"  # the place of a command that is a folder, with the files that the run names
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
FUNCTIONS = {"median": statistics.median, "min": min, "max": max, "sum": sum, "log2": math.log2, "round": round, "power": pow, "number": lambda text: number_in(text), "text": lambda value: str(value)}


class Problem(Exception):
    """What a scenario, a recording or an answer lacks, in one line."""


# --- expressions --------------------------------------------------------------------------------------


def value_of(text, names):
    """The value of an expression over `names`: keys of JSON (a.b, a[0]), numbers, + - * /, and functions."""
    def of(node):
        match node:
            case ast.Constant(value=value) if isinstance(value, (int, float, str)):
                return value
            case ast.Name(id=name):
                return names[name] if name in names else FUNCTIONS[name]
            case ast.Attribute(value=inner, attr=name):
                return of(inner)[name]
            case ast.Subscript(value=inner, slice=key):
                return of(inner)[of(key)]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return OPERATORS[type(op)](of(left), of(right))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -of(inner)
            case ast.Call(func=called, args=arguments, keywords=[]):
                return of(called)(*map(of, arguments))
        raise Problem(f"expected keys, numbers, + - * / and functions, found {text!r}")
    try:
        return of(ast.parse(text, mode="eval").body)
    except (KeyError, IndexError, TypeError, SyntaxError, ZeroDivisionError, ValueError) as problem:
        raise Problem(f"{text!r}: {type(problem).__name__}: {problem}") from problem


def number_in(text):
    """A number where the text is one: names of places and groups of a pattern are used in expressions."""
    try:
        return int(text)
    except (TypeError, ValueError):
        try:
            return float(text)
        except (TypeError, ValueError):
            return text


def matched(where, row):
    """What the groups of the patterns say, or None where the row is another one."""
    found = {}
    for key, wanted in where.items():
        value = row.get(key)
        if not isinstance(wanted, str):
            if value != wanted:
                return None
            continue
        match = None if value is None else re.fullmatch(wanted, str(value))
        if not match:
            return None
        found.update({name: number_in(text) for name, text in match.groupdict().items() if text is not None})
    return found


def points_of(series, rows, point):
    """(name, x, y, low, high) of each row that the series takes."""
    for row in rows:
        for inner in value_of(series["each"], row) if "each" in series else [row]:
            names = {**row, **inner} if inner is not row else row
            groups = matched(series.get("where", {}), names)
            if groups is None:
                continue
            names = {**names, **point, **groups}
            y = value_of(series["y"], names)
            if y is None:  # what could not be measured here
                continue
            low, high = (value_of(series[key], names) if key in series else y for key in ("low", "high"))
            name = re.sub(r"<([^<>]+)>", lambda m: str(value_of(m[1], names)), series["name"])
            yield name, value_of(series["x"], names), y, low, high


# --- scenarios ----------------------------------------------------------------------------------------


class Figure:
    """A figure or table of a paper: its scenario, or why there is none."""

    def __init__(self, paper, name, file, table):
        self.paper, self.name, self.file = paper, name, file
        self.full_name = f"{paper}/{name}"
        self.label, self.title = table["figure"], table["title"]
        self.why_not = table.get("why_not")
        self.kind = table.get("kind", "lines")
        self.agrees, self.differs = table.get("agrees"), table.get("differs")
        self.numbers = table.get("paper", [])
        self.runs = table.get("run", [])
        self.recorded = table.get("recorded", [])
        self.data = table.get("data")
        axes = {"x": table.get("x", {}), "y": table.get("y", {})}
        self.panels = [{**axes, **panel} for panel in table.get("panel", [{}])]

    def commands(self, quick):
        """(run, point, command) of each command of the figure: the run with its small sizes in place, where they are asked for.

        `is_quick` of the run says whether they are: where a run has none, it is the same with --quick.
        """
        for run in self.runs:
            small = run.get("quick", {}) if quick else {}
            if small.get("skip"):
                continue
            of = {**run, **small, "is_quick": not SIZES.isdisjoint(small)}
            over = of.get("over", {})
            for values in itertools.product(*over.values()):
                point = dict(zip(over, values))
                command = re.sub(r"<([a-z_]+)>", lambda m: str(point.get(m[1], m[0])), of["command"])
                yield {"repeats": 1, "timeout": 120 if quick else 3600, **of}, point, command


class Paper:
    def __init__(self, name, table, figures):
        self.name, self.title, self.authors, self.machine = name, table["title"], table["authors"], table["machine"]
        self.figures = figures


def keys(file, what, table, known, needed=()):
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            raise Problem(f"{file}: {what}: unknown key \"{key}\"" + (f", did you mean {near[0]}?" if near else ""))
    for key in needed:
        if key not in table:
            raise Problem(f"{file}: {what}: expected the key {key}, found none")


def read(file):
    try:
        return tomllib.loads(file.read_text())
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise Problem(f"{file}: {problem}") from problem


def check_series(file, series, known=SERIES_KEYS):
    keys(file, "series", series, known, ("name", "x", "y"))


def check_figure(file, table):
    keys(file, "figure", table, FIGURE_KEYS, ("figure", "title", "agrees", "differs", "paper"))
    if sum(key in table for key in ("data", "run")) != 1:
        raise Problem(f"{file}: expected either runs or the figure whose data these are")
    for panel in [table, *table.get("panel", [])]:
        if panel.get("kind", "lines") not in KINDS:
            raise Problem(f"{file}: expected kind {', '.join(KINDS)}, found {panel['kind']}")
        for axis in ("x", "y"):
            keys(file, axis, panel.get(axis, {}), AXIS_KEYS)
    for panel in table.get("panel", []):
        keys(file, "panel", panel, PANEL_KEYS, ("draw",))
    for number in table["paper"]:
        keys(file, "paper", number, NUMBER_KEYS, ("what", "value", "place"))
    for series in table.get("recorded", []):
        check_series(file, series, RECORDED_KEYS)
    names = [run.get("name") for run in table.get("run", [])]
    for run in table.get("run", []):
        keys(file, "run", run, RUN_KEYS, ("name", "command", "on", "series"))
        keys(file, "quick", run.get("quick", {}), QUICK_KEYS)
        if names.count(run["name"]) > 1:
            raise Problem(f"{file}: two runs are named {run['name']}")
        for series in run["series"]:
            check_series(file, series)
        for of in (run, {**run, **run.get("quick", {})}):
            for place in re.findall(r"<([a-z_]+)>", of["command"]):
                if place not in of.get("over", {}) and place != SCRATCH:
                    raise Problem(f"{file}: run {run['name']}: expected values of <{place}> in over, found none")


def read_paper(folder):
    file = folder / "paper.toml"
    table = read(file)
    keys(file, "paper", table, PAPER_KEYS, ("title", "authors", "machine", "figures"))
    without, figures = table.get("without", {}), []
    there = {path.stem for path in folder.glob("*.toml")} - {"paper"}
    for name in table["figures"]:
        if name in without:
            keys(file, name, without[name], {"figure", "title", "why_not"}, ("figure", "title", "why_not"))
            figures.append(Figure(folder.name, name, file, without[name]))
            continue
        scenario = folder / f"{name}.toml"
        if name not in there:
            raise Problem(f"{file}: expected {scenario.name} for the figure {name}, or why it is not drawn")
        found = read(scenario)
        check_figure(scenario, found)
        figures.append(Figure(folder.name, name, scenario, found))
    if left := sorted((there | set(without)) - set(table["figures"])):
        raise Problem(f"{file}: expected {left[0]} among the figures, found it in none")
    return Paper(folder.name, table, figures)


def read_papers(folder):
    papers = [read_paper(path.parent) for path in sorted(pathlib.Path(folder).glob("*/paper.toml"))]
    if not papers:
        raise Problem(f"{folder}: expected folders of papers with a paper.toml, found none")
    known = {figure.full_name for paper in papers for figure in paper.figures}
    for paper in papers:
        for figure in paper.figures:
            if figure.data and figure.data not in known:
                raise Problem(f"{figure.file}: expected data of a figure, found {figure.data}")
    return papers


def chosen(papers, names):
    """The figures of these names: PAPER/NAME, a paper, or a NAME that only one paper has."""
    everything = [figure for paper in papers for figure in paper.figures]
    if not names:
        return everything
    found = []
    for name in names:
        of = [f for f in everything if name in (f.full_name, f.paper)] or [f for f in everything if f.name == name]
        if not of:
            known = [*{f.paper for f in everything}, *(f.full_name for f in everything), *(f.name for f in everything)]
            near = difflib.get_close_matches(name, known, 1, 0.5)
            raise Problem(f"papers: expected a figure or a paper, found \"{name}\"" +
                          (f", did you mean {near[0]}?" if near else " (--list shows them)"))
        if len({f.paper for f in of}) > 1:
            raise Problem(f"papers: {name} is a figure of several papers: {', '.join(f.full_name for f in of)}")
        found += [f for f in of if f not in found]
    return found


def is_drawn(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
