#!/usr/bin/env bash
# Checks that every option that the help of a command names is accepted, and that its usage names no other; and that a
# misspelt option is refused with the right one.
#
#   options.sh NOVEM
set -u
novem=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export NOVEM_LOG=none
failed=0 checked=0
fail() { echo "$*"; failed=1; }

# subcommands COMMAND...: the first words of the indented lines of its help.
subcommands() { "$novem" "$@" --help | sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'; }

# refused WORDS COMMAND...: exit code 2, and a message with the whole command and the words.
refused() {
    local words=$1
    shift
    "$novem" "$@" >out 2>&1
    [ $? -eq 2 ] && grep -q -- "$words" out || fail "${*:1:3}: no message '$words': $(cat out)"
}

# check COMMAND...: compares its usage and its options.
check() {
    local help usage options option value uses
    help=$("$novem" "$@" --help) || { fail "$*: --help fails"; return; }
    usage=$(head -n 1 <<<"$help")
    options=$(sed -n 's/^  \(--*[A-Za-z][a-z-]*\)\( [^ ]*\)\{0,1\}  *.*/\1\2/p' <<<"$help")
    for option in $(grep -oE '(^|[[ (|])--?[A-Za-z][a-z-]*' <<<"$usage" | grep -oE -- '--?[A-Za-z].*'); do
        grep -qE -- "^$option( |\$)" <<<"$options" || fail "$*: the usage names $option, and there is no such option"
    done
    uses=$(grep -cE -- '\[options\]|\[?-' <<<"$usage")
    [ -z "$options" ] || [ "$uses" -gt 0 ] || fail "$*: the usage does not say that there are options"
    refused "^novem $*: unknown option --bogus" "$@" --bogus
    refused "^novem $*: too many arguments at '" "$@" $(seq 300)
    while read -r option value; do
        [ -n "$option" ] || continue
        checked=$((checked + 1))
        # The options before --help are parsed.
        "$novem" "$@" "$option" ${value:+1} --help >out 2>&1 || fail "$* $option: $(cat out)"
        if [ -n "$value" ]; then
            refused "^novem $*: $option needs a value" "$@" "$option"
        fi
        [ ${#option} -gt 5 ] || continue
        refused "^novem $*: .*did you mean $option" "$@" "${option}x"
    done <<<"$options"
}

for command in $(subcommands); do
    if "$novem" "$command" --help | head -1 | grep -q "^usage: novem $command SUBCOMMAND"; then
        for sub in $(subcommands "$command"); do check "$command" "$sub"; done
    else
        check "$command"
    fi
done
[ $checked -gt 90 ] || fail "only $checked options were found"

[ $failed -eq 0 ] && echo "$checked options are accepted"
exit $failed
