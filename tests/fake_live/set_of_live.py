"""Builds what a Set consists of: tracks, slots, scenes, mixers, devices, as nodes."""

import os

from . import audio_clip, native_devices
from .native import Node

# Live's fader: 0 dB stands at 0.85.
VOLUME = (0.0, 1.0, 0.85)
PAN = (-1.0, 1.0, 0.0)
SEND = (0.0, 1.0, 0.0)
SWITCH = (0.0, 1.0, 1.0)
PAN_LEFT, PAN_RIGHT = (-1.0, 1.0, -1.0), (-1.0, 1.0, 1.0)
TEMPO = (60.0, 200.0, 120.0)
READINGS = {VOLUME: "fader", PAN: "pan", SEND: "send", PAN_LEFT: "pan", PAN_RIGHT: "pan", TEMPO: "tempo"}

# Class name, kind (1 instrument, 2 audio effect, 4 MIDI effect) and parameters: as the table of Live's own has them, or
# their name, span and how they are shown.
OTHERS = {
    "Massive Synth": ("PluginDevice", 1, ()),
    "Raum": ("PluginDevice", 2, ()),
    "Shaper": ("MxDeviceAudioEffect", 2, (("Amount", 0.0, 1.0, 0.5, "percent"),)),
    "SVC Device": ("PluginDevice", 1, ()),
}
DEVICES = dict(native_devices.devices(), **OTHERS)
RACKS = ("Instrument Rack", "Audio Effect Rack", "MIDI Effect Rack", "Drum Rack")
NEVER_COMPARED = RACKS + ("Spectrum",)

OF_CLASS = {"Simpler": "SimplerDevice.SimplerDevice", "Massive Synth": "PluginDevice.PluginDevice",
            "Raum": "PluginDevice.PluginDevice", "Shaper": "MaxDevice.MaxDevice"}
# What the user added with Configure: plug-ins show nothing else, and that late.
CONFIGURED = {"Massive Synth": (("Cutoff", 0.0, 1.0, 0.5, "percent"),), "Raum": (("Decay", 0.0, 1.0, 0.5, "percent"),)}


SCALES = (
    ("Major", (0, 2, 4, 5, 7, 9, 11)),
    ("Minor", (0, 2, 3, 5, 7, 8, 10)),
    ("Dorian", (0, 2, 3, 5, 7, 9, 10)),
    ("Mixolydian", (0, 2, 4, 5, 7, 9, 10)),
    ("Lydian", (0, 2, 4, 6, 7, 9, 11)),
    ("Phrygian", (0, 1, 3, 5, 7, 8, 10)),
    ("Locrian", (0, 1, 3, 5, 6, 8, 10)),
    ("Whole Tone", (0, 2, 4, 6, 8, 10)),
    ("Half-whole Dim.", (0, 1, 3, 4, 6, 7, 9, 10)),
    ("Whole-half Dim.", (0, 2, 3, 5, 6, 8, 9, 11)),
    ("Minor Blues", (0, 3, 5, 6, 7, 10)),
    ("Minor Pentatonic", (0, 3, 5, 7, 10)),
    ("Major Pentatonic", (0, 2, 4, 7, 9)),
    ("Harmonic Minor", (0, 2, 3, 5, 7, 8, 11)),
    ("Harmonic Major", (0, 2, 4, 5, 7, 8, 11)),
    ("Dorian #4", (0, 2, 3, 6, 7, 9, 10)),
    ("Phrygian Dominant", (0, 1, 4, 5, 7, 8, 10)),
    ("Melodic Minor", (0, 2, 3, 5, 7, 9, 11)),
    ("Lydian Augmented", (0, 2, 4, 6, 8, 9, 11)),
    ("Lydian Dominant", (0, 2, 4, 6, 7, 9, 10)),
    ("Super Locrian", (0, 1, 3, 4, 6, 8, 10)),
    ("8-Tone Spanish", (0, 1, 3, 4, 5, 6, 8, 10)),
    ("Bhairav", (0, 1, 4, 5, 7, 8, 11)),
    ("Hungarian Minor", (0, 2, 3, 6, 7, 8, 11)),
    ("Hirajoshi", (0, 2, 3, 7, 8)),
    ("In-Sen", (0, 1, 5, 7, 10)),
    ("Iwato", (0, 1, 5, 6, 10)),
    ("Kumoi", (0, 2, 3, 7, 9)),
    ("Pelog Selisir", (0, 1, 3, 7, 8)),
    ("Pelog Tembung", (0, 1, 5, 7, 8)),
    ("Messiaen 3", (0, 2, 3, 4, 6, 7, 8, 10, 11)),
    ("Messiaen 4", (0, 1, 2, 5, 6, 7, 8, 11)),
    ("Messiaen 5", (0, 1, 5, 6, 7, 11)),
    ("Messiaen 6", (0, 2, 4, 5, 6, 8, 10, 11)),
    ("Messiaen 7", (0, 1, 2, 3, 5, 6, 7, 8, 9, 11)),
)


