#!/usr/bin/env python3
"""Checks that macOS can load files of Novem: processors, least version, libraries, protection, signature, exports.

usage: scripts/check_macho.py [--least VERSION] FILE...     default: 11.0

Apple silicon starts signed files alone: each page has a hash in the signature, and a changed page stops the program.
Its pages have 16 KiB. A file for several processors holds one whole file for each; each is checked."""
import argparse
import fnmatch
import hashlib
import os
import re
import struct
import sys

X64, ARM64 = 0x01000007, 0x0100000C  # CPU_TYPE_*
NAMES = {X64: "x86_64", ARM64: "arm64"}
PAGE = {X64: 0x1000, ARM64: 0x4000}
PROGRAM, LIBRARY = 2, 6  # MH_EXECUTE, MH_DYLIB
PIE = 0x200000
SEGMENT, LOAD, ID, SIGNATURE, LEAST_OLD, LEAST = 0x19, 0xC, 0xD, 0x1D, 0x24, 0x32  # LC_*
LOADS = {LOAD, 0x80000018, 0x8000001F, 0x20, 0x80000023}  # also weak, re-exported, lazy, upward
DYLD_INFO, EXPORTS_TRIE = (0x22, 0x80000022), 0x80000033
MACOS = 1  # PLATFORM_MACOS
WRITE, EXECUTE = 2, 4
SYSTEM = "/usr/lib/libSystem.B.dylib"
MAP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "api", "libnovem.map")


def patterns_of_source():
    """Names that src/api/libnovem.map exports, as the linker of macOS writes them."""
    with open(MAP, encoding="ascii") as file:
        text = file.read().split("global:")[1].split("local:")[0]
    return ["_" + name for name in re.findall(r"^ *([A-Za-z0-9_*]+);$", text, re.M)]


def slices(data):
    """(processor, bytes) of each file within the file."""
    if data[:4] != b"\xca\xfe\xba\xbe":
        return [(struct.unpack_from("<I", data, 4)[0], data)]
    found = []
    for i in range(struct.unpack_from(">I", data, 4)[0]):
        processor, _, start, size, _ = struct.unpack_from(">5I", data, 8 + 20 * i)
        if start % PAGE.get(processor, 1):
            raise ValueError("the part at %#x does not begin with a page" % start)
        found.append((processor, data[start:start + size]))
    return found


