#!/usr/bin/env bash
# Prints the results of `novem bench`, the benchmark of the shader machine, and of bench/vm, the same in C, as Markdown.
#   scripts/bench_shaders.sh BUILD
set -euo pipefail
build=${1:?usage: scripts/bench_shaders.sh BUILD}

echo '```'
"$build/novem" bench --seconds 120
echo '```'
printf '\nShaders against the same in C: ns a lane (ratio to C):\n\n'
"$build/bench/vm" --seconds 0.2
