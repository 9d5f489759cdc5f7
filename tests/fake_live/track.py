"""What tracks, mixers, parameters and devices do."""

from . import racks, readings, set_of_live
from .arrangement import ArrangementBehaviour
from .boost import RANGE_TEXT
from .colors import nearest
from .launching import back_to_arranger, stop_track


class TrackBehaviour(ArrangementBehaviour):
    @staticmethod
    def get_name(track):
        return track["name"].replace("#", str(number_of(track)), 1) if "#" in track["name"] else track["name"]

    @staticmethod
    def set_name(track, value):
        """A blank name gives back the default."""
        value = value or "#-" + {"midi": "MIDI", "audio": "Audio", "return": "Return", "group": "Group"}.get(
            track["kind"], "Main")
        if value == "#-Return" and track["devices"]:
            value = "#-" + track["devices"][0]["name"]
        if track in track.parent["return_tracks"] and not value.startswith("#"):
            # A return keeps its letter.
            letter = "%s-" % number_of(track)
            value = "#-" + (value[len(letter):] if value.startswith(letter) else value)
        # A blank name gives the one back that it had at first.
        track["name"] = value or set_of_live.TRACK_NAMES[track["kind"]]
        track.tell("name")

    @staticmethod
    def set_color(track, value):
        track["color_index"], track["color"] = nearest(value)
        track.tell("color", "color_index")

    @staticmethod
    def get_has_midi_input(track):
        return track["kind"] == "midi"

    @staticmethod
    def get_has_audio_input(track):
        return track["kind"] != "midi"

    @staticmethod
    def get_has_audio_output(track):
        return track["kind"] != "midi" or any(device["type"] == 1 for device in track["devices"])

    @staticmethod
    def get_has_midi_output(track):
        return not TrackBehaviour.get_has_audio_output(track)

    @staticmethod
    def get_can_be_armed(track):
        return track["kind"] in ("midi", "audio") and not track["is_frozen"]

    @staticmethod
    def get_is_visible(track):
        return True

    @staticmethod
    def get_arm(track):
        refuse_unless(track["kind"] in ("midi", "audio"), "Main and Return Tracks have no 'Arm' state!")
        return track["arm"]

    @staticmethod
    def set_arm(track, value):
        refuse_unless(TrackBehaviour.get_can_be_armed(track), "Main and Return Tracks have no 'Arm' state!")
        track["arm"] = value
        track.tell("arm")

    @staticmethod
    def get_mute(track):
        refuse_unless(track["kind"] != "main", "Main track has no mute state!")
        return track["mute"]

    @staticmethod
    def set_mute(track, value):
        refuse_unless(track["kind"] != "main", "Main track has no mute state!")
        track["mute"] = value
        track["mixer_device"]["track_activator"]["value"] = 0.0 if value else 1.0
        track.tell("mute")

    @staticmethod
    def get_solo(track):
        refuse_unless(track["kind"] != "main", "Main track has no solo state!")
        return track["solo"]

    @staticmethod
    def set_solo(track, value):
        refuse_unless(track["kind"] != "main", "Main track has no solo state!")
        track["solo"] = value
        track.tell("solo")

    @staticmethod
    def get_muted_via_solo(track):
        song = track.parent
        soloed = any(one["solo"] for one in song["tracks"] + song["return_tracks"])
        return soloed and track["kind"] != "main" and not track["solo"]

    # --- routing: values, equal by name ---

    @staticmethod
    def get_available_input_routing_types(track):
        if track["kind"] not in ("midi", "audio"):
            return []
        names = ["All Ins", "No Input"] if track["kind"] == "midi" else ["Ext. In", "Resampling", "No Input"]
        return types(track, names)

    @staticmethod
    def get_available_output_routing_types(track):
        if track["kind"] == "main":
            return []
        others = [other for other in track.parent["tracks"] if other is not track]
        boost = track.world.boost
        return types(track, ["Main", "Sends Only"]) + [
            boost.values["RoutingType"](display_name=TrackBehaviour.get_name(other), category=4,
                                        attached_object=boost.wrapper(other)) for other in others] + types(
                                            track, ["Ext. Out"])

    @staticmethod
    def get_input_routing_type(track):
        return current(track, "input_routing_type", TrackBehaviour.get_available_input_routing_types(track))

    @staticmethod
    def set_input_routing_type(track, value):
        choose(track, "input_routing_type", TrackBehaviour.get_available_input_routing_types(track), value)

    @staticmethod
    def get_output_routing_type(track):
        return current(track, "output_routing_type", TrackBehaviour.get_available_output_routing_types(track))

    @staticmethod
    def set_output_routing_type(track, value):
        choose(track, "output_routing_type", TrackBehaviour.get_available_output_routing_types(track), value)

    @staticmethod
    def get_available_input_routing_channels(track):
        if track["kind"] not in ("midi", "audio"):
            return []
        if track["kind"] == "midi":
            return channels(track, ["All Channels"] + ["Ch. %d" % n for n in range(1, 17)])
        return channels(track, ["1/2", "1", "2"])

    @staticmethod
    def get_available_output_routing_channels(track):
        return channels(track, [] if track["kind"] == "main" else ["Track In"])

    @staticmethod
    def get_input_routing_channel(track):
        return current(track, "input_routing_channel", TrackBehaviour.get_available_input_routing_channels(track))

    @staticmethod
    def set_input_routing_channel(track, value):
        choose(track, "input_routing_channel", TrackBehaviour.get_available_input_routing_channels(track), value)

    @staticmethod
    def get_output_routing_channel(track):
        return current(track, "output_routing_channel", TrackBehaviour.get_available_output_routing_channels(track))

    # --- devices ---

    @staticmethod
    def do_insert_device(track, device_name, device_index=-1):
        return insert_device(track, device_name, device_index, takes_midi=track["kind"] == "midi")

    @staticmethod
    def do_delete_device(track, index):
        delete_device(track, index)

    @staticmethod
    def do_duplicate_device(track, index):
        return duplicate_device(track, index)

    # --- clips ---

    @staticmethod
    def do_delete_clip(track, clip):
        refuse_unless(clip.parent is track or clip.parent.parent is track, "The clip is of another track")
        owner = track if clip.parent is track else clip.parent
        if owner.cls != "ClipSlot.ClipSlot":
            owner["arrangement_clips"].remove(clip)
            clip.kill()
            owner.tell("arrangement_clips")
            return
        from .clip import SlotBehaviour
        SlotBehaviour.do_delete_clip(clip.parent)

    @staticmethod
    def do_stop_all_clips(track, quantized=True):
        stop_track(track, None if quantized else 0)

    @staticmethod
    def get_back_to_arranger(track):
        return track["playing_slot_index"] != -1

    @staticmethod
    def set_back_to_arranger(track, value):
        if not value:
            back_to_arranger(track)

    @staticmethod
    def do_get_data(track, key, default_value):
        return track["data"].get(key, default_value)

    @staticmethod
    def do_set_data(track, key, value):
        track["data"][key] = value
        track.tell("data")


