//! Routing and devices of tracks, through the raw tool.

use crate::support::Api;
use serde_json::{Value, json};

/// A dictionary property: the value under its own name.
fn dict(api: &Api, path: &str, member: &str) -> Value {
    let answer = api.get(path, member);
    let text = answer[0].as_str().unwrap_or_else(|| panic!("{path} {member}: {answer}"));
    let parsed: Value = serde_json::from_str(text).expect("JSON");
    parsed[member].clone()
}

fn choice(api: &Api, path: &str, list: &str, name: &str) -> Value {
    let all = dict(api, path, list);
    let found = all.as_array().expect("a list").iter().find(|entry| entry["display_name"] == name);
    found.unwrap_or_else(|| panic!("{path} {list} has no {name}: {all}")).clone()
}

#[test]
fn what_is_chosen_is_one_of_what_is_offered() {
    let api = Api::raw_enabled();
    for at in 0..4 {
        let path = format!("live_set tracks {at}");
        for member in ["input_routing_type", "input_routing_channel", "output_routing_type", "output_routing_channel"] {
            let offered = dict(&api, &path, &format!("available_{member}s"));
            let chosen = dict(&api, &path, member);
            assert!(
                offered.as_array().is_some_and(|list| list.contains(&chosen)),
                "{path} {member}: {chosen} of {offered}"
            );
            assert!(chosen["identifier"].is_number() && chosen["display_name"].is_string(), "{chosen}");
        }
    }
}

#[test]
fn writing_a_routing() {
    let api = Api::raw_enabled();
    let audio = "live_set tracks 2";
    let resampling = choice(&api, audio, "available_input_routing_types", "Resampling");
    let first = dict(&api, audio, "input_routing_type");
    assert_ne!(first, resampling);
    // The identifier is enough, as an object or as its text; a whole entry is fine, too.
    let just_id = json!({"identifier": resampling["identifier"]});
    for sent in [
        json!({"input_routing_type": just_id}),
        json!(json!({"input_routing_type": just_id}).to_string()),
        json!({"input_routing_type": resampling}),
    ] {
        api.set(audio, "input_routing_type", json!({"input_routing_type": {"identifier": first["identifier"]}}));
        assert_eq!(dict(&api, audio, "input_routing_type"), first);
        api.set(audio, "input_routing_type", sent.clone());
        assert_eq!(dict(&api, audio, "input_routing_type"), resampling, "{sent}");
    }
    let before = api.saved();
    for sent in [
        json!({"input_routing_type": {"identifier": 987_654}}),
        json!({"input_routing_type": {"display_name": "Nowhere"}}),
        json!({"output_routing_type": {"identifier": 5}}),
        json!({}),
        json!("Resampling"),
        json!(3),
    ] {
        api.set(audio, "input_routing_type", sent.clone());
        assert_eq!(api.saved(), before, "{sent}");
    }
    // A new type puts the channel back to the type's first.
    let external = choice(&api, audio, "available_input_routing_types", "Ext. In");
    api.set(audio, "input_routing_type", json!({"input_routing_type": external}));
    let channels = dict(&api, audio, "available_input_routing_channels");
    let last = channels.as_array().and_then(|list| list.last()).expect("channels").clone();
    api.set(audio, "input_routing_channel", json!({"input_routing_channel": last}));
    assert_eq!(dict(&api, audio, "input_routing_channel"), last);
    api.set(audio, "input_routing_type", json!({"input_routing_type": resampling}));
    api.set(audio, "input_routing_type", json!({"input_routing_type": external}));
    assert_eq!(dict(&api, audio, "input_routing_channel"), channels[0]);
    // It is undone like everything else.
    api.call("live_set", "undo", json!([]));
    assert_eq!(dict(&api, audio, "input_routing_type"), resampling);
}

