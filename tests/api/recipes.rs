//! The recipes of `docs/recipes.md`: their calls work, and what comes of them is the music that was asked for.

use crate::stage::{Stage, calls, pages};
use serde_json::{Value, json};

const MIDI_JSON: &str = "x-svc-notation: midi-json\r\n";

/// Carries a recipe out, and gives the Set.
fn cook(title: &str) -> Stage {
    let (_, text) = pages("docs").into_iter().find(|(name, _)| name == "recipes").expect("the page");
    let part = text.split("\n## ").find(|part| part.lines().next() == Some(title)).expect(title);
    let stage = Stage::empty();
    let calls = calls(part).expect("calls");
    assert!(calls.len() >= 4, "{title}");
    for call in calls {
        stage.run(&call, "").unwrap_or_else(|why| panic!("{title}: {} {}: {why}", call.tool, call.arguments));
    }
    stage
}

/// Notes as (pitch, start in beats, velocity), by time and pitch.
fn notes(stage: &Stage, clip: &str) -> Vec<(i64, f64, i64)> {
    let arguments = json!({"path": clip, "include": ["notes"]});
    let read = stage.api.envelope("svc-read-clip", MIDI_JSON, &arguments)["result"].clone();
    let list = read["notes"].as_array().unwrap_or_else(|| panic!("{clip}: {read}")).iter();
    let whole = |value: &Value| value.as_f64().map(|n| n.round() as i64);
    let mut notes: Vec<(i64, f64, i64)> = list
        .map(|note| {
            let start = note["t"].as_f64().expect("a start");
            (whole(&note["p"]).expect("a pitch"), start, whole(&note["v"]).unwrap_or(100))
        })
        .collect();
    notes.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    notes
}

fn of(notes: &[(i64, f64, i64)], pitch: i64) -> Vec<(f64, i64)> {
    notes.iter().filter(|note| note.0 == pitch).map(|note| (note.1, note.2)).collect()
}

/// The clips of a track's timeline.
fn timeline(stage: &Stage, track: &str) -> Vec<Value> {
    let read = stage.api.ok("svc-read-track", json!({"path": track, "include": ["arrangement-clips", "timing"]}));
    read["arrangementClips"].as_array().unwrap_or_else(|| panic!("{read}")).clone()
}

fn paths(clips: &[Value]) -> Vec<&str> {
    clips.iter().map(|clip| clip["path"].as_str().expect("a path")).collect()
}

const KICK: i64 = 36;
const SNARE: i64 = 38;
const CLAP: i64 = 39;
const HAT: i64 = 42;
const OPEN_HAT: i64 = 46;

#[test]
fn a_house_beat_with_an_arrangement() {
    let stage = cook("A house beat with an 8-bar arrangement");
    let set = stage.api.ok("svc-read-live-set", json!({"include": ["locators"]}));
    assert_eq!((&set["tempo"], &set["scale"]), (&json!(124), &json!("A Minor")), "{set}");
    let locators: Vec<(&str, &str)> = set["locators"]
        .as_array()
        .expect("locators")
        .iter()
        .map(|l| (l["time"].as_str().expect("a time"), l["name"].as_str().expect("a name")))
        .collect();
    assert_eq!(locators, [("1|1", "Drums"), ("5|1", "Bass in")]);

    let beat = notes(&stage, "t0/s0");
    let starts = |pitch| of(&beat, pitch).iter().map(|(t, _)| *t).collect::<Vec<_>>();
    assert_eq!(starts(KICK), (0..8).map(f64::from).collect::<Vec<_>>(), "four on the floor");
    assert_eq!(starts(CLAP), [1.0, 3.0, 5.0, 7.0], "a clap on two and four");
    assert_eq!(starts(OPEN_HAT), (0..8).map(|n| f64::from(n) + 0.5).collect::<Vec<_>>(), "open hats between");
    assert_eq!(starts(HAT).len(), 32);

    // The song: drums without a gap, the bass from bar 5, each two bars a clip.
    assert_eq!(paths(&timeline(&stage, "t0")), ["t0[1|1]", "t0[3|1]", "t0[5|1]", "t0[7|1]"]);
    assert_eq!(paths(&timeline(&stage, "t1")), ["t1[5|1]", "t1[7|1]"]);
    let kicks: usize = ["t0[1|1]", "t0[3|1]", "t0[5|1]"].iter().map(|clip| of(&notes(&stage, clip), KICK).len()).sum();
    assert_eq!(kicks, 24);
    let last = notes(&stage, "t0[7|1]");
    assert_eq!(of(&last, KICK).len(), 6, "the kick makes room for the fill");
    assert_eq!(of(&last, SNARE), [(7.0, 60), (7.25, 80), (7.5, 100), (7.75, 120)], "the fill rises");
    assert!(notes(&stage, "t1[5|1]").iter().all(|note| note.1.fract() == 0.5), "the bass is between the kicks");

    let transport = stage.api.ok("svc-playback", json!({"action": "play-arrangement"}));
    assert_eq!((&transport["loopStart"], &transport["loopEnd"]), (&json!("1|1"), &json!("9|1")), "{transport}");
    assert_eq!(transport["playing"], true);
}

