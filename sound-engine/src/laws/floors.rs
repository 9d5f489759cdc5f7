//! The rooms of the engine use only those before them.

use std::path::Path;

/// A room, and what it uses beside itself.
const ROOMS: [(&str, &[&str]); 10] = [
    ("sample", &[]),
    ("parameter", &[]),
    ("dsp", &["sample"]),
    ("instruments", &["dsp", "sample", "parameter"]),
    ("effects", &["dsp", "parameter"]),
    ("note_effects", &["dsp", "instruments", "parameter"]),
    ("mixer", &["dsp", "sample", "parameter"]),
    ("plan", &["dsp", "instruments", "effects", "mixer", "note_effects", "parameter"]),
    ("engine", &["dsp", "instruments", "mixer", "note_effects", "parameter", "plan"]),
    ("offline", &["dsp", "engine", "plan"]),
];

fn texts(path: &Path, texts: &mut String) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("src can be read").flatten() {
            texts_of_code(&entry.path(), texts);
        }
    } else {
        texts_of_code(path, texts);
    }
}

fn texts_of_code(path: &Path, all: &mut String) {
    if path.is_dir() {
        texts(path, all);
    } else if !path.ends_with("laws.rs") {
        let text = std::fs::read_to_string(path).expect("a source file is text");
        // Tests at a file's end may look at signals.
        all.push_str(text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default());
    }
}

#[test]
fn rooms_use_only_those_before_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (room, uses) in ROOMS {
        let mut text = String::new();
        let folder = src.join(room);
        texts(&if folder.is_dir() { folder } else { src.join(format!("{room}.rs")) }, &mut text);
        for (other, _) in ROOMS {
            let used = text.contains(&format!("crate::{other}::"));
            let may = other == room || uses.contains(&other);
            assert!(!used || may, "`{room}` uses `{other}`");
            assert!(used || !uses.contains(&other), "`{room}` does not use `{other}`");
        }
    }
}
