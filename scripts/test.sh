#!/usr/bin/env bash
# Runs all tests that `make test` has built, and counts: Check programs, scenes, examples over instruction sets, thread
# counts and platforms, lint. The last lines name the failed tests; the very last is "N passed, N failed, N skipped".
#   scripts/test.sh [--native] BUILD     --native: skips Windows, arm64 and linux32
#   scripts/test.sh --linux32 BUILD      the 32-bit programs of make test-linux32 alone
#   scripts/test.sh --arm64 BUILD        the programs of make test-arm64 alone
set -uo pipefail
cd "$(dirname "$0")/.."
native_only='' linux32_only='' arm64_only=''
[ "${1:-}" = --native ] && { native_only=1; shift; }
[ "${1:-}" = --linux32 ] && { linux32_only=1; shift; }
[ "${1:-}" = --arm64 ] && { arm64_only=1; shift; }
build=${1:-build}
log=$build/test-logs
mkdir -p "$log"
. scripts/test_summary.sh
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-120}
# Tests expect failed allocations: AddressSanitizer must return NULL too.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1:max_allocation_size_mb=2048}
export WINEDEBUG=-all WINEPREFIX=$PWD/build/wine

# test_programs FOLDER [SUFFIX]: the Check programs of a build folder. Programs whose source is gone are left out.
test_programs() {
    local t source
    find "$1/tests" -type f -perm -u+x -name "test_*${2:-}" ! -name '*.d' | sort | while IFS= read -r t; do
        source=${t#"$1/"}
        [ ! -f "${source%"${2:-}"}.c" ] || echo "$t"
    done
}

# unit_tests FOLDER PREFIX: runs the Check programs of a build folder.
unit_tests() {
    local t out checks bad label code
    for t in $(test_programs "$1"); do
        label=$2${t#"$1"/tests/} out=$log/$(echo "$2${t#"$1"/}" | tr '/: ' ___).log code=0
        "$t" >"$out" 2>&1 || code=$?
        # Check prints "98%: Checks: N, Failures: F, Errors: E".
        checks=$(grep -oE '^[0-9]+%: Checks: [0-9]+' "$out" | awk '{n += $3} END {print n + 0}')
        bad=$(grep -oE 'Failures: [0-9]+, Errors: [0-9]+' "$out" | tr -d , | awk '{n += $2 + $4} END {print n + 0}')
        if [ "$checks" -eq 0 ] && grep -q '^SKIPPED' "$out"; then count "$label" 0 0 1; continue; fi
        [ "$checks" -gt 0 ] || { checks=1 bad=1; echo "no result of the tests, exit code $code" >>"$out"; }
        count "$label" $((checks - bad)) "$bad"
        [ "$bad" -eq 0 ] || grep -vE '^(Running|[0-9]+%)' "$out" | head -20 | complain "$label"
    done
}

# printed FILE COMMAND...: writes a program's output with Unix line ends to FILE. A pipe could stay open for ever:
# services that Wine starts inherit it.
printed() {
    local out=$1
    shift
    "$@" >"$out.raw" 2>&1
    tr -d '\r' <"$out.raw" >"$out"
}

# portable PLATFORM SUFFIX FOLDERS RUNNER...: runs the kernel tests of another platform in folders that match an
# expression, and compares their hashes with ours.
portable() {
    local platform=$1 suffix=$2 folders=$3 t name out checks bad
    shift 3
    for t in $(test_programs "$build/$platform" "$suffix" | grep -E "/tests/($folders)/"); do
        name=${t#"$build/$platform/tests/"} name=${name%"$suffix"}
        out=$log/${platform}_$(echo "$name" | tr / _).log
        printed "$out" "$@" "$t"
        checks=$(awk '/^100%: Checks/ {print $3 + 0}' "$out") bad=0
        grep '^bits ' "$log/tests_$(echo "$name" | tr / _).log" | sort >"$out.here"
        grep '^bits ' "$out" | sort | cmp -s - "$out.here" || bad=1
        [ -s "$out.here" ] || { bad=1; echo "$name prints no bits to compare (tests/kernel/bits.h)"; }
        [ -n "$checks" ] || checks=0 bad=1
        count "$platform: $name" "$checks" "$bad"
        [ "$bad" -eq 0 ] || { grep -v '^bits ' "$out"; grep '^bits ' "$out" | sort | diff "$out.here" - ; } | head -20 |
            complain "$platform: $name"
    done
}

# linux32_programs FOLDERS: 32-bit programs, natively.
no_linux32='no clang, no 32-bit C library, or a kernel that runs no 32-bit programs'
linux32_programs() {
    if [ -d "$build/linux32/tests" ] && /lib/ld-linux.so.2 --version >/dev/null 2>&1; then
        portable linux32 "" "$1"
    else
        count "linux32: $no_linux32" 0 0 1
    fi
}

# Runs the window tests on a virtual desktop of Wine with our d3d9.dll.
windows() {
    local t name out checks
    one "windows: dlls can be loaded anywhere" scripts/check_pe.py "$build"/win{64,32}/d3d9.dll
    for t in $(find "$build/win64/windows" -type f -name 'test_*.exe' | sort); do
        name=$(basename "$t" .exe) out=$log/windows_$(basename "$t" .exe).log
        printed "$out" tests/windows/desktop.sh "$t" "$build/win64/d3d9.dll"
        checks=$(awk '/^100%: Checks/ {print $3 + 0}' "$out")
        count "windows: $name" "${checks:-0}" "$([ -n "$checks" ] && echo 0 || echo 1)"
        [ -n "$checks" ] || tail -15 "$out" | complain "windows: $name"
    done
    if [ -f "$build/win64/novem.exe" ]; then
        one "windows: novem.exe" xvfb-run -a tests/tool/other_novem.sh "$build/novem" "$build/win64/novem.exe" wine
    else count "windows: novem.exe, whose libraries could not be fetched" 0 0 1; fi
    one "windows: frames for a native viewer" tests/windows/viewer.sh "$build/novem" "$build/win64/ui.exe" \
        "$build/win64/d3d9.dll"
}

# Sources for the systems of scripts/cross.mk, and the programs for them that have been built.
other_systems() {
    if [ -x "$build/zig/package/zig" ] && [ -f "$build/sources/stamp" ]; then
        one "other systems: sources compile" make --no-print-directory BUILD="$build" cross-check
    else count "other systems: zig or the sources of libraries are not there (make zig)" 0 0 1; fi
    [ ! -f "$build/winarm64/d3d9.dll" ] ||
        one "other systems: dll for Windows on ARM64" scripts/check_pe.py "$build/winarm64/d3d9.dll"
    [ ! -f "$build/musl64/novem" ] ||
        one "other systems: static novem" tests/tool/other_novem.sh "$build/novem" "$build/musl64/novem" env
    [ ! -f "$build/muslarm64/novem" ] ||
        one "other systems: static novem for AArch64" tests/tool/other_novem.sh "$build/novem" \
            "$build/muslarm64/novem" qemu-aarch64
    [ ! -f "$build/macos/novem" ] ||
        one "other systems: files for macOS" scripts/check_macho.py "$build"/macos/{novem,libnovem.dylib}
}

# scenes LABEL LOG COMMAND...: the runner's last line is "conformance: N passed, N failed, N todo".
scenes() {
    local label=$1 out=$log/$2.log line
    shift 2
    "$@" >"$out" 2>&1
    line=$(grep -E '^conformance: [0-9]+ passed' "$out" | tail -1)
    if [ -z "$line" ]; then count "$label" 0 1; tail -15 "$out" | complain "$label"; return; fi
    count "$label" "$(echo "$line" | awk '{print $2}')" "$(echo "$line" | awk '{print $4}')"
    echo "$line" | grep -q ' 0 failed' || grep -vE '^conformance:' "$out" | head -20 | complain "$label"
}

# frames DIR COMMAND...: prints a hash of the frames of an example.
frames() {
    local dir=$1
    shift
    rm -rf "$dir"
    mkdir -p "$dir"
    NOVEM_SINK=png:$dir "$@" --frames 2 >"$dir.log" 2>&1 || { tail -5 "$dir.log" >&2; echo "failed"; return; }
    (cd "$dir" && cat -- *.png 2>/dev/null | sha256sum | cut -d' ' -f1)
}

# runs ISA: whether this processor has an instruction set
runs() {
    case $(uname -m),$1 in
    aarch64,neon) ;;
    x86_64,*) grep -qw "${1/avx512/avx512f}" /proc/cpuinfo ;;
    *) false ;;
    esac
}

