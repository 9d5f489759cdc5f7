//! What the arguments of a call say of the calls before it: `$1.id`, `$1.path`, `$1.2.id`.
//!
//! A reference stands for what a call made or named: the id of each entry of its answer, or its path as it is by now.
//! Of several entries it is a list with commas; inside an item of a list (`$1.path/s0`) the item is repeated for each
//! entry. Nothing else that begins with `$` is touched, and `$$` before what would be a reference is a plain `$`.

use crate::object_model::{ObjectId, Session};
use crate::tools::address::path_format;
use crate::tools::error::ToolError;
use serde_json::{Map, Value};

/// One entry of an answer, as far as later calls can refer to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    id: Option<ObjectId>,
    path: Option<String>,
    /// Why nothing was made, where the entry says so.
    why_not: Option<String>,
}

/// What one call made.
pub struct Made<'a> {
    pub entries: &'a [Entry],
}

/// The entries of an answer: of a list each, else the one there is.
pub fn entries_of(result: &Value) -> Vec<Entry> {
    match result {
        Value::Array(list) => list.iter().map(entry_of).collect(),
        Value::Object(_) => vec![entry_of(result)],
        _ => Vec::new(),
    }
}

fn entry_of(entry: &Value) -> Entry {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let failed = entry.get("ok") == Some(&Value::Bool(false));
    let id = text("id").filter(|_| !failed).and_then(|id| id.parse().ok()).map(ObjectId);
    Entry {
        id,
        path: text("path").filter(|_| id.is_some()).map(str::to_owned),
        why_not: text("detail").filter(|_| id.is_none()).map(str::to_owned),
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

/// `$1.id`, `$1.2.path`: a call and an entry of it, counted from 1, and what of it.
#[derive(Debug, PartialEq)]
struct Reference<'a> {
    spelling: &'a str,
    call: usize,
    entry: Option<usize>,
    member: Member,
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
        match entry {
            Some(number) => {
                let Some(entry) = number.checked_sub(1).and_then(|at| of_call.entries.get(at)) else {
                    let count = of_call.entries.len();
                    return Err(format!("{spelling}: call {call} has {count} entries, counted from 1"));
                };
                Ok(vec![self.value(*number, entry, session)?])
            }
            None => {
                let entries = of_call.entries.iter().enumerate();
                entries.map(|(at, entry)| self.value(at + 1, entry, session)).collect()
            }
        }
    }

    fn value(&self, number: usize, entry: &Entry, session: &dyn Session) -> Result<String, String> {
        let Reference { spelling, call, .. } = self;
        let Some(id) = entry.id else {
            let why = entry.why_not.as_deref().map_or_else(String::new, |why| format!(" ({why})"));
            return Err(format!(
                "{spelling}: entry {number} of call {call} has no id{why}; name the entries that have one, as ${call}.1.id"
            ));
        };
        if session.class_of(id).map_err(|e| e.to_string())?.is_none() {
            return Err(format!("{spelling}: what call {call} answered there, id {id}, is gone by now"));
        }
        if self.member == Member::Id {
            return Ok(id.to_string());
        }
        let now = path_format::tool_path(session, id).map_err(|e| e.to_string())?;
        now.or_else(|| entry.path.clone())
            .ok_or_else(|| format!("{spelling}: entry {number} of call {call} has no path"))
    }
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

/// How long what stands behind the sign is, if it is of the form of a reference: `1.id`, `1.2.id`.
fn reference_length(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut at = digits(text);
    let mut numbers = 0;
    loop {
        numbers += 1;
        let rest = text.get(at..)?.strip_prefix('.')?;
        let word = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        match rest.bytes().next() {
            _ if at == 0 || numbers > 2 => return None,
            Some(first) if first.is_ascii_alphabetic() => return Some(at + 1 + word),
            Some(first) if first.is_ascii_digit() => at += 1 + digits(rest),
            _ => return None,
        }
    }
}

fn reference<'a>(spelling: &'a str, name: &str) -> Result<Reference<'a>, String> {
    let mut words = name.split('.');
    let unknown = || format!("{spelling}: a reference asks for id or path; the plain text is written ${spelling}");
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<usize>().ok());
    let call = number(words.next()).ok_or_else(unknown)?;
    let (entry, member) = match (words.next(), words.next()) {
        (Some(member), None) => (None, member),
        (entry, Some(member)) => (Some(number(entry).ok_or_else(unknown)?), member),
        (None, None) => return Err(unknown()),
    };
    let member = match member {
        "id" => Member::Id,
        "path" => Member::Path,
        _ => return Err(unknown()),
    };
    Ok(Reference { spelling, call, entry, member })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Call 1 has one entry, 2, call 2 has 4 and 5, of any other nothing is known.
    fn filled(text: &str) -> Result<String, String> {
        fill_text(text, |reference| match (reference.call, reference.entry) {
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
            // Plain signs before what would be one.
            ("$$1.id", "$1.id"),
            ("$$$1.id", "$2"),
            ("$$$$1.id", "$$1.id"),
        ] {
            assert_eq!(filled(text), Ok(expected.to_owned()), "{text}");
        }
        for (text, expected) in [
            ("$1.name", "asks for id or path; the plain text is written $$1.name"),
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