#[test]
fn hats_that_vary() {
    let stage = cook("Vary the hats per clip");
    let clips: Vec<Vec<(i64, f64, i64)>> = (0..4).map(|scene| notes(&stage, &format!("t0/s{scene}"))).collect();
    for clip in &clips {
        assert_eq!(of(clip, KICK), of(&clips[0], KICK), "the kick stays");
        assert_eq!(of(clip, SNARE), of(&clips[0], SNARE), "the snare stays");
        let swung = of(clip, HAT).iter().any(|(t, _)| (t * 4.0).fract() > 0.01);
        assert!(swung, "hats swing: {clip:?}");
    }
    for (n, clip) in clips.iter().enumerate() {
        for other in &clips[n + 1..] {
            assert_ne!(of(clip, HAT), of(other, HAT));
        }
    }
    let counts: Vec<usize> = clips.iter().map(|clip| of(clip, HAT).len()).collect();
    assert_eq!(counts, [16, 14, 20, 16]);
    assert_eq!(of(&clips[1], OPEN_HAT).len(), 1);
    let chance = stage.api.envelope("svc-read-clip", MIDI_JSON, &json!({"path": "t0/s3", "include": ["notes"]}));
    let list = chance["result"]["notes"].as_array().expect("notes").clone();
    assert_eq!(list.iter().filter(|note| note["p"] == HAT && note["c"] == 0.5).count(), 8, "every other hat by chance");
    let names: Vec<Value> =
        (0..4).map(|n| stage.api.ok("svc-read-clip", json!({"path": format!("t0/s{n}")}))["name"].clone()).collect();
    assert_eq!(names, ["Beat 1", "Beat 2", "Beat 3", "Beat 4"]);
}

