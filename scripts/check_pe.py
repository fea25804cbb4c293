#!/usr/bin/env python3
"""Checks that Windows can load dlls anywhere (those for x86: Windows XP and later): base relocations, header, imports,
exports, version resource; and for ARM64, unwind data.

usage: scripts/check_pe.py DLL...

A base relocation adds the distance to the preferred base to a stored value. So each stored value must be an address
within the image, and each must have the width of the machine's pointers. In 64-bit code, offsets are relative, so
its only relocations are those of lists of pointers.

Stack walks on ARM64 need a record for each function that changes the stack pointer: a packed one or the address of a
longer one, sorted by the functions' addresses, and functions do not overlap."""
import os
import struct
import sys

HIGHLOW, DIR64 = 3, 10  # IMAGE_REL_BASED_*
RELOCS_STRIPPED, DYNAMIC_BASE = 0x1, 0x40
RT_VERSION = 16
X86, X64, ARM64 = 0x14C, 0x8664, 0xAA64  # IMAGE_FILE_MACHINE_*
OLDEST = {X86: (5, 1), X64: (5, 2), ARM64: (10, 0)}  # Windows XP; the first Windows on ARM64
SCRIPTS = os.path.dirname(os.path.abspath(__file__))


def xp_functions():
    """Functions that the dlls may import, as {dll: set of names}."""
    functions = {}
    with open(os.path.join(SCRIPTS, "windows_xp.txt"), encoding="ascii") as file:
        for line in file:
            dll, colon, names = line.partition(": ")
            if colon and not line.startswith("#"):
                functions.setdefault(dll, set()).update(names.split())
    return functions


# What the runtime of mingw-w64 imports on ARM64. All msvcrt.dll of Windows on ARM64 export it.
ARM64_FUNCTIONS = {"__C_specific_handler", "_setjmpex", "_vsnprintf", "_vsnwprintf", "fgetwc", "ldexp", "pow"}


def is_there(machine, dll, function):
    """Whether the oldest Windows for this machine has the function."""
    return (function in XP_FUNCTIONS.get(dll.lower(), ()) or
            machine == ARM64 and dll.lower() == "msvcrt.dll" and function in ARM64_FUNCTIONS)


def exports_of_source():
    """{name: ordinal} of src/api/exports.def."""
    with open(os.path.join(SCRIPTS, "..", "src", "api", "exports.def"), encoding="ascii") as file:
        lines = [line.split(";")[0].split() for line in file]
    return {words[0]: int(words[1].lstrip("@")) for words in lines if len(words) == 2}


XP_FUNCTIONS = xp_functions()
with open(os.path.join(SCRIPTS, "..", "VERSION"), encoding="ascii") as version_file:
    VERSION = version_file.read().strip()


