//! The Arrangement: clips on the timeline and in take lanes, audio clips of both kinds, locators; and the functions of
//! Clip that are not about launching.

use super::{Call, Group, Object};
use serde_json::json;

/// A MIDI clip of 8 beats at beat 4, looping.
const PLACED: &str = "
available_warp_modes - 1
gain - 1
gain_display_string - 1
file_path - 1
is_arrangement_clip b 1
is_audio_clip b 0
is_midi_clip b 1
warp_markers - 1
pitch_coarse - 1
pitch_fine - 1
ram_mode - 1
sample_length - 1
sample_rate - 1
warp_mode - 1
warping - 1
name t \"\" \"Verse\"
end_marker n 8 7
end_time n 12
length n 8
loop_end n 8 6
loop_start n 0 2
looping b 1 0
position n 0 1
start_marker n 0 1
start_time n 4
playing_position n 0
is_playing b 0
";

/// The same, unlooped.
const UNLOOPED: &str = "
start_time n 20
end_time n 28
looping b 0 1
start_marker n 0 1 0            # follows loop_start while unlooped
loop_start n 0 2
loop_end n 8 6
position n 0 1
end_marker n 8 7
";

const IN_LANE: &str = "
start_time n 2
end_time n 6
length n 4
end_marker n 4 3
loop_end n 4 3
loop_start n 0 2
position n 0 1
looping b 1 0
start_marker n 0 1
";

/// Half a second at 120 BPM is one beat.
const AUDIO: &str = "
available_warp_modes I [0,1,2,3,4,6]
gain n 0.4 0.7
gain_display_string t ?
file_path t ?
is_audio_clip b 1
is_midi_clip b 0
warp_markers d ?
pitch_coarse i 0 -48
pitch_fine n 0 49
ram_mode b 0 1
sample_length i 11025
sample_rate n 22050
warp_mode i 0 4
warping b 1 0 ?                 # lands when the call is over
name t \"half\" \"Tone\"
end_marker n 1 2
length n 1
loop_end n 1 3
loop_start n 0 0.5
looping b 0 1
position n 0 0.5
start_marker n 0 0.5 0          # follows loop_start while unlooped
";

const PLACED_AUDIO: &str = "
is_arrangement_clip b 1
start_time n 8
end_time n 9
";

const SESSION_AUDIO: &str = "
is_arrangement_clip b 0
start_time n 0
end_time n 1
is_playing b 0
playing_position n 0
";

/// What every clip has.
const REST: &str = "
color i ? 15029152
color_index i ? 3
has_envelopes b 0
has_groove b 0
is_session_clip - 1
is_take_lane_clip - 1
is_overdubbing b 0
is_recording b 0
is_triggered b 0
launch_mode i 0 3
launch_quantization i 0 14
legato b 0 1
loop_jump - 1
muted b 0 1
notes - 1
playing_status - 1
signature_denominator i 4 8
signature_numerator i 4 3
velocity_amount n ? 0.5
will_record_on_start b 0
automation_envelopes - 1
";

const TAKE_LANE: &str = "
name t ? \"Best\"
";

const CUE_POINT: &str = "
name t 1 \"Intro\"                 # numbered by default, and digits arrive as a number
time n 0
";

const VIEW: &str = "
grid_is_triplet b 0 1
grid_quantization i ? 5
";

const MIDI_CLIP: &str = "live_set tracks 0 arrangement_clips 0";
const LONE_CLIP: &str = "live_set tracks 0 arrangement_clips 1";
const AUDIO_CLIP: &str = "live_set tracks 2 arrangement_clips 0";
const SLOT_CLIP: &str = "live_set tracks 2 clip_slots 0 clip";

const OBJECTS: &[Object] = &[
    Object { path: MIDI_CLIP, class: "Clip", own: PLACED, rest: REST },
    Object { path: LONE_CLIP, class: "Clip", own: UNLOOPED, rest: REST },
    Object { path: "live_set tracks 0 take_lanes 0 arrangement_clips 0", class: "Clip", own: IN_LANE, rest: REST },
    Object { path: "live_set tracks 0 take_lanes 0", class: "TakeLane", own: TAKE_LANE, rest: "" },
    Object { path: "live_set tracks 0 arrangement_clips 0 view", class: "Clip.View", own: VIEW, rest: "" },
    Object { path: "live_set cue_points 0", class: "CuePoint", own: CUE_POINT, rest: "" },
];

