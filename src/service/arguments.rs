//! Arguments, from what a caller sent to what a tool takes: unknown names dropped with a warning, `null` taken as not
//! sent, numbers and texts brought to the published type, then checked against the tool's full schema.

use super::schema;
use crate::music::excerpt::{excerpt, excerpt_of_list};
use crate::notation::Notation;
use crate::object_model::faders::SILENCE_DB;
use crate::tools::aliases::fold;
use crate::tools::arguments::one_or_each::Switch;
use crate::tools::error::ToolError;
use crate::tools::parameter::value_parse::{self, Unit};
use crate::tools::tool::{Param, ParamKind, Tool};
use jsonschema::Validator;
use serde_json::{Map, Number, Value, json};

/// Faults that are listed; the rest is counted.
const MOST_LISTED: usize = 20;

/// What is wrong with the arguments: a sentence, and one `{path, message, allowed?}` for each fault.
#[derive(Clone, Debug, PartialEq)]
pub struct BadArguments {
    pub message: String,
    pub details: Value,
}

/// The arguments a tool gets, and the warning that names what was dropped. With `published_only` only what small models
/// are shown is taken.
pub fn accept(
    tool: &Tool,
    notation: Notation,
    validator: &Validator,
    sent: Map<String, Value>,
    published_only: bool,
) -> Result<(Map<String, Value>, Option<String>), BadArguments> {
    let mut taken = Map::with_capacity(sent.len());
    let mut dropped = Vec::new();
    for (name, value) in sent {
        if published_only && is_hidden_in_small_model(tool, &name) {
            dropped.push(name);
        } else if let Some(param) = tool.params.iter().find(|p| p.name == name) {
            if !value.is_null() {
                taken.insert(name, coerce(&param.kind, notation, value));
            }
        } else if let Some(param) = fold::params(tool).find(|p| p.name == name) {
            // A blank one says nothing and is worth no warning.
            if !fold::blank(&value) {
                taken.insert(name, coerce(&param.kind, notation, value));
            }
        } else {
            dropped.push(name);
        }
    }
    let taken = Value::Object(taken);
    let (mut faults, more) = match too_long(tool, &taken) {
        Some(fault) => (vec![fault], 0),
        // Telling what is wrong costs several times as much as finding out whether anything is.
        None if validator.is_valid(&taken) => (Vec::new(), 0),
        None => {
            let mut errors = validator.iter_errors(&taken);
            let listed: Vec<Value> = errors.by_ref().take(MOST_LISTED).map(|error| fault(tool, &error)).collect();
            (listed, errors.count())
        }
    };
    if published_only {
        faults.extend(tool.params.iter().filter_map(|param| withheld_word(param, taken.get(param.name)?)));
    }
    if taken.get("notes").is_some_and(Value::is_array) {
        let is_of_notes = |fault: &Value| {
            fault
                .get("path")
                .and_then(Value::as_str)
                .is_some_and(|path| path == "/notes" || path.starts_with("/notes/"))
        };
        let of_notes = faults.iter_mut().filter(|fault| is_of_notes(fault));
        // The first is enough: a list of notes has a fault for each.
        for message in of_notes.take(1).filter_map(|fault| fault.get_mut("message")) {
            let text = message.as_str().unwrap_or_default();
            *message = json!(format!("{text}; a JSON array is midi-json: send the header x-svc-notation: midi-json"));
        }
    }
    if !faults.is_empty() {
        let message_of = |fault: &Value| fault.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
        if more > 0 {
            faults.push(json!({ "path": "", "message": format!("{more} more faults are not listed") }));
        }
        let message = format!("{}: {}", tool.name, summary(faults.iter().map(message_of)));
        return Err(BadArguments { message, details: Value::Array(faults) });
    }
    let warning =
        (!dropped.is_empty()).then(|| format!("ignored unexpected argument(s): {}", excerpt_of_list(&dropped)));
    match taken {
        Value::Object(map) => Ok((map, warning)),
        _ => Ok((Map::new(), warning)),
    }
}

/// The first of some faults as one sentence, with the count of the rest: they are in the details.
fn summary(mut messages: impl ExactSizeIterator<Item = String>) -> String {
    const ENOUGH_CHARS: usize = 300;
    let mut text = messages.next().unwrap_or_default();
    while text.len() < ENOUGH_CHARS
        && let Some(message) = messages.next()
    {
        text.push_str("; ");
        text.push_str(&message);
    }
    match messages.len() {
        0 => text,
        more => format!("{text}; and {more} more"),
    }
}

