"""Which script this is, and which protocol it speaks."""

import hashlib
import os

SCRIPT_VERSION = "0.1.0"

# docs/live-protocol.md describes it. Both sides name it in their first frame and refuse another one.
PROTOCOL = 1


def source_hash():
    """SHA-256 of the script's own files as they lie on disk, so that the other side sees whether they are the ones it
    brought; empty where they cannot be read."""
    folder = os.path.dirname(os.path.abspath(__file__))
    digest = hashlib.sha256()
    try:
        for name in sorted(os.listdir(folder)):
            if name.endswith(".py"):
                with open(os.path.join(folder, name), "rb") as file:
                    digest.update(name.encode("utf-8") + b"\0" + file.read() + b"\0")
    except OSError:
        return ""
    return digest.hexdigest()
