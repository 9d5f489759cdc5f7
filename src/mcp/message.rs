//! The JSON-RPC of a body: one message or a batch, and of which kind. What a message means is not looked at here.

use super::protocol::MAX_BATCH;
use super::rpc_error::RpcError;
use serde_json::Value;

/// What a body holds.
#[derive(Debug, PartialEq)]
pub enum Body {
    One(Value),
    Batch(Vec<Value>),
}

/// What a message is.
#[derive(Debug, PartialEq)]
pub enum MessageKind {
    Request { is_initialize: bool },
    Notification,
}

/// A message that was refused, and its id, if that much of it could be read.
#[derive(Debug, PartialEq)]
pub struct RefusedMessage {
    pub error: RpcError,
    pub id: Value,
}

/// Reads a body. JSON nested deeper than 128 levels is not read.
pub fn read(bytes: &[u8]) -> Result<Body, RpcError> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Array(messages)) if messages.is_empty() || messages.len() > MAX_BATCH => {
            Err(RpcError::BatchLength(messages.len()))
        }
        Ok(Value::Array(messages)) => Ok(Body::Batch(messages)),
        Ok(message) => Ok(Body::One(message)),
        Err(_) if bytes.is_empty() => Err(RpcError::NotJson("it is empty".to_owned())),
        Err(error) => Err(RpcError::NotJson(error.to_string())),
    }
}

/// The kind of a message. A response is refused: this server asks its clients nothing.
pub fn kind(message: &Value) -> Result<MessageKind, RefusedMessage> {
    let bad = |why| RefusedMessage { error: RpcError::NotAMessage(why), id: id_of(message) };
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
        None => MessageKind::Notification,
        Some(id) if is_id(id) => MessageKind::Request { is_initialize: method == "initialize" },
        Some(_) => return Err(bad("`id` must be a text or a whole number")),
    };
    if members.get("params").is_some_and(|params| !params.is_object()) {
        return Err(RefusedMessage { error: RpcError::Params, id: id_of(message) });
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
        let request = |is_initialize| Ok(MessageKind::Request { is_initialize });
        let bad = |id: Value, why| Err(RefusedMessage { error: RpcError::NotAMessage(why), id });
        let cases = [
            (json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}), request(false)),
            (json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {}}), request(true)),
            (json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), Ok(MessageKind::Notification)),
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
                Err(RefusedMessage { error: RpcError::Params, id: json!(1) }),
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
        assert_eq!(read(b"[]"), Err(RpcError::BatchLength(0)));
        assert_eq!(read(b"{}"), Ok(Body::One(json!({}))));
        for hopeless in ["", "{", "{\"a\":\u{1}}", &"[".repeat(5000)] {
            assert!(matches!(read(hopeless.as_bytes()), Err(RpcError::NotJson(_))), "{hopeless}");
        }
        let many = format!("[{}]", vec!["1"; MAX_BATCH + 1].join(","));
        assert_eq!(read(many.as_bytes()), Err(RpcError::BatchLength(MAX_BATCH + 1)));
    }
}
