#!/usr/bin/env bash
# Checks `novem setup-wine`: what it puts beside a program and into Wine's registry, that --undo takes back that alone,
# and what it says when something is missing. A shell script plays Wine: its registry is a file of lines
# "program value". With `wine` an example is set up in a prefix of Wine instead, and draws on Novem.
#
#   setup_wine.sh BUILD [wine]      WINEPREFIX: the prefix; a new one without it
set -u
build=$(realpath "$1") here=$(realpath "$(dirname "$0")")
novem=$build/novem
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
export NOVEM_LOG=none HOME=$work
prefix=${WINEPREFIX:-$work/prefix}
unset WINE WINEPREFIX WINEDLLOVERRIDES
failed=0
fail() { echo "$*"; failed=1; }

# setup CODE PATTERN WORDS...: runs the command, and compares its exit code and what it says
setup() {
    local code=$1 pattern=$2 got
    shift 2
    env PATH="${wine_path:-$PATH}" "$novem" setup-wine "$@" >out 2>&1
    got=$?
    { [ $got -eq "$code" ] && grep -qE -- "$pattern" out; } ||
        fail "line ${BASH_LINENO[0]}: $*: exit code $got instead of $code, or no '$pattern': $(cat out)"
}
# has FILE CONTENTS; lacks FILE...
has() { cmp -s "$1" "$2" || fail "line ${BASH_LINENO[0]}: $1 is not $2"; }
lacks() { for f; do [ ! -e "$f" ] || fail "line ${BASH_LINENO[0]}: $f is there"; done; }
# registry TEXT: the lines of the registry of the prefix
registry() {
    [ "$(cat "$work/.wine/overrides" 2>/dev/null)" = "$1" ] ||
        fail "line ${BASH_LINENO[0]}: the registry has '$(cat "$work/.wine/overrides")' instead of '$1'"
}

# --- Wine itself, and names in the letters of other languages, in a locale that has them and in one that has not
if [ "${2:-}" = wine ]; then
    export WINEDEBUG=-all WINEPREFIX=$prefix
    mkdir -p "game two/日本"
    exe="game two/日本/ゲーム é.exe"
    cp "$build/win64/lit.exe" "$exe"
    for locale in C.UTF-8 C; do
        LC_ALL=$locale setup 0 'copied .*/win64/d3d9.dll' "$exe"
        (cd "${exe%/*}" && LC_ALL=C.UTF-8 NOVEM_SINK=png:. timeout 120 xvfb-run -a wine "${exe##*/}" --frames 1) >log 2>&1
        [ -s "${exe%/*}/frame-00000.png" ] || fail "under Wine ($locale) the program did not draw on Novem: $(tail -3 log)"
        rm -f "${exe%/*}"/*.png
        LC_ALL=$locale setup 0 'already set up' "$exe"
        LC_ALL=$locale setup 0 'removed   the override' "$exe" --undo
        wine reg query 'HKCU\Software\Wine\AppDefaults' /s >log 2>&1
        grep -q 'ゲーム' log && fail "the key is left: $(cat log)"
    done
    lacks "${exe%/*}/d3d9.dll"
    [ "$prefix" != "$work/prefix" ] || wineserver -k
    [ $failed -eq 0 ] && echo "setup-wine works with Wine"
    exit $failed
fi

# --- A Wine that knows reg query, add and delete of one value
mkdir bin empty
cat >bin/wine <<'END'
#!/usr/bin/env bash
echo "it looks like wine32 is missing" >&2
[ ! -e "$HOME/wine_fails" ] || { echo "wine: could not load kernel32.dll, status c0000135" >&2; exit 1; }
[ -d "$WINEPREFIX" ] || mkdir -p "$WINEPREFIX"
file=$WINEPREFIX/overrides key=${3#*AppDefaults\\} others='' value=none
program=${key%\\DllOverrides}
: >>"$WINEPREFIX/system.reg" >>"$file"
while read -r name rest; do
    if [ "$name" = "$program" ]; then value=$rest; else others+="$name $rest"$'\n'; fi
done <"$file"
case $2 in
query)
    [ "$value" != none ] || [ "$key" = "$program" ] || { printf 'reg: Unable to find the specified registry key\r\n'; exit 1; }
    printf '\r\nHKEY_CURRENT_USER\\Software\\Wine\\AppDefaults\\%s\r\n' "$key"
    [ "$value" = none ] || printf '    d3d9    REG_SZ    %s\r\n\r\n' "$value" ;;
add)
    [ ! -e "$HOME/add_fails" ] || { printf 'reg: Access is denied.\r\n'; exit 1; }
    printf '%s%s %s\n' "$others" "$program" "$9" >"$file" ;;
delete) printf '%s' "$others" >"$file" ;;
esac
END
chmod +x bin/wine
mkdir -p game other eight
python3 "$here/make_pe.py" <<END || exit 1
novem64.dll dll version=0.9.0
novem64-new.dll dll version=1.0.0
novem32.dll x86 dll version=0.9.0
own.dll dll version=9.1 product=Other
game/game.exe imports=kernel32.dll,D3D9.dll,d3dx9_31.dll
game/tool.exe imports=d3d9.dll
game/old.exe x86 imports=d3d9.dll
game/eight.exe imports=d3d8.dll
other/engine.exe
eight/eight.exe imports=d3d8.dll
eight/D3D8.dll dll imports=d3d9.dll
game/none.exe managed
game/late.exe delayed=d3d9.dll
other/Engine.dll dll imports=d3d9.dll
game/arm.exe arm64
game/ia64.exe itanium
END
path=$PATH
export PATH=$work/bin:$PATH
# --- Setting up and undoing
setup 0 'game.exe needs d3dx9_31.dll' game/game.exe --dll novem64.dll
for line in 'program   game/game.exe, 64 bit' 'set       override d3d9 = native for programs called game.exe in .*/.wine' \
    'copied    novem64.dll \(Novem 0.9.0\) to game/d3d9.dll' "start     cd 'game' && wine 'game.exe'"; do
    grep -qE "^$line" out || fail "no line '$line': $(cat out)"
