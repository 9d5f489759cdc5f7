"""Lines in Live's log, and failures in it at most once a minute each."""

import time
import traceback

# A failure in every tick would fill the disk.
QUIET_SECONDS = 60.0


class FaultLog:
    def __init__(self, write):
        self._write = write
        self._told = {}

    def say(self, text):
        """A line that is written once, such as that the link stands."""
        try:
            self._write("SvcDevice: " + text)
        except Exception:
            # There is nowhere else to tell it.
            pass

    def say_seldom(self, what, text):
        """A line that is left out while its kind was written less than a minute ago."""
        now = time.perf_counter()
        last = self._told.get(what)
        if last is not None and now - last < QUIET_SECONDS:
            return
        self._told[what] = now
        self.say(text)

    def fault(self, what, error):
        """A failure of the script itself, with where it happened."""
        lines = traceback.format_exception(type(error), error, error.__traceback__)
        self.say_seldom(what, what + ": " + "".join(lines).strip())
