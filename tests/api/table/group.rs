//! A group track, its slots, and a frozen track: from a document that was saved with them.

use super::{Call, Group, Object, clip, track};
use serde_json::json;

const GROUP_TRACK: &str = "
arm - 1
implicit_arm - 1
can_be_armed b 0
can_be_frozen b 0
current_monitoring_state - 1
available_input_routing_channels - 1
available_input_routing_types - 1
input_routing_channel - 1
input_routing_type - 1
current_input_routing - 1
current_input_sub_routing - 1
input_routings - 1
input_sub_routings - 1
fold_state i 0 1
is_foldable b 1
has_midi_input b 0
has_midi_output b 0
has_audio_output b 1
name t \"4-Group\" \"Drums\"
";

const MEMBER: &str = "
output_meter_left - 1
output_meter_right - 1
is_grouped b 1
current_output_routing t \"No\\u0020Output\" \"2-MIDI\"
name t \"5-MIDI\" \"Kick\"
";

const FROZEN: &str = "
arm - 1
implicit_arm - 1
can_be_armed b 0
can_be_frozen b 0
is_frozen b 1
output_meter_left - 1
output_meter_right - 1
current_output_routing t \"No\\u0020Output\" \"2-MIDI\"
name t \"1-MIDI\" \"Cold\"
";

const GROUP_SLOT: &str = "
color i 16725558
color_index i 14
controls_other_clips b 1
has_clip b 0
is_group_slot b 1
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set tracks 3", class: "Track", own: GROUP_TRACK, rest: track::TRACK },
    Object { path: "live_set tracks 4", class: "Track", own: MEMBER, rest: track::TRACK },
    Object { path: "live_set tracks 0", class: "Track", own: FROZEN, rest: track::TRACK },
    Object { path: "live_set tracks 3 clip_slots 0", class: "ClipSlot", own: GROUP_SLOT, rest: clip::SLOT },
];

const fn call(path: &'static str, function: &'static str, good: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path, class: "ClipSlot", function, good, gives: "none", bad }
}

const CALLS: &[Call] = &[
    call("live_set tracks 3 clip_slots 0", "create_clip", "", &["[4]"]),
    call("live_set tracks 3 clip_slots 0", "delete_clip", "", &["[]"]),
    call("live_set tracks 3 clip_slots 0", "fire", "[]", &["[0]"]),
    call("live_set tracks 3 clip_slots 0", "stop", "[]", &["[1]"]),
    call("live_set tracks 3 clip_slots 0", "set_fire_button_state", "[1]", &["[]"]),
    call("live_set tracks 0 clip_slots 0", "create_clip", "", &["[4]"]),
];

pub const GROUP: Group = Group {
    setup: |api| {
        crate::groups::make(api);
        api.ok("svc-create-clip", json!({"path": "t4/s0", "length": "1bar"}));
        api.set("live_set tracks 4 clip_slots 0 clip", "color_index", json!(14));
        api.edit_saved(|set| set["tracks"][0]["stored"] = json!({"is_frozen": true}));
    },
    objects: OBJECTS,
    calls: CALLS,
};
