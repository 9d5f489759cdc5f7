"""How long an audio file is: as much of its head as says so."""

import struct
import wave


class NoAudio(Exception):
    pass


def facts(path):
    """Frames and rate."""
    with open(path, "rb") as file:
        data = file.read()
    for magic, read in ((b"RIFF", lambda: of_wave(path)), (b"FORM", lambda: of_aiff(data)),
                        (b"fLaC", lambda: of_flac(data)), (b"OggS", lambda: of_vorbis(data)),
                        (b"ID3", lambda: of_mp3(data)), (b"\xff", lambda: of_mp3(data))):
        if data.startswith(magic):
            try:
                return read()
            except (wave.Error, EOFError, struct.error, IndexError, ValueError):
                break
    raise NoAudio(path)


def of_wave(path):
    with wave.open(path) as file:
        return file.getnframes(), float(file.getframerate())


def of_aiff(data):
    at = data.index(b"COMM") + 8
    frames, = struct.unpack(">I", data[at + 2:at + 6])
    # An extended float: sign and exponent, then the mantissa with its leading 1.
    exponent, mantissa = struct.unpack(">HQ", data[at + 8:at + 18])
    return frames, float(mantissa) * 2.0 ** (exponent - 16383 - 63)


def of_flac(data):
    packed = int.from_bytes(data[18:26], "big")
    return packed & (1 << 36) - 1, float(packed >> 44)


def of_vorbis(data):
    at = data.index(b"\x01vorbis") + 7
    rate, = struct.unpack("<I", data[at + 5:at + 9])
    last = data.rindex(b"OggS")
    frames, = struct.unpack("<q", data[last + 6:last + 14])
    return frames, float(rate)


RATES = (44100, 48000, 32000)
KBITS = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
KBITS_LOW = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)


def of_mp3(data):
    """Its frames, one by one."""
    at = 0
    if data.startswith(b"ID3"):
        at = 10 + sum(byte << shift for byte, shift in zip(data[6:10], (21, 14, 7, 0)))
    frames, rate = 0, 0.0
    while at + 4 <= len(data):
        if data[at] != 0xFF or data[at + 1] >> 5 != 7:
            at += 1
            continue
        version, kbits, rates = data[at + 1] >> 3 & 3, data[at + 2] >> 4, data[at + 2] >> 2 & 3
        rate = RATES[rates] / {3: 1, 2: 2, 0: 4}[version]
        samples = 1152 if version == 3 else 576
        size = int(samples / 8 * (KBITS if version == 3 else KBITS_LOW)[kbits] * 1000 / rate) + (data[at + 2] >> 1 & 1)
        frames += samples
        at += max(size, 4)
    if not frames:
        raise ValueError("no frames")
    return frames, float(rate)