examples() {
    local e first other isa threads bad good name differ
    for e in $(find "$build/examples" -maxdepth 1 -type f -perm -u+x 2>/dev/null | sort); do
        name=$(basename "$e")
        first=$(NOVEM_SIMD=scalar NOVEM_THREADS=1 frames "$log/frames/$name" "$e")
        good=0 bad=0 differ=''
        [ "$first" = failed ] && { count "example $name" 0 1; continue; }
        [ "$(ls "$log/frames/$name"/*.png 2>/dev/null | wc -l)" -eq 2 ] || bad=1
        for isa in sse2 avx2 avx512 neon; do
            runs "$isa" || continue
            for threads in 1 2 4; do
                other=$(NOVEM_SIMD=$isa NOVEM_THREADS=$threads frames "$log/frames/$name-$isa-$threads" "$e")
                if [ "$other" = "$first" ]; then good=$((good + 1)); else
                    bad=$((bad + 1)); differ="$differ $isa/$threads"; fi
            done
        done
        count "example $name: instruction sets and threads" "$good" "$bad"
        [ -z "$differ" ] || echo "other pixels with instruction set/threads$differ" |
            complain "example $name: instruction sets and threads"
        [ -n "$native_only" ] && continue
        other=$(WINEDLLOVERRIDES="d3d9=n;winedbg.exe=d" frames "$log/frames/$name-win64" xvfb-run -a wine "$build/win64/$name.exe")
        if [ "$other" = "$first" ]; then count "example $name: d3d9.dll under Wine" 1 0; else
            count "example $name: d3d9.dll under Wine" 0 1; fi
        first=$(frames "$log/frames/$name-small" "$e" --size 160x120)
        other=$(frames "$log/frames/$name-arm64" qemu-aarch64 "$build/arm64/examples/$name" --size 160x120)
        if [ "$other" = "$first" ]; then count "example $name: arm64 under qemu" 1 0; else
            count "example $name: arm64 under qemu" 0 1; fi
    done
}

