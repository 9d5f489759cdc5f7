//! Views and selection: what drags what along, and that none of it is a step.

use crate::support::Api;
use serde_json::{Value, json};

const VIEW: &str = "live_app view";

fn pair(api: &Api, path: &str) -> Value {
    json!(["id", api.id(path).parse::<u64>().expect("digits")])
}

fn id(api: &Api, path: &str) -> Value {
    json!(format!("id {}", api.id(path)))
}

#[test]
fn exactly_one_main_view_shows() {
    let api = Api::raw_enabled();
    let names = ["Browser", "Arranger", "Session", "Detail", "Detail/Clip", "Detail/DeviceChain"];
    assert_eq!(api.call(VIEW, "available_main_views", json!([])), json!(names));
    let shown = || names.map(|name| api.call(VIEW, "is_view_visible", json!([name]))[0].as_u64().expect("0 or 1"));
    assert_eq!(shown(), [1, 0, 1, 1, 0, 1]);
    // function, view, what shows after
    let steps: [(&str, &str, [u64; 6]); 12] = [
        ("show_view", "Arranger", [1, 1, 0, 1, 0, 1]),
        ("hide_view", "Arranger", [1, 0, 1, 1, 0, 1]),
        ("hide_view", "Session", [1, 1, 0, 1, 0, 1]),
        ("focus_view", "Session", [1, 0, 1, 1, 0, 1]),
        ("hide_view", "Browser", [0, 0, 1, 1, 0, 1]),
        ("hide_view", "Detail", [0, 0, 1, 0, 0, 0]),
        ("show_view", "Detail/Clip", [0, 0, 1, 1, 1, 0]),
        ("hide_view", "Detail/DeviceChain", [0, 0, 1, 1, 1, 0]),
        ("focus_view", "Detail/DeviceChain", [0, 0, 1, 1, 0, 1]),
        ("hide_view", "Detail/DeviceChain", [0, 0, 1, 0, 0, 0]),
        ("focus_view", "", [0, 0, 1, 0, 0, 0]),
        ("show_view", "Detail", [0, 0, 1, 1, 0, 1]),
    ];
    for (function, view, expected) in steps {
        assert_eq!(api.call(VIEW, function, json!([view])), json!(["id", 0]));
        assert_eq!(shown(), expected, "{function} {view}");
        let main = if expected[1] == 1 { "Arranger" } else { "Session" };
        assert_eq!(api.get(VIEW, "focused_document_view"), json!([main]));
    }
    assert_eq!(api.get("live_set", "can_undo"), json!([0]), "looking at something is no step");
    // Swapping needs a selected device.
    api.call(VIEW, "toggle_browse", json!([]));
    assert_eq!((api.get(VIEW, "browse_mode"), shown()), (json!([0]), [1, 0, 1, 1, 0, 1]));
    api.set("live_set view", "selected_track", id(&api, "live_set return_tracks 0"));
    api.call("live_set view", "select_device", json!([id(&api, "live_set return_tracks 0 devices 0")]));
    for on in [1, 0] {
        api.call(VIEW, "toggle_browse", json!([]));
        assert_eq!(api.get(VIEW, "browse_mode"), json!([on]));
    }
}

#[test]
fn the_application_says_which_object_model_it_answers() {
    let api = Api::raw_enabled();
    let part = |name: &str| api.call("live_app", name, json!([]));
    assert_eq!(
        [part("get_major_version"), part("get_minor_version"), part("get_bugfix_version"), part("get_version_string")],
        [json!([12]), json!([4]), json!([0]), json!(["12.4"])]
    );
    assert_eq!(part("get_document"), pair(&api, "live_set"));
    assert_eq!(api.get("live_app", "canonical_parent"), json!(1), "nothing is above it");
    assert_eq!(api.raw("live_app", json!([{"type": "getcount", "property": "control_surfaces"}]))[0], 0);
    assert_eq!(api.raw("control_surfaces 0", json!([{"type": "exists"}]))[0], false);
    assert_eq!(api.raw("this_device", json!([{"type": "exists"}]))[0], false);
}

