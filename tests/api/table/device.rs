//! Devices and parameters.

use super::{Call, Group, Object};

const DEVICE: &str = "
can_have_chains b 0
can_have_drum_pads b 0
class_display_name t \"Reverb\"
class_name t \"Reverb\"
is_active b 1
name t \"Reverb\" \"Room\"
type i 2
latency_in_samples i 0
latency_in_ms n 0
can_compare_ab b 1
is_using_compare_preset_b b 0 1
";

const DEVICE_VIEW: &str = "
is_collapsed b 0 1
";

const CONTINUOUS: &str = "
automation_state i 0
default_value n ?
is_enabled b 1
is_quantized b 0
max n ?
min n ?
name t ?
original_name t ?
state i 0
value n ? 0.5
display_value n ?
value_items - 1
short_value_items - 1
";

const SWITCH: &str = "
automation_state i 0
default_value - 1
is_enabled b 1
is_quantized b 1
max n 1
min n 0
name t ?
original_name t ?
state i 0
value n 1 0
display_value n ?
value_items T ?
short_value_items - 1
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set return_tracks 0 devices 0", class: "Device", own: DEVICE, rest: "" },
    Object { path: "live_set return_tracks 0 devices 0 view", class: "Device.View", own: DEVICE_VIEW, rest: "" },
    Object { path: "live_set tracks 0 mixer_device volume", class: "DeviceParameter", own: CONTINUOUS, rest: "" },
    Object { path: "live_set tracks 0 mixer_device panning", class: "DeviceParameter", own: CONTINUOUS, rest: "" },
    Object {
        path: "live_set tracks 0 mixer_device left_split_stereo",
        class: "DeviceParameter",
        own: CONTINUOUS,
        rest: "",
    },
    Object {
        path: "live_set tracks 0 mixer_device right_split_stereo",
        class: "DeviceParameter",
        own: CONTINUOUS,
        rest: "",
    },
    Object { path: "live_set tracks 0 mixer_device sends 1", class: "DeviceParameter", own: CONTINUOUS, rest: "" },
    Object { path: "live_set tracks 0 mixer_device track_activator", class: "DeviceParameter", own: SWITCH, rest: "" },
    Object {
        path: "live_set return_tracks 1 mixer_device sends 0",
        class: "DeviceParameter",
        own: CONTINUOUS,
        rest: "",
    },
    Object {
        path: "live_set master_track mixer_device crossfader",
        class: "DeviceParameter",
        own: CONTINUOUS,
        rest: "",
    },
    Object {
        path: "live_set master_track mixer_device cue_volume",
        class: "DeviceParameter",
        own: CONTINUOUS,
        rest: "",
    },
    Object { path: "live_set return_tracks 0 devices 0 parameters 0", class: "DeviceParameter", own: SWITCH, rest: "" },
];

const fn song(function: &'static str) -> Call {
    Call {
        path: "live_set",
        class: "Song",
        function,
        good: "[\"<live_set return_tracks 0 devices 0>\", \"<live_set tracks 2>\", 5]",
        gives: "i",
        bad: &[
            "[]",
            "[\"<live_set return_tracks 0 devices 0>\", \"<live_set tracks 2>\"]",
            "[\"<live_set tracks 2>\", \"<live_set return_tracks 0 devices 0>\", 0]",
            "[\"<live_set return_tracks 0 devices 0>\", \"<live_set scenes 0>\", 0]",
            "[\"<live_set return_tracks 0 devices 0>\", \"<live_set tracks 2>\", \"x\"]",
        ],
    }
}

const CALLS: &[Call] = &[song("find_device_position"), song("move_device")];

pub const GROUP: Group = Group { setup: |_| (), objects: OBJECTS, calls: CALLS };
