//! `svc-update-clip`: properties, sound, notes, envelopes and conversion.

use crate::support::Api;
use serde_json::{Value, json};

pub(super) const TOOL: &str = "svc-update-clip";
pub(super) const WAV: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav");

pub(super) fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

pub(super) fn timing(api: &Api, path: &str) -> Value {
    api.ok("svc-read-clip", json!({"path": path, "include": ["timing"]}))
}

pub(super) fn midi(api: &Api, path: &str) {
    api.ok("svc-create-clip", json!({"path": path, "length": "4bar", "notes": "C3 1|1,2,3,4"}));
}

fn audio(api: &Api, path: &str) {
    let scene = path.strip_prefix("t2/s").expect("a slot of the audio track");
    api.call(&format!("live_set tracks 2 clip_slots {scene}"), "create_audio_clip", json!([WAV]));
}

#[test]
fn properties_pair_with_the_clips() {
    let api = Api::raw_enabled();
    midi(&api, "t0/s0,t1/s0");
    let list = api.ok(
        TOOL,
        json!({"path": "t0/s0,t1/s0", "name": "A,B", "color": "#ff3636,#123456", "timeSignature": "6/8,4/4"}),
    );
    assert_eq!(list[0], json!({"id": list[0]["id"], "path": "t0/s0", "name": "A"}));
    assert!(list[1]["color"].is_string() && detail(&list[1]).contains("the palette has no #123456"), "{list}");
    let read = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["timing", "color"]}));
    assert_eq!(
        (&read["name"], &read["color"], &read["timeSignature"]),
        (&json!("A"), &json!("#FF3636"), &json!("6/8"))
    );
    for (more, words) in [
        (json!({"color": "red"}), "color"),
        (json!({"timeSignature": "6/7"}), "timeSignature"),
        (json!({"start": "x"}), "start"),
        (json!({"length": "4"}), "length"),
        (json!({"firstStart": "x"}), "firstStart"),
        (json!({"quantizePitch": "H3", "quantize": 1}), "quantizePitch"),
        (json!({"quantizePitch": "C3"}), "quantizeGrid"),
        (json!({"duplicateLoop": true, "length": "1bar"}), "alone"),
        (json!({"duplicateLoop": true, "start": "1|1"}), "in another call"),
        (json!({"convert": "simpler", "toPath": "t0/s5"}), "convert"),
        (json!({"convert": "drum-rack", "arrangementSplit": "1|1"}), "convert"),
        (json!({"envelopes": "volume 1|1 0"}), "envelopes: line 1"),
        (json!({"name": "a,b,c"}), "name"),
        (json!({"start": "1|1,,2|1"}), "empty"),
    ] {
        let mut call = more;
        call["path"] = json!("t0/s0,t1/s0");
        let said = api.refused(TOOL, call.clone());
        assert!(said.contains(words), "{call}: {said}");
    }
    for (parameter, value) in [
        ("gainDb", json!(24.5)),
        ("pitchShift", json!(-49)),
        ("warpMode", json!("rex")),
        ("quantize", json!(1.5)),
        ("quantizeGrid", json!("1/3")),
        ("looping", json!("false")),
        ("convert", json!("song")),
        ("warping", json!("")),
    ] {
        let bad = api.bad(TOOL, json!({"path": "t0/s0", parameter: value}));
        assert_eq!(bad["details"][0]["path"], format!("/{parameter}"), "{bad}");
    }
}