class Image:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        header = self.number(0x3C, 4)
        if self.data[:2] != b"MZ" or self.data[header:header + 4] != b"PE\0\0":
            raise ValueError("not a PE file")
        self.machine = self.number(header + 4, 2)
        if self.machine not in OLDEST:
            raise ValueError("unknown machine %#x" % self.machine)
        sections, optional_size = self.number(header + 6, 2), self.number(header + 20, 2)
        optional = header + 24
        wide = self.number(optional, 2) == 0x20B
        self.pointer = 8 if wide else 4
        self.base = self.number(optional + (24 if wide else 28), self.pointer)
        self.size = self.number(optional + 56, 4)
        self.date = self.number(header + 8, 4)
        self.file_flags = self.number(header + 22, 2)
        self.subsystem = struct.unpack_from("<HH", self.data, optional + 48)
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
        """(dll, function) of each import; an import by number has the function "#number"."""
        address, size = self.directory(1)
        at = self.section(address)[1] if size else None
        while at is not None and self.number(at + 12, 4):
            dll = self.text(self.number(at + 12, 4))
            entry = self.section(self.number(at, 4) or self.number(at + 16, 4))[1]
            while self.number(entry, self.pointer):
                value = self.number(entry, self.pointer)
                by_number = value >> (8 * self.pointer - 1)
                yield dll, "#%d" % (value & 0xFFFF) if by_number else self.text(value + 2)
                entry += self.pointer
            at += 20

    def exports(self):
        """{name: (ordinal, address)} of each export."""
        address, size = self.directory(0)
        if not size:
            return {}
        at = self.section(address)[1]
        first, count = self.number(at + 16, 4), self.number(at + 24, 4)
        functions, names, places = (self.section(self.number(at + i, 4))[1] for i in (28, 32, 36))
        found = {}
        for i in range(count):
            place = self.number(places + 2 * i, 2)
            found[self.text(self.number(names + 4 * i, 4))] = first + place, self.number(functions + 4 * place, 4)
        return found

    def text(self, address):
        at = self.section(address)[1]
        return self.data[at:self.data.index(b"\0", at)].decode()

    def version_resource(self):
        """Bytes of the version resource, or None."""
        address, size = self.directory(2)
        root = self.section(address)[1] if size else None
        at, wanted = root, RT_VERSION
        while at is not None:
            count = self.number(at + 12, 2) + self.number(at + 14, 2)
            entries = [struct.unpack_from("<II", self.data, at + 16 + 8 * i) for i in range(count)]
            offsets = [offset for name, offset in entries if wanted in (None, name)]
            if not offsets:
                return None
            at, wanted = root + (offsets[0] & 0x7FFFFFFF), None
            if not offsets[0] >> 31:
                start, length = struct.unpack_from("<II", self.data, at)
                start = self.section(start)[1]
                return self.data[start:start + length]
        return None

    def version_strings(self):
        """{"FileVersion": "0.9.0", ...} of the version resource, and its file version as numbers."""
        data = self.version_resource()
        if data is None:
            return {}, None
        strings = {}
        for key in ("FileVersion", "ProductName", "ProductVersion", "LegalCopyright", "FileDescription"):
            name = key.encode("utf-16-le") + b"\0\0"
            at = data.find(name)
            if at >= 0:
                at = at - 6 + (len(name) + 6 + 3) // 4 * 4
                strings[key] = data[at:].decode("utf-16-le", "replace").split("\0")[0]
        fixed = data.find(struct.pack("<I", 0xFEEF04BD))
        high, low = struct.unpack_from("<II", data, fixed + 8)
        return strings, (high >> 16, high & 0xFFFF, low >> 16, low & 0xFFFF)


def windows_faults(image):
    """What hinders Windows XP from loading it, and faults of the version resource."""
    if image.subsystem > OLDEST[image.machine]:
        yield "the header demands Windows %d.%d" % image.subsystem
    for dll, function in image.imports():
        if not is_there(image.machine, dll, function):
            yield "it needs %s of %s, which scripts/windows_xp.txt does not list" % (function, dll)
    strings, numbers = image.version_strings()
    for key in ("FileVersion", "ProductVersion"):
        if strings.get(key) != VERSION:
            yield "the version resource has %s %s instead of %s" % (key, strings.get(key), VERSION)
    if strings.get("ProductName") != "Novem" or not strings.get("LegalCopyright") or not strings.get("FileDescription"):
        yield "the version resource lacks ProductName, LegalCopyright or FileDescription"
    if numbers != tuple(int(part) for part in VERSION.split(".")) + (0,):
        yield "the version resource has the numbers %s" % (numbers,)


def unwind_faults(image):
    """Faults of the table of functions of ARM64, which stack walks use."""
    address, size = image.directory(3)
    if not size:
        yield "there is no table of functions for stack walks"
        return
    at, end = image.section(address)[1], 0
    for entry in range(at, at + size, 8):
        start, data = struct.unpack_from("<II", image.data, entry)
        length = (data >> 2 & 0x7FF) * 4
        if not data & 3:
            record = image.section(data)[1]
            if record is None:
                yield "the record of the function at %#x is not in the file" % start
                continue
            length = (image.number(record, 4) & 0x3FFFF) * 4
        if image.section(start)[0] != ".text" or start < end or not length:
            yield "the function at %#x has %d bytes and follows one that ends at %#x" % (start, length, end)
        end = start + length


def export_faults(image):
    wanted, found = exports_of_source(), image.exports()
    for name, ordinal in wanted.items():
        if name not in found:
            yield "it does not export %s" % name
        elif found[name][0] != ordinal:
            yield "%s has the ordinal %d instead of %d" % (name, found[name][0], ordinal)
    for name, (_, address) in found.items():
        if name not in wanted:
            yield "it exports %s, which src/api/exports.def does not list" % name
        elif image.section(address)[0] != ".text":
            yield "%s is not code" % name


def faults(image):
    if image.file_flags & RELOCS_STRIPPED or not image.dll_flags & DYNAMIC_BASE:
        yield "the header forbids another base"
    if image.date:
        yield "the header has a date: another build would have other bytes"
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
    yield from export_faults(image)
    if image.machine == ARM64:
        yield from unwind_faults(image)
    yield from windows_faults(image)


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
