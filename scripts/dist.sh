#!/usr/bin/env bash
# Packs a release: novem-VERSION-ARCHITECTURE.tar.xz and novem-d3d9-VERSION.zip, and with zig those of
# scripts/dist/other.sh. The same commit gives the same bytes.
#   scripts/dist.sh BUILD STAGE NAME [ZIG]     STAGE/NAME has the installed files, BUILD the others; NAME is that of the
#       archive, novem-VERSION-ARCHITECTURE
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 stage=$2 name=$3 zig=${4:-}
version=$(cat VERSION)
root=$stage/$name
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}
export LC_ALL=C TZ=UTC
umask 022

# Documents, and what the tutorials use, under the same paths as in a clone: build/ leads to the installed files.
cp README.md LICENSE CHANGELOG.md "$root/"
mkdir -p "$root/tests/conformance" "$root/tests/install" "$root/examples" "$root/build"
cp -R docs "$root/docs"
cp tests/conformance/language.md "$root/tests/conformance/"
cp tests/install/tutorials.sh "$root/tests/install/"
cp -R tests/golden "$root/tests/golden"
cp -R examples/shaders "$root/examples/shaders"
cp -R "$build/dist/examples" "$root/build/examples"
for f in novem novem-retrace novem-runner; do
    ln -s "../bin/$f" "$root/build/$f"
done
for f in libnovem.so libnovem.so.1 libnovem.a; do
    ln -s "../lib/$f" "$root/build/$f"
done
for w in win64 win32; do
    case $w in win64) prefix=x86_64 ;; *) prefix=i686 ;; esac
    mkdir -p "$root/build/$w"
    ln -s "../../lib/novem/$w/d3d9.dll" "../../lib/novem/$w/bin" "$root/build/$w/"
    for f in "$build/$w"/*.exe; do
        SOURCE_DATE_EPOCH=0 "$prefix-w64-mingw32-strip" -o "$root/build/$w/${f##*/}" "$f"
    done
done

tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=go=rX,u+rw \
    -C "$stage" -cf - "$name" | xz -T1 -6 >"$build/dist/$name.tar.xz"

# The dlls for Windows.
rm -rf "$stage/zip"
mkdir -p "$stage/zip/x64" "$stage/zip/x86"
cp "$root/lib/novem/win64/d3d9.dll" "$stage/zip/x64/"
cp "$root/lib/novem/win32/d3d9.dll" "$stage/zip/x86/"
arm64_line=''
if [ -n "$zig" ]; then
    mkdir "$stage/zip/arm64"
    cp "$build/winarm64/d3d9.dll" "$stage/zip/arm64/"
    arm64_line=$'\nThe dll for ARM64 is for programs that are ARM64 code themselves. It has not been run yet.'
fi
cp "$root/share/doc/novem/novem.conf" "$stage/zip/"
for f in LICENSE NOTICES; do
    cp "$root/share/doc/novem/$f" "$stage/zip/$f.txt"
done
if [ -n "$zig" ]; then
    lib=$(dirname "$zig")/lib
    cat "$lib/libc/mingw/COPYING" "$lib/libunwind/LICENSE.TXT" >>"$stage/zip/NOTICES.txt"
fi
cat >"$stage/zip/README.txt" <<END
Novem $version: Direct3D 9 in software.

Copy d3d9.dll beside a program: x64 for a 64-bit program, x86 for a 32-bit one. It needs no GPU and no driver.
Copy novem.conf beside it to change settings. Under Wine, set WINEDLLOVERRIDES=d3d9=n.
The dlls for x86 import functions of Windows XP and later; they have not been tried on Windows XP itself.$arm64_line
LICENSE.txt has the licence, NOTICES.txt those of the software that the dlls contain.
END
sed -i 's/$/\r/' "$stage/zip"/*.txt "$stage/zip/novem.conf"
python3 scripts/dist/zip.py "$stage/zip" "$build/dist/novem-d3d9-$version.zip"
ls -l "$build/dist/$name.tar.xz" "$build/dist/novem-d3d9-$version.zip"
if [ -n "$zig" ]; then
    scripts/dist/other.sh "$build" "$stage" "$name" "$zig"
else echo "dist: without programs for other systems, which need zig (scripts/setup.sh --dist)"; fi
