#!/usr/bin/env bash
# The summary of scripts/test.sh: its last lines name each failed test with its first message, then the totals.
set -uo pipefail
cd "$(dirname "$0")/../.."
log=$(mktemp -d) bad=0
trap 'rm -rf "$log"' EXIT
fail() { echo "summary: $*"; bad=1; }
. scripts/test_summary.sh

# run EXPECTED-CODE: the summary's text is in $text.
run() {
    text=$(summary)
    [ $? -eq "$1" ] || fail "not code $1 after: $text"
}
# is LINES-FROM-THE-END TEXT
is() {
    local line
    line=$(tail -n "$1" <<<"$text" | head -1)
    [ "$line" = "$2" ] || fail "'$line' instead of '$2'"
}

one "good" true >/dev/null
count "many" 7 0 2 >/dev/null
run 0
is 1 "8 passed, 0 failed, 2 skipped"
grep -q FAILED <<<"$text" && fail "a failed test where none is"

one "silent" sh -c 'exit 3' >/dev/null
one "loud: two" sh -c 'echo first; echo second; exit 1' >"$log/shown"
grep -q '^second$' "$log/shown" || fail "the output of a failed test is not shown"
count "unit/x" 3 1 >/dev/null
printf '\nnovem: noise\ntests/x.c:12:F:case:name:0: 1 != 2\ntests/x.c:13:F:case:other:0: no\n' | complain "unit/x" >/dev/null
count "no words" 0 1 >/dev/null
run 1
is 5 "FAILED silent: exit code 3"
is 4 "FAILED loud: two: first"
is 3 "FAILED unit/x: tests/x.c:12:F:case:name:0: 1 != 2"
is 2 "FAILED no words"
is 1 "11 passed, 4 failed, 2 skipped"

# More than a screen.
for i in $(seq 20); do count "test $i" 0 1 >/dev/null; done
run 1
[ "$(grep -c '^FAILED' <<<"$text")" -eq 16 ] || fail "not 15 failed tests and the number of the others"
is 2 "FAILED: 9 more"

# The slowest tests, with the seconds since the test before them.
printf '9 quick\n11 slow\n125 unit/y: slower\n' >"$times"
text=$(summary)
[ "$(grep ' s  ' <<<"$text")" = "$(printf '  125 s  unit/y: slower\n   11 s  slow')" ] || fail "other times in: $text"

# Parts: all run, one after those that it needs, also if that one ends early, which counts as a failed test.
: >"$counts"
: >"$failures"
first() { one "first" true; sleep 0.3; echo first >>"$log/order"; exit 3; }
second() { needs first; one "second" true; echo second >>"$log/order"; }
third() { one "third" true; }
run_parts first second third >/dev/null
run 1
[ "$(tr '\n' ' ' <"$log/order")" = "first second " ] || fail "parts ran in another order"
is 2 "FAILED first: it ended early"
is 1 "3 passed, 1 failed, 0 skipped"

# Whatever fails in scripts/test.sh shows its output through `complain`.
grep -nE '^[^#]*(tail|head) -[0-9]+ "\$(out|name|dir/log)"' scripts/test.sh | grep -v complain &&
    fail "output that the summary does not repeat"
exit $bad