class Image:
    def __init__(self, data):
        self.data = data
        magic, self.processor, _, self.kind, count, _, self.flags = struct.unpack_from("<7I", data)
        if magic != 0xFEEDFACF or self.processor not in NAMES:
            raise ValueError("not a file of a known processor for macOS")
        self.commands, at = [], 32
        for _ in range(count):
            command, size = struct.unpack_from("<II", data, at)
            self.commands.append((command, at, size))
            at += size

    def of(self, *kinds):
        """Places of the commands of these kinds."""
        return [at for command, at, _ in self.commands if command in kinds]

    def word(self, at):
        return struct.unpack_from("<I", self.data, at)[0]

    def text(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode()

    def libraries(self):
        return [self.text(at + self.word(at + 8)) for at in self.of(*LOADS)]

    def segments(self):
        """(name, address, size, offset in the file, first protection)"""
        for at in self.of(SEGMENT):
            address, size, offset, _ = struct.unpack_from("<4Q", self.data, at + 24)
            yield self.data[at + 8:at + 24].rstrip(b"\0").decode(), address, size, offset, self.word(at + 60)

    def least(self):
        """The least version as (major, minor), or None if it is not for macOS."""
        versions = [self.word(at + 12) for at in self.of(LEAST) if self.word(at + 8) == MACOS]
        versions += [self.word(at + 8) for at in self.of(LEAST_OLD)]
        return (versions[0] >> 16, versions[0] >> 8 & 0xFF) if versions else None

    def exports(self):
        """Names in the trie that dyld searches."""
        places = [(self.word(at + 40), self.word(at + 44)) for at in self.of(*DYLD_INFO)]
        places += [(self.word(at + 8), self.word(at + 12)) for at in self.of(EXPORTS_TRIE)]
        names = []
        for start, size in places:
            if size:
                self.walk(start, 0, b"", names)
        return names

    def number(self, at):
        """A number in LEB128, and the place after it."""
        value = shift = 0
        while True:
            byte = self.data[at]
            value |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                return value, at

    def walk(self, start, node, prefix, names):
        size, at = self.number(start + node)
        if size:
            names.append(prefix.decode())
        at += size
        count = self.data[at]
        at += 1
        for _ in range(count):
            end = self.data.index(b"\0", at)
            label = self.data[at:end]
            child, at = self.number(end + 1)
            self.walk(start, child, prefix + label, names)


def signature_faults(image):
    """Faults of the signature: there is one, and its hashes are those of the pages."""
    places = image.of(SIGNATURE)
    if not places:
        if image.processor == ARM64:
            yield "there is no signature: Apple silicon does not start it"
        return
    start = image.word(places[0] + 8)
    magic, _, count = struct.unpack_from(">3I", image.data, start)
    directories = [start + offset for kind, offset in
                   (struct.unpack_from(">II", image.data, start + 12 + 8 * i) for i in range(count)) if kind == 0]
    if magic != 0xFADE0CC0 or not directories:
        yield "the signature has no list of hashes"
        return
    at = directories[0]
    _, _, _, _, hashes, _, _, pages, limit, size, kind, _, shift = struct.unpack_from(">9I4B", image.data, at)
    if (size, kind) != (32, 2):
        yield "the signature's hashes are of kind %d" % kind
        return
    if limit != start or pages != (limit + (1 << shift) - 1) >> shift:
        yield "the signature covers %#x bytes in %d pages, and the file has %#x before it" % (limit, pages, start)
    for page in range(pages):
        data = image.data[page << shift:min((page + 1) << shift, limit)]
        place = at + hashes + size * page
        if hashlib.sha256(data).digest() != image.data[place:place + size]:
            yield "page %d differs from its hash" % page


def export_faults(image):
    names, patterns = image.exports(), patterns_of_source()
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            yield "it does not export %s" % pattern
    for name in names:
        if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
            yield "it exports %s, which src/api/libnovem.map does not list" % name


def faults(image, least):
    if image.kind not in (PROGRAM, LIBRARY):
        yield "it is neither a program nor a library"
    if image.kind == PROGRAM and not image.flags & PIE:
        yield "the header forbids another base"
    version = image.least()
    if version != least:
        yield "it needs macOS %s instead of %d.%d" % ("%d.%d" % version if version else "?", *least)
    for library in image.libraries():
        if library != SYSTEM:
            yield "it needs %s" % library
    for name, address, _, offset, protection in image.segments():
        if address % PAGE[image.processor] or offset % PAGE[image.processor]:
            yield "the segment %s does not begin with a page" % name
        if protection & WRITE and protection & EXECUTE:
            yield "the segment %s can be written and executed" % name
    yield from signature_faults(image)
    if image.kind == LIBRARY:
        yield from export_faults(image)
        if [image.text(at + image.word(at + 8)) for at in image.of(ID)] != ["@rpath/libnovem.dylib"]:
            yield "its own name is not @rpath/libnovem.dylib"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", default="11.0")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    least = tuple(int(part) for part in options.least.split("."))
    bad = 0
    for path in options.files:
        try:
            with open(path, "rb") as file:
                found = [("%s: " % NAMES.get(processor, processor)) + fault
                         for processor, data in slices(file.read()) for fault in faults(Image(data), least)]
        except (OSError, ValueError, IndexError, struct.error) as error:
            found = [str(error)]
        for fault in found:
            print("%s: %s" % (path, fault))
        bad += len(found)
    sys.exit(1 if bad else 0)


main()