#[test]
fn doubling() {
    let api = Api::raw_enabled();
    midi(&api, "t0/s0");
    let clip = "live_set tracks 0 clip_slots 0 clip";
    let muted = json!({"notes": [{"pitch": 62, "start_time": 1.0, "duration": 1.0, "mute": 1}]});
    api.call(clip, "add_new_notes", json!([muted]));
    let call = json!({
        "path": "t0/s0", "duplicateLoop": true, "preTransforms": "velocity = 50", "notes": "v90 E3 5|1",
        "transforms": "E3: v20",
    });
    let entry = api.ok(TOOL, call);
    // Four are changed before they are doubled, one after.
    assert_eq!(
        (&entry["length"], &entry["noteCount"], &entry["transformed"], &entry["mutedNotes"]),
        (&json!("8bar"), &json!(9), &json!(5), &json!(2)),
        "{entry}"
    );
    assert!(detail(&entry).contains("1 muted note doubled too"), "{entry}");
    let read = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}));
    assert_eq!(read["notes"], "v50 n/4 C3 1|1,2,3,4\nC3 v20 E3 5|1\nv50 C3 5|2,3,4", "{read}");
}

#[test]
fn quantizing() {
    for (more, want) in [
        (json!({"quantize": 1}), "v100 n/4 C3 1|1.25\nD3 1|2.75"),
        (json!({"quantizeGrid": "1/4"}), "v100 n/4 C3 1|1\nD3 1|3"),
        (json!({"quantizeGrid": "n/8"}), "v100 n/4 C3 1|1\nD3 1|2.5"),
        (json!({"quantize": 0.5, "quantizeGrid": "n/4"}), "v100 n/4 C3 1|1.1\nD3 1|2.85"),
        (json!({"quantizeGrid": "n/4", "quantizePitch": "D3"}), "v100 n/4 C3 1|1.2\nD3 1|3"),
        (json!({"quantize": 0}), "v100 n/4 C3 1|1.2\nD3 1|2.7"),
    ] {
        let api = Api::raw_enabled();
        api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1.2 D3 1|2.7"}));
        let muted = json!({"notes": [{"pitch": 64, "start_time": 2.3, "duration": 0.5, "mute": 1}]});
        api.call("live_set tracks 0 clip_slots 0 clip", "add_new_notes", json!([muted]));
        let mut call = more.clone();
        call["path"] = json!("t0/s0");
        let entry = api.ok(TOOL, call);
        let read = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]}));
        assert_eq!(read["notes"], want, "{more}");
        assert_eq!((&entry["noteCount"], &entry["mutedNotes"]), (&json!(2), &json!(1)), "{entry}");
        let moves = more["quantize"] != json!(0) && more.get("quantizePitch").is_none();
        assert_eq!(detail(&entry) == "1 muted note moved too", moves, "{more}: {entry}");
    }
}

#[test]
fn what_is_for_the_other_kind_of_clip() {
    let api = Api::raw_enabled();
    midi(&api, "t0/s0");
    audio(&api, "t2/s0");
    let id = api.id("live_set tracks 2 clip_slots 0 clip");
    // One of each kind.
    let list = api.ok(TOOL, json!({"path": "t0/s0,t2/s0", "notes": "C3 1|1", "quantizeGrid": "1/8"}));
    assert_eq!((&list[0]["path"], &list[0]["noteCount"]), (&json!("t0/s0"), &json!(4)), "{list}");
    let skip = json!({"path": "t2/s0", "ok": false, "detail": format!("t2/s0 (id {id}) is audio: notes, quantizeGrid ignored")});
    assert_eq!(list[1], skip);
    for parameter in ["gainDb", "pitchShift", "warping", "warpMode", "convert"] {
        let value = match parameter {
            "warping" => json!(false),
            "warpMode" => json!("tones"),
            "convert" => json!("simpler"),
            _ => json!(2),
        };
        let said = api.refused(TOOL, json!({"path": "t0/s0", parameter: value}));
        assert!(said.contains(&format!("is MIDI: {parameter} ignored")), "{said}");
    }
    let entry = api.ok(TOOL, json!({"path": "t0/s0", "gainDb": 2, "name": "X"}));
    assert!(detail(&entry).contains("gainDb ignored") && entry.get("ok").is_none(), "{entry}");
}

