"""The browser: an item is searched by its name, a little in each tick, as Live builds a folder when it is first
opened. `sounds` and `drums` are never opened: listing them ended Live.
"""

from collections import deque

from .errors import Failure

# Where devices, plug-ins and presets are; those of a device stand in a folder of its name.
ROOTS = ("instruments", "audio_effects", "midi_effects", "max_for_live", "plugins", "user_library")
ENDINGS = (".amxd", ".adg", ".adv", ".vstpreset", ".aupreset")
MAX_ITEMS = 60000
MAX_DEPTH = 8
MAX_TOLD = 12


class Search:
    """Goes through folders level by level. Items whose name is the wanted one are found; a name may have the folders
    before it, with slashes."""

    def __init__(self, wanted, under):
        self.wanted = wanted
        self._words = [plain(word) for word in wanted.split("/") if word.strip()]
        self._under = plain(under) if under else None
        self._queue = None
        self._looked_at = 0
        self._found = {}

    def go_on(self, browser, time_left):
        """Whether it is done."""
        if self._queue is None:
            self._queue = deque()
            for root in ROOTS:
                item = getattr(browser, root, None)
                if item is not None:
                    self._queue.append((item, (root,)))
        while self._queue:
            item, path = self._queue.popleft()
            for child in item.children:
                self._look_at(child, path + (child.name,))
            if self._looked_at > MAX_ITEMS:
                raise Failure("refused", "the browser has more than %d items, and \"%s\" was not among them" % (
                    MAX_ITEMS, self.wanted))
            if self._queue and time_left() <= 0:
                return False
        return True

    def _look_at(self, item, path):
        self._looked_at += 1
        if item.is_loadable and self._fits(path):
            # One thing may stand in several places, with one address.
            self._found.setdefault(item.uri, (item, path))
        if (item.is_folder or item.is_device) and len(path) <= MAX_DEPTH:
            self._queue.append((item, path))

    def _fits(self, path):
        words = [plain(word) for word in path]
        if self._under is not None and self._under not in words[:-1]:
            return False
        return bool(self._words) and words[-len(self._words):] == self._words

    def item(self):
        """The one that was found, or why it is none."""
        found = list(self._found.values())
        if len(found) == 1:
            return found[0]
        if not found:
            where = " under %s" % self._under if self._under else ""
            raise Failure("refused", "Live's browser has nothing called \"%s\"%s in its devices, plug-ins, Max devices "
                          "and User Library" % (self.wanted, where))
        told = ["\"%s\"" % "/".join(path) for _, path in found[:MAX_TOLD]]
        more = " and %d more" % (len(found) - MAX_TOLD) if len(found) > MAX_TOLD else ""
        raise Failure("refused", "Live's browser has several of that name; say which: %s%s" % (", ".join(told), more))


def plain(name):
    """A name as it is compared: without its ending, in small letters."""
    name = name.strip().lower()
    for ending in ENDINGS:
        if name.endswith(ending):
            return name[:-len(ending)]
    return name
