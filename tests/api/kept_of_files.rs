//! What files say of a Set and Live's object model has no member for: told by reads, kept by copies and files, and, of
//! fades, heard.

use crate::heard::{playing, sine};
use crate::offline_mix::{RATE, samples};
use crate::set_files::{in_folder, live_set};
use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;
use svc_device::render::offline::{OfflineRender, RenderSettings, Tail};
use svc_device::render::wish::Wish;

fn manage(api: &Api, action: &str, file: &Path) {
    api.ok("svc-manage", json!({"action": action, "file": file}));
}

fn detail(api: &Api, tool: &str, arguments: Value) -> String {
    let read = api.ok(tool, arguments);
    read["detail"].as_str().unwrap_or_default().to_owned()
}

/// What reads tell of the Set, a scene, a track and two clips.
fn told(api: &Api) -> [String; 5] {
    [
        detail(api, "svc-read-live-set", json!({})),
        detail(api, "svc-read-scene", json!({"path": "s0"})),
        detail(api, "svc-read-track", json!({"path": "t1"})),
        detail(api, "svc-read-clip", json!({"path": "t1/s1"})),
        detail(api, "svc-read-clip", json!({"path": "t2/s0"})),
    ]
}

#[test]
fn parts_without_a_member_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    manage(&api, "open", &path);
    let meant = [
        "2 tempos of the Arrangement are kept, and it plays at the Set's; \
         2 time signatures of the Arrangement are kept, and it plays in the Set's",
        "leads to Next after 16 beats (kept, and not followed)",
        "frozen in the file; here its devices play",
        "leads to Next (3 in 4) or Jump to 5 (1 in 4) after 2 passes of its loop (kept, and not followed); \
         1 note has expression of their own (MPE), which is kept and not played",
        "fades in over 1.5 beats and out over 0.5 beats (in the Arrangement alone)",
    ];
    let all = told(&api);
    for (told, meant) in all.iter().zip(meant) {
        assert!(told.contains(meant), "{meant}\n{told}");
    }
    // Through a file of our own, and back by undo.
    let own = folder.path().join("own.svcset");
    manage(&api, "save", &own);
    api.ok("svc-manage", json!({"action": "undo"}));
    assert_eq!(detail(&api, "svc-read-live-set", json!({})), "");
    manage(&api, "open", &own);
    assert_eq!(told(&api), all);
}

#[test]
fn expression_goes_with_its_note() {
    let folder = tempfile::tempdir().unwrap();
    let (api, path) = (in_folder(folder.path()), live_set(folder.path()));
    manage(&api, "open", &path);
    let has = |path: &str| detail(&api, "svc-read-clip", json!({"path": path})).contains("expression");
    assert!(has("t1/s1"));
    // It goes with its note, and comes back with it.
    api.ok("svc-update-live-set", json!({"tempo": 99}));
    assert!(has("t1/s1"));
    api.ok("svc-update-clip", json!({"path": "t1/s1", "transforms": "C#3: delete"}));
    assert!(!has("t1/s1"));
    api.ok("svc-manage", json!({"action": "undo"}));
    assert!(has("t1/s1"));
}

/// The left side of a bar of the Arrangement.
fn rendered(api: &Api, block_frames: usize) -> Vec<f32> {
    let document = api.device.set.committed().document.clone();
    let wish = Wish { from: Some("1|1".to_owned()), to: Some("2|1".to_owned()), ..Wish::default() };
    let stretch = wish.stretch(&document).expect("a range");
    let settings = RenderSettings { stretch, rate_hz: RATE as u32, seed: 1, tail: Tail::Seconds(0.0), block_frames };
    let mut render = OfflineRender::new(&document, &samples(api), &settings, false);
    let mut made = Vec::new();
    while render.advance() {
        made.extend(render.main().left);
    }
    made
}

/// Gives the first clip of the third track's Arrangement these fades.
fn fade(api: &Api, fades: Value) {
    let mut state: Value = serde_json::from_str(&api.device.save_state()).expect("a state");
    state["set"]["tracks"][2]["arrangement"][0]["clip"]["content"]["audio"]["fades"] = fades;
    api.device.load_state(&state.to_string());
}

#[test]
fn fades_are_heard_in_the_arrangement() {
    let (api, folder) = playing();
    let file = sine(&folder, 441.0);
    api.ok("svc-create-clip", json!({"path": "t2[1|1]", "sampleFile": file, "warping": false}));
    let plain = rendered(&api, 64);
    let line = |length: f64| json!({"length": length});
    // Seconds, as the clip is not warped: it is two seconds long.
    fade(&api, json!({"on": true, "fade_in": line(0.5), "fade_out": line(1.0)}));
    let faded = rendered(&api, 64);
    for at in (RATE as usize / 100..2 * RATE as usize - 200).step_by(101) {
        let seconds = at as f64 / f64::from(RATE);
        let meant = (seconds / 0.5).min((2.0 - seconds) / 1.0).clamp(0.0, 1.0) as f32;
        assert!((faded[at] - plain[at] * meant).abs() < 1e-3, "{seconds}: {} of {}", faded[at], plain[at]);
    }
    assert!(rendered(&api, 300) == faded && rendered(&api, 4_096) == faded);
    // Switched off they change no sample.
    fade(&api, json!({"on": false, "fade_in": line(0.5), "fade_out": line(1.0)}));
    assert!(rendered(&api, 64) == plain);
}

#[test]
fn halves_and_copies_have_fades_of_their_own() {
    let (api, folder) = playing();
    let file = sine(&folder, 441.0);
    api.ok("svc-create-clip", json!({"path": "t2[1|1]", "sampleFile": file, "warping": false}));
    fade(&api, json!({"on": true, "fade_in": {"length": 0.5}, "fade_out": {"length": 0.25}}));
    let told = |path: &str| {
        let all = detail(&api, "svc-read-clip", json!({"path": path}));
        all.split("; ").find(|part| part.starts_with("fades")).map(str::to_owned)
    };
    let (both, first) = ("fades in over 0.5 seconds and out over 0.25 seconds", "fades in over 0.5 seconds");
    assert_eq!(told("t2[1|1]").as_deref(), Some(both));
    api.ok("svc-duplicate", json!({"type": "clip", "path": "t2[1|1]", "toPath": "t2[5|1]"}));
    assert_eq!(told("t2[5|1]").as_deref(), Some(both));
    api.ok("svc-update-clip", json!({"path": "t2[1|1]", "arrangementSplit": "1|3"}));
    assert_eq!(told("t2[1|1]").as_deref(), Some(first));
    assert_eq!(told("t2[1|3]").as_deref(), Some("fades out over 0.25 seconds"));
    // In beats where it is warped.
    api.ok("svc-update-clip", json!({"path": "t2[5|1]", "warping": true}));
    assert_eq!(told("t2[5|1]").as_deref(), Some("fades in over 1 beat and out over 0.5 beats"));
}