/// Objects whose own lines and those of their kind are two texts.
const AUDIO_OBJECTS: &[Object] = &[
    Object { path: AUDIO_CLIP, class: "Clip", own: PLACED_AUDIO, rest: AUDIO },
    Object { path: SLOT_CLIP, class: "Clip", own: SESSION_AUDIO, rest: AUDIO },
    Object { path: SLOT_CLIP, class: "Clip", own: "", rest: REST },
    Object { path: "live_set tracks 2 take_lanes 0 arrangement_clips 0", class: "Clip", own: "", rest: AUDIO },
];

macro_rules! fixture {
    ($name:literal, $rest:literal) => {
        concat!("[\"", env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/", $name, "\"", $rest, "]")
    };
}

const fn call(
    path: &'static str,
    class: &'static str,
    function: &'static str,
    good: &'static str,
    gives: &'static str,
    bad: &'static [&'static str],
) -> Call {
    Call { path, class, function, good, gives, bad }
}

const fn midi(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    call(MIDI_CLIP, "Clip", function, good, gives, bad)
}

const fn audio(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    call(AUDIO_CLIP, "Clip", function, good, gives, bad)
}

const TRACK: &str = "live_set tracks 0";
const AUDIO_TRACK: &str = "live_set tracks 2";
const LANE: &str = "live_set tracks 0 take_lanes 0";
const AUDIO_LANE: &str = "live_set tracks 2 take_lanes 0";
const RETURN: &str = "live_set return_tracks 0";

/// Clips of no track but these can be laid on the MIDI track.
const NO_MIDI_CLIPS: &[&str] = &["[0, 4]"];
const BAD_PLACES: &[&str] = &[
    "[]",
    "[0]",
    "[-1, 4]",
    "[1576801, 4]",
    "[0, 0]",
    "[0, -4]",
    "[0, 1e99]",
    "[\"0\", 4]",
    "[true, 4]",
    "[0, true]",
    "[0, 4, 5]",
    "[null, 4]",
];
const BAD_FILES: &[&str] = &[
    "[]",
    "[5, 0]",
    "[\"half.wav\", 0]",
    "[\"\", 0]",
    "[\"/no/such/file.wav\", 0]",
    "[\"/\", 0]",
    concat!("[\"", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml\", 0]"),
    fixture!("half.wav", ""),
    fixture!("half.wav", ", -1"),
    fixture!("half.wav", ", 1576801"),
    fixture!("half.wav", ", \"0\""),
];

