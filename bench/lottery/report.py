#!/usr/bin/env python3
"""Compares Direct3D 9 libraries over random pipeline states (build/bench/lottery), by turns.

  report.py --ab OLD NEW [options]     two builds of Novem, natively: libnovem.so files or build folders
  report.py --peers [options]          our d3d9.dll, Wine's own and other dlls, under Wine
  report.py --load FILE [options]      reports rows that were saved before
  report.py --load FILE --against OLD  the first side of two files, such as the 32-bit and the 64-bit dll

  --seeds LIST      the seeds: numbers, ranges and cases of the table of penalties, with commas (default: 1-300)
  --penalties       the table of penalties instead of seeds
  --minutes N       ends after N minutes, with the cases drawn so far
  --turns N         turns of each side; the least time counts (default: 3; --peers: 2)
  --time MS         processor time of a round (default: 8; --peers: 150, as Wine counts in steps of 10 ms)
  --build BUILD     where lottery, novem and the dlls are (default: build)
  --save FILE       saves all rows
  --list N          seeds in each list (default: 15)
  --table           prints Markdown, for scripts/bench_record.sh

Of --peers:
  --bits 32         the 32-bit programs and dlls
  --dll NAME=FILE   another d3d9.dll; repeatable
  --no-wined3d      without Wine's own d3d9
  --run COMMAND     what comes before `wine`, such as a command that enters another root
  --name TEXT       versions of the peers, for the report
  --tolerance MEAN  pictures differ if their mean difference is larger, in 1/255 (default: 1)

A row is a case (a seed) on a side. Sides take turns with every case. The figure is processor time of a frame, over all
threads.
Exit code of --ab: 1 if a hash differs.
"""
import argparse
import collections
import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROW = collections.namedtuple('Row', 'case status ms first hash features reason')
TIMEOUT = 120


# --- Sides ---------------------------------------------------------------------------------------

