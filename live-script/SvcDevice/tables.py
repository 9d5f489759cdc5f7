"""What a bulk read has found: its tables, what is told beside them, and what is to be read below."""

from .columns import Table
from .frames import text_of
from .values import plain

# What a shape asks of an object itself.
OWN_PARTS = ("properties", "counts", "all", "notes", "display")


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
                    self._add(below, found, to, None if name in table.rows else (table.numbers, name, 0))
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
