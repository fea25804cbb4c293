#!/usr/bin/env bash
# Compiles captures to .nvs streams, compares the pictures of both forms, and prints the processor time of the
# calling thread, which does not render, for each: milliseconds, the minimum of several runs.
# usage: scripts/bench_compiled.sh [--table] NOVEM [CAPTURE.trace ...]; without captures, all of NOVEM_DATA.
# --table prints Markdown, for scripts/bench_record.sh.
set -euo pipefail
table=
[ "${1:-}" = --table ] && { table=1; shift; }
novem=${1:-build/novem}
shift || true
runs=${COMPILED_RUNS:-3}
work=${COMPILED_WORK:-build/compiled}
data=${NOVEM_DATA:-../shared/data}/traces
export NOVEM_SINK=none

captures=("$@")
if [ ${#captures[@]} = 0 ]; then
    [ -d "$data" ] || { echo "SKIPPED: no captures in $data (set NOVEM_DATA)" >&2; exit 0; }
    captures=("$data"/*/*.trace)
fi
mkdir -p "$work/none"

hashes() {
    "$novem" replay "$1" --hash --quiet 2>/dev/null || true
}

# busy FILE: processor ms of the calling thread in a replay without pictures
busy() {
    local best=
    for ((i = 0; i < runs; i++)); do
        "$novem" replay "$1" --threads 2 --like "$work/none" -o "$work" --quiet --report "$work/report" >/dev/null 2>&1 || true
        best=$(awk -v best="$best" '$1 == "caller_milliseconds" && (best == "" || $2 < best) {best = $2} END {print best}' "$work/report")
    done
    echo "$best"
}

number() {
    awk -v name="$1" '$1 == name {print $2}' "$work/report"
}

if [ -n "$table" ]; then
    form='| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n'
    printf 'Processor ms of the calling thread, which does not render; sizes in KiB.\n\n'
else
    form='%-38s %6s %8s %9s %9s %6s %9s %9s  %s\n'
fi
# shellcheck disable=SC2059
printf "$form" capture frames draws calls compiled ratio trace nvs pictures
[ -z "$table" ] || echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
for trace in "${captures[@]}"; do
    name=$(basename "$trace" .trace)
    nvs=$work/$name.nvs
    "$novem" compile "$trace" -o "$nvs" 2>/dev/null || true
    hashes "$trace" >"$work/a"
    hashes "$nvs" >"$work/b"
    same=differ
    cmp -s "$work/a" "$work/b" && same=same
    calls=$(busy "$trace")
    frames=$(number frames)
    draws=$(number draws)
    compiled=$(busy "$nvs")
    # shellcheck disable=SC2059
    printf "$form" "$name" "$frames" "$draws" "$calls" "$compiled" \
        "$(awk "BEGIN {printf \"%.1f\", $calls / ($compiled > 0 ? $compiled : 0.01)}")" \
        $(($(stat -c %s "$trace") / 1024)) $(($(stat -c %s "$nvs") / 1024)) "$same"
    [ -n "${COMPILED_KEEP:-}" ] || rm -f "$nvs"
done
