"""What Live accepts at once and applies later. It is read on a later tick before anybody is told that it landed."""

# Written: reads back old for the rest of the tick.
LATE_PROPERTIES = {
    ("Song", "is_playing"), ("Song", "current_song_time"), ("Song", "loop"), ("Clip", "warping"),
}

# Called: the property that tells whether it took, and what it then is.
LATE_CALLS = {
    ("Song", "start_playing"): ("is_playing", True),
    ("Song", "continue_playing"): ("is_playing", True),
    ("Song", "stop_playing"): ("is_playing", False),
}

# Called: what is launched starts the transport with the next tick.
STARTS_TRANSPORT = {("Scene", "fire"), ("Scene", "fire_as_selected"), ("ClipSlot", "fire"), ("Clip", "fire")}

# Ticks that a value is waited for; what has not landed then is told as it is.
MAX_TICKS = 4


class Awaited:
    """A value that a step asked for."""

    def __init__(self, step, number, member, wanted):
        self.step = step
        self.number = number
        self.member = member
        self.wanted = wanted
        self.value = None
        self.landed = False

    def look(self, visit):
        obj = visit.object(self.number)
        if obj is None:
            return
        self.value = visit.read(obj, self.member)
        self.landed = self._is_wanted()

    def _is_wanted(self):
        if self.member == "current_song_time" and isinstance(self.value, float):
            # Playing, it has gone on since.
            return 0 <= self.value - float(self.wanted) < 4.0 or abs(self.value - float(self.wanted)) < 1e-6
        return self.value == self.wanted

    def to_wire(self):
        return {"step": self.step, "member": self.member, "value": self.value, "landed": self.landed}


def awaited(visit, at, step):
    """What is to be waited for after that step, or `None`. Only the names are looked at first: a call may have deleted
    what its path led to."""
    name = step.get("member") if step["do"] == "set" else step.get("function")
    if name not in _NAMES:
        return None
    obj = visit.find(step["of"])
    class_name = visit.class_of(obj).name
    if step["do"] == "set" and (class_name, name) in LATE_PROPERTIES:
        return Awaited(at, visit.id_of(obj), name, _as_kind(visit, obj, step))
    if step["do"] == "call" and (class_name, name) in LATE_CALLS:
        member, wanted = LATE_CALLS[(class_name, name)]
        return Awaited(at, visit.id_of(obj), member, wanted)
    if step["do"] == "call" and (class_name, name) in STARTS_TRANSPORT:
        return Awaited(at, visit.id_of(visit.song), "is_playing", True)
    return None


_NAMES = {name for _, name in list(LATE_PROPERTIES) + list(LATE_CALLS) + list(STARTS_TRANSPORT)}


def _as_kind(visit, obj, step):
    kind = visit.class_of(obj).properties[step["member"]].kind
    return bool(step["value"]) if kind == "bool" else step["value"]
