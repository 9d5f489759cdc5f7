//! The Session grid: slots, clips, scenes.

use super::{Call, Group, Object};
use serde_json::json;

pub const SLOT: &str = "
color - 1
color_index - 1
controls_other_clips b 0
has_clip b 1
has_stop_button b 1 0
is_group_slot b 0
is_playing b 0
is_recording b 0
is_triggered b 0
playing_status i 0
will_record_on_start b 0
";

const CLIP: &str = "
available_warp_modes - 1
color i ? 15029152
color_index i ? 3
end_marker n 8 7
end_time n 8
gain - 1
gain_display_string - 1
file_path - 1
has_envelopes b 0
has_groove b 0
is_session_clip - 1
is_arrangement_clip b 0
is_take_lane_clip - 1
is_audio_clip b 0
is_midi_clip b 1
is_overdubbing b 0
is_playing b 0 1 ?              # lands with the next block of audio
is_recording b 0
is_triggered b 0
launch_mode i 0 3
launch_quantization i 0 14
legato b 0 1
length n 8
loop_end n 8 6
loop_jump - 1
loop_start n 0 2
looping b 1 0
muted b 0 1
name t \"Beat\" \"Other\"
notes - 1
warp_markers - 1
pitch_coarse - 1
pitch_fine - 1
playing_position n 0
playing_status - 1
position n 0 1
ram_mode - 1
sample_length - 1
sample_rate - 1
signature_denominator i 4 8
signature_numerator i 4 3
start_marker n 0 1
start_time n 0
velocity_amount n ? 0.5
warp_mode - 1
warping - 1
will_record_on_start b 0
automation_envelopes - 1
";

const CLIP_VIEW: &str = "
grid_is_triplet b 0 1
grid_quantization i ? 5
";

const SCENE: &str = "
color - 1 15029152 15029152     # a scene without colour takes one
color_index - 1 3 3             # the same
is_empty b 0
is_triggered b 0
name t \"\" \"Intro\"
tempo n -1 90
tempo_enabled b 0 1
time_signature_numerator i -1 7
time_signature_denominator i -1 8
time_signature_enabled b 0 1
";

const COLORED: &str = "
color i 16249980 16725558
color_index i 3 0
is_empty b 1
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set tracks 0 clip_slots 0", class: "ClipSlot", own: SLOT, rest: "" },
    Object { path: "live_set tracks 0 clip_slots 0 clip", class: "Clip", own: CLIP, rest: "" },
    Object { path: "live_set tracks 0 clip_slots 0 clip view", class: "Clip.View", own: CLIP_VIEW, rest: "" },
    Object { path: "live_set scenes 0", class: "Scene", own: SCENE, rest: "" },
    Object { path: "live_set scenes 2", class: "Scene", own: COLORED, rest: SCENE },
];

const fn slot(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set tracks 0 clip_slots 0", class: "ClipSlot", function, good, gives, bad }
}

const fn scene(function: &'static str, good: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set scenes 1", class: "Scene", function, good, gives: "none", bad }
}

const fn clip(function: &'static str, good: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set tracks 0 clip_slots 0 clip", class: "Clip", function, good, gives: "none", bad }
}

const CALLS: &[Call] = &[
    // Filled already.
    slot("create_clip", "", "id", &["[4]", "[]", "[0]", "[\"4\"]"]),
    Call {
        path: "live_set tracks 1 clip_slots 3",
        class: "ClipSlot",
        function: "create_clip",
        good: "[4]",
        gives: "id",
        bad: &["[]", "[0]", "[-1]", "[\"4\"]", "[1e99]", "[4, 4]"],
    },
    Call {
        path: "live_set tracks 2 clip_slots 3",
        class: "ClipSlot",
        function: "create_clip",
        good: "",
        gives: "id",
        bad: &["[4]"],
    },
    slot("delete_clip", "[]", "none", &["[1]"]),
    Call {
        path: "live_set tracks 0 clip_slots 1",
        class: "ClipSlot",
        function: "delete_clip",
        good: "",
        gives: "none",
        bad: &["[]"],
    },
    slot(
        "duplicate_clip_to",
        "[\"<live_set tracks 1 clip_slots 3>\"]",
        "none",
        &["[]", "[\"id 0\"]", "[\"id 1\"]", "[\"id 999999\"]", "[\"x\"]"],
    ),
    slot("fire", "[]", "none", &["[0]", "[-1]", "[\"4\"]", "[4, 14]", "[4, -1]", "[null, 1.5]", "[4, 4, 4]"]),
    slot("fire", "[null, 7]", "none", &[]),
    slot("set_fire_button_state", "[1]", "none", &["[]", "[2]", "[\"x\"]"]),
    slot("set_fire_button_state", "[0]", "none", &[]),
    slot("stop", "[]", "none", &["[1]"]),
    scene("fire", "[1, 0]", &["[2]", "[0, \"x\"]", "[0, 0, 0]"]),
    scene("fire_as_selected", "[]", &["[2]", "[0, 0]"]),
    scene("set_fire_button_state", "[true]", &["[]", "[2]"]),
    clip("fire", "[]", &["[1]"]),
    clip("stop", "[]", &["[1]"]),
    clip("set_fire_button_state", "[1]", &["[]", "[2]"]),
];

pub const GROUP: Group = Group {
    setup: |api| {
        api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Beat", "length": "2bar"}));
        api.set("live_set scenes 2", "color_index", json!(3));
    },
    objects: OBJECTS,
    calls: CALLS,
};
