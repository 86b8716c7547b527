"""Jobs of several processes under every launcher that is here: answers are those of one process, and nothing hangs at the end."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests" / "support"))
from launching import BUILD, LAUNCHERS, NODE, TOLD_BY_MPI, generation_of, rank_of  # noqa: E402

HERE = pathlib.Path(__file__).parent
WITHIN_S = 60  # a job that hangs, on a busy machine
pytestmark = pytest.mark.skipif(not LAUNCHERS or bool(os.environ.get("GOSSAMER_SANITIZE")), reason="no program gossamer, no MPI")
every_launcher = pytest.mark.parametrize("launcher", LAUNCHERS, ids=lambda launcher: launcher.mpi)


def environment(**settings):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GOSSAMER_", "OMPI_", "PMI", "SLURM_", "PYTHONUNBUFFERED"))}  # lines stay whole
    path = os.pathsep.join([str(BUILD.resolve() / "python"), str(HERE)])
    quiet = "ignore:This process:DeprecationWarning"  # Python 3.12 at each fork of a process with threads
    return {**clean, "GOSSAMER_CORES": "2", "PYTHONPATH": path, "PYTHONWARNINGS": quiet, "OMP_NUM_THREADS": "1", **settings}


def start(launcher, program, processes=2, **settings):
    """Start a program of Python text in a process group of its own; launcher None: one process."""
    words = [sys.executable, "-c", program]
    return subprocess.Popen(words if launcher is None else launcher.command(processes, *words), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, start_new_session=True, env=environment(**settings))


def finish(job):
    """Return (exit code, what was printed, errors). Ends a job that hangs, and fails."""
    try:
        out, err = job.communicate(timeout=WITHIN_S)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        pytest.fail(f"the job hangs: {job.communicate()}")
    return job.returncode, out, err


def run(launcher, program, processes=2, **settings):
    return finish(start(launcher, program, processes, **settings))


# --- answers ------------------------------------------------------------------------------------

ANSWERS = """
import hashlib, io, json, os, tempfile
import numpy as np
import gossamer as gs
from arrow_by_hand import Table

def say(*what):
    print(*(hashlib.sha256(np.ascontiguousarray(w).tobytes()).hexdigest()[:12] if isinstance(w, np.ndarray) else w for w in what))

def say_graph(g, to_file=True):
    start = g.label(3)
    say(g, g.stats["edges_read"], g.stats["duplicates"], g.stats["self_loops"], g.stats["format"], g.label_list()[:5])
    say(g.bfs(start).array, g.bfs(start, undirected=True).array, g.components().array, g.components().top(2), g.strong().array, g.degree().array, g.communities().array)
    weighted = gs.Graph(*zip(*((i % 97, i * 7 % 89) for i in range(2000))), [i % 31 / 4 for i in range(2000)], directed=False)
    say(weighted.sssp(5).array, weighted.sssp(5).parents, weighted.to_scipy().data, g.sssp(start).array)
    say(g.in_degree().array, g.out_degree().array, g.info(), g.reversed().bfs(start).array)
    say(np.round(g.pagerank().array, 9), np.round(g.betweenness(k=3, seed=2).array, 9))
    both_ways = g.to_undirected()
    say(both_ways.biconnected().array, both_ways.biconnected().blocks, both_ways.bridges().array, both_ways.truss().array, both_ways.k_truss(4))
    say(np.round(g.katz(alpha=0.001).array, 9), np.round(g.hits().hubs, 9),
        np.round(g.pagerank(personalization=np.arange(len(g))).array, 9))
    lengths = gs.Graph(*zip(*((i % 97, i * 7 % 89) for i in range(2000))), [i % 31 / 4 + 1 for i in range(2000)], directed=False)
    edges = lengths.edge_betweenness(k=5, weighted=True)
    say(edges.sources, edges.targets, np.round(edges.scores, 9), np.round(lengths.betweenness(k=5, weighted=True).array, 9))
    heights = [i * 37 % 50 for i in range(97)]
    slopes = gs.Graph(*zip(*((i % 97, i * 7 % 89) for i in range(2000))), [i % 31 + heights[i * 7 % 89] - heights[i % 97] for i in range(2000)])
    say(slopes.sssp(5, negative=True).array, slopes.sssp(5, negative=True).parents, slopes.path(5, 60, negative=True))
    say(slopes.johnson(sources=[3, 70])["distance"], slopes.johnson(sources=[3])["before"])
    say(g.condensation(), g.condensation().degree().array, g.closeness(samples=70, seed=3).array, lengths.edge_flows(5, 7)["flow"])
    matrix = g.to_scipy()
    say(matrix.indptr, matrix.indices)
    say(g.to_undirected(), g.to_undirected().to_scipy().indices)
    if not to_file:
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in ("g.gsg", "g.tsv.gz"):
            g.write(f"{folder}/{name}")
            again = gs.read(f"{folder}/{name}", directed=g.directed)
            say(again, again.degree().array, again.label_list()[:5])
        os.chdir(folder)  # the others do not
        say(gs.read("g.gsg").to_scipy().indices)
        gs.report(g, f"{folder}/g.html", samples=2)
        text = open(f"{folder}/g.html").read()
        say(len(text) > 10000)
        os.chdir("/")

