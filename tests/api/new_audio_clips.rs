//! `svc-create-clip`: audio clips, their files, and what only they take.

use super::new_clips::{TOOL, detail, file, read};
use crate::support::Api;
use serde_json::{Value, json};

#[test]
fn audio_clips_of_each_format_and_place() {
    let api = Api::new();
    api.ok("svc-update-live-set", json!({"tempo": 60}));
    for name in ["half.wav", "half.aiff", "half.flac", "half.ogg"] {
        let list = api.ok(TOOL, json!({"path": "t2/s0,t2[5|1]", "sampleFile": file(name)}));
        for at in [0, 1] {
            assert_eq!((&list[at]["length"], &list[at]["warping"]), (&json!("n/8"), &json!(true)), "{name}: {list}");
            assert!(list[at].get("noteCount").is_none() && list[at]["id"].is_string(), "{list}");
        }
        let clip = read(&api, "t2/s0", &["sample", "warp", "timing"]);
        assert_eq!(
            (&clip["sampleFile"], &clip["name"], &clip["type"]),
            (&json!(file(name)), &json!("half"), &json!("audio"))
        );
        assert_eq!((clip.get("gainDb"), clip.get("pitchShift"), clip.get("noteCount")), (None, None, None));
    }
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "sampleFile": file("half.mp3")}));
    assert_eq!(entry["detail"], "replaced the clip that was at t2/s0");
    let call = json!({"path": "t2/s1,t3[2|1]", "sampleFile": format!("{},{}", file("half.wav"), file("half.ogg")), "name": "A,B",
                      "gainDb": -6.5, "pitchShift": 3.25, "warpMode": "pro", "color": "#00FF00", "timeSignature": "6/8"});
    let list = api.ok(TOOL, call);
    assert_eq!(list[0].get("gainDb").or(list[0].get("pitchShift")).or(list[0].get("warpMode")), None, "{list}");
    for (path, name) in [("t2/s1", "A"), ("t3[2|1]", "B")] {
        let clip = read(&api, path, &["sample", "warp", "timing"]);
        assert_eq!(
            (&clip["gainDb"], &clip["pitchShift"], &clip["warpMode"]),
            (&json!(-6.5), &json!(3.25), &json!("pro"))
        );
        assert_eq!((&clip["name"], &clip["timeSignature"]), (&json!(name), &json!("6/8")));
    }
    for (gain, shown) in [(-70, json!("-inf")), (24, json!(24)), (0, Value::Null)] {
        api.ok(TOOL, json!({"path": "t2/s1", "sampleFile": file("half.wav"), "gainDb": gain, "pitchShift": -48}));
        let clip = read(&api, "t2/s1", &["sample"]);
        assert_eq!((&clip["gainDb"], &clip["pitchShift"]), (&shown, &json!(-48)), "{gain}");
    }
    for mode in ["beats", "tones", "texture", "repitch", "complex", "pro"] {
        api.ok(TOOL, json!({"path": "t2/s1", "sampleFile": file("half.wav"), "warpMode": mode}));
        assert_eq!(read(&api, "t2/s1", &["warp"])["warpMode"], mode);
    }
}

#[test]
fn an_unwarped_clip_is_as_long_as_its_file() {
    let api = Api::new();
    api.ok("svc-update-live-set", json!({"tempo": 240}));
    let list = api.ok(TOOL, json!({"path": "t2/s0,t2[3|1]", "sampleFile": file("half.wav"), "warping": false}));
    for at in [0, 1] {
        assert_eq!((&list[at]["length"], list[at].get("warping")), (&json!("n/2"), None), "{list}");
    }
    for path in ["t2/s0", "t2[3|1]"] {
        let clip = read(&api, path, &["timing", "warp"]);
        assert_eq!((&clip["warping"], &clip["looping"]), (&json!(false), &json!(false)));
        assert_eq!(
            (&clip["start"], &clip["end"], &clip["length"]),
            (&json!("1|1"), &json!("1|3"), &json!("n/2")),
            "{clip}"
        );
    }
    assert_eq!(read(&api, "t2[3|1]", &[])["arrangementLength"], "n/2");
}

