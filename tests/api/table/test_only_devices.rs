//! Classes that no object of this host has: Max devices with their inputs and outputs, and plug-ins. They are looked at
//! in a document that only this test makes.

use super::{Call, Group, Object, change_document};
use crate::support::Api;
use serde_json::json;

const DEVICE: &str = "
can_have_chains b 0
can_have_drum_pads b 0
class_display_name t ?
class_name t ?
is_active b 1
name t ? \"Room\"
type i ?
latency_in_samples i 0
latency_in_ms n 0
can_compare_ab b 0
is_using_compare_preset_b - 1
parameters I []
";

const MAX: &str = "
class_name t \"MxDeviceAudioEffect\"
class_display_name t \"Max\\u0020Audio\\u0020Effect\"
type i 2
";

const PLUGIN: &str = "
class_name t \"PluginDevice\"
type i 1
presets T [\"Init\",\"Bright\"]
selected_preset_index i 0 1
is_editor_open - 1
";

const PLUGIN_ENDS: &str = "
selected_preset_index i 0 2 0
";

const IO: &str = "
available_routing_channels d ?
available_routing_types d ?
default_external_routing_channel_is_none b 0 1
routing_channel d ?
routing_type d ? {\"identifier\":2} ?           # reads as the whole entry
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set tracks 2 devices 0", class: "MaxDevice", own: MAX, rest: DEVICE },
    Object { path: "live_set tracks 0 devices 0", class: "PluginDevice", own: PLUGIN, rest: DEVICE },
    Object { path: "live_set tracks 0 devices 0", class: "PluginDevice", own: PLUGIN_ENDS, rest: "" },
    Object { path: "live_set tracks 2 devices 0 audio_inputs 0", class: "DeviceIO", own: IO, rest: "" },
    Object { path: "live_set tracks 2 devices 0 audio_outputs 1", class: "DeviceIO", own: IO, rest: "" },
];

const fn max(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set tracks 2 devices 0", class: "MaxDevice", function, good, gives, bad }
}

const CALLS: &[Call] = &[
    max("get_bank_count", "[]", "i", &["[1]"]),
    max("get_bank_name", "[0]", "t", &["[]", "[1]", "[-1]"]),
    max("get_bank_parameters", "[0]", "I", &["[]", "[1]", "[-2]"]),
    max("get_bank_parameters", "[-1]", "I", &[]),
    // Python's alone.
    max("get_value_item_icons", "[1]", "refused", &[]),
    Call {
        path: "live_set tracks 0 devices 0",
        class: "PluginDevice",
        function: "get_parameter_names",
        // Python's alone.
        good: "[]",
        gives: "refused",
        bad: &[],
    },
];

pub fn setup(api: &Api) {
    change_document(api, |set, serial| {
        set["tracks"][2]["devices"] = json!([{
            "serial": serial(), "class_name": "MxDeviceAudioEffect", "values": [],
            "stored": {
                "audio_inputs": 1, "audio_outputs": 2, "midi_inputs": 1, "midi_outputs": 1,
                "banks": [{"name": "Main", "parameters": [0, 1, -1]}],
            },
        }]);
        set["tracks"][0]["devices"] = json!([{
            "serial": serial(), "class_name": "PluginDevice", "name": "Synth", "values": [],
            "stored": {"type": 1, "presets": ["Init", "Bright"], "parameter_names": ["Cutoff"]},
        }]);
    });
}

pub const GROUP: Group = Group { setup, objects: OBJECTS, calls: CALLS };
