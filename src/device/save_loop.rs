//! The thread that saves a device's state to its [`StateFile`]: each change soon goes to the log beside the file, and
//! the whole state is written now and then, by another thread, so that the log goes on meanwhile.
//! See D42 in `docs/decisions.md`.

use super::change_log::{Change, ChangeLog, new_name};
use super::event_signal::LogLevel;
use super::notifier::Notifier;
use super::project_state::ProjectState;
use super::save_signal::{SaveSignal, SaverEvent};
use super::state::{LogNames, StateParts};
use super::state_file::StateFile;
use crate::disk::StagedFile;
use crate::service::embedded::{Committed, EmbeddedSet};
use crate::service::save_status::SaveStatus;
use crate::service::{Service, Settings};
use crate::set::edit::saved_changes::SavedChanges;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long after a change it goes to the log; changes in between go with it.
const LOG_AFTER: Duration = Duration::from_millis(15);
/// How long after a change the whole state is written, and how much longer for each time that the last one took: what
/// is large is written seldom.
const WRITE_AFTER: Duration = Duration::from_millis(300);
const WRITE_AFTER_TIMES: u32 = 20;
/// How long after a failure it is tried again.
const RETRY_LOG: Duration = Duration::from_secs(1);
const RETRY_WRITE: Duration = Duration::from_secs(5);

/// What the thread works with.
pub struct Parts {
    pub file: StateFile,
    pub project: Arc<ProjectState>,
    pub set: Arc<EmbeddedSet>,
    pub service: Arc<Service>,
    pub notifier: Notifier,
}

/// The Set and the settings at one moment.
#[derive(Clone)]
struct Version {
    committed: Arc<Committed>,
    settings: Arc<Settings>,
}

impl Version {
    fn is_same(&self, other: &Version) -> bool {
        self.committed.revision == other.committed.revision && self.settings == other.settings
    }
}

/// A whole state on its way to the disk.
struct PendingWrite {
    log_name: String,
    version: Version,
    begun: Instant,
}

/// The thread's own state.
pub struct Running {
    parts: Parts,
    signal: SaveSignal,
    inbox: Receiver<SaverEvent>,
    /// What the file and its log hold together.
    kept: Version,
    /// The name of the log that goes on from the file; `None` until a state was written that names one.
    log_name: Option<String>,
    log: Option<ChangeLog>,
    /// Bytes of the log that were there before this device.
    log_length_before: u64,
    write: Option<PendingWrite>,
    last_write_took: Duration,
    log_at: Option<Instant>,
    write_at: Option<Instant>,
    log_failure: Option<String>,
    write_failure: Option<String>,
}

impl Running {
    pub fn new(parts: Parts, signal: SaveSignal, inbox: Receiver<SaverEvent>) -> Running {
        let kept = Version { committed: parts.set.committed(), settings: parts.service.settings() };
        let open_log = parts.file.open_log.clone();
        let log_length_before = open_log.as_ref().map_or(0, |log| log.length);
        Running {
            kept,
            log_name: open_log.map(|log| log.name),
            log: None,
            log_length_before,
            // What a killed device left in the log goes to the file again.
            write_at: (log_length_before > 0).then(|| Instant::now() + WRITE_AFTER),
            write: None,
            last_write_took: Duration::ZERO,
            log_at: None,
            log_failure: None,
            write_failure: None,
            parts,
            signal,
            inbox,
        }
    }

