//! `svc-library` over HTTP, on a folder of generated samples.

use crate::sample_tree::{put, sound, wav};
use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use svc_device::library::Phase;
use svc_device::service::Settings;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);

struct Samples {
    folder: TempDir,
    other: TempDir,
    api: Api,
}

impl Samples {
    fn new() -> Samples {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let root = folder.path();
        let kick = wav(&sound(1, 0.3));
        put(root, "Drums/Kick 02.wav", &kick);
        put(root, "Drums/Kick 02 copy.wav", &kick);
        put(root, "Drums/Snare_909.wav", &wav(&sound(2, 0.2)));
        put(root, "Drums/Open Hat.wav", &wav(&sound(3, 0.4)));
        put(root, "Loops/Beat 120bpm.wav", &wav(&sound(4, 2.0)));
        put(root, "Bass, deep.wav", &wav(&sound(5, 0.5)));
        put(root, "broken.wav", b"RIFF of nothing");
        put(root, "silence.wav", &wav(&[0.0; 4410]));
        put(root, "groove.mid", b"MThd");
        put(other.path(), "A Kick.wav", &kick);
        #[cfg(unix)]
        std::os::unix::fs::symlink(other.path(), root.join("link")).unwrap();
        let settings = Settings {
            sample_folder: root.to_str().unwrap().to_owned(),
            allowed_folders: vec![other.path().to_str().unwrap().to_owned()],
            ..Settings::default()
        };
        let api = Api::with(settings);
        complete(&api);
        Samples { folder, other, api }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn ask(&self, arguments: Value) -> Value {
        self.api.ok("svc-library", arguments)
    }

    fn names(&self, arguments: Value) -> Vec<String> {
        names(&self.ask(arguments))
    }
}

fn complete(api: &Api) {
    let progress = api.device.library().wait(PATIENCE, |progress| progress.phase == Phase::Complete);
    assert_eq!(progress.phase, Phase::Complete, "{progress:?}");
}

fn names(result: &Value) -> Vec<String> {
    let items = result["items"].as_array().unwrap_or_else(|| panic!("items: {result}"));
    items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_item_has_all_its_fields() {
    let samples = Samples::new();
    let mut result = samples.ask(json!({ "query": "Kick 02.wav" }));
    let item = result["items"][0].as_object_mut().expect("an item");
    let seconds = item.remove("seconds").and_then(|seconds| seconds.as_f64()).expect("its length");
    assert!(seconds > 0.0 && (seconds * 1000.0).fract() < 1e-6, "{seconds}");
    // What is heard of it has tests of its own.
    let heard: Vec<&str> = ["pitch", "pitchHz", "brightnessHz", "loudnessLufs"]
        .into_iter()
        .filter(|name| item.remove(*name).is_some())
        .collect();
    assert_eq!(heard, ["pitch", "pitchHz", "brightnessHz", "loudnessLufs"]);
    assert_eq!(
        result,
        json!({ "items": [{
            "name": "Kick 02.wav", "path": samples.path("Drums/Kick 02.wav"), "kind": "audio", "type": "oneshot",
            "tags": ["Kick", "Drums"], "useCount": 0, "source": "sample-folder", "folder": "Drums",
        }] })
    );
    let verified = samples.ask(json!({ "query": "deep", "verifyPaths": true }));
    assert_eq!(verified["items"][0]["pathExists"], true);
    assert_eq!(verified["items"][0].get("folder"), None, "it lies at the top");
}

/// Beats of a short decaying tone, as long as whole bars of it are.
fn beats(bpm: f64, bars: u32) -> Vec<f32> {
    let beat_s = 60.0 / bpm;
    (0..(f64::from(bars) * 4.0 * beat_s * 44_100.0) as usize)
        .map(|n| {
            let (beat, t) = ((n as f64 / 44_100.0 / beat_s) as u32, n as f64 / 44_100.0 % beat_s);
            let hz = if beat.is_multiple_of(2) { 60.0 } else { 1_800.0 };
            (0.6 * (std::f64::consts::TAU * hz * t).sin() * (-30.0 * t).exp()) as f32
        })
        .collect()
}

#[test]
fn an_item_tells_what_is_heard_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let sine = |hz: f64, level: f64, seconds: f64| -> Vec<f32> {
        let at = |n: usize| (level * (std::f64::consts::TAU * hz * n as f64 / 44_100.0).sin()) as f32;
        (0..(seconds * 44_100.0) as usize).map(at).collect()
    };
    put(folder.path(), "a.wav", &wav(&sine(110.0, 0.25, 1.0)));
    put(folder.path(), "c sharp a little flat.wav", &wav(&sine(273.0, 0.25, 0.2)));
    // -20 dBFS in both channels, where the standard weighs nothing.
    put(folder.path(), "level.wav", &wav(&sine(997.0, 0.1, 3.0)));
    put(folder.path(), "Jungle Loop.wav", &wav(&beats(130.0, 2)));
    put(folder.path(), "Jungle 174bpm.wav", &wav(&beats(174.0, 4)));
    put(folder.path(), "beats.wav", &wav(&beats(96.0, 1)));
    put(folder.path(), "silence.wav", &wav(&[0.0; 44_100]));
    let sample_folder = folder.path().to_str().unwrap().to_owned();
    let api = Api::with(Settings { sample_folder, ..Settings::default() });
    complete(&api);
    let item = |name: &str| api.ok("svc-library", json!({ "query": name }))["items"][0].clone();
    for (name, field, wanted, within) in [
        ("a.wav", "pitchHz", 110.0, 0.05),
        ("flat", "pitchHz", 273.0, 0.1),
        ("level", "loudnessLufs", -20.0, 0.1),
        ("level", "brightnessHz", 997.0, 120.0),
        ("level", "pitchHz", 997.0, 0.5),
        ("Jungle Loop", "tempoBpm", 130.0, 0.01),
        ("174bpm", "tempoBpm", 174.0, 0.01),
    ] {
        let item = item(name);
        let told = item[field].as_f64().unwrap_or_else(|| panic!("{name} has no {field}: {item}"));
        assert!((told - wanted).abs() <= within, "{field} of {name}: {told}");
    }
    assert_eq!((&item("a.wav")["pitch"], &item("flat")["pitch"]), (&json!("A1"), &json!("Db3")));
    assert_eq!(item("beats")["tempoBpm"], Value::Null, "2.5 s without a name are no loop: {}", item("beats"));
    for field in ["pitch", "pitchHz", "brightnessHz", "loudnessLufs", "tempoBpm"] {
        assert_eq!(item("silence")[field], Value::Null, "{field}");
    }
}

#[test]
fn searches_hold_every_filter() {
    let samples = Samples::new();
    let drums = samples.path("Drums");
    for (arguments, found) in [
        (json!({ "query": "kick" }), &["Kick 02 copy.wav", "Kick 02.wav", "A Kick.wav"][..]),
        (json!({ "query": "kick", "source": "sample-folder" }), &["Kick 02 copy.wav", "Kick 02.wav"]),
        (json!({ "query": "kick", "source": "sampleFolder", "limit": 1 }), &["Kick 02 copy.wav"]),
        (json!({ "query": "kick", "source": "user" }), &["A Kick.wav"]),
        (json!({ "query": "k*02.w" }), &["Kick 02.wav"]),
        (json!({ "query": "drums 909" }), &["Snare_909.wav"]),
        (json!({ "query": "snrae" }), &["Snare_909.wav"]),
        (json!({ "tags": "drums, open hihat" }), &["Open Hat.wav"]),
        (json!({ "type": "loop" }), &["Beat 120bpm.wav"]),
        (json!({ "kind": "midi" }), &["groove.mid"]),
        (json!({ "kind": "folder", "query": "dr" }), &["Drums"]),
        (json!({ "inFolder": drums, "query": "0" }), &["Kick 02 copy.wav", "Kick 02.wav", "Snare_909.wav"]),
        (json!({ "query": "bass, deep" }), &["Bass, deep.wav"]),
        (json!({ "query": "no such thing" }), &[]),
        (json!({ "query": "broken" }), &[]),
    ] {
        assert_eq!(samples.names(arguments.clone()), found, "{arguments}");
    }
    let empty = samples.ask(json!({ "query": "broken" }));
    assert!(empty["detail"].as_str().unwrap().contains("1 audio file that cannot be read is left out"), "{empty}");
    let links = samples.api.device.library().progress().links;
    assert_eq!(links, usize::from(cfg!(unix)));
}

#[test]
fn other_words_for_the_same_tag() {
    let folder = tempfile::tempdir().unwrap();
    for (n, name) in ["HatOpen", "Closed Hat 01", "Hihat Closed", "hi-hat_01", "Hihat Open", "Kick", "Chat 3"]
        .into_iter()
        .enumerate()
    {
        put(folder.path(), &format!("{name}.wav"), &wav(&sound(n as u64, 0.2)));
    }
    let sample_folder = folder.path().to_str().unwrap().to_owned();
    let api = Api::with(Settings { sample_folder, ..Settings::default() });
    complete(&api);
    let hihats = ["Closed Hat 01.wav", "hi-hat_01.wav", "Hihat Closed.wav", "Hihat Open.wav", "HatOpen.wav"];
    for (arguments, mut found) in [
        (json!({ "tags": "Hihat" }), hihats.to_vec()),
        (json!({ "tags": "hi-hat" }), hihats.to_vec()),
        (json!({ "tags": "Closed Hihat" }), vec!["Closed Hat 01.wav", "Hihat Closed.wav"]),
        (json!({ "query": "hihat" }), hihats.to_vec()),
        (json!({ "query": "hh" }), hihats.to_vec()),
        (json!({ "query": "open hats" }), vec!["HatOpen.wav", "Hihat Open.wav"]),
        (json!({ "query": "hihat*" }), vec!["Hihat Closed.wav", "Hihat Open.wav"]),
        (json!({ "query": "hihat", "sort": "name" }), hihats.to_vec()),
    ] {
        let mut names = names(&api.ok("svc-library", arguments.clone()));
        if arguments["query"] == "hihat" && arguments.get("sort").is_none() {
            assert_eq!(names[..2], ["Hihat Closed.wav", "Hihat Open.wav"], "the very word first");
        }
        names.sort();
        found.sort_unstable();
        assert_eq!(names, found, "{arguments}");
    }
}

#[test]
fn several_searches_in_one_call() {
    let samples = Samples::new();
    let list = json!([{ "query": "kick", "source": "user" }, { "label": "none", "tags": "Kick,Snare" }]);
    let result = samples.ask(json!({ "searches": list }));
    assert_eq!(result["results"][0]["label"], "0");
    assert_eq!(names(&result["results"][0]), ["A Kick.wav"]);
    assert_eq!((&result["results"][1]["label"], names(&result["results"][1]).len()), (&json!("none"), 0));
    assert!(result["results"][1]["detail"].is_string());
    // A JSON text is taken, one search has the plain shape, the alias and the retired action warn.
    let plain = samples.ask(json!({ "searches": "[{\"query\": \"909\"}]" }));
    assert_eq!(names(&plain), ["Snare_909.wav"]);
    for (arguments, said) in [
        (json!({ "queries": [{ "query": "909" }] }), "the parameter is searches"),
        (json!({ "action": "search-batch", "searches": [{ "query": "909" }] }), "deprecated"),
    ] {
        let envelope = samples.api.envelope("svc-library", "", &arguments);
        assert_eq!(names(&envelope["result"]), ["Snare_909.wav"]);
        assert!(envelope["warnings"][0].as_str().unwrap().contains(said), "{envelope}");
    }
    assert_eq!(
        samples.ask(json!({ "searches": [{ "query": null, "kind": null, "type": null }] }))["items"][0]["kind"],
        "audio"
    );
}

#[test]
fn tags_and_categories() {
    let samples = Samples::new();
    let tags = samples.ask(json!({ "action": "list-tags" }));
    assert_eq!(tags["tags"][0], json!({ "name": "Drums", "count": 4 }));
    assert_eq!(samples.ask(json!({ "action": "listTags" })), tags);
    let few = samples.ask(json!({ "action": "list-tags", "limit": 2 }));
    assert_eq!(few["tags"].as_array().unwrap().len(), 2);
    let categories = samples.ask(json!({ "action": "list-categories" }));
    assert_eq!(categories["categories"][0]["name"], "Drums");
    let open = samples.ask(json!({ "action": "list-categories", "category": "tempo and key" }));
    assert_eq!(open["tags"], json!([{ "name": "120 BPM", "count": 1 }]));
    let unknown = samples.ask(json!({ "action": "list-categories", "category": "Sounds" }));
    assert_eq!(unknown["tags"], json!([]));
    assert!(unknown["detail"].as_str().unwrap().contains("Live"));
}

#[test]
fn what_only_a_running_live_has_is_empty_with_the_reason() {
    let samples = Samples::new();
    for arguments in [
        json!({ "source": "pack" }),
        json!({ "source": "builtin", "query": "x" }),
        json!({ "source": "cloud" }),
        json!({ "deviceKind": "instrument" }),
    ] {
        let result = samples.ask(arguments.clone());
        assert_eq!((&result["items"], &result["dbAvailable"]), (&json!([]), &json!(false)), "{arguments}");
        assert!(result["detail"].as_str().unwrap().contains("running Ableton Live"), "{result}");
    }
    assert!(samples.ask(json!({ "kind": "plugin" }))["detail"].as_str().unwrap().contains("list-plugins"));
}

#[test]
fn alike_and_identical() {
    let samples = Samples::new();
    let seed = samples.path("Drums/Kick 02.wav");
    let result = samples.ask(json!({ "action": "find-similar", "similarTo": seed }));
    assert_eq!(result["seed"], json!({ "path": seed, "found": true }));
    let found = names(&result);
    assert!(found[..2].contains(&"A Kick.wav".to_owned()) && found[..2].contains(&"Kick 02 copy.wav".to_owned()));
    assert_eq!(result["items"][0]["similarity"], 1.0);
    assert!(!found.contains(&"Kick 02.wav".to_owned()) && !found.contains(&"silence.wav".to_owned()));
    // A seed from anywhere, a trimmed and softer copy.
    let elsewhere = tempfile::tempdir().unwrap();
    let copy: Vec<f32> = sound(2, 0.2).into_iter().take(7000).map(|s| s * 0.7).collect();
    let path = put(elsewhere.path(), "seed.wav", &wav(&copy));
    let near = samples.names(json!({ "action": "find-similar", "similarTo": path.to_str(), "limit": 1 }));
    assert_eq!(near, ["Snare_909.wav"]);
    for (path, found) in
        [("/nowhere/x.wav".to_owned(), false), (samples.path("silence.wav"), true), (samples.path("groove.mid"), true)]
    {
        let result = samples.ask(json!({ "action": "find-similar", "similarTo": path }));
        assert_eq!((&result["seed"]["found"], &result["items"]), (&json!(found), &json!([])), "{path}");
        assert!(result["detail"].is_string(), "{result}");
    }
    let result = samples.ask(json!({ "action": "find-duplicates" }));
    assert_eq!(result["groups"].as_array().unwrap().len(), 1, "{result}");
    assert_eq!(result["groups"][0]["count"], 3);
    let inside = samples.ask(json!({ "action": "find-duplicates", "source": "sample-folder" }));
    assert_eq!(inside["groups"][0]["count"], 2);
}

#[test]
fn plug_ins_are_listed_and_not_loaded() {
    let api = Api::new();
    assert!(api.ok("svc-library", json!({ "action": "list-plugins" }))["plugins"].is_array());
    let result = api.ok("svc-library", json!({ "action": "list-plugins", "format": "AU" }));
    assert!(result["plugins"] == json!([]) && result["detail"].is_string());
    api.refused("svc-library", json!({ "action": "list-plugins", "deviceKind": "midifx" }));
}

#[test]
fn refusals() {
    let samples = Samples::new();
    for (arguments, said) in [
        (json!({ "inFolder": "/" }), "sampleFolder"),
        (json!({ "inFolder": "/etc" }), "allowedFolders"),
        (json!({ "inFolder": format!("{}/../..", samples.path("Drums")) }), "allowedFolders"),
        (json!({ "inFolder": "Drums" }), "absolute"),
        (json!({ "action": "find-similar" }), "similarTo"),
        (json!({ "action": "list-tags", "query": "x" }), "query belongs to action"),
        (json!({ "searches": [] }), "searches is empty"),
        (json!({ "searches": [{}], "tags": "x" }), "tags beside searches"),
    ] {
        let refusal = samples.api.refused("svc-library", arguments.clone());
        assert!(refusal.contains(said), "{arguments}: {refusal}");
    }
    samples.api.bad("svc-library", json!({ "kind": "sound" }));
    for (field, word) in [("type", "get"), ("kind", "sound"), ("source", "here"), ("sort", "size"), ("deviceKind", "x")]
    {
        let said = samples.api.refused("svc-library", json!({ "searches": [{}, { field: word }] }));
        assert!(said.starts_with(&format!("searches[1].{field} must be one of")) && said.contains(word), "{said}");
    }
    samples.api.bad("svc-library", json!({ "searches": [{ "type": 5 }] }));
}

#[test]
fn without_a_folder_the_answer_says_what_to_set() {
    let api = Api::new();
    let result = api.ok("svc-library", json!({ "query": "kick" }));
    assert_eq!(result["items"], json!([]));
    assert!(result["detail"].as_str().unwrap().contains("sampleFolder"), "{result}");
}

#[test]
fn the_folder_follows_the_setting_and_its_files() {
    let samples = Samples::new();
    let config = json!({ "sampleFolder": samples.other.path().to_str(), "allowedFolders": [] });
    assert_eq!(samples.api.post("/config", "", &config).status, 200);
    samples.api.device.library().wait(PATIENCE, |progress| progress.completed_walks >= 2);
    complete(&samples.api);
    assert_eq!(samples.names(json!({ "query": "*" })), ["A Kick.wav"]);
    let later = put(samples.other.path(), "Later.wav", &wav(&sound(9, 0.2)));
    assert!(samples.api.device.library().refresh(Duration::ZERO), "a look is under way");
    samples.api.device.library().wait(PATIENCE, |progress| progress.completed_walks >= 3);
    complete(&samples.api);
    assert_eq!(samples.names(json!({ "query": "*" })), ["A Kick.wav", "Later.wav"]);
    std::fs::remove_file(later).unwrap();
    samples.api.device.library().refresh(Duration::ZERO);
    samples.api.device.library().wait(PATIENCE, |progress| progress.completed_walks >= 4);
    assert_eq!(samples.names(json!({ "query": "*" })), ["A Kick.wav"]);
    let gone = json!({ "sampleFolder": Path::new("/nowhere/samples") });
    assert_eq!(samples.api.post("/config", "", &gone).status, 400);
    // A drive that is unplugged while it is set.
    std::fs::rename(samples.other.path(), samples.folder.path().join("moved away")).unwrap();
    samples.api.device.library().refresh(Duration::ZERO);
    samples.api.device.library().wait(PATIENCE, |progress| progress.completed_walks >= 5);
    let result = samples.ask(json!({}));
    assert!(result["detail"].as_str().unwrap().contains("cannot be listed"), "{result}");
}

#[test]
fn a_file_that_has_just_come_is_found() {
    let samples = Samples::new();
    samples.ask(json!({}));
    put(samples.folder.path(), "Newcomer.wav", &wav(&sound(11, 0.2)));
    // A slow disk gets a second chance, announced by the detail.
    let end = std::time::Instant::now() + PATIENCE;
    loop {
        let result = samples.ask(json!({ "query": "newcomer" }));
        if names(&result) == ["Newcomer.wav"] {
            return;
        }
        assert!(result["detail"].as_str().unwrap().contains("ask again"), "{result}");
        assert!(std::time::Instant::now() < end, "{result}");
    }
}

#[cfg(unix)]
#[test]
fn ten_misses_on_a_tree_at_rest_start_no_walk_after_the_first() {
    let samples = Samples::new();
    let old = std::fs::FileTimes::new().set_modified(std::time::SystemTime::now() - Duration::from_secs(60));
    for folder in [samples.folder.path(), &samples.folder.path().join("Drums"), &samples.folder.path().join("Loops")] {
        std::fs::File::open(folder).unwrap().set_times(old).unwrap();
    }
    std::fs::File::open(samples.other.path()).unwrap().set_times(old).unwrap();
    let nothing = || assert_eq!(samples.names(json!({ "query": "zzzzqqqq" })), [""; 0]);
    nothing();
    let (library, began) = (samples.api.device.library(), std::time::Instant::now());
    let walks = library.progress().completed_walks;
    for _ in 0..10 {
        nothing();
    }
    // Files are looked through for what was written over in place every 5 s, whatever is found.
    let by_age = began.elapsed().as_secs() / 5 + 1;
    let more = library.progress().completed_walks - walks;
    assert!(more <= by_age, "{more} walks");
    put(samples.folder.path(), "Drums/Fresh/Zzzzqqqq.wav", &wav(&sound(12, 0.2)));
    assert_eq!(samples.names(json!({ "query": "zzzzqqqq" })), ["Zzzzqqqq.wav"]);
}

#[test]
fn nothing_says_what_was_looked_through() {
    let samples = Samples::new();
    for (arguments, said) in [
        (json!({ "action": "find-duplicates", "tags": "snare" }), "holds (1 audio file), no two sound the same"),
        (json!({ "action": "find-duplicates", "query": "zzzzqqqq" }), "nothing fits among"),
        (json!({ "action": "find-duplicates", "inFolder": samples.path("None") }), "there is no folder /"),
        (json!({ "inFolder": samples.path("None") }), "there is no folder /"),
        (json!({ "inFolder": samples.path("Loops"), "query": "zzzzqqqq" }), "nothing fits among"),
    ] {
        let result = samples.ask(arguments.clone());
        let detail = result["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(said), "{arguments}: {result}");
    }
}

#[test]
fn where_device_presets_are_listed() {
    let samples = Samples::new();
    let result = samples.ask(json!({ "kind": "preset" }));
    assert!(result["detail"].as_str().unwrap().contains("svc-create-device without device"), "{result}");
}

#[test]
fn a_sample_that_a_clip_is_made_of_counts_as_used() {
    let samples = Samples::new();
    samples.api.ok("svc-create-track", json!({ "path": "t+", "type": "audio" }));
    let track =
        samples.api.ok("svc-read-live-set", json!({}))["trackCount"].as_u64().map(|count| count - 1).unwrap_or(2);
    let arguments = json!({ "path": format!("t{track}/s0"), "sampleFile": samples.path("Drums/Kick 02.wav") });
    samples.api.ok("svc-create-clip", arguments);
    let found = samples.ask(json!({ "query": "kick 02", "source": "sample-folder" }));
    assert_eq!(found["items"][0]["name"], "Kick 02.wav", "the most used comes first");
    assert_eq!(found["items"][0]["useCount"], 1);
}
