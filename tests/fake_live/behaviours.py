"""Which class behaves how. A class that is not here keeps values and does nothing."""

from .application import ApplicationBehaviour, ApplicationViewBehaviour
from .arrangement import TakeLaneBehaviour
from .browser import BrowserBehaviour
from .clip import ClipBehaviour, SlotBehaviour
from .envelopes import EnvelopeBehaviour
from .racks import DrumChainBehaviour, DrumPadBehaviour, RackBehaviour, RackViewBehaviour
from .simpler import SampleBehaviour, SimplerBehaviour
from .song import CuePointBehaviour, SceneBehaviour, SongBehaviour, SongViewBehaviour
from .special_devices import BEHAVIOURS as SPECIAL
from .track import ChainBehaviour, DeviceBehaviour, MixerBehaviour, ParameterBehaviour, TrackBehaviour

BEHAVIOURS = {
    "Application.Application": ApplicationBehaviour,
    "Application.Application.View": ApplicationViewBehaviour,
    "Browser.Browser": BrowserBehaviour,
    "Chain.Chain": ChainBehaviour,
    "Clip.Clip": ClipBehaviour,
    "ClipSlot.ClipSlot": SlotBehaviour,
    "Device.Device": DeviceBehaviour,
    "DeviceParameter.DeviceParameter": ParameterBehaviour,
    "DrumChain.DrumChain": DrumChainBehaviour,
    "DrumPad.DrumPad": DrumPadBehaviour,
    "Envelope.Envelope": EnvelopeBehaviour,
    "MixerDevice.MixerDevice": MixerBehaviour,
    "RackDevice.RackDevice": RackBehaviour,
    "RackDevice.RackDevice.View": RackViewBehaviour,
    "Sample.Sample": SampleBehaviour,
    "Scene.Scene": SceneBehaviour,
    "SimplerDevice.SimplerDevice": SimplerBehaviour,
    "Song.CuePoint": CuePointBehaviour,
    "Song.Song": SongBehaviour,
    "Song.Song.View": SongViewBehaviour,
    "TakeLane.TakeLane": TakeLaneBehaviour,
    "Track.Track": TrackBehaviour,
}
BEHAVIOURS.update(SPECIAL)

# Objects of these classes are made; the others are there as classes and have no instance.
MADE = sorted(list(BEHAVIOURS) + [
    "ChainMixerDevice.ChainMixerDevice", "Clip.Clip.View", "Device.Device.View",
    "Eq8Device.Eq8Device.View", "GroovePool.GroovePool",
    "MaxDevice.MaxDevice", "PluginDevice.PluginDevice", "SimplerDevice.SimplerDevice.View", "Track.Track.View",
    "TuningSystem.TuningSystem",
])
