//! Group tracks and frozen tracks, which no function makes: a document that was saved with them. Routing.

use crate::support::Api;
use serde_json::{Value, json};

/// Tracks 4 and 5 (MIDI) are members of the group at 3.
fn grouped() -> Api {
    let api = Api::raw_enabled();
    make(&api);
    api
}

/// As [`grouped`], of a new Set.
pub fn make(api: &Api) {
    for _ in 0..2 {
        api.call("live_set", "create_midi_track", json!([-1]));
    }
    api.edit_saved(|set| {
        set["tracks"][3]["kind"] = json!("group");
        let group = set["tracks"][3]["serial"].clone();
        for member in [4, 5] {
            set["tracks"][member]["group"] = group.clone();
        }
    });
}

fn pair(api: &Api, path: &str) -> Value {
    json!(["id", api.id(path).parse::<u64>().expect("digits")])
}

const GROUP: &str = "live_set tracks 3";
const MEMBER: &str = "live_set tracks 4";

#[test]
fn a_group_and_its_members() {
    let api = grouped();
    let cases = [
        (GROUP, "name", json!(["4-Group"])),
        (GROUP, "is_foldable", json!([1])),
        (GROUP, "fold_state", json!([0])),
        (GROUP, "is_grouped", json!([0])),
        (GROUP, "can_be_armed", json!([0])),
        (GROUP, "arm", json!(1)),
        (GROUP, "has_midi_input", json!([0])),
        (GROUP, "has_audio_output", json!([1])),
        (GROUP, "group_track", json!(["id", 0])),
        (GROUP, "arrangement_clips", json!([])),
        (MEMBER, "is_foldable", json!([0])),
        (MEMBER, "fold_state", json!(1)),
        (MEMBER, "is_grouped", json!([1])),
        (MEMBER, "is_visible", json!([1])),
        (MEMBER, "group_track", pair(&api, GROUP)),
        ("live_set tracks 2", "is_grouped", json!([0])),
    ];
    for (path, property, expected) in cases {
        assert_eq!(api.get(path, property), expected, "{path} {property}");
    }
    assert_eq!(api.id(&format!("{MEMBER} group_track")), api.id(GROUP));
    for refused in [json!(2), json!(-1), json!("1")] {
        assert_eq!(api.set(GROUP, "fold_state", refused.clone()), json!([0]), "{refused}");
    }
    let visible = || api.raw("live_set", json!([{"type": "getcount", "property": "visible_tracks"}])).remove(0);
    assert_eq!(visible(), 6);
    assert_eq!(api.set(GROUP, "fold_state", json!(1)), json!([1]));
    assert_eq!((visible(), api.get(MEMBER, "is_visible")), (json!(4), json!([0])));
    assert_eq!(api.raw("live_set", json!([{"type": "getcount", "property": "tracks"}]))[0], 6, "hidden, not gone");
    // A copy inside a folded group unfolds it, stays in it and is selected.
    api.call("live_set", "duplicate_track", json!([4]));
    assert_eq!((visible(), api.get(GROUP, "fold_state")), (json!(7), json!([0])));
    assert_eq!(api.get("live_set tracks 5", "group_track"), pair(&api, GROUP));
    assert_eq!(api.get("live_set view", "selected_track"), pair(&api, "live_set tracks 5"));
    // A copy of the group has copies of its members, and they are its own.
    api.call("live_set", "duplicate_track", json!([3]));
    assert_eq!(visible(), 11);
    assert_eq!(api.get("live_set tracks 7", "name"), json!(["8-Group"]));
    for copy in 8..11 {
        assert_eq!(
            api.get(&format!("live_set tracks {copy}"), "group_track"),
            pair(&api, "live_set tracks 7"),
            "{copy}"
        );
    }
    // Deleting a group deletes its members; undo brings all back with their ids.
    let (group, member) = (api.id(GROUP), api.id(MEMBER));
    api.call("live_set", "delete_track", json!([3]));
    assert_eq!(visible(), 7);
    for id in [&group, &member] {
        assert_eq!(api.raw(&format!("id {id}"), json!([{"type": "exists"}]))[0], false);
    }
    api.call("live_set", "undo", json!([]));
    assert_eq!((api.id(GROUP), api.id(MEMBER)), (group, member));
}

