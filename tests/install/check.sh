#!/usr/bin/env bash
# Installs to an empty folder, and builds programs of somebody else with it: the C program of docs/libnovem.md, a C++
# program, and a CMake project; shared and static. Checks names, links, exports and notices of the installation.
#
#   check.sh BUILD           all
#   check.sh --short BUILD   without CMake, with one compiler and one standard each
set -u
cd "$(dirname "$0")/../.." || exit 1
short=
[ "${1:-}" = --short ] && { short=1; shift; }
build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "install: $*"; failed=1; }

dest="$work/a folder"
root=$dest/opt/novem
install=(make --no-print-directory BUILD="$build" DESTDIR="$dest" PREFIX=/opt/novem)
"${install[@]}" install-native >"$work/log" 2>&1 || { cat "$work/log"; fail "make install fails"; exit 1; }

# --- Files ---
for f in bin/novem lib/libnovem.a lib/libnovem.so lib/libnovem.so.1 include/novem/{novem,novem_frames,d3d9,windows}.h \
    lib/pkgconfig/novem.pc lib/cmake/novem/novem-config.cmake share/doc/novem/{LICENSE,NOTICES,novem.conf} \
    bin/novem-{retrace,runner} share/man/man1/novem{,-retrace,-runner}.1 share/bash-completion/completions/novem; do
    [ -s "$root/$f" ] || fail "$f is missing"
done
"$root/bin/novem" config >/dev/null || fail "the installed novem does not run"
for f in bin/novem{,-retrace,-runner} lib/libnovem.so; do
    readelf -SW "$root/$f" | grep -qE ' \.(symtab|debug_info) ' && fail "$f is not stripped"
done
readelf -d "$root/lib/libnovem.so" | grep -q 'soname: \[libnovem.so.1\]' || fail "libnovem.so has another soname"
grep -rlE "$work|$PWD" "$root"/{include,share,lib/pkgconfig,lib/cmake} && fail "files name folders of the build"
# The static library has the names of the shared one.
names() { nm "$@" --defined-only | awk 'NF == 3 && $2 != "A" {sub(/@.*/, "", $3); print $3}' | sort -u; }
names -g "$root/lib/libnovem.a" >"$work/static"
names -D "$root/lib/libnovem.so" >"$work/shared"
diff "$work/static" "$work/shared" | grep '^[<>]' && fail "libnovem.a and libnovem.so have other names"
for program in novem-retrace novem-runner; do
    page=$root/share/man/man1/$program.1
    "$root/bin/$program" --help | grep -oE '^  -[-a-z0-9]+' | tr -d ' ' | sort >"$work/options"
    sed 's/\\-/-/g' "$page" | sed -nE 's/^\\fB(-[-a-z0-9]+)\\fR.*/\1/p' | sort | diff "$work/options" - ||
        fail "$program.1 has other options than --help"
    if command -v groff >/dev/null; then
        groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null | grep . && fail "$program.1 has mistakes"
    fi
done
for licence in xxHash SIMDe 'GNU LESSER GENERAL PUBLIC LICENSE' Snappy Brotli; do
    grep -q "$licence" "$root/share/doc/novem/NOTICES" || fail "NOTICES does not name $licence"
done
# The sample changes nothing, and each of its lines is valid without its #.
NOVEM_CONFIG="$root/share/doc/novem/novem.conf" "$root/bin/novem" config 2>"$work/log" | grep -v '# default$' &&
    fail "novem.conf changes settings"
[ -s "$work/log" ] && fail "novem.conf: $(cat "$work/log")"
sed -n 's/^#\([A-Z_0-9]* = ..*\)/\1/p' "$root/share/doc/novem/novem.conf" >"$work/all.conf"
[ -s "$work/all.conf" ] || fail "novem.conf has no settings"
NOVEM_CONFIG="$work/all.conf" "$root/bin/novem" config 2>&1 >/dev/null | grep . && fail "novem.conf has invalid lines"

head -1 debian/changelog | grep -qF "novem ($(cat VERSION))" || fail "debian/changelog states another version"
nm -D --defined-only "$root/lib/libnovem.so" | awk '{sub(/@@/, "@", $3); print $3}' | grep -v '^NOVEM_' | sort >"$work/exported"
awk '/^ / {print $1}' debian/libnovem1.symbols | grep -v '^NOVEM_' | sort | diff - "$work/exported" ||
    fail "debian/libnovem1.symbols has other symbols than libnovem.so"

