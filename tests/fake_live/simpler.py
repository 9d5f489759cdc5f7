"""Simpler and its sample."""

from . import audio_clip
from .boost import RANGE_TEXT
from .native import Node

BPM = (5.0, 999.0)


class SimplerBehaviour:
    @staticmethod
    def get_can_warp_as(simpler):
        return simpler["sample"] is not None

    @staticmethod
    def get_can_warp_double(simpler):
        return could_be(simpler, 0.5)

    @staticmethod
    def get_can_warp_half(simpler):
        return could_be(simpler, 2.0)

    @staticmethod
    def set_playback_mode(simpler, value):
        put(simpler, "playback_mode", int(value), 0 <= value <= 2)

    @staticmethod
    def set_slicing_playback_mode(simpler, value):
        put(simpler, "slicing_playback_mode", int(value), 0 <= value <= 2)

    @staticmethod
    def do_replace_sample(simpler, path):
        """The new sample starts whole, and as loud as a file is."""
        made = new_sample(simpler, path)
        old, simpler["sample"] = simpler["sample"], made
        if old is not None:
            made["warp_mode"] = old["warp_mode"]
            old.kill()
        simpler.tell("sample")

    @staticmethod
    def do_guess_playback_length(simpler):
        return guessed_beats(simpler)

    @staticmethod
    def do_warp_as(simpler, beat_time):
        warp_region(loaded(simpler), beat_time)

    @staticmethod
    def do_warp_double(simpler):
        warp_region(loaded(simpler), region_beats(simpler["sample"]) / 2.0)

    @staticmethod
    def do_warp_half(simpler):
        warp_region(loaded(simpler), region_beats(simpler["sample"]) * 2.0)

    @staticmethod
    def do_crop(simpler):
        """Writes a file of its own, of the region alone."""
        sample = loaded(simpler)
        sample["length"] = sample["end_marker"] - sample["start_marker"]
        sample["start_marker"], sample["end_marker"] = 0, sample["length"]
        sample["file_path"] = beside(sample["file_path"], "Crop")
        sample.tell("file_path", "start_marker", "end_marker")

    @staticmethod
    def do_reverse(simpler):
        """The same, backwards."""
        sample = loaded(simpler)
        sample["file_path"] = beside(sample["file_path"], "R")
        sample.tell("file_path")


class SampleBehaviour:
    @staticmethod
    def get_slices(sample):
        return tuple(sorted(sample["slices_set"]))

    @staticmethod
    def get_warp_markers(sample):
        made = sample.world.boost.values["WarpMarker"]
        return [made(seconds, beat) for seconds, beat in sample["markers"]]

    @staticmethod
    def set_start_marker(sample, value):
        put(sample, "start_marker", value, 0 <= value < sample["end_marker"])

    @staticmethod
    def set_end_marker(sample, value):
        put(sample, "end_marker", value, sample["start_marker"] < value <= sample["length"])

    @staticmethod
    def set_gain(sample, value):
        put(sample, "gain", value, 0.0 <= value <= 1.0)

    @staticmethod
    def set_warp_mode(sample, value):
        put(sample, "warp_mode", int(value), value in audio_clip.WARP_MODES)

    @staticmethod
    def do_gain_display_string(sample):
        return "%.2f dB" % (40.0 * sample["gain"] - 16.0)

    @staticmethod
    def do_beat_to_sample_time(sample, beat_time):
        return audio_clip.seconds_at(sample, beat_time) * sample["sample_rate"]

    @staticmethod
    def do_sample_to_beat_time(sample, sample_time):
        return audio_clip.beat_at(sample, sample_time / sample["sample_rate"])

    @staticmethod
    def do_insert_slice(sample, slice_time):
        refuse_unless(0 <= slice_time < sample["length"], RANGE_TEXT)
        sample["slices_set"] = sample["slices_set"] | {slice_time}
        sample.tell("slices")

    @staticmethod
    def do_remove_slice(sample, slice_time):
        refuse_unless(slice_time in sample["slices_set"], "There is no slice at that time")
        sample["slices_set"] = sample["slices_set"] - {slice_time}
        sample.tell("slices")

    @staticmethod
    def do_move_slice(sample, old_time, new_time):
        SampleBehaviour.do_remove_slice(sample, old_time)
        SampleBehaviour.do_insert_slice(sample, new_time)
        return new_time

    @staticmethod
    def do_clear_slices(sample):
        sample["slices_set"] = frozenset()
        sample.tell("slices")

    @staticmethod
    def do_reset_slices(sample):
        sample["slices_set"] = frozenset((0,))
        sample.tell("slices")


def new_sample(simpler, path):
    frames, rate = audio_clip.facts(path)
    return Node(simpler.world, "Sample.Sample", simpler, file_path=path, length=frames, sample_rate=rate,
                start_marker=0, end_marker=frames, gain=0.4, warping=False, warp_mode=0,
                markers=audio_clip.straight(120.0), slices_set=frozenset((0,)), slicing_sensitivity=0.5,
                slicing_style=0, slicing_beat_division=4, slicing_region_count=8, beats_granulation_resolution=6,
                beats_transient_envelope=100.0, beats_transient_loop_mode=2, complex_pro_envelope=128.0,
                complex_pro_formants=0.0, texture_flux=25.0, texture_grain_size=65.0, tones_grain_size=30.0)


def loaded(simpler):
    refuse_unless(simpler["sample"] is not None, "There is no sample")
    return simpler["sample"]


def region_seconds(sample):
    return (sample["end_marker"] - sample["start_marker"]) / sample["sample_rate"]


def region_beats(sample):
    (s0, b0), (s1, b1) = sample["markers"][:2]
    return region_seconds(sample) * (b1 - b0) / (s1 - s0)


def could_be(simpler, factor):
    sample = simpler["sample"]
    if sample is None:
        return False
    return BPM[0] <= region_beats(sample) * factor * 60.0 / region_seconds(sample) <= BPM[1]


def guessed_beats(simpler):
    """The nearest power of two at the song's tempo."""
    beats = region_seconds(loaded(simpler)) * simpler.world.song["tempo"] / 60.0
    power = 1.0
    while power * 1.4142 < beats:
        power *= 2.0
    while power / 1.4142 > beats:
        power /= 2.0
    return power


def warp_region(sample, beats):
    tempo = beats * 60.0 / region_seconds(sample)
    refuse_unless(BPM[0] <= tempo <= BPM[1], RANGE_TEXT)
    sample["markers"] = audio_clip.straight(tempo)
    sample["warping"] = True
    sample.tell("warp_markers", "warping")


def beside(path, word):
    stem, dot, ending = path.rpartition(".")
    return "%s %s%s%s" % (stem, word, dot, ending)


def put(node, member, value, fits):
    refuse_unless(fits, RANGE_TEXT)
    node[member] = value
    node.tell(member)


def refuse_unless(right, text):
    if not right:
        raise RuntimeError(text)
