//! Simpler and its sample: `half.wav`, a mono file of 11,025 frames.

use super::{Call, Group, Object};
use crate::support::Api;
use serde_json::json;

pub const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav");

const SIMPLER: &str = "
can_have_chains b 0
can_have_drum_pads b 0
class_display_name t \"Simpler\"
class_name t \"OriginalSimpler\"
is_active b 1
name t \"Simpler\" \"Kick\"
type i 1
latency_in_samples i 0
latency_in_ms n 0
can_compare_ab b 1
is_using_compare_preset_b b 0 1
can_warp_as b 1
can_warp_double b 1
can_warp_half b 1
multi_sample_mode b 0
pad_slicing b 0 1
playback_mode i 0 2
playing_position n 0
playing_position_enabled b 0
retrigger b 0 1
slicing_playback_mode i 0 2
voices i 6 32
pitch_bend_range - 1
note_pitch_bend_range - 1
";

const EMPTY: &str = "
can_warp_as b 0
can_warp_double b 0
can_warp_half b 0
voices i 6 9 6              # nine voices cannot be chosen
playback_mode i 0 3 0       # there is no fourth
";

const VIEW: &str = "
is_collapsed b 0 1
selected_slice i 0 100 0    # no slice begins there
sample_start - 1
sample_end - 1
sample_loop_start - 1
sample_loop_end - 1
sample_loop_fade - 1
sample_env_fade_in - 1
sample_env_fade_out - 1
";

const SAMPLE: &str = "
beats_granulation_resolution i 0 6
beats_transient_envelope n 0 100
beats_transient_loop_mode i 0 2
complex_pro_envelope n 0 128
complex_pro_formants n 0 50
end_marker i 11025 5000
file_path t ?
gain n 0.4 1
length i 11025
sample_rate i 22050
slices I [0]
slicing_sensitivity n 0 0.5
start_marker i 0 100
texture_flux n 0 25
texture_grain_size n 0 50
tones_grain_size n 0 30
warp_markers d ?
warp_mode i 0 6
warping b 0 1
slicing_style i 0 3
slicing_beat_division i 0 10
slicing_region_count i 8 64
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set tracks 0 devices 0", class: "SimplerDevice", own: SIMPLER, rest: "" },
    Object { path: "live_set tracks 0 devices 0 view", class: "SimplerDevice.View", own: VIEW, rest: "" },
    Object { path: "live_set tracks 0 devices 0 sample", class: "Sample", own: SAMPLE, rest: "" },
    Object { path: "live_set tracks 1 devices 0", class: "SimplerDevice", own: EMPTY, rest: SIMPLER },
    // Writes that are refused: a REX mode, markers that cross, a file's end.
    Object {
        path: "live_set tracks 0 devices 0 sample",
        class: "Sample",
        own: "
warp_mode i 0 5 0
start_marker i 0 11025 0
end_marker i 11025 11026 11025
slicing_region_count i 8 65 8
gain n 0.4 1.5 0.4
",
        rest: "",
    },
];

const fn simpler(
    function: &'static str,
    good: &'static str,
    gives: &'static str,
    bad: &'static [&'static str],
) -> Call {
    Call { path: "live_set tracks 0 devices 0", class: "SimplerDevice", function, good, gives, bad }
}

/// An empty one refuses what needs a sample.
const fn empty(function: &'static str, good: &'static str) -> Call {
    Call { path: "live_set tracks 1 devices 0", class: "SimplerDevice", function, good, gives: "refused", bad: &[] }
}

const fn sample(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_set tracks 0 devices 0 sample", class: "Sample", function, good, gives, bad }
}

const CALLS: &[Call] = &[
    // They write a new file, which needs a running Live.
    simpler("crop", "[]", "refused", &["[1]"]),
    simpler("reverse", "[]", "refused", &["[1]"]),
    simpler("guess_playback_length", "[]", "n", &["[1]"]),
    simpler("warp_as", "[2]", "none", &["[]", "[0]", "[-4]", "[1000000]", "[\"two\"]"]),
    simpler("warp_double", "[]", "none", &["[1]"]),
    simpler("warp_half", "[]", "none", &["[1]"]),
    simpler(
        "replace_sample",
        concat!("[\"", env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav\"]"),
        "none",
        &["[]", "[\"/nowhere/at/all.wav\"]", "[\"half.wav\"]", "[5]"],
    ),
    simpler("save_preset_to_compare_ab_slot", "[]", "none", &["[1]"]),
    empty("crop", "[]"),
    empty("reverse", "[]"),
    empty("guess_playback_length", "[]"),
    empty("warp_as", "[2]"),
    empty("warp_double", "[]"),
    empty("warp_half", "[]"),
    sample("gain_display_string", "[]", "t", &["[1]"]),
    sample("insert_slice", "[100]", "none", &["[]", "[0]", "[-1]", "[11025]", "[\"x\"]"]),
    sample("move_slice", "[0, 200]", "i", &["[]", "[0]", "[5, 200]", "[0, 99999]", "[0, -1]"]),
    sample("remove_slice", "[0]", "none", &["[]", "[7]", "[-1]"]),
    sample("clear_slices", "[]", "none", &["[1]"]),
    sample("reset_slices", "[]", "none", &["[1]"]),
    // Python's alone.
    sample("beat_to_sample_time", "[1]", "refused", &[]),
    sample("sample_to_beat_time", "[1]", "refused", &[]),
];

pub fn setup(api: &Api) {
    for track in 0..2 {
        let got = api.call(&format!("live_set tracks {track}"), "insert_device", json!(["Simpler"]));
        assert!(got.is_array(), "{got}");
    }
    assert_eq!(api.call("live_set tracks 0 devices 0", "replace_sample", json!([FILE])), json!(["id", 0]));
}

pub const GROUP: Group = Group { setup, objects: OBJECTS, calls: CALLS };
