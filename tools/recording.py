"""Recordings: measured rows that the documents quote, with commit, day and machine (docs/performance/recorded).

tools/bench, tools/bench-jobs, tools/curves, tools/sweeps and tools/structures write them; tools/performance-tables reads them. A file is an
object with commit, day, machine and rows; a row that has one of the three itself was measured apart from the others.
curves.json, sweeps.json and structures.json grow row by row, so there every row has its own.
"""

import datetime
import hashlib
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/performance/recorded"
SOURCE = ("commit", "day", "machine")


def of_git(*words):
    """Returns the bytes that git prints. They are empty where there is no git or no repository."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True)
    except OSError:
        return b""
    return done.stdout if done.returncode == 0 else b""


def commit():
    return of_git("describe", "--always", "--dirty").decode().strip() or "unknown"


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")


def value_of(file, key, separator):
    """The first value of a key in a file of lines such as `model name : AMD EPYC`, or nothing."""
    path = pathlib.Path(file)
    for line in path.read_text().splitlines() if path.exists() else []:
        name, _, value = line.partition(separator)
        if name.strip() == key:
            return value.strip().strip('"')
    return None


def machine(facts=None):
    """One line: model, processors, system, and the compiler where `facts` of `gossamer doctor --json` tell it."""
    words = [value_of("/proc/cpuinfo", "model name", ":") or os.uname().machine,
             f"{len(os.sched_getaffinity(0))} processors", value_of("/etc/os-release", "PRETTY_NAME", "="),
             (facts or {}).get("system", {}).get("compiler")]
    return ", ".join(word for word in words if word)


def source(facts=None):
    """What every new row has."""
    return {"commit": commit(), "day": today(), "machine": machine(facts)}


def lines(objects):
    return "[\n" + ",\n".join(json.dumps(x, ensure_ascii=False) for x in objects) + "\n]"


def write(path, text):
    """The file appears when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(text + "\n")
    new.rename(path)


def save(path, rows):
    """Writes rows that have commit, day and machine each; what all have in common is written once."""
    head = {key: rows[0][key] for key in SOURCE}
    rows = [{key: value for key, value in row.items() if head.get(key) != value or key not in SOURCE} for row in rows]
    text = ", ".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items())
    write(path, "{" + text + ',\n"rows": ' + lines(rows) + "}")


def load(path):
    """Rows with commit, day and machine each, of any of the three forms; those of a curve have its name."""
    found = json.loads(path.read_text())
    if isinstance(found, list):
        return found
    if "rows" in found:
        head = {key: found[key] for key in SOURCE if key in found}
        return [{**head, **row} for row in found["rows"]]
    return [{"name": name, **row} for name, rows in found.items() for row in rows.values()]


def changes_digest(parts):
    """Identifies the uncommitted changes in `parts`, files that git does not track included. Empty where there are none."""
    changed = of_git("diff", "HEAD", "--binary", "--no-ext-diff", "--no-color", "--", *parts)
    untracked = [name.decode() for name in of_git("ls-files", "--others", "--exclude-standard", "-z", "--", *parts).split(b"\0") if name]
    if not changed and not untracked:
        return ""
    digest = hashlib.sha256(changed)
    for name in untracked:
        digest.update(f"\n{name}\n".encode())
        if (ROOT / name).is_file():
            digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()[:8]


def commit_of_programs():
    """The last commit that changed what the programs are made of: documents and recordings do not count.

    Where they have changed since, "-dirty-" and a digest of the changes follow: each state of a tree is a version of its own.
    """
    parts = ["gossamer", "cli", "studies", "bench", "plugins", "cmake", "CMakeLists.txt", "CMakePresets.json"]
    last = of_git("log", "-1", "--abbrev=8", "--format=%h", "--", *parts).decode().strip() or "unknown"
    changes = changes_digest(parts)
    return f"{last}-dirty-{changes}" if changes else last
