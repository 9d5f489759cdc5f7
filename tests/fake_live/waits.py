"""Watches the process that the script runs in: its sockets, its waits, its threads."""

import select
import selectors
import socket
import sys
import threading
import time

# A turn may wait this long in all; what is over holds Live's window.
MOST_PER_TURN = 0.0085

_real_clock = time.perf_counter
_real_sleep = time.sleep
_real_socket = socket.socket
_real_selector = selectors.DefaultSelector


class Interruption:
    def __init__(self, answers, run):
        self.answers = answers
        self.run = run


class Waits:
    """What the present turn has waited, and whether any byte came or went in it."""

    def __init__(self, world, answered):
        self.world = world
        self._answered = answered
        self.waited = 0.0
        self.bytes = 0
        self.open_sockets = []
        self.interruption = None
        self.connects = 0

    def interrupt_after(self, answers, run):
        """Lets so many more answers out; what comes in then waits until their turn is over and `run` has run."""
        self.interruption = Interruption(answers, run)

    def end_interruption(self):
        """After a turn: does what was to be done between the request that was answered and the next one."""
        if self._is_interrupted():
            run, self.interruption = self.interruption.run, None
            run()

    def _is_interrupted(self):
        return self.interruption is not None and self.interruption.answers <= 0

    def _went(self, sent):
        self.bytes += len(sent)
        answers = bytes(sent).count(b'"kind":"answer"')
        for _ in range(answers):
            self._answered()
        if self.interruption is not None:
            self.interruption.answers -= answers

    def begin_turn(self):
        self.waited = 0.0
        self.bytes = 0

    def end_turn(self):
        if self.waited > MOST_PER_TURN:
            self.world.police.record("waits", "%.1f ms in one turn" % (self.waited * 1000.0))
        elif self.waited and not self.bytes:
            self.world.police.record("waits", "%.1f ms with nothing under way" % (self.waited * 1000.0))

    def install(self):
        waits, world = self, self.world

        class WatchedSocket(_real_socket):
            def __init__(self, *args, **kwargs):
                _real_socket.__init__(self, *args, **kwargs)
                waits.open_sockets.append(self)

            def _must_not_block(self, what):
                if world.inside and self.gettimeout() != 0.0:
                    world.police.record("blocking", what)

            def connect(self, address):
                self._must_not_block("connect")
                return _real_socket.connect(self, address)

            def connect_ex(self, address):
                self._must_not_block("connect_ex")
                waits.connects += 1
                return _real_socket.connect_ex(self, address)

            def recv(self, *args):
                self._must_not_block("recv")
                if world.inside and waits._is_interrupted():
                    raise BlockingIOError()
                got = _real_socket.recv(self, *args)
                waits.bytes += len(got)
                return got

            def send(self, *args):
                self._must_not_block("send")
                sent = _real_socket.send(self, *args)
                waits._went(args[0][:sent])
                return sent

            def sendall(self, *args):
                world.police.record("blocking", "sendall")
                return _real_socket.sendall(self, *args)

            def close(self):
                if self in waits.open_sockets:
                    waits.open_sockets.remove(self)
                _real_socket.close(self)

        class WatchedSelector(_real_selector):
            def select(self, timeout=None):
                if timeout is None:
                    world.police.record("blocking", "select without a time")
                    timeout = 0.001
                is_over = world.inside and waits._is_interrupted()
                began = _real_clock()
                ready = [] if is_over else _real_selector.select(self, min(timeout, 0.05))
                world.clock.waited(_real_clock() - began, timeout)
                if timeout and not ready:
                    waits.waited += timeout
                    world.clock.spend(timeout)
                return ready

        def sleep(seconds):
            if world.inside:
                waits.waited += seconds
                waits.bytes = 0
                world.clock.spend(seconds)
            else:
                _real_sleep(seconds)

        def no_select(*args):
            world.police.record("blocking", "select.select")
            return [], [], []

        real_start = threading.Thread.start

        def start(thread):
            if world.inside:
                world.police.record("thread", "started %s" % thread.name)
            return real_start(thread)

        socket.socket = WatchedSocket
        selectors.DefaultSelector = WatchedSelector
        time.sleep = sleep
        if sys.platform != "win32":
            select.select = no_select
        threading.Thread.start = start
