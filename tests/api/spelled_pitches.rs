//! Pitches have one spelling in all that reads and writes say: that of the Set's scale, or flats.

use crate::support::Api;
use serde_json::{Value, json};

/// A Set with that scale, a clip on a track without drums, and a Drum Rack with a filled pad.
fn stage(scale: &str) -> Api {
    let api = Api::new();
    if !scale.is_empty() {
        api.ok("svc-update-live-set", json!({"scale": scale}));
    }
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "F#3 1|1 Bb3 1|2 C#3 1|3", "length": "1bar"}));
    api.ok("svc-create-device", json!({"path": "t1", "device": "Drum Rack"}));
    api.ok("svc-create-device", json!({"path": "t1/d0/pF#1", "device": "Operator"}));
    api.ok("svc-create-device", json!({"path": "t0", "device": "Pitch"}));
    api
}

#[test]
fn pitches_are_spelled_by_the_scale_wherever_they_are_shown() {
    for (scale, pitches, [f_sharp, b_flat, c_sharp]) in [
        ("", None, ["Gb", "Bb", "Db"]),
        ("C Major", Some("C,D,E,F,G,A,B"), ["Gb", "Bb", "Db"]),
        ("F Major", Some("F,G,A,Bb,C,D,E"), ["Gb", "Bb", "Db"]),
        ("Bb Minor", Some("Bb,C,Db,Eb,F,Gb,Ab"), ["Gb", "Bb", "Db"]),
        ("F# Minor", Some("Gb,Ab,A,B,Db,D,E"), ["Gb", "Bb", "Db"]),
        ("D Major", Some("D,E,F#,G,A,B,C#"), ["F#", "A#", "C#"]),
        ("D Harmonic Minor", Some("D,E,F,G,A,Bb,C#"), ["Gb", "Bb", "C#"]),
        ("E Minor", Some("E,F#,G,A,B,C,D"), ["F#", "A#", "C#"]),
    ] {
        let api = stage(scale);
        let set = api.ok("svc-read-live-set", json!({}));
        assert_eq!(set.get("scalePitches").and_then(Value::as_str), pitches, "{scale}");
        let notes = |notation: &str| {
            let header = format!("x-svc-notation: {notation}\r\n");
            let read = json!({"path": "t0/s0", "include": ["notes"]});
            api.envelope("svc-read-clip", &header, &read)["result"]["notes"].as_str().expect("notes").to_owned()
        };
        let barbeat = notes("barbeat");
        assert_eq!(barbeat, format!("v100 n/4 {f_sharp}3 1|1\n{b_flat}3 1|2\n{c_sharp}3 1|3"), "{scale}");
        let stark = notes("stark");
        for name in [f_sharp, b_flat, c_sharp] {
            assert!(stark.contains(name), "{scale}: {stark}");
        }
        // What was read is written back as it is.
        for (notation, text) in [("barbeat", barbeat), ("stark", stark)] {
            let header = format!("x-svc-notation: {notation}\r\n");
            let merged = api.envelope("svc-update-clip", &header, &json!({"path": "t0/s0", "notes": text}));
            // The three dynamics of stark may move velocities, and no notation the pitches.
            assert_eq!(merged["result"]["noteCount"], json!(3), "{scale} {notation}: {merged}");
        }
        let rack = api.ok("svc-read-device", json!({"path": "t1/d0", "include": ["*"]}));
        let pad = format!("{f_sharp}1");
        assert_eq!(rack["drumMap"].as_object().map(|map| map.keys().collect()), Some(vec![&pad]), "{scale}: {rack}");
        let path = format!("t1/d0/p{pad}");
        let read = api.ok("svc-read-device", json!({"path": path}));
        assert_eq!((&read["path"], &read["pitch"]), (&json!(path), &json!(pad)), "{scale}: {read}");
        let chain = api.ok("svc-read-device", json!({"path": format!("{path}/c0")}));
        assert_eq!(chain["path"], json!(format!("{path}/c0")), "{scale}: {chain}");
        let mapped = api.ok("svc-update-device", json!({"path": path, "mappedPitch": "C#2"}));
        assert_eq!(mapped["mappedPitch"], json!(format!("{c_sharp}2")), "{scale}: {mapped}");
        let empty = api.refused("svc-update-device", json!({"path": "t1/d0/pC#3", "name": "x"}));
        assert!(empty.contains(&format!("p{c_sharp}3")) || empty.contains("pC#3"), "{scale}: {empty}");
        let lowest = json!({"path": "t0/d0", "params": [{"name": "Lowest", "value": "A#2"}]});
        let lowest = api.ok("svc-update-device", lowest);
        assert_eq!(lowest["params"][0]["value"], json!(format!("{b_flat}2")), "{scale}: {lowest}");
        let search = json!({"path": "t0/d0", "paramSearch": "lowest", "include": ["param-values"]});
        let read = api.ok("svc-read-device", search)["parameters"][0].clone();
        assert_eq!((&read["value"], &read["label"]), (&json!(format!("{b_flat}2")), &read["value"]), "{scale}: {read}");
    }
}
