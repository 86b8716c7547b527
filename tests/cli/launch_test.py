"""The program under both launchers: run, doctor, one voice, refusals."""
import json
import pathlib
import shutil

from launch_case import LAUNCHERS, MPIS, PROGRAM, LaunchTest
from launching import BUILD, NODE
from program import main


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
                           ("run", "--np", "2", "--mpi", "lam", "doctor"): "openmpi, mpich or node",
                           ("run", "--np", "2", "--cores", "5000", "doctor"): "--cores: expected",
                           ("run", "--np", "300", "--mpi", "node", "doctor"): "at most 256 processes"}.items():
            self.assertIn(why, self.refused(self.start([PROGRAM, *words])))

    def test_a_transport_of_the_environment_is_taken_or_refused(self):
        words = [PROGRAM, "run", "--np", "2", "uts", "-d", "3", "--json", "--quiet"]
        message = self.refused(self.start(words, {"GOSSAMER_TRANSPORT": "bogus"}))
        self.assertIn('GOSSAMER_TRANSPORT: expected a path, none, or a plugin', message)
        many = self.refused(self.start([PROGRAM, "run", "--np", "300", "uts", "T1"], {"GOSSAMER_TRANSPORT": "none"}))
        self.assertIn("at most 256 processes", many)
        apart = self.well(self.start(words, {"GOSSAMER_TRANSPORT": "none"})).splitlines()
        self.assertEqual([json.loads(line)["processes"] for line in apart], [1, 1])

    def test_closed_standard_streams_stay_closed(self):
        bfs = [PROGRAM, "run", "--np", "2", "--mpi", "node", "bfs", "kron:8", "--source", "1", "--quiet"]
        code, _, errors, _ = self.start(["sh", "-c", 'exec "$@" <&- >&-', "sh", *bfs]).end()
        self.assertEqual(code, 2, errors)
        self.assertRegex(errors, r"\Aerror: cannot write to standard output[^\n]*\n\Z")
        self.well(self.start(["sh", "-c", 'exec "$@" <&- 2>&-', "sh", *bfs]))

    def test_few_open_files_are_enough(self):
        self.well(self.start(["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh", PROGRAM, "run", "--np", "2", "--mpi", "node", "uts", "-d", "3"]))

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


class ElsewhereTest(LaunchTest):
    def alone(self, **plugins):
        """The program where there are no plugins but the node's, and files under these names."""
        for folder in ("bin", "lib/gossamer"):
            (self.folder / folder).mkdir(parents=True)
        shutil.copy(NODE.plugin, self.folder / "lib/gossamer")
        for name, file in plugins.items():
            shutil.copy(file, self.folder / f"lib/gossamer/libgossamer-transport-{name.replace('_', '-')}.so")
        return shutil.copy(PROGRAM, self.folder / "bin")


