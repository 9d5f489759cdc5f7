//! The one place where reads, writes and calls are compared with the class table.

use super::class::{Access, Argument, Class, Function, Property, Reach, ValueKind};
use super::error::ModelError;
use super::value::{Value, object_argument};

/// Who is asking: the raw tool does not know members that only Python reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    Tool,
    Raw,
}

impl Asker {
    pub fn may_reach(self, reach: Reach) -> bool {
        self == Asker::Tool || reach != Reach::Python
    }
}

fn unknown(class: &Class, member: &str) -> ModelError {
    ModelError::UnknownMember { class: class.name.clone(), member: member.to_owned() }
}

/// The readable property `member` of `class`.
pub fn readable<'a>(class: &'a Class, member: &str, asker: Asker) -> Result<&'a Property, ModelError> {
    class
        .properties
        .get(member)
        .filter(|property| asker.may_reach(property.reach) && property.access != Access::ObserveOnly)
        .ok_or_else(|| unknown(class, member))
}

/// The value to store for a write: its type, range and enum are right, and a number has the property's own kind.
pub fn writable(class: &Class, member: &str, value: Value, asker: Asker) -> Result<Value, ModelError> {
    let property = readable(class, member, asker)?;
    if property.access != Access::ReadWrite {
        return Err(ModelError::ReadOnly { member: member.to_owned() });
    }
    let wrong = |expected| ModelError::WrongType { member: member.to_owned(), expected };
    let value = match property.kind {
        ValueKind::Bool => Value::Bool(value.as_bool().ok_or_else(|| wrong("true or false (1 or 0)"))?),
        ValueKind::Int => match value {
            Value::Bool(_) => return Err(wrong("a whole number")),
            value => Value::Int(value.as_i64().ok_or_else(|| wrong("a whole number"))?),
        },
        ValueKind::Float => match value {
            Value::Int(_) | Value::Float(_) => {
                Value::Float(value.as_f64().filter(|f| f.is_finite()).ok_or_else(|| wrong("a finite number"))?)
            }
            _ => return Err(wrong("a number")),
        },
        ValueKind::Text => match value {
            Value::Text(_) => value,
            _ => return Err(wrong("a text")),
        },
        ValueKind::Dict => match value {
            Value::Struct(_) => value,
            Value::Text(text) => {
                Value::Struct(serde_json::from_str(&text).map_err(|_| wrong("a dictionary as JSON text"))?)
            }
            _ => return Err(wrong("a dictionary")),
        },
        ValueKind::Ints => match value {
            Value::Ints(_) => value,
            _ => return Err(wrong("a list of whole numbers")),
        },
        ValueKind::Bools => match value {
            Value::Bools(_) => value,
            _ => return Err(wrong("a list of true and false")),
        },
        ValueKind::Texts => match value {
            Value::Texts(_) => value,
            _ => return Err(wrong("a list of texts")),
        },
        ValueKind::List | ValueKind::Bang | ValueKind::Browser => {
            return Err(ModelError::ReadOnly { member: member.to_owned() });
        }
    };
    in_range(member, property, &value)?;
    Ok(value)
}

fn in_range(member: &str, property: &Property, value: &Value) -> Result<(), ModelError> {
    let out = |range: String| Err(ModelError::OutOfRange { member: member.to_owned(), range });
    if let (Some(numbers), Some(n)) = (&property.numbers, value.as_i64())
        && !numbers.contains(&n)
        && property.kind != ValueKind::Bool
    {
        return out(format!("one of {}", numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")));
    }
    let Some(n) = value.as_f64() else { return Ok(()) };
    match (property.min, property.max) {
        (Some(min), Some(max)) if n < min || n > max => out(format!("from {min} to {max}")),
        (Some(min), None) if n < min => out(format!("{min} or more")),
        (None, Some(max)) if n > max => out(format!("{max} or less")),
        _ => Ok(()),
    }
}

/// The function `name` of `class`, called with a number of arguments that it takes.
pub fn callable<'a>(class: &'a Class, name: &str, args: &[Value], asker: Asker) -> Result<&'a Function, ModelError> {
    let function = class
        .functions
        .get(name)
        .filter(|function| asker.may_reach(function.reach))
        .ok_or_else(|| unknown(class, name))?;
    // Some take one dictionary with the names of their arguments instead.
    let takes_dictionary =
        function.args.last().and_then(|arg| arg.kind.as_deref()).is_some_and(|k| k.contains("one dict"));
    if takes_dictionary && matches!(args, [Value::Struct(_) | Value::Text(_)]) {
        return Ok(function);
    }
    let needed = function.args.iter().filter(|arg| !arg.optional).count();
    // A trailing list may come as separate numbers (note ids), so only its presence is counted here.
    let open_ended =
        function.args.last().is_some_and(|arg| arg.kind.as_deref().is_some_and(|k| k.starts_with("list[int]")));
    if args.len() < needed || (args.len() > function.args.len() && !open_ended) {
        return Err(ModelError::BadArguments { function: name.to_owned(), expected: expected(&function.args) });
    }
    let fits = |(argument, value): (&Argument, &Value)| {
        // Null in the place of an optional argument leaves it out.
        (argument.optional && *value == Value::Nothing) || argument.kind.as_deref().is_none_or(|kind| is_a(kind, value))
    };
    if !function.args.iter().zip(args).all(fits) {
        return Err(ModelError::BadArguments { function: name.to_owned(), expected: expected(&function.args) });
    }
    Ok(function)
}

