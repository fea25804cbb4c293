#!/usr/bin/env bash
# Makes a folder that draws the golden suite on another machine's GPU, and judges the pictures that come back.
#   scripts/gpu-bundle.sh -o FOLDER --dll LIBRARY.so|d3d9.dll [options]
#   scripts/gpu-bundle.sh --judge RESULTS [--name NAME] [-o FILE.md]
# docs/golden-gpu.md explains both. FOLDER/run.sh is a copy of scripts/gpu-bundle/run.sh.
set -euo pipefail
here=$PWD
cd "$(dirname "$0")/.."

limit_mib=60
# These scenes hang GPUs. They come last, so that every other scene has run before.
hanging=(shader/linkage-mixed shader/linkage-forty)

print_help() {
    cat <<'END'
usage: scripts/gpu-bundle.sh -o FOLDER --dll LIBRARY.so|d3d9.dll [options]
       scripts/gpu-bundle.sh --judge RESULTS [--name NAME] [-o FILE.md]
Makes a folder of at most 60 MiB that draws the golden suite, captures and conformance scenes with a Direct3D 9
library on another machine; or judges the results of its run.sh and writes bench/results/gpu-NAME.md.
  -o FOLDER             the folder to make; it must be empty or absent
  --dll FILE            the library: a native one, or a d3d9.dll, which needs Wine on the other machine
  --window KIND         window handles for a native library: none (default) or sdl, as in novem-retrace
  --env NAME=VALUE      environment variable of the programs; may be repeated
  --also FILE           another library that the library loads by itself, such as SDL's; may be repeated
  --capture FILE:LIST   also replay this capture, and take the frames LIST (as 5, 5-9 or 2,5-9); may be repeated
  --build FOLDER        where novem, novem-retrace and novem-runner are (default: build)
  --judge RESULTS       judge the output folder of run.sh
  --name NAME           with --judge: name of the GPU in the file's name (default: made from machine.tsv)
  --help                print this text
END
}

error() {
    echo "gpu-bundle.sh: $*" >&2
    exit 2
}

out='' dll='' window=none build=build judge='' name=''
environment=() also=() captures=()
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h) print_help; exit 0 ;;
    -o | --dll | --window | --env | --also | --capture | --build | --judge | --name)
        [ $# -ge 2 ] && [ -n "$2" ] || error "$1 needs a value (try --help)" ;;
    -*) error "unknown option $1 (try --help)" ;;
    *) error "unexpected argument '$1' (try --help)" ;;
    esac
    path=$2
    [[ $path = /* ]] || path=$here/$path
    case $1 in
    -o) out=$path ;;
    --dll) dll=$path ;;
    --window) window=$2 ;;
    --env) environment+=("$2") ;;
    --also) also+=("$path") ;;
    --capture) captures+=("$path") ;;
    --build) build=$path ;;
    --judge) judge=$path ;;
    --name) name=$2 ;;
    esac
    shift 2
done

# need FILE WHAT: the file exists.
need() { [ -f "$1" ] || error "$1 does not exist$2"; }

if [ -n "$judge" ]; then
    [ -z "$dll" ] && [ ${#environment[@]} -eq 0 ] && [ ${#also[@]} -eq 0 ] && [ ${#captures[@]} -eq 0 ] &&
        [ "$window" = none ] || error "--judge takes --name, --build and -o only"
    [ -d "$judge" ] || error "$judge is not a folder"
    for file in results.tsv machine.tsv; do
        need "$judge/$file" ": $judge is no output folder of run.sh"
    done
    [[ $name =~ ^[a-z0-9.-]*$ ]] || error "--name has lower-case letters, digits, '-' and '.' only, not '$name'"
    need "$build/novem" ": make native builds it"
    command -v python3 >/dev/null || error "--judge needs python3"
    exec scripts/gpu_report.py --novem "$build/novem" ${name:+--name "$name"} ${out:+-o "$out"} "$judge"
fi

[ -z "$name" ] || error "--name needs --judge"
[ -n "$out" ] || error "-o FOLDER is missing (try --help)"
[ -n "$dll" ] || error "--dll LIBRARY is missing (try --help)"
case $window in none | sdl) ;; *) error "--window is none or sdl, not '$window'" ;; esac
need "$dll" ''
for file in "${also[@]}"; do need "$file" ''; done
for word in "${environment[@]}"; do
    [[ $word =~ ^[A-Za-z_][A-Za-z_0-9]*= ]] || error "--env needs NAME=VALUE, not '$word'"
done
for word in "${captures[@]}"; do
    [[ ${word##*:} =~ ^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$ ]] && [ "$word" != "${word%:*}" ] ||
        error "--capture needs FILE:FRAMES, not '$word'"
    need "${word%:*}" ''
done
! [ -e "$out" ] || [ -d "$out" ] || error "$out is not a folder"
[ -z "$(ls -A "$out" 2>/dev/null)" ] || error "$out is not empty"

# The first bytes tell a Windows dll from a native library. A .dll.so is a dll that Wine itself was built with.
magic_of() { head -c 4 "$1" | od -An -tx1 | tr -d ' '; }
magic=$(magic_of "$dll")
[[ $magic != 7f454c46 || $dll != *.dll.so ]] || magic=4d5a
case $magic in
4d5a*) kind=wine programs=("$build/win64/bin/runner.exe" "$build/win64/bin/novem-retrace.exe") made='make pe' ;;
7f454c46) kind=native programs=("$build/novem-runner" "$build/novem-retrace") made='make native' ;;
*) error "$dll is neither a native library nor a Windows dll" ;;
esac
[ $kind = native ] || [ "$window" = none ] || error "--window is for native libraries"
for file in "${programs[@]}"; do need "$file" ": $made builds it"; done
for file in "${also[@]}"; do
    [ $kind = wine ] || [ "$(magic_of "$file")" = 7f454c46 ] || error "$file is no native library"
done

work=$out.part
rm -rf "$work"
mkdir -p "$work"/{bin,lib/glibc,lib/vulkan,golden,captures,conformance}
trap 'rm -rf "$work"' EXIT

# copy FILE TARGET: without symbols that only debuggers need.
copy() {
    cp -L "$1" "$2"
    [ $kind = wine ] || ! command -v strip >/dev/null || strip --strip-unneeded "$2" 2>/dev/null || cp -L "$1" "$2"
}

# Libraries that the files need. Those of the C library stay apart: run.sh uses them only where the machine's are
# older.
copy_needed() {
    local needed file
    needed=$(LC_ALL=C ldd "$@" 2>&1) || error "what $* need is not known: $needed"
    ! grep 'not found' <<<"$needed" || error "libraries that $* need are not here (see above)"
    while IFS= read -r file; do
        case ${file##*/} in
        libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libresolv.so.* | ld-linux*)
            cp -L "$file" "$work/lib/glibc/" ;;
        *) copy "$file" "$work/lib/${file##*/}" ;;
        esac
    done < <(awk '/=> \// {print $3} /^[ \t]*\/.*ld-linux/ {print $1}' <<<"$needed" | sort -u)
}

