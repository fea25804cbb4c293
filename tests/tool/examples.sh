#!/usr/bin/env bash
# Checks that the examples describe their options and refuse others.
#
#   examples.sh EXAMPLE...
set -u
failed=0
fail() { echo "$*"; failed=1; }
export NOVEM_LOG=none NOVEM_SINK=none
for example in "$@"; do
    help=$(timeout 60 "$example" --help) || fail "$example --help fails"
    for option in --frames --start --size --samples; do
        grep -q -- "^  $option " <<<"$help" || fail "$example --help lacks $option"
        timeout 60 "$example" $option 2>/dev/null
        [ $? -eq 2 ] || fail "$example $option without a value is not refused"
        timeout 60 "$example" $option x 2>/dev/null
        [ $? -eq 2 ] || fail "$example $option x is not refused"
    done
    for bad in "--bogus" "--bogus 1" "word"; do
        # shellcheck disable=SC2086
        message=$(timeout 60 "$example" --frames 1 $bad 2>&1)
        [ $? -eq 2 ] && [ -n "$message" ] || fail "$example $bad is not refused"
    done
    timeout 60 "$example" --frames 1 --start 3 --size 32x32 --samples 2 || fail "$example refuses its options"
done
[ $failed -eq 0 ] && echo "options of examples are checked"
exit $failed
