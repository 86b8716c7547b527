#!/usr/bin/env bash
# The fibers on the other processor: cross-compiles base, machine, fiber and the fiber tests that need
# nothing else for AArch64, and runs them under qemu-user. Then the bare switch with branch target identification.
# Skipped (77) where the compiler or qemu is not there.
set -euo pipefail

compiler=aarch64-linux-gnu-g++
googletest=/usr/src/googletest/googletest
for needed in "$compiler" qemu-aarch64; do
  command -v "$needed" >/dev/null || { echo "$needed is not installed"; exit 77; }
done
[ -e "$googletest/src/gtest-all.cc" ] || { echo "no sources of GoogleTest"; exit 77; }

root=$GOSSAMER_SOURCE
folder=$GOSSAMER_BUILD/aarch64
mkdir -p "$folder"
# Headers that do not depend on the processor (fmt) are found beside Debian's own.
mkdir -p "$folder/include"
ln -sfn /usr/include/fmt "$folder/include/fmt"
flags=(-std=c++20 -O2 -Wall -Wextra -DGOSSAMER_CHECKS=1 -DFMT_HEADER_ONLY -DGOSSAMER_VERSION='"0"'
  -I"$root" -I"$root/tests" -isystem "$folder/include" -isystem "$googletest/include" -isystem "$googletest")

sources=("$googletest/src/gtest-all.cc" "$googletest/src/gtest_main.cc")
sources+=($(find "$root"/gossamer/base "$root"/gossamer/fiber -name '*.cpp' ! -name '*_test.cpp' ! -name '*_bench.cpp'))
for source in $(find "$root"/gossamer/machine -name '*.cpp' ! -name '*_test.cpp' ! -name '*_bench.cpp'); do
  case $source in */topology.cpp | */environment.cpp) ;; *) sources+=("$source") ;; esac  # they need libraries
done
sources+=("$root/gossamer/fiber/scheduler_test.cpp" "$root/gossamer/fiber/internal/wake_bits_test.cpp")

objects=()
for source in "${sources[@]}"; do objects+=("$folder/$(basename "${source%.*}").o"); done
export compiler folder
printf '%s\n' "${sources[@]}" | xargs -P 2 -I{} bash -c '
  object=$folder/$(basename "${1%.*}").o
  [ "$object" -nt "$1" ] && [ -z "$(find "$0/gossamer" -newer "$object" -print -quit)" ] && exit 0
  exec "$compiler" "${@:2}" -c "$1" -o "$object"' "$root" {} "${flags[@]}"
"$compiler" -static "${objects[@]}" -o "$folder/fiber_tests" -lpthread
# qemu's own address space is larger than the fault handler expects of a stack overflow: death tests stay out.
qemu-aarch64 "$folder/fiber_tests" --gtest_filter='-*DeathTest*'

# Not the whole of the tests: the C library of Debian has no landing pads.
"$compiler" "${flags[@]}" -mbranch-protection=standard -nostdlib -static -Wl,-z,force-bti \
  "$root/tests/fiber/jump_targets.cpp" -o "$folder/jump_targets"
qemu-aarch64 -cpu max "$folder/jump_targets" || { echo "a switch jumps to a place that is no jump target"; exit 1; }
