"""The program under both launchers: run, doctor, one voice, refusals, and processes killed at random moments."""
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import Job, LAUNCHERS, TOLD_BY_MPI, WITHIN_S, children, leftovers  # noqa: E402
from program import PROGRAM, ProgramTest, main  # noqa: E402

SEED = int(os.environ.get("GOSSAMER_TEST_SEED", random.randrange(1 << 30)))
KILLS = int(os.environ.get("GOSSAMER_TEST_KILLS", 10))

if not LAUNCHERS or os.environ.get("GOSSAMER_SANITIZE"):
    print("no MPI, or a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)


class LaunchTest(ProgramTest):
    def each(self):
        for launcher in LAUNCHERS:
            with self.subTest(mpi=launcher.mpi):
                yield launcher

    def start(self, command, env=None):
        job = Job(command, {"GOSSAMER_CORES": "1", **(env or {})}, self.folder)
        self.addCleanup(lambda: job.process.poll() is not None or os.killpg(job.process.pid, signal.SIGKILL))
        return job

    def launched(self, launcher, processes, *words, env=None):
        return self.start(launcher.command(processes, PROGRAM, *words), env)

    def well(self, job, timeout=120):
        code, out, errors, _ = job.end(timeout)
        self.assertEqual(code, 0, errors)
        return out

    def refused(self, job):
        """One line, however many processes; exit code 2; nothing on standard output."""
        code, out, errors, _ = job.end()
        lines = re.findall(r"^error: .*$", errors, re.M)
        self.assertEqual((code, out, len(lines)), (2, "", 1), errors)
        return lines[0]


class Running(LaunchTest):
    def test_gives_the_answer_of_one_process(self):
        alone = json.loads(self.run_program("components", "kron:10", "--json", "--quiet").stdout)
        for launcher in self.each():
            for job in (self.start([PROGRAM, "run", "--np", "2", "--mpi", launcher.mpi, "components", "kron:10", "--json"]),
                        self.launched(launcher, 2, "components", "kron:10", "--json")):
                answer = json.loads(self.well(job))
                for key in ("vertices", "edges", "components", "largest"):
                    self.assertEqual(answer[key], alone[key], key)

    def test_two_hops_give_the_same_and_say_what_they_save(self):
        alone = json.loads(self.run_program("bfs", "kron:10", "--source", "0", "--verify", "--json", "--quiet").stdout)
        for launcher in self.each():
            job = self.launched(launcher, 5, "bfs", "kron:10", "--source", "0", "--verify", "--json", "--quiet", "--stats",
                                env={"GOSSAMER_ROUTES": "grid"})
            answer = json.loads(self.well(job))
            self.assertEqual(answer["reached"], alone["reached"])
            stats = answer["stats"]
            self.assertEqual((stats["routes"], stats["neighbours"]), ("grid", 3))
            self.assertGreater(stats["buffer_bytes"], 0)
            self.assertGreater(stats["buffer_bytes_direct"], 0)

    def test_cores_are_per_process(self):
        for launcher in self.each():
            out = self.well(self.start([PROGRAM, "run", "--np", "2", "--cores", "2", "--mpi", launcher.mpi, "uts", "T1",
                                        "--json"], {"GOSSAMER_CORES": ""}))
            answer = json.loads(out)
            self.assertEqual((answer["processes"], answer["cores"], answer["nodes"]), (2, 4, 4130071))

    def test_starts_programs_that_are_no_commands(self):
        (pathlib.Path(self.folder) / "mine").symlink_to(PROGRAM)
        for launcher in self.each():
            job = self.start([PROGRAM, "run", "--np", "2", "--mpi", launcher.mpi, "./mine", "uts", "T1", "--json"])
            answer = json.loads(self.well(job))
            self.assertEqual((answer["processes"], answer["nodes"]), (2, 4130071))
        self.assertIn("(a program here: ./mine)", self.refused(self.start([PROGRAM, "run", "--np", "2", "mine"])))

    def test_slips_are_told_before_anything_starts(self):
        for words, why in {("run",): "--np", ("run", "--np", "2"): "expected a command",
                           ("run", "--np", "0", "doctor"): "--np", ("run", "--np", "2", "bfs", "kron:5"): "--source",
                           ("run", "--np", "2", "nonsense"): 'expected a command of gossamer or a program, found "nonsense"',
                           ("run", "--np", "2", "./nonsense"): 'found "./nonsense"', ("run", "--np", "2", "bench"): "bench",
                           ("run", "--np", "2", "--mpi", "lam", "doctor"): "openmpi or mpich"}.items():
            self.assertIn(why, self.refused(self.start([PROGRAM, *words])))

    def test_an_mpi_without_launcher_is_named(self):
        message = self.refused(self.start([PROGRAM, "run", "--np", "2", "--mpi", "mpich", "doctor"], {"PATH": "/nowhere"}))
        self.assertIn("expected the launcher of mpich in PATH", message)

    def test_output_files_are_written_once(self):
        for launcher in self.each():
            self.well(self.launched(launcher, 3, "components", "kron:8", "--output", "parts.tsv"))
            self.assertEqual(self.names(), ["parts.tsv"])
            rows = (self.folder / "parts.tsv").read_text().splitlines()
            self.assertEqual((rows[0], len(rows)), ("vertex\tcomponent", 257))

    def test_two_jobs_at_once(self):
        for launcher in self.each():
            folders = [self.folder / f"{launcher.mpi}{i}" for i in range(2)]  # two Open MPIs may not both make the folder of a user
            for folder in folders:
                folder.mkdir()
            jobs = [self.launched(launcher, 2, "components", "kron:12", "--json", "--output", f"{folder.name}.tsv",
                                  env={"TMPDIR": str(folder)}) for folder in folders]
            answers = [json.loads(self.well(job)) for job in jobs]
            self.assertEqual(answers[0]["components"], answers[1]["components"])


class Doctor(LaunchTest):
    def test_shows_the_job(self):
        for launcher in self.each():
            job = json.loads(self.well(self.launched(launcher, 2, "doctor", "--json")))["job"]
            self.assertEqual(job["processes"], "2")
            self.assertIn({"openmpi": "Open MPI", "mpich": "MPICH"}[launcher.mpi], job["mpi"])
            self.assertEqual(job["plugin"], str(launcher.plugin.resolve()))
            for p in range(2):
                self.assertRegex(job[f"process_{p}"], r"^\S+, pid \d+, processors? [\d -]+ \(")

    def test_processes_of_a_node_share_its_memory(self):
        def available(text):
            number, unit = json.loads(text)["memory"]["available"].split()
            return float(number) * {"MiB": 1, "GiB": 1024}[unit]

        alone = available(self.run_program("doctor", "--json").stdout)
        for launcher in self.each():
            self.assertLess(available(self.well(self.launched(launcher, 2, "doctor", "--json"))), 0.7 * alone)

    def test_lists_plugins_and_launchers_without_one(self):
        found = json.loads(self.run_program("doctor", "--json").stdout)
        self.assertEqual(found["job"]["processes"], "1 (no launcher)")
        for launcher in LAUNCHERS:
            self.assertIn(str(launcher.plugin.resolve()), found["transports"][f"plugin_{launcher.mpi}"])
            self.assertIn(f"launcher_{launcher.mpi}", found["transports"])

    def test_a_batch_script_without_srun_starts_no_mpi(self):
        slurm = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_NPROCS": "4"}
        found = json.loads(self.run_program("doctor", "--json", env=slurm).stdout)
        self.assertEqual(found["job"], {"processes": "1 (no launcher)"})

    def test_srun_without_mpi_is_told_what_to_do(self):
        slurm = {"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0", "GOSSAMER_TRANSPORT": LAUNCHERS[-1].mpi}
        message = self.run_program("doctor", env=slurm).stderr.decode()
        self.assertRegex(message, r"\Aerror: srun started 4 processes, but .* knows of 1: try srun --mpi=")


class Refusals(LaunchTest):
    def test_are_told_once(self):
        for launcher in self.each():
            for words in (["bfs", "kron:5"], ["bfs", "nothere.tsv", "--source", "1"], ["nonsense"], ["bench"],
                          ["components", "kron:5", "--output", "no/such/folder.tsv"],
                          ["bfs", "kron:5", "--source", "12345678"]):
                with self.subTest(words=words):
                    self.refused(self.launched(launcher, 3, *words))

    def test_of_other_options(self):
        for launcher in self.each():
            words = launcher.command(1, PROGRAM, "components", "kron:5") + [
                ":", "-n", "1", PROGRAM, "components", "kron:6"]
            self.assertRegex(self.refused(self.start(words)),
                             r"process 1 \(pid \d+ on \S+\) was started with other arguments than process 0")

    def test_of_the_wrong_mpi(self):
        if len(LAUNCHERS) < 2:
            self.skipTest("one MPI only")
        for launcher, other in (LAUNCHERS, LAUNCHERS[::-1]):
            job = self.launched(launcher, 2, "components", "kron:5", env={"GOSSAMER_TRANSPORT": other.mpi})
            self.assertIn(f"set GOSSAMER_TRANSPORT={launcher.mpi}", self.refused(job))


class Kills(LaunchTest):
    """At any moment: start, load, run, collective, finish."""

    def processes_of(self, job):
        while job.process.poll() is None:
            found = [pid for pid, words in children(job.process.pid).items() if words[0] == PROGRAM.encode()]
            if len(found) >= 2:
                return found
            time.sleep(0.002)
        return []

    def parent_of(self, pid):
        try:
            return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return None

    def one(self, launcher, draw, words, longest):
        job = self.launched(launcher, 2, *words, "--output", "out.tsv")
        moment = draw.random() * longest
        victims = self.processes_of(job)
        time.sleep(moment)
        victims = [v for v in victims if v in children(job.process.pid)]
        if victims:
            try:
                os.kill(draw.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                pass
        code, _, errors, seconds = job.end()
        self.assertLess(seconds, WITHIN_S if victims else 60, errors)
        lines = re.findall(r"^error: .*$", errors, re.M)
        if code == 0:  # it had finished before
            self.assertEqual(lines, [], errors)
            self.assertEqual(self.names(), ["out.tsv"])
            self.assertEqual(len((self.folder / "out.tsv").read_text().splitlines()), 1 + (1 << 14))
        elif victims and not lines:  # before main(): only the launcher can know
            self.assertRegex(errors, TOLD_BY_MPI)
            self.assertLess(moment, 0.5, errors)
        elif victims:
            self.assertEqual(len(lines), 1, errors)
            self.assertRegex(lines[0], r"process \d \(pid \d+ on \S+\) was lost")
        for name in self.names():
            self.assertEqual(name, "out.tsv")
            (self.folder / name).unlink()

    def test_end_the_job_everywhere_in_time_with_one_line(self):
        print(f"seed {SEED}", file=sys.stderr)
        draw = random.Random(SEED)
        before = leftovers()
        commands = [(["bfs", "kron:14", "--trials", "200"], 3.0), (["pagerank", "kron:14"], 1.5),
                    (["components", "kron:14"], 1.0)]
        for round_ in range(KILLS):
            for launcher in self.each():
                words, longest = draw.choice(commands)
                with self.subTest(seed=SEED, round=round_, words=words):
                    self.one(launcher, draw, words, longest)
        until = time.monotonic() + 10
        while leftovers() - before and time.monotonic() < until:
            time.sleep(0.1)
        self.assertEqual(leftovers() - before, set())

    def test_a_stopped_process_is_reported(self):
        for launcher in self.each():
            job = self.launched(launcher, 2, "bfs", "kron:14", "--trials", "100000", env={"GOSSAMER_PEER_TIMEOUT_S": "1"})
            self.processes_of(job)
            time.sleep(1)
            os.kill(max(self.processes_of(job)), signal.SIGSTOP)
            code, _, errors, seconds = job.end()
            self.assertNotEqual(code, 0)
            self.assertLess(seconds, 2 + WITHIN_S, errors)
            self.assertRegex(errors, r"(?m)^error: process \d \(pid \d+ on \S+\) has not answered for 1 s")

    def test_a_process_stopped_at_the_start_is_reported(self):
        """As soon as there is one, so before it knows the others, or has begun main() at all."""
        for launcher in self.each():
            for later in (0, 0.1):
                job = self.launched(launcher, 2, "bfs", "kron:14", "--trials", "100000", env={"GOSSAMER_PEER_TIMEOUT_S": "1"})
                started = self.processes_of(job)
                victim = max(pid for pid in started if self.parent_of(pid) not in started)  # not one that becomes a watch
                time.sleep(later)
                os.kill(victim, signal.SIGSTOP)
                code, _, errors, seconds = job.end()
                self.assertNotEqual(code, 0)
                self.assertLess(seconds, 2 + WITHIN_S, errors)
                self.assertEqual(len(re.findall("(?m)^error: ", errors)), 1, errors)
                self.assertRegex(errors, rf"(?m)^error: process \d \(pid {victim} on \S+\) has not answered for 1 s")

    def test_a_silent_process_of_another_node_is_reported(self):
        """Process numbers of their own are what a node is known by here; MPICH only: Open MPI's shared memory uses
        process numbers."""
        apart = ["unshare", "--pid", "--fork", "--mount-proc"]
        if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
            self.skipTest("may not give processes numbers of their own")
        for launcher in self.each():
            if launcher.mpi != "mpich":
                continue
            for silent in ("0", "1"):
                env = {"GOSSAMER_PEER_TIMEOUT_S": "1", "GOSSAMER_CORES": "1"}
                job = self.start(launcher.command(2, *apart, PROGRAM, "bfs", "kron:14", "--trials", "100000"), env)
                self.processes_of(job)
                time.sleep(1)
                victim = {name.endswith(b"1"): pid for pid, name in self.ranks(job).items()}[silent == "1"]
                for pid in (self.parent_of(victim), victim):  # the parent would continue it
                    os.kill(pid, signal.SIGSTOP)
                code, _, errors, seconds = job.end()
                self.assertNotEqual(code, 0)
                self.assertLess(seconds, 2 + WITHIN_S, errors)
                self.assertRegex(errors, rf"(?m)^error: process {silent} \(pid \d+ on \S+\) has not answered for 1 s$")

    def ranks(self, job):
        """{pid: its PMI_RANK=... word}"""
        found = {}
        for pid in self.processes_of(job):
            words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            found[pid] = next(word for word in words if word.startswith(b"PMI_RANK="))
        return found

    def test_processes_end_with_their_launcher(self):
        for launcher in self.each():
            job = self.launched(launcher, 2, "bfs", "kron:14", "--trials", "100000")
            self.processes_of(job)
            time.sleep(1)
            processes = self.processes_of(job)
            os.kill(self.parent_of(processes[0]), signal.SIGKILL)
            began = time.monotonic()
            code, _, errors, _ = job.end()
            self.assertNotEqual(code, 0)
            while any(pathlib.Path(f"/proc/{pid}/exe").exists() for pid in processes):
                self.assertLess(time.monotonic() - began, WITHIN_S, errors)
                time.sleep(0.01)

    def test_interrupting_the_launcher_leaves_nothing(self):
        for launcher in self.each():
            job = self.launched(launcher, 2, "bfs", "kron:14", "--trials", "100000", "--output", "out.tsv")
            self.processes_of(job)
            time.sleep(1)
            victims = self.processes_of(job)
            job.process.send_signal(signal.SIGINT)
            code, out, errors, seconds = job.end()
            if launcher.mpi != "mpich":  # whose launcher now and then ends with 0 after Ctrl-C
                self.assertNotEqual(code, 0, errors)
            self.assertLess(seconds, WITHIN_S, errors)
            self.assertEqual(self.names(), [], errors)
            self.assertNotIn("reached", out)
            for pid in victims:
                self.assertFalse(pathlib.Path(f"/proc/{pid}/exe").exists())


if __name__ == "__main__":
    main()
