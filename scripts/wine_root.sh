#!/usr/bin/env bash
# Runs a command of this project in a Debian of its own, whose Wine is newer than this machine's. The Debian has
# Wine for 64-bit and 32-bit programs, its headers, and Xvfb. debootstrap installs it once.
#   sudo scripts/wine_root.sh ROOT [COMMAND...]    without a command: installs only
#     ROOT             folder of the Debian (3 GB)
#     RELEASE=trixie   its release
# In it the project has the path that it has here, and Wine's prefix is ROOT/wine.
set -euo pipefail
# A private mount namespace, so that no mount survives the script.
[ -n "${WINE_ROOT_APART:-}" ] || WINE_ROOT_APART=1 exec unshare --mount "$0" "$@"
[ $# -ge 1 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
root=$(realpath -m "$1") project=$(realpath "$(dirname "$0")/..") here=$PWD
shift
[ "$(id -u)" = 0 ] || { echo "wine_root: debootstrap and chroot require root" >&2; exit 2; }
inside() {
    chroot "$root" env -u WINE_ROOT_APART HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
bind() {
    mkdir -p "$root$1"
    mount --rbind "$1" "$root$1"
}

if [ ! -e "$root/wine" ]; then
    [ -e "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase "${RELEASE:-trixie}" "$root"
    bind /proc
    bind /dev
    inside dpkg --add-architecture i386
    inside apt-get update -qq
    inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        wine wine64 wine32:i386 libwine-dev xvfb xauth openbox procps libgl1 libgl1:i386 libgl1-mesa-dri libgl1-mesa-dri:i386
    mkdir "$root/wine" # the installation is complete
else
    bind /proc
    bind /dev
fi
# A folder of an earlier version of this script has none.
[ -e "$root/usr/bin/openbox" ] ||
    inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openbox
[ $# -gt 0 ] || exit 0

bind "$project"
inside env WINEPREFIX=/wine/prefix PREFIX_OF_ROOT=1 sh -c 'cd "$0" && exec "$@"' "$here" "$@"