#[test]
fn how_an_audio_clip_sounds() {
    let api = Api::raw_enabled();
    audio(&api, "t2/s0");
    let read = |api: &Api| api.ok("svc-read-clip", json!({"path": "t2/s0", "include": ["sample", "warp", "timing"]}));
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "gainDb": -6.5, "pitchShift": 3.25, "warpMode": "pro"}));
    assert_eq!(entry.as_object().map(|entry| entry.len()), Some(2), "{entry}");
    let sound = read(&api);
    assert_eq!(
        (&sound["gainDb"], &sound["pitchShift"], &sound["warpMode"]),
        (&json!(-6.5), &json!(3.25), &json!("pro"))
    );
    api.ok(TOOL, json!({"path": "t2/s0", "gainDb": -70, "pitchShift": -48}));
    assert_eq!(read(&api)["gainDb"], "-inf");
    // Off: the whole file, unlooped, whatever else was sent.
    api.ok(TOOL, json!({"path": "t2/s0", "looping": true, "start": "1|1", "length": "n/8"}));
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "warping": false, "length": "n/16"}));
    assert!(detail(&entry).contains("length ignored: with warping off the whole file plays"), "{entry}");
    let clip = "live_set tracks 2 clip_slots 0 clip";
    assert_eq!((api.get(clip, "loop_start"), api.get(clip, "loop_end")), (json!([0]), json!([0.5])));
    assert_eq!((&read(&api)["warping"], &read(&api)["looping"]), (&json!(false), &json!(false)));
    // Unwarped it counts seconds; a length is told in beats all the same.
    api.ok(TOOL, json!({"path": "t2/s0", "length": "n/8"}));
    assert_eq!(api.get(clip, "loop_end"), json!([0.25]));
    // A loop needs warping, and wins.
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "looping": true}));
    assert!(detail(&entry).contains("warping was turned on"), "{entry}");
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "warping": false, "looping": true}));
    assert!(detail(&entry).contains("gave way"), "{entry}");
    assert_eq!((&read(&api)["warping"], &read(&api)["looping"]), (&json!(true), &json!(true)));
    // On the timeline and onto a lane: its warp markers are those of a new clip, and that is said.
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "toPath": "[1|1]"}));
    assert!(entry.get("detail").is_none(), "{entry}");
    let entry = api.ok(TOOL, json!({"path": "t2[1|1]", "toPath": "t2/l0"}));
    assert!(detail(&entry).contains("warp markers start over"), "{entry}");
    let entry = api.ok(TOOL, json!({"path": "t2/l0[1|1]", "toPath": "t2/s4"}));
    assert!(detail(&entry).contains("the muted clip is left at t2/l0[1|1] (id "), "{entry}");
}

#[test]
fn a_meter_that_cannot_read_the_notes() {
    let api = Api::raw_enabled();
    midi(&api, "t0/s0,t0/s1");
    let step = "C3 1|1x2@1bar-n/1";
    let list = api.ok(TOOL, json!({"path": "t0/s0,t0/s1", "timeSignature": "4/4,3/2", "name": "A,B", "notes": step}));
    assert_eq!((&list[0]["ok"], list[1].get("ok")), (&json!(false), None), "{list}");
    assert_eq!(timing(&api, "t0/s0").get("name"), None, "nothing of it was done");
    assert_eq!(timing(&api, "t0/s1")["timeSignature"], "3/2");
    api.refused(TOOL, json!({"path": "t0/s0,t0/s1", "timeSignature": "4/4", "name": "A,B", "notes": step}));
}

