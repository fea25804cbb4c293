#!/usr/bin/env bash
# Checks rules that the compiler does not check.
#   Structure: every header compiles alone; folders and modules use only lower ones through their interfaces
#   (scripts/layers.txt); tests mirror the source; the library exports what its headers
#   declare.
#   Language: identifiers use the field's terms (scripts/lint_words.txt); documents have at most 120 characters a line,
#   live links and existing paths; commit subjects have the form `folder: Verb what`.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
fail() { echo "lint: $*" >&2; failed=1; }

# Folders and modules include and call only lower ones, and only their interfaces; no files call each other in a circle.
scripts/layers.py . build || failed=1
# Each source file has a test.
scripts/lint_tests.py || failed=1
# Vector instructions are named operations of util/simd; the control register is no vector.
git grep -nE '\b_mm[0-9]*_|\b__m(128|256|512)' -- src ':!src/util/simd' ':!src/util/fpenv.h' && fail "intrinsics outside src/util/simd"

# Windows programs open files by wide names (util/path.h); scripts/check_pe.py checks the same of the dlls. The other
# files that call these functions are for Linux alone, or have a branch for it.
by_name='_?fopen|_?s?open|_?stat|_?mkdir|rename|unlink|remove'
by_name+='|[A-Z][A-Za-z]*(File|Files|FileName|Directory|Path|PathName|Variable|Strings)A'
git grep -nE "\b($by_name) ?\(" -- \
    'src/util/*.c' 'src/present/*.c' 'src/record/*.c' 'src/api/*.c' 'src/control/*.c' 'src/tool/scene/*.c' \
    'programs/*.c' ':!src/util/path.c' ':!src/util/standard_streams.c' ':!src/util/output_file.c' ':!src/util/log_place.c' ':!src/util/system.c' \
    ':!src/present/shared/mapped.c' ':!src/present/shared/frames.c' ':!src/present/r500/board/drm_calls.c' |
    grep -vE '^[^:]*:[0-9]*: ?(/?\*|//)|->open\(|static ' && fail "a file is opened by its name without util/path.h"

includes="-Isrc -Isrc/api/native -idirafter /usr/share/mingw-w64/include"
# check_header HEADER: includes it alone.
check_header() {
    local message
    # shellcheck disable=SC2086
    message=$(echo "#include \"${1#src/}\"" | gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-function \
        -DSIMD_LANES=4 -DISA=sse2 $includes -x c -fsyntax-only - 2>&1) && return
    fail "$1 does not compile alone: $(head -1 <<<"$message")"
    return 1
}
export -f check_header fail
export includes
git ls-files 'src/*.h' | grep -v '^src/api/native/' | xargs -P "$(nproc)" -n 8 bash -c \
    'code=0; for h; do check_header "$h" || code=1; done; exit $code' check || failed=1

git ls-files '*.c' '*.h' '*.def' '*.sh' | xargs grep -nE '[[:blank:]]+$' && fail "trailing blanks"
git ls-files '*.c' '*.h' | xargs grep -nP '^\t' && fail "tabs"
if [ -f build/libnovem.so ]; then
    # The shared library exports what d3d9.h and novem.h declare, no more and no less (src/api/libnovem.map).
    exported=$(nm -D --defined-only build/libnovem.so | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort)
    declared=$({
        sed -nE '/^typedef/d; s/^[a-z].*[ *](novem_[a-z_0-9]+)\(.*/\1/p' src/api/novem/novem.h
        sed -nE 's/^[A-Za-z].*WINAPI ((Direct3DCreate9|D3DPERF_)[A-Za-z0-9]*)\(.*/\1/p; s/^DEFINE_GUID\(([A-Za-z0-9_]+).*/\1/p' \
            /usr/share/mingw-w64/include/d3d9.h /usr/share/mingw-w64/include/d3d9caps.h \
            /usr/share/mingw-w64/include/d3d9types.h src/api/native/objbase.h
    } | sort -u)
    [ "$exported" = "$declared" ] ||
        fail "libnovem.so does not export what its headers declare: $(diff <(echo "$declared") <(echo "$exported") | grep '^[<>]' | tr '\n' ' ')"
fi
# Retired identifiers: each line of the list has a pattern and the term that replaced it.
while read -r pattern term; do
    case $pattern in ''|'#'*) continue ;; esac
    found=$(git grep -nwE "$pattern" -- '*.c' '*.h' '*.def' '*.cpp' '*.mk' '*.sh' Makefile ':!scripts/lint_words.txt' | head -3)
    [ -z "$found" ] || fail "the term for $pattern is $term:"$'\n'"$found"
done <scripts/lint_words.txt

git ls-files '*.md' | xargs scripts/lint_docs.py || failed=1

# Subjects of commits since the rule was introduced. Source trees without history are skipped.
since=24d37d4
if git cat-file -e "$since^{commit}" 2>/dev/null; then
    while IFS= read -r subject; do
        [ ${#subject} -le 72 ] || fail "commit subject over 72 characters: $subject"
        [[ $subject =~ ^[A-Za-z0-9._/-]+(,\ [A-Za-z0-9._/-]+)*:\ [A-Z].*[^.]$ ]] || fail "commit subject is not 'folder: Verb what': $subject"
    done < <(git log --no-merges --format=%s "$since"..HEAD)
fi

[ $failed -eq 0 ] && echo "lint: clean"
exit $failed
