//! JSON Schemas from the tools' parameter tables: the published one, plain enough for grammar-based clients, and the
//! full one that arguments are checked against. See D27 in `docs/decisions.md`.

use crate::notation::Notation;
use crate::object_model::faders::SILENCE_DB;
use crate::tools::aliases::fold;
use crate::tools::budget::{MAX_LIST_ITEMS, MAX_TARGETS};
use crate::tools::live_api;
use crate::tools::request::RequestContext;
use crate::tools::tool::{About, Param, ParamKind, Tool};
use serde_json::{Map, Value, json};

/// The largest whole number up to which JSON clients keep every one exact.
pub const LARGEST_INTEGER: i64 = (1 << 53) - 1;

/// What a parameter says that takes a list of targets.
const TARGET_LIST: &str = "comma-separated";

/// Words that a list of words may have; each says its own once.
const MAX_WORDS: usize = 100;

/// The longest list that a parameter takes; `None` where it takes no list, or notes, which are counted when they are
/// read.
pub fn most_items(param: &Param) -> Option<usize> {
    let schema = match param.kind {
        ParamKind::Words(_) => return Some(MAX_WORDS),
        ParamKind::Schema(schema) | ParamKind::Wide(_, schema) => schema(),
        _ => return None,
    };
    let most = schema.get("maxItems").and_then(Value::as_u64).and_then(|most| usize::try_from(most).ok());
    Some(most.unwrap_or(MAX_LIST_ITEMS))
}

/// What clients are shown.
pub fn published(tool: &Tool, view: &RequestContext) -> Value {
    let shown = tool.params.iter().filter(|p| !(view.small_model_mode && p.hidden_in_small_model));
    object(tool, shown, |param| {
        let told = |word: &&str| !(view.small_model_mode && param.drops(word));
        let mut schema = match param.kind {
            ParamKind::Notes | ParamKind::NotesEach if view.notation == Notation::MidiJson && view.small_model_mode => {
                json!({ "type": "array" })
            }
            ParamKind::Notes | ParamKind::NotesEach if view.notation == Notation::MidiJson => {
                json!({ "type": ["string", "array"] })
            }
            ParamKind::NotesEach if !view.small_model_mode => texts(),
            ParamKind::Text | ParamKind::Notes | ParamKind::NotesEach => json!({ "type": "string" }),
            ParamKind::Integer => json!({ "type": "integer" }),
            ParamKind::IntegerIn(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
            ParamKind::IntegerFrom(low) => json!({ "type": "integer", "minimum": low }),
            ParamKind::Number => json!({ "type": "number" }),
            ParamKind::NumberIn(low, high) => {
                json!({ "type": "number", "minimum": shortest(low), "maximum": shortest(high) })
            }
            ParamKind::Pan => level(view, -1.0, 1.0),
            ParamKind::Decibels(high) => level(view, SILENCE_DB, high),
            ParamKind::Switch if !view.small_model_mode => switches(),
            ParamKind::Boolean | ParamKind::Switch => json!({ "type": "boolean" }),
            ParamKind::Choice(words) => {
                let shown: Vec<&str> = words.iter().copied().filter(told).collect();
                json!({ "type": "string", "enum": shown })
            }
            ParamKind::Words(words) => {
                let shown: Vec<&str> = words.iter().copied().filter(told).collect();
                json!({ "type": "array", "maxItems": MAX_WORDS, "items": { "type": "string", "enum": shown } })
            }
            ParamKind::Schema(schema) | ParamKind::Wide(schema, _) if view.small_model_mode => one_type_each(schema()),
            ParamKind::Schema(schema) | ParamKind::Wide(schema, _) => schema(),
        };
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".to_owned(), json!(about(param, view)));
        }
        schema
    })
}

/// A level: a number, or a text as it is shown.
fn level(view: &RequestContext, low: f64, high: f64) -> Value {
    let kind = if view.small_model_mode { json!("number") } else { json!(["number", "string"]) };
    json!({ "type": kind, "minimum": shortest(low), "maximum": shortest(high) })
}

/// A switch, or one for each target.
fn switches() -> Value {
    json!({ "type": ["boolean", "array"], "items": { "type": "boolean" } })
}

/// A bound without the `.0` of a whole number.
fn shortest(bound: f64) -> Value {
    if bound.fract() == 0.0 { json!(bound as i64) } else { json!(bound) }
}

/// The schema with the first of several types: what small models are shown is plain.
fn one_type_each(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                let first = member.get(0).filter(|_| name == "type").cloned();
                *member = first.unwrap_or_else(|| one_type_each(member.take()));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|item| *item = one_type_each(item.take())),
        _ => {}
    }
    schema
}

/// One level for all targets, or one for each.
fn levels(low: f64, high: f64) -> Value {
    let types = json!(["number", "string"]);
    let items = json!({ "type": types, "minimum": low, "maximum": high });
    json!({
        "type": ["number", "string", "array"], "minimum": low, "maximum": high, "maxItems": MAX_TARGETS, "items": items,
    })
}

