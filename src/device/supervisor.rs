//! The supervisor: one thread that opens the server (and tries again while another device has the port), follows
//! changed settings and the user's token, and has the journal written.

use super::backend::DeviceBackend;
use super::event_signal::LogLevel;
use super::followed_settings::FollowedSettings;
use super::indexed_folders::indexed_folders;
use super::journal_writer::JournalWriter;
use super::live_desk::LiveDesk;
use super::live_link::LiveLink;
use super::notifier::{Event, Notifier};
use super::project_state::ProjectState;
use super::server_status::{RETRYING, ServerStatus, StatusCell};
use super::token_keeper::TokenKeeper;
use crate::http::{Options, Server, StartError, Stopped};
use crate::service::Service;
use crate::transfers::Transfers;
use crate::user_store::SidecarProblem;
use crossbeam_channel::Receiver;
use parking_lot::Mutex;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often a taken port is tried again.
const RETRY_PORT: Duration = Duration::from_millis(500);
/// How long after a call or a change the window is drawn again; what comes in between is shown with it.
const SHOW_AFTER: Duration = Duration::from_millis(100);
/// How long a stop waits for room among the events.
const SEND_LIMIT: Duration = Duration::from_millis(500);
/// How long the thread may take to end.
const STOP_LIMIT: Duration = Duration::from_millis(1000);

/// What the thread works with.
pub(super) struct Parts {
    pub inbox: Receiver<Event>,
    pub notifier: Notifier,
    pub status: Arc<StatusCell>,
    pub followed: Arc<FollowedSettings>,
    pub port_override: Option<u16>,
    pub backend: Arc<DeviceBackend>,
    pub service: Arc<Service>,
    pub project: Arc<ProjectState>,
    pub journal: JournalWriter,
    pub live_link: LiveLink,
    pub live_desk: Arc<LiveDesk>,
    pub transfers: Option<Arc<Transfers>>,
}

/// The thread, from outside.
pub(super) struct Supervisor {
    notifier: Notifier,
    /// True when the server's thread ended in time.
    thread: Mutex<Option<JoinHandle<bool>>>,
}

impl Supervisor {
    pub fn new(notifier: Notifier) -> Supervisor {
        Supervisor { notifier, thread: Mutex::new(None) }
    }

    pub fn start(&self, parts: Parts) -> Result<(), String> {
        let running = Running {
            token: TokenKeeper::new(parts.service.clone()),
            parts,
            server: None,
            try_port_at: Some(Instant::now()),
            show_at: None,
            following: None,
            server_ended_in_time: true,
        };
        let thread = std::thread::Builder::new().name("svc-supervisor".to_owned()).spawn(move || running.run());
        *self.thread.lock() = Some(thread.map_err(|e| format!("cannot start a thread: {e}"))?);
        Ok(())
    }

    /// Stops the server and writes what is left to write. False when the server's thread would not end.
    pub fn stop(&self) -> bool {
        let Some(thread) = self.thread.lock().take() else { return true };
        self.notifier.stop(SEND_LIMIT);
        let end = Instant::now() + STOP_LIMIT;
        while !thread.is_finished() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            return thread.join().unwrap_or(true);
        }
        // It is left to run out; the caller keeps the library loaded.
        false
    }
}

/// The thread's own state.
struct Running {
    parts: Parts,
    /// The port that was asked for, and the server on it.
    server: Option<(u16, Server)>,
    token: TokenKeeper,
    try_port_at: Option<Instant>,
    show_at: Option<Instant>,
    /// The change of the settings that is being followed.
    following: Option<u64>,
    server_ended_in_time: bool,
}

impl Running {
    fn run(mut self) -> bool {
        self.follow_grants();
        self.follow_folders();
        self.open_project();
        if let Some(transfers) = &self.parts.transfers {
            transfers.sweep();
        }
        let told = self.token.restore();
        self.tell_of_token(told);
        // Before the first call, as it may be for Live.
        self.follow_host();
        loop {
            self.do_what_is_due();
            match self.next_event() {
                Some(Event::DocumentChanged) => self.parts.journal.write_soon(),
                Some(Event::ToShow) => self.show_at = Some(Instant::now() + SHOW_AFTER),
                Some(Event::StateLoaded) => {
                    self.follow_grants();
                    self.look_for_journal();
                }
                Some(Event::LinkChanged) => self.follow_host(),
                Some(Event::OfferSettled) => self.parts.journal.forget_settled_offer(),
                // Done with what is due: a full inbox drops events.
                Some(Event::SettingsChanged | Event::LiveTask) => {}
                Some(Event::Stop) => break,
                None => {}
            }
        }
        // Before the server, which may take its time, and after it, as its last calls may have changed the Set.
        self.parts.journal.write_if_changed();
        self.close_server();
        self.parts.journal.write_if_changed();
        self.server_ended_in_time
    }

