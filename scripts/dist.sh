#!/usr/bin/env bash
# Packs a release: novem-VERSION-x86_64.tar.xz and novem-d3d9-VERSION.zip. The same commit gives the same bytes.
#   scripts/dist.sh BUILD STAGE     STAGE/novem-VERSION-x86_64 has the installed files, BUILD the examples
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 stage=$2
version=$(cat VERSION)
name=novem-$version-x86_64
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
cp "$root/share/doc/novem/novem.conf" "$stage/zip/"
for f in LICENSE NOTICES; do
    cp "$root/share/doc/novem/$f" "$stage/zip/$f.txt"
done
cat >"$stage/zip/README.txt" <<END
Novem $version: Direct3D 9 in software.

Copy d3d9.dll beside a program: x64 for a 64-bit program, x86 for a 32-bit one. It needs no GPU and no driver.
Copy novem.conf beside it to change settings. Under Wine, set WINEDLLOVERRIDES=d3d9=n.
The dlls import functions of Windows XP and later; they have not been tried on Windows XP itself.
LICENSE.txt has the licence, NOTICES.txt those of the software that the dlls contain.
END
sed -i 's/$/\r/' "$stage/zip"/*.txt "$stage/zip/novem.conf"
python3 - "$stage/zip" "$build/dist/novem-d3d9-$version.zip" <<'END'
import os, sys, time, zipfile
folder, out = sys.argv[1:]
date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
paths = sorted(os.path.relpath(os.path.join(d, f), folder) for d, _, files in os.walk(folder) for f in files)
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in paths:
        info = zipfile.ZipInfo(path, date)
        info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
        with open(os.path.join(folder, path), "rb") as file:
            archive.writestr(info, file.read())
END
ls -l "$build/dist/$name.tar.xz" "$build/dist/novem-d3d9-$version.zip"
