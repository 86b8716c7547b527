#!/usr/bin/env bash
# With -fcf-protection=branch every place where a switch resumes is marked as a target of indirect jumps. Looks at
# the code, since no processor enforces it for programs under Linux today. Skipped (77) on other processors, and under
# sanitizers, which would not reach this code.
set -euo pipefail

[ -z "${GOSSAMER_SANITIZE:-}" ] || { echo "the same with and without a sanitizer"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "not an x86-64"; exit 77; }
code=$("${CXX:-c++}" -std=c++20 -O2 -fcf-protection=branch -I"$GOSSAMER_SOURCE" -S -o - \
  "$GOSSAMER_SOURCE/gossamer/fiber/scheduler.cpp")
switches=$(grep -c 'jmpq \*%rcx' <<<"$code" || true)
marked=$(grep -A 2 'jmpq \*%rcx' <<<"$code" | grep -c endbr64 || true)
echo "$switches switches, $marked marked"
[ "$switches" -gt 0 ] && [ "$marked" -eq "$switches" ]
