//! Any calls, and then any object as it was after any of them: it is as it was then, nothing else is different, and
//! the Set is sound. Undo to any step and redo to the newest is the identity.

use crate::restore::is_sound;
use crate::support::Api;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use svc_device::set::Document;
use svc_device::set::document::object_index::{contents, device_contents};

const KINDS: [&str; 5] = ["scene", "track", "clip in a slot", "clip on the timeline", "device"];

type Values = &'static [&'static str];

/// Calls by tool; each argument one of its values.
const CALLS: &[(&str, &[(&str, Values)])] = &[
    (
        "svc-create-clip",
        &[
            ("path", &["t0/s0", "t1/s0", "t0/s1", "t0/s2,t1/s2", "t0[1|1]", "t0[3|1]", "t1[1|1]"]),
            ("notes", &["C3 1|1", "C3 1|1,2 E3 1|3"]),
        ],
    ),
    ("svc-update-clip", &[("path", &["t0/s0", "t0/s1", "t1/s0", "t0[1|1]"]), ("name", &["A", "B"])]),
    ("svc-update-clip", &[("path", &["t0/s0", "t1/s0", "t0[1|1]"]), ("notes", &["G3 1|2", "A3 1|1x4"])]),
    ("svc-update-clip", &[("path", &["t0/s0", "t0/s1", "t0[1|1]"]), ("toPath", &["t0/s1", "t1/s3", "t0[5|1]"])]),
    ("svc-delete", &[("type", &["clip"]), ("path", &["t0/s0", "t0/s1", "t1/s0", "t0[1|1]"])]),
    ("svc-create-track", &[("path", &["t+", "t0", "t1", "rt+"]), ("name", &["New"])]),
    ("svc-update-track", &[("path", &["t0", "t1", "rt0", "mt"]), ("name", &["X", "Y"]), ("gainDb", &["-6", "-12"])]),
    ("svc-delete", &[("type", &["track"]), ("path", &["t0", "t1", "t2", "rt0"])]),
    ("svc-create-scene", &[("path", &["s+", "s0", "s1"]), ("name", &["Scene"])]),
    ("svc-update-scene", &[("path", &["s0", "s1"]), ("tempo", &["90", "100"])]),
    ("svc-delete", &[("type", &["scene"]), ("path", &["s0", "s1", "s2"])]),
    ("svc-duplicate", &[("type", &["scene"]), ("path", &["s0", "s1"])]),
    ("svc-duplicate", &[("type", &["track"]), ("path", &["t0", "t1"])]),
    ("svc-create-device", &[("path", &["t0", "t2", "rt0", "mt"]), ("device", &["Operator", "Utility", "Reverb"])]),
    ("svc-create-device", &[("path", &["t0", "t2"]), ("device", &["Instrument Rack", "Audio Effect Rack"])]),
    ("svc-update-device", &[("path", &["t0/d0", "t2/d0", "rt0/d0"]), ("name", &["D", "E"])]),
    ("svc-update-device", &[("path", &["t2/d0", "rt0/d0", "mt/d0"]), ("toPath", &["t3/d0", "rt1/d0", "t2/d1"])]),
    ("svc-delete", &[("type", &["device"]), ("path", &["t0/d0", "t2/d0", "rt0/d0"])]),
    ("svc-manage", &[("action", &["undo"])]),
];

fn call() -> impl Strategy<Value = (&'static str, Value)> {
    (any::<Index>(), any::<[Index; 4]>()).prop_map(|(which, values)| {
        let (tool, fields) = which.get::<(&str, &[(&str, Values)])>(CALLS);
        let values = fields.iter().zip(values).map(|((name, texts), at)| {
            let text: &str = at.get::<&str>(texts);
            let number = matches!(*name, "gainDb" | "tempo").then(|| text.parse::<f64>().expect("a number"));
            ((*name).to_owned(), number.map_or_else(|| json!(text), |number| json!(number)))
        });
        (*tool, Value::Object(values.collect()))
    })
}

/// A Set with something of each kind: its state.
fn stage(api: &Api) -> String {
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t1/s0,t1/s2,t0[1|1],t1[3|1]", "notes": "C3 1|1,2"}));
    api.ok("svc-create-device", json!({"path": "t0", "device": "Instrument Rack"}));
    for device in ["Utility", "Reverb"] {
        api.ok("svc-create-device", json!({"path": "t2", "device": device}));
    }
    api.saved()
}