#[test]
fn envelopes() {
    let api = Api::raw_enabled();
    midi(&api, "t0/s0");
    let clip = "live_set tracks 0 clip_slots 0 clip";
    let drawn = |api: &Api| -> Vec<(u64, Vec<(f64, f64)>)> {
        let document = api.document();
        let clip = document.tracks.get(0).unwrap().session.iter().next().unwrap().clip.clone();
        let points = |points: &[svc_device::object_model::EnvelopePoint]| {
            points.iter().map(|point| (point.time, point.value)).collect()
        };
        clip.envelopes.iter().map(|envelope| (envelope.parameter, points(&envelope.points))).collect()
    };
    let pan: u64 = api.id("live_set tracks 0 mixer_device panning").parse().unwrap();
    let entry = api.ok(
        TOOL,
        json!({"path": "t0/s0", "envelopes": format!("volume: 1|1 -inf / 3|1 0 dB\n{pan}: 1|1 50L _ 2|1 1")}),
    );
    assert!(entry.get("detail").is_none(), "{entry}");
    let all = drawn(&api);
    assert_eq!(all[0].1, [(0.0, 0.0), (8.0, 0.85)]);
    assert_eq!(all[1], (pan, vec![(0.0, -1.0), (4.0, -1.0), (4.0, 1.0)]));
    assert_eq!(api.get(clip, "has_envelopes"), json!([1]));
    // One that fails is told and is gone; the others land. Nothing behind the colon clears.
    let foreign = api.id("live_set tracks 1 mixer_device volume");
    let entry = api.ok(
        TOOL,
        json!({"path": "t0/s0", "envelopes": format!("pan: 1|1 7\nvolume:\nsend0: 1|1 -6\nsend9: 1|1 1\n{foreign}: 1|1 1")}),
    );
    for (at, line, words) in [(0, 1, "50L to 50R"), (3, 4, "send9"), (4, 5, "another track")] {
        let item = &entry["envelopes"][at];
        assert!((&item["ok"], &item["line"]) == (&json!(false), &json!(line)), "{entry}");
        assert!(detail(item).contains(words), "{words}: {entry}");
    }
    assert_eq!(drawn(&api).len(), 1, "only the send is left");
    for (text, words) in [("pan: 1|1 0 ~2 2|1 1", "-1..1"), ("loud: 1|1 0", "no target")] {
        assert!(api.refused(TOOL, json!({"path": "t0/s0", "name": "N", "envelopes": text})).contains(words));
    }
    // Onto the timeline they are lost where a clip is built anew, and clips there have none.
    let said = api.refused(TOOL, json!({"path": "t0/s0", "envelopes": "pan: 9|1 7"}));
    assert!(said.contains("line 1"), "{said}");
    let entry = api.ok(TOOL, json!({"path": "t0/s0", "toPath": "t0/l0[1|1]"}));
    assert!(detail(&entry).contains("without the envelopes"), "{entry}");
    let said = api.refused(TOOL, json!({"path": "t0/l0[1|1]", "envelopes": "pan: 1|1 0"}));
    assert!(said.contains("no envelopes of their own"), "{said}");
}

#[test]
fn conversion() {
    let api = Api::raw_enabled();
    audio(&api, "t2/s0");
    audio(&api, "t2/s1");
    let tracks = |api: &Api| api.count("regularTrackCount");
    let before = tracks(&api);
    for kind in ["drums", "melody", "harmony"] {
        let said = api.refused(TOOL, json!({"path": "t2/s0", "convert": kind}));
        assert!(said.contains("Ableton Live") && said.contains("simpler and drum-rack work here"), "{said}");
    }
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "convert": "simpler", "name": "Tone", "gainDb": -3}));
    assert_eq!(entry["converted"]["track"]["path"], "t3", "{entry}");
    assert_eq!(tracks(&api), before + 1);
    let simpler = "live_set tracks 3 devices 0";
    assert_eq!(api.get(simpler, "class_name"), json!(["OriginalSimpler"]));
    assert_eq!(api.get(&format!("{simpler} sample"), "file_path"), json!([WAV]));
    assert_eq!(api.get("live_set tracks 3", "name"), json!(["Tone"]));
    // Two of one track: the paths are read when both are there.
    let list = api.ok(TOOL, json!({"path": "t2/s0,t2/s1", "convert": "drum-rack"}));
    assert_eq!(
        (&list[0]["converted"]["track"]["path"], &list[1]["converted"]["track"]["path"]),
        (&json!("t4"), &json!("t3")),
        "{list}"
    );
    let rack = "live_set tracks 3 devices 0";
    assert_eq!(api.get(rack, "class_name"), json!(["DrumGroupDevice"]));
    assert_eq!(api.get(&format!("{rack} chains 0"), "in_note"), json!([36]));
    assert_eq!(api.get(&format!("{rack} chains 0 devices 0"), "playback_mode"), json!([1]));
    let sample = format!("{rack} chains 0 devices 0 sample");
    assert_eq!((api.get(&sample, "file_path"), api.get(&sample, "start_marker")), (json!([WAV]), json!([0])));
    // A clip of a lane, and no clip at all.
    api.ok(TOOL, json!({"path": "t2/s1", "toPath": "t2/l0[1|1]"}));
    assert!(api.refused(TOOL, json!({"path": "t2/l0[1|1]", "convert": "simpler"})).contains("take lane"));
    assert!(api.refused(TOOL, json!({"path": "t2/s7", "convert": "simpler"})).contains("empty"));
}

