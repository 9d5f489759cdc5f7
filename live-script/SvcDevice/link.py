"""The connection to a device: a client's socket that never blocks, frames in and out, and the first two frames.

The script connects and the device listens, so that nothing in Live listens at all, several Lives want no port of their
own, and a Set that is loaded anew is a new connection and nothing more.
"""

import errno
import selectors
import socket
import time

from .frames import FrameCutter, FrameError, pack

CONNECT_EVERY_SECONDS = 1.0
CONNECT_WITHIN_SECONDS = 1.0
GREET_WITHIN_SECONDS = 3.0
# The device sends a beat each second.
SILENCE_SECONDS = 10.0
# A peer that takes no byte for so long is gone.
STUCK_SECONDS = 3.0
READ_BYTES = 1 << 16
READ_BYTES_PER_TICK = 4 * 1024 * 1024
MAX_WAITING_BYTES = 32 * 1024 * 1024

CLOSED, CONNECTING, GREETING, OPEN = "closed", "connecting", "greeting", "open"


class Link:
    """`hello` makes the first frame for a bridge file; `candidates` gives the files to try."""

    def __init__(self, candidates, hello, log):
        self._candidates = candidates
        self._hello = hello
        self._log = log
        self._untried = []
        self._next_try = 0.0
        self._reset()

    def _reset(self):
        self.state = CLOSED
        self.welcome = None
        self._socket = None
        self._selector = None
        self._file = None
        self._since = 0.0
        self._heard = 0.0
        self._took = 0.0
        self._cutter = FrameCutter()
        self._out = bytearray()

    # --- once a tick ---

    def step(self):
        """Goes on with what is being set up. Costs microseconds where nobody listens."""
        now = time.perf_counter()
        if self.state == CLOSED:
            if now >= self._next_try:
                self._try_next(now)
        elif self.state == CONNECTING:
            self._finish_connecting(now)
        elif self.state == GREETING and now - self._since > GREET_WITHIN_SECONDS:
            self.close("the device did not answer the greeting")

    def is_quiet(self, now):
        """Whether nothing came, nothing waits to be written and nobody has to be given up or tried. What came is kept.
        """
        if self.state == CLOSED:
            return now < self._next_try
        if self.state != OPEN or self._out or now - self._heard > SILENCE_SECONDS:
            return False
        try:
            some = self._socket.recv(READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            some = b""
        if some:
            self._heard = now
            self._cutter.feed(some)
        # An end is found once more by who reads.
        return False

    def read(self):
        """The messages that are there, without waiting."""
        if self.state not in (GREETING, OPEN):
            return []
        messages = []
        try:
            ended = self._take_bytes()
            while True:
                message = self._cutter.next()
                if message is None:
                    break
                messages.append(message)
        except FrameError as error:
            self.close(str(error))
            return []
        if self.state == GREETING and messages:
            messages = self._greeted(messages)
        # What came before the end counts: a device that refuses says why, and closes.
        if ended is not None and self.state in (GREETING, OPEN):
            self.close(ended)
        # After the read: in a tick that comes late, the beats are waiting in the socket.
        if self.state == OPEN and time.perf_counter() - self._heard > SILENCE_SECONDS:
            self.close("the device is silent")
        return messages

    def send(self, message):
        """Queues a message; `FrameError` where it is too long for a frame."""
        if self.state not in (GREETING, OPEN):
            return
        if not self._out:
            self._took = time.perf_counter()
        self._out += pack(message)
        if len(self._out) > MAX_WAITING_BYTES:
            self.close("the device does not read")

    def flush(self):
        """Writes as far as the socket takes it."""
        if self.state not in (GREETING, OPEN):
            return
        try:
            while self._out:
                sent = self._socket.send(self._out)
                self._took = time.perf_counter()
                del self._out[:sent]
        except (BlockingIOError, InterruptedError):
            if time.perf_counter() - self._took > STUCK_SECONDS:
                self.close("the device takes nothing")
        except OSError as error:
            self.close(str(error))

    def wait(self, seconds):
        """Whether something came within that time. Only who lingers waits."""
        if self._selector is None:
            return False
        return bool(self._selector.select(seconds))

    def close(self, why=None):
        """Closes the socket; the next try comes a second later."""
        was = self.state
        if self._selector is not None:
            self._selector.close()
        if self._socket is not None:
            self._socket.close()
        self._reset()
        if self._untried:
            return
        self._next_try = time.perf_counter() + CONNECT_EVERY_SECONDS
        if was == OPEN and why:
            self._log.say_seldom("lost", "the link is lost: " + why)

    # --- setting up ---

    def _try_next(self, now):
        if not self._untried:
            self._untried = self._candidates()
        if not self._untried:
            self._next_try = now + CONNECT_EVERY_SECONDS
            return
        self._file = self._untried.pop(0)
        self._since = now
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_WRITE)
        failed = self._socket.connect_ex(("127.0.0.1", self._file.port))
        # Windows says that it would block.
        if failed not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK, getattr(errno, "WSAEWOULDBLOCK", 0)):
            self.close()
            return
        self.state = CONNECTING
        self._finish_connecting(now)

    def _finish_connecting(self, now):
        if not self._selector.select(0):
            if now - self._since > CONNECT_WITHIN_SECONDS:
                self.close()
            return
        if self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            self.close()
            return
        # Small frames would else wait for the acknowledgement of the one before, 40 ms each.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._selector.modify(self._socket, selectors.EVENT_READ)
        self.state = GREETING
        self._since = self._heard = now
        self.send(self._hello(self._file))
        self.flush()

    def _greeted(self, messages):
        first = messages[0]
        if first.get("kind") != "welcome":
            why = first.get("text") or "the device refused"
            self._log.say_seldom("refused", "the device on port %d: %s" % (self._file.port, why))
            self.close()
            return []
        self._untried = []
        self.welcome = first
        self.state = OPEN
        return messages

    def _take_bytes(self):
        """Why the connection has ended, if it has."""
        took = 0
        try:
            while took < READ_BYTES_PER_TICK:
                some = self._socket.recv(READ_BYTES)
                if not some:
                    return "the device closed it"
                took += len(some)
                self._heard = time.perf_counter()
                self._cutter.feed(some)
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            return str(error)
        return None
