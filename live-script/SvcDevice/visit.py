"""A visit: Live's objects as one request sees them in one tick.

Objects are looked up anew in each visit and dropped with it. Between visits only ids are kept, because whatever a user
does in between moves indexes and deletes objects.
"""

import Live

from . import children
from .errors import Failure, is_refusal, malformed, no_object, unknown_member
from .ids import Entry
from .places import places_of
from .values import property_to_wire

DEVICE_LISTS = ("tracks", "return_tracks")


class Visit:
    def __init__(self, song, table, classes, watch, undo):
        self.song = song
        self.app = Live.Application.get_application()
        self.table = table
        self.classes = classes
        self.watch = watch
        self.undo = undo
        self._objects = {}
        self._paths = {}
        self._rosters = {}
        # Lists as Live gave them: each time it is asked it makes a new one, with an object for every child.
        self._lists = {}
        self._told = {}
        self._has_moved = False
        self.routing_hints = {}
        # What a program's steps made, for references.
        self.made = []

    # --- from objects to ids ---

    def id_of(self, obj):
        """The id of a living object; the answer tells of it."""
        number = self.number_of(obj)
        self.tell(number)
        return number

    def number_of(self, obj):
        """The id of a living object."""
        info = self.class_of(obj)
        pointer = obj._live_ptr
        number = self.table.number(pointer, info.name)
        if not number:
            number = self._enter(obj, info, pointer)
        self._objects[number] = obj
        return number

    def class_of(self, obj):
        info = self.classes.of(obj)
        if info is None:
            raise Failure("unable", "%s is no object of the model" % type(obj).__name__)
        return info

    def _enter(self, obj, info, pointer):
        if info.name == "Song":
            return self.table.add(Entry(pointer, "Song", 0, "live_set", None))
        if info.name == "Application":
            return self.table.add(Entry(pointer, "Application", 0, "live_app", None))
        parent = self._parent_of(obj)
        parent_id = self.number_of(parent)
        for name, is_list in places_of(self.class_of(parent)):
            index = self._find_in(parent, parent_id, name, is_list, pointer, info.name)
            if index is not None:
                return self._add(pointer, info.name, parent, parent_id, name, index if is_list else None)
        raise no_object()

    def _parent_of(self, obj):
        parent = getattr(obj, "canonical_parent", None)
        if parent is None or parent == None:  # noqa: E711
            raise no_object()
        return parent

    def _add(self, pointer, class_name, parent, parent_id, name, index):
        self.watch.place(parent, self.class_of(parent).name, parent_id, name)
        return self.table.add(Entry(pointer, class_name, parent_id, name, index))

    def child_property(self, obj, name):
        """The property of a child or child list; it is unknown where the member is neither."""
        info = self.class_of(obj)
        about = info.property(name)
        if about.kind not in ("object", "objects"):
            raise unknown_member(info.name, name)
        return about

    def count(self, obj, name):
        """How many objects a child list holds; of a single child 1 or 0."""
        is_list = self.child_property(obj, name).kind == "objects"
        value = getattr(obj, name)
        if is_list:
            return len(value)
        return 1 if value is not None and value != None else 0  # noqa: E711

    def child_ids(self, parent, parent_id, name, is_list):
        """The ids of a child list, or of a single child as a list of one or none; the answer tells of them."""
        info = self.class_of(parent)
        if is_list:
            numbers = children.of_list(self, parent, parent_id, info, name)
        else:
            numbers = [number for number in children.of_singles(self, [parent], [parent_id], info, name) if number]
        for number in numbers:
            self.tell(number)
        return numbers

    # --- from ids and paths to objects ---

    def find(self, reference):
        """The object of `{"id": n}`, `{"path": "..."}` or `{"step": k}`, `{"step": k, "at": i}`."""
        if "step" in reference:
            found = self._of_step(reference)
        elif "path" in reference:
            found = self.at_path(reference["path"])
        elif "id" in reference:
            found = self.object(reference["id"])
            if found is not None:
                self.tell(reference["id"])
        else:
            raise malformed("a reference has id, path or step")
        if found is None or found == None:  # noqa: E711
            raise no_object()
        return found

    def _of_step(self, reference):
        at = reference["step"]
        if not isinstance(at, int) or not 0 <= at < len(self.made):
            raise malformed("step %r is none before this one" % (at,))
        made = self.made[at]
        if "at" in reference:
            if not isinstance(made, list):
                raise malformed("step %d gave no list" % at)
            index = reference["at"]
            return made[index] if isinstance(index, int) and 0 <= index < len(made) else None
        if isinstance(made, list):
            raise malformed("step %d gave a list: say which with at" % at)
        return made

    def object(self, number):
        """The object of an id; `None` where it is gone."""
        known = self._objects.get(number)
        # Nothing goes while Live is in the script, but by what the script itself does.
        if known is not None and (not self._has_moved or known != None):  # noqa: E711
            return known
        entry = self.table.entry(number) if isinstance(number, int) else None
        if entry is None:
            return None
        found = self._look_up(number, entry)
        if found is None:
            self.table.retire(number)
            return None
        self._objects[number] = found
        return found

    def objects(self, numbers):
        """The objects of many ids; `None` for those that are gone."""
        known = self._objects
        if self._has_moved:
            return [self.object(number) for number in numbers]
        try:
            return [known[number] for number in numbers]
        except KeyError:
            return [known[number] if number in known else self._with_its_list(number) for number in numbers]

    def _with_its_list(self, number):
        """The object of an id; where it stands in a list that was read, the others of it are at hand then too."""
        entry = self.table.entry(number)
        if entry is not None and self.table.listing(entry.parent, entry.name) is not None:
            parent = self.object(entry.parent)
            if parent is not None:
                children.listed(self, parent, entry.parent, self.class_of(parent), entry.name)
        return self.object(number)

    def take_list(self, parent_id, name, numbers, found):
        """Notes the objects of a child list that was read just now."""
        self._lists[(parent_id, name)] = found
        self._objects.update(zip(numbers, found))

    def take(self, number, obj):
        self._objects[number] = obj

    def trusts_marks(self):
        """Whether listeners have told of all that moved: what the script itself moves may be told later."""
        return not self._has_moved

    def _look_up(self, number, entry):
        if not entry.parent:
            root = self.song if entry.name == "live_set" else self.app
            return root if root._live_ptr == entry.pointer else None
        parent = self.object(entry.parent)
        if parent is not None:
            found = self._in_place(number, entry, parent)
            if found is not None:
                return found
        # A device may have been moved to another track or chain.
        if "Device" in self.classes.by_name[entry.class_name].lineage:
            return self._device_elsewhere(number, entry)
        return None

    def _in_place(self, number, entry, parent):
        if entry.index is None:
            child = self._safely(parent, entry.name)
            return child if self._is(child, entry) else None
        found = self._list(parent, entry.parent, entry.name)
        if found is None:
            return None
        # The index is a guess: whatever stands there is looked at before it is used.
        if entry.index < len(found) and self._is(found[entry.index], entry):
            return found[entry.index]
        index = self._find_in(parent, entry.parent, entry.name, True, entry.pointer, entry.class_name)
        if index is None:
            return None
        self.table.move(number, entry.parent, entry.name, index)
        return found[index]

    def _is(self, obj, entry):
        if obj is None or obj == None:  # noqa: E711
            return False
        return obj._live_ptr == entry.pointer and self.class_of(obj).name == entry.class_name

    def _device_elsewhere(self, number, entry):
        owners = [track for name in DEVICE_LISTS for track in getattr(self.song, name)] + [self.song.master_track]
        while owners:
            owner = owners.pop(0)
            for index, device in enumerate(owner.devices):
                if self._is(device, entry):
                    self.table.move(number, self.id_of(owner), "devices", index)
                    return device
                for chains in ("chains", "return_chains"):
                    if device.can_have_chains and chains in self.class_of(device).properties:
                        owners.extend(self._safely(device, chains) or ())
        return None

    def _find_in(self, parent, parent_id, name, is_list, pointer, class_name):
        """The position of an object in a list, 0 for a single child; `None` where it is not."""
        key = (parent_id, name)
        roster = self._rosters.get(key)
        if roster is None:
            value = self._list(parent, parent_id, name) if is_list else self._safely(parent, name)
            if value is None:
                return None
            roster = {}
            for at, child in enumerate(value if is_list else [value]):
                if child is not None and child != None:  # noqa: E711
                    roster[(child._live_ptr, self.class_of(child).name)] = at
            self._rosters[key] = roster
        return roster.get((pointer, class_name))

    # --- paths ---

    def at_path(self, path):
        """The object at a path of the object model; `None` where there is none, which is no error."""
        words = path.split() if isinstance(path, str) else []
        at = self._root(words)
        while at is not None and at != None and words:  # noqa: E711
            at = self._child_at(at, words)
        return at if at is not None and at != None else None  # noqa: E711

    def _root(self, words):
        word = words.pop(0) if words else ""
        if word == "live_set":
            return self.song
        if word == "live_app":
            return self.app
        if word == "id" and words:
            number = words.pop(0)
            return self.object(int(number)) if number.isdigit() else None
        return None

    def _child_at(self, at, words):
        name = words.pop(0)
        info = self.class_of(at)
        about = info.properties.get(name)
        if about is None or about.kind not in ("object", "objects") or not info.has(name):
            return None
        if about.kind == "object":
            return self._safely(at, name)
        word = words.pop(0) if words else ""
        found = self._safely(at, name)
        if not word.isdigit() or found is None:
            return None
        return found[int(word)] if int(word) < len(found) else None

    def _list(self, parent, parent_id, name):
        """A child list, asked for once as long as nothing is written; `None` where Live refuses to give it."""
        key = (parent_id, name)
        if key not in self._lists:
            self._lists[key] = self._safely(parent, name)
        return self._lists[key]

    @staticmethod
    def _safely(at, name):
        """A child that Live refuses to give is none."""
        try:
            return getattr(at, name)
        except Exception as error:
            if not is_refusal(error):
                raise
            return None

    def path_of(self, number):
        """The object's own path; empty where it is gone."""
        known = self._paths.get(number)
        if known is not None:
            return known
        # Looks whether it still stands where it was, and finds where it stands now.
        if number in self._objects:
            self._look_again(number)
        elif self.object(number) is None:
            return ""
        entry = self.table.entry(number)
        if entry is None:
            return ""
        path = entry.name if not entry.parent else self._joined(self.path_of(entry.parent), entry.name, entry.index)
        self._paths[number] = path
        return path

    def forget_if_gone(self, number):
        """Retires an id whose object is gone from its place and stands nowhere else."""
        self._objects.pop(number, None)
        self.object(number)

    def read(self, obj, member):
        """A property as it goes over the wire."""
        about = self.class_of(obj).property(member)
        return property_to_wire(self, about.kind, member, getattr(obj, member), obj)

    def _look_again(self, number):
        entry = self.table.entry(number)
        if entry is not None and entry.parent and self._look_up(number, entry) is None:
            self.table.retire(number)

    @staticmethod
    def _joined(path, name, index):
        return "%s %s" % (path, name) if index is None else "%s %s %d" % (path, name, index)

    # --- what the answer tells ---

    def tell(self, number):
        """Has the answer say an object's class and path, and those of what holds it."""
        while number and number not in self._told:
            entry = self.table.entry(number)
            if entry is None:
                return
            self._told[number] = entry.class_name
            number = entry.parent

    def told(self):
        """`{id: [class, path]}` of what was told, with the paths as they are at the end."""
        return {str(number): [name, self.path_of(number)] for number, name in list(self._told.items())}

    def moved(self):
        """After a write: positions may be others now, and objects gone. They are looked at again before they are used.
        """
        self._has_moved = True
        self._paths.clear()
        self._rosters.clear()
        self._lists.clear()
        self.watch.settle(self)
