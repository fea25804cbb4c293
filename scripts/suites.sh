#!/usr/bin/env bash
# Runs Wine's public Direct3D 9 tests on our d3d9.dll, and prints their results (docs/conformance.md). Each test
# function runs in a process of its own, with the expectations for Windows instead of Wine's known failures.
# usage: scripts/suites.sh WINE [FUNCTION...]
#   WINE      Wine's source folder; the script reads dlls/d3d9/tests and include/wine/test.h. For example, with
#             deb-src lines in apt's sources: apt-get source wine, then the folder wine-*
#   FUNCTION  patterns such as 'visual.*fog*'; default: all
#   BUILD=build  folder of our dll;  PEER=1 runs Wine's own d3d9 instead;
#   LIMIT=60     seconds per function;  WORK=build/suites  folder for all files (one run at a time in each)
set -euo pipefail

wine=$(realpath "${1:?usage: scripts/suites.sh WINE [FUNCTION...] (see the head of the script)}")
shift
cd "$(dirname "$0")/.."
build=${BUILD:-build}
work=$(realpath -m "${WORK:-$build/suites}")
limit=${LIMIT:-60}
files=(device visual stateblock d3d9ex)
[ -f "$wine/dlls/d3d9/tests/visual.c" ] && [ -f "$wine/include/wine/test.h" ] ||
    { echo "suites: no dlls/d3d9/tests and include/wine/test.h in $wine: not a source folder of Wine" >&2; exit 2; }

# Builds the tests. START_TEST's calls of test functions become SUITE_FUNCTION, which runs the selected one.
build_suite() {
    mkdir -p "$work/src/wine" "$work/ours" "$work/peer"
    cp "$wine/include/wine/test.h" "$work/src/wine/"
    cp "$wine/dlls/d3d9/tests/utils.h" "$work/src/"
    for file in "${files[@]}"; do
        sed '/^START_TEST/,$s/^    \(test_[a-z0-9_]*\|[a-z0-9_]*_test\)();$/    SUITE_FUNCTION(\1)/' \
            "$wine/dlls/d3d9/tests/$file.c" >"$work/src/$file.new"
        cmp -s "$work/src/$file.new" "$work/src/$file.c" && [ -f "$work/peer/$file.exe" ] && continue
        mv "$work/src/$file.new" "$work/src/$file.c"
        x86_64-w64-mingw32-gcc -O1 -w -DSTANDALONE -Itests/suites -I"$work/src" -o "$work/peer/$file.exe" \
            "$work/src/$file.c" -static -ld3d9 -lgdi32 -luser32 -luuid -ldxguid
    done
    for file in "${files[@]}"; do
        ln -f "$work/peer/$file.exe" "$work/ours/$file.exe"
    done
    cp --remove-destination "$build/win64/d3d9.dll" "$work/ours/" # replaces a file in use
}

# functions [PATTERN...]: prints file.function of all that match a pattern.
functions() {
    local name pattern
    for file in "${files[@]}"; do
        sed -n "s/^    SUITE_FUNCTION(\(.*\))$/$file.\1/p" "$work/src/$file.c"
    done | while read -r name; do
        for pattern in "${@:-*}"; do
            # shellcheck disable=SC2053
            if [[ $name == $pattern ]]; then
                echo "$name"
                break
            fi
        done
    done
}

# run_function NAME: prints a row with name, passed checks, failed checks, skipped parts and end.
run_function() {
    local name=$1 log=$work/$side/$1.log end='done' passed=0 failed=0 skipped=0 total
    SUITE_TEST=${name#*.} timeout "$limit" wine "$work/$side/${name%%.*}.exe" >"$log" 2>&1 </dev/null || end=$?
    if [[ $(grep -a 'tests executed' "$log" | tail -1) =~ \ ([0-9]+)\ tests.*,\ ([0-9]+)\ failure.*,\ ([0-9]+)\ skipped ]]; then
        total=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]} skipped=${BASH_REMATCH[3]} end='done'
        passed=$((total - failed))
    elif [ "$end" = 124 ]; then
        end="timed out"
    else
        end=crashed
    fi
    [ "$end" = 'done' ] || failed=$(grep -ac 'Test failed' "$log" || true)
    printf '%-52s %8s %7s %7s  %s\n' "$name" "$passed" "$failed" "$skipped" "$end"
}

run_all() {
    printf '%-52s %8s %7s %7s  %s\n' function passed failed skipped end
    functions "$@" | while read -r name; do run_function "$name"; done
}

if [ "${SUITE_INSIDE:-}" ]; then # within Xvfb
    side=$SUITE_INSIDE
    wine wineboot --init >/dev/null 2>&1 # not part of the first function's time limit
    # A virtual desktop of Wine: unlike Xvfb's, its mode can be changed and windows come to the front at once.
    wine reg add 'HKCU\Software\Wine\Explorer' /v Desktop /d suites /f >/dev/null
    wine reg add 'HKCU\Software\Wine\Explorer\Desktops' /v suites /d 1024x768 /f >/dev/null
    run_all "$@" | tee "$work/$side.txt"
    wineserver -k || true
    awk 'NR > 1 { n++; p += $2; f += $3; if ($3 == 0 && $5 == "done") ok++; if ($5 != "done") bad++ }
         END { printf "%d of %d functions pass; %d checks passed, %d failed; %d functions crashed or timed out\n",
               ok, n, p, f, bad }' "$work/$side.txt"
    exit
fi

build_suite
# A separate Wine prefix: tests change the desktop's mode and other settings.
export WINEPREFIX=$work/wine WINEDEBUG=-all WINETEST_PLATFORM=windows
if [ "${PEER:-}" ]; then
    export SUITE_INSIDE=peer
else
    export SUITE_INSIDE=ours WINEDLLOVERRIDES="d3d9=n;mscoree,mshtml="
fi
exec xvfb-run -a -s "-screen 0 1280x1024x24" "$PWD/scripts/suites.sh" "$wine" "$@"
