#!/usr/bin/env bash
# Makes libraries to link with instead of glibc's, so that a program runs with an older glibc than this machine's: each
# symbol has the newest version that the older glibc knows. The linker refuses functions that are newer, except those
# of glibc_compat.c. At run time the real libraries are loaded: glibc keeps all versions of its symbols.
#   scripts/dist/glibc_stubs.sh VERSION CC FOLDER     as 2.27 gcc build/dist/glibc
#
# Before 2.34 some functions of libc.so.6 were in libraries of their own, which newer systems have as empty ones. A
# glibc before 2.30 looks for a function in the library that the program names only.
# Tested by tests/install/glibc.sh.
set -euo pipefail
here=$(dirname "$0")
version=$1 cc=$2 out=$3
mkdir -p "$out"

# symbols SONAME: lines "LIBRARY NAME VERSION SIZE", the symbols of a library of this machine. Functions have size 0.
symbols() {
    readelf -W --dyn-syms "$($cc -print-file-name="$1")" | awk -v limit="$version" -v library="${1%%.*}" '
        function number(text,    part) { split(text, part, "."); return part[1] * 1e6 + part[2] * 1e3 + part[3] }
        $8 ~ /@+GLIBC_[0-9.]+$/ && $7 != "UND" && $4 ~ /^(FUNC|IFUNC|OBJECT)$/ {
            symbol = version = $8
            sub(/@.*/, "", symbol)
            sub(/.*@GLIBC_/, "", version)
            if (version == "2.34") moved[symbol]
            if (number(version) > number(limit) || number(version) <= number(newest[symbol])) next
            newest[symbol] = version
            size[symbol] = $4 == "OBJECT" ? $3 : 0
        }
        function home(symbol) {
            if (!(symbol in moved) || symbol == "__libc_start_main") return library
            return symbol ~ /^dl/ ? "libdl" : symbol ~ /^(shm|timer|aio|mq|lio)_/ ? "librt" : "libpthread"
        }
        END { for (s in newest) print home(s), s, newest[s], size[s] }' | LC_ALL=C sort
}
# stub SONAME: makes a library of the lines of standard input.
stub() {
    awk -v script="$out/$1.map" '
        {
            versions[$3]
            print $4 ? ".data" : ".text"
            printf ".globl stub.%s\n.type stub.%s, %%%s\nstub.%s:\n", $2, $2, $4 ? "object" : "function", $2
            printf ".zero %d\n.size stub.%s, %d\n", $4 ? $4 : 1, $2, $4 ? $4 : 1
            printf ".symver stub.%s, %s@@GLIBC_%s, remove\n", $2, $2, $3
        }
        END { for (v in versions) print "GLIBC_" v " { };" >script }' >"$out/$1.s"
    $cc -shared -nostdlib -Wl,-soname,"$1" -Wl,--version-script="$out/$1.map" -o "$out/$1" "$out/$1.s"
}
{ symbols libc.so.6; symbols libm.so.6; } >"$out/symbols"
for soname in libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1; do
    grep "^${soname%%.*} " "$out/symbols" | stub $soname
done

$cc -O2 -fPIC -c "$here/glibc_compat.c" -o "$out/glibc_compat.o"
$cc -O2 -fPIC -c "$here/glibc_start.c" -o "$out/glibc_start.o"
rm -f "$out/libcompat.a"
ar rcsD "$out/libcompat.a" "$out/glibc_compat.o" "$out/glibc_start.o"
loader=$(basename "$(readelf -d "$($cc -print-file-name=libc.so.6)" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')")
cp "$($cc -print-file-name="$loader")" "$($cc -print-file-name=libc_nonshared.a)" "$out/"
echo "GROUP(libm.so.6)" >"$out/libm.so"
for soname in libpthread.so.0 libdl.so.2 librt.so.1; do
    echo "GROUP(AS_NEEDED($soname))" >"$out/${soname%.*}"
done
echo "GROUP(libcompat.a libc.so.6 libc_nonshared.a AS_NEEDED(libpthread.so.0 libdl.so.2 librt.so.1 $loader))" \
    >"$out/libc.so"
