//! Rules of the raw tool: what is refused before anything runs, ids and paths, what a cursor follows, undo.

use crate::support::Api;
use serde_json::{Value, json};

const CLIP: &str = "live_set tracks 0 clip_slots 0 clip";

#[test]
fn operations_are_validated_before_the_first_runs() {
    let api = Api::raw_enabled();
    let first = json!({"type": "set", "property": "tempo", "value": 99});
    // an operation, what the refusal says beside its place
    let cases = [
        (json!({"type": "get"}), "get needs property"),
        (json!({"type": "get", "property": null}), "get needs property"),
        (json!({"type": "set", "property": "tempo"}), "set needs value"),
        (json!({"type": "set", "value": 3}), "set needs property"),
        (json!({"type": "set_property", "property": "tempo"}), "set_property needs value"),
        (json!({"type": "call"}), "call needs method"),
        (json!({"type": "call_method"}), "call_method needs method"),
        (json!({"type": "goto"}), "goto needs value"),
        (json!({"type": "goto", "value": ""}), "not empty"),
        (json!({"type": "goto", "value": 4}), "text"),
        (json!({"type": "setColor"}), "setColor needs value"),
        (json!({"type": "setColor", "value": ""}), "not empty"),
        (json!({"type": "setColor", "value": "red"}), "#FF8800"),
        (json!({"type": "setColor", "value": "#+12345"}), "#FF8800"),
        (json!({"type": "set_path"}), "set_path needs value"),
        (json!({"type": "set_mode", "value": 2}), "0"),
        (json!({"type": "set_mode", "value": "1"}), "0"),
        (json!({"type": "get_property", "property": "tempo"}), "no field \"tempo\""),
        (json!({"type": "getcount", "property": "tracks", "value": 1}), "does not read value"),
        (json!({"type": "get", "property": "tempo", "method": "x"}), "does not read method"),
        (json!({"type": "get", "property": "tempo", "args": []}), "does not read args"),
        (json!({"type": "info", "property": "tempo"}), "does not read property"),
        (json!({"type": "call_method", "method": "create_scene", "args": [-1]}), "no method \"create_scene\""),
        (json!({"type": "call_method", "method": "getProperty"}), "args[0]"),
    ];
    for (operation, words) in cases {
        let text = api.raw_refused("live_set", json!([first, operation]));
        assert!(text.starts_with("operations[1]: ") && text.contains(words), "{operation}: {text}");
    }
    assert_eq!(api.get("live_set", "tempo"), json!([120]));
    // null is "not sent".
    let operation = json!({"type": "get", "property": "tempo", "value": null, "method": null, "args": null});
    assert_eq!(api.raw("live_set", json!([operation])), [json!([120])]);
}

#[test]
fn fifty_operations_and_no_more() {
    let api = Api::raw_enabled();
    let operations = |count: usize| json!(vec![json!({"type": "get", "property": "tempo"}); count]);
    assert_eq!(api.raw("live_set", operations(50)).len(), 50);
    let body = api.bad("svc-live-api", json!({"path": "live_set", "operations": operations(51)}));
    assert!(body["error"].as_str().is_some_and(|e| e.contains("at most 50")), "{body}");
}

#[test]
fn kebab_spellings_are_the_same_operations() {
    let api = Api::raw_enabled();
    let pairs = [
        (json!({"type": "get-property", "property": "tempo"}), json!({"type": "getProperty", "property": "tempo"})),
        (json!({"type": "get-field", "property": "type"}), json!({"type": "get_property", "property": "type"})),
        (json!({"type": "get-child-ids", "property": "scenes"}), json!({"type": "getChildIds", "property": "scenes"})),
        (json!({"type": "get-color"}), json!({"type": "getColor"})),
        (
            json!({"type": "set-property", "property": "tempo", "value": 99}),
            json!({"type": "set_property", "property": "tempo", "value": 99}),
        ),
        (json!({"type": "call-method", "method": "exists"}), json!({"type": "call_method", "method": "exists"})),
        (json!({"type": "set-mode", "value": 1}), json!({"type": "set_mode", "value": 1})),
        (json!({"type": "set-path", "value": ""}), json!({"type": "set_path", "value": ""})),
        (json!({"type": "set-color", "value": "#FF0000"}), json!({"type": "setColor", "value": "#FF0000"})),
    ];
    for (kebab, plain) in pairs {
        assert_eq!(api.raw("live_set", json!([kebab])), api.raw("live_set", json!([plain])), "{kebab}");
    }
    let listed = api.request("GET", "/api/tools", "", "").json();
    let tool =
        listed["tools"].as_array().expect("a list").iter().find(|t| t["name"] == "svc-live-api").expect("listed");
    let types = &tool["inputSchema"]["properties"]["operations"]["items"]["properties"]["type"]["enum"];
    assert_eq!(
        *types,
        json!([
            "get",
            "set",
            "set_property",
            "call",
            "goto",
            "info",
            "getcount",
            "getstring",
            "getProperty",
            "getChildIds",
            "exists",
            "getColor",
            "setColor",
            "get_property",
            "call_method",
            "set_path",
            "set_mode"
        ])
    );
}

