#!/bin/sh
# Conforming renderers pass the suite: one variant at a time, and one whose tests are made the slow way.
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
