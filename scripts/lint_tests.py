#!/usr/bin/env python3
"""Checks that tests mirror the source.

Each src/FOLDER[/MODULE]/x.c has tests/unit/FOLDER[/MODULE]/test_x.c, or a test of that name in tests/kernel or
tests/fuzz, or its first comment says which test covers it: `Tested by tests/unit/raster/test_oracle.c and tests/conformance/fog.`
Prints each file without a test and ends with status 1 if there is one.
"""
import glob
import os
import re
import sys

FIRST_COMMENT = re.compile(r'\s*(/\*.*?\*/|(?://[^\n]*\n)+)', re.S)
TESTED_BY = re.compile(r'Tested by ((?:tests|bench)/[\w./-]*\w/?(?:(?:,| and) (?:tests|bench)/[\w./-]*\w/?)*)')


def missing(path):
    """What is wrong with the test of a source file, or None."""
    home, name = os.path.split(path[len('src/'):])
    folder = home.split('/')[0]
    test = 'test_' + os.path.splitext(name)[0] + '.c'
    if any(os.path.exists(os.path.join('tests', kind, place, test))
           for kind in ('unit', 'kernel', 'fuzz') for place in {home, folder} if kind != 'unit' or place == home):
        return None
    comment = FIRST_COMMENT.match(open(path, encoding='utf-8').read())
    named = TESTED_BY.search(re.sub(r'\s+(\*|//)?\s*', ' ', comment.group(1))) if comment else None
    if not named:
        return f'has no test: neither tests/unit/{home}/{test} nor "Tested by" in its first comment'
    gone = [p for p in re.split(r', | and ', named.group(1)) if not os.path.exists(p.rstrip('.'))]
    return f'is tested by {gone[0]}, which does not exist' if gone else None


def main():
    bad = 0
    only = sys.argv[1:]
    for path in sorted(glob.glob('src/**/*.c', recursive=True)):
        if only and path.split('/')[1] not in only:
            continue
        wrong = missing(path)
        if wrong:
            print(f'lint: {path} {wrong}', file=sys.stderr)
            bad += 1
    sys.exit(1 if bad else 0)


main()
