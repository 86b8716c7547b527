"""Runs processes_tests over PROCESSES x CORES by one MPI: on_topology.py MPI PROCESSES CORES [VARIABLE=VALUE...]

With more variables they are set for the job: few packets, small ones. 77: that MPI is not here."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from launching import BUILD, Job, LAUNCHERS  # noqa: E402

mpi, processes, cores, *settings = sys.argv[1:]
launcher = next((one for one in LAUNCHERS if one.mpi == mpi), None)
if launcher is None:
    print(f"no {mpi} here", file=sys.stderr)
    sys.exit(77)

environment = {"GOSSAMER_CORES": cores, "GOSSAMER_TRANSPORT": str(launcher.plugin)}
environment.update(setting.split("=", 1) for setting in settings)
job = Job(launcher.command(int(processes), BUILD / "bin" / "processes_tests", "--gtest_brief=1"), environment)
code, out, errors, seconds = job.end(timeout=280)
print(out, errors, sep="\n", file=sys.stderr if code else sys.stdout)
print(f"{processes} x {cores} by {mpi}: {seconds:.1f} s")
sys.exit(1 if code else 0)
