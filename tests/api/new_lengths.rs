//! What a new region, or another length on the timeline, repeats and silences.

use crate::sample_tree::{put, sound, wav};
use crate::support::Api;
use serde_json::{Value, json};

const UPDATE: &str = "svc-update-clip";
const EIGHT: &str = "C3 1|1,2,3,4 2|1,2,3 n/2 C3 2|4";

fn detail(entry: &Value) -> &str {
    entry["detail"].as_str().unwrap_or_default()
}

/// Notes that a shorter region or length no longer plays are told; those that did not play before are not.
#[test]
fn notes_that_no_longer_play_are_told() {
    let slot = json!({"path": "t0/s0", "notes": EIGHT, "length": "2bar"});
    let unlooped = json!({"path": "t0[1|1]", "notes": EIGHT, "length": "2bar", "looping": false});
    let looped = json!({"path": "t0[1|1]", "notes": EIGHT, "length": "2bar"});
    let behind = "4 notes lie at or past the clip's end (2|1) now and no longer play";
    let rows = [
        (&slot, json!({"length": "1bar"}), behind),
        (&slot, json!({"length": "n7/4"}), "1 note lies at or past the clip's end (2|4) now and no longer plays"),
        (
            &slot,
            json!({"start": "1|3", "length": "1bar"}),
            "4 notes lie outside of what the clip plays now (1|3 to 2|3) and no longer play",
        ),
        (&slot, json!({"looping": false, "length": "1bar"}), behind),
        (&slot, json!({"length": "4bar"}), ""),
        (&slot, json!({"firstStart": "2|1"}), ""),
        (&slot, json!({"firstStart": "5|1"}), "8 notes lie outside of what the clip plays now (from 5|1 on)"),
        (&slot, json!({"name": "Riff"}), ""),
        (&unlooped, json!({"length": "1bar"}), behind),
        (&unlooped, json!({"arrangementLength": "1bar"}), behind),
        (&unlooped, json!({"arrangementLength": "1bar+n5/8"}), "1 note lies at or past the clip's end (2|3.5)"),
        (&unlooped, json!({"arrangementLength": "3bar"}), ""),
        (&unlooped, json!({"arrangementLength": "1bar", "toPath": "t1[1|1]"}), behind),
        (&looped, json!({"arrangementLength": "1bar"}), behind),
        (&looped, json!({"arrangementLength": "4bar"}), ""),
        (&looped, json!({"length": "1bar", "arrangementLength": "4bar"}), behind),
    ];
    for (clip, change, wanted) in rows {
        let api = Api::new();
        let made = api.ok("svc-create-clip", clip.clone());
        let mut call = json!({"id": made["id"]});
        call.as_object_mut().expect("a call").extend(change.as_object().expect("a change").clone());
        let answer = api.ok(UPDATE, call);
        let entry = if answer.is_array() { &answer[0] } else { &answer };
        let told = detail(entry);
        match wanted {
            "" => assert!(!told.contains("play"), "{change}: {entry}"),
            wanted => assert!(told.contains(wanted), "{change}: {entry}"),
        }
    }
    // What did not play before is told by the call that silenced it alone.
    let api = Api::new();
    api.ok("svc-create-clip", slot);
    api.ok(UPDATE, json!({"path": "t0/s0", "length": "1bar"}));
    let again = api.ok(UPDATE, json!({"path": "t0/s0", "length": "1bar", "looping": false}));
    assert!(!detail(&again).contains("play"), "{again}");
}

#[test]
fn a_note_that_is_cut_by_a_new_end_is_told() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "n/2 C3 1|3 2|1", "length": "2bar"}));
    let entry = api.ok(UPDATE, json!({"path": "t0/s0", "length": "n3/4"}));
    assert!(detail(&entry).contains("1 note runs past the clip's end (1|4) now and is cut there"), "{entry}");
    assert!(detail(&entry).contains("1 note lies at or past the clip's end (1|4)"), "{entry}");
}

#[test]
fn a_copy_that_is_shorter_tells_what_it_does_not_play() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": EIGHT, "length": "2bar"}));
    let short =
        |kind: &str, path: &str| json!({"type": kind, "path": path, "toPath": "t0[1|1]", "arrangementLength": "1bar"});
    let copy = api.ok("svc-duplicate", short("clip", "t0/s0"));
    assert!(detail(&copy).contains("4 notes lie at or past the clip's end (2|1)"), "{copy}");
    let mut scene = short("scene", "s0");
    scene["toPath"] = json!("[9|1]");
    let laid = api.ok("svc-duplicate", scene);
    assert!(detail(&laid).contains("t0[9|1]") && detail(&laid).contains("4 notes lie at or past"), "{laid}");
}

