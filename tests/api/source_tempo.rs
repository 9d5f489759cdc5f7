//! The tempo of an audio clip's file: stated by the file, by its name, or by the caller; shown, and followed.

use crate::sample_tree::{put, wav};
use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;

/// A file of eight beats at that tempo, with an `acid` chunk that states one.
fn loop_file(folder: &Path, name: &str, bpm: f64, stated: Option<(u32, f32)>) -> String {
    let mut bytes = wav(&vec![0.1; (8.0 * 60.0 / bpm * 44_100.0).round() as usize]);
    if let Some((flags, bpm)) = stated {
        bytes.extend(b"acid\x18\0\0\0");
        bytes.extend(flags.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(8u32.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(bpm.to_le_bytes());
        let length = u32::try_from(bytes.len() - 8).expect("a short file");
        bytes[4..8].copy_from_slice(&length.to_le_bytes());
    }
    put(folder, name, &bytes).to_str().expect("a text").to_owned()
}

fn warp(api: &Api, path: &str) -> Value {
    api.ok("svc-read-clip", json!({"path": path, "include": ["warp", "timing"]}))
}

#[test]
fn the_files_own_tempo_comes_before_its_name_and_that_before_the_sets() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = Api::new();
    for (name, stated, asked, bpm, length) in [
        ("plain.wav", None, None, 120.0, None),
        ("loop_174bpm.wav", None, None, 174.0, Some("2bar")),
        ("loop_90bpm.wav", Some((0, 174.0)), None, 174.0, Some("2bar")),
        ("beats.wav", Some((0, 0.0)), None, 174.0, Some("2bar")),
        ("hit.wav", Some((1, 174.0)), None, 120.0, None),
        ("loop_87bpm.wav", None, Some(174), 174.0, Some("2bar")),
    ] {
        let file = loop_file(folder.path(), name, 174.0, stated);
        let mut call = json!({"path": "t2/s0,t2[1|1]", "sampleFile": file});
        if let Some(bpm) = asked {
            call["sourceTempo"] = json!(bpm);
        }
        let made = api.ok("svc-create-clip", call);
        for (at, path) in [(0, "t2/s0"), (1, "t2[1|1]")] {
            let read = warp(&api, path);
            let is = read["sourceTempo"].as_f64().expect("a tempo");
            assert!((is - bpm).abs() < 0.01, "{name}: {read}");
            assert_eq!(made[at]["sourceTempo"], read["sourceTempo"], "{made}");
            if let Some(length) = length {
                assert_eq!((&read["length"], &made[at]["length"]), (&json!(length), &json!(length)), "{name}");
            }
        }
        api.ok("svc-delete", json!({"type": "clip", "path": "t2[1|1]"}));
    }
}

#[test]
fn a_tempo_that_is_set_keeps_the_part_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = Api::new();
    let file = loop_file(folder.path(), "plain.wav", 174.0, None);
    api.ok("svc-create-clip", json!({"path": "t2/s0,t2[1|1]", "sampleFile": file}));
    for path in ["t2/s0", "t2[1|1]"] {
        let set = api.ok("svc-update-clip", json!({"path": path, "sourceTempo": 174}));
        assert_eq!((&set["sourceTempo"], &set["length"]), (&json!(174), &json!("2bar")), "{set}");
        let read = warp(&api, path);
        assert_eq!(
            (&read["sourceTempo"], &read["start"], &read["length"]),
            (&json!(174), &json!("1|1"), &json!("2bar"))
        );
        // Again, and back.
        let same = api.ok("svc-update-clip", json!({"path": path, "sourceTempo": 174}));
        assert_eq!(same["length"], json!("2bar"), "{same}");
        api.ok("svc-update-clip", json!({"path": path, "sourceTempo": 87}));
        assert_eq!(warp(&api, path)["length"], json!("1bar"));
        let chosen = api.ok("svc-update-clip", json!({"path": path, "sourceTempo": 174, "length": "1bar"}));
        assert_eq!((chosen.get("length"), &warp(&api, path)["length"]), (None, &json!("1bar")), "{chosen}");
    }
    api.ok("svc-update-clip", json!({"path": "t2/s0", "warping": false}));
    assert!(api.refused("svc-update-clip", json!({"path": "t2/s0", "sourceTempo": 174})).contains("warping off"));
    assert_eq!(warp(&api, "t2/s0").get("sourceTempo"), None);
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
    assert!(api.refused("svc-update-clip", json!({"path": "t0/s0", "sourceTempo": 174})).contains("is MIDI"));
}

/// The length of the call is what is tiled, not the one before.
#[test]
fn a_length_and_an_arrangement_length_in_one_call_tile_the_new_length() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = Api::new();
    let file = loop_file(folder.path(), "loop_174bpm.wav", 174.0, None);
    api.ok("svc-create-clip", json!({"path": "t2[1|1]", "sampleFile": file}));
    api.ok("svc-create-clip", json!({"path": "t0[1|1]", "notes": "C3 1|1", "length": "2bar"}));
    for path in ["t2[1|1]", "t0[1|1]"] {
        let answer = api.ok(
            "svc-update-clip",
            json!({"path": path, "looping": true, "length": "1bar", "arrangementLength": "4bar"}),
        );
        let track = path.split('[').next().expect(path);
        let clips = api.ok("svc-read-track", json!({"path": track, "include": ["arrangement-clips", "timing"]}));
        let lengths: Vec<(&Value, &Value)> = clips["arrangementClips"]
            .as_array()
            .expect("clips")
            .iter()
            .map(|clip| (&clip["length"], &clip["arrangementLength"]))
            .collect();
        assert_eq!(lengths, vec![(&json!("1bar"), &json!("1bar")); 4], "{path}: {answer}");
    }
}
