#!/usr/bin/env bash
# Checks that the programs beside `novem` speak alike: --help names the options, --version has the version, and anything
# else is refused with exit code 2 and a message that begins with the program's name.
#
#   programs.sh [PROGRAM ARGUMENTS]...      ARGUMENTS: what a program needs at least, such as a file; may be ""
set -u
version=$(cat "$(dirname "$0")/../../VERSION")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NOVEM_LOG=none
failed=0 checked=0
fail() { echo "$*"; failed=1; }

# refused WORDS PROGRAM ARGUMENT...: exit code 2, and a message with the program's name and the words
refused() {
    local words=$1 code
    shift
    timeout 20 "$@" >"$work/out" 2>"$work/err"
    code=$?
    { [ $code -eq 2 ] && grep -q -- "^$(basename "$1"): .*$words" "$work/err"; } ||
        fail "$*: exit code $code, $(head -3 "$work/err")"
}

while [ $# -gt 1 ]; do
    program=$1 needed=$2 name=$(basename "$1")
    shift 2
    checked=$((checked + 1))
    for help in --help -h; do
        timeout 20 "$program" $help >"$work/help" 2>"$work/err" || fail "$name $help fails"
        { grep -q "^usage: $name" "$work/help" && [ ! -s "$work/err" ]; } || fail "$name $help: $(head -3 "$work/help")"
    done
    [ "$(timeout 20 "$program" --version)" = "$name $version" ] || fail "$name --version: $(timeout 20 "$program" --version)"
    for option in --help --version; do
        timeout 20 "$program" $option >/dev/full 2>"$work/err"
        { [ $? -eq 2 ] && [ -s "$work/err" ]; } || fail "$name $option: lost output is not noticed"
        grep -q -- "^  $option " "$work/help" || fail "$name --help lacks $option"
    done
    refused "--bogus" "$program" --bogus
    refused "--bogus" "$program" $needed --bogus
    [ -z "$needed" ] || refused "usage: $name" "$program"
    grep -qE '^usage: .*\.\.\.' "$work/help" || refused word "$program" $needed word
    while read -r option; do
        refused "$option needs a value" "$program" "$option"
    done < <(sed -nE 's/^  (--?[a-z0-9-]+) [A-Zk].*  .*/\1/p' "$work/help")
done
[ $checked -gt 0 ] || fail "no program was checked"
[ $failed -eq 0 ] && echo "$checked programs refuse what they do not know"
exit $failed
