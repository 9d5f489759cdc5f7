//! Instruments and MIDI effects with members of their own, on tracks 0, 1, 4 and 5.

use super::{Call, Group, Object};
use crate::support::Api;
use serde_json::json;

/// What every device has.
pub const DEVICE: &str = "
can_have_chains b 0
can_have_drum_pads b 0
class_display_name t ?
class_name t ?
is_active b 1
name t ? \"Room\"
type i ?
latency_in_samples i 0
latency_in_ms n 0
can_compare_ab b 1
is_using_compare_preset_b b 0 1
";

const MELD: &str = "
type i 1
selected_engine i 0 1
unison_voices i 0 2
mono_poly i 0 1
poly_voices i 1 6
";

/// As measured; wider ranges were stated for them.
const MELD_ENDS: &str = "
unison_voices i 0 3 0
poly_voices i 1 0 1
mono_poly i 0 2 0
";

const DRIFT: &str = "
type i 1
pitch_bend_range i 0 12
voice_mode_index i 0 3
voice_count_index i 0 4
voice_count_list T [\"4\",\"8\",\"16\",\"24\",\"32\"]
voice_mode_list T [\"Poly\",\"Mono\",\"Stereo\",\"Unison\"]
mod_matrix_filter_source_1_index i 0 7
mod_matrix_filter_source_2_index i 0 7
mod_matrix_lfo_source_index i 0 1
mod_matrix_pitch_source_1_index i 0 2
mod_matrix_pitch_source_2_index i 0 3
mod_matrix_shape_source_index i 0 4
mod_matrix_source_1_index i 0 5
mod_matrix_source_2_index i 0 6
mod_matrix_source_3_index i 0 7
mod_matrix_target_1_index i 0 11
mod_matrix_target_2_index i 0 1
mod_matrix_target_3_index i 0 10
mod_matrix_filter_source_1_list T [\"Env\\u00201\",\"Env\\u00202\",\"LFO\",\"Key\",\"Vel\",\"Mod\",\"Press\",\"Slide\"]
mod_matrix_filter_source_2_list T ?
mod_matrix_lfo_source_list T ?
mod_matrix_pitch_source_1_list T ?
mod_matrix_pitch_source_2_list T ?
mod_matrix_shape_source_list T ?
mod_matrix_source_1_list T ?
mod_matrix_source_2_list T ?
mod_matrix_source_3_list T ?
mod_matrix_target_1_list T ?
mod_matrix_target_2_list T ?
mod_matrix_target_3_list T ?
";

/// Past the end of a list or a range: as it was.
const DRIFT_ENDS: &str = "
pitch_bend_range i 0 13 0
voice_count_index i 0 5 0
mod_matrix_source_1_index i 0 8 0
mod_matrix_target_1_index i 0 12 0
voice_mode_index i 0 -1 0
";

const WAVETABLE: &str = "
type i 1
filter_routing i 0 2
mono_poly i 0 1
oscillator_1_effect_mode i 0 3
oscillator_2_effect_mode i 0 1
oscillator_1_wavetable_category i 0 1 0     # the other categories are Live's own files
oscillator_2_wavetable_category i 0 -1 0
oscillator_1_wavetable_index i 0 1 0        # so are the other tables
oscillator_2_wavetable_index i 0 5 0
oscillator_1_wavetables T [\"Basic\\u0020Shapes\"]
oscillator_2_wavetables T [\"Basic\\u0020Shapes\"]
oscillator_wavetable_categories T [\"Basics\"]
poly_voices i 0 7
unison_mode i 0 6
unison_voice_count i 2 8
visible_modulation_target_names T [\"Osc\\u00201\\u0020Pos\"]
";

const DRUM_CELL: &str = "
type i 1
gain n 0 0.75
";

const CC_CONTROL: &str = "
type i 4
custom_bool_target - 1
custom_bool_target_list - 1
custom_float_target_0 - 1
custom_float_target_1 - 1
custom_float_target_2 - 1
custom_float_target_3 - 1
custom_float_target_4 - 1
custom_float_target_5 - 1
custom_float_target_6 - 1
custom_float_target_7 - 1
custom_float_target_8 - 1
custom_float_target_9 - 1
custom_float_target_10 - 1
custom_float_target_11 - 1
custom_float_target_0_list - 1
custom_float_target_1_list - 1
custom_float_target_2_list - 1
custom_float_target_3_list - 1
custom_float_target_4_list - 1
custom_float_target_5_list - 1
custom_float_target_6_list - 1
custom_float_target_7_list - 1
custom_float_target_8_list - 1
custom_float_target_9_list - 1
custom_float_target_10_list - 1
custom_float_target_11_list - 1
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set tracks 0 devices 0", class: "MeldDevice", own: MELD, rest: DEVICE },
    Object { path: "live_set tracks 0 devices 0", class: "MeldDevice", own: MELD_ENDS, rest: "" },
    Object { path: "live_set tracks 1 devices 0", class: "DriftDevice", own: DRIFT, rest: DEVICE },
    Object { path: "live_set tracks 1 devices 0", class: "DriftDevice", own: DRIFT_ENDS, rest: "" },
    Object { path: "live_set tracks 4 devices 0", class: "WavetableDevice", own: WAVETABLE, rest: DEVICE },
    // Both call themselves `Device`.
    Object { path: "live_set tracks 5 devices 0", class: "CcControlDevice", own: CC_CONTROL, rest: DEVICE },
    Object { path: "live_set tracks 5 devices 1", class: "DrumCellDevice", own: DRUM_CELL, rest: DEVICE },
];

const fn wavetable(
    function: &'static str,
    good: &'static str,
    gives: &'static str,
    bad: &'static [&'static str],
) -> Call {
    Call { path: "live_set tracks 4 devices 0", class: "WavetableDevice", function, good, gives, bad }
}

const CALLS: &[Call] = &[
    wavetable(
        "add_parameter_to_modulation_matrix",
        "[\"<live_set tracks 4 devices 0 parameters 5>\"]",
        "i",
        &["[]", "[\"id 0\"]", "[\"x\"]", "[5]", "[99999999]"],
    ),
    wavetable(
        "is_parameter_modulatable",
        "[\"<live_set tracks 4 devices 0 parameters 5>\"]",
        "b",
        &["[]", "[\"id 0\"]", "[5]"],
    ),
    wavetable("get_modulation_target_parameter_name", "[0]", "t", &["[]", "[1]", "[-1]"]),
    wavetable("get_modulation_value", "[0, 12]", "n", &["[0]", "[1, 0]", "[0, 13]", "[0, -1]"]),
    wavetable("set_modulation_value", "[0, 3, -0.5]", "none", &["[0, 3]", "[0, 3, 1.5]", "[0, 13, 0]", "[1, 0, 0]"]),
    Call {
        path: "live_set tracks 5 devices 0",
        class: "CcControlDevice",
        function: "resend",
        // Python's alone.
        good: "[]",
        gives: "refused",
        bad: &[],
    },
    Call {
        path: "live_set tracks 1 devices 0",
        class: "Device",
        function: "save_preset_to_compare_ab_slot",
        good: "[]",
        gives: "none",
        bad: &["[1]"],
    },
    Call {
        path: "live_set tracks 1 devices 0",
        class: "Device",
        function: "store_chosen_bank",
        good: "[0, 3]",
        gives: "none",
        bad: &["[]", "[0]", "[0, -1]"],
    },
    Call {
        path: "live_set tracks 5",
        class: "Track",
        function: "insert_device",
        good: "[\"Chord\", 1]",
        gives: "id",
        bad: &["[]", "[\"Nothing\"]", "[\"Drift\"]", "[\"Chord\", 2]", "[\"Reverb\", 0]", "[\"Chord\", \"x\"]"],
    },
    Call {
        path: "live_set tracks 5",
        class: "Track",
        function: "delete_device",
        good: "[1]",
        gives: "none",
        bad: &["[]", "[2]", "[-1]", "[\"x\"]"],
    },
];

pub fn setup(api: &Api) {
    for _ in 0..2 {
        assert!(api.call("live_set", "create_midi_track", json!([-1])).is_array());
    }
    for (track, device) in [(0, "Meld"), (1, "Drift"), (4, "Wavetable"), (5, "CC Control"), (5, "Drum Sampler")] {
        let got = api.call(&format!("live_set tracks {track}"), "insert_device", json!([device]));
        assert!(got.is_array(), "{device}: {got}");
    }
    let position = api.id("live_set tracks 4 devices 0 parameters 4");
    let row = api.call(
        "live_set tracks 4 devices 0",
        "add_parameter_to_modulation_matrix",
        json!([format!("id {position}")]),
    );
    assert_eq!(row, json!([0]));
}

pub const GROUP: Group = Group { setup, objects: OBJECTS, calls: CALLS };
