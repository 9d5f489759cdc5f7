//! Samples onto pads that hold something already: what only force does, and which layer is meant.

use serde_json::{Value, json};
use svc_device::object_model::{HostEdits, HostFacts, ObjectId, ObjectModel, Session, Value as Model};
use svc_device::paths::AllowedFolders;
use svc_device::set::{Document, SetState};
use svc_device::tools::address::model_read::{class, text};
use svc_device::tools::budget::Budget;
use svc_device::tools::parameter::ParamWrites;
use svc_device::tools::parameter::pad_sample::{self, SamplePlace};
use svc_device::tools::parameter::read;
use svc_device::tools::report::write_log::WriteLog;

fn wav() -> String {
    format!("{}/tests/fixtures/audio/half.wav", env!("CARGO_MANIFEST_DIR"))
}

fn insert(set: &mut SetState, onto: ObjectId, device: &str) -> ObjectId {
    let made = set.call(onto, "insert_device", &[Model::Text(device.to_owned())]).unwrap();
    made.as_object().unwrap()
}

fn layer(set: &mut SetState, rack: ObjectId, note: i64) -> ObjectId {
    let chain = set.call(rack, "insert_chain", &[]).unwrap().as_object().unwrap();
    set.set(chain, "in_note", Model::Int(note)).unwrap();
    chain
}

/// A Drum Rack on the first track.
fn stage() -> (SetState, ObjectId) {
    let mut set = SetState::from_document(Document::new_set());
    let track = set.resolve("live_set tracks 0").unwrap().unwrap();
    let rack = insert(&mut set, track, "Drum Rack");
    (set, rack)
}

fn write(set: &mut SetState, device: ObjectId, items: Value, force: bool) -> Value {
    let writes =
        ParamWrites::read(items.as_array().cloned(), &AllowedFolders::default(), &Budget::default()).unwrap().unwrap();
    let mut log = WriteLog::default();
    writes.write(set, device, force, &mut log).unwrap();
    log.entry.remove("params").unwrap()
}

#[test]
fn only_force_throws_an_instrument_away() {
    let (mut set, rack) = stage();
    let chain = layer(&mut set, rack, 36);
    insert(&mut set, chain, "Chord");
    insert(&mut set, chain, "Operator");
    insert(&mut set, chain, "Reverb");
    let items = json!([{"name": "pC1/sample", "value": wav()}]);
    let kept = write(&mut set, rack, items.clone(), false);
    assert_eq!(kept[0]["ok"], false);
    assert!(kept[0]["detail"].as_str().unwrap().contains("Operator at t0/d0/pC1/c0/d1"), "{kept}");
    let done = write(&mut set, rack, items, true);
    assert!(done[0]["detail"].as_str().unwrap().contains("the Operator there was thrown away"), "{done}");
    let names: Vec<String> = (0..set.child_count(chain, "devices").unwrap())
        .map(|at| text(&set, set.child_at(chain, "devices", at).unwrap().unwrap(), "class_display_name").unwrap())
        .collect();
    assert_eq!(names, ["Chord", "Simpler", "Reverb"], "in its place");
    // A file that cannot be loaded throws nothing away.
    let chain = layer(&mut set, rack, 38);
    insert(&mut set, chain, "Operator");
    let failed = write(&mut set, rack, json!([{"name": "pD1/sample", "value": "/no.wav"}]), true);
    assert_eq!(failed[0]["ok"], false);
    assert_eq!(class(&set, set.child_at(chain, "devices", 0).unwrap().unwrap()).unwrap(), Some("Device"));
}

#[test]
fn of_several_layers_one_has_to_be_named() {
    let (mut set, rack) = stage();
    let first = layer(&mut set, rack, 36);
    let second = layer(&mut set, rack, 36);
    let simpler = insert(&mut set, second, "Simpler");
    let place = |set: &SetState, prefix: &str| pad_sample::find_place(set as &dyn Session, rack, Some(prefix), false);
    let why = place(&set, "pC1").unwrap_err();
    assert!(why.text.contains("2 layers") && why.text.contains("pC1/c0 (Chain), pC1/c1 (Chain)"), "{why}");
    assert_eq!(place(&set, "pC1/c0"), Ok(SamplePlace::Chain(first)));
    assert_eq!(place(&set, "pC1/c1"), Ok(SamplePlace::Simpler(simpler)));
    assert_eq!(place(&set, "pC1/c1/d0"), Ok(SamplePlace::Simpler(simpler)));
    assert_eq!(place(&set, "pC1/c2"), Ok(SamplePlace::NewChain("t0/d0/pC1/c2".to_owned())));
    assert_eq!(place(&set, "pC1/c+"), Ok(SamplePlace::NewChain("t0/d0/pC1/c+".to_owned())));
    let done = write(&mut set, rack, json!([{"name": "pC1/c1/sample", "value": wav()}]), false);
    assert_eq!(done, json!([{"name": "pC1/c1/sample"}]));
}

#[test]
fn the_instrument_is_found_in_a_rack_on_the_pad() {
    let (mut set, rack) = stage();
    let chain = layer(&mut set, rack, 36);
    let inner = insert(&mut set, chain, "Instrument Rack");
    let place = |set: &SetState| pad_sample::find_place(set as &dyn Session, rack, Some("pC1"), false);
    assert!(place(&set).unwrap_err().text.contains("Instrument Rack"), "an empty rack is what stands there");
    let inside = set.call(inner, "insert_chain", &[]).unwrap().as_object().unwrap();
    let simpler = insert(&mut set, inside, "Simpler");
    assert_eq!(place(&set), Ok(SamplePlace::Simpler(simpler)));
    let other = set.call(inner, "insert_chain", &[]).unwrap().as_object().unwrap();
    insert(&mut set, other, "Simpler");
    assert!(place(&set).unwrap_err().text.contains("2 instruments"), "which of them?");
}

