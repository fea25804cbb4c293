#!/usr/bin/env bash
# Packs a release: novem-VERSION-x86_64.tar.xz and novem-d3d9-VERSION.zip. The same commit gives the same bytes.
#   scripts/dist.sh BUILD STAGE     STAGE/novem-VERSION has the installed files, BUILD the dlls and examples
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 stage=$2
version=$(cat VERSION)
name=novem-$version-x86_64
root=$stage/$name
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}
export LC_ALL=C TZ=UTC
umask 022

# Documents, and what the tutorials use, under the same paths as in a clone.
cp README.md LICENSE CHANGELOG.md "$root/"
mkdir -p "$root/tests/conformance" "$root/examples" "$root/build/examples"
cp -R docs "$root/docs"
cp tests/conformance/language.md "$root/tests/conformance/"
cp -R tests/golden "$root/tests/golden"
cp -R examples/shaders "$root/examples/shaders"
ln -s ../bin/novem "$root/build/novem"
for e in "$build"/examples/*; do
    case $e in *.*) continue ;; esac
    [ ! -f "$e" ] || strip -o "$root/build/examples/$(basename "$e")" "$e"
done
for w in win64 win32; do
    case $w in win64) prefix=x86_64 ;; *) prefix=i686 ;; esac
    mkdir -p "$root/build/$w/conformance"
    for f in d3d9.dll lit.exe conformance/runner.exe; do
        [ ! -f "$build/$w/$f" ] || "$prefix-w64-mingw32-strip" -o "$root/build/$w/$f" "$build/$w/$f"
    done
done

tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=go=rX,u+rw \
    -C "$stage" -cf - "$name" | xz -T1 -6 >"$build/dist/$name.tar.xz"

# The dlls for Windows.
rm -rf "$stage/zip"
mkdir -p "$stage/zip/x64" "$stage/zip/x86"
cp "$root/build/win64/d3d9.dll" "$stage/zip/x64/"
cp "$root/build/win32/d3d9.dll" "$stage/zip/x86/"
cp LICENSE "$stage/zip/LICENSE.txt"
notices=$(find "$root" -iname "*notice*" -type f | head -1)
[ -z "$notices" ] || cp "$notices" "$stage/zip/NOTICES.txt"
"$root/bin/novem" config --list | awk '
    BEGIN { print "# Settings of Novem, beside d3d9.dll. Remove # before a setting to use it." }
    /^[A-Z_]+ \(/ { name = $1; value = $0; sub(/^[^(]*\(/, "", value); sub(/\)$/, "", value); next }
    { sub(/^ +/, ""); printf "\n# %s\n# %s = %s\n", $0, name, value == "none" ? "" : value }' >"$stage/zip/novem.conf"
cat >"$stage/zip/README.txt" <<END
Novem $version: Direct3D 9 in software.

Copy d3d9.dll beside a program: x64 for a 64-bit program, x86 for a 32-bit one. It needs no GPU and no driver.
Copy novem.conf beside it to change settings. Under Wine, set WINEDLLOVERRIDES=d3d9=n.
The dlls import functions of Windows XP and later; they have not been tried on Windows XP itself.
LICENSE.txt has the licence.
END
sed -i 's/$/\r/' "$stage/zip/README.txt" "$stage/zip/LICENSE.txt" "$stage/zip/novem.conf"
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
glibc=$(objdump -T "$root/bin/novem" | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -1)
ls -l "$build/dist/$name.tar.xz" "$build/dist/novem-d3d9-$version.zip"
echo "novem needs $glibc or later and $(objdump -p "$root/bin/novem" | awk '/NEEDED/ {printf "%s ", $2}')"
