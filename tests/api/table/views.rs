//! Application, what is shown of it and of the Set, controllers.

use super::{Call, Group, Object};

const APPLICATION: &str = "
current_dialog_button_count i 0
current_dialog_message t \"\"
open_dialog_count i 0
average_process_usage n 0
peak_process_usage n 0
browser - 1
number_of_push_apps_running - 1
unavailable_features - 1
";

const APPLICATION_VIEW: &str = "
browse_mode b 0
focused_document_view t \"Session\"
";

const SONG_VIEW: &str = "
draw_mode b 0 1
follow_song b 0 1               # no default is known; off shows as a bool's zero
";

const TRACK_VIEW: &str = "
device_insert_mode i 0 2
is_collapsed b 0 1
";

const SURFACE: &str = "
pad_layout t \"\"
";

const OBJECTS: &[Object] = &[
    Object { path: "live_app", class: "Application", own: APPLICATION, rest: "" },
    Object { path: "live_app view", class: "Application.View", own: APPLICATION_VIEW, rest: "" },
    Object { path: "live_set view", class: "Song.View", own: SONG_VIEW, rest: "" },
    Object { path: "live_set tracks 0 view", class: "Track.View", own: TRACK_VIEW, rest: "" },
    Object { path: "live_set return_tracks 0 view", class: "Track.View", own: TRACK_VIEW, rest: "" },
    Object { path: "live_set master_track view", class: "Track.View", own: TRACK_VIEW, rest: "" },
    Object { path: "control_surfaces 1", class: "ControlSurface", own: SURFACE, rest: "" },
];

const fn app(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_app", class: "Application", function, good, gives, bad }
}

const fn view(function: &'static str, good: &'static str, gives: &'static str, bad: &'static [&'static str]) -> Call {
    Call { path: "live_app view", class: "Application.View", function, good, gives, bad }
}

const fn surface(function: &'static str, good: &'static str) -> Call {
    Call {
        path: "control_surfaces 0",
        class: "ControlSurface",
        function,
        good,
        gives: "refused",
        bad: &["[1, 2, 3, 4]"],
    }
}

const NO_VIEW: &[&str] = &["[]", "[\"Mixer\"]", "[\"session\"]", "[1]"];

const CALLS: &[Call] = &[
    app("get_major_version", "[]", "i", &["[1]"]),
    app("get_minor_version", "[]", "i", &["[1]"]),
    app("get_bugfix_version", "[]", "i", &["[1]"]),
    app("get_version_string", "[]", "t", &["[1]"]),
    app("get_document", "[]", "id", &["[1]"]),
    app("press_current_dialog_button", "[0]", "refused", &["[]", "[\"OK\"]"]),
    // Python's own.
    app("get_build_id", "", "none", &["[]"]),
    app("get_variant", "", "none", &["[]"]),
    app("has_option", "", "none", &["[\"x\"]"]),
    app("show_message", "", "none", &["[\"x\"]"]),
    app("show_on_the_fly_message", "", "none", &["[\"x\"]"]),
    view("available_main_views", "[]", "T", &["[1]"]),
    view("focus_view", "[\"\"]", "none", NO_VIEW),
    view("show_view", "[\"Detail/Clip\"]", "none", &["[]", "[\"\"]", "[\"Mixer\"]", "[1]"]),
    view("hide_view", "[\"Browser\"]", "none", &["[]", "[\"\"]", "[\"Mixer\"]", "[1]"]),
    view("is_view_visible", "[\"Session\"]", "b", &["[]", "[\"\"]", "[\"Mixer\"]", "[\"Session\", 3]"]),
    view(
        "scroll_view",
        "[0, \"Session\", 0]",
        "none",
        &["[4, \"Session\", 0]", "[0, \"Mixer\", 0]", "[0, \"Session\"]"],
    ),
    view(
        "zoom_view",
        "[3, \"Arranger\", 1]",
        "none",
        &["[4, \"Arranger\", 0]", "[0, \"Mixer\", 0]", "[0, \"Session\"]"],
    ),
    view("toggle_browse", "[]", "none", &["[1]"]),
    Call {
        path: "live_set view",
        class: "Song.View",
        function: "select_device",
        good: "[\"<live_set return_tracks 0 devices 0>\"]",
        gives: "none",
        bad: &["[]", "[\"id 0\"]", "[\"id 999999\"]", "[\"id 1\"]", "[\"Reverb\"]"],
    },
    Call {
        path: "live_set return_tracks 0 view",
        class: "Track.View",
        function: "select_instrument",
        good: "[]",
        gives: "b",
        bad: &["[1]"],
    },
    surface("get_control", "[\"Play_Button\"]"),
    surface("get_control_names", "[]"),
    surface("grab_control", "[\"id 1\"]"),
    surface("grab_midi", "[]"),
    surface("register_midi_control", "[\"x\", 176, 1]"),
    surface("release_control", "[\"id 1\"]"),
    surface("release_midi", "[]"),
    surface("send_midi", "[[144, 60, 100]]"),
    // Python's own.
    Call {
        path: "control_surfaces 0",
        class: "ControlSurface",
        function: "send_receive_sysex",
        good: "",
        gives: "none",
        bad: &["[[240, 247]]"],
    },
];

/// Controllers exist in a document that was made on a host that has them.
pub const GROUP: Group = Group {
    setup: |api| api.edit_saved(|set| set["song"]["control_surfaces"] = serde_json::json!(["Push2", "APC40"])),
    objects: OBJECTS,
    calls: CALLS,
};
