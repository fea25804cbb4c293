#!/usr/bin/env bash
# Runs Wine's public tests of Direct3D 9 and of its clients D3DX and VMR-9 on our d3d9.dll, and prints their results
# (docs/conformance.md). Each test function runs in a process of its own. Tests of d3d9 have the expectations for
# Windows instead of Wine's known failures. Tests of clients keep these, since the clients are Wine's.
# usage: scripts/suites.sh WINE [FUNCTION...]
#   WINE      Wine's source folder; for example, with deb-src lines in apt's sources: apt-get source wine, then the
#             folder wine-*
#   FUNCTION  patterns such as 'visual.*fog*'; default: all
#   VKD3D=folder  vkd3d's source folder: its shader tests run as well, as functions vkd3d.NAME; their HLSL compiler is
#                Wine's d3dcompiler_47, which should be as new as the tests
#   BUILD=build  folder of our dll;  PEER=1 runs Wine's own d3d9 instead;
#   ROOT=folder  runs under the Wine of scripts/wine_root.sh (as root); the clients should be as new as their tests
#   LIMIT=60     seconds per function;  WORK=build/suites  folder for all files (one run at a time in each)
set -euo pipefail

wine=$(realpath -m "${1:?usage: scripts/suites.sh WINE [FUNCTION...] (see the head of the script)}")
shift
cd "$(dirname "$0")/.."
build=${BUILD:-build}
work=$(realpath -m "${WORK:-$build/suites}")
limit=${LIMIT:-60}
vkd3d=${VKD3D:+$(realpath -m "$VKD3D")}
d3d9=(device visual stateblock d3d9ex)
d3dx9_36=(asm core effect line math mesh shader surface texture volume xfile)
quartz=(vmr9)
# Headers that Wine's build makes, from Debian's libwine-dev.
made=${ROOT:+$(realpath -m "$ROOT")}/usr/include/wine/wine/windows
files=("${d3d9[@]}" "${d3dx9_36[@]}" "${quartz[@]}")

# Builds a test program of a dll. START_TEST's calls of test functions become SUITE_FUNCTION, which runs the selected
# one.
build_file() {
    local file=$2 tests=$wine/dlls/$1/tests
    local names='test_[A-Za-z0-9_]*\|[a-z0-9_]*_test\|D3DX[A-Za-z0-9]*Test'
    shift 2
    sed "/^START_TEST/,\$s/^    \($names\)(\(.*\));\$/    SUITE_FUNCTION(\1, \2)/" \
        "$tests/$file.c" >"$work/src/$file.new"
    if cmp -s "$work/src/$file.new" "$work/src/$file.c" && [ -f "$work/peer/$file.exe" ]; then return; fi
    mv "$work/src/$file.new" "$work/src/$file.c"
    x86_64-w64-mingw32-gcc -O1 -w -DSTANDALONE -Itests/suites -I"$work/src" -idirafter "$tests" \
        -idirafter "$wine/include" -idirafter "$made" -DSTRSAFE_NO_DEPRECATE \
        -o "$work/peer/$file.exe" "$work/src/$file.c" -static "$@" \
        -ld3d9 -lgdi32 -luser32 -luuid -ldxguid
}

