"""What lies behind Live's Python objects: nodes with a pointer, and the world that they are in."""

import threading


class Node:
    """A native object. A wrapper is good while the node lives under the pointer that the wrapper was made for."""

    def __init__(self, world, cls, parent=None, **values):
        self.world = world
        self.cls = cls
        self.parent = parent
        self.values = values
        self.listeners = {}
        self.alive = True
        self.pointer = world.new_pointer()
        world.nodes.append(self)

    def __getitem__(self, name):
        return self.values[name]

    def __setitem__(self, name, value):
        self.values[name] = value

    def get(self, name, default=None):
        return self.values.get(name, default)

    def kill(self):
        """Deletes it, and everything below it."""
        self.alive = False
        self.world.free_pointer(self.pointer)
        for value in list(self.values.values()):
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, Node) and one.parent is self and one.alive:
                    one.kill()

    def tell(self, *names):
        """Notifies who listens. Inside, Live takes no changes."""
        for name in names:
            for callback in list(self.listeners.get(name, ())):
                self.world.notify(callback)

    def __repr__(self):
        return "%s %x" % (self.cls, self.pointer)


class World:
    """The state of the program: its thread, its turns, and its Set."""

    def __init__(self, police, clock):
        self.police = police
        self.clock = clock
        self.main_thread = threading.get_ident()
        self.turn = 0
        self.inside = False
        self.notifying = 0
        self.undo_depth = 0
        self.nodes = []
        self.song = None
        self.app = None
        self.not_modelled = []
        self.version = (12, 3, 6)
        # Microseconds that each access costs on the virtual clock.
        self.access_us = 1.0
        # Beats of the grid that locators go to; 0 is none.
        self.cue_grid = 0.0
        # Microseconds that a folder of the browser takes to be opened, and those that were.
        self.browser_us = 100.0
        self.opened = []
        # Whether audio can be turned to notes, and whether what is loaded comes.
        self.converts = True
        self.loads_nothing = False
        self._next = []
        # Whether events of envelopes keep how they bend.
        self.bends = True
        # What the user prefers for new audio clips.
        self.warps_new_clips = True
        self._next_pointer = 0x7F0000001000
        self._free = []
        self._late = []
        self._undo = []
        self._redo = []
        self._changed = False
        self._before = None

    # --- pointers ---

    def new_pointer(self):
        """Memory is used again, so a pointer may be another object's later."""
        if self._free:
            return self._free.pop()
        self._next_pointer += 0x40
        return self._next_pointer

    def free_pointer(self, pointer):
        self._free.append(pointer)

    # --- notifications and late values ---

    def notify(self, callback):
        self.notifying += 1
        try:
            callback()
        except Exception as error:
            self.police.record("escaped", "%s: %s" % (type(error).__name__, error))
        finally:
            self.notifying -= 1

    def late(self, land):
        """What Live applies when the tick is over."""
        self._late.append(land)

    def next_tick(self, do):
        """What comes when another tick is over."""
        self._next.append(do)

    def land(self):
        coming, self._next = self._next, []
        for one in coming:
            one()
        while self._late:
            late, self._late = self._late, []
            for land in late:
                land()

    # --- undo ---

    def changing(self):
        """Before the first change of a step: what undo brings back."""
        if self._before is None:
            self._before = self._snapshot()
        self._redo = []

    def close_step(self):
        if self._before is not None and self.undo_depth == 0:
            self._undo.append(self._before)
            self._before = None

    def can_undo(self):
        return bool(self._undo) or self._before is not None

    def can_redo(self):
        return bool(self._redo)

    def undo(self):
        self.close_step()
        if self._undo:
            self._redo.append(self._snapshot())
            self._restore(self._undo.pop())

    def redo(self):
        if self._redo:
            self._undo.append(self._snapshot())
            self._restore(self._redo.pop())

    def _snapshot(self):
        kept = {}
        for node in self.nodes:
            values = {k: list(v) if isinstance(v, list) else v for k, v in node.values.items()}
            if "notes" in values:
                values["notes"] = [dict(note) for note in values["notes"]]
            kept[id(node)] = (node.alive, values, node.parent)
        return kept

    def _restore(self, kept):
        for node in self.nodes:
            alive, values, parent = kept.get(id(node), (False, node.values, node.parent))
            if alive and not node.alive:
                # A deleted object does not come back: another one in its place does.
                node.pointer = self.new_pointer()
                node.listeners = {}
            elif node.alive and not alive:
                self.free_pointer(node.pointer)
            node.alive, node.values, node.parent = alive, values, parent
        self.song.tell("tracks", "visible_tracks", "return_tracks", "scenes", "cue_points")
        for node in list(self.nodes):
            if node.alive and node.cls == "ClipSlot.ClipSlot":
                node.tell("has_clip")
            elif node.alive and node.cls == "Track.Track":
                node.tell("devices", "clip_slots", "arrangement_clips")
