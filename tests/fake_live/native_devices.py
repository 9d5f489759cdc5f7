"""Live's own devices, by the table of what was measured of them: their parameters, and what those show."""

import functools
import json
import math
import os

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "object_model", "data",
                     "devices.json")
CLASSES = os.path.join(os.path.dirname(TABLE), "classes.json")
KINDS = {"instrument": 1, "audio_effect": 2, "midi_effect": 4}
SILENCE_DB, ENDLESS = -70.0, 1e6
NOTES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")


@functools.lru_cache(None)
def table():
    with open(TABLE, encoding="utf-8") as file:
        return json.load(file)


@functools.lru_cache(None)
def devices():
    """Class name, kind, and parameters by the name that the user knows."""
    return {name: (told["class_name"], KINDS[told["category"]], tuple(told["parameters"]))
            for name, told in table()["devices"].items()}


# By the class that a device calls itself.
OF_CLASS_NAME = {
    "Compressor2": "CompressorDevice.CompressorDevice", "Drift": "DriftDevice.DriftDevice",
    "DrumCell": "DrumCellDevice.DrumCellDevice", "Eq8": "Eq8Device.Eq8Device",
    "Hybrid": "HybridReverbDevice.HybridReverbDevice", "Looper": "LooperDevice.LooperDevice",
    "InstrumentMeld": "MeldDevice.MeldDevice", "MidiCcControl": "CcControlDevice.CcControlDevice",
    "Roar": "RoarDevice.RoarDevice", "Shifter": "ShifterDevice.ShifterDevice",
    "Transmute": "SpectralResonatorDevice.SpectralResonatorDevice",
    "InstrumentVector": "WavetableDevice.WavetableDevice",
}


@functools.lru_cache(None)
def classes():
    """The classes of the object model, with their members."""
    with open(CLASSES, encoding="utf-8") as file:
        return json.load(file)


def starts(name):
    """What a fresh one's members are, where that is not nothing."""
    properties = classes()["classes"][name.split(".")[1]]["properties"]
    return {member: about["min"] for member, about in properties.items()
            if about["access"] == "rw" and about.get("min", 0) > 0}


# --- faders ---

def volume_db(raw):
    return _along(table()["mixer_volume"], raw, 40.0 * raw - 34.0)


def send_db(raw):
    db = volume_db(raw)
    return None if db is None else db - 6.0


def clip_gain_db(raw):
    return _along(table()["clip_gain"], raw, 40.0 * raw - 16.0)


def _along(points, raw, straight):
    """The straight law from 0.4 up; below it, between the measured points. None is silence."""
    if raw >= 0.4:
        return straight
    if raw <= 0.0:
        return None
    below = next(at for at, (x, _) in enumerate(points) if x <= raw)
    (x0, y0), (x1, y1) = points[below - 1], points[below]
    if y1 is None:
        return y0 + 20.0 * math.log10(raw / x0)
    return y1 + (y0 - y1) * (raw - x1) / (x0 - x1)


def pan_text(raw):
    steps = int(abs(raw) * 50.0 + 0.5)
    return "C" if steps == 0 else "%d%s" % (steps, "L" if raw < 0 else "R")


# --- numbers ---

def word_at(told, raw):
    """What stands instead of a number."""
    display = told.get("display")
    if display is None:
        return None
    curve = display["curve"]
    if curve in ("mixer_volume", "clip_gain", "gain", "utility_gain") or display.get("silent_at_min"):
        if raw <= told["min"]:
            return "-inf"
    if curve == "reciprocal" and raw >= 1.0 or display.get("infinite_at_max") and raw >= told["max"]:
        return "inf"
    return None


def shown_number(told, raw):
    display = told.get("display")
    if display is None or word_at(told, raw) is not None:
        return None
    low, high, curve, power = display.get("min"), display.get("max"), display["curve"], display.get("exponent")
    span = told["max"] - told["min"]
    t = (raw - told["min"]) / span if span else 0.0
    if curve == "linear":
        return low + (high - low) * t
    if curve == "exp":
        return low * (high / low) ** t
    if curve == "power":
        return low + (high - low) * t ** power
    if curve == "signed_power":
        s = 2.0 * t - 1.0
        return high * math.copysign(abs(s) ** power, s)
    if curve == "log10":
        return 10.0 ** raw
    if curve == "reciprocal":
        return 1.0 / (1.0 - raw)
    if curve == "mixer_volume":
        return volume_db(raw) + (high - 6.0 if high is not None else 0.0)
    if curve == "clip_gain":
        return clip_gain_db(raw)
    if curve == "gain":
        return high + 20.0 * power * math.log10(t)
    if curve == "amplitude":
        low, high = 10.0 ** (low / 20.0), 10.0 ** (high / 20.0)
        return 20.0 * math.log10(low + (high - low) * t)
    if curve == "utility_gain":
        return high * raw if raw >= 0.0 else send_db(1.0 + raw)
    return raw