#[test]
fn names_and_colours_by_role() {
    let stage = cook("Rename and colour by role");
    let arguments = json!({"path": "t0,t1,t2,t3", "include": ["color", "session-clips"]});
    let tracks = stage.api.ok("svc-read-track", arguments);
    let tracks = tracks.as_array().expect("tracks");
    let names: Vec<&str> = tracks.iter().map(|t| t["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["Drums", "Bass", "Vocals", "Guitar"]);
    let colors: Vec<&str> = tracks.iter().map(|t| t["color"].as_str().expect("a colour")).collect();
    for (n, color) in colors.iter().enumerate() {
        assert!(!colors[n + 1..].contains(color), "{colors:?}");
    }
    for (track, names) in [("t0", ["Beat A", "Beat B"]), ("t1", ["Bass A", "Bass B"])] {
        let at: usize = track[1..].parse().unwrap();
        for (scene, name) in names.iter().enumerate() {
            let clip =
                stage.api.ok("svc-read-clip", json!({"path": format!("{track}/s{scene}"), "include": ["color"]}));
            assert_eq!((&clip["name"], &clip["color"]), (&json!(name), &json!(colors[at])), "{clip}");
        }
    }
    let scenes = stage.api.ok("svc-read-scene", json!({"path": "s0,s1"}));
    assert_eq!((&scenes[0]["name"], &scenes[1]["name"]), (&json!("Verse (1)"), &json!("Chorus (2)")));
}

#[test]
fn a_pump_without_a_compressor() {
    let stage = cook("Sidechain pump with clips only");
    let document = stage.api.document();
    let kicks: Vec<f64> = of(&notes(&stage, "t0/s0"), KICK).iter().map(|(t, _)| *t).collect();
    assert_eq!(kicks, [0.0, 1.0, 2.0, 3.0]);
    for (at, clip) in timeline(&stage, "t1").iter().enumerate() {
        assert_eq!(clip["path"], format!("t1[{}|1]", at + 1));
        let path = format!("live_set tracks 1 arrangement_clips {at}");
        assert_eq!(stage.api.get(&path, "has_envelopes"), json!([1]), "{clip}");
    }
    // Down at each kick, up before the next.
    let clip = document.tracks[1].session.iter().next().expect("the pad").clip.clone();
    let points = &clip.envelopes.first().expect("an envelope").points;
    let at = |beat: f64| points.iter().filter(|p| (p.time - beat).abs() < 1e-9).map(|p| p.value).next_back();
    for kick in &kicks {
        assert!(at(*kick).is_some_and(|v| v < 0.3), "{points:?}");
        assert!(at(*kick + 0.75).is_some_and(|v| v > 0.8), "{points:?}");
    }
    let bass: Vec<i64> = notes(&stage, "t2/s0").iter().map(|note| note.2).collect();
    assert_eq!(bass, [35, 60, 85, 110].repeat(4));
    assert_eq!(timeline(&stage, "t2").len(), 4);
}

#[test]
fn a_drum_rack_of_ones_own() {
    let stage = cook("Drum rack from my samples");
    let pads = [("C1", KICK, "Kick", "Kick"), ("D1", SNARE, "Snare", "Snare")];
    let hats = [("F#1", HAT, "Closed hat", "Hihat Closed"), ("A#1", OPEN_HAT, "Open hat", "Hihat Open")];
    let beat = notes(&stage, "t0/s0");
    for (pad, pitch, name, file) in pads.into_iter().chain(hats) {
        let chain = stage.api.ok("svc-read-device", json!({"path": format!("t0/d0/p{pad}/c0")}));
        assert_eq!(chain["name"], name, "{chain}");
        let chokes = if hats.iter().any(|hat| hat.0 == pad) { json!(1) } else { Value::Null };
        assert_eq!(chain["chokeGroup"], chokes, "{chain}");
        let simpler =
            stage.api.ok("svc-read-device", json!({"path": format!("t0/d0/p{pad}/d0"), "include": ["sample"]}));
        assert!(simpler["sample"].as_str().is_some_and(|path| path.ends_with(&format!("/{file}.wav"))), "{simpler}");
        assert!(!of(&beat, pitch).is_empty(), "the beat plays {name}");
    }
    let map = stage.api.ok("svc-read-track", json!({"path": "t0", "include": ["drum-map"]}));
    let named = map["drumMap"].to_string();
    for name in ["Kick", "Snare", "Closed hat", "Open hat"] {
        assert!(named.contains(name), "{map}");
    }
}

#[test]
fn a_section_in_one_step() {
    let stage = cook("A section in one step");
    let document = stage.api.document();
    let names: Vec<&str> = document.tracks.iter().filter_map(|track| track.name.as_deref()).collect();
    assert_eq!(names, ["Keys", "Sub"], "made once, by the real call");
    assert!(document.tracks.iter().skip(4).all(|track| track.devices.len() == 1));
    for (track, pitches) in [("t4", &[57, 60, 64, 55, 59, 62][..]), ("t5", &[33, 31])] {
        let laid = timeline(&stage, track);
        assert_eq!(paths(&laid), [format!("{track}[1|1]")]);
        let mut played: Vec<i64> = notes(&stage, &format!("{track}[1|1]")).iter().map(|note| note.0).collect();
        let mut wanted = pitches.to_vec();
        played.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(played, wanted);
        let color = stage.api.ok("svc-read-clip", json!({"path": format!("{track}[1|1]"), "include": ["color"]}));
        assert_eq!(color["color"], "#10A4EE", "{color}");
    }
    let set = stage.api.ok("svc-read-live-set", json!({"include": ["locators"]}));
    assert_eq!(set["locators"].as_array().map(Vec::len), Some(2), "{set}");
    // One step, which was undone and redone.
    let steps = stage.api.ok("svc-read-history", json!({}));
    let tools: Vec<&Value> = steps["steps"].as_array().expect("steps").iter().map(|step| &step["tool"]).collect();
    assert_eq!(tools, ["svc-batch"]);
}

#[test]
fn much_is_changed_and_one_part_kept() {
    let stage = cook("Change much, keep one part");
    let pitches = |clip: &str| notes(&stage, clip).iter().map(|note| note.0).collect::<Vec<_>>();
    assert_eq!(pitches("t0/s0")[..4], [69, 72, 74, 76], "the lead is where it was");
    assert_eq!(pitches("t1/s0"), [57, 55], "the bass is an octave up");
    let set = stage.api.ok("svc-read-live-set", json!({}));
    assert_eq!(set["tempo"], 132);
    let mixer = stage.api.ok("svc-read-track", json!({"path": "t0,t1", "include": ["mixer"]}));
    assert!(mixer.as_array().expect("tracks").iter().all(|track| track["gainDb"] == -6), "{mixer}");
    let steps = stage.api.ok("svc-read-history", json!({}))["steps"].clone();
    assert!(steps[0]["changes"][0].as_str().is_some_and(|text| text.ends_with("transposed by -12")), "{steps}");
}
