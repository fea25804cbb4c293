#!/usr/bin/env bash
# Prints what the native build lacks, by the names of Debian's packages: nothing if all is there.
#   scripts/missing.sh CC CXX D3D9-HEADERS
cc=$1 cxx=$2 d3d9=$3

# header FILE PACKAGE: names the package if the compiler does not find the header.
headers=(simde/x86/avx2.h libsimde-dev  stb/stb_image.h libstb-dev  xxhash.h libxxhash-dev
         snappy-c.h libsnappy-dev  zlib.h zlib1g-dev  zstd.h libzstd-dev  brotli/decode.h libbrotli-dev
         libdeflate.h libdeflate-dev  cjson/cJSON.h libcjson-dev  stdlib.h libc6-dev  libdrm/radeon_drm.h libdrm-dev
         microhttpd.h libmicrohttpd-dev)
finds() { for h; do echo "#if !__has_include(<$h>)"; echo "#error"; echo "#endif"; done | $cc -E -x c - >/dev/null 2>&1; }
missing=()
command -v "${cc##* }" >/dev/null || missing+=("${cc##* }")
command -v "${cxx##* }" >/dev/null || missing+=("${cxx##* }")
command -v pkg-config >/dev/null || missing+=(pkg-config)
[ -e "$d3d9/d3d9.h" ] || missing+=(mingw-w64-common)
if [ ${#missing[@]} -eq 0 ]; then
    for ((i = 0; i < ${#headers[@]}; i += 2)); do
        names+=("${headers[i]}")
    done
    if ! finds "${names[@]}"; then
        for ((i = 0; i < ${#headers[@]}; i += 2)); do
            finds "${headers[i]}" || missing+=("${headers[i + 1]}")
        done
    fi
    echo '#include <toml++/toml.h>' | $cxx -std=c++17 -M -x c++ - >/dev/null 2>&1 || missing+=(libtomlplusplus-dev)
fi
echo "${missing[*]}"
