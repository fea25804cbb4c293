#!/bin/bash
# Replays all captures beside the project: those of PIX against their reference pictures, those of
# apitrace into docs/captures.md and a contact sheet.
# usage: scripts/captures.sh NOVEM; NOVEM_DATA names the data folder.
set -euo pipefail

novem=${1:-build/novem}
data=${NOVEM_DATA:-../shared/data}/traces
pix=${NOVEM_DATA:-../shared/data}/pix
work=${CAPTURES_WORK:-build/captures}

mkdir -p "$work"

# What a simulator, which cuts colours where Direct3D rounds them, leaves (docs/formats.md): decibels.
declare -A least=([triangle]=56 [texture_X8R8G8B8_square]=90 [filtering_linear_linear_linear]=60)
failed=0
for capture in "$pix"/*.PIXRun; do
    [ -f "$capture" ] || { echo "SKIPPED: no captures in $pix (set NOVEM_DATA)" >&2; break; }
    name=$(basename "$capture" .PIXRun)
    "$novem" replay "$capture" --frames 0 --quiet -o "$work/pix-$name"
    echo -n "$name: "
    "$novem" diff "$work/pix-$name/frame-00000.png" "$pix/$name.reference.png" --psnr "${least[$name]:-70}" ||
        { echo "$name is too far from its reference" >&2; failed=1; }
done
[ $failed = 0 ] || exit 1

if [ ! -d "$data" ]; then
    echo "SKIPPED: no captures in $data (set NOVEM_DATA)" >&2
    exit 0
fi
exec "$novem" captures "$data" -o docs/captures.md --work "$work" \
    --reasons docs/captures-reasons.tsv --sheet "$work/sheet.png"
