#!/usr/bin/env bash
# Runs all scenes on the 32-bit d3d9.dll, under the 32-bit Wine of an i386 Debian that debootstrap installs.
#   sudo scripts/scenes32.sh [BUILD] [FOLDER]    FOLDER (default BUILD/i386, 1.5 GB) is created once and reused
set -euo pipefail
# A private mount namespace, so that no mount survives the script.
[ -n "${SCENES32_APART:-}" ] || SCENES32_APART=1 exec unshare --mount "$0" "$@"
cd "$(dirname "$0")/.."
build=${1:-build}
root=$(realpath -m "${2:-$build/i386}")
[ "$(id -u)" = 0 ] || { echo "scenes32: debootstrap and chroot require root" >&2; exit 2; }
for file in "$build/win32/d3d9.dll" "$build/win32/conformance/runner.exe"; do
    [ -f "$file" ] || { echo "scenes32: $file is missing; run: make $file" >&2; exit 2; }
done

if [ ! -x "$root/usr/lib/wine/wine" ]; then
    debootstrap --arch=i386 --variant=minbase --include=wine32,xvfb,xauth bookworm "$root"
fi
rm -rf "$root/novem/own" "$root/novem/scenes"
mkdir -p "$root/novem/own"
cp "$build/win32/d3d9.dll" "$build/win32/conformance/runner.exe" "$root/novem/own/"
cp -r tests/conformance "$root/novem/scenes"

mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
chroot "$root" env -i HOME=/root PATH=/usr/lib/wine:/usr/bin:/bin WINEARCH=win32 WINEPREFIX=/novem/wine WINEDEBUG=-all \
    WINEDLLOVERRIDES="d3d9=n;winedbg.exe=d;mscoree,mshtml=" \
    sh -c 'cd /novem && xvfb-run -a wine own/runner.exe scenes/*/'
