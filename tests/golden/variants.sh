#!/bin/sh
# Checks that variant renderers, and a renderer without early Z, pass the suite.
#
#   variants.sh NOVEM OUT
set -u
here=$(dirname "$0")
novem=$1 out=$2
failed=0
mkdir -p "$out"
for setting in NOVEM_VARIANT=jitter-a NOVEM_VARIANT=texel-up NOVEM_VARIANT=function-up NOVEM_VARIANT=write-down NOVEM_EARLY_Z=off; do
    "$novem" golden run "$here/suite.toml" --quiet -o "$out" \
        --candidate "env NOVEM_LOG=none $setting $novem scene --list {list}" > "$out/$setting.txt" 2>&1 || {
        echo "$setting: does not pass"
        failed=1
    }
done
[ $failed -eq 0 ] && echo "conforming renderers pass"
exit $failed
