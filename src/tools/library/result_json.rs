//! Results as JSON.

use crate::library::Hit;
use crate::music::pitch;
use serde_json::{Map, Value, json};

/// One file or folder. With `verify`, whether it exists now.
pub fn hit_json(hit: &Hit, verify: bool) -> Value {
    let record = &hit.record;
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("name", json!(record.name));
    put("path", json!(record.path.to_string_lossy()));
    put("kind", json!(record.kind.name()));
    if let Some(playback) = record.sample_type {
        put("type", json!(playback.name()));
    }
    if let Some(sound) = record.sound() {
        put("seconds", json!(rounded(sound.seconds(), 1_000.0)));
        if let Some(hz) = sound.traits.pitch_hz() {
            put("pitch", json!(pitch::unbounded_name((69.0 + 12.0 * (hz / 440.0).log2()).round() as i32)));
            put("pitchHz", json!(rounded(hz, 100.0)));
        }
        if let Some(hz) = sound.traits.brightness_hz() {
            put("brightnessHz", json!(hz));
        }
        if let Some(lufs) = sound.traits.loudness_lufs() {
            put("loudnessLufs", json!(lufs));
        }
    }
    if let Some(bpm) = record.tempo_bpm {
        put("tempoBpm", json!(rounded(bpm, 100.0)));
    }
    put("tags", json!(record.tags));
    put("useCount", json!(hit.use_count));
    put("source", json!(record.source.name()));
    if !record.folder.is_empty() {
        put("folder", json!(record.folder));
    }
    if verify {
        put("pathExists", json!(record.path.exists()));
    }
    if record.has_non_unicode_path {
        put("detail", json!("the path is not Unicode and cannot be sent back; rename the file to use it"));
    }
    Value::Object(object)
}

/// To whole parts of `parts`: without a fraction where there is none.
fn rounded(value: f64, parts: f64) -> Value {
    let value = (value * parts).round() / parts;
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

/// A result with its remarks as `detail`, if there are any.
pub fn with_detail(mut result: Value, remarks: Vec<String>) -> Value {
    if let Some(result) = result.as_object_mut() {
        add_detail(result, remarks);
    }
    result
}

pub fn add_detail(result: &mut Map<String, Value>, remarks: Vec<String>) {
    if !remarks.is_empty() {
        result.insert("detail".to_owned(), json!(remarks.join("; ")));
    }
}
