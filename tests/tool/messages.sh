#!/usr/bin/env bash
# Checks what messages and listings of `novem` say: numbers agree with their nouns, values have names, and a misspelt
# word is answered by the right one.
#
#   messages.sh NOVEM
set -u
novem=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export NOVEM_LOG=none NOVEM_THREADS=1
failed=0
fail() { echo "$*"; failed=1; }
# says WORDS COMMAND...: the output of the command has the words.
says() {
    local words=$1
    shift
    "$@" >out 2>&1
    grep -qE -- "$words" out || fail "$*: no '$words': $(head -c 600 out)"
}

cat >scene.d9t <<'END'
# rule: clear/area
target 4x4 A8R8G8B8
clear  ff336699
expect all ff336699
present
END
NOVEM_RECORD=x.trace "$novem" scene scene.d9t >/dev/null
"$novem" replay x.trace --snapshots calls -o pictures --quiet || fail "the capture cannot be replayed"

# --- Numbers and nouns
says '1 frame, 0 draws, [0-9]+ calls' "$novem" replay x.trace --hash
says 'in 1 thread$' "$novem" info x.trace
picture=$(ls pictures/*.png | head -1)
says 'of 16 pixels' "$novem" diff "$picture" "$picture"
"$novem" scene scene.d9t -o one.png >/dev/null
printf '[[case]]\nname = "one"\nscene = "scene.d9t"\ngolden = "one.png"\n' >one.toml
says '^1 case: 1 pass' "$novem" golden run one.toml --candidate "$novem scene --list {list}" -o run

# --- Names of values
cat >draw.d9t <<'END'
target 8x8 A8R8G8B8
state  CULLMODE=NONE
clear  ff336699
quad   diffuse=ff00ff00
present
END
NOVEM_RECORD=draw.trace "$novem" scene draw.d9t -o draw.png >/dev/null
"$novem" compile draw.trace -o draw.nvs
says '// D3DRS_CULLMODE = D3DCULL_NONE$' "$novem" dump draw.nvs
says 'draw.* type=[0-9] .*// D3DPT_TRIANGLE' "$novem" dump draw.nvs
says 'create_image .*format=21 .*// A8R8G8B8' "$novem" dump draw.nvs
says 'set_sampler_state .*// D3DSAMP_ADDRESSU = D3DTADDRESS_WRAP' "$novem" dump draw.nvs
says ', D3DSWAPEFFECT_' "$novem" info draw.trace
"$novem" frame draw.trace --frame 0 -o frame >/dev/null || fail "frame fails"
says 'primitives?, D3DPT_TRIANGLE' cat frame/index.txt

# --- Misspelt words in settings
for setting in "LOG=wran:warn" "LOG=none,txe=debug:tex" "LOG=tex=deubg,error:debug" "SINK=pgn:png" "SINK=none,shn\:x:shm" \
    "HUD=fps,drwas:draws" "SCREENSHOT_KEY=PrintScren:PrintScreen" "SIMD=axv2:avx2"; do
    name=${setting%%=*} value=${setting#*=}
    says "did you mean ${value##*:}\?" env NOVEM_LOG=warn "NOVEM_$name=$(sed 's/\\:/@/; s/:.*//; s/@/:/' <<<"$value")" \
        "$novem" replay x.trace --hash --quiet
done

[ $failed -eq 0 ] && echo "messages are right"
exit $failed
