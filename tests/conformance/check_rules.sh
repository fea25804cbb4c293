#!/bin/sh
# check_rules.sh reference.md scene.d9t …: every rule a scene names has its paragraph in the reference,
# and so has every rule that a comment of the source names. Rules stand as `topic/name`.
set -eu
reference=$1
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

sed -n 's/^# rule: //p' "$@" | tr -d '\r' | tr ' ' '\n' | grep / | sort -u >"$tmp/used"
sed -n 's/^- \*\*\([a-z0-9-]*\/[a-z0-9-]*\)\*\*.*/\1/p' "$reference" | sort >"$tmp/all"
sort -u "$tmp/all" >"$tmp/known"
bad=0
if ! cmp -s "$tmp/all" "$tmp/known"; then
    echo "stated twice:" $(uniq -d "$tmp/all")
    bad=1
fi
missing=$(comm -23 "$tmp/used" "$tmp/known")
if [ -n "$missing" ]; then
    echo "rules that scenes name but $reference does not have:"
    echo "$missing"
    bad=1
fi
grep -rhoE 'reference: [a-z0-9/, -]*' "$(dirname "$0")/../../src" | sed 's/.*reference: //' | tr ',' '\n' |
    sed 's/^ *//; s/ .*//' | grep / | sort -u >"$tmp/cited"
missing=$(comm -23 "$tmp/cited" "$tmp/known")
if [ -n "$missing" ]; then
    echo "rules that comments name but $reference does not have:" $missing
    bad=1
fi
echo "$(wc -l <"$tmp/known") rules, $(comm -12 "$tmp/used" "$tmp/known" | wc -l) of them with scenes"
exit $bad
