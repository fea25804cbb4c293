#!/usr/bin/env bash
# Measures what size, samples and settings change of the processor time of a frame, for docs/old-programs.md.
#   scripts/bench_settings.sh BUILD [CAPTURE...]
#     BUILD       folder of a build with novem and the examples (make native examples)
#     CAPTURE     files that novem replay reads, with at least two frames; without one, there is no second table
#     ROUNDS=5    rounds, of which the least time counts; more on a busy machine
#     NOVEM=FILE  novem (default: BUILD/novem)
# Prints two tables as Markdown: sizes and samples of three examples, and settings for captures. Everything is measured
# in turns, once for few frames and once for many. The difference of the least times, by the number of frames between,
# is the time of a frame: loading is left out. Progress goes to standard error.
set -euo pipefail

fail() {
    echo "bench_settings: $*" >&2
    exit 2
}
case ${1:--} in -*) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
[ -d "$1" ] || fail "no folder $1"
build=$(realpath "$1")
shift
novem=${NOVEM:-$build/novem} rounds=${ROUNDS:-5}
examples=(bump lit deferred) sizes=(640x480 800x600 1024x768 1280x960 1920x1080)
settings=("" RENDER_SCALE=0.75 RENDER_SCALE=0.5 ANISOTROPY=1)
[[ $rounds =~ ^[1-9][0-9]*$ ]] || fail "ROUNDS = $rounds is not a number from 1 on"
[ -x "$novem" ] || fail "no program $novem: run make native"
for e in "${examples[@]}"; do
    [ -x "$build/examples/$e" ] || fail "no program $build/examples/$e: run make examples"
done
for c in "$@"; do [ -f "$c" ] || fail "no file $c"; done
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# Settings of the environment would be measured, too.
unset "${!NOVEM_@}"
export NOVEM_LOG=error NOVEM_SINK=none LC_ALL=C TIMEFORMAT='%U %S'

# spent FILE COMMAND...: appends the processor time of a command in seconds. A command that fails ends the script.
spent() {
    local file=$1
    shift
    { time "$@" >"$out/output" 2>&1; } 2>"$out/time" || { tail -3 "$out/output" >&2; fail "$* failed"; }
    awk '{ print $1 + $2 }' "$out/time" >>"$file"
}
# frame_ms NAME FRAMES: the cell of a row measured as NAME-few and NAME-many, with FRAMES frames between
frame_ms() {
    awk -v few="$(sort -g "$out/$1-few" | head -1)" -v many="$(sort -g "$out/$1-many" | head -1)" -v n="$2" \
        'BEGIN { printf " %.1f |", (many - few) * 1000 / n }'
}
# head_lines WORDS...: the first two lines of a table
head_lines() {
    printf '|'; printf ' %s |' "$@"; printf '\n|'
    printf ' --- |%.0s' "$@"; printf '\n'
}

# --- The captures and their last frames ---

captures=("$@") last=()
for c in "${captures[@]}"; do
    "$novem" replay "$c" --hash --quiet >"$out/frames" 2>"$out/output" ||
        { tail -3 "$out/output" >&2; fail "novem replay $c failed"; }
    n=$(awk '/^frame/ { n = $2 } END { print n + 0 }' "$out/frames")
    [ "$n" -gt 0 ] || fail "$c has only one frame"
    last+=("$n")
done

# --- Sizes and samples ---

variants=()
for s in "${sizes[@]}"; do variants+=("$s 0"); done
variants+=("800x600 4")
for ((round = 1; round <= rounds; round++)); do
    echo "examples: round $round of $rounds" >&2
    for e in "${examples[@]}"; do
        for v in "${variants[@]}"; do
            options=(--size "${v% *}")
            [ "${v#* }" = 0 ] || options+=(--samples "${v#* }")
            spent "$out/$e-$v-few" "$build/examples/$e" --frames 5 "${options[@]}"
            spent "$out/$e-$v-many" "$build/examples/$e" --frames 25 "${options[@]}"
        done
    done
done
head_lines 'processor ms a frame' "${examples[@]/#/example }"
for v in "${variants[@]}"; do
    case $v in *" 0") printf '| %s |' "${v% *}" ;; *) printf '| %s, %s samples |' "${v% *}" "${v#* }" ;; esac
    for e in "${examples[@]}"; do frame_ms "$e-$v" 20; done
    printf '\n'
done
[ $# -gt 0 ] || exit 0

# --- Settings ---

for ((round = 1; round <= rounds; round++)); do
    echo "captures: round $round of $rounds" >&2
    for i in "${!captures[@]}"; do
        for s in "${settings[@]}"; do
            run=(env ${s:+"NOVEM_$s"} "$novem" replay "${captures[i]}" --hash --quiet --frames)
            spent "$out/$i-$s-few" "${run[@]}" 0-0
            spent "$out/$i-$s-many" "${run[@]}" "0-${last[i]}"
        done
    done
done
names=("${captures[@]##*/}")
printf '\n'
head_lines 'processor ms a frame' "${names[@]%.trace}"
for s in "${settings[@]}"; do
    printf '| %s |' "$([ -n "$s" ] && echo "\`${s/=/ = }\`" || echo "as the program says")"
    for i in "${!captures[@]}"; do frame_ms "$i-$s" "${last[i]}"; done
    printf '\n'
done
