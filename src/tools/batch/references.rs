//! What the arguments of a call say of the calls before it: `$1.id`, `$1.path`, `$1.2.id`, `$1.clips.id`.
//!
//! A reference stands for what a call made or named: the id of each entry of its answer, or its path as it is by now.
//! What an entry lists in a field of its own is named by that field: `$1.clips.2.id` is the second clip of call 1.
//! Of several entries it is a list with commas; inside an item of a list (`$1.path/s0`) the item is repeated for each
//! entry. Nothing else that begins with `$` is touched, and `$$` before what would be a reference is a plain `$`.

use crate::object_model::{ObjectId, Session};
use crate::tools::address::path_format;
use crate::tools::error::ToolError;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

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

/// The arguments with what their references stand for. A refusal names the argument.
pub fn fill(
    arguments: Map<String, Value>,
    made: &[Made],
    session: &dyn Session,
) -> Result<Map<String, Value>, ToolError> {
    let fill = |(name, value): (String, Value)| {
        let value = fill_value(value, &name, made, session)?;
        Ok((name, value))
    };
    arguments.into_iter().map(fill).collect()
}

fn fill_value(value: Value, place: &str, made: &[Made], session: &dyn Session) -> Result<Value, ToolError> {
    Ok(match value {
        Value::String(text) if text.contains('$') => {
            let filled = fill_text(&text, |reference| reference.stands_for(made, session));
            Value::String(filled.map_err(|why| ToolError::about(place, why))?)
        }
        Value::Array(items) => {
            let items = items.into_iter().enumerate();
            let items = items.map(|(at, item)| fill_value(item, &format!("{place}.{at}"), made, session));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, member)| {
                let member = fill_value(member, &format!("{place}.{name}"), made, session)?;
                Ok::<_, ToolError>((name, member))
            });
            Value::Object(members.collect::<Result<_, _>>()?)
        }
        other => other,
    })
}

/// What is asked of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Id,
    Path,
}

/// `$1.id`, `$1.2.path`, `$1.clips.2.id`: a call, an entry of it or all, of a list in that an entry or all, counted
/// from 1, and what of it.
#[derive(Debug, PartialEq)]
struct Reference<'a> {
    spelling: &'a str,
    call: usize,
    entry: Option<usize>,
    list: Option<ListReference<'a>>,
    member: Member,
}

#[derive(Debug, PartialEq)]
struct ListReference<'a> {
    field: &'a str,
    entry: Option<usize>,
}

/// A part of a text.
#[derive(Debug, PartialEq)]
enum Piece<'a> {
    Plain(&'a str),
    Reference(Reference<'a>),
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

/// The text with its references replaced.
fn fill_text(text: &str, stands_for: impl Fn(&Reference) -> Result<Vec<String>, String>) -> Result<String, String> {
    let mut items = vec![vec![]];
    let mut bracket = false;
    for piece in pieces(text)? {
        match piece {
            Piece::Reference(reference) => add(&mut items, stands_for(&reference)?),
            Piece::Plain(plain) => {
                let cut = plain.split(|c| {
                    bracket = (bracket || c == '[') && c != ']';
                    c == ',' && !bracket
                });
                for (at, part) in cut.enumerate() {
                    if at > 0 {
                        items.push(Vec::new());
                    }
                    add(&mut items, vec![part.to_owned()]);
                }
            }
        }
    }
    let items: Vec<String> = items.iter().map(|item| repeated(item)).collect::<Result<_, _>>()?;
    Ok(items.join(","))
}

fn add(items: &mut [Vec<Vec<String>>], part: Vec<String>) {
    if let Some(item) = items.last_mut() {
        item.push(part);
    }
}

/// An item of a list, once for each entry of the reference in it.
fn repeated(parts: &[Vec<String>]) -> Result<String, String> {
    let mut counts = parts.iter().map(Vec::len).filter(|count| *count > 1);
    let count = counts.next().unwrap_or(1);
    if counts.any(|other| other != count) {
        return Err("two references stand for lists of different lengths in one item; name their entries".to_owned());
    }
    let copy = |at: usize| parts.iter().filter_map(|part| part.get(at).or(part.first())).map(String::as_str).collect();
    Ok((0..count).map(copy).collect::<Vec<String>>().join(","))
}

/// The references of a text, and what is between them.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, from) = rest.split_at(at);
        let dollars = from.len() - from.trim_start_matches('$').len();
        let (signs, after) = from.split_at(dollars);
        pieces.push(Piece::Plain(before));
        rest = after;
        let Some(length) = reference_length(after) else {
            pieces.push(Piece::Plain(signs));
            continue;
        };
        // Two signs are a plain one; an odd one is the reference's.
        pieces.push(Piece::Plain(signs.get(..dollars / 2).unwrap_or_default()));
        let (name, behind) = after.split_at(length);
        if dollars.is_multiple_of(2) {
            pieces.push(Piece::Plain(name));
        } else {
            let spelling = from.get(dollars - 1..dollars + length).unwrap_or_default();
            pieces.push(Piece::Reference(reference(spelling, name)?));
        }
        rest = behind;
    }
    pieces.push(Piece::Plain(rest));
    Ok(pieces)
}

