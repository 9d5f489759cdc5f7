//! `params` as a table: what may be written, what is said of it, and what a read shows afterwards.

use crate::support::Api;
use serde_json::{Value, json};

const CREATE: &str = "svc-create-device";

/// The entry of one parameter of a new device, and the parameter as a read shows it.
fn write(api: &Api, device: &str, name: &str, value: Value) -> (Value, Value) {
    let item = json!([{"name": name, "value": value}]);
    let place =
        if ["Simpler", "Operator", "Drift", "Wavetable", "Meld", "Analog"].contains(&device) { "t0" } else { "mt" };
    let place = if ["Pitch", "Scale"].contains(&device) { "t1" } else { place };
    let mut entry = api.ok(CREATE, json!({"device": device, "path": place, "params": item}));
    let path = entry["path"].clone();
    let read = api.ok("svc-read-device", json!({"path": path, "include": ["param-values"]}));
    api.ok("svc-delete", json!({"type": "device", "path": path}));
    let parameters = read["parameters"].as_array().expect("parameters");
    let named = |p: &&Value| p["name"] == entry["params"][0]["name"] || p["name"] == name;
    let parameter = parameters.iter().find(named).cloned().unwrap_or_default();
    (entry["params"][0].take(), parameter)
}

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

/// Seconds, milliseconds and the label of a step are one value; what lies between two steps is the nearest in any unit.
#[test]
fn a_step_is_written_in_any_unit() {
    let api = Api::new();
    for (device, name, spellings, shown, is_step) in [
        ("Glue Compressor", "Release", vec![json!("0.4 s"), json!("400 ms"), json!(".4"), json!(0.4)], ".4", true),
        ("Glue Compressor", "Release", vec![json!("0.45 s"), json!("450 ms"), json!(0.45)], ".4", false),
        ("Glue Compressor", "Attack", vec![json!("30 ms"), json!("0.03 s"), json!("30")], "30", true),
        ("Glue Compressor", "Attack", vec![json!("0.0001 s"), json!("0.1 ms"), json!(0.1)], ".1", true),
        ("Glue Compressor", "Ratio", vec![json!("4 : 1"), json!("4:1"), json!(4)], "4", true),
        ("Compressor", "LookAhead", vec![json!("10 ms"), json!("0.01 s"), json!(10)], "10 ms", true),
        ("Limiter", "Lookahead", vec![json!("1.5 ms"), json!("0.0015 s"), json!("1.5")], "1.5 ms", true),
        ("EQ Three", "Slope", vec![json!("48 dB"), json!("48"), json!(48)], "48", true),
    ] {
        let path = api.ok("svc-create-device", json!({"device": device, "path": "mt"}))["path"].clone();
        for sent in spellings {
            let params = json!([{"name": name, "value": sent}]);
            let item = api.ok("svc-update-device", json!({"path": path, "params": params}))["params"][0].clone();
            assert_eq!(item["value"], shown, "{device} {name} {sent}: {item}");
            assert_eq!(item.get("detail").is_none(), is_step, "{device} {name} {sent}: {item}");
        }
        let wrong = json!([{"name": name, "value": "40 Hz"}]);
        assert!(api.refused("svc-update-device", json!({"path": path, "params": wrong})).contains("40 Hz"));
    }
}

