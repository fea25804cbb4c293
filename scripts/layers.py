#!/usr/bin/env python3
"""Checks the order of folders and modules (sub-folders): which file may include and call which.

Usage: layers.py [--folder NAME] [CHECKOUT] [BUILD]

scripts/layers.txt has the ranks. A file may include
  - headers of its own module,
  - interfaces of lower modules of its folder, and the folder's own public headers,
  - public headers of lower folders.
If BUILD has objects, calls are checked too: a file calls functions of its own module, of lower modules and of lower
folders, and no two files call each other in a circle. Calls through pointers are not seen, which is meant: whoever
passes a function down does it on purpose. Prints each violation and ends with status 1 if there is one.
"""
import collections
import os
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


class Layers:
    """The contents of layers.txt."""

    def __init__(self, path):
        self.folder_rank = {}
        self.modules = {}
        self.public = collections.defaultdict(list)
        self.interfaces = set()
        self.up = {}
        self.cycles = []
        self.used = set()
        for number, line in enumerate(open(path, encoding='utf-8'), 1):
            line = line.strip()
            if not line or line.startswith('#'):
                continue
            verb, _, rest = line.partition(' ')
            head, _, tail = rest.partition(':')
            if verb == 'folders':
                for rank, names in enumerate(rest.split()):
                    for name in names.split('='):
                        self.folder_rank[name] = rank
            elif verb == 'modules':
                self.modules[head.strip()] = {n: r for r, names in enumerate(tail.split()) for n in names.split('=')}
            elif verb == 'public':
                self.public[head.strip()] += tail.split()
            elif verb == 'interface':
                self.interfaces |= set(rest.split())
            elif verb in ('up', 'cycle') and not tail.strip():
                sys.exit(f'{path}:{number}: {verb} without a reason')
            elif verb == 'up':
                source, target = head.split()
                self.up[(source, target)] = number
            elif verb == 'cycle':
                self.cycles.append((set(head.split()), number))
            else:
                sys.exit(f'{path}:{number}: unknown word {verb}')

    def allowed_up(self, source, *targets):
        for target in targets:
            if (source, target) in self.up:
                self.used.add((source, target))
                return True
        return False

    def is_public(self, path):
        folder, _, rest = path.partition('/')
        return any(re.fullmatch(pattern, rest) for pattern in self.public.get(folder, [folder + r'\.h']))

    def is_interface(self, path):
        parts = path.split('/')
        return path in self.interfaces or (len(parts) > 2 and parts[-1] == parts[-2] + '.h')

    def module_rank(self, folder, module):
        return self.modules[folder].get(module)


def place(path):
    """Folder and module of a file below src."""
    parts = path.split('/')
    return parts[0], parts[1] if len(parts) > 2 else '.'


def fork(source, target):
    """The innermost folder that has both files, and the module of each in it."""
    a, b = source.split('/'), target.split('/')
    depth = 1
    while depth < min(len(a), len(b)) - 1 and a[depth] == b[depth]:
        depth += 1
    return ('/'.join(a[:depth]), a[depth] if len(a) > depth + 1 else '.', b[depth] if len(b) > depth + 1 else '.')


def check_include(layers, source, target):
    """What is wrong with source including target, or None."""
    folder, to = place(source)[0], place(target)[0]
    if to not in layers.folder_rank:
        return None
    if folder not in layers.folder_rank:
        return f'layers.txt has no folder {folder}'
    if folder != to:
        if layers.folder_rank[to] >= layers.folder_rank[folder]:
            return f'{to} is not below {folder}'
        return None if layers.is_public(target) else f'it is private to {to}'
    folder, module, to_module = fork(source, target)
    if module == to_module or folder not in layers.modules:
        return None
    if to_module == '.' and (layers.is_public(target) or layers.is_interface(target)):
        return None
    low, high = layers.module_rank(folder, to_module), layers.module_rank(folder, module)
    if low is None or high is None:
        return f'layers.txt has no module {folder}/{to_module if low is None else module}'
    if low >= high:
        return f'{folder}/{to_module} is not below {folder}/{module}'
    if to_module != '.' and not (layers.is_interface(target) or layers.is_public(target)):
        return f'it is private to {folder}/{to_module}'
    return None


def includes(root, only):
    src = os.path.join(root, 'src')
    for base, _, names in sorted(os.walk(src)):
        for name in sorted(names):
            if name.endswith(('.c', '.h', '.cpp')):
                path = os.path.relpath(os.path.join(base, name), src)
                if only and path.split('/')[0] != only:
                    continue
                text = open(os.path.join(base, name), encoding='utf-8').read()
                for target in INCLUDE.findall(text):
                    yield path, target


def source_of(root, stem):
    for suffix in ('.c', '.cpp'):
        if os.path.exists(os.path.join(root, 'src', stem + suffix)):
            return stem + suffix
    return None


