#!/usr/bin/env bash
# Installs this build into an empty folder, builds tests/package/consumer against nothing but that,
# runs it, and looks that no path and no processor of this build got into the package.
set -euo pipefail
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
fail() { echo "failed: $1"; exit 1; }

cmake --install "$GOSSAMER_BUILD" --prefix "$stage/usr" >/dev/null
archive=$(find "$stage/usr" -name libgossamer.a)
package=$(find "$stage/usr" -type d -path '*cmake/gossamer')
[ -s "$archive" ] || fail "no libgossamer.a"
[ -s "$package/gossamerConfig.cmake" ] || fail "no gossamerConfig.cmake"
if [ -n "${GOSSAMER_PROGRAM:-}" ]; then
  "$stage/usr/bin/gossamer" --help >/dev/null || fail "the installed program does not run"
fi
if grep -rnE -- "-march|-fsanitize|$GOSSAMER_SOURCE|$GOSSAMER_BUILD" "$package"; then
  fail "the package carries flags or paths of this build"
fi

cmake -G Ninja -S "$GOSSAMER_SOURCE/tests/package/consumer" -B "$stage/build" \
  -DCMAKE_PREFIX_PATH="$stage/usr" -DCMAKE_CXX_COMPILER="$CXX" >"$stage/log" 2>&1 || { cat "$stage/log"; fail "configuring"; }
cmake --build "$stage/build" >"$stage/log" 2>&1 || { cat "$stage/log"; fail "building"; }
answer=$("$stage/build/consumer")
[ "$answer" = 4999950000 ] || fail "the program said $answer, not 4999950000"
echo "ok"
