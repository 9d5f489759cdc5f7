"""Finds the files that say where a device listens: `{"port", "token", "protocol", "pid", "kind"}`.

A device writes one into `~/.svc/bridge/`, named after its process. The plugin of this Set runs in this very process, so
the file with our own number is the right one; without it the newest of a standalone is. `SVC_BRIDGE_FILE` names the
only one that is looked at.
"""

import json
import os

MAX_BYTES = 4096


class BridgeFile:
    def __init__(self, path, port, token):
        self.path = path
        self.port = port
        self.token = token


def candidates(log):
    """The files to try, the best first. Those that cannot be trusted or read are left out."""
    only = os.environ.get("SVC_BRIDGE_FILE")
    if only:
        return _readable([only], log)
    folder = os.path.join(os.path.expanduser("~"), ".svc", "bridge")
    own = os.path.join(folder, "%d.json" % os.getpid())
    if os.path.exists(own):
        return _readable([own], log)
    return _readable(_newest_first(folder), log, only_standalone=True)


def _newest_first(folder):
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return []
    dated = []
    for name in names:
        path = os.path.join(folder, name)
        try:
            dated.append((os.stat(path).st_mtime, path))
        except OSError:
            continue
    return [path for _, path in sorted(dated, reverse=True)]


def _readable(paths, log, only_standalone=False):
    found = []
    for path in paths:
        read = _read(path, log)
        if read is None:
            continue
        file, kind = read
        if only_standalone and kind != "standalone":
            continue
        found.append(file)
    return found


def _read(path, log):
    try:
        if not _is_private(path):
            log.say_seldom(path, "%s is left alone: only this user may read and write it (mode 600)" % path)
            return None
        with open(path, "rb") as file:
            told = json.loads(file.read(MAX_BYTES).decode("utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(told, dict):
        return None
    port, token = told.get("port"), told.get("token")
    if not isinstance(port, int) or isinstance(port, bool) or not 0 < port < 65536:
        return None
    if not isinstance(token, str) or not token:
        return None
    return BridgeFile(path, port, token), told.get("kind")


def _is_private(path):
    """Whether nobody else could have written it: who does could drive Live. Windows keeps homes apart itself."""
    if os.name != "posix":
        return True
    about = os.stat(path)
    return about.st_uid == os.getuid() and about.st_mode & 0o077 == 0