/// What can be brought back, of what kind.
fn objects(document: &Document) -> Vec<(u32, &'static str)> {
    let mut all = Vec::new();
    all.extend(document.scenes.iter().map(|scene| (scene.serial, "scene")));
    for (track, _) in document.every_track() {
        all.push((track.serial, "track"));
        all.extend(track.session.iter().map(|entry| (entry.clip.serial, "clip in a slot")));
        all.extend(track.arrangement.iter().map(|placed| (placed.clip.serial, "clip on the timeline")));
        all.extend(track.devices.iter().map(|device| (device.serial, "device")));
    }
    all
}

/// An object with what it holds.
fn with_contents(document: &Document, object: u32) -> HashSet<u64> {
    let mut all = HashSet::from([u64::from(object)]);
    let mut add = |serial: u32| {
        all.insert(u64::from(serial));
    };
    if let Some(track) = document.track(object) {
        contents(track, &mut |serial, _| add(serial));
    }
    if let Some(device) = document.device(object) {
        device_contents(0, device, &mut |serial, _| add(serial));
    }
    for track in document.tracks.iter() {
        track.clip_at(object).into_iter().for_each(|clip| add(clip.serial));
    }
    all
}

fn different(api: &Api, from: &Value, to: &Value) -> Vec<(u64, Value)> {
    let changes = api.ok("svc-read-history", json!({"diff": true, "from": from, "to": to, "limit": 200}));
    let list = changes["changes"].as_array().expect("changes").iter();
    list.map(|change| (change["id"].as_str().and_then(|id| id.parse().ok()).expect("an id"), change.clone())).collect()
}

fn now(api: &Api) -> Value {
    api.ok("svc-read-history", json!({"limit": 1}))["now"].clone()
}

fn runner(cases: u32) -> proptest::test_runner::TestRunner {
    proptest::test_runner::TestRunner::new_with_rng(
        ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    )
}

