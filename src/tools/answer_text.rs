//! An answer as text: JSON, or the compact literal. What a tool gives is a value, or is written out already in the form
//! in which its caller reads it: of a long answer no value is made that would only be taken apart again.
//!
//! Compact is a JavaScript literal: JSON without whitespace whose keys are bare wherever they are plain identifiers.

use serde_json::{Number, Value};
use std::borrow::Cow;

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

/// What a call answers.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerResult {
    Value(Value),
    /// Written out, as was asked for (`RequestContext::as_text`).
    Text(WrittenResult),
}

/// A result as text of one format.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenResult {
    text: String,
    format: Format,
}

impl WrittenResult {
    pub fn bytes(&self) -> usize {
        self.text.len()
    }
}

impl Default for AnswerResult {
    fn default() -> Self {
        AnswerResult::Value(Value::Null)
    }
}

impl From<Value> for AnswerResult {
    fn from(value: Value) -> Self {
        AnswerResult::Value(value)
    }
}

impl AnswerResult {
    /// The result as that format writes it. What is written out already is in the format that was asked for.
    pub fn text(&self, format: Format) -> Cow<'_, str> {
        match self {
            AnswerResult::Text(written) => Cow::Borrowed(&written.text),
            AnswerResult::Value(value) => Cow::Owned(text_of(value, format)),
        }
    }

    /// The value, where the result is one.
    pub fn as_value(&self) -> Option<&Value> {
        match self {
            AnswerResult::Value(value) => Some(value),
            AnswerResult::Text(_) => None,
        }
    }

    /// The sentence that a refusal is.
    pub fn as_str(&self) -> Option<&str> {
        self.as_value().and_then(Value::as_str)
    }

    /// The result as a value: JSON that is written out is read again; a compact literal stays a text.
    pub fn into_value(self) -> Value {
        match self {
            AnswerResult::Value(value) => value,
            AnswerResult::Text(WrittenResult { text, format: Format::Json }) => {
                serde_json::from_str(&text).unwrap_or(Value::String(text))
            }
            AnswerResult::Text(WrittenResult { text, .. }) => Value::String(text),
        }
    }
}

/// A value as text of that format.
pub fn text_of(value: &Value, format: Format) -> String {
    let mut writer = TextWriter::new(format);
    writer.value(value);
    writer.text
}

/// Writes objects, lists and what is in them, one after the other; commas come by themselves.
pub struct TextWriter {
    text: String,
    format: Format,
}

impl TextWriter {
    pub fn new(format: Format) -> TextWriter {
        TextWriter { text: String::with_capacity(128), format }
    }

    pub fn format(&self) -> Format {
        self.format
    }

