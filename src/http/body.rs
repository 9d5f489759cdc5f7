//! Reading what a caller sent: the media type, the size, the time it takes, the JSON.

use super::connection_state::{ConnectionState, ShutdownStage};
use super::errors::Refusal;
use super::limits::{Limits, MAX_BODY_BYTES};
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use serde_json::{Map, Value};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Insists on JSON in UTF-8 without a content coding.
pub fn check_media_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(kind), None) = (types.next(), types.next()) else {
        return Err(Refusal::MediaType);
    };
    let is_plain = headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .all(|coding| coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity"));
    if is_plain && kind.to_str().is_ok_and(is_json) { Ok(()) } else { Err(Refusal::MediaType) }
}

fn is_json(media_type: &str) -> bool {
    let mut parts = media_type.split(';').map(str::trim);
    parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"))
        && parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.trim_end().eq_ignore_ascii_case("charset") => {
                let value = value.trim().trim_matches('"');
                value.eq_ignore_ascii_case("utf-8") || value.eq_ignore_ascii_case("utf8")
            }
            _ => true,
        })
}

/// Reads the whole body. One that announces too large a length is refused unread; one that announces none is counted
/// while it comes.
pub async fn read_bytes(headers: &HeaderMap, body: Body) -> Result<Bytes, Refusal> {
    let announced = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > MAX_BODY_BYTES) {
        return Err(Refusal::BodyTooLarge);
    }
    read(body).await
}

/// A body as a JSON object.
pub fn object_of(bytes: &[u8]) -> Result<Map<String, Value>, Refusal> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(Refusal::NotAnObject(match other {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) | Value::Object(_) => "an array",
        })),
        Err(_) if bytes.is_empty() => Err(Refusal::NotJson("it is empty".to_owned())),
        Err(error) => Err(Refusal::NotJson(error.to_string())),
    }
}

async fn read(mut body: Body) -> Result<Bytes, Refusal> {
    // Most bodies come in one piece and need no copy.
    let mut first = Bytes::new();
    let mut whole: Vec<u8> = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(refusal_for)?.into_data() else {
            continue;
        };
        let length = first.len().max(whole.len()).saturating_add(data.len());
        if length as u64 > MAX_BODY_BYTES {
            return Err(Refusal::BodyTooLarge);
        }
        if length == data.len() {
            first = data;
        } else {
            if whole.is_empty() {
                whole.extend_from_slice(&first);
            }
            whole.extend_from_slice(&data);
        }
    }
    Ok(if whole.is_empty() { first } else { Bytes::from(whole) })
}

/// Why a body could not be read on.
pub fn refusal_for(error: axum::Error) -> Refusal {
    match error.into_inner().downcast::<Refusal>() {
        Ok(refusal) => *refusal,
        Err(_) => Refusal::BodyBroken("it ended early, or its chunks are malformed"),
    }
}

/// A request's body, held to the connection's time limits.
pub struct TimedBody {
    inner: Incoming,
    state: Arc<ConnectionState>,
    limit_s: u64,
    ended: bool,
    /// The client waits for `100 Continue`, which the parser sends when the body is polled.
    awaits_continue: bool,
}

impl TimedBody {
    pub fn new(inner: Incoming, state: Arc<ConnectionState>, limits: &Limits, awaits_continue: bool) -> Self {
        let ended = inner.is_end_stream();
        TimedBody { inner, state, limit_s: limits.body.as_secs(), ended, awaits_continue }
    }

    fn note_end(&mut self, is_end: bool) {
        if is_end && !self.ended {
            self.ended = true;
            self.state.body_ended();
        }
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        match Pin::new(&mut self.inner).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => {
                let is_end = self.inner.is_end_stream();
                self.note_end(is_end);
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(error.into()))),
            Poll::Ready(None) => {
                self.note_end(true);
                Poll::Ready(None)
            }
            Poll::Pending if self.state.body_expired() => {
                Poll::Ready(Some(Err(Refusal::BodyTimeout(self.limit_s).into())))
            }
            Poll::Pending => match self.state.shutdown_stage() {
                ShutdownStage::Evicted => Poll::Ready(Some(Err(Refusal::TooSlow.into()))),
                ShutdownStage::Cancelled => Poll::Ready(Some(Err(Refusal::Stopping.into()))),
                ShutdownStage::Running | ShutdownStage::Draining => Poll::Pending,
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Of a body that was not read, what is here already is thrown away; if that was all, the connection stays open.
impl Drop for TimedBody {
    fn drop(&mut self) {
        if !self.ended && !self.awaits_continue {
            let mut nobody = Context::from_waker(Waker::noop());
            while let Poll::Ready(Some(Ok(_))) = Pin::new(&mut *self).poll_frame(&mut nobody) {}
        }
        if !self.ended {
            self.state.body_abandoned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn only_json_in_utf_8_is_taken() {
        let cases = [
            ("application/json", true),
            ("Application/JSON; charset=UTF-8", true),
            ("application/json;charset=\"utf-8\"", true),
            ("application/json; charset=latin1", false),
            ("application/jsonp", false),
            ("text/plain", false),
            ("application/x-www-form-urlencoded", false),
            ("", false),
        ];
        for (kind, fine) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
            assert_eq!(check_media_type(&headers).is_ok(), fine, "{kind}");
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            assert!(check_media_type(&headers).is_err(), "{kind} packed");
        }
        assert!(check_media_type(&HeaderMap::new()).is_err());
    }
}
