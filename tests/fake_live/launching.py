"""Launching: what is fired waits for its boundary while the song plays; else it comes with the next tick."""

# Bars, and beats, by the numbers of `Song.clip_trigger_quantization`; 0 waits for nothing.
BARS = {1: 8, 2: 4, 3: 2, 4: 1}
BEATS = {5: 2.0, 6: 4.0 / 3.0, 7: 1.0, 8: 2.0 / 3.0, 9: 0.5, 10: 1.0 / 3.0, 11: 0.25, 12: 1.0 / 6.0, 13: 0.125}
TOGGLE = 2


def fire_slot(slot):
    """Launches what is in the slot, or stops the track by its stop button."""
    track, clip = slot.parent, slot["clip"]
    if clip is None:
        if slot["has_stop_button"]:
            stop_track(track)
        return
    if clip["launch_mode"] == TOGGLE and clip["playing"]:
        stop_track(track, own_quantization(clip))
        return
    clip["triggered"] = True
    order(track, slot, own_quantization(clip))


def own_quantization(clip):
    """The clip's own, or None for the song's."""
    own = int(clip["launch_quantization"])
    return None if own == 0 else own - 1


def stop_clip(clip):
    if clip["triggered"]:
        take_back(clip.parent.parent)
        clip.parent.parent.tell("fired_slot_index")
    elif clip["playing"]:
        stop_track(clip.parent.parent, own_quantization(clip))


def back_to_arranger(track):
    """Gives the track back to its timeline."""
    take_back(track)
    for slot in track["clip_slots"]:
        if slot["clip"] is not None:
            slot["clip"]["playing"] = False
    track["playing_slot_index"] = -1
    track.tell("playing_slot_index", "fired_slot_index", "back_to_arranger")


def stop_track(track, quantization=None):
    """Stops what plays, and takes back what waits."""
    if not any(slot["clip"] is not None and slot["clip"]["playing"] for slot in track["clip_slots"]):
        take_back(track)
        if track["playing_slot_index"] == -1 and track["fired_slot_index"] == -1:
            track["playing_slot_index"] = -2
        track.tell("playing_slot_index", "fired_slot_index")
        return
    order(track, None, quantization)


def left_by(track, clip):
    """What waits for a clip that goes is taken back, and what it played ends."""
    was_triggered, was_playing = clip["triggered"], clip["playing"]
    if was_triggered:
        take_back(track)
    if was_playing:
        track["playing_slot_index"] = -2
    if was_triggered or was_playing:
        track.tell("playing_slot_index", "fired_slot_index")


def order(track, slot, quantization):
    """Has a slot launched at its boundary, or what plays stopped where there is none."""
    song = track.world.song
    for other in track["clip_slots"]:
        if other["clip"] is not None and other is not slot:
            other["clip"]["triggered"] = False
    track["fired_slot_index"] = track["clip_slots"].index(slot) if slot is not None else -2
    track.tell("fired_slot_index")
    number = int(song["clip_trigger_quantization"]) if quantization is None else quantization
    step = BARS[number] * beats_per_bar(song) if number in BARS else BEATS.get(number)
    track["order"] = slot, None
    if song["is_playing"] and step is not None:
        now = song["current_song_time"]
        track["order"] = slot, (int(now / step + 1e-9) + 1) * step
    else:
        track.world.late(lambda: carry_out(track))


def beats_per_bar(song):
    return song["signature_numerator"] * 4.0 / song["signature_denominator"]


def take_back(track):
    track["order"] = None
    track["fired_slot_index"] = -1
    for slot in track["clip_slots"]:
        if slot["clip"] is not None:
            slot["clip"]["triggered"] = False


def advance(song):
    """Carries out what has come to its boundary."""
    for track in song["tracks"]:
        waits = track.get("order")
        if waits is not None and waits[1] is not None and waits[1] <= song["current_song_time"]:
            carry_out(track)


def carry_out(track):
    waits = track.get("order")
    if waits is None or not track.alive:
        return
    slot = waits[0]
    take_back(track)
    for other in track["clip_slots"]:
        if other["clip"] is not None:
            other["clip"]["playing"] = False
    if slot is None:
        track["playing_slot_index"] = -2
    elif slot.alive and slot["clip"] is not None:
        slot["clip"]["playing"] = True
        track["playing_slot_index"] = track["clip_slots"].index(slot)
        song = track.world.song
        if not song["is_playing"]:
            song["is_playing"] = True
            song.tell("is_playing")
    track.tell("playing_slot_index", "fired_slot_index")