/// A WAV of 16 bits with a short hit at each of these times.
fn hits(path: &std::path::Path, times: &[f64], seconds: f64) {
    const RATE: u32 = 22_050;
    let frames = (seconds * f64::from(RATE)) as u32;
    let mut bytes = Vec::new();
    let words = |bytes: &mut Vec<u8>, of: &[u32]| of.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    bytes.extend(b"RIFF");
    words(&mut bytes, &[36 + frames * 2]);
    bytes.extend(b"WAVEfmt ");
    // One channel of PCM; bytes in a second; two bytes a frame, 16 bits a sample.
    words(&mut bytes, &[16, 0x0001_0001, RATE, RATE * 2, 0x0010_0002]);
    bytes.extend(b"data");
    words(&mut bytes, &[frames * 2]);
    for frame in 0..frames {
        let now = f64::from(frame) / f64::from(RATE);
        let hit = |at: &f64| if now < *at { 0.0 } else { ((now - at) * 900.0).sin() * (-(now - at) * 20.0).exp() };
        let sample = times.iter().map(hit).sum::<f64>() * 12_000.0;
        bytes.extend((sample as i16).to_le_bytes());
    }
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_drum_rack_has_a_pad_for_each_transient() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loop.wav");
    for (times, pads) in [
        (vec![0.0, 0.3, 0.5, 1.1], 4),
        // Sixteen at most.
        ((0..20).map(|n| f64::from(n) * 0.09).collect(), 16),
    ] {
        hits(&path, &times, 2.0);
        let api = Api::raw_enabled();
        api.call("live_set tracks 2 clip_slots 0", "create_audio_clip", json!([path.to_str().unwrap()]));
        let entry = api.ok(TOOL, json!({"path": "t2/s0", "convert": "drum-rack"}));
        assert_eq!(entry["converted"]["track"]["path"], "t3", "{entry}");
        let rack = "live_set tracks 3 devices 0";
        let chains = api.raw(rack, json!([{"type": "getcount", "property": "chains"}])).remove(0);
        assert_eq!(chains, json!(pads), "{times:?}");
        let marker = |pad: usize, member: &str| {
            api.get(&format!("{rack} chains {pad} devices 0 sample"), member)[0].as_f64().unwrap() / 22_050.0
        };
        for pad in 0..pads {
            assert_eq!(api.get(&format!("{rack} chains {pad}"), "in_note"), json!([36 + pad]));
            let (from, to) = (marker(pad, "start_marker"), marker(pad, "end_marker"));
            assert!(times.iter().any(|at| (at - from).abs() < 0.008), "{from} of {times:?}");
            let next = if pad + 1 < pads { marker(pad + 1, "start_marker") } else { 2.0 };
            assert_eq!(to, next, "each slice goes on to the next");
        }
    }
}

