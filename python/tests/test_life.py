"""The beginning and the end of the cores, interrupts, threads and forks: each in a process of its own."""

import subprocess
import sys

import pytest


def run(program, **environment):
    import os

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def test_importing_starts_nothing():
    assert run("""
import os, sys, gossamer
assert "numpy" not in sys.modules and "networkx" not in sys.modules
assert len(os.listdir("/proc/self/task")) == 1 and not gossamer._core.started()
gossamer.kron(4)
assert gossamer._core.started()
""") == (0, "", "")


@pytest.mark.parametrize("how", ["", "raise SystemExit(3)", "import os; os._exit(3)", "raise ValueError('mine')"])
def test_ends_cleanly(how):
    code, out, err = run(f"import gossamer as gs\ng = gs.kron(6)\nr = g.pagerank()\n{how}")
    assert code == (3 if "3" in how else 1 if how else 0) and out == ""
    assert "mine" in err if "mine" in how else err == ""


def test_the_cores_end_whatever_the_standard_output_is():
    end = "import atexit, sys\natexit.register(lambda: print(gossamer._core.started(), file=sys.stderr))\nimport gossamer\ngossamer.kron(5)\n"
    tee = "class Tee:\n    def write(self, text): pass\n    def flush(self): raise OSError('full')\nsys.stdout = Tee()\n"
    for program in (end + tee, end + "sys.stdout = None\n"):
        code, out, err = run(program)
        assert (out, err.splitlines()[0]) == ("", "False"), err


def test_the_cores_end_before_the_interpreter():
    assert run("""
import atexit, os
atexit.register(lambda: print(len(os.listdir("/proc/self/task")), gossamer._core.started()))
import gossamer
gossamer.kron(5)
""") == (0, "1 False\n", "")


# NumPy, which the first answer imports, says ImportError where an interrupt meets it: it is imported before.


def test_interrupts_are_pythons():
    # The other thread runs only because the search has released the GIL.
    assert run("""
import numpy, gossamer as gs, signal, threading
g = gs.kron(15)
try:
    threading.Timer(0, lambda: signal.raise_signal(signal.SIGINT)).start()
    g.betweenness()
except KeyboardInterrupt:
    print("interrupted")
print(abs(g.pagerank().sum() - 1) < 1e-6)
""") == (0, "interrupted\nTrue\n", "")


def test_an_unhandled_interrupt_ends_the_process():
    code, out, err = run("""
import numpy, gossamer as gs, signal, threading
g = gs.kron(15)
threading.Timer(0, lambda: signal.raise_signal(signal.SIGINT)).start()
g.betweenness()
""")
    assert code == -2 and out == "" and err.endswith("KeyboardInterrupt\n")


def test_a_call_that_waits_for_another_is_left_at_once_and_both_end_at_exit():
    # The search of the first thread takes minutes.
    assert run("""
import numpy, gossamer as gs, signal, threading, time
g = gs.kron(16)
ended = []
def search():
    try:
        g.betweenness()
    except RuntimeError:
        ended.append(1)
threading.Thread(target=search, daemon=True).start()
time.sleep(0.5)
try:
    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
    g.pagerank()
except KeyboardInterrupt:
    print("interrupted", len(ended))
""") == (0, "interrupted 0\n", "")


def test_daemon_threads_that_compute_do_not_abort_the_end():
    # Python ends a thread that comes back too late by pthread_exit(), which C++ answers by std::terminate().
    for _ in range(3):
        assert run("""
import gossamer as gs, threading, time
g = gs.kron(10)
def ask():
    while True:
        try:
            g.bfs(1)
        except RuntimeError:
            pass
for _ in range(8): threading.Thread(target=ask, daemon=True).start()
time.sleep(0.2)
""") == (0, "", "")


def test_many_threads_share_the_cores():
    assert run("""
import gossamer as gs, threading
import numpy as np
g = gs.kron(8)
expected = g.bfs(1)
wrong = []
def ask():
    for _ in range(20):
        if not np.array_equal(g.bfs(1), expected): wrong.append(1)
threads = [threading.Thread(target=ask) for _ in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(len(wrong))
""") == (0, "0\n", "")


def test_a_fork_is_told():
    assert run("""
import os, warnings, gossamer as gs
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 says so itself, of any fork beside threads
g = gs.kron(6)
child = os.fork()
if child == 0:
    try:
        g.pagerank()
    except RuntimeError as e:
        os._exit(0 if "spawn" in str(e) else 4)
    os._exit(5)
print(os.waitpid(child, 0)[1], len(g.pagerank()))
""") == (0, "0 64\n", "")


def test_the_number_of_cores():
    assert run("""
import gossamer as gs, os
gs.set_cores(5)
gs.kron(6)
names = [open(f"/proc/self/task/{t}/comm").read().strip() for t in os.listdir("/proc/self/task")]
print(sum(name.startswith("gossamer-") and name != "gossamer-turns" for name in names))  # that one bounds the turns of the cores
try:
    gs.set_cores(2)
except RuntimeError as e:
    print("started" in str(e))
""") == (0, "5\nTrue\n", "")