/// Kebab spellings are taken and not told of.
#[test]
fn a_refused_type_lists_the_published_ones() {
    let api = Api::raw_enabled();
    let body = api.bad("svc-live-api", json!({"path": "live_set", "operations": [{"type": "read"}]}));
    let fault = &body["details"][0];
    assert_eq!(fault["path"], "/operations/0/type");
    let allowed: Vec<&str> = fault["allowed"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!((allowed.len(), allowed.iter().any(|name| name.contains('-'))), (17, false), "{allowed:?}");
    let text = body["error"].as_str().expect("a text");
    assert!(text.contains("get, set, set_property") && !text.contains("get-field"), "{text}");
}

#[test]
fn the_404_says_how_to_switch_it_on() {
    let api = Api::new();
    let reply = api.post("/api/tools/svc-live-api", "", &json!({"path": "live_set", "operations": []}));
    let text = reply.json()["error"].as_str().expect("a text").to_owned();
    assert_eq!(reply.status, 404);
    assert!(text.contains("liveApiEnabled") && text.contains("x-svc-live-api: true"), "{text}");
    let other = api.post("/api/tools/svc-nonsense", "", &json!({})).json();
    assert!(other["error"].as_str().is_some_and(|text| !text.contains("liveApiEnabled")), "{other}");
}

/// Sections in Live's order, names sorted inside, and only what the very object has.
#[test]
fn info_lists_what_the_object_has() {
    let api = Api::raw_enabled();
    let info = |path: &str| {
        let text = api.raw(path, json!([{"type": "info"}])).remove(0).as_str().expect("a text").to_owned();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(lines.last().map(String::as_str), Some("done"), "{path}");
        assert_eq!(lines[0], format!("id {}", api.id(path)));
        assert!(lines[1].starts_with("type ") && lines[2].starts_with("description "), "{path}: {lines:?}");
        let rank = |line: &String| {
            let section = line.split(' ').next().unwrap_or_default();
            let at = ["children", "child", "property", "function"].iter().position(|s| *s == section);
            (at.unwrap_or_else(|| panic!("{path}: {line}")), line.clone())
        };
        let body: Vec<_> = lines[3..lines.len() - 1].iter().map(rank).collect();
        assert!(body.is_sorted(), "{path}: {body:?}");
        lines
    };
    let has = |lines: &[String], line: &str| lines.iter().any(|l| l == line);
    let track = info("live_set tracks 0");
    for line in [
        "type Track",
        "children arrangement_clips Clip",
        "children clip_slots ClipSlot",
        "child canonical_parent Song",
        "child view View",
        "property arm bool",
        "property color int",
        "property name str",
        "function create_midi_clip",
    ] {
        assert!(has(&track, line), "{line}: {track:?}");
    }
    assert!(!has(&track, "property fold_state int") && !has(&track, "property output_meter_left float"));
    assert!(!track.iter().any(|l| l.ends_with("get_data")), "Python's own");
    let main = info("live_set master_track");
    assert!(!has(&main, "property arm bool") && !has(&main, "property mute bool") && has(&main, "property name str"));
    // A parent that may be of several classes is told as it is.
    for (path, parent) in [
        ("live_set return_tracks 0 devices 0", "Track"),
        ("live_set return_tracks 0 devices 0 parameters 0", "Device"),
        ("live_set tracks 0 mixer_device volume", "MixerDevice"),
    ] {
        assert!(has(&info(path), &format!("child canonical_parent {parent}")), "{path}");
    }
    let scene = info("live_set scenes 0");
    assert!(!has(&scene, "property color int"), "it has none now");
    for path in
        ["live_set", "live_app", "live_app view", "live_set view", "live_set groove_pool", "live_set tuning_system"]
    {
        info(path);
    }
}

#[test]
fn one_object_has_one_path_whatever_the_route() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t1/s2", "length": "1bar"}));
    let clip = "live_set tracks 1 clip_slots 2 clip";
    let id = api.id(clip);
    api.set("live_set view", "detail_clip", json!(format!("id {id}")));
    let track = api.id("live_set tracks 1");
    api.set("live_set view", "selected_track", json!(format!("id {track}")));
    let routes = [
        (clip.to_owned(), clip),
        ("live_set scenes 2 clip_slots 1 clip".to_owned(), clip),
        ("live_set visible_tracks 1 clip_slots 2 clip".to_owned(), clip),
        ("live_set view detail_clip".to_owned(), clip),
        (format!("id {id}"), clip),
        (id.clone(), clip),
        (format!("{clip} view canonical_parent"), clip),
        ("  live_set   tracks 1  clip_slots 2 clip ".to_owned(), clip),
        ("live_set view selected_track".to_owned(), "live_set tracks 1"),
        (format!("{clip} canonical_parent canonical_parent"), "live_set tracks 1"),
        ("live_set tracks 1 canonical_parent".to_owned(), "live_set"),
        ("live_set view canonical_parent".to_owned(), "live_set"),
        ("live_set tracks 0 mixer_device sends 1".to_owned(), "live_set tracks 0 mixer_device sends 1"),
        ("live_set tracks 0 mixer_device volume canonical_parent".to_owned(), "live_set tracks 0 mixer_device"),
        (
            "live_set return_tracks 1 devices 0 parameters 3".to_owned(),
            "live_set return_tracks 1 devices 0 parameters 3",
        ),
        (
            "live_set return_tracks 1 devices 0 parameters 3 canonical_parent view".to_owned(),
            "live_set return_tracks 1 devices 0 view",
        ),
        ("live_set scenes 3 clip_slots 0".to_owned(), "live_set tracks 0 clip_slots 3"),
    ];
    for (route, canonical) in routes {
        let answer = api.raw_call(&route, json!([{"type": "get_property", "property": "path"}]));
        assert_eq!(answer["path"], canonical, "{route}");
        assert_eq!(answer["results"][0]["result"], canonical, "{route}");
        assert_eq!(answer["id"], api.id(canonical), "{route}: the same object, the same id");
    }
}

