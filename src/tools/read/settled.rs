//! Paths and names of an answer as they are when all is written: a later step of the call may move or rename what an
//! earlier one said. Entries hold ids, and texts name what they speak of as `t0[5|1] (id 7)`; both are looked up again.

use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, class, text};
use crate::tools::address::{path_format, path_parse};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::STANDS_AT_END;
use crate::tools::scene;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// What stands between a path and the number of its id in a text.
const ID_OPENS: &str = " (id ";

/// An object that the answer speaks of.
struct Now {
    path: String,
    /// Only of those whose entries say it.
    name: Option<String>,
}

/// The answer of a call that was carried out, with paths and names as they are now.
pub fn settled(session: &dyn Session, answer: Result<Value, ToolError>) -> Result<Value, ToolError> {
    let mut answer = answer?;
    let mut spoken_of: HashMap<ObjectId, bool> = HashMap::new();
    let mut entries = 0usize;
    collect(&answer, &mut entries, &mut spoken_of);
    let in_texts = spoken_of.len() > entries;
    // What a call made last is where it said; only a text may speak of something else.
    if spoken_of.is_empty() || entries <= 1 && !in_texts && !answer.is_array() {
        return Ok(answer);
    }
    let ids: Vec<ObjectId> = spoken_of.keys().copied().collect();
    let now = model_read::through_snapshot(session, &|| Ok(parts(&ids)), |session| {
        let mut now = HashMap::new();
        for (id, is_named) in &spoken_of {
            now.extend(look(session, *id, *is_named)?.map(|found| (*id, found)));
        }
        Ok::<_, ModelError>(now)
    })?;
    rewrite(&mut answer, &now);
    Ok(answer)
}

fn parts(ids: &[ObjectId]) -> Vec<Part> {
    let song = Part::of_path("live_set", Shape::of(&["signature_numerator", "signature_denominator"]));
    let object = Arc::new(Shape::of(&["start_time", "name"]));
    std::iter::once(song).chain(ids.iter().map(|id| Part::of_id(*id, object.clone()))).collect()
}

fn look(session: &dyn Session, id: ObjectId, is_named: bool) -> Result<Option<Now>, ModelError> {
    let Some(class) = class(session, id)? else { return Ok(None) };
    let Some(path) = path_format::tool_path(session, id)? else { return Ok(None) };
    let name = match (is_named, class) {
        (false, _) => None,
        (true, "Scene") => Some(scene::name::shown_name(session, id)?),
        (true, _) => Some(text(session, id, "name")?),
    };
    Ok(Some(Now { path, name }))
}

/// The id of an entry that says where its object is.
fn entry_id(map: &Map<String, Value>) -> Option<ObjectId> {
    map.get("path")?.as_str()?;
    map.get("id")?.as_str()?.parse().ok().map(ObjectId)
}

/// Each object that is spoken of, and whether an entry says its name.
fn collect(value: &Value, entries: &mut usize, found: &mut HashMap<ObjectId, bool>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, entries, found)),
        Value::Object(map) => {
            if let Some(id) = entry_id(map) {
                *entries += 1;
                *found.entry(id).or_default() |= map.get("name").is_some_and(Value::is_string);
            }
            map.values().for_each(|value| collect(value, entries, found));
        }
        Value::String(text) => {
            for mention in mentions(text) {
                found.entry(mention.id).or_default();
            }
        }
        _ => {}
    }
}

fn rewrite(value: &mut Value, now: &HashMap<ObjectId, Now>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rewrite(item, now)),
        Value::Object(map) => {
            if let Some(found) = entry_id(map).and_then(|id| now.get(&id)) {
                let before = map.insert("path".to_owned(), found.path.clone().into());
                if before.as_ref().and_then(Value::as_str) != Some(found.path.as_str())
                    && let Some(Value::String(said)) = map.get_mut("detail")
                {
                    *said = standing(said, &found.path);
                }
                if let Some(name) = found.name.as_ref().filter(|_| map.get("name").is_some_and(Value::is_string)) {
                    map.insert("name".to_owned(), name.clone().into());
                }
            }
            map.values_mut().for_each(|value| rewrite(value, now));
        }
        Value::String(text) => {
            if let Some(better) = rewritten(text, now) {
                *text = better;
            }
        }
        _ => {}
    }
}

