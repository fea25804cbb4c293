#!/usr/bin/env bash
# Tests the shm sink: the native viewer reads a frame that a Windows program under Wine writes to shared memory.
#   tests/windows/viewer.sh NOVEM PROGRAM.EXE D3D9.DLL
set -euo pipefail
[ -n "${DISPLAY_OF_TEST:-}" ] || DISPLAY_OF_TEST=1 exec xvfb-run -a "$0" "$@"
export WINEDEBUG=-all
novem=$(realpath "$1") name=viewer-test-$$
place=$(mktemp -d)
program=
finish() {
    [ -z "$program" ] || kill "$program" 2>/dev/null || true
    wait
    rm -rf "$place" "/dev/shm/novem-$name"
}
trap finish EXIT
cp "$2" "$place/program.exe"
cp "$3" "$place/d3d9.dll"
cd "$place"
NOVEM_SINK=shm:$name,png:. WINEDLLOVERRIDES='d3d9=n;winedbg.exe=d' timeout 100 \
    wine program.exe --frames 200 --size 320x200 &
program=$!
number=$("$novem" view "$name" --save seen.png --wait 60 | sed -n 's/.*frame \([0-9]*\) .*/\1/p')
frame=$(printf 'frame-%05d.png' "$number")
# The png sink follows the shm sink: waits until it has written the frame.
for _ in $(seq 100); do
    [ -e "$(printf 'frame-%05d.png' $((number + 1)))" ] && break
    kill -0 "$program" 2>/dev/null || break
    sleep 0.1
done
"$novem" diff seen.png "$frame"
