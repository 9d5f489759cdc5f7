//! Drum Racks: pads and drum chains, a nested rack that has none, and return chains, which only a document brings.

use super::{Call, Group, Object, change_document};
use crate::support::Api;
use serde_json::json;

const RACK: &str = "
can_have_chains b 1
can_have_drum_pads b 1
class_display_name t \"Drum\\u0020Rack\"
class_name t \"DrumGroupDevice\"
name t \"Drum\\u0020Rack\" \"Kit\"
type i 1
can_compare_ab b 0
is_using_compare_preset_b - 1
can_show_chains b 1
has_drum_pads b 1
is_showing_chains b 0 1
visible_macro_count i 8
chain_selector - 1
";

const NESTED: &str = "
has_drum_pads b 0
can_have_drum_pads b 1
drum_pads I []
visible_drum_pads I []
";

const VIEW: &str = "
is_collapsed b 0 1
is_showing_chain_devices b 0 1
drum_pads_scroll_position i 9 28
";

const DRUM_CHAIN: &str = "
color i ? 15029152
color_index i ? 12
is_auto_colored b 1 0
has_audio_input b 0
has_audio_output b ?
has_midi_input b 1
has_midi_output b ?
mute b 0 1
muted_via_solo b 0
name t ? \"Kick\"
solo b 0 1
in_note i 36 -1
out_note i 60 127
choke_group i 0 16
";

const PAD: &str = "
mute b 0 1
name t \"Multi\"
note i 36
solo b 0 1
";

const EMPTY_PAD: &str = "
mute b 0 1 0                 # it has no chain to mute
name t \"C♯1\"
note i 37
solo b 0 1 0                 # the same
chains I []
";

const LONE_PAD: &str = "
mute b 0 1
name t \"Chain\"
note i 38
solo b 0 1
";

const SEND: &str = "
name t \"a\"
min n 0
max n 1
value n 0 0.85
display_value n -70 -6
default_value n 0
is_quantized b 0
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set tracks 0 devices 0", class: "RackDevice", own: RACK, rest: "" },
    Object { path: "live_set tracks 0 devices 0 view", class: "RackDevice.View", own: VIEW, rest: "" },
    Object { path: "live_set tracks 0 devices 0 chains 2 devices 0", class: "RackDevice", own: NESTED, rest: "" },
    Object { path: "live_set tracks 0 devices 0 chains 0", class: "DrumChain", own: DRUM_CHAIN, rest: "" },
    Object {
        path: "live_set tracks 0 devices 0 return_chains 0",
        class: "DrumChain",
        own: "
has_audio_input b 1
has_audio_output b 1
has_midi_input b 0
has_midi_output b 0
name t \"a\" \"Dub\"
in_note i -1 36
",
        rest: DRUM_CHAIN,
    },
    Object { path: "live_set tracks 0 devices 0 drum_pads 36", class: "DrumPad", own: PAD, rest: "" },
    Object { path: "live_set tracks 0 devices 0 drum_pads 37", class: "DrumPad", own: EMPTY_PAD, rest: "" },
    Object { path: "live_set tracks 0 devices 0 drum_pads 38", class: "DrumPad", own: LONE_PAD, rest: "" },
    Object {
        path: "live_set tracks 0 devices 0 chains 0 mixer_device sends 0",
        class: "DeviceParameter",
        own: SEND,
        rest: "",
    },
];

const CALLS: &[Call] = &[
    Call {
        path: "live_set tracks 0 devices 0",
        class: "RackDevice",
        function: "copy_pad",
        good: "[36, 40]",
        gives: "none",
        bad: &["[37, 40]", "[36, 36]", "[36, 128]", "[-1, 36]", "[36]", "[\"C1\", 40]"],
    },
    // Nested racks have no pads to copy.
    Call {
        path: "live_set tracks 0 devices 0 chains 2 devices 0",
        class: "RackDevice",
        function: "copy_pad",
        good: "[36, 37]",
        gives: "refused",
        bad: &[],
    },
    Call {
        path: "live_set tracks 0 devices 0 drum_pads 36",
        class: "DrumPad",
        function: "delete_all_chains",
        good: "[]",
        gives: "none",
        bad: &["[0]"],
    },
    Call {
        path: "live_set tracks 0 devices 0 return_chains 0",
        class: "DrumChain",
        function: "insert_device",
        good: "[\"Reverb\"]",
        gives: "id",
        bad: &["[\"Operator\"]", "[\"Chord\"]"],
    },
];

pub fn setup(api: &Api) {
    let call = |path: &str, method: &str, args| {
        let got = api.call(path, method, args);
        assert!(got.is_array(), "{path} {method}: {got}");
    };
    let rack = "live_set tracks 0 devices 0";
    call("live_set tracks 0", "insert_device", json!(["Drum Rack"]));
    for (at, note) in [36, 36, 38].into_iter().enumerate() {
        call(rack, "insert_chain", json!([]));
        api.set(&format!("{rack} chains {at}"), "in_note", json!(note));
    }
    call(&format!("{rack} chains 2"), "insert_device", json!(["Drum Rack"]));
    call(&format!("{rack} chains 0"), "insert_device", json!(["Simpler"]));
    // Return chains cannot be made through the object model.
    change_document(api, |set, serial| {
        let held = &mut set["tracks"][0]["devices"][0]["rack"];
        let mut made = held["chains"][1].clone();
        made["serial"] = serial().into();
        made["name"] = "a".into();
        made.as_object_mut().expect("a chain").remove("in_note");
        held["return_chains"] = json!([made]);
        let chains = held["chains"].as_array_mut().expect("chains").iter_mut();
        chains.for_each(|chain| chain["sends"] = json!([0.0]));
        held["return_chains"][0]["sends"] = json!([0.0]);
    });
}

pub const GROUP: Group = Group { setup, objects: OBJECTS, calls: CALLS };