done
has game/d3d9.dll novem64.dll
registry "game.exe native"
cp game/game.exe.novem-setup.txt record
setup 0 'already set up: d3d9.dll \(Novem 0.9.0\)' game/game.exe --dll novem64.dll
has game/game.exe.novem-setup.txt record
setup 0 'replaced  game/d3d9.dll, Novem 0.9.0, by Novem 1.0.0' game/game.exe --dll novem64-new.dll
has game/d3d9.dll novem64-new.dll
setup 0 'removed   game/d3d9.dll' game/game.exe --undo
lacks game/d3d9.dll game/game.exe.novem-setup.txt game/d3d9.dll.before-novem
registry ""
setup 0 'nothing to undo' game/game.exe --undo
(cd game && "$novem" setup-wine game.exe --dll ../novem64.dll >../out 2>&1) || fail "in the program's folder: $(cat out)"
setup 0 'removed   game/d3d9.dll' game/game.exe --undo

# --- The program has a d3d9.dll of its own, in capital letters, and an override
cp own.dll game/D3D9.DLL
echo "game.exe builtin" >.wine/overrides
setup 0 'renamed   game/D3D9.DLL, which was there, to d3d9.dll.before-novem' game/game.exe --dll novem64.dll
has game/D3D9.DLL novem64.dll
has game/d3d9.dll.before-novem own.dll
registry "game.exe native"
setup 0 'set       override d3d9 = builtin for game.exe in .*, as before' game/game.exe --undo
has game/D3D9.DLL own.dll
lacks game/d3d9.dll game/d3d9.dll.before-novem
registry "game.exe builtin"
# What somebody has changed since then stays.
setup 0 . game/game.exe --dll novem64.dll
cp own.dll game/D3D9.DLL
echo "game.exe disabled" >.wine/overrides
setup 0 'left      game/D3D9.DLL: it is not' game/game.exe --undo
grep -q 'left      the override of game.exe in .*: it is disabled now' out || fail "$(cat out)"
has game/D3D9.DLL own.dll
registry "game.exe disabled"
# The copy from then is still there: neither may be lost.
setup 2 'd3d9.dll.before-novem exists' game/game.exe --dll novem64.dll
has game/D3D9.DLL own.dll
registry "game.exe disabled"
lacks game/game.exe.novem-setup.txt
rm game/D3D9.DLL game/d3d9.dll.before-novem
# A dll and an override that the user has put there himself stay.
cp novem64.dll game/d3d9.dll
echo "game.exe native,builtin" >.wine/overrides
setup 0 'already set up' game/game.exe --dll novem64.dll
setup 0 'nothing to undo' game/game.exe --undo
: >.wine/overrides
setup 0 'is there  game/d3d9.dll' game/game.exe --dll novem64.dll
setup 0 'removed   the override' game/game.exe --undo
has game/d3d9.dll novem64.dll
rm game/d3d9.dll

