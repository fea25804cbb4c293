#!/usr/bin/env bash
# tests/browser/run.sh NOVEM: creates a report of `novem golden` and tests it in headless Chromium.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
novem=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# scene NAME QUADS...: writes a scene with alpha; candidates lack, move or change quads.
scene() {
    mkdir -p "$(dirname "$1")"
    { printf '# rule: clear/colour\ntarget 48x32 A8R8G8B8\nclear 80204060\n'; shift; printf '%s\n' "$@"; echo 'expect 0 0 204060'; } >scene.d9t
}
picture() { local to=$1; scene "$@"; "$novem" scene scene.d9t -o "$to"; }
mkdir reference candidate
for name in same moved colour alpha; do
    picture "reference/$name.png" 'quad 10 8 30 20 diffuse=ffe08020,ff2080e0,ff80e020,ffffffff'
done
cp reference/same.png candidate/
picture candidate/moved.png 'quad 11 8 31 20 diffuse=ffe08020,ff2080e0,ff80e020,ffffffff'
picture candidate/colour.png 'quad 10 8 30 20 diffuse=ffe08021,ff2080e0,ff80e020,ffffffff'
picture candidate/alpha.png 'quad 10 8 30 20 diffuse=f0e08020,ff2080e0,ff80e020,ffffffff'
printf '[[case]]\nimages = "reference/*.png"\n' >m.toml
for name in moved colour alpha; do
    mkdir -p "golden-out/logs" "golden-out/pages/$name"
    printf '\033[1mlast words\033[0m </script> & more' >"golden-out/logs/$name.log"
    echo '<p>history' >"golden-out/pages/$name/pixel 1,2.html"
done
code=0
"$novem" golden run m.toml --candidate candidate --quiet || code=$?
[ $code -eq 1 ]
for name in moved alpha; do
    "$here/golden_report.py" golden-out/report.html $name
done

# Every kind of page that novem writes, on a narrow screen.
scene x 'quad 10 8 30 20 diffuse=ffe08020'
echo present >>scene.d9t
NOVEM_RECORD=x.trace "$novem" scene scene.d9t
"$novem" frame x.trace --frame 0 -o frame >frame.log
"$novem" pixel x.trace --frame 0 --at 12,10 --html >pixel.html
"$novem" golden run m.toml --candidate reference --quiet -o other
"$novem" golden compare golden-out other -o compare.html
for page in golden-out/report.html other/report.html compare.html pixel.html frame/index.html; do
    "$here/narrow.py" $page
done