    fn do_what_is_due(&mut self) {
        self.follow_settings();
        let now = Instant::now();
        let is_due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if is_due(self.try_port_at) {
            self.open_server();
        }
        self.settings_are_in_force();
        if is_due(self.parts.journal.due_at()) {
            self.parts.notifier.document_seen();
            self.parts.journal.write();
        }
        if is_due(self.token.due_at()) {
            let told = self.token.look();
            self.tell_of_token(told);
        }
        if is_due(self.parts.live_link.due_at()) {
            self.follow_host();
        }
        self.parts.live_desk.carry_out();
        if is_due(self.show_at) {
            self.show_at = None;
            self.parts.notifier.show();
        }
    }

    /// The next event; none when something is due before one comes.
    fn next_event(&self) -> Option<Event> {
        let parts = &self.parts;
        let due =
            [self.try_port_at, parts.journal.due_at(), parts.live_link.due_at(), self.token.due_at(), self.show_at];
        match due.into_iter().flatten().min() {
            Some(at) => self.parts.inbox.recv_deadline(at).ok(),
            None => self.parts.inbox.recv().ok(),
        }
    }

    fn follow_host(&mut self) {
        let port = self.server.as_ref().map(|(_, server)| server.port());
        self.parts.live_link.follow(port);
    }

    fn look_for_journal(&mut self) {
        self.parts.notifier.document_seen();
        if self.parts.journal.look_for_journal() {
            self.parts.notifier.changed();
        }
    }

    fn follow_folders(&self) {
        let folders = indexed_folders(&self.parts.service.settings());
        if let Err(why) = self.parts.service.library().index_folders(folders) {
            self.parts.notifier.log(LogLevel::Error, &format!("the sample folders are not indexed: {why}"));
        }
    }

    /// Before the first call: what killed devices left is cleared away, and a project that was opened without a context
    /// gets the one that lies beside it.
    fn open_project(&self) {
        let service = &self.parts.service;
        let store = service.user_store();
        store.remove_partial_writes();
        service.presets().remove_partial_writes();
        let Some(sidecar) = store.sidecar() else { return };
        match sidecar.opened(&service.settings().project_context) {
            Ok(None) => {}
            Ok(Some(context)) => service.restore_context(context),
            Err(problem) => self.remark(problem.to_string()),
        }
    }

    /// What the user granted to the open project before is in force again.
    fn follow_grants(&self) {
        if let Err(remark) = self.parts.project.follow_grants() {
            self.remark(remark);
        }
    }

    /// What is wrong with a token is not for a call's answer.
    fn tell_of_token(&self, told: Result<(), String>) {
        if let Err(why) = told {
            self.parts.notifier.log(LogLevel::Warning, &why);
        }
    }

    fn follow_context(&self) {
        let sidecar = self.parts.service.user_store().sidecar();
        let context = &self.parts.service.settings().project_context;
        match sidecar.map(|sidecar| sidecar.follow(context)) {
            None | Some(Ok(())) => {}
            Some(Err(odd @ SidecarProblem::Odd(_))) => self.remark(odd.to_string()),
            // Whoever wrote the context was told in the answer; by the next call it may be in the file.
            Some(Err(failed @ SidecarProblem::NotWritten(_))) => {
                self.parts.notifier.log(LogLevel::Warning, &failed.to_string());
            }
        }
    }

    fn remark(&self, remark: String) {
        self.parts.notifier.log(LogLevel::Warning, &remark);
        self.parts.service.user_store().remark(remark);
    }

    /// Follows what changed since it did so last, but for the port, which is opened with what is due.
    fn follow_settings(&mut self) {
        let Some(change) = self.parts.followed.to_follow() else { return };
        self.following = Some(change);
        self.follow_folders();
        self.follow_context();
        if let Err(why) = self.token.keep() {
            self.remark(why);
        }
        if let Err(remark) = self.parts.project.keep_grants() {
            self.remark(remark);
        }
        self.follow_host();
        let wanted = self.wanted_port();
        if self.server.as_ref().is_none_or(|(asked, _)| *asked != wanted) {
            self.try_port_at = Some(Instant::now());
        }
        self.parts.journal.write_soon();
    }