    pub fn run(mut self) {
        loop {
            let write_at = self.write_at.filter(|_| self.write.is_none());
            let event = match self.log_at.into_iter().chain(write_at).min() {
                Some(at) => self.inbox.recv_deadline(at),
                None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(SaverEvent::Changed) => {
                    self.log_at.get_or_insert_with(|| Instant::now() + LOG_AFTER);
                }
                Ok(SaverEvent::Staged(staged)) => self.take_written(staged),
                Ok(SaverEvent::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let is_due = |at: Option<Instant>| at.is_some_and(|at| at <= Instant::now());
            if is_due(self.log_at) {
                self.log_changes();
            }
            if is_due(self.write_at) && self.write.is_none() {
                self.begin_write();
            }
        }
        self.finish();
    }

    fn present(&self) -> Version {
        Version { committed: self.parts.set.committed(), settings: self.parts.service.settings() }
    }

    /// What could not be read is not written over.
    fn may_write(&self) -> bool {
        self.parts.set.unreadable().is_none()
    }

    fn log_changes(&mut self) {
        self.log_at = None;
        self.signal.heard();
        self.status().begin();
        if !self.may_write() {
            return self.status().done();
        }
        let present = self.present();
        if present.is_same(&self.kept) {
            self.log_failure = None;
        } else if self.log_name.is_none() {
            // A log has nothing to go on from yet. What failed keeps its distance.
            if self.write_failure.is_none() {
                self.write_at = Some(Instant::now());
            }
            return;
        } else {
            match self.append(&present) {
                Ok(()) => {
                    self.kept = present;
                    self.log_failure = None;
                    let after = WRITE_AFTER + self.last_write_took * WRITE_AFTER_TIMES;
                    self.write_at.get_or_insert_with(|| Instant::now() + after);
                }
                Err(e) => {
                    self.log_failure = Some(e.to_string());
                    self.log_at = Some(Instant::now() + RETRY_LOG);
                    self.write_at.get_or_insert_with(|| Instant::now() + RETRY_WRITE);
                }
            }
        }
        if self.log_failure.is_none() {
            self.status().done();
        }
        self.tell();
    }

    /// Appends what is other than what is kept.
    fn append(&mut self, present: &Version) -> io::Result<()> {
        if self.log.is_none()
            && let Some(name) = &self.log_name
        {
            let path = self.parts.file.log_path(name);
            let is_there = path.exists();
            let log = if is_there { ChangeLog::go_on(path, self.log_length_before) } else { ChangeLog::create(path) };
            self.log = Some(log?);
        }
        self.log.as_mut().map_or(Ok(()), |log| append_to(log, &self.kept, present))
    }

    /// Has the whole state written beside the file.
    fn begin_write(&mut self) {
        self.write_at = None;
        if !self.may_write() {
            return;
        }
        let (version, log_name) = (self.present(), new_name());
        let (file, events) = (self.parts.file.clone(), self.signal.events().clone());
        let id = self.parts.project.identity();
        let (state, name) = (version.clone(), log_name.clone());
        let ended = self.log_name.clone().unwrap_or_default();
        let write = move || {
            let parts = StateParts {
                settings: &state.settings,
                document: &state.committed.document,
                id: &id.id,
                revision: id.changes(state.committed.revision),
                log: Some(LogNames { log: &name, ended: &ended }),
            };
            let staged = file.stage(|to| parts.write(to));
            let _ = events.send(SaverEvent::Staged(staged));
        };
        self.write = Some(PendingWrite { log_name, version, begun: Instant::now() });
        if let Err(e) = std::thread::Builder::new().name("svc-writer".to_owned()).spawn(write) {
            self.take_written(Err(e));
        }
    }

    /// Gives what was written the file's name. What changed meanwhile is in its log before it has.
    fn take_written(&mut self, staged: io::Result<StagedFile>) {
        let Some(PendingWrite { log_name, version, begun }) = self.write.take() else { return };
        self.last_write_took = begun.elapsed();
        self.status().begin();
        let present = self.present();
        match staged.and_then(|staged| self.put_in_place(staged, &log_name, &version, &present)) {
            Ok(log) => {
                if log.is_some() {
                    let after = WRITE_AFTER + self.last_write_took * WRITE_AFTER_TIMES;
                    self.write_at.get_or_insert_with(|| Instant::now() + after);
                }
                self.forget_log();
                (self.kept, self.log, self.log_name) = (present, log, Some(log_name));
                (self.log_failure, self.write_failure) = (None, None);
                self.status().done();
            }
            Err(e) => {
                self.write_failure = Some(e.to_string());
                self.write_at = Some(Instant::now() + RETRY_WRITE);
            }
        }
        self.tell();
    }

    fn put_in_place(
        &self,
        staged: StagedFile,
        log_name: &str,
        version: &Version,
        present: &Version,
    ) -> io::Result<Option<ChangeLog>> {
        let mut log = None;
        if !present.is_same(version) {
            let mut new = ChangeLog::create(self.parts.file.log_path(log_name))?;
            if let Err(e) = append_to(&mut new, version, present) {
                new.remove();
                return Err(e);
            }
            log = Some(new);
        }
        if let Err(e) = self.parts.file.put_in_place(staged) {
            log.into_iter().for_each(ChangeLog::remove);
            return Err(e);
        }
        Ok(log)
    }

    /// Removes the log that the file holds now.
    fn forget_log(&mut self) {
        match (self.log.take(), &self.log_name) {
            (Some(log), _) => log.remove(),
            (None, Some(name)) if self.log_length_before > 0 => {
                let _ = std::fs::remove_file(self.parts.file.log_path(name));
            }
            (None, _) => {}
        }
        self.log_length_before = 0;
    }

    /// Writes what is left to write, once.
    fn finish(&mut self) {
        self.wait_for_write();
        if !self.may_write() {
            return;
        }
        self.log_changes();
        if self.log.is_some() || self.log_length_before > 0 || !self.present().is_same(&self.kept) {
            self.begin_write();
            self.wait_for_write();
        }
    }

    fn wait_for_write(&mut self) {
        while self.write.is_some() {
            match self.inbox.recv() {
                Ok(SaverEvent::Staged(staged)) => self.take_written(staged),
                Ok(SaverEvent::Changed | SaverEvent::Stop) => {}
                Err(_) => return,
            }
        }
    }

    fn status(&self) -> &SaveStatus {
        self.signal.status()
    }

    /// Tells what changed about failures: in the log, and wherever the status is shown.
    fn tell(&self) {
        let why = self.log_failure.as_ref().or(self.write_failure.as_ref());
        let why = why.map(|why| format!("The Set could not be written to the disk: {why}"));
        if self.status().set_failure(why.as_deref()) {
            match &why {
                Some(why) => self.parts.notifier.log(LogLevel::Error, &format!("{why}. Trying again")),
                None => self.parts.notifier.log(LogLevel::Info, "the Set is written to the disk again"),
            }
            self.parts.notifier.changed();
        }
    }
}

fn append_to(log: &mut ChangeLog, before: &Version, after: &Version) -> io::Result<()> {
    let set = SavedChanges::between(&before.committed.document, &after.committed.document);
    let settings = (before.settings != after.settings).then_some(&*after.settings);
    if set.is_none() && settings.is_none() {
        return Ok(());
    }
    log.append(&Change { set: set.as_ref(), settings })
}
