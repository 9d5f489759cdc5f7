//! What the arguments of a call say of the calls before it: `$1.id`, `$1.path`, `$1.2.id`, `$1.clips.id`.
//!
//! A reference stands for what a call made or named: the id of each entry of its answer, or its path as it is by now.
//! What an entry lists in a field of its own is named by that field: `$1.clips.2.id` is the second clip of call 1.
//! Of several entries it is a list with commas; inside an item of a list (`$1.path/s0`) the item is repeated for each
//! entry. Nothing else that begins with `$` is touched, and `$$` before what would be a reference is a plain `$`.

use super::reference_text::{ListReference, Member, Reference, Unfilled, fill_text};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::path_format;
use crate::tools::budget::Budget;
use crate::tools::error::ToolError;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One entry of an answer, as far as later calls can refer to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    id: Option<ObjectId>,
    path: Option<String>,
    /// Why nothing was made, where the entry says so.
    why_not: Option<String>,
    /// What it lists in fields of its own, such as `clips` and `locator`.
    lists: BTreeMap<String, Vec<Entry>>,
}

/// What one call made.
pub struct Made<'a> {
    pub entries: &'a [Entry],
}

/// How many entries an answer has.
pub fn entry_count(result: &Value) -> usize {
    match result {
        Value::Array(list) => list.len(),
        Value::Object(_) => 1,
        _ => 0,
    }
}

/// The entries of an answer: of a list each, else the one there is.
pub fn entries_of(result: &Value) -> Vec<Entry> {
    match result {
        Value::Array(list) => list.iter().map(entry_with_lists).collect(),
        Value::Object(_) => vec![entry_with_lists(result)],
        _ => Vec::new(),
    }
}

fn entry_with_lists(entry: &Value) -> Entry {
    let mut lists = BTreeMap::new();
    for (field, value) in entry.as_object().into_iter().flatten() {
        let listed = match value {
            Value::Array(items) => items.iter().filter(|item| item.is_object()).map(entry_of).collect(),
            Value::Object(_) => vec![entry_of(value)],
            _ => Vec::new(),
        };
        if listed.iter().any(|entry: &Entry| entry.id.is_some()) {
            lists.insert(field.clone(), listed);
        }
    }
    Entry { lists, ..entry_of(entry) }
}

fn entry_of(entry: &Value) -> Entry {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let failed = entry.get("ok") == Some(&Value::Bool(false));
    let id = text("id").filter(|_| !failed).and_then(|id| id.parse().ok()).map(ObjectId);
    Entry {
        id,
        path: text("path").filter(|_| id.is_some()).map(str::to_owned),
        why_not: text("detail").filter(|_| id.is_none()).map(str::to_owned),
        lists: BTreeMap::new(),
    }
}

/// Whether arguments as they were sent may hold a reference. A text of JSON may: its signs may be escaped.
pub fn may_be_in(sent: &Value) -> bool {
    fn has_sign(value: &Value) -> bool {
        match value {
            Value::String(text) => text.contains('$'),
            Value::Array(items) => items.iter().any(has_sign),
            Value::Object(members) => members.values().any(has_sign),
            _ => false,
        }
    }
    sent.is_string() || has_sign(sent)
}

/// Bytes that the texts of one batch may have, with what their references stand for: as many as a call may bring.
const MAX_FILLED_BYTES: usize = 2 * 1024 * 1024;

/// What references are filled from, and what that costs.
pub struct Filling<'a> {
    pub made: &'a [Made<'a>],
    pub session: &'a dyn Session,
    pub budget: &'a Budget,
    /// Bytes that the texts of the batch have by now.
    pub bytes: &'a AtomicUsize,
}

impl Filling<'_> {
    /// A step of work for each item, and its bytes.
    fn spend(&self, bytes: usize) -> Result<(), Unfilled> {
        self.budget.spend(1)?;
        if self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) > MAX_FILLED_BYTES {
            let most = MAX_FILLED_BYTES / 1024 / 1024;
            let why =
                format!("what the references stand for is longer than {most} MB in this batch; name fewer of them");
            return Err(why.into());
        }
        Ok(())
    }
}

/// The arguments with what their references stand for. A refusal names the argument.
pub fn fill(arguments: Map<String, Value>, filling: &Filling) -> Result<Map<String, Value>, ToolError> {
    let fill = |(name, value): (String, Value)| {
        let value = fill_value(value, &name, filling)?;
        Ok((name, value))
    };
    arguments.into_iter().map(fill).collect()
}