class MixerBehaviour:
    @staticmethod
    def get_track_activator(mixer):
        refuse_unless(mixer.parent["kind"] != "main", "The main track has no activator")
        return mixer["track_activator"]


class ParameterBehaviour:
    @staticmethod
    def get_name(parameter):
        """A send is called as the return that it goes to."""
        sends = parameter.parent.get("sends") or []
        if parameter in sends and parameter.parent.parent.cls == "Track.Track":
            return TrackBehaviour.get_name(parameter.world.song["return_tracks"][sends.index(parameter)])
        return parameter["name"]

    @staticmethod
    def set_value(parameter, value):
        if not parameter["min"] <= value <= parameter["max"]:
            raise RuntimeError(RANGE_TEXT)
        if parameter.get("keeps_whole"):
            value = float(int(value + 0.5) if value >= 0.0 else -int(0.5 - value))
        if parameter["is_enabled"]:
            parameter["value"] = value
            parameter.tell("value")
        owner = parameter.parent
        if owner.cls == "MixerDevice.MixerDevice" and owner.get("track_activator") is parameter:
            owner.parent["mute"] = value == 0.0
            owner.parent.tell("mute")

    @staticmethod
    def get_default_value(parameter):
        refuse_unless(not parameter["is_quantized"], "Quantized parameters have no default value")
        return parameter["default_value"]

    @staticmethod
    def get_value_items(parameter):
        refuse_unless(parameter["is_quantized"], "Only quantized parameters have value items")
        return parameter["value_items"]

    @staticmethod
    def get_display_value(parameter):
        return readings.shown(parameter, parameter["value"])

    @staticmethod
    def do_str_for_value(parameter, value):
        return readings.label(parameter, value)

    @staticmethod
    def do_re_enable_automation(parameter):
        parameter["automation_state"] = min(parameter["automation_state"], 1)

    @staticmethod
    def do_begin_gesture(parameter):
        pass

    @staticmethod
    def do_end_gesture(parameter):
        pass


class DeviceBehaviour:
    @staticmethod
    def do_save_preset_to_compare_ab_slot(device):
        refuse_unless(device["can_compare_ab"], "The device has no A/B comparison")
        device["other_state"] = tuple(parameter["value"] for parameter in device["parameters"])

    @staticmethod
    def get_is_using_compare_preset_b(device):
        refuse_unless(device["can_compare_ab"], "The device has no A/B comparison")
        return device["is_using_compare_preset_b"]

    @staticmethod
    def set_is_using_compare_preset_b(device, value):
        """The other state takes the place of this one."""
        refuse_unless(device["can_compare_ab"], "The device has no A/B comparison")
        if value == device["is_using_compare_preset_b"]:
            return
        now = tuple(parameter["value"] for parameter in device["parameters"])
        for parameter, other in zip(device["parameters"], device.get("other_state") or now):
            parameter["value"] = other
            parameter.tell("value")
        device["other_state"], device["is_using_compare_preset_b"] = now, value
        device.tell("is_using_compare_preset_b")

    @staticmethod
    def get_is_active(device):
        return device["parameters"][0]["value"] == 1.0

    @staticmethod
    def set_name(device, value):
        """A blank name gives back its own."""
        device["name"] = value or device["class_display_name"]
        device.tell("name")


