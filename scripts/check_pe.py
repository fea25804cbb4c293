#!/usr/bin/env python3
"""Checks that Windows can load dlls anywhere: base relocations, flags of the header, imports.

usage: scripts/check_pe.py DLL...

A base relocation adds the distance to the preferred base to a stored value. So each stored value must be an address
within the image, and each must have the width of the machine's pointers. In 64-bit code, offsets are relative, so
its only relocations are those of lists of pointers."""
import struct
import sys

HIGHLOW, DIR64 = 3, 10  # IMAGE_REL_BASED_*
RELOCS_STRIPPED, DYNAMIC_BASE = 0x1, 0x40
SYSTEM_DLLS = {"kernel32.dll", "msvcrt.dll", "user32.dll", "gdi32.dll"}


class Image:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        header = self.number(0x3C, 4)
        if self.data[:2] != b"MZ" or self.data[header:header + 4] != b"PE\0\0":
            raise ValueError("not a PE file")
        sections, optional_size = self.number(header + 6, 2), self.number(header + 20, 2)
        optional = header + 24
        wide = self.number(optional, 2) == 0x20B
        self.pointer = 8 if wide else 4
        self.base = self.number(optional + (24 if wide else 28), self.pointer)
        self.size = self.number(optional + 56, 4)
        self.file_flags = self.number(header + 22, 2)
        self.dll_flags = self.number(optional + 70, 2)
        self.directories = optional + (112 if wide else 96)
        self.sections = []
        for i in range(sections):
            at = optional + optional_size + 40 * i
            name = self.data[at:at + 8].rstrip(b"\0").decode()
            _, address, size, start = struct.unpack_from("<IIII", self.data, at + 8)
            self.sections.append((name, address, size, start))

    def number(self, at, width):
        return int.from_bytes(self.data[at:at + width], "little")

    def section(self, address):
        """(name, offset in the file) of an address relative to the base."""
        for name, start, size, offset in self.sections:
            if start <= address < start + size:
                return name, offset + address - start
        return None, None

    def directory(self, index):
        return struct.unpack_from("<II", self.data, self.directories + 8 * index)

    def relocations(self):
        """(address, type) of each base relocation."""
        address, size = self.directory(5)
        at = self.section(address)[1] if size else 0
        end = at + size
        while at < end:
            page, length = struct.unpack_from("<II", self.data, at)
            if length < 8:
                raise ValueError("a block of relocations has %d bytes" % length)
            for entry in range(at + 8, at + length, 2):
                word = self.number(entry, 2)
                if word >> 12:
                    yield page + (word & 0xFFF), word >> 12
            at += length

    def imports(self):
        """Names of the dlls that it needs."""
        address, size = self.directory(1)
        at = self.section(address)[1] if size else None
        while at is not None and self.number(at + 12, 4):
            name = self.section(self.number(at + 12, 4))[1]
            yield self.data[name:self.data.index(b"\0", name)].decode()
            at += 20


def faults(image):
    if image.file_flags & RELOCS_STRIPPED or not image.dll_flags & DYNAMIC_BASE:
        yield "the header forbids another base"
    previous = -image.pointer
    count = 0
    for address, kind in sorted(image.relocations()):
        count += 1
        name, at = image.section(address)
        where = "relocation at %#x in %s" % (address, name)
        if at is None:
            yield where + " lies in no section of the file"
            continue
        if kind != (DIR64 if image.pointer == 8 else HIGHLOW):
            yield "%s is of type %d" % (where, kind)
            continue
        value = image.number(at, image.pointer)
        if not image.base <= value < image.base + image.size:
            yield "%s stores %#x, which is not within the image" % (where, value)
        if address - previous < image.pointer:
            yield where + " overlaps the one before"
        previous = address
    if not count:
        yield "there are no relocations"
    for name in image.imports():
        if name.lower() not in SYSTEM_DLLS:
            yield "it needs %s" % name


def main():
    bad = 0
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for path in sys.argv[1:]:
        try:
            found = list(faults(Image(path)))
        except (OSError, ValueError, struct.error) as error:
            found = [str(error)]
        for fault in found:
            print("%s: %s" % (path, fault))
        bad += len(found)
    sys.exit(1 if bad else 0)


main()
