//! The long parts of requests and answers, which go past `rmcp`: it reads and writes whole messages on the thread that
//! serves everybody. Long arguments are taken out of a message, and long texts out of an answer; what it sees in their
//! place is short. Reading and writing them is done by who has a worker. See D55 in `docs/decisions.md`.

use memchr::memmem;
use parking_lot::Mutex;
use serde::Serialize;
use serde_json::{Map, Value};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::sync::Arc;

/// What is longer is read and written on a worker.
pub const LONG_BYTES: usize = 16 * 1024;

/// Among a request's extensions: its arguments, where they were taken out of its message.
#[derive(Clone, Debug, Default)]
pub struct LongArguments(Arc<Mutex<Option<Map<String, Value>>>>);

impl LongArguments {
    /// Takes the arguments out of a call of a tool, and leaves an empty object in their place.
    pub fn take_from(message: &mut Value) -> LongArguments {
        let is_call = message.get("method").and_then(Value::as_str) == Some("tools/call");
        let arguments = message.pointer_mut("/params/arguments").filter(|_| is_call).and_then(Value::as_object_mut);
        LongArguments(Arc::new(Mutex::new(arguments.map(std::mem::take))))
    }

    pub fn take(&self) -> Option<Map<String, Value>> {
        self.0.lock().take()
    }
}

/// Whether messages are longer than this all together, as JSON.
pub fn are_longer<'a>(messages: impl IntoIterator<Item = &'a Value>, max_bytes: usize) -> bool {
    let mut room = Room(max_bytes);
    messages.into_iter().any(|message| serde_json::to_writer(&mut room, message).is_err())
}

/// How many values a message holds, with itself.
pub fn count_values(message: &Value) -> usize {
    1 + match message {
        Value::Array(items) => items.iter().map(count_values).sum(),
        Value::Object(members) => members.values().map(count_values).sum(),
        _ => 0,
    }
}

/// Takes that many bytes and keeps none.
struct Room(usize);

impl Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::WriteZero)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Among a request's extensions: the parts of its answer that are written already.
#[derive(Clone, Debug, Default)]
pub struct LongTexts(Arc<Mutex<Vec<LongText>>>);

#[derive(Debug)]
struct LongText {
    /// What stands in its place, as a text that nobody can guess.
    mark: String,
    json: String,
}

impl LongTexts {
    /// Writes a part of an answer as JSON, and gives the text that stands for it until [`LongTexts::write`].
    pub fn put(&self, part: &impl Serialize) -> String {
        // Values and texts always serialise.
        let json = serde_json::to_string(part).unwrap_or_default();
        let mut parts = self.0.lock();
        let mark = format!("long part {} {:016x}", parts.len(), RandomState::new().hash_one(json.len()));
        parts.push(LongText { mark: mark.clone(), json });
        mark
    }

    pub fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// The answer with its long parts in their places.
    pub fn write(&self, answer: &[u8]) -> Vec<u8> {
        let parts = self.0.lock();
        let mut written = Vec::with_capacity(answer.len() + parts.iter().map(|part| part.json.len()).sum::<usize>());
        let mut rest = answer;
        for part in &*parts {
            let quoted = format!("\"{}\"", part.mark);
            // Parts stand in the order in which they were put.
            let Some(at) = memmem::find(rest, quoted.as_bytes()) else { continue };
            written.extend_from_slice(rest.get(..at).unwrap_or_default());
            written.extend_from_slice(part.json.as_bytes());
            rest = rest.get(at + quoted.len()..).unwrap_or_default();
        }
        written.extend_from_slice(rest);
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_are_taken_out() {
        let mut message = json!({"method": "tools/call", "params": {"name": "x", "arguments": {"notes": "C3"}}});
        let taken = LongArguments::take_from(&mut message);
        assert_eq!(message, json!({"method": "tools/call", "params": {"name": "x", "arguments": {}}}));
        assert_eq!((taken.take(), taken.take()), (json!({"notes": "C3"}).as_object().cloned(), None));
        let others = [
            json!({"method": "tools/call", "params": {"arguments": [1]}}),
            json!({"method": "prompts/get", "params": {"arguments": {"notes": "C3"}}}),
            json!({"method": "tools/call", "params": {}}),
            json!([]),
        ];
        for other in others {
            let mut message = other.clone();
            assert_eq!((LongArguments::take_from(&mut message).take(), message), (None, other));
        }
    }

    #[test]
    fn lengths_are_counted_together() {
        let messages = [json!({"a": "bc"}), json!([1])];
        assert!(!are_longer(&messages, 13) && are_longer(&messages, 12));
        assert!(!are_longer([], 0));
        assert_eq!(messages.iter().map(count_values).sum::<usize>(), 4);
    }

    #[test]
    fn parts_stand_in_their_places() {
        let parts = LongTexts::default();
        let text = "a \"quoted\"\ntext";
        let answer =
            json!({"content": [{"text": parts.put(&text)}, {"text": "x"}], "value": parts.put(&json!({"a": [1]}))});
        let written: Value = serde_json::from_slice(&parts.write(answer.to_string().as_bytes())).unwrap();
        assert_eq!(written, json!({"content": [{"text": text}, {"text": "x"}], "value": {"a": [1]}}));
        assert_eq!(LongTexts::default().write(b"{}"), b"{}");
    }
}
