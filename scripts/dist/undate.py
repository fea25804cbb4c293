#!/usr/bin/env python3
"""Clears the date in the header of a PE file, so that the same sources give the same bytes.

usage: scripts/dist/undate.py FILE"""
import sys

if len(sys.argv) != 2:
    sys.exit(__doc__)
with open(sys.argv[1], "r+b") as file:
    file.seek(0x3C)
    header = int.from_bytes(file.read(4), "little")
    file.seek(header)
    if file.read(4) != b"PE\0\0":
        sys.exit("undate: %s is no PE file" % sys.argv[1])
    file.seek(header + 8)
    file.write(bytes(4))