same_pixels() {
    "$build/novem" diff "$1/own/$2" "$1/replayed/$2" >>"$1/log" 2>&1
}

# Records the calls of each example, replays them to the same pictures, and reads the capture with apitrace.
recordings() {
    local e name dir good bad
    for e in $(find "$build/examples" -maxdepth 1 -type f -perm -u+x 2>/dev/null | sort); do
        name=$(basename "$e") dir=$log/recordings/$(basename "$e") good=0 bad=0
        rm -rf "$dir"
        mkdir -p "$dir/own" "$dir/replayed"
        NOVEM_SINK=png:$dir/own "$build/novem" record -o "$dir/x.trace" -- "$e" --frames 2 >"$dir/log" 2>&1
        "$build/novem" replay "$dir/x.trace" -o "$dir/replayed" --quiet >>"$dir/log" 2>&1
        if same_pixels "$dir" frame-00000.png && same_pixels "$dir" frame-00001.png; then good=1; else bad=1; fi
        if command -v apitrace >/dev/null; then
            if apitrace dump --color=never "$dir/x.trace" >"$dir/dump" 2>>"$dir/log" &&
                [ "$(grep -c 'IDirect3DDevice9::Present' "$dir/dump")" -eq 2 ] &&
                apitrace trim --frames=0-0 -o "$dir/y.trace" "$dir/x.trace" >>"$dir/log" 2>&1 &&
                "$build/novem" edit "$dir/x.trace" -o "$dir/z.trace" --set CULLMODE=NONE \
                    --call "$(awk '/::Draw/ {print $1; exit}' "$dir/dump")" >>"$dir/log" 2>&1 &&
                apitrace dump --color=never "$dir/z.trace" >"$dir/dump" 2>>"$dir/log" &&
                grep -q 'D3DRS_CULLMODE, Value = D3DCULL_NONE' "$dir/dump"; then
                good=$((good + 1)); else bad=$((bad + 1)); fi
        fi
        count "example $name: recorded and replayed" "$good" "$bad"
        [ "$bad" -eq 0 ] || tail -15 "$dir/log" | complain "example $name: recorded and replayed"
    done
    [ -n "$native_only" ] ||
        one "asan: replay of a recorded example" "$build/short/asan/novem" replay --hash "$log/recordings/lit/x.trace"
}

# --- Parts ----------------------------------------------------------------------------------------
# Each part is a function. Parts run at the same time, as many as there are processors (run_parts below).

own_tests() {
    unit_tests "$build" ""
}

random_tests() {
    one "bench of the shader machine: bits" "$build/novem" bench --seconds 0 --passes 1
    one "shaders and the same in C: bits" "$build/bench/vm" --seconds 0
    one "random states: threads, instruction sets, interpreter" tests/tool/lottery.sh "$build"
    one "variants of benchmark rows" tests/tool/relatives.sh "$build"
    one "random draws: interpreted and compiled" "$build/fuzz_pipeline" --seconds 12
    one "functions against libm, a sample" "$build/tests/exhaustive/functions" --every 1009
}

