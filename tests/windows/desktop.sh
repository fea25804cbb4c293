#!/usr/bin/env bash
# Runs a program on a virtual desktop of Wine with 1024x768 pixels: unlike Xvfb's, its mode can be changed. Programs
# test_managed_* run on Xvfb's own screen of 800x600 with the window manager openbox.
#   tests/windows/desktop.sh PROGRAM [D3D9.DLL]    without a dll: Wine's own d3d9
#     LIMIT=120    seconds that the program gets
set -euo pipefail
program=$(realpath "$1")
managed= size=1280x1024
case $program in */test_managed_*) managed=1 size=800x600 ;; esac
[ -n "${DISPLAY_OF_TEST:-}" ] || DISPLAY_OF_TEST=1 exec xvfb-run -a -s "-screen 0 ${size}x24" "$0" "$@"
export WINEDEBUG=-all
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
name=$(basename "$program")
cp "$program" "$(dirname "$program")"/*.dll "$place/"
overrides='d3d9=b;winedbg.exe=d'
if [ -n "${2:-}" ]; then
    cp "$2" "$place/d3d9.dll"
    overrides='d3d9=n;winedbg.exe=d'
fi
key='HKCU\Software\Wine'
# Wine 10 has one desktop for all programs. Only scripts/wine_root.sh has a prefix that no other test uses.
of_program=${PREFIX_OF_ROOT:+Explorer}
desktop_key="$key\\${of_program:-AppDefaults\\$name\\Explorer}"
if [ "$managed" ]; then
    # Programs that run on other displays at the same time share the desktop of their prefix, with its size.
    if [ -z "${PREFIX_OF_ROOT:-}" ]; then
        export WINEPREFIX=${WINEPREFIX:-$HOME/.wine}-managed
        mkdir -p "$WINEPREFIX"
        timeout 60 wineserver -w || wineserver -k || true
        [ -e "$WINEPREFIX/system.reg" ] || { timeout 120 wine cmd /c exit >/dev/null 2>&1 && timeout 60 wineserver -w; } || true
    else
        wine reg delete "$desktop_key" /v Desktop /f >/dev/null 2>&1 || true
    fi
    openbox --sm-disable 2>/dev/null &
    trap 'kill %1; rm -rf "$place"' EXIT
else
    wine reg add "$desktop_key" /v Desktop /d tests /f >/dev/null
    wine reg add "$key\\Explorer\\Desktops" /v tests /d 1024x768 /f >/dev/null
fi
cd "$place"
WINEDLLOVERRIDES=$overrides timeout "${LIMIT:-120}" wine "$name"
