//! A tool's answer as the caller reads it: the HTTP 200 body, in either format, and the compact text.
//!
//! Compact is a JavaScript literal: JSON without whitespace whose keys are bare wherever they are plain identifiers.

use super::types::Answer;
use crate::tools::answer_size;
use serde::Serialize;
use serde_json::{Number, Value};

/// How a call's result is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `result` is the value itself.
    #[default]
    Json,
    /// `result` is one text: the compact literal, then the warnings and the appended blocks, each on lines of its own.
    Compact,
}

impl Format {
    pub fn from_name(name: &str) -> Option<Format> {
        match name {
            "json" => Some(Format::Json),
            "compact" => Some(Format::Compact),
            _ => None,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a, R: Serialize + ?Sized> {
    result: &'a R,
    is_error: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    appended: &'a [String],
}

/// Answers longer than this are written on a worker.
const LARGE_ANSWER_BYTES: usize = 16 * 1024;

/// Whether writing the answer takes longer than others should wait for.
pub fn is_large(answer: &Answer) -> bool {
    answer_size::exceeds(&answer.result, &answer.appended, LARGE_ANSWER_BYTES)
}

/// The body of a 200. An error text is never mixed with anything: its warnings stay beside it in either format.
pub fn assemble(answer: &Answer, format: Format) -> Vec<u8> {
    let Answer { result, is_error, warnings, appended, .. } = answer;
    if *is_error || format == Format::Json {
        return bytes_of(&Envelope { result, is_error: *is_error, warnings, appended });
    }
    bytes_of(&Envelope { result: &compact_text(answer), is_error: false, warnings: &[], appended: &[] })
}

/// The whole answer as one text, as compact callers read it.
pub fn compact_text(answer: &Answer) -> String {
    let mut text = match &answer.result {
        Value::String(error) if answer.is_error => error.clone(),
        result => compact(result),
    };
    for warning in &answer.warnings {
        text.push_str("\nWARNING: ");
        text.push_str(warning);
    }
    for block in &answer.appended {
        text.push('\n');
        text.push_str(block);
    }
    text
}

/// A value as a compact JavaScript literal.
pub fn compact(value: &Value) -> String {
    let mut text = String::with_capacity(128);
    write_value(value, &mut text);
    text
}

fn bytes_of(envelope: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256);
    // Values and texts always serialise, and a vector takes every write.
    let _ = serde_json::to_writer(&mut bytes, envelope);
    bytes
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => write_number(number, text),
        Value::String(string) => write_string(string, text),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_value(item, text);
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (index, (key, member)) in members.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                if is_identifier(key) {
                    text.push_str(key);
                } else {
                    write_string(key, text);
                }
                text.push(':');
                write_value(member, text);
            }
            text.push('}');
        }
    }
}

fn is_identifier(key: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    key.bytes().all(plain) && key.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// As JavaScript prints numbers: 122, not 122.0.
fn write_number(number: &Number, text: &mut String) {
    use std::fmt::Write;
    /// Whole numbers below this are exact in an `f64` and in an `i64`.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let written = match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
            write!(text, "{}", float as i64)
        }
        _ => write!(text, "{number}"),
    };
    debug_assert!(written.is_ok(), "a String takes every write");
}

fn write_string(string: &str, text: &mut String) {
    text.push('"');
    let mut clean_from = 0;
    for (index, byte) in string.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        text.push_str(string.get(clean_from..index).unwrap_or_default());
        clean_from = index.saturating_add(1);
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            0x08 => text.push_str("\\b"),
            0x0c => text.push_str("\\f"),
            _ => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                text.push_str("\\u00");
                for digit in [byte >> 4, byte & 0xf] {
                    text.push(HEX.get(usize::from(digit)).map_or('0', |hex| char::from(*hex)));
                }
            }
        }
    }
    text.push_str(string.get(clean_from..).unwrap_or_default());
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn literals() {
        let cases = [
            (
                json!({"tempo": 122.0, "timeSignature": "4/4", "tracks": [{"id": "5", "path": "t0"}]}),
                r#"{tempo:122,timeSignature:"4/4",tracks:[{id:"5",path:"t0"}]}"#,
            ),
            (
                json!({"C#1": null, "_a$": true, "1a": false, "": 1, "ü": 2}),
                r#"{"C#1":null,_a$:true,"1a":false,"":1,"ü":2}"#,
            ),
            (
                json!([0.1, -0.0, 1e300, -5, u64::MAX, 9007199254740992.0]),
                "[0.1,0,1e+300,-5,18446744073709551615,9007199254740992.0]",
            ),
            (json!("a\"\\\n\r\t\u{8}\u{c}\u{1f}\u{0}é"), r#""a\"\\\n\r\t\b\f\u001f\u0000é""#),
            (json!([[], {}]), "[[],{}]"),
        ];
        for (value, expected) in cases {
            assert_eq!(compact(&value), expected);
        }
    }

    #[test]
    fn envelopes() {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let plain =
            Answer { result: json!({"a": [1, null]}), is_error: false, warnings: vec![], appended: vec![], job: None };
        let full = Answer { warnings: texts(&["one", "two"]), appended: texts(&["# Skills", "next"]), ..plain.clone() };
        let failed = Answer {
            result: json!("no such track"),
            is_error: true,
            warnings: texts(&["w"]),
            appended: vec![],
            job: None,
        };
        let cases = [
            (&plain, Format::Json, json!({"result": {"a": [1, null]}, "isError": false})),
            (&plain, Format::Compact, json!({"result": "{a:[1,null]}", "isError": false})),
            (
                &full,
                Format::Json,
                json!({"result": {"a": [1, null]}, "isError": false, "warnings": ["one", "two"], "appended": ["# Skills", "next"]}),
            ),
            (
                &full,
                Format::Compact,
                json!({"result": "{a:[1,null]}\nWARNING: one\nWARNING: two\n# Skills\nnext", "isError": false}),
            ),
            (&failed, Format::Json, json!({"result": "no such track", "isError": true, "warnings": ["w"]})),
            (&failed, Format::Compact, json!({"result": "no such track", "isError": true, "warnings": ["w"]})),
        ];
        for (answer, format, expected) in cases {
            let body: Value = serde_json::from_slice(&assemble(answer, format)).expect("JSON");
            assert_eq!(body, expected, "{format:?}");
        }
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                // Every key needs quotes, so that the literal is JSON and can be read back.
                proptest::collection::vec(("[0-9].{0,5}", inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_literal_says_what_json_says(value in any_value()) {
            let back: Value = serde_json::from_str(&compact(&value)).expect("quoted keys make it JSON");
            prop_assert_eq!(as_floats(&back), as_floats(&value));
        }
    }

    /// Numbers by value: 122 and 122.0 are one number in JavaScript.
    fn as_floats(value: &Value) -> Value {
        match value {
            Value::Number(number) => json!(number.as_f64().map(|float| float + 0.0)),
            Value::Array(items) => items.iter().map(as_floats).collect(),
            Value::Object(members) => members.iter().map(|(key, item)| (key.clone(), as_floats(item))).collect(),
            other => other.clone(),
        }
    }
}
