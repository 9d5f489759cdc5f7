"""Starts a fake Live in a process of its own, and speaks to the script in it as a device does."""

import json
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "live-script", "SvcDevice")
TOKEN = "t0ken-of-the-test"


class FakeLive:
    """The process; commands are those of `fake_live/control.py`."""

    def __init__(self, environment=None, **options):
        options.setdefault("script", SCRIPT)
        variables = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "tests"), PYTHONDONTWRITEBYTECODE="1")
        variables.pop("SVC_BRIDGE_FILE", None)
        variables.update(environment or {})
        python = os.environ.get("SVC_LIVE_PYTHON", sys.executable)
        self._process = subprocess.Popen(
            [python, "-m", "fake_live", json.dumps(options)], env=variables, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, universal_newlines=True)
        self.pid = self._process.pid

    def __call__(self, op, **told):
        self._process.stdin.write(json.dumps(dict(told, op=op)) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError("the fake Live ended with %s" % self._process.wait())
        answer = json.loads(line)
        if "error" in answer:
            raise AssertionError("%s: %s" % (op, answer["error"]))
        return answer["ok"]

    def rules_broken(self):
        return sorted({incident["rule"] for incident in self("incidents")})

    def end(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


class Refused(Exception):
    """An answer that is not ok; `error` is what it says."""

    def __init__(self, error):
        Exception.__init__(self, json.dumps(error))
        self.error = error


class Device:
    """The device's side: listens on loopback, and knows the frames."""

    def __init__(self, folder, name="bridge.json", kind="plugin", token=TOKEN, pid=None):
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(4)
        self._listener.settimeout(5)
        self.port = self._listener.getsockname()[1]
        self.token = token
        self.file = os.path.join(folder, name)
        told = {"port": self.port, "token": token, "protocol": 1, "pid": pid or os.getpid(), "kind": kind}
        write_private(self.file, json.dumps(told))
        self._peer = None
        self._bytes = b""
        self._next_id = 0

    def accept(self):
        """Takes the connection that is there."""
        if self._peer is not None:
            self._peer.close()
        self._peer, _ = self._listener.accept()
        self._peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._bytes = b""

    def is_asked(self):
        """Whether a connection waits."""
        self._listener.setblocking(False)
        try:
            self.accept()
            return True
        except BlockingIOError:
            return False
        finally:
            self._listener.settimeout(5)

    def send(self, message):
        body = json.dumps(message).encode("utf-8")
        self.send_bytes(struct.pack(">I", len(body)) + body)

    def send_bytes(self, data):
        self._peer.settimeout(5)
        self._peer.sendall(data)

    def frames(self):
        """The frames that are there now; the last is `None` where the other side has closed."""
        self._peer.setblocking(False)
        closed = False
        while True:
            try:
                some = self._peer.recv(1 << 20)
            except BlockingIOError:
                break
            except OSError:
                some = b""
            if not some:
                closed = True
                break
            self._bytes += some
        found = []
        while len(self._bytes) >= 4:
            (length,) = struct.unpack(">I", self._bytes[:4])
            if len(self._bytes) < 4 + length:
                break
            found.append(json.loads(self._bytes[4:4 + length].decode("utf-8")))
            self._bytes = self._bytes[4 + length:]
        return found + [None] if closed else found

    def wait_for(self, kind, number=None):
        """The next frame of that kind, from a script whose ticks come by themselves."""
        while True:
            for frame in self.frames():
                if frame is None:
                    raise AssertionError("the script hung up")
                if frame["kind"] == kind and number in (None, frame.get("id")):
                    return frame
            select.select([self._peer], [], [], 10)

    def next_id(self):
        self._next_id += 1
        return self._next_id

    def hang_up(self):
        self._peer.close()
        self._peer = None

    def end(self):
        if self._peer is not None:
            self._peer.close()
        self._listener.close()


class Linked:
    """A fake Live whose script is linked to a device. A context manager that looks that no rule was broken."""

    def __init__(self, first_id=1, may_break=(), **options):
        self.folder = tempfile.mkdtemp()
        self.device = Device(self.folder)
        self.live = FakeLive({"SVC_BRIDGE_FILE": self.device.file}, **options)
        self.first_id = first_id
        self.other = []
        self._may_break = set(may_break)
        self.hello = None
        self.link()

    def link(self, keep_ids=False):
        """Ticks until the script greets, and welcomes it."""
        for _ in range(200):
            self.live("ticks", n=1)
            if self.device.is_asked():
                break
        else:
            raise AssertionError("the script does not come: %s" % self.live("log"))
        for _ in range(10):
            frames = self.device.frames()
            if frames:
                break
            self.live("ticks", n=1)
        self.hello = frames[0]
        self.device.send({"kind": "welcome", "protocol": 1, "first_id": self.first_id,
                          "keep_ids": keep_ids})
        self.live("ticks", n=1)

    def send(self, kind, **told):
        number = self.device.next_id()
        self.device.send(dict(told, kind=kind, id=number))
        return number

    def answer(self, number, ticks=400):
        """Ticks until the answer is there; other frames are kept in `other`."""
        for _ in range(ticks):
            self.live("ticks", n=1)
            for frame in self.device.frames():
                if frame is None:
                    raise AssertionError("the script hung up: %s" % self.live("log"))
                if frame.get("kind") == "answer" and frame["id"] == number:
                    return frame
                self.other.append(frame)
        raise AssertionError("no answer: %s" % self.live("log"))

    def ask(self, kind, **told):
        """A request and its answer; `Refused` where it is not ok."""
        answer = self.answer(self.send(kind, **told))
        if not answer["ok"]:
            raise Refused(answer["error"])
        return answer

    def program(self, *steps, **told):
        """A program's answer."""
        return self.ask("program", steps=list(steps), **told)

    def do(self, *steps, **told):
        """What each step gave; `Refused` where one failed."""
        results = self.program(*steps, **told)["results"]
        for result in results:
            if "error" in result:
                raise Refused(result["error"])
        return [result["ok"] for result in results]

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            if kind is None:
                broken = [one for one in self.live("incidents") if one["rule"] not in self._may_break]
                assert not broken, broken
        finally:
            self.live.end()
            self.device.end()
            shutil.rmtree(self.folder, ignore_errors=True)


def write_private(path, text):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)


def path(words):
    return {"path": words}


def get(of, member):
    return {"do": "get", "of": path(of) if isinstance(of, str) else of, "member": member}


def put(of, member, value):
    return {"do": "set", "of": path(of) if isinstance(of, str) else of, "member": member, "value": value}


def call(of, function, *args):
    return {"do": "call", "of": path(of) if isinstance(of, str) else of, "function": function, "args": list(args)}
