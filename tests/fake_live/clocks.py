"""Time as the script sees it: virtual, so that tests wait for nothing and measure nothing, or real."""

import time


class VirtualClock:
    """Moves when it is told to, when Live's objects are used, and when somebody waits."""

    is_virtual = True

    def __init__(self):
        self.started = time.time()
        self.elapsed = 1000.0

    def install(self):
        time.perf_counter = lambda: self.elapsed
        time.monotonic = lambda: self.elapsed
        time.time = self.wall

    def wall(self):
        return self.started + self.elapsed

    def spend(self, seconds):
        self.elapsed += seconds


class RealClock:
    is_virtual = False

    def install(self):
        pass

    def wall(self):
        return time.time()

    def spend(self, seconds):
        pass