def symbols(root, build):
    """Defined and undefined symbols of each source file, of all its instruction sets."""
    defined, wanted = {}, collections.defaultdict(set)
    top = os.path.join(build, 'obj')
    objects = [os.path.join(b, n) for b, _, ns in os.walk(top) for n in ns if n.endswith('.o')]
    known = []
    for path in objects:
        stem = re.sub(r'(\.[a-z0-9]+)?\.o$', '', os.path.relpath(path, top))
        source = source_of(root, stem)
        if not source:
            continue
        if os.path.getmtime(path) < os.path.getmtime(os.path.join(root, 'src', source)):
            print(f'lint: {path} is older than its source, so its calls are not checked', file=sys.stderr)
            continue
        known.append((path, source))
    owner = dict(known)
    for start in range(0, len(known), 200):
        paths = [p for p, _ in known[start:start + 200]]
        out = subprocess.run(['nm', '-A', *paths], capture_output=True, text=True, check=True).stdout
        for line in out.splitlines():
            path, _, rest = line.partition(':')
            kind, name = rest.split()[-2:]
            if kind in 'Uw':
                wanted[owner[path]].add(name)
            elif kind.isupper() or kind == 'V':
                defined[name] = owner[path]
    return defined, wanted


def components(graph):
    """Strongly connected components with more than one member (Tarjan, without recursion)."""
    index, low, on, stack, result, count = {}, {}, set(), [], [], 0
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = count = count + 1
        stack.append(root)
        on.add(root)
        while work:
            node, children = work[-1]
            for child in children:
                if child not in index:
                    index[child] = low[child] = count = count + 1
                    stack.append(child)
                    on.add(child)
                    work.append((child, iter(sorted(graph[child]))))
                    break
                if child in on:
                    low[node] = min(low[node], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = set()
                    while True:
                        member = stack.pop()
                        on.discard(member)
                        part.add(member)
                        if member == node:
                            break
                    if len(part) > 1:
                        result.append(part)
    return result


def main():
    args = sys.argv[1:]
    only = None
    if '--folder' in args:
        at = args.index('--folder')
        only = args[at + 1]
        del args[at:at + 2]
    root = args[0] if args else '.'
    build = args[1] if len(args) > 1 else os.path.join(root, 'build')
    layers = Layers(os.path.join(root, 'scripts', 'layers.txt'))
    bad = []
    headers = collections.defaultdict(set)
    for source, target in includes(root, only):
        if source.endswith('.h') and target.endswith('.h'):
            headers[source].add(target)
        wrong = check_include(layers, source, target)
        if wrong and not layers.allowed_up(source, target):
            bad.append(f'{source} includes {target}: {wrong}')
    for part in components(headers | {t: set() for s in list(headers.values()) for t in s if t not in headers}):
        bad.append('headers include each other: ' + ' '.join(sorted(part)))

    if not os.path.isdir(os.path.join(build, 'obj')):
        print(f'lint: {build} has no objects, so calls are not checked', file=sys.stderr)
    else:
        defined, wanted = symbols(root, build)
        graph = collections.defaultdict(set)
        via = {}
        for source, names in wanted.items():
            if only and place(source)[0] != only:
                continue
            for name in names:
                target = defined.get(name)
                if not target or target == source:
                    continue
                folder, to = place(source)[0], place(target)[0]
                inner, module, to_module = fork(source, target)
                if to == folder:
                    graph[source].add(target)
                    via.setdefault((source, target), set()).add(name)
                if to != folder:
                    wrong = layers.folder_rank[to] >= layers.folder_rank[folder]
                elif module != to_module and inner in layers.modules:
                    wrong = (layers.module_rank(inner, to_module) or 0) >= (layers.module_rank(inner, module) or 0)
                else:
                    wrong = False
                if wrong and not layers.allowed_up(source, name, target):
                    bad.append(f'{source} calls {name} of {target}, which is not below it')
        for node in list(graph):
            for child in graph[node]:
                graph.setdefault(child, set())
        for part in components(graph):
            listed = [number for files, number in layers.cycles if part <= files]
            if listed:
                layers.used.update(('cycle', n) for n in listed)
            else:
                arrows = sorted(f'{a} -> {b} ({", ".join(sorted(via[(a, b)])[:3])})'
                                for a in part for b in graph[a] if b in part)
                bad.append('files call each other: ' + ' '.join(sorted(part)) + '\n    ' + '\n    '.join(arrows))
        if not only:
            for pair, number in layers.up.items():
                if pair not in layers.used:
                    bad.append(f'scripts/layers.txt:{number}: nothing needs this line')
            for files, number in layers.cycles:
                if ('cycle', number) not in layers.used:
                    bad.append(f'scripts/layers.txt:{number}: nothing needs this line')
    for line in bad:
        print('lint:', line, file=sys.stderr)
    sys.exit(1 if bad else 0)


main()