/// The fault of a list that is longer than its parameter takes. Looked for before each of its items is checked, as all
/// of them may be wrong.
fn too_long(tool: &Tool, arguments: &Value) -> Option<Value> {
    // Most calls send no list, and then no parameter has to be looked up.
    if !arguments.as_object()?.values().any(Value::is_array) {
        return None;
    }
    tool.params.iter().find_map(|param| {
        let list = arguments.get(param.name)?.as_array()?;
        // Only for a list that was sent: to say how long it may be, a schema is made.
        let most = schema::most_items(param).filter(|most| list.len() > *most)?;
        let message = format!("{} takes at most {most} items, and {} were sent", param.name, list.len());
        Some(json!({ "path": format!("/{}", param.name), "message": message }))
    })
}

/// Whether the arguments are longer than that, however deep. Counts no further than it has to.
pub fn exceeds(arguments: &Map<String, Value>, most_bytes: usize) -> bool {
    let mut left = most_bytes;
    arguments.iter().any(|(name, value)| {
        let bytes = crate::tools::answer_size::bytes_up_to(value, left).saturating_add(name.len());
        left = left.saturating_sub(bytes);
        left == 0
    })
}

/// Whether a short text may stand for many notes: one that repeats something a thousand times or more.
pub fn may_write_many_notes(tool: &Tool, arguments: &Map<String, Value>) -> bool {
    let notes = tool.params.iter().filter(|param| matches!(param.kind, ParamKind::Notes | ParamKind::NotesEach));
    let sent = notes.filter_map(|param| arguments.get(param.name));
    let each = sent.flat_map(|notes| notes.as_array().map_or(std::slice::from_ref(notes), Vec::as_slice));
    let texts = each.filter_map(Value::as_str);
    let mut numbers = texts.flat_map(|text| text.split(|c: char| !c.is_ascii_digit()));
    numbers.any(|digits| digits.len() > 3)
}

/// Takes the wish for a dry run out of the arguments, however it is spelled, as it is one parameter of `svc-batch`
/// alone: what is meant to be tried must not be kept because it was asked for in the wrong place.
pub fn take_dry_run(tool: &Tool, arguments: &mut Map<String, Value>) -> bool {
    let is_own = |name: &String| tool.params.iter().any(|param| param.name == name);
    let named = arguments.keys().find(|name| !is_own(name) && is_dry_run(name)).cloned();
    named
        .and_then(|name| arguments.shift_remove(&name))
        .is_some_and(|asked| asked == Value::Bool(true) || asked == "true")
}

/// Whether a name means `dryRun`: in any case, with or without a dash.
pub fn is_dry_run(name: &str) -> bool {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-'));
    letters.map(|c| c.to_ascii_lowercase()).eq("dryrun".chars())
}

/// Whether small models are not shown the parameter of that name, or the one that it is another name for.
fn is_hidden_in_small_model(tool: &Tool, name: &str) -> bool {
    let other = tool.aliases.iter().find(|hidden| hidden.params.iter().any(|param| param.name == name));
    let name = other.map_or(name, |hidden| hidden.into);
    tool.params.iter().any(|param| param.name == name && param.hidden_in_small_model)
}

/// The fault of a value with a word that small models are not shown.
fn withheld_word(param: &Param, value: &Value) -> Option<Value> {
    let words = match param.kind {
        ParamKind::Choice(words) | ParamKind::Words(words) => words,
        _ => return None,
    };
    let dropped = |value: &Value| value.as_str().filter(|word| param.drops(word)).map(str::to_owned);
    let (path, word) = match value {
        Value::Array(list) => {
            let (at, word) = list.iter().enumerate().find_map(|(at, value)| Some((at, dropped(value)?)))?;
            (format!("/{}/{at}", param.name), word)
        }
        value => (format!("/{}", param.name), dropped(value)?),
    };
    let allowed: Vec<&str> = words.iter().copied().filter(|word| !param.drops(word)).collect();
    let place = path.trim_start_matches('/').replace('/', ".");
    Some(json!({
        "path": path,
        "message": format!("{place} must be one of {} in small-model mode, not \"{word}\"", allowed.join(", ")),
        "allowed": allowed,
    }))
}

