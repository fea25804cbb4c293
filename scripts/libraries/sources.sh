#!/usr/bin/env bash
# Fetches the source packages of Debian or Ubuntu from which libraries for other platforms are built, as any user.
#   scripts/libraries/sources.sh FOLDER     makes FOLDER/cjson, FOLDER/zstd, ...
set -euo pipefail
folder=${1:?usage: scripts/libraries/sources.sh FOLDER}
command -v apt-get >/dev/null && command -v dpkg-source >/dev/null || {
    echo "libraries: the sources come by apt-get and dpkg-source (package dpkg-dev)" >&2; exit 1; }
mkdir -p "$folder/apt/parts" "$folder/apt/lists/partial"
folder=$(cd "$folder" && pwd)
# The mirrors of this machine, without those of security and other updates: their source lists may be ahead of the files.
. /etc/os-release
apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    grep " $VERSION_CODENAME \(main\|universe\)$" | sort -u >"$folder/apt/parts/sources.list"
[ -s "$folder/apt/parts/sources.list" ] || { echo "libraries: apt knows no mirror of $VERSION_CODENAME" >&2; exit 1; }
cat >"$folder/apt/conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$folder/apt/parts";
Dir::State::lists "$folder/apt/lists";
Dir::Cache::srcpkgcache "";
Dir::Cache::pkgcache "";
APT::Sandbox::User "$(id -un)";
END
export APT_CONFIG=$folder/apt/conf
cd "$folder"
log=$folder/apt/log
run() { "$@" >"$log" 2>&1 || { tail -3 "$log" >&2; echo "libraries: failed: $*" >&2; exit 1; }; }
run apt-get update
for pair in brotli:brotli cjson:cjson libdeflate:libdeflate libzstd:zstd zlib:zlib mimalloc:mimalloc \
    mingw-w64:mingw-w64; do
    package=${pair%%:*} name=${pair##*:}
    [ -d "$name" ] && continue
    rm -rf unpacked && mkdir unpacked
    (cd unpacked && run apt-get source --quiet "$package")
    mv unpacked/*/ "$name"
    rm -rf unpacked
done