/// Carries the calls out; gives the Set after each step, by its number.
fn carry_out(api: &Api, calls: &[(&'static str, Value)]) -> BTreeMap<u64, Document> {
    let mut states = BTreeMap::from([(now(api).as_u64().expect("a number"), api.document())]);
    for (tool, arguments) in calls {
        api.envelope(tool, "", arguments);
        states.entry(now(api).as_u64().expect("a number")).or_insert_with(|| api.document());
    }
    states
}

#[test]
fn a_restored_object_is_as_it_was_and_nothing_else_is_different() {
    // Asked for, brought back, brought back with a remark.
    let counts: Mutex<BTreeMap<&'static str, (u32, u32, u32)>> = Mutex::default();
    let api = Api::new();
    let fresh = stage(&api);
    let strategy = (prop::collection::vec(call(), 4..16), prop::collection::vec(any::<[Index; 3]>(), 8));
    let law = |(calls, restored): (Vec<(&'static str, Value)>, Vec<[Index; 3]>)| {
        api.device.load_state(&fresh);
        let states = carry_out(&api, &calls);
        let steps: Vec<u64> = states.keys().copied().collect();
        for [which_step, which_kind, which_object] in restored {
            let step = *which_step.get::<u64>(&steps);
            let then = &states[&step];
            let all = objects(then);
            let kind = *which_kind.get::<&str>(&KINDS);
            let of_kind: Vec<u32> = all.iter().filter(|(_, of)| *of == kind).map(|(object, _)| *object).collect();
            if of_kind.is_empty() {
                continue;
            }
            let object = *which_object.get::<u32>(&of_kind);
            let (before, step_before) = (api.document(), now(&api));
            let envelope =
                api.envelope("svc-manage", "", &json!({"action": "restore", "id": object.to_string(), "step": step}));
            let place = format!("{calls:?}: {kind} {object} as after {step}: {envelope}");
            let mut counts = counts.lock().expect("no panic while counting");
            let entry = counts.entry(kind).or_default();
            entry.0 += 1;
            let after = api.document();
            if envelope["isError"] == true {
                // A step that was undone and dropped is known to the test alone.
                prop_assert!(after.same_as(&before), "{}", place);
                continue;
            }
            entry.1 += 1;
            let remarks = envelope["result"]["detail"].as_str().unwrap_or_default().to_owned();
            let has_remarks = envelope["result"]["restored"] == true && !remarks.is_empty();
            entry.2 += u32::from(has_remarks);
            drop(counts);
            prop_assert_eq!(is_sound(&after), Ok(()), "{}", place);

            let mut own = with_contents(then, object);
            own.extend(with_contents(&after, object));
            let exceptions = ["could not come", "a copy with", "have none", "MIDI channel"];
            if !exceptions.iter().any(|words| remarks.contains(words)) {
                let left = different(&api, &json!(step), &now(&api));
                let of_it: Vec<_> = left.iter().filter(|(id, _)| own.contains(id)).collect();
                prop_assert!(of_it.is_empty(), "{} is not as it was: {:?}", place, of_it);
            }
            if envelope["result"]["restored"] == true {
                own.extend(with_contents(&before, object));
                let step_after = now(&api);
                prop_assert_ne!(&step_before, &step_after, "it is a step: {}", place);
                let others = different(&api, &step_before, &step_after);
                let gave_way = |change: &Value| {
                    let id = change["id"].as_str().expect("an id");
                    let of_group = remarks.contains("of the group came back") && change["kind"] == "made";
                    // Where two neighbours change places, either can be said to have moved.
                    let parent = |path: &Value| {
                        path.as_str().and_then(|path| path.rsplit_once('/')).map(|(up, _)| up.to_owned())
                    };
                    let is_neighbour = change["kind"] == "moved"
                        && change.get("properties").is_none()
                        && parent(&change["from"]) == parent(&change["path"]);
                    (change["kind"] == "deleted" && remarks.contains(&format!("(id {id})"))) || of_group || is_neighbour
                };
                let strangers: Vec<_> =
                    others.iter().filter(|(id, change)| !own.contains(id) && !gave_way(change)).collect();
                prop_assert!(strangers.is_empty(), "{} changed something else: {:?}", place, strangers);
                api.ok("svc-manage", json!({"action": "undo"}));
                prop_assert!(api.document().same_as(&before), "{} is undone", place);
            }
        }
        Ok(())
    };
    if let Err(error) = runner(40).run(&strategy, law) {
        panic!("{error}");
    }
    let counts = counts.into_inner().expect("no panic while counting");
    println!("asked, brought back, with a remark: {counts:?}");
    for (kind, (asked, done, _)) in &counts {
        assert!(*asked > 0 && done * 10 >= asked * 3, "{kind}: {done} of {asked}");
    }
    assert_eq!(counts.len(), 5, "{counts:?}");
}

#[test]
fn undo_to_a_step_and_redo_to_the_newest_is_the_identity() {
    let api = Api::new();
    let fresh = stage(&api);
    let strategy = (prop::collection::vec(call(), 2..12), prop::collection::vec(any::<Index>(), 4));
    let law = |(calls, targets): (Vec<(&'static str, Value)>, Vec<Index>)| {
        api.device.load_state(&fresh);
        let states = carry_out(&api, &calls);
        let list = api.ok("svc-read-history", json!({"limit": 200}));
        let newest = list["steps"].as_array().expect("steps").iter().find(|step| step["undone"] != true);
        let Some(newest) = newest.map(|step| step["step"].clone()) else { return Ok(()) };
        let listed: HashSet<u64> = list["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .map(|step| step["step"].as_u64().expect("a number"))
            .collect();
        let oldest = list["oldest"].as_u64().expect("a number");
        // All but the count of what was saved, which never goes back.
        let saved = || serde_json::from_str::<Value>(&api.saved()).expect("a state is JSON")["set"].to_string();
        let newest_state = saved();
        let before: Vec<u64> = states
            .keys()
            .copied()
            .filter(|step| *step < newest.as_u64().expect("a number") && (listed.contains(step) || *step == oldest))
            .collect();
        for target in targets {
            let step = *target.get::<u64>(&before);
            api.ok("svc-manage", json!({"action": "undo", "step": step}));
            prop_assert!(api.document().same_as(&states[&step]), "{:?}: step {}", calls, step);
            api.ok("svc-manage", json!({"action": "redo", "step": newest}));
            prop_assert!(saved() == newest_state, "{:?}: step {} and back", calls, step);
        }
        Ok(())
    };
    if let Err(error) = runner(40).run(&strategy, law) {
        panic!("{error}");
    }
}
