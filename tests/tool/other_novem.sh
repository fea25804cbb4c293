#!/usr/bin/env bash
# Runs a `novem` of another platform and compares what it prints and writes with what this machine's prints and writes.
#   tests/tool/other_novem.sh NOVEM OTHER COMMAND...     OTHER is run by COMMAND: wine, qemu-aarch64, or env
# The last line is "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.."
[ $# -ge 3 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
novem=$(realpath "$1") other=$(realpath "$2")
shift 2
run=("$@")
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export NOVEM_LOG=none
passed=0 failed=0
is_windows= is_static=
[[ $other != *.exe ]] || is_windows=1
[ -n "$is_windows" ] || LC_ALL=C readelf -lW "$other" | grep -q INTERP || is_static=1

# Programs that Wine starts inherit a pipe; so output goes to files.
theirs() { "${run[@]}" "$other" "$@" >"$work/out" 2>"$work/err" </dev/null; }
check() {
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "failed: $name"; head -3 "$work/err"; fi
}
# same NAME ARGUMENT...: both print the same bytes and end with the same code.
same() {
    local name=$1 code
    shift
    "$novem" "$@" >"$work/ours" 2>/dev/null </dev/null
    code=$?
    theirs "$@"
    check "$name: exit code" [ $? -eq $code ]
    check "$name: output" cmp -s "$work/ours" "$work/out"
}

mkdir -p goldens/scenes
cp -R "$root/tests/golden/scenes/blend" scenes
cp "$root"/tests/golden/goldens/scenes/blend/*.png goldens/scenes/
cp scenes/blendfactor-invblendfactor.d9t scene.d9t
cp goldens/scenes/destcolor-zero.png other.png
printf 'vs_2_0\ndcl_position v0\ndef c1, 1, 0.5, 0, 2\nmul r0, v0, c1\nadd oPos, r0, c0\n' >shader.vsh
printf 'ps_2_0\nnonsense\n' >bad.psh
NOVEM_RECORD=x.trace "$novem" scene scene.d9t -o ours.png >/dev/null 2>&1

theirs scene scene.d9t -o theirs.png
check "scene" [ $? -eq 0 ]
check "scene: pixels" "$novem" diff ours.png theirs.png >/dev/null
same "diff" diff ours.png theirs.png
same "diff of other pictures" diff ours.png other.png
same "replay" replay x.trace --hash --quiet
same "info" info x.trace
same "dump" dump x.trace
same "pixel" pixel x.trace --frame 0 --at 20,20
same "asm: messages" asm bad.psh -o bad.bin
"$novem" asm shader.vsh -o ours.bin
theirs asm shader.vsh -o theirs.bin
check "asm" cmp -s ours.bin theirs.bin
same "dis" dis ours.bin
theirs dis theirs.bin
cp out again.vsh
theirs asm again.vsh -o again.bin
check "asm of dis" cmp -s ours.bin again.bin
"$novem" compile x.trace -o ours.nvs >/dev/null
theirs compile x.trace -o theirs.nvs
check "compile" cmp -s ours.nvs theirs.nvs
same "replay of a compiled stream" replay ours.nvs --hash --quiet
same "help" help pixel
theirs config --list
check "config" grep -q "^THREADS" out
same "a file that is not there" replay none.trace --hash
theirs replay none.trace --hash
check "a file that is not there: reason" grep -q 'none.trace: cannot be opened: No such file' err
for command in record view mask setup-wine captures inspect; do
    [ -n "$is_windows" ] || break
    theirs $command
    check "$command: exit code" [ $? -eq 2 ]
    check "$command: message" grep -q "^novem $command: not in novem for Windows: " err
done

if [ -n "$is_static" ]; then
    theirs inspect x.trace
    check "inspect: exit code" [ $? -eq 2 ]
    check "inspect: message" grep -q "^novem inspect: not in the static novem: " err
    NOVEM_LOG=stderr NOVEM_SINK=window theirs replay x.trace --hash --quiet
    check "window: message" grep -q "a static program cannot open" err
fi

# Golden images: the candidate is the other program, which starts itself by the shell of its system.
if [ -n "$is_windows" ]; then candidate='"'$(winepath -w "$other" 2>/dev/null)'" scene --list {list}'
else candidate="${run[*]} $other scene --list {list}"; fi
cat >suite.toml <<END
[[case]]
scenes = "scenes/[bd]*.d9t"
golden = "goldens/{name}.png"
END
theirs golden run suite.toml --quiet -o golden --candidate "$candidate"
check "golden run" [ $? -eq 0 ]
check "golden run: cases" [ "$(grep -c '"verdict":"pass"' golden/results.jsonl)" = "$(ls scenes/[bd]*.d9t | wc -l)" ]
theirs golden run suite.toml --quiet -o golden --candidate 'exit 3'
check "golden run of a bad candidate" [ $? -ne 0 ]

# A name with characters that code pages lack, and one from a folder.
mkdir -p "Ω/ü"
cp x.trace "Ω/ü/żółw.trace"
"$novem" replay x.trace --hash --quiet >ours 2>/dev/null
theirs replay "Ω/ü/żółw.trace" --hash --quiet
check "names in Unicode" cmp -s ours out
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
