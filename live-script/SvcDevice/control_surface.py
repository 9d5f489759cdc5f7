"""The surface that Live drives: what it may call, most of it with nothing behind it, and what turns the pump.

No base class: those of Live's own scripts are private, and differ from version to version.
"""

import os
import sys
import time

import Live

from . import bridge_files
from .classes import Classes
from .fault_log import FaultLog
from .link import Link
from .pump import Pump
from .version import PROTOCOL, SCRIPT_VERSION, source_hash
from .watch import Watch

TIMER_MS = 10
# A timer that did not come for so long has stopped, or Live has none; Live calls update_display every 100 ms.
TIMER_IS_GONE_SECONDS = 0.25


class SvcDevice:
    def __init__(self, c_instance):
        self._c_instance = c_instance
        self._log = FaultLog(c_instance.log_message)
        self._classes = Classes()
        self._watch = Watch(self._log)
        self._hash = source_hash()
        # Another Set, another number: ids of the one before mean nothing here.
        self._set_number = os.urandom(8).hex()
        self._link = Link(lambda: bridge_files.candidates(self._log), self._hello, self._log)
        self._pump = Pump(self._link, self._classes, self._watch, c_instance.song, self._log)
        self._timer = None
        self._timer_came = 0.0
        self._gone = False
        self._start_timer()
        self._log.say("version %s, protocol %d" % (SCRIPT_VERSION, PROTOCOL))

    # --- turns ---

    def _start_timer(self):
        timer = getattr(Live.Base, "Timer", None)
        if timer is None:
            return
        try:
            self._timer = timer(callback=self._on_timer, interval=TIMER_MS, repeat=True)
            self._timer.start()
        except Exception as error:
            self._timer = None
            self._log.fault("the timer", error)

    def _on_timer(self):
        self._timer_came = now = time.perf_counter()
        if not self._gone:
            self._pump.tick(now)

    def update_display(self):
        """Every 100 ms. Turns the pump where no timer does."""
        now = time.perf_counter()
        if self._gone or now - self._timer_came < TIMER_IS_GONE_SECONDS:
            return
        self._pump.tick(now)

    def disconnect(self):
        """Live lets go of the script: when it is switched off, and before another Set is loaded."""
        self._gone = True
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._watch.disconnect()
        try:
            self._link.send({"kind": "bye"})
            self._link.flush()
        finally:
            self._link.close()
        self._c_instance = None

    # --- the first frame ---

    def _hello(self, file):
        app = Live.Application.get_application()
        have, needs = self._classes.capabilities()
        return {
            "kind": "hello",
            "protocol": PROTOCOL,
            "token": file.token,
            "script_version": SCRIPT_VERSION,
            "source_hash": self._hash,
            "python": "%d.%d.%d" % sys.version_info[:3],
            "live_version": "%d.%d.%d" % (
                app.get_major_version(), app.get_minor_version(), app.get_bugfix_version()),
            "live_variant": app.get_variant() if hasattr(app, "get_variant") else "",
            "pid": os.getpid(),
            "set": self._set_number,
            "tick": "display" if self._timer is None else "timer",
            "capabilities": have,
            "needs": needs,
        }

    # --- what Live may call of any script ---

    def connect_script_instances(self, instanciated_scripts):
        pass

    def can_lock_to_devices(self):
        return False

    def lock_to_device(self, device):
        pass

    def unlock_from_device(self, device):
        pass

    def toggle_lock(self):
        pass

    def set_appointed_device(self, device):
        pass

    def suggest_input_port(self):
        return ""

    def suggest_output_port(self):
        return ""

    def suggest_map_mode(self, cc_no, channel):
        return Live.MidiMap.MapMode.absolute

    def supports_pad_translation(self):
        return False

    def show_message(self, message):
        if self._c_instance is not None:
            self._c_instance.show_message(message)

    def request_rebuild_midi_map(self):
        pass

    def build_midi_map(self, midi_map_handle):
        pass

    def receive_midi(self, midi_bytes):
        pass

    def handle_sysex(self, midi_bytes):
        pass

    def refresh_state(self):
        pass

    def is_extension(self):
        return False
