#!/usr/bin/env bash
# Builds Novem on minimal systems of several distributions as a new user would: `make demo`, then compares the frames.
# The frames are the same bytes everywhere (scripts/distros.sha256). Needs root, debootstrap, and a package mirror.
#   scripts/distros.sh [--mirror SUITE=URL]... [--dir DIR] [--cc COMPILER] [--keep] [SUITE...]
#       --mirror  where a suite's packages are; default: the first mirror of this machine's apt for Debian
#       --dir     where the systems are made; default: a temporary folder, which is removed at the end
#       --cc      the compiler, a package of the suite: gcc-12, clang-14; default: the Makefile's choice
#       --keep    keeps the systems; a later run with the same --dir uses them again
#   suites: bookworm trixie (both by default), or another that debootstrap knows; Ubuntu's need a --mirror
#   scripts/distros.sh --record    writes scripts/distros.sha256 from frames/ of this machine
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n 's/^#   //p' "$0" >&2; exit 2; }

declare -A mirror
dir='' cc='' keep='' suites=()
while [ $# -gt 0 ]; do
    case $1 in
    --mirror) [[ ${2:-} == *=* ]] || usage; mirror[${2%%=*}]=${2#*=}; shift ;;
    --dir) dir=${2:-}; [ -n "$dir" ] || usage; shift ;;
    --cc) cc=${2:-}; [ -n "$cc" ] || usage; shift ;;
    --keep) keep=1 ;;
    --record) (cd frames && sha256sum -- */*.png) >scripts/distros.sha256; exit ;;
    -*) usage ;;
    *) suites+=("$1") ;;
    esac
    shift
done
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)
[ "$(id -u)" -eq 0 ] || { echo "distros: run as root: debootstrap and chroot need it" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "distros: install the package debootstrap" >&2; exit 1; }

# The first mirror of the machine's apt whose path is .../debian.
host_mirror() {
    apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | sed -n 's,^\(.*/debian\)/*$,\1,p' | head -1
}

mounted=()
temporary=
[ -n "$dir" ] || { dir=$(mktemp -d) temporary=1; }
finish() {
    for m in "${mounted[@]}"; do umount "$m" 2>/dev/null || umount -l "$m"; done
    [ -z "$temporary" ] || [ -n "$keep" ] || rm -rf --one-file-system "$dir"
}
trap finish EXIT

# system SUITE: makes the minimal system $dir/SUITE unless it is there.
system() {
    local suite=$1 root=$dir/$1 url=${mirror[$1]:-$(host_mirror)} options=(--variant=minbase) script=()
    [ -n "$url" ] || { echo "distros: no mirror for $suite; give --mirror $suite=URL" >&2; return 1; }
    [ -e "$root/made" ] && return
    if [[ $url == *ubuntu* ]]; then
        options+=(--components=main,universe)
        # Debian has no keys of Ubuntu. These systems are for this test only.
        [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || options+=(--no-check-gpg)
        [ -e "/usr/share/debootstrap/scripts/$suite" ] || script=(gutsy)
    fi
    debootstrap "${options[@]}" "$suite" "$root" "$url" "${script[@]}" >"$dir/$suite.debootstrap" 2>&1 ||
        { tail -3 "$dir/$suite.debootstrap" >&2; return 1; }
    touch "$root/made"
}

# demo SUITE: copies the committed files, and what is said in the README for a new system.
demo() {
    local suite=$1 root=$dir/$1 begin
    mountpoint -q "$root/proc" || { mount -t proc proc "$root/proc"; mounted+=("$root/proc"); }
    rm -rf "$root/novem"
    mkdir -p "$root/novem"
    git archive HEAD | tar -x -C "$root/novem"
    begin=$SECONDS
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root CC_PACKAGE="$cc" sh -ec '
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends make ${CC_PACKAGE} $(
            case $CC_PACKAGE in gcc-*) echo "g++-${CC_PACKAGE#gcc-}" ;; esac)
        cd /novem
        make demo ${CC_PACKAGE:+CC=$CC_PACKAGE}' >"$dir/$suite.log" 2>&1 || { tail -5 "$dir/$suite.log"; return 1; }
    echo "$suite: make demo took $((SECONDS - begin)) seconds, with the packages, on $(nproc) processors;" \
        "$(grep -c 'warning:' "$dir/$suite.log" || true) warnings"
    (cd "$root/novem/frames" && sha256sum --quiet --check) <scripts/distros.sha256
}

passed=0 failed=0
for suite in "${suites[@]}"; do
    mkdir -p "$dir"
    if system "$suite" && demo "$suite"; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "$suite: failed; see $dir/$suite.log" >&2; keep=1; fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