#[test]
fn values_land_as_they_are_spelled() {
    let api = Api::new();
    // Device, parameter, what is sent, whether the value is said again, what a read shows.
    for (device, name, sent, said, shown) in [
        ("EQ Eight", "1 Frequency A", json!("1.2 kHz"), true, json!(1200)),
        ("EQ Eight", "1 Frequency A", json!("1200"), false, json!(1200)),
        ("EQ Eight", "1 Frequency A", json!(1200), false, json!(1200)),
        ("EQ Eight", "1 frequency a", json!("440Hz"), true, json!(440)),
        ("EQ Eight", "1 Gain A", json!("-6 dB"), true, json!(-6)),
        ("Compressor", "Attack", json!("0.08 s"), true, json!(80)),
        ("Compressor", "Attack", json!("80 ms"), true, json!(80)),
        ("Compressor", "Threshold", json!("-18"), false, json!(-18)),
        ("Compressor", "Threshold", json!("-inf"), true, json!("-inf")),
        ("Compressor", "Threshold", json!("-inf dB"), true, json!("-inf")),
        ("Compressor", "Threshold", json!("-70"), true, json!("-inf")),
        ("Compressor", "Device On", json!(false), true, json!("Off")),
        ("Compressor", "Device On", json!("off"), true, json!("Off")),
        ("Compressor", "Device On", json!("0"), true, json!("Off")),
        ("Compressor", "Device On", json!("TRUE"), true, json!("On")),
        ("Simpler", "Transpose", json!("-7 st"), true, json!(-7)),
        ("Simpler", "Transpose", json!("5 semitones"), true, json!(5)),
        ("Pitch", "Pitch", json!(4), false, json!(4)),
        ("Grain Delay", "Pitch", json!(3.6), false, json!(3.6)),
        ("Simpler", "Pan", json!("20L"), true, json!("20L")),
        ("Simpler", "Pan", json!("25 r"), true, json!("25R")),
        ("Simpler", "Pan", json!("C"), true, json!("C")),
        ("Simpler", "Pan", json!(-0.4), false, json!("20L")),
        ("Compressor", "Ratio", json!("4 : 1"), true, json!(4)),
        ("Compressor", "Ratio", json!("4:1"), true, json!(4)),
        ("Compressor", "Ratio", json!(10), false, json!(10)),
        ("Compressor", "Ratio", json!("inf"), true, json!("inf")),
        ("Compressor", "Ratio", json!("inf : 1"), true, json!("inf")),
        ("Compressor", "Ratio", json!("0.75 raw"), true, json!(4)),
        ("Compressor", "Release", json!("0.1 s"), true, json!(100)),
        ("Compressor", "Expansion Ratio", json!("1 : 1.5"), true, json!(1.5)),
        ("Multiband Dynamics", "Above Ratio (Low)", json!("1 : 2"), true, json!(2)),
        ("Multiband Dynamics", "Above Ratio (Low)", json!("1 : inf"), true, json!("inf")),
        ("Saturator", "Drive", json!("4 dB"), true, json!(4)),
        ("Saturator", "Dry/Wet", json!("30 %"), true, json!(30)),
        ("Auto Filter", "Frequency", json!("120 Hz"), true, json!(120)),
        ("Auto Filter", "Resonance", json!("30%"), true, json!(30)),
        ("Utility", "Output", json!("-6 dB"), true, json!(-6)),
        ("Utility", "Output", json!(-12), false, json!(-12)),
        ("Utility", "Output", json!("-inf dB"), true, json!("-inf")),
        ("Operator", "Ae Decay", json!("1.5 s"), true, json!(1500)),
        ("Operator", "Fe A Slope", json!("100%"), true, json!(100)),
        ("Analog", "F1 Freq", json!("1.2k"), true, json!(1200)),
        ("Analog", "F1 Freq", json!("1.2 kHz"), true, json!(1200)),
        ("Delay", "L Offset", json!("10 %"), true, json!(10)),
        ("Delay", "R Offset", json!("10 %"), true, json!(10)),
        ("Pedal", "Bass", json!("-40 %"), true, json!(-40)),
        ("Meld", "A Detune", json!("12 cents"), true, json!(12)),
        ("Scale", "Base", json!("F#"), true, json!("F#")),
        ("Simpler", "Filter Drive", json!("6 dB"), true, json!(6)),
        ("Simpler", "L Sync Rate", json!("1/16"), true, json!("1/16")),
        ("Auto Filter", "Filter Type", json!("high-pass"), true, json!("High-pass")),
        ("Pitch", "Lowest", json!("C1"), true, json!("C1")),
        ("Pitch", "Lowest", json!("f#2"), true, json!("Gb2")),
        ("Simpler", "Volume", json!("3.5 dB"), true, json!(3.5)),
    ] {
        let (entry, read) = write(&api, device, name, sent.clone());
        let case = format!("{device} {name} {sent}: {entry}");
        assert!(entry["id"].is_string() && entry.get("ok").is_none() && entry.get("detail").is_none(), "{case}");
        assert_eq!(read["value"], shown, "{case}");
        assert_eq!(entry.get("value"), said.then_some(&shown), "{case}");
    }
}

