//! Progress of jobs, as the official SDK's client meets it: notifications on the call's own stream, and cancelling.

use crate::support::Api;
use rmcp::model::*;
use rmcp::service::{NotificationContext, PeerRequestOptions, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

const PATIENCE: Duration = Duration::from_secs(60);

/// Hands on what it is notified of.
struct Listener(UnboundedSender<ProgressNotificationParam>);

impl ClientHandler for Listener {
    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let _ = self.0.send(progress);
    }
}

type Connected = (RunningService<RoleClient, Listener>, UnboundedReceiver<ProgressNotificationParam>);

async fn connect(api: &Api, mode: ClientLifecycleMode) -> Connected {
    let config = StreamableHttpClientTransportConfig::with_uri(format!("http://{}/mcp", api.addr));
    let (sender, received) = unbounded_channel();
    let transport = StreamableHttpClientTransport::from_config(config);
    (Listener(sender).serve_with_lifecycle(transport, mode).await.expect("a connection"), received)
}

fn modes() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions }]
}

fn job_call(name: &str) -> ClientRequest {
    let Value::Object(arguments) = json!({"behave": "job", "job": name}) else { unreachable!() };
    ClientRequest::CallToolRequest(Request::new(CallToolRequestParams::new("svc-test").with_arguments(arguments)))
}

fn run(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { tokio::time::timeout(PATIENCE, work).await.expect("nobody waits for ever") });
}

#[test]
fn a_client_with_a_token_is_told_of_progress_and_gets_the_answer() {
    let api = Api::new();
    for (mode, name) in modes().into_iter().zip(["told", "told without handshake"]) {
        run(async {
            let (client, mut progress) = connect(&api, mode).await;
            let call = client.send_cancellable_request(job_call(name), PeerRequestOptions::no_options()).await;
            let call = call.expect("it is sent");
            for done in 0..3 {
                let told = progress.recv().await.expect("progress");
                assert_eq!((told.progress, told.total), (f64::from(done), Some(3.0)));
                assert_eq!(told.message, Some(format!("step {done} of 3")));
                api.ok("svc-test", json!({"behave": "step", "job": name}));
            }
            let answer = call.await_response().await.expect("an answer");
            let ServerResult::CallToolResult(answer) = answer else { panic!("{answer:?}") };
            let text = &answer.content[0].as_text().expect("a text").text;
            assert_eq!((text.as_str(), answer.is_error), ("{steps:3}", Some(false)));
        });
    }
}

#[test]
fn a_cancelled_call_cancels_its_job() {
    let api = Api::new();
    for (mode, name) in modes().into_iter().zip(["cancelled", "cancelled without handshake"]) {
        run(async {
            let (client, mut progress) = connect(&api, mode).await;
            let call = client.send_cancellable_request(job_call(name), PeerRequestOptions::no_options()).await;
            progress.recv().await.expect("progress");
            call.expect("it is sent").cancel(None).await.expect("it is sent");
            let last = || api.ok("svc-read-job", json!({}))["jobs"].as_array().expect("jobs").last().cloned();
            loop {
                let job = last().expect("the job");
                if job["state"] == "cancelled" {
                    break;
                }
                assert_eq!(job["state"], "running");
                tokio::task::yield_now().await;
            }
        });
    }
}

/// The SDK's client closes its stream when it cancels, which says as much; another one need not.
#[test]
fn a_notification_alone_cancels() {
    let api = Api::new();
    let mut params = json!({"name": "svc-test", "arguments": {"behave": "job", "job": "notified"}});
    params["_meta"] = json!({"progressToken": 1});
    let body = super::request("tools/call", &params).to_string();
    let mut open = crate::http::Client::connect(api.addr);
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}MCP-Protocol-Version: 2025-11-25\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        api.addr.port(),
        super::BOTH_TYPES,
        body.len()
    );
    open.send(format!("{head}{body}").as_bytes());
    let wait_for = |state: &str| {
        let end = Instant::now() + PATIENCE;
        while api.ok("svc-read-job", json!({}))["jobs"][0]["state"] != state {
            assert!(Instant::now() < end, "the job is never {state}");
        }
    };
    wait_for("running");
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    assert_eq!(super::post(&api, super::BOTH_TYPES, &cancelled.to_string()).status, 202);
    wait_for("cancelled");
    drop(open);
}

/// Without a token, or without streams, nothing is told, and the job's id is the answer.
#[test]
fn who_reads_no_stream_gets_the_id() {
    let api = Api::new();
    let params = |name: &str| json!({"name": "svc-test", "arguments": {"behave": "job", "job": name}});
    let result = super::ask(&api, super::MODERN, "", "tools/call", params("no token"));
    assert!(super::texts(&result)[0].starts_with("{job:{id:\"job-1\""), "{result}");

    let mut with_token = params("no stream");
    with_token["_meta"] = json!({"progressToken": 1});
    let message = super::request("tools/call", &with_token);
    for (headers, body) in [
        ("Accept: application/json\r\nMCP-Protocol-Version: 2025-11-25\r\n", message.clone()),
        (super::BOTH_TYPES, json!([message])),
    ] {
        let reply = super::post(&api, headers, &body.to_string()).json();
        let answer = reply.get(0).unwrap_or(&reply);
        assert!(super::texts(&answer["result"])[0].starts_with("{job:{id:"), "{reply}");
    }
}
