#!/usr/bin/env bash
# Checks that the native files of a release need no newer glibc than the documents say, and no library that a minimal
# system lacks; and that they run.
#   glibc.sh BUILD
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "glibc: $*"; failed=1; }

make --no-print-directory BUILD="$build" dist-native >"$work/log" 2>&1 ||
    { tail -5 "$work/log"; fail "no files"; exit 1; }
limit=$(sed -n 's/.*x86-64 Linux (glibc \([0-9.]*\).*/\1/p' docs/contributing.md)
[ -n "$limit" ] || fail "docs/contributing.md does not say which glibc a release needs"
allowed=' libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 libgcc_s.so.1 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 '
count=0
for f in "$build"/dist/bin/novem{,-retrace,-runner} "$build"/dist/libnovem.so "$build"/dist/examples/*; do
    count=$((count + 1))
    newest=$(objdump -T "$f" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -Vu | tail -1)
    [ "$(printf '%s\n' "$newest" "$limit" | sort -V | tail -1)" = "$limit" ] || fail "$f needs glibc $newest"
    for library in $(readelf -d "$f" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
        [[ $allowed == *" $library "* || $f:$library == */novem:libcjson.so.1 ]] || fail "$f needs $library"
    done
    # Functions that were in libraries of their own before glibc 2.34.
    for library in libpthread.so.0:pthread_once libdl.so.2:dlopen librt.so.1:shm_open; do
        objdump -T "$f" | grep -qE " ${library#*:}$" || continue
        readelf -d "$f" | grep -q "NEEDED.*${library%:*}" || fail "$f does not load ${library%:*} of an older glibc"
    done
done
[ $count -ge 9 ] || fail "only $count files"
"$build/dist/bin/novem" --version >"$work/version" && head -1 "$work/version" | grep -q "$(cat VERSION)" ||
    fail "novem does not run"
# An exception of C++, and thrown away constructors, would end novem.
echo '[[case' >"$work/bad.toml"
"$build/dist/bin/novem" golden run "$work/bad.toml" >"$work/log" 2>&1
[ $? -eq 2 ] || fail "novem does not report a bad manifest: $(cat "$work/log")"
mkdir "$work/lit"
NOVEM_SINK=png:$work/lit "$build/dist/examples/lit" --frames 1 >"$work/log" 2>&1 || fail "lit: $(cat "$work/log")"
[ "$(sha256sum <"$work/lit/frame-00000.png")" = "$(sed -n 's,  lit/frame-00000.png,  -,p' scripts/distros.sha256)" ] ||
    fail "lit draws another frame"
exit $failed
