#!/usr/bin/env bash
# Writes the notices of a program that is linked with static libraries for another platform (scripts/libraries.mk).
#   scripts/dist/notices.sh LIBRARIES RUNTIME...     LIBRARIES: the folder of the libraries
#       RUNTIME: NAME=FILE, the licence of a part of the compiler's runtime
set -euo pipefail
[ $# -ge 2 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
libraries=$1
shift
cat <<'END'
Novem contains or is linked with the software below. Its own licence is in the file LICENSE.
Some of the copyright files also name files that are not used.
END
# notice NAME FILE
notice() {
    [ -r "$2" ] || { echo "notices: $2 is missing" >&2; exit 1; }
    printf '\n%s\n%s\n%s\n\n' "$(printf '=%.0s' {1..100})" "$1" "$(printf '=%.0s' {1..100})"
    cat "$2"
}
for use in libxxhash-dev:xxHash libsimde-dev:SIMDe libstb-dev:stb_image 'libtomlplusplus-dev:toml++' \
    'libmicrohttpd-dev:declarations of libmicrohttpd (LGPL 2.1 or later)' 'libdrm-dev:declarations of libdrm' \
    'mingw-w64-common:declarations of Direct3D 9 (LGPL 2.1 or later)'; do
    notice "${use#*:}, compiled into novem" "/usr/share/doc/${use%%:*}/copyright"
done
for file in "$libraries"/licences/*; do
    notice "${file##*/}, linked with novem" "$file"
done
for runtime; do
    notice "${runtime%%=*}, linked with novem" "${runtime#*=}"
done
notice 'Text of the licence LGPL-2.1' /usr/share/common-licenses/LGPL-2.1
if printf '%s\n' "$@" | grep -q '^libgcc'; then notice 'Text of the licence GPL-3' /usr/share/common-licenses/GPL-3; fi
