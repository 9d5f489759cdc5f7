//! The groove pool and the tuning system.

use super::{Group, Object};
use serde_json::json;

const GROOVE: &str = "
base i 3 0
name t \"\" \"Swing\\u002016-65\"
quantization_amount n 0 250 100 # brought into its range, as Live does
random_amount n 0 12.5
timing_amount n 100 0
velocity_amount n 0 -3 0        # brought into its range, as Live does
";

const TUNING: &str = "
name t \"12\\u0020Tone\\u0020Equal\\u0020Temperament\" \"Mine\"
pseudo_octave_in_cents n 1200
number_of_notes_in_pseudo_octave - 1
lowest_note d ?
highest_note d ?
reference_pitch d ?
note_tunings d ?
";

const OBJECTS: &[Object] = &[
    Object { path: "live_set groove_pool", class: "GroovePool", own: "nonsense - 1", rest: "" },
    Object { path: "live_set groove_pool grooves 1", class: "Groove", own: GROOVE, rest: "" },
    Object { path: "live_set tuning_system", class: "TuningSystem", own: TUNING, rest: "" },
];

/// No function makes a groove: they exist in a document that was made by hand.
pub const GROUP: Group = Group {
    setup: |api| {
        api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
        api.edit_saved(|set| {
            let next = set["next_serial"].as_u64().expect("a number");
            set["grooves"] = json!([{"serial": next}, {"serial": next + 1}]);
            set["next_serial"] = json!(next + 2);
        });
    },
    objects: OBJECTS,
    calls: &[],
};