arm64_tests() {
    needs own_tests
    portable arm64 "" '.*' qemu-aarch64
    linux32_programs 'unit/ir|kernel/ir|kernel/vm|fuzz/vm'
}

windows_tests() {
    needs own_tests
    portable win64 .exe '.*' env WINEDLLOVERRIDES=winedbg.exe=d xvfb-run -a wine # no debugger after a crash
}

own_scenes() {
    one "rules named by scenes" tests/conformance/check_rules.sh docs/reference.md tests/conformance/*/*.d9t
    one "every instruction in scenes" tests/conformance/check_coverage.sh src/vm/isa/isa.def \
        "$build/conformance/runner" tests/conformance/*/*.d9t
    scenes "scenes" scenes env NOVEM_JIT=eager "$build/conformance/runner" --isolate tests/conformance/*/*.d9t
    scenes "scenes: MUL_ZERO=ieee" scenes-ieee env NOVEM_MUL_ZERO=ieee \
        "$build/conformance/runner" --isolate tests/conformance/*/*.d9t
    scenes "scenes: late tests, no packing, small tiles" scenes-plain env NOVEM_EARLY_Z=off NOVEM_JIT=off \
        NOVEM_FRAGMENT_PACKING=off NOVEM_CULL_OVERDRAWN=off NOVEM_FAST_CLEAR=off NOVEM_TILE_SIZE=16 NOVEM_THREADS=3 \
        "$build/conformance/runner" tests/conformance/*/*.d9t
}

arm64_scenes() {
    scenes "scenes: arm64 under qemu" scenes-arm64 env NOVEM_JIT=eager \
        qemu-aarch64 "$build/arm64/conformance/runner" tests/conformance/*/*.d9t
}

wine_scenes() {
    mkdir -p "$build/win64/conformance-own"
    cp "$build/win64/conformance/runner.exe" "$build/win64/d3d9.dll" "$build/win64/conformance-own/"
    scenes "scenes: d3d9.dll under Wine" scenes-wine env WINEDLLOVERRIDES="d3d9=n;winedbg.exe=d" \
        xvfb-run -a wine "$build/win64/conformance-own/runner.exe" tests/conformance/*/
    one "random states: d3d9.dll under Wine" tests/tool/lottery.sh "$build" wine
    one "assembler and compiler of Wine" tests/peers/run.sh "$build/peers" bench/shaders/*.asm
    one "setting up a program under Wine" tests/tool/setup_wine.sh "$build" wine
    one "bundle: d3d9.dll under Wine" tests/tool/gpu_bundle.sh "$build" wine
    one "programs for candidates: d3d9.dll under Wine" tests/tool/retrace.sh "$build" wine
    one "control panel: d3d9.dll under Wine" tests/tool/control.py "$build" wine
}

tools() {
    one "golden images" "$build/novem" golden run tests/golden/exact.toml --quiet \
        -o "$build/golden/native" --candidate "$build/novem scene --list {list}"
    one "workflow files of the documents" tests/golden/workflows.py "$build/novem" docs/golden-ci.md
    one "unknown faults and variants are refused" tests/golden/unknown_names.sh "$build/novem"
    one "options of novem are those of its help" tests/tool/options.sh "$build/novem"
    one "bad inputs and outputs of novem are reported" tests/tool/streams.sh "$build/novem"
    one "what make says and where it writes" tests/tool/build.sh
    one "summary of failed tests" tests/tool/summary.sh
    one "programs with the installed library" tests/install/check.sh --short "$build"
    one "programs of a release with an older glibc" tests/install/glibc.sh "$build"
    one "tutorials of shaders and of a wrong pixel" tests/install/tutorials.sh \
        docs/tutorial-shaders.md docs/tutorial-pixel.md docs/tutorial-water.md
    one "version, help, man page and completions" tests/tool/help.sh "$build/novem"
    one "HLSL" tests/tool/hlsl.sh "$build"
    one "settings of a program of a folder" tests/tool/config.sh "$build/novem"
    one "setting up programs for Wine" tests/tool/setup_wine.sh "$build"
    one "programs for candidates of golden images" tests/tool/retrace.sh "$build"
    one "bundle for another machine's GPU" tests/tool/gpu_bundle.sh "$build"
    one "options of other programs" tests/tool/programs.sh "$build/novem-retrace" x.trace "$build/novem-runner" x.d9t \
        "$build/conformance/runner" x.d9t "$build/embed" x.psh "$build/tests/exhaustive/functions" "" "$build/bench/vm" ""
    one "messages of novem" tests/tool/messages.sh "$build/novem"
    one "files that cannot be written" tests/tool/writers.sh "$build/novem"
    one "options of examples" tests/tool/examples.sh "$build/examples/lit" "$build/examples/ui"
}

pages() {
    one "report of golden images in Chromium" tests/browser/run.sh "$build/novem"
    one "page of a frame in Chromium" tests/browser/frame_page.py "$build/novem"
    one "control panel of an example" tests/tool/control.py "$build"
    one "control panel in Chromium" tests/browser/control_panel.py "$build"
}

# Tests under sanitizers, with the kernels of the normal build (scripts/sanitizers.mk).
asan() {
    local short=$build/short
    export CK_TIMEOUT_MULTIPLIER=10
    unit_tests "$short/asan" "asan: "
    scenes "asan: scenes" scenes-asan "$short/asan/conformance/runner" tests/conformance/*/*.d9t
    one "asan: golden images" "$short/asan/novem" golden run tests/golden/exact.toml --quiet \
        -o "$build/golden/asan" --candidate "$short/asan/novem scene --list {list}"
}