#[test]
fn what_lands_elsewhere_is_said() {
    let api = Api::new();
    for (device, name, sent, landed, why) in [
        ("EQ Eight", "1 Frequency A", json!("90 kHz"), json!(22050), "its range, 10 to 22050"),
        ("EQ Eight", "1 Frequency A", json!(1), json!(10), "its range"),
        ("Compressor", "Threshold", json!(40), json!(6), "its range"),
        ("Glue Compressor", "Ratio", json!("5"), json!("4"), "nearest"),
        ("Glue Compressor", "Ratio", json!("9"), json!("10"), "nearest"),
        ("Simpler", "pitchBendRange", json!("90"), json!(24), "from 0 to 24"),
        // Semitones and their like are whole, declared or not.
        ("Pitch", "Pitch", json!(3.6), json!(4), "nearest"),
        ("Pitch", "Pitch", json!("-2.4 st"), json!(-2), "nearest"),
        ("Pitch", "Step Width", json!("7.5"), json!(8), "nearest"),
        ("Simpler", "Transpose", json!("0.3 semitones"), json!(0), "nearest"),
        ("Meld", "A Transp Scale", json!("2.2"), json!(2), "nearest"),
        ("Meld", "A Octave", json!("1.4 oct"), json!(1), "nearest"),
        ("Drift", "Osc 2 Oct", json!(-2.7), json!(-3), "nearest"),
        ("Echo", "L 16th", json!(2.6), json!(3), "nearest"),
        ("Resonators", "II Pitch Scale Degrees", json!(3.3), json!(3), "nearest"),
        ("Auto Filter", "Frequency", json!(0.5), json!(20), "its range, 20 to 20000"),
        ("Compressor", "Ratio", json!(0.5), json!(1), "its range, 1 to inf"),
        ("Utility", "Output", json!("40 dB"), json!(35), "its range, -70 to 35"),
        ("Simpler", "Transpose", json!("2.4 raw"), json!(2), "nearest"),
    ] {
        let (entry, read) = write(&api, device, name, sent.clone());
        let case = format!("{device} {name} {sent}: {entry}");
        assert_eq!((&entry["value"], &read["value"]), (&landed, &landed), "{case}");
        assert!(detail(&entry).contains(why), "{case}");
    }
}