#[test]
fn of_one_parameter_by_name_and_by_id_the_last_is_written() {
    let (mut set, rack) = stage();
    let id = set.child_at(rack, "parameters", 1).unwrap().unwrap().to_string();
    let name = text(&set, ObjectId(id.parse().unwrap()), "name").unwrap();
    let items = json!([{"name": name, "value": "1"}, {"id": id, "value": "2"}, {"name": "Device On", "value": "on"}]);
    let twice =
        ParamWrites::read(items.as_array().cloned(), &AllowedFolders::default(), &Budget::default()).unwrap().unwrap();
    let mut log = WriteLog::on(&set, rack).unwrap();
    twice.write(&mut set, rack, false, &mut log).unwrap();
    let written = log.end(Ok(())).unwrap()["params"].clone();
    assert_eq!((&written[0]["name"], written[0].get("ok")), (&json!(name), None), "{written}");
    assert!(written[0]["detail"].as_str().is_some_and(|said| said.contains("named again later")), "{written}");
    assert_eq!((&written[1]["id"], written[2].get("detail")), (&json!(id), None), "{written}");
    let parameter = ObjectId(id.parse().unwrap());
    assert_eq!(set.get(parameter, "value").unwrap(), Model::Float(2.0));
}

#[test]
fn name_and_id_that_disagree_are_not_written() {
    let (mut set, rack) = stage();
    let id = set.child_at(rack, "parameters", 1).unwrap().unwrap().to_string();
    let track = set.resolve("live_set tracks 0").unwrap().unwrap();
    let other = set
        .child_at(track, "mixer_device", 0)
        .unwrap()
        .and_then(|mixer| set.child_at(mixer, "volume", 0).unwrap())
        .unwrap();
    for (item, why) in [
        (json!({"name": "Device On", "id": id, "value": "on"}), "two parameters"),
        (json!({"id": "999999", "value": "1"}), "has the id 999999"),
        (json!({"id": other.to_string(), "value": "1"}), "not of this device"),
    ] {
        let entry = write(&mut set, rack, json!([item]), false);
        assert!(entry[0]["detail"].as_str().unwrap().contains(why), "{item}: {entry}");
    }
    let entry = write(&mut set, rack, json!([{"id": id, "value": "64"}]), false);
    assert_eq!(entry[0]["id"], json!(id), "{entry}");
    // A name of digits is a name first and then an id.
    let entry = write(&mut set, rack, json!([{"name": id, "value": "32"}]), false);
    assert_eq!((&entry[0]["id"], entry[0].get("ok")), (&json!(id), None), "{entry}");
}

/// A macro takes its target's name and moves it; what it moves cannot be written.
#[test]
fn mapped_macros_show_both_names_and_own_their_target() {
    let mut set = SetState::from_document(Document::new_set());
    let track = set.resolve("live_set tracks 0").unwrap().unwrap();
    let rack = insert(&mut set, track, "Instrument Rack");
    let chain = set.call(rack, "insert_chain", &[]).unwrap().as_object().unwrap();
    let simpler = insert(&mut set, chain, "Simpler");
    let mut saved = set.save_device(rack).unwrap();
    let transpose = (0..).find(|at| {
        let id = set.child_at(simpler, "parameters", *at).unwrap().unwrap();
        text(&set, id, "name").unwrap() == "Transpose"
    });
    saved["rack"]["mappings"] = json!([{
        "macro_index": 0, "device": saved["rack"]["chains"][0]["devices"][0]["serial"], "parameter": transpose,
        "at_0": -48.0, "at_127": 48.0,
    }]);
    let other = set.resolve("live_set tracks 1").unwrap().unwrap();
    let copy = set.insert_saved_device(&saved, other, None).unwrap();
    let list = read::list(&set, copy, &["transpose".to_owned()], true).unwrap();
    assert_eq!(list[0]["name"], "Transpose (Macro 1)", "{list:?}");
    assert_eq!((&list[0]["min"], &list[0]["max"], &list[0]["unit"]), (&json!(-48), &json!(48), &json!("semitones")));
    for name in ["Transpose", "Macro 1", "Transpose (Macro 1)"] {
        let entry = write(&mut set, copy, json!([{"name": name, "value": "-48"}]), false);
        assert_eq!((entry[0].get("ok"), &entry[0]["name"]), (None, &json!("Transpose (Macro 1)")), "{entry}");
    }
    let chain = set.child_at(copy, "chains", 0).unwrap().unwrap();
    let inner = set.child_at(chain, "devices", 0).unwrap().unwrap();
    let owned = read::list(&set, inner, &["transpose".to_owned()], true).unwrap();
    assert_eq!(
        (&owned[0]["value"], &owned[0]["enabled"], &owned[0]["state"]),
        (&json!(-48), &json!(false), &json!("disabled"))
    );
    let entry = write(&mut set, inner, json!([{"name": "Transpose", "value": "1"}]), false);
    assert!(entry[0]["detail"].as_str().unwrap().contains("a macro moves it"), "{entry}");
}
