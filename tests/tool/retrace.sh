#!/usr/bin/env bash
# Tests novem-retrace and novem-runner as candidates: pictures, lists of frames, calls, placeholders, bad input.
#   retrace.sh BUILD        on the native library
#   retrace.sh BUILD wine   the Windows programs on our d3d9.dll under Wine
#   retrace.sh BUILD wine32 ROOT    the 32-bit ones on our d3d9.dll and on Wine's own, in a root of scripts/wine_root.sh
set -uo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1") novem=$(realpath "$1")/novem bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
captures=tests/golden/captures
fail() { echo "retrace: $*"; bad=1; }
# refused CODE WORDS COMMAND...: the command ends with CODE and a message that has the words.
refused() {
    local code=$1 words=$2
    shift 2
    "$@" >"$work/message" 2>&1
    [ $? -eq "$code" ] || fail "$*: not code $code"
    grep -q "$words" "$work/message" || { fail "$*: no message '$words'"; cat "$work/message"; }
}
golden() { "$novem" golden run tests/golden/exact.toml --quiet -o "$work/golden" "$@" >"$work/run" 2>&1; }

if [ "${2:-}" = wine ]; then
    export WINEDEBUG=-all WINEDLLOVERRIDES="d3d9=n;winedbg.exe=d" D3D9=$build/win64/d3d9.dll
    # shellcheck disable=SC2016
    xvfb-run -a "$novem" golden run tests/golden/exact.toml --quiet -o "$work/golden" --jobs 1 --candidate dll \
        --filter 'captures/*' --filter '*/fog/*' >"$work/run" 2>&1 || { fail "other pictures under Wine"; cat "$work/run"; }
    WINEDLLOVERRIDES="d3d9=b;winedbg.exe=d" refused 2 "WINEDLLOVERRIDES" xvfb-run -a wine \
        "$build/win64/bin/novem-retrace.exe" --d3d9 "$D3D9" $captures/ui.trace -o "$work/wine"
    # Compiled streams: the program has no zstd, and its message says how to make a capture.
    "$novem" compile $captures/ui.trace -o "$work/ui.nvs" >/dev/null 2>&1
    refused 2 NOVEM_RECORD wine "$build/win64/bin/novem-retrace.exe" --d3d9 "$D3D9" "$work/ui.nvs" -o "$work/wine"
    exit $bad
fi

if [ "${2:-}" = wine32 ]; then
    export WINEDEBUG=-all WINE="scripts/wine_root.sh $3 xvfb-run -a wine"
    rmdir "$work"
    work=$(mktemp -d "$build/retrace32.XXXXXX") # the root has the project, and no other folder of this machine
    WINEDLLOVERRIDES="d3d9=n;winedbg.exe=d" D3D9=$build/win32/d3d9.dll golden --jobs 1 --candidate dll32 \
        --filter 'captures/*' --filter '*/fog/*' || { fail "other pictures of the 32-bit programs"; cat "$work/run"; }
    "$novem" golden run tests/golden/suite.toml --quiet -o "$work/golden" --jobs 1 --candidate wined3d32 \
        --filter 'captures/*' --filter '*/format/texture-a8r8g8b8' >"$work/run" 2>&1 || { fail "Wine's own d3d9, 32-bit"; cat "$work/run"; }
    exit $bad
fi

golden --candidate novem || { fail "other pictures"; cat "$work/run"; }
grep -qE '^161 cases: 161 pass' "$work/run" || fail "not all cases were run: $(tail -1 "$work/run")"
D3D9=$build/libnovem.so golden --candidate library --filter 'captures/*' || { fail "--d3d9"; cat "$work/run"; }
# A command for scenes leaves captures out, and says so.
golden --candidate '{runner} --list {list}' --filter '*/fog/*' --filter 'captures/*' || fail "a command for scenes"
grep -q '3 cases are left out' "$work/run" || fail "cases are left out in silence"

cp "$novem" "$work/novem"
refused 2 '{retrace}' "$work/novem" golden run tests/golden/exact.toml --candidate '{retrace} {capture}' -o "$work/golden"
refused 2 '{runner.exe}' "$work/novem" golden bisect $captures/ui.trace --candidate '{runner.exe} {capture}' -o "$work/b"

