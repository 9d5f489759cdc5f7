//! The service over a host of another kind than the embedded Set: it writes through, so that a failed call leaves its
//! writes, and it keeps its calls from the main thread of a plugin host.

use super::pump::{Pump, PumpThread, SliceThread};
use super::set_host::{Draft, SetGuard, SetHost, Transaction};
use super::{Answer, CallFailure, CallRequest, ProfileHeaders, Service, ServiceDeps, Settings};
use crate::music::Meter;
use crate::object_model::history::{Caller, MadeStep, StepLabel, Via};
use crate::object_model::host_values::Capability;
use crate::object_model::{ModelError, Session};
use crate::set::{Document, SetState};
use crate::tools::request::DeviceFacts;
use parking_lot::{Mutex, MutexGuard};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

const NO_DRY_RUNS: &str = "Live does what it is told; there are no dry runs of it";
const AFTER_FAILURE: &str = "what it had written by then stays";

/// What happened to a host.
#[derive(Debug, PartialEq)]
enum Seen {
    Begun(Arc<str>),
    Committed,
}

struct WriteThroughHost {
    set: Mutex<SetState>,
    seen: Mutex<Vec<Seen>>,
    write_refusal: Option<String>,
}

impl SetHost for WriteThroughHost {
    fn may_use_main_thread(&self) -> bool {
        false
    }

    fn lock(&self) -> Box<dyn SetGuard + '_> {
        Box::new(Guard { host: self, set: self.set.lock() })
    }

    fn try_lock(&self) -> Option<Box<dyn SetGuard + '_>> {
        Some(Box::new(Guard { host: self, set: self.set.try_lock()? }))
    }

    fn reader(&self) -> Option<Box<dyn SetGuard + '_>> {
        None
    }

    fn draft(&self, _: StepLabel) -> Option<Box<dyn Draft + '_>> {
        None
    }

    fn is_atomic(&self) -> bool {
        false
    }

    fn has_pending(&self) -> bool {
        false
    }

    fn generation(&self) -> u64 {
        0
    }

    fn write_refusal(&self) -> Option<String> {
        self.write_refusal.clone()
    }

    fn after_failure(&self) -> &'static str {
        AFTER_FAILURE
    }

    fn capability(&self, capability: Capability) -> Result<(), ModelError> {
        match capability {
            Capability::DryRun => Err(ModelError::Unable(NO_DRY_RUNS.to_owned())),
            other => self.committed_session().capability(other),
        }
    }

    fn song_meter(&self) -> Meter {
        Document::new_set().song.signature.into()
    }

    fn committed_session(&self) -> Box<dyn Session> {
        Box::new(SetState::from_document(Document::new_set()))
    }
}

struct Guard<'a> {
    host: &'a WriteThroughHost,
    set: MutexGuard<'a, SetState>,
}

impl SetGuard for Guard<'_> {
    fn take_pending(&mut self) {}

    fn begin(&mut self, step: StepLabel, _deadline: Instant) -> Box<dyn Transaction + '_> {
        self.host.seen.lock().push(Seen::Begun(step.tool));
        Box::new(WriteThrough { host: self.host, set: &mut self.set })
    }
}

struct WriteThrough<'a> {
    host: &'a WriteThroughHost,
    set: &'a mut SetState,
}

impl Transaction for WriteThrough<'_> {
    fn session(&mut self) -> &mut dyn Session {
        self.set
    }

    fn has_changes(&self) -> bool {
        true
    }

    fn has_effects(&self) -> bool {
        true
    }

    fn commit(self: Box<Self>) -> Option<MadeStep> {
        self.host.seen.lock().push(Seen::Committed);
        None
    }
}

/// A service over such a host, and its pump's thread.
struct Fixture {
    host: Arc<WriteThroughHost>,
    service: Service,
    pump_thread: PumpThread,
}

impl Fixture {
    fn new(write_refusal: Option<&str>) -> Fixture {
        let host = Arc::new(WriteThroughHost {
            set: Mutex::new(SetState::from_document(Document::new_set())),
            seen: Mutex::default(),
            write_refusal: write_refusal.map(str::to_owned),
        });
        let pump = Pump::new(host.clone());
        let deps = ServiceDeps {
            save_status: Arc::default(),
            library: Arc::default(),
            user_store: Arc::default(),
            presets: Default::default(),
            set_files: DeviceFacts::default().set_files,
            renderer: DeviceFacts::default().renderer,
            transfer_folders: Arc::default(),
            on_job: Arc::new(|| {}),
            on_settings: Box::new(|_| {}),
            on_call_answered: Box::new(|_| {}),
        };
        let service = Service::new(Settings::default(), "test".to_owned(), host.clone(), pump.clone(), deps);
        service.start().unwrap();
        let ask = Box::new(|| panic!("this host keeps off the main thread"));
        let pump_thread = PumpThread::start(pump, SliceThread::PluginHost(ask)).unwrap();
        Fixture { host, service, pump_thread }
    }

    fn call(&self, arguments: serde_json::Value, timeout: Option<Duration>) -> Result<Answer, CallFailure> {
        self.call_tool("svc-test", arguments, timeout)
    }

    fn call_tool(
        &self,
        tool: &str,
        arguments: serde_json::Value,
        timeout: Option<Duration>,
    ) -> Result<Answer, CallFailure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(self.service.call(CallRequest {
            as_text: false,
            tool: tool.to_owned(),
            arguments: arguments.as_object().cloned().unwrap(),
            headers: ProfileHeaders::default(),
            timeout,
            json: true,
            published_only: false,
            who: Caller::new(Via::Rest, "test"),
            chosen_file: None,
        }))
    }

    fn tempo_bpm(&self) -> f64 {
        self.host.set.lock().document.song.tempo_bpm
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if let Some(thread) = self.pump_thread.stop() {
            thread.join().unwrap();
        }
    }
}

