#!/usr/bin/env bash
# Runs `novem golden` in shards by GNU parallel, and merges the results. --sshlogin in PARALLEL runs shards on other
# machines, which must mount the same folders.
#   scripts/golden-parallel.sh SHARDS OUT MANIFEST [options of golden run]
# NOVEM: path of novem, default build/novem. The exit code is that of the merge.
set -uo pipefail
[ $# -ge 3 ] || { sed -n '2,5s/^# \?//p' "$0" >&2; exit 2; }
shards=$1 out=$2 manifest=$3
shift 3
novem=$(realpath "${NOVEM:-build/novem}")
mkdir -p "$out/shards"
seq "$shards" | parallel --will-cite --quote "$novem" golden run "$manifest" "$@" --quiet --jobs 1 \
    --shard "{}/$shards" -o "$out/shards/{}" >"$out/shards.log" 2>&1
mapfile -t parts < <(for i in $(seq "$shards"); do echo "$out/shards/$i"; done)
exec "$novem" golden merge "${parts[@]}" -o "$out"