#[test]
fn a_call_is_one_step_back() {
    let api = Api::raw_enabled();
    midi(&api, "t0/s0,t0/s1");
    api.call("live_set tracks 0", "create_midi_clip", json!([0, 4]));
    let before = api.kept();
    for call in [
        json!({"path": "t0/s0,t0/s1", "toPath": "t1/s20,t0[1|3]", "name": "A,B", "duplicateLoop": true, "quantize": 1}),
        json!({"path": "t0[1|1]", "arrangementLength": "9bar"}),
        json!({"path": "t0[1|1]", "arrangementSplit": "1|2,1|3", "color": "#FF3636"}),
        json!({"path": "t0/s0", "toPath": "t0/l3[2|1]"}),
    ] {
        api.ok(TOOL, call.clone());
        assert!(!api.kept().same_as(&before), "{call}");
        api.ok("svc-manage", json!({"action": "undo"}));
        assert!(api.kept().same_as(&before), "{call}");
    }
}

#[test]
fn a_clip_that_is_never_cut_says_so_once() {
    let api = Api::new();
    api.ok("svc-update-track", json!({"path": "t0/l0"}));
    api.ok("svc-create-clip", json!({"path": "t0/l0[1|1]", "notes": "C3 1|1", "length": "2bar"}));
    let entry = api.ok(TOOL, json!({"path": "t0/l0[1|1]", "arrangementSplit": "1|3", "name": "n"}));
    let detail = entry["detail"].as_str().unwrap();
    assert!(detail.contains("is on a take lane") && !detail.contains("nothing was cut"), "{entry}");
}

/// Nothing is brought into its range silently.
#[test]
fn a_transform_past_the_range_of_audio_says_where_it_stayed() {
    let api = Api::raw_enabled();
    audio(&api, "t2/s0");
    for (transforms, field, kept, reads) in [
        ("gain = 99", "gainDb", 24, json!(24)),
        ("gain = -99", "gainDb", -70, json!("-inf")),
        ("pitchShift = 60", "pitchShift", 48, json!(48)),
    ] {
        let entry = api.ok(TOOL, json!({"path": "t2/s0", "transforms": transforms}));
        assert_eq!(entry[field], reads, "{entry}");
        let said = detail(&entry);
        assert!(said.contains(&format!("kept at {kept}")), "{entry}");
        let copy = api
            .ok("svc-duplicate", json!({"type": "clip", "path": "t2/s0", "toPath": "t2/s1", "transforms": transforms}));
        assert!(detail(&copy).contains(&format!("kept at {kept}")), "{copy}");
        let made = api.ok("svc-create-clip", json!({"path": "t2/s2", "sampleFile": WAV, "transforms": transforms}));
        assert!(detail(&made).contains(&format!("kept at {kept}")), "{made}");
    }
    let entry = api.ok(TOOL, json!({"path": "t2/s0", "transforms": "gain = 24\npitchShift = -48"}));
    assert_eq!(entry.get("detail"), None, "{entry}");
}