    /// How long the text is by now, in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    pub fn finish(self) -> String {
        self.text
    }

    pub fn into_result(self) -> AnswerResult {
        AnswerResult::Text(WrittenResult { text: self.text, format: self.format })
    }

    pub fn begin_object(&mut self) {
        self.separate();
        self.text.push('{');
    }

    pub fn end_object(&mut self) {
        self.text.push('}');
    }

    pub fn begin_list(&mut self) {
        self.separate();
        self.text.push('[');
    }

    pub fn end_list(&mut self) {
        self.text.push(']');
    }

    /// The name of a member; what is written next is its value.
    pub fn key(&mut self, name: &str) {
        self.separate();
        if self.format == Format::Compact && is_identifier(name) {
            self.text.push_str(name);
        } else {
            self.quoted(name);
        }
        self.text.push(':');
    }

    pub fn string(&mut self, text: &str) {
        self.separate();
        self.quoted(text);
    }

    pub fn bool(&mut self, on: bool) {
        self.plain(if on { "true" } else { "false" });
    }

    /// In JSON as `serde_json` writes it; compact as JavaScript prints numbers: 122, not 122.0.
    pub fn number(&mut self, number: &Number) {
        use std::fmt::Write;
        /// Whole numbers below this are exact in an `f64` and in an `i64`.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        self.separate();
        let whole = number.as_f64().filter(|float| {
            self.format == Format::Compact && number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT
        });
        let written = match whole {
            Some(float) => write!(self.text, "{}", float as i64),
            None => write!(self.text, "{number}"),
        };
        debug_assert!(written.is_ok(), "a String takes every write");
    }

    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.plain("null"),
            Value::Bool(on) => self.bool(*on),
            Value::Number(number) => self.number(number),
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.begin_list();
                items.iter().for_each(|item| self.value(item));
                self.end_list();
            }
            Value::Object(members) => {
                self.begin_object();
                for (name, member) in members {
                    self.key(name);
                    self.value(member);
                }
                self.end_object();
            }
        }
    }

    /// What is written already, in this format: a value, or several with commas between them.
    pub fn plain(&mut self, written: &str) {
        self.separate();
        self.text.push_str(written);
    }

    /// Writes once more what stands there between two moments of [`TextWriter::bytes`]: a value.
    pub fn repeat(&mut self, from: usize, to: usize) {
        let again = self.text.get(from..to).unwrap_or_default().trim_start_matches(',').to_owned();
        self.plain(&again);
    }

    /// A result as it stands in this text.
    pub fn result(&mut self, result: &AnswerResult) {
        match result {
            AnswerResult::Value(value) => self.value(value),
            AnswerResult::Text(written) if written.format == self.format => self.plain(&written.text),
            AnswerResult::Text(written) => self.string(&written.text),
        }
    }

    /// A comma, unless something has just begun.
    fn separate(&mut self) {
        if !matches!(self.text.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.text.push(',');
        }
    }

    fn quoted(&mut self, string: &str) {
        let text = &mut self.text;
        text.push('"');
        let mut rest = string;
        loop {
            let clean = clean_bytes(rest.as_bytes());
            text.push_str(rest.get(..clean).unwrap_or_default());
            let Some(byte) = rest.as_bytes().get(clean) else { break };
            escape(*byte, text);
            rest = rest.get(clean + 1..).unwrap_or_default();
        }
        text.push('"');
    }
}

fn escape(byte: u8, text: &mut String) {
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

/// How many bytes there are before the first that is escaped. Looks at eight at a time.
fn clean_bytes(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES * 0x80;
    // Whether any of the eight bytes is 0, and whether any is below a number up to 128.
    let any_zero = |eight: u64| eight.wrapping_sub(ONES) & !eight & HIGHS != 0;
    let any_below = |eight: u64, least: u64| eight.wrapping_sub(ONES * least) & !eight & HIGHS != 0;
    let mut at = 0;
    for chunk in bytes.chunks_exact(8) {
        let eight = chunk.try_into().map_or(0, u64::from_le_bytes);
        if any_below(eight, 0x20) || any_zero(eight ^ (ONES * 0x22)) || any_zero(eight ^ (ONES * 0x5c)) {
            break;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\')).unwrap_or(rest.len())
}

fn is_identifier(key: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    key.bytes().all(plain) && key.bytes().next().is_some_and(|first| !first.is_ascii_digit())
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
            assert_eq!(text_of(&value, Format::Compact), expected);
        }
    }

    #[test]
    fn what_is_written_stands_among_what_follows() {
        let mut writer = TextWriter::new(Format::Json);
        writer.begin_list();
        let from = writer.bytes();
        writer.value(&json!({"a": [1]}));
        let to = writer.bytes();
        writer.value(&json!(","));
        writer.repeat(from, to);
        writer.repeat(to, writer.bytes());
        writer.plain("3,4");
        writer.result(&AnswerResult::Value(json!({})));
        writer.end_list();
        assert_eq!(writer.finish(), r#"[{"a":[1]},",",{"a":[1]},",",{"a":[1]},3,4,{}]"#);
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
            "[a-z\"\\\\\n{}\\[\\],:é]{0,40}".prop_map(Value::from),
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
            prop_assert_eq!(text_of(&value, Format::Json), value.to_string());
            let back: Value =
                serde_json::from_str(&text_of(&value, Format::Compact)).expect("quoted keys make it JSON");
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