/// What arguments are checked against: everything that is accepted, published or not.
pub fn full(tool: &Tool, notation: Notation) -> Value {
    object(tool, tool.params.iter().chain(fold::params(tool)), |param| match param.kind {
        ParamKind::Text => json!({ "type": "string" }),
        ParamKind::Notes | ParamKind::NotesEach if notation == Notation::MidiJson => {
            json!({ "type": ["string", "array"] })
        }
        ParamKind::NotesEach => texts(),
        ParamKind::Notes => json!({ "type": "string" }),
        ParamKind::Integer => json!({ "type": "integer", "minimum": -LARGEST_INTEGER, "maximum": LARGEST_INTEGER }),
        ParamKind::IntegerIn(low, high) => json!({ "type": "integer", "minimum": low, "maximum": high }),
        ParamKind::IntegerFrom(low) => json!({ "type": "integer", "minimum": low, "maximum": LARGEST_INTEGER }),
        ParamKind::Number => json!({ "type": "number" }),
        ParamKind::NumberIn(low, high) => json!({ "type": "number", "minimum": low, "maximum": high }),
        // A text that is none is refused when it is read.
        ParamKind::Pan => levels(-1.0, 1.0),
        ParamKind::Decibels(high) => levels(SILENCE_DB, high),
        ParamKind::Boolean => json!({ "type": "boolean" }),
        ParamKind::Switch => {
            let items = json!({ "type": "boolean" });
            json!({ "type": ["boolean", "array"], "maxItems": MAX_TARGETS, "items": items })
        }
        ParamKind::Choice(words) => {
            let words: Vec<&str> = words.iter().chain(param.unpublished).copied().collect();
            json!({ "type": "string", "enum": words })
        }
        ParamKind::Words(words) => {
            let items = json!({ "type": "string", "enum": words });
            json!({ "type": "array", "maxItems": MAX_WORDS, "items": items })
        }
        ParamKind::Wide(_, accepted) => accepted(),
        ParamKind::Schema(schema) => {
            let mut schema = schema();
            let operations = param.name == live_api::OPERATIONS;
            if let Some(types) = schema.pointer_mut("/items/properties/type/enum").filter(|_| operations) {
                *types = json!(live_api::accepted_types());
            }
            // `null` is "not sent" here too.
            if let Some(fields) = schema.pointer_mut("/items/properties").and_then(Value::as_object_mut) {
                for (_, field) in fields.iter_mut().filter(|(name, _)| !operations || *name != "type") {
                    if let Some(kind) = field.get_mut("type") {
                        *kind = json!([kind.take(), "null"]);
                    }
                    if let Some(words) = field.get_mut("enum").and_then(Value::as_array_mut) {
                        words.push(Value::Null);
                    }
                }
            }
            schema
        }
    })
}

fn about(param: &Param, view: &RequestContext) -> String {
    let text = match param.about {
        About::Text(text) => text.to_owned(),
        About::Per(text) => text(view).into_owned(),
    };
    if !view.small_model_mode {
        // Every list of targets has the same end.
        return text.replacen(TARGET_LIST, "with commas", 1);
    }
    // Words and notes are not understood without the whole of it.
    let kept = match param.kind {
        ParamKind::Words(_) | ParamKind::Notes | ParamKind::NotesEach => {
            text.strip_suffix("; * is all").unwrap_or(&text)
        }
        _ => up_to_semicolon(&text),
    };
    kept.to_owned()
}

/// A text, or one for each target.
fn texts() -> Value {
    json!({ "type": ["string", "array"], "items": { "type": "string" }, "maxItems": MAX_TARGETS })
}

/// What comes before the first semicolon that is outside of brackets: the rest is for those who have room for it.
fn up_to_semicolon(text: &str) -> &str {
    let mut depth = 0_i32;
    let end = text.char_indices().find_map(|(at, c)| {
        depth += match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        (c == ';' && depth == 0).then_some(at)
    });
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

fn object<'a>(tool: &Tool, params: impl Iterator<Item = &'a Param>, schema: impl Fn(&Param) -> Value) -> Value {
    let properties: Map<String, Value> = params.map(|param| (param.name.to_owned(), schema(param))).collect();
    let required: Vec<&str> = tool.params.iter().filter(|p| p.required).map(|p| p.name).collect();
    let mut object = json!({ "type": "object", "properties": properties });
    if !required.is_empty()
        && let Some(object) = object.as_object_mut()
    {
        object.insert("required".to_owned(), json!(required));
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_small_models_are_told_of_a_parameter() {
        for (text, short) in [
            ("one", "one"),
            ("one; two; three", "one"),
            ("t0 (a lane; made), t1; more", "t0 (a lane; made), t1"),
            ("[{p:60; v:1}]; more", "[{p:60; v:1}]"),
        ] {
            assert_eq!(up_to_semicolon(text), short);
        }
    }
}
