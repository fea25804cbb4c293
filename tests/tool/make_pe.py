#!/usr/bin/env python3
"""Writes small PE files for tests: headers, an import table, a version resource; no code.

Each line of standard input describes one:

    FILE [MACHINE] [dll] [imports=A.dll,B.dll] [delayed=C.dll] [version=0.9.0] [product=Novem] [managed]

MACHINE is a name of MACHINES; x86-64 without one. `version` makes a version resource.
"""
import struct
import sys

MACHINES = {"x86": 0x14c, "x86-64": 0x8664, "arm64": 0xaa64, "itanium": 0x200}
BASE, SECTION, START = 0x400000, 0x1000, 0x400  # START: offset of the section in the file


def string(key, value):
    """A String of a version resource, with its length and aligned to 4 bytes."""
    body = b"\0\0\1\0" + (key + "\0").encode("utf-16le")
    body += b"\0" * (-(len(body) + 2) % 4) + (value + "\0").encode("utf-16le")
    return struct.pack("<H", len(body) + 2) + body + b"\0" * (-(len(body) + 2) % 4)


def tables(imports, delayed, version, product):
    """The contents of the section, and the addresses of its import tables; 0: there is none."""
    names, data = {}, bytearray()
    for name in imports + delayed:
        names[name] = SECTION + len(data)
        data += name.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    import_at = SECTION + len(data) if imports else 0
    for name in imports:
        data += struct.pack("<5I", SECTION, 0, 0, names[name], SECTION)
    data += b"\0" * 20
    delay_at = SECTION + len(data) if delayed else 0
    for name in delayed:
        data += struct.pack("<8I", 1, names[name], 0, 0, 0, 0, 0, 0)
    data += b"\0" * (32 + -len(data) % 4)
    if version:
        data += string("InternalName", "d3d9") + string("ProductName", product) + string("ProductVersion", version)
    return bytes(data), import_at, delay_at


def write(path, options):
    value = {o.split("=")[0]: o.split("=")[1] for o in options if "=" in o}
    machine = next((MACHINES[o] for o in options if o in MACHINES), MACHINES["x86-64"])
    wide = machine not in (MACHINES["x86"],)
    listed = [[n for n in value.get(k, "").split(",") if n] for k in ("imports", "delayed")]
    data, import_at, delay_at = tables(*listed, value.get("version"), value.get("product", "Novem"))
    directories = [[0, 0] for _ in range(16)]
    directories[1][0], directories[13][0] = import_at, delay_at
    directories[14][0] = SECTION if "managed" in options else 0
    if wide:
        optional = struct.pack("<H22xQ76xI", 0x20b, BASE, 16)
    else:
        optional = struct.pack("<H26xI60xI", 0x10b, BASE, 16)
    optional += b"".join(struct.pack("<2I", *d) for d in directories)
    flags = 0x2002 if "dll" in options else 2
    head = b"MZ" + b"\0" * 58 + struct.pack("<I", 64) + b"PE\0\0"
    head += struct.pack("<2H12x2H", machine, 1, len(optional), flags) + optional
    head += struct.pack("<8s4I16x", b".data", len(data), SECTION, len(data), START)
    with open(path, "wb") as file:
        file.write(head.ljust(START, b"\0") + data)


for line in sys.stdin:
    write(line.split()[0], line.split()[1:])
