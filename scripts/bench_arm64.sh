#!/usr/bin/env bash
# Counts the instructions of a frame of benchmark rows, interpreted and compiled, on AArch64 and on x86-64, and prints
# millions as a Markdown table. QEMU runs the programs of both (bench/qemu/instructions.c), so it takes no machine of
# either, and counts do not depend on the machine's load.
#   scripts/bench_arm64.sh [--rows A,B] [--page FILE] [--functions] [BUILD]
# --page writes the rows into the table of a page, between its two marks; other rows of it stay. --functions prints the
# functions with the most instructions instead, compiled on NEON. Before it:
#   make build/bench/d3d9 build/arm64/bench/d3d9 build/bench/instructions.so
# A frame is one of two that bench/d3d9 draws after its warm-up: shaders are compiled before it. Counts are kept in
# BUILD/bench/counts until the program is built anew. Several of these scripts can count rows of one page.
set -euo pipefail
cd "$(dirname "$0")/.."
# Those with shaders first.
all=long-shader,branches,skinning,shadow-map,bump-cubes,bump-cubes-ms4,targets-4,hdr,small-triangles,shadow-volumes
all+=,combiner,combiner-4,lit-mesh,lit-textured-mesh,textured-mesh,blended-mesh,terrain,dynamic,draws
all+=,alpha-quads,point-sprites,sprites,layers-point,layers-bilinear,layers-trilinear,layers-aniso,layers-aniso-tilted
all+=,clears,flat,flat-z,blend,upload,stretchrect,stretchrect-scaled,autogen
rows=$all functions= page=
while [ $# -gt 0 ]; do
    case $1 in
    --rows) rows=$2; shift 2 ;;
    --page) page=$2; shift 2 ;;
    --functions) functions=1; shift ;;
    -*) sed -n 's/^#   scripts/usage: scripts/p' "$0" >&2; exit 2 ;;
    *) break ;;
    esac
done
build=${1:-build}
for file in "$build/bench/d3d9" "$build/arm64/bench/d3d9" "$build/bench/instructions.so"; do
    [ -f "$file" ] || { echo "$file is missing: make $file" >&2; exit 1; }
done
kept=$build/bench/counts
mkdir -p "$kept"

# count ROW PROGRAM-FOLDER QEMU ISA JIT: names the file of the counts of two frames, which it makes unless the program
# is older. The second call of bench_frames is the first calibration, of two frames: it follows the warm-up.
count() {
    counts=$kept/$1.$4.$5
    [ ! "$counts" -nt "$2/bench/d3d9" ] || return 0
    NOVEM_THREADS=1 NOVEM_SINK=none NOVEM_SIMD=$4 NOVEM_JIT=$5 \
        $3 -plugin "$build/bench/instructions.so,out=$counts.new,from=bench_frames,call=2,end=3" \
        "$2/bench/d3d9" --rows "$1" --seconds 0.000001 --rounds 1 >/dev/null
    mv "$counts.new" "$counts"
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

header="| row | NEON | NEON, compiled | ratio | its compiled code | SSE2 | AVX2 | AVX2, compiled | ratio |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"

# write_page LINE: puts the line of a row into the page's table, whose rows have the order of $all.
write_page() {
    local new
    exec 9<"$page"
    flock 9
    new=$(mktemp)
    awk -v line="$1" -v order="$all" -v header="$header" '
        function row_of(text) {split(text, cell, " *[|] *"); gsub("`", "", cell[2]); return cell[2]}
        $0 == "<!-- arm64: end -->" {
            inside = 0
            rows[row_of(line)] = line
            n = split(order, names, ",")
            print "\n" header
            for (i = 1; i <= n; i++)
                if (names[i] in rows) print rows[names[i]]
            print ""
        }
        !inside {print}
        inside && /^\| `/ {rows[row_of($0)] = $0}
        $0 == "<!-- arm64: begin -->" {inside = marks = 1}
        END {exit !marks}' "$page" >"$new" || { echo "$page has no mark <!-- arm64: begin -->" >&2; rm "$new"; exit 1; }
    cat "$new" >"$page"
    rm "$new"
    exec 9<&-
}

arm64=("$build/arm64" qemu-aarch64) x86=("$build" "qemu-x86_64 -cpu max")
[ -n "$functions" ] || echo "$header"
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
    line=$(awk -v row="$row" -v a="$neon" -v b="$neon_compiled" -v code="$code" -v s="$sse2" -v c="$avx2" \
        -v d="$(millions)" \
        'BEGIN {printf "| `%s` | %s | %s | %.2f | %s | %s | %s | %s | %.2f |\n", row, a, b, a / b, code, s, c, d, c / d}')
    echo "$line"
    [ -z "$page" ] || write_page "$line"
done
