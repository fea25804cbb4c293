#!/usr/bin/env bash
# Writes the notices of all code that is part of installed files: headers that are compiled in, libraries that may be
# linked statically, and headers that are installed. The texts are those of the packages of this machine, so they are
# those of the versions that were used.
set -euo pipefail

cat <<'END'
Novem contains or is linked with the software below. Its own licence is in the file LICENSE.
The copyright files are those of the Debian packages that the build used; some also name files that are not used.
END
# notice PACKAGE USE
notice() {
    local file=/usr/share/doc/$1/copyright
    [ -r "$file" ] || { echo "notices: $file is missing: run scripts/setup.sh" >&2; exit 1; }
    printf '\n%s\n%s: %s\n%s\n\n' "$(printf '=%.0s' {1..100})" "$1" "$2" "$(printf '=%.0s' {1..100})"
    cat "$file"
}
installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

notice libxxhash-dev 'xxHash, compiled into the libraries, dlls and novem'
notice libsimde-dev 'SIMDe, compiled into the libraries, dlls and novem'
notice mingw-w64-common \
    'd3d9.h, d3d9types.h, d3d9caps.h (LGPL 2.1 or later), pshpack4.h and poppack.h, installed unchanged'
notice libstb-dev 'stb_image, compiled into novem'
notice libtomlplusplus-dev 'toml++, compiled into novem'
notice libmicrohttpd-dev 'declarations of libmicrohttpd (LGPL 2.1 or later), compiled into novem'
notice libdrm-dev 'declarations of libdrm, compiled into novem and the libraries'
for use in libsnappy-dev:Snappy libzstd-dev:Zstandard libbrotli-dev:Brotli libdeflate-dev:libdeflate zlib1g-dev:zlib \
    libcjson-dev:cJSON; do
    notice "${use%%:*}" "${use#*:}, linked with novem"
done
notice "$(dpkg-query -W -f='${Package}\n' 'libstdc++-*-dev' | grep -E '^libstdc\+\+-[0-9]+-dev$' | sort -V | tail -1)" \
    'the C++ runtime of GCC (GPL 3 with the GCC Runtime Library Exception), linked with novem'
notice libc6-dev 'the GNU C library, in programs that are linked statically'
if installed gcc-mingw-w64-x86-64-posix-runtime; then
    notice mingw-w64-x86-64-dev 'the C runtime and winpthreads, linked with the dlls and programs for Windows'
    notice gcc-mingw-w64-x86-64-posix-runtime 'libgcc (GPL 3 with the GCC Runtime Library Exception), linked with them'
fi
for licence in LGPL-2.1 GPL-3; do
    printf '\n%s\n%s\n%s\n\n' "$(printf '=%.0s' {1..100})" "Text of the licence $licence" "$(printf '=%.0s' {1..100})"
    cat "/usr/share/common-licenses/$licence"
done
