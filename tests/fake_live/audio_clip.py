"""What only audio clips do: their file, its gain and pitch, warping and its markers."""

import os

from . import audio_files, native_devices
from .boost import RANGE_TEXT

# Every mode but REX.
WARP_MODES = (0, 1, 2, 3, 4, 6)
# How far behind the last marker the helper stands that says how the file goes on.
HELPER_BEATS = 1.0 / 32.0
WARPED = "Only available for warped audio clips"
UNWARPED = "Only available for unwarped audio clips"


class AudioClipBehaviour:
    @staticmethod
    def get_gain(clip):
        return of_audio(clip)["gain"]

    @staticmethod
    def set_gain(clip, value):
        put(clip, "gain", value, 0.0 <= value <= 1.0)

    @staticmethod
    def get_gain_display_string(clip):
        db = native_devices.clip_gain_db(of_audio(clip)["gain"])
        # No -0.00.
        return "-inf dB" if db is None else "%.2f dB" % (round(db, 2) + 0.0)

    @staticmethod
    def get_pitch_coarse(clip):
        return of_audio(clip)["pitch_coarse"]

    @staticmethod
    def set_pitch_coarse(clip, value):
        put(clip, "pitch_coarse", value, -48 <= value <= 48)

    @staticmethod
    def get_pitch_fine(clip):
        return of_audio(clip)["pitch_fine"]

    @staticmethod
    def set_pitch_fine(clip, value):
        put(clip, "pitch_fine", value, -50.0 <= value <= 49.0)

    @staticmethod
    def get_warp_mode(clip):
        return of_audio(clip)["warp_mode"]

    @staticmethod
    def set_warp_mode(clip, value):
        put(clip, "warp_mode", int(value), value in WARP_MODES)

    @staticmethod
    def get_available_warp_modes(clip):
        of_audio(clip)
        return list(WARP_MODES)

    @staticmethod
    def get_file_path(clip):
        return of_audio(clip)["file_path"]

    @staticmethod
    def get_sample_length(clip):
        return of_audio(clip)["sample_length"]

    @staticmethod
    def get_sample_rate(clip):
        return of_audio(clip)["sample_rate"]

    @staticmethod
    def get_ram_mode(clip):
        return of_audio(clip)["ram_mode"]

    @staticmethod
    def set_ram_mode(clip, value):
        put(clip, "ram_mode", value, True)

    @staticmethod
    def get_warp_markers(clip):
        made = clip.world.boost.values["WarpMarker"]
        return [made(seconds, beat) for seconds, beat in of_audio(clip)["markers"]]

    @staticmethod
    def do_add_warp_marker(clip, warp_marker):
        """Success, and nothing changes."""
        needs(clip, True)

    @staticmethod
    def do_move_warp_marker(clip, marker_beat_time, beat_time_distance):
        """The same."""
        needs(clip, True)

    @staticmethod
    def do_remove_warp_marker(clip, beat_time):
        """The same."""
        needs(clip, True)

    @staticmethod
    def get_warping(clip):
        return of_audio(clip)["warping"]

    @staticmethod
    def set_warping(clip, value):
        of_audio(clip)

        def land():
            if clip.alive and clip["warping"] != value:
                (warp if value else unwarp)(clip)
                clip.tell("warping", "loop_start", "loop_end", "looping")
        clip.world.late(land)

    @staticmethod
    def do_beat_to_sample_time(clip, beat_time):
        return seconds_at(clip, beat_time) * needs(clip, True)["sample_rate"]

    @staticmethod
    def do_sample_to_beat_time(clip, sample_time):
        return beat_at(clip, sample_time / needs(clip, True)["sample_rate"])

    @staticmethod
    def do_seconds_to_sample_time(clip, seconds):
        return seconds * needs(clip, False)["sample_rate"]


def of_audio(clip):
    refuse_if(not clip["is_audio_clip"], "Only available for audio clips")
    return clip


def needs(clip, warped):
    refuse_if(of_audio(clip)["warping"] != warped, WARPED if warped else UNWARPED)
    return clip


def put(clip, member, value, fits):
    refuse_if(not fits, RANGE_TEXT)
    of_audio(clip)[member] = value
    clip.tell(member)


def facts(path):
    """Frames and rate of a file that can be read."""
    refuse_if(not (os.path.isabs(path) and os.path.isfile(path)), "The file could not be found")
    try:
        return audio_files.facts(path)
    except audio_files.NoAudio:
        raise RuntimeError("The file is no audio file")


def straight(tempo):
    """Markers of a file that is taken to go at one tempo."""
    return [(0.0, 0.0), (HELPER_BEATS * 60.0 / tempo, HELPER_BEATS)]


def seconds_at(clip, beat):
    (s0, b0), (s1, b1) = clip["markers"][:2]
    return s0 + (beat - b0) * (s1 - s0) / (b1 - b0)


def beat_at(clip, seconds):
    (s0, b0), (s1, b1) = clip["markers"][:2]
    return b0 + (seconds - s0) * (b1 - b0) / (s1 - s0)


def seconds_of_file(clip):
    return clip["sample_length"] / clip["sample_rate"]


def warp(clip):
    """Times become beats; the end marker never left them."""
    clip["warping"] = True
    for name in ("start_marker", "loop_start", "loop_end"):
        clip[name] = beat_at(clip, clip[name])
    if clip["end_marker"] <= clip["start_marker"]:
        clip["end_marker"] = clip["loop_end"]
    if not clip["session"]:
        clip["loop_end"] = clip["end_marker"] = clip["loop_start"] + clip["span"]


def unwarp(clip):
    """Times become seconds; the end marker keeps its beats."""
    clip["warping"] = False
    if not clip["looping"]:
        clip["loop_start"], clip["loop_end"] = clip["start_marker"], clip["end_marker"]
    last = seconds_of_file(clip)
    for name in ("start_marker", "loop_start", "loop_end"):
        clip[name] = max(0.0, min(last, seconds_at(clip, clip[name])))
    if clip["loop_start"] >= clip["loop_end"]:
        clip["start_marker"], clip["loop_start"], clip["loop_end"] = 0.0, 0.0, last
    clip["looping"] = False
    if not clip["session"]:
        covered = (clip["loop_end"] - clip["loop_start"]) * clip.world.song["tempo"] / 60.0
        clip["span"] = min(clip["span"], covered)


def refuse_if(wrong, text):
    if wrong:
        raise RuntimeError(text)
