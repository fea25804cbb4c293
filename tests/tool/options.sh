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
    while read -r option value; do
        [ -n "$option" ] || continue
        checked=$((checked + 1))
        # The options before --help are parsed.
        "$novem" "$@" "$option" ${value:+1} --help >out 2>&1 || fail "$* $option: $(cat out)"
        if [ -n "$value" ]; then
            "$novem" "$@" "$option" >out 2>&1
            [ $? -eq 2 ] && grep -q -- "$option needs a value" out || fail "$* $option without a value: $(cat out)"
        fi
        [ ${#option} -gt 5 ] || continue
        "$novem" "$@" "${option}x" >out 2>&1
        [ $? -eq 2 ] && grep -q "did you mean $option" out || fail "$* ${option}x: $(cat out)"
    done <<<"$options"
}

for command in $(subcommands); do
    case $command in
    golden) for sub in $(subcommands golden); do check golden "$sub"; done ;;
    *) check "$command" ;;
    esac
done
[ $checked -gt 90 ] || fail "only $checked options were found"

[ $failed -eq 0 ] && echo "$checked options are accepted"
exit $failed