# The machine may have a Vulkan driver and no loader.
copy_vulkan_loader() {
    local loader
    loader=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null |
        awk '$1 == "libvulkan.so.1" && /x86-64/ {print $NF; exit}')
    [ -z "$loader" ] || copy "$loader" "$work/lib/vulkan/libvulkan.so.1"
}

for file in "${programs[@]}"; do copy "$file" "$work/bin/$(basename "$file")"; done
library=lib/$(basename "$dll")
if [ $kind = native ]; then
    copy_needed "${programs[@]}" "$dll" "${also[@]}"
    for file in "${also[@]}"; do copy "$file" "$work/lib/$(basename "$file")"; done
    copy_vulkan_loader
else
    for file in "${also[@]}"; do cp -L "$file" "$work/lib/"; done
    rmdir "$work"/lib/{glibc,vulkan}
fi
copy "$dll" "$work/$library"

# cases.tsv: kind, name, file in the bundle, frames, file at home.
add_capture() { # NAME FILE FRAMES
    local file
    file=captures/$1${2##*/}
    cp "$2" "$work/$file"
    printf 'capture\tcaptures/%s\t%s\t%s\t%s\n' "$(basename "${file%.*}")" "$file" "$3" "$(realpath "$2")"
}
# add_scenes KIND PREFIX FOLDER NAMES: copies the scenes of tests/FOLDER that a list names.
add_scenes() {
    mkdir -p "$work/$1"
    sed "s|\$|.d9t|" "$4" | tar -C "tests/$3" -cf - -T - | tar -C "$work/$1" -xf -
    sed "s|.*|$1\t$2&\t$1/&.d9t\t\t|" "$4"
}
(cd tests/golden && find scenes -name '*.d9t') | sed 's|\.d9t$||' | sort >"$work/names"
{
    add_scenes golden '' golden "$work/names"
    awk -F'"' '/^capture = / {file = $2} /^frames = / {print file "\t" $2}' tests/golden/suite.toml |
        while IFS=$'\t' read -r file frames; do add_capture '' "tests/golden/$file" "$frames"; done
    n=0
    for word in "${captures[@]}"; do
        n=$((n + 1))
        add_capture "more-$n-" "${word%:*}" "${word##*:}"
    done
    (cd tests/conformance && find . -name '*.d9t' -printf '%P\n') | sed 's|\.d9t$||' | sort |
        grep -vxF "${hanging[@]/#/-e}" >"$work/names"
    printf '%s\n' "${hanging[@]}" >>"$work/names"
    add_scenes conformance conformance/ conformance "$work/names"
} >"$work/cases.tsv"
rm "$work/names"

commit=$(git rev-parse --short=10 HEAD 2>/dev/null || echo '-')
{
    printf 'kind=%q library=%q window=%q\n' $kind "$library" "$window"
    printf 'novem=%q made=%q\n' "$(cat VERSION) ($commit)" "$(date -u +%F)"
    for word in "${environment[@]}"; do printf 'export %s=%q\n' "${word%%=*}" "${word#*=}"; done
} >"$work/settings"
cp scripts/gpu-bundle/run.sh LICENSE "$work/"
chmod +x "$work/run.sh"

bytes=$(du -sb --apparent-size "$work" | cut -f1)
if [ "$bytes" -gt $((limit_mib << 20)) ]; then
    mib=$(((bytes + (1 << 20) - 1) >> 20))
    echo "gpu-bundle.sh: the bundle has $mib MiB, and may have $limit_mib; its largest files:" >&2
    find "$work" -type f -printf '%s %P\n' | sort -rn |
        awk 'NR <= 5 {printf "  %8.1f MiB  %s\n", $1 / 1048576, $2}' >&2
    exit 1
fi
[ ! -d "$out" ] || rmdir "$out"
mv "$work" "$out"
trap - EXIT
echo "$out: $(wc -l <"$out/cases.tsv") cases, $((bytes >> 10)) KiB; run $out/run.sh -o RESULTS on the other machine"
