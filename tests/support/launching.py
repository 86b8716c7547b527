"""What the tests of jobs of several processes share: the launchers of both MPIs and of none, and how a job ended."""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time

BUILD = pathlib.Path(os.environ.get("GOSSAMER_BUILD", "build/dev"))
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("GOSSAMER_", "OMPI_", "PMI", "SLURM_"))}
WITHIN_S = 30  # of a loss, on a machine as busy as it may be; that a time-out of 20 s has not told of it, its line says
SEED = int(os.environ.get("GOSSAMER_TEST_SEED", random.randrange(1 << 30)))
KILLS = int(os.environ.get("GOSSAMER_TEST_KILLS", 3))  # of each kind, under each MPI
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # by a shell's background: jobs inherit it, and Ctrl-C does not end them
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Before main() only the launcher can know of a loss, or the MPI of another process, which then fails to start.
TOLD_BY_MPI = (r"noticed that process rank \d|BAD TERMINATION|\[proxy:|Abort\(\d+\) on node|"
               r"1 process returned\s+a non-zero exit code")




def again_and_again(command):
    """The command begun anew each time that it ends well: a job that cannot end before it is killed, however slow the machine."""
    return ["/bin/sh", "-c", 'while :; do "$@" || exit $?; done', "sh", *command]


def generation_of(folder):
    """The last generation of the parts of work that is kept in a folder; 0 where there are none."""
    found = (re.match(r"(\d+)-process-\d+\.part$", path.name) for path in pathlib.Path(folder).glob("*.part"))
    return max((int(match[1]) for match in found if match), default=0)


def rank_of(pid):
    """The rank that a launcher gave to a process; None where the process has ended."""
    try:
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    except OSError:
        return None
    return next((int(word.partition("=")[2]) for word in words if word.startswith(("OMPI_COMM_WORLD_RANK=", "PMI_RANK=", "GSRUN_RANK="))), None)


class Launcher:
    def __init__(self, mpi, program, options):
        self.mpi, self.program, self.options = mpi, shutil.which(program), options
        self.plugin = BUILD / "lib" / "gossamer" / f"libgossamer-transport-{mpi}.so"

    def here(self):
        return self.program is not None and self.plugin.exists()

    def command(self, processes, *words):
        return [self.program, *self.options, "-n", str(processes), *map(str, words)]

    def is_mpi(self):
        return self.mpi != "node"

    def with_another_first(self, processes, first, others):
        """A shell in each process tells them apart: `mpirun -n 1 A : -n 1 B` of Open MPI 5.0.7 crashes by itself."""
        rank = "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$GSRUN_RANK}}"
        return self.command(processes, "/bin/sh", "-c", f'if [ "{rank}" = 0 ]; then exec {first}; else exec {others}; fi')


as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
MPIS = [launcher for launcher in (
    Launcher("openmpi", "mpirun.openmpi", [*as_root, "--oversubscribe", "--bind-to", "none",
                                         # Open MPI 5 complains of a container's networks; without tcp, 4.1.4 uses ofi,
                                         # which takes a second to close.
                                         "--mca", "btl", "^tcp,ofi"]),
    Launcher("mpich", "mpiexec.mpich", []),
) if launcher.here()]
NODE = Launcher("node", str(BUILD / "bin" / "gossamer"), ["run", "--mpi", "node"])  # no MPI: memory of the node
LAUNCHERS = [*MPIS, NODE] if NODE.here() else MPIS


def one_launcher_each(topologies):
    """(launcher, processes, cores) for tests of what lies above the transport: all without an MPI, whose start takes most of a
    test's time, and one of the topologies, another one for each, by every MPI. tests/processes has each by each."""
    jobs = [(LAUNCHERS[-1], *topology) for topology in topologies]
    several = [t for t in topologies if t[0] > 1]
    return jobs + [(mpi, *several[-1 - i % len(several)]) for i, mpi in enumerate(MPIS) if mpi is not LAUNCHERS[-1]]


class Job:
    """A job under way in a folder of its own; its processes are known by their lines "ready <rank> <pid>"."""

    def __init__(self, command, env=None, folder=None):
        self.errors = tempfile.TemporaryFile()
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, env={**CLEAN, **(env or {})}, cwd=folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=self.errors, start_new_session=True)

    def error_text(self):
        if self.errors.closed:
            return self.text
        return os.pread(self.errors.fileno(), 1 << 20, 0).decode(errors="replace")

    def pids(self, processes, timeout=30):
        """{rank: pid}, once all are connected."""
        until = time.monotonic() + timeout
        while time.monotonic() < until and self.process.poll() is None:
            found = {int(r): int(p) for r, p in re.findall(r"^ready (\d+) (\d+)$", self.error_text(), re.M)}
            if len(found) == processes:
                return found
            time.sleep(0.005)
        raise AssertionError(f"never ready: {self.error_text()}")

    def end(self, timeout=60):
        """Exit code, standard output, standard error, seconds from now to the end."""
        start = time.monotonic()
        try:
            out, _ = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()
            raise AssertionError(f"hung for {timeout} s: {self.error_text()}") from None
        seconds = time.monotonic() - start
        self.text = self.error_text()
        self.errors.close()
        return self.process.returncode, out.decode(), self.text, seconds


def children(pid):
    """Processes that have that one among their ancestors: {pid: command line}."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = pathlib.Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
                parents[int(entry)] = (int(fields[1]), fields[0])
            except OSError:
                pass
    found = {}
    for candidate in parents:
        above = candidate
        while above in parents and above != pid:
            above = parents[above][0]
        if above == pid and candidate != pid and parents[candidate][1] != "Z":
            try:
                found[candidate] = pathlib.Path("/proc", str(candidate), "cmdline").read_bytes().split(b"\0")
            except OSError:
                pass
    return found


def runs_a_job(pid):
    """Whether a process of a job has met the others and runs: it has the thread that gives them signs of life."""
    try:
        return any(task.joinpath("comm").read_text() == "gossamer-heart\n" for task in pathlib.Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return False


def leftovers():
    """What jobs may leave in the places that outlive them."""
    names = {f"/dev/shm/{n}" for n in os.listdir("/dev/shm")}
    names |= {f"/tmp/{n}" for n in os.listdir("/tmp") if re.match(r"(ompi|openmpi|mpich|pmix)", n)}
    for session in pathlib.Path("/tmp").glob("ompi.*"):
        names |= {str(p) for p in session.iterdir()}
    return names


def left_since(before):
    """What is left that was not there before. The watch tidies up within seconds of the end."""
    until = time.monotonic() + 10
    while leftovers() - before and time.monotonic() < until:
        time.sleep(0.1)
    return leftovers() - before