#[test]
fn a_soloed_member_sounds_through_its_group() {
    let api = grouped();
    api.set(MEMBER, "solo", json!(1));
    let muted = |at: usize| api.get(&format!("live_set tracks {at}"), "muted_via_solo");
    assert_eq!((0..6).map(muted).collect::<Vec<_>>(), [1, 1, 1, 0, 0, 1].map(|n| json!([n])));
    // A group in the group, and a solo from above.
    api.edit_saved(|set| {
        set["tracks"][4]["kind"] = json!("group");
        set["tracks"][4]["solo"] = json!(false);
        set["tracks"][5]["group"] = set["tracks"][4]["serial"].clone();
    });
    for (soloed, sounds) in [(5, [3, 4, 5]), (4, [3, 4, 5]), (3, [3, 4, 5])] {
        api.set(&format!("live_set tracks {soloed}"), "solo", json!(1));
        for at in 0..6 {
            assert_eq!(muted(at), json!([i32::from(!sounds.contains(&at))]), "{soloed} soloed: {at}");
        }
        api.set(&format!("live_set tracks {soloed}"), "solo", json!(0));
    }
    api.set(MEMBER, "solo", json!(1));
    // The other's solo stays: writes bypass the exclusive preference.
    api.set("live_set tracks 0", "solo", json!(1));
    assert_eq!((api.get(MEMBER, "solo"), muted(0), muted(4)), (json!([1]), json!([0]), json!([0])));
}

#[test]
fn a_group_slot_acts_on_its_members() {
    let api = grouped();
    api.set("live_set", "tempo", json!(20));
    // Eight bars: what waits can be seen waiting.
    api.set("live_set", "clip_trigger_quantization", json!(1));
    api.ok("svc-create-clip", json!({"path": "t4/s0,t5/s0,t5/s1", "length": "1bar"}));
    api.set("live_set tracks 4 clip_slots 0 clip", "color_index", json!(14));
    let slot = |scene: usize| format!("{GROUP} clip_slots {scene}");
    let member = |track: usize, scene: usize| format!("live_set tracks {track} clip_slots {scene}");
    for (scene, controls) in [(0, 1), (1, 1), (2, 0)] {
        assert_eq!(api.get(&slot(scene), "controls_other_clips"), json!([controls]), "{scene}");
        assert_eq!(
            (api.get(&slot(scene), "is_group_slot"), api.get(&slot(scene), "has_clip")),
            (json!([1]), json!([0]))
        );
    }
    assert_eq!(api.get(&slot(0), "color"), json!([0xFF3636]), "the first clip's inside");
    assert_eq!(api.get(&slot(0), "color_index"), json!([14]));
    assert_eq!(api.get(&slot(2), "color"), json!(1));
    assert_eq!(api.get(&member(4, 0), "controls_other_clips"), json!([0]));
    assert_eq!(api.call(&slot(0), "create_clip", json!([4])), json!(1), "a group slot takes no clip");
    assert_eq!(api.call(&member(4, 0), "duplicate_clip_to", json!([format!("id {}", api.id(&slot(1)))])), json!(1));

    assert_eq!(api.get(GROUP, "playing_slot_index"), json!([-1]));
    api.call(&slot(0), "fire", json!([]));
    for path in [slot(0), member(4, 0), member(5, 0)] {
        api.wait_for(&path, "is_playing", json!([1]));
    }
    assert_eq!((api.get(&slot(0), "playing_status"), api.get(GROUP, "playing_slot_index")), (json!([1]), json!([0])));
    assert_eq!(api.get(&slot(1), "playing_status"), json!([0]));
    // Waiting: the slot of the group blinks with its member's.
    api.call(&member(5, 1), "fire", json!([]));
    assert_eq!((api.get(&slot(1), "is_triggered"), api.get(GROUP, "fired_slot_index")), (json!([1]), json!([1])));
    assert_eq!(api.get(&slot(0), "is_triggered"), json!([0]));
    api.call(&slot(7), "stop", json!([]));
    assert_eq!(api.get("live_set tracks 4", "fired_slot_index"), json!([-2]));
    assert_eq!(api.get("live_set tracks 5", "fired_slot_index"), json!([-2]));
    api.set(GROUP, "back_to_arranger", json!(1));
    assert_eq!(api.get(GROUP, "back_to_arranger"), json!([1]), "only 0 acts");
    api.set("live_set tracks 4", "back_to_arranger", json!(0));
    assert_eq!(api.get("live_set tracks 4", "back_to_arranger"), json!([0]));
    assert_eq!((api.get(GROUP, "back_to_arranger"), api.get("live_set", "back_to_arranger")), (json!([1]), json!([1])));
    api.set(GROUP, "back_to_arranger", json!(0));
    for path in [GROUP, "live_set tracks 4", "live_set tracks 5", "live_set"] {
        assert_eq!(api.get(path, "back_to_arranger"), json!([0]), "{path}");
    }
}

