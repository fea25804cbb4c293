#!/usr/bin/env bash
# Draws rows of bench/d3d9 in their variants: each variant has a picture of its own; the comparison with the row; bad
# arguments.
#   relatives.sh BUILD
set -uo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1") bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NOVEM_SINK=none NOVEM_LOG=error
fail() { echo "relatives: $*"; bad=1; }
bench=$build/bench/d3d9

# draw ROW VARIANT [SUFFIX]: writes a picture.
draw() {
    "$bench" --rows "$1" --variant "$2" --seconds 0 --pictures "$work/$2${3:-}-" >"$work/log" 2>&1 ||
        fail "$1 as $2: exit code $?: $(cat "$work/log")"
}

# Vertices in pixels and in buffers; fixed function and shaders; a texture, several targets and a float target.
for row in flat draws targets-4 shadow-map; do
    draw "$row" row
    draw "$row" row -again
    cmp -s "$work/row-$row.png" "$work/row-again-$row.png" || fail "$row: the row has two pictures"
    : >"$work/sums"
    for variant in row colours rotated target texture mask fog; do
        draw "$row" "$variant"
        [ -f "$work/$variant-$row.png" ] && sha256sum <"$work/$variant-$row.png" >>"$work/sums"
    done
    drawn=7
    case $row in flat | shadow-map) drawn=6 ;; esac # no texture to convert
    [ "$(sort -u "$work/sums" | wc -l)" -eq $drawn ] || fail "$row: variants without a picture of their own"
done

# The comparison measures each variant that there is and says why another is left out.
"$bench" --relatives --rows flat --seconds 0.01 --rounds 1 --json "$work/json" >"$work/table" ||
    fail "--relatives: exit code $?"
for variant in row colours rotated target mask fog; do
    grep -q "\"row\": \"flat\", \"variant\": \"$variant\", \"ms\": [0-9.]*[1-9][0-9.]*, \"times\": [0-9.]*[1-9]" \
        "$work/json" || fail "--relatives: no time of $variant"
done
grep -q '"variant": "texture", "left_out": "no texture"' "$work/json" || fail "--relatives: no reason for texture"
[ "$(wc -l <"$work/json")" -eq 7 ] || fail "--relatives: not seven lines"
scripts/bench_relatives.py --load "$work/json" >"$work/markdown" || fail "bench_relatives.py: exit code $?"
grep -q '^| `flat` | [0-9.]* | [0-9.]* ([0-9.]*) |' "$work/markdown" ||
    fail "bench_relatives.py: no row in the table"

# One variant of a row, after the row.
"$bench" --relatives --variant mask --rows flat --seconds 0.01 --rounds 1 --json "$work/json" >/dev/null
[ "$(cut -d'"' -f8 "$work/json" | tr '\n' ' ')" = "row mask " ] || fail "--variant: $(cat "$work/json")"

refused() { # WORD ARGUMENT...: exit code 2 and a message with the word
    local word=$1
    shift
    "$bench" "$@" >/dev/null 2>"$work/message"
    [ $? -eq 2 ] || fail "$*: accepted"
    grep -q -e "$word" "$work/message" || fail "$*: no message"
}
refused wide --variant wide
refused compute --relatives --compute 1
refused seconds --relatives --seconds 0
exit $bad
