#!/usr/bin/env bash
# Tests scripts/gpu-bundle.sh: a bundle with Novem's library as the "GPU" runs with bash and coreutils alone, its
# pictures pass at home, crashes and time-outs cost one case each, wrong pictures fail, and bad input is refused.
#   gpu_bundle.sh BUILD        a native library
#   gpu_bundle.sh BUILD wine   d3d9.dll under Wine, and DXVK on lavapipe where Debian's package is installed
set -uo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1") bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle="$work/a bundle"
fail() { echo "gpu_bundle: $*"; bad=1; }
# refused CODE WORDS COMMAND...: the command ends with CODE and a message that has the words.
refused() {
    local code=$1 words=$2
    shift 2
    "$@" >"$work/message" 2>&1
    [ $? -eq "$code" ] || fail "$*: not code $code"
    grep -q -- "$words" "$work/message" || { fail "$*: no message '$words'"; cat "$work/message"; }
}
make_bundle() { scripts/gpu-bundle.sh --build "$build" "$@"; }
judge() { scripts/gpu-bundle.sh --build "$build" --judge "$@" >"$work/judged" 2>&1; }

if [ "${2:-}" = wine ]; then
    dlls=("$build/win64/d3d9.dll")
    dxvk=/usr/lib/dxvk/wine64/d3d9.dll.so
    if [ -e $dxvk ] && compgen -G '/usr/share/vulkan/icd.d/lvp_icd*' >/dev/null; then dlls+=($dxvk); fi
    for dll in "${dlls[@]}"; do
        rm -rf "$bundle" "$work/good"
        make_bundle -o "$bundle" --dll "$dll" >"$work/made" 2>&1 || { fail "no bundle of $dll"; cat "$work/made"; }
        xvfb-run -a "$bundle/run.sh" -o "$work/good" --filter 'captures/ui' --filter 'scenes/fog/vertex-*' \
            >"$work/run" 2>&1 || { fail "the bundle of $dll does not run"; cat "$work/run"; }
        judge "$work/good" --name test -o "$work/good.md" || { fail "pictures of $dll fail"; cat "$work/judged"; }
        grep -q '^| pass | 6 |' "$work/good.md" || fail "$dll: not 6 cases pass: $(grep pass "$work/good.md")"
    done
    exit $bad
fi

# The other machine: bash and coreutils, and no variables.
mkdir "$work/bin"
for program in bash cat cp date dirname env head ls mkdir sleep timeout uname; do
    ln -s "$(command -v $program)" "$work/bin/$program"
done
elsewhere() { env -i PATH="$work/bin" "$bundle/run.sh" "$@" >"$work/run" 2>&1; }

make_bundle -o "$bundle" --dll "$build/libnovem.so" >"$work/made" 2>&1 ||
    { fail "no bundle"; cat "$work/made"; exit 1; }
[ "$(tail -2 "$bundle/cases.tsv" | cut -f2 | xargs)" = \
    "conformance/shader/linkage-mixed conformance/shader/linkage-forty" ] || fail "what hangs is not last"
[ "$(find tests/golden/scenes tests/conformance -name '*.d9t' | wc -l)" -eq $(($(wc -l <"$bundle/cases.tsv") - 2)) ] ||
    fail "the bundle lacks scenes"
elsewhere -o "$work/good" --filter 'captures/*' --filter 'scenes/fog/*' --filter 'conformance/shader/linkage-*' ||
    { fail "the bundle does not run"; cat "$work/run"; }
for word in adapter novem system processor; do
    grep -q "^$word"$'\t' "$work/good/machine.tsv" || fail "machine.tsv lacks $word"
done
judge "$work/good" --name test -o "$work/good.md" || { fail "Novem's own pictures fail"; cat "$work/judged"; }
grep -q '^| pass | 10 |' "$work/good.md" || fail "not 10 cases pass: $(grep pass "$work/good.md")"
grep -q '^| judged by | novem [0-9]' "$work/good.md" || fail "the report does not say which Novem judged"
grep -q '^| shader | 2 | 0 |' "$work/good.md" || fail "conformance scenes are not counted"
# A run can be continued.
refused 2 'is not empty' env -i PATH="$work/bin" "$bundle/run.sh" -o "$work/good"
elsewhere -o "$work/good" --resume --filter 'scenes/fog/*' --filter 'scenes/point/*' || fail "--resume"
[ "$(cut -f2 "$work/good/results.tsv" | sort | uniq -d)" = "" ] || fail "--resume runs cases again"
grep -q 'scenes/point/' "$work/good/results.tsv" || fail "--resume runs nothing"

# Cases for which no time is left can be run later.
elsewhere -o "$work/short" --total 1 --filter 'conformance/[a-f]*' --filter 'scenes/*'
[ $? -eq 1 ] && grep -q 'were not run' "$work/run" || fail "--total: $(tail -1 "$work/run")"
grep -q $'\tnot run\t' "$work/short/results.tsv" || fail "--total lists no case as not run"

