#!/usr/bin/env bash
# Runs the commands of `novem` with bad outputs and bad inputs. Lost output and an unreadable input give a message and a
# non-zero exit code, and no command waits for ever or crashes.
#
#   streams.sh NOVEM
set -u
novem=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export NOVEM_LOG=none
failed=0
fail() { echo "$*"; failed=1; }

cat >scene.d9t <<'END'
# rule: clear/area
target 4x4 A8R8G8B8
clear  ff336699
expect all ff336699
present
END
cat >list <<'END'
scene.d9t	listed.png
END
printf 'ps_2_0\nmov oC0, c0\n' >shader.psh
"$novem" scene scene.d9t -o picture.png >/dev/null || fail "the scene fails"
NOVEM_RECORD=x.trace "$novem" scene scene.d9t >/dev/null
[ -s x.trace ] || fail "no capture was recorded"
"$novem" compile x.trace -o x.nvs || fail "the capture cannot be compiled"
"$novem" asm shader.psh -o shader.bin || fail "the shader cannot be assembled"
for f in x.trace x.nvs picture.png shader.bin; do
    head -c $(($(stat -c %s $f) / 2)) $f >"cut-${f}"
done
"$novem" bench water --isa scalar --seconds 0 --passes 1 --json -o figures.json || fail "bench fails"
mkdir folder
mkfifo fifo

# Commands that print results. Each must notice that they are lost.
printing=(
    "--help"
    "config"
    "config --list"
    "config --sample"
    "replay --help"
    "replay x.trace --hash --quiet --snapshots calls --frames 0-"
    "info x.trace"
    "info x.nvs"
    "dump x.trace"
    "dump x.nvs"
    "dis shader.bin"
    "asm shader.psh -o -"
    "run-shader shader.bin"
    "bench --list"
    "bench --from figures.json"
    "bench --from figures.json --json"
    "bench --from figures.json --csv"
    "bench --from figures.json --compare figures.json"
    "cost shader.bin --seconds 0.01"
    "cost shader.bin --seconds 0.01 --json"
    "cost shader.bin shader.psh --seconds 0.01 --csv"
    "diff picture.png picture.png"
    "mask scene.d9t --variants snap"
    "trim x.trace --help"
    "frame --help"
    "pixel --help"
    "golden --help"
    "captures --help"
    "r500 --help"
)
for command in "${printing[@]}"; do
    # shellcheck disable=SC2086
    timeout 60 "$novem" $command >out 2>err
    [ -s out ] || continue # nothing to lose
    # shellcheck disable=SC2086
    timeout 60 "$novem" $command >/dev/full 2>err
    code=$?
    { [ $code -ne 0 ] && [ $code -lt 124 ] && [ -s err ]; } || fail "$command: /dev/full gives exit code $code"
    # shellcheck disable=SC2086
    timeout 60 "$novem" $command >&- 2>err
    code=$?
    { [ $code -ne 0 ] && [ $code -lt 124 ] && [ -s err ]; } || fail "$command: closed output gives exit code $code"
done

# Commands that read FILE.
reading=(
    "replay FILE --hash"
    "info FILE"
    "dump FILE"
    "compile FILE -o made"
    "trim FILE --frames 0 -o made"
    "frame FILE --frame 0 -o made"
    "frame FILE --call 0 --target made"
    "pixel FILE --frame 0 --at 0,0"
    "profile FILE --all --runs 0"
    "golden run FILE --candidate folder -o made"
    "golden bisect FILE --candidate false -o bisect"
    "captures FILE"
    "captures . --reasons FILE"
    "mask FILE"
    "mask scene.d9t --candidate FILE"
    "diff FILE picture.png"
    "diff picture.png FILE"
    "scene FILE"
    "scene --list FILE"
    "dis FILE"
    "bench FILE --seconds 0 --passes 1"
    "bench --from FILE"
    "bench --compare FILE"
    "cost FILE"
    "cost shader.bin --seconds 0.01 --compare FILE"
    "r500 dump FILE"
)
inputs=(missing folder /dev/zero /dev/null cut-x.trace cut-x.nvs cut-picture.png cut-shader.bin)
for command in "${reading[@]}"; do
    for input in "${inputs[@]}"; do
        case "$command $input" in
        # A part of a capture, and a list or table without lines, may be good input.
        *cut-x.*|"scene --list /dev/null"|"captures "*cut*|"captures "*null|"captures folder") wanted=any ;;
        *) wanted=error ;;
        esac
        rm -rf made bisect captures-work
        # shellcheck disable=SC2086
        timeout 20 "$novem" ${command/FILE/$input} >out 2>err </dev/null
        code=$?
        [ $code -lt 124 ] || fail "${command/FILE/$input}: exit code $code"
        [ $wanted = any ] || { [ $code -ne 0 ] && [ -s err ] || [ -s out ] && [ $code -ne 0 ]; } ||
            fail "${command/FILE/$input}: exit code $code without a message"
        [ ! -e made ] || [ $code -eq 0 ] || [ "$wanted" = any ] || fail "${command/FILE/$input}: leaves files behind"
    done
done

# A file that cannot be read: the message has its name and the reason.
for command in "${reading[@]}"; do
    case "$command" in captures*) continue ;; esac
    # shellcheck disable=SC2086
    timeout 20 "$novem" ${command/FILE/missing} >out 2>&1 </dev/null
    grep -q "missing.*: No such file or directory" out || fail "${command/FILE/missing} does not say why: $(cat out)"
    # shellcheck disable=SC2086
    timeout 20 "$novem" ${command/FILE/folder} >out 2>&1 </dev/null
    grep -qE "folder.*: (cannot be read: )?(Is a directory|is not a plain file)" out ||
        fail "${command/FILE/folder} does not say why: $(cat out)"