#[test]
fn calls_run_on_the_pumps_own_thread_and_commit() {
    let fixture = Fixture::new(None);
    let answer = fixture.call(json!({"behave": "well"}), None).unwrap();
    assert_eq!((answer.is_error, &answer.result.as_value().unwrap()["thread"]), (false, &json!("svc-bridge-calls")));
    assert_eq!(*fixture.host.seen.lock(), [Seen::Begun("svc-test".into()), Seen::Committed]);
}

/// It would have to wait for another program there.
#[test]
fn a_small_call_too_runs_on_the_pumps_own_thread() {
    let fixture = Fixture::new(None);
    let answer = fixture.call(json!({"behave": "well", "small": true}), None).unwrap();
    assert_eq!((answer.is_error, &answer.result.as_value().unwrap()["thread"]), (false, &json!("svc-bridge-calls")));
    assert_eq!(*fixture.host.seen.lock(), [Seen::Begun("svc-test".into()), Seen::Committed], "once");
}

#[test]
fn the_host_says_what_a_failure_leaves() {
    let fixture = Fixture::new(None);
    let panicked = fixture.call(json!({"behave": "panic"}), None).unwrap_err();
    assert_eq!(panicked, CallFailure::Internal(format!("the tool failed unexpectedly; {AFTER_FAILURE}")));
    let late = fixture.call(json!({"behave": "sleep", "sleep": "900"}), Some(Duration::from_millis(300))).unwrap_err();
    let CallFailure::TimedOut(text) = late else { panic!("{late:?}") };
    assert!(text.starts_with(&format!("svc-test could not finish within 300 ms; {AFTER_FAILURE}; ")), "{text}");
    // The lock is free when the late call has ended.
    assert_eq!(fixture.tempo_bpm(), 77.0, "it wrote through");
    assert_eq!(
        *fixture.host.seen.lock(),
        [Seen::Begun("svc-test".into()), Seen::Begun("svc-test".into())],
        "neither committed"
    );
}

#[test]
fn a_host_that_takes_no_writes_says_why() {
    let fixture = Fixture::new(Some("it is read only"));
    let answer = fixture.call(json!({"behave": "well"}), None).unwrap();
    assert_eq!((answer.is_error, answer.result.into_value()), (true, json!("nothing was written: it is read only")));
    assert_eq!(*fixture.host.seen.lock(), [Seen::Begun("svc-test".into())]);
}

/// What it did before a refusal is there, so it is told, and the answer is no error.
#[test]
fn a_host_without_drafts_says_how_far_a_batch_came() {
    let fixture = Fixture::new(None);
    let calls = json!([
        {"tool": "svc-update-live-set", "arguments": {"tempo": 91}},
        {"tool": "svc-test", "arguments": {"behave": "fail"}},
        {"tool": "svc-update-live-set", "arguments": {"tempo": 92}},
    ]);
    let answer = fixture.call_tool("svc-batch", json!({ "calls": calls }), None).unwrap();
    let results = &answer.result.as_value().unwrap()["results"];
    assert!(!answer.is_error && results.as_array().is_some_and(|all| all.len() == 2), "{answer:?}");
    assert_eq!(results[1]["result"], json!({"ok": false, "detail": "failed as asked"}));
    assert!(
        answer.warnings[0].starts_with("call 2 failed and ended the batch; this host cannot take back"),
        "{answer:?}"
    );
    assert_eq!(*fixture.host.seen.lock(), [Seen::Begun("svc-batch".into()), Seen::Committed]);
    assert_eq!(fixture.tempo_bpm(), 77.0, "the first call's tempo, and what the second wrote before it failed");

    let refused = fixture.call_tool("svc-batch", json!({"calls": [calls[1]]}), None).unwrap();
    assert!(refused.is_error, "{refused:?}");
    let dry = fixture.call_tool("svc-batch", json!({"calls": [calls[0]], "dryRun": true}), None).unwrap();
    assert_eq!((dry.is_error, dry.result.as_value().unwrap()), (true, &json!(NO_DRY_RUNS)));
}

/// By what it says it can do: nothing is prepared, begun or written.
#[test]
fn a_host_that_has_no_dry_runs_is_asked_first() {
    let fixture = Fixture::new(None);
    let try_it = |tool: &str, arguments: serde_json::Value| {
        let answer = fixture.call_tool(tool, arguments, None).unwrap();
        (answer.is_error, answer.result.into_value())
    };
    for arguments in [json!({"tempo": 91, "dryRun": true}), json!({"tempo": "nonsense", "dryRun": true})] {
        let refused = (true, json!(NO_DRY_RUNS));
        let answer = fixture.call_tool("svc-update-live-set", arguments.clone(), None);
        assert!(
            matches!(answer, Err(CallFailure::InvalidArguments { .. }))
                || answer.is_ok_and(|answer| (answer.is_error, answer.result.into_value()) == refused),
            "{arguments}"
        );
    }
    assert_eq!(
        try_it("svc-delete", json!({"type": "track", "path": "t99", "dryRun": true})),
        (true, json!(NO_DRY_RUNS))
    );
    assert_eq!(*fixture.host.seen.lock(), []);
}