# Builds vkd3d's runner of shader tests with its back end for Direct3D 9 alone.
build_vkd3d() {
    local headers=$work/src/vkd3d file
    [ -f "$vkd3d/tests/shader_runner_d3d9.c" ] ||
        { echo "suites: no tests/shader_runner_d3d9.c in $vkd3d: not a source folder of vkd3d" >&2; exit 2; }
    mkdir -p "$headers"
    for file in "$vkd3d"/include/vkd3d_{d3d,dxgi}*.idl "$vkd3d/tests/dxcompiler.idl"; do
        x86_64-w64-mingw32-widl -h -I"$vkd3d/include" -o "$headers/$(basename "$file" .idl).h" "$file"
    done
    : >"$headers/config.h"
    echo "void run_shader_tests_d3d11(void) {} void run_shader_tests_d3d12(void *dxc) { (void)dxc; }" \
        >"$headers/others.c"
    # The compiler of shader model 6, which Direct3D 9 does not have, is not looked for.
    sed 's/= dxcompiler_create();/= NULL;/' "$vkd3d/tests/shader_runner.c" >"$headers/shader_runner.c"
    x86_64-w64-mingw32-gcc -O1 -w -municode -DINITGUID -DVKD3D_CROSSTEST=1 -D_WIN32_WINNT=0x0600 \
        -D__USE_MINGW_ANSI_STDIO=0 -I"$vkd3d/include" -I"$vkd3d/include/private" -I"$vkd3d/tests" -I"$headers" \
        -o "$work/peer/vkd3d.exe" "$headers/shader_runner.c" "$vkd3d/tests/shader_runner_d3d9.c" "$headers/others.c" \
        -static -lgdi32 -ld3dcompiler_47
    # Beside the programs, for a Wine in a root of its own.
    mkdir -p "$work/src/shader_tests"
    cp "$vkd3d"/tests/hlsl/*.shader_test "$work/src/shader_tests/"
}

build_suite() {
    local file
    [ -f "$wine/dlls/d3d9/tests/visual.c" ] && [ -f "$wine/include/wine/test.h" ] ||
        { echo "suites: no dlls/d3d9/tests and include/wine/test.h in $wine: not a source folder of Wine" >&2; exit 2; }
    [ -f "$made/videoacc.h" ] ||
        { echo "suites: $made/videoacc.h is missing: install libwine-dev, or set ROOT" >&2; exit 2; }
    mkdir -p "$work/src/wine" "$work/ours" "$work/peer"
    cp "$wine/include/wine/"{test,strmbase}.h "$work/src/wine/"
    cp "$wine/dlls/d3d9/tests/utils.h" "$work/src/"
    for file in "${d3d9[@]}"; do
        build_file d3d9 "$file"
    done
    (cd "$wine/dlls/d3dx9_36/tests" && x86_64-w64-mingw32-windres -I. rsrc.rc "$work/src/d3dx9_36.o")
    for file in "${d3dx9_36[@]}"; do
        build_file d3dx9_36 "$file" "$work/src/d3dx9_36.o" -ld3dx9_36
    done
    # Names of locks for Wine's debugger, which mingw's headers lack.
    mkdir -p "$work/src/strmbase"
    cp "$wine"/libs/strmbase/*.[ch] "$work/src/strmbase/"
    sed -i 's/^ *.*DebugInfo->Spare.*;$/        ;/' "$work"/src/strmbase/*.c
    for file in "${quartz[@]}"; do
        build_file quartz "$file" "$work"/src/strmbase/*.c -lstrmiids -lole32 -loleaut32 -ladvapi32
    done
    if [ "$vkd3d" ]; then
        build_vkd3d
        ln -f "$work/peer/vkd3d.exe" "$work/ours/vkd3d.exe"
    fi
    for file in "${files[@]}"; do
        ln -f "$work/peer/$file.exe" "$work/ours/$file.exe"
    done
    cp --remove-destination "$build/win64/d3d9.dll" "$work/ours/" # replaces a file in use
}

# functions [PATTERN...]: prints file.function of all that match a pattern.
functions() {
    local name pattern
    {
        for file in "${files[@]}"; do
            sed -n "s/^    SUITE_FUNCTION(\([^,]*\),.*/$file.\1/p" "$work/src/$file.c"
        done
        if [ "$vkd3d" ]; then
            (cd "$work/src/shader_tests" && printf 'vkd3d.%s\n' *.shader_test) | sed 's/\.shader_test$//'
        fi
    } | while read -r name; do
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
    local name=$1 log=$work/$side/$1.log end='done' passed=0 failed=0 skipped=0 total pattern arguments=()
    [[ $name != vkd3d.* ]] || arguments=("z:$work/src/shader_tests/${name#*.}.shader_test")
    unset WINETEST_PLATFORM
    [[ " ${d3d9[*]} " != *" ${name%%.*} "* ]] || export WINETEST_PLATFORM=windows
    SUITE_TEST=${name#*.} timeout "$limit" wine "$work/$side/${name%%.*}.exe" "${arguments[@]}" \
        >"$log" 2>&1 </dev/null || end=$?
    pattern=' ([0-9]+) tests.*[,(] ?([0-9]+) failure.*, ([0-9]+) skipped'
    if [[ $(grep -a 'tests executed' "$log" | tail -1) =~ $pattern ]]; then
        total=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]} skipped=${BASH_REMATCH[3]} end='done'
        passed=$((total - failed))
    elif [ "$end" = 124 ]; then
        end="timed out"
    else
        end=crashed
    fi
    # vkd3d counts shaders as failures that a newer compiler can compile, against its expectation.
    if [[ $name == vkd3d.* && $end == 'done' ]]; then
        failed=$(grep -ac 'Test failed' "$log" || true)
        passed=$((total - failed))
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
    [ -z "${ROOT:-}" ] || export WINEPREFIX=/wine/suites
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

if [ "${ROOT:-}" ]; then scripts/wine_root.sh "$ROOT"; fi
build_suite
# A separate Wine prefix: tests change the desktop's mode and other settings.
export WINEPREFIX=$work/wine WINEDEBUG=-all ROOT VKD3D=$vkd3d
if [ "${PEER:-}" ]; then
    export SUITE_INSIDE=peer
else
    export SUITE_INSIDE=ours WINEDLLOVERRIDES="d3d9=n;mscoree,mshtml="
fi
exec ${ROOT:+scripts/wine_root.sh "$ROOT"} xvfb-run -a -s "-screen 0 1280x1024x24" \
    "$PWD/scripts/suites.sh" "$wine" "$@"
