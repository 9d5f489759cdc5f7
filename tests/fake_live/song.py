"""What the song does: transport, tracks, scenes, undo, selection."""

from . import racks, set_of_live
from .arrangement import copy_to, fit_unwarped
from .boost import RANGE_TEXT
from .colors import nearest
from .envelopes import track_of
from .launching import back_to_arranger, fire_slot, stop_track
from .native import Node


def limitation(node, text):
    return node.world.errors["LimitationError"](text)


class SongBehaviour:
    # --- transport; what lands late reads back old until the tick is over ---

    @staticmethod
    def set_tempo(song, value):
        if not 20.0 <= value <= 999.0:
            raise RuntimeError(RANGE_TEXT)
        song["tempo"] = value
        fit_unwarped(song)
        song.tell("tempo")

    @staticmethod
    def set_is_playing(song, value):
        song.world.late(lambda: play(song, value))

    @staticmethod
    def set_current_song_time(song, value):
        if value < 0.0:
            raise RuntimeError(RANGE_TEXT)

        def land():
            song["current_song_time"] = value
            song.tell("current_song_time")
        song.world.late(land)

    @staticmethod
    def set_loop(song, value):
        def land():
            song["loop"] = value
            song.tell("loop")
        song.world.late(land)

    @staticmethod
    def set_start_time(song, value):
        if value < 0.0:
            raise RuntimeError(RANGE_TEXT)
        song["start_time"] = value
        song.tell("start_time")

    @staticmethod
    def set_loop_length(song, value):
        if value <= 0.0:
            raise RuntimeError(RANGE_TEXT)
        song["loop_length"] = value
        song.tell("loop_length")

    @staticmethod
    def set_signature_numerator(song, value):
        if not 1 <= value <= 99:
            raise RuntimeError(RANGE_TEXT)
        song["signature_numerator"] = value
        song.tell("signature_numerator")

    @staticmethod
    def set_signature_denominator(song, value):
        if value not in (1, 2, 4, 8, 16):
            raise RuntimeError(RANGE_TEXT)
        song["signature_denominator"] = value
        song.tell("signature_denominator")

    @staticmethod
    def set_scale_name(song, value):
        if value in dict(set_of_live.SCALES):
            song["scale_name"] = value
            song.tell("scale_name", "scale_intervals")

    @staticmethod
    def get_scale_intervals(song):
        return list(dict(set_of_live.SCALES)[song["scale_name"]])

    @staticmethod
    def do_start_playing(song):
        def land():
            song["current_song_time"] = song["start_time"]
            play(song, True)
        song.world.late(land)

    @staticmethod
    def do_continue_playing(song):
        song.world.late(lambda: play(song, True))

    @staticmethod
    def do_stop_playing(song):
        def land():
            # Stopped twice it goes to the beginning.
            if not song["is_playing"]:
                song["current_song_time"] = 0.0
            play(song, False)
        song.world.late(land)

    @staticmethod
    def do_stop_all_clips(song, quantized=True):
        for track in song["tracks"]:
            stop_track(track, None if quantized else 0)

    @staticmethod
    def get_back_to_arranger(song):
        return any(track["playing_slot_index"] != -1 for track in song["tracks"])

    @staticmethod
    def set_back_to_arranger(song, value):
        if not value:
            for track in song["tracks"]:
                back_to_arranger(track)
            song.tell("back_to_arranger")

    @staticmethod
    def do_get_current_beats_song_time(song):
        beats = song["current_song_time"]
        per_bar = song["signature_numerator"] * 4.0 / song["signature_denominator"]
        bar, rest = divmod(beats, per_bar)
        beat, rest = divmod(rest, 4.0 / song["signature_denominator"])
        sixteenth, rest = divmod(rest, 0.25)
        return song.world.boost.values["BeatTime"](
            bars=int(bar) + 1, beats=int(beat) + 1, sub_division=int(sixteenth) + 1, ticks=int(rest * 960))

    # --- undo ---

    @staticmethod
    def do_begin_undo_step(song):
        world = song.world
        world.undo_depth += 1
        if world.undo_depth > 1:
            world.police.record("undo", "a step was opened inside a step")

    @staticmethod
    def do_end_undo_step(song):
        world = song.world
        world.undo_depth = max(0, world.undo_depth - 1)
        world.close_step()

    @staticmethod
    def do_undo(song):
        song.world.undo()
        return "Undo"

    @staticmethod
    def do_redo(song):
        song.world.redo()
        return "Redo"

    @staticmethod
    def get_can_undo(song):
        return song.world.can_undo()

    @staticmethod
    def get_can_redo(song):
        return song.world.can_redo()

    # --- tracks ---

    @staticmethod
    def do_create_midi_track(song, index=None):
        return insert_track(song, "midi", index)

    @staticmethod
    def do_create_audio_track(song, index=None):
        return insert_track(song, "audio", index)

    @staticmethod
    def do_create_return_track(song):
        if len(song["return_tracks"]) >= 12:
            raise limitation(song, "Too many return tracks")
        track = set_of_live.new_track(song.world, song, "return", 0)
        song["return_tracks"].append(track)
        fit_all_sends(song)
        song.tell("return_tracks", "visible_tracks")
        return track

    @staticmethod
    def do_delete_track(song, index):
        delete_at(song, "tracks", index)
        song.tell("tracks", "visible_tracks")

    @staticmethod
    def do_delete_return_track(song, index):
        delete_at(song, "return_tracks", index)
        fit_all_sends(song)
        song.tell("return_tracks", "visible_tracks")

    @staticmethod
    def do_duplicate_track(song, index):
        source = at(song, "tracks", index)
        copied = insert_track(song, source["kind"], index + 1)
        for name in ("name", "color", "color_index", "mute", "solo"):
            copied[name] = source[name]
        copy_mixer(source["mixer_device"], copied["mixer_device"])
        for device in source["devices"]:
            copied["devices"].append(racks.copy_device(device, copied))
        for slot, target in zip(source["clip_slots"], copied["clip_slots"]):
            if slot["clip"] is not None:
                target["clip"] = copy_clip(slot["clip"], target)
        copied["arrangement_clips"] = [copy_to(copied, clip, clip["at"]) for clip in source["arrangement_clips"]]
        for lane in source["take_lanes"]:
            made = Node(song.world, "TakeLane.TakeLane", copied, name=lane["name"], arrangement_clips=[])
            made["arrangement_clips"] = [copy_to(made, clip, clip["at"]) for clip in lane["arrangement_clips"]]
            copied["take_lanes"].append(made)
        select(song, "selected_track", copied)

    @staticmethod
    def get_visible_tracks(song):
        return [track for track in song["tracks"] if track["group_track"] is None or
                not track["group_track"]["fold_state"]]

    @staticmethod
    def do_move_device(song, device, target, target_position):
        from .track import move_device
        return move_device(device, target, target_position)

    @staticmethod
    def do_find_device_position(song, device, target, target_position):
        from .track import find_device_position
        return find_device_position(device, target, target_position)

    @staticmethod
    def get_last_event_time(song):
        return max([clip["at"] + clip["span"] for track in song["tracks"] for clip in track["arrangement_clips"]] +
                   [cue["time"] for cue in song["cue_points"]] + [0.0])

    # --- scenes ---

    @staticmethod
    def do_create_scene(song, index):
        scene = set_of_live.new_scene(song.world, song)
        place = len(song["scenes"]) if index == -1 else index
        if not 0 <= place <= len(song["scenes"]):
            raise limitation(song, "Invalid scene index")
        song["scenes"].insert(place, scene)
        for track in song["tracks"]:
            track["clip_slots"].insert(place, Node(song.world, "ClipSlot.ClipSlot", track, clip=None,
                                                   has_stop_button=True))
            track.tell("clip_slots")
        song.tell("scenes")
        return scene

    @staticmethod
    def do_delete_scene(song, index):
        if len(song["scenes"]) == 1:
            raise RuntimeError("The last scene cannot be deleted")
        delete_at(song, "scenes", index)
        for track in song["tracks"]:
            track["clip_slots"].pop(index).kill()
            track.tell("clip_slots")
        song.tell("scenes")

    @staticmethod
    def do_duplicate_scene(song, index):
        source = at(song, "scenes", index)
        copied = SongBehaviour.do_create_scene(song, index + 1)
        copied.values.update({k: v for k, v in source.values.items() if k != "clip_slots"})
        for track in song["tracks"]:
            clip = track["clip_slots"][index]["clip"]
            if clip is not None:
                target = track["clip_slots"][index + 1]
                target["clip"] = copy_clip(clip, target)
        select(song, "selected_scene", copied)

    @staticmethod
    def do_capture_and_insert_scene(song, capture_mode=0):
        place = song["scenes"].index(song["view"]["selected_scene"]) + 1
        playing = [(at, slot["clip"]) for at, track in enumerate(song["tracks"]) for slot in track["clip_slots"]
                   if slot["clip"] is not None and slot["clip"]["playing"]]
        captured = SongBehaviour.do_create_scene(song, place)
        for at, clip in playing:
            target = song["tracks"][at]["clip_slots"][place]
            target["clip"] = copy_clip(clip, target)
        select(song, "selected_scene", captured)

    # --- locators ---

    @staticmethod
    def do_set_or_delete_cue(song):
        at = song["current_song_time"]
        grid = song.world.cue_grid
        if grid:
            # Recent builds go to the nearest line of the grid.
            at = round(at / grid) * grid
        here = [cue for cue in song["cue_points"] if cue["time"] == at]
        if here:
            song["cue_points"].remove(here[0])
            here[0].kill()
        else:
            numbers = {cue["name"] for cue in song["cue_points"]}
            name = next(str(n) for n in range(1, 9999) if str(n) not in numbers)
            cue = Node(song.world, "Song.CuePoint", song, time=at, name=name)
            song["cue_points"] = sorted(song["cue_points"] + [cue], key=lambda one: one["time"])
        song.tell("cue_points")

    @staticmethod
    def do_sync_parameter_changes(song):
        song.world.land()

    # --- what is kept with the Set ---

    @staticmethod
    def do_get_data(song, key, default_value):
        return song["data"].get(key, default_value)

    @staticmethod
    def do_set_data(song, key, value):
        song["data"][key] = value
        song.tell("data")


