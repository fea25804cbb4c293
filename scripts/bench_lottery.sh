#!/usr/bin/env bash
# Compares our d3d9.dll with others over random states (bench/lottery): the 64-bit and the 32-bit dll, and the table of
# penalties. Prints Markdown, for scripts/bench_record.sh.
#   scripts/bench_lottery.sh [--build BUILD] [--minutes N] [--again]
# Rows are kept in BUILD/lottery; --again draws nothing and reports them. In the environment:
#   LOTTERY_RUN, LOTTERY_RUN32       what comes before `wine`, such as a command that enters another root
#   LOTTERY_DLLS, LOTTERY_DLLS32     other dlls: NAME=FILE, with blanks between them
#   LOTTERY_NAME, LOTTERY_NAME32     versions of the peers
set -euo pipefail
cd "$(dirname "$0")/.."
build=build minutes=20 again=
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2; shift ;;
    --minutes) minutes=$2; shift ;;
    --again) again=1 ;;
    *) sed -n '4,8s/^# *//p' "$0" >&2; exit 2 ;;
    esac
    shift
done
rows=$build/lottery
mkdir -p "$rows"

# draw BITS RUN DLLS FILE ARGUMENT...: draws the cases of one Wine and keeps their rows.
draw() {
    local bits=$1 run=$2 dlls=$3 file=$4 dll options=()
    shift 4
    [ -z "$again" ] || return 0
    for dll in $dlls; do options+=(--dll "$dll"); done
    bench/lottery/report.py --peers --build "$build" --bits "$bits" --run "$run" ${options[@]+"${options[@]}"} \
        --minutes "$minutes" --save "$rows/$file" "$@" >/dev/null
}
report() { # FILE ARGUMENT...
    if [ -f "$rows/$1" ]; then bench/lottery/report.py --table --load "$rows/$1" "${@:2}"; else echo "Not measured."; fi
}

draw 64 "${LOTTERY_RUN:-}" "${LOTTERY_DLLS:-}" 64-bit.tsv
draw 32 "${LOTTERY_RUN32:-${LOTTERY_RUN:-}}" "${LOTTERY_DLLS32:-}" 32-bit.tsv ||
    echo "bench_lottery: no 32-bit Wine?" >&2
draw 64 "${LOTTERY_RUN:-}" "${LOTTERY_DLLS:-}" penalties.tsv --penalties

printf '## 64-bit dll\n\n'
report 64-bit.tsv ${LOTTERY_NAME:+--name "Peers: $LOTTERY_NAME."}
printf '\n## 32-bit dll\n\n'
report 32-bit.tsv ${LOTTERY_NAME32:+--name "Peers: $LOTTERY_NAME32."}
printf '\n## 32-bit dll compared with the 64-bit dll\n\n'
# Fails if pixels differ, which the report says.
[ ! -f "$rows/32-bit.tsv" ] || report 32-bit.tsv --against "$rows/64-bit.tsv" || true
printf '\n## Penalties\n\n'
report penalties.tsv ${LOTTERY_NAME:+--name "Peers: $LOTTERY_NAME."}
