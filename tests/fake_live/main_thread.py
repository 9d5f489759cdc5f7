"""Live's main thread: gives the script its turns, one at a time, and nothing else to stand on."""

import importlib
import json
import os
import sys
import time

from . import set_of_live
from .behaviours import BEHAVIOURS
from .browser import new_browser
from .clocks import OwnClock, RealClock, VirtualClock
from .launching import advance
from .module import Timer, install
from .native import Node, World
from .newer import with_newer
from .police import Police
from .waits import Waits

DISPLAY_MS = 100.0


class TurnTimes:
    """How long the script holds the thread, by the clock of a script alone."""

    def __init__(self, clock):
        self._clock = clock if isinstance(clock, OwnClock) else None
        self._began = 0.0
        self.reset()

    def reset(self):
        # By answer of the script: how much longer than in a Live all took until then.
        self.answers_late_ms = []
        self.turns, self.accesses, self.idle_turns = 0, 0, 0
        self.longest_ms = self.held_ms = self.stated_ms = self.idle_ms = self.real_ms = 0.0

    def begin(self):
        if self._clock is not None:
            self._clock.begin_turn()
            self._began = self._clock.now()

    def answered(self):
        """The script has written an answer."""
        if self._clock is not None:
            here = (self._clock.real() - self._clock.now()) * 1000.0
            self.answers_late_ms.append(self.real_ms - self.held_ms + here)

    def end(self, bytes_moved):
        clock = self._clock
        if clock is None:
            return
        held = (clock.now() - self._began) * 1000.0
        self.turns += 1
        self.held_ms += held
        self.real_ms += (clock.real() - self._began) * 1000.0
        self.longest_ms = max(self.longest_ms, held)
        self.stated_ms += clock.stated * 1000.0
        self.accesses += clock.accesses
        if not bytes_moved and not clock.accesses:
            self.idle_turns += 1
            self.idle_ms += held

    def told(self):
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}


class CInstance:
    """What Live hands to a script."""

    def __init__(self, main):
        self._main = main

    def song(self):
        world = self._main.world
        world.clock.access(world.access_us / 1e6)
        return world.boost.wrapper(world.song)

    def log_message(self, text):
        self._main.log.append(text)

    def show_message(self, text):
        self._main.log.append("shown: " + text)

    def handle(self):
        return 1

    def request_rebuild_midi_map(self):
        pass

    def send_midi(self, midi):
        pass


class MainThread:
    def __init__(self, options):
        self.options = options
        self.police = Police()
        self.clock = OwnClock() if options.get("own_time") else RealClock() if options.get("real") else VirtualClock()
        self.turns = TurnTimes(self.clock)
        self.world = World(self.police, self.clock)
        self.world.access_us = options.get("access_us", 1.0)
        self.world.cue_grid = options.get("cue_grid", 0.0)
        self.world.browser_us = options.get("browser_us", 100.0)
        self.world.converts = options.get("converts", True)
        self.world.loads_nothing = options.get("loads_nothing", False)
        self.world.bends = options.get("bends", True)
        self.world.warps_new_clips = options.get("warps_new_clips", True)
        self.world.version = tuple(options.get("version", (12, 3, 6)))
        self.log = []
        self.script = None
        self.since_display = 0.0
        self.stalled_ms = 0.0
        self.waits = Waits(self.world, self.turns.answered)
        surface_file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "surface.json")
        with open(surface_file, encoding="utf-8") as file:
            surface = json.load(file)
        surface = with_newer(surface, self.world.version)
        install(self.world, surface, BEHAVIOURS, options.get("without", ()), options.get("timer", True))
        self.world.app = Node(self.world, "Application.Application", None, dialogs=[], control_surfaces=[])
        self.world.app["view"] = Node(self.world, "Application.Application.View", self.world.app, shown={"Session"})
        self.world.app["browser"] = new_browser(self.world, self.world.app)
        self.new_set(**options.get("set", {}))
        # From here on the process is the script's.
        self.waits.install()
        self.clock.install()

    def new_set(self, **size):
        for node in list(self.world.nodes):
            if node.cls.split(".")[0] not in ("Application", "Browser") and node.alive:
                node.kill()
        self.world.nodes = [node for node in self.world.nodes if node.alive]
        self.world._undo, self.world._redo, self.world._before = [], [], None
        set_of_live.new_set(self.world, **size)

    # --- turns ---

    def turn(self, run):
        """One entrance of Live into the script."""
        self.world.turn += 1
        self.world.inside = True
        self.waits.begin_turn()
        self.turns.begin()
        raised = None
        try:
            return run()
        except Exception as error:
            raised = error
            self.police.record("escaped", "%s: %s" % (type(error).__name__, error))
            raise
        finally:
            self.turns.end(self.waits.bytes)
            self.world.inside = False
            if raised is None:
                self.waits.end_turn()
            if self.world.undo_depth:
                self.police.record("undo", "a step was left open")
                self.world.undo_depth = 0
            # Live closes what a turn has changed; inside a step of the script's that is done already.
            self.world.close_step()

    def load_script(self):
        if self.script is None:
            folder = self.options["script"]
            sys.path.insert(0, os.path.dirname(folder))
        package = importlib.import_module(os.path.basename(self.options["script"]))
        self.script = self.turn(lambda: package.create_instance(CInstance(self)))

    def disconnect(self):
        script, self.script = self.script, None
        self.turn(script.disconnect)
        for timer in Timer.made:
            if timer.running:
                self.police.record("left behind", "a timer")
                timer.stop()
        Timer.made[:] = []
        for node in self.world.nodes:
            if node.alive and any(node.listeners.values()):
                self.police.record("left behind", "listeners of %r: %s" % (node, sorted(
                    name for name, callbacks in node.listeners.items() if callbacks)))
                node.listeners = {}
        for one in list(self.waits.open_sockets):
            self.police.record("left behind", "a socket")
            one.close()

    def reload(self, **size):
        """Another Set: Live lets go of every script and makes new ones."""
        self.disconnect()
        self.new_set(**size)
        self.load_script()

    def tick(self):
        """One tick of the timers. While a dialog is open there is none."""
        ms = float(self.options.get("tick_ms", 17))
        self.clock.spend(ms / 1000.0 + self.stalled_ms / 1000.0)
        self.stalled_ms = 0.0
        if self.world.app["dialogs"] or self.script is None:
            return
        for timer in list(Timer.made):
            if timer.running:
                self._timed(timer)
        self.since_display += ms
        if self.since_display >= DISPLAY_MS:
            self.since_display -= DISPLAY_MS
            try:
                self.turn(self.script.update_display)
            except Exception:
                pass
        self._advance(ms)
        self.world.land()
        self.waits.end_interruption()

    def _timed(self, timer):
        try:
            self.turn(timer.callback)
        except Exception:
            timer.running = False
        if not timer.repeat:
            timer.running = False

    def _advance(self, ms):
        song = self.world.song
        if not song["is_playing"]:
            return
        before = song["current_song_time"]
        song["current_song_time"] += ms / 60000.0 * song["tempo"]
        end = song["loop_start"] + song["loop_length"]
        if song["loop"] and before < end <= song["current_song_time"]:
            song["current_song_time"] -= song["loop_length"]
        advance(song)
