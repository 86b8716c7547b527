"""The program under a real Slurm on two nodes (tools/nodes --slurm): answers by every way to start it, what is refused, scancel. Skipped where there is no Slurm (Debian: slurmctld, slurmd, slurm-client, munge)."""
import json
import re
import subprocess
import sys

from nodes_case import TOOL, left_by  # first: it knows where there are nodes
from launch_case import MPIS, PROGRAM, LaunchTest
from program import main

INTERFACES = {"mpich": "pmi2", "openmpi": "pmix"}
LONG = "bfs kron:14 --trials 1000000 --output long.tsv"
WAIT = "until grep -q 'bfs …' errors; do sleep 0.1; done"  # until the job runs: its progress

tried = subprocess.run([TOOL, "1", "--slurm", "srun", "--mpi=list"], capture_output=True, text=True, check=False)
if not MPIS or tried.returncode != 0:
    print(tried.stderr.strip() or "no MPI", file=sys.stderr)
    sys.exit(77)
OFFERED = tried.stdout + tried.stderr


class SlurmTest(LaunchTest):
    def on_slurm(self, script, timeout=120):
        """Runs a script of bash on the first of two nodes with two processors each; returns what it printed."""
        job = self.start([TOOL, "2", "--slurm", "--slots", "2,2", "/bin/bash", "-c", script])
        code, out, errors, _ = job.end(timeout)
        self.assertEqual((code, left_by(errors)), (0, []), errors)
        return out, errors

    def interfaces(self):
        return [INTERFACES[launcher.mpi] for launcher in MPIS if INTERFACES[launcher.mpi] in OFFERED]


class Jobs(SlurmTest):
    def test_of_every_launcher_have_the_answer_of_one_process(self):
        words = f"{PROGRAM} components kron:10 --json --quiet"
        alone = json.loads(self.run_program("components", "kron:10", "--json", "--quiet").stdout)
        here = [f"srun -n 4 --mpi={interface} {words}" for interface in self.interfaces()]
        here += [f"{launcher.program} {words}" for launcher in MPIS]
        here.append(f"{PROGRAM} run --np 4 {words.partition(' ')[2]}")
        script = "\n".join(["#!/bin/bash", "#SBATCH --nodes=2 --ntasks-per-node=2", *here, words, ""])
        (self.folder / "job").write_text(script)
        self.on_slurm("sbatch --wait -o out job >/dev/null || cat out")
        lines = (self.folder / "out").read_text().splitlines()
        answers = [json.loads(line) for line in lines if line.startswith("{")]
        self.assertEqual([a["processes"] for a in answers], [4] * len(here) + [1], lines)
        for answer in answers:
            self.assertEqual(*({k: a[k] for k in ("vertices", "edges", "components", "largest")} for a in (answer, alone)))

    def test_without_an_interface_are_refused_once(self):
        # Open MPI 4 fills a page instead: there it takes srun for its launcher, whatever that tells.
        for plugin, interface in {launcher.mpi: INTERFACES[launcher.mpi] for launcher in MPIS if launcher.mpi == "mpich"}.items():
            _, errors = self.on_slurm(f"GOSSAMER_TRANSPORT={plugin} srun -n 4 --mpi=none {PROGRAM} components kron:10; [ $? = 2 ]")
            lines = re.findall("^error: .*$", errors, re.M)
            self.assertEqual(len(lines), 1, errors)
            self.assertRegex(lines[0], rf"srun started 4 processes, but .* \(plugin {plugin}\) knows of 1: try srun --mpi={interface}")

    def test_a_step_of_one_process_starts_no_mpi(self):
        out, _ = self.on_slurm(f"srun -n 1 --mpi=none {PROGRAM} doctor --json")
        self.assertEqual(json.loads(out)["job"], {"launcher": "srun", "processes": "1"})

    def test_are_ended_by_scancel(self):
        for interface in self.interfaces():
            # The file of the interface before says that its job runs: it is emptied before this one is waited for.
            script = (f": >errors; srun -n 4 --mpi={interface} {PROGRAM} {LONG} 2>errors & step=$!; {WAIT}; "
                      "scancel $(squeue -h -o %i); wait $step; echo $?; cat errors >&2")
            out, errors = self.on_slurm(script)
            self.assertEqual(out, "143\n")
            self.assertEqual(len(re.findall("^gossamer: interrupted$", errors, re.M)), 1, errors)
            self.assertEqual(re.findall("^error: .*$", errors, re.M), [])
            self.assertEqual([name for name in self.names() if "long" in name], [])


if __name__ == "__main__":
    main()
