#!/usr/bin/env python3
"""Compares variants of the rows of bench/d3d9 with their rows, and prints a table with the reasons for slow variants.

  bench_relatives.py [options]

  --build BUILD   where bench/d3d9 is (default: build)
  --rows A,B      only these rows
  --seconds S     time of a variant (default: 0.6)
  --rounds N      turns of a variant; the least time counts (default: 3)
  --save FILE     keeps the measured lines
  --load FILE     reports lines that were kept, without measuring

The output is Markdown, for scripts/bench_record.sh. bench/d3d9/relatives.txt has the reasons.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REASONS = os.path.join(ROOT, 'bench', 'd3d9', 'relatives.txt')
LIMIT = 2.0
VARIANTS = ('colours', 'rotated', 'target', 'texture', 'mask', 'fog')


def read_reasons():
    """Entries are `ROW[,ROW...] VARIANT[,VARIANT...]: REASON`; lines that begin with a blank continue the reason.
    Returns {(row, variant): reason}."""
    entries = []
    with open(REASONS, encoding='utf-8') as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith('#'):
                continue
            if line[0].isspace() and entries:
                entries[-1] = entries[-1][0], f'{entries[-1][1]} {line.strip()}'
            else:
                entries.append((number, line.strip()))
    reasons = {}
    for number, entry in entries:
        cases, colon, reason = entry.partition(': ')
        words = cases.split()
        if not colon or len(words) != 2 or set(words[1].split(',')) - set(VARIANTS):
            sys.exit(f'{REASONS}:{number}: not "ROWS VARIANTS: REASON"')
        for row in words[0].split(','):
            for variant in words[1].split(','):
                reasons[row, variant] = reason
    return reasons


def measure(options, path):
    program = os.path.join(options.build, 'bench', 'd3d9')
    command = [program, '--relatives', '--seconds', options.seconds, '--rounds', options.rounds, '--json', path]
    if options.rows:
        command += ['--rows', options.rows]
    environment = dict(os.environ, NOVEM_SINK='none')
    environment.setdefault('NOVEM_THREADS', '1')
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit(f'bench_relatives: {program} failed: exit code {done.returncode}')


def read(path):
    """{row: {variant: line}}, in the order of the file."""
    rows = {}
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            entry = json.loads(line)
            rows.setdefault(entry['row'], {})[entry['variant']] = entry
    return rows


def table(head, body):
    print('| ' + ' | '.join(head) + ' |')
    print('|' + ' --- |' * len(head))
    for line in body:
        print('| ' + ' | '.join(line) + ' |')


def milliseconds(line):
    """Three digits; larger numbers whole, without an exponent."""
    return f"{line['ms']:.0f}" if line['ms'] >= 1000 else f"{line['ms']:.3g}"


def cell(line):
    if line is None or 'ms' not in line:
        return '-'
    return f"{milliseconds(line)} ({line['times']:.{1 if line['times'] >= 10 else 2}f})"


def report(rows, reasons):
    measured = [line for variants in rows.values() for name, line in variants.items() if name != 'row' and 'ms' in line]
    slow = sorted((line for line in measured if line['times'] > LIMIT), key=lambda line: -line['times'])
    print('Processor ms of a frame, all threads, least of the rounds; in brackets, times the row.')
    if measured:
        mean = math.exp(sum(math.log(line['times']) for line in measured) / len(measured))
        print(f'{len(slow)} of {len(measured)} variants are slower than {LIMIT:g} times their row. '
              f'The geometric mean is {mean:.2f} times.')
    print()
    table(('row', 'ms') + VARIANTS,
          [[f'`{row}`', milliseconds(variants['row']) if 'ms' in variants['row'] else '-']
           + [cell(variants.get(name)) for name in VARIANTS] for row, variants in rows.items()])
    print(f'\n## Slower than {LIMIT:g} times the row\n\nThe last column is the number of the reason.\n')
    known = list(dict.fromkeys(reasons[line['row'], line['variant']] for line in slow
                               if (line['row'], line['variant']) in reasons))
    body = []
    for line in slow:
        reason = reasons.get((line['row'], line['variant']))
        body.append([f"`{line['row']}`", line['variant'], milliseconds(line), f"{line['times']:.1f}",
                     str(known.index(reason) + 1) if reason else 'not known'])
    table(('row', 'variant', 'ms', 'times', 'reason'), body)
    print()
    for number, reason in enumerate(known, 1):
        print(textwrap.fill(f'{number}. {reason}', 118, subsequent_indent='   '))
    print('\n## Left out\n')
    table(('row', 'variant', 'reason'),
          [[f'`{row}`', name, line['left_out']] for row, variants in rows.items()
           for name, line in variants.items() if 'left_out' in line])
    for line in measured:
        case = line['row'], line['variant']
        if case in reasons and line['times'] < 0.75 * LIMIT:  # whatever the noise
            print(f"bench_relatives: {case[0]} {case[1]} takes {line['times']:.2f} times its row and has a reason",
                  file=sys.stderr)
    for line in slow:
        case = line['row'], line['variant']
        if case not in reasons:
            print(f"bench_relatives: {case[0]} {case[1]} takes {line['times']:.2f} times its row without a reason",
                  file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    for name, default in (('build', os.path.join(ROOT, 'build')), ('rows', None), ('seconds', '0.6'), ('rounds', '3'),
                          ('save', None), ('load', None)):
        parser.add_argument('--' + name, default=default)
    options = parser.parse_args()
    reasons = read_reasons()
    if options.load:
        report(read(options.load), reasons)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = options.save or os.path.join(folder, 'rows.json')
        measure(options, path)
        report(read(path), reasons)


main()
