#!/bin/sh
# Checks that `novem` refuses unknown names of faults and variants, in any command, and accepts known ones.
#
#   unknown_names.sh NOVEM
set -u
novem=$1
failed=0

# expect CODE SETTING
expect() {
    env NOVEM_LOG=none "$2" "$novem" config >/dev/null 2>&1
    code=$?
    [ $code -eq "$1" ] || { echo "$2: exit code $code instead of $1"; failed=1; }
}

expect 2 NOVEM_FAULT=bogus
expect 2 NOVEM_FAULT=specular,flat
expect 2 NOVEM_VARIANT=bogus
expect 2 NOVEM_VARIANT=snap
expect 0 NOVEM_FAULT=
expect 0 NOVEM_VARIANT=
expect 0 NOVEM_FAULT=none
expect 0 NOVEM_FAULT=specular
expect 0 NOVEM_VARIANT=snap-nw
[ $failed -eq 0 ] && echo "unknown names are refused"
exit $failed