class SongViewBehaviour:
    @staticmethod
    def get_highlighted_clip_slot(view):
        track, scene = view["selected_track"], view["selected_scene"]
        if track is None or not track["clip_slots"]:
            return None
        return track["clip_slots"][view.parent["scenes"].index(scene)]

    @staticmethod
    def set_highlighted_clip_slot(view, slot):
        select(view.parent, "selected_track", slot.parent)
        select(view.parent, "selected_scene", view.parent["scenes"][slot.parent["clip_slots"].index(slot)])

    @staticmethod
    def do_select_device(view, device, should_appoint_device=True):
        owner = device.parent
        if owner.cls == "Track.Track":
            owner["view"]["selected_device"] = device


class CuePointBehaviour:
    @staticmethod
    def do_jump(cue):
        SongBehaviour.set_current_song_time(cue.parent, cue["time"])


class SceneBehaviour:
    @staticmethod
    def set_color(scene, value):
        scene["color_index"], scene["color"] = nearest(value)
        scene.tell("color", "color_index")

    @staticmethod
    def get_clip_slots(scene):
        place = scene.parent["scenes"].index(scene)
        return [track["clip_slots"][place] for track in scene.parent["tracks"]]

    @staticmethod
    def get_is_empty(scene):
        return all(slot["clip"] is None for slot in SceneBehaviour.get_clip_slots(scene))

    @staticmethod
    def set_tempo(scene, value):
        if value != -1.0 and not 20.0 <= value <= 999.0:
            raise RuntimeError(RANGE_TEXT)
        scene["tempo"], scene["tempo_enabled"] = value, value != -1.0
        scene.tell("tempo", "tempo_enabled")

    @staticmethod
    def set_time_signature_numerator(scene, value):
        set_meter(scene, "time_signature_numerator", value)

    @staticmethod
    def set_time_signature_denominator(scene, value):
        set_meter(scene, "time_signature_denominator", value)

    @staticmethod
    def set_time_signature_enabled(scene, value):
        for half in METER:
            scene[half] = (4 if scene[half] == -1 else scene[half]) if value else -1
        scene["time_signature_enabled"] = bool(value)
        scene.tell("time_signature_enabled", *METER)

    @staticmethod
    def set_tempo_enabled(scene, value):
        SceneBehaviour.set_tempo(scene, 120.0 if value else -1.0)

    @staticmethod
    def do_fire(scene, force_legato=False, can_select_scene_on_launch=True):
        if can_select_scene_on_launch:
            select(scene.parent, "selected_scene", scene)
        for slot in SceneBehaviour.get_clip_slots(scene):
            fire_slot(slot)

        def land():
            song = scene.parent
            if scene["tempo_enabled"]:
                song["tempo"] = scene["tempo"]
                song.tell("tempo")
            if scene["time_signature_enabled"]:
                song["signature_numerator"], song["signature_denominator"] = [scene[half] for half in METER]
                song.tell("signature_numerator", "signature_denominator")
            play(song, True)
        scene.world.late(land)


