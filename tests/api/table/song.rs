//! Song, Application and their views.

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
exclusive_arm b ?
exclusive_solo b ?
file_path t \"\"
groove_amount n 1 0.5
is_ableton_link_enabled b 0 1
is_ableton_link_start_stop_sync_enabled b 0 1
is_counting_in b 0
is_playing b 0 1 ?              # lands with the next block of audio
last_event_time n ?
loop b 0 1
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
select_on_launch b ?
session_automation_record b 0 1
session_record b 0 1
session_record_status i 0
signature_denominator i 4 16
signature_numerator i 4 99
song_length n ?
start_time n 0 4
swing_amount n 0 0.25
tempo n 120 96.5
cue_points I []
nonsense - 1
begin_undo_step - 1
";

const SONG_VIEW: &str = "
draw_mode b 0 1
follow_song b ? 1
";

const APPLICATION: &str = "
current_dialog_button_count i 0
current_dialog_message t \"\"
open_dialog_count i 0
average_process_usage n ?
peak_process_usage n ?
browser - 1
unavailable_features - 1
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set", class: "Song", own: SONG, rest: "" },
    Object { path: "live_set view", class: "Song.View", own: SONG_VIEW, rest: "" },
    Object { path: "live_app", class: "Application", own: APPLICATION, rest: "" },
];

const CALLS: &[Call] = &[];

pub const GROUP: Group = Group { setup: |_| (), objects: OBJECTS, calls: CALLS };