#[test]
fn ids_are_never_used_again() {
    let api = Api::raw_enabled();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..3 {
        for (make, path, delete) in [
            (
                json!({"type": "call", "method": "create_midi_track", "args": [0]}),
                "live_set tracks 0",
                json!({"type": "call", "method": "delete_track", "args": [0]}),
            ),
            (
                json!({"type": "call", "method": "create_scene", "args": [0]}),
                "live_set scenes 0",
                json!({"type": "call", "method": "delete_scene", "args": [0]}),
            ),
        ] {
            let made = api.raw("live_set", json!([make])).remove(0);
            assert_eq!(made, json!(["id", api.id(path).parse::<u64>().expect("digits")]));
            assert!(seen.insert(api.id(path)), "{path}");
            if path.contains("tracks") {
                for inner in ["mixer_device", "clip_slots 0", "mixer_device volume", "view"] {
                    assert!(seen.insert(api.id(&format!("{path} {inner}"))), "{inner}");
                }
            }
            api.raw("live_set", json!([delete]));
        }
    }
    for id in &seen {
        assert_eq!(api.raw(&format!("id {id}"), json!([{"type": "exists"}]))[0], false, "{id}");
    }
}

/// No operation on an object moves it among its siblings, so this looks at the cursor itself.
#[test]
fn a_held_cursor_follows_its_object() {
    use svc_device::object_model::wrapper::Wrapper;
    use svc_device::set::model::SetState;
    let mut set = SetState::alone();
    let song = Wrapper::at(&set, "live_set").unwrap();
    let track = Wrapper::at(&set, "live_set tracks 1").unwrap();
    let volume = Wrapper::at(&set, "live_set tracks 1 mixer_device volume").unwrap();
    let last = Wrapper::at(&set, "live_set tracks 4").unwrap();
    let id = track.id_text();
    song.call(&mut set, "create_audio_track", &[json!(0)]).unwrap();
    assert_eq!(track.path(&set).unwrap(), "live_set tracks 2");
    assert_eq!(volume.path(&set).unwrap(), "live_set tracks 2 mixer_device volume");
    assert_eq!(track.get(&set, "name").unwrap(), json!(["3-MIDI"]), "the default name shows the position");
    // Made on a missing path, it stays empty when an object appears there.
    assert_eq!(
        (last.id_text(), last.path(&set).unwrap(), last.exists(&set).unwrap()),
        ("0".to_owned(), String::new(), false)
    );
    song.call(&mut set, "delete_track", &[json!(0)]).unwrap();
    assert_eq!(track.path(&set).unwrap(), "live_set tracks 1");
    // Deleted while it is held: the number stays, the path is empty, reads answer nothing, a new look-up gives 0.
    song.call(&mut set, "delete_track", &[json!(1)]).unwrap();
    assert_eq!((track.id_text(), track.path(&set).unwrap()), (id.clone(), String::new()));
    assert_eq!(
        (track.get(&set, "name").unwrap(), track.exists(&set).unwrap(), volume.exists(&set).unwrap()),
        (json!(1), false, false)
    );
    assert_eq!(Wrapper::at(&set, &format!("id {id}")).unwrap().id_text(), "0");
}