done

# A capture that cannot be replayed costs one row of the table, and the reason is printed.
mkdir -p many/bad many/good
head -c 100 x.trace >many/bad/bad.trace
cp x.trace many/good/good.trace
mkdir many/good/ref
printf 'no picture' >many/good/ref/frame-00000.png
"$novem" captures many -o page.md >out 2>&1 || fail "captures: exit code $?"
grep -q "^novem captures: bad: .*many/bad/bad.trace: " out || fail "captures does not say why a replay fails: $(cat out)"
grep -q "good/ref/frame-00000.png: is not a valid PNG" out || fail "captures does not name a bad reference: $(cat out)"
rm -rf captures-work
"$novem" captures missing -o page.md 2>&1 | grep -q "missing: No such file" || fail "captures of a missing folder"

# Frames and calls beyond the end.
for command in "replay x.trace --hash --quiet --frames 9" "replay x.trace --hash --quiet --frames 0-9" \
    "replay x.nvs --hash --quiet --frames 9" "dump x.trace --calls 99999" "dump x.nvs --calls 99999" "frame x.trace --frame 9 -o made" \
    "frame x.trace --call 99999 --target made" "pixel x.trace --frame 9 --at 0,0" "pixel x.trace --frame 0 --at 99999,0" \
    "pixel x.trace --frame 0 --since 1 --at 0,0" "pixel x.trace --call 99999 --at 0,0" \
    "pixel x.trace --frame 0 --trace 99999 --at 0,0" "trim x.trace --frames 9 -o made" \
    "trim x.trace --call 99999 -o made" "mask x.trace --frames 9 --variants snap" \
    "golden bisect x.trace --candidate true --frame 9 -o made"; do
    rm -rf made
    # shellcheck disable=SC2086
    timeout 60 "$novem" $command >out 2>err
    code=$?
    { [ $code -eq 2 ] && [ -s err ]; } || fail "$command: exit code $code, $(cat err)"
done

# An output that cannot be written in full does not stay behind.
(trap '' XFSZ; ulimit -f 0; "$novem" asm shader.psh -o long.bin) 2>&1 |
    grep -q "long.bin cannot be written: File too large" || fail "asm does not say why it cannot write"
[ ! -e long.bin ] || fail "asm leaves a partial file"

# A FIFO without a writer: captures and scenes are refused at once.
for command in "replay fifo --hash" "info fifo" "dump fifo" "compile fifo -o made" "pixel fifo --frame 0 --at 0,0" \
    "frame fifo --frame 0 -o made" "scene fifo" "mask fifo"; do
    # shellcheck disable=SC2086
    timeout 20 "$novem" $command >out 2>err
    code=$?
    { [ $code -ne 0 ] && [ $code -lt 124 ]; } || fail "$command: exit code $code"
done

# Closed descriptors get no file of ours: what a library prints to standard error must not land in a picture.
"$novem" replay x.trace --snapshots calls -o a 2>/dev/null
sha256sum a/* >sums
"$novem" replay x.trace --snapshots calls -o a <&- >&- 2>&-
sha256sum -c --quiet sums || fail "closed descriptors change the pictures"
rm x.trace
NOVEM_RECORD=x.trace "$novem" scene scene.d9t <&- >&- 2>&-
"$novem" replay x.trace --hash --quiet >/dev/null || fail "closed descriptors change the capture"

# A capture that cannot be created, or not be written in full: signal XFSZ is ignored, so a write over the limit fails.
for file in /dev/full missing/x.trace limited.trace; do
    (
        [ $file != limited.trace ] || { trap '' XFSZ && ulimit -f 1; }
        NOVEM_LOG=warn NOVEM_RECORD=$file "$novem" scene scene.d9t 2>&1 >/dev/null | cat >err
        exit "${PIPESTATUS[0]}"
    )
    code=$?
    { [ $code -eq 2 ] && grep -q "^novem: record: $file: " err; } || fail "recording to $file: exit code $code, $(cat err)"
done

# A shader is no capture.
"$novem" replay shader.psh --hash 2>err && fail "a shader is replayed"
grep -q "this is not a" err || fail "replay of a shader says: $(cat err)"

# Unknown names in novem.conf.
for line in "FAULT = bogus" "VARIANT = bogus"; do
    echo "$line" >novem.conf
    NOVEM_CONFIG=$PWD/novem.conf "$novem" config >/dev/null 2>err
    code=$?
    { [ $code -eq 2 ] && [ -s err ]; } || fail "$line in novem.conf: exit code $code"
done

rm novem.conf

# Commands change settings: the renderers of `mask` write no files, and `pixel` executes each call before the next.
NOVEM_RECORD=$PWD/masked.trace NOVEM_SINK=raw:$PWD/masked.raw "$novem" mask scene.d9t --variants snap >/dev/null ||
    fail "mask fails with a sink and a recorder"
for f in masked*; do [ ! -e "$f" ] || fail "mask writes $f"; done
clear=$("$novem" dump x.trace | sed -n 's/^\([0-9]*\) IDirect3DDevice9::Clear.*/\1/p' | tail -n 1)
NOVEM_THREADS=3 "$novem" pixel x.trace --call "$clear" --at 0,0 >out 2>err || fail "pixel fails: $(cat out err)"
grep -q "^call $clear IDirect3DDevice9::Clear" out || fail "pixel does not name the call that clears: $(cat out)"

[ $failed -eq 0 ] && echo "bad inputs and outputs are reported"
exit $failed
