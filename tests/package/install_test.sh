#!/usr/bin/env bash
# Installs this build into an empty folder, builds tests/package/consumer against nothing but that,
# moved after the installation: runs it, alone and under launchers, has mistakes found, and looks
# that no path and no processor of this build got into the package.
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
# What `make package` makes its relocatable archive of: the program takes the libraries that come along, and so do those.
if [ -n "${GOSSAMER_PROGRAM:-}" ] && [ -z "${GOSSAMER_SANITIZE:-}" ]; then
  for component in program bundle; do
    cmake --install "$GOSSAMER_BUILD" --prefix "$stage/archive" --component "$component" >"$stage/log" 2>&1 ||
      { cat "$stage/log"; fail "installing the component $component"; }
  done
  mv "$stage/archive" "$stage/elsewhere"
  "$stage/elsewhere/bin/gossamer" components kron:8 >/dev/null || fail "the program of the archive does not run"
  taken=$(ldd "$stage/elsewhere/bin/gossamer" | grep -v "$stage/elsewhere" | grep -oE '^[[:space:]]*[^ ]+' | tr -d '[:blank:]' |
    grep -vE '^(linux-vdso|/lib|lib(stdc\+\+|m|gcc_s|c)\.so)' || true)
  [ -z "$taken" ] || fail "the archive lacks $taken"
  [ -s "$stage/elsewhere/share/doc/gossamer/licences/libhwloc15.txt" ] || fail "the archive has no licence of hwloc"
fi
flags='-march|-fsanitize=[a-z]'
[ -z "${GOSSAMER_SANITIZE:-}" ] || flags='-march'
if grep -rnE -- "$flags|$GOSSAMER_SOURCE|$GOSSAMER_BUILD" "$package"; then
  fail "the package carries flags or paths of this build"
fi
# As of a library without checks, moved after it was installed.
sed -i 's/GOSSAMER_CHECKS=1;\?//' "$package/gossamerTargets.cmake"
mv "$stage/usr" "$stage/moved"
package=${package/"$stage/usr"/"$stage/moved"}

configure() {  # FOLDER OPTIONS...
  cmake -G Ninja -S "$GOSSAMER_SOURCE/tests/package/consumer" -B "$stage/$1" \
    -DCMAKE_PREFIX_PATH="$stage/moved" -DCMAKE_CXX_COMPILER="$CXX" "${@:2}" >"$stage/log" 2>&1
}
build() {  # FOLDER TARGET
  cmake --build "$stage/$1" --target "$2" >"$stage/log" 2>&1 || { cat "$stage/log"; fail "building $2"; }
}
export GOSSAMER_CORES=2
configure build || { cat "$stage/log"; fail "configuring"; }
grep -q "CMAKE_BUILD_TYPE is not set" "$stage/log" || { cat "$stage/log"; fail "nothing is said where no configuration is named"; }
grep -A1 "FLAGS = .*-O2" "$stage/build/build.ninja" | grep -q . || fail "a program without a configuration is not optimised"
build build consumer
build build behind_library
answer=$("$stage/build/consumer")
[ "$answer" = 4999950000 ] || fail "the program said $answer, not 4999950000"

# By pkg-config alone.
pc=$(find "$stage/moved" -name gossamer.pc)
[ -n "$pc" ] || fail "no gossamer.pc"
sanitizers=()
[ -z "${GOSSAMER_SANITIZE:-}" ] || sanitizers=("-fsanitize=$GOSSAMER_SANITIZE")
words=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs gossamer)
# shellcheck disable=SC2086
"$CXX" -std=c++20 "${sanitizers[@]}" "$GOSSAMER_SOURCE/tests/package/consumer/main.cpp" -o "$stage/plain" $words 2>"$stage/log" ||
  { cat "$stage/log"; fail "building by pkg-config"; }
# As by a Makefile that names folders and libraries itself: nothing says where the plugins are.
# shellcheck disable=SC2086,SC2001
"$CXX" -std=c++20 "${sanitizers[@]}" "$GOSSAMER_SOURCE/tests/package/consumer/main.cpp" -o "$stage/by_hand" \
  $(sed 's/-Wl,-rpath,[^ ]*//' <<<"$words") 2>"$stage/log" || { cat "$stage/log"; fail "building by hand"; }
answer=$(GOSSAMER_TRANSPORT=none "$stage/plain")
[ "$answer" = 4999950000 ] || fail "the program built by pkg-config said $answer, not 4999950000"

# A C program that calls MPI, by the package's own compiler script.
"$stage/moved/bin/gossamer-mpicc" "$GOSSAMER_SOURCE/tests/mpi/messages.c" -o "$stage/messages" >"$stage/log" 2>&1 ||
  { cat "$stage/log"; fail "building by gossamer-mpicc"; }
answer=$("$stage/messages" 1)
[ "$answer" = ok ] || fail "the program of MPI said $answer, not ok"
if [ -n "${GOSSAMER_PROGRAM:-}" ]; then
  answer=$("$stage/moved/bin/gossamer" run --np 2 --mpi node "$stage/messages" 2)
  [ "$answer" = ok ] || fail "two ranks of the program of MPI said $answer, not ok"
fi

