#!/usr/bin/env bash
# Prints the results of bench/vm, the benchmark of the shader machine, as Markdown tables.
#   scripts/bench_shaders.sh BUILD           runs the benchmark first
#   scripts/bench_shaders.sh RESULTS.json    reads what build/bench/vm --json wrote
set -euo pipefail
results=${1:?usage: scripts/bench_shaders.sh BUILD|RESULTS.json}
if [ -d "$results" ]; then
    "$results/bench/vm" --seconds 0.2 --json "$results/bench/vm.json" >/dev/null
    results=$results/bench/vm.json
fi

tables() {
    awk '
    # One result a line: "key": value pairs in a fixed order.
    match($0, /^{"group"/) {
        split($0, part, "\"")
        group = part[4]; name = part[8]; isa = part[12]
        n = split($0, number, /[:,}] */)
        for (i = 1; i < n; i++) {
            if (number[i] ~ /"lane_ns"/) ns = number[i + 1]
            if (number[i] ~ /"ceiling_ns"/) ceiling = number[i + 1]
            if (number[i] ~ /"instructions"/) instructions = number[i + 1]
            if (number[i] ~ /"operations"/) operations = number[i + 1]
            if (number[i] ~ /"percent"/) percent = number[i + 1]
        }
        if (!(isa in known)) { known[isa] = 1; isas[++n_isas] = isa }
        row = group SUBSEP name
        if (!(row in seen)) { seen[row] = 1; names[group, ++count[group]] = name }
        share = operations ? sprintf(" (%.0f %%)", 100 * operations * ceiling / ns) : ""
        if (group == "ceiling") cell[row, isa] = sprintf("%.1f", 1 / ns)
        if (group == "row") cell[row, isa] = sprintf("%.3f%s", ns, share)
        if (group == "shader") {
            name_of[row] = name " | " instructions
            cell[row, isa] = sprintf("%.1f, %.3f, %.0f", ns, ns / instructions, 1000 / ns)
        }
        if (group == "flow") cell[row, isa] = sprintf("%+.1f %%", percent)
        if (group == "sampler") cell[row, isa] = sprintf("%.2f", ns)
        if (group == "plain") {
            name_of[row] = name
            cell[row, isa] = sprintf("%.2f (%.2f)", ns, percent / 100)
        }
    }
    function table(group, title, first, columns,    i, k, row) {
        if (!count[group]) return
        printf "\n%s\n\n| %s |", title, first
        for (k = 1; k <= n_isas; k++) printf " %s |", isas[k]
        printf "\n|"
        for (k = 1; k <= n_isas + columns; k++) printf " --- |"
        printf "\n"
        for (i = 1; i <= count[group]; i++) {
            row = group SUBSEP names[group, i]
            printf "| %s |", row in name_of ? name_of[row] : names[group, i]
            for (k = 1; k <= n_isas; k++) printf " %s |", cell[row, isas[k]]
            printf "\n"
        }
    }
    END {
        table("ceiling", "Ceiling of the processor, G lane operations a second:", "operation", 1)
        table("row", "Instructions: ns a lane (share of the ceiling):", "instruction", 1)
        table("shader", "Shaders: ns a lane, ns a lane and instruction, million lanes a second:",
              "shader | instructions", 2)
        table("flow", "Time that flow control adds to a body of ten instructions:", "construct", 1)
        table("plain", "Shaders against the same in C: ns a lane (ratio to C):", "shader", 1)
        table("sampler", "Samplers: ns a lane:", "sampler", 1)
    }' "$results"
}

out=$(tables)
[ -n "$out" ] || { echo "$results has no results of bench/vm" >&2; exit 1; }
echo "$out"
