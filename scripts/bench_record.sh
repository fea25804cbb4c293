#!/usr/bin/env bash
# Runs a benchmark and writes its output to bench/results/NAME.md, with machine, date, commit and command.
#   scripts/bench_record.sh NAME TITLE COMMAND [ARGUMENT...]
#   scripts/bench_record.sh --all [BUILD]      records all results that docs/performance.md uses
# Markdown tables are copied; other text becomes a code block. Do not edit results by hand.
set -euo pipefail
cd "$(dirname "$0")/.."

machine() {
    awk -F': ' '/model name/ && !n++ {name = $2} /^processor/ {cpus++} END {printf "%s, %d processors", name, cpus}' /proc/cpuinfo
    local isas=
    for isa in sse2 avx2 avx512f; do grep -qw "$isa" /proc/cpuinfo && isas="$isas $isa"; done
    echo ",${isas}"
}
commit() { # the results themselves do not make the tree dirty
    local id
    id=$(git describe --always --abbrev=10 2>/dev/null) || { echo unknown; return; }
    git diff --quiet HEAD -- . ':!bench/results' || id=$id-dirty
    echo "$id"
}
quoted() { # ARGUMENT...: a command line that a shell reads as these arguments
    local argument line=
    for argument; do
        case $argument in
        '' | *[!A-Za-z0-9_./:=,@%+-]*) argument=${argument@Q} ;;
        esac
        line+=" $argument"
    done
    echo "${line# }"
}
record() { # NAME TITLE COMMAND...
    local name=$1 title=$2 out=bench/results/$1.md text
    shift 2
    text=$("$@" | sed '/./,$!d') || { echo "bench_record: $* failed; $out is unchanged" >&2; return 1; }
    mkdir -p bench/results
    {
        printf '# %s\n\nWritten by `scripts/bench_record.sh`; do not edit.\n\n' "$title"
        printf '| | |\n| --- | --- |\n| command | `%s` |\n| machine | %s |\n| date | %s |\n| commit | %s |\n' \
            "$(quoted "$@")" "$(machine)" "$(date -u +%Y-%m-%d)" "$(commit)"
        case $text in
        *$'\n| '*) printf '\n%s\n' "$text" ;;
        *) printf '\n```\n%s\n```\n' "$text" ;;
        esac
    } >"$out.tmp" && mv "$out.tmp" "$out"
    echo "$out"
}
if [ "${1:-}" != --all ]; then
    [ $# -ge 3 ] || { sed -n '3,4s/^# *//p' "$0" >&2; exit 2; }
    record "$@"
    exit
fi
build=${2:-build}
record peers 'Scenes compared with other implementations' scripts/bench_peers.sh --build "$build" --table --rounds 3 --seconds 0.8
record peers-default 'Scenes with overdraw, with overdraw elimination' \
    scripts/bench_peers.sh --build "$build" --table --rounds 3 --seconds 0.8 --culled
record threads 'Two threads compared with one' scripts/bench_threads.sh --table "$build"
record relatives 'Variants of rows compared with the rows' scripts/bench_relatives.py --build "$build"
record shaders 'The shader machine' scripts/bench_shaders.sh "$build"
record samplers 'Texture sampling' env NOVEM_SINK=none "$build/bench/sample" --seconds 0.2
record textures 'Texture decoding, uploads and copies' env NOVEM_SINK=none NOVEM_THREADS=1 "$build/bench/tex"
record compiled 'Captures and their compiled streams' scripts/bench_compiled.sh --table "$build/novem"
