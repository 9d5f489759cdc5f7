"""The Python side of Live's objects, as Boost.Python makes it: built from the stubs, strict where C++ is.

A wrapper is made anew at each access. What a member does stands in the behaviours; one without a behaviour is a value
of its type that is kept.
"""

import re
import threading

from .native import Node

RANGE_TEXT = "Invalid value. Check the parameters range with min/max"
NOTIFICATION_TEXT = "Changes cannot be triggered by notifications. You will need to defer your response."


class ArgumentError(TypeError):
    pass


ArgumentError.__module__ = "Boost.Python"


class Vector:
    """Read-only, and no list. What is taken out of it is wrapped when it is taken."""

    def __init__(self, items=(), wrap=None):
        self._items = tuple(items)
        self._wrap = wrap or (lambda item: item)

    def __iter__(self):
        return (self._wrap(item) for item in self._items)

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(self._items[index], self._wrap)
        return self._wrap(self._items[index])

    def __contains__(self, value):
        return any(item == value for item in self)

    def __bool__(self):
        return bool(self._items)


class Wrapper:
    """The base of every wrapper."""

    __slots__ = ("_node", "_pointer", "_turn")
    _boost = None

    def __init__(self, *args, **kwargs):
        raise RuntimeError("This class cannot be instantiated from Python")

    def _lives(self):
        return self._node.alive and self._node.pointer == self._pointer

    def __eq__(self, other):
        if other is None:
            return not self._lives()
        return isinstance(other, Wrapper) and self._lives() and self._pointer == other._pointer and \
            self._node is other._node

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self._pointer)

    def __setattr__(self, name, value):
        known = getattr(type(self), name, None)
        if not isinstance(known, property) or known.fset is None:
            self._boost.world.police.record("invented", "%s.%s" % (self._node.cls, name))
            raise AttributeError("can't set attribute")
        known.fset(self, value)