#[test]
fn devices_are_selected_within_their_track() {
    let api = Api::raw_enabled();
    api.call("live_set return_tracks 1", "insert_device", json!(["Reverb"]));
    let (reverb, delay) = ("live_set return_tracks 0 devices 0", "live_set return_tracks 1 devices 0");
    let selected = |track: &str| api.get(&format!("{track} view"), "selected_device");
    let none = json!(["id", 0]);
    assert_eq!(
        (selected("live_set return_tracks 0"), api.get("live_set", "appointed_device")),
        (none.clone(), none.clone())
    );
    // Not on the selected track: the blue hand stays away, and so does the selected track.
    let track = api.get("live_set view", "selected_track");
    api.call("live_set view", "select_device", json!([id(&api, reverb)]));
    assert_eq!(
        (selected("live_set return_tracks 0"), api.get("live_set", "appointed_device")),
        (pair(&api, reverb), none)
    );
    assert_eq!(api.get("live_set view", "selected_track"), track);
    // It follows to a track's own device when the track is selected.
    api.set("live_set view", "selected_track", id(&api, "live_set return_tracks 0"));
    assert_eq!(api.get("live_set", "appointed_device"), pair(&api, reverb));
    assert_eq!(api.get("live_set view", "highlighted_clip_slot"), json!(["id", 0]), "a return has no slots");
    api.set("live_set view", "selected_track", id(&api, "live_set return_tracks 1"));
    api.call("live_set view", "select_device", json!([id(&api, delay), 0]));
    assert_eq!(api.get("live_set", "appointed_device"), pair(&api, reverb), "not appointed: the second argument");
    api.call("live_set view", "select_device", json!([id(&api, delay)]));
    assert_eq!(api.get("live_set", "appointed_device"), pair(&api, delay));
    let before = api.get("live_set", "appointed_device");
    api.set("live_set", "appointed_device", id(&api, reverb));
    assert_eq!(api.get("live_set", "appointed_device"), before, "read only");
    // Gone with the device.
    api.call("live_set return_tracks 1", "delete_device", json!([0]));
    assert_eq!(
        (selected("live_set return_tracks 1"), api.get("live_set", "appointed_device")),
        (json!(["id", 0]), json!(["id", 0]))
    );
    api.call("live_set", "undo", json!([]));
    assert_eq!(api.get("live_set", "can_undo"), json!([1]), "one step to go: the device that was inserted");
}

#[test]
fn the_instrument_of_a_track_is_selected_and_shown() {
    let api = Api::raw_enabled();
    let track = "live_set tracks 1";
    let view = "live_set tracks 1 view";
    assert_eq!(api.call(view, "select_instrument", json!([])), json!([0]), "there is no device");
    api.call(track, "insert_device", json!(["Arpeggiator"]));
    api.call(track, "insert_device", json!(["Drift"]));
    api.call(VIEW, "hide_view", json!(["Detail"]));
    assert_eq!(api.call(view, "select_instrument", json!([])), json!([1]));
    assert_eq!(api.get(view, "selected_device"), pair(&api, "live_set tracks 1 devices 1"));
    assert_eq!(api.get("live_set view", "selected_track"), pair(&api, track));
    assert_eq!(api.call(VIEW, "is_view_visible", json!(["Detail/DeviceChain"])), json!([1]));
    let effect = "live_set return_tracks 0 view";
    assert_eq!(api.call(effect, "select_instrument", json!([])), json!([1]), "without one, the first device");
}

#[test]
fn a_clip_is_shown_where_its_main_view_is() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
    let clip = "live_set tracks 0 clip_slots 0 clip";
    let set = |value: Value| api.set("live_set view", "detail_clip", value);
    api.call(VIEW, "show_view", json!(["Arranger"]));
    assert_eq!(set(id(&api, clip)), json!(["id", 0]), "the Session is not showing");
    api.call(VIEW, "show_view", json!(["Session"]));
    assert_eq!(set(id(&api, clip)), pair(&api, clip));
    assert_eq!(set(json!("id 999999")), pair(&api, clip));
    assert_eq!(set(json!("id 0")), json!(["id", 0]));
    assert_eq!(api.get("live_set view", "selected_parameter"), json!(["id", 0]));
    assert_eq!(api.get("live_set view", "selected_chain"), json!(["id", 0]));
}

