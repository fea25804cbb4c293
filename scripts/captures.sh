#!/bin/bash
# Replays all captures beside the project and writes docs/captures.md and a contact sheet.
# usage: scripts/captures.sh NOVEM; NOVEM_DATA names the data folder.
set -euo pipefail

novem=${1:-build/novem}
data=${NOVEM_DATA:-../shared/data}/traces
work=${CAPTURES_WORK:-build/captures}

if [ ! -d "$data" ]; then
    echo "SKIPPED: no captures in $data (set NOVEM_DATA)" >&2
    exit 0
fi
mkdir -p "$work"
exec "$novem" captures "$data" -o docs/captures.md --work "$work" \
    --reasons docs/captures-reasons.tsv --sheet "$work/sheet.png"