rng = np.random.default_rng(SEED)
for directed in (True, False):
    say_graph(gs.kron(10, seed=SEED, directed=directed))
    say_graph(gs.uniform(9, seed=SEED, directed=directed))
    for factor, compact in ((1, False), (1, True), (1_000_003, True), (2**40 + 1, True)):
        ends = rng.integers(0, 700, (4000, 2)) * factor
        say_graph(gs.Graph(ends[:, 0], ends[:, 1], directed=directed, compact=compact))
    words = [f"v{n}" for n in rng.integers(0, 300, 1000)]
    say_graph(gs.Graph.from_arrow(Table({"a": ("u", words[:500]), "b": ("u", words[500:])}), "a", "b", directed=directed))
say(gs.Graph([], []), gs.Graph([], [], vertices=3).components().array, gs.Graph([], [], compact=True))

import scipy.sparse
say_graph(gs.Graph.from_scipy(scipy.sparse.random(300, 300, 0.02, "csr", random_state=SEED, data_rvs=np.ones)))

import networkx as nx
nx.config.warnings_to_ignore.add("cache")
G = nx.relabel_nodes(nx.gnm_random_graph(200, 500, seed=SEED), str)
say_graph(gs.Graph.from_networkx(G), to_file=False)
for name in ("pagerank", "betweenness_centrality", "degree_centrality", "closeness_centrality"):
    found = getattr(nx, name)(G, backend="gossamer")
    say(name, "".join(found)[:40], np.round(list(found.values()), 9))
say([len(part) for part in nx.connected_components(G, backend="gossamer")])
for sources in (list(G)[3], list(G)[:5]):
    say([sorted(layer) for layer in nx.bfs_layers(G, sources, backend="gossamer")])

for kind in "i4 u4 i8 u8 f4 f8".split():
    numbers = (rng.random(50_001) * 1e6 - (0 if kind[0] == "u" else 5e5)).astype(kind)
    assert np.array_equal(gs.sort(numbers), np.sort(numbers))
    gs.sort(numbers, out=numbers)
    say(kind, numbers)
say(gs.sort([3.0, float("nan"), -0.0, 0.0]).tolist(), gs.sort(np.zeros(0)))

rows = 20_000
table = Table({"small": ("l", rng.integers(-50, 50, rows).tolist()), "large": ("l", rng.integers(0, 2**45, rows).tolist()),
               "text": ("u", [f"t{n}" for n in rng.integers(0, 99, rows)]), "real": ("g", rng.random(rows).tolist())})
