#!/bin/bash
# Replays all captures of the data folder: compares those of PIX with their reference pictures, and writes the
# results of apitrace's to docs/captures.md and a contact sheet.
# usage: scripts/captures.sh NOVEM; NOVEM_DATA: the data folder, default ../shared/data.
set -euo pipefail

novem=${1:-build/novem}
data=${NOVEM_DATA:-../shared/data}/traces
pix=${NOVEM_DATA:-../shared/data}/pix
work=${CAPTURES_WORK:-build/captures}

mkdir -p "$work"

# Minimum PSNR in decibels. The references are from a simulator that truncates colours where Direct3D rounds them
# (docs/formats.md).
declare -A least=([triangle]=56 [texture_X8R8G8B8_square]=90 [filtering_linear_linear_linear]=60)
failed=0
for capture in "$pix"/*.PIXRun; do
    [ -f "$capture" ] || { echo "SKIPPED: no captures in $pix (set NOVEM_DATA)" >&2; break; }
    name=$(basename "$capture" .PIXRun)
    "$novem" replay "$capture" --frames 0 --quiet -o "$work/pix-$name"
    echo -n "$name: "
    "$novem" diff "$work/pix-$name/frame-00000.png" "$pix/$name.reference.png" --psnr "${least[$name]:-70}" ||
        { echo "$name differs too much from its reference" >&2; failed=1; }
done
[ $failed = 0 ] || exit 1

if [ ! -d "$data" ]; then
    echo "SKIPPED: no captures in $data (set NOVEM_DATA)" >&2
    exit 0
fi
gpu=()
[ -d "$data/../gpu/captures" ] && gpu=(--gpu "$data/../gpu/captures" --masks)
exec "$novem" captures "$data" -o docs/captures.md --work "$work" \
    "${gpu[@]}" --reasons docs/captures-reasons.tsv --sheet "$work/sheet.png"
