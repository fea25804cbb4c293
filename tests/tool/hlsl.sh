#!/usr/bin/env bash
# Tests HLSL with the compilers of this machine: byte code, macros, included files, errors, passes of effects.
#   hlsl.sh BUILD
# Without a compiler it says so, checks what novem says of that, and succeeds.
set -uo pipefail
cd "$(dirname "$0")/../.."
novem=$(realpath "$1")/novem bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WINEDEBUG=-all
fail() { echo "hlsl: $*"; bad=1; }
# says CODE WORDS COMMAND...: the command ends with CODE and prints the words.
says() {
    local code=$1 words=$2
    shift 2
    "$@" >"$work/message" 2>&1
    [ $? -eq "$code" ] || fail "$*: not code $code"
    [ -z "$words" ] || grep -qF -- "$words" "$work/message" || { fail "$*: does not say '$words'"; cat "$work/message"; }
}

mkdir "$work/inc"
printf 'float4 tint : register(c1);\n#define TINT tint\n' >"$work/inc/tint.fxh"
cat >"$work/tint.hlsl" <<'END'
#include "tint.fxh"
float4 scale : register(c2);

float4 main(float2 at : TEXCOORD0) : COLOR
{
    return at.xyxy * scale * TINT * FACTOR;
}

float4 wrong(float2 at : TEXCOORD0) : COLOR
{
    return at.xyq;
}
END
sed '/wrong/,$d' "$work/tint.hlsl" >"$work/good.hlsl"
{
    cat "$work/good.hlsl"
    echo 'float4 move(float4 p : POSITION) : POSITION { return p + scale; }'
    echo 'technique T { pass P { VertexShader = compile vs_2_0 move(); PixelShader = compile ps_2_0 main(); } }'
} >"$work/tint.fx"

"$novem" asm "$work/good.hlsl" -T ps_2_0 -I "$work/inc" -D FACTOR=2 -o "$work/good.bin" >"$work/message" 2>&1
if grep -q 'no compiler for it is installed' "$work/message"; then
    echo "hlsl: skipped: $(tail -1 "$work/message")"
    says 2 "install Wine (Debian: apt install wine)" "$novem" asm "$work/good.hlsl" -T ps_2_0
    exit $bad
fi
says 0 "    ps_2_0" "$novem" dis --no-check "$work/good.bin"
says 0 "oC0 = 30, 12, 0, 66" "$novem" run-shader "$work/good.hlsl" -T ps_3_0 -I "$work/inc" -D FACTOR=2 \
    --const c1=0.5,1,0,1/10,2,9,11 --input texcoord=3,3
says 2 "Invalid swizzle" "$novem" asm "$work/tint.hlsl" -T ps_2_0 -I "$work/inc" -D FACTOR=1
says 2 "tint.fxh" "$novem" asm "$work/good.hlsl" -T ps_2_0 -D FACTOR=1
says 0 "oPos = 2, 4, 6, 8" "$novem" run-shader "$work/tint.fx" -T vs -I "$work/inc" -D FACTOR=1 \
    --const c0=1,2,3,4/1,2,3,4/1,2,3,4 --input position=1,2,3,4 # compilers give other registers
"$novem" asm "$work/tint.fx" -T ps -I "$work/inc" -D FACTOR=1 -o "$work/fx.bin" || fail "a pass of an effect"
says 0 "    ps_2_0" "$novem" dis --no-check "$work/fx.bin"

# Scenes: HLSL in a block, and in a file beside the scene; the same pixels as assembly.
echo 'float4 colour; float4 main() : COLOR { return colour; }' >"$work/colour.hlsl"
cat >"$work/scene.d9t" <<'END'
needs hlsl ps_3_0
target 16x16 A8R8G8B8 depth=none
shader vs -T vs_3_0 {
    void main(float4 at : POSITION, out float4 to : POSITION)
    {
        to = at;
    }
}
shader ps colour.hlsl -T ps_3_0 -E main
const ps c0 1 0 0 1
quadxyz
expect all ffff0000
END
says 0 "" "$novem" scene "$work/scene.d9t" -o "$work/scene.png"
sed 's/ -T ps_3_0//' "$work/scene.d9t" >"$work/bare.d9t"
says 2 "HLSL needs -T PROFILE, such as ps_3_0" "$novem" scene "$work/bare.d9t" -o "$work/scene.png"

# A draw of a capture with another shader.
echo 'float4 main(float2 at : TEXCOORD0) : COLOR { return at.xyxy; }' >"$work/at.hlsl"
capture=tests/golden/captures/ui.trace
says 0 "call 70 is now call" "$novem" edit $capture -o "$work/edited.trace" --call 70 \
    --pixel-shader "$work/at.hlsl" -T ps_2_0
says 2 "at.hlsl: is HLSL: -T PROFILE says what" "$novem" edit $capture -o "$work/edited.trace" --call 70 \
    --pixel-shader "$work/at.hlsl" -T vs_2_0
exit $bad
