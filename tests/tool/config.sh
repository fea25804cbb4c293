#!/usr/bin/env bash
# Checks `novem config --folder DIR --program X.exe`: the file, the section, the dll, and the settings with their origin.
#
#   config.sh NOVEM
set -u
novem=$(realpath "$1") here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NOVEM_CONFIG NOVEM_THREADS
failed=0
fail() { echo "$*"; failed=1; }
# config CODE WORDS...: runs the command
config() {
    local code=$1 got
    shift
    "$novem" config "$@" >out 2>err
    got=$?
    [ $got -eq "$code" ] || fail "line ${BASH_LINENO[0]}: $*: exit code $got instead of $code: $(cat err)"
}
# says PATTERN; is_silent PATTERN
says() { grep -qE -- "$1" out || fail "line ${BASH_LINENO[0]}: no line '$1': $(head -12 out)"; }
is_silent() { ! grep -qE -- "$1" out || fail "line ${BASH_LINENO[0]}: there is a line '$1'"; }

mkdir game empty
printf '%s\n' 'THREADS = 4' '[other.exe]' 'VSYNC = off' '[Game.EXE]' 'FRAME_LIMIT = 30' >game/novem.conf
python3 "$here/make_pe.py" <<'END' || exit 1
game/game.exe x86 imports=d3d9.dll
game/D3D9.dll x86 dll version=0.9.0
END
config 0 --folder game --program game.exe
says '^file      game/novem.conf$'
says '^section   \[game.exe\], line 4$'
says '^d3d9.dll  Novem 0.9.0, 32 bit$'
says '^SETTING +VALUE +ORIGIN$'
says '^THREADS +4 +game/novem.conf:1$'
says '^FRAME_LIMIT +30 +game/novem.conf:5$'
says '^VSYNC .*default$'
is_silent '^program'
[ "$(sed -n '/^SETTING/,$p' out | sed -n '4p' | grep -c default)" -eq 1 ] || fail "settings do not come before defaults"
[ "$(grep -cE ' (default|game/novem.conf:[0-9]+)$' out)" -eq "$("$novem" config --list | grep -c '^[A-Z]')" ] ||
    fail "the table does not have each setting"
NOVEM_THREADS=2 config 0 --folder game --program game.exe
says '^THREADS +2 +NOVEM_THREADS$'
config 0 --folder game
says '^section   no program is named \(--program\): the file has sections for other.exe, Game.EXE$'
says '^FRAME_LIMIT .*default$'
config 0 --folder game --program third.exe
says '^section   none for this program: the file has sections for other.exe, Game.EXE$'
says '^program   third.exe is not in game$'

# --- What is missing or wrong
config 0 --folder empty --program game.exe
says '^file      empty/novem.conf: there is none$'
says '^d3d9.dll  is not there'
echo text >empty/d3d9.dll
config 0 --folder empty --program game.exe
says "^d3d9.dll  is not Novem's"
NOVEM_CONFIG=$work/nothing config 0 --folder game --program game.exe
says '^file      .*/nothing \(NOVEM_CONFIG\): there is none$'
printf '%s\n' 'VSINC = off' 'VSYNC = maybe' 'garbage' '[game.exe]' 'THREADS = 3' >empty/novem.conf
config 2 --folder empty --program game.exe
says '^THREADS +3 +empty/novem.conf:5$'
for message in 'novem.conf:1: .*did you mean VSYNC' 'novem.conf:2: VSYNC = maybe is ignored' "novem.conf:3: 'garbage'" \
    'some settings have no effect'; do
    grep -qE "$message" err || fail "no message '$message': $(cat err)"
done
config 2 --folder missing
grep -q '^novem config: missing: No such file' err || fail "$(cat err)"
config 2 --folder game/game.exe
grep -q '^novem config: game/game.exe is not a folder' err || fail "$(cat err)"

[ $failed -eq 0 ] && echo "config tells what a program of a folder gets"
exit $failed
