//! `subscriptions/listen`, as the official SDK's client meets it.

use crate::mcp::{MODERN, ask_with, capabilities};
use crate::support::Api;
use rmcp::model::*;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{ClientLifecycleMode, ClientServiceExt};
use serde_json::json;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

fn run(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { tokio::time::timeout(PATIENCE, work).await.expect("nobody waits for ever") });
}

#[test]
fn who_listens_is_told_of_resources_and_lists() {
    let api = Api::new();
    let clip = api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    let of_clip = format!("svc://clips/{}", clip["id"].as_str().expect("an id"));
    run(async {
        let transport = StreamableHttpClientTransport::from_uri(format!("http://{}/mcp", api.addr));
        let mode = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
        let client = ().serve_with_lifecycle(transport, mode).await.expect("a connection");
        let wanted = [of_clip.as_str(), "svc://tracks/1", "svc://skills", "svc://nonsense"];
        let filter = SubscriptionFilter::builder().tools_list_changed().resource_subscriptions(wanted).build();
        let mut subscription = client.listen(filter).await.expect("a subscription");
        let accepted = subscription.acknowledged().clone();
        assert_eq!(accepted.resource_subscriptions.as_deref(), Some(&wanted.map(str::to_owned)[..3]));
        assert_eq!(accepted.tools_list_changed, Some(true));
        // What is not asked for is not told: each act tells of this and of nothing before it.
        api.ok("svc-update-live-set", json!({"tempo": 99}));
        api.ok("svc-update-clip", json!({"path": "t0/s0", "name": "Bass"}));
        assert_eq!(told(&mut subscription).await, of_clip);
        api.ok("svc-update-track", json!({"path": "t1", "name": "Two"}));
        assert_eq!(told(&mut subscription).await, "svc://tracks/1");
        api.post("/config", "", &json!({"notation": "stark"}));
        assert_eq!(told(&mut subscription).await, "svc://skills");
        api.post("/config", "", &json!({"liveApiEnabled": true}));
        let mut both = vec![told(&mut subscription).await, told(&mut subscription).await];
        both.sort();
        assert_eq!(both, ["svc://skills", "tools"]);
        assert!(api.device.events().has_readers());
        drop(client);
    });
}

async fn told(subscription: &mut rmcp::service::Subscription) -> String {
    match subscription.next().await.expect("a stream").expect("a notification") {
        ServerNotification::ResourceUpdatedNotification(updated) => updated.params.uri,
        ServerNotification::ToolListChangedNotification(_) => "tools".to_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_those_versions_say_so_that_can_be_told() {
    let api = Api::new();
    for version in ["2025-03-26", "2025-11-25"] {
        let found = capabilities(&api, version);
        assert!(
            found["resources"].get("subscribe").is_none() && found["tools"].get("listChanged").is_none(),
            "{found}"
        );
    }
    let found = capabilities(&api, MODERN);
    assert_eq!((&found["resources"]["subscribe"], &found["tools"]["listChanged"]), (&json!(true), &json!(true)));
}

#[test]
fn listening_takes_a_stream_and_a_filter() {
    let api = Api::new();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen", "params": params});
    let headers = "Accept: application/json\r\nMcp-Method: subscriptions/listen\r\n";
    let refused = api.post("/mcp", &format!("{headers}MCP-Protocol-Version: {MODERN}\r\n"), &body);
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (406, &json!(-32600)));
    let refused = ask_with(&api, MODERN, "", "subscriptions/listen", json!({"notifications": 5}));
    assert_eq!(refused.json()["error"]["code"], -32602);
}
