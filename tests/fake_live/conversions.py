"""Live's conversions of audio clips: a MIDI track beside the clip's own, with the next tick."""

from . import set_of_live
from .racks import RackBehaviour
from .simpler import SimplerBehaviour


def is_convertible_to_midi(song, audio_clip):
    return audio_clip["is_audio_clip"] and song.world.converts


def audio_to_midi_clip(song, audio_clip, audio_to_midi_type):
    refuse_unless(is_convertible_to_midi(song, audio_clip), "The clip cannot be converted")

    def fill(track):
        from .clip import SlotBehaviour
        track["devices"].append(set_of_live.new_device(song.world, track, "Operator"))
        made = SlotBehaviour.do_create_clip(track["clip_slots"][0], 4.0)
        made["name"] = audio_clip["name"]
    land(song, audio_clip, fill)


def create_midi_track_with_simpler(song, audio_clip):
    def fill(track):
        simpler = set_of_live.new_device(song.world, track, "Simpler")
        SimplerBehaviour.do_replace_sample(simpler, audio_clip["file_path"])
        track["devices"].append(simpler)
    land(song, audio_clip, fill)


def create_drum_rack_from_audio_clip(song, audio_clip):
    def fill(track):
        rack = set_of_live.new_device(song.world, track, "Drum Rack")
        track["devices"].append(rack)
        chain = RackBehaviour.do_insert_chain(rack)
        chain["in_note"] = 36
        simpler = set_of_live.new_device(song.world, chain, "Simpler")
        SimplerBehaviour.do_replace_sample(simpler, audio_clip["file_path"])
        chain["devices"].append(simpler)
    land(song, audio_clip, fill)


FUNCTIONS = {"Conversions." + function.__name__: function for function in (
    is_convertible_to_midi, audio_to_midi_clip, create_midi_track_with_simpler, create_drum_rack_from_audio_clip)}


def land(song, clip, fill):
    refuse_unless(clip["is_audio_clip"], "Only audio clips can be converted")
    from .envelopes import track_of
    from .song import insert_track

    def make():
        track = insert_track(song, "midi", song["tracks"].index(track_of(clip)) + 1)
        track["name"] = clip["name"]
        fill(track)
    song.world.late(make)


def refuse_unless(right, text):
    if not right:
        raise RuntimeError(text)
