#!/usr/bin/env bash
# Builds static libraries for another platform from the sources that sources.sh has fetched: FOLDER/lib/lib*.a, their
# headers in FOLDER/include, their licences in FOLDER/licences.
#   scripts/libraries/build.sh SOURCES FOLDER "CC..." "AR..." [pthread|mimalloc]
#       pthread: also the threads of mingw-w64; mimalloc: also an allocator that replaces malloc
set -euo pipefail
[ $# -ge 4 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
sources=$(cd "$1" && pwd) folder=$2
read -ra cc <<<"$3"
read -ra ar <<<"$4"
rm -rf "$folder"
mkdir -p "$folder"/{lib,include,licences,obj}
folder=$(cd "$folder" && pwd)

# library NAME OPTION... -- FILE...: compiles the files and packs them.
library() {
    local name=$1 options=() objects=() object
    shift
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    for file; do
        object=$folder/obj/$name-${file//\//_}.o
        "${cc[@]}" -O2 -fno-strict-aliasing -w "${options[@]}" -c "$file" -o "$object"
        objects+=("$object")
    done
    "${ar[@]}" rcs "$folder/lib/lib$name.a" "${objects[@]}"
}

cd "$sources/zlib"
# zlib 1.2 takes macOS for a system without fdopen, and hides the function.
library z -I. -Dfdopen=fdopen -- adler32.c compress.c crc32.c deflate.c infback.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c
cp zlib.h zconf.h "$folder/include/"
cd "$sources/zstd/lib"
library zstd -I. -DZSTD_DISABLE_ASM -DZSTD_LEGACY_SUPPORT=0 -- common/*.c compress/*.c decompress/*.c
cp zstd.h zstd_errors.h "$folder/include/"
cd "$sources/brotli/c"
library brotlidec -Iinclude -- common/*.c dec/*.c
cp -R include/brotli "$folder/include/"
cd "$sources/libdeflate"
library deflate -I. -- lib/*.c lib/arm/*.c lib/x86/*.c
cp libdeflate.h "$folder/include/"
cd "$sources/cjson"
library cjson -I. -DCJSON_HIDE_SYMBOLS -- cJSON.c
mkdir -p "$folder/include/cjson"
cp cJSON.h "$folder/include/cjson/"
if [ "${5:-}" = mimalloc ]; then
    cd "$sources/mimalloc"
    library mimalloc -Iinclude -DNDEBUG -DMI_MALLOC_OVERRIDE -DMI_LIBC_MUSL -ftls-model=initial-exec -- src/static.c
    cp debian/copyright "$folder/licences/mimalloc"
fi
if [ "${5:-}" = pthread ]; then
    cd "$sources/mingw-w64/mingw-w64-libraries/winpthreads"
    library pthread -Iinclude -Isrc -I. -DIN_WINPTHREAD -DWINPTHREAD_STATIC=1 -DWIN32_LEAN_AND_MEAN \
        -D__USE_MINGW_ANSI_STDIO=0 -- src/*.c
    cp include/*.h "$folder/include/"
fi
for name in zlib zstd brotli libdeflate cjson; do
    cp "$sources/$name/debian/copyright" "$folder/licences/$name"
done
[ "${5:-}" != pthread ] || cp "$sources/mingw-w64/mingw-w64-libraries/winpthreads/COPYING" "$folder/licences/winpthreads"
rm -rf "$folder/obj"
touch "$folder/stamp"
