#!/usr/bin/env python3
"""Packs the files of a folder as a zip archive, with the date SOURCE_DATE_EPOCH: the same files give the same bytes.

usage: scripts/dist/zip.py FOLDER ARCHIVE [PREFIX]     PREFIX: of the names in the archive"""
import os
import sys
import time
import zipfile

if len(sys.argv) not in (3, 4):
    sys.exit(__doc__)
folder, out, prefix = (sys.argv + [""])[1:4]
date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
paths = sorted(os.path.relpath(os.path.join(d, f), folder) for d, _, files in os.walk(folder) for f in files)
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in paths:
        source = os.path.join(folder, path)
        info = zipfile.ZipInfo(os.path.join(prefix, path), date)
        info.external_attr = (0o755 if path.endswith((".exe", ".dll")) else 0o644) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        with open(source, "rb") as file:
            archive.writestr(info, file.read())
