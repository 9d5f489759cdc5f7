"""A table of a bulk read: objects of one class that one shape was read of, a column for each member.

A column is read at once, which costs a fraction of what its values would one by one.
"""

import math
from operator import attrgetter

from . import children
from .errors import Failure, is_refusal, refused
from .notes import all_notes, to_row
from .places import is_place
from .values import property_to_wire

# So many ids are written out where a stretch of lists would say the same.
FEW = 4
# Failures that mean: the object has no such thing.
ABSENCES = ("unknown_member", "unable", "no_object")


class Table:
    """Objects of one class, and the columns that were read of them."""

    def __init__(self, visit, numbers, objects, lists=None):
        self._visit = visit
        self.numbers = numbers
        self._objects = objects
        self._info = visit.class_of(objects[0])
        self._told = {"of": numbers}
        if lists is not None and len(numbers) > FEW:
            self._told["of"] = {"lists": lists[0], "name": lists[1], "from": lists[2], "count": len(numbers)}
        # The classes of children that stand below these objects, by their name.
        self.places = {}
        # Child lists that are rows of those of others, and of whom.
        self.rows = {}

    def read(self, shape, members):
        """What the shape asks of the objects themselves."""
        info, visit = self._info, self._visit
        names = shape.get("properties", []) + (members.get(info.name, []) if shape.get("all") else [])
        for name in dict.fromkeys(names):
            self._property(name)
        for name in shape.get("counts", []):
            self._keep("count", name, self._each(name, lambda obj, number: visit.count(obj, name)))
        if shape.get("notes") and info.name == "Clip":
            self._told["notes"] = [
                [to_row(note) for note in all_notes(clip)] if clip.is_midi_clip else None for clip in self._objects]
        if shape.get("display") and info.name == "DeviceParameter":
            self._told["display"] = [_display(parameter) for parameter in self._objects]

    def children(self, name, known):
        """For each object the ids of a child list, or the id of a single child; `None` where the class has neither.
        `known` are the children of that name that the answer has by now."""
        visit, info = self._visit, self._info
        try:
            is_list = visit.child_property(self._objects[0], name).kind == "objects"
        except Failure as failure:
            if failure.code not in ABSENCES:
                raise
            return None
        if is_list:
            rows = self._rows(name, known.get(name, {}))
            if rows is not None:
                return rows
            found = self._lists(name)
        else:
            found = self._singles(name)
            if is_place(info, name):
                table = visit.table
                self._place(name, [table.entry(number).class_name for number in filter(None, found)])
        self._keep("children", name, found)
        return found

    def _lists(self, name):
        visit, info = self._visit, self._info
        if not is_place(info, name):
            found = self._each(name, lambda obj, number: children.routed(visit, obj, name))
            return [[] if one is None else one for one in found]
        found = self._each(name, lambda obj, number: children.listed(visit, obj, number, info, name))
        found = [listing or children.NOTHING for listing in found]
        kinds = set(listing.kind for listing in found if listing.numbers)
        if len(kinds) == 1 and None not in kinds:
            self.places[name] = kinds.pop()
        else:
            self._place(name, [one for listing in found for one in listing.classes])
        return [listing.numbers for listing in found]

    def _rows(self, name, known):
        """The slots of scenes, where the answer has those of all tracks: the row of each in them."""
        if (self._info.name, name) != ("Scene", "clip_slots"):
            return None
        visit = self._visit
        tracks, columns = children.columns_of_slots(visit)
        if not tracks or not all(map(known.__contains__, tracks)):
            return None
        if not all(children.is_row(visit, scene, of, columns) for scene, of in zip(self._objects, self.numbers)):
            return None
        self.rows[name] = tracks
        places = [visit.table.entry(number).index for number in self.numbers]
        return [[column.numbers[place] for column in columns] for place in places]

    def _singles(self, name):
        visit, info = self._visit, self._info
        try:
            return children.of_singles(visit, self._objects, self.numbers, info, name)
        except Exception as error:
            _must_be_refusal(error)
        found = self._each(name, lambda obj, number: children.of_singles(visit, [obj], [number], info, name)[0])
        return [one or 0 for one in found]

    def _place(self, name, classes):
        """The classes of children whose places follow from where they stand in the columns."""
        if classes:
            self.places[name] = classes[0] if len(set(classes)) == 1 else classes

    def _property(self, name):
        visit = self._visit
        try:
            kind = self._info.property(name).kind
        except Failure as failure:
            if failure.code not in ABSENCES:
                raise
            return
        try:
            column = list(map(attrgetter(name), self._objects))
            if kind == "float":
                column = [value if math.isfinite(value) else None for value in column]
            elif kind not in ("bool", "int", "str"):
                column = [property_to_wire(visit, kind, name, value, obj) for value, obj in zip(column, self._objects)]
        except Exception as error:
            _must_be_refusal(error)
            column = self._each(name, lambda obj, number: visit.read(obj, name))
        self._keep("get", name, column)

    def _each(self, name, read):
        """A column, one by one. What an object does not have, and what Live refuses to read, stands under `left_out`.
        """
        column = []
        for obj, number in zip(self._objects, self.numbers):
            value = None
            try:
                value = read(obj, number)
            except Failure as failure:
                if failure.code not in ABSENCES:
                    raise
                self._leave_out(name, number, None)
            except Exception as error:
                if not is_refusal(error):
                    raise
                self._leave_out(name, number, refused(error).text)
            column.append(value)
        return column

    def _leave_out(self, name, number, why):
        self._told.setdefault("left_out", {}).setdefault(name, {})[str(number)] = why

    def _keep(self, part, name, column):
        self._told.setdefault(part, {})[name] = column

    def told(self):
        for part, told in (("places", self.places), ("rows", self.rows)):
            if told:
                self._told[part] = told
        return self._told


def _must_be_refusal(error):
    """Whether it is worth a look at each object alone; everything else goes on."""
    if not isinstance(error, (Failure, TypeError)) and not is_refusal(error):
        raise error


def _display(parameter):
    if parameter.is_quantized:
        return {"items": [str(item) for item in parameter.value_items]}
    at = {"at_min": parameter.min, "at_max": parameter.max, "label": parameter.value}
    return {name: parameter.str_for_value(value) for name, value in at.items()}
