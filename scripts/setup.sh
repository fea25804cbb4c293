#!/usr/bin/env bash
# Installs missing packages of Debian or Ubuntu, as root or by sudo.
#   scripts/setup.sh           packages for building, the demo and the tests
#   scripts/setup.sh --build   packages for `make native` and the demo only
#   scripts/setup.sh --dlls    also those for the Windows dlls
#   scripts/setup.sh --deb     also those for Debian packages
#   scripts/setup.sh --dist    also those for the archives of a release (`make zig` fetches a compiler with npm)
#   scripts/setup.sh --all     also optional tools: profilers, clang-format, GNU parallel, Slurm
# It asks the network only if a package is missing.
set -euo pipefail

# The build takes clang-19 if it is installed, otherwise gcc (Makefile).
build=(clang-19 gcc make pkg-config libc6-dev mingw-w64-common libsimde-dev libstb-dev libxxhash-dev
       libsnappy-dev zlib1g-dev libzstd-dev libbrotli-dev
       libdeflate-dev g++ libtomlplusplus-dev libcjson-dev libdrm-dev libmicrohttpd-dev)
dlls=(mingw-w64 mingw-w64-tools libz-mingw-w64-dev)
deb=(debhelper dpkg-dev fakeroot)
dist=(dpkg-dev llvm-19 lld-19)
# Other packages of Node.js bring npm along and conflict with Debian's.
command -v npm >/dev/null || dist+=(npm)
tests=(check libclang-rt-19-dev xvfb xauth libsdl2-2.0-0 libgl1-mesa-dri apitrace chromium python3 python3-yaml cmake)
# Other processors run no programs for x86, which are most of what Wine and qemu are for here.
[ "$(uname -m)" != x86_64 ] || tests+=("${dlls[@]}" wine wine64 openbox g++-aarch64-linux-gnu libc6-dev-arm64-cross
    qemu-user libc6-dev-i386 dpkg-dev llvm-19)
optional=(valgrind linux-perf hyperfine clang-format parallel slurm-wlm munge)
# Packages that some distributions lack; the build, or the test that wants one, does without.
dispensable=' clang-19 libclang-rt-19-dev apitrace chromium linux-perf libc6-dev-i386 llvm-19 lld-19 '

case "${1:-}" in
--build) want=("${build[@]}") ;;
--dlls) want=("${build[@]}" "${dlls[@]}") ;;
--deb) want=("${build[@]}" "${dlls[@]}" "${deb[@]}") ;;
--dist) want=("${build[@]}" "${dlls[@]}" "${dist[@]}") ;;
--all) want=("${build[@]}" "${tests[@]}" "${optional[@]}") ;;
"") want=("${build[@]}" "${tests[@]}") ;;
*) echo "usage: scripts/setup.sh [--build|--dlls|--deb|--dist|--all]" >&2; exit 2 ;;
esac

command -v apt-get >/dev/null || { echo "setup: no apt-get here; install by hand: ${want[*]}" >&2; exit 1; }

# Packages may be in a list that is newer than the one on disk, or there is no list yet.
known() { [ -n "$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: *\([^(]\)/\1/p')" ]; }

missing=()
for p in "${want[@]}"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed' || missing+=("$p")
done
[ ${#missing[@]} -eq 0 ] && exit 0

# Missing packages that are all dispensable and unknown here: nothing to install, and no network needed.
wanted=()
for p in "${missing[@]}"; do
    [[ $dispensable == *" $p "* ]] && known make && ! known "$p" || wanted+=("$p")
done
[ ${#wanted[@]} -eq 0 ] && exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: run as root to install: ${wanted[*]}" >&2; exit 1; }
    root=(sudo)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# run COMMAND...: prints the output of a command only if it fails.
run() {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null && return
    cat "$log" >&2
    echo "setup: failed: $*" >&2
    exit 1
}
run apt-get update -qq
install=()
for p in "${wanted[@]}"; do
    if known "$p"; then install+=("$p")
    elif [[ $dispensable == *" $p "* ]]; then echo "setup: this system has no package $p; going on without it"
    else echo "setup: this system has no package $p" >&2; exit 1; fi
done
[ ${#install[@]} -eq 0 ] && exit 0
echo "setup: installing ${install[*]}"
run apt-get install -y -qq --no-install-recommends "${install[@]}"