class Launchers(ElsewhereTest):
    """What is told of launchers by the variables that they leave, and by their names."""

    def test_that_say_not_how_many_they_started_are_refused_by_their_variables(self):
        program = self.alone()
        for signs in ({"PMIX_RANK": "0", "PRTE_LAUNCHED": "1"}, {"ALPS_APP_PE": "0"}, {"PMI_RANK": "0", "PMI_SIZE": "none"}):
            message = self.refused(self.start([program, "components", "kron:5"], signs))
            seen = ", ".join(f"{name}={value}" for name, value in signs.items())
            self.assertIn(f"started this process, and {seen} say not of how many, but no transport plugin for", message)
            job = self.start([program, "components", "kron:5"], {**signs, "GOSSAMER_TRANSPORT": "none"})
            self.assertEqual(job.end()[0], 0)

    def test_whose_mpi_knows_of_no_other_process_are_refused(self):
        for launcher in self.each([launcher for launcher in MPIS if launcher.mpi == "mpich"]):
            message = self.refused(self.start([PROGRAM, "components", "kron:5"], {"ALPS_APP_PE": "0"}))
            self.assertRegex(message, r"ALPS_APP_PE=0 say not of how many, but .* \(plugin mpich\) knows of 1: start with mpirun or mpiexec")

    def test_a_plugin_for_every_mpi_is_of_one_of_them(self):
        mpis = {launcher.mpi: launcher for launcher in MPIS}
        if len(mpis) < 2:
            self.skipTest("one MPI only")
        program = self.alone(mpi_abi=mpis["mpich"].plugin)
        answer = json.loads(self.well(self.start([program, "run", "--np", "2", "--mpi", "mpich", "components", "kron:8", "--json"])))
        self.assertEqual(answer["processes"], 2)
        message = self.refused(self.start(mpis["openmpi"].command(2, program, "components", "kron:8")))
        self.assertRegex(message, r"started 2 processes, but MPICH \S+ .* \(plugin mpi-abi\) is another MPI than the launcher's")
        message = self.refused(self.start([program, "run", "--np", "2", "--mpi", "openmpi", "doctor"]))
        self.assertIn("openmpi has a launcher here", message)

    def test_the_first_plugin_that_loads_is_taken(self):
        """A wheel has plugins for MPIs that are not here."""
        for launcher in self.each([launcher for launcher in MPIS if launcher.mpi == "mpich"]):
            program = self.alone(mpi_abi=launcher.plugin)
            broken = self.folder / "lib/gossamer/libgossamer-transport-mpich.so"
            broken.write_text("no library\n")
            for command in (launcher.command(2, program), [program, "run", "--np", "2", "--mpi", "mpich"]):
                self.assertEqual(json.loads(self.well(self.start([*command, "components", "kron:8", "--json"])))["processes"], 2)
            (self.folder / "lib/gossamer/libgossamer-transport-mpi-abi.so").write_text("neither\n")
            message = self.refused(self.start(launcher.command(2, program, "components", "kron:8")))
            self.assertRegex(message, r"started 2 processes, but cannot load \S+-mpich.so: .*, and cannot load \S+-mpi-abi.so: .*: install that MPI")

    def test_the_plugin_for_every_mpi_needs_one(self):
        """It is built without any, and names the library of the standard."""
        message = self.refused(self.start([self.alone(mpi_abi=BUILD / "lib/gossamer/libgossamer-transport-mpi-abi.so"), "components", "kron:5"],
                                          {"ALPS_APP_PE": "0", "LD_LIBRARY_PATH": "/nowhere"}))
        self.assertRegex(message, r"but cannot load \S+: libmpi_abi\.so\.1: .*install that MPI, or name the folder of its library by LD_LIBRARY_PATH")

    def test_is_the_first_in_path(self):
        """An environment of Python goes before the system's MPI, whose launchers have names of their own."""
        for name, says, mpi in (("mpirun", "mpirun (Open MPI) 5.0", "openmpi"), ("mpiexec", "Intel(R) MPI Library", "mpich")):
            file = self.folder / name
            file.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "{says}"\n')
            file.chmod(0o755)
            system = self.folder / "system"
            system.mkdir(exist_ok=True)
            (system / "mpiexec.mpich").symlink_to("/bin/true")
            for folders, expected in (((self.folder, system), str(file)), ((system, self.folder), str(system / "mpiexec.mpich"))):
                found = json.loads(self.well(self.start([PROGRAM, "doctor", "--json"], {"PATH": ":".join(map(str, folders))})))["transports"]
                self.assertEqual(found[f"launcher_{mpi}"], expected if mpi == "mpich" else str(file))
            (system / "mpiexec.mpich").unlink()

    def test_of_open_mpi_is_mpirun(self):
        for launcher in self.each([launcher for launcher in MPIS if launcher.mpi == "openmpi"]):
            for name, says in {"prterun": "prterun (PRRTE) 3", "mpirun": "mpirun (Open MPI) 5.0"}.items():
                file = self.folder / name
                file.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "{says}" || echo "{name} $*"\n')
                file.chmod(0o755)
            job = self.start([PROGRAM, "run", "--np", "2", "--mpi", launcher.mpi, "doctor"], {"PATH": str(self.folder)})
            self.assertRegex(self.well(job), r"\Ampirun -n 2 ")


