#!/usr/bin/env bash
# Checks the files that the commands of `novem` write: one that cannot be written in full gives a message with the
# reason and exit code 2, no part of it stays under its name, and devices stay what they are.
#
#   writers.sh NOVEM
set -u
novem=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export NOVEM_LOG=none NOVEM_THREADS=1
failed=0
fail() { echo "$*"; failed=1; }

cat >scene.d9t <<'END'
# rule: clear/area
target 64x64 A8R8G8B8
clear  ff336699
quad   diffuse=ff00ff00
present
END
NOVEM_RECORD=x.trace "$novem" scene scene.d9t -o one.png >/dev/null || fail "the scene fails"
NOVEM_SINK=r500:x.r500 "$novem" replay x.trace --hash --quiet >/dev/null || fail "no packets for a Radeon"
printf 'ps_2_0\nmov oC0, c0\n' >shader.psh
"$novem" bench water --isa scalar --seconds 0 --passes 1 --json -o figures.json || fail "bench fails"
printf '[[case]]\nname = "one"\nscene = "scene.d9t"\ngolden = "one.png"\n' >one.toml
"$novem" scene scene.d9t -o one.png
"$novem" golden run one.toml --candidate "$novem scene --list {list}" -o run >/dev/null || fail "the case fails"
cp -r run run2
mkdir goldens
cp one.png goldens
ln -s /dev/full full # not the device itself: a command that removes it must do no harm
mkdir -p captures/x
cp x.trace captures/x/x.trace

# Commands that write the file or folder OUT.
writing=(
    "scene scene.d9t -o OUT"
    "asm shader.psh -o OUT"
    "bench --from figures.json -o OUT"
    "bench --from figures.json --json -o OUT"
    "bench --from figures.json --csv --svg OUT"
    "compile x.trace -o OUT"
    "trim x.trace --frames 0 -o OUT"
    "replay x.trace --hash --quiet --report OUT"
    "frame x.trace --frame 0 --call $("$novem" dump x.trace | sed -n 's/^\([0-9]*\) IDirect3DDevice9::Clear.*/\1/p' | tail -1) --target OUT"
    "captures captures -o OUT"
    "diff one.png one.png -o OUT"
    "mask scene.d9t --variants snap -o OUT"
    "golden run one.toml --candidate goldens --summary OUT -o again"
    "golden merge run --summary OUT -o again"
    "golden compare run run2 -o OUT"
    "golden baseline run -o OUT"
)
folders=(
    "replay x.trace --quiet -o OUT"
    "frame x.trace --frame 0 -o OUT"
    "golden merge run -o OUT"
    "profile x.trace --all --runs 0 --shaders OUT"
    "r500 run x.r500 -o OUT"
)

# limited COMMAND...: no file may grow; signal XFSZ is ignored, so that writes fail.
limited() { (trap '' XFSZ && ulimit -f 0 && exec timeout 60 "$novem" "$@" </dev/null 2>&1 >/dev/null) | cat >err; return "${PIPESTATUS[0]}"; }
for command in "${writing[@]}"; do
    rm -rf out again
    # shellcheck disable=SC2086
    timeout 60 "$novem" ${command/OUT/out} >log 2>&1
    { [ $? -lt 2 ] && [ -s out ]; } || fail "$command: writes nothing: $(head -c 300 log)"
    rm -rf out again
    # shellcheck disable=SC2086
    limited ${command/OUT/out}
    code=$?
    { [ $code -eq 2 ] && grep -q 'File too large' err; } || fail "$command: exit code $code: $(head -c 300 err)"
    [ ! -e out ] || fail "$command: leaves a partial file of $(stat -c %s out) bytes"
    rm -rf again
    # shellcheck disable=SC2086
    timeout 60 "$novem" ${command/OUT/full} >/dev/null 2>err
    code=$?
    { [ $code -eq 2 ] && grep -q 'No space left' err; } || fail "$command: a full device: exit code $code: $(head -c 300 err)"
    [ -L full ] || fail "$command: removes a device"
    rm -rf again
    # shellcheck disable=SC2086
    timeout 60 "$novem" ${command/OUT/missing\/out} >/dev/null 2>err
    code=$?
    { [ $code -eq 2 ] && grep -q 'No such file' err; } || fail "$command: a missing folder: exit code $code: $(head -c 300 err)"
done
for command in "${folders[@]}"; do
    rm -rf out
    # shellcheck disable=SC2086
    limited ${command/OUT/out}
    code=$?
    { [ $code -eq 2 ] && grep -q 'File too large' err; } || fail "$command: exit code $code: $(head -c 300 err)"
    [ -z "$(find out -type f)" ] || fail "$command: leaves partial files: $(find out -type f | head -3 | tr '\n' ' ')"
done

[ $failed -eq 0 ] && echo "files that cannot be written are reported"
exit $failed