class ChainBehaviour:
    @staticmethod
    def set_color(chain, value):
        chain["color_index"], chain["color"] = nearest(value)
        chain.tell("color", "color_index")

    @staticmethod
    def get_muted_via_solo(chain):
        return not chain["solo"] and any(other["solo"] for other in chain.parent["chains"])

    @staticmethod
    def set_mute(chain, value):
        racks.set_chain_mute(chain, value)

    @staticmethod
    def do_insert_device(chain, device_name, device_index=-1):
        return insert_device(chain, device_name, device_index, takes_midi=takes_midi(chain))

    @staticmethod
    def do_delete_device(chain, index):
        delete_device(chain, index)

    @staticmethod
    def do_duplicate_device(chain, index):
        return duplicate_device(chain, index)


# MIDI effects, then the instrument, then audio effects.
ORDER = {4: 0, 1: 1, 2: 2}


def nearest_position(device_type, devices, position):
    """The place next to that one where a device of that type can stand among those."""
    ranks = [ORDER[device["type"]] for device in devices]
    first = sum(1 for rank in ranks if rank < ORDER[device_type])
    last = len(ranks) - sum(1 for rank in ranks if rank > ORDER[device_type])
    return max(first, min(position, last))


def insert_device(owner, name, index, takes_midi):
    if name not in set_of_live.DEVICES:
        raise RuntimeError("No device called '%s'" % name)
    kind = set_of_live.DEVICES[name][1]
    refuse_unless(kind == 2 or takes_midi, "MIDI devices need a MIDI track")
    refuse_unless(kind != 1 or not any(d["type"] == 1 for d in owner["devices"]), "There is an instrument already")
    place = nearest_position(kind, owner["devices"], len(owner["devices"]) if index == -1 else index)
    refuse_unless(index in (-1, place), "The device cannot be inserted there")
    device = set_of_live.new_device(owner.world, owner, name)
    owner["devices"].insert(place, device)
    owner.tell("devices")
    return device


def duplicate_device(owner, index):
    """Beside itself. Instruments, and racks of them, are refused."""
    if not 0 <= index < len(owner["devices"]):
        raise IndexError("Invalid device index")
    source = owner["devices"][index]
    refuse_unless(source["type"] != 1, "Instruments cannot be duplicated")
    owner["devices"].insert(index + 1, racks.copy_device(source, owner))
    owner.tell("devices")


def delete_device(owner, index):
    if not 0 <= index < len(owner["devices"]):
        raise IndexError("Invalid device index")
    owner["devices"].pop(index).kill()
    owner.tell("devices")


def takes_midi(owner):
    """Whether MIDI comes to a track, or to a chain."""
    if owner.cls == "Track.Track":
        return owner["kind"] == "midi"
    return owner.parent["class_name"] != "AudioEffectGroupDevice"


def find_device_position(device, target, position):
    others = [other for other in target["devices"] if other is not device]
    return nearest_position(device["type"], others, position)


def move_device(device, target, position):
    """The device itself goes; the position is brought to what is there."""
    source = device.parent
    refuse_unless(device["type"] == 2 or takes_midi(target), "MIDI devices need a MIDI track")
    others = [other for other in target["devices"] if other is not device]
    refuse_unless(device["type"] != 1 or not any(d["type"] == 1 for d in others), "There is an instrument already")
    source["devices"].remove(device)
    position = nearest_position(device["type"], target["devices"], position)
    target["devices"].insert(position, device)
    device.parent = target
    source.tell("devices")
    target.tell("devices")
    return position


def number_of(track):
    song = track.parent
    if track in song["tracks"]:
        return song["tracks"].index(track) + 1
    if track in song["return_tracks"]:
        return chr(ord("A") + song["return_tracks"].index(track))
    return ""


def types(track, names):
    made = track.world.boost.values["RoutingType"]
    return [made(display_name=name, category=0, attached_object=None) for name in names]


def channels(track, names):
    made = track.world.boost.values["RoutingChannel"]
    return [made(display_name=name, layout=0) for name in names]


def current(track, member, available):
    if track.get(member) is None:
        return available[0] if available else None
    return track[member]


def choose(track, member, available, value):
    refuse_unless(value in available, "That routing is not available")
    track[member] = value
    track.tell(member)


def refuse_unless(right, text):
    if not right:
        raise RuntimeError(text)
