//! Audio effects with members of their own, on track 2.

use super::special_devices::DEVICE;
use super::{Call, Group, Object};
use crate::support::Api;
use serde_json::json;

const COMPRESSOR: &str = "
type i 2
available_input_routing_channels d ?
available_input_routing_types d ?
input_routing_channel d ?
input_routing_type d ? {\"identifier\":2} ?       # reads as the whole entry
";

const EQ_EIGHT: &str = "
type i 2
edit_mode b 0 1
global_mode i 0 2
oversample b 0 1
";

const EQ_EIGHT_VIEW: &str = "
is_collapsed b 0 1
selected_band i 0 7
";

const HYBRID: &str = "
type i 2
ir_attack_time n 0 3
ir_category_index i 0 12 9              # past the end it lands on the last
ir_category_list T ?
ir_decay_time n 0.02 20
ir_file_index i 0 1 0                   # there are no files here
ir_file_list T [\"<empty>\"]
ir_size_factor n 0.2 5
ir_time_shaping_on b 0 1
";

const LOOPER: &str = "
type i 2
loop_length n 0
overdub_after_record b 0 1
record_length_index i 0 6
record_length_list T ?
tempo n 0
";

const ROAR: &str = "
type i 2
routing_mode_index i 0 6
routing_mode_list T [\"Single\",\"Serial\",\"Parallel\",\"Multi\\u0020Band\",\"Mid\\u0020Side\",\"Feedback\",\"Delay\"]
env_listen b 0 1
";

const SHIFTER: &str = "
type i 2
pitch_bend_range i 0 24
pitch_mode_index i 0 1
pitch_mode_list - 1
";

const SPECTRAL: &str = "
type i 2
frequency_dial_mode i 0 1
midi_gate i 0 1
mod_mode i 0 3
mono_poly i 0 1
pitch_mode i 0 1
pitch_bend_range i 0 24
polyphony i 0 3
frequency_dial_mode_list - 1
midi_gate_list - 1
mod_mode_list - 1
mono_poly_list - 1
pitch_mode_list - 1
";

/// It has nothing to compare.
const SPECTRUM: &str = "
type i 2
can_compare_ab b 0
is_using_compare_preset_b - 1
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set tracks 2 devices 0", class: "CompressorDevice", own: COMPRESSOR, rest: DEVICE },
    Object { path: "live_set tracks 2 devices 1", class: "Eq8Device", own: EQ_EIGHT, rest: DEVICE },
    Object { path: "live_set tracks 2 devices 1 view", class: "Eq8Device.View", own: EQ_EIGHT_VIEW, rest: "" },
    Object { path: "live_set tracks 2 devices 2", class: "HybridReverbDevice", own: HYBRID, rest: DEVICE },
    Object { path: "live_set tracks 2 devices 3", class: "LooperDevice", own: LOOPER, rest: DEVICE },
    Object { path: "live_set tracks 2 devices 4", class: "RoarDevice", own: ROAR, rest: DEVICE },
    Object { path: "live_set tracks 2 devices 5", class: "ShifterDevice", own: SHIFTER, rest: DEVICE },
    Object { path: "live_set tracks 2 devices 6", class: "SpectralResonatorDevice", own: SPECTRAL, rest: DEVICE },
    Object { path: "live_set tracks 2 devices 7", class: "Device", own: SPECTRUM, rest: DEVICE },
];

const fn looper(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set tracks 2 devices 3", class: "LooperDevice", function, good, gives, bad }
}

const CALLS: &[Call] = &[
    looper("clear", "[]", "none", &["[1]"]),
    looper("stop", "[]", "none", &["[1]"]),
    // The rest needs a buffer, which needs an engine.
    looper("double_speed", "[]", "refused", &["[1]"]),
    looper("half_speed", "[]", "refused", &["[1]"]),
    looper("double_length", "[]", "refused", &["[1]"]),
    looper("half_length", "[]", "refused", &["[1]"]),
    looper("record", "[]", "refused", &["[1]"]),
    looper("overdub", "[]", "refused", &["[1]"]),
    looper("play", "[]", "refused", &["[1]"]),
    looper("undo", "[]", "refused", &["[1]"]),
    looper("export_to_clip_slot", "[\"id 5\"]", "refused", &["[]"]),
    Call {
        path: "live_set tracks 2 devices 7",
        class: "Device",
        function: "save_preset_to_compare_ab_slot",
        good: "[]",
        gives: "refused",
        bad: &[],
    },
    Call {
        path: "live_set tracks 2",
        class: "Track",
        // Python's alone.
        function: "duplicate_device",
        good: "[0]",
        gives: "refused",
        bad: &[],
    },
];

pub fn setup(api: &Api) {
    let effects =
        ["Compressor", "EQ Eight", "Hybrid Reverb", "Looper", "Roar", "Shifter", "Spectral Resonator", "Spectrum"];
    let operations: Vec<_> =
        effects.iter().map(|d| json!({"type": "call", "method": "insert_device", "args": [d]})).collect();
    let made = api.raw("live_set tracks 2", json!(operations));
    assert!(made.iter().all(|m| m.is_array()), "{made:?}");
}

pub const GROUP: Group = Group { setup, objects: OBJECTS, calls: CALLS };
