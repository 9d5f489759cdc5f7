"""What a bulk read has found, as tables: objects of one class that one shape was read of, a column for each member.

A column is read and written at once, which costs a fraction of what its values would one by one.
"""

import math
from operator import attrgetter

from . import children
from .errors import Failure, is_refusal, refused
from .frames import text_of
from .notes import all_notes, to_row
from .places import is_place
from .values import plain, property_to_wire

# What a shape asks of an object itself.
OWN_PARTS = ("properties", "counts", "all", "notes", "display")
# So many ids are written out where a stretch of lists would say the same.
FEW = 4
# Failures that mean: the object has no such thing.
ABSENCES = ("unknown_member", "unable", "no_object")


class Batch:
    """Objects of which a shape is to be read."""

    __slots__ = ("numbers", "shape", "lists")

    def __init__(self, numbers, shape, lists=None):
        self.numbers = numbers
        self.shape = shape
        # Where they are all of some child lists, or a stretch of it: the parents, the name, where it begins. A table
        # says that in place of the ids.
        self.lists = lists

    def cut(self, most):
        """The first of them, and the others."""
        if len(self.numbers) <= most:
            return self, None
        rest = self.lists and (self.lists[0], self.lists[1], self.lists[2] + most)
        return Batch(self.numbers[:most], self.shape, self.lists), Batch(self.numbers[most:], self.shape, rest)


class Tables:
    """The tables of one read so far, as texts; what is told of objects beside them; and what is known of children."""

    def __init__(self, shapes, members):
        self._shapes = shapes
        self._members = members
        # Those of the present tick, and those of earlier ones.
        self._tables = []
        self.texts = []
        self.objects = {}
        # What was read by each shape.
        self._been = {}
        # By the children's name: of each object that was looked at their ids, a single one as a number.
        self._children = {}
        # Objects of which a table says where they stand.
        self._placed = set()

    def end_tick(self, visit):
        """Takes over what the visit tells of objects, and writes what was read: all of it at the end would hold Live
        too long, and each table alone takes longer."""
        self.objects.update(visit.told())
        if self._tables:
            self.texts.append(_texts_of(self._tables))
            self._tables = []

    def read(self, visit, batch):
        """Reads what is to be read of a batch. Gives the batches below it."""
        shape = self._shapes[batch.shape]
        below = []
        batch = self._fresh(self._lead_on(batch, shape, below))
        for table in _tables_of(visit, batch):
            table.read(shape, self._members)
            for name, to in shape.get("children", []):
                found = table.children(name, self._children)
                if found is not None:
                    self._note(visit, table, name, found)
                    self._add(below, found, to, (table.numbers, name, 0))
            self._tables.append(table.told())
        return below

    def _fresh(self, batch):
        """Those that were not read by that shape: it may lead back to an object."""
        been = self._been.setdefault(batch.shape, set())
        before = len(been)
        fresh = batch.numbers if been.isdisjoint(batch.numbers) else [one for one in batch.numbers if one not in been]
        been.update(fresh)
        if len(been) - before == len(batch.numbers):
            return batch
        return Batch(list(dict.fromkeys(fresh)), batch.shape)

    def _lead_on(self, batch, shape, below):
        """Those of which something is to be read. Of the others the shape asks only for children that are known by now,
        as of a scene for the clips of its slots; these lead on to what is below."""
        if any(shape.get(part) for part in OWN_PARTS):
            return batch
        known = [(self._children.get(name, {}), to) for name, to in shape.get("children", [])]
        leading, rest = batch.numbers, []
        if any(found.keys().isdisjoint(leading) for found, _ in known):
            return batch
        if not all(all(map(found.__contains__, leading)) for found, _ in known):
            rest = [number for number in leading if any(number not in found for found, _ in known)]
            leading = list(set(leading).difference(rest))
        for found, to in known:
            if leading and not self._is_bare(to):
                self._add(below, [found[number] for number in leading], to)
        return Batch(rest, batch.shape) if leading else batch

    def _is_bare(self, shape):
        """Whether nothing is asked of an object beside what its parent's table tells."""
        return not any(self._shapes[shape].get(part) for part in OWN_PARTS + ("children",))

    def _add(self, below, found, to, lists=None):
        """Notes children of which something is to be read: of each object a list of ids, or a single one."""
        if self._is_bare(to):
            return
        numbers = []
        if isinstance(found[0], list):
            for one in found:
                numbers.extend(one)
        else:
            numbers.extend(filter(None, found))
            lists = None
        if numbers:
            below.append(Batch(numbers, to, lists))

    def _note(self, visit, table, name, found):
        self._children.setdefault(name, {}).update(zip(table.numbers, found))
        of = found if isinstance(found[0], list) else [found]
        if name in table.places:
            self._placed.update(*of)
        elif name not in table.rows:
            # What no table places is told one by one.
            for numbers in of:
                for number in [number for number in numbers if number and number not in self._placed]:
                    visit.tell(number)


def _tables_of(visit, batch):
    """Tables for the objects of a batch, one for each class; what is gone is in none."""
    objects = visit.objects(batch.numbers)
    kinds = set(map(type, objects))
    if len(kinds) == 1 and type(None) not in kinds:
        return [Table(visit, batch.numbers, objects, batch.lists)]
    groups = {}
    for number, obj in zip(batch.numbers, objects):
        if obj is not None:
            numbers, of_kind = groups.setdefault(type(obj), ([], []))
            numbers.append(number)
            of_kind.append(obj)
    return [Table(visit, numbers, of_kind) for numbers, of_kind in groups.values()]


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
        """A column, one by one. What an object does not have is left out; what Live refuses to read stands under
        `refused`."""
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


def _texts_of(tables):
    """Tables as JSON, with commas between them."""
    try:
        return text_of(tables)[1:-1]
    except ValueError:
        # A number that JSON does not have.
        for get in [table.get("get", {}) for table in tables]:
            for name, column in get.items():
                get[name] = [plain(value) if isinstance(value, float) else value for value in column]
        return text_of(tables)[1:-1]


def _must_be_refusal(error):
    """Whether it is worth a look at each object alone; everything else goes on."""
    if not isinstance(error, (Failure, TypeError)) and not is_refusal(error):
        raise error


def _display(parameter):
    if parameter.is_quantized:
        return {"items": [str(item) for item in parameter.value_items]}
    at = {"at_min": parameter.min, "at_max": parameter.max, "label": parameter.value}
    return {name: parameter.str_for_value(value) for name, value in at.items()}