class Boost:
    """Makes the classes of the surface, and wraps and checks values."""

    def __init__(self, world, surface, behaviours, without=()):
        self.world = world
        self.surface = surface
        self.behaviours = behaviours
        self.without = set(without)
        self.classes = {}
        self.by_simple = {}
        self.enums = {}
        self.vectors = {}
        self.values = {}
        for name, about in surface["classes"].items():
            if "int" in about["bases"]:
                self.enums[name.rsplit(".", 1)[1]] = self._make_enum(name, about)
        for name in surface["classes"]:
            if self.is_lom(name):
                self._make_class(name)

    def is_lom(self, name):
        if name == "LomObject.LomObject":
            return True
        return any(self.is_lom(base) for base in self.bases(name))

    def bases(self, name):
        """Full names of what a class inherits from; its own module's comes first."""
        found = []
        for base in self.surface["classes"][name]["bases"]:
            own = "%s.%s" % (name.split(".")[0], base)
            if own in self.surface["classes"] and own != name:
                found.append(own)
                continue
            head = base.split(".")[0]
            full = ["%s.%s" % (module, base) for module in (head, "Track", "LomObject", "Device")]
            found.extend([one for one in full if one in self.surface["classes"] and one != name][:1])
        return found

    # --- classes ---

    def _make_enum(self, name, about):
        values = about.get("values", {})
        kind = type(name.rsplit(".", 1)[1], (int,), {})
        kind.names = {word: kind(number) for word, number in values.items()}
        kind.values = {number: kind(number) for number in values.values()}
        for word, number in values.items():
            setattr(kind, word, kind(number))
        return kind

    def _make_class(self, name):
        if name in self.classes:
            return self.classes[name]
        bases = tuple(self._make_class(base) for base in self.bases(name)) or (Wrapper,)
        about = self.surface["classes"][name]
        members = {"__slots__": (), "__module__": name.split(".")[0], "_boost": self}
        members["_live_ptr"] = property(self._pointer_reader())
        for member, told in about["properties"].items():
            if "%s.%s" % (name, member) not in self.without and not member.startswith("_"):
                members[member] = self._make_property(name, member, told)
        for member, told in about["functions"].items():
            if "%s.%s" % (name, member) not in self.without:
                members[member] = self._make_function(name, member, told)
        for member in about["listen"]:
            if "%s.%s" % (name, member) not in self.without:
                members.update(self._make_listening(member))
        made = type(name.rsplit(".", 1)[1], bases, members)
        if name == "DeviceParameter.DeviceParameter":
            made.__str__ = lambda wrapper: wrapper.str_for_value(wrapper.value)
        self.classes[name] = made
        self.by_simple.setdefault(name.rsplit(".", 1)[1], made)
        return made

    def _pointer_reader(self):
        def read(wrapper):
            self.enter(wrapper, "_live_ptr")
            return wrapper._pointer
        return self.world.clock.timed(read)

    def _make_property(self, name, member, told):
        def read(wrapper):
            self.enter(wrapper, member)
            return self.wrap(told["type"], self.read(wrapper._node, member, told["type"]))

        def write(wrapper, value):
            self.enter(wrapper, member, writes=True)
            self.check(name + "." + member, told["type"], value)
            self.write(wrapper._node, member, self.unwrap(value))

        timed = self.world.clock.timed
        return property(timed(read), timed(write) if told["settable"] else None)

    def _make_function(self, name, member, told):
        def call(wrapper, *args, **kwargs):
            self.enter(wrapper, member, writes=not is_reading(member))
            signature = "%s.%s" % (name, member)
            needed = len([arg for arg in told["args"] if not arg[2]])
            if kwargs or not needed <= len(args) <= len(told["args"]):
                self.mismatch(signature, args)
            for (_, kind, _), value in zip(told["args"], args):
                self.check(signature, kind, value)
            run = self.behaviour(wrapper._node, "do_" + member)
            if run is None:
                self.world.not_modelled.append(signature)
                raise RuntimeError("the fake does not model %s" % signature)
            if is_reading(member):
                return self.wrap(told["returns"], run(wrapper._node, *[self.unwrap(a) for a in args]))
            if member not in NO_STEP:
                self.world.changing()
            given = run(wrapper._node, *[self.unwrap(a) for a in args])
            self.world.police.wrote(member, label(wrapper._node))
            return self.wrap(told["returns"], given)

        return self.world.clock.timed(call)

    def _make_listening(self, member):
        def add(wrapper, callback):
            self.enter(wrapper, member)
            callbacks = wrapper._node.listeners.setdefault(member, [])
            if callback in callbacks:
                self.world.police.record("listener", "%s added twice" % member)
                raise RuntimeError("Observer already connected")
            callbacks.append(callback)

        def remove(wrapper, callback):
            self.enter(wrapper, member, held_is_fine=True)
            callbacks = wrapper._node.listeners.get(member, [])
            if callback not in callbacks:
                self.world.police.record("listener", "%s removed while absent" % member)
                raise RuntimeError("Observer not connected")
            callbacks.remove(callback)

        def has(wrapper, callback):
            self.enter(wrapper, member, held_is_fine=True)
            return callback in wrapper._node.listeners.get(member, [])

        made = {"add_%s_listener" % member: add, "remove_%s_listener" % member: remove,
                "%s_has_listener" % member: has}
        return {name: self.world.clock.timed(run) for name, run in made.items()}

    # --- each access ---

    def enter(self, wrapper, member, writes=False, held_is_fine=False):
        world = self.world
        what = "%s.%s" % (wrapper._node.cls, member)
        if threading.get_ident() != world.main_thread:
            world.police.record("thread", what)
            raise RuntimeError("%s from another thread" % what)
        world.clock.access(world.access_us / 1e6)
        if not world.inside:
            world.police.record("outside", what)
        if not wrapper._lives():
            world.police.record("dead", what)
            raise RuntimeError("%s: the object does not exist any more" % what)
        if wrapper._turn != world.turn and not held_is_fine:
            world.police.record("held", what)
        if writes and world.notifying:
            world.police.record("notification", what)
            raise RuntimeError(NOTIFICATION_TEXT)

    def behaviour(self, node, name):
        for cls in self.lineage(node.cls):
            found = getattr(self.behaviours.get(cls), name, None)
            if found is not None:
                return found
        return None

    def lineage(self, name):
        found = [name]
        for base in self.bases(name):
            found.extend(self.lineage(base))
        return found

    def read(self, node, member, kind):
        run = self.behaviour(node, "get_" + member)
        if run is not None:
            return run(node)
        if member == "canonical_parent":
            return node.parent
        if member not in node.values:
            node.values[member] = default(kind, self.enums)
        return node.values[member]

    def write(self, node, member, value):
        run = self.behaviour(node, "set_" + member)
        if not is_view(node.cls) and member not in NO_STEP:
            self.world.changing()
        if run is not None:
            run(node, value)
        else:
            node.values[member] = value
            node.tell(member)
        self.world.police.wrote(member, label(node))

    # --- values ---

    def wrap(self, kind, value):
        if isinstance(value, Node):
            return self.wrapper(value)
        plain = kind.replace(" | None", "").split(" | ")[0]
        if isinstance(value, list) and kind != "Any":
            return self.vector_of(plain)(value, self.world.clock.timed(lambda item: self.wrap("", item)))
        if plain in self.enums and isinstance(value, int):
            return self.enums[plain](value)
        return value

    def vector_of(self, kind):
        simple = kind if kind.endswith("Vector") else "Vector"
        if simple not in self.vectors:
            self.vectors[simple] = Vector if simple == "Vector" else type(simple, (Vector,), {})
        return self.vectors[simple]

    def wrapper(self, node):
        made = self.classes[node.cls].__new__(self.classes[node.cls])
        for name, value in (("_node", node), ("_pointer", node.pointer), ("_turn", self.world.turn)):
            object.__setattr__(made, name, value)
        return made

    def unwrap(self, value):
        if isinstance(value, Wrapper):
            return value._node
        return value

    def mismatch(self, signature, args):
        told = ", ".join(type(arg).__name__ for arg in args)
        self.world.police.record("signature", "%s(%s)" % (signature, told))
        raise ArgumentError("Python argument types in\n    %s(%s)\ndid not match C++ signature:" % (signature, told))

    def check(self, signature, kind, value):
        if not any(self.fits(one.strip(), value) for one in kind.split(" | ")):
            self.mismatch(signature, [value])

    def fits(self, kind, value):
        if kind in ("Any", "object"):
            return True
        if kind == "None":
            return value is None
        if kind in ("bool", "float", "str"):
            return type(value).__name__ == kind
        if kind == "int" or kind in self.enums:
            return isinstance(value, int) and not isinstance(value, bool)
        inner = re.match(r"Iterable\[(.*)\]$", kind)
        if inner is not None:
            return isinstance(value, (tuple, list, Vector)) and all(self.fits(inner.group(1), one) for one in value)
        if kind in self.by_simple:
            return isinstance(value, self.by_simple[kind]) and value != None  # noqa: E711
        if kind in self.vectors or kind.endswith("Vector"):
            return isinstance(value, self.vector_of(kind))
        if kind in self.values:
            return isinstance(value, self.values[kind])
        return kind.startswith(("tuple[", "list[")) and isinstance(value, (tuple, list))


