"""Values on their way between Live and the wire.

On the wire a value is JSON's own null, truth, number or text, a list of those, `{"id": n}` for an object (0 for none),
`{"ids": [...]}` for a list of objects, or `{"struct": {...}}` for a dictionary in the shape that Max gives it.
"""

import math

import Live

from . import notes, routings
from .classes import cast_plain
from .errors import malformed, wrong_type


def plain(value):
    """A number, truth or text as JSON has it. Enums are numbers. What JSON has no number for is null."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    raise TypeError("%s is no plain value" % type(value).__name__)


def property_to_wire(visit, kind, member, value, host=None):
    """A property's value. `kind` is that of members.py."""
    if kind == "object":
        return {"id": visit.id_of(value) if value is not None and value != None else 0}  # noqa: E711
    if kind == "objects":
        return {"ids": [visit.id_of(one) if one is not None else 0 for one in value]}
    if kind in ("routing", "routings"):
        return {"struct": routings.to_struct(member, kind, value, host, visit.routing_hints)}
    if kind == "warp_markers":
        markers = [{"beat_time": plain(m.beat_time), "sample_time": plain(m.sample_time)} for m in value]
        return {"struct": {"warp_markers": markers}}
    if kind == "record":
        return {"struct": {member: _record(value)}}
    if kind == "list":
        return [_list_item(item) for item in value]
    return plain(value)


def _record(value):
    names = [name for name in ("index_in_octave", "octave", "frequency") if hasattr(value, name)]
    return {name: plain(getattr(value, name)) for name in names}


def _list_item(item):
    if isinstance(item, dict):
        return {str(key): _list_item(one) for key, one in item.items()}
    return [_list_item(one) for one in item] if isinstance(item, (tuple, list)) else plain(item)


def result_to_wire(visit, value):
    """What a function gave. Note functions answer as in Max: `{"notes": [...]}`."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return plain(value)
    if visit.classes.of(value) is not None:
        return {"id": visit.id_of(value) if value != None else 0}  # noqa: E711
    if isinstance(value, Live.Clip.MidiNoteVector):
        return {"struct": {"notes": [notes.to_dict(note) for note in value]}}
    if isinstance(value, Live.Song.BeatTime):
        return "%03d.%02d.%02d.%03d" % (value.bars, value.beats, value.sub_division, value.ticks)
    if isinstance(value, Live.Song.SmptTime):
        return "%02d:%02d:%02d:%02d" % (value.hours, value.minutes, value.seconds, value.frames)
    if isinstance(value, dict):
        return {"struct": {str(key): _list_item(one) for key, one in value.items()}}
    items = list(value)
    if items and visit.classes.of(items[0]) is not None:
        return {"ids": [visit.id_of(item) for item in items]}
    return [_list_item(item) for item in items]


def property_from_wire(visit, owner, takes, member, value):
    """What is to be written, as the setter wants it. `takes` is the kind, with the classes of an object."""
    kind = takes.split(":")[0]
    if kind == "object":
        is_none = value is None or value == {"id": 0}
        return None if is_none and takes.endswith("|None") else object_from_wire(visit, takes, member, value)
    if kind == "routing":
        return routings.chosen(owner, member, value)
    if kind == "list":
        if not isinstance(value, list):
            raise wrong_type(member, "a list")
        present = list(getattr(owner, member))
        return type(present[0])(value) if present and isinstance(present[0], tuple) else tuple(value)
    return cast_plain(kind, value, member)


def object_from_wire(visit, takes, member, value):
    """The object that a value names by a reference, of a class that fits."""
    classes = [name for name in takes.split(":")[1].split("|") if name != "None"]
    if not isinstance(value, dict):
        raise wrong_type(member, "a reference to a %s, such as {\"id\": 5}" % " or ".join(classes))
    found = visit.find(value)
    if not set(classes) & set(visit.class_of(found).lineage):
        raise wrong_type(member, "a %s" % " or ".join(classes))
    return found


def argument_from_wire(visit, function, kind, value):
    """An argument, as the C++ signature wants it."""
    kind = kind.rstrip("?")
    if kind.endswith("|None"):
        if value is None:
            return None
        kind = kind[:-len("|None")]
    if kind.startswith("object:"):
        return object_from_wire(visit, kind, function, value)
    if kind == "ints":
        return tuple(note_ids(function, value))
    if kind == "any":
        return value
    return cast_plain(kind, value, function)


def note_ids(function, value):
    if not isinstance(value, list):
        raise wrong_type(function, "a list of note ids")
    return [cast_plain("int", one, function) for one in value]


def member_name(step, key="member"):
    """The name of a member in a step; never one of Python's own."""
    name = step.get(key)
    if not isinstance(name, str) or not name or name.startswith("_"):
        raise malformed("a step's %s is a name" % key)
    return name
