# shellcheck shell=bash
# Counts of tests and the summary of a run, for scripts/test.sh, which sources it. $log is the folder of the logs.
#
# Tested by tests/tool/summary.sh.
counts=$log/counts failures=$log/failures times=$log/times
: >"$counts"
: >"$failures"
: >"$times"
counted_at=$SECONDS

# count LABEL PASSED FAILED [SKIPPED]: its time is that since the last count of this shell.
count() {
    echo "$2 $3 ${4:-0}" >>"$counts"
    echo "$((SECONDS - counted_at)) $1" >>"$times"
    counted_at=$SECONDS
    printf '%-46s %6d passed %4d failed%s\n' "$1" "$2" "$3" "${4:+ $4 skipped}"
    [ "$3" -eq 0 ] || printf '%s\t\n' "$1" >>"$failures"
}

# complain LABEL: prints the output of a failed test, from the standard input. The summary repeats its first failed
# check ("file:line:F:..."), or else its first line.
complain() {
    local line first=''
    while IFS= read -r line; do
        printf '%s\n' "$line"
        if [[ -n $line && -z $first || $line =~ :[FE]: && ! $first =~ :[FE]: ]]; then first=$line; fi
    done
    printf '%s\t%.200s\n' "$1" "$(printf '%s' "$first" | tr -d '\000-\037')" >>"$failures"
}

# one LABEL COMMAND...: one test, passed if the exit code is 0
one() {
    local label=$1 name code=0
    shift
    name=$log/$(echo "$label" | tr -c 'a-z0-9\n' '_').log
    "$@" >"$name" 2>&1 || code=$?
    count "$label" $((code == 0)) $((code != 0))
    [ "$code" -eq 0 ] || { if [ -s "$name" ]; then tail -15 "$name"; else echo "exit code $code"; fi; } | complain "$label"
}

# run_parts PART...: runs functions, in this order, at most one for each processor at a time, and waits for all. A part
# that ends early (`exit`, a killed shell) is a failed test.
run_parts() {
    local part jobs
    jobs=$(nproc)
    [ "$jobs" -ge 2 ] || jobs=2 # many parts wait for windows and files
    rm -rf "$log/parts"
    mkdir -p "$log/parts"
    for part; do
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
        {
            trap 'touch "$log/parts/$part.ended"' EXIT
            counted_at=$SECONDS
            "$part"
            touch "$log/parts/$part"
        } &
    done
    wait
    for part; do
        [ -e "$log/parts/$part" ] || count "$part: it ended early" 0 1
    done
}

# needs PART: waits until another part, which stands earlier in the list, has ended.
needs() {
    while [ ! -e "$log/parts/$1.ended" ]; do sleep 0.2; done
    counted_at=$SECONDS
}

# Prints the slowest tests, the failed ones, each with its first message, and the totals in the last line. Fails if a
# test has failed.
summary() {
    local passed failed skipped
    echo
    sort -rn "$times" | awk 'NR <= 12 && $1 >= 10 {t = $1; sub(/^[0-9]+ /, ""); printf "%5d s  %s\n", t, $0}'
    read -r passed failed skipped < <(awk '{p += $1; f += $2; s += $3} END {print p + 0, f + 0, s + 0}' "$counts")
    echo
    awk -F '\t' '!($1 in said) {label[++n] = $1; said[$1] = ""}
        said[$1] == "" {said[$1] = $2}
        END {
            for (i = 1; i <= n && i <= 15; i++)
                print "FAILED " label[i] (said[label[i]] == "" ? "" : ": " said[label[i]])
            if (n > 15)
                print "FAILED: " n - 15 " more"
        }' "$failures"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
