"""The pump: everything the script does, once a tick, each part in a guard of its own.

Live's whole window waits while it runs, so it takes 8 ms a tick at most, waiting included; a program that is longer is
the one exception.
"""

import os
import time

from .errors import Failure
from .frames import FrameError
from .ids import IdTable
from .link import OPEN
from .requests import Requests
from .undo_step import UndoStep
from .visit import Visit

# Of the 8 ms that a turn may take; what is left is for writing what was read, and for the last piece of it.
WORK_SECONDS = 0.0055
SLICE_SECONDS = 0.001
QUIET_SLICES = 3
BEAT_SECONDS = 1.0
LONG_GAP_MS = 200.0


class Pump:
    """`song` gives Live's song, anew each time it is asked."""

    def __init__(self, link, classes, watch, song, log):
        self._link = link
        self._classes = classes
        self._watch = watch
        self._song = song
        self._log = log
        self._requests = Requests(self._send_answer, log)
        self._undo = UndoStep()
        self._table = None
        self._was_open = False
        self._last = None
        self._longest_gap_ms = 0.0
        self._next_beat = 0.0
        self._more = False
        self._began = 0.0
        self._busy = False

    def tick(self, now):
        """One tick, at that time. Never raises: an exception would stop Live's timer for good."""
        # Live may call in again while a call of ours opens a dialog.
        if self._busy:
            return
        self._busy = True
        try:
            self._began = now
            self._more = False
            self._guarded("the gap", self._note_gap)
            if not self._is_idle():
                self._work()
        finally:
            self._busy = False

    def _is_idle(self):
        """Whether there is nothing to do, found out with as little as can be: most ticks are such."""
        is_open = self._link.state == OPEN
        # What the end of a link brings with it was not done yet, or a beat is due.
        if is_open != self._was_open or is_open and self._began >= self._next_beat:
            return False
        if self._requests.in_hand() or is_open and self._watch.has_marks():
            return False
        try:
            return self._link.is_quiet(self._began)
        except Exception as error:
            self._log.fault("looking for bytes", error)
            return False

    def _work(self):
        try:
            self._guarded("the link", self._link.step)
            self._round()
            self._guarded("a beat", self._beat)
            self._guarded("writing", self._link.flush)
            self._guarded("lingering", self._linger)
        finally:
            self._guarded("the undo step", self._undo.end)

    def _round(self):
        self._guarded("reading", self._read)
        self._guarded("requests", self._run)
        self._guarded("marks", self._tell_marks)
        self._guarded("writing", self._link.flush)

    def _guarded(self, what, part):
        try:
            part()
        except Exception as error:
            self._log.fault(what, error)

    def _time_left(self):
        """Seconds for work in this turn; none where it is not above 0."""
        return WORK_SECONDS - (time.perf_counter() - self._began)

    def _note_gap(self):
        if self._last is not None:
            gap = (self._began - self._last) * 1000.0
            self._longest_gap_ms = max(self._longest_gap_ms, gap)
            if gap > LONG_GAP_MS:
                self._log.say_seldom("gap", "Live gave no turn for %d ms" % gap)
        self._last = self._began

    def _read(self):
        for message in self._link.read():
            self._take(message)
        if self._was_open and self._link.state != OPEN:
            self._was_open = False
            self._requests.drop_all()
            self._watch.no_values()

    def _take(self, message):
        kind = message.get("kind")
        if kind == "welcome":
            self._open(message)
        elif kind == "cancel":
            self._requests.cancel(message.get("id"))
        elif kind == "beat":
            pass
        elif isinstance(kind, str):
            # An unknown kind is answered too: else its sender would wait.
            self._requests.add(message)

    def _open(self, welcome):
        """To a device that knows this Set's ids they stay what they were. To another one they begin above all that it
        has seen, so that a number never means two objects."""
        self._was_open = True
        self._log.say("linked")
        if self._table is not None and welcome.get("keep_ids") is True:
            return
        self._watch.disconnect()
        first = welcome.get("first_id")
        self._table = IdTable(first if isinstance(first, int) and first > 0 else 1)

    def _open_visit(self):
        visit = Visit(self._song(), self._table, self._classes, self._watch, self._undo)
        self._watch.settle(visit)
        return visit

    def _run(self):
        # Without a link what is left of a locator's request is to bring the playhead back.
        if self._link.state == OPEN or self._requests.in_hand():
            self._requests.run(self._open_visit, self._time_left)

    def _send_answer(self, answer, started, more):
        self._more = more
        try:
            self._link.send(answer)
        except FrameError:
            failure = Failure("too_large", "the answer is longer than a frame may be; ask for less at a time")
            error = dict(failure.to_wire(), started=started)
            self._link.send({"kind": "answer", "id": answer["id"], "ok": False, "error": error})

    def _tell_marks(self):
        if self._link.state != OPEN or not self._watch.has_marks():
            return
        visit = self._open_visit()
        values = self._watch.take_values(visit)
        moved = [[number, name] for number, name in self._watch.take_moved() if self._table.entry(number)]
        if values or moved:
            self._link.send({"kind": "marks", "changes": self._watch.changes, "lists": moved, "values": values})

    def _beat(self):
        if self._link.state != OPEN or self._began < self._next_beat:
            return
        self._next_beat = self._began + BEAT_SECONDS
        app = self._open_visit().app
        dialogs = app.open_dialog_count
        self._link.send({
            "kind": "beat",
            "tick_gap_ms": round(self._longest_gap_ms, 1),
            "max_request_ms": round(self._requests.longest_ms, 1),
            "dialogs": dialogs,
            "dialog": app.current_dialog_message if dialogs else "",
            "changes": self._watch.changes,
            "pid": os.getpid(),
        })
        self._longest_gap_ms = 0.0
        self._requests.longest_ms = 0.0

    def _linger(self):
        """Stays a little after an answer whose call goes on, so that only its first request waits for a tick. What does
        not come soon waits for the next one, and a tick that answered nothing never stays."""
        quiet = 0
        while self._more and self._link.state == OPEN and not self._requests.in_hand():
            if self._time_left() < SLICE_SECONDS:
                return
            if self._link.wait(SLICE_SECONDS):
                quiet = 0
                self._round()
                continue
            quiet += 1
            if quiet == QUIET_SLICES:
                self._more = False
