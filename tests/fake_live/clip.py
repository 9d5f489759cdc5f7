"""What slots and clips do: making, launching, notes."""

from . import set_of_live
from .arrangement import LAST_BEAT, is_unwarped, set_unlooped_end
from .audio_clip import AudioClipBehaviour
from .boost import RANGE_TEXT
from .clip_rework import ReworkBehaviour
from .colors import nearest
from .envelopes import EnvelopeClipBehaviour
from .launching import fire_slot, left_by, stop_clip, stop_track
from .track import refuse_unless
from .values import NOTE_KEYS, next_note_id

# Beats within which two notes start together.
SAME_TIME = 1e-6


class SlotBehaviour:
    @staticmethod
    def get_has_clip(slot):
        return slot["clip"] is not None

    @staticmethod
    def get_color(slot):
        return slot["clip"]["color"] if slot["clip"] is not None else None

    @staticmethod
    def get_color_index(slot):
        return slot["clip"]["color_index"] if slot["clip"] is not None else None

    @staticmethod
    def get_is_group_slot(slot):
        return slot.parent["kind"] == "group"

    @staticmethod
    def get_is_playing(slot):
        return slot["clip"] is not None and slot["clip"]["playing"]

    @staticmethod
    def get_is_triggered(slot):
        return slot["clip"] is not None and slot["clip"]["triggered"]

    @staticmethod
    def get_playing_status(slot):
        return 1 if SlotBehaviour.get_is_playing(slot) else 0

    @staticmethod
    def do_create_clip(slot, length):
        track = slot.parent
        refuse_unless(slot["clip"] is None, "The clip slot must be empty")
        refuse_unless(track["kind"] == "midi" and not track["is_frozen"], "Clips can only be created on MIDI tracks")
        refuse_unless(length > 0.0, RANGE_TEXT)
        slot["clip"] = set_of_live.new_midi_clip(slot.world, slot, length)
        slot["clip"]["color"], slot["clip"]["color_index"] = track["color"], track["color_index"]
        slot.tell("has_clip")
        return slot["clip"]

    @staticmethod
    def do_create_audio_clip(slot, file_path):
        refuse_unless(slot["clip"] is None, "The clip slot must be empty")
        refuse_unless(slot.parent["kind"] == "audio", "Audio clips can only be created on audio tracks")
        slot["clip"] = set_of_live.new_audio_clip(slot.world, slot, file_path)
        slot["clip"]["color"], slot["clip"]["color_index"] = slot.parent["color"], slot.parent["color_index"]
        slot.tell("has_clip")
        return slot["clip"]

    @staticmethod
    def do_delete_clip(slot):
        refuse_unless(slot["clip"] is not None, "The clip slot is empty")
        gone, slot["clip"] = slot["clip"], None
        left_by(slot.parent, gone)
        gone.kill()
        view = slot.world.song["view"]
        if view["detail_clip"] is gone:
            view["detail_clip"] = None
        slot.tell("has_clip")

    @staticmethod
    def do_duplicate_clip_to(slot, target_clip_slot):
        from .song import copy_clip

        refuse_unless(slot["clip"] is not None, "The clip slot is empty")
        refuse_unless(slot.parent["kind"] == target_clip_slot.parent["kind"], "The tracks are of different types")
        if target_clip_slot["clip"] is not None:
            target_clip_slot["clip"].kill()
        target_clip_slot["clip"] = copy_clip(slot["clip"], target_clip_slot)
        target_clip_slot.tell("has_clip")

    @staticmethod
    def do_fire(slot):
        fire_slot(slot)

    @staticmethod
    def do_stop(slot):
        stop_track(slot.parent)


