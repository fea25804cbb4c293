#!/usr/bin/env bash
# The scenes of bench/d3d9 on our d3d9.dll and on Wine's own (wined3d on llvmpipe), one after the other
# through the same Wine and display, and how many times the frames a second ours makes.
#   scripts/bench_peer.sh BUILD [ROWS]     ROUNDS (3) and SECONDS_ROW (2) in the environment
# Each side keeps its best round and the median of all; the pictures of both are compared.
set -euo pipefail
[ -n "${BENCH_DISPLAY:-}" ] || BENCH_DISPLAY=1 exec xvfb-run -a -s "-screen 0 1280x1024x24" "$0" "$@"
cd "$(dirname "$0")/.."
build=${1:-build}
rows=${2:-}
rounds=${ROUNDS:-3}
seconds=${SECONDS_ROW:-2}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$out/ours" "$out/peer"
cp "$build/win64/bench/d3d9.exe" "$build/win64/d3d9.dll" "$out/ours/"
cp "$build/win64/bench/d3d9.exe" "$out/peer/"

# Mesa's default threads; hardware, if there is any, would be another contest.
export WINEDEBUG=-all LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe
unset LP_NUM_THREADS NOVEM_THREADS NOVEM_SIMD NOVEM_SINK
run() { # SIDE ARGUMENT...
    local side=$1
    shift
    (cd "$out/$side" && WINEDLLOVERRIDES=d3d9=$([ "$side" = ours ] && echo n || echo b) \
        wine d3d9.exe ${rows:+--rows "$rows"} "$@")
}

run ours --seconds 0 --pictures picture- >/dev/null
run peer --seconds 0.2 --rounds 1 --pictures picture- >/dev/null &
# llvmpipe is mapped into the program while it runs, or this is no such measurement.
mapped=
while kill -0 $! 2>/dev/null; do
    grep -lsE 'swrast_dri|libgallium' $(pgrep -f 'd3d9\.exe' | sed 's|.*|/proc/&/maps|') >/dev/null 2>&1 && mapped=1
    sleep 0.2
done
wait $!
[ -n "$mapped" ] || echo "bench_peer: no sign of llvmpipe in Wine's d3d9" >&2
for i in $(seq "$rounds"); do
    run ours --seconds "$seconds" --json "$i.json" >/dev/null
    run peer --seconds "$seconds" --json "$i.json" >/dev/null
done

# "row least median processor" of one side, over all its rounds.
summary() {
    cat "$out/$1"/[0-9]*.json | awk -F'[":, }]+' '
        { row = $3; least = $5; median = $7; cpu = $9
          if (!(row in n)) { order[++rows] = row; best[row] = least }
          if (least < best[row]) best[row] = least
          all[row, ++n[row]] = median; sum[row] += cpu }
        END { for (r = 1; r <= rows; r++) { row = order[r]
                for (i = 1; i <= n[row]; i++) for (j = i + 1; j <= n[row]; j++)
                    if (all[row, j] < all[row, i]) { t = all[row, i]; all[row, i] = all[row, j]; all[row, j] = t }
                print row, best[row], all[row, int((n[row] + 1) / 2)], sum[row] / n[row] } }'
}
picture() { # ROW: how far the pictures are apart
    [ -x "$build/novem" ] || return 0
    { "$build/novem" diff "$out/ours/picture-$1.png" "$out/peer/picture-$1.png" || true; } |
        sed -n 's/max \([0-9]*\), mean \([0-9.]*\).*/max \1, mean \2/p'
}

printf 'ms a frame: least, median of %s runs, processor time\n' "$rounds"
printf '%-19s | %8s %8s %8s | %8s %8s %8s | %7s %7s %7s | %s\n' row ours '' '' wined3d '' '' 'x least' 'x med' 'x cpu' pictures
join <(summary ours | sort) <(summary peer | sort) | while read -r row a b c d e f; do
    printf '%-19s | %8.2f %8.2f %8.2f | %8.2f %8.2f %8.2f | %7.2f %7.2f %7.2f | %s\n' "$row" "$a" "$b" "$c" "$d" "$e" "$f" \
        "$(awk "BEGIN {print $d / $a}")" "$(awk "BEGIN {print $e / $b}")" "$(awk "BEGIN {print $f / $c}")" "$(picture "$row")"
done
