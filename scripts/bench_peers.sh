#!/usr/bin/env bash
# Compares bench/d3d9 on our d3d9.dll with Wine's own (wined3d on llvmpipe) and any others, in turns under the same Wine
# and display: milliseconds, and the ratio of each to ours.
#   scripts/bench_peers.sh [--dll PATH]... [--rows A,B] [--build BUILD] [--rounds N] [--seconds S] [--table]
#       [--culled]
# Each side counts with its minimum of all rounds. "goal" is a row's target for the ratio of processor time to wined3d.
# Pictures of each side are compared with ours. --table prints Markdown, for scripts/bench_record.sh. --culled measures
# the rows whose later layers hide earlier ones, with overdraw elimination on, as programs see them.
set -euo pipefail
[ -n "${BENCH_DISPLAY:-}" ] || BENCH_DISPLAY=1 exec xvfb-run -a -s "-screen 0 1280x1024x24" "$0" "$@"
start=$PWD
cd "$(dirname "$0")/.."
build=build rows='' rounds=3 seconds=2 table='' dlls=()
while [ $# -gt 0 ]; do
    case $1 in
    --dll) dlls+=("$(cd "$start" && realpath "$2")"); shift ;;
    --rows) rows=$2; shift ;;
    --build) build=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --table) table=1 ;;
    --culled)
        rows=flat,layers-point,layers-bilinear,layers-trilinear,layers-aniso,targets-4,combiner-4
        export NOVEM_CULL_OVERDRAWN=on
        ;;
    *) sed -n '4,5s/^# *//p' "$0" >&2; exit 2 ;;
    esac
    shift
done

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
sides=(ours wined3d)
for dll in ${dlls[@]+"${dlls[@]}"}; do sides+=("$(basename "$(dirname "$dll")")-$((${#sides[@]} - 1))"); done
for i in "${!sides[@]}"; do
    mkdir -p "$out/${sides[i]}"
    cp "$build/win64/bench/d3d9.exe" "$out/${sides[i]}/"
    [ "$i" -lt 2 ] || cp "${dlls[i - 2]}" "$out/${sides[i]}/d3d9.dll"
done
cp "$build/win64/d3d9.dll" "$out/ours/"

# Software rendering with Mesa's default number of threads, even where there is a GPU.
export WINEDEBUG=-all LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe
unset LP_NUM_THREADS NOVEM_THREADS NOVEM_SIMD NOVEM_SINK
run() { # SIDE ARGUMENT...
    local side=$1
    shift
    (cd "$out/$side" && WINEDLLOVERRIDES=d3d9=$([ "$side" = wined3d ] && echo b || echo n) \
        wine d3d9.exe ${rows:+--rows "$rows"} "$@")
}

for side in "${sides[@]}"; do
    [ "$side" = wined3d ] || run "$side" --seconds 0 --pictures picture- | grep 'cannot' | sed "s/^/$side: /" || true
done
run wined3d --seconds 0.2 --rounds 1 --pictures picture- >/dev/null &
# Verifies that the process maps llvmpipe while it runs.
mapped=
while kill -0 $! 2>/dev/null; do
    grep -lsE 'swrast_dri|libgallium' $(pgrep -f 'd3d9\.exe' | sed 's|.*|/proc/&/maps|') >/dev/null 2>&1 && mapped=1
    sleep 0.2
done
wait $!
[ -n "$mapped" ] || echo "bench_peers: warning: Wine's d3d9 does not use llvmpipe" >&2
for i in $(seq "$rounds"); do
    for side in "${sides[@]}"; do run "$side" --seconds "$seconds" --json "$i.json" >/dev/null; done
done

# Prints "row least-ms least-processor-ms goal" of a side, over all its rounds.
summary() {
    cat "$out/$1"/[0-9]*.json | awk -F'[":, }]+' '
        { if (!($3 in ms)) { order[++n] = $3; ms[$3] = $5; cpu[$3] = $9; goal[$3] = $11 }
          if ($5 < ms[$3]) ms[$3] = $5
          if ($9 < cpu[$3]) cpu[$3] = $9 }
        END { for (i = 1; i <= n; i++) print order[i], ms[order[i]], cpu[order[i]], goal[order[i]] }'
}
version() { # SIDE: its name and versions
    [ "$1" = wined3d ] || { echo "$1"; return; }
    echo "wined3d of $(wine --version) on llvmpipe of Mesa $(dpkg-query -W -f='${Version}' libgl1-mesa-dri 2>/dev/null || echo unknown)"
}
picture() { # SIDE ROW: maximum and mean difference of its picture from ours
    [ -x "$build/novem" ] || return 0
    { "$build/novem" diff "$out/ours/picture-$2.png" "$out/$1/picture-$2.png" || true; } |
        sed -n 's/max \([0-9]*\), mean \([0-9.]*\).*/\1, \2/p'
}

if [ -n "$table" ]; then form='| `%s` | %.1f | %.1f | %.1f | %s | %.1f | %s |\n'; else
    form='%-19s %9.2f %9.2f %8.2f %6s %8.2f   %s\n'
fi
for side in "${sides[@]:1}"; do
    echo
    if [ -n "$table" ]; then
        printf 'Against %s.\nProcessor ms a frame over all threads, and the ratio to ours.\n\n' "$(version "$side")"
        echo '| row | Novem | peer | ratio | goal | ratio of frames/s | pictures differ: max, mean |'
        echo '| --- | --- | --- | --- | --- | --- | --- |'
    else
        printf '%-19s %9s %9s %8s %6s %8s   %s\n' "against $side" 'ours cpu' 'its cpu' 'x cpu' goal 'x frames' 'pictures: max, mean'
    fi
    join <(summary ours | sort) <(summary "$side" | sort) | while read -r row ms cpu goal peer_ms peer_cpu _; do
        [ "$side" = wined3d ] && [ "$goal" != 0.0 ] || goal=-
        # shellcheck disable=SC2059
        printf "$form" "$row" "$cpu" "$peer_cpu" "$(awk "BEGIN {print $peer_cpu / $cpu}")" "$goal" \
            "$(awk "BEGIN {print $peer_ms / $ms}")" "$(picture "$side" "$row")"
    done
done
