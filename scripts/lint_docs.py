#!/usr/bin/env python3
"""Checks the documents: line length, links, and paths of the source that they name.

A link is dead if its file or its heading does not exist. A path in backquotes that starts with a
folder of the source (`src/vm/run/exec.c`, `tests/conformance/`) must exist; patterns such as
`src/<folder>/x_*.c` are left alone.

usage: scripts/lint_docs.py FILE.md ...      exit status 1 if anything was found
"""
import os
import re
import sys

LONGEST = 120
FOLDERS = ('src', 'tests', 'scripts', 'docs', 'bench', 'examples')
LINK = re.compile(r'!?\[(?:[^\]]*)\]\(([^)\s]+)\)')
PATH = re.compile(r'`((?:%s)/[A-Za-z0-9_./-]+)`' % '|'.join(FOLDERS))


def prose(text):
    """The lines outside fenced code, with their numbers."""
    fenced = False
    for number, line in enumerate(text.split('\n'), 1):
        if line.lstrip().startswith('```'):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(text):
    """The names that GitHub gives to headings."""
    names = set()
    for _, line in prose(text):
        match = re.match(r'#+ +(.*?) *#*$', line)
        if match:
            name = re.sub(r'[^\w\- ]', '', match.group(1).replace('`', '').lower()).replace(' ', '-')
            names.add(name if name not in names else name + '-1')
    return names


def check(path):
    found = []
    folder = os.path.dirname(path)
    with open(path, encoding='utf-8') as file:
        text = file.read()
    for number, line in enumerate(text.split('\n'), 1):
        if len(line) > LONGEST:
            found.append((number, f'{len(line)} characters, {LONGEST} at most'))
    for number, line in prose(text):
        for link in LINK.findall(line):
            if re.match(r'[a-z]+:', link):
                continue
            target, _, heading = link.partition('#')
            file = os.path.normpath(os.path.join(folder, target)) if target else path
            if not os.path.exists(file):
                found.append((number, f'dead link: {link}'))
            elif heading and file.endswith('.md'):
                with open(file, encoding='utf-8') as other:
                    if heading not in anchors(other.read()):
                        found.append((number, f'no such heading: {link}'))
        for name in PATH.findall(line):
            if not os.path.exists(name):
                found.append((number, f'no such file: {name}'))
    return found


def main():
    failed = False
    for path in sys.argv[1:]:
        for number, message in check(path):
            print(f'lint: {path}:{number}: {message}', file=sys.stderr)
            failed = True
    return failed


if __name__ == '__main__':
    sys.exit(main())
