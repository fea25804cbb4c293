#!/usr/bin/env bash
# Checks what make says before it compiles: a missing package is one line that names scripts/setup.sh, `make help` lists
# targets, warnings are errors only where the project tests itself, and nothing is written outside BUILD.
set -uo pipefail
cd "$(dirname "$0")/../.."
failed=0
fail() { echo "build: $*"; failed=1; }
# The make that runs this script must not give its variables to those below.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL WERROR CC BUILD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused WORD ARGUMENT...: make fails with one line that has both WORD and the name of the script.
refused() {
    local word=$1 out
    shift
    out=$(make "$@" 2>&1) && fail "make $*: succeeds"
    [ "$(echo "$out" | wc -l)" -eq 1 ] || fail "make $*: more than one line"
    [[ $out == *"$word"*scripts/setup.sh* ]] || fail "make $*: does not name $word and scripts/setup.sh: $out"
}
refused no-such-compiler -n CC=no-such-compiler
refused no-such-compiler -n native CC=no-such-compiler
refused mingw-w64-common -n native D3D9_HEADERS=/nonexistent

make help >"$work/help" || fail "make help fails"
for target in all demo dlls install native test; do
    grep -q "^make $target  *[a-z]" "$work/help" || fail "make help does not list $target"
done

# dry NAME ARGUMENT...: the commands that make would run.
dry() { make -n "${@:2}" >"$work/$1" 2>&1 || fail "make ${*:2} fails: $(tail -1 "$work/$1")"; }
dry plain -B "BUILD=$work/out"
grep -q -e -Wall "$work/plain" || fail "make compiles without warnings"
grep -q -e -Werror "$work/plain" && fail "make treats warnings as errors"
grep -q 'next:.*make demo' "$work/plain" || fail "make does not say what to type next"
grep -q '\bwin64\b.*-c' "$work/plain" && fail "make compiles for Windows"
grep -qE '(^|[ =])build/' "$work/plain" && fail "make writes to build/ though BUILD is another folder"
dry strict -B WERROR=-Werror
grep -q -e -Werror "$work/strict" || fail "WERROR has no effect"
make -npq test >"$work/test" 2>/dev/null
grep -q '^WARN := .*-Werror' "$work/test" || fail "make test does not treat warnings as errors"
dry demo -B demo BUILD="$work/demo"
grep -q -- "-o $work/demo/novem" "$work/demo" || fail "make demo does not build novem"

# The sources of libraries come from the network, and only `novem` for other systems needs them.
dry pe "BUILD=$work/out" pe examples-pe portable "$work/out/win64/conformance/runner.exe"
grep -q sources.sh "$work/pe" && fail "programs that need no libraries fetch the sources of libraries"

# A folder with blanks.
mkdir "$work/a path with blanks"
cp -r Makefile VERSION scripts src programs examples bench tests "$work/a path with blanks/" 2>/dev/null
(cd "$work/a path with blanks" && make -n >"$work/blanks" 2>&1) || fail "a path with blanks: $(tail -1 "$work/blanks")"
grep -qF "$work/a path" "$work/blanks" && fail "make uses absolute paths, which break in a path with blanks"
exit $failed
