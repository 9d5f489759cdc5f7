"""The browser: folders that are built when they are first opened, and loading onto the selected track."""

from . import native_devices, set_of_live
from .native import Node

# Ticks that a plug-in needs to be there, and then to show its parameters.
LATE_TICKS = 3
# A folder's items: a name, what it loads (None of a folder), and what is in it.
PRESETS = {
    "Operator": ("Warm Pad.adv", "Bell.adv"), "Reverb": ("Hall.adv",), "Delay": ("Hall.adv",),
}


def native(kind):
    """Live's own devices of a kind, with their presets."""
    return tuple((name, name, tuple((preset, name, ()) for preset in PRESETS.get(name, ())))
                 for name, told in native_devices.devices().items() if told[1] == kind)


TREE = {
    "instruments": native(1), "audio_effects": native(2), "midi_effects": native(4),
    "max_for_live": (("Max Audio Effect", None, (("Shaper.amxd", "Shaper", ()),)),),
    "plugins": (("VST3", None, (("Maker", None, (("Massive Synth", "Massive Synth", ()), ("Raum", "Raum", ()))),)),
                ("Audio Units", None, (("Raum", "Raum", ()),))),
    "user_library": (("Presets", None, (("My Bass.adg", "Operator", ()),)),),
    "packs": (), "samples": (), "clips": (), "current_project": (),
    "sounds": (), "drums": (),
}
# Listing them ended Live.
DEADLY = ("sounds", "drums")


class BrowserItem:
    """No object of the model: a folder or something that can be loaded."""

    _own = ("name", "uri", "source", "is_device", "is_folder", "is_loadable", "is_selected")

    def __init__(self, world, path, loads, below):
        object.__setattr__(self, "_told", (world, path, loads, below))

    def __getattr__(self, name):
        world, path, loads, below = self._told
        if name == "children" or name == "iter_children":
            world.clock.spend(world.browser_us / 1e6)
            if path[0] in DEADLY:
                world.police.record("ends Live", "children of %s" % "/".join(path))
            world.opened.append("/".join(path))
            return world.boost.vector_of("BrowserItemVector")(
                [BrowserItem(world, path + (inner[0],), inner[1], inner[2]) for inner in below])
        made = {"name": path[-1], "uri": "query:%s" % ":".join(path), "source": "Core Library",
                "is_device": bool(loads) and not path[-1].endswith((".adv", ".adg")), "is_folder": loads is None,
                "is_loadable": loads is not None, "is_selected": False}
        if name not in made:
            raise AttributeError("'BrowserItem' object has no attribute '%s'" % name)
        return made[name]

    def __setattr__(self, name, value):
        raise AttributeError("can't set attribute")

    def loads(self):
        return self._told[2], self._told[1][-1]


class BrowserBehaviour:
    @staticmethod
    def do_load_item(browser, item):
        """Onto the selected track: in place of its instrument, or on a track of its own where it does not fit."""
        from .track import ORDER, nearest_position

        name, shown = item.loads()
        if name is None:
            raise RuntimeError("The item cannot be loaded")
        world, song = browser.world, browser.world.song
        track = song["view"]["selected_track"]
        kind = set_of_live.DEVICES[name][1]
        if kind != 2 and track["kind"] != "midi":
            from .song import insert_track
            track = insert_track(song, "midi", -1)

        def land():
            if not track.alive:
                return
            for old in [old for old in track["devices"] if kind == 1 and old["type"] == 1]:
                track["devices"].remove(old)
                old.kill()
            device = set_of_live.new_device(world, track, name)
            if shown.endswith((".adv", ".adg")):
                device["name"] = shown[:-4]
            assert kind in ORDER
            track["devices"].insert(nearest_position(kind, track["devices"], len(track["devices"])), device)
            track.tell("devices")
            configured = set_of_live.CONFIGURED.get(name, ())
            if configured:
                later(world, LATE_TICKS, lambda: configure(device, configured))
        if world.loads_nothing:
            return
        if name in set_of_live.CONFIGURED:
            later(world, LATE_TICKS, land)
        else:
            land()

    @staticmethod
    def do_stop_preview(browser):
        pass


def configure(device, parameters):
    for told in parameters:
        device["parameters"].append(set_of_live.new_parameter(device.world, device, told[0], told[1:4], told[4]))
    device.tell("parameters")


def later(world, ticks, do):
    world.late(do if ticks <= 1 else lambda: world.next_tick(lambda: later(world, ticks - 1, do)))


def new_browser(world, app):
    items = {name: BrowserItem(world, (name,), None, below) for name, below in TREE.items()}
    return Node(world, "Browser.Browser", app, hotswap_target=None, user_folders=[], colors=[], legacy_libraries=[],
                **items)
