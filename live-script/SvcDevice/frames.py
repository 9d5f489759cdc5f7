"""Frames: four bytes of length, big end first, then that many bytes of UTF-8 JSON."""

import json
import struct

# Checked before a frame is read, on both sides.
MAX_FRAME_BYTES = 8 * 1024 * 1024

_LENGTH = struct.Struct(">I")
# `json.dumps` with arguments makes a new one each time.
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class FrameError(Exception):
    """What came is no frame; the link cannot go on, as nothing says where the next one begins."""


class Encoded:
    """A list whose values are JSON already."""

    def __init__(self, texts):
        self.texts = texts

    def text(self):
        return "[%s]" % ",".join(self.texts)


def text_of(value):
    """A value as JSON."""
    return _ENCODER.encode(value)


def _has_encoded(table):
    return any(isinstance(value, Encoded) or isinstance(value, dict) and _has_encoded(value)
               for value in table.values())


def _text(message):
    if isinstance(message, Encoded):
        return message.text()
    if not isinstance(message, dict) or not _has_encoded(message):
        return text_of(message)
    return "{%s}" % ",".join(["%s:%s" % (text_of(name), _text(value)) for name, value in message.items()])


def pack(message):
    """The message as a frame; `FrameError` where it is too long."""
    text = _text(message)
    body = text.encode("utf-8", "replace")
    if len(body) > MAX_FRAME_BYTES:
        raise FrameError("a frame of %d bytes" % len(body))
    return _LENGTH.pack(len(body)) + body


class FrameCutter:
    """Cuts what comes into frames. A character may be split between two reads, so only whole frames are decoded."""

    def __init__(self):
        self._bytes = bytearray()

    def feed(self, more):
        self._bytes += more

    def next(self):
        """The next whole message, or `None`."""
        if len(self._bytes) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._bytes)
        if length > MAX_FRAME_BYTES:
            raise FrameError("a frame of %d bytes" % length)
        end = _LENGTH.size + length
        if len(self._bytes) < end:
            return None
        body = bytes(self._bytes[_LENGTH.size:end])
        del self._bytes[:end]
        try:
            message = json.loads(body.decode("utf-8"))
        except (ValueError, RecursionError):
            raise FrameError("a frame that is not JSON")
        if not isinstance(message, dict):
            raise FrameError("a frame that is not an object")
        return message
