//! Song. Locators and devices have their functions in their own files.

use super::{Call, Group, Object};

const SONG: &str = "
arrangement_overdub b 0 1
back_to_arranger b 0 1 0        # only 0 acts
can_capture_midi b 0
can_jump_to_next_cue b 0
can_jump_to_prev_cue b 0
can_redo b 0
can_undo b 0
clip_trigger_quantization i 4 0
count_in_duration i 0
current_song_time n 0 8 ?       # lands with the next block of audio
exclusive_arm b 1
exclusive_solo b 1
file_path t \"\"
groove_amount n 1 0.5
is_ableton_link_enabled b 0 1
is_ableton_link_start_stop_sync_enabled b 0 1
is_counting_in b 0
is_playing b 0 1 ?              # lands with the next block of audio
last_event_time n 0
loop b 0 1 ?                    # lands at the end of the call
loop_length n 16 4
loop_start n 8 2.5
metronome b 0 1
midi_recording_quantization i 0 8
name t \"\"
nudge_down b 0 1
nudge_up b 0 1
tempo_follower_enabled b 0 1
overdub b 0 1
punch_in b 0 1
punch_out b 0 1
re_enable_automation_enabled b 0
record_mode b 0 1
root_note i 0 11
scale_intervals I ?
scale_mode b 0 1
scale_name t \"Major\" \"Minor\"
select_on_launch b 1
session_automation_record b 0 1
session_record b 0 1
session_record_status i 0
signature_denominator i 4 16
signature_numerator i 4 99
song_length n 4
start_time n 0 4
swing_amount n 0 0.25
tempo n 120 96.5
cue_points I []
nonsense - 1
begin_undo_step - 1
";

const OBJECTS: &[Object] = &[Object { path: "live_set", class: "Song", own: SONG, rest: "" }];

const fn call(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set", class: "Song", function, good, gives, bad }
}

/// No number of this kind, where a position is meant.
const NO_INDEX: &[&str] = &["[99]", "[-2]", "[\"1\"]", "[1.5]", "[true]", "[0, 1]"];

const CALLS: &[Call] = &[
    call("capture_and_insert_scene", "[]", "none", &["[2]", "[\"all\"]", "[0, 0]"]),
    call("capture_midi", "[]", "refused", &["[3]", "[\"x\"]"]),
    call("trigger_session_record", "[]", "refused", &["[\"x\"]", "[4, 4]"]),
    call("start_playing", "[]", "none", &["[1]"]),
    call("continue_playing", "[]", "none", &["[1]"]),
    call("stop_playing", "[]", "none", &["[1]"]),
    call("stop_all_clips", "[0]", "none", &["[2]", "[\"no\"]", "[1, 1]"]),
    call("create_midi_track", "[2]", "id", NO_INDEX),
    call("create_audio_track", "[]", "id", NO_INDEX),
    call("create_return_track", "[]", "id", &["[0]"]),
    call("create_scene", "[-1]", "id", &["[99]", "[-2]", "[\"1\"]", "[1.5]", "[]", "[0, 1]"]),
    call("delete_track", "[3]", "none", &["[99]", "[-1]", "[\"1\"]", "[]"]),
    call("delete_return_track", "[1]", "none", &["[2]", "[-1]", "[\"1\"]", "[]"]),
    call("delete_scene", "[7]", "none", &["[8]", "[-1]", "[\"1\"]", "[]"]),
    call("duplicate_track", "[0]", "none", &["[99]", "[-1]", "[\"1\"]", "[]"]),
    call("duplicate_scene", "[0]", "none", &["[99]", "[-1]", "[\"1\"]", "[]"]),
    call("force_link_beat_time", "[]", "none", &["[1]"]),
    call("get_beats_loop_length", "[]", "t", &["[1]"]),
    call("get_beats_loop_start", "[]", "t", &["[1]"]),
    call("get_current_beats_song_time", "[]", "t", &["[1]"]),
    call("get_current_smpte_song_time", "[0]", "t", &["[]", "[6]", "[-1]", "[\"ms\"]"]),
    call("jump_by", "[4.5]", "none", &["[]", "[\"4\"]", "[true]"]),
    call("scrub_by", "[-1]", "none", &["[]", "[\"4\"]", "[true]"]),
    call("play_selection", "[]", "none", &["[1]"]),
    call("re_enable_automation", "[]", "none", &["[1]"]),
    call("tap_tempo", "[]", "none", &["[1]"]),
    call("undo", "[]", "none", &["[1]"]),
    call("redo", "[]", "none", &["[1]"]),
    // Python's own.
    call("begin_undo_step", "", "none", &["[]"]),
    call("end_undo_step", "", "none", &["[]"]),
    call("get_data", "", "none", &["[\"key\", 0]"]),
    call("set_data", "", "none", &["[\"key\", 1]"]),
    call("sync_parameter_changes", "", "none", &["[]"]),
];

pub const GROUP: Group = Group { setup: |_| (), objects: OBJECTS, calls: CALLS };