class ClipBehaviour(ReworkBehaviour, AudioClipBehaviour, EnvelopeClipBehaviour):
    @staticmethod
    def get_is_session_clip(clip):
        return clip["session"]

    @staticmethod
    def get_is_arrangement_clip(clip):
        return not clip["session"]

    @staticmethod
    def get_is_take_lane_clip(clip):
        return clip.parent.cls == "TakeLane.TakeLane"

    @staticmethod
    def get_is_playing(clip):
        return clip["playing"]

    @staticmethod
    def set_is_playing(clip, value):
        fire_slot(clip.parent) if value else stop_clip(clip)

    @staticmethod
    def get_is_triggered(clip):
        return clip["triggered"]

    @staticmethod
    def get_length(clip):
        if clip["looping"] or is_unwarped(clip):
            return clip["loop_end"] - clip["loop_start"]
        return clip["end_marker"] - clip["start_marker"]

    @staticmethod
    def get_start_time(clip):
        return clip["at"] if not clip["session"] else clip["start_marker"]

    @staticmethod
    def get_end_time(clip):
        return clip["at"] + clip["span"] if not clip["session"] else clip["loop_end"]

    @staticmethod
    def set_loop_start(clip, value):
        refuse_unless(value < clip["loop_end"], RANGE_TEXT)
        clip["loop_start"] = value
        if not clip["looping"]:
            clip["start_marker"] = value
        clip.tell("loop_start", "start_marker")

    @staticmethod
    def set_start_marker(clip, value):
        """What is not looped begins with its region, and a start behind the end is dropped."""
        if clip["looping"] and value < clip["end_marker"]:
            clip["start_marker"] = value
            clip.tell("start_marker")

    @staticmethod
    def set_loop_end(clip, value):
        refuse_unless(value > clip["loop_start"], RANGE_TEXT)
        if clip["looping"]:
            clip["loop_end"] = value
        else:
            set_unlooped_end(clip, value)
        clip.tell("loop_end")

    @staticmethod
    def set_color(clip, value):
        clip["color_index"], clip["color"] = nearest(value)
        clip.tell("color", "color_index")

    @staticmethod
    def set_end_marker(clip, value):
        """What is not looped ends with its region."""
        if not clip["looping"]:
            ClipBehaviour.set_loop_end(clip, value)
        elif value > clip["start_marker"]:
            clip["end_marker"] = value
            clip.tell("end_marker")

    @staticmethod
    def set_looping(clip, value):
        """What is looped is warped. What is not plays from marker to marker, and covers no more than that."""
        if value and clip["is_audio_clip"] and not clip["warping"]:
            AudioClipBehaviour.set_warping(clip, True)
        if clip["looping"] and not value:
            clip["loop_start"], clip["loop_end"] = clip["start_marker"], clip["end_marker"]
            if not clip["session"]:
                clip["span"] = min(clip["span"], clip["loop_end"] - clip["loop_start"])
        clip["looping"] = value
        clip.tell("looping", "loop_start", "loop_end")

    @staticmethod
    def do_fire(clip):
        fire_slot(clip.parent)

    @staticmethod
    def do_stop(clip):
        """Stops it if it plays, and takes it back if it waits."""
        stop_clip(clip)

    # --- notes ---

    @staticmethod
    def do_get_all_notes_extended(clip):
        return vector(clip, midi_notes(clip))

    @staticmethod
    def do_get_notes_extended(clip, from_pitch, pitch_span, from_time, time_span):
        return vector(clip, inside(clip, from_pitch, pitch_span, from_time, time_span))

    @staticmethod
    def do_get_notes_by_id(clip, note_ids):
        return vector(clip, by_id(clip, note_ids))

    @staticmethod
    def do_get_selected_notes_extended(clip):
        return vector(clip, [note for note in midi_notes(clip) if note["note_id"] in clip["selected"]])

    @staticmethod
    def do_add_new_notes(clip, notes):
        for specification in notes:
            check_note(specification._told)
        made = [dict(specification._told, note_id=next_note_id(clip)) for specification in notes]
        add(clip, made)
        return clip.world.boost.vector_of("IntU64Vector")([note["note_id"] for note in made])

    @staticmethod
    def do_apply_note_modifications(clip, notes):
        known = {note["note_id"]: note for note in midi_notes(clip)}
        for changed in notes:
            if changed.note_id not in known:
                raise RuntimeError("Unknown note id")
            check_note({key: getattr(changed, key) for key in NOTE_KEYS})
        for changed in notes:
            known[changed.note_id].update({key: getattr(changed, key) for key in NOTE_KEYS})
        settle(clip, {changed.note_id for changed in notes})

    @staticmethod
    def do_remove_notes_extended(clip, from_pitch, pitch_span, from_time, time_span):
        remove(clip, inside(clip, from_pitch, pitch_span, from_time, time_span))

    @staticmethod
    def do_remove_notes_by_id(clip, note_ids):
        remove(clip, by_id(clip, note_ids))

    @staticmethod
    def do_duplicate_notes_by_id(clip, note_ids, destination_time=None, transposition_amount=0):
        found = by_id(clip, note_ids)
        first = min(note["start_time"] for note in found)
        end = max(note["start_time"] + note["duration"] for note in found)
        shift = (end if destination_time is None else destination_time) - first
        made = [dict(note, start_time=note["start_time"] + shift, pitch=note["pitch"] + transposition_amount)
                for note in found]
        for copied in made:
            check_note(copied)
            copied["note_id"] = next_note_id(clip)
        add(clip, made)
        return clip.world.boost.vector_of("IntU64Vector")([note["note_id"] for note in made])

    @staticmethod
    def do_select_all_notes(clip):
        clip["selected"] = {note["note_id"] for note in midi_notes(clip)}

    @staticmethod
    def do_deselect_all_notes(clip):
        clip["selected"] = set()

    @staticmethod
    def do_select_notes_by_id(clip, note_ids):
        clip["selected"] = {note["note_id"] for note in by_id(clip, note_ids)}


