"""A program: steps that run one after another inside one tick, and inside one undo step where it writes.

It is never cut and never interrupted. When a step fails, those before it stay: Live's undo groups, it does not roll
back. What lands late is waited for on later ticks, with the undo step closed, and what is to be read afterwards is read
then.
"""

import time

from . import late, steps
from .bulk_read import BulkRead
from .errors import Failure, is_refusal, malformed, refused

MAX_STEPS = 5000


class Program:
    """Runs in its first tick; later ones look what landed, and read."""

    def __init__(self, request):
        self._steps = request.get("steps")
        self._undo = request.get("undo", False)
        self._call = request.get("call")
        self._began_step = False
        # Whether a step that writes was not refused.
        self._wrote = False
        self._go_on = request.get("go_on", False)
        self._results = []
        self._awaited = []
        self._ticks = 0
        self._hold_ms = 0.0
        self._objects = {}
        self._read = BulkRead(request["read"]) if isinstance(request.get("read"), dict) else None
        self._read_answer = None
        self._check()

    def _check(self):
        """All that can be wrong with a program's shape is told before its first step."""
        if not isinstance(self._steps, list) or not 0 < len(self._steps) <= MAX_STEPS:
            raise malformed("a program has 1 to %d steps" % MAX_STEPS)
        for at, step in enumerate(self._steps):
            do = step.get("do") if isinstance(step, dict) else None
            if do not in steps.READS and do not in steps.WRITES:
                raise malformed("step %d: %r is no step" % (at, do))
            if do != "resolve" and not isinstance(step.get("of"), dict):
                raise malformed("step %d: of is a reference" % at)

    def tick(self, visit, time_left):
        """Runs, or looks what landed, or reads. Gives the answer when it is done, else `None`."""
        self._ticks += 1
        if self._ticks == 1:
            began = time.perf_counter()
            self._run(visit)
            self._hold_ms = (time.perf_counter() - began) * 1000.0
            if self._awaited:
                return None
        elif not self._has_landed(visit):
            return None
        if self._read is not None:
            self._read_answer = self._read.tick(visit, time_left)
            if self._read_answer is None:
                return None
        return self.answer()

    def _has_landed(self, visit):
        if self._ticks > late.MAX_TICKS + 1:
            return True
        for value in self._awaited:
            value.look(visit)
        return all(value.landed for value in self._awaited) or self._ticks > late.MAX_TICKS

    def _run(self, visit):
        writes = any(step["do"] in steps.WRITES for step in self._steps)
        # Undo inside an open step would take back the step itself.
        turns_back = any(step.get("function") in ("undo", "redo") for step in self._steps)
        grouped = bool(self._undo) and writes and not turns_back and hasattr(visit.song, "begin_undo_step")
        if turns_back:
            visit.undo.end()
        if grouped:
            self._began_step = visit.undo.begin(visit.song, self._call)
        try:
            for at, step in enumerate(self._steps):
                if not self._step(visit, at, step):
                    break
        finally:
            # Later programs of the same call belong to the step, as long as they come in this tick.
            if grouped and self._call is None:
                visit.undo.end()
        if self._read is not None:
            self._read.settle_references(visit)
        self._objects = visit.told()

    def _step(self, visit, at, step):
        """Whether the program goes on."""
        made = len(visit.made)
        do = step["do"]
        try:
            run = steps.READS.get(do) or steps.WRITES[do]
            self._results.append({"ok": run(visit, step)})
            if do in steps.WRITES:
                self._wrote = True
                value = late.awaited(visit, at, step)
                if value is not None:
                    self._awaited.append(value)
            return True
        except Failure as failure:
            error = failure
        except Exception as raised:
            if not is_refusal(raised):
                raise
            error = refused(raised)
        del visit.made[made:]
        visit.made.append(None)
        self._results.append({"error": error.to_wire()})
        return bool(self._go_on)

    def answer(self):
        read = {} if self._read_answer is None else {"read": self._read_answer}
        return dict(read, **{
            "ok": True,
            "results": self._results,
            "late": [value.to_wire() for value in self._awaited],
            "objects": self._objects,
            "began_step": self._began_step and self._wrote,
            "wrote": self._wrote,
            "hold_ms": round(self._hold_ms, 3),
            "ticks": self._ticks,
        })