for by in ("small", "large", "text", ["small", "text"], ["text", "large"]):
    found = gs.group(table, by).agg(n=("real", "count"), s=("small", "sum"), least=("real", "min"), most=("large", "max"))
    say(by, *(np.array(column.tolist()) if column.dtype == object else column for column in found.values()))
    say(np.round(gs.group(table, by).mean("real")["mean_real"], 9), gs.group(table, by).count()["count"])

with tempfile.TemporaryDirectory() as folder:
    for n in range(3):
        open(f"{folder}/{n}.txt", "w").write(" ".join(f"Word{i % (40 + n)}" for i in range(9000)))
    open(f"{folder}/t.csv", "w").write("place,year,amount\\n" + "".join(f"p{i % 31},{2000 + i % 7},{i}\\n" for i in range(9000)))
    for by in ("place", ["year", "place"]):
        found = gs.group(f"{folder}/t.csv", by=by).agg(s=("amount", "sum"), most=("amount", "max"))
        say(by, *(np.array(column.tolist()) if column.dtype == object else column for column in found.values()))
    for unit in ("words", "letters", "lines"):
        counts = gs.wordcount(f"{folder}/*.txt", unit=unit, fold=unit == "words")
        say(len(counts), counts.top(5)[:5] if unit != "lines" else counts.stats["distinct"])

for dtype in (np.int64, np.uint64, np.float64):
    numbers = rng.integers(0, 2**50, 30_011).astype(dtype)
    at = rng.integers(-len(numbers), len(numbers), 20_000)
    a = gs.array(numbers)
    assert np.array_equal(a.numpy(), numbers) and np.array_equal(np.asarray(a), numbers)
    assert np.array_equal(a[at], numbers[at]) and np.array_equal(a[29_000:7:-3], numbers[29_000:7:-3])
    a[100:20_000:7] = numbers[100:20_000:7] = 5
    a.add_at(at, at % 100), np.add.at(numbers, at, (at % 100).astype(dtype))
    a.minimum_at(at[::3], 2**45), np.minimum.at(numbers, at[::3], dtype(2**45))
    a.maximum_at(at[::2], at[::2] % 999), np.maximum.at(numbers, at[::2], (at[::2] % 999).astype(dtype))
    a.put(np.arange(500) * 13, np.arange(500)), numbers.put(np.arange(500) * 13, np.arange(500))
    assert np.array_equal(a[:], numbers)
    say(a, a[:], a[numbers % 2 == 0])

keys = rng.integers(-3000, 3000, 20_000)
s, m, sums = gs.HashSet(), gs.HashMap(keys, keys % 7), gs.HashMap(dtype=float)
say(s.insert(keys).sum(), len(s), s.contains(np.arange(-3100, 3100)), np.sort(s.keys()), s.erase(keys[:999]).sum(), len(s), 5 in s)
m.add(keys), sums.add(keys, keys / 4)
say(m.get(np.arange(-3100, 3100), -1), m.top(3), len(m), sums[keys], np.sort(sums.keys()), m.erase(keys[:99]).sum(), np.sort(m.values()))
say(gs.uts("T1"), gs.uts(seed=5))

for wrong in (lambda: gs.array([1, 2])[2], lambda: m[9999], lambda: gs.zeros(10**14), lambda: gs.HashSet([1.5]), lambda: gs.uts("T9"), lambda: gs.read("/nowhere"), lambda: gs.Graph([-1], [2]), lambda: gs.Graph([5], [2], vertices=3), lambda: gs.kron(99),
              lambda: gs.kron(4).find(77), lambda: gs.group(table, "text").sum("text")):
    try:
        wrong()
    except (OSError, ValueError, LookupError, MemoryError, TypeError) as e:
        say(type(e).__name__, e)