# Completion and manual pages.
if [ -n "${GOSSAMER_PROGRAM:-}" ]; then
  complete_words() {  # WORDS...: what completes the last of them
    bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gossamer; echo "${COMPREPLY[*]}"' \
      bash "$stage/moved/share/bash-completion/completions/gossamer" "$@"
  }
  [ "$(complete_words gossamer betw)" = betweenness ] || fail "completion of a command"
  [ "$(complete_words gossamer jacobi --meth)" = --method ] || fail "completion of an option"
  [ "$(complete_words gossamer jacobi --method m)" = messages ] || fail "completion of a word"
  [ "$(complete_words gossamer run --np 2 components g --verif)" = --verify ] || fail "completion of a wrapped command"
  page=$stage/moved/share/man/man1/gossamer-pagerank.1
  grep -q '^\.TH "gossamer\\-pagerank" 1' "$page" || fail "no manual page of pagerank"
  grep -A1 -F '\fB\-\-damping\fR \fIX\fR' "$page" | grep -q "probability" || fail "the page does not tell of --damping"
fi
for document in docs/guide.md examples/histogram.cpp README.md; do
  [ -s "$stage/moved/share/doc/gossamer/$document" ] || fail "no $document"
done

# Under a launcher, without variables: the plugins are found where the package was moved to, however a program was linked.
prefix=$(sed -n 's/^CMAKE_INSTALL_PREFIX:[A-Z]*=//p' "$GOSSAMER_BUILD/CMakeCache.txt")  # where the library looks last
same_answer() {  # WHAT COMMAND...
  answer=$(timeout 60 "${@:2}" 2>"$stage/errors") || { cat "$stage/errors"; fail "two processes by $1"; }
  [ "$answer" = 4999950000 ] || fail "two processes by $1 said $answer, not 4999950000"
}
linked=("$stage/build/consumer" "$stage/build/behind_library" "$stage/plain")
if [ -n "${GOSSAMER_PROGRAM:-}" ]; then
  for program in "${linked[@]}" "$stage/by_hand"; do  # which is told
    same_answer "gossamer run ($program)" "$stage/moved/bin/gossamer" run --np 2 --mpi node "$program"
  done
fi
for mpi in openmpi mpich; do
  plugin=$(find "$stage/moved" -name "libgossamer-transport-$mpi.so")
  launcher=$(command -v "mpirun.$mpi" || true)
  [ -n "$plugin" ] && [ -n "$launcher" ] || continue
  options=()
  [ "$mpi" = mpich ] || options=(--oversubscribe --bind-to none)
  [ "$mpi" = mpich ] || [ "$(id -u)" != 0 ] || options+=(--allow-run-as-root)
  for program in "${linked[@]}"; do
    same_answer "$mpi ($program)" "$launcher" "${options[@]}" -n 2 "$program"
  done
  if timeout 60 "$launcher" "${options[@]}" -n 2 "$stage/by_hand" >/dev/null 2>"$stage/errors"; then
    [ -n "$(find "$prefix" -path '*/gossamer/libgossamer-transport-*' -print -quit 2>/dev/null)" ] ||
      fail "a plugin was found that nothing names"
  else
    grep -q "set GOSSAMER_TRANSPORT to the path of its file, libgossamer-transport-$mpi.so" "$stage/errors" ||
      { cat "$stage/errors"; fail "nothing says what to do without a plugin"; }
  fi
  [ -z "${GOSSAMER_PROGRAM:-}" ] ||
    same_answer "gossamer run --mpi $mpi" "$stage/moved/bin/gossamer" run --np 2 --mpi "$mpi" "$stage/by_hand"
done
if GOSSAMER_TRANSPORT=other "$stage/build/consumer" 2>"$stage/errors"; then fail "a plugin that is none was taken"; fi
grep -q "$(dirname "$package" | xargs dirname)/gossamer" "$stage/errors" ||
  { cat "$stage/errors"; fail "the plugins of the package are not looked for"; }

# Captures by reference are found in every build, and the program's line is named.
configure debug -DCMAKE_BUILD_TYPE=Debug || { cat "$stage/log"; fail "configuring Debug"; }
line=$(grep -n '&sum' "$GOSSAMER_SOURCE/tests/package/consumer/references.cpp" | cut -d: -f1)
for folder in build debug; do
  build "$folder" references
  if "$stage/$folder/references" 2>"$stage/errors"; then fail "a capture by reference was not found"; fi
  grep -q "references.cpp:$line: .* captures the address of a variable" "$stage/errors" ||
    { cat "$stage/errors"; fail "a capture by reference ended otherwise"; }
done

# What does not fit is refused in words.
if configure bits -DGOSSAMER_VERTEX_BITS=48; then fail "other vertices were accepted"; fi
grep -q "asks for GOSSAMER_VERTEX_BITS=48, and the library was built with" <(tr -s ' \n' ' ' <"$stage/log") ||
  { cat "$stage/log"; fail "other vertices were refused without words"; }
if "$CXX" -std=c++17 -fsyntax-only -I"$stage/moved/include" "$GOSSAMER_SOURCE/tests/package/consumer/main.cpp" 2>"$stage/errors"
then fail "C++17 was accepted"; fi
grep "error" "$stage/errors" | head -1 | grep -q "Gossamer needs C++20" || { head -3 "$stage/errors"; fail "C++20 is not named"; }
echo "ok"
