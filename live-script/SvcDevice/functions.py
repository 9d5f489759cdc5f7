"""Calls of Live's functions, with the arguments that Max would take and the answers that Max would give."""

from . import notes
from .classes import check_count, described
from .errors import Failure, bad_arguments, wrong_type
from .values import argument_from_wire, note_ids

# Max takes one dictionary with the names of the arguments where Python takes them in order.
AREA = ("from_pitch", "pitch_span", "from_time", "time_span")
TAKE_AREA = ("get_notes_extended", "remove_notes_extended")
TAKE_IDS = ("get_notes_by_id", "remove_notes_by_id", "select_notes_by_id")
TAKE_FILTER = ("get_all_notes_extended", "get_selected_notes_extended")


def call(visit, obj, function, args):
    """What the function gave, as Live gave it; note functions may give a dictionary that is cut already."""
    info = visit.class_of(obj)
    if info.name == "DeviceParameter" and function == "__str__":
        return str(obj)
    kinds = info.function(function)
    if function in ("begin_undo_step", "end_undo_step"):
        # A step that stays open swallows what the user does next.
        raise Failure("refused", "%s: a program's undo opens and closes its step" % function)
    if info.name == "Clip" and function in NOTE_FUNCTIONS:
        return NOTE_FUNCTIONS[function](visit, obj, function, args)
    while args and args[-1] is None and len(kinds) >= len(args) and kinds[len(args) - 1].endswith("?"):
        args = args[:-1]
    check_count(function, kinds, args)
    plain = [argument_from_wire(visit, function, kind, value) for kind, value in zip(kinds, args)]
    return getattr(obj, function)(*plain)


def _dictionary(args):
    """The one dictionary of arguments, if that is what came."""
    if len(args) == 1 and isinstance(args[0], dict) and not ("id" in args[0] and len(args[0]) == 1):
        return args[0].get("struct", args[0])
    return None


def _area(visit, clip, function, args):
    told = _dictionary(args)
    if told is not None:
        if any(key not in told for key in AREA):
            raise bad_arguments(function, "(%s)" % ", ".join(AREA))
        args = [told[key] for key in AREA]
    kinds = visit.class_of(clip).function(function)
    check_count(function, kinds, args)
    plain = [argument_from_wire(visit, function, kind, value) for kind, value in zip(kinds, args)]
    return _only(told, getattr(clip, function)(*plain))


def _ids(visit, clip, function, args):
    told = _dictionary(args)
    if told is not None:
        ids = told.get("note_ids")
    else:
        # Max takes the ids one by one as well.
        ids = args[0] if len(args) == 1 and isinstance(args[0], list) else args
    return _only(told, getattr(clip, function)(tuple(note_ids(function, ids))))


def _duplicate(visit, clip, function, args):
    told = _dictionary(args) or (dict(zip(("note_ids", "destination_time", "transposition_amount"), args)))
    plain = [tuple(note_ids(function, told.get("note_ids")))]
    amount = told.get("transposition_amount")
    if amount is not None or told.get("destination_time") is not None:
        plain.append(argument_from_wire(visit, function, "float|None", told.get("destination_time")))
    if amount is not None:
        plain.append(argument_from_wire(visit, function, "int", amount))
    return getattr(clip, function)(*plain)


def _filtered(visit, clip, function, args):
    return _only(_dictionary(args), getattr(clip, function)())


def _only(told, found):
    """The keys of each note that `return` names."""
    wanted = told.get("return") if told is not None else None
    if wanted is None or found is None:
        return found
    if not isinstance(wanted, list) or any(key not in notes.KINDS for key in wanted):
        raise wrong_type("return", "a list of the keys of notes")
    return {"notes": [{key: getattr(note, key) for key in wanted} for note in found]}


def _add(visit, clip, function, args):
    return notes.add_new_notes(clip, [_struct(arg) for arg in args])


def _modify(visit, clip, function, args):
    return notes.apply_note_modifications(clip, [_struct(arg) for arg in args])


def _struct(arg):
    return arg["struct"] if isinstance(arg, dict) and "struct" in arg else arg


def _warp_marker(visit, clip, function, args):
    told = _dictionary(args)
    if told is None or "beat_time" not in told:
        raise bad_arguments(function, described(["{beat_time, [sample_time]}"]))
    import Live

    beat = argument_from_wire(visit, function, "float", told["beat_time"])
    sample = told.get("sample_time")
    if sample is None:
        sample = clip.beat_to_sample_time(beat) / clip.sample_rate
    return clip.add_warp_marker(Live.Clip.WarpMarker(argument_from_wire(visit, function, "float", sample), beat))


NOTE_FUNCTIONS = {
    "add_new_notes": _add,
    "apply_note_modifications": _modify,
    "add_warp_marker": _warp_marker,
    "duplicate_notes_by_id": _duplicate,
}
NOTE_FUNCTIONS.update({name: _area for name in TAKE_AREA})
NOTE_FUNCTIONS.update({name: _ids for name in TAKE_IDS})
NOTE_FUNCTIONS.update({name: _filtered for name in TAKE_FILTER})
