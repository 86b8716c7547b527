#!/usr/bin/env bash
# The fibers on the other processor: cross-compiles base, machine, fiber and the fiber tests that need
# nothing else for AArch64, and runs them under qemu-user. Then the bare switch with branch target identification.
# Skipped (77) where the compiler or qemu is not there, and under sanitizers, which would not reach this build.
set -euo pipefail

[ -z "${GOSSAMER_SANITIZE:-}" ] || { echo "the same with and without a sanitizer"; exit 77; }

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
flags=(-std=c++20 -O1 -Wall -Wextra -DGOSSAMER_CHECKS=1 -DFMT_HEADER_ONLY -DGOSSAMER_VERSION='"0"'
  -I"$root" -I"$root/tests" -isystem "$folder/include" -isystem "$googletest/include" -isystem "$googletest")

# Sources of a folder are compiled eight at once, as in ordinary builds (cmake/GossamerUnity.cmake).
units=("$googletest/src/gtest-all.cc" "$googletest/src/gtest_main.cc"
  "$root/gossamer/fiber/scheduler_test.cpp" "$root/gossamer/fiber/internal/wake_bits_test.cpp")
for layer in base machine fiber; do
  # Two of machine need libraries.
  find "$root/gossamer/$layer" -name '*.cpp' ! -name '*_test.cpp' ! -name '*_bench.cpp' ! -name topology.cpp \
    ! -name environment.cpp -printf '#include "%p"\n' | sort >"$folder/$layer.list"
  rm -f "$folder/${layer}"_unit_*.cpp
  split -l 8 --additional-suffix=.cpp "$folder/$layer.list" "$folder/${layer}_unit_"
  units+=("$folder/${layer}"_unit_*.cpp)
done

objects=()
for unit in "${units[@]}"; do objects+=("$folder/$(basename "${unit%.*}").o"); done
export compiler folder
printf '%s\n' "${units[@]}" | xargs -P 2 -I{} bash -c '
  object=$folder/$(basename "${1%.*}").o
  [ -e "$object" ] && [ -z "$(find "$0/gossamer" -newer "$object" -print -quit)" ] && exit 0
  exec "$compiler" "${@:2}" -c "$1" -o "$object"' "$root" {} "${flags[@]}"
"$compiler" -static "${objects[@]}" -o "$folder/fiber_tests" -lpthread
# qemu's own address space is larger than the fault handler expects of a stack overflow: death tests stay out.
qemu-aarch64 "$folder/fiber_tests" --gtest_filter='-*DeathTest*'

# Not the whole of the tests: the C library of Debian has no landing pads.
"$compiler" "${flags[@]}" -mbranch-protection=standard -nostdlib -static -Wl,-z,force-bti \
  "$root/tests/fiber/jump_targets.cpp" -o "$folder/jump_targets"
qemu-aarch64 -cpu max "$folder/jump_targets" || { echo "a switch jumps to a place that is no jump target"; exit 1; }