METER = ("time_signature_numerator", "time_signature_denominator")


def set_meter(scene, half, value):
    """Writing one half turns it on, with 4 for the other; -1 turns it off."""
    if value == -1:
        SceneBehaviour.set_time_signature_enabled(scene, False)
        return
    if not (1 <= value <= 99 if half == METER[0] else value in (1, 2, 4, 8, 16)):
        raise RuntimeError(RANGE_TEXT)
    SceneBehaviour.set_time_signature_enabled(scene, True)
    scene[half] = value
    scene.tell(half)


def play(song, value):
    song["is_playing"] = value
    song.tell("is_playing")


def at(song, name, index):
    if not 0 <= index < len(song[name]):
        raise IndexError("Invalid index")
    return song[name][index]


def delete_at(song, name, index):
    gone = at(song, name, index)
    if name == "tracks" and len(song["tracks"]) == 1:
        raise RuntimeError("The last track cannot be deleted")
    song[name].remove(gone)
    gone.kill()
    view = song["view"]
    selected = {"tracks": "selected_track", "return_tracks": "selected_track", "scenes": "selected_scene"}[name]
    if view[selected] is gone:
        select(song, selected, (song[name] or song["tracks"])[min(index, len(song[name] or song["tracks"]) - 1)])
    if view["detail_clip"] is not None and not view["detail_clip"].alive:
        view["detail_clip"] = None