/// Values as the device shows them, on any parameter; a read spells them as they can be drawn again, and says that they
/// are where the parameter stands.
#[test]
fn envelopes_are_drawn_and_read_as_shown() {
    let api = Api::new();
    midi(&api, "t0/s0");
    api.ok("svc-create-device", json!({"device": "Operator,Compressor", "path": "t0,t0"}));
    let devices = api.ok("svc-read-track", json!({"path": "t0", "include": ["devices"]}))["devices"].clone();
    let last = devices.as_array().and_then(|all| all.last()).expect("a device")["path"].clone();
    let read = api.ok("svc-read-device", json!({"path": last, "include": ["params"]}));
    let id = |name: &str| {
        let all = read["parameters"].as_array().expect("parameters");
        all.iter().find(|p| p["name"] == name).expect(name)["id"].as_str().expect("an id").to_owned()
    };
    let (ratio, threshold, on) = (id("Ratio"), id("Threshold"), id("Device On"));
    for (target, drawn, unit, shown) in [
        ("volume", "1|1 -inf / 2|1 -6 dB _ 3|1 0", json!("dB"), "1|1 -inf / 2|1 -6 _ 3|1 0"),
        ("volume", "1|1 0.85 raw / 2|1 0.7 raw", json!("dB"), "1|1 0 / 2|1 -6"),
        ("pan", "1|1 20L / 2|1 C ~0.5 3|1 0.5", json!("pan"), "1|1 20L / 2|1 C ~0.5 3|1 25R"),
        ("send0", "1|1 -12 / 2|1 -inf dB", json!("dB"), "1|1 -12 / 2|1 -inf"),
        (&ratio, "1|1 2 : 1 / 2|1 inf", Value::Null, "1|1 2 / 2|1 inf"),
        (&threshold, "1|1 -18 dB / 2|1 0.0 dB", json!("dB"), "1|1 -18 / 2|1 0"),
        (&on, "1|1 Off _ 2|1 on", Value::Null, "1|1 Off _ 2|1 On"),
    ] {
        let entry = api.ok(TOOL, json!({"path": "t0/s0", "envelopes": format!("{target}: {drawn}")}));
        assert!(entry.get("detail").is_none(), "{target}: {entry}");
        let read = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["envelopes"]}));
        let envelope = read["envelopes"][0].clone();
        assert_eq!(envelope["events"], shown, "{target}: {read}");
        assert_eq!((&envelope["unit"], &envelope["absolute"]), (&unit, &json!(true)), "{target}: {read}");
        // What was read can be drawn, and reads the same.
        api.ok(TOOL, json!({"path": "t0/s0", "envelopes": format!("{target}: {shown}")}));
        assert_eq!(api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["envelopes"]})), read, "{target}");
        api.ok(TOOL, json!({"path": "t0/s0", "envelopes": format!("{target}:")}));
    }
    for (drawn, why) in [
        ("volume: 1|1 7", "outside its range, -inf dB to 6.0 dB"),
        ("volume: 1|1 50 %", "it is dB, not %"),
        ("pan: 1|1 left", "no number"),
    ] {
        let said = api.refused(TOOL, json!({"path": "t0/s0", "envelopes": drawn}));
        assert!(said.contains(why), "{drawn}: {said}");
    }
}

#[test]
fn a_doubled_loop_keeps_both_ends_of_its_envelopes() {
    for (drawn, doubled) in [
        ("1|1 0.85 / 2|1 0.2", "1|1 0.85 / 2|1 0.2 / 2|1 0.85 / 3|1 0.2"),
        ("1|2 0.85 / 2|1 0.2", "1|2 0.85 / 2|1 0.2 / 2|1 0.85 / 2|2 0.85 / 3|1 0.2"),
        ("1|1 0.85 / 1|3 0.2", "1|1 0.85 / 1|3 0.2 / 2|1 0.2 / 2|1 0.85 / 2|3 0.2"),
        // A way that leads over an end of the loop is cut there.
        ("1|1 0.25 / 3|1 0.75", "1|1 0.25 / 2|1 0.5 / 2|1 0.25 / 4|1 0.75"),
        ("1|3 0.25 / 2|3 0.75", "1|3 0.25 / 2|1 0.5 / 2|1 0.25 / 2|3 0.25 / 3|3 0.75"),
        ("2|3 0.5", "3|3 0.5"),
    ] {
        let api = Api::raw_enabled();
        api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar", "looping": true}));
        api.ok(TOOL, json!({"path": "t0/s0", "envelopes": format!("pan: {drawn}")}));
        api.ok(TOOL, json!({"path": "t0/s0", "duplicateLoop": true}));
        let read = api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["envelopes"]}));
        // Two points at one time are a jump, shown as one.
        let points = |line: &str| {
            let words = line.split_whitespace().filter(|word| !matches!(*word, "/" | "_"));
            words.map(str::to_owned).collect::<Vec<_>>()
        };
        let document = api.document();
        let clip = document.tracks.get(0).unwrap().session.iter().next().unwrap().clip.clone();
        let at = |time: f64| format!("{}|{}", (time / 4.0) as u32 + 1, (time % 4.0) as u32 + 1);
        let all = clip.envelopes[0].points.iter().flat_map(|p| [at(p.time), p.value.to_string()]);
        assert_eq!(all.collect::<Vec<_>>(), points(doubled), "{drawn}: {read}");
    }
}
