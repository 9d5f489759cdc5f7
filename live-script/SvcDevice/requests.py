"""Requests in their order: one is in hand, the others wait. Each is answered once, whatever comes of it."""

import time
from collections import deque

from .bulk_read import BulkRead
from .conversions import Convert
from .errors import Failure, malformed
from .loading import Load
from .locators import LocatorToggle
from .program import Program

MAX_WAITING = 64


class Watching:
    """Which values' changes are told; replaces what was watched before."""

    def __init__(self, request):
        self._members = request.get("members")
        if not isinstance(self._members, list) or not all(isinstance(one, dict) for one in self._members):
            raise malformed("watch has members, a list of {of, member}")

    def tick(self, visit, time_left):
        visit.watch.no_values()
        numbers = []
        for one in self._members:
            if not isinstance(one.get("of"), dict) or not isinstance(one.get("member"), str):
                raise malformed("a watched member has of, a reference, and member, a name")
            numbers.append(visit.watch.value(visit, one["of"], one["member"]))
        return {"ok": True, "watched": numbers, "objects": visit.told()}


KINDS = {"program": Program, "read": BulkRead, "watch": Watching, "locator": LocatorToggle, "convert": Convert,
         "load": Load}
# What goes on for some ticks, and is brought to its end once it has begun.
LASTING = (Program, LocatorToggle, Convert, Load)
# What puts something back in the end.
TIDYING = (LocatorToggle, Load)


class Waiting:
    def __init__(self, request):
        self.id = request["id"]
        self.expires_at_ms = request.get("expires_at_ms")
        self.request = request
        self.work = None
        self.started = False
        # Whether it came so far as to change anything.
        self.has_changed = False
        # Whether somebody waits for the answer.
        self.is_heard = True

    def has_expired(self):
        # The clock on the wall is the one that both processes share. A request may have lain in the socket while Live
        # showed a dialog, so time since it was read says nothing.
        return self.expires_at_ms is not None and time.time() * 1000.0 > self.expires_at_ms


class Requests:
    """`answer` sends one, told whether its request had begun and whether more follow it."""

    def __init__(self, answer, log):
        self._answer = answer
        self._log = log
        self._waiting = deque()
        self.longest_ms = 0.0

    def add(self, request):
        number = request.get("id")
        if not isinstance(number, int) or isinstance(number, bool):
            self._log.say_seldom("no id", "a request without a number was left out")
            return
        waiting = Waiting(request)
        if request["kind"] not in KINDS:
            self._fail(waiting, malformed("%r is no kind of request" % request["kind"]))
        elif len(self._waiting) >= MAX_WAITING:
            self._fail(waiting, Failure("busy", "%d requests wait already" % MAX_WAITING))
        else:
            self._waiting.append(waiting)

    def cancel(self, number):
        """Drops a request that has not begun, and a read that has. What wrote is not undone."""
        for waiting in list(self._waiting):
            if waiting.id == number and not self._is_landing(waiting):
                self._waiting.remove(waiting)
                self._fail(waiting, Failure("cancelled", "it was cancelled"))

    def drop_all(self):
        """The link is gone: what was not begun never is, and nothing is done a second time. A playhead that is away is
        still brought back, and a track for loading taken away."""
        self._waiting = deque(one for one in self._waiting if one.started and isinstance(one.work, TIDYING))
        for waiting in self._waiting:
            waiting.is_heard = False

    def in_hand(self):
        return bool(self._waiting)

    def run(self, open_visit, time_left):
        """Serves requests while there is time; at least one, or no tick would get anything done. Stops at one that has
        to wait for the next tick."""
        while self._waiting:
            waiting = self._waiting[0]
            began = time.perf_counter()
            done = self._serve(waiting, open_visit, time_left)
            self.longest_ms = max(self.longest_ms, (time.perf_counter() - began) * 1000.0)
            if not done:
                return
            self._waiting.popleft()
            if time_left() <= 0:
                return

    def _serve(self, waiting, open_visit, time_left):
        """Whether it is done with."""
        try:
            if waiting.has_expired() and not self._is_landing(waiting):
                raise Failure("expired", "its time had passed")
            if waiting.work is None:
                waiting.work = KINDS[waiting.request["kind"]](waiting.request)
            visit = open_visit()
            waiting.started = True
            asked = visit.undo.asked
            try:
                answer = waiting.work.tick(visit, time_left)
            finally:
                waiting.has_changed = waiting.has_changed or visit.undo.asked > asked
            if answer is None:
                return False
            self._send(waiting, answer)
        except Failure as failure:
            self._fail(waiting, failure)
        except Exception as error:
            self._log.fault("a request", error)
            self._fail(waiting, Failure("internal", "the script failed: %s: %s" % (type(error).__name__, error)))
        return True

    @staticmethod
    def _is_landing(waiting):
        """What wrote is answered, late as it may be."""
        return waiting.started and isinstance(waiting.work, LASTING)

    def _fail(self, waiting, failure):
        # What only looked around before it was refused left nothing behind.
        left_nothing = isinstance(waiting.work, TIDYING) and not waiting.has_changed
        error = dict(failure.to_wire(), started=waiting.started and not left_nothing)
        self._send(waiting, {"ok": False, "error": error})

    def _send(self, waiting, answer):
        if not waiting.is_heard:
            return
        answer = dict(answer, kind="answer", id=waiting.id)
        self._answer(answer, waiting.started, bool(waiting.request.get("more")))
