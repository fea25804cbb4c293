#!/bin/sh
# Each mistake of src/util/fault_injection.def has to be found by the suite, with mask and tolerance as a GPU gets them.
#
#   bugs.sh NOVEM OUT [NAME …]     OUT/bugs.tsv: mistake, cases that find it, the first of them
set -u
here=$(dirname "$0")
novem=$1 out=$2
shift 2
mkdir -p "$out"
[ $# -gt 0 ] || set -- $(sed -n 's/^BUG([A-Z_0-9]*, *"\([a-z0-9-]*\)".*/\1/p' "$here/../../src/util/bug.def")
missed=0
: > "$out/bugs.tsv"
for bug; do
    "$novem" golden run "$here/suite.toml" --quiet -o "$out/$bug" \
        --candidate "NOVEM_LOG=none NOVEM_FAULT=$bug $novem scene --list {list}" > "$out/$bug.txt" 2>&1
    found=$(grep -c '^fail' "$out/$bug.txt")
    printf '%s\t%s\t%s\n' "$bug" "$found" "$(awk '/^fail/ {print $2; exit}' "$out/$bug.txt")" >> "$out/bugs.tsv"
    rm -rf "${out:?}/$bug"
    if [ "$found" -eq 0 ]; then
        echo "$bug: not found by any case"
        missed=$((missed + 1))
    fi
done
echo "$# mistakes, $missed not found"
[ $missed -eq 0 ]