def number(told, raw):
    """What a member that is always a number says."""
    word = word_at(told, raw)
    if word is not None:
        return ENDLESS if word == "inf" else SILENCE_DB
    shown = shown_number(told, raw)
    if shown is None:
        return raw
    return max(shown, SILENCE_DB) if word_at(told, told["min"]) == "-inf" else shown


def keeps_whole(told):
    """Whether only whole numbers are kept: steps, pitches, and semitones and their like without decimals."""
    if told.get("quantized"):
        return True
    display, unit, label = told.get("display"), told.get("unit"), told.get("default_display")
    if display is None:
        return False
    if unit == "note":
        return True
    counts = unit in ("st", "sd", "oct") if unit else told["name"].endswith(("Octave", " Oct", " 16th"))
    if not counts or label is None or "." in label or told["min"] % 1 or told["max"] % 1:
        return False
    if display["curve"] == "linear":
        return (display.get("max") or 0) - (display.get("min") or 0) == told["max"] - told["min"]
    return display["curve"] == "raw"


# --- labels ---

def label(told, raw):
    if told.get("items"):
        return _step(told["items"], raw)
    if told.get("ladder"):
        name = told["ladder"]
        steps = table()["ladders"][name.replace("_reversed", "")]
        return _step(steps[::-1] if name.endswith("_reversed") else steps, raw)
    if told.get("step_labels"):
        return _step(told["step_labels"], raw - told["min"])
    if told.get("default_display") is not None and told.get("default") == raw:
        return told["default_display"]
    unit, shown, word = told.get("unit"), shown_number(told, raw), word_at(told, raw)
    if unit == "note":
        pitch = int(min(127.0, max(0.0, raw + 0.5)))
        return "%s%d" % (NOTES[pitch % 12], pitch // 12 - 2)
    if unit == "pan":
        return pan_text(shown / 50.0)
    form = _Format(told)
    if shown is not None:
        return form.write(shown, unit)
    return "%s%s%s" % (form.prefix, word, {"ms": " s", "dB": " dB"}.get(unit, form.tail or ""))


def _step(labels, raw):
    at = int(max(0.0, raw) + 0.5)
    return labels[at] if at < len(labels) else "%g" % raw


TAILS = {"dB": " dB", "%": " %", "st": " st", "ct": " ct", "sd": " sd", "oct": " oct", "deg": "\u00b0"}
USUAL_DIGITS = {"%": 2, "dB": 2, "st": 1, "ct": 1, "sd": 1, "oct": 1}


class _Format:
    """Digits, sign and unit as in the label of a fresh device."""

    def __init__(self, told):
        unit = told.get("unit")
        usual = USUAL_DIGITS.get(unit, 3)
        self.digits, self.plus, self.prefix, self.tail = usual, False, "", None
        text = told.get("default_display")
        if text is None:
            return
        prefix = "1 : " if text.startswith("1 : ") else ""
        text = text[len(prefix):]
        numeral = text.lstrip("+-")
        end = next((at for at, one in enumerate(numeral) if not one.isdigit() and one != "."), len(numeral))
        numeral, tail = numeral[:end], numeral[end:]
        count = sum(one.isdigit() for one in numeral)
        if not count:
            return
        if unit is None and "." not in numeral:
            self.digits = 1
        elif "." in numeral or count == 1 and unit in ("st", "ct", "sd", "oct"):
            self.digits = count
        else:
            self.digits = min(usual, count)
        self.plus, self.prefix = text.startswith("+"), prefix
        self.tail = None if unit == "%" and "/" in tail else tail

    def write(self, shown, unit):
        tail = self.tail if self.tail is not None else TAILS.get(unit, unit or "")
        if unit == "Hz":
            shown, tail = (shown / 1000.0, " kHz") if abs(shown) >= 999.5 else (shown, " Hz")
        elif unit == "ms":
            shown, tail = (shown / 1000.0, " s") if abs(shown) >= 999.5 else (shown, " ms")
        plus = "+" if self.plus and shown > 0.0 else ""
        text = "%.*f" % (self._decimals(shown), shown)
        text = "%.*f" % (self._decimals(float(text)), float(text))
        if not text.strip("-0."):
            text = text.lstrip("-")
        return "%s%s%s%s" % (self.prefix, plus, text, tail)

    def _decimals(self, shown):
        whole = 1 if abs(shown) < 1.0 else int(math.floor(math.log10(abs(shown)))) + 1
        return max(0, self.digits - whole)