# --- Programs ---
export LD_LIBRARY_PATH="$root/lib" NOVEM_CONFIG=/dev/null
# pkg-config has no blanks in paths: a link has none.
ln -s "$dest" "$work/dest"
root=$work/dest/opt/novem
export PKG_CONFIG_PATH="$root/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/dest"
[ "$(pkg-config --modversion novem)" = "$(cat VERSION)" ] || fail "pkg-config states another version"
awk '/^```/ {on = $0 == "```c"; next} on' docs/libnovem.md >"$work/hello.c"
[ "$(wc -l <"$work/hello.c")" -ge 20 ] || fail "docs/libnovem.md has no program"
expected=$(sed -n 's/^Novem .*, numerics .*: //p' docs/libnovem.md)
cxx=tests/install/program.cpp
warn=(-Wall -Wextra -Werror)
shared=($(pkg-config --cflags --libs novem))
static=($(pkg-config --cflags novem) "$root/lib/libnovem.a" -pthread -lm)
# run WHAT FOLDER COMMAND...: builds with the command, runs the program in its folder
run() {
    local what=$1 dir=$work/$2
    shift 2
    mkdir -p "$dir"
    "$@" -o "$dir/program" >"$work/log" 2>&1 || { head -20 "$work/log"; fail "$what does not build"; return; }
    (cd "$dir" && ./program) >"$work/log" 2>&1 || { cat "$work/log"; fail "$what fails"; return; }
    [[ $what != C\ * ]] || grep -q "^Novem $(cat VERSION), numerics .*: $expected$" "$work/log" ||
        { cat "$work/log"; fail "$what prints another hash than docs/libnovem.md"; }
    [[ $what != C\ * ]] || [ -s "$dir/frame-00000.png" ] || fail "$what draws no picture"
}
compilers=(gcc) standards_c=(gnu17) standards_cxx=(c++17)
if [ -z "$short" ]; then
    standards_c=(c99 c11 gnu17 gnu2x) standards_cxx=(c++98 c++11 c++17 c++20)
    for c in clang-19 clang; do command -v $c >/dev/null && { compilers+=("$c"); break; }; done
fi
for c in "${compilers[@]}"; do
    for s in "${standards_c[@]}"; do
        run "C program ($c -std=$s)" "$c-$s" "$c" -std=$s "${warn[@]}" "$work/hello.c" "${shared[@]}"
    done
    # clang++ and g++ take the same sources; gcc and clang need the name of the language and its library.
    for s in "${standards_cxx[@]}"; do
        run "C++ program ($c -std=$s)" "$c-$s" "$c" -std=$s "${warn[@]}" $cxx "${shared[@]}" -lstdc++
    done
    run "C program, static ($c)" "$c-static" "$c" "${warn[@]}" "$work/hello.c" "${static[@]}"
    run "C++ program, static ($c)" "$c-static++" "$c" "${warn[@]}" $cxx "${static[@]}" -lstdc++
done
readelf -d "$work/gcc-gnu17/program" | grep -q 'NEEDED.*\[libnovem.so.1\]' ||
    fail "the program does not need libnovem.so.1"

# --- CMake ---
cmake_project() {
    local dir=$work/cmake target=$1
    rm -rf "$dir"
    mkdir -p "$dir"
    cp "$work/hello.c" "$dir/"
    awk '/^```/ {on = $0 == "```cmake"; next} on' docs/libnovem.md |
        sed "s/novem::novem)/$target)/" >"$dir/CMakeLists.txt"
    (cmake -S "$dir" -B "$dir/build" -DCMAKE_PREFIX_PATH="$dest/opt/novem" && cmake --build "$dir/build" &&
        cd "$dir" && LD_LIBRARY_PATH='' ./build/hello) >"$work/log" 2>&1 ||
        { tail -20 "$work/log"; fail "the CMake project with $target fails"; return; }
    grep -q "^Novem .*: $expected$" "$work/log" || fail "the CMake project with $target prints another hash"
}
if [ -z "$short" ]; then
    command -v cmake >/dev/null || { fail "cmake is missing: run scripts/setup.sh"; exit 1; }
    cmake_project novem::novem
    cmake_project novem::novem-static
    "${install[@]}" uninstall >"$work/log" 2>&1 || { cat "$work/log"; fail "make uninstall fails"; }
    left=$(find "$dest" ! -type d)
    [ -z "$left" ] || fail "make uninstall leaves $left"
fi
[ $failed -eq 0 ] && echo "install: ok"
exit $failed