"""
CASES = [(launcher, 2, {}) for launcher in LAUNCHERS] + [(LAUNCHERS[-1], 3, {}), (LAUNCHERS[-1], 2, {"GOSSAMER_NODE_MEMORY": "off"})] \
    if LAUNCHERS else []


@pytest.fixture(scope="module")
def answers_of_one():
    seed = 11
    program = f"SEED = {seed}\n{ANSWERS}"
    code, out, err = run(None, program)
    assert (code, err) == (0, "") and out.count("\n") > 100
    return program, out


@pytest.mark.parametrize("launcher, processes, settings", CASES, ids=lambda value: getattr(value, "mpi", str(value)))
def test_answers_are_those_of_one_process(answers_of_one, launcher, processes, settings):
    program, expected = answers_of_one
    code, out, err = run(launcher, program, processes, **settings)
    assert (code, err) == (0, "")
    assert out.splitlines() == expected.splitlines()


COMPILED = """
import ctypes
import gossamer as gs

class Labs:  # of the C library, compiled by others
    address = ctypes.cast(ctypes.CDLL(None).labs, ctypes.c_void_p).value

a = gs.array([-3, 4])
for call in (lambda: a.apply(Labs), lambda: a.update_at([0], [1], Labs), lambda: a.reduce(Labs, 0), lambda: gs.map_reduce([1], Labs, Labs)):
    try:
        call()
        print("no error")
    except ValueError as e:
        print(e)
print(a[:].tolist())
"""


@every_launcher
@pytest.mark.parametrize("how", ["module", "command"])
def test_the_program_is_started_by_every_process(launcher, how, tmp_path):
    """The import of the package joins no job then: the program does."""
    words = ["-m", "gossamer"]
    if how == "command":  # as pip writes it
        command = tmp_path / "gossamer"
        command.write_text("import sys\nfrom gossamer.__main__ import main\nsys.exit(main())\n")
        words = [str(command)]
    command = launcher.command(2, sys.executable, *words, "components", "kron:8", "--json", "--quiet")
    done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN_S, check=False, env=environment())
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["processes"] == 2


@pytest.mark.parametrize("launcher", LAUNCHERS, ids=lambda value: value.mpi)
def test_compiled_functions_are_refused(launcher):
    code, out, err = run(launcher, COMPILED)
    assert (code, err) == (0, "")
    where = "a compiled function is in process 0 only, and the job has 2 processes"
    assert out.splitlines() == [f"f: {where}"] * 3 + [f"key: {where}", "[-3, 4]"]


# --- the end ------------------------------------------------------------------------------------


USES = {"unused": "", "used": "g = gs.kron(8)\n"}
ENDS = [(launcher, use) for i, launcher in enumerate(LAUNCHERS) for use in USES if launcher is LAUNCHERS[-1] or use == [*USES][i % 2]]


@pytest.mark.parametrize("launcher, use", ENDS, ids=lambda value: getattr(value, "mpi", value))
@pytest.mark.parametrize("how, code, said", [
    ("", 0, ""),
    ("sys.exit(3)", 3, ""),
    ("raise ValueError('mine')", 1, "ValueError: mine\n"),
    ("raise KeyboardInterrupt", None, "KeyboardInterrupt\n"),
    ("os._exit(0)", None, "was lost (it exited with code 0)"),
    ("os._exit(5)", None, "was lost (it exited with code 5)"),
    ("os.kill(os.getpid(), signal.SIGTERM)", None, "was lost (killed by SIGTERM)"),
    ("os.kill(os.getpid(), signal.SIGKILL)", None, "was lost (killed by SIGKILL)"),
])
def test_all_end_with_process_0(launcher, use, how, code, said):
    found, out, err = run(launcher, f"print('all', flush=True)\nimport gossamer as gs, os, signal, sys\nprint('one', flush=True)\n{USES[use]}{how}")
    lines = out.splitlines()  # MPICH's launcher adds some
    assert (lines.count("all"), lines.count("one")) == (2, 1)
    assert code is None or found == code
    if "was lost" in said and launcher.is_mpi() and said not in err:  # its launcher was faster than the watch
        assert re.search(TOLD_BY_MPI, err), err
    else:
        # The launcher ends the others by SIGKILL, too: the watch of one of them may speak first, which knows whom it has lost, not how.
        without_reason = said.endswith("SIGKILL)") and "process 0" in err and "was lost\n" in err
        assert (said in err or without_reason) and err.count("error: ") == said.count("was lost")
    assert err.count("Traceback") == (1 if "raise" in how else 0)


TELLS_PID = "import os, time\nprint(os.getpid(), flush=True)\nimport gossamer as gs\nprint('ready', flush=True)\n"


def kill_other(job):
    """Kill process 1 of two once they have met. Return its pid."""
    lines = [job.stdout.readline().strip() for _ in range(3)]
    assert lines[2] == "ready"
    first = own_pid_of_process_0(lines[:2])
    other = next(int(line) for line in lines[:2] if int(line) != first)
    os.kill(other, signal.SIGKILL)
    return other


@every_launcher
@pytest.mark.parametrize("use", ["time.sleep(300)", "gs.kron(16).betweenness()"], ids=["idle", "computing"])
def test_a_lost_process_is_named_and_all_end(launcher, use):
    if not launcher.is_mpi():
        pytest.skip("process 0 lives on")
    job = start(launcher, TELLS_PID + use)
    other = kill_other(job)
    code, _, err = finish(job)
    assert code != 0 and err.count("error: ") == 1
    assert f"process 1 (pid {other} on " in err and "was lost (killed by SIGKILL)" in err


LIVES_ON = """
g = gs.kron(10)
scores = g.pagerank()
print('ready', flush=True)
for use in ({use}, lambda: g.bfs(1), lambda: gs.kron(4), lambda: gs.sort([2, 1])):
    try:
        use()
    except gs.JobError as e:
        print(e)
