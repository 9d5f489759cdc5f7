"""The primitive steps of a program. Each gives what its answer holds, and leaves what later steps may refer to."""

from . import envelopes, functions, notes
from .classes import cast_plain
from .errors import Failure, malformed, no_object
from .values import member_name, property_from_wire, result_to_wire

MAX_LABELS = 1024


def resolve(visit, step):
    """The object of a path; `{"id": 0}` where there is none."""
    found = visit.at_path(step.get("path"))
    visit.made.append(found)
    return {"id": visit.id_of(found) if found is not None else 0}


def exists(visit, step):
    """Whether a reference leads to an object."""
    try:
        found = visit.find(step.get("of", {}))
    except Failure as failure:
        if failure.code != "no_object":
            raise
        found = None
    visit.made.append(found)
    return {"id": visit.id_of(found) if found is not None else 0}


def get(visit, step):
    """A property, a child or a child list."""
    obj, member = _object_and_member(visit, step)
    about = visit.class_of(obj).property(member)
    if about.kind in ("object", "objects"):
        return _children_of(visit, obj, member, about.kind == "objects")
    visit.made.append(None)
    return visit.read(obj, member)


def _children_of(visit, obj, member, is_list):
    numbers = visit.child_ids(obj, visit.id_of(obj), member, is_list)
    objects = [visit.object(number) for number in numbers]
    if is_list:
        visit.made.append(objects)
        return {"ids": numbers}
    visit.made.append(objects[0] if objects else None)
    return {"id": numbers[0] if numbers else 0}


def child(visit, step):
    """The one child at `index`, without the ids of its neighbours; `{"id": 0}` where there is none."""
    obj, member = _object_and_member(visit, step)
    about = visit.child_property(obj, member)
    index = step.get("index", 0)
    value = getattr(obj, member)
    children = value if about.kind == "objects" else [value]
    found = children[index] if isinstance(index, int) and 0 <= index < len(children) else None
    found = found if found is not None and found != None else None  # noqa: E711
    number = _free_number(visit, step)
    visit.made.append(found)
    return _numbered(visit, found, number) if found is not None else {"id": 0}


def count(visit, step):
    """How many objects a child list holds; of a single child 1 or 0."""
    obj, member = _object_and_member(visit, step)
    visit.made.append(None)
    return visit.count(obj, member)


def set_member(visit, step):
    """Writes a property or a child. Gives what it reads back as, at once."""
    obj, member = _object_and_member(visit, step)
    if "value" not in step:
        raise malformed("a set has a value")
    about = visit.class_of(obj).writable(member)
    setattr(obj, member, property_from_wire(visit, obj, about.takes, member, step["value"]))
    visit.moved()
    visit.made.append(None)
    return visit.read(obj, member)


def call(visit, step):
    """Calls a function."""
    obj = visit.find(step.get("of", {}))
    function = step.get("function")
    args = step.get("args", [])
    if not isinstance(function, str) or not isinstance(args, list):
        raise malformed("a call has function, a name, and args, a list")
    number = _free_number(visit, step)
    given = functions.call(visit, obj, function, args)
    visit.moved()
    info = visit.classes.of(given)
    is_object = info is not None
    if is_object and number is not None:
        visit.table.promise(given._live_ptr, info.name, number)
    visit.made.append(given if is_object else None)
    return result_to_wire(visit, given)


def delete(visit, step):
    """Deletes an object, wherever in its list it stands by now."""
    number, entry, holder = _placed(visit, step)
    name, args = DELETES.get(entry.name, (None, None))
    if name is None or name not in visit.class_of(holder).functions:
        raise Failure("refused", "no function of Live deletes a %s of %s" % (entry.class_name, entry.name))
    functions.call(visit, holder, name, args(number, entry))
    visit.moved()
    visit.made.append(None)


def duplicate(visit, step):
    """Copies a track or scene, or a clip onto another slot. Gives the copy, not what came along inside it."""
    number, entry, holder = _placed(visit, step)
    free = _free_number(visit, step)
    if entry.name == "clip" and isinstance(step.get("onto"), dict):
        onto = visit.find(step["onto"])
        functions.call(visit, holder, "duplicate_clip_to", [{"id": visit.id_of(onto)}])
        visit.moved()
        return _made_by(visit, "duplicate_clip_to", onto.clip, free)
    name = DUPLICATES.get(entry.name)
    if name is None:
        raise Failure("refused", "no function of Live copies a %s of %s" % (entry.class_name, entry.name))
    before = set(one._live_ptr for one in getattr(holder, entry.name))
    functions.call(visit, holder, name, [entry.index])
    visit.moved()
    made = next((one for one in getattr(holder, entry.name) if one._live_ptr not in before), None)
    return _made_by(visit, name, made, free)