def insert_track(song, kind, index):
    place = len(song["tracks"]) if index in (None, -1) else index
    if not 0 <= place <= len(song["tracks"]):
        raise limitation(song, "Invalid track index")
    track = set_of_live.new_track(song.world, song, kind, len(song["scenes"]))
    song["tracks"].insert(place, track)
    set_of_live.fit_sends(song.world, song, track)
    select(song, "selected_track", track)
    song.tell("tracks", "visible_tracks")
    return track


def fit_all_sends(song):
    for track in song["tracks"] + song["return_tracks"]:
        set_of_live.fit_sends(song.world, song, track)
        track["mixer_device"].tell("sends")


def select(song, name, node):
    song["view"][name] = node
    song["view"].tell(name)


def copy_mixer(source, target):
    for name in ("volume", "panning", "left_split_stereo", "right_split_stereo", "track_activator"):
        if source.get(name) is not None:
            target[name]["value"] = source[name]["value"]
    for send, copied in zip(source["sends"], target["sends"]):
        copied["value"] = send["value"]


def copy_clip(source, owner):
    if source["is_midi_clip"]:
        made = set_of_live.new_midi_clip(owner.world, owner, source["loop_end"])
    else:
        made = set_of_live.new_audio_clip(owner.world, owner, source["file_path"])
    kept = {k: v for k, v in source.values.items() if k not in ("view", "notes", "selected", "playing", "triggered")}
    made.values.update(kept)
    made["envelopes"] = [] if track_of(owner) is not track_of(source) else [
        Node(owner.world, "Envelope.Envelope", made, **one.values) for one in source["envelopes"]]
    if source["is_midi_clip"]:
        made["notes"] = [dict(note) for note in source["notes"]]
    return made