print(abs(scores.sum() - 1) < 1e-6, len(scores), flush=True)
{end}
"""


@pytest.mark.parametrize("end", ["", "raise SystemExit(3)"])
@pytest.mark.parametrize("use", ["lambda: [time.sleep(0.01) or g.bfs(1) for _ in range(6000)]", "lambda: gs.kron(16).betweenness()"],
                         ids=["between calls", "computing"])
def test_the_interpreter_outlives_a_lost_process(use, end):
    if NODE not in LAUNCHERS:
        pytest.skip("launchers of an MPI end all processes")
    job = start(NODE, TELLS_PID.replace("print('ready', flush=True)\n", "") + LIVES_ON.format(use=use, end=end))
    other = kill_other(job)
    code, out, err = finish(job)
    assert code == 128 + signal.SIGKILL and err == ""  # of the first process that failed
    lines = out.splitlines()
    lost = rf"process 1 \(pid {other} on .*\) was lost \(killed by SIGKILL\)"
    assert len(lines) == 5 and lines[4] == "True 1024"
    assert all(re.search(lost, line) for line in lines[:4])
    assert lines[1].startswith("the graph is gone: process 1 ")


def own_pid_of_process_0(pids):
    return next(int(pid) for pid in pids if rank_of(pid) == 0)


@every_launcher
@pytest.mark.parametrize("where", ["before", "idle", "computing"])
def test_ctrl_c_ends_the_job(launcher, where):
    before = "import os, time\nprint('ready', flush=True)\nif '0' in map(os.environ.get, ('OMPI_COMM_WORLD_RANK', 'PMI_RANK', 'GSRUN_RANK')):\n    time.sleep(300)\n"
    after = "import time\nimport gossamer as gs\ngs.kron(4).bfs(1)  # imports all that an interrupt could meet\nprint('ready', flush=True)\n"
    job = start(launcher, {"before": before + "import gossamer", "idle": after + "time.sleep(300)",
                           "computing": after + "gs.kron(16).betweenness()"}[where])
    for _ in range(2 if where == "before" else 1):
        assert job.stdout.readline() == "ready\n"
    time.sleep(0.3)  # so that it is under way, mostly: the test holds at any moment
    if launcher.is_mpi():
        job.send_signal(signal.SIGINT)  # its launcher takes it, and ends the processes
    else:
        os.killpg(job.pid, signal.SIGINT)  # as a terminal does
    code, _, err = finish(job)
    assert code != 0 or launcher.mpi == "mpich"  # its launcher sometimes says 0
    assert where == "before" or "was lost" not in err  # before the processes have met, a launcher that kills one is none's fault


# --- work that goes on --------------------------------------------------------------------------


KEPT = {"pagerank": "g.pagerank(tol=1e-300, max_iter=200, {})", "betweenness": "g.betweenness({})"}
BEFORE = {"pagerank": "iterations_before", "betweenness": "sources_before"}
PLACES = [(launcher, "pagerank", [2], 3) for launcher in LAUNCHERS] + [(LAUNCHERS[-1], "betweenness", [3, 2], 1)] if LAUNCHERS else []


def kill_at(launcher, call, processes, rank, folder, least):
    """Kill a process of a job once a generation has been written. The job asks again and again, so that it cannot end before."""
    while generation_of(folder) < least:
        job = start(launcher, f"import os\nprint(os.getpid(), flush=True)\nimport gossamer as gs\ng = gs.kron(8)\nwhile True:\n    {call}", processes)
        pids = {rank_of(pid): pid for pid in [int(job.stdout.readline()) for _ in range(processes)]}
        while generation_of(folder) < least and job.poll() is None:
            time.sleep(0.002)
        os.kill(pids[rank], signal.SIGKILL)
        code, _, err = finish(job)
        assert code != 0 and (f"process {rank} (pid {pids[rank]} on " in err or re.search(TOLD_BY_MPI, err)), err


@pytest.mark.parametrize("launcher, question, killed, processes", PLACES, ids=lambda value: getattr(value, "mpi", str(value)))
def test_a_question_goes_on_after_a_kill(launcher, question, killed, processes, tmp_path):
    """Killed once with each number of processes, and continued with another: the answer has the digits of one that was not killed."""
    folder, whole = tmp_path / "work", tmp_path / "whole"
    shown = "\nimport gossamer as gs\ng = gs.kron(8)\nr = {}\nprint(r.stats['{}'], r.array.tobytes().hex())"
    keep = "resume='{}', checkpoint_seconds=0"
    code, out, err = run(None, shown.format(KEPT[question].format(keep.format(whole)), BEFORE[question]))
    assert (code, err) == (0, "")
    before, expected = out.split()
    assert before == "0"
    call = KEPT[question].format(keep.format(folder))
    for times, number in enumerate(killed):
        kill_at(launcher, call, number, times % number, folder, generation_of(folder) + 3)
    one_process = processes == 1
    code, out, err = run(None if one_process else launcher, shown.format(call, BEFORE[question]), processes)
    assert (code, err) == (0, "")
    before, found = out.split()
    assert int(before) > 0 and found == expected
    assert list(folder.iterdir()) == []


# --- life ---------------------------------------------------------------------------------------


LONG_CALLS = {"betweenness": "g.betweenness()", "add_at": "a.add_at(at, 1)", "add": "gs.HashMap().add(at)", "uts": "gs.uts('T1XL')"}


@pytest.mark.parametrize("launcher, call", [(launcher, call) for launcher in LAUNCHERS for call in LONG_CALLS
                                            if launcher is LAUNCHERS[-1] or call == "betweenness"], ids=lambda value: getattr(value, "mpi", value))
def test_an_interrupted_call_leaves_the_job_whole(launcher, call):
    assert run(launcher, f"""