# --- Two programs of one folder
setup 0 . game/game.exe --dll novem64.dll
setup 0 . game/tool.exe --dll novem64.dll
setup 2 'uses the 64-bit d3d9.dll: a folder can hold one' game/old.exe --dll novem32.dll
setup 0 'left      game/d3d9.dll: tool.exe uses it' game/game.exe --undo
has game/d3d9.dll novem64.dll
registry "tool.exe native"
setup 0 'removed   game/d3d9.dll' game/tool.exe --undo
lacks game/d3d9.dll

# --- Two prefixes
setup 0 . game/game.exe --dll novem64.dll
WINEPREFIX=$work/second setup 0 'set       override .*second' game/game.exe --dll novem64.dll
setup 0 'removed   the override of d3d9 for game.exe in .*second' game/game.exe --undo
[ ! -s second/overrides ] || fail "the second prefix: $(cat second/overrides)"
registry ""
WINEPREFIX=$work/third setup 0 'prefix    .*third is new' game/game.exe --dll novem64.dll
rm -r third
setup 0 'missing   the prefix .*third' game/game.exe --undo
lacks third game/d3d9.dll

# --- Notes
setup 0 'eight.exe imports d3d8.dll: .*d3d8to9' game/eight.exe --dll novem64.dll
setup 0 'none.exe does not import d3d9.dll: maybe it loads it at run time' game/none.exe --dll novem64.dll
grep -q '^note .*\.NET' out || fail "no note on .NET: $(cat out)"
setup 0 . game/late.exe --dll novem64.dll
grep -q '^note' out && fail "late.exe: $(cat out)"
setup 0 'but Engine.dll does' other/engine.exe --dll novem64.dll
setup 0 "start     cd 'eight' && WINEDLLOVERRIDES=d3d8=n wine 'eight.exe'" eight/eight.exe --dll novem64.dll
grep -q 'D3D8.dll does' out || fail "no note on D3D8.dll: $(cat out)"
setup 0 . eight/eight.exe --undo
WINEDLLOVERRIDES='d3d8,d3d9=b' setup 0 'WINEDLLOVERRIDES names d3d9' other/engine.exe --dll novem64.dll
for p in game/eight game/none game/late other/engine; do setup 0 . $p.exe --undo; done
setup 0 'runs no 32-bit programs' game/old.exe --dll novem32.dll
mkdir -p .wine/drive_c/windows/syswow64
touch .wine/drive_c/windows/syswow64/kernel32.dll
setup 0 'already set up' game/old.exe --dll novem32.dll
grep -q '^note' out && fail "old.exe: $(cat out)"
setup 0 . game/old.exe --undo
echo '#arch=win32' >.wine/system.reg
setup 0 'runs no 64-bit programs' game/game.exe --dll novem64.dll
setup 0 . game/game.exe --undo
: >.wine/system.reg