#[test]
fn files_that_cannot_be_used() {
    let api = Api::new();
    let good = file("half.wav");
    // Alone it refuses; the occupied slot stays and no scene is made.
    let refusal = |path: &str| {
        let text = api.refused(TOOL, json!({"path": "t2/s20", "sampleFile": path}));
        let told = text.strip_prefix("sampleFile: ").filter(|text| text.contains(path));
        told.unwrap_or_else(|| panic!("{path}: {text}")).replace(path, "FILE")
    };
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("text.wav"), "no sound").expect("written");
    std::fs::create_dir(at("folder.wav")).expect("made");
    let reasons = [("none.wav", "no such file"), ("folder.wav", "no file"), ("text.wav", "no WAV")];
    let outside = reasons.map(|(name, _)| refusal(&at(name)));
    assert!(outside[0].contains("sampleFolder and allowedFolders"), "{outside:?}");
    assert!(outside.iter().all(|text| *text == outside[0]), "what is there is not told: {outside:?}");
    assert!(refusal("half.wav").contains("no absolute path"));
    api.post("/config", "", &json!({"allowedFolders": [at("")]}));
    for (name, words) in reasons {
        assert!(refusal(&at(name)).contains(words), "{name}: {}", refusal(&at(name)));
    }
    // Whoever climbs out of a folder is outside it.
    assert_eq!(refusal(&at("../none.wav")), outside[0]);
    let list = api.ok(TOOL, json!({"path": "t2/s0,t2/s12", "sampleFile": format!("{good},/no/such.wav")}));
    assert!(list[0]["id"].is_string() && list[1]["ok"] == false, "{list}");
    assert_eq!(api.ok("svc-read-live-set", json!({}))["sceneCount"], 8);
    for (arguments, words) in [
        (json!({"path": "t2/s0", "sampleFile": good, "notes": "C3 1|1"}), "two kinds"),
        (json!({"path": "t2/s0,t2/s1", "sampleFile": format!("{good},half.wav")}), "no absolute path"),
        (json!({"path": "t2/s0", "sampleFile": good, "transforms": "gain = 1 +"}), "transforms"),
        (json!({"path": "t0/s0", "sampleFile": good}), "needs an audio track"),
        (json!({"path": "t2/s0", "notes": "C3 1|1"}), "need a MIDI track"),
    ] {
        let text = api.refused(TOOL, arguments.clone());
        assert!(text.contains(words), "{arguments}: {text}");
    }
    // Blank notes beside a file are none.
    api.ok(TOOL, json!({"path": "t2/s0", "sampleFile": good, "notes": ""}));
}

#[test]
fn parameters_of_the_other_kind_are_told_on_the_entry() {
    let api = Api::new();
    let call = json!({"path": "t2/s0", "sampleFile": file("half.wav"), "start": "2|1", "length": "1bar", "looping": true, "firstStart": "1|1"});
    let entry = api.ok(TOOL, call);
    assert_eq!(entry["detail"], "start, length, firstStart, looping ignored: t2/s0 is an audio clip");
    let call = json!({"path": "t0/s0", "gainDb": 1, "pitchShift": 1, "warpMode": "beats", "warping": true});
    assert_eq!(api.ok(TOOL, call)["detail"], "gainDb, pitchShift, warpMode, warping ignored: t0/s0 is a MIDI clip");
}

#[test]
fn transforms_turn_the_gain_and_pitch_of_audio() {
    let api = Api::new();
    let call = json!({"path": "t2/s0,t2/s1", "sampleFile": file("half.wav"), "gainDb": -3,
                      "transforms": "gain += clip.index\npitchShift = 5"});
    let list = api.ok(TOOL, call);
    assert_eq!((&list[0]["gainDb"], &list[1]["gainDb"]), (&json!(-3), &json!(-2)), "{list}");
    assert_eq!(read(&api, "t2/s1", &["sample"])["pitchShift"], 5);
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "sampleFile": file("half.wav"), "transforms": "velocity = 5"}));
    assert!(detail(&entry).contains("velocity"), "{entry}");
}

