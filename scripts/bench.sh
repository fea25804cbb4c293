#!/usr/bin/env bash
# Runs all benchmarks for each instruction set and thread count: fill rates, scenes, texture sampling, presentation, the
# shader machine, the examples and captures, if there are any.
#   scripts/bench.sh BUILD [CAPTURE.trace ...]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
shift || true
isas=(scalar)
for isa in sse2 avx2 avx512; do
    grep -qw "${isa/avx512/avx512f}" /proc/cpuinfo && isas+=("$isa")
done
threads=(1)
[ "$(nproc)" -gt 1 ] && threads+=("$(nproc)")
export NOVEM_SINK=none

echo "Mpixels/s at 1024x768 (last column: Mtriangles/s of 8x6 pixels)"
printf '%-7s %3s %8s %8s %8s %8s %8s %8s %8s %8s\n' simd thr clear flat depth bilinear trilin blend ps-32op tri
for isa in "${isas[@]}"; do
    for n in "${threads[@]}"; do
        printf '%-7s %3s %s\n' "$isa" "$n" "$(NOVEM_SIMD=$isa NOVEM_THREADS=$n "$build/bench/fill")"
    done
done

echo
echo "Scenes through Direct3D 9 (docs/bench.md)"
NOVEM_THREADS=1 "$build/bench/d3d9" --seconds 1
[ "$(nproc)" -gt 1 ] && NOVEM_THREADS=$(nproc) "$build/bench/d3d9" --seconds 1

echo
"$build/bench/sample" --seconds 0.2

echo
NOVEM_THREADS=1 "$build/bench/tex"

echo
"$build/bench/present"

echo
"$build/bench/ir"

echo
"$build/bench/level"

echo
"$build/bench/merge"

echo
"$build/novem" bench

if [ -x "$build/bench/vm" ]; then
    echo
    "$build/bench/vm"
fi

# seconds COMMAND...: wall time of the faster of two runs; nan: the command failed
seconds() {
    local best= start end t
    for _ in 1 2; do
        start=$(date +%s%N)
        "$@" >/dev/null 2>&1 || [ $? -eq 1 ] || { echo nan; return; } # 1: a capture with calls that fail
        end=$(date +%s%N)
        t=$((end - start))
        [ -z "$best" ] || [ "$t" -lt "$best" ] && best=$t
    done
    awk "BEGIN {print $best / 1e9}"
}

echo
echo "Frames/s (whole program with start-up)"
printf '%-24s' program
for isa in "${isas[@]}"; do for n in "${threads[@]}"; do printf ' %10s' "$isa/$n"; done; done
echo
frames=10
for e in $(find "$build/examples" -maxdepth 1 -type f -perm -u+x | sort); do
    printf '%-24s' "$(basename "$e")"
    for isa in "${isas[@]}"; do for n in "${threads[@]}"; do
        t=$(NOVEM_SIMD=$isa NOVEM_THREADS=$n seconds "$e" --frames $frames)
        printf ' %10s' "$(awk "BEGIN {printf \"%.1f\", $frames / $t}")"
    done; done
    echo
done
captures=("$@")
if [ $# -eq 0 ]; then
    data=${NOVEM_DATA:-../shared/data}/traces
    for c in herebedragons irr_q3shader; do [ -f "$data/$c/$c.trace" ] && captures+=("$data/$c/$c.trace"); done
fi
for c in "${captures[@]}"; do
    printf '%-24s' "$(basename "$c" .trace)"
    count=$("$build/novem" replay --hash "$c" 2>/dev/null | wc -l)
    for isa in "${isas[@]}"; do for n in "${threads[@]}"; do
        t=$(NOVEM_SIMD=$isa NOVEM_THREADS=$n seconds "$build/novem" replay --hash "$c")
        printf ' %10s' "$(awk "BEGIN {printf \"%.1f\", $count / $t}")"
    done; done
    echo
done
