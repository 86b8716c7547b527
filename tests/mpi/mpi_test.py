#!/usr/bin/env python3
"""The subset of MPI for fibers: C programs built by gossamer-mpicc, under the launchers that are here."""
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import launching  # noqa: E402

MPICC = launching.BUILD / "bin" / "gossamer-mpicc"
MPICXX = launching.BUILD / "bin" / "gossamer-mpicxx"
SEED = int(os.environ.get("GOSSAMER_TEST_SEED", random.randrange(1 << 30)))
if os.environ.get("GOSSAMER_SANITIZE"):
    print("not built for sanitizers: jobs that stall or end early leak on purpose", file=sys.stderr)
    sys.exit(77)
if not MPICC.exists() or not launching.NODE.here() or shutil.which("pkg-config") is None:
    print("gossamer-mpicc, pkg-config or the launcher is not here", file=sys.stderr)
    sys.exit(77)

folder = tempfile.TemporaryDirectory(prefix="gossamer-mpi-")
built = {}


def compiled(name, *options, compiler=MPICC):
    """The program of a source, compiled once."""
    key = (name, options)
    if key not in built:
        to = pathlib.Path(folder.name) / f"{pathlib.Path(name).stem}-{len(built)}"
        done = subprocess.run([compiler, "-O1", "-g", "-Wall", "-Werror", *options, HERE / name, "-o", to],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"building {name}: {done.stderr}")
        built[key] = to
    return built[key]


