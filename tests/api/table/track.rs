//! Tracks of every kind, their views and mixers.

use super::{Call, Group, Object};

pub const TRACK: &str = "
arm b 0 1
available_input_routing_channels d ?
available_input_routing_types d ?
available_output_routing_channels d ?
available_output_routing_types d ?
back_to_arranger b 0 1 0        # only 0 acts
can_be_armed b 1
can_be_frozen b 1
can_show_chains b 0
color i ? 15029152
color_index i ? 3
fired_slot_index i -1
fold_state - 1
has_audio_input b ?
has_audio_output b ?
has_midi_input b ?
has_midi_output b ?
implicit_arm b 0 1
input_meter_left n 0
input_meter_level n 0
input_meter_right n 0
is_foldable b 0
is_frozen b 0
is_grouped b 0
is_part_of_selection b ?
is_showing_chains b 0 1 0       # there are no chains to show
is_visible b 1
mute b 0 1
muted_via_solo b 0
name t ? \"Keys\"
output_meter_left n 0
output_meter_level n 0
output_meter_right n 0
performance_impact n ?
input_routing_channel d ?
input_routing_type d ?
output_routing_channel d ?
output_routing_type d ?
playing_slot_index i -1
solo b 0 1
current_monitoring_state i 1 2
current_input_routing t ? \"No\\u0020Input\"
current_input_sub_routing t ?
current_output_routing t ? \"Sends\\u0020Only\"
current_output_sub_routing t ?
input_routings T ?
input_sub_routings T ?
output_routings T ?
output_sub_routings T ?
";

const MIDI_TRACK: &str = "
output_meter_left - 1
output_meter_right - 1
current_input_sub_routing t \"All\\u0020Channels\" \"Ch.\\u00207\"
current_output_routing t \"No\\u0020Output\" \"2-MIDI\"
has_midi_input b 1
has_midi_output b 1
has_audio_input b 0
has_audio_output b 0
name t \"1-MIDI\" \"Keys\"
";

const AUDIO_TRACK: &str = "
current_input_routing t \"Ext.\\u0020In\" \"Resampling\"
current_input_sub_routing t \"1/2\" \"2\" 2  # a text of digits arrives as a number
current_output_routing t \"Main\" \"Ext.\\u0020Out\"
has_midi_input b 0
has_midi_output b 0
has_audio_input b 1
has_audio_output b 1
name t \"3-Audio\" \"Keys\"
";

const RETURN_TRACK: &str = "
can_be_frozen b 0
arm - 1
implicit_arm - 1
can_be_armed b 0
current_monitoring_state - 1
available_input_routing_channels - 1
available_input_routing_types - 1
input_routing_channel - 1
input_routing_type - 1
playing_slot_index - 1
fired_slot_index - 1
has_midi_input b 0
current_input_routing - 1
current_input_sub_routing - 1
input_routings - 1
input_sub_routings - 1
name t \"A-Reverb\" \"A-Room\"
";

const MAIN_TRACK: &str = "
can_be_frozen b 0
arm - 1
implicit_arm - 1
can_be_armed b 0
current_monitoring_state - 1
available_input_routing_channels - 1
available_input_routing_types - 1
available_output_routing_channels - 1
available_output_routing_types - 1
input_routing_channel - 1
input_routing_type - 1
output_routing_channel - 1
output_routing_type - 1
playing_slot_index - 1
fired_slot_index - 1
mute - 1
muted_via_solo - 1
solo - 1
current_input_routing - 1
current_input_sub_routing - 1
input_routings - 1
input_sub_routings - 1
current_output_routing - 1
current_output_sub_routing - 1
output_routings - 1
output_sub_routings - 1
name t \"Main\" \"Out\"
";

const MIXER: &str = "
crossfade_assign i 1 0
panning_mode i 0 1
";

const MAIN_MIXER: &str = "
crossfade_assign - 1
panning_mode i 0 1
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set tracks 0", class: "Track", own: MIDI_TRACK, rest: TRACK },
    Object { path: "live_set tracks 2", class: "Track", own: AUDIO_TRACK, rest: TRACK },
    Object { path: "live_set return_tracks 0", class: "Track", own: RETURN_TRACK, rest: TRACK },
    Object { path: "live_set master_track", class: "Track", own: MAIN_TRACK, rest: TRACK },
    Object { path: "live_set tracks 0 mixer_device", class: "MixerDevice", own: MIXER, rest: "" },
    Object { path: "live_set return_tracks 1 mixer_device", class: "MixerDevice", own: MIXER, rest: "" },
    Object { path: "live_set master_track mixer_device", class: "MixerDevice", own: MAIN_MIXER, rest: "" },
];

const fn call(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set tracks 0", class: "Track", function, good, gives, bad }
}

const CALLS: &[Call] = &[
    call("delete_clip", "", "none", &["[]", "[\"id 0\"]", "[\"id 1\"]", "[\"id 999999\"]", "[\"x\"]"]),
    call("duplicate_clip_slot", "[0]", "i", &["[]", "[1]", "[99]", "[-1]", "[\"0\"]"]),
    call("jump_in_running_session_clip", "[1.5]", "none", &["[]", "[\"1\"]"]),
    call("stop_all_clips", "[0]", "none", &["[2]", "[\"x\"]", "[0, 0]"]),
    // Python's own.
    call("get_data", "", "none", &["[\"key\", 0]"]),
    call("set_data", "", "none", &["[\"key\", 1]"]),
];

pub const GROUP: Group = Group {
    setup: |api| drop(api.ok("svc-create-clip", serde_json::json!({"path": "t0/s0", "length": "1bar"}))),
    objects: OBJECTS,
    calls: CALLS,
};