def new_set(world, midi=2, audio=2, returns=("Reverb", "Delay"), scenes=8):
    """The Set of Live's own template, or one of another size."""
    song = Node(world, "Song.Song", None, tempo=120.0, signature_numerator=4, signature_denominator=4,
                clip_trigger_quantization=4, loop=False, loop_start=8.0, loop_length=16.0, is_playing=False,
                current_song_time=0.0, start_time=0.0, tracks=[], return_tracks=[], scenes=[], cue_points=[],
                root_note=0, scale_name="Major", scale_mode=False, exclusive_arm=True, exclusive_solo=True,
                select_on_launch=True, name="", file_path="", data={}, song_length=0.0, groove_amount=1.0)
    world.song = song
    song["view"] = Node(world, "Song.Song.View", song, detail_clip=None, selected_scene=None, selected_track=None,
                        selected_chain=None, selected_parameter=None)
    song["groove_pool"] = Node(world, "GroovePool.GroovePool", song, grooves=[])
    song["tuning_system"] = Node(world, "TuningSystem.TuningSystem", song, name="12-TET")
    song["master_track"] = new_track(world, song, "main", 0)
    for _ in range(scenes):
        song["scenes"].append(new_scene(world, song))
    for kind in ["midi"] * midi + ["audio"] * audio:
        song["tracks"].append(new_track(world, song, kind, scenes))
    for name in returns:
        track = new_track(world, song, "return", 0, name="#-" + name)
        song["return_tracks"].append(track)
        track["devices"].append(new_device(world, track, name))
    for track in song["tracks"] + song["return_tracks"]:
        fit_sends(world, song, track)
    song["view"]["selected_track"] = (song["tracks"] or [song["master_track"]])[0]
    song["view"]["selected_scene"] = song["scenes"][0]
    return song


def new_scene(world, song):
    return Node(world, "Scene.Scene", song, name="", tempo=-1.0, tempo_enabled=False, time_signature_enabled=False,
                time_signature_numerator=-1, time_signature_denominator=-1, color_index=None, color=0)


# `#` stands for the number of a track, the letter of a return.
TRACK_NAMES = {"midi": "#-MIDI", "audio": "#-Audio", "return": "#-Return", "main": "Main", "group": "#-Group"}


def new_track(world, song, kind, slots, name=None):
    track = Node(world, "Track.Track", song, kind=kind, name=name or TRACK_NAMES[kind], color=16749734, color_index=0,
                 clip_slots=[], arrangement_clips=[], take_lanes=[], devices=[], arm=False, mute=False, solo=False,
                 current_monitoring_state=1, playing_slot_index=-1, fired_slot_index=-1, fold_state=False,
                 is_frozen=False, group_track=None, data={})
    track["view"] = Node(world, "Track.Track.View", track, selected_device=None)
    for _ in range(slots):
        track["clip_slots"].append(Node(world, "ClipSlot.ClipSlot", track, clip=None, has_stop_button=True))
    mixer = Node(world, "MixerDevice.MixerDevice", track, sends=[], crossfade_assign=1, panning_mode=0)
    track["mixer_device"] = mixer
    parameters = [("volume", "Track Volume", VOLUME), ("panning", "Track Panning", PAN),
                  ("left_split_stereo", "Split Stereo Pan L", PAN_LEFT),
                  ("right_split_stereo", "Split Stereo Pan R", PAN_RIGHT)]
    if kind == "main":
        parameters += [("cue_volume", "Preview Volume", VOLUME), ("crossfader", "Crossfader", PAN),
                       ("song_tempo", "Song Tempo", TEMPO)]
    else:
        parameters.append(("track_activator", "Track Activator", SWITCH))
    for member, name, span in parameters:
        mixer[member] = new_parameter(world, mixer, name, span, ("Off", "On") if span is SWITCH else READINGS[span])
    return track


def fit_sends(world, song, track):
    """As many sends as there are returns."""
    sends = track["mixer_device"]["sends"]
    while len(sends) > len(song["return_tracks"]):
        sends.pop().kill()
    while len(sends) < len(song["return_tracks"]):
        name = "%s-Send" % chr(ord("A") + len(sends))
        sends.append(new_parameter(world, track["mixer_device"], name, SEND, "send"))


def new_parameter(world, owner, name, span, shown):
    """`shown` is a name of `readings`, a row of the table of native devices, or the items of a quantized one."""
    low, high, value = span
    items = () if isinstance(shown, (str, dict)) else shown
    return Node(world, "DeviceParameter.DeviceParameter", owner, name=name, original_name=name, min=low, max=high,
                value=value, default_value=value, is_enabled=True, is_quantized=bool(items), value_items=list(items),
                short_value_items=list(items), automation_state=0, state=0,
                reading=None if items else shown)