#[test]
fn what_cannot_be_written_is_an_item_that_says_why() {
    let api = Api::new();
    for (device, name, sent, why) in [
        ("Auto Filter", "Gloss", json!("3"), "no parameter of that name; svc-read-device with params lists them"),
        ("Auto Filter", "Frequncy", json!("3"), "the nearest is \"Frequency\""),
        ("Auto Filter", "Frequency", json!("50 %"), "it is Hz, not %"),
        ("Auto Filter", "Frequency", json!("2 raw"), "outside its raw range, 0 to 1"),
        ("Compressor", "Expansion Ratio", json!("1 : x"), "no ratio"),
        ("Simpler", "Pan", json!("20 %"), "it is a pan, such as 20L"),
        ("EQ Eight", "1 Frequency A", json!("-6 dB"), "it is Hz, not dB"),
        ("EQ Eight", "1 Frequency A", json!("loud"), "no number"),
        ("EQ Eight", "1 Frequency A", json!("12 parsecs"), "cannot be checked"),
        ("Compressor", "Attack", json!("5 %"), "it is ms, not %"),
        ("Compressor", "Attack", Value::Null, "null"),
        ("Compressor", "Device On", json!("maybe"), "Off, On"),
        (
            "Compressor",
            "sidechainChannel",
            json!("Pre FX"),
            "no source has been chosen; set sidechainSourceTrackId first",
        ),
        ("Auto Filter", "Filter Type", json!("Hi-pas"), "the nearest is \"High-pass\""),
        ("Pitch", "Lowest", json!("H2"), "no note name"),
        ("Corpus", "Width", json!("1"), "2 parameters are called that"),
        ("Auto Filter", "999999", json!("1"), "no parameter of that name"),
        ("Simpler", "multiSampleMode", json!(true), "read-only"),
        ("Simpler", "estimatedPlaybackLength", json!("4"), "read-only"),
        ("Simpler", "gainDb", json!("-6"), "the Simpler is empty"),
        ("Simpler", "playbackMode", json!("loop"), "classic, one-shot, slicing"),
        ("Operator", "sample", json!("/x.wav"), "only a Simpler"),
        ("Wavetable", "osc1Wavetable", json!("Vintage"), "a running Live"),
        ("Hybrid Reverb", "irFile", json!("Big Hall"), "a running Live"),
        ("Compressor", "sidechainSourceTrackId", json!("7777"), "is no track's id"),
    ] {
        let (entry, _) = write(&api, device, name, sent.clone());
        let case = format!("{device} {name} {sent}: {entry}");
        assert_eq!(entry["ok"], false, "{case}");
        assert_eq!(entry["name"], name, "{case}");
        assert!(detail(&entry).contains(why), "{case}");
        assert_eq!(entry.as_object().map(serde_json::Map::len), Some(3), "{case}");
    }
}

#[test]
fn pseudo_parameters_are_read_and_written() {
    let api = Api::new();
    for (device, name, sent, shown) in [
        ("Drift", "voiceMode", json!("mono"), json!("Mono")),
        ("Drift", "voiceCount", json!("16"), json!("16")),
        ("Drift", "pitchBendRange", json!("7"), json!(7)),
        ("Wavetable", "filterRouting", json!("Parallel"), json!("parallel")),
        ("Wavetable", "unisonMode", json!("shimmer"), json!("Shimmer")),
        ("Wavetable", "unisonVoiceCount", json!("5"), json!(5)),
        ("Wavetable", "osc1Category", json!("Basics"), json!("Basics")),
        ("Wavetable", "osc2Engine", json!("fm"), json!("FM")),
        ("Meld", "polyVoices", json!("four"), json!("four")),
        ("Meld", "polyVoices", json!("4"), json!("four")),
        ("Simpler", "playbackMode", json!("Slicing"), json!("slicing")),
        ("Simpler", "retrigger", json!("on"), json!(true)),
        ("Simpler", "voices", json!("12"), json!("12")),
        ("EQ Eight", "globalMode", json!("m/s"), json!("M/S")),
        ("EQ Eight", "oversample", json!(true), json!(true)),
        ("Hybrid Reverb", "irDecayTime", json!("2 s"), json!(2000)),
        ("Hybrid Reverb", "irSizeFactor", json!("1.5"), json!(1.5)),
        ("Hybrid Reverb", "irCategory", json!("Halls"), json!("Halls")),
        ("Roar", "routingMode", json!("feedback"), json!("Feedback")),
        ("Roar", "envListen", json!("1"), json!(true)),
        ("Spectral Resonator", "polyphony", json!("eight"), json!("eight")),
        ("Spectral Resonator", "midiGate", json!("on"), json!(true)),
        ("Shifter", "pitchMode", json!("midi"), json!("MIDI")),
    ] {
        let (entry, read) = write(&api, device, name, sent.clone());
        let case = format!("{device} {name} {sent}: {entry}");
        assert!(entry.get("ok").is_none() && entry.get("id").is_none() && entry.get("detail").is_none(), "{case}");
        assert_eq!(read["value"], shown, "{case}, read {read}");
        assert!(read.get("id").is_none(), "{case}");
    }
}