#[test]
fn a_frozen_track_takes_no_new_clip() {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t1/s0", "length": "1bar"}));
    api.edit_saved(|set| set["tracks"][0]["stored"] = json!({"is_frozen": true}));
    let (frozen, slot) = ("live_set tracks 0", "live_set tracks 0 clip_slots 0");
    for (property, expected) in [
        ("is_frozen", json!([1])),
        ("can_be_armed", json!([0])),
        ("can_be_frozen", json!([0])),
        ("arm", json!(1)),
        ("current_monitoring_state", json!([1])),
    ] {
        assert_eq!(api.get(frozen, property), expected, "{property}");
    }
    let id = |path: &str| json!(format!("id {}", api.id(path)));
    let before = api.saved();
    let empty = "live_set tracks 0 clip_slots 1";
    let refused = [
        (empty, "create_clip", json!([4])),
        (slot, "duplicate_clip_to", json!([id("live_set tracks 1 clip_slots 2")])),
        ("live_set tracks 1 clip_slots 0", "duplicate_clip_to", json!([id(empty)])),
        (frozen, "duplicate_clip_slot", json!([0])),
    ];
    for (path, function, args) in refused {
        assert_eq!(api.call(path, function, args), json!(1), "{path} {function}");
    }
    api.set(frozen, "arm", json!(1));
    api.set(frozen, "is_frozen", json!(0));
    assert_eq!(api.saved(), before);
    assert_eq!(api.call(slot, "delete_clip", json!([])), json!(["id", 0]), "deleting works");
    assert_eq!(api.get(slot, "has_clip"), json!([0]));
}

/// What is shown, `(identifier, name)`.
fn choices(api: &Api, path: &str, list: &str) -> Vec<(i64, String)> {
    let text = api.get(path, list)[0].as_str().expect("a text").to_owned();
    let dict: Value = serde_json::from_str(&text).expect("a dictionary");
    let entries = dict[list].as_array().expect("a list under its own name");
    let read = |e: &Value| Some((e["identifier"].as_i64()?, e["display_name"].as_str()?.to_owned()));
    entries.iter().map(|e| read(e).expect("an entry")).collect()
}

fn names(api: &Api, path: &str, list: &str) -> Vec<String> {
    choices(api, path, list).into_iter().map(|(_, name)| name).collect()
}

