"""Racks: their chains and macros, and the pads of Drum Racks."""

from . import set_of_live
from .boost import RANGE_TEXT

PADS = 128
LETTERS = ("C", "C\u266f", "D", "D\u266f", "E", "F", "F\u266f", "G", "G\u266f", "A", "A\u266f", "B")
MOST_MACROS = 16


class RackBehaviour:
    @staticmethod
    def do_insert_chain(rack, index=-1):
        refuse_unless(-1 <= index <= len(rack["chains"]), RANGE_TEXT)
        chain = set_of_live.new_chain(rack.world, rack)
        rack["chains"].insert(len(rack["chains"]) if index == -1 else index, chain)
        rack.tell("chains")
        return chain

    @staticmethod
    def get_drum_pads(rack):
        return rack["drum_pads"] if has_pads(rack) else []

    @staticmethod
    def get_visible_drum_pads(rack):
        row = rack["view"]["drum_pads_scroll_position"] * 4
        return rack["drum_pads"][row:row + 16] if has_pads(rack) else []

    @staticmethod
    def get_has_drum_pads(rack):
        return has_pads(rack)

    @staticmethod
    def get_macros_mapped(rack):
        return tuple([False] * MOST_MACROS)

    @staticmethod
    def do_copy_pad(rack, source_index, destination_index):
        refuse_unless(has_pads(rack), "Only top-level Drum Racks have pads")
        refuse_unless(0 <= source_index < PADS and 0 <= destination_index < PADS, RANGE_TEXT)
        for chain in on_pad(rack, destination_index):
            remove(rack, chain)
        for chain in on_pad(rack, source_index):
            made = copy_chain(chain, rack)
            made["in_note"] = destination_index
            rack["chains"].append(made)
        rack.tell("chains")

    @staticmethod
    def do_add_macro(rack):
        refuse_unless(rack["visible_macro_count"] < MOST_MACROS, "All macros are visible")
        show_macros(rack, min(MOST_MACROS, rack["visible_macro_count"] + (2 if rack["visible_macro_count"] > 1 else 1)))

    @staticmethod
    def do_remove_macro(rack):
        refuse_unless(rack["visible_macro_count"] > 1, "One macro stays")
        show_macros(rack, max(1, rack["visible_macro_count"] - 2))

    @staticmethod
    def do_randomize_macros(rack):
        """Not at random: a test has to know what comes of it."""
        for at, macro in enumerate(macros(rack)):
            macro["value"] = float((at * 37 + 11) % 128)
            macro.tell("value")

    # --- variations ---

    @staticmethod
    def get_variation_count(rack):
        return len(rack["variations"])

    @staticmethod
    def set_selected_variation_index(rack, value):
        refuse_unless(-1 <= value < len(rack["variations"]), RANGE_TEXT)
        rack["selected_variation_index"] = value

    @staticmethod
    def do_store_variation(rack):
        rack["variations"] = rack["variations"] + [tuple(macro["value"] for macro in macros(rack))]
        rack["selected_variation_index"] = len(rack["variations"]) - 1
        rack.tell("variation_count")

    @staticmethod
    def do_recall_selected_variation(rack):
        refuse_unless(rack["selected_variation_index"] >= 0, "No variation is selected")
        recall(rack, rack["variations"][rack["selected_variation_index"]])

    @staticmethod
    def do_recall_last_used_variation(rack):
        refuse_unless(rack["last_variation"] is not None, "No variation was used")
        recall(rack, rack["last_variation"])

    @staticmethod
    def do_delete_selected_variation(rack):
        at = rack["selected_variation_index"]
        refuse_unless(at >= 0, "No variation is selected")
        rack["variations"] = rack["variations"][:at] + rack["variations"][at + 1:]
        rack["selected_variation_index"] = min(at, len(rack["variations"]) - 1)
        rack.tell("variation_count")