retrace=$build/novem-retrace libm=$(ldd "$build/novem" | awk '/libm\.so/ {print $3}')
# Pictures after draws: each is that of --call.
"$retrace" $captures/ui.trace --quiet --calls 69-78,95 --target -o "$work/calls" || fail "--calls"
[ "$(ls "$work/calls" | tr '\n' ' ')" = "call-00070.png call-00077.png call-00095.png " ] ||
    fail "--calls wrote $(ls "$work/calls")"
for call in 70 95; do
    "$retrace" $captures/ui.trace --quiet --call $call --target -o "$work/call.png" || fail "--call $call"
    "$novem" diff "$work/call.png" "$work/calls/call-000$call.png" >/dev/null || fail "--calls: another picture of call $call"
done
refused 2 'no draw and no clear' "$retrace" $captures/ui.trace --quiet --calls 0-3 -o "$work/calls"
refused 2 'neither' "$retrace" $captures/ui.trace --calls 70 --frames 1 -o "$work/calls"
refused 2 '5-4' "$retrace" $captures/ui.trace --calls 5-4 -o "$work/calls"
"$retrace" $captures/ui.trace --quiet --frames 1 -o "$work/one" || fail "--frames 1"
[ "$(ls "$work/one")" = frame-00001.png ] || fail "--frames 1 wrote $(ls "$work/one")"
"$retrace" $captures/ui.trace --quiet --frames 0,1- -o "$work/two" || fail "--frames 0,1-"
[ "$(ls "$work/two" | wc -l)" -eq 2 ] || fail "--frames 0,1- wrote $(ls "$work/two")"
refused 2 'no frame 7' "$retrace" $captures/ui.trace --frames 0,7 -o "$work/three"
refused 2 'no frame 2' "$retrace" $captures/ui.trace --frames 2- -o "$work/three"
refused 2 'no frame 2' "$retrace" $captures/ui.trace --frames 0-2 -o "$work/three"
refused 2 'cannot be written: No space' "$retrace" $captures/ui.trace --call 100 -o /dev/full
refused 2 'not a list' "$retrace" $captures/ui.trace --frames 1,x
refused 2 'ends before call' "$retrace" $captures/ui.trace --call 99999 -o "$work/x.png"
refused 2 'unknown option' "$retrace" $captures/ui.trace --frame 1
refused 2 'cannot be opened' "$retrace" "$work/none.trace"
refused 2 'not a capture' "$retrace" Makefile -o "$work/three"
refused 2 'cannot open' "$retrace" $captures/ui.trace --d3d9 "$work/none.so"
refused 2 'Direct3DCreate9' "$retrace" $captures/ui.trace --d3d9 "$libm"
"$retrace" --adapter --d3d9 "$build/libnovem.so" >"$work/adapter" || fail "--adapter"
grep -qx 'adapter: Novem' "$work/adapter" || fail "--adapter prints $(cat "$work/adapter")"
refused 2 'adapter goes with' "$retrace" --adapter $captures/ui.trace
refused 2 'adapter goes with' "$retrace" --adapter -o "$work/three"

# A library that is not Novem need not meet `expect-novem`: this one hides Novem's own functions.
runner=$build/novem-runner
cat >"$work/other.c" <<'EOF'
#include <dlfcn.h>
#include <stdlib.h>
void *Direct3DCreate9(unsigned version)
{
    void *library = dlopen(getenv("OTHER"), RTLD_NOW | RTLD_LOCAL);
    return ((void *(*)(unsigned))dlsym(library, "Direct3DCreate9"))(version);
}
EOF
${CC:-cc} -shared -fPIC -o "$work/other.so" "$work/other.c" -ldl || fail "other.so"
printf '# rule: clear/colour\nclear ff000000\nexpect all ff000000\nexpect-novem all ffffffff\n' >"$work/novem.d9t"
refused 1 '1 passed, 1 failed' "$runner" "$work/novem.d9t"
refused 1 '1 passed, 1 failed' "$runner" --d3d9 "$build/libnovem.so" "$work/novem.d9t"
OTHER=$build/libnovem.so refused 0 '1 passed, 0 failed' "$runner" --d3d9 "$work/other.so" "$work/novem.d9t"

