//! What a line from the client is, as far as HTTP has to know.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

const VERSION_KEY: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// A message of the client's.
#[derive(Debug, Default, PartialEq)]
pub struct Message {
    /// What an answer is owed to; a notification has none. Of what is no single JSON-RPC message nothing is known, and
    /// the device says so.
    pub id: Option<Value>,
    pub method: Option<String>,
    /// The version that the message itself names: the generation without a handshake does so in each.
    pub version: Option<String>,
    /// What it is about, which that generation repeats in a header.
    pub name: Option<String>,
    /// Of a cancellation: the id of the request that is cancelled.
    pub cancels: Option<Value>,
}

impl Message {
    pub fn read(line: &str) -> Message {
        let Ok(value) = serde_json::from_str::<Value>(line) else { return Message::default() };
        let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let method = text("/method");
        let cancelled = method.as_deref() == Some("notifications/cancelled");
        Message {
            id: value.get("id").filter(|id| !id.is_null()).cloned(),
            version: text(VERSION_KEY),
            name: text("/params/name").or_else(|| text("/params/uri")),
            cancels: value.pointer("/params/requestId").filter(|_| cancelled).cloned(),
            method,
        }
    }

    /// Whether the client waits for an answer.
    pub fn is_answered(&self) -> bool {
        self.id.is_some() || self.method.is_none()
    }

    /// The headers that repeat what the message says.
    pub fn headers(&self, agreed: Option<&str>) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        if let Some(version) = self.version.as_deref().or(agreed).filter(|text| is_plain(text)) {
            headers.push(("mcp-protocol-version", version.to_owned()));
        }
        if self.version.is_some() {
            headers.extend(self.method.as_deref().map(|method| ("mcp-method", in_header(method))));
            headers.extend(self.name.as_deref().map(|name| ("mcp-name", in_header(name))));
        }
        headers
    }
}

/// A header carries visible ASCII with spaces inside.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// A value as the protocol writes it into a header: in base64 where it cannot stand there by itself.
fn in_header(text: &str) -> String {
    let encoded_looking = text.starts_with("=?base64?") && text.ends_with("?=");
    match is_plain(text) && !encoded_looking {
        true => text.to_owned(),
        false => format!("=?base64?{}?=", STANDARD.encode(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines() {
        let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "svc-connect"}});
        let mut modern = call.clone();
        modern["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
        let mut odd = modern.clone();
        odd["params"]["name"] = json!("Bäss\n");
        let version = |text: &str| ("mcp-protocol-version", text.to_owned());
        let method = ("mcp-method", "tools/call".to_owned());
        for (line, answered, headers) in [
            (call.to_string(), true, vec![version("2025-06-18")]),
            (
                modern.to_string(),
                true,
                vec![version("2026-07-28"), method.clone(), ("mcp-name", "svc-connect".to_owned())],
            ),
            (
                odd.to_string(),
                true,
                vec![version("2026-07-28"), method, ("mcp-name", "=?base64?QsOkc3MK?=".to_owned())],
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
                false,
                vec![version("2025-06-18")],
            ),
            ("[]".to_owned(), true, vec![version("2025-06-18")]),
            ("{}".to_owned(), true, vec![version("2025-06-18")]),
            ("{".to_owned(), true, vec![version("2025-06-18")]),
        ] {
            let message = Message::read(&line);
            assert_eq!((message.is_answered(), message.headers(Some("2025-06-18"))), (answered, headers), "{line}");
        }
        let line = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#;
        assert_eq!(Message::read(line).cancels, Some(json!("a")));
        assert_eq!(Message::read(&call.to_string()).cancels, None);
    }
}
