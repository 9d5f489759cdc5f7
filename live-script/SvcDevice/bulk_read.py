"""A bulk read: objects, and below each of them what its shape names, in one answer.

It is cut between objects when the tick's time is used up, and goes on in the next; what is kept in between are ids.
Whether something moved meanwhile is counted by listeners: then it is read anew, and if it moves each time, that is
said.
"""

import time

from .errors import Failure, malformed
from .frames import Encoded
from .tables import Batch, Tables
from .values import plain

MAX_READS = 3
# A piece is read without a look at the clock: so long it is to take by what the one before it took, and so many times
# its objects it has at most.
PIECE_SECONDS = 0.002
MOST_GROWTH = 8
FACTS = ("name", "is_playing", "tempo", "signature_numerator", "signature_denominator", "scale_mode", "root_note",
         "scale_name")


class BulkRead:
    def __init__(self, request):
        self._parts = request.get("parts")
        self._shapes = request.get("shapes")
        self._members = request.get("members", {})
        self._reads = 0
        self._ticks = 0
        self._check()
        self._changes = None
        self._queue = None
        self._facts = {}
        # By shape: how long an object of the last piece took, and how many it had.
        self._pace = {}

    def _check(self):
        shapes = self._shapes
        if not isinstance(self._parts, list) or not isinstance(shapes, list) or not isinstance(self._members, dict):
            raise malformed("a read has parts and shapes, lists, and may have members, a table")
        for shape in shapes:
            if not isinstance(shape, dict):
                raise malformed("a shape is an object")
            for names in (shape.get("properties", []), shape.get("counts", [])):
                if not isinstance(names, list) or any(not isinstance(name, str) for name in names):
                    raise malformed("a shape's properties and counts are lists of names")
            below = shape.get("children", [])
            if not isinstance(below, list) or any(not self._is_below(one) for one in below):
                raise malformed("a shape's children are [name, number of a shape]")
        for names in self._members.values():
            if not isinstance(names, list) or any(not isinstance(name, str) for name in names):
                raise malformed("members are lists of names")
        for part in self._parts:
            is_part = isinstance(part, dict) and isinstance(part.get("of"), dict)
            if not is_part or not self._is_shape(part.get("shape")):
                raise malformed("a part has of, a reference, and shape, the number of one")

    def _is_below(self, one):
        return isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and self._is_shape(one[1])

    def _is_shape(self, number):
        return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(self._shapes)

    def settle_references(self, visit):
        """Turns references to a program's steps into ids, which outlast the tick."""
        settled = []
        for part in self._parts:
            try:
                of = {"id": visit.id_of(visit.find(part["of"]))}
            except Failure as failure:
                if failure.code != "no_object" and "step" not in part["of"]:
                    raise
                # A path may lead somewhere later; what a step did not make is nowhere.
                of = part["of"] if "path" in part["of"] else {"id": 0}
            settled.append(dict(part, of=of))
        self._parts = settled

    def tick(self, visit, time_left):
        """Reads while there is time. Gives the answer when it is done, else `None`."""
        self._ticks += 1
        if self._queue is None or (self._changes != visit.watch.changes and self._reads < MAX_READS):
            self._begin(visit)
        left = time_left()
        while self._queue:
            self._read_piece(visit, min(PIECE_SECONDS, left))
            left = time_left()
            if self._queue and left <= self._least():
                self._tables.end_tick(visit)
                return None
        self._tables.end_tick(visit)
        return self._answer(visit)

    def _begin(self, visit):
        self._reads += 1
        self._changes = visit.watch.changes
        self._tables = Tables(self._shapes, self._members)
        self._found = []
        # Objects of one shape are read together.
        batches = {}
        for part in self._parts:
            try:
                number = visit.id_of(visit.find(part["of"]))
            except Failure as failure:
                if failure.code != "no_object":
                    raise
                number = 0
            self._found.append(number)
            if number:
                batches.setdefault(part["shape"], []).append(number)
        # The last is the next: what stands below an object is read while the object is at hand.
        self._queue = [Batch(numbers, shape) for shape, numbers in reversed(list(batches.items()))]
        self._roots = {"live_set": visit.id_of(visit.song), "live_app": visit.id_of(visit.app)}
        self._facts = {}
        for name in FACTS:
            if hasattr(visit.song, name):
                self._facts[name] = plain(getattr(visit.song, name))

    def _least(self):
        """How long the next object is going to take; of a shape that was not read yet, as long as a piece."""
        return self._pace.get(self._queue[-1].shape, (PIECE_SECONDS, 0))[0]

    def _read_piece(self, visit, seconds):
        """Reads some objects of one shape, and notes what is to be read below them."""
        batch = self._queue.pop()
        shape = batch.shape
        each, before = self._pace.get(shape, (seconds, 1))
        most = max(1, int(min(seconds / max(each, 1e-9), MOST_GROWTH * before)))
        batch, rest = batch.cut(most)
        if rest is not None:
            self._queue.append(rest)
        began = time.perf_counter()
        self._queue.extend(reversed(self._tables.read(visit, batch)))
        count = len(batch.numbers)
        self._pace[shape] = ((time.perf_counter() - began) / count, count)

    def _answer(self, visit):
        return {
            "ok": True,
            "parts": self._found,
            "objects": self._tables.objects,
            "tables": Encoded(self._tables.texts),
            "roots": self._roots,
            "facts": self._facts,
            "reads": self._reads,
            "moved": self._changes != visit.watch.changes,
            "ticks": self._ticks,
        }