class RackViewBehaviour:
    @staticmethod
    def set_drum_pads_scroll_position(view, value):
        refuse_unless(0 <= value <= (PADS - 16) // 4, RANGE_TEXT)
        view["drum_pads_scroll_position"] = value
        view.tell("drum_pads_scroll_position")


class DrumPadBehaviour:
    @staticmethod
    def get_chains(pad):
        return on_pad(pad.parent, pad["note"])

    @staticmethod
    def get_name(pad):
        chains = on_pad(pad.parent, pad["note"])
        if not chains:
            return "%s%d" % (LETTERS[pad["note"] % 12], pad["note"] // 12 - 2)
        return chains[0]["name"] if len(chains) == 1 else "Multi"

    @staticmethod
    def get_mute(pad):
        chains = on_pad(pad.parent, pad["note"])
        return bool(chains) and all(chain["mute"] for chain in chains)

    @staticmethod
    def set_mute(pad, value):
        """An empty pad ignores it."""
        for chain in on_pad(pad.parent, pad["note"]):
            set_chain_mute(chain, value)

    @staticmethod
    def get_solo(pad):
        chains = on_pad(pad.parent, pad["note"])
        return bool(chains) and all(chain["solo"] for chain in chains)

    @staticmethod
    def set_solo(pad, value):
        for chain in on_pad(pad.parent, pad["note"]):
            chain["solo"] = value
            chain.tell("solo")

    @staticmethod
    def do_delete_all_chains(pad):
        rack = pad.parent
        for chain in on_pad(rack, pad["note"]):
            remove(rack, chain)
        rack.tell("chains")


class DrumChainBehaviour:
    @staticmethod
    def set_in_note(chain, value):
        put(chain, "in_note", value, -1 <= value < PADS)

    @staticmethod
    def set_out_note(chain, value):
        put(chain, "out_note", value, 0 <= value < PADS)

    @staticmethod
    def set_choke_group(chain, value):
        put(chain, "choke_group", value, 0 <= value <= 16)


def put(chain, member, value, fits):
    refuse_unless(fits, RANGE_TEXT)
    chain[member] = value
    chain.tell(member)


def set_chain_mute(chain, value):
    chain["mute"] = value
    chain["mixer_device"]["chain_activator"]["value"] = 0.0 if value else 1.0
    chain.tell("mute")


def has_pads(rack):
    """A Drum Rack inside another rack has none."""
    at = rack.parent
    while at is not None and at.cls != "Track.Track":
        if at.cls == "RackDevice.RackDevice":
            return False
        at = at.parent
    return rack["class_name"] == "DrumGroupDevice"


def on_pad(rack, note):
    return [chain for chain in rack["chains"] if chain["in_note"] == note]


def remove(rack, chain):
    rack["chains"].remove(chain)
    chain.kill()


def macros(rack):
    return [one for one in rack["parameters"] if one["original_name"].startswith("Macro ")]


def show_macros(rack, count):
    rack["visible_macro_count"] = count
    rack.tell("visible_macro_count")


def recall(rack, values):
    rack["last_variation"] = values
    for macro, value in zip(macros(rack), values):
        macro["value"] = value
        macro.tell("value")


def copy_chain(source, rack):
    made = set_of_live.new_chain(rack.world, rack)
    for name in ("name", "mute", "solo", "color", "color_index", "is_auto_colored", "in_note", "out_note",
                 "choke_group"):
        if source.get(name) is not None:
            made[name] = source[name]
    for name in ("volume", "panning", "chain_activator"):
        made["mixer_device"][name]["value"] = source["mixer_device"][name]["value"]
    made["devices"] = [copy_device(device, made) for device in source["devices"]]
    return made


def copy_device(source, owner):
    """The device with all that it holds."""
    kind = next(kind for kind, told in set_of_live.DEVICES.items() if told[0] == source["class_name"])
    made = set_of_live.new_device(owner.world, owner, kind)
    own = ("view", "parameters", "chains", "return_chains", "drum_pads", "sample")
    made.values.update({name: value for name, value in source.values.items() if name not in own})
    for parameter, copied in zip(source["parameters"], made["parameters"]):
        copied["value"] = parameter["value"]
    for chain in source.get("chains") or ():
        made["chains"].append(copy_chain(chain, made))
    if source.get("sample") is not None:
        from .simpler import new_sample
        made["sample"] = new_sample(made, source["sample"]["file_path"])
        made["sample"].values.update(source["sample"].values)
    return made


def refuse_unless(right, text):
    if not right:
        raise RuntimeError(text)
