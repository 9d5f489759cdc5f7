//! What is told while the tools work on Ableton Live: of a Set that Live itself shows, that it is another, and by whom.

use super::Stream;
use crate::live_seat::LiveSeat;
use crate::support::Api;
use serde_json::{Value, json};
use svc_device::device::Persistence;
use svc_device::device::state_file::StateFile;
use svc_device::service::Settings;
use svc_device::service::hosts::HostChoice;
use tempfile::TempDir;

/// A device that works on a Live, and the folder in which they find each other.
fn on_live() -> (Api, LiveSeat, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings { host_choice: HostChoice::Live, ..Settings::default() };
    let api = Api::keeping(settings, Persistence::File(StateFile::new(folder.path(), None)));
    let live = LiveSeat::take(&api.device, folder.path());
    (api, live, folder)
}

fn by_host(told: &Value) -> bool {
    told["who"] == "host"
}

#[test]
fn calls_in_live_say_that_they_changed_it() {
    let (api, _live, _folder) = on_live();
    let (mut stream, hello) = Stream::open(&api, "/api/events?kinds=set,call", "");
    assert_eq!((&hello["host"]["kind"], &hello["host"]["showsSet"]), (&json!("live"), &json!(false)));
    let mut revision = hello["revision"].as_u64().expect("a count");
    let lead = json!({"path": "t0", "name": "Lead"});
    let track = json!({"path": "t+", "type": "midi"});
    // Each call, and whether it changes something in Live.
    for (tool, arguments, label) in [
        ("svc-update-track", lead.clone(), Some("Update Track in Live")),
        ("svc-read-live-set", json!({}), None),
        ("svc-update-track", json!({"path": "t99", "name": "X"}), None),
        ("svc-create-track", track, Some("Create Track in Live")),
        ("svc-batch", json!({"calls": [{"tool": "svc-update-track", "arguments": lead}]}), Some("Batch in Live")),
    ] {
        api.envelope(tool, "x-svc-client: a-script\r\n", &arguments);
        let mut changes = Vec::new();
        let call = loop {
            let told = stream.next().expect("the stream goes on");
            match told.kind.as_str() {
                "call" => break told.data,
                _ if by_host(&told.data) => {}
                _ => changes.push(told.data),
            }
        };
        assert_eq!(call["tool"], tool);
        assert_eq!(changes.len(), usize::from(label.is_some()), "{tool} {arguments}: {changes:?}");
        let (Some(told), Some(label)) = (changes.pop(), label) else { continue };
        assert_eq!((&told["tool"], &told["label"]), (&json!(tool), &json!(label)));
        assert_eq!((&told["who"], &told["client"]), (&json!("rest"), &json!("a-script")));
        assert_eq!(
            (&told["readAnew"], &told["changed"], &told["historyStep"]),
            (&json!(true), &json!([]), &Value::Null),
            "{told}"
        );
        assert!(told["revision"].as_u64() > Some(revision), "{told} after {revision}");
        revision = told["revision"].as_u64().expect("a count");
    }
    let view = api.request("GET", "/api/view", "", "").json();
    assert!(view["revision"].as_u64() >= Some(revision), "{} is no older than what was told", view["revision"]);
}

#[test]
fn what_is_changed_by_hand_in_live_is_told() {
    let (api, live, _folder) = on_live();
    // The script listens to the lists that it was asked for.
    api.envelope("svc-read-live-set", "", &json!({"include": ["tracks"]}));
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=set", "");
    live.ask("user_call", json!({"path": "live_set", "function": "create_midi_track", "args": [-1]}));
    let told = stream.wait_for("set", by_host).data;
    assert_eq!((&told["tool"], &told["readAnew"]), (&Value::Null, &json!(true)), "{told}");
    assert_eq!(told["label"], "something in Live was changed");
}

#[test]
fn a_link_that_is_lost_is_in_the_log() {
    let (api, live, folder) = on_live();
    let (mut stream, _) = Stream::open(&api, "/api/events?kinds=log", "");
    drop(live);
    let lost = stream.next_of("log").data;
    assert_eq!(lost["level"], "warning", "{lost}");
    assert!(lost["text"].as_str().is_some_and(|text| text.starts_with("the link to Ableton Live was lost")), "{lost}");
    let _again = LiveSeat::take(&api.device, folder.path());
    let linked = stream.next_of("log").data;
    assert_eq!(linked["level"], "info", "{linked}");
    assert!(linked["text"].as_str().is_some_and(|text| text.starts_with("linked with Ableton Live")), "{linked}");
}
