"""What parameters show for their raw values: a few of the ways that Live's own do."""


def percent(parameter, raw):
    return "%.1f %%" % (raw * 100.0)


def fader(parameter, raw):
    """Live's volume: straight above -18 dB, 0 dB at 0.85, silence at the bottom."""
    if raw <= 0.0:
        return "-inf dB"
    return "%.1f dB" % (40.0 * raw - 34.0 if raw >= 0.4 else 40.0 * raw - 34.0 - 200.0 * (0.4 - raw) ** 2)


def gain(parameter, raw):
    return "-inf dB" if raw <= -1.0 else "%.2f dB" % (35.0 * raw)


def pan(parameter, raw):
    steps = int(round(abs(raw) * 50.0))
    return "C" if steps == 0 else "%d%s" % (steps, "L" if raw < 0 else "R")


def time(parameter, raw):
    """200 ms to a minute."""
    ms = 200.0 * 300.0 ** raw
    return "%.2f s" % (ms / 1000.0) if ms >= 1000.0 else "%.1f ms" % ms


def frequency(parameter, raw):
    hertz = 20.0 * 1000.0 ** raw
    return "%.2f kHz" % (hertz / 1000.0) if hertz >= 1000.0 else "%.1f Hz" % hertz


def semitones(parameter, raw):
    return "%d st" % round(raw)


def whole(parameter, raw):
    return "%d" % round(raw)


READINGS = {one.__name__: one for one in (percent, fader, gain, pan, time, frequency, semitones, whole)}


def label(parameter, raw):
    if parameter["is_quantized"]:
        return parameter["value_items"][int(raw - parameter["min"])]
    return READINGS[parameter["reading"]](parameter, raw)


def number(text):
    """The number at the front of a label; 0 where a word stands."""
    digits = text.split(" ")[0].rstrip("LRC")
    try:
        return float(digits)
    except ValueError:
        return 0.0