def midi_notes(clip):
    refuse_unless(clip["is_midi_clip"], "Only MIDI clips have notes")
    return clip["notes"]


def vector(clip, notes):
    boost = clip.world.boost
    return boost.vector_of("MidiNoteVector")([boost.values["MidiNote"](**note) for note in notes])


def inside(clip, from_pitch, pitch_span, from_time, time_span):
    return [note for note in midi_notes(clip) if from_pitch <= note["pitch"] < from_pitch + pitch_span and
            from_time <= note["start_time"] < from_time + time_span]


def by_id(clip, note_ids):
    known = {note["note_id"]: note for note in midi_notes(clip)}
    if any(number not in known for number in note_ids):
        raise RuntimeError("Unknown note id")
    return [known[number] for number in note_ids]


def remove(clip, notes):
    gone = {note["note_id"] for note in notes}
    clip["notes"] = [note for note in clip["notes"] if note["note_id"] not in gone]
    clip.tell("notes")


def check_note(told):
    refuse_unless(0 <= told["pitch"] <= 127 and told["duration"] > 0.0 and told["start_time"] <= LAST_BEAT and
                  1.0 <= told["velocity"] <= 127.0 and 0.0 <= told["probability"] <= 1.0, RANGE_TEXT)


def add(clip, notes):
    clip["notes"] = midi_notes(clip) + notes
    settle(clip, {note["note_id"] for note in notes})


def settle(clip, winning=()):
    """Sorts, and cuts a note where the next of its pitch starts. Of two that start together one of `winning` stays."""
    kept, last = [], {}
    for note in sorted(clip["notes"], key=lambda one: (one["start_time"], one["pitch"], one["note_id"])):
        before = last.get(note["pitch"])
        if before is not None and before["start_time"] + before["duration"] > note["start_time"]:
            if note["start_time"] - before["start_time"] < SAME_TIME:
                if before["note_id"] in winning and note["note_id"] not in winning:
                    continue
                kept.remove(before)
            else:
                before["duration"] = note["start_time"] - before["start_time"]
        kept.append(note)
        last[note["pitch"]] = note
    clip["notes"] = kept
    clip.tell("notes")
