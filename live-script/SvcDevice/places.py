"""Where objects stand: the lists and single children by which each class holds others, each object in one place.

What also leads to an object (`visible_tracks`, a scene's `clip_slots`, the views, a pad's `chains`) is a route and no
place: an object's own path never goes that way.
"""

# Lists are marked; the first that holds an object is its place.
PLACES = {
    "Application": ("view",),
    "Song": ("tracks*", "return_tracks*", "master_track", "scenes*", "cue_points*", "groove_pool", "tuning_system",
             "view"),
    "GroovePool": ("grooves*",),
    "Track": ("clip_slots*", "arrangement_clips*", "take_lanes*", "devices*", "mixer_device", "view"),
    "TakeLane": ("arrangement_clips*",),
    "ClipSlot": ("clip",),
    "Clip": ("view",),
    "MixerDevice": ("volume", "panning", "sends*", "track_activator", "crossfader", "cue_volume", "song_tempo",
                    "left_split_stereo", "right_split_stereo"),
    "Device": ("parameters*", "view"),
    "CompressorDevice": (),
    "MaxDevice": ("audio_inputs*", "audio_outputs*", "midi_inputs*", "midi_outputs*"),
    "RackDevice": ("chains*", "return_chains*", "drum_pads*"),
    "SimplerDevice": ("sample",),
    "Chain": ("devices*", "mixer_device"),
    "ChainMixerDevice": ("volume", "panning", "sends*", "chain_activator"),
}

# Beside lists of these names, a single child that comes and goes: the property that says so when it does.
WATCHED_SINGLES = {("ClipSlot", "clip"): "has_clip", ("SimplerDevice", "sample"): "sample"}


_known = {}
_names = {}


def places_of(info):
    """Names of a class's places with whether each is a list, its own before those it inherits."""
    if info.name not in _known:
        _known[info.name] = _find_places(info)
    return _known[info.name]


def _find_places(info):
    found = []
    for name in info.lineage:
        for place in PLACES.get(name, ()):
            found.append((place.rstrip("*"), place.endswith("*")))
    return found


def is_place(info, name):
    names = _names.get(info.name)
    if names is None:
        names = _names[info.name] = frozenset(place for place, _ in places_of(info))
    return name in names