#[test]
fn a_cursor_on_an_object_that_undo_takes_away() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
    let id = api.id(CLIP);
    let song = api.id("live_set");
    assert_ne!(id, song);
    // Made by the call before this one; its undo runs from the song, so the clip is reached again by its id.
    let results = api.raw(
        "live_set",
        json!([{"type": "call", "method": "undo"}, {"type": "goto", "value": format!("id {id}")}, {"type": "exists"},
               {"type": "goto", "value": "live_set"}, {"type": "call", "method": "redo"}, {"type": "goto", "value": format!("id {id}")},
               {"type": "get_property", "property": "path"}]),
    );
    assert_eq!((&results[2], &results[6]), (&json!(false), &json!(CLIP)), "undo and redo keep ids");
}

#[test]
fn undo_and_redo_inside_a_call() {
    let api = Api::raw_enabled();
    let set = |tempo: f64| json!({"type": "set", "property": "tempo", "value": tempo});
    let get = json!({"type": "get", "property": "tempo"});
    let undo = json!({"type": "call", "method": "undo"});
    let redo = json!({"type": "call", "method": "redo"});
    let can = |what: &str| json!({"type": "get", "property": format!("can_{what}")});
    let results = api.raw("live_set", json!([can("undo"), can("redo"), undo, redo, get]));
    assert_eq!(results[0..2], [json!([0]), json!([0])], "a new Set has nothing to undo");
    assert_eq!(results[4], json!([120]));
    // A raw undo first closes the step of the operations before it.
    let results =
        api.raw("live_set", json!([set(100.0), set(110.0), undo, get, redo, get, set(130.0), can("redo"), undo, get]));
    assert_eq!(
        [&results[3], &results[5], &results[7], &results[9]],
        [&json!([120]), &json!([110]), &json!([0]), &json!([110])]
    );
    // One step a call, one step back a call.
    api.set("live_set", "tempo", json!(140));
    api.ok("svc-update-track", json!({"path": "t0,t1", "name": "A,B"}));
    api.call("live_set", "undo", json!([]));
    assert_eq!(api.ok("svc-read-track", json!({"path": "t1"}))["name"], "2-MIDI", "a tool call is one step");
    assert_eq!(api.get("live_set", "tempo"), json!([140]));
    api.call("live_set", "undo", json!([]));
    assert_eq!(api.get("live_set", "tempo"), json!([110]));
    // Selecting and reading make no step.
    api.set("live_set view", "selected_scene", json!(format!("id {}", api.id("live_set scenes 3"))));
    api.ok("svc-read-live-set", json!({"include": ["*"]}));
    assert_eq!(api.get("live_set", "can_redo"), json!([1]));
    api.call("live_set", "redo", json!([]));
    api.call("live_set", "redo", json!([]));
    assert_eq!(api.get("live_set", "tempo"), json!([140]));
    assert_eq!(api.get("live_set", "can_redo"), json!([0]));
}

