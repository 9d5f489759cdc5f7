"""Notes: Live's objects on one side, dictionaries with Max's keys on the other; and the functions that take them."""

from operator import attrgetter

import Live

from .classes import cast_plain
from .errors import bad_arguments, wrong_type

# Key and kind, in the order in which a row has them.
KEYS = (
    ("note_id", "int"),
    ("pitch", "int"),
    ("start_time", "float"),
    ("duration", "float"),
    ("velocity", "float"),
    ("mute", "bool"),
    ("probability", "float"),
    ("velocity_deviation", "float"),
    ("release_velocity", "float"),
)
KINDS = dict(KEYS)
NEEDED = ("pitch", "start_time", "duration")


def to_dict(note):
    return {key: getattr(note, key) for key, _ in KEYS}


# A note as a row, for clips with thousands of them.
to_row = attrgetter(*[key for key, _ in KEYS])


def specification(told):
    """A new note."""
    if not isinstance(told, dict) or any(key not in told for key in NEEDED):
        raise wrong_type("add_new_notes", "notes with pitch, start_time and duration")
    unknown = [key for key in told if key not in KINDS]
    if unknown:
        raise wrong_type("add_new_notes", "notes without %s" % ", ".join(sorted(unknown)))
    given = {key: cast_plain(KINDS[key], value, key) for key, value in told.items() if key != "note_id"}
    return Live.Clip.MidiNoteSpecification(**given)


def from_row(row):
    """A row as a dictionary."""
    if not isinstance(row, list) or len(row) != len(KEYS):
        raise wrong_type("replace_notes", "rows of %s" % ", ".join(key for key, _ in KEYS))
    return {key: cast_plain(kind, value, key) for (key, kind), value in zip(KEYS, row)}


def all_notes(clip):
    """Every note of a clip, those outside its loop and before beat 0 too."""
    if hasattr(clip, "get_all_notes_extended"):
        return clip.get_all_notes_extended()
    return clip.get_notes_extended(0, 128, -8192.0, 16384.0)


def note_list(function, args):
    """The notes of `{"notes": [...]}`."""
    told = args[0] if len(args) == 1 else None
    told = told.get("notes") if isinstance(told, dict) else told
    if not isinstance(told, list):
        raise bad_arguments(function, "({\"notes\": [...]})")
    return told


def add_new_notes(clip, args):
    return clip.add_new_notes(tuple(specification(told) for told in note_list("add_new_notes", args)))


def apply_note_modifications(clip, args):
    """Changes notes in place: by removing and adding, they would lose what hangs on them. Unknown ids refuse all."""
    wanted = {}
    for told in note_list("apply_note_modifications", args):
        if not isinstance(told, dict) or "note_id" not in told:
            raise wrong_type("apply_note_modifications", "notes with note_id")
        wanted[cast_plain("int", told["note_id"], "note_id")] = told
    vector = all_notes(clip)
    if set(wanted) - {note.note_id for note in vector}:
        raise bad_arguments("apply_note_modifications", "the note_ids of notes in the clip")
    for note in vector:
        for key, value in wanted.get(note.note_id, {}).items():
            if key in KINDS and key != "note_id":
                setattr(note, key, cast_plain(KINDS[key], value, key))
    # The very vector that was read: it matches by id, and C++ takes no other list.
    clip.apply_note_modifications(vector)


def replace(clip, rows):
    """Makes the rows the clip's notes. One with the pitch and start of an old note changes that note and keeps its id.
    """
    wanted = [from_row(row) for row in rows]
    vector = all_notes(clip)
    old = {}
    for note in vector:
        old.setdefault((note.pitch, note.start_time), []).append(note)
    new, kept = [], set()
    changed = False
    for told in wanted:
        same = old.get((told["pitch"], told["start_time"]))
        if not same:
            new.append(told)
            continue
        note = same.pop(0)
        kept.add(note.note_id)
        for key, _ in KEYS:
            if key != "note_id" and getattr(note, key) != told[key]:
                setattr(note, key, told[key])
                changed = True
    gone = tuple(note.note_id for note in vector if note.note_id not in kept)
    if gone:
        clip.remove_notes_by_id(gone)
    if changed:
        # Read again, as the vector still holds the removed ones.
        fresh = all_notes(clip)
        values = {note.note_id: note for note in vector}
        for note in fresh:
            for key, _ in KEYS:
                if key != "note_id" and getattr(note, key) != getattr(values[note.note_id], key):
                    setattr(note, key, getattr(values[note.note_id], key))
        clip.apply_note_modifications(fresh)
    if new:
        clip.add_new_notes(tuple(specification(told) for told in new))