class WithoutMpi(ElsewhereTest):
    """gossamer run --mpi node."""

    def test_is_what_runs_where_there_is_none(self):
        job = self.start([self.alone(), "run", "--np", "3", "components", "kron:10", "--json"], {"PATH": "/nowhere"})
        self.assertEqual(json.loads(self.well(job))["processes"], 3)

    def test_is_the_default_on_one_machine(self):
        """Whatever MPI is here. A list of hosts has an MPI's launcher taken, where there is one."""
        words = [PROGRAM, "run", "--np", "2", "doctor"]
        self.assertIn("memory of the node (no MPI)", self.well(self.start(words)))
        hosts = self.folder / "hosts"
        hosts.write_text("localhost\n")
        text = self.well(self.start(words, {"HYDRA_HOST_FILE": str(hosts)}))
        self.assertEqual("memory of the node (no MPI)" in text, not MPIS, text)
        self.assertIn("memory of the node (no MPI)", self.well(self.start([self.alone(), *words[1:]], {"PBS_JOBID": "7", "PATH": "/nowhere"})))

    def test_is_not_for_other_launchers(self):
        message = self.refused(self.start([self.alone(), "components", "kron:5"], {"FLUX_JOB_SIZE": "2", "FLUX_TASK_RANK": "0"}))
        self.assertRegex(message, "flux run started 2 processes, but no transport plugin was found")

    def test_programs_of_a_process_are_told_apart(self):
        """One process runs a second program: it is no process of the job, and its memory is not taken."""
        twice = f"{PROGRAM} uts T1 -q --json >/dev/null && {PROGRAM} uts T1 --json"
        self.assertIn("GOSSAMER_TRANSPORT=none", self.refused(self.launched(NODE, 2, "-c", twice, program="/bin/sh")))
        job = self.launched(NODE, 2, "-c", f"{PROGRAM} uts T1 -q --json >/dev/null && GOSSAMER_TRANSPORT=none {PROGRAM} uts T1 --json",
                            program="/bin/sh")
        answers = [json.loads(line) for line in self.well(job).splitlines()]
        self.assertEqual([(a["processes"], a["nodes"]) for a in answers], [(1, 4130071)] * 2)

    def test_a_process_that_never_joins_ends_the_job(self):
        one = f'[ "$GSRUN_RANK" = 1 ] || exec {PROGRAM} uts T1'
        code, _, errors, _ = self.launched(NODE, 3, "-c", one, program="/bin/sh").end()
        self.assertEqual(code, 1, errors)
        self.assertRegex(errors, r"\Aerror: process 1 \(pid \d+ on \S+\) has ended before it joined the others\n(gossamer: interrupted\n)?\Z")

    def test_a_signal_that_is_ignored_stays_so(self):
        job = self.start(["/bin/sh", "-c", f"trap '' HUP; exec {PROGRAM} run --mpi node --np 2 /bin/sh -c 'kill -HUP $PPID; exit 3'"])
        self.assertEqual(job.end()[0], 3)

    def test_the_first_failure_counts(self):
        job = self.launched(NODE, 4, "-c", 'if [ "$GSRUN_RANK" = 2 ]; then exit 7; else exec sleep 100; fi', program="/bin/sh")
        self.assertEqual(job.end()[0], 7)


class Doctor(LaunchTest):
    def test_shows_the_job(self):
        for launcher in self.each():
            job = json.loads(self.well(self.launched(launcher, 2, "doctor", "--json")))["job"]
            self.assertEqual(job["processes"], "2")
            self.assertIn({"openmpi": "Open MPI", "mpich": "MPICH", "node": "memory of the node"}[launcher.mpi], job["mpi"])
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
            if launcher.is_mpi():
                self.assertIn(f"launcher_{launcher.mpi}", found["transports"])

    def test_a_batch_script_without_srun_starts_no_mpi(self):
        slurm = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_NPROCS": "4"}
        found = json.loads(self.run_program("doctor", "--json", env=slurm).stdout)
        self.assertEqual(found["job"], {"processes": "1 (no launcher)"})

    def test_prints_the_rest_where_the_processes_do_not_meet(self):
        flux = {"FLUX_JOB_SIZE": "2", "FLUX_TASK_RANK": "0", "GOSSAMER_TRANSPORT": "lam"}
        done = self.run_program("doctor", "--json", env=flux)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), r'\Aerror: GOSSAMER_TRANSPORT: .*found "lam".*\n\Z')
        found = json.loads(done.stdout)
        self.assertIn('found "lam"', found["job"]["problem"])
        self.assertIn("processors", found)
        self.assertIn("plugin_node", found["transports"])

    def test_srun_without_mpi_is_told_what_to_do(self):
        if not MPIS:
            self.skipTest("no MPI")
        slurm = {"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0", "GOSSAMER_TRANSPORT": MPIS[-1].mpi}
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
        for launcher in self.each(MPIS):
            words = launcher.with_another_first(2, *(f"{PROGRAM} components kron:{scale}" for scale in (5, 6)))
            self.assertRegex(self.refused(self.start(words)),
                             r"process 1 \(pid \d+ on \S+\) was started with other arguments than process 0")

    def test_of_the_wrong_mpi(self):
        if len(MPIS) < 2:
            self.skipTest("one MPI only")
        for launcher, other in (MPIS, MPIS[::-1]):
            # Without TCP a thread of Open MPI outlives its end.
            for more in ({}, {"OMPI_MCA_btl": "^tcp"}):
                job = self.launched(launcher, 2, "components", "kron:5", env={"GOSSAMER_TRANSPORT": other.mpi, **more})
                self.assertIn(f"set GOSSAMER_TRANSPORT={launcher.mpi}", self.refused(job))


if __name__ == "__main__":
    main()
