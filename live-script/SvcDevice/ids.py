"""The numbers by which the other side knows Live's objects.

Live's Python has no ids. An object's pointer is its identity while it lives, and may be another's afterwards, so an id
stands for a pointer, a class and a place; it is retired when a listener says that its list changed and it is gone from
it, and it never comes back. No Live object is kept here.
"""


class Entry:
    """One known object: what it is, and where it was last."""

    __slots__ = ("pointer", "class_name", "parent", "name", "index")

    def __init__(self, pointer, class_name, parent, name, index):
        self.pointer = pointer
        self.class_name = class_name
        # The id of what holds it (0 for a root), the child's name there, the position in a list or `None`.
        self.parent = parent
        self.name = name
        self.index = index


class Listing:
    """A child list as it was read: ids, pointers and names of classes, in its order; the name that all have, if so."""

    __slots__ = ("numbers", "pointers", "classes", "kind")

    def __init__(self, numbers, pointers, classes):
        self.numbers = numbers
        self.pointers = pointers
        self.classes = classes
        self.kind = classes[0] if len(set(classes)) == 1 else None


class IdTable:
    def __init__(self, first_id):
        self._next = first_id
        self._entries = {}
        self._by_key = {}
        self._held = {}
        self._promised = {}
        self._listings = {}

    def keep_free(self, number):
        """Gives that number to nobody but `promise`; false where it was given already."""
        if number < self._next:
            return False
        self._next = number + 1
        return True

    def promise(self, pointer, class_name, number):
        """The id that an object is to get."""
        self._promised = {(pointer, class_name): number}

    def entry(self, number):
        return self._entries.get(number)

    def number(self, pointer, class_name):
        """The id of that object; 0 where it has none, or where what held it is gone."""
        number = self._by_key.get((pointer, class_name), 0)
        if number and not self._is_held(number):
            self.retire(number)
            return 0
        return number

    def _is_held(self, number):
        while number:
            entry = self._entries.get(number)
            if entry is None:
                return False
            number = entry.parent
        return True

    def add(self, entry):
        number = self._promised.pop((entry.pointer, entry.class_name), None)
        if number is None:
            number = self._next
            self._next += 1
        self._entries[number] = entry
        self._by_key[(entry.pointer, entry.class_name)] = number
        self._held.setdefault((entry.parent, entry.name), set()).add(number)
        return number

    def placed(self, pointer, class_name, parent, name, index):
        """The id of an object that was seen at that place just now."""
        number = self._by_key.get((pointer, class_name), 0)
        if number:
            entry = self._entries[number]
            if entry.parent == parent and entry.name == name:
                entry.index = index
                return number
            if self._is_held(number):
                self.move(number, parent, name, index)
                return number
            self.retire(number)
        return self.add(Entry(pointer, class_name, parent, name, index))

    def listing(self, parent, name):
        """The child list as it was read last; `None` where it was not, or may be another by now."""
        return self._listings.get((parent, name))

    def keep_listing(self, parent, name, listing):
        self._listings[(parent, name)] = listing

    def drop_listing(self, parent, name):
        self._listings.pop((parent, name), None)

    def held_in(self, parent, name):
        """The ids of what was last seen in that list or child."""
        return list(self._held.get((parent, name), ()))

    def move(self, number, parent, name, index):
        """Notes that an object stands elsewhere now."""
        entry = self._entries[number]
        if (parent, name, index) == (entry.parent, entry.name, entry.index):
            return
        self.drop_listing(parent, name)
        if (parent, name) != (entry.parent, entry.name):
            self.drop_listing(entry.parent, entry.name)
            self._held.get((entry.parent, entry.name), set()).discard(number)
            self._held.setdefault((parent, name), set()).add(number)
        entry.parent, entry.name, entry.index = parent, name, index

    def retire(self, number):
        """Forgets an object that is gone. What it held is gone with it, as it has no way up any more."""
        entry = self._entries.pop(number, None)
        if entry is None:
            return
        self.drop_listing(entry.parent, entry.name)
        key = (entry.pointer, entry.class_name)
        if self._by_key.get(key) == number:
            del self._by_key[key]
        self._held.get((entry.parent, entry.name), set()).discard(number)
