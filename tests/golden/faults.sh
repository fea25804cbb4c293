#!/bin/sh
# Fault injection test of the suite: every fault of src/util/fault_injection.def must fail a case, with
# the masks and tolerance that a GPU gets.
#
#   faults.sh NOVEM OUT [NAME …]     writes OUT/faults.tsv: fault, number of failing cases, first of them
set -u
here=$(dirname "$0")
novem=$1 out=$2
shift 2
mkdir -p "$out"
[ $# -gt 0 ] || set -- $(sed -n 's/^FAULT([A-Z_0-9]*, *"\([a-z0-9-]*\)".*/\1/p' "$here/../../src/util/fault_injection.def")
[ $# -gt 0 ] || { echo "faults.sh: the table names no fault" >&2; exit 1; }
missed=0
: > "$out/faults.tsv"
for fault; do
    "$novem" golden run "$here/suite.toml" --quiet -o "$out/$fault" \
        --candidate "NOVEM_LOG=none NOVEM_FAULT=$fault $novem scene --list {list}" > "$out/$fault.txt" 2>&1
    found=$(grep -c '^fail' "$out/$fault.txt")
    printf '%s\t%s\t%s\n' "$fault" "$found" "$(awk '/^fail/ {print $2; exit}' "$out/$fault.txt")" >> "$out/faults.tsv"
    rm -rf "${out:?}/$fault"
    if [ "$found" -eq 0 ]; then
        echo "$fault: no case fails"
        missed=$((missed + 1))
    fi
done
echo "$# faults, $missed not detected"
[ $missed -eq 0 ]
