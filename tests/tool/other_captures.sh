#!/usr/bin/env bash
# Replays captures with a `novem` of another platform and compares the hashes of all pictures with those of this
# machine's: render targets at every Present and at every call that reads one back.
#   tests/tool/other_captures.sh NOVEM OTHER FOLDER COMMAND...     FOLDER: NAME/NAME.trace; OTHER is run by COMMAND
# CAPTURES="A B" takes these captures alone. The last line is "N passed, N failed".
set -uo pipefail
[ $# -ge 4 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
novem=$1 other=$2 folder=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NOVEM_LOG=none
passed=0 failed=0

# hashes OUT PROGRAM...: the hashes and the exit code. A damaged capture has those up to the damage.
hashes() {
    local out=$1
    shift
    "$@" replay "$trace" --snapshots calls --hash --quiet >"$out" 2>/dev/null </dev/null
    echo "exit code $?" >>"$out"
}

for trace in "$folder"/*/*.trace; do
    name=$(basename "$trace" .trace) start=$SECONDS
    [ -z "${CAPTURES:-}" ] || [[ " $CAPTURES " = *" $name "* ]] || continue
    hashes "$work/ours" "$novem"
    hashes "$work/theirs" "$@" "$other"
    if cmp -s "$work/ours" "$work/theirs"; then
        passed=$((passed + 1))
        echo "$name: $(($(wc -l <"$work/ours") - 1)) pictures, $((SECONDS - start)) s"
    else
        failed=$((failed + 1))
        echo "failed: $name: $(diff "$work/ours" "$work/theirs" | grep -c '^[<>]') lines differ"
        diff "$work/ours" "$work/theirs" | head -4
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