@pytest.mark.parametrize("environment, said", [
    ({"GOSSAMER_CORES": "many"}, "GOSSAMER_CORES"),
    ({"GOSSAMER_SIMULATE": "processes=2"}, "simulations"),
])
def test_refuses_in_one_line(environment, said):
    code, out, _ = run("""
import gossamer as gs
for attempt in range(2):
    try:
        gs.kron(4)
    except RuntimeError as e:
        print(e)
""", **environment)
    assert code == 0 and out.count("\n") == 2 and said in out


def test_processes_that_cannot_meet_are_told_at_the_import():
    code, out, _ = run("""
for attempt in range(2):
    try:
        import gossamer
    except RuntimeError as e:
        print(e)
""", OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="0", GOSSAMER_TRANSPORT="elsewhere")
    assert code == 0 and out.count("\n") == 2 and out.count("expected a path, none, or a plugin") == 2


MADE = "a, s, m = gs.array(np.arange(10)), gs.HashSet([3]), gs.HashMap([4], [5])"
USED = "print(a[3], 3 in s, m[4])"


@pytest.mark.parametrize("given, call", [
    ("big = gs.zeros(10**6); at = np.random.default_rng(1).integers(0, 10**6, 3 * 10**7)", "big.add_at(at, 1)"),
    ("big = gs.zeros(2**24); at = np.arange(3 * 10**7) * 999983 % 2**24", "[big.take(at) for _ in range(99)]"),
    ("keys = np.arange(2 * 10**7)", "gs.HashSet(keys)"),
    ("keys = np.arange(2 * 10**7)", "gs.HashMap().add(keys)"),
    ("", "gs.uts('T1XL')"),
], ids=["add_at", "take", "insert", "add", "uts"])
def test_a_long_call_is_interrupted_and_what_was_made_stays(given, call):
    assert run(f"""
import numpy as np, gossamer as gs, signal, threading
{MADE}
{given}
gs.uts("T1")  # imports all that an interrupt could meet
try:
    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
    {call}
except KeyboardInterrupt:
    print("interrupted")
{USED}
""") == (0, "interrupted\n3 True 5\n", "")


def test_arrays_of_one_process_outlive_the_job_and_tables_go_with_it():
    assert run(f"""
import numpy as np, gossamer as gs
{MADE}
view = a.numpy()
gs._core.stop()
print(a[3], a.numpy()[4], view[5])
for use in (lambda: 3 in s, lambda: m[4]):
    try:
        use()
    except gs.JobError as e:
        print(e)
gs._core.stop()
gs.set_cores(2)
try:
    a[3]
except gs.JobError as e:
    print(e)
del a
print(view.tolist())
""") == (0, "3 4 5\nthe set is gone: its job has ended\nthe map is gone: its job has ended\n"
         "the array lies on 3 cores, and there are 2 now: copy it by numpy()\n[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n", "")


def test_a_fork_gives_nothing_back_and_is_told():
    assert run(f"""
import os, warnings, numpy as np, gossamer as gs
warnings.simplefilter("ignore", DeprecationWarning)
{MADE}
child = os.fork()
if child == 0:
    for use in (lambda: a[3], lambda: 3 in s, lambda: m[4], lambda: gs.zeros(3), gs.HashSet, gs.HashMap, lambda: gs.uts("T1")):
        try:
            use()
        except gs.JobError as e:
            assert "spawn" in str(e)
        else:
            os._exit(5)
    del a, s, m
    os._exit(0)
print(os.waitpid(child, 0)[1])
{USED}
""") == (0, "0\n3 True 5\n", "")


def test_memory_comes_back_and_what_does_not_fit_is_refused():
    assert run("""
import numpy as np, gossamer as gs
keys = np.arange(100_000)
for n in range(20):  # 20 MB each, of which 20 do not fit
    a, s, m = gs.zeros(2 * 10**6), gs.HashSet(keys), gs.HashMap(keys, keys)
    a[::512] = 1.0
del a, s, m
try:
    gs.zeros(10**9)
except MemoryError as e:
    print(str(e).partition(",")[0])
print(len(gs.HashSet([1])))
""", GOSSAMER_MEMORY_LIMIT="250M") == (0, "a global array needs 7.5 GiB\n1\n", "")


def test_many_threads_use_one_table():
    assert run("""
import numpy as np, gossamer as gs, threading
m, a = gs.HashMap(), gs.zeros(100, int)
def count():
    for _ in range(20):
        m.add(np.arange(100))
        a.add_at(np.arange(100), 1)
threads = [threading.Thread(target=count) for _ in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print((m.values() == 160).all(), len(m), (a[:] == 160).all())
""") == (0, "True 100 True\n", "")
