//! Progress of jobs, as the official SDK's client meets it: notifications on the call's own stream, and cancelling.

use crate::set_files::{as_jobs, in_folder, live_set, without_a_disk};
use crate::support::Api;
use rmcp::model::*;
use rmcp::service::{NotificationContext, PeerRequestOptions, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use std::path::Path;
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
    tool_call("svc-test", json!({"behave": "job", "job": name}))
}

fn tool_call(tool: &'static str, arguments: Value) -> ClientRequest {
    let Value::Object(arguments) = arguments else { unreachable!() };
    ClientRequest::CallToolRequest(Request::new(CallToolRequestParams::new(tool).with_arguments(arguments)))
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

/// One of the tools that take long; how far it is rises, and the answer follows on the same call.
#[test]
fn a_rendering_tells_of_its_progress() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C1 1|1,2,3,4"}));
    for mode in modes() {
        run(async {
            let (client, mut progress) = connect(&api, mode).await;
            let Value::Object(arguments) = json!({"path": "s0", "length": "20bar", "tail": 0}) else { unreachable!() };
            let params = CallToolRequestParams::new("svc-render").with_arguments(arguments);
            let call = ClientRequest::CallToolRequest(Request::new(params));
            let call = client.send_cancellable_request(call, PeerRequestOptions::no_options()).await;
            let answer = call.expect("it is sent").await_response().await.expect("an answer");
            let ServerResult::CallToolResult(answer) = answer else { panic!("{answer:?}") };
            assert_eq!(answer.is_error, Some(false), "{answer:?}");
            assert!(answer.content[0].as_text().expect("a text").text.contains("lufs"), "{answer:?}");
            let mut told = Vec::new();
            while let Ok(progress) = progress.try_recv() {
                told.push(progress);
            }
            // A fast rendering may end before its first steps are sent; only the last is certain.
            assert!(!told.is_empty() && told.is_sorted_by(|a, b| a.progress < b.progress), "{told:?}");
            let total = 20.0 * 96_000.0;
            assert!(told.iter().all(|told| told.total == Some(total) && told.progress <= total), "{told:?}");
            let names_it = |told: &ProgressNotificationParam| {
                told.message.as_ref().is_some_and(|words| words.starts_with("rendering s0: "))
            };
            assert!(told.iter().all(names_it), "{told:?}");
        });
    }
}

/// Has a Set opened or written, as a job that has to wait; gives the texts of the answer, and of the progress.
fn followed(api: &Api, mode: ClientLifecycleMode, action: &str, file: &Path) -> (Vec<String>, Vec<String>) {
    let (mut texts, mut told) = (Vec::new(), Vec::new());
    run(async {
        let others = as_jobs::occupy(api, &format!("before {action} {}", file.display()));
        let (client, mut progress) = connect(api, mode).await;
        let call = tool_call("svc-manage", json!({"action": action, "file": file}));
        let call = client.send_cancellable_request(call, PeerRequestOptions::no_options()).await;
        // Only who waits for more than a second is told of a job.
        let is_waiting = || {
            let jobs = api.ok("svc-read-job", json!({}))["jobs"].take();
            let ours = jobs.as_array().and_then(|jobs| jobs.iter().rfind(|job| job["tool"] == "svc-manage"));
            ours.is_some_and(|job| job["state"] == "waiting")
        };
        while !is_waiting() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        as_jobs::set_free(api, &others);
        let answer = call.expect("it is sent").await_response().await.expect("an answer");
        let ServerResult::CallToolResult(answer) = answer else { panic!("{answer:?}") };
        texts = answer.content.iter().filter_map(|item| item.as_text()).map(|item| item.text.clone()).collect();
        assert_eq!(answer.is_error, Some(false), "{texts:?}");
        let mut last = 0.0;
        loop {
            let news = progress.recv().await.expect("progress up to the end");
            let text = news.message.expect("a text");
            assert!(news.progress > last, "{} behind {last}: {text}", news.progress);
            last = news.progress;
            told.push(text);
            // A file that is read has a length, one that is written has none yet.
            if news.total == Some(last) || news.total.is_none() {
                break;
            }
        }
    });
    (texts, told)
}

/// Sets in files are told of up to their end.
#[test]
fn files_tell_how_far_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let (api, set) = (in_folder(folder.path()), live_set(folder.path()));
    let own = folder.path().join("own.svcset");
    for ((action, file), mode) in
        [("open", &set), ("import", &set), ("save", &own), ("open", &own)].into_iter().zip(modes().into_iter().cycle())
    {
        let (texts, told) = followed(&api, mode, action, file);
        assert_eq!(texts.len(), 1, "nothing is wrong: {texts:?}");
        let begin = format!("{action} {}: ", file.display());
        let end = if action == "save" { " kB written" } else { "100 %" };
        assert!(told.iter().all(|text| text.starts_with(&begin)), "{told:?}");
        assert!(told.last().is_some_and(|text| text.ends_with(end)), "{told:?}");
    }
}

/// The answer to who followed a job says what of it is not on the disk.
#[test]
fn a_file_that_was_followed_says_what_is_not_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let (api, set) = (without_a_disk(folder.path()), live_set(folder.path()));
    let [mode, _] = modes();
    let (texts, _) = followed(&api, mode, "open", &set);
    let warning = "WARNING: saved: false. The ";
    assert!(texts[1..].iter().any(|text| text.starts_with(warning)), "{texts:?}");
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
