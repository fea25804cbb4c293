#!/usr/bin/env bash
# Draws states of the lottery: the same pixels for each instruction set, thread count and with the interpreter, and in
# another turn; bad arguments; the report.
#   lottery.sh BUILD [SEEDS]        natively
#   lottery.sh BUILD wine [SEEDS]   our d3d9.dll under Wine, compared with the native library
set -uo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1") bad=0
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NOVEM_SINK=none NOVEM_LOG=error
fail() { echo "lottery: $*"; bad=1; }
lottery=$build/bench/lottery

# hashes FILE COMMAND...: writes "case status hash" of each row.
hashes() {
    local out=$1
    shift
    "$@" >"$out.rows" 2>"$out.errors" || { fail "$*: exit code $?"; cat "$out.errors"; }
    tr -d '\r' <"$out.rows" | grep -v '^#' | cut -f1,2,5 >"$out"
}
# same NAME: compares with the first hashes.
same() {
    cmp -s "$work/first" "$work/$1" || { fail "other pixels: $1"; diff "$work/first" "$work/$1" | head -5; }
}

if [ "${1:-}" = wine ]; then
    seeds=${2:-1-8}
    hashes "$work/first" "$lottery" --time 0 "$seeds"
    export WINEDEBUG=-all WINEDLLOVERRIDES="d3d9=n;winedbg.exe=d"
    hashes "$work/wine" xvfb-run -a wine "$build/win64/bench/lottery.exe" --d3d9 "Z:$build/win64/d3d9.dll" --time 0 \
        "$seeds"
    same wine
    exit $bad
fi

seeds=${1:-1-24}
NOVEM_SIMD=scalar NOVEM_THREADS=1 NOVEM_JIT=off hashes "$work/first" "$lottery" --time 0 "$seeds"
[ "$(wc -l <"$work/first")" -gt 1 ] || fail "no rows"
cut -f2 "$work/first" | grep -qv '^ok$' && fail "Novem refuses a state"
for isa in sse2 avx2 avx512; do
    grep -qw "${isa/avx512/avx512f}" /proc/cpuinfo || continue
    NOVEM_SIMD=$isa NOVEM_THREADS=3 hashes "$work/$isa" "$lottery" --time 0 "$seeds"
    same "$isa"
done
NOVEM_JIT=off NOVEM_THREADS=2 hashes "$work/interpreter" "$lottery" --time 0 "$seeds"
same interpreter
NOVEM_TILE_SIZE=16 NOVEM_FRAGMENT_PACKING=off NOVEM_EARLY_Z=off hashes "$work/plain" "$lottery" --time 0 "$seeds"
same plain

# What was drawn before with the same threads changes nothing.
for before in texkill/with small/with blend/with stencil/with mask/with; do
    for state in samples/with sprites/with; do
        NOVEM_THREADS=1 hashes "$work/alone" "$lottery" --time 0 "$state"
        NOVEM_THREADS=1 hashes "$work/after" "$lottery" --time 0 "$before" "$state"
        cmp -s <(tail -n 1 "$work/alone") <(tail -n 1 "$work/after") || fail "other pixels: $state after $before"
    done
done

# refused WORDS COMMAND...: the command ends with code 2 and a message that has the words.
refused() {
    local words=$1
    shift
    "$@" >/dev/null 2>"$work/message"
    [ $? -eq 2 ] || fail "$*: not code 2"
    grep -q -- "$words" "$work/message" || fail "$*: no message '$words'"
}
refused 'x is no case' "$lottery" x
refused '5-2 is no case' "$lottery" 5-2
refused '--bogus is no option' "$lottery" --bogus
refused '--time is no option or has no right value' "$lottery" --time -1 3
"$lottery" --help | grep -q -- --penalties || fail "--help"
"$lottery" --describe 3 | grep -qE '^  target +' || fail "--describe 3"
echo d16/with | "$lottery" --time 0 - | grep -q '^d16/with.*depth buffer=D16' || fail "a case of the standard input"

report=bench/lottery/report.py
"$report" --ab "$build" "$build/libnovem.so" --build "$build" --seeds 1-3 --turns 1 --time 1 --save "$work/rows" \
    >"$work/report" 2>&1 || fail "report of one library twice"
grep -q '^old / new  *3 ' "$work/report" || { fail "three seeds"; cat "$work/report"; }
"$report" --load "$work/rows" >"$work/loaded" || fail "--load"
cmp -s "$work/report" "$work/loaded" || fail "--load reports something else"
awk -F'\t' -v OFS='\t' '$2 == "new" && $3 == 2 {$7 = "0"} {print}' "$work/rows" >"$work/changed"
"$report" --load "$work/changed" >"$work/report"
[ $? -eq 1 ] && grep -q '^Pixels differ in 1 cases: 2$' "$work/report" || fail "another hash is not reported"
refused 'one of --ab' "$report"
exit $bad
