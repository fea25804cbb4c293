#!/usr/bin/env bash
# Draws the cases of this folder with its Direct3D 9 library on this machine. It needs bash, coreutils and a driver.
#   ./run.sh [-o RESULTS] [--filter PATTERN] [--limit SECONDS] [--total SECONDS] [--resume]
# Each case runs in a process of its own. RESULTS gets pictures/, logs/, results.tsv and machine.tsv.
set -uo pipefail

print_help() {
    cat <<'END'
usage: ./run.sh [options]
Draws the cases of this folder with its Direct3D 9 library, and keeps pictures and logs.
  -o RESULTS            the output folder (default: gpu-results in the current folder)
  --filter PATTERN      only cases whose name matches, such as 'scenes/fog/*'; may be repeated
  --limit SECONDS       time for one case (default: 60)
  --total SECONDS       time for all; cases that are left are listed as not run (default: no limit)
  --resume              continue a run: cases that have a result are not run again
  --help                print this text
The exit code is 0 if every case ran to its end, 1 if one did not, 2 after an error.
END
}

error() {
    echo "run.sh: $*" >&2
    exit 2
}

here=$PWD out=gpu-results limit=60 total=0 resume='' filters=()
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h) print_help; exit 0 ;;
    --resume) resume=1; shift; continue ;;
    -o | --filter | --limit | --total) [ $# -ge 2 ] && [ -n "$2" ] || error "$1 needs a value (try --help)" ;;
    -*) error "unknown option $1 (try --help)" ;;
    *) error "unexpected argument '$1' (try --help)" ;;
    esac
    case $1 in
    -o) out=$2 ;;
    --filter) filters+=("$2") ;;
    --limit) limit=$2 ;;
    --total) total=$2 ;;
    esac
    shift 2
