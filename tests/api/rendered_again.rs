//! The same Set gives the same bytes, whatever the ids of what is in it.

use crate::render::render;
use crate::sample_tree::{put, wav};
use crate::set_files::in_folder;
use crate::support::Api;
use serde_json::json;
use std::path::Path;

/// Notes of which some are drawn, of an instrument with noise.
const MAYBE: &str = "v100 n/16 p0.5 F#1 1|1x16@n/16 p1 D1 1|1x4@n/4";
/// No bar of it is like another.
fn tones(folder: &Path) -> String {
    let at = |n: u32| {
        let second = f64::from(n) / 44_100.0;
        (2.0 * std::f64::consts::PI * (180.0 + 90.0 * second) * second).sin()
    };
    let samples: Vec<f32> = (0..132_300).map(|n| (0.5 * at(n)) as f32).collect();
    put(folder, "tones.wav", &wav(&samples)).to_str().expect("a path in UTF-8").to_owned()
}

fn make_audio_clip(api: &Api, path: &str, file: &str, mode: &str) {
    api.ok("svc-create-clip", json!({"path": path, "sampleFile": file, "warping": true, "warpMode": mode}));
}

fn bytes(api: &Api, folder: &Path, stretch: &str) -> Vec<u8> {
    let file = folder.join("mix.wav");
    let mut call = json!({"file": file, "bits": 32, "length": "4bar", "tail": 1});
    call[if stretch == "s0" { "path" } else { "start" }] = json!(stretch);
    render(api, call);
    let bytes = std::fs::read(&file).expect("a file");
    std::fs::remove_file(&file).expect("it can go");
    bytes
}

/// Two kits with chances and two warped clips, in Session and Arrangement, whose ids are in another order than they
/// are: once opened, in that order.
#[test]
fn a_set_that_is_opened_again_sounds_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = in_folder(folder.path());
    let file = tones(folder.path());
    api.ok("svc-update-live-set", json!({"tempo": 97}));
    api.ok("svc-create-track", json!({"path": "t+", "type": "midi", "name": "Drums"}));
    api.ok("svc-create-track", json!({"path": "t0", "type": "audio", "name": "Front"}));
    api.ok("svc-create-track", json!({"path": "t0", "type": "midi", "name": "Kit"}));
    for path in ["t0/s0", "t0[1|1]"] {
        api.ok("svc-create-clip", json!({"path": path, "notes": MAYBE, "length": "1bar", "looping": true}));
    }
    let kit = api.ok("svc-read-live-set", json!({"include": ["*"]}));
    let drums = kit["tracks"].as_array().expect("tracks").iter().position(|track| track["name"] == "Drums");
    let drums = format!("t{}", drums.expect("Drums"));
    for place in ["/s0", "[1|1]"] {
        let path = format!("{drums}{place}");
        api.ok("svc-create-clip", json!({"path": path, "notes": MAYBE, "length": "1bar", "looping": true}));
    }
    make_audio_clip(&api, "t1/s0", &file, "complex");
    make_audio_clip(&api, "t4/s0", &file, "texture");
    make_audio_clip(&api, "t1[1|1]", &file, "pro");
    make_audio_clip(&api, "t4[1|1]", &file, "tones");
    let before = ["s0", "1|1"].map(|stretch| bytes(&api, folder.path(), stretch));
    assert!(before[0].len() > 1_000_000 && before[0] != before[1], "{}", before[0].len());
    for action in ["save", "export"] {
        let written = folder.path().join(action).with_extension("svcset");
        api.ok("svc-manage", json!({"action": action, "file": written}));
        let other = in_folder(folder.path());
        other.ok("svc-manage", json!({"action": "open", "file": written}));
        for (stretch, before) in ["s0", "1|1"].iter().zip(&before) {
            assert!(bytes(&other, folder.path(), stretch) == *before, "after {action} {stretch} has other bytes");
        }
    }
}

#[test]
fn a_clip_that_is_made_anew_sounds_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = in_folder(folder.path());
    let file = tones(folder.path());
    api.ok("svc-update-live-set", json!({"tempo": 97}));
    let make = || {
        for (path, mode) in [("t2/s0", "complex"), ("t3/s0", "texture")] {
            make_audio_clip(&api, path, &file, mode);
        }
        api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": MAYBE, "length": "1bar", "looping": true}));
        bytes(&api, folder.path(), "s0")
    };
    let before = make();
    for _ in 0..3 {
        api.ok("svc-delete", json!({"type": "clip", "path": "t0/s0,t2/s0,t3/s0"}));
        assert!(make() == before);
    }
}
