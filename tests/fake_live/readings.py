"""What parameters show for their raw values."""

from . import native_devices


def percent(parameter, raw):
    return "%.1f %%" % (raw * 100.0)


def fader(parameter, raw):
    """0 dB at 0.85, silence at the bottom."""
    return decibels(native_devices.volume_db(raw))


def send(parameter, raw):
    """As a fader, 6 dB lower."""
    return decibels(native_devices.send_db(raw))


def decibels(db):
    return "-inf dB" if db is None else "%.1f dB" % db


def tempo(parameter, raw):
    return "%.2f BPM" % raw


def pan(parameter, raw):
    return native_devices.pan_text(raw)


READINGS = {one.__name__: one for one in (percent, fader, send, pan, tempo)}


def label(parameter, raw):
    if parameter["is_quantized"]:
        return parameter["value_items"][int(raw - parameter["min"])]
    reading = parameter["reading"]
    return native_devices.label(reading, raw) if isinstance(reading, dict) else READINGS[reading](parameter, raw)


def shown(parameter, raw):
    """The number that is shown; of steps the raw one."""
    if parameter["is_quantized"]:
        return raw
    reading = parameter["reading"]
    return native_devices.number(reading, raw) if isinstance(reading, dict) else number(label(parameter, raw))


def number(text):
    """The number at the front of a label; silence where a word stands."""
    front = text.split(" ")[0]
    if front == "C":
        return 0.0
    if front.endswith("L"):
        return -float(front[:-1])
    try:
        return float(front.rstrip("R"))
    except ValueError:
        return native_devices.SILENCE_DB