#[test]
fn a_compressor_listens_to_a_track_by_its_id() {
    let api = Api::new();
    let track = api.ok("svc-read-track", json!({"path": "t2"}))["id"].clone();
    let params = json!([
        {"name": "sidechainSourceTrackId", "value": track},
        {"name": "sidechainChannel", "value": "post fx"},
    ]);
    let made = api.ok(CREATE, json!({"device": "Compressor", "path": "mt", "params": params}));
    assert_eq!(made["params"][0]["value"], track, "{made}");
    assert_eq!(made["params"][1]["value"], "Post FX", "{made}");
    let read = api.ok("svc-read-device", json!({"path": made["path"], "include": ["*"]}));
    let value = |name: &str| {
        let all = read["parameters"].as_array().expect("parameters");
        all.iter().find(|p| p["name"] == name).map(|p| p["value"].clone())
    };
    assert_eq!(
        (value("sidechainSourceTrackId"), value("sidechainChannel")),
        (Some(track.clone()), Some(json!("Post FX")))
    );
    let tracks = read["options"]["sidechainTracks"].as_array().expect("tracks");
    assert!(tracks.iter().any(|t| t["id"] == track), "{tracks:?}");
    assert!(read["options"]["paramOptions"]["sidechainSourceTrackId"].as_array().expect("ids").contains(&track));
    // None again.
    let none = json!([{"name": "sidechainSourceTrackId", "value": null}]);
    let made = api.ok(CREATE, json!({"device": "Compressor", "path": "mt", "params": none}));
    assert_eq!(made["params"], json!([{"name": "sidechainSourceTrackId", "value": null}]));
}

#[test]
fn items_are_answered_in_order_and_malformed_ones_refuse_the_call() {
    let api = Api::new();
    let params = json!([
        {"name": "Dry/Wet", "value": "50 %"},
        {"name": "Gloss", "value": "1"},
        {"name": "Device On", "value": "off"},
    ]);
    let made = api.ok(CREATE, json!({"device": "Reverb", "path": "mt", "params": params}));
    let names: Vec<&Value> = made["params"].as_array().expect("params").iter().map(|p| &p["name"]).collect();
    assert_eq!(names, ["Dry/Wet", "Gloss", "Device On"]);
    assert_eq!(made["params"][1]["ok"], false);
    // A blank fails its own item.
    let params = json!([{"name": "sidechainChannel", "value": ""}, {"name": "Device On", "value": "off"}]);
    let made = api.ok(CREATE, json!({"device": "Compressor", "path": "mt", "params": params}));
    assert_eq!((&made["params"][0]["ok"], &made["params"][1]["value"]), (&json!(false), &json!("Off")), "{made}");
    assert!(detail(&made["params"][0]).contains("blank"), "{made}");
    // Without a side-chain there is no channel.
    let read = api.ok("svc-read-device", json!({"path": made["path"], "include": ["param-values"]}));
    let all = read["parameters"].as_array().expect("parameters");
    let channel = all.iter().find(|p| p["name"] == "sidechainChannel").expect("the channel");
    assert_eq!(channel["value"], Value::Null);
    let params = json!([
        {"name": "Dry/Wet", "value": "50 %"},
        {"name": "Gloss", "value": "1"},
        {"name": "Device On", "value": "off"},
    ]);
    // A text of JSON is the list.
    let made = api.ok(CREATE, json!({"device": "Reverb", "path": "mt", "params": params.to_string()}));
    assert_eq!(made["params"].as_array().map(Vec::len), Some(3));
    for (params, why) in [(json!([{"value": "1"}]), "neither name nor id"), (json!([{"name": "Dry/Wet"}]), "no value")]
    {
        let text = api.refused(CREATE, json!({"device": "Reverb", "path": "mt", "params": params}));
        assert!(text.contains(why), "{params}: {text}");
    }
    for params in [json!(["a"]), json!([{"name": "x", "value": {}}]), json!([{"name": [], "value": "1"}])] {
        api.bad(CREATE, json!({"device": "Reverb", "path": "mt", "params": params}));
    }
    // One parameter twice, by one name or by two: the last is written.
    for other in ["Dry/Wet", "dry/wet"] {
        let twice = json!([{"name": "Dry/Wet", "value": "1"}, {"name": other, "value": "2"}]);
        let made = api.ok(CREATE, json!({"device": "Reverb", "path": "mt", "params": twice}));
        let items = &made["params"];
        assert!(detail(&items[0]).contains("named again later") && items[1].get("detail").is_none(), "{made}");
    }
}