/// A WAV file of a format, with so many channels and two seconds of nothing much.
fn odd_wav(folder: &std::path::Path, name: &str, format: u16, channels: u16, bits: u16) -> String {
    let block = if format == 1 { channels * bits / 8 } else { 256 * channels };
    let extra: Vec<u8> = if format == 1 { Vec::new() } else { [2, 0, 249, 1].to_vec() };
    let data = vec![0_u8; usize::from(block) * 400];
    let mut fmt = Vec::new();
    for word in [format, channels] {
        fmt.extend(word.to_le_bytes());
    }
    fmt.extend(44_100_u32.to_le_bytes());
    fmt.extend((44_100 * u32::from(block)).to_le_bytes());
    for word in [block, bits] {
        fmt.extend(word.to_le_bytes());
    }
    fmt.extend(extra);
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((20 + fmt.len() as u32 + data.len() as u32).to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend((fmt.len() as u32).to_le_bytes());
    bytes.extend(fmt);
    bytes.extend(b"data");
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(data);
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("it can be written");
    path.to_str().expect("a path in UTF-8").to_owned()
}

#[test]
fn a_file_that_cannot_be_played_is_told_by_the_call_that_adds_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = crate::set_files::in_folder(folder.path());
    let four = odd_wav(folder.path(), "four.wav", 1, 4, 16);
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "sampleFile": four}));
    let why = "silent: four.wav: it has 4 channels, and files of 1 or 2 are played";
    assert_eq!(entry["sounds"], why, "{entry}");
    let sound = api.ok(TOOL, json!({"path": "t2/s1", "sampleFile": file("half.wav")}));
    assert_eq!(sound.get("sounds"), None, "{sound}");
    // Packed sound is refused by its name.
    let packed = odd_wav(folder.path(), "packed.wav", 17, 2, 4);
    let refused = api.refused(TOOL, json!({"path": "t3/s0", "sampleFile": packed}));
    assert!(refused.contains("IMA ADPCM in a WAV") && refused.contains("convert it to WAV or FLAC"), "{refused}");
}

#[test]
fn a_name_may_hold_an_escape() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = crate::set_files::in_folder(folder.path());
    let path = odd_wav(folder.path(), "a\\,b.wav", 1, 1, 16);
    api.ok(TOOL, json!({"path": "t2/s0", "sampleFile": path}));
    assert_eq!(read(&api, "t2/s0", &["sample"])["sampleFile"], json!(path));
}

#[test]
fn a_pitch_that_repitch_does_not_play_is_told() {
    let api = Api::new();
    for (mode, is_told) in [("repitch", true), ("tones", false)] {
        let call = json!({"path": "t2/s0", "sampleFile": file("half.wav"), "warpMode": mode, "pitchShift": 3});
        let entry = api.ok(TOOL, call);
        assert_eq!(detail(&entry).contains("pitchShift is not heard while warpMode is repitch"), is_told, "{entry}");
    }
}

#[test]
fn shortest_clips_are_found_by_path() {
    let api = Api::new();
    let folder = tempfile::tempdir().unwrap();
    let short = folder.path().join("short.wav");
    std::fs::write(&short, crate::sample_tree::wav(&[0.5; 10])).unwrap();
    let made = api.ok(TOOL, json!({"path": "t2[3|1]", "sampleFile": short}));
    assert_eq!(read(&api, "t2[3|1]", &[])["id"], made["id"]);
}

#[test]
fn unwarped_copies_match_reads() {
    let api = Api::new();
    // Half a second is 1.0141666... beats.
    api.ok("svc-update-live-set", json!({"tempo": 121.7}));
    api.ok(TOOL, json!({"path": "t2[1|1]", "sampleFile": file("half.wav"), "warping": false}));
    for (to, field) in [("t3[20|1]", "arrangementLength"), ("t2/s3", "length")] {
        let copy = api.ok("svc-duplicate", json!({"type": "clip", "path": "t2[1|1]", "toPath": to}));
        let read = read(&api, to, &["timing"]);
        assert_eq!(copy[field], read[field], "{copy} {read}");
        assert_eq!(copy[field], "n1.0141/4", "{copy}");
    }
}
