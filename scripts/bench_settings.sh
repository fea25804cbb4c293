#!/usr/bin/env bash
# Measures what size, samples and settings change of the processor time of a frame, for docs/old-programs.md.
#   scripts/bench_settings.sh BUILD [CAPTURE...]     ROUNDS (5) in the environment
# Prints two tables as Markdown: sizes and samples of three examples (make demo), and settings for captures. Everything
# is measured in turns, once for few frames and once for many. The difference of the least times, by the number of
# frames between, is the time of a frame: loading is left out. Settings that the build does not have are left out.
set -euo pipefail
case ${1:--} in -*) sed -n '2,6s/^# *//p' "$0"; exit 2 ;; esac
build=$(realpath "$1")
shift
settings=(RENDER_SCALE=0.75 RENDER_SCALE=0.5 ANISOTROPY=1)
known=$("$build/novem" config --list | sed -n 's/^\([A-Z_]*\) (.*/\1/p')
rows=("")
for s in "${settings[@]}"; do
    if grep -qx "${s%%=*}" <<<"$known"; then rows+=("$s"); fi
done
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export NOVEM_LOG=none NOVEM_SINK=none TIMEFORMAT='%U %S'

# spent FILE COMMAND...: appends the processor time of a command in seconds
spent() {
    local file=$1
    shift
    { time "$@" >/dev/null 2>&1 || true; } 2>"$out/time"
    awk '{ print $1 + $2 }' "$out/time" >>"$file"
}
# frame_ms NAME FRAMES
frame_ms() {
    awk -v few="$(sort -g "$out/$1-few" | head -1)" -v many="$(sort -g "$out/$1-many" | head -1)" -v n="$2" \
        'BEGIN { printf " %.1f |", (many - few) * 1000 / n }'
}
# head WORDS...: the first two lines of a table
head_lines() {
    printf '|'; printf ' %s |' "$@"; printf '\n|'
    printf ' --- |%.0s' "$@"; printf '\n'
}

examples=(bump lit deferred) sizes=(640x480 800x600 1024x768 1280x960 1920x1080)
variants=()
for s in "${sizes[@]}"; do variants+=("$s 0"); done
variants+=("800x600 4")
for _ in $(seq "${ROUNDS:-5}"); do
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

printf '\n'
last=()
for c in "$@"; do
    last+=("$("$build/novem" replay "$c" --hash --quiet 2>/dev/null | awk '/^frame/ { n = $2 } END { print n }')")
    for _ in $(seq "${ROUNDS:-5}"); do
        for r in "${rows[@]}"; do
            name=${c##*/}-$r
            spent "$out/$name-few" env ${r:+"NOVEM_$r"} "$build/novem" replay "$c" --frames 0-0 --hash --quiet
            spent "$out/$name-many" env ${r:+"NOVEM_$r"} "$build/novem" replay "$c" --frames "0-${last[-1]}" --hash --quiet
        done
    done
done
names=("${@##*/}")
head_lines 'processor ms a frame' "${names[@]%.trace}"
for r in "${rows[@]}"; do
    printf '| %s |' "$([ -n "$r" ] && echo "\`${r/=/ = }\`" || echo "as the program says")"
    i=0
    for c in "$@"; do
        frame_ms "${c##*/}-$r" "${last[i]}"
        i=$((i + 1))
    done
    printf '\n'
done
