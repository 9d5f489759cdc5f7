//! How long an answer is as JSON, counted without writing it, and what is left of one that is too long.

use super::answer_text::AnswerResult;
use serde_json::{Map, Value};

/// What an entry is about: kept of one that is cut down. Of a list inside an entry its own entries are.
const KEPT: [&str; 6] = ["id", "path", "ok", "created", "detail", "type"];
/// Longest text that is kept of an entry.
const KEPT_TEXT: usize = 300;

/// Whether a result and the texts behind it are longer than that. Counts no further than it has to.
pub fn exceeds(result: &AnswerResult, appended: &[String], most_bytes: usize) -> bool {
    let mut left = Some(most_bytes);
    match result {
        AnswerResult::Value(value) => spend_value(value, &mut left),
        AnswerResult::Text(written) => spend(written.bytes(), &mut left),
    }
    appended.iter().for_each(|text| spend(text.len(), &mut left));
    left.is_none()
}

/// About how long a value is as JSON, up to that many bytes.
pub fn bytes_up_to(value: &Value, most_bytes: usize) -> usize {
    let mut left = Some(most_bytes);
    spend_value(value, &mut left);
    most_bytes - left.unwrap_or(0)
}

fn spend(bytes: usize, left: &mut Option<usize>) {
    *left = left.and_then(|left| left.checked_sub(bytes));
}

/// Texts count as long as they are: what is escaped in them is rare.
fn spend_value(value: &Value, left: &mut Option<usize>) {
    if left.is_none() {
        return;
    }
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => spend(5, left),
        Value::String(text) => spend(text.len() + 3, left),
        Value::Array(items) => {
            spend(2, left);
            items.iter().for_each(|item| spend_value(item, left));
        }
        Value::Object(members) => {
            spend(2, left);
            for (name, member) in members {
                spend(name.len() + 4, left);
                spend_value(member, left);
            }
        }
    }
}

/// Leaves of each entry what it is about.
pub fn cut_down(result: &mut Value) {
    match result {
        Value::Array(entries) => entries.iter_mut().for_each(cut_down),
        Value::Object(entry) => {
            *entry = std::mem::take(entry).into_iter().filter_map(kept).collect::<Map<_, _>>();
        }
        Value::String(text) => cut_text(text),
        _ => {}
    }
}

fn kept((name, mut value): (String, Value)) -> Option<(String, Value)> {
    match &mut value {
        Value::String(text) if KEPT.contains(&name.as_str()) => cut_text(text),
        Value::Bool(_) | Value::Number(_) if KEPT.contains(&name.as_str()) => {}
        _ => return None,
    }
    Some((name, value))
}

fn cut_text(text: &mut String) {
    if let Some((at, _)) = text.char_indices().nth(KEPT_TEXT) {
        text.truncate(at);
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_measured_as_it_is_written() {
        for value in [
            json!(null),
            json!("text"),
            json!([1, 2, [3]]),
            json!({"id": "5", "notes": "C3 1|1", "clips": [{"id": "6"}, {"id": "7"}]}),
        ] {
            let written = value.to_string().len();
            assert!(!exceeds(&value.clone().into(), &[], written * 2 + 4), "{value}");
            assert!(written < 8 || exceeds(&value.clone().into(), &[], written / 2), "{value}");
            assert!(bytes_up_to(&value, 10_000) >= written / 2, "{value}");
        }
    }

    #[test]
    fn an_entry_keeps_what_it_is_about() {
        let long = "x".repeat(1000);
        let mut result = json!([
            {"id": "5", "path": "t0", "detail": long, "clips": [{"id": "6"}], "notes": "C3 1|1"},
            {"path": "t1", "ok": false, "detail": "why"},
        ]);
        cut_down(&mut result);
        let cut = format!("{}…", "x".repeat(KEPT_TEXT));
        assert_eq!(
            result,
            json!([{"id": "5", "path": "t0", "detail": cut}, {"path": "t1", "ok": false, "detail": "why"}])
        );
    }
}