#[test]
fn devices_stand_in_order() {
    let api = Api::raw_enabled();
    let midi = "live_set tracks 0";
    let names = |path: &str| {
        let count = api.raw(path, json!([{"type": "getcount", "property": "devices"}]))[0].as_u64().expect("a count");
        (0..count)
            .map(|at| api.get(&format!("{path} devices {at}"), "class_display_name")[0].clone())
            .collect::<Vec<_>>()
    };
    let insert = |path: &str, args: Value| api.call(path, "insert_device", args);
    assert_eq!(insert(midi, json!(["Wavetable", 0])), 1, "index 0 on an empty chain is left out");
    let made = insert(midi, json!(["Wavetable"]));
    assert_eq!(made, json!(["id", api.id("live_set tracks 0 devices 0").parse::<u64>().expect("digits")]));
    insert(midi, json!(["Reverb"]));
    insert(midi, json!(["Arpeggiator"]));
    assert_eq!(names(midi), ["Arpeggiator", "Wavetable", "Reverb"]);
    assert_eq!(api.get(midi, "has_audio_output"), json!([1]));
    assert_eq!(api.ok("svc-read-track", json!({"path": "t0"}))["instrument"], "Wavetable");
    let before = api.saved();
    for (path, args) in [
        (midi, json!(["Operator"])),
        (midi, json!(["Pitch", 2])),
        (midi, json!(["Delay", 0])),
        (midi, json!(["Delay", 9])),
        (midi, json!(["Nonsense"])),
        (midi, json!([])),
        (midi, json!([7])),
        ("live_set tracks 2", json!(["Operator"])),
        ("live_set tracks 2", json!(["Arpeggiator"])),
        ("live_set master_track", json!(["Wavetable"])),
    ] {
        assert_eq!(insert(path, args.clone()), 1, "{path} {args}");
        assert_eq!(api.saved(), before, "{path} {args}");
    }
    let reverb = api.id("live_set tracks 0 devices 2");
    let audio = api.id("live_set tracks 2");
    let to = |function: &str| api.call("live_set", function, json!([format!("id {reverb}"), format!("id {audio}"), 5]));
    assert_eq!(to("find_device_position"), json!([0]), "the nearest legal place");
    assert_eq!(api.saved(), before, "finding moves nothing");
    assert_eq!(to("move_device"), json!([0]));
    assert_eq!(api.id("live_set tracks 2 devices 0"), reverb, "the same device");
    assert_eq!(api.call(midi, "delete_device", json!([9])), 1);
    assert_eq!(api.call(midi, "delete_device", json!([0])), json!(["id", 0]));
    assert_eq!(names(midi), ["Wavetable"]);
    api.call("live_set", "undo", json!([]));
    assert_eq!(names(midi), ["Arpeggiator", "Wavetable"]);
    let copy = api.call("live_set", "duplicate_track", json!([0]));
    assert_eq!(copy, json!(["id", 0]));
    assert_eq!(names("live_set tracks 1"), ["Arpeggiator", "Wavetable"]);
    assert_ne!(api.id("live_set tracks 1 devices 0"), api.id("live_set tracks 0 devices 0"));
}

/// Every parameter of a device: its range holds its value, its label says something, its ends can be written.
#[test]
fn every_parameter_of_the_default_devices() {
    let api = Api::raw_enabled();
    for at in 0..2 {
        let device = format!("live_set return_tracks {at} devices 0");
        let count =
            api.raw(&device, json!([{"type": "getcount", "property": "parameters"}]))[0].as_u64().expect("a count");
        assert!(count > 10, "{device}");
        for index in 0..count {
            let path = format!("{device} parameters {index}");
            let number = |name: &str| api.get(&path, name)[0].as_f64().unwrap_or_else(|| panic!("{path} {name}"));
            let (min, max, value) = (number("min"), number("max"), number("value"));
            assert!(min < max && (min..=max).contains(&value), "{path}: {min} {value} {max}");
            let quantized = api.get(&path, "is_quantized") == json!([1]);
            let items = api.get(&path, "value_items");
            assert_eq!(items.is_array(), quantized, "{path}: {items}");
            assert_eq!(api.get(&path, "default_value").is_array(), !quantized, "{path}");
            if let Some(items) = items.as_array() {
                assert_eq!(items.len() as f64, max - min + 1.0, "{path}: {items:?}");
            }
            for end in [min, max, value] {
                let label = api.call(&path, "str_for_value", json!([end]));
                assert!(label[0].is_number() || label[0].as_str().is_some_and(|l| !l.is_empty()), "{path}: {label}");
                let got = api.set(&path, "value", json!(end))[0].as_f64().expect("a number");
                assert!((got - end).abs() < 1e-9, "{path} = {end}: {got}");
            }
            let step = (max - min) * 0.01;
            for outside in [min - step, max + step] {
                let got = api.set(&path, "value", json!(outside))[0].as_f64().expect("a number");
                assert!((got - value).abs() < 1e-9, "{path} = {outside} is refused: {got}");
            }
        }
    }
}
