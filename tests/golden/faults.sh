#!/bin/sh
# Each fault of src/util/fault_injection.def has to be found by the suite, with mask and tolerance as a GPU gets them.
#
#   faults.sh NOVEM OUT [NAME …]     OUT/faults.tsv: mistake, cases that find it, the first of them
set -u
here=$(dirname "$0")
novem=$1 out=$2
shift 2
mkdir -p "$out"
[ $# -gt 0 ] || set -- $(sed -n 's/^FAULT([A-Z_0-9]*, *"\([a-z0-9-]*\)".*/\1/p' "$here/../../src/util/fault_injection.def")
missed=0
: > "$out/faults.tsv"
for fault; do
    "$novem" golden run "$here/suite.toml" --quiet -o "$out/$fault" \
        --candidate "NOVEM_LOG=none NOVEM_FAULT=$fault $novem scene --list {list}" > "$out/$fault.txt" 2>&1
    found=$(grep -c '^fail' "$out/$fault.txt")
    printf '%s\t%s\t%s\n' "$fault" "$found" "$(awk '/^fail/ {print $2; exit}' "$out/$fault.txt")" >> "$out/faults.tsv"
    rm -rf "${out:?}/$fault"
    if [ "$found" -eq 0 ]; then
        echo "$fault: not found by any case"
        missed=$((missed + 1))
    fi
done
echo "$# mistakes, $missed not found"
[ $missed -eq 0 ]
