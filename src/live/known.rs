//! What answers told of Live's objects: whose class each is and where it stands, and what was read of them.

use super::wire_value::from_wire;
use crate::music::Note;
use crate::object_model::{Class, ObjectId, Value, class};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, HashMap};

/// What is read of each track and scene with the song.
pub const RANK_MEMBERS: [&str; 8] =
    ["name", "color", "is_foldable", "is_grouped", "has_midi_input", "has_audio_input", "is_frozen", "can_be_armed"];

/// See the [module](self).
#[derive(Default)]
pub struct Known {
    pub(super) objects: BTreeMap<ObjectId, KnownObject>,
    pub(super) by_path: HashMap<String, ObjectId>,
    pub(super) roots: HashMap<String, ObjectId>,
    /// Of the song: its name, its clock.
    pub facts: Map<String, Json>,
}

#[derive(Default)]
pub(super) struct KnownObject {
    pub(super) class: String,
    /// Empty where it is gone.
    pub(super) path: String,
    /// Whether the path is of now.
    pub(super) is_placed: bool,
    /// It is about to be made, and stands nowhere yet.
    pub(super) is_expected: bool,
    pub(super) read: Map<String, Json>,
    pub(super) counts: Map<String, Json>,
    /// Singles and lists of children, as lists of ids.
    pub(super) children: Map<String, Json>,
    pub(super) notes: Option<Vec<Note>>,
    /// How a parameter shows its values.
    pub(super) display: Option<Json>,
    /// What it shows for raw values that were asked for, by their bits.
    pub(super) labels: HashMap<u64, String>,
    /// Rows of a modulation matrix that were asked for.
    pub(super) amounts: HashMap<usize, Vec<f64>>,
    /// Why Live refused to read a member.
    pub(super) refused: Map<String, Json>,
}

/// What was read of one object, to be read again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReadMembers {
    pub properties: Vec<String>,
    pub counts: Vec<String>,
    pub children: Vec<String>,
    pub notes: bool,
    pub display: bool,
}

impl Known {
    /// Takes in what an answer tells of objects: `{id: [class, path]}`. Gives the highest id.
    pub fn tell(&mut self, answer: &mut Map<String, Json>) -> u64 {
        let mut highest = 0;
        let Some(Json::Object(objects)) = answer.remove("objects") else { return highest };
        let mut moved = Vec::new();
        for (id, told) in objects {
            let (Ok(id), Some([class, path])) = (id.parse::<u64>(), told.as_array().map(Vec::as_slice)) else {
                continue;
            };
            let path = path.as_str().unwrap_or_default().to_owned();
            self.place(ObjectId(id), class.as_str().unwrap_or_default(), path, &mut moved);
            highest = highest.max(id);
        }
        moved.iter().for_each(|path| self.forget_order_around(path));
        highest
    }

    /// Of what class the object is, and where it stands now. `moved` gets the paths at which another one stood.
    pub(super) fn place(&mut self, id: ObjectId, class: &str, path: String, moved: &mut Vec<String>) {
        let known = self.objects.entry(id).or_default();
        if known.class != class {
            class.clone_into(&mut known.class);
        }
        known.is_placed = true;
        known.is_expected = false;
        if known.path == path && self.by_path.get(&path) == Some(&id) {
            return;
        }
        let before = std::mem::replace(&mut known.path, path.clone());
        if before != path && self.by_path.get(&before) == Some(&id) {
            self.by_path.remove(&before);
            moved.push(before);
        }
        if !path.is_empty() && self.by_path.insert(path.clone(), id).is_some_and(|other| other != id) {
            moved.push(path);
        }
    }

    /// What stands at that path is another object than was known: so the list around it has another order.
    pub(super) fn forget_order_around(&mut self, path: &str) {
        let Some((list, _)) = path.rsplit_once(' ') else { return };
        let Some((parent, list)) = list.rsplit_once(' ') else { return };
        if let Some(parent) = self.by_path.get(parent).copied().and_then(|id| self.objects.get_mut(&id)) {
            parent.children.remove(list);
        }
    }

    /// What was read so far, object by object.
    pub fn reads(&self) -> Vec<(ObjectId, ReadMembers)> {
        let names = |map: &Map<String, Json>| map.keys().cloned().collect::<Vec<_>>();
        let read = self.objects.iter().map(|(id, known)| {
            let members = ReadMembers {
                properties: names(&known.read),
                counts: names(&known.counts),
                children: names(&known.children),
                notes: known.notes.is_some(),
                display: known.display.is_some(),
            };
            (*id, members)
        });
        read.filter(|(_, members)| *members != ReadMembers::NOTHING).collect()
    }

    /// How many notes are known.
    pub fn note_count(&self) -> usize {
        self.objects.values().filter_map(|known| known.notes.as_ref()).map(Vec::len).sum()
    }