def _made_by(visit, function, made, free):
    if made is None or made == None:  # noqa: E711
        raise Failure("refused", "%s made nothing" % function)
    visit.made.append(made)
    return _numbered(visit, made, free)


def _placed(visit, step):
    """The object's id, where it stands now, and in what."""
    number = visit.id_of(visit.find(step.get("of", {})))
    # Where it stood when it was seen last may be another place by now.
    visit.path_of(number)
    entry = visit.table.entry(number)
    holder = visit.object(entry.parent) if entry is not None and entry.parent else None
    if holder is None:
        raise no_object()
    return number, entry, holder


def _by_place(number, entry):
    return [entry.index]


DELETES = {
    "tracks": ("delete_track", _by_place),
    "return_tracks": ("delete_return_track", _by_place),
    "scenes": ("delete_scene", _by_place),
    "devices": ("delete_device", _by_place),
    "clip": ("delete_clip", lambda number, entry: []),
    "arrangement_clips": ("delete_clip", lambda number, entry: [{"id": number}]),
}
DUPLICATES = {"tracks": "duplicate_track", "scenes": "duplicate_scene"}


def _free_number(visit, step):
    """The id that what is made is to get; `None` where the step names none."""
    number = step.get("as")
    if number is not None and not (isinstance(number, int) and visit.table.keep_free(number)):
        raise malformed("as is an id that no object had")
    return number


def _numbered(visit, made, number):
    if number is not None:
        visit.table.promise(made._live_ptr, visit.class_of(made).name, number)
    return {"id": visit.id_of(made)}


def members(visit, step):
    """Which of the named members this very object answers: what an instrument rack lacks, a drum rack has."""
    obj = visit.find(step.get("of", {}))
    names = step.get("names")
    if not isinstance(names, list):
        raise malformed("members has names, a list")
    visit.made.append(None)
    info = visit.class_of(obj)
    return [name for name in names if isinstance(name, str) and _answers(info, obj, name)]


def _answers(info, obj, name):
    if name in info.functions:
        return info.has(name)
    if name not in info.properties or not info.has(name):
        return False
    try:
        getattr(obj, name)
    except (RuntimeError, AttributeError):
        return False
    return True


def notes_of(visit, step):
    """All notes of a MIDI clip as rows."""
    clip = _midi_clip(visit, step)
    visit.made.append(None)
    return [notes.to_row(note) for note in notes.all_notes(clip)]


def replace_notes(visit, step):
    """Makes rows the notes of a MIDI clip; gives them as they are then."""
    clip = _midi_clip(visit, step)
    rows = step.get("rows")
    if not isinstance(rows, list):
        raise malformed("replace_notes has rows, a list")
    notes.replace(clip, rows)
    visit.moved()
    visit.made.append(None)
    return [notes.to_row(note) for note in notes.all_notes(clip)]


def _midi_clip(visit, step):
    clip = visit.find(step.get("of", {}))
    if visit.class_of(clip).name != "Clip" or not clip.is_midi_clip:
        raise Failure("refused", "only MIDI clips have notes")
    return clip


def labels(visit, step):
    """What a parameter shows for each of many raw values, so that a label is found in two or three exchanges."""
    parameter = visit.find(step.get("of", {}))
    values = step.get("values")
    if not isinstance(values, list) or len(values) > MAX_LABELS:
        raise malformed("labels has values, a list of at most %d" % MAX_LABELS)
    visit.made.append(None)
    return [parameter.str_for_value(cast_plain("float", value, "values")) for value in values]


def routed(visit, step):
    """The tracks that the entries of a list of routings stand for, in its order; 0 for what is no track."""
    obj, member = _object_and_member(visit, step)
    if visit.class_of(obj).property(member).kind != "routings":
        raise Failure("wrong_type", "routed takes a list of routings", member=member, expected="a list of routings")
    visit.made.append(None)
    attached = [getattr(routing, "attached_object", None) for routing in getattr(obj, member)]
    return {"ids": [visit.id_of(one) if one is not None and one != None else 0 for one in attached]}  # noqa: E711


def _object_and_member(visit, step):
    return visit.find(step.get("of", {})), member_name(step)


READS = {
    "resolve": resolve, "exists": exists, "get": get, "child": child, "count": count, "members": members,
    "notes": notes_of, "labels": labels, "routed": routed, "envelopes": envelopes.read,
}
WRITES = {
    "set": set_member, "call": call, "delete": delete, "duplicate": duplicate, "replace_notes": replace_notes,
    "draw_envelope": envelopes.draw,
}
