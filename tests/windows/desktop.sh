#!/usr/bin/env bash
# Runs a program on a virtual desktop of Wine with 1024x768 pixels: unlike Xvfb's, its mode can be changed.
#   tests/windows/desktop.sh PROGRAM [D3D9.DLL]    without a dll: Wine's own d3d9
set -euo pipefail
program=$(realpath "$1")
[ -n "${DISPLAY_OF_TEST:-}" ] || DISPLAY_OF_TEST=1 exec xvfb-run -a -s "-screen 0 1280x1024x24" "$0" "$@"
export WINEDEBUG=-all
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
name=$(basename "$program")
cp "$program" "$place/"
overrides='d3d9=b;winedbg.exe=d'
if [ -n "${2:-}" ]; then
    cp "$2" "$place/d3d9.dll"
    overrides='d3d9=n;winedbg.exe=d'
fi
key='HKCU\Software\Wine'
# Wine 10 has one desktop for all programs. Only scripts/wine_root.sh has a prefix that no other test uses.
of_program=${PREFIX_OF_ROOT:+Explorer}
wine reg add "$key\\${of_program:-AppDefaults\\$name\\Explorer}" /v Desktop /d tests /f >/dev/null
wine reg add "$key\\Explorer\\Desktops" /v tests /d 1024x768 /f >/dev/null
cd "$place"
WINEDLLOVERRIDES=$overrides timeout 120 wine "$name"