    /// Anything may have changed: only of what class objects are is kept.
    pub fn forget_values(&mut self) {
        for known in self.objects.values_mut() {
            *known = KnownObject { class: std::mem::take(&mut known.class), ..KnownObject::default() };
        }
        self.by_path.clear();
        self.facts.clear();
    }

    /// A member of the object is to be this. Unless it `stands_alone`, the others of the object may have changed with
    /// it.
    pub fn expect_value(&mut self, id: ObjectId, member: &str, value: Option<Json>, stands_alone: bool) {
        if member == "solo" {
            self.objects.values_mut().for_each(|known| drop(known.read.remove("muted_via_solo")));
        }
        let is_edge = self.is_loop_edge(id, member);
        let was = self.objects.get(&id).and_then(|known| known.read.get(member));
        let is_unchanged = was.is_some() && was == value.as_ref();
        if !stands_alone && !is_edge && !is_unchanged {
            self.forget_object(id);
        }
        let Some(known) = self.objects.get_mut(&id) else { return };
        if is_edge {
            ["length", "position", "end_time"].iter().for_each(|name| drop(known.read.remove(*name)));
        }
        match value {
            Some(value) => drop(known.read.insert(member.to_owned(), value)),
            None => drop(known.read.remove(member)),
        }
    }

    /// An object is about to be made in another, nobody knows where: what stands there may move or go.
    pub fn forget_places(&mut self, parent: ObjectId) {
        let below = self.path_of(parent).map(|path| format!("{path} "));
        for (id, known) in &mut self.objects {
            if *id == parent {
                known.counts.clear();
                known.children.clear();
            } else if below.as_ref().is_some_and(|below| known.path.starts_with(below)) {
                self.by_path.remove(&known.path);
                *known = KnownObject { class: std::mem::take(&mut known.class), ..KnownObject::default() };
            }
        }
    }

    /// One was made, or is gone.
    pub fn forget_locators(&mut self) {
        for known in self.objects.values_mut() {
            match known.class.as_str() {
                "Song" => {
                    known.counts.remove("cue_points");
                    known.children.remove("cue_points");
                }
                "CuePoint" => {
                    self.by_path.remove(&known.path);
                    *known = KnownObject { class: std::mem::take(&mut known.class), ..KnownObject::default() };
                }
                _ => {}
            }
        }
    }

    /// What the object holds may have changed.
    pub fn forget_object(&mut self, id: ObjectId) {
        if let Some(known) = self.objects.get_mut(&id) {
            let (class, path) = (std::mem::take(&mut known.class), std::mem::take(&mut known.path));
            *known = KnownObject { class, path, is_placed: known.is_placed, ..KnownObject::default() };
        }
    }

    /// The object was looked for and is not there.
    pub fn is_gone(&mut self, id: ObjectId) {
        if let Some(known) = self.objects.get_mut(&id) {
            let class = std::mem::take(&mut known.class);
            *known = KnownObject { class, is_placed: true, ..KnownObject::default() };
        }
    }

    /// The devices of which the class and one of the names are such.
    pub fn find(&self, is_such: impl Fn(&str, &str) -> bool) -> Vec<ObjectId> {
        let text = |known: &KnownObject, member: &str| -> String {
            known.read.get(member).and_then(Json::as_str).unwrap_or_default().to_owned()
        };
        let fits = |known: &KnownObject| {
            let class = text(known, "class_name");
            ["name", "class_display_name"].into_iter().any(|member| is_such(&class, &text(known, member)))
        };
        self.objects.iter().filter(|(_, known)| fits(known)).map(|(id, _)| *id).collect()
    }

    pub fn root(&self, name: &str) -> Option<ObjectId> {
        self.roots.get(name).copied()
    }

