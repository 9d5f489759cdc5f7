//! The Set as text: one versioned JSON document, as it lies in a DAW's project or a file.

use super::document::{Document, SessionClip};
use super::ids::{SERIAL_END, Serial};
use super::index;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::HashSet;
use std::sync::Arc;

/// The format this version writes, and the newest it reads.
pub const FORMAT: u32 = 1;

#[derive(Serialize)]
struct FileOut<'a> {
    format: u32,
    set: &'a Document,
}

#[derive(Deserialize)]
struct FileIn {
    set: Document,
}

/// Why a text is no Set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoadError {
    #[error(
        "the Set was saved by a newer version of SVC Device (format {found}; this version reads up to {FORMAT}); update to open it"
    )]
    Newer { found: u64 },
    #[error("the saved Set is damaged: {0}")]
    Damaged(String),
}

/// The document as text.
pub fn save(document: &Document) -> String {
    // Every field is a plain value with text keys, and serde_json writes a non-finite number as null: this cannot fail.
    serde_json::to_string(&FileOut { format: FORMAT, set: document }).unwrap_or_default()
}

/// Reads a document. What is loaded obeys every rule that edits keep, or it is refused as damaged.
pub fn load(text: &str) -> Result<Document, LoadError> {
    let damaged = |e: serde_json::Error| LoadError::Damaged(e.to_string());
    let json: Json = serde_json::from_str(text).map_err(damaged)?;
    let format = json.get("format").and_then(Json::as_u64);
    match format {
        Some(found) if found > u64::from(FORMAT) => return Err(LoadError::Newer { found }),
        Some(1..) => {}
        _ => return Err(LoadError::Damaged("it has no format number".to_owned())),
    }
    let FileIn { set: mut document } = serde_json::from_value(json).map_err(damaged)?;
    document.index = index::build(&document);
    check(&document).map_err(LoadError::Damaged)?;
    Ok(document)
}

/// The rules of a document that its types cannot state.
pub fn check(document: &Document) -> Result<(), String> {
    let mut seen: HashSet<Serial> = HashSet::new();
    let mut once = |serial: Serial, what: &str| {
        if serial == 0 || serial >= document.next_serial || serial >= SERIAL_END || !seen.insert(serial) {
            return Err(format!("{what} has the id {serial}, which is taken or was never given out"));
        }
        Ok(())
    };
    if document.scenes.is_empty() || document.tracks.is_empty() {
        return Err("a Set has at least one track and one scene".to_owned());
    }
    for scene in document.scenes.iter() {
        once(scene.serial, "a scene")?;
        if scene.tempo_bpm.is_some_and(|bpm| !(20.0..=999.0).contains(&bpm)) {
            return Err("a scene's tempo is outside 20..999".to_owned());
        }
    }
    let scenes: HashSet<Serial> = document.scenes.iter().map(|s| s.serial).collect();
    for (track, home) in document.every_track() {
        once(track.serial, "a track")?;
        let sends = if home == index::Home::Main { 0 } else { document.returns.len() };
        if track.mixer.sends.len() != sends {
            return Err(format!("a track has {} sends for {sends} returns", track.mixer.sends.len()));
        }
        if track.color >= 70 || track.midi_channel.is_some_and(|c| c > 15) {
            return Err("a track's colour or MIDI channel is out of range".to_owned());
        }
        let m = &track.mixer;
        let unit = |v: f64| (0.0..=1.0).contains(&v);
        let pan = |v: f64| (-1.0..=1.0).contains(&v);
        let strip = unit(m.volume) && unit(m.cue_volume) && pan(m.panning) && pan(m.left_split) && pan(m.right_split);
        if !(strip && pan(m.crossfader) && m.sends.iter().copied().all(unit) && m.crossfade_assign <= 2) {
            return Err("a mixer value is out of range".to_owned());
        }
        for device in &track.devices {
            once(device.serial, "a device")?;
            check_device(device)?;
        }
        let mut last = 0;
        for SessionClip { scene, clip } in &track.session {
            once(clip.serial, "a clip")?;
            if *scene <= last || !scenes.contains(scene) {
                return Err("a clip lies in a slot that does not exist".to_owned());
            }
            last = *scene;
            check_clip(clip)?;
        }
    }
    let song = &document.song;
    if !(20.0..=999.0).contains(&song.tempo_bpm) || song.launch_quantization > 13 || song.root_note > 11 {
        return Err("the song's tempo, launch quantization or root note is out of range".to_owned());
    }
    if !(song.loop_start >= 0.0
        && song.loop_length > 0.0
        && song.loop_start.is_finite()
        && song.loop_length.is_finite())
    {
        return Err("the song's loop is out of range".to_owned());
    }
    Ok(())
}

fn check_device(device: &Arc<super::device::Device>) -> Result<(), String> {
    let specs = device.specs();
    let ok = !specs.is_empty()
        && device.values.len() == specs.len()
        && device.values.iter().zip(specs).all(|(value, spec)| (spec.min..=spec.max).contains(value));
    ok.then_some(()).ok_or_else(|| format!("a device of class {:?} has unknown or wrong parameters", device.class_name))
}

fn check_clip(clip: &super::document::Clip) -> Result<(), String> {
    let times = [clip.loop_start, clip.loop_end, clip.start_marker, clip.end_marker];
    if !times.iter().all(|t| t.is_finite()) || clip.loop_start >= clip.loop_end || clip.start_marker >= clip.end_marker
    {
        return Err("a clip's region ends before it starts".to_owned());
    }
    if clip.color >= 70 || clip.launch_mode > 3 || clip.launch_quantization > 14 {
        return Err("a clip's colour or launch setting is out of range".to_owned());
    }
    let Some(notes) = clip.notes() else { return Ok(()) };
    let mut ids = HashSet::new();
    for stored in &notes.list {
        let n = &stored.note;
        let ok = n.pitch <= 127
            && n.start.is_finite()
            && n.duration > 0.0
            && n.duration.is_finite()
            && (1.0..=127.0).contains(&n.velocity)
            && (-127.0..=127.0).contains(&n.velocity_deviation)
            && (0.0..=1.0).contains(&n.probability)
            && (0.0..=127.0).contains(&n.release_velocity)
            && stored.id < notes.next_id
            && ids.insert(stored.id);
        if !ok {
            return Err(format!("a clip holds an impossible note: {n:?}"));
        }
    }
    notes
        .list
        .is_sorted_by(super::notes::in_order)
        .then_some(())
        .ok_or_else(|| "a clip's notes are out of order".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_comes_back_as_it_was() {
        let set = Document::new_set();
        assert_eq!(load(&save(&set)).unwrap(), set);
    }

    #[test]
    fn what_is_not_a_set_is_refused() {
        let good = save(&Document::new_set());
        let mut json: Json = serde_json::from_str(&good).unwrap();
        json["set"]["song"]["tempo_bpm"] = 5.into();
        let slow = json.to_string();
        for (text, want) in [
            ("", "damaged"),
            ("{}", "no format number"),
            (r#"{"format":2,"set":{"anything":[]}}"#, "newer version"),
            (r#"{"format":1}"#, "damaged"),
            (&good[..good.len() / 2], "damaged"),
            (&slow, "tempo"),
        ] {
            let error = load(text).unwrap_err().to_string();
            assert!(error.contains(want), "{text:.40}: {error}");
        }
    }
}