import numpy, gossamer as gs, signal, threading
g, a, at = gs.kron(15), gs.zeros(10**6), numpy.arange(2 * 10**7) * 7919 % 10**6
gs.uts("T1"), gs.HashMap().add(at[:5])  # imports all that an interrupt could meet
try:
    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
    while True:  # however fast the machine
        {LONG_CALLS[call]}
except KeyboardInterrupt:
    print("interrupted")
print(abs(g.pagerank().sum() - 1) < 1e-6, len(gs.HashSet(at[:99])))
""") == (0, "interrupted\nTrue 99\n", "")


@pytest.mark.parametrize("launcher", LAUNCHERS[-1:], ids=lambda launcher: launcher.mpi)
def test_what_was_made_goes_with_the_job_and_memory_comes_back(launcher):
    assert run(launcher, """
import gossamer as gs, numpy, threading
for n in range(60):
    g = gs.kron(16).reversed()  # 8 MB each, of which 60 do not fit
    threads = [threading.Thread(target=g.bfs, args=(1,)) for _ in range(2)]
    for t in threads: t.start()
    del g
    for t in threads: t.join()
for n in range(40):
    a, s, m = gs.array(numpy.ones(2**19)), gs.HashSet(range(20_000)), gs.HashMap(range(20_000), 1)  # 5 MB