class Side:
    """A lottery program that reads cases from its input. It is started again after a crash."""

    def __init__(self, name, command, environment, pictures=''):
        self.name, self.command, self.pictures = name, command, pictures
        self.environment = dict(os.environ, **environment)
        self.process, self.adapter = None, ''

    def start(self):
        self.process = subprocess.Popen(self.command, env=self.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        errors='replace')

    def stop(self):
        if not self.process:
            return
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process = None

    def lost(self, case, reason):
        """The row of a case that ended the program."""
        self.process.kill()
        self.process.wait()
        self.process = None
        return ROW(case, 'crashed', None, None, '', (), reason)

    def ask(self, case):
        if not self.process:
            self.start()
        timer = threading.Timer(TIMEOUT, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(case + '\n')
            self.process.stdin.flush()
            while True:
                line = self.process.stdout.readline()
                if not line:
                    return self.lost(case, 'ended' if timer.is_alive() else f'took over {TIMEOUT} s')
                if line.startswith('# '):
                    self.adapter = self.adapter or line[2:].strip()
                elif line.startswith(case + '\t'):
                    return parse(line)
        except BrokenPipeError:
            return self.lost(case, 'ended')
        finally:
            timer.cancel()


def parse(line):
    case, status, ms, first, hashed, features, reason = line.rstrip('\r\n').split('\t')
    number = lambda text: None if text == '-' else float(text)
    return ROW(case, status, number(ms), number(first), hashed, tuple(features.split(';')), reason)


def library(path):
    """The libnovem.so that a path names."""
    file = os.path.join(path, 'libnovem.so') if os.path.isdir(path) else path
    if not os.path.exists(file):
        sys.exit(f'report.py: {file} does not exist')
    return os.path.realpath(file)


def native_sides(arguments):
    program = os.path.join(arguments.build, 'bench/lottery')
    require(program)
    options = ['--time', str(arguments.time), '--rounds', '2', '-']
    environment = {'NOVEM_SINK': 'none', 'NOVEM_LOG': 'error',
                   'NOVEM_THREADS': os.environ.get('NOVEM_THREADS', '1')}
    return [Side(name, [program, '--d3d9', library(path), *options], environment)
            for name, path in zip(('old', 'new'), arguments.ab)]


def require(file):
    if not os.path.exists(file):
        sys.exit(f'report.py: {file} is missing; run: make {file}')


def wine_sides(arguments, folder):
    """Our dll first. Each side writes pictures into a folder of its own."""
    home = os.path.join(os.path.realpath(arguments.build), f'win{arguments.bits}')
    ours, program = os.path.join(home, 'd3d9.dll'), os.path.join(home, 'bench/lottery.exe')
    require(ours)
    require(program)
    dlls = [('Novem', ours)] + ([] if arguments.no_wined3d else [('wined3d', None)])
    for text in arguments.dll:
        name, _, file = text.rpartition('=')
        require(file)
        dlls.append((name or os.path.basename(os.path.dirname(file)), os.path.realpath(file)))
    sides = []
    for name, file in dlls:
        pictures = os.path.join(folder, name)
        os.makedirs(pictures, exist_ok=True)
        local = {'WINEDLLOVERRIDES': f'd3d9={"n" if file else "b"};winedbg.exe=d;mscoree,mshtml=', 'WINEDEBUG': '-all',
                 'LIBGL_ALWAYS_SOFTWARE': '1', 'GALLIUM_DRIVER': 'llvmpipe', 'DXVK_LOG_PATH': 'none',
                 'DXVK_LOG_LEVEL': 'none', 'NOVEM_SINK': 'none', 'NOVEM_LOG': 'error'}
        command = [*shlex.split(arguments.run), 'env', *(f'{k}={v}' for k, v in local.items()), 'wine', program,
                   *(['--d3d9', 'Z:' + file] if file else []), '--time', str(arguments.time), '--rounds', '1',
                   '--pictures', f'Z:{pictures}/', '-']
        sides.append(Side(name, command, {}, pictures))
    return sides


# --- Rows ----------------------------------------------------------------------------------------

def better(old, new):
    """Of two rows of a case on a side: the one with the least time."""
    if not old or old.status != 'ok':
        return new if not old or new.status == 'ok' else old
    return new if new.status == 'ok' and new.ms < old.ms else old


def collect(sides, cases, turns, minutes):
    rows = {side.name: {} for side in sides}
    end = time.monotonic() + 60 * minutes
    for turn in range(turns):
        for n, case in enumerate(cases):
            if time.monotonic() > end:
                break
            # The order changes, so that no side always follows the same one.
            for side in sides[::-1] if (turn + n) % 2 else sides:
                kept = rows[side.name]
                if kept.get(case) and kept[case].status != 'ok':
                    continue
                row = side.ask(case)
                if kept.get(case) and row.hash != kept[case].hash:
                    print(f'report.py: {side.name} draws case {case} differently in another turn', file=sys.stderr)
                kept[case] = better(kept.get(case), row)
            if sys.stderr.isatty():
                print(f'\rturn {turn + 1} of {turns}, case {n + 1} of {len(cases)}', end='', file=sys.stderr)
    for side in sides:
        side.stop()
    return rows


def compare_pictures(arguments, sides, rows):
    """(side, side, case) -> (largest, mean) difference, for all pairs of sides."""
    novem = os.path.join(arguments.build, 'novem')
    found = {}
    if not os.path.exists(novem):
        return found
    for i, a in enumerate(sides):
        for b in sides[i + 1:]:
            for case in rows[a.name]:
                if any(rows[s.name][case].status != 'ok' for s in (a, b)):
                    continue
                name = case.replace('/', '-') + '.png'
                text = subprocess.run([novem, 'diff', f'{a.pictures}/{name}', f'{b.pictures}/{name}'],
                                      stdout=subprocess.PIPE, text=True).stdout
                words = text.replace(',', '').split()
                if 'max' in words:
                    found[a.name, b.name, case] = (int(words[words.index('max') + 1]),
                                                   float(words[words.index('mean') + 1]))
                else:
                    found[a.name, b.name, case] = (0, 0.0)
    return found


def save(path, rows, pictures):
    with open(path, 'w') as file:
        for side, kept in rows.items():
            for row in kept.values():
                figures = ['-' if v is None else str(v) for v in (row.ms, row.first)]
                print('row', side, row.case, row.status, *figures, row.hash, ';'.join(row.features), row.reason,
                      sep='\t', file=file)
        for (a, b, case), (most, mean) in pictures.items():
            print('picture', a, b, case, most, mean, sep='\t', file=file)


def load(path):
    rows, pictures = {}, {}
    for line in open(path):
        kind, *rest = line.rstrip('\n').split('\t')
        if kind == 'row':
            rows.setdefault(rest[0], {})[rest[1]] = parse('\t'.join(rest[1:]))
        else:
            a, b, case, most, mean = rest
            pictures[a, b, case] = (int(most), float(mean))
    return rows, pictures


# --- Statistics ----------------------------------------------------------------------------------

def geometric(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float('nan')


def quantile(values, part):
    """Linear between neighbours."""
    values = sorted(values)
    at = part * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def ratios_of(ours, theirs):
    """case -> time of the other side over ours."""
    return {case: theirs[case].ms / row.ms for case, row in ours.items()
            if row.status == 'ok' and row.ms and theirs.get(case) and theirs[case].status == 'ok' and theirs[case].ms}


def without_other_pictures(rows, pictures, ours, most=8.0):
    """Takes the status away from what a peer has drawn quite differently."""
    for (a, b, case), (_, mean) in pictures.items():
        if ours == a and mean > most and case in rows[b] and rows[b][case].status == 'ok':
            rows[b] = dict(rows[b], **{case: rows[b][case]._replace(status='other picture', reason='other picture')})


def best_of(rows, peers):
    """The fastest peer of each case."""
    best = {}
    for peer in peers:
        for case, row in rows[peer].items():
            if row.status == 'ok' and (case not in best or row.ms < best[case].ms):
                best[case] = row
    return best


NO_ALPHA = {'X8R8G8B8', 'X1R5G5B5', 'R5G6B5', 'G16R16', 'R16F', 'G16R16F', 'R32F', 'G32R32F'}


def features_of(rows, case):
    """The features of a case, and that its write mask leaves out channels of the target."""
    features = set(rows[case].features)
    whole = any('target=' + target in features for target in NO_ALPHA) and 'write mask=rgb' in features
    if not whole and 'write mask=rgba' not in features:
        features.add('write mask is partial')
    return features


# --- Reports -------------------------------------------------------------------------------------

def table(header, lines, markdown):
    if not lines:
        return
    if markdown:
        print('| ' + ' | '.join(header) + ' |')
        print('|' + ' --- |' * len(header))
        for line in lines:
            print('| ' + ' | '.join(line) + ' |')
    else:
        wide = [max(len(str(r[i])) for r in [header, *lines]) for i in range(len(header))]
        for line in [header, *lines]:
            print('  '.join(cell.ljust(w) if i == 0 else cell.rjust(w)
                            for i, (cell, w) in enumerate(zip(line, wide))).rstrip())
    print()


def figure(value):
    return f'{value:.2f}'


def distribution(named, markdown):
    lines = []
    for name, ratios in named:
        values = list(ratios.values())
        if values:
            lines.append([name, str(len(values)), figure(min(values)),
                          *(figure(quantile(values, p)) for p in (0.05, 0.25, 0.5)), figure(geometric(values)),
                          figure(max(values)), str(sum(v < 1 for v in values))])
    table(['', 'seeds', 'least', '5 %', '25 %', 'median', 'geometric mean', 'most', 'below 1'], lines, markdown)


def shared_features(ours, ratios, most, markdown):
    """What the slowest twentieth has more often than all."""
    if len(ratios) < 40:
        print('(too few seeds)\n')
        return
    order = sorted(ratios, key=ratios.get)
    slowest = order[:max(1, len(order) // 20)]
    count = lambda cases: collections.Counter(f for c in cases for f in features_of(ours, c))
    among, all_ = count(slowest), count(order)
    share = {f: (n / len(slowest), all_[f] / len(order)) for f, n in among.items() if n >= 3}
    found = sorted((f for f in share if share[f][0] >= 1.5 * share[f][1]), key=lambda f: share[f][1] / share[f][0])
    lines = [[f, f'{100 * share[f][0]:.0f} %', f'{100 * share[f][1]:.0f} %'] for f in found[:most]]
    table(['feature', f'of the slowest {len(slowest)}', 'of all'], lines, markdown)


def effect_of_features(ours, ratios, most, markdown, least_cases=5):
    """Geometric mean of the ratio with and without each feature."""
    cases = list(ratios)
    having = collections.defaultdict(set)
    for case in cases:
        for feature in features_of(ours, case):
            having[feature].add(case)
    lines = []
    for feature, those in having.items():
        others = [c for c in cases if c not in those]
        if len(those) >= least_cases and len(others) >= least_cases:
            lines.append((feature, len(those), geometric(ratios[c] for c in those),
                          geometric(ratios[c] for c in others)))
    lines.sort(key=lambda l: l[2] / l[3])
    if len(lines) > 2 * most:
        lines = lines[:most] + lines[-most:]
    table(['feature', 'seeds', 'with', 'without', 'with / without'],
          [[f, str(n), figure(w), figure(o), figure(w / o)] for f, n, w, o in lines], markdown)


NOTABLE = ('target', 'depth buffer', 'samples', 'targets', 'write mask', 'sRGB write', 'sRGB read', 'blend',
           'alpha test', 'stencil', 'fog', 'texture', 'texture type', 'filter', 'pixel shader', 'geometry')
USUAL = {'samples=1', 'targets=1', 'write mask=rgba', 'fog=none', 'pixel shader=none', 'texture type=2D',
         'depth buffer=none'}


FORMS = {'samples': '{} samples', 'targets': '{} targets', 'write mask': 'mask {}', 'fog': 'fog {}',
         'pixel shader': 'ps {}'}


def brief(row, longest=64):
    """The state of a case in a line; lottery --describe has all of it."""
    words = []
    for feature in sorted(row.features, key=lambda feature: not feature.startswith('geometry=')):
        name, _, value = feature.partition('=')
        if name in NOTABLE and feature not in USUAL:
            words.append(name if value == 'on' else FORMS.get(name, '{}').format(value.replace(',', '')))
    while len(', '.join(words)) > longest:
        words = words[:-2] + ['...'] if words[-1] == '...' else words[:-1] + ['...']
    return ', '.join(words)


def slowest_cases(rows, ours, ratios, most, markdown):
    order = sorted(ratios, key=ratios.get)[:most]
    table(['ratio', 'ms', 'seed', 'state'],
          [[figure(ratios[c]), figure(rows[ours][c].ms), c, brief(rows[ours][c])] for c in order], markdown)


def differing_pictures(arguments, rows, pictures, ours, peers):
    lines = []
    for case, row in rows[ours].items():
        own = {p: pictures[ours, p, case] for p in peers if (ours, p, case) in pictures}
        if not own or min(d[1] for d in own.values()) <= arguments.tolerance:
            continue
        between = [d[1] for (a, b, c), d in pictures.items() if c == case and ours not in (a, b)]
        alone = 'yes' if between and min(between) <= arguments.tolerance else '-' if between else ''
        lines.append((max(d[1] for d in own.values()), case,
                      [case, '; '.join(f'{p} {d[0]}, {d[1]:.1f}' for p, d in own.items()), alone, brief(row)]))
    lines.sort(reverse=True)
    print(f'Pictures that differ from those of all peers by more than {arguments.tolerance:g}/255 in the mean: '
          f'{len(lines)}.\n"Peers agree": two peers draw the same picture.\n')
    table(['seed', 'largest, mean difference', 'peers agree', 'state'], [l[2] for l in lines[:arguments.list]],
          arguments.table)


def refusals(rows, markdown):
    lines = []
    for side, kept in rows.items():
        for status in ('refused', 'crashed', 'other picture'):
            why = collections.Counter(r.reason for r in kept.values() if r.status == status)
            lines += [[side, status, str(n), reason,
                       ', '.join([r.case for r in kept.values() if (r.status, r.reason) == (status, reason)][:8])]
                      for reason, n in why.most_common()]
    if lines:
        print('Seeds without a figure. "Other picture": the mean difference from Novem\'s picture is over 8/255.\n')
        table(['side', 'status', 'seeds', 'reason', 'such as'], lines, markdown)


def penalties(rows, sides, markdown):
    """A line for each feature: ms plain and with it, on each side."""
    ours, peers = sides[0], sides[1:]
    header = ['feature']
    for side in sides:
        header += [f'{side} plain', 'with', 'times']
    header += [(peers[0] if len(peers) == 1 else 'best peer') + ' / ' + ours] if peers else []
    lines = []
    for case in rows[ours]:
        name, _, kind = case.partition('/')
        if kind != 'with':
            continue
        line = [name]
        for side in sides:
            pair = [rows[side].get(f'{name}/{k}') for k in ('plain', 'with')]
            line += [figure(r.ms) if r and r.ms else (r.status if r else '-') for r in pair]
            line.append(figure(pair[1].ms / pair[0].ms) if all(r and r.ms for r in pair) else '-')
        if peers:
            best = [rows[p][case].ms for p in peers if rows[p].get(case) and rows[p][case].ms]
            line.append(figure(min(best) / rows[ours][case].ms) if best and rows[ours][case].ms else '-')
        lines.append(line)
    print('Processor ms a frame of a plain state, and of the same with one feature.\n')
    table(header, lines, markdown)


def report_ab(arguments, rows):
    old, new = list(rows)
    ratios = ratios_of(rows[new], rows[old])
    print(f'Processor time of a frame, {old} over {new}; above 1 {new} takes less.\n')
    distribution([(f'{old} / {new}', ratios)], arguments.table)
    print('Ratio with and without a feature, ends of the list:\n')
    effect_of_features(rows[new], ratios, arguments.list, arguments.table)
    print('The slowest seeds:\n')
    slowest_cases(rows, new, ratios, arguments.list, arguments.table)
    refusals(rows, arguments.table)
    return different_hashes(rows, old, new)


def different_hashes(rows, old, new):
    changed = [c for c, r in rows[new].items() if c in rows[old] and rows[old][c].hash != r.hash]
    if changed:
        print(f'Pixels differ in {len(changed)} cases: {", ".join(changed[:20])}')
    return 1 if changed else 0


def report_peers(arguments, rows, pictures):
    ours, *peers = list(rows)
    without_other_pictures(rows, pictures, ours)
    best = best_of(rows, peers)
    named = [(p, ratios_of(rows[ours], rows[p])) for p in peers]
    ratios = ratios_of(rows[ours], best)
    print(f'{len(rows[ours])} seeds. Processor time of a frame, peer over Novem; above 1 Novem takes less.\n')
    distribution(named + ([('best peer', ratios)] if len(peers) > 1 else []), arguments.table)
    print('Features that the slowest twentieth has at least one and a half times as often as all seeds:\n')
    shared_features(rows[ours], ratios, arguments.list, arguments.table)
    print('Ratio (best peer) with and without a feature, ends of the list:\n')
    effect_of_features(rows[ours], ratios, arguments.list, arguments.table)
    print('The slowest seeds:\n')
    slowest_cases(rows, ours, ratios, arguments.list, arguments.table)
    if pictures:
        differing_pictures(arguments, rows, pictures, ours, peers)
    refusals(rows, arguments.table)


# --- Program -------------------------------------------------------------------------------------

def arguments_of():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument('--help', action='store_true')
    parser.add_argument('--ab', nargs=2)
    parser.add_argument('--peers', action='store_true')
    parser.add_argument('--load')
    parser.add_argument('--against')
    parser.add_argument('--seeds', default='1-300')
    parser.add_argument('--penalties', action='store_true')
    parser.add_argument('--turns', type=int)
    parser.add_argument('--minutes', type=float, default=math.inf)
    parser.add_argument('--time', type=float)
    parser.add_argument('--build', default='build')
    parser.add_argument('--save')
    parser.add_argument('--list', type=int, default=15)
    parser.add_argument('--table', action='store_true')
    parser.add_argument('--bits', type=int, choices=(32, 64), default=64)
    parser.add_argument('--dll', action='append', default=[])
    parser.add_argument('--no-wined3d', action='store_true')
    parser.add_argument('--run', default='')
    parser.add_argument('--name', default='')
    parser.add_argument('--tolerance', type=float, default=1.0)
    found = parser.parse_args()
    if found.help:
        print(__doc__)
        sys.exit(0)
    if bool(found.ab) + found.peers + bool(found.load) != 1:
        parser.error('one of --ab, --peers and --load is needed')
    found.turns = found.turns or (2 if found.peers else 3)
    found.time = found.time or (150 if found.peers else 8)
    return found


def cases_of(arguments):
    if not arguments.penalties:
        seeds = []
        for text in arguments.seeds.split(','):
            if '/' in text:
                seeds.append(text)
                continue
            first, _, last = text.partition('-')
            if not first.isdigit() or not (last or first).isdigit():
                sys.exit(f'report.py: {text} is neither a seed nor a range of seeds')
            seeds += [str(n) for n in range(int(first), int(last or first) + 1)]
        return seeds
    program = os.path.join(arguments.build, 'bench/lottery')
    require(program)
    words = subprocess.run([program, '--describe', '--penalties'], stdout=subprocess.PIPE, text=True).stdout
    return [line for line in words.splitlines() if line and not line.startswith(' ')]


def show(arguments, rows, pictures):
    if arguments.name:
        print(arguments.name + '\n')
    if any('/' in case for kept in rows.values() for case in kept):
        penalties(rows, list(rows), arguments.table)
        return different_hashes(rows, *rows) if 'old' in rows else 0
    if 'old' in rows or arguments.against:
        return report_ab(arguments, rows)
    report_peers(arguments, rows, pictures)
    return 0


def main():
    arguments = arguments_of()
    if arguments.against:
        first = [next(iter(load(file)[0].values())) for file in (arguments.against, arguments.load)]
        names = [os.path.splitext(os.path.basename(file))[0] for file in (arguments.against, arguments.load)]
        sys.exit(show(arguments, dict(zip(names, first)), {}))
    if arguments.load:
        sys.exit(show(arguments, *load(arguments.load)))
    if arguments.peers and not os.environ.get('LOTTERY_DISPLAY'):
        os.environ['LOTTERY_DISPLAY'] = '1'
        os.execvp('xvfb-run', ['xvfb-run', '-a', '-s', '-screen 0 640x480x24', sys.executable, *sys.argv])
    folder = tempfile.mkdtemp(prefix='lottery-')
    try:
        sides = native_sides(arguments) if arguments.ab else wine_sides(arguments, folder)
        rows = collect(sides, cases_of(arguments), arguments.turns, arguments.minutes)
        pictures = compare_pictures(arguments, sides, rows) if arguments.peers and not arguments.penalties else {}
    finally:
        shutil.rmtree(folder)
    if arguments.save:
        save(arguments.save, rows, pictures)
    sys.exit(show(arguments, rows, pictures))


main()
