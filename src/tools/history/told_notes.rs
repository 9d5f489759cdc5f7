//! What is different about the notes of a clip, in numbers and in words.

use crate::music::text::counted;
use crate::object_model::history::{ChangeKind, NoteChanges};
use serde_json::{Value, json};

fn thousandths(beats: f64) -> f64 {
    (beats * 1000.0).round() / 1000.0
}

fn number(number: f64) -> Value {
    if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
}

/// As a member of an answer; kinds of change that no note has are left out.
pub fn as_json(notes: NoteChanges, kind: ChangeKind) -> Value {
    let NoteChanges { before, after, added, removed, changed, .. } = notes;
    match kind {
        ChangeKind::Made => return json!({ "after": after }),
        ChangeKind::Deleted => return json!({ "before": before }),
        ChangeKind::Changed | ChangeKind::Moved => {}
    }
    let mut out = json!({ "before": before, "after": after, "added": added, "removed": removed, "changed": changed });
    let mut set = |field: &str, value: Value| out.as_object_mut().and_then(|out| out.insert(field.to_owned(), value));
    for (field, count) in [
        ("transposed", notes.transposed),
        ("moved", notes.moved),
        ("durations", notes.durations),
        ("velocities", notes.velocities),
    ] {
        if count > 0 {
            set(field, json!(count));
        }
    }
    notes.semitones.map(|semitones| set("semitones", json!(semitones)));
    notes.beats.map(|beats| set("beats", number(thousandths(beats))));
    out
}

/// `12 notes -> 8`, `16 notes transposed by +2`, one after the other.
pub fn words(notes: NoteChanges) -> Vec<String> {
    let NoteChanges { before, after, added, removed, changed, .. } = notes;
    let mut told = Vec::new();
    match (before == after, added, removed) {
        (true, 0, _) => {}
        (true, added, _) => told.push(format!("{} replaced", counted(added, "note"))),
        (false, 0, _) | (false, _, 0) => told.push(format!("{} -> {after}", counted(before, "note"))),
        (false, ..) => {
            told.push(format!("{} -> {after} ({added} added, {removed} removed)", counted(before, "note")));
        }
    }
    let by = |amount: String| if amount.is_empty() { amount } else { format!(" by {amount}") };
    if notes.transposed > 0 {
        let semitones = notes.semitones.map_or_else(String::new, |semitones| format!("{semitones:+}"));
        told.push(format!("{} transposed{}", counted(notes.transposed, "note"), by(semitones)));
    }
    if notes.moved > 0 {
        let beats = notes.beats.map(thousandths).filter(|beats| *beats != 0.0);
        let beats = beats.map_or_else(String::new, |beats| {
            format!("{beats:+} quarter note{}", if beats.abs() == 1.0 { "" } else { "s" })
        });
        told.push(format!("{} moved{}", counted(notes.moved, "note"), by(beats)));
    }
    for (what, count) in [("velocity", notes.velocities), ("length", notes.durations)] {
        if count > 0 {
            told.push(format!("{what} of {} changed", counted(count, "note")));
        }
    }
    if notes.others > 0 {
        told.push(format!("{} changed otherwise", counted(notes.others.min(changed), "note")));
    }
    told
}
