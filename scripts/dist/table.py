#!/usr/bin/env python3
"""Writes the table of a release's binaries to a page, between its two marks: size, needs, who has run it.

usage: scripts/dist/table.py FOLDER PAGE     FOLDER: the archives of `make dist`

scripts/dist/binaries.tsv lists the files. An archive that is not there is left out, with a message."""
import fnmatch
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

MARKS = "<!-- binaries: begin -->", "<!-- binaries: end -->"
HERE = os.path.dirname(os.path.abspath(__file__))


def rows():
    with open(os.path.join(HERE, "binaries.tsv"), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]


def contents(path):
    """{name without the archive's folder: function that returns the bytes}"""
    if path.endswith(".zip"):
        archive = zipfile.ZipFile(path)
        files = {name: (lambda n=name: archive.read(n)) for name in archive.namelist()}
    else:
        archive = tarfile.open(path)
        files = {m.name: (lambda n=m: archive.extractfile(n).read()) for m in archive.getmembers() if m.isfile()}
    root = os.path.commonprefix([name.split("/")[0] + "/" for name in files]) if files else ""
    skip = len(root) if root.endswith("/") else 0
    return {name[skip:]: read for name, read in files.items()}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout


def elf_needs(path):
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", path))
    glibc = re.findall(r"GLIBC_([0-9.]+)", output("readelf", "-VW", path))
    newest = max((tuple(map(int, v.split("."))) for v in glibc), default=None)
    own = [n for n in needed if not re.match(r"(libc|libm|libpthread|libdl|librt|ld-linux.*)\.so", n)]
    if not needed:
        return "nothing"
    return ", ".join(["glibc %d.%d" % newest[:2]] * bool(newest) + ["`%s`" % n for n in sorted(own)])


def pe_needs(path):
    text = output("llvm-readobj-19", "--coff-imports", path)
    dlls = sorted({name.lower().replace(".dll", "") for name in re.findall(r"^ *Name: (\S+)$", text, re.M)})
    return ", ".join(dlls)


def macho_needs(path):
    """Libraries without their folder and version; a file for several processors needs the same for each."""
    text = output("llvm-objdump-19", "--macho", "--dylibs-used", path)
    names = sorted({name.split(".")[0] for name in re.findall(r"^\s+/usr/lib/(\S+) \(", text, re.M)})
    return ", ".join("`%s`" % name for name in names)


def needs(data):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        if data[:4] == b"\x7fELF":
            return elf_needs(file.name)
        return pe_needs(file.name) if data[:2] == b"MZ" else macho_needs(file.name)


def tables(folder):
    """The lines of two tables: archives, and files in them."""
    archives, files = {}, []
    for pattern, inner, system, run in rows():
        expression = re.escape(pattern).replace(r"\*", r"([0-9.]*[0-9])", 1)
        found = [a for a in sorted(os.listdir(folder)) if re.fullmatch(expression, a)]
        if not found:
            print("table: no %s in %s: left out" % (pattern, folder), file=sys.stderr)
        for name in found:
            path = os.path.join(folder, name)
            short = pattern.replace("novem-*-", "").replace("-*", "").split(".")[0]
            data = contents(path)
            for file in fnmatch.filter(data, inner):
                binary = data[file]()
                archives.setdefault(name, (os.path.getsize(path), []))[1].append(system)
                files.append("| `%s`, %s | %s | %s | %s |" % (file, short, size(len(binary)), needs(binary), run))
    yield "| archive | size | for |"
    yield "| --- | --- | --- |"
    for name, (length, systems) in archives.items():
        yield "| `%s` | %s | %s |" % (name, size(length), "; ".join(dict.fromkeys(systems)))
    yield ""
    yield "| file, archive | size | needs | has been run |"
    yield "| --- | --- | --- | --- |"
    yield from files


def size(n):
    return "%.1f MB" % (n / 1e6)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, page = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    before, after = text.split(MARKS[0])[0], text.split(MARKS[1])[1]
    body = "\n".join(tables(folder))
    with open(page, "w", encoding="utf-8") as file:
        file.write("%s%s\n\n%s\n\n%s%s" % (before, MARKS[0], body, MARKS[1], after))


main()
