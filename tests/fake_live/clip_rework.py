"""What Live does to the notes of a clip as a whole: quantizing them, doubling the loop."""

from .boost import RANGE_TEXT
from .track import refuse_unless
from .values import next_note_id

# Steps in beats by the numbers of `Song.midi_recording_quantization`: 8 + 8T has both.
GRIDS = {
    1: (1.0,), 2: (0.5,), 3: (1.0 / 3.0,), 4: (0.5, 1.0 / 3.0), 5: (0.25,), 6: (1.0 / 6.0,), 7: (0.25, 1.0 / 6.0),
    8: (0.125,),
}


class ReworkBehaviour:
    """The part of a clip that does so."""

    @staticmethod
    def do_quantize(clip, quantization_grid, amount):
        quantize(clip, quantization_grid, amount, lambda note: True)

    @staticmethod
    def do_quantize_pitch(clip, note, quantization_grid, amount):
        refuse_unless(0 <= note <= 127, RANGE_TEXT)
        quantize(clip, quantization_grid, amount, lambda one: one["pitch"] == note)

    @staticmethod
    def do_duplicate_loop(clip):
        refuse_unless(clip["is_midi_clip"], "Only MIDI clips have notes")
        from .clip import add

        # Of a clip that does not loop its markers are meant.
        start, end = ("loop_start", "loop_end") if clip["looping"] else ("start_marker", "end_marker")
        begins, ends = clip[start], clip[end]
        length = ends - begins
        copies = [dict(note, start_time=note["start_time"] + length) for note in clip["notes"]
                  if begins <= note["start_time"] < ends]
        for note in clip["notes"]:
            if note["start_time"] >= ends:
                note["start_time"] += length
        for copied in copies:
            copied["note_id"] = next_note_id(clip)
        add(clip, copies)
        if clip["looping"]:
            clip["loop_end"] = ends + length
        else:
            clip["loop_end"] = max(clip["loop_end"], ends + length)
        if not clip["looping"] or clip["end_marker"] >= ends:
            clip["end_marker"] += length
        clip.tell("loop_end", "end_marker")

    @staticmethod
    def do_crop(clip):
        """What lies outside of the region goes."""
        begins, ends = clip["loop_start"], clip["loop_end"]
        if clip["is_midi_clip"]:
            clip["notes"] = [note for note in clip["notes"] if begins <= note["start_time"] < ends]
        clip["start_marker"], clip["end_marker"] = begins, ends
        clip.tell("notes", "start_marker", "end_marker")

    @staticmethod
    def do_duplicate_region(clip, region_start, region_length, destination_time, pitch=-1, transposition_amount=0):
        from .clip import add, check_note

        refuse_unless(clip["is_midi_clip"] and region_length > 0.0, RANGE_TEXT)
        copies = [dict(note, start_time=note["start_time"] + destination_time - region_start,
                       pitch=note["pitch"] + transposition_amount) for note in clip["notes"]
                  if region_start <= note["start_time"] < region_start + region_length and pitch in (-1, note["pitch"])]
        for copied in copies:
            check_note(copied)
            copied["note_id"] = next_note_id(clip)
        add(clip, copies)


def quantize(clip, number, amount, is_meant):
    from .clip import settle

    refuse_unless(clip["is_midi_clip"], "Only MIDI clips are quantized here")
    refuse_unless(number == 0 or number in GRIDS, RANGE_TEXT)
    refuse_unless(0.0 <= amount <= 1.0, RANGE_TEXT)
    for note in clip["notes"]:
        if number != 0 and is_meant(note):
            at = note["start_time"]
            nearest = min((round(at / step) * step for step in GRIDS[number]), key=lambda point: abs(point - at))
            note["start_time"] = at + (nearest - at) * amount
    settle(clip)
