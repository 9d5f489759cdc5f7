//! What a read gathered with the Set at hand, to be written out away from it: plain fields, notes still to be
//! formatted, and objects inside. See D24 in `docs/decisions.md`.

use crate::music::{Meter, Note};
use crate::picture::PianoRoll;
use crate::tools::read::routing_list::RoutingList;
use serde_json::{Map, Number, Value};

/// One object's part of a read.
#[derive(Debug, Default)]
pub struct Gathered {
    /// In the order in which they are written.
    pub fields: Vec<(&'static str, Field)>,
    pub notes: Option<GatheredNotes>,
    /// A picture to be drawn.
    pub roll: Option<PianoRoll>,
    /// Lists of objects, by the field that holds them.
    pub lists: Vec<(&'static str, Vec<Gathered>)>,
    /// Of a target that is named again: the position of the entry that it repeats.
    pub repeats: Option<usize>,
}

/// What a field holds.
#[derive(Debug)]
pub enum Field {
    Text(String),
    Word(&'static str),
    Bool(bool),
    Number(Number),
    Value(Box<Value>),
    Routings(Box<RoutingList>),
    Object(Box<Gathered>),
}

/// The notes of a clip, muted ones already left out.
#[derive(Clone, Debug, PartialEq)]
pub struct GatheredNotes {
    pub notes: Vec<Note>,
    pub meter: Meter,
    /// On a track with a drum rack.
    pub drums: bool,
}

/// So many notes are written on a worker.
const MANY_NOTES: usize = 500;

impl Gathered {
    pub fn set(&mut self, field: &'static str, value: impl Into<Field>) {
        let value = value.into();
        match self.fields.iter_mut().find(|(name, _)| *name == field) {
            Some((_, held)) => *held = value,
            None => self.fields.push((field, value)),
        }
    }

    pub fn set_if(&mut self, on: bool, field: &'static str) {
        if on {
            self.set(field, true);
        }
    }

    /// Adds a sentence to `detail`.
    pub fn add_detail(&mut self, detail: &str) {
        match self.fields.iter_mut().find(|(name, _)| *name == "detail") {
            Some((_, Field::Text(before))) => {
                before.push_str("; ");
                before.push_str(detail);
            }
            _ => self.set("detail", detail.to_owned()),
        }
    }

    fn note_count(&self) -> usize {
        let own = self.notes.as_ref().map_or(0, |notes| notes.notes.len());
        own + self.lists.iter().flat_map(|(_, list)| list).map(Gathered::note_count).sum::<usize>()
    }

    pub fn is_heavy(&self) -> bool {
        self.roll.is_some() || self.note_count() > MANY_NOTES
    }
}

impl From<String> for Field {
    fn from(text: String) -> Self {
        Field::Text(text)
    }
}

impl From<&'static str> for Field {
    fn from(word: &'static str) -> Self {
        Field::Word(word)
    }
}

impl From<bool> for Field {
    fn from(on: bool) -> Self {
        Field::Bool(on)
    }
}

impl From<i64> for Field {
    fn from(number: i64) -> Self {
        Field::Number(number.into())
    }
}

impl From<usize> for Field {
    fn from(number: usize) -> Self {
        Field::Number(number.into())
    }
}

impl From<Value> for Field {
    fn from(value: Value) -> Self {
        match value {
            Value::String(text) => Field::Text(text),
            Value::Bool(on) => Field::Bool(on),
            Value::Number(number) => Field::Number(number),
            value => Field::Value(Box::new(value)),
        }
    }
}

impl From<Map<String, Value>> for Field {
    fn from(members: Map<String, Value>) -> Self {
        Field::Value(Box::new(Value::Object(members)))
    }
}

impl<T: Into<Value>> From<Vec<T>> for Field {
    fn from(list: Vec<T>) -> Self {
        Field::Value(Box::new(list.into()))
    }
}

impl From<RoutingList> for Field {
    fn from(list: RoutingList) -> Self {
        Field::Routings(Box::new(list))
    }
}

impl From<Gathered> for Field {
    fn from(object: Gathered) -> Self {
        Field::Object(Box::new(object))
    }
}
