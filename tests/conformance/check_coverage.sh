#!/bin/sh
# check_coverage.sh isa.def runner scene.d9t …: instruction coverage of the scenes. Every instruction,
# modifier, register and form of every shader version must occur in a shader whose picture met an
# expectation. Instructions and versions come from isa.def, the other forms from coverage.tsv.
set -eu
export LC_ALL=C
isa=$1
runner=$2
shift 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
here=$(dirname "$0")

: >"$tmp/shaders"
"$runner" --shaders "$tmp/shaders" "$@" >"$tmp/log" || { cat "$tmp/log"; exit 1; }
awk -f "$here/coverage_have.awk" "$tmp/shaders" | sort -u >"$tmp/have"
awk -f "$here/coverage_want.awk" "$isa" "$here/coverage.tsv" | sort -u >"$tmp/want"
missing=$(comm -13 "$tmp/have" "$tmp/want")
if [ -n "$missing" ]; then
    echo "not covered by a passing scene (form: versions):"
    echo "$missing" | awk '{ list[$1] = list[$1] " " $2 } END { for (k in list) print "  " k ":" list[k] }' | sort
fi
echo "$(wc -l <"$tmp/want") forms by versions, $(comm -12 "$tmp/have" "$tmp/want" | wc -l) of them covered"
[ -z "$missing" ]