def new_device(world, owner, name):
    class_name, kind, parameters = DEVICES[name]
    special = native_devices.OF_CLASS_NAME.get(class_name) if name not in OTHERS else None
    cls = special or ("RackDevice.RackDevice" if name in RACKS else OF_CLASS.get(name, "Device.Device"))
    device = Node(world, cls, owner, name=name, class_name=class_name, class_display_name=name, type=kind,
                  parameters=[], can_have_chains=False, can_have_drum_pads=False,
                  can_compare_ab=name not in NEVER_COMPARED and name not in OTHERS,
                  is_using_compare_preset_b=False, latency_in_ms=0.0, latency_in_samples=0)
    view = cls + ".View" if cls + ".View" in world.boost.classes else "Device.Device.View"
    device["view"] = Node(world, view, device, is_collapsed=False)
    if name in RACKS:
        device.values.update(chains=[], return_chains=[], drum_pads=[], can_have_chains=True, variations=[],
                             last_variation=None, selected_variation_index=-1, visible_macro_count=8)
        device["view"].values.update(drum_pads_scroll_position=9, selected_chain=None, selected_drum_pad=None)
    if name == "Drum Rack":
        device["can_have_drum_pads"] = True
        device["drum_pads"] = [Node(world, "DrumPad.DrumPad", device, note=note) for note in range(128)]
    if OF_CLASS.get(name) == "PluginDevice.PluginDevice":
        device.values.update(presets=["Default"], selected_preset_index=0)
    if special is not None:
        device.values.update(native_devices.starts(special))
    if name == "Simpler":
        device.values.update(sample=None, multi_sample_mode=False, pad_slicing=False, playback_mode=0,
                             slicing_playback_mode=0, voices=6, retrigger=False, pitch_bend_range=5,
                             note_pitch_bend_range=48, playing_position=0.0, playing_position_enabled=False)
    if name in OTHERS:
        device["parameters"].append(new_parameter(world, device, "Device On", SWITCH, ("Off", "On")))
    for told in parameters:
        device["parameters"].append(new_native_parameter(world, device, told) if isinstance(told, dict) else
                                    new_parameter(world, device, told[0], told[1:4], told[4]))
    return device


def new_native_parameter(world, device, told):
    """One of the table's. What no fresh device was measured of starts at its lower end."""
    value = float(told["default"] if told.get("default") is not None else told["min"])
    items = tuple(told["items"]) if told.get("quantized") else None
    made = new_parameter(world, device, told["name"], (float(told["min"]), float(told["max"]), value), items or told)
    made["original_name"] = told.get("original_name") or told["name"]
    made["keeps_whole"] = native_devices.keeps_whole(told)
    return made


def new_chain(world, rack):
    is_drum = rack["class_name"] == "DrumGroupDevice"
    chain = Node(world, "DrumChain.DrumChain" if is_drum else "Chain.Chain", rack, name="Chain", devices=[],
                 mute=False, solo=False, color=0, color_index=0, is_auto_colored=False)
    if is_drum:
        # A new one takes all notes.
        chain.values.update(in_note=-1, out_note=60, choke_group=0)
    mixer = chain["mixer_device"] = Node(world, "ChainMixerDevice.ChainMixerDevice", chain, sends=[])
    for member, name, span in (("volume", "Chain Volume", VOLUME), ("panning", "Chain Panning", PAN),
                               ("chain_activator", "Chain Activator", SWITCH)):
        mixer[member] = new_parameter(world, mixer, name, span, ("Off", "On") if span is SWITCH else READINGS[span])
    return chain


def new_midi_clip(world, owner, length, session=True, start=0.0):
    song = world.song
    clip = Node(world, "Clip.Clip", owner, name="", is_midi_clip=True, is_audio_clip=False, notes=[], selected=set(),
                looping=session, loop_start=0.0, loop_end=length, start_marker=0.0, end_marker=length,
                color=16749734, color_index=0, signature_numerator=song["signature_numerator"],
                signature_denominator=song["signature_denominator"], muted=False, launch_mode=0,
                launch_quantization=0, legato=False, velocity_amount=0.0, groove=None, session=session,
                at=start, span=length, playing=False, triggered=False, envelopes=[],
                modulated=False, last_note_id=0)
    clip["view"] = Node(world, "Clip.Clip.View", clip, grid_quantization=7, grid_is_triplet=False)
    return clip


def new_audio_clip(world, owner, path, session=True, start=0.0):
    """The whole of a file, taken to go at the song's tempo, as long as it lasts."""
    frames, rate = audio_clip.facts(path)
    tempo = world.song["tempo"]
    clip = new_midi_clip(world, owner, frames / rate * tempo / 60.0, session, start)
    name = os.path.splitext(os.path.basename(path))[0]
    clip.values.update(name=name, is_midi_clip=False, is_audio_clip=True, file_path=path, warping=True, warp_mode=0,
                       gain=0.4, pitch_coarse=0, pitch_fine=0.0, ram_mode=False, sample_rate=rate,
                       sample_length=frames, looping=False, markers=audio_clip.straight(tempo))
    clip.values.pop("notes")
    if not world.warps_new_clips:
        audio_clip.unwarp(clip)
    return clip