/// Refuses a text that is no level, which the schema lets through.
pub fn refuse_unread_levels(tool: &Tool, taken: &Map<String, Value>) -> Result<(), ToolError> {
    for (name, value) in taken {
        let each = value.as_array().into_iter().flatten().find_map(Value::as_str);
        let Some(text) = each.or_else(|| value.as_str()) else { continue };
        let what = match tool.params.iter().find(|param| param.name == name).map(|param| &param.kind) {
            Some(ParamKind::Pan) => "send -1 to 1, or as it is shown: 20L, C, 50R".to_owned(),
            Some(ParamKind::Decibels(high)) => format!("send {SILENCE_DB} to {high} (dB), or -inf"),
            _ => continue,
        };
        return Err(ToolError::about(name, format!("\"{text}\" is no level; {what}")));
    }
    Ok(())
}

/// A comma list of levels becomes the list of their numbers, where each of them is one.
fn levels(kind: &ParamKind, text: String) -> Value {
    let body = text.trim();
    let body = body.strip_suffix(',').unwrap_or(body);
    if !body.contains(',') {
        return level(kind, text);
    }
    let each: Vec<Value> = body.split(',').map(|one| level(kind, one.trim().to_owned())).collect();
    if each.iter().all(Value::is_number) { Value::Array(each) } else { Value::String(text) }
}

/// A level as answers show it becomes its number: `20L`, `C`, `-6 dB`, `-inf`. Any other text stays what it is.
fn level(kind: &ParamKind, text: String) -> Value {
    let range = match kind {
        ParamKind::Decibels(high) => SILENCE_DB..=*high,
        _ => -1.0..=1.0,
    };
    let number = match (kind, value_parse::infinite(&text), value_parse::number_of(&text)) {
        (_, _, Some((number, None))) => Some(number),
        (ParamKind::Pan, _, Some((number, Some(Unit::Pan)))) => Some(number),
        (ParamKind::Decibels(_), _, Some((number, Some(Unit::Decibels)))) => Some(number),
        (ParamKind::Decibels(_), Some("-inf"), _) => Some(SILENCE_DB),
        _ => None,
    };
    let number = number.filter(|number| range.contains(number)).and_then(Number::from_f64);
    number.map_or(Value::String(text), Value::Number)
}

/// A number where a text belongs becomes its digits (ids), a text of JSON where an array belongs becomes the array.
/// Booleans are strict: the text "false" is refused, not read.
fn coerce(kind: &ParamKind, notation: Notation, value: Value) -> Value {
    match (kind, value) {
        (ParamKind::Text, Value::Number(n)) => Value::String(n.to_string()),
        (ParamKind::Notes | ParamKind::NotesEach, Value::Number(n)) if notation != Notation::MidiJson => {
            Value::String(n.to_string())
        }
        (ParamKind::Number | ParamKind::NumberIn(..), Value::String(text)) => {
            // `inf` and `nan` are read by the parser, but are no JSON.
            match text.trim().parse::<f64>().ok().and_then(Number::from_f64) {
                Some(number) => Value::Number(number),
                None => Value::String(text),
            }
        }
        (ParamKind::Pan | ParamKind::Decibels(_), Value::String(text)) => levels(kind, text),
        (ParamKind::Pan | ParamKind::Decibels(_), Value::Array(list)) => {
            let each = list.into_iter().map(|one| match one {
                Value::String(text) => level(kind, text),
                one => one,
            });
            each.collect()
        }
        (ParamKind::Switch, Value::String(text)) => match Switch::read_list(&text) {
            Some(each) => json!(each),
            None => Value::String(text),
        },
        (ParamKind::Integer | ParamKind::IntegerIn(..) | ParamKind::IntegerFrom(_), Value::String(text)) => {
            match text.trim().parse::<i64>() {
                Ok(number) => Value::from(number),
                Err(_) => Value::String(text),
            }
        }
        (ParamKind::Integer | ParamKind::IntegerIn(..) | ParamKind::IntegerFrom(_), Value::Number(n)) => {
            Value::Number(whole(n))
        }
        (ParamKind::Words(_) | ParamKind::Schema(_) | ParamKind::Wide(..), Value::String(text)) => {
            match serde_json::from_str(&text) {
                Ok(Value::Array(items)) => Value::Array(items),
                _ => Value::String(text),
            }
        }
        (_, value) => value,
    }
}

/// 7.0 is 7.
fn whole(number: Number) -> Number {
    let integer = number.as_f64().filter(|n| number.is_f64() && n.fract() == 0.0 && n.abs() < 9e15);
    integer.map_or(number, |n| Number::from(n as i64))
}

