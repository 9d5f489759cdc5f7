"""Packs the files of a release, the same bytes for the same files.

zip FOLDER ARCHIVE: all of a folder, the folder itself at the top. sums FOLDER FILE: a line of SHA-256 and name for each
file of the folder but that one.
"""

import hashlib
import os
import stat
import sys
import time
import zipfile
from pathlib import Path


def pack(folder, archive):
    # The oldest time that the format can hold.
    seconds = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315_532_800)
    moment = time.gmtime(seconds)[:6]
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in files:
            entry = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), moment)
            entry.create_system = 3  # so that the mode counts, also where it is packed on Windows
            runs = os.access(path, os.X_OK) and path.suffix != ".txt"
            entry.external_attr = (stat.S_IFREG | (0o755 if runs else 0o644)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, path.read_bytes(), compresslevel=9)


def sums(folder, file):
    files = sorted(path for path in folder.iterdir() if path.is_file() and path != file)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    file.write_bytes("".join(lines).encode())


action, source, target = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
{"zip": pack, "sums": sums}[action](source, target)