fn fill_value(value: Value, place: &str, filling: &Filling) -> Result<Value, ToolError> {
    Ok(match value {
        Value::String(text) if text.contains('$') => {
            let stands_for = |reference: &Reference| Ok(reference.stands_for(filling.made, filling.session)?);
            let filled = fill_text(&text, stands_for, |bytes| filling.spend(bytes));
            Value::String(filled.map_err(|why| match why {
                Unfilled::Wrong(why) => ToolError::about(place, why),
                Unfilled::UsedUp(why) => why.into(),
            })?)
        }
        Value::Array(items) => {
            let items = items.into_iter().enumerate();
            let items = items.map(|(at, item)| fill_value(item, &format!("{place}.{at}"), filling));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, member)| {
                let member = fill_value(member, &format!("{place}.{name}"), filling)?;
                Ok::<_, ToolError>((name, member))
            });
            Value::Object(members.collect::<Result<_, _>>()?)
        }
        other => other,
    })
}

impl Reference<'_> {
    fn stands_for(&self, made: &[Made], session: &dyn Session) -> Result<Vec<String>, String> {
        let Reference { spelling, call, entry, .. } = self;
        let Some(of_call) = call.checked_sub(1).and_then(|at| made.get(at)) else {
            return Err(format!("{spelling}: there is no call {call} before this one; calls count from 1"));
        };
        if of_call.entries.is_empty() {
            return Err(format!("{spelling}: call {call} answered nothing that has an id"));
        }
        let whole = format!("call {call}");
        let entries = numbered(of_call.entries, *entry, &whole).map_err(|why| format!("{spelling}: {why}"))?;
        let Some(list) = &self.list else {
            return entries.iter().map(|(place, entry)| self.value(place, entry, session)).collect();
        };
        let mut values = Vec::new();
        for (place, entry) in entries {
            for (place, entry) in list.find(&place, entry).map_err(|why| format!("{spelling}: {why}"))? {
                values.push(self.value(&place, entry, session)?);
            }
        }
        Ok(values)
    }

    /// `place` says which entry it is.
    fn value(&self, place: &str, entry: &Entry, session: &dyn Session) -> Result<String, String> {
        let Reference { spelling, call, .. } = self;
        let Some(id) = entry.id else {
            if let Some(field) = entry.lists.keys().next() {
                return Err(format!("{spelling}: {place} has no id; what it lists has: ${call}.{field}.id"));
            }
            let why = entry.why_not.as_deref().map_or_else(String::new, |why| format!(" ({why})"));
            return Err(format!("{spelling}: {place} has no id{why}; name the entries that have one, as ${call}.1.id"));
        };
        if session.class_of(id).map_err(|e| e.to_string())?.is_none() {
            return Err(format!("{spelling}: what call {call} answered there, id {id}, is gone by now"));
        }
        if self.member == Member::Id {
            return Ok(id.to_string());
        }
        let now = path_format::tool_path(session, id).map_err(|e| e.to_string())?;
        now.or_else(|| entry.path.clone()).ok_or_else(|| format!("{spelling}: {place} has no path"))
    }
}

impl ListReference<'_> {
    /// The entries that it means of what an entry lists, each with its place.
    fn find<'a>(&self, place: &str, entry: &'a Entry) -> Result<Vec<(String, &'a Entry)>, String> {
        let field = self.field;
        let Some(list) = entry.lists.get(field) else {
            let known: Vec<&str> = entry.lists.keys().map(String::as_str).collect();
            return Err(match known.as_slice() {
                [] => format!("{place} lists nothing that has an id; a reference asks for id or path"),
                known => format!("{place} has no list {field}; it has {}", known.join(", ")),
            });
        };
        numbered(list, self.entry, &format!("{field} of {place}"))
    }
}

/// The entry of that number, or all; each with its place in words.
fn numbered<'a>(entries: &'a [Entry], number: Option<usize>, whole: &str) -> Result<Vec<(String, &'a Entry)>, String> {
    let place = |number: usize| format!("entry {number} of {whole}");
    match number {
        Some(number) => match number.checked_sub(1).and_then(|at| entries.get(at)) {
            Some(entry) => Ok(vec![(place(number), entry)]),
            None => Err(format!("{whole} has {}, counted from 1", counted_entries(entries.len()))),
        },
        None => Ok(entries.iter().enumerate().map(|(at, entry)| (place(at + 1), entry)).collect()),
    }
}

fn counted_entries(count: usize) -> String {
    format!("{count} entr{}", if count == 1 { "y" } else { "ies" })
}
