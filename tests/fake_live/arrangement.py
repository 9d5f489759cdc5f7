"""The Arrangement: clips on the timelines of tracks and take lanes, and what a new one does to those below it."""

from . import set_of_live
from .boost import RANGE_TEXT
from .native import Node

LAST_BEAT = 1576800.0


class ArrangementBehaviour:
    """The part of a track that is its timeline."""

    @staticmethod
    def do_create_midi_clip(track, start_time, length):
        return create_midi_clip(track, track["kind"], track["is_frozen"], start_time, length)

    @staticmethod
    def do_create_audio_clip(track, file_path, position):
        return create_audio_clip(track, track["kind"], track["is_frozen"], file_path, position)

    @staticmethod
    def do_duplicate_clip_to_arrangement(track, clip, destination_time):
        refuse_if(track["is_frozen"], "The track is frozen")
        refuse_if(clip["is_midi_clip"] != (track["kind"] == "midi"), "The clip and the track are of different types")
        refuse_if(not 0.0 <= destination_time <= LAST_BEAT, RANGE_TEXT)
        return place(track, copy_to(track, clip, destination_time))

    @staticmethod
    def do_create_take_lane(track):
        refuse_if(track["kind"] not in ("midi", "audio"), "Only MIDI and audio tracks have take lanes")
        name = "Take Lane %d" % (len(track["take_lanes"]) + 1)
        lane = Node(track.world, "TakeLane.TakeLane", track, name=name, arrangement_clips=[])
        track["take_lanes"].append(lane)
        track.tell("take_lanes")
        return lane


class TakeLaneBehaviour:
    @staticmethod
    def do_create_midi_clip(lane, start_time, length):
        track = lane.parent
        return create_midi_clip(lane, track["kind"], track["is_frozen"], start_time, length)

    @staticmethod
    def do_create_audio_clip(lane, file_path, start_time):
        track = lane.parent
        return create_audio_clip(lane, track["kind"], track["is_frozen"], file_path, start_time)


def create_midi_clip(owner, kind, is_frozen, start, length):
    refuse_if(kind != "midi" or is_frozen, "Only unfrozen MIDI tracks take MIDI clips")
    refuse_if(not 0.0 <= start <= LAST_BEAT or length <= 0.0, RANGE_TEXT)
    return place(owner, set_of_live.new_midi_clip(owner.world, owner, length, session=False, start=start))


def create_audio_clip(owner, kind, is_frozen, path, start):
    refuse_if(kind != "audio" or is_frozen, "Only unfrozen audio tracks take audio clips")
    refuse_if(not 0.0 <= start <= LAST_BEAT, RANGE_TEXT)
    return place(owner, set_of_live.new_audio_clip(owner.world, owner, path, session=False, start=start))


def copy_to(owner, clip, start):
    """Like the source, and as long as what it plays."""
    region = clip["loop_end"] - clip["loop_start"]
    region *= beats_per_second(clip) if is_unwarped(clip) else 1.0
    length = clip["span"] if not clip["session"] else region
    if clip["is_midi_clip"]:
        made = set_of_live.new_midi_clip(owner.world, owner, length, session=False, start=start)
        made["notes"] = [dict(note) for note in clip["notes"]]
    else:
        made = set_of_live.new_audio_clip(owner.world, owner, clip["file_path"], session=False, start=start)
    kept = ("view", "notes", "selected", "playing", "triggered", "session", "at", "span", "envelopes")
    made.values.update({name: value for name, value in clip.values.items() if name not in kept})
    made["span"] = length
    return made


def place(owner, new):
    """Puts a clip over what is there."""
    clear(owner, new["at"], new["at"] + new["span"])
    owner["arrangement_clips"] = sorted(owner["arrangement_clips"] + [new], key=lambda clip: clip["at"])
    owner.tell("arrangement_clips")
    return new


def clear(owner, start, end, besides=None):
    """Takes away what is covered and trims what reaches in. A clip that goes on at both sides becomes two."""
    kept = []
    for clip in owner["arrangement_clips"]:
        begins, ends = clip["at"], clip["at"] + clip["span"]
        if clip is besides or ends <= start or begins >= end:
            kept.append(clip)
        elif start <= begins and ends <= end:
            clip.kill()
        elif begins < start:
            if ends > end:
                tail = copy_to(owner, clip, begins)
                trim_left(tail, end)
                kept.append(tail)
            trim_right(clip, start)
            kept.append(clip)
        else:
            trim_left(clip, end)
            kept.append(clip)
    owner["arrangement_clips"] = sorted(kept, key=lambda clip: clip["at"])


def trim_right(clip, end):
    clip["span"] = end - clip["at"]
    if not clip["looping"]:
        clip["loop_end"] = clip["loop_start"] + own_time(clip, clip["span"])
        if not is_unwarped(clip):
            clip["end_marker"] = clip["loop_end"]


def trim_left(clip, start):
    """What is left plays what it played."""
    later = own_time(clip, start - clip["at"])
    clip["at"], clip["span"] = start, clip["at"] + clip["span"] - start
    if not clip["looping"]:
        clip["loop_start"] += later
        clip["start_marker"] = clip["loop_start"]
        return
    content = clip["start_marker"] + later
    if content >= clip["loop_end"]:
        content = clip["loop_start"] + (content - clip["loop_end"]) % (clip["loop_end"] - clip["loop_start"])
    clip["start_marker"] = content


def set_unlooped_end(clip, value):
    """The region of an unlooped clip is what it covers: it grows over what follows."""
    if is_unwarped(clip):
        clip["loop_end"] = min(value, clip["sample_length"] / clip["sample_rate"])
    else:
        clip["loop_end"] = clip["end_marker"] = value
    if clip["session"]:
        return
    clip["span"] = (clip["loop_end"] - clip["loop_start"]) * (beats_per_second(clip) if is_unwarped(clip) else 1.0)
    owner = clip.parent
    clear(owner, clip["at"], clip["at"] + clip["span"], besides=clip)
    owner.tell("arrangement_clips")
    clip.tell("end_time", "end_marker")


def fit_unwarped(song):
    """What is not warped lasts as long at another tempo, and so covers more beats or fewer."""
    for track in song["tracks"]:
        for owner in [track] + track["take_lanes"]:
            for clip in owner["arrangement_clips"]:
                if is_unwarped(clip):
                    clip["span"] = (clip["loop_end"] - clip["loop_start"]) * beats_per_second(clip)


def is_unwarped(clip):
    return clip["is_audio_clip"] and not clip["warping"]


def beats_per_second(clip):
    return clip.world.song["tempo"] / 60.0


def own_time(clip, beats):
    """The markers of unwarped audio are in seconds."""
    return beats / beats_per_second(clip) if is_unwarped(clip) else beats


def refuse_if(wrong, text):
    if wrong:
        raise RuntimeError(text)