/// `length` with `arrangementLength` in one call: the new region fills the length, whatever the clip is.
#[test]
fn a_length_and_an_arrangement_length_repeat_the_region_of_any_clip() {
    let folder = tempfile::tempdir().expect("a folder");
    // Two bars at 120 BPM.
    let file = put(folder.path(), "loop_120bpm.wav", &wav(&sound(1, 4.0)));
    let audio = |more: Value| {
        let mut call = json!({"path": "t2[1|1]", "sampleFile": file.to_str()});
        call.as_object_mut().expect("a call").extend(more.as_object().expect("more").clone());
        call
    };
    let midi = |looping: bool| json!({"path": "t0[1|1]", "notes": EIGHT, "length": "2bar", "looping": looping});
    for clip in [audio(json!({})), audio(json!({"warping": false})), midi(false), midi(true)] {
        for looping in [None, Some(false), Some(true)] {
            // Only what is warped loops.
            if clip["warping"] == json!(false) && looping == Some(true) {
                continue;
            }
            for (wanted, last, count) in [("4bar", "1bar", 4), ("2bar+n/2", "n/2", 3), ("1bar", "1bar", 1)] {
                let api = Api::new();
                let made = api.ok("svc-create-clip", clip.clone());
                let mut call = json!({"id": made["id"], "length": "1bar", "arrangementLength": wanted});
                if let Some(looping) = looping {
                    call["looping"] = json!(looping);
                }
                let answer = api.ok(UPDATE, call.clone());
                let first = if answer.is_array() { &answer[0] } else { &answer };
                assert!(!detail(first).contains("not as asked"), "{clip} {call}: {answer}");
                let track = clip["path"].as_str().and_then(|path| path.split('[').next()).expect("a track");
                let read = api.ok("svc-read-track", json!({"path": track, "include": ["arrangement-clips", "timing"]}));
                let covers: Vec<&str> = read["arrangementClips"]
                    .as_array()
                    .expect("clips")
                    .iter()
                    .map(|clip| clip["arrangementLength"].as_str().expect("a length"))
                    .collect();
                let mut expected = vec!["1bar"; count];
                expected[count - 1] = last;
                assert_eq!(covers, expected, "{clip} {call}: {answer}");
            }
        }
    }
}

#[test]
fn too_many_repetitions_are_refused() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0[1|1]", "notes": "C3 1|1", "length": "1bar", "looping": false}));
    let before = api.kept();
    let call = json!({"path": "t0[1|1]", "length": "n/16", "arrangementLength": "100bar"});
    assert!(api.refused(UPDATE, call).contains("at most 1000"));
    assert!(before.same_as(&api.kept()));
}

/// A scene or track that is copied with transforms says where they reached nothing.
#[test]
fn transforms_that_reach_no_clip_of_a_copy_are_told() {
    let copy = |kind: &str, more: Value| {
        let api = Api::new();
        api.ok("svc-create-clip", json!({"path": "t1/s1", "notes": "C3 1|1"}));
        let mut call = json!({"type": kind, "transforms": "v+5"});
        call.as_object_mut().expect("a call").extend(more.as_object().expect("more").clone());
        api.ok("svc-duplicate", call)
    };
    let nothing = "transforms did nothing: there are no clips in the copy";
    let elsewhere = "transforms did nothing: none of its clips is on a track of transformTracks";
    for (kind, more, wanted) in [
        ("scene", json!({"path": "s0"}), nothing),
        ("scene", json!({"path": "s0", "toPath": "[1|1]"}), nothing),
        ("scene", json!({"path": "s1", "transformTracks": "t0"}), elsewhere),
        ("scene", json!({"path": "s1", "toPath": "[1|1]", "transformTracks": "t0"}), elsewhere),
        ("scene", json!({"path": "s1"}), ""),
        ("track", json!({"path": "t0"}), nothing),
        ("track", json!({"path": "t1"}), ""),
    ] {
        let entry = copy(kind, more.clone());
        match wanted {
            "" => assert!(!detail(&entry).contains("did nothing"), "{kind} {more}: {entry}"),
            wanted => assert!(detail(&entry).contains(wanted), "{kind} {more}: {entry}"),
        }
    }
}
