//! Racks, their views, chains and the mixers of chains: one rack of each kind but the Drum Rack.

use super::{Call, Group, Object};
use crate::support::Api;
use serde_json::json;

/// What every device has, of a device that compares nothing.
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
";

const INSTRUMENT_RACK: &str = "
can_have_chains b 1
class_name t \"InstrumentGroupDevice\"
class_display_name t \"Instrument\\u0020Rack\"
type i 1
can_show_chains b 1
has_drum_pads b 0
has_macro_mappings b 0
is_showing_chains b 0 1
variation_count i 2
selected_variation_index i 1 0
visible_macro_count i 8
macros_mapped - 1
return_chains I []
drum_pads - 1
visible_drum_pads - 1
";

const MIDI_RACK: &str = "
can_have_chains b 1
class_name t \"MidiEffectGroupDevice\"
class_display_name t \"MIDI\\u0020Effect\\u0020Rack\"
type i 4
can_show_chains b 0
has_drum_pads b 0
has_macro_mappings b 0
is_showing_chains b 0 1 0           # it holds no instrument
variation_count i 0
selected_variation_index i -1 -1
visible_macro_count i 8
drum_pads - 1
";

const AUDIO_RACK: &str = "
can_have_chains b 1
class_name t \"AudioEffectGroupDevice\"
class_display_name t \"Audio\\u0020Effect\\u0020Rack\"
type i 2
can_show_chains b 0
has_drum_pads b 0
is_showing_chains b 0 1 0           # it holds no instrument
variation_count i 0
selected_variation_index i -1 3 -1  # there is no variation
visible_macro_count i 8
";

const RACK_VIEW: &str = "
is_collapsed b 0 1
is_showing_chain_devices b 0 1
drum_pads_scroll_position - 1
selected_drum_pad - 1
";

const CHAIN: &str = "
color i ? 15029152
color_index i ? 12
is_auto_colored b 1 0
has_audio_input b 0
has_audio_output b 1
has_midi_input b 1
has_midi_output b 0
mute b 0 1
muted_via_solo b 0
name t \"Chain\" \"Pads\"
solo b 0 1
in_note - 1
out_note - 1
choke_group - 1
";

/// Nothing but MIDI effects: notes in, notes out.
const MIDI_CHAIN: &str = "
has_audio_output b 0
has_midi_output b 1
";

const AUDIO_CHAIN: &str = "
has_audio_input b 1
has_audio_output b 1
has_midi_input b 0
has_midi_output b 0
";

const MACRO: &str = "
automation_state i 0
default_value n 0
is_enabled b 1
is_quantized b 0
max n 127
min n 0
name t \"Macro\\u00203\"
original_name t \"Macro\\u00203\"
state i 0
value n 0 64.5
display_value n 0 64.5
value_items - 1
short_value_items - 1
";

const FADER: &str = "
automation_state i 0
default_value n 0.85
is_enabled b 1
is_quantized b 0
max n 1
min n 0
name t \"Chain\\u0020Volume\"
original_name t \"Chain\\u0020Volume\"
state i 0
value n 0.85 0.4
display_value n 0 -18
value_items - 1
short_value_items - 1
";

const PAN: &str = "
min n -1
max n 1
name t \"Chain\\u0020Panning\"
value n 0 -0.5
display_value n 0 -25
is_quantized b 0
";

const ACTIVATOR: &str = "
min n 0
max n 1
name t \"Chain\\u0020Activator\"
value n 1 0
display_value n 1 0
is_quantized b 1
default_value - 1
value_items T [\"Off\",\"On\"]
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set tracks 0 devices 0", class: "RackDevice", own: INSTRUMENT_RACK, rest: DEVICE },
    Object { path: "live_set tracks 0 devices 0 view", class: "RackDevice.View", own: RACK_VIEW, rest: "" },
    Object { path: "live_set tracks 1 devices 0", class: "RackDevice", own: MIDI_RACK, rest: DEVICE },
    Object { path: "live_set tracks 2 devices 0", class: "RackDevice", own: AUDIO_RACK, rest: DEVICE },
    Object { path: "live_set tracks 0 devices 0 chains 0", class: "Chain", own: CHAIN, rest: "" },
    Object { path: "live_set tracks 0 devices 0 chains 1", class: "Chain", own: MIDI_CHAIN, rest: CHAIN },
    Object { path: "live_set tracks 1 devices 0 chains 0", class: "Chain", own: MIDI_CHAIN, rest: CHAIN },
    Object { path: "live_set tracks 2 devices 0 chains 0", class: "Chain", own: AUDIO_CHAIN, rest: CHAIN },
    Object { path: "live_set tracks 0 devices 0 parameters 3", class: "DeviceParameter", own: MACRO, rest: "" },
    Object {
        path: "live_set tracks 0 devices 0 chains 0 mixer_device volume",
        class: "DeviceParameter",
        own: FADER,
        rest: "",
    },
    Object {
        path: "live_set tracks 2 devices 0 chains 0 mixer_device panning",
        class: "DeviceParameter",
        own: PAN,
        rest: "",
    },
    Object {
        path: "live_set tracks 1 devices 0 chains 0 mixer_device chain_activator",
        class: "DeviceParameter",
        own: ACTIVATOR,
        rest: "",
    },
    Object {
        path: "live_set tracks 1 devices 0 chains 0 mixer_device",
        class: "ChainMixerDevice",
        own: "
volume - 1
panning - 1
sends I []
",
        rest: "",
    },
];

