//! What an error repeats of what was sent is short, wherever it was sent: at most 200 characters in each text.

use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;

/// In no text of ours.
const MARK: &str = "quokka";
const MAX_ECHO_CHARS: usize = 200;
/// Where an answer speaks of the call that went well.
const SAID: [&str; 2] = ["/warnings", "/detail"];

fn long() -> String {
    MARK.repeat(1000)
}

/// How many characters of the marks a text repeats.
fn echoed(text: &str) -> usize {
    text.matches(MARK).count() * MARK.len()
}

/// The texts of an answer that repeat too much, and where they stand.
fn find_long_echoes(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) => look_at(text, place, found),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                find_long_echoes(item, &format!("{place}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                look_at(name, place, found);
                find_long_echoes(member, &format!("{place}/{name}"), found);
            }
        }
        _ => {}
    }
}

fn look_at(text: &str, place: &str, found: &mut Vec<String>) {
    if echoed(text) > MAX_ECHO_CHARS {
        let start: String = text.chars().take(120).collect();
        found.push(format!("{place}: {} characters of {start}", echoed(text)));
    }
}

/// Values of a parameter that say nothing, at length: alone, as a part of what is read, as many.
fn long_values(schema: &Value, folder: &Path) -> Vec<Value> {
    let mark = long();
    let texts = [
        mark.clone(),
        format!("t0/{mark}"),
        format!("t0[{mark}]"),
        format!("loc:{mark}"),
        format!("1|1,{mark}"),
        format!("{mark}=1"),
        format!("/{mark}"),
        format!("{}/{mark}", folder.display()),
        format!("{}1", "quokka,".repeat(1000)),
        format!("{}1", "t0/quokka,".repeat(200)),
    ];
    let mut values: Vec<Value> = texts.iter().map(|text| json!(text)).collect();
    values.extend([json!([mark]), json!({ "a": mark }), json!({ &mark: 1 }), json!(vec![MARK; 500])]);
    let fields = schema.pointer("/items/properties").and_then(Value::as_object);
    for (name, field) in fields.into_iter().flatten() {
        let words = field.get("enum").and_then(Value::as_array).cloned().unwrap_or_else(|| vec![json!("get")]);
        for word in words {
            values.push(json!([{ "type": word, "path": "live_set", "property": mark, "method": mark, "value": mark }]));
            values.push(json!([{ "type": word, "path": mark, "property": "name", "method": "x", "args": [mark] }]));
        }
        values.push(json!([{ name: mark }]));
    }
    values
}

#[test]
fn errors_repeat_at_most_200_characters() {
    let folder = tempfile::tempdir().unwrap();
    let api = Api::in_folder(folder.path());
    let raw = "x-svc-live-api: true\r\n";
    let tools = api.request("GET", "/api/tools", raw, "").json();
    let mut found = Vec::new();
    let mut look = |what: &str, headers: &str, target: &str, body: &Value| {
        let reply = api.post(target, &format!("{raw}{headers}"), body).json();
        let mut long = Vec::new();
        find_long_echoes(&reply, "", &mut long);
        // A call that goes well may show what it wrote; what it says of the call counts all the same.
        let is_said = |echo: &String| reply["isError"] != json!(false) || SAID.iter().any(|name| echo.contains(name));
        long.retain(is_said);
        found.extend(long.into_iter().map(|echo| format!("{what}: {echo}")));
    };
    let others = [
        json!({ "path": "t0/s0" }),
        json!({ "path": "live_set", "action": "play", "type": "track", "scope": "project" }),
        json!({ "path": "t0/d0", "toPath": "t1/d0", "action": "write", "scope": "memory", "name": "a" }),
    ];
    let of_library = ["list-categories", "list-tags", "list-plugins", "search", "find-similar", "find-duplicates"];
    let of_library = of_library.map(|action| json!({ "action": action }));
    for tool in tools["tools"].as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        let target = format!("/api/tools/{name}");
        look(name, "", &target, &json!({ long(): 1 }));
        let many: serde_json::Map<String, Value> = (0..500).map(|n| (format!("{MARK}{n}"), json!(1))).collect();
        look(name, "", &target, &Value::Object(many));
        for (param, schema) in tool["inputSchema"]["properties"].as_object().expect("parameters") {
            for value in long_values(schema, folder.path()) {
                let of_tool = if name == "svc-library" { &of_library[..] } else { &[] };
                for other in others.iter().chain(of_tool) {
                    let mut arguments = other.clone();
                    arguments[param] = value.clone();
                    look(&format!("{name} {param}"), "", &target, &arguments);
                }
            }
        }
    }
    assert!(found.is_empty(), "{} echoes are long:\n{}", found.len(), found.join("\n"));
}