g, a, s, m = gs.kron(8), gs.zeros(3), gs.HashSet([1]), gs.HashMap([1], [2])
back = g.reversed()
gs._core.stop()
for each in (lambda: g.bfs(1), lambda: len(g), lambda: len(back), lambda: g.label(1), lambda: g.to_scipy(), lambda: gs.kron(4),
             lambda: a[0], lambda: a.numpy(), lambda: 1 in s, lambda: m[1], gs.HashSet, lambda: gs.zeros(3)):
    try:
        each()
    except gs.JobError as e:
        print(e)
""", GOSSAMER_MEMORY_LIMIT="160M") == (0, 5 * "the graph is gone: the job of all processes has ended\n" + 7 * "the job of all processes has ended\n", "")


@every_launcher
def test_children_of_process_0_are_jobs_of_their_own(launcher):
    assert run(launcher, """
import gossamer as gs, os, subprocess, sys
g = gs.kron(6)
print(subprocess.run([sys.executable, "-c", "import gossamer as gs; print(len(gs.kron(5)))"], capture_output=True, text=True).stdout, end="")
child = os.fork()
if child == 0:
    try:
        g.pagerank()
    except gs.JobError:
        os._exit(7)
print(os.waitpid(child, 0)[1] >> 8, len(g.pagerank()))
""") == (0, "32\n7 64\n", "")


@every_launcher
def test_pipes_are_refused_and_labels_outlive_the_job(launcher, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert run(launcher, f"""
import gossamer as gs
for read in (gs.read, gs.wordcount):
    try:
        read({str(tmp_path / "pipe")!r})
    except ValueError as e:
        print(str(e).endswith("/pipe: expected a file that every process can read by itself, found a pipe or a device"))
labels = gs.Graph([10**12, 5], [7, 7], compact=True).labels()
gs._core.stop()
print(labels)
""") == (0, f"True\nTrue\n[{5:>13} {7:>13} {10**12:>13}]\n", "")


@every_launcher
def test_what_only_the_launcher_and_the_environment_can_say(launcher):
    assert run(launcher, """
import networkx  # looks at the backend, and joins nothing
import threading
print("before", flush=True)
def early():
    try:
        import gossamer
    except RuntimeError as e:
        print(str(e).endswith("import it in the main thread"), flush=True)
thread = threading.Thread(target=early)
thread.start(), thread.join()
import gossamer as gs
try:
    gs.set_cores(3)
except gs.JobError as e:
    print(e)
""")[1].splitlines() in ([*pair, "the cores of all processes have started: GOSSAMER_CORES sets their number"] for pair in (
        ["before", "before", "True", "True"], ["before", "True", "before", "True"]))


@every_launcher
def test_without_a_transport_each_process_is_a_job(launcher):
    code, out, err = run(launcher, "import os\nos.environ['GOSSAMER_TRANSPORT'] = 'none'\n"
                         "import gossamer as gs\nprint(len(gs.kron(5)), flush=True)")
    assert (code, out, err) == (0, "32\n32\n", "")


@every_launcher
def test_a_wrong_setting_is_told_once(launcher):
    code, out, err = run(launcher, "import gossamer", GOSSAMER_CORES="many")
    assert code != 0 and out == "" and err.count("GOSSAMER_CORES: expected a number") == 1
