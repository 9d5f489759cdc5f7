"""What single kinds of Live's devices have besides parameters: choosers with their lists, a side-chain, a modulation
matrix, Looper's buttons."""

from .boost import RANGE_TEXT
from .native_devices import OF_CLASS_NAME, classes
from .track import channels, refuse_unless, types

CC_TARGETS = ["CC %d" % n for n in range(128)] + ["Pitch Bend", "Pressure"]
# Lists of Live's own content, and those that the table of classes does not name.
LISTS = {
    "ir_category_list": ["Early_Reflections", "Real_Places", "Chambers_and_Large_Rooms", "Made_for_Drums", "Halls",
                         "Plates", "Springs", "Bigger_Spaces", "Textures", "User"],
    "ir_file_list": ["<empty>"],
    "record_length_list": ["x bars", "1 bar", "2 bars", "4 bars", "8 bars", "16 bars", "32 bars"],
    "oscillator_wavetable_categories": ["Basics"],
    "oscillator_1_wavetables": ["Basic Shapes"], "oscillator_2_wavetables": ["Basic Shapes"],
}
NAMED_BY = {"oscillator_1_wavetable_category": "oscillator_wavetable_categories",
            "oscillator_2_wavetable_category": "oscillator_wavetable_categories",
            "oscillator_1_wavetable_index": "oscillator_1_wavetables",
            "oscillator_2_wavetable_index": "oscillator_2_wavetables"}
SOURCES = 13


def positions(about):
    """The names of a chooser's positions by number, where the table has them."""
    names = about.get("enum")
    if isinstance(names, str):
        names = classes()["enums"][names[1:]]
    if isinstance(names, list):
        return {at: name for at, name in enumerate(names)}
    return {int(number): name for number, name in names.items()} if names else None


def listed(cls, member):
    """What a list of positions says."""
    if member in LISTS:
        return LISTS[member]
    properties = classes()["classes"][cls]["properties"]
    base = member[:-len("_list")]
    about = properties.get(base + "_index") or properties.get(base)
    return list(positions(about).values()) if about and about.get("enum") else CC_TARGETS


def chooser(cls, member, about):
    """Writes what is one of its positions, or in its range."""
    def write(device, value):
        fits = True
        names = listed(cls, NAMED_BY[member]) if member in NAMED_BY else None
        if names is None and member.endswith("_index") and member[:-len("index")] + "list" in classes()["classes"][cls][
                "properties"]:
            names = listed(cls, member[:-len("index")] + "list")
        if names is not None:
            fits = 0 <= value < len(names)
        elif positions(about):
            fits = int(value) in positions(about)
        fits = fits and about.get("min", value) <= value <= about.get("max", value)
        refuse_unless(fits, RANGE_TEXT)
        device[member] = value
        device.tell(member)
    return staticmethod(write)


def behaviour_of(name):
    """The choosers and lists of a class, from the table of classes."""
    cls = name.split(".")[1]
    members = {}
    for member, about in classes()["classes"][cls]["properties"].items():
        if about["type"] == "list[str]":
            if member != "visible_modulation_target_names":
                members["get_" + member] = staticmethod(lambda device, member=member: listed(cls, member))
        elif about["type"] in ("int", "float") and about["access"] == "rw":
            members["set_" + member] = chooser(cls, member, about)
    own = {"CompressorDevice": CompressorMembers, "WavetableDevice": WavetableMembers,
           "LooperDevice": LooperMembers}.get(cls, object)
    return type(cls + "Behaviour", (own,), members)


class CompressorMembers:
    """Where it listens: outside, and to every track that makes sound."""

    @staticmethod
    def get_available_input_routing_types(device):
        from .track import TrackBehaviour

        song, boost = device.world.song, device.world.boost
        sounding = [track for track in song["tracks"] + song["return_tracks"]
                    if TrackBehaviour.get_has_audio_output(track)]
        return types(device, ["No Input", "Ext. In"]) + [
            boost.values["RoutingType"](display_name=TrackBehaviour.get_name(track), category=4,
                                        attached_object=boost.wrapper(track)) for track in sounding]

    @staticmethod
    def get_input_routing_type(device):
        return device.get("input_routing_type") or CompressorMembers.get_available_input_routing_types(device)[0]

    @staticmethod
    def set_input_routing_type(device, value):
        refuse_unless(value in CompressorMembers.get_available_input_routing_types(device), "It is not available")
        device["input_routing_type"], device["input_routing_channel"] = value, None
        device.tell("input_routing_type", "input_routing_channel")

    @staticmethod
    def get_available_input_routing_channels(device):
        source = CompressorMembers.get_input_routing_type(device)
        if source.attached_object is not None:
            return channels(device, ["Pre FX", "Post FX", "Post Mixer"])
        return channels(device, ["1/2", "1", "2"] if source.display_name == "Ext. In" else [""])

    @staticmethod
    def get_input_routing_channel(device):
        return device.get("input_routing_channel") or CompressorMembers.get_available_input_routing_channels(device)[0]

    @staticmethod
    def set_input_routing_channel(device, value):
        refuse_unless(value in CompressorMembers.get_available_input_routing_channels(device), "It is not available")
        device["input_routing_channel"] = value
        device.tell("input_routing_channel")


class WavetableMembers:
    @staticmethod
    def get_visible_modulation_target_names(device):
        return [row[0]["name"] for row in rows(device)]

    @staticmethod
    def do_is_parameter_modulatable(device, parameter):
        return parameter.parent is device and not parameter["is_quantized"]

    @staticmethod
    def do_add_parameter_to_modulation_matrix(device, parameter):
        refuse_unless(WavetableMembers.do_is_parameter_modulatable(device, parameter), "It cannot be modulated")
        if not any(row[0] is parameter for row in rows(device)):
            device["matrix"] = rows(device) + ((parameter, (0.0,) * SOURCES),)
            device.tell("visible_modulation_target_names", "modulation_matrix_changed")
        return next(at for at, row in enumerate(rows(device)) if row[0] is parameter)

    @staticmethod
    def do_get_modulation_target_parameter_name(device, target_index):
        return row_at(device, target_index)[0]["name"]

    @staticmethod
    def do_get_modulation_value(device, target_index, source):
        refuse_unless(0 <= source < SOURCES, RANGE_TEXT)
        return row_at(device, target_index)[1][source]

    @staticmethod
    def do_set_modulation_value(device, target_index, source, value):
        refuse_unless(0 <= source < SOURCES and -1.0 <= value <= 1.0, RANGE_TEXT)
        parameter, amounts = row_at(device, target_index)
        changed = parameter, amounts[:source] + (value,) + amounts[source + 1:]
        device["matrix"] = rows(device)[:target_index] + (changed,) + rows(device)[target_index + 1:]
        device.tell("modulation_matrix_changed")


def rows(device):
    return device.get("matrix") or ()


def row_at(device, index):
    refuse_unless(0 <= index < len(rows(device)), RANGE_TEXT)
    return rows(device)[index]


class LooperMembers:
    """Nothing was recorded, so there is nothing to play, to lengthen or to take away."""

    do_clear = do_stop = do_record = do_overdub = do_play = staticmethod(lambda looper: None)
    do_undo = do_double_speed = do_half_speed = do_double_length = do_half_length = do_clear


BEHAVIOURS = {name: behaviour_of(name) for name in OF_CLASS_NAME.values()}
