#!/usr/bin/env bash
# Packs the programs for platforms that zig builds (scripts/cross.mk), and those for 64-bit Windows, into BUILD/dist:
# novem-VERSION-ARCHITECTURE-static.tar.xz, novem-VERSION-windows-ARCHITECTURE.zip, and novem-VERSION-macos.tar.gz if
# the files for macOS have been linked. A commit gives the same bytes again.
#   scripts/dist/other.sh BUILD STAGE NAME ZIG     SOURCE_DATE_EPOCH is the date of the files; STAGE/NAME has headers
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 stage=$2 native=$3 lib=$(dirname "$4")/lib
version=$(cat VERSION)
export LC_ALL=C TZ=UTC
umask 022
llvm=("compiler-rt, libc++, libunwind=$lib/libunwind/LICENSE.TXT")
musl=("musl=$lib/libc/musl/COPYRIGHT" "${llvm[@]}")
mingw=("mingw-w64=$lib/libc/mingw/COPYING" "${llvm[@]}")
doc=/usr/share/doc
exception='GPL 3 with the GCC Runtime Library Exception'
gcc=("mingw-w64 and winpthreads=$doc/mingw-w64-x86-64-dev/copyright"
     "libgcc and libstdc++ ($exception)=$doc/gcc-mingw-w64-x86-64-posix-runtime/copyright")

# packed NAME: prints STAGE/NAME as an archive.
packed() {
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=go=rX,u+rw \
        -C "$stage" -cf - "$1"
}

# static PLATFORM ARCHITECTURE
static() {
    local name=novem-$version-$2-static
    rm -rf "${stage:?}/$name"
    mkdir -p "$stage/$name"
    cp "$build/$1/novem" LICENSE "$stage/$name/"
    scripts/dist/notices.sh "$build/$1/libraries" "${musl[@]}" >"$stage/$name/NOTICES"
    cat >"$stage/$name/README" <<END
Novem $version: the program novem for $2 Linux as one file, which needs no libraries.

It reads captures and scenes, and compares pictures: ./novem help. It has no windows (NOVEM_SINK=window, novem view
without --save) and no server of captures (novem inspect), because it opens no libraries at run time.
LICENSE has the licence, NOTICES those of the software that the program contains.
END
    packed "$name" | xz -T1 -6 >"$build/dist/$name.tar.xz"
    ls -l "$build/dist/$name.tar.xz"
}

macos() {
    local name=novem-$version-macos
    local folder=$stage/$name
    rm -rf "$folder"
    mkdir -p "$folder"/{bin,lib,include}
    cp "$build/macos/novem" "$folder/bin/"
    cp "$build/macos/libnovem.dylib" "$folder/lib/"
    cp -R "$stage/$native/include/novem" "$folder/include/"
    cp LICENSE "$folder/"
    scripts/dist/notices.sh "$build/macos/arm64/libraries" "${llvm[@]}" >"$folder/NOTICES"
    cat >"$folder/README" <<END
Novem $version: the program novem and the library libnovem for macOS 11 and later, Apple silicon and Intel.

Nobody has run them on a Mac yet. They were linked on Linux, and are signed without a certificate. So macOS refuses
files that a browser has fetched, until you say that you trust them:

    xattr -dr com.apple.quarantine $name

bin/novem reads captures and scenes, and compares pictures: bin/novem help. It has no server of captures
(novem inspect). It needs no other files.
lib/libnovem.dylib is Direct3D 9 for native programs:

    clang program.c -I$name/include/novem -L$name/lib -lnovem -Wl,-rpath,\$PWD/$name/lib

LICENSE has the licence, NOTICES those of the software that the files contain.
END
    packed "$name" | gzip -n -9 >"$build/dist/$name.tar.gz"
    ls -l "$build/dist/$name.tar.gz"
}

# windows PLATFORM ARCHITECTURE RUNTIME...
windows() {
    local name=novem-$version-windows-$2 from=$build/$1
    local folder=$stage/$name out=$build/dist/$name.zip
    shift 2
    rm -rf "$folder"
    mkdir -p "$folder"
    case $from in
    */win64) SOURCE_DATE_EPOCH=0 x86_64-w64-mingw32-strip -o "$folder/novem.exe" "$from/novem.exe" ;;
    *) cp "$from/novem.exe" "$folder/" ;;
    esac
    cp LICENSE "$folder/LICENSE.txt"
    scripts/dist/notices.sh "$from/libraries" "$@" >"$folder/NOTICES.txt"
    cat >"$folder/README.txt" <<END
Novem $version: the program novem for Windows (${name##*-}) as one file.

It reads captures and scenes, and compares pictures: novem help. It does not replace Direct3D 9 of other programs;
d3d9.dll in novem-d3d9-$version.zip does.
LICENSE.txt has the licence, NOTICES.txt those of the software that the program contains.
END
    sed -i 's/$/\r/' "$folder"/*.txt
    python3 scripts/dist/zip.py "$folder" "$out" "$name"
    ls -l "$out"
}

static musl64 x86_64
static muslarm64 aarch64
windows win64 x64 "${gcc[@]}"
windows winarm64 arm64 "${mingw[@]}"
if [ -f "$build/macos/novem" ]; then macos; else echo "dist: without files for macOS, which need lld-19"; fi
