#!/usr/bin/env bash
# Runs a command in a Debian for AArch64 on another machine, with qemu-aarch64 for each program: what `make`, `make test`
# and `make dist` do on that processor. debootstrap installs the Debian once, with a clone of this project in it.
#   sudo scripts/arm64_root.sh ROOT [COMMAND...]    without a command: installs only
#     ROOT             folder of the Debian (5 GB with the packages of `make test`); ROOT/root/novem is the clone
#     RELEASE=trixie   its release
#     QEMU=FILE        static qemu-aarch64 (default: the one on PATH)
# Each run moves the clone to the commit of this project. Example: scripts/arm64_root.sh ROOT make demo
#
# qemu is registered with binfmt_misc while the command runs, unless a qemu-aarch64 is registered already.
set -euo pipefail
# A private mount namespace, so that no mount survives the script.
[ -n "${ARM64_ROOT_APART:-}" ] || ARM64_ROOT_APART=1 exec unshare --mount "$0" "$@"
[ $# -ge 1 ] || { sed -n '2,8s/^# //p' "$0" >&2; exit 2; }
fail() { echo "arm64_root: $*" >&2; exit 2; }
[ "$(id -u)" = 0 ] || fail "debootstrap and chroot require root"
root=$(realpath -m "$1") project=$(realpath "$(dirname "$0")/..")
shift

# --- qemu ---
binfmt=/proc/sys/fs/binfmt_misc
[ -e $binfmt/register ] || mount -t binfmt_misc none $binfmt
if ! grep -qs '^flags:.*F' $binfmt/qemu-aarch64; then
    qemu=${QEMU:-$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)}
    [ -x "$qemu" ] || fail "no qemu-aarch64; install qemu-user-static or set QEMU"
    ! file -L "$qemu" | grep -q 'dynamically linked' || fail "$qemu is not a static program, so it does not run in ROOT"
    # ELF of 64 bits for AArch64, programs and libraries that are programs; F: opened now, so found in ROOT, too.
    magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    name=qemu-aarch64-novem.$$
    printf '%s' ":$name:M::$magic:$mask:$(realpath "$qemu"):PF" >$binfmt/register
    trap 'echo -1 >"$binfmt/$name"' EXIT
fi

# --- The Debian ---
inside() {
    chroot "$root" env -u ARM64_ROOT_APART -u QEMU HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
if [ ! -e "$root/installed" ]; then
    command -v debootstrap >/dev/null || fail "install the package debootstrap"
    if [ ! -e "$root/unpacked" ]; then
        mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | sed -n 's,^\(.*/debian\)/*$,\1,p' | head -1)
        debootstrap --arch=arm64 --foreign --variant=minbase --include=ca-certificates,git,make \
            "${RELEASE:-trixie}" "$root" ${mirror:+"$mirror"}
        touch "$root/unpacked"
    fi
    inside /debootstrap/debootstrap --second-stage
    touch "$root/installed"
fi
for place in /proc /dev; do mount --rbind "$place" "$root$place"; done
mount -t tmpfs tmpfs "$root/tmp"
[ -e "$root/root/novem/.git" ] || git clone -q --no-local "$project" "$root/root/novem"
git -C "$root/root/novem" fetch -q "$project" HEAD
git -C "$root/root/novem" checkout -q --detach FETCH_HEAD
[ $# -gt 0 ] || exit 0
# shellcheck disable=SC2016 # the inner shell expands it
inside sh -c 'cd /root/novem && exec "$@"' sh "$@"
