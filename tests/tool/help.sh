#!/usr/bin/env bash
# Checks what `novem` says of itself: version, help of every command, man page, and completions. All come from the
# tables that parse the options, so the test compares each with the help of the commands.
#
#   help.sh NOVEM
set -u
novem=$(realpath "$1")
version=$(cat "$(dirname "$0")/../../VERSION" 2>/dev/null)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export NOVEM_LOG=none
failed=0
fail() { echo "$*"; failed=1; }

# --- Version
env NOVEM_THREADS=3 NOVEM_SIMD=scalar "$novem" --version >out || fail "--version: exit code $?"
for line in "novem ${version:-[0-9]}" 'numerics [0-9]+$' 'instruction set scalar$' 'threads 3$' 'build (clang|gcc) [0-9]'; do
    grep -qE "^$line" out || fail "--version has no line '$line': $(cat out)"
done

# --- Help of each command, by three ways
"$novem" --help >list || fail "--help: exit code $?"
commands=$(sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p' list)
[ "$(echo "$commands" | wc -l)" -ge 19 ] || fail "--help lists too few commands"
paths=()
for c in $commands; do
    "$novem" help "$c" >out || fail "help $c: exit code $?"
    "$novem" "$c" --help | cmp -s - out || fail "help $c differs from $c --help"
    subcommands=$(sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p' out)
    if head -1 out | grep -q SUBCOMMAND; then
        for s in $subcommands; do
            "$novem" help "$c" "$s" >out || fail "help $c $s: exit code $?"
            "$novem" "$c" "$s" --help | cmp -s - out || fail "help $c $s differs from $c $s --help"
            paths+=("$c $s")
        done
    else
        paths+=("$c")
    fi
done

# expect CODE PATTERN WORDS...: exit code and message
expect() {
    local code=$1 pattern=$2 got
    shift 2
    "$novem" "$@" >out 2>err
    got=$?
    { [ $got -eq "$code" ] && grep -q -- "$pattern" err; } || fail "$*: exit code $got, $(cat err)"
}
expect 2 'did you mean `novem replay`' repaly
expect 2 'did you mean `novem replay`' help replya
expect 2 'did you mean `novem golden run`' golden rum
expect 2 'did you mean `novem golden accept`' help golden acept
expect 2 'novem --help. lists them' xyzzy
expect 2 'not one of bash' help --completion tcsh
expect 2 usage help replay --man
# Words that nothing reads.
for words in "help scene foo" "help golden run foo" "--help foo" "--version foo" "golden --help foo" "r500 --help foo" \
    "help --man foo"; do
    # shellcheck disable=SC2086
    expect 2 . $words
done

# --- Man page: every command, option and setting; no warnings of the formatter
"$novem" help --man >novem.1 || fail "help --man: exit code $?"
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww novem.1 2>err >/dev/null
    [ -s err ] && fail "the man page: $(head -3 err)"
fi
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning novem.1 >err 2>&1 || fail "the man page: $(head -3 err)"
fi
for s in $("$novem" config --list | sed -n 's/^\([A-Z_]*\) (.*/\1/p'); do
    grep -q "^.B NOVEM_$s\$" novem.1 || fail "the man page has no setting $s"
done

# --- Completions
"$novem" help --completion bash >novem.bash || fail "help --completion bash: exit code $?"
# complete WORD...: prints the completions of the last word
complete_words() {
    bash --norc -c 'source ./novem.bash; COMP_WORDS=(novem "$@"); COMP_CWORD=$#; COMP_LINE="novem $*"
        _novem novem "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; printf "%s\n" "${COMPREPLY[@]}"' - "$@" |
        tr '\n' ' ' | sed 's/ *$//'
}
# completes WANTED WORDS...
completes() {
    local wanted=$1 got
    shift
    got=$(complete_words "$@")
    [ "$got" = "$wanted" ] || fail "completions of '$*': '$got' instead of '$wanted'"
}
completes "replay" repl
completes "--version" --ver
completes "accept" golden ac
completes "check" r500 ch
completes "bisect" golden bis
completes "dis" help dis
completes "" replay --threads ""
completes "" record -o x -- pr
for c in "${paths[@]}"; do
    # shellcheck disable=SC2086
    options=$("$novem" $c --help | sed -n 's/^  \(--*[A-Za-z-]*\).*/\1/p' | tr '\n' ' ')
    # shellcheck disable=SC2086
    completes "$options--help" $c -
    grep -qxF ".SS novem ${c//-/\\-}" novem.1 || fail "the man page has no command $c"
    for o in $options; do
        awk -v from=".SS novem ${c//-/\\\\-}" -v option="\\\\fB${o//-/\\\\-}\\\\fR" '
            $0 == from { on = 1; next } /^\.S[SH]/ { on = 0 } on && index($0, option) == 1 { found = 1 }
            END { exit !found }' novem.1 || fail "the man page has no option $o of $c"
    done
done
for shell in zsh fish; do
    "$novem" help --completion $shell >novem.$shell || fail "help --completion $shell: exit code $?"
    if command -v $shell >/dev/null; then $shell -n novem.$shell || fail "$shell cannot read its completions"; fi
done
[ "$(grep -c -- '--frames\[' novem.zsh)" -ge 3 ] || fail "zsh: few options"
[ "$(grep -c -- ' -l frames ' novem.fish)" -ge 3 ] || fail "fish: few options"

[ $failed -eq 0 ] && echo "version, help, man page and completions agree"
exit $failed
