#!/bin/sh
# check_rules.sh reference.md scene.d9t …: checks that every rule named by a scene or by a comment of the
# source has a paragraph in the reference. A rule's name is `topic/name`.
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
    echo "duplicate rules:" $(uniq -d "$tmp/all")
    bad=1
fi
missing=$(comm -23 "$tmp/used" "$tmp/known")
if [ -n "$missing" ]; then
    echo "rules named by scenes but missing in $reference:"
    echo "$missing"
    bad=1
fi
# Comments wrap, so their lines are joined before a citation is looked for.
root=$(dirname "$0")/../..
find "$root/src" "$root/tests" -name '*.[ch]' -o -name '*.def' | xargs cat | tr '\n' ' ' | sed -E 's/ +\* / /g' |
    grep -oE 'reference: [a-z0-9/, -]*' | sed 's/reference: //' | tr ',' '\n' | sed 's/^ *//; s/ .*//' | grep / |
    sort -u >"$tmp/cited"
missing=$(comm -23 "$tmp/cited" "$tmp/known")
if [ -n "$missing" ]; then
    echo "rules named by comments but missing in $reference:" $missing
    bad=1
fi
echo "$(wc -l <"$tmp/known") rules, $(comm -12 "$tmp/used" "$tmp/known" | wc -l) of them with scenes"
exit $bad
