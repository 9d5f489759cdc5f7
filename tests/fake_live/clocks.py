"""Time as the script sees it: virtual, so that tests wait for nothing and measure nothing; real; or its own."""

import gc
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

    def access(self, seconds):
        """An object of Live's is used."""
        self.spend(seconds)

    def waited(self, seconds, asked):
        """So much of the clock on the wall went by in a wait of at most `asked`."""

    def new_objects(self):
        """Many objects of the fake's were made."""

    def timed(self, run):
        """A function of the fake's, as scripts get it."""
        return run


class RealClock:
    is_virtual = False

    def access(self, seconds):
        pass

    def waited(self, seconds, asked):
        pass

    def new_objects(self):
        pass

    def timed(self, run):
        return run

    def install(self):
        pass

    def wall(self):
        return time.time()

    def spend(self, seconds):
        pass


class OwnClock(RealClock):
    """The time of the script alone: in a turn what the processor gives to it, without what the fake itself takes, and
    with a stated time for each access; between turns the clock on the wall."""

    def __init__(self):
        self._wall = time.perf_counter
        self._cpu = time.thread_time
        self._began_at = self._wall()
        self._began = self._cpu()
        self._fake = 0.0
        self._depth = 0
        self._since = 0.0
        self._each = 0.0
        self.stated = 0.0
        self.accesses = 0
        self.fake_wall = 0.0
        self._calibrate()

    def _calibrate(self):
        """What a timed function costs its caller beside what is measured of it."""
        run = self.timed(lambda: None)
        times = 20000
        began = self.now()
        for _ in range(times):
            run()
        self._each = (self.now() - began) / times

    def install(self):
        time.perf_counter = self.now
        time.monotonic = self.now
        self.new_objects()

    def new_objects(self):
        # Live's own objects are none of Python's, which would look through them for garbage while the script runs.
        gc.freeze()

    def begin_turn(self):
        self._began_at, self._began = self._wall(), self._cpu()
        self._fake = self.stated = 0.0
        self.accesses = 0

    def now(self):
        at = self._since if self._depth else self._cpu()
        return self._began_at + at - self._began - self._fake + self.stated

    def real(self):
        return self._wall()

    def access(self, seconds):
        self.stated += seconds
        self.accesses += 1

    def waited(self, seconds, asked):
        # How much later a busy machine wakes it is not the script's.
        self._began_at += min(seconds, asked)

    def timed(self, run):
        def timed(*args, **kwargs):
            if self._depth:
                return run(*args, **kwargs)
            self._since = self._cpu()
            self._depth = 1
            try:
                return run(*args, **kwargs)
            finally:
                self._depth = 0
                self._fake += self._cpu() - self._since + self._each
        return timed
