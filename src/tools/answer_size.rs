//! How long an answer is as JSON, counted without writing it, and what is left of one that is too long.

use super::answer_text::AnswerResult;
use serde_json::{Map, Value};

/// What an entry is about: kept of one that is cut down. Of a list inside an entry its own entries are.
const KEPT: [&str; 6] = ["id", "path", "ok", "created", "detail", "type"];
/// Longest text that is kept of an entry.
const KEPT_TEXT: usize = 300;

/// Whether a result and the texts behind it are longer than that. Counts no further than it has to.
pub fn exceeds(result: &AnswerResult, appended: &[String], most_bytes: usize) -> bool {
    match result {
        AnswerResult::Value(value) => value_exceeds(value, appended, most_bytes),
        AnswerResult::Text(written) => written.bytes().saturating_add(bytes_of(appended)) > most_bytes,
    }
}

fn value_exceeds(value: &Value, appended: &[String], most_bytes: usize) -> bool {
    let mut left = most_bytes.checked_sub(bytes_of(appended));
    spend_value(value, &mut left);
    left.is_none()
}

fn bytes_of(texts: &[String]) -> usize {
    texts.iter().fold(0, |sum: usize, text| sum.saturating_add(text.len()))
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

/// Makes a result fit: of the entries that there is no room for, only what they are about is left, from the first
/// that does not fit on. Gives how many were cut down.
pub fn cut_to_fit(result: &mut Value, appended: &[String], most_bytes: usize) -> usize {
    if !value_exceeds(result, appended, most_bytes) {
        return 0;
    }
    let mut room = most_bytes.saturating_sub(bytes_of(appended));
    match result {
        Value::Array(entries) => {
            // What is left of an entry has to fit beside all the others, so that is set aside first.
            let cut: Vec<Value> = entries.iter().map(cut_down).collect();
            let least: Vec<usize> = cut.iter().map(|entry| bytes_up_to(entry, most_bytes)).collect();
            room = room.saturating_sub(least.iter().sum());
            let mut count = 0;
            for ((entry, cut), least) in entries.iter_mut().zip(cut).zip(least) {
                let more = bytes_up_to(entry, most_bytes).saturating_sub(least);
                match room.checked_sub(more).filter(|_| count == 0) {
                    Some(left) => room = left,
                    None => {
                        *entry = cut;
                        count += 1;
                    }
                }
            }
            count
        }
        other => {
            *other = cut_down(other);
            1
        }
    }
}

/// What an entry is about.
fn cut_down(entry: &Value) -> Value {
    match entry {
        Value::Array(entries) => entries.iter().map(cut_down).collect(),
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| KEPT.contains(&name.as_str()));
            Value::Object(kept.filter_map(|(name, value)| Some((name.clone(), plain(value)?))).collect::<Map<_, _>>())
        }
        other => plain(other).unwrap_or_default(),
    }
}

/// A value that is no list and no object, a text no longer than needed.
fn plain(value: &Value) -> Option<Value> {
    match value {
        Value::Array(_) | Value::Object(_) => None,
        Value::String(text) => Some(Value::String(match text.char_indices().nth(KEPT_TEXT) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
            None => text.clone(),
        })),
        other => Some(other.clone()),
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
        let whole = result.clone();
        assert_eq!((cut_to_fit(&mut result, &[], 2_000), &result), (0, &whole));
        assert_eq!(cut_to_fit(&mut result, &[], 600), 2);
        let cut = format!("{}…", "x".repeat(KEPT_TEXT));
        assert_eq!(
            result,
            json!([{"id": "5", "path": "t0", "detail": cut}, {"path": "t1", "ok": false, "detail": "why"}])
        );
    }

    #[test]
    fn only_what_does_not_fit_is_cut_down() {
        let entry = |id: usize| json!({"id": id.to_string(), "notes": "x".repeat(1_000)});
        let mut result: Value = (0..10).map(entry).collect();
        assert_eq!(cut_to_fit(&mut result, &["y".repeat(500)], 5_000), 6);
        assert!(!value_exceeds(&result, &["y".repeat(500)], 5_000));
        assert_eq!((&result[3], &result[4], &result[9]), (&entry(3), &json!({"id": "4"}), &json!({"id": "9"})));
    }
}
