#!/usr/bin/env bash
# Runs a command of this project with a 32-bit Wine on a machine whose kernel runs no 32-bit programs: in an i386 Debian
# that debootstrap unpacks once, with qemu-i386 for each program. No package is configured there; Wine needs none to be.
#   sudo scripts/wine32_qemu.sh ROOT [COMMAND...]    without a command: installs only
#     ROOT               folder of the Debian (1.5 GB)
#     QEMU=FILE          static qemu-i386 of version 8 or newer (default: the one on PATH); 7.2 takes minutes to start Wine
#     QEMU_CPU=max       gives programs AVX2; the default has SSE3
#     WINEPREFIX=PATH    Wine's prefix in ROOT (default: /wine/prefix)
# Start an X server first, for example Xvfb, and set DISPLAY. In ROOT the project has the path that it has here.
#
# qemu is registered with binfmt_misc in a user namespace of its own (Linux 6.7), so the machine stays as it is.
set -euo pipefail
if [ -z "${WINE32_APART:-}" ]; then
    [ $# -ge 1 ] || { sed -n '2,9s/^# //p' "$0" >&2; exit 2; }
    [ "$(id -u)" = 0 ] || { echo "wine32_qemu: debootstrap and chroot require root" >&2; exit 2; }
fi
root=$(realpath -m "$1") project=$(realpath "$(dirname "$0")/..") here=$PWD
qemu=${QEMU:-$(command -v qemu-i386-static || command -v qemu-i386 || true)}
[ -n "$qemu" ] || { echo "wine32_qemu: no qemu-i386; set QEMU" >&2; exit 2; }
if file -L "$qemu" | grep -q 'dynamically linked'; then
    echo "wine32_qemu: $qemu is not a static program, so it does not run in ROOT" >&2
    exit 2
fi
wine=$root/usr/lib/i386-linux-gnu/wine

install_root() {
    command -v debootstrap >/dev/null || { echo "wine32_qemu: install the package debootstrap" >&2; exit 2; }
    debootstrap --arch=i386 --foreign --variant=minbase --include=wine32,xauth,openbox,procps bookworm "$root"
    for package in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
    # What the package does when it is configured: Wine takes zlib for one of its own dlls.
    local from=$root/usr/i686-w64-mingw32/lib/zlib1.dll
    { head -c 64 "$from"; printf 'Wine builtin DLL'; head -c 16 /dev/zero; tail -c +97 "$from"; } \
        > "$wine/i386-windows/zlib1.dll"
}
[ -e "$wine/i386-windows/zlib1.dll" ] || install_root
shift
[ $# -gt 0 ] || exit 0
[ -n "${WINE32_APART:-}" ] || WINE32_APART=1 exec unshare --user --map-root-user --mount "$0" "$root" "$@"

mkdir -p "$root/binfmt" "$root$project" "$root/wine"
mount -t binfmt_misc none "$root/binfmt"
# ELF of 32 bits for the 80386, programs and libraries that are programs; F: opened now, so found in ROOT, too.
magic='\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x03\x00'
mask='\xff\xff\xff\xff\xff\xfe\xfe\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
printf '%s' ":qemu-i386:M::$magic:$mask:$(realpath "$qemu"):PF" > "$root/binfmt/register"
for place in /proc /dev "$project"; do mount --rbind "$place" "$root$place"; done
# shellcheck disable=SC2016 # the inner shell expands them
exec chroot "$root" env -u WINE32_APART HOME=/root LC_ALL=C.UTF-8 PATH=/usr/lib/wine:/usr/sbin:/usr/bin:/sbin:/bin \
    WINEARCH=win32 WINEPREFIX="${WINEPREFIX:-/wine/prefix}" sh -c '/sbin/ldconfig 2>/dev/null; cd "$0" && exec "$@"' \
    "$here" "$@"