READING = re.compile(r"(get_(?!data$)|str_for|can_|is_|find_|has_|available_|beat_to|sample_to|seconds_to|note_number|"
                     r"automation_envelope|value_at|events_in|gain_display|guess_)")


# Transport, launching and looking are no edits: undo does not bring them back.
NO_STEP = {
    "undo", "redo", "is_playing", "current_song_time", "start_playing", "continue_playing", "stop_playing", "fire",
    "fire_as_selected", "stop", "stop_all_clips", "set_fire_button_state", "jump_by", "scrub_by", "select_device",
    "jump", "jump_to_next_cue", "jump_to_prev_cue", "play_selection", "tap_tempo", "begin_gesture", "end_gesture",
    "show_view", "focus_view", "hide_view", "press_current_dialog_button", "start_time",
}


def is_reading(function):
    """Whether a function changes nothing: those may be called inside a notification."""
    return bool(READING.match(function)) or function in ("get_data", "begin_undo_step", "end_undo_step")


def is_view(cls):
    return cls.endswith(".View")


def label(node):
    """An object as the log of writes names it: its class and pointer, which does not move when indexes do."""
    return "%s@%x" % (node.cls.rsplit(".", 1)[1], node.pointer)


def default(kind, enums):
    plain = kind.split(" | ")[0]
    if "None" in kind:
        return None
    if plain in enums:
        return 0
    made = {"bool": False, "int": 0, "float": 0.0, "str": ""}
    if plain in made:
        return made[plain]
    if plain.startswith("tuple["):
        return ()
    if plain.endswith("Vector") or plain.startswith(("Vector[", "list[")):
        return []
    return None