class Mpi(unittest.TestCase):
    def run_ranks(self, processes, program, *words, env=None, launcher=launching.NODE):
        job = launching.Job(launcher.command(processes, program, *words), env)
        return job.end()

    def passes(self, processes, program, *words, **more):
        code, out, text, _ = self.run_ranks(processes, program, *words, **more)
        self.assertEqual((code, out, text), (0, "ok\n", ""), f"{processes} ranks of {program} {words}, seed {SEED}")

    def fails(self, processes, program, *words, code=2):
        found, out, text, _ = self.run_ranks(processes, program, *words)
        self.assertEqual(found, code, text)
        self.assertNotIn("ok", out)
        return text

    def test_messages(self):
        for processes in (1, 2, 3):
            self.passes(processes, compiled("messages.c"), processes)

    def test_under_each_mpi(self):
        for launcher in launching.MPIS:
            self.passes(2, compiled("messages.c"), 2, launcher=launcher)

    def test_small_packets(self):
        small = {"GOSSAMER_PACKETS": "2", "GOSSAMER_PACKET_BYTES": "2048", "GOSSAMER_WIRE_PACKETS": "4",
                 "GOSSAMER_WIRE_PACKET_BYTES": "8192"}
        self.passes(2, compiled("messages.c"), 2, env=small)
        self.passes(2, compiled("order.c"), SEED, 50, 4, env=small)

    def test_streams_of_small_messages(self):
        self.passes(3, compiled("streams.c"))

    def test_order_of_random_traffic(self):
        for processes in (1, 2, 4):
            self.passes(processes, compiled("order.c"), SEED + processes, 60, 12)

    def test_collectives(self):
        for processes in (1, 2, 3, 4, 5):
            self.passes(processes, compiled("collectives.c"))

    def test_every_rank_gets_the_same_bits(self):
        for processes in (1, 2, 3, 4, 5, 8):
            self.passes(processes, compiled("bits.c"), SEED)

    def test_threads(self):
        program = compiled("threads.c", "-include", "gossamer/threads.h")
        self.passes(2, program, 2000, 5)
        self.passes(2, program, 100, 10, env={"GOSSAMER_CORES": "3"})  # the threads of a rank on three cores

    def test_cxx(self):
        self.passes(2, compiled("cxx.cpp", compiler=MPICXX))

    def test_fibers_of_the_library(self):
        program = compiled("fibers.cpp", "-std=c++20", compiler=MPICXX)
        self.passes(2, program)
        self.passes(2, program, env={"GOSSAMER_CORES": "2"})

    def test_errors_that_are_returned(self):
        for kind in ("truncate", "truncate-large", "rank", "tag", "count", "buffer", "type", "root", "op", "comm", "request"):
            with self.subTest(kind):
                self.passes(2, compiled("misuse.c"), kind, "return")

    def test_errors_that_end_the_job(self):
        for kind, line in {
            "truncate": r"MPI_Recv on rank 1, communicator 1: a message of 16 bytes from rank 0, tag 5, has come for a buffer of "
                        r"8 bytes \(MPI_ERR_TRUNCATE\)",
            "rank": r"MPI_Send on rank [01], communicator 1: rank 2 is out of range: the communicator has 2 ranks \(MPI_ERR_RANK\)",
            "tag": r"MPI_Send on rank [01], communicator 1: tag -1 is out of range",
            "comm": r"MPI_Send on rank [01]: communicator 1 was freed \(MPI_ERR_COMM\)",
            "request": r"MPI_Wait on rank [01], MPI_COMM_WORLD: the request was completed before: it is used twice",
            "abort": r"MPI_Abort on rank 0 with code 7",
            "before": r"MPI_Comm_rank on rank [01], MPI_COMM_WORLD: called before MPI_Init",
            "after": r"MPI_Barrier on rank [01], MPI_COMM_WORLD: called after MPI_Finalize",
            "twice": r"MPI_Init on rank [01], MPI_COMM_WORLD: called a second time",
        }.items():
            with self.subTest(kind):
                text = self.fails(2, compiled("misuse.c"), kind)
                self.assertRegex(text, r"error: process [01] \(.*\): " + line)

    def test_unreceived_messages_are_named(self):
        code, out, text, _ = self.run_ranks(2, compiled("misuse.c"), "unreceived")
        self.assertEqual((code, out), (0, "ok\n"), text)
        for line in ("no call has received the message from rank 0, tag 41, MPI_COMM_WORLD, 12 bytes",
                     "no call has received the message from rank 0, tag 42, communicator 1, 100000 bytes",
                     "an open MPI_Irecv waits for a message from rank 0, tag 43, communicator 1, 16 bytes of room"):
            self.assertIn(f"warning: MPI_Finalize on rank 1: {line}", text)

    def test_stalls_are_described(self):
        text = self.fails(2, compiled("misuse.c"), "stall")
        self.assertIn("MPI_Recv on rank 0: a message from rank 1, tag 99, communicator 1", text)
        self.assertIn("MPI_Recv on rank 1: a message from any rank, any tag, MPI_COMM_WORLD", text)
        text = self.fails(2, compiled("misuse.c"), "stall-send")
        self.assertIn("MPI_Send on rank 0: its message to be received by rank 1, tag 98, communicator 1", text)
        self.assertRegex(text, r"MPI_Barrier on rank 1: a message from rank 0, collective \d+ of communicator 1")

    def test_exit_ends_the_rank(self):
        code, out, text, _ = self.run_ranks(2, compiled("misuse.c"), "exit")
        self.assertEqual((code, out, text), (5, "", ""))

    def ends(self):
        return compiled("ends.c", "-D_GNU_SOURCE", "-include", "gossamer/threads.h")

    def test_exit_of_a_thread_ends_the_rank(self):
        for cores in ("1", "2"):  # on two cores the thread is on the second
            code, out, text, _ = self.run_ranks(2, self.ends(), "exit", env={"GOSSAMER_CORES": cores})
            self.assertEqual(code, 3, text)
            self.assertNotIn("ok", out)

    def test_main_that_ends_by_pthread_exit_waits_for_all_threads(self):
        for cores in ("1", "3"):
            self.passes(2, self.ends(), "pthread-exit", env={"GOSSAMER_CORES": cores})

    def test_mutexes_of_all_kinds(self):
        self.passes(2, self.ends(), "mutex")

    def test_who_waits_for_a_mutex_gets_it(self):
        for cores in ("1", "2"):
            self.passes(1, self.ends(), "fair", env={"GOSSAMER_CORES": cores})

    def test_loops_that_probe_let_others_run(self):
        self.passes(2, self.ends(), "probe")
        for cores in ("1", "2"):
            self.passes(1, self.ends(), "polls", env={"GOSSAMER_CORES": cores})

    def test_messages_leave_before_a_call_of_the_system(self):
        pipe = pathlib.Path(folder.name) / "pipe"
        os.mkfifo(pipe)
        self.passes(2, self.ends(), "leave", pipe)

    def test_collectives_of_different_sizes_end(self):
        for processes in (2, 4):
            self.passes(processes, self.ends(), "truncate")

    def test_mpicc(self):
        program = pathlib.Path(folder.name) / "strict"
        done = subprocess.run([MPICC, "-std=c89", "-pedantic-errors", "-x", "c", "-", "-o", program], text=True, check=False,
                              input="#include <mpi.h>\nint main(void) { return 0; }\n", capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(program.exists())
        done = subprocess.run([MPICC, "-shared", "x.c"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^gossamer-mpicc: -shared: [^\n]+\n$")
        done = subprocess.run([MPICC, "--show", "-DTEXT=\"it's a b\"", "-c", "x.c"], capture_output=True, text=True, check=False)
        self.assertIn("-DTEXT=\"it's a b\"", shlex.split(done.stdout))

    def test_what_is_not_here_is_refused_by_name(self):
        source = pathlib.Path(folder.name) / "refused.c"
        for text, name in (("MPI_Comm other; MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &other);", "MPI_Comm_split"),
                           ("MPI_Win w;", "MPI_Win"),
                           ("MPI_Allreduce(0, 0, 0, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);", "MPI_MINLOC"),
                           ("pthread_rwlock_rdlock(0);", "pthread_rwlock_rdlock"),
                           ("sem_t s; sem_wait(&s);", "sem_wait"),
                           ("pthread_cleanup_push(0, 0); pthread_cleanup_pop(0);", "pthread_cleanup_push")):
            source.write_text(f"#include <mpi.h>\n#include <pthread.h>\n#include <semaphore.h>\nint main(void) {{ {text} return 0; }}\n")
            done = subprocess.run([MPICC, "-include", "gossamer/threads.h", source, "-o", source.with_suffix("")],
                                  capture_output=True, text=True, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(name, done.stderr)

    def test_simulation_is_refused(self):
        done = subprocess.run([compiled("messages.c"), "1"], env={**launching.CLEAN, "GOSSAMER_SIMULATE": "processes=2"},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertTrue(re.fullmatch(r"error: GOSSAMER_SIMULATE: [^\n]+\n", done.stderr), done.stderr)


if __name__ == "__main__":
    print(f"seed {SEED}", file=sys.stderr)
    unittest.main(verbosity=2)