/// Whether a value is what the table says of an argument: its first word is the type, `[0,1]` after a float its range,
/// `[0 up,1 down]` after an int the numbers it may be. Where the table has a description in words, the
/// function itself checks.
fn is_a(kind: &str, value: &Value) -> bool {
    let (word, rest) = kind.split_at(kind.find([' ', '[']).unwrap_or(kind.len()));
    let listed: Vec<&str> = rest.strip_prefix('[').map_or(Vec::new(), |r| r.trim_end_matches(']').split(',').collect());
    let numbers = || listed.iter().map_while(|item| item.split(' ').next()?.parse::<f64>().ok()).collect::<Vec<_>>();
    let plain_number = || value.as_f64().filter(|n| n.is_finite() && !matches!(value, Value::Bool(_)));
    match word {
        "int" => match plain_number().filter(|n| n.fract() == 0.0) {
            Some(n) => listed.is_empty() || numbers().is_empty() || numbers().contains(&n),
            None => false,
        },
        "float" => match (plain_number(), numbers().as_slice()) {
            (Some(n), [least, most]) => (*least..=*most).contains(&n),
            (number, _) => number.is_some(),
        },
        "bool" => value.as_bool().is_some(),
        "str" => value.as_str().is_some(),
        "id" => object_argument(value).is_some(),
        _ => true,
    }
}

fn expected(args: &[Argument]) -> String {
    if args.is_empty() {
        return "no arguments".to_owned();
    }
    let list = args.iter().map(|arg| {
        let kind = arg.kind.as_deref().unwrap_or("any");
        if arg.optional { format!("[{}: {kind}]", arg.name) } else { format!("{}: {kind}", arg.name) }
    });
    format!("({})", list.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::class::class;
    use super::*;

    #[test]
    fn writes_are_compared_with_the_table() {
        let song = class("Song").unwrap();
        let cases: &[(&str, Value, Result<Value, &str>)] = &[
            ("tempo", 128.0.into(), Ok(128.0.into())),
            ("tempo", 128i64.into(), Ok(128.0.into())),
            ("tempo", 19.9.into(), Err("tempo must be from 20 to 999")),
            ("tempo", f64::NAN.into(), Err("tempo takes a finite number")),
            ("tempo", "fast".into(), Err("tempo takes a number")),
            ("tempo", true.into(), Err("tempo takes a number")),
            ("loop", 1i64.into(), Ok(true.into())),
            ("loop", 2i64.into(), Err("loop takes true or false (1 or 0)")),
            ("root_note", 12i64.into(), Err("root_note must be from 0 to 11")),
            (
                "clip_trigger_quantization",
                14i64.into(),
                Err("clip_trigger_quantization must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13"),
            ),
            ("signature_denominator", 3i64.into(), Err("signature_denominator must be one of 1, 2, 4, 8, 16")),
            ("scale_name", 5i64.into(), Err("scale_name takes a text")),
            ("can_undo", true.into(), Err("can_undo cannot be written")),
            ("nonsense", true.into(), Err("Song has no member \"nonsense\"")),
            ("current_song_time", (-1.0).into(), Err("current_song_time must be 0 or more")),
        ];
        for (member, value, want) in cases {
            let got = writable(song, member, value.clone(), Asker::Raw).map_err(|e| e.to_string());
            assert_eq!(got, want.clone().map_err(str::to_owned), "{member} = {value:?}");
        }
    }

    #[test]
    fn members_that_only_python_reaches_are_unknown_to_the_raw_tool() {
        let clip = class("Clip").unwrap();
        assert!(readable(clip, "is_session_clip", Asker::Raw).is_err());
        assert!(readable(clip, "is_session_clip", Asker::Tool).is_ok());
        assert!(readable(clip, "notes", Asker::Tool).is_err(), "observe-only");
    }

    #[test]
    fn calls_are_compared_with_the_table() {
        let song = class("Song").unwrap();
        for (name, args, ok) in [
            ("create_scene", vec![Value::Int(-1)], true),
            ("create_scene", vec![], false),
            ("create_midi_track", vec![], true),
            ("create_midi_track", vec![Value::Int(0), Value::Int(0)], false),
            ("begin_undo_step", vec![], false),
            ("create_scene", vec![Value::Float(2.0)], true),
            ("create_scene", vec![Value::Float(2.5)], false),
            ("create_scene", vec![Value::Bool(true)], false),
            ("create_scene", vec![Value::Nothing], false),
            ("create_midi_track", vec![Value::Nothing], true),
            ("stop_all_clips", vec![Value::Int(1)], true),
            ("stop_all_clips", vec![Value::Int(2)], false),
            ("jump_by", vec![Value::Float(f64::INFINITY)], false),
            ("get_current_smpte_song_time", vec![Value::Int(5)], true),
            ("get_current_smpte_song_time", vec![Value::Int(6)], false),
            ("move_device", vec!["id 4".into(), "id 5".into(), Value::Int(0)], true),
            ("move_device", vec!["4".into(), "id 5".into(), Value::Int(0)], false),
        ] {
            assert_eq!(callable(song, name, &args, Asker::Raw).is_ok(), ok, "{name} {args:?}");
        }
        let quantize = |grid: Value, amount: Value| {
            callable(class("Clip").unwrap(), "quantize", &[grid, amount], Asker::Raw).is_ok()
        };
        assert!(quantize(Value::Int(5), Value::Float(0.5)));
        assert!(!quantize(Value::Int(5), Value::Float(1.5)));
        assert!(!quantize("1/16".into(), Value::Float(0.5)));
    }
}