/// How long what stands behind the sign is, if it is of the form of a reference: `1.id`, `1.2.id`, `1.clips.2.id`.
fn reference_length(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut at = digits(text);
    if at == 0 {
        return None;
    }
    let (mut numbers, mut words) = (0, 0);
    loop {
        let rest = text.get(at..)?;
        let part = rest.strip_prefix('.').unwrap_or_default();
        let length = part.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let word = part.get(..length)?;
        match part.bytes().next() {
            // A field of a list has one of its entries behind it, or what is asked of all of them.
            Some(first) if first.is_ascii_alphabetic() && words < 2 => {
                at += 1 + length;
                (numbers, words) = (0, words + 1);
                if matches!(word, "id" | "path") || words == 2 {
                    return Some(at);
                }
            }
            Some(first) if first.is_ascii_digit() && numbers == 0 && digits(part) == length => {
                at += 1 + length;
                numbers += 1;
            }
            _ => return (words > 0).then_some(at),
        }
    }
}

fn reference<'a>(spelling: &'a str, name: &'a str) -> Result<Reference<'a>, String> {
    let unknown = || {
        format!(
            "{spelling}: a reference asks for id or path, of an entry ($1.2.id) or of what it lists ($1.clips.2.id, \
             counted from 1); the plain text is written ${spelling}"
        )
    };
    let number = |word: &str| word.parse::<usize>().map_err(|_| unknown());
    let mut words = name.split('.').peekable();
    let next_number = |words: &mut std::iter::Peekable<std::str::Split<'a, char>>| {
        words.next_if(|word| word.starts_with(|first: char| first.is_ascii_digit())).map(number).transpose()
    };
    let call = next_number(&mut words)?.ok_or_else(unknown)?;
    let entry = next_number(&mut words)?;
    let list = match words.next_if(|word| !matches!(*word, "id" | "path")) {
        Some(field) => Some(ListReference { field, entry: next_number(&mut words)? }),
        None => None,
    };
    let member = match words.next() {
        Some("id") => Member::Id,
        Some("path") => Member::Path,
        _ => return Err(unknown()),
    };
    Ok(Reference { spelling, call, entry, list, member })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Call 1 has one entry, 2, call 2 has 4 and 5, of any other nothing is known.
    fn filled(text: &str) -> Result<String, String> {
        fill_text(text, |reference| match (reference.call, reference.entry) {
            (4, _) => match &reference.list {
                Some(ListReference { field: "clips", entry: None }) => Ok(vec!["8".to_owned(), "9".to_owned()]),
                Some(ListReference { field: "clips", entry: Some(number) }) => Ok(vec![(7 + number).to_string()]),
                _ => Err("no list".to_owned()),
            },
            (1, None | Some(1)) => Ok(vec!["2".to_owned()]),
            (2, None) => Ok(vec!["4".to_owned(), "5".to_owned()]),
            (2, Some(2)) => Ok(vec!["5".to_owned()]),
            (3, None) => Ok(["7", "8", "9"].map(str::to_owned).to_vec()),
            _ => Err(format!("none {}", reference.spelling)),
        })
    }

    #[test]
    fn references_in_a_text() {
        for (text, expected) in [
            ("", ""),
            ("t0/s0", "t0/s0"),
            ("$1.id", "2"),
            ("$1.path/s0", "2/s0"),
            ("$1.1.id", "2"),
            ("$2.id", "4,5"),
            ("$2.2.id", "5"),
            ("$2.path/s0", "4/s0,5/s0"),
            ("t0, $2.path/s0 ,t1", "t0, 4/s0 , 5/s0 ,t1"),
            ("$1.path/s0,$2.path/s0", "2/s0,4/s0,5/s0"),
            ("$2.path/d$2.id", "4/d4,5/d5"),
            ("$2.path[loc:A,B]", "4[loc:A,B],5[loc:A,B]"),
            ("from $1.id.", "from 2."),
            // No references.
            ("$5", "$5"),
            ("$1.50", "$1.50"),
            ("US$ and $$", "US$ and $$"),
            ("$.id $1 $1. $a.id $1.2.3.id", "$.id $1 $1. $a.id $1.2.3.id"),
            // Lists of entries.
            ("$4.clips.id", "8,9"),
            ("$4.clips.2.id", "9"),
            ("$4.1.clips.path/s0", "8/s0,9/s0"),
            ("from $4.clips.1.id.", "from 8."),
            // Plain signs before what would be one.
            ("$$1.id", "$1.id"),
            ("$$$1.id", "$2"),
            ("$$$$1.id", "$$1.id"),
        ] {
            assert_eq!(filled(text), Ok(expected.to_owned()), "{text}");
        }
        for (text, expected) in [
            ("$1.name", "asks for id or path, of an entry"),
            ("$1.name", "the plain text is written $$1.name"),
            ("$4.clips[0].id", "$4.clips: a reference asks for id or path"),
            ("$4.clips.name", "counted from 1"),
            ("$1.ids", "$1.ids"),
            ("$9.id", "none $9.id"),
            ("$99999999999999999999999.id", "id or path"),
            ("$2.id$3.id", "different lengths"),
        ] {
            let why = filled(text).expect_err(text);
            assert!(why.contains(expected), "{text}: {why}");
        }
    }
}