const fn rack(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set tracks 0 devices 0", class: "RackDevice", function, good, gives, bad }
}

const fn chain(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set tracks 0 devices 0 chains 0", class: "Chain", function, good, gives, bad }
}

const CALLS: &[Call] = &[
    rack("insert_chain", "[]", "id", &["[-1]", "[3]", "[\"end\"]", "[0.5]", "[0, 0]"]),
    rack("insert_chain", "[0]", "id", &[]),
    rack("copy_pad", "", "refused", &["[36, 37]", "[]"]),
    rack("add_macro", "[]", "none", &["[2]"]),
    rack("remove_macro", "[]", "none", &["[2]"]),
    rack("randomize_macros", "[]", "none", &["[1]"]),
    rack("store_variation", "[]", "none", &["[\"A\"]"]),
    rack("recall_selected_variation", "[]", "none", &["[0]"]),
    rack("recall_last_used_variation", "[]", "none", &["[0]"]),
    rack("delete_selected_variation", "[]", "none", &["[0]"]),
    rack("store_chosen_bank", "[0, 1]", "none", &["[0]", "[-1, 0]", "[\"a\", 0]"]),
    // Racks compare nothing.
    rack("save_preset_to_compare_ab_slot", "[]", "refused", &[]),
    chain(
        "insert_device",
        "[\"Reverb\"]",
        "id",
        &[
            "[]",
            "[\"Nonsense\"]",
            "[\"Drift\"]",
            "[\"Reverb\", 0]",
            "[\"Reverb\", 9]",
            "[\"Chord\", 1]",
            "[\"Chord\", -1]",
            "[7]",
        ],
    ),
    chain("insert_device", "[\"Chord\", 0]", "id", &[]),
    chain("delete_device", "[0]", "none", &["[1]", "[-1]", "[]", "[\"Operator\"]"]),
    // Python's alone.
    chain("duplicate_device", "[0]", "refused", &[]),
    Call {
        path: "live_set tracks 1 devices 0 chains 0",
        class: "Chain",
        function: "insert_device",
        good: "[\"Arpeggiator\"]",
        gives: "id",
        bad: &["[\"Reverb\"]", "[\"Operator\"]", "[\"Arpeggiator\", 0]"],
    },
    Call {
        path: "live_set tracks 2 devices 0 chains 0",
        class: "Chain",
        function: "insert_device",
        good: "[\"Audio Effect Rack\"]",
        gives: "id",
        bad: &["[\"Chord\"]", "[\"Operator\"]", "[\"Instrument Rack\"]", "[\"Reverb\", 0]"],
    },
    Call {
        path: "live_set tracks 0 devices 0 parameters 3",
        class: "DeviceParameter",
        function: "str_for_value",
        good: "[64]",
        gives: "t",
        bad: &["[]", "[\"loud\"]"],
    },
    Call {
        path: "live_set tracks 0 devices 0 parameters 3",
        class: "DeviceParameter",
        function: "__str__",
        good: "[]",
        gives: "t",
        bad: &["[1]"],
    },
    Call {
        path: "live_set tracks 0 devices 0 parameters 3",
        class: "DeviceParameter",
        function: "re_enable_automation",
        good: "[]",
        gives: "none",
        bad: &["[1]"],
    },
    // Touches are Python's alone.
    Call {
        path: "live_set tracks 0 devices 0 parameters 3",
        class: "DeviceParameter",
        function: "begin_gesture",
        good: "[]",
        gives: "refused",
        bad: &[],
    },
    Call {
        path: "live_set tracks 0 devices 0 parameters 3",
        class: "DeviceParameter",
        function: "end_gesture",
        good: "[]",
        gives: "refused",
        bad: &[],
    },
];

pub fn setup(api: &Api) {
    let call = |path: &str, method: &str, args| {
        let got = api.call(path, method, args);
        assert!(got.is_array(), "{path} {method}: {got}");
    };
    for (track, rack) in [(0, "Instrument Rack"), (1, "MIDI Effect Rack"), (2, "Audio Effect Rack")] {
        call(&format!("live_set tracks {track}"), "insert_device", json!([rack]));
        call(&format!("live_set tracks {track} devices 0"), "insert_chain", json!([]));
    }
    let rack = "live_set tracks 0 devices 0";
    call(rack, "insert_chain", json!([]));
    call(&format!("{rack} chains 0"), "insert_device", json!(["Operator"]));
    call(rack, "store_variation", json!([]));
    call(rack, "store_variation", json!([]));
}

pub const GROUP: Group = Group { setup, objects: OBJECTS, calls: CALLS };