/// A sentence that something went to the end, with the last step of its path as it is now.
fn standing(said: &str, path: &str) -> String {
    let Some((before, behind)) = said.split_once(STANDS_AT_END) else { return said.to_owned() };
    let rest = behind.find(';').and_then(|end| behind.get(end..)).unwrap_or_default();
    let step = path.rsplit('/').next().unwrap_or(path);
    format!("{before}{STANDS_AT_END}{step}{rest}")
}

/// A path in a text, with its id behind it.
#[derive(Debug, PartialEq)]
struct Mention {
    /// Where the path begins and ends.
    from: usize,
    to: usize,
    id: ObjectId,
}

fn mentions(text: &str) -> Vec<Mention> {
    let mention = |(to, opens): (usize, &str)| {
        let before = text.get(..to)?;
        let path = before.rsplit([' ', '(', '\n', '\t']).next()?;
        let behind = text.get(to + opens.len()..)?;
        let id = behind.get(..behind.find(')')?)?.parse().ok()?;
        path_parse::parse(path).ok()?;
        Some(Mention { from: to - path.len(), to, id: ObjectId(id) })
    };
    text.match_indices(ID_OPENS).filter_map(mention).collect()
}

/// The text with the paths that are others now; `None` where all are right.
fn rewritten(text: &str, now: &HashMap<ObjectId, Now>) -> Option<String> {
    let mut better = String::new();
    let mut done = 0;
    for Mention { from, to, id } in mentions(text) {
        let Some(found) = now.get(&id).filter(|found| Some(found.path.as_str()) != text.get(from..to)) else {
            continue;
        };
        better.push_str(text.get(done..from)?);
        better.push_str(&found.path);
        done = to;
    }
    if done == 0 {
        return None;
    }
    better.push_str(text.get(done..)?);
    Some(better)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_beside_ids_are_found() {
        let at = |text: &str| -> Vec<(String, u64)> {
            mentions(text).into_iter().map(|m| (text[m.from..m.to].to_owned(), m.id.0)).collect()
        };
        let found = |path: &str, id| (path.to_owned(), id);
        assert_eq!(at("overwrote t0[5|1] (id 7)"), [found("t0[5|1]", 7)]);
        assert_eq!(at("split t0[1|1] (id 7) into t0[1|1], t0[3|1] (id 8) and x (id 9)").len(), 2);
        assert_eq!(at("its members came along: t4 (id 12), t5 (id 13)"), [found("t4", 12), found("t5", 13)]);
        assert_eq!(at("t1/d0/pC#1/c0 (id 3) (t2 (id 4))"), [found("t1/d0/pC#1/c0", 3), found("t2", 4)]);
        for text in ["", " (id 7)", "t0 (id x)", "t0 (id 7", "what was t0 is now t1"] {
            assert_eq!(at(text), [], "{text}");
        }
        let now = HashMap::from([(ObjectId(12), Now { path: "t6".to_owned(), name: None })]);
        let text = "its members came along: t4 (id 12), t5 (id 13)";
        assert_eq!(rewritten(text, &now).as_deref(), Some("its members came along: t6 (id 12), t5 (id 13)"));
        assert_eq!(rewritten("t6 (id 12)", &now), None);
        let said = "d9 is past the end, so it stands at the end, d1; more";
        assert_eq!(standing(said, "t0/d2"), "d9 is past the end, so it stands at the end, d2; more");
        assert_eq!(standing("more", "t0/d2"), "more");
    }
}
