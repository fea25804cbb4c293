#!/usr/bin/env bash
# Compares the 32-bit d3d9.dll with the 64-bit one over the scenes of bench/d3d9: processor time of a frame, by turns,
# under one Wine that runs both. Prints Markdown, for scripts/bench_record.sh.
#   scripts/bench_bits.sh [--build BUILD] [--rows A,B] [--rounds N] [--seconds S]
# In the environment: BENCH_RUN, what comes before `wine`, such as a command that enters another root.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build rows='' rounds=5 seconds=0.3
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2; shift ;;
    --rows) rows=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    *) sed -n '4s/^# *//p' "$0" >&2; exit 2 ;;
    esac
    shift
done
for bits in 64 32; do
    for file in "$build/win$bits/d3d9.dll" "$build/win$bits/bench/d3d9.exe"; do
        [ -f "$file" ] || { echo "bench_bits: $file is missing; run: make $file" >&2; exit 2; }
    done
done

out=$(mktemp -d "$PWD/$build/bits-XXXXXX")
trap 'rm -rf "$out"' EXIT
for bits in 64 32; do
    mkdir "$out/$bits"
    cp "$build/win$bits/d3d9.dll" "$build/win$bits/bench/d3d9.exe" "$out/$bits/"
done
export WINEDEBUG=-all WINEDLLOVERRIDES=d3d9=n NOVEM_SINK=none NOVEM_THREADS=1
for i in $(seq "$rounds"); do
    for bits in 64 32; do
        # shellcheck disable=SC2086
        (cd "$out/$bits" && ${BENCH_RUN:-} xvfb-run -a wine d3d9.exe ${rows:+--rows "$rows"} --rounds 1 \
            --seconds "$seconds" --json "$i.json" >/dev/null 2>log) ||
            { echo "bench_bits: the $bits-bit program failed:" >&2; tail -3 "$out/$bits/log" >&2; exit 1; }
    done
done

# "row least-processor-ms" of one side, in the order of the rows.
least() {
    cat "$out/$1"/*.json | awk -F'[":, }]+' '
        { if (!($3 in cpu)) { order[++n] = $3; cpu[$3] = $9 }
          if ($9 < cpu[$3]) cpu[$3] = $9 }
        END { for (i = 1; i <= n; i++) print order[i], cpu[order[i]] }'
}
echo "Processor ms a frame with one thread, least of $rounds rounds. Speed: that of the 32-bit dll, 64-bit = 1."
echo
echo '| row | 64-bit | 32-bit | speed |'
echo '| --- | --- | --- | --- |'
paste -d' ' <(least 64) <(least 32) | awk '
    { speed = $2 / $4; sum += log(speed); n++; if (n == 1 || speed < worst) worst = speed
      printf "| `%s` | %.2f | %.2f | %.2f |\n", $1, $2, $4, speed }
    END { printf "\nGeometric mean %.2f, least %.2f.\n", exp(sum / n), worst }'
