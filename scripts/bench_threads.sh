#!/usr/bin/env bash
# Compares the frame time of two threads with one for each row of the native bench/d3d9, in turns; minimum times.
#   scripts/bench_threads.sh [--table] [BUILD [ROWS]]     ROUNDS (2) and SECONDS_ROW (1) in the environment
# --table prints Markdown, for scripts/bench_record.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
table=
[ "${1:-}" = --table ] && { table=1; shift; }
case ${1:-} in -*) sed -n '2,4s/^# *//p' "$0"; exit 2 ;; esac
build=${1:-build}
rows=${2:-}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export NOVEM_SINK=none
for i in $(seq "${ROUNDS:-2}"); do
    for n in 1 2; do
        NOVEM_THREADS=$n "$build/bench/d3d9" ${rows:+--rows "$rows"} --seconds "${SECONDS_ROW:-1}" --json "$out/$n-$i.json" >/dev/null
    done
done
least() { # THREADS
    cat "$out/$1"-*.json | awk -F'[":, }]+' '
        { if (!($3 in ms) || $5 < ms[$3]) ms[$3] = $5 } END { for (row in ms) print row, ms[row] }' | sort
}
if [ -n "$table" ]; then
    printf 'Wall ms a frame.\n\n| row | 1 thread | 2 threads | ratio |\n| --- | --- | --- | --- |\n'
    join <(least 1) <(least 2) | awk '{ printf "| `%s` | %.2f | %.2f | %.2f |\n", $1, $2, $3, $2 / $3 }'
    exit
fi
printf '%-19s %9s %9s %7s\n' row '1 thread' '2 threads' ratio
join <(least 1) <(least 2) | awk '{ printf "%-19s %9.2f %9.2f %7.2f%s\n", $1, $2, $3, $2 / $3, $2 / $3 < 1.8 ? "  below 1.8" : "" }'