fn fault(tool: &Tool, error: &jsonschema::ValidationError) -> Value {
    use jsonschema::error::ValidationErrorKind as K;
    let path = error.instance_path().to_string();
    let place = |fallback: &str| {
        if path.is_empty() { fallback.to_owned() } else { path.trim_start_matches('/').replace('/', ".") }
    };
    let instance = excerpt(&error.instance().to_string());
    match error.kind() {
        K::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            json!({ "path": format!("{path}/{name}"), "message": format!("{} is required", dotted(&path, name)) })
        }
        K::Enum { options } => {
            let options = published_options(tool, &path, options);
            json!({
                "path": path,
                "message": format!("{} must be one of {}, not {instance}", place("the value"), comma_list(&options)),
                "allowed": options,
            })
        }
        K::Type { .. } => {
            let switch = tool.params.iter().find(|param| path.strip_prefix('/') == Some(param.name));
            let expected = match switch.map(|param| &param.kind) {
                Some(ParamKind::Switch) => "true or false, or a list of them as in \"true,false\"".to_owned(),
                _ => expected_type(error),
            };
            json!({ "path": path, "message": format!("{} must be {expected}, not {instance}", place("the arguments")) })
        }
        K::Minimum { limit } => {
            json!({ "path": path, "message": format!("{} must be {} or more, not {instance}", place("the value"), plain_limit(limit)) })
        }
        K::Maximum { limit } => {
            json!({ "path": path, "message": format!("{} must be {} or less, not {instance}", place("the value"), plain_limit(limit)) })
        }
        K::MinItems { limit } => {
            json!({ "path": path, "message": format!("{} needs at least {limit} items", place("the list")) })
        }
        K::MaxItems { limit } => {
            json!({ "path": path, "message": format!("{} takes at most {limit} items", place("the list")) })
        }
        _ => json!({ "path": path, "message": format!("{}: {}", place("the arguments"), excerpt(&error.to_string())) }),
    }
}

/// The words that can be chosen, without those that are accepted but not published.
fn published_options(tool: &Tool, path: &str, options: &Value) -> Value {
    if let Some(types) = crate::tools::live_api::types_at(tool.name, path) {
        return types;
    }
    let param = tool.params.iter().find(|param| path.strip_prefix('/') == Some(param.name));
    let unpublished = param.map_or(&[][..], |param| param.unpublished);
    let words = options.as_array().map_or(&[][..], Vec::as_slice).iter();
    words.filter(|word| !word.as_str().is_some_and(|word| unpublished.contains(&word))).cloned().collect()
}

fn expected_type(error: &jsonschema::ValidationError) -> String {
    use jsonschema::error::{TypeKind, ValidationErrorKind as K};
    let words_for = |name: &str| match name {
        "string" => "a text".to_owned(),
        "boolean" => "true or false".to_owned(),
        "integer" => "a whole number".to_owned(),
        "array" => "a list".to_owned(),
        "object" => "an object".to_owned(),
        other => format!("a {other}"),
    };
    match error.kind() {
        K::Type { kind: TypeKind::Single(one) } => words_for(&one.to_string()),
        K::Type { kind: TypeKind::Multiple(set) } => {
            set.iter().map(|one| words_for(&one.to_string())).collect::<Vec<_>>().join(" or ")
        }
        _ => "of another type".to_owned(),
    }
}

/// A limit as a client writes it: of a whole number without a fraction.
fn plain_limit(limit: &Value) -> Value {
    match limit {
        Value::Number(number) => Value::Number(whole(number.clone())),
        other => other.clone(),
    }
}

fn dotted(path: &str, name: &str) -> String {
    let path = path.trim_start_matches('/').replace('/', ".");
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn comma_list(options: &Value) -> String {
    let words = options.as_array().map_or(&[][..], Vec::as_slice);
    words.iter().map(|w| w.as_str().map_or_else(|| w.to_string(), str::to_owned)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{create_clip, read_clip};

    #[test]
    fn short_texts_of_many_notes_are_known() {
        for (tool, notes, many) in [
            (&create_clip::TOOL, json!("C3 1|1x100000@n/64"), true),
            (&create_clip::TOOL, json!("kick: X*1000"), true),
            (&create_clip::TOOL, json!(["C3 1|1", "C3 1|1x100000@n/64"]), true),
            (&create_clip::TOOL, json!("v100 n/16 C3 1|1x128@n/4 D3 999|1"), false),
            (&create_clip::TOOL, json!([]), false),
            (&read_clip::TOOL, json!("x1000"), false),
        ] {
            let arguments = Map::from_iter([("notes".to_owned(), notes.clone())]);
            assert_eq!(may_write_many_notes(tool, &arguments), many, "{} {notes}", tool.name);
        }
    }
}
