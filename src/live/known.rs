//! What answers told of Live's objects: whose class each is and where it stands, and what a bulk read brought of them.

use super::wire_value::{from_wire, note_from_row};
use crate::music::Note;
use crate::object_model::{Class, ObjectId, Value, class};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// See the [module](self).
#[derive(Default)]
pub struct Known {
    objects: HashMap<ObjectId, KnownObject>,
    roots: HashMap<String, ObjectId>,
    /// Of the song: its name, its clock.
    pub facts: Map<String, Json>,
}

#[derive(Default)]
struct KnownObject {
    class: String,
    path: String,
    /// Properties as they came, singles and lists of children, lengths, and notes: only from a bulk read.
    read: Map<String, Json>,
    counts: Map<String, Json>,
    children: Map<String, Json>,
    notes: Option<Vec<Note>>,
    /// Why Live refused to read a member.
    refused: Map<String, Json>,
}

impl Known {
    /// Takes in what an answer tells of objects: `{id: [class, path]}`. Gives the highest id.
    pub fn tell(&mut self, answer: &mut Map<String, Json>) -> u64 {
        let mut highest = 0;
        let Some(Json::Object(objects)) = answer.remove("objects") else { return highest };
        for (id, told) in objects {
            let (Ok(id), Some([class, path])) = (id.parse::<u64>(), told.as_array().map(Vec::as_slice)) else {
                continue;
            };
            let known = self.objects.entry(ObjectId(id)).or_default();
            known.class = class.as_str().unwrap_or_default().to_owned();
            known.path = path.as_str().unwrap_or_default().to_owned();
            highest = highest.max(id);
        }
        highest
    }

    /// Takes in the answer of a bulk read.
    pub fn take_read(&mut self, mut answer: Map<String, Json>) {
        if let Some(Json::Object(roots)) = answer.remove("roots") {
            let found = roots.into_iter().filter_map(|(name, id)| Some((name, ObjectId(id.as_u64()?))));
            self.roots.extend(found);
        }
        if let Some(Json::Object(facts)) = answer.remove("facts") {
            self.facts = facts;
        }
        let Some(Json::Object(data)) = answer.remove("data") else { return };
        for (id, read) in data {
            let (Ok(id), Json::Object(mut read)) = (id.parse().map(ObjectId), read) else { continue };
            let mut part = |name: &str| match read.remove(name) {
                Some(Json::Object(members)) => members,
                _ => Map::new(),
            };
            let known = self.objects.entry(id).or_default();
            known.read.extend(part("get"));
            known.counts.extend(part("count"));
            known.children.extend(part("children"));
            known.refused.extend(part("refused"));
            if let Some(Json::Array(rows)) = read.remove("notes") {
                known.notes = Some(sorted(rows.iter().filter_map(note_from_row).collect()));
            }
        }
    }

    /// A write may have changed anything: only what objects are is kept, not what they hold nor where they stand.
    pub fn forget_values(&mut self) {
        for known in self.objects.values_mut() {
            *known = KnownObject { class: std::mem::take(&mut known.class), ..KnownObject::default() };
        }
        self.facts.clear();
    }

    pub fn root(&self, name: &str) -> Option<ObjectId> {
        self.roots.get(name).copied()
    }

    pub fn class_of(&self, id: ObjectId) -> Option<&'static Class> {
        class::class(&self.objects.get(&id)?.class)
    }

    pub fn path_of(&self, id: ObjectId) -> Option<&str> {
        self.objects.get(&id).map(|known| known.path.as_str()).filter(|path| !path.is_empty())
    }

    /// The object at a path, where an answer told of it.
    pub fn at_path(&self, path: &str) -> Option<ObjectId> {
        self.objects.iter().find(|(_, known)| known.path == path).map(|(id, _)| *id)
    }

    pub fn value(&self, id: ObjectId, member: &str, kind: Option<class::ValueKind>) -> Option<Value> {
        self.objects.get(&id)?.read.get(member).map(|json| from_wire(json.clone(), kind))
    }

    /// Why Live refused to read it.
    pub fn refusal(&self, id: ObjectId, member: &str) -> Option<&str> {
        self.objects.get(&id)?.refused.get(member)?.as_str()
    }

    /// The ids of a child list, or of a single child as a list of one or none.
    pub fn children(&self, id: ObjectId, member: &str) -> Option<Vec<ObjectId>> {
        let ids = self.objects.get(&id)?.children.get(member)?.as_array()?;
        Some(ids.iter().filter_map(Json::as_u64).filter(|id| *id > 0).map(ObjectId).collect())
    }

    pub fn count(&self, id: ObjectId, member: &str) -> Option<usize> {
        let known = self.objects.get(&id)?;
        let counted = known.counts.get(member).and_then(Json::as_u64).and_then(|count| usize::try_from(count).ok());
        counted.or_else(|| known.children.get(member)?.as_array().map(Vec::len))
    }

    pub fn notes(&self, id: ObjectId) -> Option<&[Note]> {
        self.objects.get(&id)?.notes.as_deref()
    }
}

/// Notes as the object model gives them: by start, then pitch.
pub fn sorted(mut notes: Vec<Note>) -> Vec<Note> {
    notes.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch)));
    notes
}
