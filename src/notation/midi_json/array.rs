//! Notes in a real JSON array to the plain numbers of each.

use super::members::{NoteList, NoteMembers, UnknownMembers};
use super::number::read_number;
use super::problem::{NAME, Problem, diagnose_number};
use crate::music::text::Cursor;
use crate::notation::error::{MAX_MISTAKES, shortened};
use crate::notation::error::{Mistake, MistakePlace, NotationError};
use serde_json::{Map, Value};

/// Reads the values of an array.
pub(super) fn read_array(values: &[Value]) -> Result<NoteList, NotationError> {
    let mut notes = Vec::with_capacity(values.len());
    let mut unknown = UnknownMembers::default();
    let mut mistakes = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let mut fields = NoteMembers::default();
        match value {
            Value::Object(object) => members(index, object, &mut fields, &mut unknown, &mut mistakes),
            other => {
                let problem = if other.is_array() { Problem::Nested } else { Problem::NoNote };
                mistakes.push(Mistake {
                    place: MistakePlace::Element { index, member: None },
                    found: shortened(&other.to_string()),
                    problem: problem.to_string(),
                    fix: None,
                });
            }
        }
        if mistakes.len() >= MAX_MISTAKES {
            mistakes.truncate(MAX_MISTAKES);
            break;
        }
        notes.push(fields);
    }
    if mistakes.is_empty() {
        Ok(NoteList { notes, unknown })
    } else {
        Err(NotationError::from_mistakes(NAME, mistakes))
    }
}

fn members(
    index: usize,
    object: &Map<String, Value>,
    fields: &mut NoteMembers,
    unknown: &mut UnknownMembers,
    mistakes: &mut Vec<Mistake>,
) {
    for (key, value) in object {
        let read = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => {
                let mut cursor = Cursor::new(text);
                read_number(&mut cursor).filter(|_| cursor.is_at_end())
            }
            _ => None,
        };
        match read {
            Some(number) => fields.set(key, number, unknown),
            None => {
                let found = match value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                let (problem, fix) = diagnose_number(key, &found);
                mistakes.push(Mistake {
                    place: MistakePlace::Element { index, member: Some(key.clone()) },
                    found: shortened(&found),
                    problem: problem.to_string(),
                    fix,
                });
            }
        }
    }
}
