#!/usr/bin/env bash
# Runs the commands of the README's tutorials as a reader would, by copy and paste, and compares what they print with
# what the pages show. It works in a clone after `make native examples pe examples-pe`, and in an unpacked release.
#   tutorials.sh [PAGE...]      default: README.md and docs/tutorial-*.md
#
# "Save this as `NAME`" before a block saves it. A block of commands begins with "$ ", or with one of the programs that
# command_block names; other blocks are shown only. A line of the output that has "…" must begin as shown. Commands
# that build are left out, as are those for which this system lacks a program or a counter: their number is printed.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
# Wine writes its prefix until its server ends.
finish() {
    wait
    [ ! -d "$work/wine" ] || ! command -v wineserver >/dev/null || { wineserver -k; wineserver -w; }
    rm -rf "$work"
}
trap finish EXIT
# The commands run in a folder with links to the files here, so that what they make stays out of them.
root=$work/root
mkdir "$root"
for f in *; do
    case $f in golden-out | frames) ;; *) ln -s "$PWD/$f" "$root/$f" ;; esac
done
cd "$root" || exit 1
pages=("$@")
[ $# -gt 0 ] || pages=(README.md docs/tutorial-gpu-backend.md docs/tutorial-no-gpu.md docs/tutorial-shaders.md docs/tutorial-pixel.md
    docs/tutorial-water.md)
passed=0 failed=0 left_out=0
in_clone=
[ -e Makefile ] && in_clone=1

# A page as shell: saves and steps, with line numbers.
as_shell() {
    awk '
        function command_block(line) { return line ~ /^(\$ |build\/|xvfb-run|mkdir|make |\(cd )/ }
        function flush_step() {
            if (command != "") printf "step %d \047%s\047 <<\047END_OF_STEP\047\n%sEND_OF_STEP\n", at, command, output
            command = output = ""
        }
        /^```/ && !inside { inside = 1; first = 1; kind = name != "" ? "file" : "shown"; next }
        /^```/ {
            if (kind == "file") print "END_OF_FILE"
            flush_step(); inside = 0; name = ""; next
        }
        !inside && match($0, /[Ss]ave this as `[^`]*`/) {
            name = substr($0, RSTART, RLENGTH); sub(/^[^`]*`/, "", name); sub(/`$/, "", name); next
        }
        !inside { next }
        first {
            first = 0
            if (kind == "file") printf "cat >%s <<\047END_OF_FILE\047\n", name
            else if (command_block($0)) { kind = "commands"; prompt = /^\$ / }
        }
        kind == "file" { print; next }
        kind != "commands" { next }
        continued || !prompt || /^\$ / {
            line = $0
            if (!continued) { flush_step(); at = FNR; sub(/^\$ /, "", line) }
            gsub(/\047/, "\047\\\047\047", line)
            continued = line ~ /\\$/
            command = command line (continued ? "\n" : "")
            next
        }
        { output = output $0 "\n" }' "$1"
}

# step LINE COMMAND: runs it in this shell. Standard input is what the page shows.
step() {
    local line=$1 command=$2 status out=$work/out shown missing=
    cat >"$work/shown"
    # The example runs until its window is closed.
    command=${command/ wine lit.exe)/ xvfb-run -a wine lit.exe --frames 3)}
    case $command in
    make\ *) return ;;
    *'novem inspect'*) return ;; # it serves until Ctrl+C
    *-Isrc/*) [ -n "$in_clone" ] || return ;;
    *-Iinclude/*) [ -z "$in_clone" ] || return ;;
    esac
    for program in wine xvfb-run gcc file; do
        [[ " $command" != *[\ \(]$program\ * ]] || command -v $program >/dev/null || missing=$program
    done
    case $command in # what needs Wine without its name, or a file that it made
    *'novem view'* | *'--candidate mine'* | *'--candidate wined3d'* | *game/game.trace* | 'ls game'*)
        command -v wine >/dev/null || missing=wine ;;
    *'novem cost'*--compare*) # instructions and cycles are counted on x86
        [ "$(uname -m)" = x86_64 ] || missing=x86_64 ;;
    esac
    [[ $command != *'./hello'* ]] || [ -e hello ] || missing=gcc
    [ -z "$missing" ] || { left_out=$((left_out + 1)); return; }
    eval "$command" >"$out" 2>&1 </dev/null
    status=$?
    # Golden runs, bisections and comparisons that find differences end with 1, and the page shows them.
    if [ $status -ne 0 ] && ! { [ $status -eq 1 ] && [[ $command == *@('golden run'|'golden bisect'|diff-state)* ]]; }; then
        echo "$page:$line: exit code $status: $command"; tail -5 "$out"
        failed=$((failed + 1))
        return
    fi
    missing=
    while IFS= read -r shown; do
        shown=${shown%%…*}
        grep -qF -e "$shown" "$out" || [ "$(tr -s ' ' <<<"$shown")" = "$(tr '\n' ' ' <"$out" | sed 's/ $//')" ] ||
            missing=$shown
    done <"$work/shown"
    if [ -n "$missing" ]; then
        echo "$page:$line: does not print: $missing"; echo "    $command"; tail -5 "$out"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

export WINEDEBUG=-all WINEPREFIX=$work/wine
for page in "${pages[@]}"; do
    as_shell "$page" >"$work/page.sh"
    grep -q '^step' "$work/page.sh" || { echo "$page: no commands"; failed=$((failed + 1)); }
    . "$work/page.sh"
    cd "$root" || exit 1
done
echo "tutorials: $passed passed, $failed failed, $left_out left out"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