const CALLS: &[Call] = &[
    call(TRACK, "Track", "create_midi_clip", "[0, 4]", "id", BAD_PLACES),
    call(TRACK, "Track", "create_midi_clip", "[1576800, 0.25]", "id", &[]),
    call(AUDIO_TRACK, "Track", "create_midi_clip", "", "id", NO_MIDI_CLIPS),
    call(RETURN, "Track", "create_midi_clip", "", "id", NO_MIDI_CLIPS),
    call("live_set master_track", "Track", "create_midi_clip", "", "id", NO_MIDI_CLIPS),
    call(AUDIO_TRACK, "Track", "create_audio_clip", fixture!("half.wav", ", 4"), "id", BAD_FILES),
    call(AUDIO_TRACK, "Track", "create_audio_clip", fixture!("half.flac", ", 0.5"), "id", &[]),
    call(AUDIO_TRACK, "Track", "create_audio_clip", fixture!("half.mp3", ", 0"), "id", &[]),
    call(AUDIO_TRACK, "Track", "create_audio_clip", fixture!("half.ogg", ", 0"), "id", &[]),
    call(AUDIO_TRACK, "Track", "create_audio_clip", fixture!("half.aiff", ", 0"), "id", &[]),
    call(TRACK, "Track", "create_audio_clip", "", "id", &[fixture!("half.wav", ", 0")]),
    call(RETURN, "Track", "create_audio_clip", "", "id", &[fixture!("half.wav", ", 0")]),
    call(TRACK, "Track", "create_take_lane", "[]", "id", &["[1]"]),
    call(AUDIO_TRACK, "Track", "create_take_lane", "[]", "id", &[]),
    call(RETURN, "Track", "create_take_lane", "", "id", &["[]"]),
    call(
        TRACK,
        "Track",
        "delete_clip",
        "[\"<live_set tracks 0 arrangement_clips 0>\"]",
        "none",
        &[
            "[]",
            "[\"id 0\"]",
            "[\"id 1\"]",
            "[\"id 999999\"]",
            "[\"x\"]",
            "[\"<live_set tracks 2 arrangement_clips 0>\"]",
        ],
    ),
    call(TRACK, "Track", "delete_clip", "[\"<live_set tracks 0 clip_slots 0 clip>\"]", "none", &[]),
    call(TRACK, "Track", "delete_clip", "[\"<live_set tracks 0 take_lanes 0 arrangement_clips 0>\"]", "none", &[]),
    call(
        TRACK,
        "Track",
        "duplicate_clip_to_arrangement",
        "[\"<live_set tracks 0 clip_slots 0 clip>\", 6]",
        "id",
        &[
            "[]",
            "[\"<live_set tracks 0 clip_slots 0 clip>\"]",
            "[\"<live_set tracks 0 clip_slots 0 clip>\", -1]",
            "[\"<live_set tracks 0 clip_slots 0 clip>\", 1576801]",
            "[\"<live_set tracks 0 clip_slots 0 clip>\", \"6\"]",
            "[\"<live_set tracks 2 arrangement_clips 0>\", 6]",
            "[\"<live_set tracks 0>\", 6]",
            "[\"id 0\", 6]",
        ],
    ),
    call(
        TRACK,
        "Track",
        "duplicate_clip_to_arrangement",
        "[\"<live_set tracks 0 arrangement_clips 0>\", 6]",
        "id",
        &[],
    ),
    call(
        AUDIO_TRACK,
        "Track",
        "duplicate_clip_to_arrangement",
        "[\"<live_set tracks 2 clip_slots 0 clip>\", 0]",
        "id",
        &["[\"<live_set tracks 0 clip_slots 0 clip>\", 0]"],
    ),
    call(
        RETURN,
        "Track",
        "duplicate_clip_to_arrangement",
        "",
        "id",
        &["[\"<live_set tracks 0 clip_slots 0 clip>\", 0]"],
    ),
    call(TRACK, "Track", "duplicate_clip_slot", "[0]", "i", &["[]", "[1]", "[-1]", "[99]", "[\"x\"]"]),
    call(LANE, "TakeLane", "create_midi_clip", "[3, 8]", "id", BAD_PLACES),
    call(AUDIO_LANE, "TakeLane", "create_midi_clip", "", "id", NO_MIDI_CLIPS),
    call(AUDIO_LANE, "TakeLane", "create_audio_clip", fixture!("half.wav", ", 4"), "id", BAD_FILES),
    call(LANE, "TakeLane", "create_audio_clip", "", "id", &[fixture!("half.wav", ", 4")]),
    call(
        "live_set tracks 2 clip_slots 1",
        "ClipSlot",
        "create_audio_clip",
        fixture!("half.wav", ""),
        "id",
        &["[]", "[5]", "[\"half.wav\"]", "[\"/no/such/file.wav\"]", "[\"/\"]", fixture!("half.wav", ", 4")],
    ),
    // Filled; and a MIDI track.
    call("live_set tracks 2 clip_slots 0", "ClipSlot", "create_audio_clip", "", "id", &[fixture!("half.wav", "")]),
    call("live_set tracks 0 clip_slots 1", "ClipSlot", "create_audio_clip", "", "id", &[fixture!("half.wav", "")]),
    call("live_set cue_points 0", "CuePoint", "jump", "[]", "none", &["[1]"]),
    call("live_set", "Song", "set_or_delete_cue", "[]", "none", &["[1]"]),
    call("live_set", "Song", "jump_to_next_cue", "[]", "none", &["[1]"]),
    call("live_set", "Song", "jump_to_prev_cue", "[]", "none", &["[1]"]),
    call("live_set", "Song", "is_cue_point_selected", "[]", "b", &["[1]"]),
    call("live_set", "Song", "jump_by", "[4]", "none", &["[]", "[\"4\"]", "[4, 4]"]),
    call("live_set", "Song", "scrub_by", "[-4]", "none", &["[]", "[\"4\"]", "[4, 4]"]),
    // Notes.
    midi(
        "add_new_notes",
        r#"[{"notes": [{"pitch": 64, "start_time": 1, "duration": 0.5}]}]"#,
        "I",
        &[
            "[]",
            "[5]",
            "[{}]",
            r#"[{"notes": 5}]"#,
            r#"[{"notes": [5]}]"#,
            r#"[{"notes": [{"pitch": 64, "start_time": 1}]}]"#,
            r#"[{"notes": [{"pitch": 128, "start_time": 1, "duration": 1}]}]"#,
            r#"[{"notes": [{"pitch": 60.5, "start_time": 1, "duration": 1}]}]"#,
            r#"[{"notes": [{"pitch": 60, "start_time": 1, "duration": 0}]}]"#,
            r#"[{"notes": [{"pitch": 60, "start_time": 1, "duration": 1, "velocity": 128}]}]"#,
            r#"[{"notes": [{"pitch": 60, "start_time": 1, "duration": 1, "probability": 2}]}]"#,
            r#"[{"notes": [{"pitch": 60, "start_time": 1, "duration": 1}, {"pitch": 61}]}]"#,
        ],
    ),
    midi(
        "apply_note_modifications",
        r#"[{"notes": [{"note_id": 1, "pitch": 62}]}]"#,
        "none",
        &[
            "[]",
            r#"[{"notes": [{"note_id": 1, "pitch": 62}, {"note_id": 99, "pitch": 62}]}]"#,
            r#"[{"notes": [{"pitch": 62}]}]"#,
            r#"[{"notes": [{"note_id": 1, "pitch": -1}]}]"#,
        ],
    ),
    midi("get_all_notes_extended", "[]", "d", &["[1, 2]"]),
    midi("get_all_notes_extended", r#"[{"return": ["pitch"]}]"#, "d", &[]),
    midi("get_notes_extended", "[0, 128, 0, 8]", "d", &["[]", "[0, 128, 0]", "[\"x\", 128, 0, 8]", "[{}]", "[5]"]),
    midi("get_notes_extended", r#"[{"from_pitch": 0, "pitch_span": 128, "from_time": 0, "time_span": 8}]"#, "d", &[]),
    midi("get_notes_by_id", "[[1, 2]]", "d", &["[]", "[[1, 99]]", "[[-1]]", "[[\"x\"]]"]),
    midi("get_notes_by_id", r#"[{"note_ids": [1], "return": ["note_id"]}]"#, "d", &[]),
    midi("get_selected_notes_extended", "[]", "d", &["[1, 2]"]),
    midi("get_selected_notes", "[]", "T", &["[1]"]),
    midi("get_notes", "[0, 0, 8, 128]", "T", &["[]", "[0, 0, 8]", "[\"x\", 0, 8, 128]"]),
    midi("remove_notes", "[0, 0, 8, 128]", "none", &["[]", "[0, 0, 8]", "[\"x\", 0, 8, 128]"]),
    midi("remove_notes_extended", "[0, 128, 0, 8]", "none", &["[]", "[0, 128, 0]", "[\"x\", 128, 0, 8]"]),
    midi("remove_notes_by_id", "[[1]]", "none", &["[]", "[[1, 99]]", "[[\"x\"]]"]),
    midi("duplicate_notes_by_id", "[[1, 2]]", "I", &["[]", "[[1, 99]]", "[\"x\"]"]),
    midi(
        "duplicate_notes_by_id",
        r#"[{"note_ids": [1], "destination_time": 4, "transposition_amount": 12}]"#,
        "I",
        &[
            r#"[{"note_ids": [1], "transposition_amount": 120}]"#,
            r#"[{"note_ids": [1], "destination_time": "4"}]"#,
            r#"[{"note_ids": [9]}]"#,
        ],
    ),
    midi(
        "duplicate_region",
        "[0, 2, 4]",
        "none",
        &["[]", "[0, 2]", "[0, 0, 4]", "[0, 2, \"x\"]", "[0, 2, 4, -1, 120]"],
    ),
    midi("duplicate_loop", "[]", "none", &["[1]"]),
    midi("quantize", "[5, 1]", "none", &["[]", "[5]", "[9, 1]", "[-1, 1]", "[5, 2]", "[5, \"x\"]"]),
    midi("quantize_pitch", "[60, 5, 0.5]", "none", &["[]", "[60, 5]", "[128, 5, 1]", "[60, 9, 1]", "[60, 5, -1]"]),
    midi("select_all_notes", "[]", "none", &["[1]"]),
    midi("deselect_all_notes", "[]", "none", &["[1]"]),
    midi("select_notes_by_id", "[[1, 99]]", "none", &["[]", "[[\"x\"]]"]),
    midi("crop", "[]", "none", &["[1]"]),
    // The scripting layer sends no Max messages.
    midi("set_notes", "[]", "refused", &["[1]"]),
    midi("replace_selected_notes", "[]", "refused", &["[1]"]),
    // What only sounds in Live.
    midi("move_playing_pos", "[1]", "refused", &["[]"]),
    midi("scrub", "[1]", "refused", &["[]"]),
    midi("stop_scrub", "[]", "refused", &["[1]"]),
    midi("clear_all_envelopes", "[]", "none", &["[1]"]),
    midi(
        "clear_envelope",
        "[\"<live_set tracks 0 mixer_device volume>\"]",
        "none",
        &["[]", "[\"id 0\"]", "[\"<live_set tracks 0>\"]", "[\"x\"]"],
    ),
    // Known to Python alone.
    midi("automation_envelope", "", "none", &["[\"<live_set tracks 0 mixer_device volume>\"]"]),
    midi("create_automation_envelope", "", "none", &["[\"<live_set tracks 0 mixer_device volume>\"]"]),
    midi("note_number_to_name", "", "t", &["[60]"]),
    audio("beat_to_sample_time", "", "n", &["[1]"]),
    audio("sample_to_beat_time", "", "n", &["[1]"]),
    audio("seconds_to_sample_time", "", "n", &["[1]"]),
    // Audio.
    audio("crop", "[]", "none", &["[1]"]),
    audio(
        "add_warp_marker",
        r#"[{"beat_time": 0.5, "sample_time": 0.2}]"#,
        "none",
        &["[]", "[5]", "[{}]", r#"[{"beat_time": 0}]"#, r#"[{"beat_time": 1, "sample_time": -1}]"#],
    ),
    audio("move_warp_marker", "[0, 0.25]", "none", &["[]", "[0]", "[0.5, 1]", "[\"x\", 1]"]),
    audio("remove_warp_marker", "", "none", &["[]", "[0]", "[0.5]", "[\"x\"]"]),
    midi("add_warp_marker", "", "none", &[r#"[{"beat_time": 0.5}]"#]),
    midi("move_warp_marker", "", "none", &["[0, 1]"]),
    midi("remove_warp_marker", "", "none", &["[0]"]),
    audio("add_new_notes", "", "I", &[r#"[{"notes": [{"pitch": 64, "start_time": 1, "duration": 0.5}]}]"#]),
    audio("duplicate_loop", "", "none", &["[]"]),
    audio("quantize", "", "none", &["[5, 1]"]),
    audio("select_all_notes", "", "none", &["[]"]),
    call(
        "live_set tracks 0 arrangement_clips 0 view",
        "Clip.View",
        "select_envelope_parameter",
        "[\"<live_set tracks 0 mixer_device volume>\"]",
        "none",
        &["[]", "[\"<live_set tracks 0>\"]", "[5.5]"],
    ),
    call("live_set tracks 0 arrangement_clips 0 view", "Clip.View", "show_envelope", "[]", "none", &["[1]"]),
    call("live_set tracks 0 arrangement_clips 0 view", "Clip.View", "hide_envelope", "[]", "none", &["[1]"]),
    call("live_set tracks 0 arrangement_clips 0 view", "Clip.View", "show_loop", "[]", "none", &["[1]"]),
];

fn set_up(api: &crate::support::Api) {
    api.call(TRACK, "create_midi_clip", json!([4, 8]));
    let notes = json!([{"notes": [{"pitch": 60, "start_time": 0, "duration": 1}, {"pitch": 64, "start_time": 1.1, "duration": 1}]}]);
    api.call(MIDI_CLIP, "add_new_notes", notes);
    api.call(TRACK, "create_midi_clip", json!([20, 8]));
    api.set(LONE_CLIP, "looping", json!(0));
    api.call(TRACK, "create_take_lane", json!([]));
    api.call(LANE, "create_midi_clip", json!([2, 4]));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Beat", "length": "2bar"}));
    let file = super::fixture("half.wav");
    api.call(AUDIO_TRACK, "create_audio_clip", json!([file, 8]));
    api.call(AUDIO_TRACK, "create_take_lane", json!([]));
    api.call(AUDIO_LANE, "create_audio_clip", json!([file, 0]));
    api.call("live_set tracks 2 clip_slots 0", "create_audio_clip", json!([file]));
    api.call("live_set", "set_or_delete_cue", json!([]));
}

pub const GROUP: Group = Group { setup: set_up, objects: OBJECTS, calls: CALLS };

pub const AUDIO_GROUP: Group = Group { setup: set_up, objects: AUDIO_OBJECTS, calls: &[] };

/// With a warp marker to take away.
pub const MARKED_GROUP: Group = Group {
    setup: |api| {
        set_up(api);
        let marked = api.call(AUDIO_CLIP, "add_warp_marker", json!([{"beat_time": 0.5}]));
        assert_eq!(marked, json!(["id", 0]));
    },
    objects: &[],
    calls: &[audio("remove_warp_marker", "[0.5]", "none", &["[0.25]"])],
};
