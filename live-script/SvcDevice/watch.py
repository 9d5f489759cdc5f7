"""Listeners. Each only marks what changed; the marks are looked at in the next tick, or after the script's own write.

Live refuses writes inside a notification, and one that reads there costs whoever moves a fader.
"""

from .errors import Failure
from .places import WATCHED_SINGLES

# More than a screen can show; whoever asks for more reads.
MAX_VALUES = 1000


class Listener:
    """A listener on a property of an object, which is kept for nothing but the removal. There are thousands, each an
    object that Python looks through for garbage: so it is as small as can be."""

    __slots__ = ("obj", "name", "mark", "number", "member")

    def __init__(self, obj, name, mark, number, member):
        self.obj = obj
        self.name = name
        self.mark = mark
        self.number = number
        self.member = member

    def hear(self):
        self.mark(self.number, self.member)


class Watch:
    def __init__(self, log):
        self._log = log
        # One of each for all listeners.
        self._on_place, self._on_value = self._mark_place, self._mark_value
        # The callbacks that Live has.
        self._added = []
        self._clean_at = 1000
        # Whose child lists are listened to, by their names; and those that tell nothing.
        self._places = {}
        self._deaf = set()
        # Of single children that come and go, by name and parent, where they were not marked since: what was there.
        self._seen = {}
        self._values = {}
        self._dirty_places = set()
        self._dirty_values = set()
        # Counts every mark; a read that took several ticks compares it.
        self.changes = 0
        self._moved = []

    def place(self, parent, class_name, parent_id, name):
        """Marks when what a list or child holds becomes another."""
        known = self._places.setdefault(name, set())
        if parent_id in known:
            return
        known.add(parent_id)
        listened = WATCHED_SINGLES.get((class_name, name), name)
        if not self._add(Listener(parent, listened, self._on_place, parent_id, name)):
            self._deaf.add((parent_id, name))

    def places(self, parents, class_name, parent_ids, name):
        """The same of many."""
        known = self._places.setdefault(name, set())
        if known.issuperset(parent_ids):
            return
        for at in [at for at, parent_id in enumerate(parent_ids) if parent_id not in known]:
            self.place(parents[at], class_name, parent_ids[at], name)

    def seen(self, class_name, name):
        """By parent, what its single child was and, by its listener, still is: pointer and id, `None` for none; to be
        added to. `None` where listeners do not tell."""
        return self._seen.setdefault(name, {}) if (class_name, name) in WATCHED_SINGLES else None

    def tells_of(self, parent_id, name):
        """Whether that list or child is marked when it becomes another."""
        return parent_id in self._places.get(name, ()) and (parent_id, name) not in self._deaf

    def value(self, visit, reference, member):
        """Marks when a property changes; its value goes out once a tick at most. Gives the object's id."""
        if len(self._values) >= MAX_VALUES:
            raise Failure("refused", "%d values are watched; unwatch some" % MAX_VALUES)
        obj = visit.find(reference)
        about = visit.class_of(obj).property(member)
        if not about.listenable:
            raise Failure("refused", "%s tells no changes" % member)
        number = visit.id_of(obj)
        if (number, member) not in self._values:
            listener = Listener(obj, member, self._on_value, number, member)
            if not self._add(listener):
                raise Failure("refused", "%s tells no changes" % member)
            self._values[(number, member)] = listener
        return number

    def no_values(self):
        """Stops telling values. Places are marked on."""
        listeners = set(self._values.values())
        kept = []
        for hear in self._added:
            if hear.__self__ in listeners:
                self._remove(hear)
            else:
                kept.append(hear)
        self._added = kept
        self._values = {}
        self._dirty_values.clear()

    def _mark_place(self, parent_id, name):
        self.changes += 1
        self._dirty_places.add((parent_id, name))
        if name in self._seen:
            self._seen[name].pop(parent_id, None)

    def _mark_value(self, number, member):
        self.changes += 1
        self._dirty_values.add((number, member))

    def _add(self, listener):
        add = getattr(listener.obj, "add_%s_listener" % listener.name, None)
        if add is None:
            return False
        # The same each time: Live compares callbacks when one is removed.
        hear = listener.hear
        add(hear)
        self._added.append(hear)
        if len(self._added) > self._clean_at:
            # What is deleted took its listeners with it.
            self._added = [hear for hear in self._added if hear.__self__.obj != None]  # noqa: E711
            self._clean_at = 2 * len(self._added) + 1000
        return True

    def _remove(self, hear):
        listener = hear.__self__
        obj, name = listener.obj, listener.name
        try:
            if obj != None and getattr(obj, name + "_has_listener")(hear):  # noqa: E711
                getattr(obj, "remove_%s_listener" % name)(hear)
        except Exception as error:
            self._log.fault("removing a listener", error)

    def settle(self, visit):
        """Retires the ids of what is gone from the lists that were marked."""
        while self._dirty_places:
            parent_id, name = self._dirty_places.pop()
            self._moved.append((parent_id, name))
            visit.table.drop_listing(parent_id, name)
            for number in visit.table.held_in(parent_id, name):
                visit.forget_if_gone(number)

    def take_moved(self):
        """The lists that changed since the last time, each once."""
        moved, self._moved = self._moved, []
        return sorted(set(moved))

    def take_values(self, visit):
        """The latest values of what changed: [id, member, value]."""
        told = []
        while self._dirty_values:
            number, member = self._dirty_values.pop()
            obj = visit.object(number)
            if obj is not None:
                told.append([number, member, visit.read(obj, member)])
        return told

    def has_marks(self):
        return bool(self._dirty_places or self._dirty_values or self._moved)

    def disconnect(self):
        """Removes every listener: one left behind calls into a script that is gone."""
        for hear in self._added:
            self._remove(hear)
        self._added = []
        self._places.clear()
        self._deaf.clear()
        self._seen.clear()
        self._values.clear()
