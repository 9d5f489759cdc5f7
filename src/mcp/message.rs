//! The JSON-RPC of a body: one message or a batch, and of which kind. What a message means is not judged here.

use super::fault::Fault;
use serde_json::Value;

/// The most messages in a batch.
pub const MAX_BATCH: usize = 100;

/// A body.
#[derive(Debug, PartialEq)]
pub enum Body {
    One(Value),
    Batch(Vec<Value>),
}

/// What a message is.
#[derive(Debug, PartialEq)]
pub enum Kind {
    Request { is_initialize: bool },
    Notification,
}

/// A message that was refused, and the id it had, if that much of it was sound.
#[derive(Debug, PartialEq)]
pub struct Refused {
    pub fault: Fault,
    pub id: Value,
}

/// Reads a body. JSON nested deeper than 128 levels is not read.
pub fn read(bytes: &[u8]) -> Result<Body, Fault> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Array(messages)) if messages.is_empty() || messages.len() > MAX_BATCH => {
            Err(Fault::BatchLength(messages.len()))
        }
        Ok(Value::Array(messages)) => Ok(Body::Batch(messages)),
        Ok(message) => Ok(Body::One(message)),
        Err(_) if bytes.is_empty() => Err(Fault::NotJson("it is empty".to_owned())),
        Err(error) => Err(Fault::NotJson(error.to_string())),
    }
}

/// The kind of a message. A response is refused: this server asks its clients nothing.
pub fn kind(message: &Value) -> Result<Kind, Refused> {
    let bad = |why| Refused { fault: Fault::NotAMessage(why), id: id_of(message) };
    let Some(members) = message.as_object() else {
        return Err(bad("it is no object"));
    };
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(bad("`jsonrpc` must be \"2.0\""));
    }
    let Some(method) = members.get("method") else {
        let answers = members.contains_key("result") || members.contains_key("error");
        return Err(bad(if answers { "responses are not expected here" } else { "`method` is missing" }));
    };
    let Some(method) = method.as_str() else {
        return Err(bad("`method` must be a text"));
    };
    let kind = match members.get("id") {
        None => Kind::Notification,
        Some(id) if is_id(id) => Kind::Request { is_initialize: method == "initialize" },
        Some(_) => return Err(bad("`id` must be a text or a whole number")),
    };
    if members.get("params").is_some_and(|params| !params.is_object()) {
        return Err(Refused { fault: Fault::Params, id: id_of(message) });
    }
    Ok(kind)
}

/// The id of a message, or `null`.
pub fn id_of(message: &Value) -> Value {
    message.get("id").filter(|id| is_id(id)).cloned().unwrap_or_default()
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn kinds() {
        let request = |is_initialize| Ok(Kind::Request { is_initialize });
        let bad = |id: Value, why| Err(Refused { fault: Fault::NotAMessage(why), id });
        let cases = [
            (json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}), request(false)),
            (json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {}}), request(true)),
            (json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), Ok(Kind::Notification)),
            (json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}), bad(json!(1), "`jsonrpc` must be \"2.0\"")),
            (json!({"id": 1, "method": "ping"}), bad(json!(1), "`jsonrpc` must be \"2.0\"")),
            (json!({"jsonrpc": "2.0", "id": 1}), bad(json!(1), "`method` is missing")),
            (json!({"jsonrpc": "2.0", "id": 1, "result": {}}), bad(json!(1), "responses are not expected here")),
            (json!({"jsonrpc": "2.0", "id": 1, "method": 5}), bad(json!(1), "`method` must be a text")),
            (
                json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
                bad(Value::Null, "`id` must be a text or a whole number"),
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}),
                bad(Value::Null, "`id` must be a text or a whole number"),
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}),
                Err(Refused { fault: Fault::Params, id: json!(1) }),
            ),
            (json!("ping"), bad(Value::Null, "it is no object")),
        ];
        for (message, expected) in cases {
            assert_eq!(kind(&message), expected, "{message}");
        }
    }

    #[test]
    fn bodies() {
        assert_eq!(read(b"[1]"), Ok(Body::Batch(vec![json!(1)])));
        assert_eq!(read(b"[]"), Err(Fault::BatchLength(0)));
        assert_eq!(read(b"{}"), Ok(Body::One(json!({}))));
        for hopeless in ["", "{", "{\"a\":\u{1}}", &"[".repeat(5000)] {
            assert!(matches!(read(hopeless.as_bytes()), Err(Fault::NotJson(_))), "{hopeless}");
        }
        let many = format!("[{}]", vec!["1"; MAX_BATCH + 1].join(","));
        assert_eq!(read(many.as_bytes()), Err(Fault::BatchLength(MAX_BATCH + 1)));
    }
}
