"""The classes of Live's objects: which one an object is of, what it has, and of what kind that is."""

import math

import Live

from .errors import Failure, bad_arguments, unknown_member, wrong_type
from .members import MEMBERS
from .newer import NEWER, NOT_CARRIED, SINCE


class Member:
    """A property: its kind, with the classes of what can be written, and whether it can be written and listened to."""

    def __init__(self, text):
        self.takes = text.rstrip("=*")
        self.kind = self.takes.split(":")[0]
        self.settable = "=" in text
        self.listenable = "*" in text


class ClassInfo:
    """A class with all that it inherits."""

    def __init__(self, name, live_class):
        self.name = name
        self.live_class = live_class
        self.properties = {}
        self.functions = {}
        # What the running Live was seen to have.
        self._seen = set()
        lineage = []
        at = name
        while at is not None:
            lineage.append(at)
            at = MEMBERS[at]["extends"]
        for ancestor in reversed(lineage):
            for read in (MEMBERS[ancestor], NEWER.get(ancestor, {})):
                for member, text in read.get("properties", {}).items():
                    self.properties[member] = Member(text)
                self.functions.update(read.get("functions", {}))
        self.lineage = lineage

    def has(self, member):
        """Whether the running Live has it."""
        if member not in self._seen and hasattr(self.live_class, member):
            self._seen.add(member)
        return member in self._seen

    def property(self, member):
        """The property, or why there is none."""
        about = self.properties.get(member)
        if about is None:
            raise self._unknown(member)
        self._require(member)
        return about

    def writable(self, member):
        about = self.property(member)
        if not about.settable:
            raise Failure("read_only", "%s cannot be written" % member, member=member)
        return about

    def function(self, member):
        """The kinds of the function's arguments."""
        if member not in self.functions:
            raise self._unknown(member)
        self._require(member)
        return self.functions[member].split()

    def _unknown(self, member):
        what = NOT_CARRIED.get("%s.%s" % (self.name, member))
        if what is not None:
            return Failure("unable", "the script does not carry %s" % what)
        return unknown_member(self.name, member)

    def _require(self, member):
        """Says which Live is needed, where the running one lacks what another has."""
        if self.has(member):
            return
        since = [SINCE[name + "." + member] for name in self.lineage if name + "." + member in SINCE]
        if since:
            raise Failure("unable", "%s.%s needs Live %s" % (self.name, member, since[0]), needs=since[0])
        raise unknown_member(self.name, member)


def _live_class(path):
    at = Live
    for word in path.split("."):
        at = getattr(at, word, None)
        if at is None:
            return None
    return at


class Classes:
    """Every class that the running Live has."""

    def __init__(self):
        self.by_name = {}
        for name, about in MEMBERS.items():
            live_class = _live_class(about["stub"])
            if live_class is not None:
                self.by_name[name] = ClassInfo(name, live_class)
        # What inherits comes before what it inherits from, so that the first that fits is the nearest.
        self._ordered = sorted(self.by_name.values(), key=lambda info: -len(info.lineage))
        self._by_type = {}

    def of(self, obj):
        """The class of a Live object; `None` of what is no object of the model."""
        kind = type(obj)
        if kind not in self._by_type:
            fits = [info for info in self._ordered if isinstance(obj, info.live_class)]
            self._by_type[kind] = fits[0] if fits else None
        return self._by_type[kind]

    def capabilities(self):
        """Members that not every Live has: what this one has, and what it would need for the rest."""
        have, needs = [], {}
        for name, since in sorted(SINCE.items()):
            owner, member = name.rsplit(".", 1)
            info = self.by_name.get(owner)
            if info is not None and info.has(member):
                have.append(name)
            else:
                needs[name] = since
        return have, needs


def check_count(function, kinds, args):
    """Refuses a number of arguments that the function does not take."""
    needed = len([kind for kind in kinds if not kind.endswith("?")])
    if not needed <= len(args) <= len(kinds):
        raise bad_arguments(function, described(kinds))


def described(kinds):
    words = [kind.split(":")[-1].replace("|", " or ") for kind in kinds]
    return "(%s)" % ", ".join("[%s]" % word[:-1] if word.endswith("?") else word for word in words)


def cast_plain(kind, value, member):
    """A number, truth or text as Live's C++ wants it: JSON turns 4.0 into 4, and a float where an int belongs fails."""
    if isinstance(value, float) and not math.isfinite(value):
        raise wrong_type(member, "a finite number")
    if kind == "bool":
        if isinstance(value, bool) or value in (0, 1) and isinstance(value, (int, float)):
            return bool(value)
        raise wrong_type(member, "true or false")
    if kind == "int":
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value):
            return int(value)
        if isinstance(value, bool):
            return int(value)
        raise wrong_type(member, "a whole number")
    if kind == "float":
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
        raise wrong_type(member, "a number")
    if kind == "str":
        if isinstance(value, str):
            return value
        raise wrong_type(member, "a text")
    raise wrong_type(member, "no value that can be sent")