#[test]
fn routing_lists_name_what_is_there() {
    let api = grouped();
    let cases: [(&str, &str, &[&str]); 8] = [
        ("live_set tracks 0", "available_input_routing_types", &["All Ins", "2-MIDI", "5-MIDI", "6-MIDI", "No Input"]),
        ("live_set tracks 0", "available_output_routing_types", &["No Output", "2-MIDI", "5-MIDI", "6-MIDI"]),
        ("live_set tracks 2", "available_input_routing_channels", &["1/2", "1", "2"]),
        ("live_set tracks 2", "available_output_routing_types", &["Main", "Sends Only", "Ext. Out"]),
        (MEMBER, "available_output_routing_types", &["No Output", "1-MIDI", "2-MIDI", "6-MIDI"]),
        (GROUP, "available_output_routing_types", &["Main", "Sends Only", "Ext. Out", "3-Audio"]),
        ("live_set return_tracks 0", "available_output_routing_types", &["Main", "Sends Only", "Ext. Out", "3-Audio"]),
        ("live_set return_tracks 0", "available_output_routing_channels", &[""]),
    ];
    for (path, list, expected) in cases {
        assert_eq!(names(&api, path, list), expected, "{path} {list}");
    }
    // With an instrument a MIDI track sends audio: into its group, first.
    api.call(MEMBER, "insert_device", json!(["Drift"]));
    assert_eq!(names(&api, MEMBER, "available_output_routing_types")[..2], ["Group", "Main"]);
    assert_eq!((api.get(MEMBER, "has_audio_output"), api.get(MEMBER, "has_midi_output")), (json!([1]), json!([0])));
    assert_eq!(api.get(MEMBER, "output_meter_left"), json!([0]));
}

#[test]
fn routing_is_written_by_identifier_and_a_type_resets_its_channel() {
    let api = Api::raw_enabled();
    let track = "live_set tracks 2";
    let chosen = |member: &str| {
        let text = api.get(track, member)[0].as_str().expect("a text").to_owned();
        let dict: Value = serde_json::from_str(&text).expect("a dictionary");
        dict[member]["display_name"].as_str().expect("a name").to_owned()
    };
    let id_of = |list: &str, name: &str| {
        choices(&api, track, list).into_iter().find(|(_, n)| n == name).expect("it is available").0
    };
    let source = id_of("available_input_routing_types", "1-MIDI");
    api.set(track, "input_routing_channel", json!(json!({"input_routing_channel": {"identifier": 2}}).to_string()));
    assert_eq!(chosen("input_routing_channel"), "2");
    api.set(track, "input_routing_type", json!({"input_routing_type": {"identifier": source}}));
    assert_eq!(
        (chosen("input_routing_type"), chosen("input_routing_channel")),
        ("1-MIDI".to_owned(), "Pre FX".to_owned())
    );
    assert_eq!(names(&api, track, "available_input_routing_channels"), ["Pre FX", "Post FX", "Post Mixer"]);
    // The bare entry, and the old members by name.
    api.set(track, "input_routing_channel", json!({"identifier": 2}));
    assert_eq!(api.get(track, "current_input_sub_routing"), json!(["Post Mixer"]));
    api.set(track, "current_input_routing", json!("Resampling"));
    assert_eq!(chosen("input_routing_type"), "Resampling");
    let before = api.saved();
    for (member, value) in [
        ("input_routing_type", json!({"identifier": 424_242})),
        ("input_routing_type", json!("Resampling")),
        ("input_routing_type", json!({"display_name": "Ext. In"})),
        ("input_routing_channel", json!({"identifier": 5})),
        ("current_input_routing", json!("nowhere")),
        ("current_output_sub_routing", json!(7)),
    ] {
        api.set(track, member, value.clone());
        assert_eq!(api.saved(), before, "{member} = {value}");
    }
    // A source that goes away leaves the first choice.
    api.set(track, "current_input_routing", json!("1-MIDI"));
    api.call("live_set", "delete_track", json!([0]));
    assert_eq!(api.get("live_set tracks 1", "current_input_routing"), json!(["Ext. In"]));
    // getProperty takes the dictionary out of its name.
    let plain = api.raw("live_set tracks 1", json!([{"type": "getProperty", "property": "output_routing_type"}]));
    assert_eq!(plain[0]["display_name"], "Main");
}
