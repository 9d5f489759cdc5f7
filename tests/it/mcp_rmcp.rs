//! The device through the client of the official Rust SDK, `rmcp`, in every version of the protocol that it speaks: by
//! address, and by command (`svc-device mcp`).

use crate::support::child::{Device, PATIENCE};
use axum::http::{HeaderName, HeaderValue};
use rmcp::model::*;
use rmcp::service::{RunningService, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use std::future::Future;

type Client = RunningService<RoleClient, ClientConfig>;

/// How a client begins, and the version that must be agreed on.
#[derive(Clone, Debug)]
struct Handshake {
    mode: ClientLifecycleMode,
    asks_for: ProtocolVersion,
    agreed: ProtocolVersion,
}

fn handshakes() -> Vec<Handshake> {
    use ProtocolVersion as Version;
    let handshake = |asks_for: Version, agreed: Version| {
        let mode = ClientLifecycleMode::Initialize;
        Handshake { mode, asks_for, agreed }
    };
    let modern = vec![Version::V_2026_07_28];
    let without = |mode| Handshake { mode, asks_for: Version::V_2026_07_28, agreed: Version::V_2026_07_28 };
    vec![
        handshake(Version::V_2025_03_26, Version::V_2025_03_26),
        handshake(Version::V_2025_06_18, Version::V_2025_06_18),
        handshake(Version::V_2025_11_25, Version::V_2025_11_25),
        // One that is not served any more.
        handshake(Version::V_2024_11_05, Version::V_2025_11_25),
        without(ClientLifecycleMode::Discover { preferred_versions: modern.clone() }),
        without(ClientLifecycleMode::Auto { preferred_versions: modern, legacy_version: None }),
    ]
}

#[derive(Clone, Copy, Debug)]
enum Transport {
    Address,
    Command,
}

async fn connect(
    transport: Transport,
    device: &Device,
    handshake: &Handshake,
    headers: &[(&'static str, &'static str)],
) -> Client {
    let info = ClientConfig::new(ClientCapabilities::default(), Implementation::new("test", "1"))
        .with_protocol_version(handshake.asks_for.clone());
    let port = device.addr().port();
    let connected = match transport {
        Transport::Address => {
            let chosen = headers
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
                .collect();
            let config = StreamableHttpClientTransportConfig::with_uri(format!("http://127.0.0.1:{port}/mcp"))
                .custom_headers(chosen);
            let transport = StreamableHttpClientTransport::from_config(config);
            info.serve_with_lifecycle(transport, handshake.mode.clone()).await
        }
        Transport::Command => {
            let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_svc-device"));
            command.args(["mcp", "--port", &port.to_string()]);
            command.args(headers.iter().flat_map(|(name, value)| ["--header".to_owned(), format!("{name}:{value}")]));
            let transport = TokioChildProcess::new(command).expect("svc-device starts");
            info.serve_with_lifecycle(transport, handshake.mode.clone()).await
        }
    };
    connected.unwrap_or_else(|error| panic!("{transport:?} {handshake:?}: {error}"))
}

async fn call(client: &Client, tool: &'static str, arguments: Value) -> Result<CallToolResult, ErrorData> {
    let Value::Object(arguments) = arguments else { panic!("{arguments} is no object") };
    protocol_error(client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await)
}

/// What the server answered. Anything that is no answer of the protocol is a failure of the test.
fn protocol_error<T>(answered: Result<T, ServiceError>) -> Result<T, ErrorData> {
    match answered {
        Ok(answer) => Ok(answer),
        Err(ServiceError::McpError(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

fn text(block: &ContentBlock) -> &str {
    &block.as_text().unwrap_or_else(|| panic!("no text: {block:?}")).text
}

fn resource_text(read: &ReadResourceResult) -> &str {
    match read.contents.as_slice() {
        [ResourceContents::TextResourceContents { text, .. }] => text,
        other => panic!("not one text: {other:?}"),
    }
}

/// What a client without headers of its own finds.
async fn plain(client: &Client, agreed: &ProtocolVersion) {
    let server = client.peer_info().expect("the server was met");
    assert_eq!(server.protocol_version, *agreed);
    assert_eq!(server.server_info.as_ref().map(|info| info.name.as_str()), Some("svc-device"));
    assert!(server.instructions.as_ref().is_some_and(|text| text.contains("Call svc-connect first")), "{server:?}");

    let tools = client.list_all_tools().await.expect("tools");
    let tool = |name: &str| tools.iter().find(|tool| tool.name == name);
    let hints = |name: &str| tool(name).and_then(|tool| tool.annotations.clone()).unwrap_or_default();
    assert!(tool("svc-connect").is_some() && tool("svc-live-api").is_none());
    assert_eq!(hints("svc-read-live-set").read_only_hint, Some(true));
    assert_eq!(hints("svc-delete").destructive_hint, Some(true));

    let connected = call(client, "svc-connect", json!({})).await.expect("an answer");
    assert_eq!(connected.is_error, Some(false), "{connected:?}");
    assert!(connected.content.len() >= 3 && text(&connected.content[0]).starts_with("{connected:true,"));

    let slot = json!({"path": "t0/s0", "notes": "v100 n/4 C3 1|1,3", "nonsense": 1});
    let made = call(client, "svc-create-clip", slot).await.expect("an answer");
    assert_eq!(made.is_error, Some(false), "{made:?}");
    let last = made.content.last().map(text).unwrap_or_default();
    assert!(last.starts_with("WARNING: ") && last.contains("nonsense"), "a warning is an item of its own: {made:?}");

    let wanted = json!({"path": "t0/s0", "include": ["notes", "image"]});
    let read = call(client, "svc-read-clip", wanted).await.expect("an answer");
    assert!(text(&read.content[0]).contains("C3") && read.structured_content.is_none(), "{read:?}");
    let picture = read.content[1].as_image().expect("a picture");
    assert!(picture.mime_type == "image/png" && picture.data.starts_with("iVBORw0KGgo"), "{picture:?}");

    let refused = call(client, "svc-read-track", json!({"path": "t99"})).await.expect("an answer");
    assert!(refused.is_error == Some(true) && text(&refused.content[0]).contains("t99"), "{refused:?}");
    let unreadable = call(client, "svc-read-track", json!({"path": {}})).await.expect("an answer");
    assert!(unreadable.is_error == Some(true) && text(&unreadable.content[0]).contains("path"), "{unreadable:?}");
    let unknown = call(client, "svc-nonsense", json!({})).await.expect_err("there is no such tool");
    assert_eq!(unknown.code, ErrorCode::INVALID_PARAMS, "{unknown:?}");
    // A call that failed spoils nothing for the next.
    assert_eq!(client.list_all_tools().await.expect("tools").len(), tools.len());

    offers(client, agreed).await;
}

/// What there is beside tools.
async fn offers(client: &Client, agreed: &ProtocolVersion) {
    let uris: Vec<String> = client
        .list_all_resources()
        .await
        .expect("resources")
        .into_iter()
        .map(|resource| resource.uri.clone())
        .collect();
    assert_eq!(uris, ["svc://live-set", "svc://skills"]);
    let templates: Vec<String> = client
        .list_all_resource_templates()
        .await
        .expect("templates")
        .into_iter()
        .map(|template| template.uri_template.clone())
        .collect();
    assert_eq!(templates, ["svc://skills/{part}", "svc://tracks/{n}", "svc://clips/{id}"]);

    let read = async |uri: &str| protocol_error(client.read_resource(ReadResourceRequestParams::new(uri)).await);
    let live_set = read("svc://live-set").await.expect("the Set");
    let live_set: Value = serde_json::from_str(resource_text(&live_set)).expect("JSON");
    assert_eq!(live_set["tempo"], 120);
    let track = read("svc://tracks/0").await.expect("a track");
    let track: Value = serde_json::from_str(resource_text(&track)).expect("JSON");
    let clip = track["sessionClips"][0]["id"].as_str().unwrap_or_else(|| panic!("no clip: {track}")).to_owned();
    let clip = read(&format!("svc://clips/{clip}")).await.expect("a clip");
    assert!(resource_text(&clip).contains("C3"), "{clip:?}");
    assert!(resource_text(&read("svc://skills").await.expect("skills")).starts_with('#'));
    let missing = read("svc://tracks/99").await.expect_err("there is no such track");
    // The version without a handshake gave up the code of its own.
    let code = if agreed.has_initialize() { ErrorCode::RESOURCE_NOT_FOUND } else { ErrorCode::INVALID_PARAMS };
    assert_eq!(missing.code, code, "{missing:?}");

    let prompts: Vec<String> =
        client.list_all_prompts().await.expect("prompts").into_iter().map(|prompt| prompt.name.clone()).collect();
    assert_eq!(prompts, ["start-session", "build-a-beat", "review-arrangement"]);
    let get = async |name: &str, arguments: Value| {
        let Value::Object(arguments) = arguments else { panic!("{arguments} is no object") };
        protocol_error(client.get_prompt(GetPromptRequestParams::new(name).with_arguments(arguments)).await)
    };
    let prompt = get("build-a-beat", json!({"style": "house"})).await.expect("a prompt");
    assert!(text(&prompt.messages[0].content).contains("house"), "{prompt:?}");
    let unknown = get("nonsense", json!({})).await.expect_err("there is no such prompt");
    assert_eq!(unknown.code, ErrorCode::INVALID_PARAMS, "{unknown:?}");
}

const PROFILE: [(&str, &str); 4] = [
    ("x-svc-disabled-tools", "svc-delete"),
    ("x-svc-live-api", "true"),
    ("x-svc-notation", "midi-json"),
    ("x-svc-format", "json"),
];

/// What one with the headers of `PROFILE` finds in the same device, after [`plain`].
async fn chosen(client: &Client, agreed: &ProtocolVersion) {
    let tools = client.list_all_tools().await.expect("tools");
    let has = |name: &str| tools.iter().any(|tool| tool.name == name);
    assert!(!has("svc-delete") && has("svc-live-api"));
    let withheld = call(client, "svc-delete", json!({"path": "t0/s0"})).await.expect_err("it is withheld");
    assert_eq!(withheld.code, ErrorCode::INVALID_PARAMS, "{withheld:?}");
    let read = call(client, "svc-read-clip", json!({"path": "t0/s0", "include": ["notes"]})).await.expect("an answer");
    let value = read.structured_content.as_ref().expect("a value");
    assert_eq!(value["notes"][0]["p"], 60, "{value}");
    assert_eq!(serde_json::from_str::<Value>(text(&read.content[0])).expect("JSON"), *value);
    let several = call(client, "svc-read-track", json!({"path": "t0,t1"})).await.expect("an answer");
    let list = several.structured_content.as_ref().map(Value::is_array);
    assert_eq!(list, (!agreed.has_initialize()).then_some(true), "{several:?}");
}

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { tokio::time::timeout(PATIENCE, work).await.expect("no client waits for ever") })
}

fn use_as_a_client(transport: Transport) {
    for handshake in handshakes() {
        let device = Device::start();
        run(async {
            let client = connect(transport, &device, &handshake, &[]).await;
            plain(&client, &handshake.agreed).await;
            let other = connect(transport, &device, &handshake, &PROFILE).await;
            chosen(&other, &handshake.agreed).await;
            // What one client chose is nothing to the other.
            assert!(client.list_all_tools().await.expect("tools").iter().any(|tool| tool.name == "svc-delete"));
            client.cancel().await.expect("it ends");
            other.cancel().await.expect("it ends");
        });
    }
}

#[test]
fn by_address() {
    use_as_a_client(Transport::Address);
}

#[test]
fn by_command() {
    use_as_a_client(Transport::Command);
}
