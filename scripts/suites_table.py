#!/usr/bin/env python3
"""Writes the results of scripts/suites.sh to a table of a page, between its two marks.

usage: scripts/suites_table.py PAGE OURS PEER

OURS and PEER are the files ours.txt and peer.txt of the last runs. Only functions in both count."""
import sys

MARKS = "<!-- suites: begin -->", "<!-- suites: end -->"
SUITES = {
    "d3d9": "device visual stateblock d3d9ex".split(),
    "d3dx9_36": "asm core effect line math mesh shader surface texture volume xfile".split(),
    "quartz": ["vmr9"],
    "hlsl": ["vkd3d"],
}


def read(path):
    """{function: (passed, failed, complete)}"""
    rows = {}
    with open(path) as file:
        next(file)
        for line in file:
            name, passed, failed, _, end = line.split(None, 4)
            rows[name] = int(passed), int(failed), end.strip() == "done"
    return rows


def cells(rows, names):
    good = sum(rows[name][2] and not rows[name][1] for name in names)
    crashed = sum(not rows[name][2] for name in names)
    return good, crashed, sum(rows[name][0] for name in names), sum(rows[name][1] for name in names)


def table(ours, peer):
    yield "| tests | functions passed | checks passed | checks failed | crashed | peer: functions | failed | crashed |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    both = [name for name in ours if name in peer]
    groups = [("`%s`, %s" % (dll, file), [n for n in both if n.split(".")[0] == file])
              for dll, files in SUITES.items() for file in files]
    for title, names in groups + [("all", both)]:
        if names:
            good, crashed, passed, failed = cells(ours, names)
            theirs = cells(peer, names)
            yield "| %s | %d of %d | %d | %d | %d | %d | %d | %d |" % (
                title, good, len(names), passed, failed, crashed, theirs[0], theirs[3], theirs[1])


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    page, ours, peer = sys.argv[1:]
    with open(page) as file:
        text = file.read()
    if not MARKS[0] in text or not MARKS[1] in text:
        sys.exit("%s: the marks of the table are missing" % page)
    before, rest = text.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    with open(page, "w") as file:
        file.write(before + MARKS[0] + "\n" + "\n".join(table(read(ours), read(peer))) + "\n" + MARKS[1] + after)


main()