tsan() {
    local short=$build/short
    export CK_TIMEOUT_MULTIPLIER=10
    unit_tests "$short/tsan" "tsan: "
    scenes "tsan: scenes" scenes-tsan env NOVEM_THREADS=4 "$short/tsan/conformance/runner" tests/conformance/*/*.d9t
    mkdir -p "$short/fuzz/corpus"
    one "fuzzer of shaders, 20 seconds" "$short/fuzz/fuzz_shader" -max_total_time=20 -timeout=25 -rss_limit_mb=2048 \
        -max_len=4096 -artifact_prefix="$log/finding-" -verbosity=0 "$short/fuzz/corpus" "$short/fuzz/seeds"
}

# here PLATFORM: runs the tests of a platform natively, for the hashes.
here() {
    (cd "$build/$1/tests" && find . -type f -perm -u+x -name 'test_*' ! -name '*.d') | while read -r t; do
        "$build/tests/$t" >"$log/tests_$(echo "${t#./}" | tr / _).log" 2>&1
    done
}

if [ -n "$arm64_only" ]; then
    here arm64
    portable arm64 "" '.*' qemu-aarch64
    for jit in eager off; do
        scenes "scenes: arm64, NOVEM_JIT=$jit" "scenes-arm64-$jit" env NOVEM_JIT=$jit \
            qemu-aarch64 "$build/arm64/conformance/runner" tests/conformance/*/*.d9t
    done
    one "random draws: arm64, interpreted and compiled" qemu-aarch64 "$build/arm64/fuzz_pipeline" --seconds 120
    one "novem: arm64" tests/tool/other_novem.sh "$build/novem" "$build/arm64/novem" qemu-aarch64
    captures=${NOVEM_DATA:-../shared/data}/traces
    if [ -d "$captures" ]; then
        one "captures: arm64" tests/tool/other_captures.sh "$build/novem" "$build/arm64/novem" "$captures" qemu-aarch64
    else count "captures: arm64: none in $captures (set NOVEM_DATA)" 0 0 1; fi
    summary
    exit
fi
if [ -n "$linux32_only" ]; then
    here linux32
    linux32_programs '.*'
    scenes "scenes: linux32" scenes-linux32 "$build/linux32/conformance/runner" --isolate tests/conformance/*/*.d9t
    summary
    exit
fi
# Creates Wine's prefix first. Its server stays until the end: a program that starts while the server of the last one
# ends loses its connection.
one "structure" scripts/lint.sh
parts=(own_tests own_scenes tools recordings pages random_tests examples)
if [ -z "$native_only" ]; then
    mkdir -p "$WINEPREFIX"
    wineserver -k 2>/dev/null
    wineserver -p </dev/null >/dev/null 2>&1
    trap 'wineserver -k' EXIT
    xvfb-run -a wine cmd /c exit >/dev/null 2>&1
    # Programs of a prefix share its desktop, which the first one's display holds: with that display it ends under the
    # others, whose windows may then fail to open. This program holds the desktop until the end.
    (xvfb-run -a wine notepad </dev/null >/dev/null 2>&1 &) # no job that run_parts would wait for
    # Long parts first: short ones fill the time at the end.
    parts=(own_tests asan windows wine_scenes recordings arm64_tests windows_tests tsan arm64_scenes own_scenes pages tools
        random_tests examples other_systems)
fi
run_parts "${parts[@]}"
summary
