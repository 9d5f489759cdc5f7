//! Renderings that are refused or fail: what is said, and that no file is left.

use crate::support::Api;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use svc_device::service::Settings;

const PATIENCE: Duration = Duration::from_secs(60);

fn with_beat(folder: &Path) -> Api {
    let allowed_folders = vec![folder.to_str().unwrap().to_owned()];
    let api = Api::with(Settings { allowed_folders, ..Settings::default() });
    api.ok("svc-update-track", json!({"path": "t0", "name": "Drums"}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "v110 n/16 C1 1|1,3", "length": "1bar"}));
    api
}

/// Why a bar of the beat is not rendered, whether it is said at once or by the job.
fn why_not(api: &Api, more: Value) -> String {
    let mut arguments = json!({"path": "s0", "length": "1bar", "tail": 0});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = api.envelope("svc-render", "", &arguments);
    let Some(id) = answer["result"]["job"]["id"].as_str() else {
        assert_eq!(answer["isError"], true, "{arguments}: {answer}");
        return answer["result"].as_str().unwrap().to_owned();
    };
    let end = Instant::now() + PATIENCE;
    loop {
        let job = api.ok("svc-read-job", json!({"id": id}));
        if job["state"] == "failed" {
            return job["detail"].as_str().unwrap().to_owned();
        }
        assert!(Instant::now() < end && job["state"] != "done", "{arguments}: {job}");
    }
}

/// Everything in a folder, folders in it by their names alone.
fn names(folder: &Path) -> Vec<String> {
    let entry = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = std::fs::read_dir(folder).unwrap().map(entry).collect();
    names.sort();
    names
}

/// Every refusal names the argument, and leaves nothing.
#[test]
fn what_is_wrong_with_a_rendering_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let api = with_beat(folder.path());
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let long = format!("{}.wav", "a".repeat(300));
    for (more, begins, says) in [
        (json!({"file": at("a.mid"), "bits": 16}), "bits: ", "a .mid holds notes, and no samples"),
        (json!({"file": at("a.mid"), "normalize": "-14LUFS"}), "normalize: ", "a .wav or .flac"),
        (json!({"file": ""}), "file is blank", "leave file out"),
        (json!({"stems": " "}), "stems is blank", "leave stems out"),
        (json!({"normalize": ""}), "normalize is blank", "leave normalize out"),
        (json!({"start": ""}), "start is blank", "leave start out"),
        (json!({"length": " "}), "length is blank", "leave length out"),
        (json!({"file": at(&long)}), "file: ", "could not be written"),
        (json!({"file": at("a.wav"), "bits": 20}), "bits: ", "16, 24 or 32"),
    ] {
        let why = why_not(&api, more.clone());
        assert!(why.starts_with(begins) && why.contains(says), "{more}: {why}");
        assert_eq!(names(folder.path()), Vec::<String>::new(), "{more}");
    }
    api.ok("svc-update-track", json!({"path": "t0", "mute": true}));
    let why = why_not(&api, json!({"file": at("a.wav"), "stems": at("stems"), "normalize": "-14LUFS"}));
    assert!(why.starts_with("normalize: ") && why.contains("nothing sounds"), "{why}");
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

/// One name for the mix and for a stem is refused before anything is rendered, whoever made the folder.
#[test]
fn a_stem_never_has_the_name_of_the_mix() {
    let folder = tempfile::tempdir().unwrap();
    let api = with_beat(folder.path());
    let stems = folder.path().join("cc");
    std::fs::create_dir(&stems).unwrap();
    let mix = stems.join("01 Drums.wav");
    for kept in [None, Some("what lay there")] {
        kept.iter().for_each(|text| std::fs::write(&mix, text).unwrap());
        // So long that it would be a job, if it began.
        let why = why_not(&api, json!({"file": mix, "stems": stems, "length": "700bar"}));
        assert!(why.starts_with("file, stems: ") && why.contains("01 Drums.wav"), "{why}");
        assert!(why.contains("into another folder"), "{why}");
        assert_eq!(std::fs::read_to_string(&mix).ok().as_deref(), kept);
    }
    std::fs::remove_file(&mix).unwrap();
    assert_eq!(names(&stems), Vec::<String>::new());
}

/// A folder in the place of a file, and a file in the place of a folder, are told before anything is rendered.
#[test]
fn what_lies_there_is_told_before_anything_is_rendered() {
    let folder = tempfile::tempdir().unwrap();
    let api = with_beat(folder.path());
    let at = |name: &str| folder.path().join(name);
    for name in ["mix.wav", "notes.mid", "stems", "stems/01 Drums.wav"] {
        std::fs::create_dir(at(name)).unwrap();
    }
    std::fs::write(at("a file"), "what lay there").unwrap();
    for (more, begins, says) in [
        (json!({"file": at("mix.wav")}), "file: ", "mix.wav is a folder: name a file"),
        (json!({"file": at("notes.mid")}), "file: ", "notes.mid is a folder: name a file"),
        (json!({"stems": at("a file")}), "stems: ", "a file is a file: stems are written into a folder"),
        (json!({"stems": at("stems")}), "stems: ", "a folder has the name of a stem, 01 Drums.wav"),
    ] {
        let mut asked = more.as_object().unwrap().clone();
        asked.insert("length".to_owned(), json!("700bar"));
        let why = why_not(&api, Value::Object(asked));
        assert!(why.starts_with(begins) && why.contains(says), "{more}: {why}");
    }
    assert_eq!(names(folder.path()), ["a file", "mix.wav", "notes.mid", "stems"]);
    assert_eq!(names(&at("stems")), ["01 Drums.wav"]);
    assert_eq!(std::fs::read_to_string(at("a file")).unwrap(), "what lay there");
}

#[test]
fn files_take_the_place_of_what_lay_there_and_none_is_kept_aside() {
    let folder = tempfile::tempdir().unwrap();
    let api = with_beat(folder.path());
    let (mix, stems): (PathBuf, PathBuf) = (folder.path().join("mix.wav"), folder.path().join("stems"));
    std::fs::create_dir(&stems).unwrap();
    std::fs::write(stems.join("01 Drums.wav"), "what lay there").unwrap();
    let refused = api.refused("svc-render", json!({"path": "s0", "file": mix, "stems": stems}));
    assert!(refused.contains("01 Drums.wav is there already") && refused.contains("overwrite: true"), "{refused}");
    assert_eq!(std::fs::read(stems.join("01 Drums.wav")).unwrap(), b"what lay there");
    let answer = crate::render::render(&api, json!({"path": "s0", "file": mix, "stems": stems, "overwrite": true}));
    assert_eq!(answer["stems"].as_array().map(Vec::len), Some(1), "{answer}");
    assert_eq!((names(&stems).len(), names(folder.path()).len()), (1, 2), "no file is kept aside");
    assert_ne!(std::fs::read(stems.join("01 Drums.wav")).unwrap(), b"what lay there");
}
