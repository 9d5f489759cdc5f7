//! What is different about an object: as an entry of an answer, and as a sentence.

use super::same_clip::{is_same, took_its_place, went};
use super::shown_value::ShownValue;
use super::shown_values;
use super::told_notes;
use crate::music::text::counted;
use crate::object_model::history::{ChangeKind, ChangedClass, Held, NoteChanges, ObjectChange};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{self, flag, text};
use crate::tools::address::path_format;
use crate::tools::error::ToolError;
use crate::tools::read::plain_fields::plain_fields;
use crate::tools::read::scene_fields::{self, SceneInclude};
use crate::tools::read::track_fields::track_type;
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
    /// Where it was, if it moved. A clip is another one where it went.
    from: Option<String>,
    /// It is told of as what it became elsewhere, or as what took its place.
    is_told_elsewhere: bool,
    /// The same lay in its place before, as another clip.
    is_anew: bool,
    /// What kind of track or clip it is, and what else is said of what was made or deleted.
    sort: Option<&'static str>,
    traits: Vec<String>,
    name: String,
    values: Vec<ShownValue>,
    notes: Option<NoteChanges>,
    holds: Held,
}

/// What an object is called.
pub fn word(class: ChangedClass) -> &'static str {
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

/// What became of an object.
pub fn kind_word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Made => "made",
        ChangeKind::Deleted => "deleted",
        ChangeKind::Changed => "changed",
        ChangeKind::Moved => "moved",
    }
}

/// The sort of a track or clip, and what a scene sets and a device is.
fn described(
    session: &dyn Session,
    id: ObjectId,
    class: ChangedClass,
) -> Result<(Option<&'static str>, Vec<String>), ToolError> {
    Ok(match class {
        ChangedClass::Track => (Some(track_type(session, id)?), Vec::new()),
        ChangedClass::Clip if !flag(session, id, "is_midi_clip")? => (Some("audio"), Vec::new()),
        ChangedClass::Scene => {
            let fields = plain_fields(scene_fields::gather(session, id, SceneInclude::default())?);
            let told = |(field, words): (&str, &str)| {
                let value = fields.get(field)?;
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                Some(format!("{words} {value}"))
            };
            (None, [("tempo", "tempo"), ("timeSignature", "timeSignature")].into_iter().filter_map(told).collect())
        }
        ChangedClass::Device => {
            let kind = text(session, id, "class_display_name")?;
            let is_named = text(session, id, "name")? != kind;
            (None, is_named.then_some(kind).into_iter().collect())
        }
        _ => (None, Vec::new()),
    })
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
        let (sort, traits) = if has_both { (None, Vec::new()) } else { described(there, id, class)? };
        Ok(ToldChange {
            id,
            class,
            kind,
            came_back: change.came_back,
            path: path(there)?,
            from: if kind == ChangeKind::Moved { path(before)? } else { None },
            is_told_elsewhere: false,
            is_anew: false,
            sort,
            traits,
            name: model_read::if_any(text(there, id, "name"))?.unwrap_or_default(),
            values: if has_both { shown_values::of(before, after, change)? } else { Vec::new() },
            notes: change.notes,
            holds: change.holds,
        })
    }

    /// Tells of clips that went elsewhere, where each is another one, as moved, and of those that lie anew where the
    /// same lay before as made anew.
    pub fn join_moved(all: &mut [ToldChange], before: &dyn Session, after: &dyn Session) -> Result<(), ToolError> {
        let of_kind = |all: &[ToldChange], kind| -> Vec<usize> {
            let clips = all.iter().enumerate().filter(|(_, change)| change.class == ChangedClass::Clip);
            clips.filter(|(_, change)| change.kind == kind).map(|(at, _)| at).collect()
        };
        let (mut gone, mut made) = (of_kind(all, ChangeKind::Deleted), of_kind(all, ChangeKind::Made));
        // Those made anew are no more to be had for a clip that went elsewhere.
        for is_move in [false, true] {
            let mut left = Vec::new();
            for new in made {
                let mut found = None;
                for (nth, old) in gone.iter().enumerate() {
                    if let (Some(was), Some(is)) = (all.get(*old), all.get(new))
                        && was.name == is.name
                        && was.notes.map(|notes| notes.before) == is.notes.map(|notes| notes.after)
                        && is_one(was.id, is.id, is_move, before, after)?
                    {
                        found = Some((nth, *old, was.path.clone()));
                        break;
                    }
                }
                let Some((nth, old, from)) = found else {
                    left.push(new);
                    continue;
                };
                gone.remove(nth);
                all.get_mut(old).into_iter().for_each(|was| was.is_told_elsewhere = true);
                all.get_mut(new).into_iter().for_each(|is| match is_move {
                    true => is.from.clone_from(&from),
                    false => is.is_anew = true,
                });
            }
            made = left;
        }
        Ok(())
    }

    /// Whether it is told of with another one.
    pub fn is_told_elsewhere(&self) -> bool {
        self.is_told_elsewhere
    }

    /// As an entry of an answer.
    pub fn into_json(self) -> Value {
        let mut out = Map::new();
        let mut set = |field: &str, value: Value| drop(out.insert(field.to_owned(), value));
        set("id", json!(self.id.to_string()));
        self.path.into_iter().for_each(|path| set("path", json!(path)));
        set("type", json!(word(self.class)));
        set("kind", json!(kind_word(self.kind)));
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
        if let Some(notes) = self.notes {
            set("notes", told_notes::as_json(notes, self.kind));
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
        let what = self.sort.map_or(what.clone(), |sort| format!("{sort} {what}"));
        let path = self.path.as_deref().map_or_else(String::new, |path| format!(" {path}"));
        let with = self.with();
        match self.kind {
            ChangeKind::Made if self.came_back => return format!("brought back {what}{path}{name}{with}"),
            ChangeKind::Made if let Some(from) = &self.from => {
                return format!("moved {what} {from} ->{path}{name} (id {} there)", self.id);
            }
            ChangeKind::Made if self.is_anew => return format!("made {what}{path}{name} anew (id {})", self.id),
            ChangeKind::Made => return format!("made {what}{path}{name}{with}"),
            ChangeKind::Deleted => return format!("deleted {what}{path}{name}{with}"),
            ChangeKind::Changed | ChangeKind::Moved => {}
        }
        let mut told: Vec<String> = self.notes.map(told_notes::words).unwrap_or_default();
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
        let traits = self.traits.iter().cloned();
        let list: Vec<String> = traits.chain([notes, clips, devices].into_iter().flatten()).collect();
        if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) }
    }
}

/// Whether a clip that is gone is the one made: as it went there, or else as that lies where it was.
fn is_one(
    was: ObjectId,
    is: ObjectId,
    is_move: bool,
    before: &dyn Session,
    after: &dyn Session,
) -> Result<bool, ToolError> {
    Ok(match is_move {
        true => went(before, was, after, is)?,
        false => took_its_place(before, was, after, is)? && is_same(before, was, after, is)?,
    })
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