# A library that crashes in one case, hangs in another, and renders wrong pictures.
cat >"$work/faulty.c" <<'END'
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void *Direct3DCreate9(unsigned version)
{
    static char words[65536];
    FILE *file = fopen("/proc/self/cmdline", "rb");
    size_t n = fread(words, 1, sizeof(words) - 1, file);

    fclose(file);
    for (size_t i = 0; i < n; i++)
        words[i] = words[i] ? words[i] : ' ';
    if (strstr(words, "fog/vertex-exp."))
        abort();
    if (strstr(words, "fog/vertex-linear.")) {
        signal(SIGTERM, SIG_IGN);
        for (;;)
            pause();
    }
    void *library = dlopen(getenv("OTHER"), RTLD_NOW | RTLD_LOCAL);
    return ((void *(*)(unsigned))dlsym(library, "Direct3DCreate9"))(version);
}
END
${CC:-cc} -shared -fPIC -o "$work/faulty.so" "$work/faulty.c" -ldl || fail "faulty.so"
rm -rf "$bundle"
make_bundle -o "$bundle" --dll "$work/faulty.so" --env "OTHER=$build/libnovem.so" --env NOVEM_FAULT=specular \
    --env NOVEM_LOG=none >"$work/made" 2>&1 || { fail "no bundle of another library"; cat "$work/made"; }
elsewhere -o "$work/bad" --limit 1 --filter 'scenes/fog/vertex-*' --filter 'scenes/light/*'
[ $? -eq 1 ] || { fail "a crash is not told"; cat "$work/run"; }
status_of() { awk -F'\t' -v name="scenes/$1" '$2 == name {print $3}' "$work/bad/results.tsv"; }
[ "$(status_of fog/vertex-exp)" = "signal 6" ] || fail "a crash is '$(status_of fog/vertex-exp)'"
[ "$(status_of fog/vertex-linear)" = "timed out" ] || fail "a hang is '$(status_of fog/vertex-linear)'"
[ "$(status_of fog/vertex-range)" = ok ] || fail "after a hang: '$(status_of fog/vertex-range)'"
judge "$work/bad" --name test -o "$work/bad.md"
[ $? -eq 1 ] || { fail "wrong pictures pass"; cat "$work/judged"; }
for row in 'signal 6 | 1 |' 'timed out | 1 |' 'scenes/fog/vertex-linear | timed out |' \
    'scenes/light/spot | more than 1 %'; do
    grep -q "^| $row" "$work/bad.md" || { fail "no line '$row'"; sed -n '/Failures/,$p' "$work/bad.md"; }
done

# A machine on which the library cannot be used.
printf 'int nothing;\n' >"$work/none.c"
${CC:-cc} -shared -fPIC -o "$work/none.so" "$work/none.c" || fail "none.so"
rm -rf "$bundle"
make_bundle -o "$bundle" --dll "$work/none.so" >/dev/null 2>&1 || fail "no bundle of a library without functions"
refused 2 'has no function Direct3DCreate9' "$bundle/run.sh" -o "$work/none"
refused 2 '--limit needs a number' "$bundle/run.sh" --limit x
refused 2 '--total needs a number' "$bundle/run.sh" --total -1
refused 2 '--filter needs a value' "$bundle/run.sh" --filter
refused 2 'no case matches' "$bundle/run.sh" -o "$work/none2" --filter 'nothing/*'
refused 2 'unknown option --bogus' "$bundle/run.sh" --bogus
refused 2 "unexpected argument 'x'" "$bundle/run.sh" x

# Bad input.
make=(scripts/gpu-bundle.sh --build "$build")
new=(-o "$work/new" --dll "$build/libnovem.so")
refused 2 '-o FOLDER is missing' "${make[@]}" --dll "$build/libnovem.so"
refused 2 '--dll LIBRARY is missing' "${make[@]}" -o "$work/new"
refused 2 'does not exist' "${make[@]}" -o "$work/new" --dll "$work/absent.so"
refused 2 'neither a native library nor' "${make[@]}" -o "$work/new" --dll Makefile
refused 2 'is not empty' "${make[@]}" -o "$bundle" --dll "$build/libnovem.so"
refused 2 'none or sdl' "${make[@]}" "${new[@]}" --window x11
refused 2 'NAME=VALUE' "${make[@]}" "${new[@]}" --env 1=2
refused 2 'FILE:FRAMES' "${make[@]}" "${new[@]}" --capture tests/golden/captures/ui.trace
refused 2 'does not exist' "${make[@]}" "${new[@]}" --capture absent.trace:1
refused 2 'no native library' "${make[@]}" "${new[@]}" --also Makefile
refused 2 'make native' scripts/gpu-bundle.sh "${new[@]}" --build "$work/absent"
refused 2 'needs a value' "${make[@]}" -o
refused 2 'unknown option --bogus' "${make[@]}" --bogus x
refused 2 "unexpected argument 'word'" "${make[@]}" word
refused 2 'needs --judge' "${make[@]}" "${new[@]}" --name x
refused 2 'is not a folder' "${make[@]}" --judge "$work/absent"
refused 2 'no output folder of run.sh' "${make[@]}" --judge "$work/bin"
refused 2 'lower-case' "${make[@]}" --judge "$work/good" --name A/B
refused 2 '--judge takes' "${make[@]}" --judge "$work/good" --dll "$build/libnovem.so"
truncate -s 61M "$work/large.trace"
refused 1 'may have 60' "${make[@]}" "${new[@]}" --capture "$work/large.trace:0"
[ ! -e "$work/new" ] && [ ! -e "$work/new.part" ] || fail "a bundle that is too large stays"
exit $bad
