"""Incidents: what a script must not do inside Live."""

import sys

# Each rule with what it means; the tests of spoiled scripts name them.
RULES = {
    "thread": "Live's objects were touched, or a thread was started: only Live's main thread may",
    "outside": "Live's objects were touched when Live had not called",
    "notification": "something was written inside a notification",
    "signature": "a C++ signature was not matched, such as an int where a float belongs",
    "dead": "a deleted object was used",
    "held": "an object of an earlier turn was used",
    "invented": "a member was written that is not there, or cannot be written",
    "listener": "a listener was added twice, or removed while absent",
    "left behind": "a listener, timer or socket outlived disconnect",
    "undo": "an undo step was left open at the end of a turn, or opened twice",
    "escaped": "an exception left a callback",
    "blocking": "a socket could block",
    "waits": "the thread was held by waiting, for long or for nothing",
    "ends Live": "something was done that is known to end Live",
    "undeclared": "a write that nobody asked for, or the same one again",
}


class Police:
    def __init__(self):
        self.incidents = []
        self.writes = []
        self._declared = None

    def reset(self):
        self.incidents, self.writes, self._declared = [], [], None

    def record(self, rule, what):
        assert rule in RULES, rule
        self.incidents.append({"rule": rule, "what": what, "where": _script_line()})

    def wrote(self, what, target):
        """Every write that Live took, in order."""
        self.writes.append([what, target])
        if self._declared is not None:
            if [what, target] in self._declared:
                self._declared.remove([what, target])
            else:
                self.record("undeclared", "%s on %s" % (what, target))

    def declare(self, writes):
        """From now on these are the writes that were asked for, each once."""
        self._declared = [list(one) for one in writes]

    def missing(self):
        return self._declared or []


def _script_line():
    """The innermost line that is not the fake's own."""
    frame = sys._getframe(1)
    while frame is not None:
        if "fake_live" not in frame.f_code.co_filename.replace("\\", "/"):
            name = frame.f_code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
            return "%s:%d" % (name, frame.f_lineno)
        frame = frame.f_back
    return ""