#[test]
fn reads_show_ranges_units_labels_and_state() {
    let api = Api::new();
    api.ok(CREATE, json!({"device": "EQ Eight,Simpler,Compressor", "path": "mt,t0,mt"}));
    let find = |path: &str, name: &str| {
        let read = api.ok("svc-read-device", json!({"path": path, "include": ["param-values"], "paramSearch": name}));
        let all = read["parameters"].as_array().expect("parameters").clone();
        all.into_iter().find(|p| p["name"] == name).unwrap_or_else(|| panic!("{name}: {read}"))
    };
    let mut frequency = find("mt/d0", "1 Frequency A");
    assert!(frequency["id"].is_string());
    frequency["id"] = json!("7");
    frequency["value"] = json!(0);
    assert_eq!(
        frequency,
        json!({"id": "7", "name": "1 Frequency A", "value": 0, "min": 10, "max": 22050, "unit": "Hz", "label": "30.0 Hz"})
    );
    // What has no end is a word, and there is no number for it.
    let ratio = find("mt/d1", "Ratio");
    assert_eq!((&ratio["value"], &ratio["label"], &ratio["min"]), (&json!(4), &json!("4.00 : 1"), &json!(1)));
    assert_eq!((ratio.get("max"), &ratio["alsoAccepts"]), (None, &json!(["inf"])), "{ratio}");
    assert_eq!(find("t0/d0", "Transpose")["unit"], "semitones");
    let pan = find("t0/d0", "Pan");
    assert_eq!((&pan["min"], &pan["max"], &pan["unit"]), (&json!("50L"), &json!("50R"), &json!("pan")));
    let on = find("t0/d0", "Device On");
    assert_eq!((&on["value"], &on["options"]), (&json!("On"), &json!(["Off", "On"])));
    assert!(on.get("min").is_none() && on.get("unit").is_none(), "{on}");
    let threshold = find("mt/d1", "Threshold");
    assert_eq!(threshold["alsoAccepts"], json!(["-inf"]), "{threshold}");
    // Of a free and a synced rate one is without effect.
    assert_eq!(find("t0/d0", "L Sync Rate")["state"], "inactive");
    assert!(find("t0/d0", "L Rate").get("state").is_none());
    // What the search leaves of pseudo-parameters has no id.
    let read = api.ok("svc-read-device", json!({"path": "t0/d0", "paramSearch": "PITCHBEND"}));
    assert_eq!(read["parameters"], json!([{"name": "pitchBendRange"}, {"name": "notePitchBendRange"}]));
}

/// A search finds what a write by that name would reach, and the write says what it is called.
#[test]
fn a_search_looks_at_every_name_of_a_parameter() {
    let api = Api::new();
    for (device, known_as, name) in [("Utility", "Gain", "Output"), ("Reverb", "In Filter Freq", "Input Freq")] {
        let params = json!([{"name": known_as, "value": 0.25}]);
        let made = api.ok(CREATE, json!({"device": device, "path": "mt", "params": params}));
        assert_eq!(made["params"][0]["name"], name, "{made}");
        let search = json!({"path": made["path"], "paramSearch": known_as.to_lowercase()});
        let found = api.ok("svc-read-device", search)["parameters"].clone();
        let id = &made["params"][0]["id"];
        assert!(
            found.as_array().is_some_and(|all| all.iter().any(|p| p["name"] == name && p["id"] == *id)),
            "{device} {known_as}: {found}"
        );
    }
}