# --- Errors: nothing is changed
find game .wine | sort >before
printf 'MZ%58s\x40\0\0\0NE%100s' '' '' >game/win16.exe
printf 'MZ%100s' '' >game/dos.exe
echo text >game/text.exe
head -c 200 game/game.exe >game/cut.exe
setup 2 'is a program for ARM64' game/arm.exe --dll novem64.dll
setup 2 'is a program for Itanium' game/ia64.exe --dll novem64.dll
setup 2 'is a 16-bit program' game/win16.exe --dll novem64.dll
setup 2 'is a program for DOS' game/dos.exe --dll novem64.dll
setup 2 'is not a Windows program' game/text.exe --dll novem64.dll
setup 2 'is a program for Linux' "$novem" --dll novem64.dll
setup 2 'is a dll: name the program' novem64.dll --dll novem64.dll
setup 2 'No such file' game/missing.exe --dll novem64.dll
setup 2 'Is a directory' game --dll novem64.dll
setup 0 'does not import d3d9.dll' game/cut.exe --dll novem64.dll
setup 0 . game/cut.exe --undo
setup 2 'not a d3d9.dll of Novem' game/game.exe --dll own.dll
setup 2 'is for 32-bit programs, and game.exe is a 64-bit' game/game.exe --dll novem32.dll
setup 2 'No such file' game/game.exe --dll missing.dll
setup 2 'usage' game/game.exe --dll novem64.dll --undo
setup 2 .
touch wine_fails
setup 2 'wine has failed with exit code 1: wine: could not load kernel32.dll' game/game.exe --dll novem64.dll
rm wine_fails
touch add_fails
setup 2 'wine has failed with exit code 1: reg: Access is denied' game/game.exe --dll novem64.dll
rm add_fails
wine_path=$work/empty setup 2 "Wine is not installed" game/game.exe --dll novem64.dll
WINE=$work/nothing setup 2 "no program '.*/nothing', which WINE names" game/game.exe --dll novem64.dll
WINE=$work/bin/wine wine_path=$path setup 0 . game/game.exe --dll novem64.dll
touch wine_fails
setup 2 'could not load' game/game.exe --undo
has game/d3d9.dll novem64.dll
rm wine_fails
setup 0 . game/game.exe --undo
env -u HOME "$novem" setup-wine game/game.exe --dll novem64.dll >out 2>&1
{ [ $? -eq 2 ] && grep -q 'neither WINEPREFIX nor HOME' out; } || fail "without HOME: $(cat out)"
ln "$novem" alone 2>/dev/null || cp "$novem" alone
./alone setup-wine game/game.exe >out 2>&1
{ [ $? -eq 2 ] && grep -q 'the 64-bit d3d9.dll is neither built' out; } || fail "without a dll: $(cat out)"
mkdir -p win64 && cp novem64.dll win64/d3d9.dll
./alone setup-wine game/game.exe >out 2>&1 || fail "a dll beside novem: $(cat out)"
has game/d3d9.dll novem64.dll
setup 0 . game/game.exe --undo
mkdir -p root/bin root/lib/novem/win64 && cp novem64.dll root/lib/novem/win64/d3d9.dll && ln alone root/bin/novem
root/bin/novem setup-wine game/game.exe >out 2>&1 || fail "installed: $(cat out)"
setup 0 . game/game.exe --undo
echo "anything" >game/game.exe.novem-setup.txt
setup 2 'is not a record of this command' game/game.exe --dll novem64.dll
setup 2 'is not a record of this command' game/game.exe --undo
head -1 record >game/game.exe.novem-setup.txt
echo "dll = ../game/game.exe" >>game/game.exe.novem-setup.txt
setup 2 'is not a record of this command' game/game.exe --undo
rm game/game.exe.novem-setup.txt game/{win16,dos,text,cut}.exe
if [ "$(id -u)" -ne 0 ]; then
    chmod a-w game
    setup 2 'game cannot be written: Permission denied' game/game.exe --dll novem64.dll
    chmod u+w game
fi
mkdir game/d3d9.dll.novem-part
setup 2 'd3d9.dll cannot be written' game/game.exe --dll novem64.dll
rmdir game/d3d9.dll.novem-part
find game .wine | sort | diff before - || fail "something was left in the folder"
registry ""

[ $failed -eq 0 ] && echo "setup-wine does, says and undoes what it should"
exit $failed