#[test]
fn what_the_server_refuses_is_repeated_shortly() {
    let api = Api::new();
    let mark = long();
    let path = "/api/tools/svc-read-live-set";
    let config = |member: &str, value: Value| json!({ member: value }).to_string();
    let cases = [
        ("GET", format!("/{mark}"), String::new(), String::new()),
        ("POST", format!("/api/tools/{mark}"), String::new(), "{}".to_owned()),
        ("POST", format!("{path}?format={mark}"), String::new(), "{}".to_owned()),
        ("POST", format!("{path}?timeoutMs={mark}"), String::new(), "{}".to_owned()),
        (&mark[..60], "/config".to_owned(), String::new(), String::new()),
        ("GET", "/config".to_owned(), format!("Origin: http://{mark}\r\n"), String::new()),
        ("POST", "/config".to_owned(), String::new(), config("tools", json!([mark]))),
        ("POST", "/config".to_owned(), String::new(), config("tools", json!(vec![MARK; 1000]))),
        ("POST", "/config".to_owned(), String::new(), config("notation", json!(mark))),
        ("POST", "/config".to_owned(), String::new(), config("sampleFolder", json!(mark))),
        ("POST", "/config".to_owned(), String::new(), config("allowedFolders", json!([mark]))),
        ("POST", "/config".to_owned(), String::new(), config(&mark, json!(1))),
        ("POST", "/mcp".to_owned(), String::new(), rpc(&mark, json!({}))),
        ("POST", "/mcp".to_owned(), String::new(), rpc("tools/call", json!({ "name": mark }))),
        ("POST", "/mcp".to_owned(), String::new(), rpc("prompts/get", json!({ "name": mark }))),
        ("POST", "/mcp".to_owned(), String::new(), rpc("resources/read", json!({ "uri": mark }))),
        ("POST", "/mcp".to_owned(), String::new(), rpc("tools/list", json!({ "cursor": mark }))),
        ("POST", "/mcp".to_owned(), String::new(), rpc("initialize", json!({ "protocolVersion": mark }))),
        ("POST", "/mcp".to_owned(), format!("mcp-protocol-version: {mark}\r\n"), rpc("tools/list", json!({}))),
    ];
    let version = |version: &str| format!("mcp-protocol-version: {version}\r\n");
    let modern = |more: &str| format!("{}{more}", version("2026-07-28"));
    let meta = |member: &str| json!({ "_meta": { format!("io.modelcontextprotocol/{member}"): mark } });
    let handshake =
        json!({ "protocolVersion": mark, "clientInfo": { "name": "x", "version": "1" }, "capabilities": {} });
    let over_mcp = [
        (version("2025-06-18"), rpc("initialize", handshake)),
        (modern(&format!("mcp-method: {mark}\r\n")), rpc("initialize", json!({}))),
        (modern(&format!("mcp-method: {mark}\r\n")), rpc("tools/list", json!({}))),
        (modern("mcp-method: x\r\n"), rpc(&mark, json!({}))),
        (modern("mcp-method: tools/call\r\n"), rpc("tools/call", json!({ "name": mark }))),
        (modern(&format!("mcp-method: tools/call\r\nmcp-name: {mark}\r\n")), rpc("tools/call", json!({ "name": "x" }))),
        (modern("mcp-method: tools/list\r\n"), rpc("tools/list", meta("protocolVersion"))),
        (modern("mcp-method: tools/list\r\n"), rpc("tools/list", meta("clientInfo"))),
    ];
    let over_mcp = over_mcp.into_iter().map(|(headers, body)| ("POST", "/mcp".to_owned(), headers, body));
    let mut found = Vec::new();
    for (method, target, headers, body) in cases.into_iter().chain(over_mcp) {
        let reply = api.request(method, &target, &headers, &body).json();
        let mut long = Vec::new();
        find_long_echoes(&reply, "", &mut long);
        let start: String = format!("{target} {headers}{body}").chars().take(80).collect();
        found.extend(long.into_iter().map(|echo| format!("{method} {start}: {echo}")));
    }
    assert!(found.is_empty(), "{} echoes are long:\n{}", found.len(), found.join("\n"));
}

fn rpc(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}
