"""Objects of Live that are no objects of the model: notes, routings, times, warp markers."""

from .browser import BrowserItem

NOTE_KEYS = ("note_id", "pitch", "start_time", "duration", "velocity", "mute", "probability", "velocity_deviation",
             "release_velocity")
NOTE_DEFAULTS = {"velocity": 100.0, "mute": False, "probability": 1.0, "velocity_deviation": 0.0,
                 "release_velocity": 64.0}


class Record:
    """Strict attributes: those of the stubs and no others."""

    names = ()
    settable = ()

    def __init__(self, **values):
        for name in self.names:
            object.__setattr__(self, name, values[name])

    def __setattr__(self, name, value):
        if name not in self.settable:
            raise AttributeError("can't set attribute")
        self.check(name, value)
        object.__setattr__(self, name, value)

    def check(self, name, value):
        pass


def make_values(boost):
    """The classes, with the checks of that boost."""

    class MidiNote(Record):
        names = NOTE_KEYS
        settable = NOTE_KEYS[1:]

        def check(self, name, value):
            boost.check("MidiNote." + name, KINDS[name], value)

    class MidiNoteSpecification:
        def __init__(self, *args, **kwargs):
            names = NOTE_KEYS[1:]
            if len(args) > len(names) or set(kwargs) - set(names):
                boost.mismatch("MidiNoteSpecification", args)
            told = dict(NOTE_DEFAULTS, **dict(zip(names, args)))
            told.update(kwargs)
            for name in names:
                if name not in told:
                    boost.mismatch("MidiNoteSpecification", args)
                boost.check("MidiNoteSpecification." + name, KINDS[name], told[name])
            self._told = told

    class BeatTime(Record):
        names = settable = ("bars", "beats", "sub_division", "ticks")

    class SmptTime(Record):
        names = settable = ("hours", "minutes", "seconds", "frames")

    class RoutingType(Record):
        names = ("display_name", "category", "attached_object")

        def __eq__(self, other):
            return isinstance(other, RoutingType) and self.display_name == other.display_name

        __hash__ = None

    class RoutingChannel(Record):
        names = ("display_name", "layout")

        def __eq__(self, other):
            return isinstance(other, RoutingChannel) and self.display_name == other.display_name

        __hash__ = None

    class WarpMarker:
        def __init__(self, sample_time, beat_time):
            for value in (sample_time, beat_time):
                boost.check("WarpMarker", "float", value)
            self._values = (sample_time, beat_time)

        sample_time = property(lambda self: self._values[0])
        beat_time = property(lambda self: self._values[1])

    class EnvelopeEventControlCoefficients:
        def __init__(self, x1, y1, x2, y2):
            for value in (x1, y1, x2, y2):
                boost.check("EnvelopeEventControlCoefficients", "float", value)
            self.x1, self.y1, self.x2, self.y2 = x1, y1, x2, y2

    class EnvelopeEvent:
        def __init__(self, time, value, control_coefficients):
            for number in (time, value):
                boost.check("EnvelopeEvent", "float", number)
            if not isinstance(control_coefficients, EnvelopeEventControlCoefficients):
                boost.mismatch("EnvelopeEvent", (time, value, control_coefficients))
            self.time, self.value, self.control_coefficients = time, value, control_coefficients

    return {made.__name__: made for made in (
        MidiNote, MidiNoteSpecification, BeatTime, SmptTime, RoutingType, RoutingChannel, WarpMarker,
        EnvelopeEventControlCoefficients, EnvelopeEvent, BrowserItem)}


KINDS = {"note_id": "int", "pitch": "int", "start_time": "float", "duration": "float", "velocity": "float",
         "mute": "bool", "probability": "float", "velocity_deviation": "float", "release_velocity": "float"}


def next_note_id(clip):
    """Unique in its clip, and not given again."""
    clip["last_note_id"] += 1
    return clip["last_note_id"]
