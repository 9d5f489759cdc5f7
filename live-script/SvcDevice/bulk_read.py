"""A bulk read: objects, and below each of them what its shape names, in one answer.

It is cut between objects when the tick's time is used up, and goes on in the next; what is kept in between are ids.
Whether something moved meanwhile is counted by listeners: then it is read anew, and if it moves each time, that is
said.
"""

import json

from .errors import Failure, is_refusal, malformed, refused
from .frames import Encoded, text_of
from .notes import all_notes, to_row
from .values import plain

MAX_READS = 3
# What a shape asks of an object itself.
OWN_PARTS = ("properties", "counts", "all", "notes", "display")
FACTS = ("name", "is_playing", "tempo", "signature_numerator", "signature_denominator", "scale_mode", "root_note",
         "scale_name")


class BulkRead:
    def __init__(self, request):
        self._parts = request.get("parts")
        self._shapes = request.get("shapes")
        self._members = request.get("members", {})
        self._reads = 0
        self._ticks = 0
        self._check()
        self._changes = None
        self._queue = None
        self._facts = {}

    def _check(self):
        shapes = self._shapes
        if not isinstance(self._parts, list) or not isinstance(shapes, list) or not isinstance(self._members, dict):
            raise malformed("a read has parts and shapes, lists, and may have members, a table")
        for shape in shapes:
            if not isinstance(shape, dict):
                raise malformed("a shape is an object")
            for names in (shape.get("properties", []), shape.get("counts", [])):
                if not isinstance(names, list) or any(not isinstance(name, str) for name in names):
                    raise malformed("a shape's properties and counts are lists of names")
            below = shape.get("children", [])
            if not isinstance(below, list) or any(not self._is_below(one) for one in below):
                raise malformed("a shape's children are [name, number of a shape]")
        for names in self._members.values():
            if not isinstance(names, list) or any(not isinstance(name, str) for name in names):
                raise malformed("members are lists of names")
        for part in self._parts:
            is_part = isinstance(part, dict) and isinstance(part.get("of"), dict)
            if not is_part or not self._is_shape(part.get("shape")):
                raise malformed("a part has of, a reference, and shape, the number of one")

    def _is_below(self, one):
        return isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and self._is_shape(one[1])

    def _is_shape(self, number):
        return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(self._shapes)

    def settle_references(self, visit):
        """Turns references to a program's steps into ids, which outlast the tick."""
        settled = []
        for part in self._parts:
            try:
                of = {"id": visit.id_of(visit.find(part["of"]))}
            except Failure as failure:
                if failure.code != "no_object" and "step" not in part["of"]:
                    raise
                # A path may lead somewhere later; what a step did not make is nowhere.
                of = part["of"] if "path" in part["of"] else {"id": 0}
            settled.append(dict(part, of=of))
        self._parts = settled

    def tick(self, visit, has_time):
        """Reads while there is time. Gives the answer when it is done, else `None`."""
        self._ticks += 1
        if self._queue is None or (self._changes != visit.watch.changes and self._reads < MAX_READS):
            self._begin(visit)
        while self._queue:
            number, shape = self._queue.pop()
            # A shape may lead back to an object that was read by it.
            if (number, shape) in self._been:
                continue
            self._been.add((number, shape))
            self._read(visit, number, self._shapes[shape])
            if self._queue and not has_time():
                self._tell(visit)
                return None
        self._tell(visit)
        return self._answer(visit)

    def _begin(self, visit):
        self._reads += 1
        self._changes = visit.watch.changes
        # The last is the next: what stands below an object is read while the object is at hand.
        self._queue = []
        self._done = {}
        # Ids of children, by object and name: whatever moves them makes it read anew.
        self._lists = {}
        self._been = set()
        self._objects = {}
        self._found = []
        for part in self._parts:
            try:
                number = visit.id_of(visit.find(part["of"]))
            except Failure as failure:
                if failure.code != "no_object":
                    raise
                number = 0
            self._found.append(number)
            if number:
                self._queue.append((number, part["shape"]))
        self._queue.reverse()
        self._roots = {"live_set": visit.id_of(visit.song), "live_app": visit.id_of(visit.app)}
        self._facts = {}
        for name in FACTS:
            if hasattr(visit.song, name):
                self._facts[name] = plain(getattr(visit.song, name))

    def _tell(self, visit):
        for number, (name, path) in visit.told().items():
            # Names of classes and members, and numbers: nothing that JSON writes otherwise.
            self._objects[number] = "[\"%s\",\"%s\"]" % (name, path)

    def _read(self, visit, number, shape):
        if self._leads_on(number, shape):
            return
        obj = visit.object(number)
        if obj is None:
            return
        info = visit.class_of(obj)
        read = self._of_another_shape(number)
        mark = len(self._queue)
        for name in shape.get("properties", []) + self._all_of(info, shape):
            self._guarded(read, "get", name, lambda: visit.read(obj, self._known(info, name)))
        for name in shape.get("counts", []):
            self._guarded(read, "count", name, lambda: visit.count(obj, name))
        for name, below in shape.get("children", []):
            self._guarded(read, "children", name, lambda: self._below(visit, obj, number, name, below))
        if shape.get("notes") and info.name == "Clip" and obj.is_midi_clip:
            read["notes"] = [to_row(note) for note in all_notes(obj)]
        if shape.get("display") and info.name == "DeviceParameter":
            read["display"] = self._display(obj)
        self._queue[mark:] = reversed(self._queue[mark:])
        # While it is read: all of it at the end would hold Live too long.
        self._done[number] = text_of(read)

    def _leads_on(self, number, shape):
        """Whether the shape only leads to children that are known by now, as a scene to the clips of its slots."""
        if number not in self._done or any(shape.get(part) for part in OWN_PARTS):
            return False
        below = shape.get("children", [])
        if any((number, name) not in self._lists for name, _ in below):
            return False
        for name, to in reversed(below):
            self._queue.extend((child, to) for child in reversed(self._lists[(number, name)]))
        return True

    def _of_another_shape(self, number):
        """What was read of the object by another shape."""
        known = self._done.get(number)
        return {} if known is None else json.loads(known)

    def _all_of(self, info, shape):
        """Every property of the object's class, where the shape asks for all of them."""
        if not shape.get("all"):
            return []
        return self._members.get(info.name, [])

    @staticmethod
    def _known(info, name):
        info.property(name)
        return name

    def _below(self, visit, obj, number, name, below):
        about = visit.child_property(obj, name)
        children = visit.child_ids(obj, number, name, about.kind == "objects")
        self._lists[(number, name)] = children
        self._queue.extend((child, below) for child in children)
        return children

    @staticmethod
    def _guarded(read, part, name, value):
        """What the object does not have is left out; what Live refuses to read stands under `refused`."""
        try:
            read.setdefault(part, {})[name] = value()
        except Failure as failure:
            if failure.code not in ("unknown_member", "unable", "no_object"):
                raise
        except Exception as error:
            if not is_refusal(error):
                raise
            read.setdefault("refused", {})[name] = refused(error).text

    @staticmethod
    def _display(parameter):
        if parameter.is_quantized:
            return {"items": [str(item) for item in parameter.value_items]}
        at = {"at_min": parameter.min, "at_max": parameter.max, "label": parameter.value}
        return {name: parameter.str_for_value(value) for name, value in at.items()}

    def _answer(self, visit):
        return {
            "ok": True,
            "parts": self._found,
            "data": Encoded(self._done),
            "objects": Encoded(self._objects),
            "roots": self._roots,
            "facts": self._facts,
            "reads": self._reads,
            "moved": self._changes != visit.watch.changes,
            "ticks": self._ticks,
        }