# Compiled streams are played as calls of the library, and can be recorded as captures.
for name in ui multisample; do
    "$novem" compile $captures/$name.trace -o "$work/$name.nvs" >/dev/null 2>&1
    NOVEM_RECORD=$work/$name.trace "$retrace" "$work/$name.nvs" --quiet -o "$work/compiled-$name" || fail "$name.nvs"
    "$retrace" "$work/$name.trace" --quiet -o "$work/recorded-$name" || fail "a recording of $name.nvs"
    for picture in tests/golden/goldens/captures/$name/*.png; do
        for folder in compiled recorded; do
            "$novem" diff "$picture" "$work/$folder-$name/$(basename "$picture")" >/dev/null ||
                fail "$folder $name: another $(basename "$picture")"
        done
    done
done
"$retrace" "$work/ui.nvs" --quiet --frames 1 -o "$work/four" || fail "--frames 1 of a compiled stream"
[ "$(ls "$work/four")" = frame-00001.png ] || fail "--frames 1 of a compiled stream wrote $(ls "$work/four")"
refused 2 'no frame 7' "$retrace" "$work/ui.nvs" --frames 7 -o "$work/three"
refused 2 'call needs a capture' "$retrace" "$work/ui.nvs" --call 7 -o "$work/x.png"
head -c 20000 "$work/ui.nvs" >"$work/cut.nvs"
refused 2 'cut off' "$retrace" "$work/cut.nvs" -o "$work/three"
printf '[[case]]\ncapture = "ui.nvs"\nframes = "0-1"\n' >"$work/compiled.toml"
"$novem" golden run "$work/compiled.toml" --quiet -o "$work/golden" \
    --candidate '{retrace} {capture} --frames {frames} -o {out}' >"$work/run" 2>&1 || { fail "ui.nvs as a case"; cat "$work/run"; }

# What needs the reference device is the same picture in a capture and in a compiled stream, as replay and as calls.
#   of_reference NAME: the scene is $work/NAME.d9t
of_reference() {
    local name=$1 file way
    NOVEM_RECORD=$work/$name.trace "$runner" "$work/$name.d9t" >"$work/run" || { fail "$name"; cat "$work/run"; }
    "$novem" scene "$work/$name.d9t" -o "$work/$name.png" >/dev/null || fail "the picture of $name"
    "$novem" compile "$work/$name.trace" -o "$work/$name.nvs" >/dev/null 2>&1
    for file in "$name.trace" "$name.nvs"; do
        "$retrace" "$work/$file" --quiet -o "$work/calls-$file" || fail "retrace $file"
        "$novem" replay "$work/$file" --quiet -o "$work/replay-$file" || fail "replay $file"
        for way in calls replay; do
            "$novem" diff "$work/$name.png" "$work/$way-$file"/frame-*.png >/dev/null ||
                fail "$way: another picture of $file"
        done
    done
}
# A W-buffer: by z alone, blue would win.
cat >"$work/w.d9t" <<'EOF'
# rule: depth/w-buffer
device reference
backbuffer 8x8 A8R8G8B8 depth=D24S8
state  ZENABLE=USEW ZFUNC=LESS
transform projection perspective 2 2 1 5
clear  ff000000 1
quad   z=0.9 rhw=0.5 diffuse=ff00ff00
quad   z=0.1 rhw=0.25 diffuse=ff0000ff
expect all ff00ff00
present
EOF
of_reference w
# Dithering: without it the whole quad would be one colour.
cat >"$work/dither.d9t" <<'EOF'
# rule: blend/dither
device reference
backbuffer 8x8 R5G6B5
state  DITHERENABLE=1
shader ps {
    ps_2_0
    def c0, 0.145161290, 0, 0, 1
    mov oC0, c0
}
clear  ff000000
quad
expect-novem 0 0 raw:2000
expect-novem 1 0 raw:2800
present
EOF
of_reference dither
# Dual source: hardware would take ONE for the factor of the shader's second colour.
cat >"$work/dual.d9t" <<'EOF'
# rule: blend/dual-source
device reference
backbuffer 8x8 A8R8G8B8
state  ALPHABLENDENABLE=1 SRCBLEND=SRCCOLOR2 DESTBLEND=INVSRCCOLOR2
shader ps {
    ps_2_0
    def c0, 1, 0.5, 0, 1
    def c1, 0.25, 0.5, 1, 0.5
    mov oC0, c0
    mov oC1, c1
}
clear  ff204060
quad
expect all ff586000 tol 1
present
EOF
of_reference dual
# A filter of the reference device, by its weight 23/256 of 1/8: hardware would filter linearly.
cat >"$work/gauss.d9t" <<'EOF'
# rule: texture/quad-filters
device reference
backbuffer 8x8 A8R8G8B8
stage  0 COLOROP=SELECTARG1 ALPHAOP=SELECTARG1
sampler 0 MINFILTER=GAUSSIANQUAD MAGFILTER=GAUSSIANQUAD
texture 0 2x2 A8R8G8B8 { texels ff000000 ffffffff ffffffff ff000000 }
clear  ff000000
quad   uv=0,0,1,1
expect-novem 2 2 ff2a2a2a tol 1
present
EOF
of_reference gauss
# An extended-range target of Direct3D 9Ex: a compiled stream plays it as A2B10G10R10.
cat >"$work/xr.d9t" <<'EOF'
# rule: format/xr-bias
device reference ex
backbuffer 8x8 A8R8G8B8
surface xr 8x8 A2B10G10R10_XR_BIAS target
rendertarget 0 xr
clear  ff336699
expect all raw:e66664cd
stretchrect xr backbuffer
present
EOF
of_reference xr

# Methods of Direct3D 9Ex: a capture replays them, a compiled stream refuses them by name.
cat >"$work/glyphs.d9t" <<'EOF'
# rule: copy/composerects texture/convolution
device reference ex
backbuffer 16x4 A8R8G8B8
state  ALPHABLENDENABLE=1 SRCBLEND=ONE DESTBLEND=INVSRCALPHA
stage  0 COLOROP=SELECTARG1 ALPHAOP=SELECTARG1
sampler 0 MINFILTER=CONVOLUTIONMONO MAGFILTER=CONVOLUTIONMONO
texture font 12x4 A1 pool=default usage=textapi { bytes 8f 00 c9 00 c9 00 8f 00 }
texture 0 16x4 A1 pool=default { bytes 00 00 00 00 00 00 ff ff }
buffer glyphs 16 pool=default usage=textapi { 0 0 3 4   4 0 4 4 }
buffer places 16 pool=default usage=textapi { 0 0 1 0   1 0 9 0 }
composerects font 0 glyphs places op=or
convolution 3 1
clear  ffffffff
quad   uv=0,0,1,1
expect 10 0 ff000000
expect 5 0 ffffffff
present
EOF
NOVEM_RECORD=$work/glyphs.trace "$runner" "$work/glyphs.d9t" >"$work/run" || { fail "glyphs"; cat "$work/run"; }
"$novem" scene "$work/glyphs.d9t" -o "$work/glyphs.png" >/dev/null || fail "the picture of glyphs"
"$retrace" "$work/glyphs.trace" --quiet -o "$work/glyphs" || fail "retrace glyphs.trace"
"$novem" diff "$work/glyphs.png" "$work/glyphs"/frame-*.png >/dev/null || fail "another picture of glyphs.trace"
"$novem" compile "$work/glyphs.trace" -o "$work/glyphs.nvs" >/dev/null 2>&1
for packet in compose_rects set_render_state; do
    refused 1 "$packet: needs a device of Direct3D 9Ex" "$retrace" "$work/glyphs.nvs" -o "$work/three"
done

# Bisections compare target 0 after single calls: no call differs on the same library.
"$novem" golden bisect $captures/ui.trace -o "$work/b" --candidate '{retrace} {capture} --quiet --call {call} --target -o {out}' \
    >"$work/run" 2>&1 || { fail "bisect finds a difference"; cat "$work/run"; }
grep -q 'no target differs' "$work/run" || fail "bisect: $(cat "$work/run")"
exit $bad
