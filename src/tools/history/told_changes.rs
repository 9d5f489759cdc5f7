//! What is different about an object: as an entry of an answer, and as a sentence.

use super::shown_values::{self, ShownValue};
use crate::music::text::counted;
use crate::object_model::history::{ChangeKind, ChangedClass, Held, NoteChanges, ObjectChange};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{self, text};
use crate::tools::address::path_format;
use crate::tools::error::ToolError;
use serde_json::{Map, Value, json};

/// Properties that a sentence tells.
const MOST_TOLD: usize = 4;

/// A change with all that is told of it.
pub struct ToldChange {
    id: ObjectId,
    class: ChangedClass,
    kind: ChangeKind,
    came_back: bool,
    path: Option<String>,
    /// Where it was, if it moved.
    from: Option<String>,
    name: String,
    values: Vec<ShownValue>,
    notes: Option<NoteChanges>,
    holds: Held,
}

fn word(class: ChangedClass) -> &'static str {
    match class {
        ChangedClass::Set => "set",
        ChangedClass::Track => "track",
        ChangedClass::TakeLane => "take-lane",
        ChangedClass::Scene => "scene",
        ChangedClass::Clip => "clip",
        ChangedClass::Device => "device",
        ChangedClass::Chain => "chain",
        ChangedClass::Locator => "locator",
        ChangedClass::Groove => "groove",
    }
}

impl ToldChange {
    pub fn read(before: &dyn Session, after: &dyn Session, change: &ObjectChange) -> Result<ToldChange, ToolError> {
        let ObjectChange { id, class, kind, .. } = *change;
        let there = if kind == ChangeKind::Deleted { before } else { after };
        let path = |session| match class {
            ChangedClass::Set => Ok(None),
            _ => path_format::tool_path(session, id),
        };
        let has_both = !matches!(kind, ChangeKind::Made | ChangeKind::Deleted);
        Ok(ToldChange {
            id,
            class,
            kind,
            came_back: change.came_back,
            path: path(there)?,
            from: if kind == ChangeKind::Moved { path(before)? } else { None },
            name: model_read::if_any(text(there, id, "name"))?.unwrap_or_default(),
            values: if has_both { shown_values::of(before, after, change)? } else { Vec::new() },
            notes: change.notes,
            holds: change.holds,
        })
    }

    /// As an entry of an answer.
    pub fn into_json(self) -> Value {
        let kind = match self.kind {
            ChangeKind::Made => "made",
            ChangeKind::Deleted => "deleted",
            ChangeKind::Changed => "changed",
            ChangeKind::Moved => "moved",
        };
        let mut out = Map::new();
        let mut set = |field: &str, value: Value| drop(out.insert(field.to_owned(), value));
        set("id", json!(self.id.to_string()));
        self.path.into_iter().for_each(|path| set("path", json!(path)));
        set("type", json!(word(self.class)));
        set("kind", json!(kind));
        if !self.name.is_empty() && self.class != ChangedClass::Set {
            set("name", json!(self.name));
        }
        self.from.into_iter().for_each(|from| set("from", json!(from)));
        if self.came_back {
            set("cameBack", json!(true));
        }
        if !self.values.is_empty() {
            let values = self.values.into_iter();
            set("properties", values.map(|v| (v.name, json!({ "old": v.old, "new": v.new }))).collect());
        }
        if let Some(NoteChanges { before, after, added, removed, changed }) = self.notes {
            set(
                "notes",
                match self.kind {
                    ChangeKind::Made => json!({ "after": after }),
                    ChangeKind::Deleted => json!({ "before": before }),
                    _ => json!({
                        "before": before, "after": after, "added": added, "removed": removed, "changed": changed,
                    }),
                },
            );
        }
        for (field, count) in [("clips", self.holds.clips), ("devices", self.holds.devices)] {
            if count > 0 {
                set(field, json!(count));
            }
        }
        Value::Object(out)
    }

    /// `t0/s3 "Lead": 12 notes -> 8, looping false -> true`.
    pub fn sentence(&self) -> String {
        let name = if self.name.is_empty() { String::new() } else { format!(" \"{}\"", self.name) };
        let what = word(self.class).replace('-', " ");
        let path = self.path.as_deref().map_or_else(String::new, |path| format!(" {path}"));
        let with = self.with();
        match self.kind {
            ChangeKind::Made if self.came_back => return format!("brought back {what}{path}{name}{with}"),
            ChangeKind::Made => return format!("made {what}{path}{name}{with}"),
            ChangeKind::Deleted => return format!("deleted {what}{path}{name}{with}"),
            ChangeKind::Changed | ChangeKind::Moved => {}
        }
        let mut told: Vec<String> = self.note_words().into_iter().collect();
        told.extend(self.values.iter().take(MOST_TOLD).map(value_words));
        if let Some(more) = self.values.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
            told.push(format!("{more} more"));
        }
        let told = told.join(", ");
        let head = match (&self.path, self.class) {
            (_, ChangedClass::Set) => "the Set".to_owned(),
            (Some(path), _) => format!("{path}{name}"),
            (None, _) => format!("{what}{name}"),
        };
        match (&self.from, told.is_empty()) {
            (Some(from), true) => format!("moved {what} {from} ->{path}{name}"),
            (Some(from), false) => format!("moved {what} {from} ->{path}{name}: {told}"),
            (None, true) => format!("changed {head}"),
            (None, false) => format!("{head}: {told}"),
        }
    }

    /// What came or went with it.
    fn with(&self) -> String {
        let notes = self.notes.map(|notes| counted(notes.before.max(notes.after), "note"));
        let clips = (self.holds.clips > 0).then(|| counted(self.holds.clips, "clip"));
        let devices = (self.holds.devices > 0).then(|| counted(self.holds.devices, "device"));
        let list: Vec<String> = [notes, clips, devices].into_iter().flatten().collect();
        if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) }
    }

    fn note_words(&self) -> Option<String> {
        let NoteChanges { before, after, added, changed, .. } = self.notes?;
        Some(match (before == after, added) {
            (false, _) => format!("{} -> {after}", counted(before, "note")),
            (true, 0) => format!("{} changed", counted(changed, "note")),
            (true, added) if changed == 0 => format!("{} replaced", counted(added, "note")),
            (true, added) => format!("{} replaced, {changed} changed", counted(added, "note")),
        })
    }
}

fn value_words(ShownValue { name, old, new }: &ShownValue) -> String {
    let spelled = |value: &Value| match value {
        Value::Null => "none".to_owned(),
        Value::String(text) if name == "name" => format!("\"{text}\""),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match (old, new) {
        (Value::Null, Value::Null) => name.clone(),
        _ => format!("{name} {} -> {}", spelled(old), spelled(new)),
    }
}