    /// Whoever waits for the settings is answered.
    fn settings_are_in_force(&mut self) {
        if let Some(change) = self.following.take() {
            self.parts.followed.done(change);
        }
    }

    fn wanted_port(&self) -> u16 {
        self.parts.port_override.unwrap_or_else(|| self.parts.service.settings().port)
    }

    fn open_server(&mut self) {
        self.try_port_at = None;
        let wanted = self.wanted_port();
        match Server::start(
            self.parts.backend.clone(),
            wanted,
            Options::from_environment(self.parts.service.access().clone()),
        ) {
            Ok(server) => {
                // The old one goes only when the new one stands, so a bad port cuts nobody off. What it has to answer
                // of the settings may wait for this very change.
                self.set_status(ServerStatus::Listening { port: server.port() });
                self.settings_are_in_force();
                self.close_server();
                self.server = Some((wanted, server));
                self.follow_host();
            }
            Err(error) => {
                if self.server.is_none() {
                    let retry = match &error {
                        StartError::PortTaken(_) => RETRYING,
                        _ => "",
                    };
                    self.set_status(ServerStatus::Waiting { why: format!("{error}.{retry}") });
                }
                self.try_port_at = Some(Instant::now() + RETRY_PORT);
            }
        }
    }

    fn close_server(&mut self) {
        if let Some((_, server)) = self.server.take() {
            self.server_ended_in_time &= server.stop() == Stopped::Joined;
        }
    }

    fn set_status(&self, status: ServerStatus) {
        if self.parts.status.set(status) {
            self.parts.notifier.changed();
        }
    }
}

/// A line on stderr. Whoever reads it may be gone; that must not end the thread.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Config, Device, Persistence};
    use crate::service::pump::SliceThread;
    use crate::service::{CallRequest, ProfileHeaders};
    use crate::service::{Caller, Via};

    fn request(tool: &str, arguments: serde_json::Value) -> CallRequest {
        CallRequest {
            as_text: false,
            tool: tool.to_owned(),
            arguments: arguments.as_object().cloned().unwrap_or_default(),
            headers: ProfileHeaders::default(),
            timeout: None,
            json: true,
            published_only: false,
            who: Caller::new(Via::Rest, "test"),
            chosen_file: None,
        }
    }

    #[test]
    fn a_thousand_changes_wake_the_supervisor_once() {
        let (device, _engine) = Device::new(Config::of_test(Persistence::Nowhere, || {}));
        // Everything runs but the supervisor, so what it would be woken by stays in its inbox.
        device.service.start().unwrap();
        let mut pump = crate::service::pump::PumpThread::start(device.pump.clone(), SliceThread::Model).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let changes = |count: u32| {
            for n in 0..count {
                let call = request("svc-update-live-set", serde_json::json!({"tempo": 100 + n % 2}));
                assert!(!runtime.block_on(device.service.call(call)).unwrap().is_error);
            }
            device.inbox.try_iter().filter(|event| *event == Event::DocumentChanged).count()
        };
        let before = device.set.committed().revision;
        assert_eq!(changes(1_000), 1);
        assert!(device.set.committed().revision >= before + 999, "each is a commit of its own");
        assert_eq!(changes(10), 0, "it knows already");
        device.notifier.document_seen();
        assert_eq!(changes(10), 1);
        assert!(pump.stop().is_some_and(|thread| thread.join().is_ok()));
    }

    #[test]
    fn many_calls_are_shown_together() {
        let (told, news) = crossbeam_channel::unbounded();
        let (device, _engine) = Device::new(Config::of_test(Persistence::Nowhere, move || {
            // The test has seen enough when nobody listens.
            let _ = told.send(());
        }));
        device.start(SliceThread::Model).unwrap();
        assert!(matches!(device.wait_for_server(Duration::from_secs(10)), ServerStatus::Listening { .. }));
        news.recv_timeout(Duration::from_secs(10)).expect("that it listens is news");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let call = || {
            let call = device.service.call(request("svc-read-live-set", serde_json::json!({})));
            assert!(!runtime.block_on(call).unwrap().is_error);
        };
        let start = Instant::now();
        (0..200).for_each(|_| call());
        let meanwhile = news.try_iter().count() as u128;
        let most = 1 + start.elapsed().as_millis() / SHOW_AFTER.as_millis();
        assert!(meanwhile <= most, "told {meanwhile} times, {most} are enough");
        call();
        news.recv_timeout(Duration::from_secs(10)).expect("the last call is told of too");
        assert_eq!(device.service.calls_answered(), 201);
    }
}
