#!/usr/bin/env bash
# Counts the instructions of a frame of benchmark rows, interpreted and compiled, on AArch64 and on x86-64, and prints
# millions as a Markdown table. QEMU runs the programs of both (bench/qemu/instructions.c), so it takes no machine of
# either, and counts do not depend on the machine's load.
#   scripts/bench_arm64.sh [--rows A,B] [--functions] [BUILD]
# --functions prints the functions with the most instructions instead, compiled on NEON. Before it:
#   make build/bench/d3d9 build/arm64/bench/d3d9 build/bench/instructions.so
# A frame is one of the two of the round that bench/d3d9 measures: shaders are compiled before it.
set -euo pipefail
cd "$(dirname "$0")/.."
rows=long-shader,branches,skinning,shadow-map,bump-cubes,bump-cubes-ms4,targets-4,hdr,small-triangles functions=
while [ $# -gt 0 ]; do
    case $1 in
    --rows) rows=$2; shift 2 ;;
    --functions) functions=1; shift ;;
    -*) echo "usage: scripts/bench_arm64.sh [--rows A,B] [--functions] [BUILD]" >&2; exit 2 ;;
    *) break ;;
    esac
done
build=${1:-build}
for file in "$build/bench/d3d9" "$build/arm64/bench/d3d9" "$build/bench/instructions.so"; do
    [ -f "$file" ] || { echo "$file is missing: make $file" >&2; exit 1; }
done
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT

# count ROW PROGRAM-FOLDER QEMU ISA JIT: fills the file of counts, of two frames. The third call of bench_frames is the
# round: it follows the warm-up and the calibration.
count() {
    NOVEM_THREADS=1 NOVEM_SINK=none NOVEM_SIMD=$4 NOVEM_JIT=$5 \
        $3 -plugin "$build/bench/instructions.so,out=$counts,from=bench_frames,call=3" \
        "$2/bench/d3d9" --rows "$1" --seconds 0.000001 --rounds 1 >/dev/null
}

# millions [FUNCTION]: of a frame, all or of a function; "?" is compiled code.
millions() {
    awk -v name="${1:-}" 'name == "" || $3 == name {n += $1} END {printf "%.1f", n / 2e6}' "$counts"
}

print_functions() {
    awk -v row="$1" '{sum[$3] += $1; all += $1}
        END {for (f in sum) if (sum[f] > all / 200)
                 printf "%-16s %8.1f %5.1f%%  %s\n", row, sum[f] / 2e6, 100 * sum[f] / all, f}' "$counts" | sort -k2,2nr
}

arm64=("$build/arm64" qemu-aarch64) x86=("$build" "qemu-x86_64 -cpu max")
if [ -z "$functions" ]; then
    echo "| row | NEON | NEON, compiled | ratio | its compiled code | SSE2 | AVX2 | AVX2, compiled | ratio |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
fi
for row in ${rows//,/ }; do
    if [ -n "$functions" ]; then
        count "$row" "${arm64[@]}" neon eager
        print_functions "$row"
        continue
    fi
    count "$row" "${arm64[@]}" neon off
    neon=$(millions)
    count "$row" "${arm64[@]}" neon eager
    neon_compiled=$(millions) code=$(millions '?')
    count "$row" "${x86[@]}" sse2 off
    sse2=$(millions)
    count "$row" "${x86[@]}" avx2 off
    avx2=$(millions)
    count "$row" "${x86[@]}" avx2 eager
    awk -v row="$row" -v a="$neon" -v b="$neon_compiled" -v code="$code" -v s="$sse2" -v c="$avx2" -v d="$(millions)" \
        'BEGIN {printf "| %s | %s | %s | %.2f | %s | %s | %s | %s | %.2f |\n", row, a, b, a / b, code, s, c, d, c / d}'
done
