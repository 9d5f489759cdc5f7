//! A tool's answer as the caller reads it: the HTTP 200 body, in either format, and the compact text.

use super::types::Answer;
use crate::tools::answer_size;
use crate::tools::answer_text::TextWriter;

pub use crate::tools::answer_text::{AnswerResult, Format};

/// Answers longer than this are written on a worker.
const LARGE_ANSWER_BYTES: usize = 16 * 1024;

/// Whether writing the answer takes longer than others should wait for.
pub fn is_large(answer: &Answer) -> bool {
    answer_size::exceeds(&answer.result, &answer.appended, LARGE_ANSWER_BYTES)
}

/// The body of a 200. An error text is never mixed with anything: its warnings stay beside it in either format.
pub fn assemble(answer: &Answer, format: Format) -> Vec<u8> {
    let Answer { result, is_error, warnings, appended, .. } = answer;
    let mut body = TextWriter::new(Format::Json);
    body.begin_object();
    body.key("result");
    let apart = *is_error || format == Format::Json;
    if apart {
        body.result(result);
    } else {
        body.string(&compact_text(answer));
    }
    body.key("isError");
    body.bool(*is_error);
    for (name, texts) in [("warnings", warnings), ("appended", appended)] {
        if apart && !texts.is_empty() {
            body.key(name);
            body.begin_list();
            texts.iter().for_each(|text| body.string(text));
            body.end_list();
        }
    }
    body.end_object();
    body.finish().into_bytes()
}

/// The whole answer as one text, as compact callers read it.
pub fn compact_text(answer: &Answer) -> String {
    let mut text = match answer.result.as_str() {
        Some(error) if answer.is_error => error.to_owned(),
        _ => answer.result.text(Format::Compact).into_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn envelopes() {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let plain = Answer {
            result: json!({"a": [1, null]}).into(),
            is_error: false,
            warnings: vec![],
            appended: vec![],
            job: None,
        };
        let full = Answer { warnings: texts(&["one", "two"]), appended: texts(&["# Skills", "next"]), ..plain.clone() };
        let failed = Answer {
            result: json!("no such track").into(),
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
}