#[test]
fn selecting() {
    let api = Api::raw_enabled();
    let id = |path: &str| format!("id {}", api.id(path));
    let pair = |path: &str| json!(["id", api.id(path).parse::<u64>().expect("digits")]);
    let view = "live_set view";
    assert_eq!(api.set(view, "selected_track", json!(id("live_set tracks 2"))), pair("live_set tracks 2"));
    assert_eq!(api.set(view, "selected_scene", json!(id("live_set scenes 4"))), pair("live_set scenes 4"));
    assert_eq!(api.get(view, "highlighted_clip_slot"), pair("live_set tracks 2 clip_slots 4"));
    api.set(view, "highlighted_clip_slot", json!(id("live_set tracks 1 clip_slots 0")));
    assert_eq!(api.get(view, "selected_track"), pair("live_set tracks 1"));
    assert_eq!(api.get(view, "selected_scene"), pair("live_set scenes 0"));
    // Refused: another class, nothing, a dead id, a text that is no id.
    for value in [id("live_set scenes 0"), "id 0".to_owned(), "id 999999".to_owned(), "t0".to_owned(), String::new()] {
        assert_eq!(api.set(view, "selected_track", json!(value)), pair("live_set tracks 1"), "{value}");
    }
    // Both spellings of an object.
    let number = api.id("live_set tracks 3").parse::<u64>().expect("digits");
    assert_eq!(api.set(view, "selected_track", json!(["id", number])), pair("live_set tracks 3"));
    // What is selected and goes away leaves something selected.
    api.call("live_set", "delete_track", json!([3]));
    let selected = api.get(view, "selected_track");
    assert_ne!(selected, json!(["id", 0]));
    assert_eq!(api.raw("live_set view selected_track", json!([{"type": "exists"}]))[0], true);
    assert_eq!(api.get(view, "detail_clip"), json!(["id", 0]));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
    assert_eq!(api.set(view, "detail_clip", json!(id(CLIP))), pair(CLIP));
    api.call("live_set tracks 0 clip_slots 0", "delete_clip", json!([]));
    assert_eq!(api.get(view, "detail_clip"), json!(["id", 0]));
    let _: Value = api.get(view, "selected_parameter");
}

#[test]
fn launch_state_over_a_bar() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "notes": "C3 1|1", "length": "1bar"}));
    let track = "live_set tracks 0";
    let state = || (api.get(track, "playing_slot_index"), api.get(track, "fired_slot_index"));
    assert_eq!(state(), (json!([-1]), json!([-1])), "nothing was ever launched");
    // A slow bar, so that what waits can be seen waiting.
    api.set("live_set", "tempo", json!(20));
    api.set("live_set", "clip_trigger_quantization", json!(1));
    api.call("live_set tracks 0 clip_slots 0", "fire", json!([]));
    api.wait_for(CLIP, "is_playing", json!([1]));
    assert_eq!(state(), (json!([0]), json!([-1])), "with the transport stopped it starts at once");
    assert_eq!(api.get("live_set", "is_playing"), json!([1]));
    assert_eq!(api.get("live_set", "back_to_arranger"), json!([1]));
    let slot = "live_set tracks 0 clip_slots 0";
    assert_eq!((api.get(slot, "is_playing"), api.get(slot, "playing_status")), (json!([1]), json!([0])));

    api.call("live_set tracks 0 clip_slots 1", "fire", json!([]));
    assert_eq!(state(), (json!([0]), json!([1])), "it waits for its boundary");
    assert_eq!(api.get("live_set tracks 0 clip_slots 1", "is_triggered"), json!([1]));
    assert_eq!(api.get("live_set tracks 0 clip_slots 1 clip", "is_triggered"), json!([1]));
    api.call(track, "stop_all_clips", json!([]));
    assert_eq!(state(), (json!([0]), json!([-2])), "a stop waits too");
    api.call("live_set", "undo", json!([]));
    assert_eq!(state(), (json!([0]), json!([-2])), "undo launches and stops nothing");
    api.call(track, "stop_all_clips", json!([false]));
    api.wait_for(track, "playing_slot_index", json!([-2]));
    assert_eq!(state(), (json!([-2]), json!([-1])));
    api.set("live_set", "back_to_arranger", json!(0));
    assert_eq!(state(), (json!([-1]), json!([-1])), "back to the Arrangement");
    assert_eq!(api.get("live_set", "back_to_arranger"), json!([0]));
    // The clip's own quantization: none.
    api.set("live_set tracks 0 clip_slots 1 clip", "launch_quantization", json!(1));
    api.call("live_set tracks 0 clip_slots 1 clip", "fire", json!([]));
    api.wait_for(track, "playing_slot_index", json!([1]));
    // A playing clip that is removed stops.
    api.call("live_set tracks 0 clip_slots 1", "delete_clip", json!([]));
    api.wait_for(track, "playing_slot_index", json!([-2]));
    api.call("live_set", "stop_playing", json!([]));
    api.wait_for("live_set", "is_playing", json!([0]));
}
