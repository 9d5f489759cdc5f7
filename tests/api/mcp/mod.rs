//! The Model Context Protocol as a client meets it: messages over real HTTP, in both generations.

mod messages;
mod offers;
#[cfg(feature = "test-tools")]
mod progress;
mod same;
mod tools;

use crate::http::{Client, Reply};
use crate::support::Api;
use serde_json::{Value, json};

/// The versions that begin with `initialize`.
const LEGACY: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];
pub const MODERN: &str = "2026-07-28";
const BOTH_TYPES: &str = "Accept: application/json, text/event-stream\r\n";

/// A POST to the endpoint, byte for byte.
fn post(api: &Api, headers: &str, body: &str) -> Reply {
    let reply = Client::connect(api.addr).request("POST", "/mcp", headers, body);
    if reply.status == 202 {
        assert!(reply.body.is_empty(), "202 has no body: {:?}", reply.body);
    } else {
        assert_eq!(reply.header("content-type"), Some("application/json"), "{body}");
        reply.json();
    }
    assert_eq!(reply.header("mcp-session-id"), None, "there are no sessions");
    reply
}

/// A request as a client of that version sends it: its whole answer.
pub fn ask_with(api: &Api, version: &str, headers: &str, method: &str, mut params: Value) -> Reply {
    let mut headers = format!("{BOTH_TYPES}MCP-Protocol-Version: {version}\r\n{headers}");
    if version == MODERN {
        headers += &format!("Mcp-Method: {method}\r\n");
        if let Some(name) = params.get("name").or(params.get("uri")).and_then(Value::as_str) {
            headers += &format!("Mcp-Name: {name}\r\n");
        }
        params["_meta"] = meta(MODERN);
    }
    post(api, &headers, &request(method, &params).to_string())
}

/// A request that is answered: its result.
pub fn ask(api: &Api, version: &str, headers: &str, method: &str, params: Value) -> Value {
    let reply = ask_with(api, version, headers, method, params);
    assert_eq!(reply.status, 200, "{version} {method}: {}", reply.json());
    let mut body = reply.json();
    assert_eq!((&body["jsonrpc"], &body["id"]), (&json!("2.0"), &json!(7)), "{body}");
    assert!(body.get("error").is_none(), "{version} {method}: {body}");
    assert_eq!(
        body["result"].get("resultType"),
        (version == MODERN).then(|| json!("complete")).as_ref(),
        "{version} {method}: {body}"
    );
    body["result"].take()
}

fn request(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn initialize(version: &str) -> Value {
    let client = json!({"name": "test", "version": "1"});
    request("initialize", &json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client}))
}

/// What a server says that it can do, in that version.
pub fn capabilities(api: &Api, version: &str) -> Value {
    let mut told = match version {
        MODERN => ask(api, version, "", "server/discover", json!({})),
        _ => post(api, BOTH_TYPES, &initialize(version).to_string()).json()["result"].take(),
    };
    told["capabilities"].take()
}

/// The texts of a tool's result.
fn texts(result: &Value) -> Vec<String> {
    let items = result["content"].as_array().expect("items").iter();
    items
        .map(|item| {
            assert_eq!(item["type"], "text", "{item}");
            item["text"].as_str().expect("a text").to_owned()
        })
        .collect()
}