done
[[ $limit =~ ^[1-9][0-9]{0,5}$ ]] || error "--limit needs a number of seconds, not '$limit'"
[[ $total =~ ^[0-9]{1,7}$ ]] || error "--total needs a number of seconds, not '$total'"
[[ $out = /* ]] || out=$here/$out

cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
kind='' library='' window='' novem=''
folder=$PWD
[ -f cases.tsv ] && [ -f settings ] || error "$folder is no bundle: cases.tsv and settings are missing"
# shellcheck disable=SC1091
. ./settings # kind, library, window, novem

# is_selected NAME: the case is wanted.
is_selected() {
    local pattern
    [ ${#filters[@]} -gt 0 ] || return 0
    for pattern in "${filters[@]}"; do
        # shellcheck disable=SC2053
        [[ $1 != $pattern ]] || return 0
    done
    return 1
}
n=0
while IFS= read -r line; do
    IFS=$'\t' read -r _ name _ <<<"$line"
    ! is_selected "$name" || n=$((n + 1))
done <cases.tsv
[ $n -gt 0 ] || error "no case matches ${filters[*]}"

if [ -z "$resume" ] && [ -n "$(ls -A "$out" 2>/dev/null)" ]; then
    error "$out is not empty (--resume continues a run)"
fi
mkdir -p "$out/pictures" "$out/logs" && : >>"$out/results.tsv" || error "$out cannot be written"
cp cases.tsv "$out/"

# Logs tell the driver; no files are written beside them.
export DXVK_LOG_PATH=${DXVK_LOG_PATH-none} DXVK_LOG_LEVEL=${DXVK_LOG_LEVEL-info}
export DXVK_STATE_CACHE=${DXVK_STATE_CACHE-disable} DXVK_SHADER_CACHE=${DXVK_SHADER_CACHE-0}
own_path=${LD_LIBRARY_PATH-}

# --- Starting the programs ---

# Says whether this machine has a Vulkan loader.
has_vulkan_loader() {
    local place
    local IFS=:
    for place in $own_path /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu /lib64 /usr/lib64 /usr/lib /lib \
        /usr/local/lib /usr/local/lib64; do
        [ ! -e "$place/libvulkan.so.1" ] || return 0
    done
    return 1
}

# use WAY: sets the words before a program, and where libraries are looked for.
#   system   the machine's libraries
#   bundled  those of the bundle before the machine's
#   glibc    likewise, with the bundle's C library: for a machine whose own is older
use() {
    local vulkan='' path=$own_path
    has_vulkan_loader || vulkan=$folder/lib/vulkan
    [ -z "$vulkan" ] || path=$vulkan${path:+:$path}
    [ "$1" = system ] || path=$folder/lib${path:+:$path}
    start=()
    if [ "$1" = glibc ]; then
        start=("$folder"/lib/glibc/ld-linux*)
        start+=(--library-path "$folder/lib:$folder/lib/glibc${path:+:$path}")
        path=$own_path
    fi
    way=$1
    variables=()
    [ -z "$path" ] || variables=("LD_LIBRARY_PATH=$path")
}

# run_program SECONDS LOG WORD...: sets the globals code and stuck. A process that a driver holds cannot be killed:
# after some time it is left behind.
pid='' clock=''
trap '[ -z "$pid" ] || kill "$pid" "$clock" 2>/dev/null; exit 130' INT TERM
run_program() {
    local seconds=$1 log=$2
    shift 2
    stuck=''
    timeout -k 5 "$seconds" env "${variables[@]}" "${start[@]}" "$@" >"$log" 2>&1 </dev/null &
    pid=$!
    sleep $((seconds + 15)) &
    clock=$!
    wait -n "$pid" "$clock" 2>/dev/null
    code=$?
    if kill -0 "$clock" 2>/dev/null; then
        kill "$clock"
        wait "$clock" 2>/dev/null
    elif kill -0 "$pid" 2>/dev/null; then
        stuck=1 code=124
        disown "$pid"
    fi
    pid=''
}

if [ "$kind" = wine ]; then
    command -v "${WINE:-wine}" >/dev/null || error "$library needs Wine on this machine (WINE names its command)"
    export WINEDEBUG=${WINEDEBUG--all} WINEDLLOVERRIDES="${WINEDLLOVERRIDES-d3d9=n;winedbg.exe=d}"
    runner=bin/runner.exe retrace=bin/novem-retrace.exe options=()
    variables=() start=("${WINE:-wine}") way=wine
    run_program $((limit + 60)) "$out/adapter.log" $retrace --adapter --d3d9 "$library"
else
    runner=bin/novem-runner retrace=bin/novem-retrace options=(--window "$window")
    for each in system bundled glibc; do
        use $each
        run_program "$limit" "$out/adapter.log" $retrace --adapter --d3d9 "$library" "${options[@]}"
        [ "$code" -ne 0 ] || break
        # The next way helps if the program or the library could not be loaded.
        log=$(<"$out/adapter.log")
        [[ $code -eq 127 || $code -eq 126 || $log = *"error while loading"* || $log = *"no Direct3D 9 library"* ||
            $log = *GLIBC* ]] || break
    done
fi

# --- The machine ---

tell() { printf '%s\t%s\n' "$1" "${2//$'\t'/ }"; }

describe_machine() {
    local line file
    tell date "$(date -u +%F)"
    tell novem "$novem"
    tell library "$library"
    tell libraries "$way"
    tell system "$(uname -srm)"
    if [ -r /etc/os-release ]; then
        while IFS= read -r line; do
            [[ $line != PRETTY_NAME=* ]] || { line=${line#*=} && tell distribution "${line//\"/}"; }
        done </etc/os-release
    fi
    while IFS= read -r line; do
        [[ $line != 'model name'* ]] || { tell processor "${line#*: }"; break; }
    done </proc/cpuinfo
    if [ -r /proc/driver/nvidia/version ]; then
        IFS= read -r line </proc/driver/nvidia/version
        tell kernel-module "$line"
    fi
    for file in /proc/driver/nvidia/gpus/*/information; do
        [ -r "$file" ] || continue
        while IFS= read -r line; do
            [[ $line =~ ^Model:[[:space:]]*(.*) ]] && tell gpu "${BASH_REMATCH[1]}"
        done <"$file"
    done
    for file in /sys/class/drm/card*/device/vendor; do
        [ -r "$file" ] && [ -r "${file%vendor}device" ] && tell pci "$(<"$file") $(<"${file%vendor}device")"
    done
    # "adapter: NAME" and so on of novem-retrace; lines of DXVK's log that name the driver.
    while IFS= read -r line; do
        line=${line%$'\r'}
        [[ $line =~ ^(adapter|driver|ids):\ (.*) ]] && tell "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
        # DXVK tells programs of another adapter where games need one; its log has the true name.
        [[ $line =~ ^info:\ +Found\ device:\ (.*)$ ]] && tell gpu "${BASH_REMATCH[1]}"
        [[ $line =~ ^info:\ +(DXVK:\ .*|Driver\ *:.*)$ ]] && tell log "${BASH_REMATCH[1]}"
    done <"$out/adapter.log"
    for line in "${!DXVK_@}" "${!VK_@}"; do tell environment "$line=${!line}"; done
}
describe_machine >"$out/machine.tsv"
if [ "$code" -ne 0 ]; then
    echo "run.sh: $library creates no Direct3D 9 on this machine (code $code); $out/adapter.log:" >&2
    head -20 "$out/adapter.log" >&2
    exit 2
fi

# --- The cases ---

declare -A finished=()
while IFS=$'\t' read -r _ name status _; do
    [ "$status" = "not run" ] || finished[$name]=1
done <"$out/results.tsv"

# Sets the global status from code, stuck, and what the case should have written.
judge_case() { # KIND PICTURE MILLISECONDS
    if [ -n "$stuck" ]; then status="stuck"
    elif [ "$code" -eq 124 ] || { [ "$code" -eq 137 ] && [ "$3" -ge $((limit * 1000)) ]; }; then status="timed out"
    elif [ "$code" -gt 128 ]; then status="signal $((code - 128))"
    elif [ "$1" = conformance ] && [ "$code" -eq 1 ]; then status="differs"
    elif [ "$1" != conformance ] && [ -z "$(ls "$2" 2>/dev/null)" ]; then status="no picture"
    # A runner's 1 says that expectations are not met; a replayer's 1 that calls failed. The picture is judged at home.
    elif [ "$code" -le 1 ]; then status="ok"
    else status="code $code"; fi
}

run_case() { # KIND NAME FILE FRAMES
    local log=$out/logs/$2.log picture=$out/pictures/$2 begin end
    mkdir -p "${log%/*}"
    [ "$1" = conformance ] || mkdir -p "${picture%/*}"
    begin=$(date +%s%N)
    case $1 in
    golden)
        picture=$picture.png
        run_program "$limit" "$log" $runner --d3d9 "$library" "${options[@]}" --picture "$picture" "$3" ;;
    capture)
        run_program "$limit" "$log" $retrace --d3d9 "$library" "${options[@]}" --frames "$4" -o "$picture" "$3" ;;
    conformance)
        run_program "$limit" "$log" $runner --d3d9 "$library" "${options[@]}" "$3" ;;
    esac
    end=$(date +%s%N)
    judge_case "$1" "$picture" $(((end - begin) / 1000000))
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$status" $(((end - begin) / 1000000)) >>"$out/results.tsv"
}

SECONDS=0 ran=0 bad=0 left=0
while IFS= read -r line; do
    # Tabs in a row would count as one separator.
    IFS=$'\x1f' read -r type name file frames _ <<<"${line//$'\t'/$'\x1f'}"
    is_selected "$name" && [ -z "${finished[$name]-}" ] || continue
    if [ "$total" -gt 0 ] && [ $SECONDS -ge "$total" ]; then
        printf '%s\t%s\tnot run\t0\n' "$type" "$name" >>"$out/results.tsv"
        left=$((left + 1))
        continue
    fi
    run_case "$type" "$name" "$file" "$frames"
    ran=$((ran + 1))
    case $status in
    ok | differs) ;;
    *) bad=$((bad + 1)); echo "$name: $status" ;;
    esac
    [ $((ran % 50)) -ne 0 ] || echo "$ran cases, $SECONDS s"
done <cases.tsv
not_run=''
[ $left -eq 0 ] || not_run=", $left were not run"
echo "$ran cases ran, $bad did not end well$not_run; results: $out"
[ $((bad + left)) -eq 0 ]
