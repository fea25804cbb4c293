#!/usr/bin/env bash
# Installs missing Debian packages, as root or by sudo.
#   scripts/setup.sh           packages for building, the demo and the tests
#   scripts/setup.sh --build   packages for `make native` only
#   scripts/setup.sh --all     also optional tools: profilers, clang-format, GNU parallel, Slurm
set -euo pipefail

build=(clang-19 gcc make pkg-config libc6-dev mingw-w64-common libsimde-dev libstb-dev libxxhash-dev
       libsnappy-dev zlib1g-dev libzstd-dev libbrotli-dev
       libdeflate-dev g++ libtomlplusplus-dev libcjson-dev libdrm-dev)
tests=(check libclang-rt-19-dev mingw-w64 mingw-w64-tools wine wine64 xvfb xauth libsdl2-2.0-0 libgl1-mesa-dri
       gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user apitrace chromium python3)
optional=(valgrind linux-perf hyperfine clang-format parallel slurm-wlm munge)

case "${1:-}" in
--build) want=("${build[@]}") ;;
--all) want=("${build[@]}" "${tests[@]}" "${optional[@]}") ;;
"") want=("${build[@]}" "${tests[@]}") ;;
*) echo "usage: scripts/setup.sh [--build|--all]" >&2; exit 2 ;;
esac

missing=()
for p in "${want[@]}"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed' || missing+=("$p")
done
[ ${#missing[@]} -eq 0 ] && exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: run as root to install: ${missing[*]}" >&2; exit 1; }
    root=(sudo)
fi
echo "setup: installing ${missing[*]}"
"${root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
