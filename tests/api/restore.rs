//! `restore` of `svc-manage`: one object comes back as it was, and everything else stays.

use crate::groups;
use crate::support::Api;
use serde_json::{Value, json};
use svc_device::set::Document;
use svc_device::set::edit::{saved_set, validate};

type Call = (&'static str, Value);

/// What every restored Set is: one that obeys the rules of a document and can be loaded.
pub fn is_sound(document: &Document) -> Result<(), String> {
    validate::validate(document)?;
    if document.index != document.index_from_contents() {
        return Err("the index is not that of the contents".to_owned());
    }
    let loaded = saved_set::load(&saved_set::save(document)).map_err(|e| format!("{e:?}"))?;
    if loaded.document.same_as(document) { Ok(()) } else { Err("it is loaded as another Set".to_owned()) }
}

fn restore(api: &Api, mut arguments: Value) -> Value {
    arguments["action"] = json!("restore");
    let answer = api.ok("svc-manage", arguments);
    is_sound(&api.document()).unwrap_or_else(|why| panic!("{answer}: {why}"));
    answer
}

fn refused(api: &Api, mut arguments: Value) -> String {
    arguments["action"] = json!("restore");
    api.refused("svc-manage", arguments)
}

fn id(api: &Api, tool: &str, path: &str) -> Value {
    api.ok(tool, json!({ "path": path }))["id"].clone()
}

fn clip(api: &Api, path: &str, name: &str) -> Value {
    api.ok("svc-create-clip", json!({"path": path, "name": name, "notes": "C3 1|1,2,3,4"}));
    id(api, "svc-read-clip", path)
}

fn now(api: &Api) -> Value {
    api.ok("svc-read-history", json!({}))["now"].clone()
}

/// Changes, each a call, and then a restore: the object is as it was, the rest as it had become.
#[test]
fn one_object_comes_back_and_the_rest_stays() {
    let changed = |tool: &'static str, arguments: Value| (tool, arguments);
    // What is made first, the path of what comes back, what happens to it, how it is named.
    let table: Vec<(Vec<Call>, &str, Vec<Call>)> = vec![
        (vec![], "t0/s0", vec![changed("svc-update-clip", json!({"path": "t0/s0", "name": "x", "notes": "D4 1|1"}))]),
        (vec![], "t0/s0", vec![changed("svc-delete", json!({"type": "clip", "path": "t0/s0"}))]),
        (
            vec![changed("svc-create-clip", json!({"path": "t0[5|1]", "notes": "C3 1|1", "length": "2bar"}))],
            "t0[5|1]",
            vec![changed("svc-delete", json!({"type": "clip", "path": "t0[5|1]"}))],
        ),
        (vec![], "s0", vec![changed("svc-delete", json!({"type": "scene", "path": "s0"}))]),
        (vec![], "s0", vec![changed("svc-update-scene", json!({"path": "s0", "name": "x", "tempo": 80}))]),
        (vec![], "t0", vec![changed("svc-delete", json!({"type": "track", "path": "t0"}))]),
        (
            vec![],
            "t0",
            vec![changed("svc-update-track", json!({"path": "t0", "name": "x", "gainDb": -20, "mute": true}))],
        ),
        (vec![], "rt0", vec![changed("svc-delete", json!({"type": "track", "path": "rt0"}))]),
        (vec![], "rt1", vec![changed("svc-update-track", json!({"path": "rt1", "name": "x", "gainDb": -20}))]),
        (vec![], "mt", vec![changed("svc-update-track", json!({"path": "mt", "gainDb": -20}))]),
        (vec![], "rt0/d0", vec![changed("svc-delete", json!({"type": "device", "path": "rt0/d0"}))]),
        (
            vec![changed("svc-create-device", json!({"path": "t0", "device": "Instrument Rack"}))],
            "t0/d0",
            vec![changed("svc-delete", json!({"type": "device", "path": "t0/d0"}))],
        ),
        (
            vec![],
            "rt0/d0",
            vec![changed(
                "svc-update-device",
                json!({"path": "rt0/d0", "name": "x", "params": [{"name": "Dry/Wet", "value": "3 %"}]}),
            )],
        ),
    ];
    for (made, path, changes) in table {
        for by_id in [false, true] {
            for with_step in [false, true] {
                let api = Api::new();
                clip(&api, "t0/s0", "Lead");
                clip(&api, "t1/s0", "Bass");
                api.ok("svc-update-track", json!({"path": "t1", "sendGainDb": -9, "sendReturn": "A"}));
                for (tool, arguments) in &made {
                    api.ok(tool, arguments.clone());
                }
                let tool = match path {
                    "s0" => "svc-read-scene",
                    "t0" | "rt0" | "rt1" | "mt" => "svc-read-track",
                    path if path.contains("/d") => "svc-read-device",
                    _ => "svc-read-clip",
                };
                let (then, object, step) = (api.document(), id(&api, tool, path), now(&api));
                for (tool, arguments) in &changes {
                    api.ok(tool, arguments.clone());
                }
                // Something else, which stays.
                api.ok("svc-update-live-set", json!({"tempo": 77}));
                let mut named = if by_id { json!({ "id": object }) } else { json!({ "path": path }) };
                if with_step {
                    named["step"] = step.clone();
                }
                let place = format!("{path} {changes:?} {named}");
                let answer = restore(&api, named);
                assert_eq!((&answer["id"], &answer["path"]), (&object, &json!(path)), "{place}");
                assert_eq!((&answer["restored"], &answer["step"]), (&json!(true), &step), "{place}");
                let mut now = api.document();
                assert_eq!(now.song.tempo_bpm, 77.0, "{place}: the rest stays");
                now.song = then.song.clone();
                assert!(
                    now.same_as(&then),
                    "{place}: {:?}",
                    api.ok("svc-read-history", json!({"diff": true, "from": step}))
                );
                // It is a step, which undo takes back.
                api.ok("svc-manage", json!({"action": "undo"}));
                assert!(!api.document().same_as(&then), "{place}");
            }
        }
    }
}

/// Bringing back is a change, too: what takes it back without being asked to says so, and how to go on.
#[test]
fn a_second_restore_takes_the_first_back_and_says_so() {
    let api = Api::new();
    for name in ["One", "Two", "Three"] {
        api.ok("svc-update-track", json!({"path": "t0", "name": name}));
    }
    let name = || api.ok("svc-read-track", json!({"path": "t0"}))["name"].clone();
    let first = restore(&api, json!({"path": "t0"}));
    assert_eq!((name(), &first["step"], &first["detail"]), (json!("Two"), &json!(2), &Value::Null), "{first}");
    let second = restore(&api, json!({"path": "t0"}));
    assert_eq!((name(), &second["step"]), (json!("Three"), &json!(3)), "{second}");
    let detail = second["detail"].as_str().expect("a detail");
    assert!(detail.contains("step 4, was a restore, and this took that back"), "{second}");
    assert!(detail.contains("to go further back send step"), "{second}");
    // As it says; a step that was named needs no remark.
    let further = restore(&api, json!({"path": "t0", "step": 1}));
    assert_eq!((name(), &further["detail"]), (json!("One"), &Value::Null), "{further}");
    // After a change that was none the next one has nothing to say either.
    api.ok("svc-update-track", json!({"path": "t0", "name": "Four"}));
    let last = restore(&api, json!({"path": "t0"}));
    assert_eq!((name(), &last["detail"]), (json!("One"), &Value::Null), "{last}");
}

#[test]
fn what_was_put_in_its_place_since_gives_way() {
    let api = Api::new();
    let lead = clip(&api, "t0/s0", "Lead");
    let laid = clip(&api, "t0[1|1]", "Long");
    api.ok("svc-delete", json!({"type": "clip", "path": "t0[1|1]"}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Other", "notes": "E3 1|1"}));
    let other = clip(&api, "t0[1|1]", "New");
    let answer = restore(&api, json!({"path": "t0/s0", "step": 1}));
    assert_eq!((&answer["id"], &answer["path"]), (&lead, &json!("t0/s0")));
    assert!(
        answer["detail"].as_str().is_some_and(|text| text.contains("\"Other\"") && text.contains("made since")),
        "{answer}"
    );
    let answer = restore(&api, json!({ "id": laid }));
    assert!(answer["detail"].as_str().is_some_and(|text| text.contains(other.as_str().unwrap())), "{answer}");
    // Without a step the newest that changed what is at a path counts: this one made the clip, in place of another.
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Third", "notes": "E3 1|1"}));
    assert_eq!(restore(&api, json!({"path": "t0/s0"}))["id"], lead);
}

/// Without a step, of a place that was taken again: what was there last comes back.
#[test]
fn what_was_deleted_comes_back_into_a_place_that_was_taken_again() {
    let api = Api::new();
    let lead = clip(&api, "t0/s0", "Lead");
    api.ok("svc-delete", json!({"type": "clip", "path": "t0/s0"}));
    let other = clip(&api, "t0/s0", "Other");
    let answer = restore(&api, json!({"path": "t0/s0"}));
    assert_eq!((&answer["id"], &answer["step"]), (&lead, &json!(1)), "{answer}");
    let detail = answer["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("\"Other\"") && detail.contains("made since"), "{answer}");
    api.ok("svc-manage", json!({"action": "undo"}));
    // What is there now, by its id, was nothing before.
    assert!(refused(&api, json!({"id": other})).contains("unchanged since step 3 made it"));
    // A device in the place of another, and a scene.
    api.ok("svc-create-device", json!({"path": "t1", "device": "Operator"}));
    let device = id(&api, "svc-read-device", "t1/d0");
    api.ok("svc-delete", json!({"type": "device", "path": "t1/d0"}));
    api.ok("svc-create-device", json!({"path": "t1", "device": "Drift"}));
    assert_eq!(restore(&api, json!({"path": "t1/d0"}))["id"], device);
    let scene = id(&api, "svc-read-scene", "s0");
    api.ok("svc-delete", json!({"type": "scene", "path": "s0"}));
    api.ok("svc-create-scene", json!({"path": "s0", "name": "New"}));
    assert_eq!(restore(&api, json!({"path": "s0"}))["id"], scene);
    // What only made room is named as it is now.
    api.ok("svc-create-track", json!({"path": "t0", "name": "In front"}));
    let why = refused(&api, json!({"path": "t0"}));
    assert!(why.contains("made t0") && why.contains("what was there before is t1 (id 3) now: name it so"), "{why}");
}

#[test]
fn what_stays_where_it_went_is_told() {
    let api = Api::new();
    let lead = clip(&api, "t0/s0", "Lead");
    let moved = api.ok("svc-update-clip", json!({"path": "t0/s0", "toPath": "t0/s3"}))["id"].clone();
    let answer = restore(&api, json!({"path": "t0/s0"}));
    assert_eq!(answer["id"], lead);
    let copy = format!("what step 2 made of it elsewhere stays: t0/s3 (id {})", moved.as_str().unwrap());
    assert!(answer["detail"].as_str().is_some_and(|text| text.contains(&copy)), "{answer}");
    // One that was deleted, and nothing made of it.
    api.ok("svc-delete", json!({"type": "clip", "path": "t0/s0"}));
    assert_eq!(restore(&api, json!({"path": "t0/s0"}))["detail"], Value::Null);

    api.ok("svc-create-device", json!({"path": "t2", "device": "Reverb"}));
    let reverb = id(&api, "svc-read-device", "t2/d0");
    let step = now(&api);
    api.ok("svc-update-device", json!({"path": "t2/d0", "wrapInRack": true}));
    let rack = id(&api, "svc-read-device", "t2/d0");
    let answer = restore(&api, json!({"id": reverb, "step": step}));
    let empty = format!("(id {}), which it came out of, stays and is empty", rack.as_str().unwrap());
    assert!(answer["detail"].as_str().is_some_and(|text| text.contains(&empty)), "{answer}");
}

/// Two that never stood together come back in turn; each stands as it stood among those that are there.
#[test]
fn an_object_that_is_there_goes_back_to_its_place() {
    for (make, delete, read) in
        [("svc-create-track", "track", "svc-read-track"), ("svc-create-scene", "scene", "svc-read-scene")]
    {
        let api = Api::new();
        let letter = &delete[..1];
        // First, second; second goes; another comes before the first, which goes.
        let at = |n: usize| format!("{letter}{n}");
        let (first, second) = (id(&api, read, &at(0)), id(&api, read, &at(1)));
        api.ok("svc-update-live-set", json!({"tempo": 90}));
        let both = now(&api);
        api.ok("svc-delete", json!({"type": delete, "id": second}));
        let third = api.ok(make, json!({"path": at(0), "name": "Third"}))["id"].clone();
        let later = now(&api);
        api.ok("svc-delete", json!({"type": delete, "id": first}));
        // The second is put in front, as nothing is left that stood before it; the first behind the third.
        assert_eq!(restore(&api, json!({"id": second, "step": both}))["path"], at(0), "{delete}");
        assert_eq!(restore(&api, json!({"id": first, "step": later}))["path"], at(2), "{delete}");
        let order = |api: &Api| [0, 1, 2].map(|n| id(api, read, &at(n)));
        assert_eq!(order(&api), [second.clone(), third.clone(), first.clone()], "{delete}");
        // It is there, and is behind the first again.
        let answer = restore(&api, json!({"id": second, "step": both}));
        assert_eq!((&answer["restored"], &answer["path"]), (&json!(true), &json!(at(2))), "{delete}: {answer}");
        assert_eq!(order(&api), [third, first, second], "{delete}");
        let left = api.ok("svc-read-history", json!({"diff": true, "from": both}))["changes"].clone();
        // MIDI channels were given away meanwhile.
        let left: Vec<&Value> = left.as_array().expect("changes").iter().filter(|c| c["kind"] != "changed").collect();
        assert!(left.len() == 1 && left[0]["kind"] == "made", "only the third is new: {left:?}");
    }
}

#[test]
fn what_stood_elsewhere_then_is_not_lost() {
    let api = Api::new();
    api.ok("svc-create-device", json!({"path": "t0", "device": "Operator", "name": "Lead"}));
    let lead = id(&api, "svc-read-device", "t0/d0");
    api.ok("svc-create-device", json!({"path": "t1", "device": "Drift", "name": "Bass"}));
    let step = now(&api);
    api.ok("svc-delete", json!({"type": "device", "path": "t0/d0"}));
    api.ok("svc-update-device", json!({"path": "t1/d0", "toPath": "t0/d0"}));
    for named in [json!({"id": lead}), json!({"path": "t0/d0"}), json!({"path": "t0"})] {
        let mut named = named;
        named["step"] = step.clone();
        let why = refused(&api, named.clone());
        assert!(why.contains("device \"Bass\"") && why.contains("stood elsewhere then"), "{named}: {why}");
    }
    // What is at a path now goes back to where it was; then there is room.
    assert_eq!(restore(&api, json!({"path": "t0/d0"}))["path"], "t1/d0");
    assert_eq!(restore(&api, json!({"path": "t0/d0", "step": step}))["id"], lead);
}

/// A path is that of the step first: what it named then and is gone, then what it names now.
#[test]
fn a_path_names_what_is_gone_before_what_took_its_place() {
    let api = Api::new();
    let (first, second) = (id(&api, "svc-read-track", "t0"), id(&api, "svc-read-track", "t1"));
    api.ok("svc-update-track", json!({"path": "t1", "name": "Bass"}));
    let step = now(&api);
    api.ok("svc-delete", json!({"type": "track", "path": "t0"}));
    assert_eq!(id(&api, "svc-read-track", "t0"), second);
    assert_eq!(restore(&api, json!({"path": "t0", "step": step}))["id"], first);
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(restore(&api, json!({"path": "t0"}))["id"], first);
    api.ok("svc-manage", json!({"action": "undo"}));
    // A later change of what is there now comes first.
    api.ok("svc-update-track", json!({"path": "t0", "name": "Low"}));
    assert_eq!(restore(&api, json!({"path": "t0"}))["id"], second);
    // The last track closed up, and nothing of it was changed.
    let why = refused(&api, json!({"path": "t3"}));
    assert!(why.contains("t2 (id") && why.contains("name it so"), "{why}");
}

#[test]
fn where_the_parent_is_gone_it_is_named() {
    let api = Api::new();
    let lead = clip(&api, "t0/s0", "Lead");
    api.ok("svc-update-track", json!({"path": "t0", "name": "Melody"}));
    api.ok("svc-update-scene", json!({"path": "s0", "name": "Verse"}));
    api.ok("svc-create-device", json!({"path": "t0", "device": "Operator"}));
    let device = id(&api, "svc-read-device", "t0/d0");
    let step = now(&api);
    api.ok("svc-delete", json!({"type": "track", "path": "t0"}));
    for object in [&lead, &device] {
        let why = refused(&api, json!({"id": object, "step": step}));
        assert!(why.contains("track \"Melody\"") && why.contains("is gone: restore that first"), "{why}");
    }
    restore(&api, json!({"path": "t0", "step": step}));
    api.ok("svc-delete", json!({"type": "scene", "path": "s0"}));
    let why = refused(&api, json!({"id": lead, "step": step}));
    assert!(why.contains("scene \"Verse\""), "{why}");
    // What it stood in comes back, and it with that.
    restore(&api, json!({"path": "s0"}));
    assert_eq!(api.ok("svc-read-clip", json!({"id": lead}))["path"], "t0/s0");
}

#[test]
fn what_could_not_come_is_told() {
    let api = Api::new();
    for path in ["t0/s0", "t0/s1", "t1/s0"] {
        clip(&api, path, path);
    }
    let step = now(&api);
    let track = id(&api, "svc-read-track", "t0");
    let scene = id(&api, "svc-read-scene", "s0");
    api.ok("svc-delete", json!({"type": "track", "path": "t0"}));
    api.ok("svc-delete", json!({"type": "scene", "path": "s0"}));
    let answer = restore(&api, json!({"id": scene, "step": step}));
    assert!(
        answer["detail"].as_str().is_some_and(|text| text.contains("1 clip could not come back: their tracks")),
        "{answer}"
    );
    api.ok("svc-delete", json!({"type": "scene", "path": "s1"}));
    let answer = restore(&api, json!({"id": track, "step": step}));
    assert!(
        answer["detail"].as_str().is_some_and(|text| text.contains("1 clip could not come back: their scenes")),
        "{answer}"
    );
    let clips = api.ok("svc-read-track", json!({"path": "t0", "include": ["session-clips"]}))["sessionClips"].clone();
    assert_eq!(clips.as_array().map(Vec::len), Some(1), "{clips}");
}

#[test]
fn a_track_loses_what_it_got_since_and_says_so() {
    let api = Api::new();
    clip(&api, "t0/s0", "Lead");
    let (then, step) = (api.document(), now(&api));
    clip(&api, "t0/s1", "New");
    clip(&api, "t0[1|1]", "Newer");
    api.ok("svc-create-device", json!({"path": "t0", "device": "Operator"}));
    let answer = restore(&api, json!({"path": "t0", "step": step}));
    assert!(
        answer["detail"].as_str().is_some_and(|text| text.contains("2 clips and 1 device made in it since")),
        "{answer}"
    );
    assert!(api.document().same_as(&then));
    let again = restore(&api, json!({"path": "t0", "step": step}));
    assert_eq!(
        (&again["restored"], &again["detail"]),
        (&json!(false), &json!(format!("it is as it was after step {step}")))
    );
}

#[test]
fn a_channel_that_was_given_away_is_left_to_who_has_it() {
    let api = Api::new();
    let (lead, step) = (id(&api, "svc-read-track", "t0"), now(&api));
    api.ok("svc-delete", json!({"type": "track", "path": "t0"}));
    api.ok("svc-create-track", json!({"path": "t+", "type": "midi"}));
    let answer = restore(&api, json!({"id": lead, "step": step}));
    assert!(answer["detail"].as_str().is_some_and(|text| text.contains("MIDI channel 1 is another")), "{answer}");
    let mut channels: Vec<u8> = api.document().tracks.iter().filter_map(|track| track.midi_channel).collect();
    channels.sort_unstable();
    assert_eq!(channels, [0, 1, 2]);
}

/// A device that moved to another track stays there; the track it was on gets a copy.
#[test]
fn what_moved_away_stays_and_a_copy_comes_back() {
    let api = Api::new();
    for device in ["Utility", "Reverb"] {
        api.ok("svc-create-device", json!({"path": "t2", "device": device}));
    }
    let (step, reverb) = (now(&api), id(&api, "svc-read-device", "t2/d1"));
    api.ok("svc-update-device", json!({"path": "t2/d1", "toPath": "t3/d0"}));
    let answer = restore(&api, json!({"path": "t2", "step": step}));
    assert!(answer["detail"].as_str().is_some_and(|text| text.contains("a copy with an id of its own")), "{answer}");
    assert_eq!(api.ok("svc-read-device", json!({"id": reverb}))["path"], "t3/d0");
    assert_ne!(id(&api, "svc-read-device", "t2/d1"), reverb);
    // Named itself, it comes back itself.
    assert_eq!(restore(&api, json!({"id": reverb, "step": step}))["path"], "t2/d1");
}

#[test]
fn a_group_comes_back_with_its_members() {
    let api = Api::raw_enabled();
    groups::make(&api);
    let (then, step) = (api.document(), now(&api));
    api.ok("svc-delete", json!({"type": "track", "path": "t3"}));
    assert_eq!(api.document().tracks.len(), then.tracks.len() - 3);
    let member = then.tracks[4].serial;
    let why = refused(&api, json!({"id": member.to_string(), "step": step}));
    assert!(why.contains("is gone: restore that first"), "{why}");
    let answer = restore(&api, json!({"path": "t3", "step": step}));
    assert!(answer["detail"].as_str().is_some_and(|text| text.contains("2 tracks of the group came back")), "{answer}");
    assert!(api.document().same_as(&then));
}

#[test]
fn what_is_not_brought_back_is_refused() {
    let api = Api::new();
    clip(&api, "t0/s0", "Lead");
    for (arguments, says) in [
        (json!({}), "one clip, track, scene or device"),
        (json!({"path": "t0,t1"}), "path"),
        (json!({"path": "t0", "id": "4"}), "one clip, track, scene or device"),
        (json!({"path": "t+"}), "one clip, track, scene or device"),
        (json!({"path": "t0/l0"}), "one clip, track, scene or device"),
        (json!({"path": "nonsense"}), "path"),
        (json!({"path": "t0/s7"}), "nothing was there in any step"),
        (json!({"path": "t1"}), "no step that is kept changed it"),
        (json!({"path": "t0/s0"}), "unchanged since step 1 made it"),
        (json!({"path": "t0/s0", "step": 0}), "no such object after step 0"),
        (json!({"path": "t0/s0", "step": 9}), "kept are the steps from 0 to 1"),
        (json!({"id": "1"}), "one clip, track, scene or device"),
        (json!({"path": "t0", "steps": 2}), "steps belongs to action"),
    ] {
        let why = refused(&api, arguments.clone());
        assert!(why.contains(says), "{arguments}: {why}");
    }
    api.bad("svc-manage", json!({"action": "restore", "step": -1}));
}