/// What was written to a tuning reads back; what makes no tuning is dropped.
#[test]
fn tunings_are_looked_at() {
    let api = Api::raw_enabled();
    let path = "live_set tuning_system";
    let read = |member: &str| -> Value {
        serde_json::from_str(api.get(path, member)[0].as_str().expect("a text")).expect("JSON")
    };
    let cents: Vec<f64> = (0..12).map(|n| f64::from(n) * 99.5).collect();
    let good = [
        ("lowest_note", json!({"index_in_octave": 3, "octave": 0})),
        ("highest_note", json!({"index_in_octave": 0, "octave": 7})),
        ("reference_pitch", json!({"index_in_octave": 9, "octave": 3, "frequency": 432.0})),
        ("note_tunings", json!({ "note_tunings": cents })),
    ];
    assert_eq!(read("reference_pitch")["frequency"], 440.0);
    assert_eq!(read("note_tunings")["note_tunings"].as_array().map(Vec::len), Some(12));
    for (member, value) in &good {
        // As JSON text, and as JSON.
        api.set(path, member, json!(value.to_string()));
        assert_eq!(read(member), *value);
        api.set(path, member, value.clone());
        assert_eq!(read(member), *value);
    }
    let before = api.saved();
    for (member, value) in [
        ("lowest_note", json!({"index_in_octave": 12, "octave": 0})),
        ("lowest_note", json!({"index_in_octave": 0, "octave": 8})),
        ("lowest_note", json!({"index_in_octave": 0})),
        ("highest_note", json!({"index_in_octave": 0, "octave": -2})),
        ("highest_note", json!({"index_in_octave": 0.5, "octave": 3})),
        ("highest_note", json!({"index_in_octave": 0, "octave": 7, "x": 1})),
        ("reference_pitch", json!({"index_in_octave": 9, "octave": 3, "frequency": 0})),
        ("reference_pitch", json!({"index_in_octave": 9, "octave": 3})),
        ("note_tunings", json!({"note_tunings": [0, 100]})),
        ("note_tunings", json!({"note_tunings": vec!["x"; 12]})),
        ("note_tunings", json!(cents)),
        ("pseudo_octave_in_cents", json!(1100)),
        ("name", json!({"x": 1})),
        ("lowest_note", json!("nonsense")),
    ] {
        api.set(path, member, value.clone());
        assert_eq!(api.saved(), before, "{member} = {value}");
    }
    api.set(path, "name", json!("Slendro"));
    assert_eq!(api.get(path, "name"), json!(["Slendro"]));
    api.call("live_set", "undo", json!([]));
    assert_eq!(api.get(path, "name"), json!(["12 Tone Equal Temperament"]));
}

/// Values that only a range of the table keeps out.
#[test]
fn grooves_keep_to_their_ranges() {
    let api = Api::raw_enabled();
    api.edit_saved(|set| {
        let next = set["next_serial"].as_u64().expect("a number");
        set["grooves"] = json!([{"serial": next}]);
        set["next_serial"] = json!(next + 1);
    });
    let groove = "live_set groove_pool grooves 0";
    for (member, value, reads) in [
        ("base", json!(6), json!([3])),
        ("base", json!(5), json!([5])),
        ("timing_amount", json!(100.5), json!([100])),
        ("random_amount", json!(-1), json!([0])),
        ("random_amount", json!("5"), json!([0])),
        ("quantization_amount", json!(101), json!([100])),
        ("quantization_amount", json!(-1), json!([0])),
        ("quantization_amount", json!("5"), json!([0])),
    ] {
        assert_eq!(api.set(groove, member, value.clone()), reads, "{member} = {value}");
    }
    assert_eq!(api.set("live_set", "groove_amount", json!(1.3125)), json!([1.3125]));
    assert_eq!(api.set("live_set", "groove_amount", json!(1.4)), json!([1.3125]));
    assert_eq!(api.get(groove, "canonical_parent"), pair(&api, "live_set groove_pool"));
    assert_eq!(api.raw_call(&format!("id {}", api.id(groove)), json!([{"type": "exists"}]))["path"], groove);
}

#[test]
fn what_is_selected_and_goes_away_leaves_its_neighbour_selected() {
    let api = Api::raw_enabled();
    let selected = |member: &str| api.get("live_set view", member);
    for (member, list, delete, at, then) in [
        ("selected_track", "tracks", "delete_track", 1, 1),
        ("selected_track", "tracks", "delete_track", 2, 1),
        ("selected_scene", "scenes", "delete_scene", 3, 3),
        ("selected_scene", "scenes", "delete_scene", 6, 5),
    ] {
        api.set("live_set view", member, id(&api, &format!("live_set {list} {at}")));
        api.call("live_set", delete, json!([at]));
        assert_eq!(selected(member), pair(&api, &format!("live_set {list} {then}")), "{delete} {at}");
    }
    // Another's end moves nothing.
    let scene = selected("selected_scene");
    api.call("live_set", "delete_scene", json!([0]));
    assert_eq!(selected("selected_scene"), scene);
}
