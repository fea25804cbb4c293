#!/usr/bin/env bash
# Compares our assembler with Wine's, and validates shaders of Wine's compiler: run.sh PROGRAM_FOLDER [ASM_FILE...]
# Without Wine it prints "peers: skipped" and succeeds.
set -euo pipefail
here=$(dirname "$0")
programs=$1
shift
export WINEDEBUG=-all WINEPREFIX=${WINEPREFIX:-$PWD/build/wine}
command -v wine >/dev/null || { echo "peers: skipped, Wine is not installed"; exit 0; }
run() { timeout 300 wine "$programs/assemble.exe" "$@" >"$programs/wine.log" 2>&1; }

"$programs/corpus" write "$programs/texts" "$@"
run asm "$programs/texts" "$programs/words" || { echo "peers: the assembler failed"; exit 1; }
"$programs/corpus" compare "$programs/texts" "$programs/words"
"$programs/corpus" join "$programs/hlsl" "$here"/hlsl/*.hlsl
run hlsl "$programs/hlsl" "$programs/compiled" || { echo "peers: the compiler failed"; exit 1; }
"$programs/corpus" check "$programs/compiled"
