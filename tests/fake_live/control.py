"""What a test says to the fake: one JSON line each, answered by one line.

Users act on the nodes themselves, past the wrappers, as Live's own window does.
"""

import os

from .boost import label
from .kept_values import kept
from .module import Timer
from .native import Node
from .set_of_live import new_device


class Control:
    def __init__(self, main):
        self.main = main
        self.world = main.world
        # What probes leave for later ones.
        self.kept = {}

    def run(self, told):
        return getattr(self, "op_" + told.pop("op"))(**told)

    # --- turns ---

    def op_ticks(self, n=1):
        for _ in range(n):
            self.main.tick()

    def op_stall(self, ms):
        """The next tick comes that much later."""
        self.main.stalled_ms += ms

    def op_dialog(self, text):
        self.world.app["dialogs"].append(text)

    def op_close_dialog(self):
        self.world.app["dialogs"].pop()

    def op_opened(self):
        """Folders of the browser that were opened."""
        return self.world.opened

    def op_stop_timers(self):
        """As Live does after an exception."""
        for timer in Timer.made:
            timer.stop()

    def op_load(self):
        self.main.load_script()

    def op_reload(self, **size):
        self.main.reload(**size)

    def op_disconnect(self):
        self.main.disconnect()

    def op_serve(self, bridge_file):
        """An empty Set, for the device of this file."""
        os.environ["SVC_BRIDGE_FILE"] = bridge_file
        self.main.police.reset()
        self.main.new_set(**self.main.options.get("set", {}))
        self.main.load_script()

    def op_leave(self):
        """Lets go of the script, and tells what the police saw."""
        self.main.disconnect()
        return self.main.police.incidents

    def op_now_ms(self):
        return self.main.clock.wall() * 1000.0

    def op_interrupt(self, answers, then):
        """These commands run between two requests: after so many answers from now on, and before the next is seen."""
        self.main.waits.interrupt_after(answers, lambda: [self.run(dict(told)) for told in then])

    def op_end_interruption(self):
        self.main.waits.interruption = None

    # --- what the police saw ---

    def op_turns(self):
        """What the turns since the last time took, and the clock of a script that has its own."""
        told = self.main.turns.told()
        self.main.turns.reset()
        return told

    def op_sockets(self):
        """How many the script holds."""
        return len(self.main.waits.open_sockets)

    def op_connects(self):
        """How often it has tried to connect."""
        return self.main.waits.connects

    def op_incidents(self):
        return self.main.police.incidents

    def op_declare(self, writes):
        self.main.police.declare(writes)

    def op_missing(self):
        return self.main.police.missing()

    def op_writes(self):
        return self.main.police.writes

    def op_log(self):
        return self.main.log

    def op_not_modelled(self):
        return sorted(set(self.world.not_modelled))

    def op_probe(self, code):
        """Runs lines as a script in a turn of its own; what they leave as `result` is the answer."""
        import Live

        names = {"Live": Live, "song": lambda: self.world.boost.wrapper(self.world.song), "kept": self.kept}

        def run():
            try:
                exec(code, names)
            except Exception as error:
                names["result"] = "%s: %s" % (type(error).__name__, str(error).split("\n")[0])
        self.main.turn(run)
        return names.get("result")

    # --- a user at the window ---

    def op_user_call(self, path, function, args=()):
        node = self.node(path)
        self.world.changing()
        given = self.world.boost.behaviour(node, "do_" + function)(node, *[self.argument(arg) for arg in args])
        self.world.close_step()
        return label(given) if isinstance(given, Node) else None

    def op_user_set(self, path, member, value):
        node = self.node(path)
        run = self.world.boost.behaviour(node, "set_" + member)
        self.world.changing()
        if run is not None:
            run(node, value)
        else:
            node[member] = value
            node.tell(member)
        self.world.close_step()

    def op_fill(self, scenes, length=4.0):
        """A clip in each of the first slots of every MIDI track; no undo step, as of a Set that was opened."""
        for track in self.world.song["tracks"]:
            for slot in track["clip_slots"][:scenes]:
                self.world.boost.behaviour(slot, "do_create_clip")(slot, length)
        self.world.clock.new_objects()

    def op_add_device(self, path, name):
        """A device on a track, as a user drags it there."""
        track = self.node(path)
        track["devices"].append(new_device(self.world, track, name))
        track.tell("devices")

    def op_get(self, path, member):
        node = self.node(path)
        run = self.world.boost.behaviour(node, "get_" + member)
        value = run(node) if run is not None else node.get(member)
        if isinstance(value, list):
            return [label(one) if isinstance(one, Node) else one for one in value]
        return label(value) if isinstance(value, Node) else value

    def op_label(self, path):
        node = self.node(path)
        return label(node) if node is not None else None

    def op_state(self):
        """All that is kept of the Set, for comparisons."""
        return kept(self.world.song)

    def op_listeners(self):
        return sum(len(callbacks) for node in self.world.nodes for callbacks in node.listeners.values())

    def op_steps(self):
        """How many undo steps there are."""
        return len(self.world._undo)

    def argument(self, arg):
        return self.node(arg["path"]) if isinstance(arg, dict) else arg

    def node(self, path):
        words = path.split()
        at = {"live_set": self.world.song, "live_app": self.world.app}[words.pop(0)]
        while words:
            name = words.pop(0)
            run = self.world.boost.behaviour(at, "get_" + name)
            at = run(at) if run is not None else at[name]
            if isinstance(at, list):
                at = at[int(words.pop(0))]
        return at
