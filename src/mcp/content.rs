//! A tool's answer as the protocol carries it: text items, and the value itself where JSON was asked for.

use super::long_parts::{LONG_BYTES, LongTexts};
use crate::picture;
use crate::service::envelope::{AnswerResult, Format};
use crate::service::{Answer, CallFailure};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultForm {
    Compact,
    /// JSON; also as a value, if it is an object: all that the versions with a handshake take.
    JsonAndObject,
    /// JSON; also as a value, whatever it is.
    JsonAndValue,
}

/// An answer as items: the result, then its pictures as images, then each warning and each appended block as text. An
/// error's text stands alone in the first item.
pub fn from_answer(mut answer: Answer, form: ResultForm) -> CallToolResult {
    let pictures = match &mut answer.result {
        AnswerResult::Value(value) => picture::take_pictures(value),
        // What has pictures is a value.
        AnswerResult::Text(_) => Vec::new(),
    };
    let format = if form == ResultForm::Compact { Format::Compact } else { Format::Json };
    let first = match answer.result.as_str() {
        Some(error) if answer.is_error => error.to_owned(),
        _ => answer.result.text(format).into_owned(),
    };
    let warnings = answer.warnings.iter().map(|warning| format!("WARNING: {warning}"));
    let images = pictures.into_iter().map(|png| ContentBlock::image(png.0, "image/png"));
    let items: Vec<ContentBlock> = std::iter::once(ContentBlock::text(first))
        .chain(images)
        .chain(warnings.chain(answer.appended).map(ContentBlock::text))
        .collect();
    if answer.is_error {
        return CallToolResult::error(items);
    }
    let mut result = CallToolResult::success(items);
    result.structured_content = match form {
        ResultForm::Compact => None,
        ResultForm::JsonAndObject => Some(answer.result.into_value()).filter(Value::is_object),
        ResultForm::JsonAndValue => Some(answer.result.into_value()),
    };
    result
}

/// Takes out what is long, so that it is written here and now.
pub fn take_long_parts(result: &mut CallToolResult, long: &LongTexts) {
    for item in &mut result.content {
        let text = match item {
            ContentBlock::Text(text) => &mut text.text,
            ContentBlock::Image(image) => &mut image.data,
            _ => continue,
        };
        if text.len() > LONG_BYTES {
            *text = long.put(text);
        }
    }
    if let Some(value) = &mut result.structured_content {
        *value = Value::String(long.put(value));
    }
}

/// A call that did not run to an answer. What the caller's model can mend or try again is a tool's error; a tool that
/// is not there, and a failure of the device, are the protocol's.
pub fn from_failure(failure: CallFailure) -> Result<CallToolResult, ErrorData> {
    let text = match failure {
        CallFailure::NoSuchTool(text) => return Err(ErrorData::invalid_params(text, None)),
        CallFailure::Internal(text) => return Err(ErrorData::internal_error(text, None)),
        CallFailure::InvalidArguments { message, .. } => message,
        CallFailure::QueueFull(text) | CallFailure::TimedOut(text) => text,
    };
    Ok(CallToolResult::error(vec![ContentBlock::text(text)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(result: Value, is_error: bool) -> Answer {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        let appended = if is_error { vec![] } else { texts(&["# Skills", "Next"]) };
        Answer { result: result.into(), is_error, warnings: texts(&["careful"]), appended, job: None }
    }

    #[test]
    fn answers() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let rest = [text("WARNING: careful"), text("# Skills"), text("Next")];
        let items = |first: &str| json!([text(first), rest[0], rest[1], rest[2]]);
        let cases = [
            (
                answer(json!({"a": "b"}), false),
                ResultForm::Compact,
                json!({"content": items("{a:\"b\"}"), "isError": false}),
            ),
            (
                answer(json!({"a": "b"}), false),
                ResultForm::JsonAndObject,
                json!({"content": items("{\"a\":\"b\"}"), "structuredContent": {"a": "b"}, "isError": false}),
            ),
            (answer(json!([1]), false), ResultForm::Compact, json!({"content": items("[1]"), "isError": false})),
            (answer(json!([1]), false), ResultForm::JsonAndObject, json!({"content": items("[1]"), "isError": false})),
            (
                answer(json!([1]), false),
                ResultForm::JsonAndValue,
                json!({"content": items("[1]"), "structuredContent": [1], "isError": false}),
            ),
            (
                answer(json!({"image": "data:image/png;base64,AA"}), false),
                ResultForm::JsonAndValue,
                json!({
                    "content": [
                        text("{\"image\":\"picture 1\"}"),
                        {"type": "image", "data": "AA", "mimeType": "image/png"},
                        rest[0], rest[1], rest[2],
                    ],
                    "structuredContent": {"image": "picture 1"},
                    "isError": false,
                }),
            ),
            (
                answer(json!("no such track"), true),
                ResultForm::JsonAndValue,
                json!({"content": [text("no such track"), rest[0]], "isError": true}),
            ),
        ];
        for (answer, form, mut expected) in cases {
            expected["resultType"] = json!("complete");
            assert_eq!(serde_json::to_value(from_answer(answer, form)).expect("JSON"), expected);
        }
    }

    #[test]
    fn failures() {
        let cases = [
            (CallFailure::NoSuchTool("x".to_owned()), Err(-32602)),
            (CallFailure::Internal("x".to_owned()), Err(-32603)),
            (CallFailure::InvalidArguments { message: "x".to_owned(), details: json!([]) }, Ok(Some(true))),
            (CallFailure::QueueFull("x".to_owned()), Ok(Some(true))),
            (CallFailure::TimedOut("x".to_owned()), Ok(Some(true))),
        ];
        for (failure, expected) in cases {
            let got = from_failure(failure.clone()).map(|result| result.is_error).map_err(|error| error.code.0);
            assert_eq!(got, expected, "{failure:?}");
        }
    }
}