    /// The class, and whether the object is there now; `None` where that is not known.
    pub fn class_of(&self, id: ObjectId) -> Option<Option<&'static Class>> {
        let known = self.objects.get(&id).filter(|known| known.is_placed || known.is_expected)?;
        if known.path.is_empty() && !known.is_expected {
            return Some(None);
        }
        class::class(&known.class).map(Some)
    }

    /// Its class as long as it lives.
    pub fn kind_of(&self, id: ObjectId) -> Option<&'static Class> {
        class::class(&self.objects.get(&id)?.class)
    }

    pub fn path_of(&self, id: ObjectId) -> Option<&str> {
        self.objects.get(&id).map(|known| known.path.as_str()).filter(|path| !path.is_empty())
    }

    /// The object at a path, where an answer told of it.
    pub fn at_path(&self, path: &str) -> Option<ObjectId> {
        self.by_path.get(path).copied()
    }

    pub fn value(&self, id: ObjectId, member: &str, kind: Option<class::ValueKind>) -> Option<Value> {
        self.objects.get(&id)?.read.get(member).map(|json| from_wire(json.clone(), kind))
    }

    /// Whether more of it was read than what lists of tracks and scenes bring.
    pub fn is_read(&self, id: ObjectId) -> bool {
        self.objects.get(&id).is_some_and(|known| known.read.len() > RANK_MEMBERS.len())
    }

    /// An object that is about to be made, where it will stand, if that is known, and what is sure of it.
    pub fn expect_object(&mut self, id: ObjectId, class: &Class, path: Option<String>, read: Map<String, Json>) {
        if let Some(path) = &path {
            self.by_path.insert(path.clone(), id);
        }
        let path = path.unwrap_or_default();
        let known = KnownObject { class: class.name.clone(), path, read, is_expected: true, ..KnownObject::default() };
        self.objects.insert(id, known);
    }

    /// Whether it is about to be made.
    pub fn is_expected(&self, id: ObjectId) -> bool {
        self.objects.get(&id).is_some_and(|known| known.is_expected)
    }

    /// A property, or the objects of a child list, as they were read.
    pub fn keep_value(&mut self, id: ObjectId, member: &str, value: &Json) {
        let Some(known) = self.objects.get_mut(&id) else { return };
        if let Some(ids) = value.get("ids") {
            known.children.insert(member.to_owned(), ids.clone());
        } else if let Some(id) = value.get("id") {
            known.children.insert(member.to_owned(), Json::Array(vec![id.clone()]));
        } else {
            known.read.insert(member.to_owned(), value.clone());
        }
    }

    pub fn keep_count(&mut self, id: ObjectId, member: &str, count: usize) {
        if let Some(known) = self.objects.get_mut(&id) {
            known.counts.insert(member.to_owned(), count.into());
        }
    }

    pub fn keep_notes(&mut self, clip: ObjectId, notes: Vec<Note>) {
        if let Some(known) = self.objects.get_mut(&clip) {
            known.notes = Some(notes);
        }
    }

    pub fn forget_notes(&mut self, clip: ObjectId) {
        if let Some(known) = self.objects.get_mut(&clip) {
            known.notes = None;
        }
    }

    /// What a parameter shows for a raw value.
    pub fn keep_label(&mut self, id: ObjectId, raw: f64, label: &str) {
        if let Some(known) = self.objects.get_mut(&id) {
            known.labels.insert(raw.to_bits(), label.to_owned());
        }
    }

    pub fn keep_amounts(&mut self, device: ObjectId, row: usize, amounts: Vec<f64>) {
        if let Some(known) = self.objects.get_mut(&device) {
            known.amounts.insert(row, amounts);
        }
    }

    /// A row of a device's modulation matrix, where that was read.
    pub fn amounts(&self, device: ObjectId, row: usize) -> Option<Vec<f64>> {
        self.objects.get(&device)?.amounts.get(&row).cloned()
    }

    /// What a parameter shows for a raw value, where that was read.
    pub fn label(&self, id: ObjectId, raw: f64) -> Option<&str> {
        let known = self.objects.get(&id)?;
        if let Some(label) = known.labels.get(&raw.to_bits()) {
            return Some(label);
        }
        let display = known.display.as_ref()?;
        let is = |member: &str| known.read.get(member).and_then(Json::as_f64).is_some_and(|at| at == raw);
        if let Some(items) = display.get("items").and_then(Json::as_array) {
            let lowest = known.read.get("min").and_then(Json::as_f64)?;
            // Choices are counted from the lowest raw value.
            return items.get((raw - lowest).round() as usize)?.as_str();
        }
        let at = [("value", "label"), ("min", "at_min"), ("max", "at_max")].into_iter().find(|(member, _)| is(member));
        display.get(at?.1)?.as_str()
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

    /// The child at that place: of a list that was read, or by its path.
    pub fn child_at(&self, id: ObjectId, member: &str, index: usize) -> Option<Option<ObjectId>> {
        if let Some(children) = self.children(id, member) {
            return Some(children.get(index).copied());
        }
        if self.count(id, member).is_some_and(|count| index >= count) {
            return Some(None);
        }
        let path = self.path_of(id)?;
        let is_list = self.kind_of(id)?.children.get(member)?.list;
        let path = if is_list { format!("{path} {member} {index}") } else { format!("{path} {member}") };
        self.at_path(&path).map(Some)
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

impl ReadMembers {
    const NOTHING: ReadMembers =
        ReadMembers { properties: Vec::new(), counts: Vec::new(), children: Vec::new(), notes: false, display: false };
}

/// Notes as the object model gives them: by start, then pitch.
pub fn sorted(mut notes: Vec<Note>) -> Vec<Note> {
    notes.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch)));
    notes
}
